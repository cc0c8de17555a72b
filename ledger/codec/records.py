"""From a record's type hints to how it is read and written.

`plan_for` reads a type once and gives closures: none of the looking up is left when a row is read. The hints are those
that HTTP is validated by, and so are the bounds (`Between`, `Kind`), so both refuse the same.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from ledger import session
from ledger.budget import breathe
from ledger.cards import Card
from ledger.codec.values import (
    CARD,
    At,
    AtMost,
    Plan,
    Texts,
    as_it_is,
    card_or,
    exactly,
    identifier,
    matching,
    one_of,
    whole,
    words,
    wrong,
)
from ledger.games import GAMES
from ledger.play import Between, Event, Kind, Matching, RuleBook, event_type
from ledger.records import fields_of, is_record
from ledger.sentences import MOST_FAULTS, Fault, Malformed, escaped, say

MOST_IN_A_LIST = 100
MOST_IN_AN_OBJECT = 10_000
"""How many members an object may have whose names are free: the texts of a row, the balances of a session."""

PAIR = 2


class Member(NamedTuple):
    """A field of a record: what it is called there and on the wire, how it is read and written.

    `default` makes the value of one that is not there, or is None where it has to be.
    """

    name: str
    wire: str
    plan: Plan
    default: Callable[[], Any] | None


def members_of(record: type[Any], *, partial: bool = False) -> tuple[Member, ...]:
    """Give the fields of a record, or with `partial` of some of one."""
    return tuple(
        Member(field.attribute, field.name, plan_for(field.hint, partial=partial), field.default)
        for field in fields_of(record)
    )


_MADE: dict[tuple[type[Any], bool], Plan] = {}


def record_plan(record: type[Any], *, partial: bool = False) -> Plan:
    """Read and write a record. With `partial`, only some of it, which stays a plain mapping."""
    made = _MADE.get((record, partial))
    if made is None:
        members = members_of(record, partial=partial)
        made = _MADE[record, partial] = Plan(reader(record, members, partial=partial), writer(members))
    return made


def reader(record: type[Any], members: tuple[Member, ...], *, partial: bool) -> Callable[[Any, At], Any]:
    """Make the reader of a record.

    It is made for rows in which all is right. Whatever is not, it leaves to `faults_in`, which looks at each field.
    """
    slots = [(m.wire, m.name, m.plan.read, m.default is None and not partial) for m in members]
    make: Callable[..., Any] = dict if partial else record

    def read_record(body: Any, at: At) -> Any:
        if type(body) is not dict:
            raise wrong(say("an object is needed"))
        values, left = dict[str, Any](), len(body)
        try:
            for wire, name, read, required in slots:
                if wire in body:
                    values[name] = read(body[wire], at)
                    left -= 1
                elif required:
                    left = -1
                    break
        except Malformed:
            left = -1
        if left:
            raise Malformed(*islice(faults_in(body, at, members, partial=partial), MOST_FAULTS))
        return make(**values)

    return read_record


def faults_in(body: Mapping[str, Any], at: At, members: tuple[Member, ...], *, partial: bool) -> Iterator[Fault]:
    """Say all that is wrong with the fields of a record."""
    known = {member.wire: member.plan.read for member in members}
    for name, value in body.items():
        if name not in known:
            yield Fault(f"/{escaped(name)}", say("there is no such field here"))
            continue
        try:
            known[name](value, at)
        except Malformed as error:
            yield from error.within(name).faults
    for member in members:
        if member.default is None and not partial and member.wire not in body:
            yield Fault(f"/{member.wire}", say("this field is needed"))


def writer(members: tuple[Member, ...]) -> Callable[[Any, str, Texts | None], dict[str, Any]]:
    """Make the writer of a record; what is None is left out."""
    written = [(m.name, m.wire, None if m.plan.write is as_it_is else m.plan.write) for m in members]

    def write_record(record: Any, place: str, texts: Texts | None) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for name, wire, write in written:
            value = getattr(record, name)
            if value is not None:
                told[wire] = write(value, f"{place}/{wire}" if place else wire, texts) if write else value
        return told

    return write_record


# --- events ---------------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What can be reported under a rule book: how every event is read, and where: in the log, or as it is reported.

    `read` has events that have been read from the log, by type and body.
    """

    book: RuleBook[Any]
    events: Mapping[str, Plan]
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
        events = by_type((*session.EVENTS, *book.between, *book.events))
        known = _KNOWN[id(book)] = Known(book, events, At(book, DEEPEST - 1, in_log=True), At(book, DEEPEST), {})
    return known


