"""Sessions, rounds, entries, links and rule books as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from marshmallow import INCLUDE, RAISE, Schema, ValidationError, fields, post_load
from marshmallow.validate import Length, OneOf, Range, Regexp

from ledger.books import Entry
from ledger.cards import DECK_NAMES, Card
from ledger.games import GAMES, newest
from ledger.hash_chain import SaltedText, canonical, salted
from ledger.history import Closing, Point, Session, closing
from ledger.language import LANGUAGES, render
from ledger.play import BANK, MOST_CHIPS, Event, Over, RuleBook, event_type
from ledger.sentences import docline
from ledger.session import (
    EVENTS,
    ChipValue,
    CorrectionsMade,
    EventAmended,
    EventInserted,
    Opening,
    Round,
    RulesChanged,
    changed,
    explain,
)
from schemas.events import EventSchema, StoredEventSchema, Written, dump_event
from schemas.fields import CardCode, DealtCardCode, Digits, OneOfWords, Records, Text, Whole
from schemas.records import PlainRecordSchema, RecordSchema, schema_for

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


def dump_rules(rules: Any) -> dict[str, Any]:
    """Give all house rules, switch by switch."""
    dumped: dict[str, Any] = schema_for(type(rules), PlainRecordSchema).dump(rules)
    return dumped


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
        try:
            rules = changed(book.rules(), load_rules(book, data.get("rules", {})))
        except ValidationError as error:
            raise ValidationError({"rules": error.messages}) from None
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


def dump_opening(opening: Opening) -> dict[str, Any]:
    """Give an opening as `OpeningSchema` takes it."""
    told: dict[str, Any] = {
        "game": opening.game,
        "name": opening.name,
        "deck": opening.deck,
        "players": list(opening.players),
        "dealer": opening.dealer,
        "rules": dump_rules(opening.rules),
        "chip_value": opening.chip_value and dump_record(opening.chip_value),
    }
    return {name: value for name, value in told.items() if value is not None}


def opening_to_log(opening: Opening) -> Written:
    """Write an opening for the log; in place of people's words stand their digests."""
    words = {f"players/{place}": salted(name) for place, name in enumerate(opening.players)}
    if opening.name is not None:
        words["name"] = salted(opening.name)
    body = {
        "game": opening.game,
        "deck": opening.deck,
        "dealer": opening.dealer,
        "rules": dump_rules(opening.rules),
        "players": [words[f"players/{place}"].digest for place in range(len(opening.players))],
        "name": words["name"].digest if opening.name is not None else None,
        "chip_value": opening.chip_value and dump_record(opening.chip_value),
    }
    return Written(opening.game, canonical(body), words)


def places_in_opening(body: Mapping[str, Any]) -> list[str]:
    """Say where in an opening's body names stand, or their digests."""
    players = [f"players/{place}" for place in range(len(body["players"]))]
    return players if body["name"] is None else [*players, "name"]


def opening_from_log(body: str, words: Mapping[str, SaltedText], version: int) -> Opening:
    """Read an opening of the log, as any release wrote it."""
    told = json.loads(body)
    book = GAMES[told["game"]][version]
    return Opening(
        game=told["game"],
        deck=told["deck"],
        dealer=told["dealer"],
        rules=changed(book.rules(), load_rules(book, told["rules"])),
        players=tuple(words[f"players/{place}"].text for place in range(len(told["players"]))),
        name=words["name"].text if told["name"] is not None else None,
        chip_value=told["chip_value"] and ChipValue(**told["chip_value"]),
    )


# --- sessions and rounds --------------------------------------------------------------------------------------------


class PlayerSchema(Schema):
    """Somebody who sits, or sat, at the table. `seat` is null for one who has left; `balance` is in chips."""

    id = fields.String(required=True, metadata={"example": "p1"})
    name = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    balance = fields.Integer(required=True)
    active = fields.Boolean(required=True)


class PayoutSchema(Schema):
    """What a player was paid when the round ended, in chips, and why."""

    player = fields.String(required=True)
    amount = fields.Integer(required=True)
    reason = fields.String(required=True)


