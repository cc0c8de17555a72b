"""Sessions as they are opened, and as of when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from marshmallow import ValidationError, post_load, validates_schema

from ledger.cards import DECK_NAMES
from ledger.codec.description import Checked
from ledger.codec.log import need_enough
from ledger.codec.values import as_whole, identifier
from ledger.games import GAMES, newest
from ledger.play.values import MAX_WORDS, CalendarDay, Kind
from ledger.records import replace
from ledger.sentences import Fault, Malformed, say
from ledger.session.events import ChipValue
from ledger.session.rounds import changed
from ledger.session.table import Opening
from schemas.base import (
    FLAG,
    HERE,
    TEXT,
    Digits,
    Listed,
    MessageField,
    Nested,
    OneOfWords,
    Strict,
    SwitchesField,
    Value,
    all_wrong,
)
from schemas.pages import MAX_SEQ
from schemas.records import schema_for
from schemas.rules import below, load_rules

MAX_NAME = 100
MAX_TOKEN = 200
NAME = Kind("name", MAX_NAME)
WORDS = Kind("words", MAX_WORDS)
TOKEN = Checked(
    lambda value: identifier(MAX_TOKEN)(value, HERE), {"type": "string", "minLength": 1, "maxLength": MAX_TOKEN}
)
PLAYERS = "The players in seat order, counter-clockwise: names, or objects with a name."


class Person(Value):
    """A person: a name, or an object with a name."""

    def __init__(self) -> None:
        super().__init__(NAME)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            if unknown := sorted(set(value) - {"name"}):
                raise ValidationError({name: [say("there is no such field here")] for name in unknown})
            value = value.get("name")
        return super()._deserialize(value, *args, **kwargs)


class Dealer(MessageField):
    """Who deals: a seat number, or the id of a player; how many there are decides which there may be."""

    needed = say("a seat number or the id of a player is needed")

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        return value


class TableSchema(Strict):
    """Who sits at a table, with which deck and house rules."""

    deck = OneOfWords(DECK_NAMES, description="Which deck is played with; by default the first that the game knows.")
    players = Listed(Person(), most=100, required=True, description=PLAYERS)
    dealer = Dealer(description="Who deals: a seat number, or the id that a player will have.", examples=["p1"])
    rules = SwitchesField(description="House rules; what is not named is as usual.")

    @staticmethod
    def opening(game: str, data: Mapping[str, Any], earlier: Opening | None = None, **more: Any) -> Opening:
        """Make the record, in the light of the game's rule book. What is not said is as it was earlier, or as usual.

        Raises Malformed.
        """
        book = newest(game)
        usual = earlier or Opening(game=game, deck=book.decks[0], players=(), rules=book.rules())
        players = tuple(data.get("players", usual.players))
        need_enough(book, len(players), more.get("overrule"), asks="overrule" in more)
        deck = data.get("deck", usual.deck)
        if deck not in book.decks:
            decks = ", ".join(book.decks)
            needed = say("{game:sentence} is played with one of these: {decks}", game=book.title, decks=decks)
            raise Malformed(Fault("/deck", needed))
        rules = changed(usual.rules, below("rules", load_rules, data.get("rules", {}), book))
        dealer = seat_of(data["dealer"], len(players)) if "dealer" in data else seat_of_dealer(usual, players)
        return replace(usual, deck=deck, players=players, rules=rules, dealer=dealer, **more)


def seat_of(dealer: Any, seats: int) -> int:
    """Read who deals: a seat number, or the id of a player. Raises Malformed."""
    if isinstance(dealer, str):
        dealer = {f"p{seat}": seat for seat in range(1, seats + 1)}.get(dealer)
    dealer = as_whole(dealer)
    if type(dealer) is not int or not 1 <= dealer <= seats:
        needed = say("a seat from 1 to {seats} or a player from p1 to p{last} is needed", seats=seats, last=seats)
        raise Malformed(Fault("/dealer", needed))
    return dealer


def seat_of_dealer(usual: Opening, players: tuple[str, ...]) -> int:
    """Find the seat of the usual dealer, who may sit elsewhere, among others; the first deals if that is not clear."""
    if players == usual.players:
        return usual.dealer
    name = usual.players[usual.dealer - 1] if usual.players else None
    return players.index(name) + 1 if name is not None and players.count(name) == 1 else 1


class NextEvening(NamedTuple):
    """A session to be opened that continues another: a token of that one, and what is otherwise this time."""

    token: str
    said: Mapping[str, Any]

    def after(self, earlier: Opening) -> Opening:
        """Make the record, given how the same people would open a session as they sit now. Raises Malformed."""
        if self.said.get("game", earlier.game) != earlier.game:
            needed = say("the session that this one continues plays {game}", game=earlier.game)
            raise Malformed(Fault("/game", needed))
        anew = {name: self.said[name] for name in ("name", "chip_value", "odds") if self.said.get(name) is not None}
        tonight = {name: self.said.get(name) for name in ("overrule", "played_on")}
        return TableSchema.opening(earlier.game, self.said, earlier, **anew, **tonight)


class OpeningSchema(TableSchema):
    """A session to be opened; the game says which decks and house rules there are."""

    game = OneOfWords(GAMES, description="Which game is played.", examples=["shippin"])
    players = Listed(Person(), most=100, description=PLAYERS)
    name = Value(NAME, allow_none=True, description="What the session is called.", examples=["New year"])
    chip_value = Nested(
        schema_for(ChipValue),
        allow_none=True,
        description="What a chip is worth, so that a settlement can speak of money.",
    )
    odds = Value(FLAG, allow_none=True, description="Whether the table wants to see the chances; it is no house rule.")
    overrule = Value(
        WORDS,
        allow_none=True,
        description="Why fewer people play than the game takes, as where some have gone home.",
        examples=["one is ill"],
    )
    played_on = Value(
        CalendarDay(),
        allow_none=True,
        description="The day on which all of it was played, if that is recorded afterwards: books carry it.",
        examples=["2026-11-20"],
    )
    continues = Value(
        TOKEN,
        allow_none=True,
        description="A token of an earlier session, of an owner or a scorer: the same people play on, and"
        " `players` and all else that is not given here is as it stands there. `game` may then be left out, too.",
    )

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def needs_a_table(self, _data: Mapping[str, Any], original: Any, **_kwargs: Any) -> None:
        """Make sure that a game and its players are named, if nothing else says them."""
        if isinstance(original, dict) and original.get("continues") is None:
            missing = [name for name in ("game", "players") if name not in original]
            if missing:
                raise ValidationError({name: [say("this field is needed")] for name in missing})

    @post_load
    def make(self, data: dict[str, Any], **_kwargs: Any) -> Opening | NextEvening:
        """Make the record."""
        token = data.pop("continues", None)
        if token is not None:
            return NextEvening(token, data)
        try:
            anew: dict[str, Any] = {
                "name": data.get("name"),
                "chip_value": data.get("chip_value"),
                "odds": bool(data.get("odds")),
                "overrule": data.get("overrule"),
                "played_on": data.get("played_on"),
            }
            return self.opening(data["game"], data, **anew)
        except Malformed as error:
            raise all_wrong(error) from None


class AtQuery(Strict):
    """As of which event something is wanted."""

    at = Digits(0, MAX_SEQ, load_default=None, description="The seq of the last event that counts.")


class DeletionQuery(Strict):
    """That a session is meant to be deleted."""

    confirm = Value(TEXT, required=True, description="The id of the session, once more.")