def on_the_shelf() -> Mapping[str, Plan]:
    """Give how every event of every game is read. What is not of this game can be reported, to be refused by name."""
    books = [book for versions in GAMES.values() for book in versions.values()]
    return {name: plan for book in books for name, plan in known_under(book).events.items()}


def by_type(kinds: Iterable[type[Event]]) -> Mapping[str, Plan]:
    """Give how some events are read, by their names on the wire."""
    return {event_type(kind): record_plan(kind) for kind in kinds}


def read_as(known: Mapping[str, Plan], kind: object, body: Any, at: At) -> Event:
    """Read an event of a kind, which has to be one of those known."""
    if not isinstance(kind, str) or kind not in known:
        needed = say("one of these is needed: {words}", words=", ".join(known))
        raise Malformed(Fault("/type", needed))
    event: Event = known[kind].read(body, at)
    return event


def event_plan(kinds: tuple[type[Event], ...] = ()) -> Plan:
    """Read and write events that lie in something larger, told apart by `type`: any of the game, or one of a few."""
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
            known = on_the_shelf()
        return read_as(known, kind, rest, at if few else At(at.book, at.deeper - 1, at.in_log))

    return Plan(read_event, write_event_in)


def write_event_in(event: Event, place: str, texts: Texts | None) -> dict[str, Any]:
    """Write an event, `type` first."""
    return {"type": event.type, **record_plan(type(event)).write(event, place, texts)}


# --- from hints -----------------------------------------------------------------------------------------------------


def plan_for(hint: Any, *, partial: bool = False) -> Plan:
    """Give the plan for a type. Raises TypeError for a type that it does not know."""
    parts, origin = get_args(hint), get_origin(hint)
    if origin is Annotated:
        return _annotated(parts[0], parts[1])
    if origin in (Union, types.UnionType):
        return _union(parts, partial=partial)
    if origin is Literal:
        return one_of(parts)
    if origin is tuple:
        return _several(parts)
    if origin is not None and issubclass(origin, Mapping):
        return SWITCHES if parts[1] is Any else _by_name(plan_for(parts[1]))
    if hint in PLAIN:
        return PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Event):
        return event_plan() if hint is Event else event_plan((hint,))
    if is_record(hint):
        return record_plan(hint, partial=partial)
    raise TypeError(f"no plan for {hint}")


PLAIN: Mapping[Any, Plan] = {
    Card: CARD,
    str: exactly(str, say("a text is needed")),
    bool: exactly(bool, say("true or false is needed")),
    int: exactly(int, say("a whole number is needed")),
}


def _annotated(hint: Any, note: Any) -> Plan:
    match note:
        case Plan():
            return note
        case AtMost(most):
            return _several(get_args(hint), most)
        case Between(least, most):
            return whole(least, most)
        case Matching(pattern, needed):
            return matching(pattern, needed)
        case Kind("name" | "words" as name, most):
            return words(most, one_line=name == "name")
        case Kind(_, most):
            return identifier(most)
    raise TypeError(f"no plan for {note}")