class OutcomeSchema(Schema):
    """How a round ended, with the fields that the game has."""

    class Meta:
        unknown = RAISE

    result = fields.String(required=True, validate=OneOf(("won", "settled", "forfeited", "void")))
    payouts = fields.List(fields.Nested(PayoutSchema), required=True)
    next_dealer = fields.String(required=True)
    explanation = fields.Dict(
        keys=fields.String(validate=OneOf(LANGUAGES)), values=fields.List(fields.String()), required=True
    )
    winner = fields.String(allow_none=True)
    card = fields.String(allow_none=True)
    back_rider = fields.String(allow_none=True)
    guri = fields.Boolean()
    three_ones = fields.Boolean()
    reasons = fields.List(fields.String())
    hands = fields.List(fields.Dict())
    dealer_hand = fields.Dict(allow_none=True)


class ExpectedSchema(Schema):
    """An event that may be reported now, with what is known of its fields."""

    type = fields.String(required=True)
    player = fields.String()
    players = fields.List(fields.String())
    not_players = fields.List(fields.String())
    amount_at_least = fields.Integer()
    columns = fields.List(fields.Integer())
    at_most = fields.Integer()


class RoundSchema(Schema):
    """One round: where it stands or how it ended. `table` is what lies on it, as the game has it; `pot` is in chips."""

    number = fields.Integer(required=True)
    status = fields.String(required=True, validate=OneOf(("recording", "won", "settled", "forfeited", "void")))
    dealer = fields.String(required=True)
    players = fields.List(fields.String(), required=True)
    rules = fields.Dict(keys=fields.String(), required=True)
    rule_book = fields.Integer(required=True, metadata={"description": "the version of the rule book it is played by"})
    carried = fields.Integer(required=True)
    pot = fields.Integer(required=True)
    phase = fields.String(required=True)
    next = fields.List(fields.Nested(ExpectedSchema), required=True)
    table = fields.Dict(keys=fields.String(), required=True)
    overruled = fields.List(fields.Dict(keys=fields.String(), values=fields.String()), required=True)
    outcome = fields.Nested(OutcomeSchema, required=True, allow_none=True)


class ClosingSchema(Schema):
    """By how many chips what came back to the bank does not match what it gave out, which `sentence` says in words."""

    buy_ins = fields.Integer(required=True)
    cash_outs = fields.Integer(required=True, metadata={"description": "with a pot that went to the bank"})
    difference = fields.Integer(required=True, metadata={"description": "missing; below zero, too many"})
    sentence = fields.Dict(keys=fields.String(validate=OneOf(LANGUAGES)), values=fields.String(), required=True)


class SessionSchema(Schema):
    """Where a session stands. Balances, pot and bank sum to zero; amounts are whole chips."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    deck = fields.String(required=True)
    status = fields.String(required=True, validate=OneOf(("open", "closed")))
    seq = fields.Integer(required=True)
    players = fields.List(fields.Nested(PlayerSchema), required=True)
    dealer = fields.String(required=True)
    draw_again = fields.List(
        fields.String(), metadata={"description": "those who tied in a draw for seats and have to draw again"}
    )
    pot = fields.Integer(required=True)
    bank = fields.Integer(required=True)
    rules = fields.Dict(keys=fields.String(), required=True)
    round = fields.Nested(RoundSchema, required=True, allow_none=True)
    rounds = fields.Integer(required=True)
    chip_value = fields.Nested(ChipValueSchema, required=True, allow_none=True)
    closing = fields.Nested(
        ClosingSchema,
        required=True,
        allow_none=True,
        metadata={"description": "once closed, if chips and buy-ins do not match"},
    )
    created_at = fields.String(required=True)


def dump_round(done: Round, names: Mapping[str, str]) -> dict[str, Any]:
    """Give a round as `RoundSchema` describes it; `names` says what the players are called, for the explanation."""
    phase, book = done.phase, done.book
    outcome = phase.outcome if isinstance(phase, Over) else None
    return {
        "number": done.number,
        "status": outcome.result if outcome else "recording",
        "dealer": done.ground.dealer,
        "players": list(done.ground.seats),
        "rules": dump_rules(done.ground.rules),
        "rule_book": book.version,
        "carried": done.ground.carried,
        "pot": phase.pot,
        "phase": phase.name,
        "next": dump_next(done),
        "table": {} if done.is_entered else dump_record(book.board(phase), PlainRecordSchema),
        "overruled": [{"type": type_, "reason": reason} for type_, reason in done.overruled],
        "outcome": outcome and {**dump_record(outcome, PlainRecordSchema), "explanation": explained(done, names)},
    }


def dump_next(done: Round) -> list[dict[str, Any]]:
    """Say what may be reported now in a round."""
    return [dump_record(expected) for expected in done.book.expected(done.phase)] if done.is_open else []


def explained(done: Round, names: Mapping[str, str]) -> dict[str, list[str]]:
    """Say how a round ended, in every language."""
    sentences = explain(done)
    return {language: [render(said, language, names) for said in sentences] for language in LANGUAGES}


def dump_record(record: Any, base: type[RecordSchema] = RecordSchema) -> dict[str, Any]:
    """Give a record's JSON; on `PlainRecordSchema` nothing is left out."""
    dumped: dict[str, Any] = schema_for(type(record), base).dump(record)
    return dumped


