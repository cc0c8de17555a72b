"""What goes out: one frozen record an answer, one file a noun.

An answer is described once, by the annotations of its record: they make its schema in `/openapi.json`
(`api.http.openapi`), and msgspec writes the record itself. The API, the exports and the command line give the same
records. Each file has the records of its noun, and the functions that make them.
"""
