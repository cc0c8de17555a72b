"""Sessions as they are opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from ledger.codec.log import need_fitting, seat_needed
from ledger.games import GAMES, newest
from ledger.i18n.sentences import Fault, Malformed, say
from ledger.records import UNSET, Record, UnsetType, doc, replace
from ledger.rulebook.cards import DECK_NAMES
from ledger.rulebook.values import Day, Words, text
from ledger.session.events import ChipValue, PersonName
from ledger.session.rounds import changed
from ledger.session.table import Opening
from schemas.fields import as_whole
from schemas.loading import below, load_rules

MAX_TOKEN = 200

Person = Annotated[str, text("person")]
Players = Annotated[
    tuple[Person, ...],
    doc("The players in seat order, counter-clockwise: names, or objects with a name.", max_length=100),
]


class TableForm(Record, kw_only=True):
    """Who sits at a table, with which deck and house rules."""

    deck: Annotated[
        str | UnsetType,
        doc("Which deck is played with; by default the first that the game knows.", extra={"words": DECK_NAMES}),
    ] = UNSET
    players: Players | UnsetType = UNSET
    dealer: Annotated[
        Any,
        doc(
            "Who deals: a seat number, or the id that a player will have.",
            "p1",
            extra={"kind": "dealer"},
            extra_json_schema={"oneOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]},
        ),
    ] = UNSET
    rules: Annotated[Mapping[str, Any], doc("House rules; what is not named is as usual.")] = {}

    def at_table(self, usual: Opening, *, asks: bool = False, **more: Any) -> Opening:
        """Make an opening, in the light of the game's rule book. What is left out is as usual.

        It `asks` why so few play, where there is a place for the reason. Raises Malformed.
        """
        book = newest(usual.game)
        players = usual.players if self.players is UNSET else self.players
        asked = replace(usual, players=players, deck=self.deck or usual.deck, dealer=1, **more)
        need_fitting(asked, book, asks=asks)
        rules = changed(usual.rules, below("rules", load_rules, self.rules, book))
        dealer = seat_of_dealer(usual, players) if self.dealer is UNSET else seat_of(self.dealer, len(players))
        return replace(asked, rules=rules, dealer=dealer)


def usual_opening(game: str) -> Opening:
    """Give what a session of a game is opened with before players sit down."""
    book = newest(game)
    return Opening(game=game, deck=book.decks[0], players=(), rules=book.rules())


def seat_of(dealer: Any, seats: int) -> int:
    """Read who deals: a seat number, or the id of a player. Raises Malformed."""
    if isinstance(dealer, str):
        dealer = {f"p{seat}": seat for seat in range(1, seats + 1)}.get(dealer)
    dealer = as_whole(dealer)
    if type(dealer) is not int or not 1 <= dealer <= seats:
        raise Malformed(Fault("/dealer", seat_needed(seats)))
    return dealer


def seat_of_dealer(usual: Opening, players: tuple[str, ...]) -> int:
    """Find the seat of the usual dealer, who may sit elsewhere, among others; the first deals if that is not clear."""
    if players == usual.players:
        return usual.dealer
    name = usual.players[usual.dealer - 1] if usual.players else None
    return players.index(name) + 1 if name is not None and players.count(name) == 1 else 1


class NewSession(TableForm, kw_only=True):
    """A session to be opened; the game says which decks and house rules there are."""

    game: Annotated[str | UnsetType, doc("Which game is played.", "shippin", extra={"words": GAMES})] = UNSET
    name: Annotated[PersonName | None, doc("What the session is called.", "New year")] = None
    chip_value: Annotated[ChipValue | None, doc("What a chip is worth, so that a settlement can speak of money.")] = (
        None
    )
    odds: Annotated[bool | None, doc("Whether the table wants to see the chances; it is no house rule.")] = None
    overrule: Annotated[
        Words | None, doc("Why fewer people play than the game takes, as where some have gone home.", "one is ill")
    ] = None
    played_on: Annotated[
        Day | None,
        doc("The day on which all of it was played, if that is recorded afterwards: books carry it.", "2026-11-20"),
    ] = None
    continues: Annotated[
        Annotated[str, text("token", most=MAX_TOKEN)] | None,
        doc(
            "A token of an earlier session, of an owner or a scorer: the same people play on, and"
            " `players` and all else that is not given here is as it stands there. `game` may then be left out, too."
        ),
    ] = None

    @staticmethod
    def also_needed(body: Mapping[str, Any]) -> Iterable[str]:
        """Name what is missing in a body: a game and its players are needed, if nothing else says them."""
        return [] if body.get("continues") is not None else [n for n in ("game", "players") if n not in body]

    def opening(self, earlier: Opening | None = None) -> Opening:
        """Make the opening; `earlier` is how the same people would open the session that this one continues, now.

        Raises Malformed.
        """
        if earlier and self.game not in {UNSET, earlier.game}:
            needed = say("the session that this one continues plays {game}", game=earlier.game)
            raise Malformed(Fault("/game", needed))
        given = {"name": self.name, "chip_value": self.chip_value, "odds": self.odds}
        anew = {name: value for name, value in given.items() if value is not None}
        usual = earlier or usual_opening(str(self.game))
        return self.at_table(usual, asks=True, overrule=self.overrule, played_on=self.played_on, **anew)