def dump_session(session: Session) -> dict[str, Any]:
    """Give a session as `SessionSchema` describes it."""
    state, opening = session.state, session.opening
    table = state.table
    seats = table.seating.seats
    now = table.open_round
    told: dict[str, Any] = {
        "id": session.id,
        "game": opening.game,
        "name": opening.name,
        "deck": opening.deck,
        "status": table.status,
        "seq": state.seq,
        "players": [
            {
                "id": player.id,
                "name": player.name,
                "seat": seats.index(player.id) + 1 if player.active else None,
                "balance": state.balances.get(player.id, 0),
                "active": player.active,
            }
            for player in table.players
        ],
        "dealer": table.seating.dealer,
        "pot": table.pot,
        "bank": state.balances.get(BANK, 0),
        "rules": dump_rules(table.rules),
        "round": now and dump_round(now, session.names),
        "rounds": table.rounds,
        "chip_value": opening.chip_value and dump_record(opening.chip_value),
        "closing": dump_closing(closing(state)),
        "created_at": session.created_at,
    }
    if table.seating.drawing:
        told["draw_again"] = list(table.seating.drawing.draw_again)
    return told


def dump_closing(closing: Closing | None) -> dict[str, Any] | None:
    """Give by how much chips and buy-ins do not match as `ClosingSchema` describes it."""
    return closing and {
        **closing._asdict(),
        "difference": closing.difference,
        "sentence": {language: render(closing.sentence, language, {}) for language in LANGUAGES},
    }


# --- entries and balances -------------------------------------------------------------------------------------------


class EntrySchema(Schema):
    """Chips moved from one account (a player, `pot`, `bank`) to another."""

    id = fields.Integer(required=True)
    seq = fields.Integer(required=True, metadata={"description": "the event that caused it"})
    round = fields.Integer(required=True, allow_none=True)
    payer = fields.String(required=True, data_key="from")
    payee = fields.String(required=True, data_key="to")
    amount = fields.Integer(required=True, validate=Range(1, MOST_CHIPS))
    reason = fields.String(required=True)
    reverses = fields.Integer(required=True, allow_none=True)
    part = fields.Integer(metadata={"description": "which part of the event, if it was inserted together with others"})


def dump_entry(entry: Entry) -> dict[str, Any]:
    """Give an entry as `EntrySchema` describes it."""
    part = {} if entry.part is None else {"part": entry.part}
    return {
        "id": entry.id,
        "seq": entry.seq,
        "round": entry.round,
        "from": entry.payer,
        "to": entry.payee,
        "amount": entry.amount,
        "reason": entry.reason,
        "reverses": entry.reverses,
        **part,
    }


def dump_calculated(done: Any) -> dict[str, Any]:
    """Give a round that is not kept as `CalculatedSchema` describes it."""
    return {
        "round": dump_round(done.round, done.names),
        "entries": [dump_entry(entry) for entry in done.entries],
        "balances": {player: done.balances.get(player, 0) for player in done.names},
    }


def dump_step(point: Point) -> dict[str, Any]:
    """Give one step of a round as `StepSchema` describes it."""
    done = point.table.round
    if point.event is None:
        raise ValueError("a step has an event")
    return {
        "event": dump_event(point.event),
        "seq": point.seq,
        "phase": done.phase.name if done else None,
        "pot": point.table.pot,
        "next": dump_next(done) if done else [],
        "moved": [dump_entry(entry) for entry in point.entries],
        "balances": {player.id: point.balances.get(player.id, 0) for player in point.table.players},
    }


