"""Records to JSON and back: the log's own, and what is taken home and brought in.

`encoding` has msgspec's hooks, `log` is format 1 of the log, with `texts` apart from it, `files` the form of
`export.json`, `json_text` what JSON from outside may be.
"""

from ledger.codec.log import (
    Written,
    digest_at,
    opening_to,
    read_event,
    read_opening,
    reported,
    rule_book,
    write_event,
    write_opening,
)
from ledger.codec.texts import MisplacedText
