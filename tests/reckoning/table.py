"""What every table has, whatever is played: seats, accounts, and what happens between the rounds.

It is kept as a bookkeeper with pencil and paper would keep it. The log is cut into pages: a round fills one,
anything between rounds has one to itself. A page is entered when it is complete, and chips are moved from
column to column; nothing here knows in which phase a round is, and nothing is checked that a legal evening
keeps to.

Conventions where nobody wrote one down are marked with "Agreed:".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Event = dict[str, Any]


class Told(NamedTuple):
    """An event as a simulated table reports it, and others that could just as well have been reported."""

    event: Event
    slips: list[Event]


# What only happens between rounds, and so ends the page of the round before it.
BETWEEN_ROUNDS = {
    "round_opened",
    "player_joined",
    "player_left",
    "seats_changed",
    "dealer_named",
    "rules_changed",
    "cards_drawn_for_seats",
    "session_closed",
    "session_reopened",
}


@dataclass
class Sheet:
    """One round, as it will be read afterwards. ``status`` is ``recording`` until there is an outcome."""

    number: int
    dealer: str
    players: list[str]
    rules: dict[str, Any]
    status: str = "recording"
    winner: str | None = None
    back_rider: str | None = None
    card: str | None = None
    guri: bool | None = None
    reasons: list[str] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    payouts: dict[str, int] = field(default_factory=dict)
    next_dealer: str | None = None
    third_deal: bool = False
    box_ran_out: bool = False
    put_in: dict[str, int] = field(default_factory=dict)

    def right_of(self, player: str) -> str:
        """The player whose turn comes after this one's."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]


@dataclass
class Reckoned:
    """What an evening comes to. Chips by player id; ``dealer`` deals now or next; ``seats``: the active."""

    balances: dict[str, int]
    bank: int
    pot: int
    dealer: str
    seats: list[str]
    status: str
    rounds: list[Sheet]


def standing(events: Iterable[Event]) -> list[Event]:
    """The events that still count once every correction has been made, in the order of their numbers."""
    kept: dict[int, Event] = {}
    for seq, event in enumerate(events, start=1):
        if event["type"] == "event_taken_back":
            del kept[event.get("seq", max(kept))]
        elif event["type"] == "event_amended":
            kept[event["seq"]] = event["event"]
        else:
            kept[seq] = event
    return list(kept.values())


