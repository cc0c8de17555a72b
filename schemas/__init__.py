"""The gate: whatever comes in over HTTP, a body or a query, passes a marshmallow schema derived from a record.

Bodies are records in one file a resource, queries stand in `queries`, events and house rules in the rule books.
`records` derives a schema of each, of the `fields`. What is malformed is found here, and named by its place (422); what
is well formed and still not possible at a table is for the rules to say (409).
"""
