"""Records to JSON and back: the one place that knows both.

The JSON on the wire and in the log is made here, from the records' own types: `records` turns a frozen dataclass into a
marshmallow schema, so an event or a house rule is declared once, in its rule book. A field of a new type is one line in
the table there. Whatever a request may get wrong in form is found here, and named by its place (422); what is well
formed and still not possible at a table is for the rules to say (409).
"""
