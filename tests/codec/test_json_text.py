"""JSON from outside: read only if it has one meaning, with the place where it cannot be; no number lifts a bound."""

from __future__ import annotations

import pytest

from ledger.codec.json_text import MAX_DEPTH, GivenTwice, NotJSON, read_json
from ledger.i18n.language import render

PLACES = {
    "a byte that is no UTF-8, behind an escape": (rb'{"a":"\n' + b'\xff","b":"more"}', 1, 9),
    "a byte that is no UTF-8, behind a mark": (b"\xef\xbb\xbf" + '["あaa'.encode() + b'\xff"]', 1, 6),
    "a comma too many behind a large number": (b'{"events":[1e400,}', 1, 18),
    "something behind the end": (b'{"events":[]} x', 1, 15),
    "a word that is none": (b'{"events":\n tru}', 2, 2),
    "not a number": (b"[1, NaN]", 1, 5),
    "characters, not bytes": ('{"あ": nul}'.encode(), 1, 7),
}


@pytest.mark.parametrize(("text", "line", "column"), PLACES.values(), ids=PLACES)
def test_the_place_that_cannot_be_read_is_named(text: bytes, line: int, column: int) -> None:
    with pytest.raises(NotJSON) as refused:
        read_json(text)
    assert f"line {line}, column {column} " in render(refused.value.sentence, "en", {})


@pytest.mark.parametrize("number", [b"1", b"1e400", b"9" * 5000, b'{"[":1}'])
def test_no_number_lifts_the_bound_on_levels(number: bytes) -> None:
    levels = MAX_DEPTH - number.count(b"{")
    assert read_json(b"[" * levels + number + b"]" * levels)
    with pytest.raises(NotJSON) as refused:
        read_json(b"[" * (levels + 1) + number + b"]" * (levels + 1))
    assert "500 levels" in render(refused.value.sentence, "en", {})


@pytest.mark.parametrize("text", [rb'"\ud800"', rb'["\udc00", 1e400]', rb'{"\ud800": 1}', b'"\xed\xa0\xbc"'])
def test_half_a_character_is_refused(text: bytes) -> None:
    with pytest.raises(NotJSON):
        read_json(text)


def test_a_name_that_stands_twice_is_found_among_many() -> None:
    names = [f'"{number}":1' for number in (*range(50_000), 49_999)]
    with pytest.raises(GivenTwice):
        read_json(f'[{{"a":1}},{{"a":1,"b":{{{",".join(names)}}}}}]'.encode())
    assert read_json(b'\xef\xbb\xbf[{"a":":"},{"a":1e400}]') == [{"a": ":"}, {"a": float("inf")}]
