"""Kakkuri (カックリ): how a round is reckoned, and a simulated table that plays one.

The reckoning needs no cards at all, only how many went down. The simulated table has all 48 of them and plays
by the full sequence, the plain one or none; what it reports of a turn may be less than what was seen.
"""

from itertools import permutations
from random import Random
from typing import Any

from .cards import PACK, Card, written
from .table import Book, Event, Sheet, Told

DECKS = ("mekurifuda", "western", "hanafuda")
PLAYERS = (7, 8)
FEWEST = 2
SWITCHES: dict[str, tuple[Any, ...]] = {
    "western_courts": ("JQK", "QJK"),
    "chips_per_share": (1, 5, 30),
    "sequence": ("full", "plain", "off"),
    "after_king": ("any", "wrap"),
    "empty_turn_shares": (1, 0, 2, 10),
    "box_empty": ("reshuffle", "lead_any", "void"),
    "dropping_out": ("one_share", "off"),
}

WILD = {Card("clubs", 1), Card("coins", 2)}
THREE_ONES = {Card("swords", 1), Card("cups", 1), Card("coins", 1)}
LAST_OF_EIGHT = Card("clubs", 3)
TWO_SUITS = (("swords", "cups"), ("clubs", "coins"))


def went_down(turn: Event) -> int:
    """How many cards a turn laid down, however it was reported."""
    return len(turn["cards"]) if "cards" in turn else int(turn.get("count", 0))


def count_round(book: Book, sheet: Sheet, events: list[Event]) -> None:
    """Enter a round into the book, as far as it has got.

    Who drops out of eight pays and wins nothing; if that is the dealer, the next seat acts for the round. Later, once
    the pile is open, it costs a share, and the last one in takes the pot.
    Agreed: a box card that the dealer was to turn or has turned is the next player's, if the dealer drops out then.
    """
    share = sheet.rules["chips_per_share"]
    price_of_a_pass = sheet.rules["empty_turn_shares"] * share
    still_in = list(sheet.players)
    hand = dict.fromkeys(still_in, 6)
    last_discarder = sheet.dealer
    passed: set[str] = set()
    box, opened = 6 if len(still_in) == 8 else 48 - 6 * len(still_in), False
    for event in events:
        kind, player = event["type"], event.get("player", "")
        if kind == "player_dropped_out" and opened:
            book.put_in(sheet, player, share)
            following = still_in[(still_in.index(player) + 1) % len(still_in)]
            still_in.remove(player)
            if len(still_in) == 1:
                win(book, sheet, following, still_in, 0)
                book.pay(sheet, "pot", following, book.chips["pot"])
                book.in_pot.clear()
            elif last_discarder == player:
                last_discarder = following
            elif following == last_discarder and passed >= set(still_in) - {following} and box == 0:
                sheet.box_ran_out = True
                if sheet.rules["box_empty"] == "void":
                    book.end_round(sheet, "void", sheet.dealer)
        elif kind == "player_dropped_out":
            still_in.remove(player)
            if player == sheet.dealer:
                last_discarder = sheet.right_of(player)
        elif kind == "three_ones_shown":
            win(book, sheet, player, still_in, 3 * share)
        elif kind in {"starter_revealed", "box_card_revealed"}:
            opened = True
            box -= 1
        elif kind == "turn_played":
            down = went_down(event)
            hand[player] -= down
            if down:
                last_discarder, passed = player, set()
            else:
                book.put_in(sheet, player, price_of_a_pass)
                passed.add(player)
            following = still_in[(still_in.index(player) + 1) % len(still_in)]
            due = following == last_discarder and passed >= set(still_in) - {following}
            sheet.box_ran_out |= due and box == 0
            if hand[player] == 0:
                sheet.guri = down == 6
                win(book, sheet, player, still_in, 2 * share if sheet.guri else share)
                book.pay(sheet, "pot", player, book.chips["pot"])
                book.in_pot.clear()
            elif due and box == 0 and sheet.rules["box_empty"] == "void":
                book.end_round(sheet, "void", sheet.dealer)


def win(book: Book, sheet: Sheet, winner: str, still_in: list[str], chips: int) -> None:
    for other in still_in:
        if other != winner:
            book.pay(sheet, other, winner, chips)
    sheet.winner, sheet.guri = winner, bool(sheet.guri)
    book.end_round(sheet, "won", winner)


def follows(rules: dict[str, Any], on: Card, card: Card, *, from_box: bool) -> bool:
    """May this card from a hand go on that one, which came from the box or from a hand? By a list of numbers.

    Agreed: in the plain sequence a wild is followed by the next number like any other card.
    """
    if rules["sequence"] == "off" or card in WILD:
        return True
    numbers = {on.rank + 1}
    if on.rank == 12:
        numbers = set(range(1, 13))
    if rules["sequence"] == "full":
        if on in WILD and not from_box:
            return True
        if on.rank < 3:
            numbers.add(on.rank)
        if on.rank == 12 and rules["after_king"] == "wrap":
            numbers = {1}
    return card.rank in numbers


