"""The second reckoning by itself: worked examples come out, and every evening adds up to nothing."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from . import GAMES, Book, Event, Sheet, enter, open_book, reckon
from .cards import kabu_value, readings
from .evenings import Evening, evenings
from .kakkuri import WILD
from .shirinma import SHOWDOWN
from .table import pages, standing

CASES = Path(__file__).parent / "cases"


def case(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def test_the_worked_example_of_shirinma_comes_out() -> None:
    example = case("shirinma-seed-example")
    expected = example["expected"]
    before = reckon(example["session"], example["events"][:-1])
    assert before.pot == expected["pot_before_showdown"]
    assert before.rounds[0].status == "recording"
    result = reckon(example["session"], example["events"])
    sheet = result.rounds[0]
    assert (sheet.status, sheet.card) == (expected["result"], expected["card"])
    assert (sheet.winner, sheet.back_rider) == (expected["winner"], expected["back_rider"])
    assert sheet.payouts == expected["payouts"]
    assert (sheet.next_dealer, result.dealer) == (expected["next_dealer"], expected["next_dealer"])
    assert (result.pot, result.balances) == (expected["pot"], expected["balances"])


@pytest.mark.parametrize("name", ["shippin-by-hand", "kakkuri-by-hand"])
def test_rounds_worked_out_by_hand_come_out(name: str) -> None:
    written = case(name)
    events: list[Event] = []
    for done in written["rounds"]:
        events += done["events"]
        expected = done["expected"]
        result = reckon(written["session"], events)
        assert result.balances == expected["balances"], done["why"]
        assert result.dealer == expected["dealer"], done["why"]
        sheet = result.rounds[-1]
        assert sheet.verdicts == expected.get("verdicts", []), done["why"]
        assert (sheet.winner, sheet.guri) == (expected.get("winner"), expected.get("guri")), done["why"]


def test_taking_back_and_amending_leave_what_should_have_been_recorded() -> None:
    first, second, third = ({"type": "chips_moved", "amount": amount} for amount in (1, 2, 3))
    assert standing([first, second, {"type": "event_taken_back"}, third]) == [first, third]
    assert standing([first, second, {"type": "event_taken_back", "seq": 1}, third]) == [second, third]
    assert standing([first, second, {"type": "event_amended", "seq": 1, "event": third}]) == [third, second]
    assert standing([first, second, *[{"type": "event_taken_back"}] * 2]) == []


TWELVE = {"game": "shirinma", "players": [str(place) for place in range(12)], "rules": {"odd_chip": "carry"}}


def a_round_whose_dealer_has_the_only_showdown_card(dealer: int, field: str, *bid: Event) -> list[Event]:
    """It is the Dragon of clubs, and clubs are trump."""
    players = [f"p{(dealer - 1 + turn) % 12 + 1}" for turn in range(24)]
    first, *others = ({"type": "card_dealt", "player": player, "card": "plain"} for player in players)
    return [
        {"type": "round_opened"},
        {"type": "field_card_revealed", "card": field},
        first | {"card": "clubs-1"},
        *bid,
        *others,
        {"type": "trump_revealed", "card": "clubs-9"},
    ]


def test_a_split_pot_has_the_chips_left_over_go_round_from_the_dealer() -> None:
    forfeited = a_round_whose_dealer_has_the_only_showdown_card(1, "clubs-5")
    left = {"type": "player_left", "player": "p12"}
    result = reckon(TWELVE, [*forfeited, left, {"type": "session_closed", "pot": "split"}])
    assert result.rounds[0].reasons == ["field_card_is_trump"]
    assert [result.balances[f"p{place}"] for place in range(1, 13)] == [1, *[2] * 9, 1, -20]


def test_a_refund_gives_back_what_was_put_in_and_splits_a_carried_odd_chip() -> None:
    ride = {"type": "bid_placed", "player": "p2", "amount": 1}
    won = a_round_whose_dealer_has_the_only_showdown_card(1, "cups-5", ride)
    forfeited = a_round_whose_dealer_has_the_only_showdown_card(2, "clubs-5")
    result = reckon(TWELVE, [*won, *forfeited, {"type": "session_closed", "pot": "refund"}])
    assert result.rounds[0].payouts == {"p1": 120, "p2": 120}
    assert [result.balances[f"p{place}"] for place in range(1, 13)] == [100, 99, -19, *[-20] * 9]
    assert (result.pot, result.dealer, result.status) == (0, "p3", "closed")


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_every_evening_adds_up_to_nothing(game: str, data: st.DataObject) -> None:
    evening = data.draw(evenings(game, corrections=data.draw(st.booleans())))
    result = reckon(evening.opening, evening.events)
    assert sum(result.balances.values()) + result.pot + result.bank == 0
    assert all(sheet.status != "recording" for sheet in result.rounds[:-1])
    so_far = reckon(evening.opening, evening.events[: data.draw(st.integers(0, len(evening.events)))])
    assert sum(so_far.balances.values()) + so_far.pot + so_far.bank == 0
    for label in sorted(set(remarkable(evening))):
        event(label)


@pytest.mark.parametrize("game", GAMES)
def test_whatever_can_happen_at_a_table_happens_in_these_evenings(game: str) -> None:
    """Most of them in one evening in twenty; asked of a fixed sample is only that none be a freak."""
    seen: Counter[str] = Counter()

    @settings(max_examples=400, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(evenings(game, whole=True))
    def look(evening: Evening) -> None:
        seen.update(set(remarkable(evening)))

    look()
    assert not {label: seen[label] for label in (*REMARKABLE[game], *REMARKABLE["any"]) if seen[label] < 3}


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_a_corrected_evening_comes_to_the_same_without_its_mistakes(game: str, data: st.DataObject) -> None:
    evening = data.draw(evenings(game, corrections=True))
    assert reckon(evening.opening, evening.events) == reckon(evening.opening, standing(evening.events))


# What an evening is a case of

REMARKABLE = {
    "any": [
        "round called off with chips in it",
        "chips moved during a round",
        "session_closed",
        "session_reopened",
        "rules_changed",
        "the dealer leaves",
        "player_left",
        "player_joined",
        "seats_changed",
        "dealer_named",
    ],
    "shirinma": [
        *(f"session_closed: {end}" for end in ("split", "refund", "bank")),
        "no_showdown_card",
        "low_bottom_card",
        "field_card_is_trump",
        "no_trump_held",
        "several reasons",
        "third deal: none_held",
        "third deal: none_received",
        "no third deal, though nobody received one",
        "third deal, though none was due",
        "third deal left out",
        "third deal broken off",
        "third deal broken off, and nobody holds a showdown card",
        "carried pot won",
        "half rights",
        "odd chip: winner",
        "odd chip: back_rider",
        "odd chip: carry",
        "the dealer rides",
        "outbid and bid again",
        "a bid too low takes nothing from a higher one",
        "a bid as high takes nothing from the first",
        "auction_closed",
        "plain",
        "the same dealer after a forfeit",
        "a first deal went short",
        "a second deal went short",
        "fewer players than the game asks for",
        "2 players",
        "12 players",
        "16 players",
        "23 players",
    ],
    "shippin": [
        "tie",
        "shippin beats karami",
        "all columns win: on_total_loss",
        "all columns win: fixed",
        "all columns win: house",
        "nobody bets",
        "somebody sits out",
        "everybody has to bet",
        "a column is left out",
        "half a column is left out",
        "draw for seats",
        "tie in a draw",
        "second tie in a draw",
        "two pairs tie in a draw",
        "a suit breaks a tie",
        "a class breaks a tie",
        "house dealer looks on",
        *(f"both karami: {switch}" for switch in GAMES["shippin"].SWITCHES["karami_vs_karami"]),
        *(f"{count} players" for count in range(2, 6)),
    ],
    "kakkuri": [
        *(f"session_closed: {end}" for end in ("split", "refund", "bank")),
        "three ones",
        "fewer players than the game asks for",
        "three ones beside a carried pot",
        "carried pot won",
        "three_pairs_declared",
        "guri",
        "guri by cards",
        "guri after an empty turn",
        "hand_exchanged",
        "player_dropped_out",
        "the dealer drops out",
        "a player drops out for a share",
        "the dealer leaves the pile",
        "the dealer drops out with a box card turned",
        "guri after others dropped out",
        "the last one left in wins",
        "box_card_revealed",
        *(f"box runs out: {switch}" for switch in GAMES["kakkuri"].SWITCHES["box_empty"]),
        "box reshuffled and drawn from",
        "won after leading anything",
        "empty turn by nothing",
        *(f"an empty turn costs {shares}" for shares in GAMES["kakkuri"].SWITCHES["empty_turn_shares"]),
        "the top card beside a count of one",
        "the top card beside a count of several",
        "cards follow a top card",
        *(f"western courts: {courts}" for courts in GAMES["kakkuri"].SWITCHES["western_courts"]),
        "three of a number",
        *(f"sequence: {switch}" for switch in GAMES["kakkuri"].SWITCHES["sequence"]),
        *(f"{deck} wild" for deck in GAMES["kakkuri"].DECKS),
    ],
}


def remarkable(evening: Evening) -> Iterator[str]:
    """Everything this evening is a case of, as far as it stands."""
    book = open_book(evening.opening)
    draws: list[Event] = []
    for page in pages(standing(evening.events)):
        first = page[0]
        kind, pot, dealer, seats = first["type"], book.chips["pot"], book.dealer, len(book.seats)
        enter(book, GAMES[book.game], page)
        if kind == "round_opened":
            yield f"{seats} players"
            if seats < GAMES[book.game].PLAYERS[0]:
                yield "fewer players than the game asks for"
            yield from remarkable_round(book, page, book.sheets[-1], pot)
        elif kind == "cards_drawn_for_seats":
            draws.append(first)
            if not book.drawn:
                yield from remarkable_draw(draws, seats)
                if without_redrawing(draws):
                    yield {"western": "a suit breaks a tie", "hanafuda": "a class breaks a tie"}[book.deck]
                draws = []
        elif kind == "player_left" and first["player"] == dealer:
            yield "the dealer leaves"
        elif "pot" in first:
            yield f"{kind}: {first['pot']}"
        else:
            yield kind


def remarkable_draw(draws: list[Event], seats: int) -> Iterator[str]:
    yield "draw for seats"
    if len(draws) > 1:
        yield "tie in a draw"
        if len(draws[1]["draws"]) >= 4:
            yield "two pairs tie in a draw"
    if len(draws) > 2:
        yield "second tie in a draw"
    if len(draws[0]["draws"]) < seats:
        yield "house dealer looks on"


def without_redrawing(draws: list[Event]) -> bool:
    """Whether two drew the same number, and did not draw again: only a suit or a class tells them apart."""
    numbers = [kabu_value(draw["card"]) for draw in draws[0]["draws"]]
    return len(draws) == 1 and len(set(numbers)) < len(numbers)


def remarkable_round(book: Book, page: list[Event], sheet: Sheet, carried: int) -> Iterator[str]:
    kinds = [event["type"] for event in page]
    if kinds[-1] == "round_voided" and sheet.put_in:
        yield "round called off with chips in it"
    if "chips_moved" in kinds:
        yield "chips moved during a round"
    if carried and sheet.status == "won" and "three_ones_shown" not in kinds:
        yield "carried pot won"
    played = [event for event in page if event["type"] != "chips_moved"]
    of_game = {"shirinma": of_shirinma, "shippin": of_shippin, "kakkuri": of_kakkuri}[book.game]
    yield from of_game(book, played, sheet, carried)


def of_shirinma(book: Book, page: list[Event], sheet: Sheet, carried: int) -> Iterator[str]:
    yield from sheet.reasons
    if len(sheet.reasons) > 1:
        yield "several reasons"
    yield from of_the_third_deal(book, page, sheet)
    if sheet.back_rider:
        yield "half rights"
        pot = carried + sum(sheet.put_in.values())
        if pot % 2:
            yield f"odd chip: {sheet.rules['odd_chip']}"
            assert book.chips["pot"] == (1 if sheet.rules["odd_chip"] == "carry" else 0)
        if sheet.back_rider == sheet.dealer:
            yield "the dealer rides"
    if sheet.status == "forfeited" and sheet.next_dealer == sheet.dealer:
        yield "the same dealer after a forfeit"
    dealt = [event["card"] for event in page if event["type"] == "card_dealt"]
    if "plain" in dealt:
        yield "plain"
    for one, two, three in zip(page, page[1:], page[2:], strict=False):
        if one["type"] == two["type"] == three["type"] == "bid_placed" and one["player"] == three["player"]:
            yield "outbid and bid again"
    for one, two in pairwise(page):
        if one["type"] == two["type"] == "bid_placed" and one["player"] != two["player"] and "overrule" in two:
            if one["amount"] > two["amount"]:
                yield "a bid too low takes nothing from a higher one"
            elif one["amount"] == two["amount"]:
                yield "a bid as high takes nothing from the first"
    if any(event["type"] == "auction_closed" for event in page):
        yield "auction_closed"


def of_the_third_deal(book: Book, page: list[Event], sheet: Sheet) -> Iterator[str]:
    cards = readings(book.deck, sheet.rules["western_courts"])
    seats = len(sheet.players)
    dealt = [event for event in page if event["type"] == "card_dealt"]
    rounds = [place for place, event in enumerate(dealt) if event["player"] == sheet.dealer]
    short = [number for number, (one, other) in enumerate(pairwise(rounds), 1) if other - one < seats]
    if page[-1]["type"] == "trump_revealed" and len(rounds) == 2 and len(dealt) - rounds[1] < seats:
        short.append(2)
    if short:
        yield f"a {['first', 'second'][short[0] - 1]} deal went short"
        return
    if page[-1]["type"] == "trump_revealed" and "overrule" in page[-1]:
        yield "third deal broken off" if sheet.third_deal else "third deal left out"
        if "no_showdown_card" in sheet.reasons:
            yield "third deal broken off, and nobody holds a showdown card"
    elif sheet.third_deal and "overrule" in dealt[2 * seats]:
        yield "third deal, though none was due"
    elif sheet.third_deal:
        yield f"third deal: {sheet.rules['third_deal']}"
    elif seats <= 15 and len(dealt) == 2 * seats and sheet.status != "recording":
        second = [event["card"] for event in dealt[seats:]]
        if all(text == "plain" or cards[text].rank not in SHOWDOWN for text in second):
            yield "no third deal, though nobody received one"


def of_shippin(_book: Book, page: list[Event], sheet: Sheet, _carried: int) -> Iterator[str]:
    if sheet.status != "settled":
        return
    bets = sum(event["type"] == "bet_placed" for event in page)
    if not bets:
        yield "nobody bets"
    elif bets < len(sheet.players) - 1:
        yield "somebody sits out"
    if sheet.rules["must_bet"] == "yes":
        yield "everybody has to bet"
    if "tie" in sheet.verdicts:
        yield "tie"
    if set(sheet.verdicts) == {"player"}:
        yield f"all columns win: {sheet.rules['dealer_role']}"
    second, first = (event for event in page if event["type"].endswith(("dealt", "revealed")))
    dealers = kabu_value(first["dealer"]), kabu_value(second["dealer"])
    pairs = list(zip(first["columns"], second["columns"], strict=True))
    if (None, None) in pairs:
        yield "a column is left out"
    if any(pair.count(None) == 1 for pair in pairs):
        yield "half a column is left out"
    hands = [set(map(kabu_value, pair)) for pair in pairs if None not in pair]
    if any(hand & {1, 4} for hand in hands) and {1, 4} & set(dealers):
        switch = sheet.rules["karami_vs_karami"]
        yield "shippin beats karami" if dealers == (4, 1) else f"both karami: {switch}"


def of_dropping_out(page: list[Event], sheet: Sheet) -> Iterator[str]:
    """Of eight the one who has to, and those who pay a share for it."""
    dealer = {"type": "player_dropped_out", "player": sheet.dealer}
    if len(sheet.players) == 8 and dealer in page[:2]:
        yield "the dealer drops out"
    later = [event for event in page[2:] if event["type"] == "player_dropped_out"]
    if later:
        yield "a player drops out for a share"
        if sheet.guri:
            yield "guri after others dropped out"
    if dealer in later:
        before = page[page.index(dealer) - 1]["type"]
        yield (
            "the dealer drops out with a box card turned"
            if before == "box_card_revealed"
            else "the dealer leaves the pile"
        )
    if later and page[-1] is later[-1] and sheet.winner:
        yield "the last one left in wins"


def of_kakkuri(book: Book, page: list[Event], sheet: Sheet, carried: int) -> Iterator[str]:
    yield from {event["type"] for event in page}
    yield f"sequence: {sheet.rules['sequence']}"
    yield from of_dropping_out(page, sheet)
    if page[-1]["type"] == "three_ones_shown":
        yield "three ones beside a carried pot" if carried else "three ones"
    if sheet.guri:
        yield "guri"
        if "cards" in page[-1]:
            yield "guri by cards"
        if sheet.put_in.get(page[-1]["player"]):
            yield "guri after an empty turn"
    if sheet.box_ran_out:
        yield f"box runs out: {sheet.rules['box_empty']}"
        if sum(event["type"] == "box_card_revealed" for event in page) > 5:
            yield "box reshuffled and drawn from"
        if sheet.rules["box_empty"] == "lead_any" and sheet.winner:
            yield "won after leading anything"
    courts = sheet.rules["western_courts"]
    turns = [event for event in page if event["type"] == "turn_played"]
    for before, turn in zip([{}, *turns], turns, strict=False):
        if turn["type"] == "turn_played":
            if not {"cards", "count"} & turn.keys():
                yield "empty turn by nothing"
            if turn["player"] in sheet.put_in:
                yield f"an empty turn costs {sheet.rules['empty_turn_shares']}"
            if "top" in turn:
                yield f"the top card beside a count of {'one' if turn['count'] == 1 else 'several'}"
            if "top" in before and turn.get("cards"):
                yield "cards follow a top card"
            cards = [readings(book.deck, courts)[text] for text in turn.get("cards", [])]
            if book.deck == "western" and {10, 11} & {card.rank for card in cards}:
                yield f"western courts: {courts}"
            if WILD & set(cards):
                yield f"{book.deck} wild"
            numbers = [card.rank for card in cards]
            if any(len(set(three)) == 1 for three in zip(numbers, numbers[1:], numbers[2:], strict=False)):
                yield "three of a number"
