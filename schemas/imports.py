"""Sessions that are brought in: an export.json, a session in the round notation, a list of balances.

A file may have 20,000 rows, so two readers share the work. The schema checks the file as a whole: which members it
has, that they are of their kind, and how many rows and entries there are at most. Each row, entry and text is checked
by the reader of the log (`ledger.codec`), with the same sentences; hashes and books are checked by `ledger.importing`.
The events of a text go through the schemas of their types, as reports do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import EXCLUDE, ValidationError, post_load, validates_schema

from ledger.cards import DECK_NAMES
from ledger.codec.description import Anything, Several, members_of
from ledger.codec.files import MAX_EVENTS_IN_A_FILE, File, LogInFile
from ledger.games import GAMES, newest
from ledger.notation import Score
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.play.values import MAX_CHIPS, Between
from ledger.sentences import Malformed
from ledger.session.events import BalancesBrought, Brought
from ledger.session.table import Opening
from schemas.base import Listed, Nested, OneOfWords, Strict, Value, all_wrong, loaded
from schemas.records import EventField, RecordSchema
from schemas.rules import checked
from schemas.sessions import NAME, OpeningSchema


class ImportQuery(Strict):
    """What a session is opened with whose players and balances come as a list; a JSON file needs none of it."""

    game = OneOfWords(
        GAMES, description="Of a list of balances: which game will be played.", metadata={"example": "shippin"}
    )
    deck = OneOfWords(DECK_NAMES, description="Of a list of balances: with which deck.")
    name = Value(NAME, description="Of a list of balances: what the session is called.")


def read_by_codec(record: type[Any]) -> dict[str, Value]:
    """Give a field for each field of a record; the reader of the log reads it."""
    return {
        member.field.attribute: Value(member.type, data_key=member.name, required=member.field.required)
        for member in members_of(record)
    }


class LogSchema(RecordSchema.from_dict(read_by_codec(LogInFile))):  # type: ignore[misc]
    """The log in an export.json: its opening, and its rows, which are counted before any is read."""

    record = LogInFile


class FileSchema(RecordSchema.from_dict(read_by_codec(File))):  # type: ignore[misc]
    """An export.json. What it tells people besides is worked out again, and not looked at."""

    class Meta:
        unknown = EXCLUDE

    record = File
    log = Nested(LogSchema, required=True)


class EventOf(EventField):
    """An event of one game, which its rule book checks, too."""

    def __init__(self, book: RuleBook[Any]) -> None:
        super().__init__()
        self.book = book

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Event:
        try:
            return checked(super()._deserialize(value, *args, **kwargs), self.book)
        except Malformed as error:
            raise all_wrong(error) from None


class AsTextSchema(OpeningSchema):
    """A session in the round notation, as the JSON that stands for it: an opening and its events."""

    class Meta:
        exclude = ("continues",)

    events = Value(Several(Anything(), most=MAX_EVENTS_IN_A_FILE), required=True)

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def needs_a_table(self, data: Mapping[str, Any], original: Any, **kwargs: Any) -> None:
        """Make sure that the players are named, once a game is: a text without one is no session yet."""
        if original["game"] is not None:
            super().needs_a_table(data, original, **kwargs)

    @post_load
    def make(self, data: dict[str, Any], **_kwargs: Any) -> Any:
        """Make the opening and its events."""
        reports = data.pop("events")
        opening = super().make(data)
        try:
            return opening, Listed(EventOf(newest(opening.game))).deserialize(list(reports))
        except ValidationError as error:
            raise ValidationError({"events": error.messages}) from None


class BalancesSchema(OpeningSchema):
    """A session to be opened with a list of people and balances, and what the query says.

    As many as the game takes sit down, in that order; the others are not here tonight.
    """

    class Meta:
        exclude = ("continues",)

    balances = Listed(Value(Between(-MAX_CHIPS, MAX_CHIPS)), required=True)

    @post_load
    def make(self, data: dict[str, Any], **_kwargs: Any) -> Any:
        """Make the opening, and what is reported first: what everybody brings along, whether here or not."""
        people, seats = data["players"], newest(data["game"]).seats.stop - 1
        ids = (f"p{seat}" if seat <= seats else None for seat in range(1, len(people) + 1))
        brought = tuple(
            Brought(player=player, balance=balance, name=None if player else name)
            for player, name, balance in zip(ids, people, data.pop("balances"), strict=True)
        )
        return super().make({**data, "players": people[:seats]}), [BalancesBrought(brought)]


FILE, AS_TEXT, BALANCES = FileSchema(), AsTextSchema(), BalancesSchema()


def load_file(body: object) -> File:
    """Read an export.json. Raises Malformed."""
    file: File = loaded(FILE, body)
    return file


def load_score(score: Score) -> tuple[Opening, tuple[Event, ...]]:
    """Read a session in the round notation. Raises Malformed."""
    opening, events = loaded(AS_TEXT, {"game": None, **score.opening, "events": list(score.events)})
    return opening, events


def load_balances(people: Sequence[tuple[str, int]], query: Mapping[str, Any]) -> tuple[Opening, list[Event]]:
    """Read an opening from a list of people and balances, and from what the query says besides. Raises Malformed."""
    body = {"players": [name for name, _ in people], "balances": [balance for _, balance in people]}
    opening, events = loaded(BALANCES, {**query, **body})
    return opening, events
