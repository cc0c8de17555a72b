"""Shirinma (尻馬): how a round is reckoned, and a simulated table that plays one.

The reckoning keeps a list of lots, one for every card dealt, each with its bids, and looks at that list when
the bottom card is shown.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from .cards import PACK, Card, names, readings, written
from .table import Book, Event, Sheet, Told

DECKS = ("mekurifuda", "western")
PLAYERS = (12, 23)
FEWEST = 2
SWITCHES: dict[str, tuple[Any, ...]] = {
    "ante": (20, 1, 3, 15, 1000),
    "payments": (
        {"dragon": 0, "maid": 10, "horse": 20, "king": 30},
        {"dragon": 0, "maid": 0, "horse": 0, "king": 0},
        {"dragon": 1, "maid": 2, "horse": 3, "king": 4},
        {"dragon": 13, "maid": 5, "horse": 0, "king": 7},
    ),
    "min_bid": (1, 2, 10),
    "min_increment": (1, 2, 5),
    "third_deal": ("none_received", "none_held"),
    "odd_chip": ("winner", "back_rider", "carry"),
    "dealer_on_forfeit": ("rotate", "stay"),
    "western_courts": ("JQK", "QJK"),
}

SHOWDOWN = {1: "dragon", 10: "maid", 11: "horse", 12: "king"}
HAMMER = {"card_dealt", "auction_closed", "trump_revealed"}  # each of these ends the auction before it


@dataclass
class Lot:
    """A card dealt to a player, and what others offered to ride on it. ``card`` is None for a plain one."""

    owner: str
    card: Card | None
    bids: list[tuple[str, int]] = field(default_factory=list)
    back_rider: str | None = None
    deal: int = 1

    def shows(self) -> bool:
        return self.card is not None and self.card.rank in SHOWDOWN


def count_round(book: Book, sheet: Sheet, events: list[Event]) -> None:
    """Enter a round into the book, as far as it has got."""
    rules = sheet.rules
    cards = readings(book.deck, rules["western_courts"])
    lots: list[Lot] = []
    field_card = bottom = None
    for player in sheet.players:
        book.put_in(sheet, player, rules["ante"])
    for event in events:
        kind = event["type"]
        if kind in HAMMER and lots and lots[-1].bids and not lots[-1].back_rider:
            lots[-1].back_rider, price = leading(lots[-1].bids)
            book.put_in(sheet, lots[-1].back_rider, price)
        if kind == "field_card_revealed":
            field_card = cards[event["card"]]
        elif kind == "card_dealt":
            card = None if event["card"] == "plain" else cards[event["card"]]
            lot = Lot(event["player"], card, deal=deal_of(lots, event["player"], sheet.dealer))
            lots.append(lot)
            if lot.card and lot.shows():
                book.put_in(sheet, lot.owner, rules["payments"][SHOWDOWN[lot.card.rank]])
        elif kind == "bid_placed":
            lots[-1].bids.append((event["player"], event["amount"]))
        elif kind == "trump_revealed":
            bottom = cards[event["card"]]
    seats = len(sheet.players)
    sheet.third_deal = any(lot.deal == 3 for lot in lots)
    deals = 3 if third_deal_due(lots, seats, rules["third_deal"]) else 2
    last = sum(lot.deal == deals for lot in lots)
    if bottom and field_card:
        show_down(book, sheet, lots, field_card, bottom)
    elif last == seats and not any(lot.shows() for lot in lots):
        forfeit(book, sheet, ["no_showdown_card"])


def deal_of(lots: list[Lot], player: str, dealer: str) -> int:
    """Each time the dealer gets a card a deal begins, whether or not the one before went all the way round."""
    return sum(lot.owner == dealer for lot in lots) + (player == dealer)


def leading(bids: list[tuple[str, int]]) -> tuple[str, int]:
    """Go through the bids: only a higher one takes the card from whoever has it so far."""
    holder, price = bids[0]
    for player, amount in bids[1:]:
        if amount > price:
            holder, price = player, amount
    return holder, price


def third_deal_due(lots: list[Lot], seats: int, switch: str) -> bool:
    """SH-9, asked when two deals lie on the table, the second whole."""
    if seats > 15 or sum(lot.deal == 2 for lot in lots) < seats:
        return False
    looked_at = (1, 2) if switch == "none_held" else (2,)
    return not any(lot.shows() for lot in lots if lot.deal in looked_at)


def show_down(book: Book, sheet: Sheet, lots: list[Lot], field_card: Card, bottom: Card) -> None:
    suited = [(lot.card.rank, lot) for lot in lots if lot.card and lot.card.suit == bottom.suit]
    trumps = [(rank, lot) for rank, lot in suited if rank in SHOWDOWN]
    reasons = []
    if not any(lot.shows() for lot in lots):  # a table that left out or broke off a third deal that was due
        reasons.append("no_showdown_card")
    if bottom.rank in {2, 3}:
        reasons.append("low_bottom_card")
    if field_card.suit == bottom.suit:
        reasons.append("field_card_is_trump")
    if not trumps:
        reasons.append("no_trump_held")
    if reasons:
        forfeit(book, sheet, reasons)
        return
    best = max(trumps, key=lambda held: held[0])[1]  # the ranks already stand in order: 1, 10, 11, 12
    assert best.card
    sheet.winner, sheet.back_rider = best.owner, best.back_rider
    sheet.card = names(book.deck, sheet.rules["western_courts"])[best.card]
    pot = book.chips["pot"]
    if best.back_rider is None:
        book.pay(sheet, "pot", best.owner, pot)
    else:
        odd_chip_to = {"winner": best.owner, "back_rider": best.back_rider}.get(sheet.rules["odd_chip"])
        book.pay(sheet, "pot", best.owner, pot // 2)
        book.pay(sheet, "pot", best.back_rider, pot // 2)
        if odd_chip_to:
            book.pay(sheet, "pot", odd_chip_to, pot % 2)
    book.in_pot.clear()
    book.end_round(sheet, "won", sheet.right_of(sheet.dealer))


def forfeit(book: Book, sheet: Sheet, reasons: list[str]) -> None:
    sheet.reasons = reasons
    stays = sheet.rules["dealer_on_forfeit"] == "stay"
    book.end_round(sheet, "forfeited", sheet.dealer if stays else sheet.right_of(sheet.dealer))


# A table that plays


def stacked_pack(rng: Random, seats: int) -> list[Card]:
    """A shuffled pack: field card on top, bottom card last. Some are stacked for what chance hardly brings.

    Nobody holds a showdown card only with exactly 16 players: the 32 plain cards do not go round twice with
    more, and with 12 to 15 a third deal takes at least 36.
    """
    pack = list(PACK)
    rng.shuffle(pack)
    wish = rng.random()
    poor_from, poor_to = 0, 0
    if seats <= 15 and wish < 0.45:
        poor_from, poor_to = 1 + (seats if wish < 0.25 else 0), 1 + 2 * seats
    elif seats == 16 and wish < 0.4:
        poor_from, poor_to = 1, 1 + 2 * seats
    plain = [place for place, card in enumerate(pack) if card.rank not in SHOWDOWN]
    spare = [place for place in plain if not poor_from <= place < poor_to]
    for place in range(poor_from, poor_to):
        if pack[place].rank in SHOWDOWN:
            other = spare.pop()
            pack[place], pack[other] = pack[other], pack[place]
    if wish > 0.9:  # a trump suit that nobody holds is rare at a full table
        suit = rng.choice([card.suit for card in pack if card.rank in SHOWDOWN])
        pack.sort(key=lambda card: card.suit == suit and card.rank in SHOWDOWN)
        pack.insert(0, pack.pop(rng.randrange(40)))
    return pack


def auction(rng: Random, lot: Lot, players: list[str], rules: dict[str, int], told: list[Told]) -> None:
    """Nobody bids, or a few bid and outbid each other; sometimes somebody says that it is over."""
    if rng.random() < 0.6:
        for _ in range(rng.choice((1, 1, 2, 3, 5))):
            holder, price = leading(lot.bids) if lot.bids else (None, 0)
            least = max(rules["min_bid"], price + rules["min_increment"] if holder else 0)
            if least > 1 and rng.random() < 0.04:  # the table let pass what is too low, perhaps by the holder
                player = rng.choice([player for player in players if player != lot.owner])
                overrule = {"overrule": "Nobody minded."}
                amount = rng.choice((rng.randrange(1, least), price or 1, 1, least if player == holder else 1))
            else:
                others = [player for player in players if player not in {lot.owner, holder}]
                if not others:  # of two players one owns the card, and the other holds the standing bid
                    break
                player, overrule = rng.choice(others), {}
                amount = least + rng.choice((0, 0, 0, 1, 2, 9, 10_000))
            lot.bids.append((player, amount))
            bid = {"type": "bid_placed", "player": player, "amount": amount} | overrule
            told.append(Told(bid, [bid | {"amount": amount + rng.randint(1, 9)}]))
    if rng.random() < 0.2:
        told.append(Told({"type": "auction_closed"}, []))


def play_round(rng: Random, book: Book) -> list[Told]:
    """What the scorekeeper of a real table would report of one round, to its end."""
    seats, rules = book.seats, book.rules
    first = seats.index(book.dealer)
    players = seats[first:] + seats[:first]
    pack = stacked_pack(rng, len(seats))
    notes_all = rng.random() < 0.5

    def write(card: Card) -> str:
        return written(rng, card, book.deck, rules["western_courts"])

    told = [Told({"type": "round_opened"}, [])]
    told.append(Told({"type": "field_card_revealed", "card": write(pack[0])}, []))
    lots: list[Lot] = []

    def deal_to(player: str, **overrule: str) -> None:
        lot = Lot(player, pack[1 + len(lots)], deal=deal_of(lots, player, players[0]))
        lots.append(lot)
        assert lot.card
        noted = lot.shows() or notes_all or rng.random() < 0.6
        dealt = {"type": "card_dealt", "player": player, "card": write(lot.card) if noted else "plain"} | overrule
        told.append(Told(dealt, [dealt | {"card": write(rng.choice(pack[len(lots) :]))}]))
        if lot.shows():
            auction(rng, lot, players, rules, told)

    slipped: Event = {}
    for round_the_table in went_round(rng, players):
        for player in round_the_table:
            deal_to(player, **slipped)
            slipped = {}
        if len(round_the_table) < len(players):
            slipped = {"overrule": "The deck slipped."}
    held = any(lot.shows() for lot in lots)
    due = third_deal_due(lots, len(seats), rules["third_deal"])
    overruled, third = played_otherwise(rng, players, due=due, may=held and len(seats) <= 15)
    if slipped:
        overruled, third = slipped, players if len(seats) <= 15 and rng.random() < 0.3 else []
    for player in third:
        deal_to(player, **({} if due or player != third[0] else overruled))
    if overruled or any(lot.shows() for lot in lots):
        bottoms = (pack[-1], *pack[1 + len(lots) : -1])
        broken_off = len(third) % len(seats) or due or (slipped and not third)
        shown, *slips = (
            {"type": "trump_revealed", "card": write(card)} | (overruled if broken_off else {}) for card in bottoms
        )
        told.append(Told(shown, slips))
    return told


def went_round(rng: Random, players: list[str]) -> list[list[str]]:
    """Two deals, of which now and then one goes short."""
    deals = [players, players]
    if rng.random() < 0.06:
        deals[rng.randrange(2)] = players[: rng.randint(1, len(players) - 1)]
    return deals


def played_otherwise(rng: Random, players: list[str], *, due: bool, may: bool) -> tuple[Event, list[str]]:
    """Why the table did not keep to SH-9, if it did not; and who was dealt a third card.

    A third deal that was due is left out or broken off now and then; one that was not is dealt to all or to some.
    """
    asked = rng.random()
    if due and asked < 0.3:
        return {"overrule": "It was late."}, players[: rng.choice((0, 0, 1, len(players) - 1))]
    if may and not due and asked < 0.1:
        return {"overrule": "They had begun."}, players[: rng.choice((len(players), len(players), 1))]
    return {}, players if due else []
