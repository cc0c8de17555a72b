"""The log's own JSON, format 1: events and openings, with digests in the places of people's own words.

The words lie beside the body, by place: a path in it, such as `note`, `event/name`, `players/0`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, inspect

from ledger.codec.encoding import changed_rules, encoded, events_of, malformed, plain
from ledger.codec.hash_chain import SaltedText, salted
from ledger.games import GAMES
from ledger.i18n.sentences import Fault, Malformed, Sentence, say
from ledger.records import Member, element, members_of, memoized, replace
from ledger.rulebook.event import AnyEvent, Event
from ledger.rulebook.rule_book import RuleBook
from ledger.session.table import Opening

DIGEST_DIGITS = 64


class MisplacedText(Fault):
    """A text that is missing, or that stands where none belongs."""


class Written(NamedTuple):
    """What the log has of an event or opening: an event's type, the body as JSON text, and the texts apart from it."""

    type: str
    body: str
    texts: Mapping[str, SaltedText]


def rule_book(game: str, version: int) -> RuleBook[Any]:
    """Find the rule book that something was recorded under. Raises Malformed."""
    if version not in GAMES[game]:
        unknown = say("version {version} of the rules of {game} is not known here", version=version, game=game)
        raise Malformed(Fault("", unknown))
    return GAMES[game][version]


def write_record(record: Event | Opening) -> Written:
    """Write an event or an opening for the log; in place of people's own words stand their digests."""
    body, texts = plain(record), {place: salted(text) for place, text in texts_in(record).items()}
    for place, text in texts.items():
        within, step = holder(body, place)
        within[step] = text.digest
    return Written(body.pop("type", ""), encoded(body).decode(), texts)


# --- events ---------------------------------------------------------------------------------------------------------


def read_event(kind: str, body: str, texts: Mapping[str, SaltedText], book: RuleBook[Any]) -> Event:
    """Read an event of the log, under the rule book it was recorded under. Raises Malformed."""
    event = events_of(book).read(kind, placed(body, texts) if texts else body)
    need_all(event, texts)
    return event


def reported(kind: str, body: str, texts: Mapping[str, SaltedText]) -> dict[str, Any]:
    """Give the JSON that an event of the log was reported with, `type` first: the words are back in their places."""
    return {"type": kind, **placed(body, texts)}


# --- openings -------------------------------------------------------------------------------------------------------


def read_opening(body: str, texts: Mapping[str, SaltedText], version: int) -> Opening:
    """Read an opening of the log, under the rule book it was recorded under. Raises Malformed."""
    read = placed(body, texts)
    game = read.get("game")
    if not isinstance(game, str) or game not in GAMES:
        raise Malformed(Fault("/game", say("one of these is needed: {words}", words=", ".join(GAMES))))
    book = rule_book(game, version)
    try:
        opening = msgspec.convert(read, Opening)
    except msgspec.ValidationError as error:
        raise malformed(error) from None
    opening = replace(opening, rules=changed_rules(book, opening.rules))
    need_all(opening, texts)
    need_fitting(opening, book)
    return opening


def need_fitting(opening: Opening, book: RuleBook[Any], *, asks: bool = True) -> None:
    """Make sure that a deck is the game's, the dealer sits there, and as many sit down as the game takes.

    Fewer are enough if the table says why, which is asked for unless it has no place. Raises Malformed.
    """
    count = len(opening.players)
    too_few = book.fewest <= count < book.seats.start
    if count not in book.seats and not (too_few and opening.overrule is not None):
        facts = {"game": book.title, "least": book.seats.start, "most": book.seats.stop - 1, "count": count}
        takes = say("{game:sentence} takes {least} to {most} players; here are {count}", **facts)
        reason = Fault("/overrule", say("if so few play all the same, the reason is needed"))
        raise Malformed(Fault("/players", takes), *([reason] if too_few and asks else []))
    if opening.deck not in book.decks:
        decks = ", ".join(book.decks)
        needed = say("{game:sentence} is played with one of these: {decks}", game=book.title, decks=decks)
        raise Malformed(Fault("/deck", needed))
    if not 1 <= opening.dealer <= count:
        raise Malformed(Fault("/dealer", seat_needed(count)))


