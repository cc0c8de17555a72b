"""Shippin (四一): how a round is reckoned and seats are drawn for, and a simulated table that does both."""

from random import Random
from typing import Any

from .cards import class_of_hanafuda, kabu_pack, kabu_value, suit_of_western, with_sign
from .table import Book, Event, Sheet, Told

DECKS = ("kabufuda", "hanafuda", "western")
PLAYERS = (2, 5)
FEWEST = 2
SWITCHES: dict[str, tuple[Any, ...]] = {
    "bet": (1, 10, 7, 500),
    "must_bet": ("no", "yes"),
    "suit_breaks_tie": ("no", "yes"),
    "draw_ties": ("class", "redraw"),
    "karami_vs_karami": ("compare_totals", "tie", "dealer_wins"),
    "tie": ("push", "dealer_wins"),
    "dealer_role": ("on_total_loss", "fixed", "house"),
}


def count_round(book: Book, sheet: Sheet, events: list[Event]) -> None:
    """Enter a round into the book, as far as it has got."""
    bet = sheet.rules["bet"]
    bets: dict[int, str] = {}
    second: Event = {}
    for event in events:
        if event["type"] == "bet_placed":
            bets[event["column"]] = event["player"]
            book.put_in(sheet, event["player"], bet)
        elif event["type"] == "second_cards_dealt":
            second = event
        elif event["type"] == "first_cards_revealed":
            dealers = kabu_value(event["dealer"]), kabu_value(second["dealer"])
            fates = {
                column: verdict((kabu_value(first), kabu_value(under)), dealers, sheet.rules)
                for column, (first, under) in enumerate(zip(event["columns"], second["columns"], strict=True), 1)
                if first and under
            }
            sheet.verdicts = list(fates.values())
            settle(book, sheet, bets, fates)


def verdict(hand: tuple[int, int], dealers: tuple[int, int], rules: dict[str, str]) -> str:
    """Who takes a column. Agreed: where the dealer wins ties, an equal hand is the dealer's, and no tie."""
    even = "dealer" if rules["tie"] == "dealer_wins" else "tie"
    if dealers == (4, 1):
        return "dealer"
    players_karami, dealers_karami = bool({1, 4} & set(hand)), bool({1, 4} & set(dealers))
    if players_karami != dealers_karami:
        return "player" if players_karami else "dealer"
    if players_karami and rules["karami_vs_karami"] != "compare_totals":
        return even if rules["karami_vs_karami"] == "tie" else "dealer"
    total, dealers_total = sum(hand) % 10, sum(dealers) % 10
    if total == dealers_total:
        return even
    return "player" if total > dealers_total else "dealer"


def settle(book: Book, sheet: Sheet, bets: dict[int, str], fates: dict[int, str]) -> None:
    """Pay every bet. Agreed: columns that were left out are nobody's, and listed nowhere."""
    bet = sheet.rules["bet"]
    for column, player in bets.items():
        took = fates[column]
        book.pay(sheet, "pot", sheet.dealer if took == "dealer" else player, bet)
        if took == "player":
            book.pay(sheet, sheet.dealer, player, bet)
    book.in_pot.clear()
    total_loss = set(sheet.verdicts) == {"player"}
    loses_role = total_loss and sheet.rules["dealer_role"] == "on_total_loss"
    book.end_round(sheet, "settled", sheet.right_of(sheet.dealer) if loses_role else sheet.dealer)


def seat_by_draw(book: Book, event: Event) -> None:
    """SP-3. Agreed: whoever deals takes the first seat, the others follow in the order of their cards."""
    for draw in event["draws"]:
        book.drawn.setdefault(draw["player"], []).append(rank_of(draw["card"], book))
    if still_tied(book.drawn):
        return
    order = sorted(book.drawn, key=lambda player: book.drawn[player])
    book.seats = [book.dealer, *order] if book.rules["dealer_role"] == "house" else order
    book.dealer = book.seats[0]
    book.drawn = {}


def rank_of(card: str, book: Book) -> tuple[int, int]:
    """What a drawn card says: its number, and what tells it from others of that number, if anything does."""
    by_suit = book.deck == "western" and book.rules["suit_breaks_tie"] == "yes"
    by_class = book.deck == "hanafuda" and book.rules["draw_ties"] == "class"
    return kabu_value(card), suit_of_western(card) if by_suit else class_of_hanafuda(card) if by_class else 0


def still_tied(drawn: dict[str, list[tuple[int, int]]]) -> list[str]:
    """Who has drawn the same as somebody else, time after time."""
    everything = list(drawn.values())
    return [player for player, cards in drawn.items() if everything.count(cards) > 1]


# A table that plays


def shuffled(rng: Random, deck: str) -> list[str]:
    pack = list(kabu_pack(deck))
    rng.shuffle(pack)
    if deck == "western" and rng.random() < 0.2:
        return [with_sign(code) for code in pack]
    return pack


def draw_seats(rng: Random, book: Book) -> list[Told]:
    """Everybody draws, and whoever ties again, until no two are alike. A house dealer only looks on."""
    house = book.rules["dealer_role"] == "house"
    drawing = [player for player in book.seats if not house or player != book.dealer]
    if len(drawing) < 2:
        return []
    pack = shuffled(rng, book.deck)
    if rng.random() < 0.5:  # low cards on top, so that there are ties
        pack.sort(key=lambda code: kabu_value(code) > 3)
    told = []
    drawn: dict[str, list[tuple[int, int]]] = {player: [] for player in drawing}
    while drawing:
        rng.shuffle(drawing)
        draws = []
        for player in drawing:
            card = pack.pop(0)
            draws.append({"player": player, "card": card})
            drawn[player].append(rank_of(card, book))
        told.append(Told({"type": "cards_drawn_for_seats", "draws": draws}, []))
        drawing = still_tied(drawn)
    return told


def play_round(rng: Random, book: Book) -> list[Told]:
    """What the scorekeeper of a real table would report of one round, to its end."""
    pack = shuffled(rng, book.deck)
    wish = rng.random()
    if wish < 0.12:  # the dealer's cards lie on top: a shippin, or a pair that loses to almost anything
        for value in (1, 4) if wish < 0.06 else (5, 5):
            pack.insert(0, pack.pop(next(at for at, code in enumerate(pack) if kabu_value(code) == value)))
    dealers_first, dealers_second, *rest = pack
    first, second = rest[:4], rest[4:8]
    told = [Told({"type": "round_opened"}, [])]
    place = book.seats.index(book.dealer)
    columns = rng.sample((1, 2, 3, 4), 4)
    shy = rng.choice((0, 0, 0.2, 0.6))
    for player in (book.seats[place:] + book.seats[:place])[1:]:
        if book.rules["must_bet"] == "no" and rng.random() < shy:
            continue
        free = [{"type": "bet_placed", "player": player, "column": column} for column in columns]
        told.append(Told(free[0], free[1:]))
        columns.pop(0)
    lazy = 0.0 if book.rules["dealer_role"] == "on_total_loss" else rng.choice((0, 0.5, 1))
    for kind, cards, dealers in (
        ("second_cards_dealt", second, dealers_second),
        ("first_cards_revealed", first, dealers_first),
    ):
        noted = [None if at in columns and rng.random() < lazy else card for at, card in enumerate(cards, 1)]
        seen = {"type": kind, "columns": noted, "dealer": dealers}
        moved_on = [*cards[1:], dealers]
        told.append(Told(seen, [seen | {"columns": moved_on, "dealer": cards[0]}]))
    return told
