"""Records to JSON and back, strictly and quickly: the log's own, and what is taken home and brought in.

`description` reads the annotations of a record once; `reader` and `writer` go by it. The bounds are the ones that HTTP
goes by, so whatever HTTP would refuse is refused here, with a pointer and a sentence for each fault.

`log` is format 1 of the log: events and openings, with digests in the places of people's own words. `files` is the form
of `export.json`. Reading gives the whole record or raises `Malformed`.
"""

from ledger.codec.log import (
    Written,
    digest_at,
    event_from,
    opening_from,
    opening_to,
    read_event,
    read_opening,
    read_row,
    reported,
    rule_book,
    write_event,
    write_opening,
)
from ledger.codec.values import MisplacedText
