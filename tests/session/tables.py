"""Tables to try the session's own rules on, and evenings to correct: no app, no database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

from ledger.games import GAMES, kakkuri, newest, shippin, shirinma
from ledger.games.kakkuri import StarterRevealed, ThreeOnesShown, TurnPlayed
from ledger.games.shippin import BetPlaced, FirstCardsRevealed, SecondCardsDealt
from ledger.games.shirinma import BidPlaced, CardDealt, FieldCardRevealed, TrumpRevealed
from ledger.i18n.sentences import say
from ledger.records import replace
from ledger.rulebook.cards import read
from ledger.rulebook.chips import Transfer, Transfers
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Phase, Step
from ledger.rulebook.rule_book import RuleBook, switch
from ledger.session.corrections import EventAmended, EventInserted, EventTakenBack
from ledger.session.events import (
    ChipsMoved,
    DealerNamed,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    RoundEntered,
    RoundOpened,
    RoundVoided,
    RulesChanged,
    SeatsChanged,
    SessionClosed,
    SessionReopened,
    Share,
)
from ledger.session.history import Recorded, SessionState
from ledger.session.rules import apply
from ledger.session.table import Applied, Opening, Table, open_table

SEATS = {"shirinma": 12, "shippin": 5, "kakkuri": 7}
NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Haru", "Ichi", "Jun", "Ken", "Leo")

OPEN = RoundOpened()
VOID = RoundVoided(reason="Tea was spilt.")
CLOSE = SessionClosed()
REOPEN = SessionReopened()


def opening(game: str = "shippin", *, seats: int | None = None, carried: int = 0, **more: Any) -> Opening:
    """What a session is opened with: as few players as the game takes at a table, and usual rules but for some."""
    rules = {"shirinma": shirinma.Rules, "shippin": shippin.Rules, "kakkuri": kakkuri.Rules}[game]
    said = {"deck": newest(game).decks[0], "dealer": 1, **more}
    switches = said.pop("rules", {})
    players = tuple(f"{NAMES[n % 12]} {n // 12 + 1}" if n > 11 else NAMES[n] for n in range(seats or SEATS[game]))
    return Opening(game=game, players=players, rules=rules(**switches), carried=carried, **said)


def table(game: str = "shippin", **said: Any) -> Table:
    """A table where nothing has happened yet; `said` as for `opening`."""
    return open_table(GAMES[game], opening(game, **said))


def taken(at: Table, *events: Event) -> Applied:
    """What the last of some events does, after the others."""
    *first, last = events
    for event in first:
        at = apply(at, event, 1).table
    return apply(at, last, 1)


def after(at: Table, *events: Event) -> Table:
    """The table after some events."""
    return taken(at, *events).table if events else at


def fold(play: Callable[[Phase, Event], Step], opening: Step, events: Iterable[Event]) -> Step:
    """A whole round of a game: every event in turn, all chips that moved in one step."""
    for event in events:
        step = play(opening.phase, event)
        opening = Step(step.phase, opening.transfers + step.transfers)
    return opening


def with_players_gone(at: Table, *players: str) -> Table:
    """The table after some have left."""
    return after(at, *map(PlayerLeft, players))


def moves(text: str, reason: Any) -> Transfers:
    """`p1>pot:20 pot>p2:10`, all for one reason."""
    told = []
    for move in text.split():
        accounts, amount = move.split(":")
        payer, payee = accounts.split(">")
        told.append(Transfer(payer, payee, int(amount), reason))
    return tuple(told)


def shares(text: str) -> tuple[Share, ...]:
    """`p1:30 p2:5`."""
    return tuple(Share(player, int(amount)) for player, amount in (share.split(":") for share in text.split()))


def entered(paid: str = "", won: str = "", pot: int = 0, **said: Any) -> RoundEntered:
    """A round by its totals: who put in how much, who got out how much, what stayed."""
    return RoundEntered(payments=shares(paid), payouts=shares(won), pot=pot, **said)


# --- rounds, as short as the games allow ----------------------------------------------------------------------------


def bets(text: str) -> list[Event]:
    """`p2:1 p3:4`: players on columns."""
    return [BetPlaced(player, int(column)) for player, column in (bet.split(":") for bet in text.split())]


def cards(kind: Any, text: str) -> Event:
    """Four columns, then the dealer: `7 3 5 10 9`."""
    one, two, three, four, dealer = map(read, text.split())
    event: Event = kind((one, two, three, four), dealer)
    return event


def shippin_round(placed: str = "p2:1 p3:2", *, second: str = "7 3 5 10 9", first: str = "2 2 2 10 8") -> list[Event]:
    """By default the dealer counts 7; column 1 wins, 2 loses, 3 ties, 4 loses."""
    return [OPEN, *bets(placed), cards(SecondCardsDealt, second), cards(FirstCardsRevealed, first)]


TOTAL_LOSS = {"second": "6 1 4 3 7", "first": "4 10 4 1 2"}
"""Cards at Shippin by which the dealer loses to all four columns."""


def shirinma_round(
    trump: str = "cups-5", *, king: str = "cups-12", bid: tuple[str, int] | None = None, seats: int = 12, first: int = 1
) -> list[Event]:
    """Two deals in which the first player gets a King, perhaps with a rider, the last a Dragon, all others plain cards.

    A trump of the King's suit wins (but for 2 and 3), a coin forfeits: the field card is the 4 of coins. The Dragon
    of clubs costs nothing and saves a third deal.
    """
    players = [f"p{(first - 1 + place) % seats + 1}" for place in range(2 * seats)]
    rider = [BidPlaced(*bid)] if bid else []
    dealt: list[Event] = [CardDealt(player, "plain") for player in players[1:-1]]
    dealt.append(CardDealt(players[-1], read("clubs-1")))
    field: list[Event] = [OPEN, FieldCardRevealed(read("coins-4"))]
    return [*field, CardDealt(players[0], read(king)), *rider, *dealt, TrumpRevealed(read(trump))]


def kakkuri_three_ones(player: str) -> list[Event]:
    """A round that ends before play: the pot stays."""
    return [OPEN, ThreeOnesShown(player)]


def kakkuri_guri(player: str = "p1", *, passing: str = "") -> list[Event]:
    """From the dealer on, some pass and pay a share; the last puts down six cards."""
    turns: list[Event] = [TurnPlayed(p, count=0) for p in passing.split()]
    return [OPEN, StarterRevealed(read("cups-9")), *turns, TurnPlayed(player, count=6)]


def chips(payer: str, payee: str, amount: int) -> ChipsMoved:
    return ChipsMoved(payer, payee, amount)


def newcomer(name: str = "Zoe", seat: int | None = None) -> PlayerJoined:
    return PlayerJoined(name=name, seat=seat)


def back(player: str, seat: int | None = None) -> PlayerJoined:
    return PlayerJoined(player=player, seat=seat)


def seated(players: str) -> SeatsChanged:
    return SeatsChanged(tuple(players.split()))


def named(player: str) -> DealerNamed:
    return DealerNamed(player)


def renamed(player: str, name: str) -> PlayerRenamed:
    return PlayerRenamed(player, name)


def ruled(**rules: Any) -> RulesChanged:
    return RulesChanged(rules)


def overruled(event: Event, reason: str = "nobody minded") -> Event:
    return replace(event, overrule=reason)


# --- evenings: tables with a log ------------------------------------------------------------------------------------


def state(game: str = "shippin", **said: Any) -> SessionState:
    """An evening on which nothing has happened yet; `said` as for `opening`."""
    return SessionState.opened(GAMES[game], opening(game, **said))


def recorded(on: SessionState, *events: Event) -> Recorded:
    """What recording the last of some events gives, after the others."""
    *first, last = events
    for event in first:
        on = on.record(event, 1).state
    return on.record(last, 1)


def later(on: SessionState, *events: Event) -> SessionState:
    """The evening after some events."""
    return recorded(on, *events).state if events else on


def holding(on: SessionState) -> dict[str, int]:
    """What every account holds, those that hold nothing left out."""
    return {account: chips for account, chips in sorted(on.balances.items()) if chips}


def take_back(seq: int | None = None) -> EventTakenBack:
    return EventTakenBack(seq=seq)


def amend(seq: int, event: Event) -> EventAmended:
    return EventAmended(seq, event)


def insert(after_seq: int, event: Event) -> EventInserted:
    return EventInserted(after_seq, event)


# --- a later release ------------------------------------------------------------------------------------------------


class LaterRules(shippin.Rules):
    """The rules of a later rule book: one switch more."""

    stakes: Annotated[
        Literal["high", "low"],
        switch("SP-99", say("Stakes"), say("How high they are."), high=say("High"), low=say("Low")),
    ] = "high"


def open_for_five(ground: Any) -> Any:
    """A later rule book in which everything costs five times as much."""
    return shippin.open_round(replace(ground, rules=replace(ground.rules, bet=5 * ground.rules.bet)))


SHIPPIN: RuleBook[Any] = shippin.BOOK
LATER_BOOK = replace(SHIPPIN, version=2, rules=LaterRules, open_round=open_for_five)
"""A second version of Shippin's rule book, as some later release may bring it."""
