"""From JSON to records: the reader of the log, of files, and of reports below HTTP.

`reader` makes of a type a function `(value, at)` that gives the value or raises `Malformed` with every fault and its
place. It is made once a record; nothing is looked up any more when a row of the log is read. The checks of single
values (`values`) are those of HTTP, so both refuse the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from ledger.codec.description import (
    Anything,
    ByName,
    CardCode,
    Checked,
    Group,
    Kinds,
    Member,
    Nullable,
    Plain,
    Several,
    Switches,
    Type,
    Words,
    members_of,
)
from ledger.codec.values import (
    NEEDED,
    At,
    Read,
    at_most,
    card_or,
    exactly,
    identifier,
    matching,
    one_of,
    read_day,
    whole,
    words,
    wrong,
)
from ledger.cooperation import yielding
from ledger.games import GAMES, from_shelf
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.play.values import Between, CalendarDay, Kind, Matching
from ledger.records import memoized
from ledger.sentences import MAX_FAULTS, Fault, Malformed, escaped, say
from ledger.session.events import EVENTS

MAX_IN_AN_OBJECT = 10_000
"""How many members an object may have whose names are free: the texts of a row, the balances of a session."""


def reader(type_: Type, *, partial: bool = False) -> Read:
    """Give the reader of a type; of a record, perhaps a partial one. Raises TypeError for a type that is not read."""
    match type_:
        case Group(record):
            return record_reader(record, partial=partial)
        case Kinds(_, few):
            return event_reader(few)
        case Several(item, exact, most):
            return _list_reader(item, exact, most)
        case ByName(_, item):
            return _object_reader(reader(item))
        case Switches():
            return _read_switches
        case Nullable(inner):
            read = reader(inner)
            return lambda value, at: None if value is None else read(value, at)
    return value_reader(type_)


def value_reader(type_: Type) -> Read:
    """Give the reader of a type that has no parts. Raises TypeError for any other."""
    match type_:
        case Between(least, most):
            return whole(least, most)
        case Matching(pattern, needed):
            return matching(pattern, needed)
        case Kind("name" | "words" as name, most):
            return words(most, one_line=name == "name")
        case Kind(_, most):
            return identifier(most)
        case Plain(kind):
            return exactly(kind)
        case Words(known):
            return one_of(known)
        case CardCode(known):
            return card_or(known)
        case CalendarDay():
            return read_day
        case Checked(read):
            return lambda value, _at: read(value)
        case Anything():
            return lambda value, _at: value
    raise TypeError(f"{type_} is not read")


def _read_unknown(_value: Any, _at: At) -> None:
    raise wrong(say("there is no such field here"))


UNKNOWN = ("", _read_unknown)
"""How a field is read that a record does not have."""


# --- records --------------------------------------------------------------------------------------------------------


@memoized
def record_reader(record: type[Any], *, partial: bool = False) -> Read:
    """Give the reader of a record. With `partial`, any of its fields, which stay a plain mapping.

    It is made for rows in which all is right. Whatever is not, it leaves to `_faults_in`, which looks at each field.
    """
    members = members_of(record)
    reads = {m.name: (m.field.attribute, reader(m.type, partial=partial)) for m in members}
    required = {m.name for m in members if m.field.required and not partial}
    order = [attribute for attribute, _ in reads.values()]

    def read_record(body: Any, at: At) -> Any:
        if type(body) is not dict:
            raise wrong(NEEDED[dict])
        values = dict[str, Any]()
        try:
            for name, value in body.items():
                attribute, read = reads.get(name, UNKNOWN)
                values[attribute] = read(value, at)
            is_right = required <= body.keys()
        except Malformed:
            is_right = False
        if not is_right:
            raise Malformed(*islice(_faults_in(body, at, reads, required), MAX_FAULTS))
        return (
            {attribute: values[attribute] for attribute in order if attribute in values}
            if partial
            else record(**values)
        )

    return read_record


def _faults_in(
    body: Mapping[str, Any], at: At, reads: Mapping[str, tuple[str, Read]], required: Iterable[str]
) -> Iterator[Fault]:
    """Say all that is wrong with the fields of a record."""
    for name, value in body.items():
        _, read = reads.get(name, UNKNOWN)
        try:
            read(value, at)
        except Malformed as error:
            yield from error.within(name).faults
    for name in reads:
        if name in required and name not in body:
            yield Fault(f"/{name}", say("this field is needed"))


def _read_switches(value: Any, at: At) -> Any:
    """Read some switches of the house rules, which stay as they are: what is not named is not touched."""
    if at.book is None:
        raise TypeError("only a rule book knows what its switches are")
    return record_reader(at.book.rules, partial=True)(value, at)


# --- lists and objects ----------------------------------------------------------------------------------------------


def pair_of(item: Type) -> tuple[Member, Member] | None:
    """Give the two members of the elements of a list, if each is something (required) of a player: such a list may
    also be written as an object (`{"p1": 30}`).
    """
    if not isinstance(item, Group):
        return None
    match members_of(item.record):
        case (Member(type=Kind("player") | Nullable(Kind("player"))) as first, second, *more):
            return None if not second.field.required or any(each.field.required for each in more) else (first, second)
    return None


def _list_reader(item: Type, exact: int | None, most: int) -> Read:
    """Read a list; its elements are counted before any is looked at."""
    read, pair = reader(item), pair_of(item)

    def count(found: int) -> None:
        if exact is not None and found != exact:
            raise wrong(say("a list of exactly {count} is needed", count=exact))
        if found > most:
            raise wrong(at_most(most))

    def read_pairs(value: Mapping[str, Any], at: At, first: str, second: str) -> tuple[Any, ...]:
        count(len(value))
        try:
            return read_list([{first: name, second: each} for name, each in value.items()], at)
        except Malformed as error:
            raise Malformed(*_by_their_names(value, error.faults)) from None

    def read_list(value: Any, at: At) -> tuple[Any, ...]:
        if pair and type(value) is dict and not at.in_log:
            return read_pairs(value, at, pair[0].name, pair[1].name)
        if type(value) is not list:
            raise wrong(NEEDED[list])
        count(len(value))
        return tuple(_each(enumerate(value), read, at).values())

    return read_list


def _by_their_names(sent: Mapping[str, Any], faults: Iterable[Fault]) -> Iterator[Fault]:
    """Say by its name what is wrong in an object that was read as a list of pairs: `/1/amount` is `/p2`."""
    names = list(sent)
    for fault in faults:
        _, *place = fault.pointer.split("/")
        yield fault._replace(pointer=f"/{escaped(names[int(place[0])])}") if place else fault


def _object_reader(read: Read) -> Read:
    """Read an object whose names are free."""

    def read_object(value: Any, at: At) -> dict[str, Any]:
        if type(value) is not dict:
            raise wrong(NEEDED[dict])
        if len(value) > MAX_IN_AN_OBJECT:
            raise wrong(say("an object of at most {most} members is needed", most=MAX_IN_AN_OBJECT))
        return _each(value.items(), read, at)

    return read_object


def _each(values: Iterable[tuple[Any, Any]], read: Read, at: At) -> dict[Any, Any]:
    """Read each value at its place. Raises Malformed with the faults of all, up to a limit."""
    found, faults = {}, list[Fault]()
    for place, value in yielding(values):
        try:
            found[place] = read(value, at)
        except Malformed as error:
            faults += error.within(place).faults
            if len(faults) >= MAX_FAULTS:
                break
    if faults:
        raise Malformed(*faults)
    return found


# --- events ---------------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What can be reported under a rule book: how every event is read, and where: in the log, or as it is reported.

    `read` has events that have been read from the log, by type and body.
    """

    book: RuleBook[Any]
    events: Mapping[str, Read]
    in_log: At
    reported: At
    read: dict[tuple[str, str], Event]


