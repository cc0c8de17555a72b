"""What goes out: one frozen record an answer, one file a noun, and the one encoder.

An answer is described once. Its type hints and docstrings make its schema in `/openapi.json` (`schemas.components`),
and the record itself is what is encoded (`encoding`). The API, the exports and the command line give the same records.
Each file has the records of its noun, and the functions that make them of what the house knows.
"""