def pages(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Cut a log into pages. Chips moved right after a round land on its page: they only change balances."""
    page: list[Event] = []
    for event in events:
        in_round = page and page[0]["type"] == "round_opened" and page[-1]["type"] != "round_voided"
        if page and (not in_round or event["type"] in BETWEEN_ROUNDS):
            yield page
            page = []
        page.append(event)
    if page:
        yield page


class Book:
    """The accounts of one sitting: a column for every player, the pot and the bank, adding up to nothing."""

    def __init__(self, opening: Event, house_deck: str, house_rules: dict[str, Any]) -> None:
        self.game: str = opening["game"]
        self.seats = [f"p{place}" for place in range(1, len(opening["players"]) + 1)]
        self.chips = dict.fromkeys([*self.seats, "pot", "bank"], 0)
        self.in_pot: dict[str, int] = {}  # who put how much into the pot since it was last won
        self.deck: str = opening.get("deck", house_deck)
        self.rules = house_rules | opening.get("rules", {})
        dealer = opening.get("dealer", 1)
        self.dealer: str = self.seats[dealer - 1] if isinstance(dealer, int) else dealer
        self.status = "open"
        self.sheets: list[Sheet] = []
        self.drawn: dict[str, list[tuple[int, int]]] = {}  # a draw for seats in which some still tie

    # chips

    def move(self, payer: str, payee: str, amount: int) -> None:
        """Rub out two numbers and write two others."""
        self.chips[payer] -= amount
        self.chips[payee] += amount

    def put_in(self, sheet: Sheet, player: str, amount: int) -> None:
        """Chips into the pot, remembered by name in case they have to go back."""
        self.move(player, "pot", amount)
        sheet.put_in[player] = sheet.put_in.get(player, 0) + amount
        self.in_pot[player] = self.in_pot.get(player, 0) + amount

    def pay(self, sheet: Sheet, payer: str, player: str, amount: int) -> None:
        """Chips to a player as a round ends."""
        self.move(payer, player, amount)
        if amount:
            sheet.payouts[player] = sheet.payouts.get(player, 0) + amount

    def balances(self) -> dict[str, int]:
        """Everybody who ever sat down, with what the evening has brought them."""
        return {name: chips for name, chips in self.chips.items() if name not in {"pot", "bank"}}

    def check(self) -> None:
        assert sum(self.chips.values()) == 0, f"chips came from nowhere: {self.chips}"
        assert self.chips["pot"] >= sum(self.in_pot.values()), "the pot owes more than it holds"

    # rounds

    def open_round(self) -> Sheet:
        sheet = Sheet(len(self.sheets) + 1, self.dealer, list(self.seats), dict(self.rules))
        self.sheets.append(sheet)
        return sheet

    def end_round(self, sheet: Sheet, status: str, next_dealer: str) -> None:
        sheet.status, sheet.next_dealer = status, next_dealer
        self.dealer = next_dealer

    def void_round(self, sheet: Sheet) -> None:
        """Agreed: what a player put in during this round goes back and is listed among the payouts."""
        for player, amount in sheet.put_in.items():
            self.pay(sheet, "pot", player, amount)
            self.in_pot[player] -= amount
        self.end_round(sheet, "void", self.dealer)

    # between rounds

    def enter(self, event: Event) -> None:
        """Anything any table may report, except a round."""
        kind = event["type"]
        if kind == "chips_moved":
            self.move(event["from"], event["to"], event["amount"])
        elif kind == "pot_brought":
            self.move("bank", "pot", event["amount"])
        elif kind == "player_joined":
            player = f"p{len(self.chips) - 1}"
            self.chips[player] = 0
            self.seats.insert(event.get("seat", len(self.seats) + 1) - 1, player)
        elif kind == "player_left":
            place = self.seats.index(event["player"])
            self.seats.pop(place)
            if self.dealer == event["player"]:
                self.dealer = self.seats[place % len(self.seats)]
        elif kind == "seats_changed":
            self.seats = list(event["seats"])
        elif kind == "dealer_named":
            self.dealer = event["player"]
        elif kind == "rules_changed":
            self.rules = self.rules | event["rules"]
        elif kind == "session_closed":
            self.close(event.get("pot"))
        elif kind == "session_reopened":
            self.status = "open"
        else:
            raise AssertionError(f"this cannot happen between rounds: {event}")

    def close(self, what_of_the_pot: str | None) -> None:
        """Agreed: a refund goes also to those who left; what is nobody's (a carried odd chip) is split."""
        if what_of_the_pot == "refund":
            for player, amount in self.in_pot.items():
                self.move("pot", player, amount)
        if what_of_the_pot == "bank":
            self.move("pot", "bank", self.chips["pot"])
        else:
            self.split_pot()
        self.in_pot.clear()
        self.status = "closed"

    def split_pot(self) -> None:
        """Agreed: alike among those at the table; chips left over go round once, from the one due to deal."""
        each, over = divmod(self.chips["pot"], len(self.seats))
        first = self.seats.index(self.dealer)
        for turn, player in enumerate(self.seats[first:] + self.seats[:first]):
            self.move("pot", player, each + (1 if turn < over else 0))

    def fair_copy(self) -> Reckoned:
        return Reckoned(
            balances=self.balances(),
            bank=self.chips["bank"],
            pot=self.chips["pot"],
            dealer=self.dealer,
            seats=list(self.seats),
            status=self.status,
            rounds=self.sheets,
        )