def dump_verified(verified: Any) -> dict[str, Any]:
    """Give what checking a session gave as `VerifiedSchema` describes it."""
    findings = [finding._asdict() for finding in verified.findings]
    return {"ok": not findings, **verified._asdict(), "findings": findings}


# --- rule books -----------------------------------------------------------------------------------------------------


def dump_book(book: RuleBook[Any]) -> dict[str, Any]:
    """Give a rule book as data: who may play, with what, under which house rules, and what can be reported."""
    return {
        "name": book.name,
        "version": book.version,
        "title": {language: render(book.title, language, {}) for language in LANGUAGES},
        "players": {"min": book.seats.start, "max": book.seats.stop - 1},
        "decks": list(book.decks),
        "default_deck": book.decks[0],
        "rules": dump_switches(book.rules),
        "events": [
            {"type": event_type(kind), "about": docline(kind), "fields": dump_members(schema_for(kind))}
            for kind in (*EVENTS, *book.between, *book.events)
        ],
    }


def dump_switches(rules: type[Any]) -> list[dict[str, Any]]:
    """Give every house-rule switch with its row, its default and the values it may have."""
    defaults = dump_rules(rules())
    return [{**switch, "default": defaults[switch["name"]]} for switch in dump_members(schema_for(rules))]


def dump_members(schema: Schema) -> list[dict[str, Any]]:
    """Give the fields of a record: how each is called, whether it is needed, and what it may be."""
    return [
        {
            "name": field.data_key or name,
            "required": field.required,
            **({"row": field.metadata["row"]} if "row" in field.metadata else {}),
            **dump_kind(field),
        }
        for name, field in schema.fields.items()
    ]


def dump_kind(field: fields.Field[Any]) -> dict[str, Any]:
    """Say what a field may hold, so that a program can draw it."""
    match field:
        case Whole():
            return {"kind": "whole", "at_least": field.least, "at_most": field.most}
        case OneOfWords():
            return {"kind": "word", "values": list(field.words)}
        case DealtCardCode():
            return {"kind": "card", "or": list(field.words)}
        case CardCode():
            return {"kind": "card"}
        case Text():
            return {"kind": "text", "at_most_characters": field.most}
        case Records():
            return {"kind": "list", "of": dump_kind(field.inner)}
        case fields.Nested():
            return {"kind": "group", "fields": dump_members(field.schema)}
        case fields.Dict():
            return {"kind": "switches"}
    return {"kind": field.metadata.get("kind", "text")}


def dump_card(card: Card) -> dict[str, Any]:
    """Give a card as data: its code, its names, and what it stands for."""
    told: dict[str, Any] = {"code": card.code, "name": {"en": card.english, "ja": card.japanese}, "copies": card.copies}
    if face := card.face("JQK"):
        told["stands_for"] = f"{face.suit}-{face.rank}"
    if (other := card.face("QJK")) and other != face:
        told["stands_for_if_courts_are_qjk"] = f"{other.suit}-{other.rank}"
    if card.kabu is not None:
        told["value"] = card.kabu
    if card.month_class:
        told["class"] = card.month_class
    return told


# --- links ----------------------------------------------------------------------------------------------------------

ROLES = ("owner", "scorer", "viewer")
CALENDAR = (datetime(2000, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))
"""Moments that can be written in any time zone, with four digits for the year."""


class NewLinkSchema(Strict):
    """A link to be made."""

    role = fields.String(required=True, validate=OneOf(ROLES))
    label = Text(100, allow_none=True, load_default=None)
    expires_at = fields.AwareDateTime(format="iso", allow_none=True, load_default=None, validate=Range(*CALENDAR))


class LinkSchema(Schema):
    """A key to a session. The token is shown once, when the link is made."""

    id = fields.String(required=True)
    role = fields.String(required=True, validate=OneOf(ROLES))
    label = fields.String(allow_none=True)
    created_at = fields.String()
    expires_at = fields.String(allow_none=True)
    revoked_at = fields.String(allow_none=True)
    token = fields.String(metadata={"description": "only in the answer that makes the link"})


