"""What is long is sent compressed, by gzip, to who takes that.

A file that is streamed is compressed as it is written, and stays a stream; server-sent events are left as they are,
since each has to be there at once. So is what has a token in it: whoever can choose other parts of an answer, and watch
how long it gets compressed, could guess the token letter by letter (BREACH).

The ETag of what is compressed is weak: these are other bytes for the same thing. Flask-Compress would make another tag
of it, so that it was no seq any more, and does not stream gzip.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from flask import Response, request

KINDS = frozenset(
    {"application/json", "application/problem+json"}
    | {"text/html", "text/csv", "text/plain", "image/svg+xml"}  # a workbook is compressed already
)
LEAST = 500
"""From how many bytes on it is worth while: what is shorter fits in one packet anyway."""

LEVEL = 1
"""How hard it is tried, of 9: twice the time would make it a tenth shorter."""

GZIP = 31
"""What zlib calls gzip's own way of writing, with the largest window."""

PIECE = 32 * 1024
"""How many bytes are compressed at a time."""


def compressed(response: Response) -> Response:
    """Compress an answer that is worth it, if the client takes it.

    It is called where answers are made: what Flask calls after each request costs the short ones a fiftieth.
    """
    pieces = response.response
    is_whole = isinstance(pieces, list)
    if is_whole and sum(map(len, pieces)) < LEAST:
        return response
    told = dict(response.headers.items())
    if told.get("Content-Type", "").partition(";")[0] not in KINDS or response.direct_passthrough:
        return response
    also_varies_by(response, "Accept-Encoding")
    if "gzip" not in request.environ.get("HTTP_ACCEPT_ENCODING", "") or not request.accept_encodings.quality("gzip"):
        return response
    if response.status_code < 400 and told.get("Cache-Control") == "no-store":
        return response  # there may be a token in it
    response.headers["Content-Encoding"] = "gzip"
    if "ETag" in told:
        response.headers["ETag"] = f"W/{told['ETag'].removeprefix('W/')}"
    if is_whole:
        response.set_data(gzipped_whole(response.get_data()))
    else:
        response.response = gzipped(response.iter_encoded())
    return response


def also_varies_by(response: Response, header: str) -> None:
    """Note a header of the request that the answer depends on, beside others."""
    others = [value for name, value in response.headers.items() if name == "Vary"]
    if others:
        response.headers["Vary"] = ", ".join([*others, header])
    else:
        response.headers.add("Vary", header)  # quicker than to look for one that is there


def gzipped_whole(told: bytes) -> bytes:
    """Compress what is there as a whole."""
    if len(told) <= PIECE:
        return zlib.compress(told, LEVEL, GZIP)
    return b"".join(gzipped(told[at : at + PIECE] for at in range(0, len(told), PIECE)))


def gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compress pieces as they come, and give what has come together."""
    packer = zlib.compressobj(LEVEL, wbits=GZIP)
    for piece in pieces:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()
