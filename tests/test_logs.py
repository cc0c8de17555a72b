"""What may stand in the log: no text of an exception, and nothing that would begin a line."""

from __future__ import annotations

import unicodedata

import pytest

from ledger.logs import MOST_FRAMES, escaped, trace

SECRET = "Aki\nledger: the books do not add up"


def failed(name: str = SECRET) -> Exception:
    """An exception that was raised because of another, both with a name in their texts and in a note."""
    try:
        try:
            _ = dict[str, str]()[name]
        except KeyError as error:
            error.add_note(name)
            raise ValueError(name) from error
    except ValueError as error:
        error.add_note(name)
        return error
    return Exception()


def test_a_trace_says_kinds_and_places_and_no_texts() -> None:
    told = trace(failed())
    assert "Aki" not in told
    assert "books" not in told
    assert told.index("KeyError (") < told.index("; then ValueError (")
    assert f"{__file__}:" in told
    assert told.count(" in failed") == 2


def test_a_trace_tells_what_was_being_handled_unless_it_was_set_aside() -> None:
    def raised(*, aside: bool) -> None:
        try:
            _ = dict[str, str]()[SECRET]
        except KeyError:
            if aside:
                raise ValueError from None
            int(SECRET)

    for aside in (False, True):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - that it is one is all that matters
            raised(aside=aside)
        assert ("KeyError" in trace(caught.value)) is not aside


def test_a_trace_tells_the_parts_of_a_group() -> None:
    told = trace(ExceptionGroup(SECRET, [failed(), OSError(5, SECRET)]))
    assert "ValueError" in told
    assert "OSError" in told
    assert "Aki" not in told


def test_a_trace_ends_for_exceptions_in_a_circle_and_for_a_way_without_end() -> None:
    first, second = KeyError(), ValueError()
    first.__cause__, second.__cause__ = second, first
    assert trace(first).count("Error") == 2

    def circle() -> None:
        circle()

    with pytest.raises(RecursionError) as caught:
        circle()
    assert trace(caught.value).count(" in circle") <= MOST_FRAMES


def test_a_kind_may_be_called_by_whatever_name() -> None:
    assert "\n" not in trace(type("A\nB", (Exception,), {})())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/v1/sessions", "/v1/sessions"),
        ("Aki 亜紀", "Aki 亜紀"),
        ("a\nb", r"a\nb"),
        ("a\\nb", r"a\\nb"),
        ("\x1b[31m\x85\u2028\u202e\ufeff", r"\x1b[31m\x85\u2028\u202e\ufeff"),
        ("\udc80", r"\udc80"),
    ],
)
def test_text_is_escaped_where_it_would_not_be_seen_as_it_is(text: str, told: str) -> None:
    assert escaped(text) == told


def test_what_is_escaped_is_one_line_for_every_character() -> None:
    told = escaped("".join(map(chr, range(0x110000))))
    assert len(told.splitlines()) == 1
    assert not {unicodedata.category(letter) for letter in told} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    told.encode()