def seat_needed(seats: int) -> Sentence:
    """Say how the dealer is named at a table of so many seats."""
    return say("a seat from 1 to {seats} or a player from p1 to p{last} is needed", seats=seats, last=seats)


# --- texts ----------------------------------------------------------------------------------------------------------


def texts_in(record: Struct) -> dict[str, str]:
    """Find people's own words in a record, by place."""
    if not any(_getter(type(record))(record)):
        return {}  # as in most rows: 5 % of the time of a page of the log
    return {place[1:]: text for place, text in _texts(record, "")}


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield place, value
        case tuple():
            for n, each in enumerate(value):
                yield from _texts(each, f"{place}/{n}")
        case Struct():
            for attribute, name in places_of(type(value)):
                yield from _texts(getattr(value, attribute), f"{place}/{name}")


@memoized
def places_of(record: type[Any]) -> tuple[tuple[str, str], ...]:
    """Name the members of a record that may hold people's own words, each with its name in JSON."""
    return tuple((member.attribute, member.name) for member in members_of(record) if _may_hold_texts(member))


@memoized
def _getter(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """Give a getter of the members that may hold people's own words: two at least, in every event and opening."""
    return attrgetter(*(attribute for attribute, _ in places_of(kind)))


def _may_hold_texts(member: Member) -> bool:
    match member.type:
        case inspect.StrType():
            return member.extra.get("kind") in ("name", "words")
        case inspect.VarTupleType(item):
            return _may_hold_texts(element(item))
        case inspect.UnionType(types):
            return any(_may_hold_texts(element(each)) for each in types)
        case inspect.StructType(record):
            return bool(places_of(record))
        case inspect.CustomType(kind):
            return kind is AnyEvent
    return False


def placed(body: str, texts: Mapping[str, SaltedText]) -> dict[str, Any]:
    """Read a body, and put texts into their places, where digests stand. Raises Malformed."""
    try:
        read = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Malformed(Fault("", say("it is not JSON that can be read"))) from None
    if type(read) is not dict:
        raise Malformed(Fault("", say("an object is needed")))
    for place, text in texts.items():
        try:
            within, step = holder(read, place)
            digest, within[step] = within[step], text.text
        except (LookupError, TypeError, ValueError):
            digest = None
        if not isinstance(digest, str) or len(digest) != DIGEST_DIGITS:
            raise Malformed(MisplacedText(f"/{place}", say("no text belongs there")))
    return read


def need_all(record: Struct, texts: Mapping[str, Any]) -> None:
    """Make sure that the texts of a record that was read are those that lay beside it. Raises Malformed."""
    places = texts_in(record).keys()
    if places != texts.keys():
        faults = [MisplacedText(f"/{place}", say("the text is missing")) for place in sorted(places - texts.keys())]
        faults += [MisplacedText(f"/{place}", say("no text belongs there")) for place in sorted(texts.keys() - places)]
        raise Malformed(*faults)


def holder(body: Any, place: str) -> tuple[Any, Any]:
    """Find the part of a body that a place is in, and its key or index there. Raises LookupError, TypeError."""
    *path, last = place.split("/")
    for step in path:
        body = body[_key(body, step)]
    return body, _key(body, last)


def _key(body: Any, step: str) -> int | str:
    if not isinstance(body, list):
        return step
    if step not in map(str, range(len(body))):
        raise LookupError(step)
    return int(step)


def digest_at(body: str, place: str) -> object:
    """Give what stands in a body, which can be read, where a text belongs that is there."""
    within, last = holder(msgspec.json.decode(body), place)
    return within[last]
