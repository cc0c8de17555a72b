"""The gate: whatever comes in over HTTP, a body or a query, passes a marshmallow schema derived from a record.

The records are in `sessions` and `imports`, which open sessions, and in `requests`; events and house rules are the rule
books'. `loading` derives a schema of each, of the `fields`. What is malformed is found here, and named by its place
(422); what is well formed and still not possible at a table is for the rules to say (409).
"""
