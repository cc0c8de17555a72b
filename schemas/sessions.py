"""Sessions, rounds, entries, links and rule books as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from marshmallow import RAISE, Schema, ValidationError, fields, post_load
from marshmallow.validate import Length, OneOf, Range, Regexp

from ledger.cards import DECK_NAMES
from ledger.games import GAMES, newest
from ledger.language import LANGUAGES
from ledger.play import MOST_CHIPS, Event, RuleBook
from ledger.session import (
    ChipValue,
    CorrectionsMade,
    EventAmended,
    EventInserted,
    Opening,
    RulesChanged,
    changed,
)
from ledger.store import ROLES
from schemas.events import EventSchema
from schemas.fields import Digits, Text, Whole
from schemas.records import RecordSchema, schema_for

E = TypeVar("E", bound=Event)
MOST_EVENTS = 500
MOST_PAGE = 500
MOST_SEQ = 2**53 - 1


class Strict(Schema):
    """A request body in which nothing unknown is let in."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": "there is no such field here"}  # noqa: RUF012 - marshmallow's own way


# --- house rules ----------------------------------------------------------------------------------------------------


def load_rules(book: RuleBook[Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Check some switches of a rule book and give them in their plain form. Raises marshmallow.ValidationError."""
    return dict(schema_for(book.rules, _Switches).load(changes, partial=True))


def checked(event: Event, book: RuleBook[Any]) -> Event:
    """Check what only the game can tell of an event's form. Raises marshmallow.ValidationError."""
    match event:
        case RulesChanged(rules=switches):
            return replace(event, rules=rules_below("rules", switches, book))
        case EventAmended(event=said) | EventInserted(event=said):
            return replace(event, event=_below("event", lambda: checked(said, book)))
        case CorrectionsMade(corrections=parts):
            return replace(event, corrections=checked_below("corrections", parts, book))
    return event


def checked_all(events: Sequence[E], book: RuleBook[Any]) -> tuple[E, ...]:
    """Check what only the game can tell of some events. Raises marshmallow.ValidationError, by their places."""
    return tuple(_below(place, partial(checked, event, book)) for place, event in enumerate(events))


def checked_below(place: str, events: Sequence[E], book: RuleBook[Any]) -> tuple[E, ...]:
    """Check what only the game can tell of the events of a body. Raises marshmallow.ValidationError."""
    return _below(place, lambda: checked_all(events, book))  # type: ignore[no-any-return]


def rules_below(place: str, changes: Mapping[str, Any], book: RuleBook[Any]) -> dict[str, Any]:
    """Check the switches of a body. Raises marshmallow.ValidationError."""
    return _below(place, lambda: load_rules(book, changes))  # type: ignore[no-any-return]


def _below(place: str | int, check: Callable[[], Any]) -> Any:
    try:
        return check()
    except ValidationError as error:
        raise ValidationError({place: error.messages}) from None


class _Switches(RecordSchema):
    """Some switches, kept as they are: what is not named is not touched."""

    def make(self, data: dict[str, Any], **_kwargs: Any) -> Any:
        """Leave the switches as plain values."""
        return data

    make = post_load(make)


# --- opening --------------------------------------------------------------------------------------------------------


class PersonField(fields.Field[str]):
    """A person: a name, or an object with a name."""

    def __init__(self) -> None:
        name = {"type": "string", "minLength": 1, "maxLength": 100}
        an_object = {"properties": {"name": name}, "required": ["name"], "additionalProperties": False}
        super().__init__(metadata={"type": ["string", "object"], "minLength": 1, "maxLength": 100, **an_object})

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, dict):
            if unknown := sorted(set(value) - {"name"}):
                raise ValidationError({name: ["there is no such field here"] for name in unknown})
            value = value.get("name")
        name: str = Text(100).deserialize(value, attr, data, **kwargs)
        return name


class ChipValueSchema(Strict):
    """What a chip is worth."""

    currency = fields.String(
        required=True,
        validate=Regexp(r"[A-Z]{3}\Z", error="three capital letters, as in JPY"),
        metadata={"pattern": "^[A-Z]{3}$"},  # as every program's regular expressions have it
    )
    per_chip = fields.String(
        required=True,
        validate=Regexp(
            r"(?=.*[1-9])[0-9]{1,12}(\.[0-9]{1,12})?\Z",
            error='a positive decimal number as text is needed, as in "0.50"',
        ),
        metadata={"example": "10", "pattern": r"^(?=.*[1-9])[0-9]{1,12}(\.[0-9]{1,12})?$"},
    )

    @post_load
    def make(self, data: dict[str, Any], **_kwargs: Any) -> ChipValue:
        """Make the record."""
        return ChipValue(**data)


class TableSchema(Strict):
    """Who sits at a table, with which deck and house rules."""

    deck = fields.String(validate=OneOf(DECK_NAMES), metadata={"description": "by default the first the game knows"})
    players = fields.List(PersonField(), required=True, validate=Length(max=100))
    dealer = fields.Raw(
        metadata={"type": ["integer", "string"], "description": "a player id (p1) or a seat number (1)", "example": 1}
    )
    rules = fields.Dict(keys=fields.String(), metadata={"description": "house rules; what is not named is as usual"})

    def opening(self, game: str, data: Mapping[str, Any], **more: Any) -> Opening:
        """Make the record, in the light of the game's rule book. Raises marshmallow.ValidationError."""
        book = newest(game)
        players = tuple(data["players"])
        if len(players) not in book.seats:
            least, most = book.seats.start, book.seats.stop - 1
            raise ValidationError(
                f"{book.title.text} takes {least} to {most} players; here are {len(players)}", "players"
            )
        deck = data.get("deck", book.decks[0])
        if deck not in book.decks:
            raise ValidationError(f"{book.title.text} is played with one of these: {', '.join(book.decks)}", "deck")
        rules = changed(book.rules(), rules_below("rules", data.get("rules", {}), book))
        dealer = self.seat_of(data.get("dealer", 1), len(players))
        return Opening(game=game, deck=deck, players=players, rules=rules, dealer=dealer, **more)

    @staticmethod
    def seat_of(dealer: Any, seats: int) -> int:
        """Read who deals: a seat number, or the id of a player."""
        if isinstance(dealer, str):
            dealer = {f"p{seat}": seat for seat in range(1, seats + 1)}.get(dealer)
        if type(dealer) is not int or not 1 <= dealer <= seats:
            raise ValidationError(f"a seat from 1 to {seats} or a player from p1 to p{seats} is needed", "dealer")
        return dealer


class OpeningSchema(TableSchema):
    """A session to be opened."""

    game = fields.String(required=True, validate=OneOf(tuple(GAMES)))
    name = Text(100, allow_none=True)
    chip_value = fields.Nested(ChipValueSchema, allow_none=True)

    @post_load
    def make(self, data: dict[str, Any], **_kwargs: Any) -> Opening:
        """Make the record."""
        return self.opening(data["game"], data, name=data.get("name"), chip_value=data.get("chip_value"))


# --- sessions and rounds --------------------------------------------------------------------------------------------


# --- entries and balances -------------------------------------------------------------------------------------------


# --- rule books -----------------------------------------------------------------------------------------------------


# --- links ----------------------------------------------------------------------------------------------------------

CALENDAR = (datetime(2000, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))
"""Moments that can be written in any time zone, with four digits for the year."""


class NewLinkSchema(Strict):
    """A link to be made."""

    role = fields.String(required=True, validate=OneOf(ROLES))
    label = Text(100, allow_none=True, load_default=None)
    expires_at = fields.AwareDateTime(format="iso", allow_none=True, load_default=None, validate=Range(*CALENDAR))


# --- requests and answers -------------------------------------------------------------------------------------------


class EventsSchema(Strict):
    """Events to be recorded, all or none."""

    events = fields.List(fields.Nested(EventSchema), required=True, validate=Length(1, MOST_EVENTS))


class ImportQuery(Strict):
    """What a session is opened with whose players and balances come as a list; a JSON file needs none of it."""

    game = fields.String(validate=OneOf(tuple(GAMES)))
    deck = fields.String(validate=OneOf(DECK_NAMES))
    name = Text(100)


class RecordQuery(Strict):
    """How events are to be recorded."""

    dry_run = fields.Boolean(load_default=False, metadata={"description": "say what would happen, and store nothing"})


class PageQuery(Strict):
    """Which part of a list is wanted."""

    after = Digits(0, MOST_SEQ, load_default=0)
    limit = Digits(1, MOST_PAGE, load_default=100)


class LanguageQuery(Strict):
    """In which language something is wanted."""

    lang = fields.String(
        load_default=None,
        validate=OneOf(LANGUAGES),
        metadata={"description": "the reader's language; by default as in Accept-Language"},
    )


class AtQuery(Strict):
    """As of which event something is wanted."""

    at = Digits(0, MOST_SEQ, load_default=None, metadata={"description": "the last event that is to count"})


class RecalculateSchema(Strict):
    """House rules to pay a recorded round under; what is not named is as it was."""

    rules = fields.Dict(keys=fields.String(), required=True)


class CalculateSchema(TableSchema):
    """A round to be worked out, without a session."""

    carried = Whole(0, MOST_CHIPS, load_default=0)
    events = fields.List(fields.Nested(EventSchema), required=True, validate=Length(1, MOST_EVENTS))
