"""What comes in over HTTP: bodies and queries, one file a noun, and how answers are described.

`records` turns a record into a marshmallow schema, so an event or a house rule is declared once, in its rule
book; a field of a new type is one line in the table there. Whatever a request may get wrong in form is found here, and
named by its place (422); what is well formed and still not possible at a table is for the rules to say (409).
`components` describes what goes out, by the hints of `ledger.answers`.
"""
