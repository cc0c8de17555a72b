"""The log's own JSON, format 1: events and openings, with digests in the places of people's own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from ledger.codec.encoding import ENCODER, changed_rules, events_of, malformed, members
from ledger.codec.texts import holder, need_all, put_in_place, without_texts
from ledger.games import GAMES
from ledger.hash_chain import SaltedText
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.records import replace
from ledger.sentences import Fault, Malformed, Sentence, say
from ledger.session.table import Opening


class Written(NamedTuple):
    """What the log has of an event or opening: its type or game, its body as JSON text, and the texts apart from it."""

    type: str
    body: str
    texts: Mapping[str, SaltedText]


def rule_book(game: str, version: int) -> RuleBook[Any]:
    """Find the rule book that something was recorded under. Raises Malformed."""
    if version not in GAMES[game]:
        unknown = say("version {version} of the rules of {game} is not known here", version=version, game=game)
        raise Malformed(Fault("", unknown))
    return GAMES[game][version]


# --- events ---------------------------------------------------------------------------------------------------------


def read_event(kind: str, body: str, texts: Mapping[str, SaltedText], book: RuleBook[Any]) -> Event:
    """Read an event of the log, under the rule book it was recorded under. Raises Malformed."""
    known = events_of(book)
    event = known.converted(kind, placed(body, texts)) if texts else known.decoded(kind, body)
    need_all(event, texts)
    return event


def write_event(event: Event) -> Written:
    """Write an event for the log; in place of people's own words stand their digests."""
    body, texts = without_texts(event)
    return Written(body.pop("type"), ENCODER.encode(body).decode(), texts)


def reported(kind: str, body: str, texts: Mapping[str, SaltedText]) -> dict[str, Any]:
    """Give the JSON that an event of the log was reported with, `type` first: the words are back in their places."""
    return {"type": kind, **placed(body, texts)}


# --- openings -------------------------------------------------------------------------------------------------------


def read_opening(body: str, texts: Mapping[str, SaltedText], version: int) -> Opening:
    """Read an opening of the log, under the rule book it was recorded under. Raises Malformed."""
    read = placed(body, texts)
    game = read.get("game")
    if not isinstance(game, str) or game not in GAMES:
        needed = say("one of these is needed: {words}", words=", ".join(GAMES))
        raise Malformed(Fault("/game", needed))
    book = rule_book(game, version)
    try:
        opening = msgspec.convert(read, Opening)
    except msgspec.ValidationError as error:
        raise malformed(error) from None
    opening = replace(opening, rules=changed_rules(book, opening.rules))
    need_all(opening, texts)
    need_fitting(opening, book)
    return opening


def write_opening(opening: Opening) -> Written:
    """Write an opening for the log; in place of people's words stand their digests."""
    body, texts = without_texts(opening)
    return Written(opening.game, ENCODER.encode(body).decode(), texts)


def opening_to(opening: Opening) -> dict[str, Any]:
    """Give the JSON that asks for an opening."""
    return members(opening)


def need_fitting(opening: Opening, book: RuleBook[Any], *, asks: bool = True) -> None:
    """Make sure that a deck is the game's, the dealer sits there, and as many sit down as the game takes.

    Fewer are enough if the table says why, which is asked for unless it has no place. Raises Malformed.
    """
    count, faults = len(opening.players), list[Fault]()
    too_few = book.fewest <= count < book.seats.start
    if count not in book.seats and not (too_few and opening.overrule is not None):
        least, most = book.seats.start, book.seats.stop - 1
        takes = say(
            "{game:sentence} takes {least} to {most} players; here are {count}",
            game=book.title,
            least=least,
            most=most,
            count=count,
        )
        faults.append(Fault("/players", takes))
        if too_few and asks:
            faults.append(Fault("/overrule", say("if so few play all the same, the reason is needed")))
    elif opening.deck not in book.decks:
        decks = ", ".join(book.decks)
        needed = say("{game:sentence} is played with one of these: {decks}", game=book.title, decks=decks)
        faults.append(Fault("/deck", needed))
    elif not 1 <= opening.dealer <= count:
        faults.append(Fault("/dealer", seat_needed(count)))
    if faults:
        raise Malformed(*faults)


def seat_needed(seats: int) -> Sentence:
    """Say how the dealer is named at a table of so many seats."""
    return say("a seat from 1 to {seats} or a player from p1 to p{last} is needed", seats=seats, last=seats)


# --- texts ----------------------------------------------------------------------------------------------------------


def parsed(body: str) -> Any:
    """Read JSON text of our own writing. Raises Malformed."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Malformed(Fault("", say("it is not JSON that can be read"))) from None


def placed(body: str, texts: Mapping[str, SaltedText]) -> dict[str, Any]:
    """Read a body, and put texts into their places. Raises Malformed."""
    read = parsed(body)
    if type(read) is not dict:
        raise Malformed(Fault("", say("an object is needed")))
    put_in_place(read, {place: text.text for place, text in texts.items()})
    return read


def digest_at(body: str, place: str) -> object:
    """Give what stands in a body where a text belongs that is there."""
    within, last = holder(parsed(body), place)
    return within[last]