DEEPEST = 3
"""How many events may lie in one another. More than a correction and its event is refused later, by name."""

_KNOWN: dict[int, Known] = {}


def known_under(book: RuleBook[Any]) -> Known:
    """Give what can be reported under a rule book. It is worked out when it is first asked for."""
    known = _KNOWN.get(id(book))
    if known is None:
        events = by_type((*EVENTS, *book.between, *book.events))
        known = _KNOWN[id(book)] = Known(book, events, At(book, DEEPEST - 1, in_log=True), At(book, DEEPEST), {})
    return known


def by_type(kinds: Iterable[type[Event]]) -> Mapping[str, Read]:
    """Give how some events are read, by their names on the wire."""
    return {kind.type: record_reader(kind) for kind in kinds}


def read_as(known: Mapping[str, Read], kind: object, body: Any, at: At) -> Event:
    """Read an event of a kind, which has to be one of those known."""
    if not isinstance(kind, str) or kind not in known:
        needed = say("one of these is needed: {words}", words=", ".join(known))
        raise Malformed(Fault("/type", needed))
    event: Event = known[kind](body, at)
    return event


@from_shelf
def registered_events() -> Mapping[str, Read]:
    """Give how the events of every game are read: one of another game can be reported, to be refused by name."""
    books = [book for versions in GAMES.values() for book in versions.values()]
    return {name: read for book in books for name, read in known_under(book).events.items()}


def event_reader(kinds: tuple[type[Event], ...] = ()) -> Read:
    """Read events that lie in something larger, told apart by `type`: any of the game, or one of a few."""
    few = by_type(kinds)

    def read_event(body: Any, at: At) -> Event:
        if type(body) is not dict:
            raise wrong(say("an event is an object with a `type`"))
        if at.deeper == 0 and not few:
            raise wrong(say("events do not lie this deep in one another"))
        if at.book is None:
            raise TypeError("only a rule book knows what its events are")
        rest = dict(body)
        kind, known = rest.pop("type", None), few or known_under(at.book).events
        if not (isinstance(kind, str) and kind in known) and not few and not at.in_log:
            known = registered_events()
        return read_as(known, kind, rest, at if few else At(at.book, at.deeper - 1, at.in_log))

    return read_event
