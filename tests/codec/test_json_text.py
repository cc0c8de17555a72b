"""JSON text: where it cannot be read is named, and no number is large enough to lift a bound."""

from __future__ import annotations

import pytest

from ledger.codec.json_text import DEEPEST, NotJSON, read_json
from ledger.language import render

PLACES = {
    "a byte that is no UTF-8, behind an escape": (rb'{"a":"\n' + b'\xff","b":"more"}', 1, 9),
    "a byte that is no UTF-8, within a text": (b'{"a":"x","b":"yyyy\xffy"}', 1, 19),
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


@pytest.mark.parametrize("number", [b"1", b"1e400", b"9" * 5000])
def test_a_large_number_does_not_lift_the_bound_on_levels(number: bytes) -> None:
    assert read_json(b"[" * DEEPEST + number + b"]" * DEEPEST)
    with pytest.raises(NotJSON) as refused:
        read_json(b"[" * (DEEPEST + 1) + number + b"]" * (DEEPEST + 1))
    assert "500 levels" in render(refused.value.sentence, "en", {})


def test_half_a_character_is_refused() -> None:
    for text in (rb'"\ud800"', rb'["\udc00", 1e400]', rb'{"\ud800": 1}'):
        with pytest.raises(NotJSON):
            read_json(text)