# A table that plays


class Table:
    """Hands, box and pile of one round, and the chance that decides what people do.

    ``sleepy`` tables hardly play until the box has run out, which would otherwise almost never happen.
    """

    def __init__(self, rng: Random, book: Book) -> None:
        self.rng, self.deck, self.rules = rng, book.deck, book.rules
        self.players = list(book.seats)
        self.dealer = book.dealer
        pack = stacked_pack(rng, often=book.chips["pot"] > 0)
        self.hands = {player: pack[6 * at : 6 * at + 6] for at, player in enumerate(self.players)}
        self.box = pack[6 * len(self.players) :]
        self.pile: list[Card] = []
        self.from_box = False  # whether the top card of the pile came from there
        self.declared: set[str] = set()
        self.eager = rng.choice((1.0, 0.9, 0.6))
        self.sleepy = rng.random() < (0.7 if self.rules["box_empty"] == "void" else 0.3)
        self.counts = rng.choice((0, 0.3, 1.0))
        self.faint = rng.choice((0, 0, 0.1, 0.5)) if self.rules["dropping_out"] == "one_share" else 0
        self.told = [Told({"type": "round_opened"}, [])]

    def tell(self, kind: str, slips: list[Event] | None = None, /, **fields: object) -> None:
        self.told.append(Told({"type": kind, **fields}, slips or []))

    def write(self, card: Card) -> str:
        return written(self.rng, card, self.deck, self.rules["western_courts"])

    def right_of(self, player: str) -> str:
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def drop_out(self) -> None:
        out = next(player for player, hand in self.hands.items() if LAST_OF_EIGHT in hand)
        self.box = self.hands.pop(out)
        self.rng.shuffle(self.box)
        if out == self.dealer:
            self.dealer = self.right_of(out)
        self.players.remove(out)
        self.tell("player_dropped_out", player=out)

    def exchange(self) -> None:
        """In turn from the dealer's right, whoever likes."""
        willing = self.rng.choice((0, 0.15, 0.5))
        player = self.right_of(self.dealer)
        while player != self.dealer:
            if self.rng.random() < willing:
                self.hands[player], self.hands[self.dealer] = self.hands[self.dealer], self.hands[player]
                self.tell("hand_exchanged", player=player)
            player = self.right_of(player)

    def turn_up(self, kind: str) -> None:
        """A box card onto the pile."""
        card = self.box.pop()
        self.pile.append(card)
        self.from_box = True
        self.tell(kind, card=self.write(card))

    def fits(self, card: Card) -> bool:
        """Would its owner lay this card on the pile now? Where nothing is checked people play in order all the same."""
        rules = self.rules | ({"sequence": "full"} if self.rules["sequence"] == "off" else {})
        return follows(rules, self.pile[-1], card, from_box=self.from_box)

    def choices(self, player: str, *, lead_any: bool) -> list[list[Card]]:
        """What could be laid down next: a card, three of a number, or a pair for whoever declared pairs.

        Agreed: where one of several could go down alone, they go down together, whichever is on top then.
        """
        sizes = (2,) if player in self.declared else (1,) if self.rules["sequence"] == "plain" else (1, 3)
        hand = self.hands[player]
        alike = [[card for card in hand if card.rank == rank] for rank in {card.rank for card in hand}]
        together = [list(cards) for number in alike for size in sizes for cards in permutations(number, size)]
        return sorted(cards for cards in together if lead_any or any(map(self.fits, cards)))

    def lay_down(self, player: str, *, lead_any: bool) -> list[Card]:
        """Play a turn, and say which cards went down."""
        rng, laid = self.rng, list[Card]()
        if self.sleepy and rng.random() < 0.97:
            return laid
        if self.rules["sequence"] == "off" and rng.random() < 0.3:
            laid = rng.sample(self.hands[player], rng.randint(0, len(self.hands[player])))
            self.hands[player] = [card for card in self.hands[player] if card not in laid]
            self.pile += laid
            self.from_box &= not laid
            return laid
        while moves := self.choices(player, lead_any=lead_any and not laid):
            wilds_first = [move for move in moves if move[0] in WILD and len(self.hands[player]) == 6]
            if rng.random() > self.eager:
                break
            for card in rng.choice(wilds_first or moves):
                self.hands[player].remove(card)
                self.pile.append(card)
                laid.append(card)
                self.from_box = False
        return laid

    def report(self, player: str, laid: list[Card], *, held: int) -> None:
        """By cards, by count or, if nothing went down, by neither. A slip lays down nothing or everything.

        Whoever counts may look at the pile, too.
        """
        turn: Event = {"type": "turn_played", "player": player}
        slips = [turn, turn | {"count": 0}, turn | {"count": held}]
        if self.rng.random() < self.counts:
            counted = turn | {"count": len(laid)}
            if laid and self.rng.random() < 0.5:
                counted["top"] = self.write(laid[-1])
            self.told.append(Told(counted, slips))
        elif laid or self.rng.random() < 0.7:
            self.told.append(Told(turn | {"cards": [self.write(card) for card in laid]}, slips))
        else:
            self.told.append(Told(turn, slips))

    def play(self) -> None:
        """Turn after turn until a hand is empty, or the box when that ends the round, or it gets too late."""
        self.turn_up("starter_revealed")
        player = last_discarder = self.dealer
        passed: set[str] = set()
        lead_any = taken_over = False
        for _ in range(250):
            due = not taken_over and player == last_discarder and passed >= set(self.players) - {player}
            lead_any &= taken_over
            taken_over = False
            if due and not self.box:
                self.sleepy = False
                lead_any = self.rules["box_empty"] == "lead_any"
                if self.rules["box_empty"] == "reshuffle":
                    *self.box, top = self.pile
                    self.pile = [top]
                    self.rng.shuffle(self.box)
            if due and not lead_any:
                if self.rules["box_empty"] == "void" and not self.box:
                    return
                if self.loses_heart(player):
                    player = last_discarder = self.leave(player)
                    if len(self.players) == 1:
                        return
                self.turn_up("box_card_revealed")
            if self.may_declare(player):
                self.declared.add(player)
                self.tell("three_pairs_declared", player=player)
            if self.loses_heart(player):
                taken_over = player == last_discarder
                player = self.leave(player)
                if taken_over:
                    last_discarder = player
                if len(self.players) == 1:
                    return
                continue
            held = len(self.hands[player])
            laid = self.lay_down(player, lead_any=lead_any)
            self.report(player, laid, held=held)
            if not self.hands[player]:
                return
            if laid:
                last_discarder, passed = player, set()
            else:
                passed.add(player)
            player = self.right_of(player)
        self.tell("round_voided", reason="It is late.")

    def loses_heart(self, player: str) -> bool:
        """Would this player rather pay a share now than play on? Nobody can who has discarded."""
        return len(self.hands[player]) == 6 and self.rng.random() < self.faint

    def leave(self, player: str) -> str:
        """Say who is next after a player has dropped out."""
        following = self.right_of(player)
        self.players.remove(player)
        self.tell("player_dropped_out", player=player)
        return following

    def may_declare(self, player: str) -> bool:
        """Three pairs, before their owner's first discard. Agreed: four of a number are two of them."""
        hand = self.hands[player]
        return (
            self.rules["sequence"] != "plain"
            and player not in self.declared
            and len(hand) == 6
            and all(sum(card.rank == other.rank for other in hand) % 2 == 0 for card in hand)
            and self.rng.random() < 0.7
        )


