"""What nobody in their right mind would send, made of what is well: JSON, text and requests, changed in a few places.

Chance alone never gets past the first check. So what is sent begins as something that the service takes, and then a few
of its parts are left out, doubled, put elsewhere, or become what has broken programs before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

SECRET = "Aki-of-the-hall"
"""A name; in the log it must never be."""

FORGED = f'{SECRET}\n{{"event": "the books do not add up"}}\r\n\u2028'

NUMBERS = (0, -0.0, -1, 1.5, 1e400, -1e400, 10**30, 10**400, 2**31, 2**53 + 1, 2**63, 2**64, float("nan"), 1e-400)
TEXTS = (
    *(
        "",
        " ",
        "\0",
        "\ud800",
        "\udfff\ud800",
        "\ufeff=1+1",
        "\u200b",
        "\u202e",
        "a\nb",
        "a\u2028b",
        "🃏" * 100,
        "x" * 600,
    ),
    *("NaN", "1", "null", "p1", "p0", "p99", "bank", "pot", "__proto__", "plain", "cups-1", "QH", "4", SECRET, FORGED),
    *(
        "9999-12-31T23:59:59+23:59",
        "0001-01-01T00:00:00Z",
        "2026-11-21T09:00:00Z",
        "2026-W47",
        "{}",
        "[]",
        "％",
        "１２",
    ),
    *("../../etc/passwd", "%0a", "{where:sentence}", "{0.__class__}", "%s%n", "<b>", "';--", "a" * 32, "0" * 64),
)
ODD: Sequence[Any] = (*NUMBERS, *TEXTS, None, True, False, [], {}, [[]], {"": ""}, [None] * 30, {"\ud800": 1e400})

BYTES = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xef\xbb\xbf", b"\r\n", b"\n", b"\r", b" ", b"\t", b'"', b"\\"),
    *(b"[" * 3000, b'{"a":' * 3000, b"1e400", b"-", b"NaN", b"Infinity", b"1" * 5000, b"\\ud800", b"\\u0000", b",,"),
    *(b"=", b";", b"(", b")", b"#", b"event ", b"p1 ", b"= pot ", b'"a":1,"a":2', b"/*", b"\x1b[31m", b"'", b"%00"),
    *(b"\xe3\x80\x80", b"\xe2\x80\xa8", FORGED.encode("utf-8", "surrogatepass")),
)

Place = tuple[Any, Any]
"""A list or an object, and where in it something is."""


def places(value: Any) -> Iterator[Place]:
    """Give every place within a value."""
    if isinstance(value, dict | list):
        for at in range(len(value)) if isinstance(value, list) else list(value):
            yield value, at
            yield from places(value[at])


@st.composite
def changed(draw: st.DrawFn, values: Sequence[Any]) -> Any:
    """One of some values that JSON can say, changed in a few places."""
    value = {"": deepcopy(draw(st.sampled_from(values)))}
    for _ in range(draw(st.integers(1, 4))):
        within, at = draw(st.sampled_from(list(places(value))))
        match draw(st.sampled_from(["odd", "gone", "elsewhere", "renamed", "doubled"])):
            case "gone" if within is not value:
                del within[at]
            case "elsewhere":
                other, there = draw(st.sampled_from(list(places(value))))
                within[at] = deepcopy(other[there])
            case "renamed" if isinstance(within, dict) and within is not value:
                within[draw(st.sampled_from(TEXTS))] = within.pop(at)
            case "doubled" if isinstance(within, list) and len(within) < 1000:
                within.insert(at, deepcopy(within[at]))
            case _:
                within[at] = deepcopy(draw(st.sampled_from(ODD)))
    return value[""]


@st.composite
def spoilt(draw: st.DrawFn, whole: Sequence[bytes]) -> bytes:
    """One of some texts, in which a few pieces are left out, doubled, cut off, or put in between."""
    text = draw(st.sampled_from(whole))
    for _ in range(draw(st.integers(0, 4))):
        begin, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        piece = draw(st.sampled_from(BYTES))
        text = draw(
            st.sampled_from(
                [
                    text[:begin] + piece + text[begin:],
                    text[:begin] + text[min(end, begin + 20) :],
                    text[:end] + text[begin:end][:200] + text[end:],
                    text[:begin] + piece + text[begin + len(piece) :],
                    text[:end],
                ]
            )
        )
    return text


@st.composite
def as_sent(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> bytes:
    """Write values as a client might, now and then with the text spoilt, too."""
    text = json.dumps(draw(values), ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    return draw(spoilt([text])) if draw(st.integers(0, 3)) == 0 else text