def dump_link(link: Any, token: str | None = None) -> dict[str, Any]:
    """Give a link as `LinkSchema` describes it; the token only to whom it was just made for."""
    told: dict[str, Any] = {
        "id": link.id,
        "role": link.role,
        "label": link.label,
        "created_at": link.created_at,
        "expires_at": link.expires_at,
    }
    return {**told, "revoked_at": link.revoked_at} if token is None else {**told, "token": token}


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


class RecordedSchema(Schema):
    """What recording events did; `ended` has the rounds that they ended.

    `changes` comes with a dry run, and with a correction: what lies between the session before and after.
    """

    events = fields.List(fields.Nested(StoredEventSchema), required=True)
    entries = fields.List(fields.Nested(EntrySchema), required=True)
    session = fields.Nested(SessionSchema, required=True)
    ended = fields.List(fields.Nested(RoundSchema), required=True)
    changes = fields.Nested("ChangesSchema")


class OpenedSchema(Schema):
    """A session just opened, and its owner's link."""

    session = fields.Nested(SessionSchema, required=True)
    link = fields.Nested(LinkSchema, required=True)


class CalculatedSchema(Schema):
    """What a round comes to. Balances are the players', in chips."""

    round = fields.Nested(RoundSchema, required=True)
    entries = fields.List(fields.Nested(EntrySchema), required=True)
    balances = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)


class StepSchema(Schema):
    """One event of a round, the state after it in short, and the chips it moved."""

    event = fields.Nested(EventSchema, required=True)
    seq = fields.Integer(required=True)
    phase = fields.String(required=True, allow_none=True)
    pot = fields.Integer(required=True)
    next = fields.List(fields.Nested(ExpectedSchema), required=True)
    moved = fields.List(fields.Nested(EntrySchema), required=True)
    balances = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)


class ReplaySchema(Schema):
    """A round step by step."""

    round = fields.Integer(required=True)
    steps = fields.List(fields.Nested(StepSchema), required=True)


class FindingSchema(Schema):
    """A row that is not as it should be."""

    table = fields.String(required=True)
    row = fields.Raw(required=True)
    what = fields.String(required=True)


class VerifiedSchema(Schema):
    """What checking a session gave. `head` is the hash that the chain ends with, in hex."""

    ok = fields.Boolean(required=True)
    events = fields.Integer(required=True)
    entries = fields.Integer(required=True)
    forgotten = fields.Integer(required=True, metadata={"description": "words of people who were forgotten"})
    head = fields.String(required=True)
    findings = fields.List(fields.Nested(FindingSchema), required=True)


class EventPage(Schema):
    """Events, oldest first, and where the next ones are."""

    events = fields.List(fields.Nested(StoredEventSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class EntryPage(Schema):
    """Entries, oldest first, and where the next ones are."""

    entries = fields.List(fields.Nested(EntrySchema), required=True)
    next = fields.String(required=True, allow_none=True)


class RoundPage(Schema):
    """Rounds, oldest first, and where the next ones are."""

    rounds = fields.List(fields.Nested(RoundSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class LinkPage(Schema):
    """Links, oldest first, and where the next ones are."""

    links = fields.List(fields.Nested(LinkSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class ProblemSchema(Schema):
    """What went wrong (RFC 9457), with a stable `code` and whatever number helps to mend it."""

    class Meta:
        unknown = INCLUDE

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(required=True)
    rule = fields.String(metadata={"description": "the row of the rule book", "example": "SH-7"})
    index = fields.Integer(metadata={"description": "which event of the request"})
    errors = fields.List(fields.Dict(keys=fields.String(), values=fields.String()))


class GameSchema(Schema):
    """A rule book as data."""

    name = fields.String(required=True)
    version = fields.Integer(required=True)
    title = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    players = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    decks = fields.List(fields.String(), required=True)
    default_deck = fields.String(required=True)
    rules = fields.List(fields.Dict(), required=True)
    events = fields.List(fields.Dict(), required=True)


class GameListSchema(Schema):
    """All rule books."""

    games = fields.List(fields.Nested(GameSchema), required=True)


class DeckSchema(Schema):
    """A deck as data."""

    deck = fields.String(required=True, validate=OneOf(DECK_NAMES))
    cards = fields.List(fields.Dict(), required=True)


class HealthSchema(Schema):
    """All is well."""

    status = fields.String(required=True)
