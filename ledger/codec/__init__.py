"""Records to JSON and back: the log's own, and what is taken home and brought in.

`encoding` has msgspec's hooks, `log` is format 1 of the log, `export_file` the form of `export.json`, `json_text` what
JSON from outside may be.
"""
