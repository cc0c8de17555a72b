"""The gate: whatever comes in over HTTP, a body or a query, is validated by a marshmallow schema. One file a resource.

`records` makes a schema of a record's description, so an event or a house rule is declared once, in its rule book;
bodies and queries that are no record are written by hand, of the fields in `base`. A value is checked by the function
that reads it in the log. What is malformed is found here, and named by its place (422); what is well formed and still
not possible at a table is for the rules to say (409). `requests` and `components` describe all that in `/openapi.json`.
"""
