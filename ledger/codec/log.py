"""The log's own JSON, format 1: events and openings, and the texts that lie apart from them.

A body is JSON text. Where somebody's own words stand in what was reported (a name, a note, a reason), there stands
their digest, and the words themselves lie beside the body, by their place: `note`, `event/name`, `players/0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Protocol

from ledger.codec.description import Anything
from ledger.codec.json_text import NotJSON, parse_json
from ledger.codec.reader import event_reader, known_under, read_as, record_reader
from ledger.codec.values import At, MisplacedText, as_whole, wrong
from ledger.codec.writer import ENCODER, plain, without_texts
from ledger.games import GAMES, newest
from ledger.hash_chain import SaltedText
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.play.values import Day, Words
from ledger.records import Record
from ledger.sentences import Fault, Malformed, say
from ledger.session.events import ChipValue, PersonName
from ledger.session.rounds import changed
from ledger.session.table import Opening

ANY_EVENT = event_reader()
DIGEST_DIGITS = 64

MAX_KEPT, LONGEST_KEPT = 4096, 100
"""How many short bodies are not read again: a table says the same few things all evening. None has anybody's words."""


class Written(NamedTuple):
    """What the log has of an event or opening: its type or game, its body as JSON text, and the texts apart from it."""

    type: str
    body: str
    texts: Mapping[str, SaltedText]


class Row(Protocol):
    """A row of the log, as far as its event is in it. `words` are its texts."""

    @property
    def type(self) -> str:
        """What the event is called on the wire."""

    @property
    def version(self) -> int:
        """That of the rule book in use when it was recorded."""

    @property
    def body(self) -> str:
        """The event as JSON text."""

    @property
    def words(self) -> Mapping[str, SaltedText]:
        """Its texts, by place."""


def rule_book(game: str, version: int) -> RuleBook[Any]:
    """Find the rule book that something was recorded under. Raises Malformed."""
    if version not in GAMES[game]:
        raise wrong(say("version {version} of the rules of {game} is not known here", version=version, game=game))
    return GAMES[game][version]


# --- events ---------------------------------------------------------------------------------------------------------


def read_event(kind: str, body: str, texts: Mapping[str, SaltedText], book: RuleBook[Any]) -> Event:
    """Read an event of the log, under the rule book it was recorded under. Raises Malformed."""
    known = known_under(book)
    if texts:
        return read_as(known.events, kind, placed(body, texts), known.in_log)
    if (event := known.read.get((kind, body))) is None:
        event = read_as(known.events, kind, parsed(body), known.in_log)
        if len(body) <= LONGEST_KEPT:
            if len(known.read) == MAX_KEPT:
                known.read.clear()
            known.read[kind, body] = event
    return event


def read_row(row: Row, game: str) -> Event:
    """Read the event of a row of the log of a session of this game. Raises Malformed."""
    return read_event(row.type, row.body, row.words, rule_book(game, row.version))


def write_event(event: Event) -> Written:
    """Write an event for the log; in place of people's own words stand their digests."""
    body, texts = without_texts(event)
    return Written(body.pop("type"), ENCODER.encode(body).decode(), texts)


def reported(kind: str, body: str, texts: Mapping[str, SaltedText]) -> dict[str, Any]:
    """Give the JSON that an event of the log was reported with, `type` first: the words are back in their places."""
    return {"type": kind, **placed(body, {place: said.text for place, said in texts.items()})}


def event_from(told: object, book: RuleBook[Any]) -> Event:
    """Make an event of the JSON that reports it. Raises Malformed."""
    event: Event = ANY_EVENT(told, known_under(book).reported)
    return event


# --- openings -------------------------------------------------------------------------------------------------------


class OpeningForm(Record, kw_only=True):
    """An opening with everything said. What deck and dealer may be, the game and the seats decide.

    `odds` is left out where the table does not want to be told the chances: so it was before there were any.
    """

    omits_none = True

    game: str
    deck: Annotated[Any, Anything()]
    players: tuple[PersonName, ...]
    rules: Mapping[str, Any]
    dealer: Annotated[Any, Anything()]
    name: PersonName | None = None
    chip_value: ChipValue | None = None
    odds: bool | None = None
    overrule: Words | None = None
    played_on: Day | None = None


def read_opening(body: str, texts: Mapping[str, SaltedText], version: int) -> Opening:
    """Read an opening of the log, under the rule book it was recorded under. Raises Malformed."""
    told = placed(body, texts)
    return _opening(told, At(rule_book(_game_of(told), version), in_log=True))


def write_opening(opening: Opening) -> Written:
    """Write an opening for the log; in place of people's words stand their digests."""
    body, texts = without_texts(_form(opening))
    return Written(opening.game, ENCODER.encode(body).decode(), texts)