def stacked_pack(rng: Random, *, often: bool) -> list[Card]:
    """A shuffled pack; in some, one hand holds what chance would hardly ever bring together."""
    pack = list(PACK)
    rng.shuffle(pack)
    wish = rng.random() / (2 if often else 1)
    wanted: list[Card] = []
    if wish < 0.15:
        wanted = sorted(THREE_ONES)
    elif wish < 0.25:
        wanted = [Card(suit, rank) for rank in rng.sample(range(1, 13), 3) for suit in rng.choice(TWO_SUITS)]
    elif wish < 0.36:  # a wild and a run of five: guri, if their owner feels like it
        lowest = rng.randint(3, 8)
        wanted = [rng.choice(sorted(WILD)), *(Card("cups", rank) for rank in range(lowest, lowest + 5))]
    elif wish < 0.44:
        wanted = [Card(suit, rng.randint(3, 12)) for suit in ("swords", "cups", "coins")]
        wanted = [Card(card.suit, wanted[0].rank) for card in wanted]
    hand = rng.randrange(7)
    for place, card in enumerate(wanted, start=6 * hand):
        other = pack.index(card)
        pack[place], pack[other] = pack[other], pack[place]
    return pack


def play_round(rng: Random, book: Book) -> list[Told]:
    """What the scorekeeper of a real table would report of one round, to its end."""
    table = Table(rng, book)
    if len(table.players) == 8:
        table.drop_out()
    table.exchange()
    if holders := [player for player, hand in table.hands.items() if set(hand) >= THREE_ONES]:
        table.tell("three_ones_shown", player=holders[0])
    else:
        table.play()
    return table.told
