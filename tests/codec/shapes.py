"""Reports as JSON for Hypothesis: right ones, made from the hints of the records, and the same with something wrong.

The codec is not asked how anything is written: what is drawn here is what the documentation says.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import date
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st

from ledger.cards import DECKS, Card
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.play.values import Between, CalendarDay, Kind, Matching
from ledger.records import fields_of, is_record
from ledger.session.corrections import Correction
from ledger.session.events import EVENTS, ChipValue
from tests.scorekeeper import Json

CODES = sorted({card.code for deck in DECKS.values() for card in deck})
WRITING = st.characters(
    exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\u202a\u202b\u202c\u202d\u202e"
)


def words(most: int) -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from(["Aki", "千恵", "x" * most, "#4 bid first; then “tea”", "="]),
        st.text(WRITING, min_size=1, max_size=most),
    ).filter(str.strip)


def kinds_of(book: RuleBook[Any]) -> Mapping[str, type[Event]]:
    """Every event that can be reported under a rule book."""
    return {kind.type: kind for kind in (*EVENTS, *book.between, *book.events)}


def reports(book: RuleBook[Any], kind: type[Event], depth: int = 1) -> st.SearchStrategy[Json]:
    """Events of one kind, right in every field."""
    return record(book, kind, depth).map(lambda told: {"type": kind.type, **told})


def record(book: RuleBook[Any], kind: type[Any], depth: int, *, partial: bool = False) -> st.SearchStrategy[Json]:
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for field in fields_of(kind):
        must = field.required and not partial
        (required if must else optional)[field.name] = values(book, field.hint, depth, partial=partial)
    return st.fixed_dictionaries(required, optional=optional)


def values(book: RuleBook[Any], hint: Any, depth: int, *, partial: bool = False) -> st.SearchStrategy[Any]:
    """What a field may hold, as JSON."""
    parts, origin = get_args(hint), get_origin(hint)
    if origin is Annotated:
        return noted(parts[1])
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, types.UnionType):
        some = [part for part in parts if part is not types.NoneType]
        if all(isinstance(part, type) and issubclass(part, Event) for part in some):
            return st.one_of(*(reports(book, part, depth) for part in some))
        return st.one_of(*(values(book, part, depth) for part in some))
    if origin is tuple:
        least, most = (0, 4) if parts[-1] is Ellipsis else (len(parts), len(parts))
        null = st.none() if types.NoneType in get_args(parts[0]) else st.nothing()
        return st.lists(null | values(book, parts[0], depth), min_size=least, max_size=most)
    if origin is not None and issubclass(origin, Mapping):
        return record(book, book.rules, depth, partial=True)
    if hint is Event:
        kinds = [kind for kind in kinds_of(book).values() if depth or kind not in get_args(Correction)]
        return st.sampled_from(kinds).flatmap(lambda kind: reports(book, kind, depth - 1))
    if hint is Card:
        return st.sampled_from(CODES)
    if hint is bool:
        return st.booleans()
    if is_record(hint):
        return record(book, hint, depth, partial=partial)
    raise TypeError(hint)


def noted(note: Any) -> st.SearchStrategy[Any]:
    match note:
        case Between(least, most):
            return st.one_of(st.sampled_from([least, most]), st.integers(least, most))
        case Kind("name" | "words", most):
            return words(most)
        case Kind(_, most):
            return st.sampled_from(["p1", "p12", "bank", "y" * most, "anybody"])
        case CalendarDay():
            return st.dates(date(1900, 1, 1), date(9998, 12, 31)).map(str)
        case Matching(pattern):
            return st.from_regex(pattern, fullmatch=True).filter(str.isascii)
    raise TypeError(note)


def openings(book: RuleBook[Any]) -> st.SearchStrategy[Json]:
    """Requests to open a session, with everything said."""
    value = st.none() | record(book, ChipValue, 0)
    return st.integers(book.seats.start, book.seats.stop - 1).flatmap(
        lambda count: st.fixed_dictionaries(
            {
                "game": st.just(book.name),
                "deck": st.sampled_from(book.decks),
                "players": st.lists(words(100), min_size=count, max_size=count),
                "rules": record(book, book.rules, 0, partial=True),
                "dealer": st.integers(1, count),
            },
            optional={
                "name": st.none() | words(100),
                "chip_value": value,
                "odds": st.none() | st.booleans(),
                "overrule": st.none() | words(500),
                "played_on": st.none() | noted(CalendarDay()),
            },
        )
    )


# --- what is wrong --------------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 4, 5, 7, 101, 10**9, 10**9 + 1, 2**53 - 1, 2**53, -(10**9) - 1, 1.0, 0.5, 1e300),
    *("", " ", "\u3000", "\0", "a\0b", "p1", "1", "١", "yes", "no", "true", "plain", "cups-11", "QH", "q♥", "cups-13"),
    *(
        "x" * 100,
        "x" * 101,
        "x" * 500,
        "x" * 501,
        "JPY",
        "jpy",
        "JPY\n",
        "0.50",
        "0",
        "1.",
        "10",
        "western",
        "shippin",
        "turn_played",
    ),
    *([], [None], ["p1"], [1, 2, 3, 4], ["1", "2", "3", "4"], ["4"] * 100, ["4"] * 101, ["Aki"] * 4, [[]]),
    *({}, {"p1": 30}, {"p1": "4"}, {"player": "p1"}, {"player": "p1", "amount": 5}, {"type": "round_opened"}),
    *(
        {"type": "cards_eaten"},
        {"type": None},
        {"bet": 5},
        {"payments": {"maid": -1}},
        {"payments": 5},
        {"name": "Aki"},
    ),
)


def places(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in some JSON."""
    if path:
        yield path
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for step, value in inner:
        yield from places(value, (*path, step))


@st.composite
def altered(draw: st.DrawFn, told: Json) -> Json:
    """The same with something else in one place, one thing too many, or one missing; now and then still right."""
    told = deepcopy(told)
    *way, last = draw(st.sampled_from([*places(told), ("surplus",)]))
    within: Any = told
    for step in way:
        within = within[step]
    how = draw(st.sampled_from(["other", "other", "other", "gone", "more"]))
    if how == "gone" and last != "surplus":
        del within[last]
    elif how == "more" and isinstance(within, dict):
        within[draw(st.sampled_from(["surplus", "event", "seq", "note", "type", "a/b~c"]))] = draw(st.sampled_from(ODD))
    else:
        odd = draw(st.sampled_from(ODD))
        if isinstance(within, dict):
            within[last] = odd
        else:
            within[last:] = [odd]
    return told