def opening_from(told: Mapping[str, Any]) -> Opening:
    """Make an opening of the JSON that asks for it; what is not said is as usual. Raises Malformed."""
    book = newest(_game_of(told))
    asked = {"deck": book.decks[0], "rules": {}, "dealer": 1, **told}
    if isinstance(asked["dealer"], str):
        seats = {f"p{seat}": seat for seat in range(1, book.seats.stop)}
        asked["dealer"] = seats.get(asked["dealer"])
    asked["dealer"] = as_whole(asked["dealer"])
    return _opening(asked, At(book))


def opening_to(opening: Opening) -> dict[str, Any]:
    """Give the JSON that asks for an opening."""
    told: dict[str, Any] = plain(_form(opening))
    return told


def _game_of(told: Mapping[str, Any]) -> str:
    game = told.get("game")
    if not isinstance(game, str) or game not in GAMES:
        needed = say("one of these is needed: {words}", words=", ".join(GAMES))
        raise Malformed(Fault("/game", needed))
    return game


def _opening(told: Mapping[str, Any], at: At) -> Opening:
    """Make an opening, in the light of the game's rule book."""
    form: OpeningForm = record_reader(OpeningForm)(told, at)
    book = at.book or newest(form.game)
    count = len(form.players)
    need_enough(book, count, form.overrule)
    if form.deck not in book.decks:
        sentence = say(
            "{game:sentence} is played with one of these: {decks}", game=book.title, decks=", ".join(book.decks)
        )
        raise Malformed(Fault("/deck", sentence))
    if type(form.dealer) is not int or not 1 <= form.dealer <= count:
        sentence = say("a seat from 1 to {seats} or a player from p1 to p{last} is needed", seats=count, last=count)
        raise Malformed(Fault("/dealer", sentence))
    return Opening(
        game=form.game,
        deck=form.deck,
        players=form.players,
        rules=changed(book.rules(), form.rules),
        dealer=form.dealer,
        name=form.name,
        chip_value=form.chip_value,
        odds=bool(form.odds),
        overrule=form.overrule,
        played_on=form.played_on,
    )


def need_enough(book: RuleBook[Any], count: int, overrule: str | None, *, asks: bool = True) -> None:
    """Make sure that as many sit down as the game takes, or fewer, if the table says why. Raises Malformed.

    It `asks` for the reason, unless there is no place for one.
    """
    too_few = book.fewest <= count < book.seats.start
    if count in book.seats or (too_few and overrule is not None):
        return
    needed = say(
        "{game:sentence} takes {least} to {most} players; here are {count}",
        game=book.title,
        least=book.seats.start,
        most=book.seats.stop - 1,
        count=count,
    )
    why = [Fault("/overrule", say("if so few play all the same, the reason is needed"))] if too_few and asks else []
    raise Malformed(Fault("/players", needed), *why)


def _form(opening: Opening) -> OpeningForm:
    return OpeningForm(
        game=opening.game,
        deck=opening.deck,
        players=opening.players,
        rules=plain(opening.rules),
        dealer=opening.dealer,
        name=opening.name,
        chip_value=opening.chip_value,
        odds=opening.odds or None,
        overrule=opening.overrule,
        played_on=opening.played_on,
    )


# --- texts ----------------------------------------------------------------------------------------------------------


def parsed(body: str) -> Any:
    """Read JSON text. Raises Malformed."""
    try:
        return parse_json(body.encode("utf-8", "surrogatepass"))
    except NotJSON as error:
        raise wrong(error.sentence) from None


def placed(body: str, texts: Mapping[str, Any]) -> dict[str, Any]:
    """Read a body, and put texts into their places. Raises Malformed."""
    told = parsed(body)
    if type(told) is not dict:
        raise wrong(say("an object is needed"))
    for place, said in texts.items():
        try:
            within, step = holder(told, place)
            digest, within[step] = within[step], said
        except (LookupError, TypeError, ValueError):
            digest = None
        if not isinstance(digest, str) or len(digest) != DIGEST_DIGITS:
            raise Malformed(MisplacedText(f"/{place}", say("no text belongs there")))
    return told


def holder(body: Any, place: str) -> tuple[Any, Any]:
    """Find the part of a body that a place is in, and what it is called there. Raises LookupError, TypeError."""
    *path, last = place.split("/")
    for step in path:
        body = body[step_into(body, step)]
    return body, step_into(body, last)


def step_into(body: Any, step: str) -> int | str:
    """Say by what the next step of a place leads on. Raises LookupError."""
    if not isinstance(body, list):
        return step
    if step not in map(str, range(len(body))):
        raise LookupError(step)
    return int(step)


def digest_at(body: str, place: str) -> object:
    """Give what stands in a body where a text belongs that is there."""
    within, last = holder(parsed(body), place)
    return within[last]