def _union(parts: tuple[Any, ...], *, partial: bool) -> Plan:
    some = tuple(part for part in parts if part is not types.NoneType)
    if len(some) == 1:
        plan = plan_for(some[0], partial=partial)
    elif Card in some:
        plan = card_or(tuple(word for part in some if get_origin(part) is Literal for word in get_args(part)))
    else:
        plan = event_plan(some)
    if len(some) == len(parts):
        return plan
    read, write = plan
    return Plan(
        lambda value, at: None if value is None else read(value, at),
        as_it_is
        if write is as_it_is
        else lambda value, place, texts: None if value is None else write(value, place, texts),
    )


def _several(parts: tuple[Any, ...], most: int = MOST_IN_A_LIST) -> Plan:
    """Read a list: of so many elements, or of at most so many, which are counted before any is looked at.

    Outside the log, a list of pairs (player and amount) may be written as an object as well: `{"p1": 30}`.
    """
    read, write = plan_for(parts[0])
    of_records = is_record(parts[0]) and parts[0] not in PLAIN
    members = members_of(parts[0]) if of_records else ()
    pair = [member.wire for member in members if member.default is None]
    exact = None if parts[-1] is Ellipsis else len(parts)

    def read_pairs(value: Mapping[str, Any], at: At) -> tuple[Any, ...]:
        count(len(value))
        pairs = [dict(zip(pair, each, strict=True)) for each in value.items()]
        try:
            return read_several(pairs, at)
        except Malformed as error:
            raise Malformed(*sent_as(value, error.faults)) from None

    def count(found: int) -> None:
        if exact is not None and found != exact:
            raise wrong(say("a list of exactly {count} is needed", count=exact))
        if found > most:
            raise wrong(say("a list of at most {most} is needed", most=most))

    def read_several(value: Any, at: At) -> tuple[Any, ...]:
        if type(value) is dict and len(pair) == len(members) == PAIR and not at.in_log:
            return read_pairs(value, at)
        if type(value) is not list:
            raise wrong(say("a list is needed"))
        count(len(value))
        found, faults = [], list[Fault]()
        for place, each in enumerate(value):
            breathe()
            try:
                found.append(read(each, at))
            except Malformed as error:
                faults += error.within(place).faults
                if len(faults) >= MOST_FAULTS:
                    break
        if faults:
            raise Malformed(*faults)
        return tuple(found)

    def write_several(value: tuple[Any, ...], place: str, texts: Texts | None) -> list[Any]:
        return [write(each, f"{place}/{n}", texts) for n, each in enumerate(value)]

    return Plan(read_several, write_several)


def sent_as(sent: Mapping[str, Any], faults: Iterable[Fault]) -> Iterator[Fault]:
    """Say by its name what is wrong in an object that was read as a list of pairs: `/1/amount` is `/p2`."""
    names = list(sent)
    for fault in faults:
        _, *place = fault.pointer.split("/")
        yield fault._replace(pointer=f"/{escaped(names[int(place[0])])}") if place else fault


def _by_name(plan: Plan) -> Plan:
    """Read an object whose names are free."""
    read, write = plan

    def read_all(value: Any, at: At) -> dict[str, Any]:
        if type(value) is not dict:
            raise wrong(say("an object is needed"))
        if len(value) > MOST_IN_AN_OBJECT:
            raise wrong(say("an object of at most {most} members is needed", most=MOST_IN_AN_OBJECT))
        found, faults = {}, list[Fault]()
        for name, each in value.items():
            breathe()
            try:
                found[name] = read(each, at)
            except Malformed as error:
                faults += error.within(name).faults
                if len(faults) >= MOST_FAULTS:
                    break
        if faults:
            raise Malformed(*faults)
        return found

    def write_all(value: Mapping[str, Any], place: str, texts: Texts | None) -> dict[str, Any]:
        return {name: write(each, f"{place}/{name}", texts) for name, each in value.items()}

    return Plan(read_all, write_all)


def _read_switches(value: Any, at: At) -> Any:
    """Read some switches of the house rules, which stay as they are: what is not named is not touched."""
    if at.book is None:
        raise TypeError("only a rule book knows what its switches are")
    return record_plan(at.book.rules, partial=True).read(value, at)


SWITCHES = Plan(_read_switches)
