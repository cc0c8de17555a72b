"""Shippin's chances: against whatever first cards may lie there, by the second reckoning, and against their mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import perm, prod
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.cards import DECKS, Card, DeckName, pack_of_values, read
from ledger.games.odds.shippin import before_second_cards, total_loss, with_second_cards
from ledger.games.odds.shippin_table import ShippinOdds, odds, verdict_of_values
from ledger.games.shippin import BOOK, BetPlaced, FirstCardsRevealed, Rules, SecondCardsDealt
from ledger.notation import parse
from ledger.play import Ground, OutOfPlace, Over, Phase, Seats
from tests.properties.folding import opened
from tests.properties.folding import read as report
from tests.reckoning.shippin import SWITCHES, verdict
from tests.session.tables import VOID, after, entered, shippin_round, table

ROUNDS = sorted((Path(__file__).parent.parent / "rounds").glob("shippin-*.txt"))
RULES = [
    Rules(karami_vs_karami=karami, tie=tie) for karami, tie in product(SWITCHES["karami_vs_karami"], SWITCHES["tie"])
]
each_rules = pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.karami_vs_karami}-{rules.tie}")
FATES = ("player", "dealer", "tie")


def opening(deck: Any = "kabufuda", rules: Rules | None = None) -> Phase:
    return BOOK.open_round(Ground(Seats(("p1", "p2", "p3")), "p1", deck, rules or Rules())).phase


def five(kind: Any, values: Iterable[Any]) -> Any:
    one, two, three, four, dealer = (read(str(each)) if each else None for each in values)
    return kind((one, two, three, four), dealer)


def with_seconds(*values: Any, deck: DeckName = "kabufuda", rules: Rules | None = None) -> Phase:
    return BOOK.play(opening(deck, rules), five(SecondCardsDealt, values)).phase


def known(at: Phase) -> ShippinOdds:
    found = odds(at)
    assert found
    return found


def shuffled(chance: Random, deck: Any) -> list[Card]:
    cards = [card for card in pack_of_values(deck).in_deck_order if card.deck == deck for _ in range(card.copies)]
    chance.shuffle(cards)
    return cards


# --- against every order that is left ---------------------------------------------------------------------------------


def agreed_on(rules: Rules) -> dict[str, str]:
    return {"karami_vs_karami": rules.karami_vs_karami, "tie": rules.tie}


def by_the_second_reckoning(seconds: list[int], dealer: int, rules: Rules) -> tuple[list[Counter[str]], int, int]:
    """Turn every five first cards, by value: how each column fares, how often all four win, and how many there are."""
    left = Counter(dict.fromkeys(range(1, 11), 4))
    left.subtract([*seconds, dealer])
    agreed = agreed_on(rules)
    fates, losses = [Counter[str]() for _ in seconds], 0
    for dealers in range(1, 11):
        told = [{own: verdict((own, second), (dealers, dealer), agreed) for own in range(1, 11)} for second in seconds]
        for firsts in product(range(1, 11), repeat=len(seconds)):
            wanted = Counter((*firsts, dealers))
            if ways := prod(perm(left[each], count) for each, count in wanted.items()):
                ends = [ends[own] for ends, own in zip(told, firsts, strict=True)]
                for fate, end in zip(fates, ends, strict=True):
                    fate[end] += ways
                losses += ways * (set(ends) == {"player"})
    return fates, losses, perm(left.total(), 1 + len(seconds))


def agrees(seconds: list[int], dealer: int, rules: Rules) -> None:
    fates, losses, total = by_the_second_reckoning(seconds, dealer, rules)
    told = known(with_seconds(*seconds, dealer, rules=rules))
    for column, fate in zip(told.columns, fates, strict=True):
        assert (column.wins, column.loses, column.ties) == tuple(Fraction(fate[end], total) for end in FATES)
        assert column.worth == rules.bet * Fraction(fate["player"] - fate["dealer"], total)
    assert told.total_loss == Fraction(losses, total)


@pytest.mark.parametrize("rules", [RULES[0], RULES[-1]])
def test_every_five_first_cards_come_to_what_was_counted(rules: Rules) -> None:
    """100,000 of them by value, with a dealer who may come to shippin."""
    agrees([4, 10, 9, 1], 1, rules)


@pytest.mark.endurance
@each_rules
def test_every_five_first_cards_on_any_second_cards_come_to_what_was_counted(rules: Rules) -> None:
    chance = Random(f"{rules.karami_vs_karami} {rules.tie}")
    for _ in range(12):
        *seconds, dealer = chance.sample([value for value in range(1, 11) for _ in range(4)], 5)
        agrees(seconds, dealer, rules)


@each_rules
def test_a_bet_is_worth_what_all_two_hands_of_a_pack_come_to(rules: Rules) -> None:
    agreed, ways = agreed_on(rules), Counter[str]()
    for four in product(range(1, 11), repeat=4):
        first, second, dealers_first, dealers_second = four
        end = verdict((first, second), (dealers_first, dealers_second), agreed)
        ways[end] += prod(perm(4, count) for count in Counter(four).values())
    told = known(opening(rules=rules))
    assert ways.total() == perm(40, 4)
    for column in told.columns:
        assert (column.wins, column.loses, column.ties) == tuple(Fraction(ways[end], ways.total()) for end in FATES)
    assert told.shippin == Fraction(4 * 4, 40 * 39)
    assert told.total_loss is None


def test_the_counting_holds_for_a_pack_so_small_that_every_order_can_be_tried() -> None:
    """Eight cards, of which two and a dealer's have been seen and then three are turned: each order by itself."""
    pack, ruled = [1, 1, 4, 4, 5, 5, 9, 10], verdict_of_values(Rules())
    ways, losses = [Counter[str](), Counter[str]()], 0
    orders = list(permutations(range(5), 3))
    left = [1, 4, 5, 9, 10]  # when a 1, a 4 and, for the dealer, a 5 have been seen
    assert sorted([*left, 1, 4, 5]) == pack
    for own, other, dealers in orders:
        ends = [ruled((left[place], second), (left[dealers], 5)) for place, second in ((own, 1), (other, 4))]
        for fate, end in zip(ways, ends, strict=True):
            fate[end] += 1
        losses += ends == ["player", "player"]
    unseen = Counter(left)
    for fate, second in zip(ways, (1, 4), strict=True):
        told = with_second_cards(unseen, second, 5, ruled)
        assert (told.wins, told.loses, told.ties) == tuple(Fraction(fate[end], len(orders)) for end in FATES)
    assert total_loss(unseen, (1, 4), 5, ruled) == Fraction(losses, len(orders))
    alone = Counter[str](ruled((one, two), (three, four)) for one, two, three, four in permutations(pack, 4))
    told = before_second_cards(Counter(pack), ruled)
    assert (told.wins, told.loses, told.ties) == tuple(Fraction(alone[end], alone.total()) for end in FATES)


# --- laws -------------------------------------------------------------------------------------------------------------


def sums_to_one(at: Phase) -> None:
    told = known(at)
    for column in told.columns:
        assert column.wins + column.loses + column.ties == 1
    chances = [
        told.shippin,
        *(chance for column in told.columns for chance in (column.wins, column.loses, column.ties)),
    ]
    assert all(isinstance(chance, Fraction) and 0 <= chance <= 1 for chance in chances)


@each_rules
@pytest.mark.parametrize("deck", BOOK.decks)
def test_a_columns_chances_come_to_one_all_through_a_round(deck: Any, rules: Rules) -> None:
    cards = shuffled(Random(deck), deck)
    second, first = five(SecondCardsDealt, cards[:5]), five(FirstCardsRevealed, cards[5:10])
    at = opening(deck, rules)
    for event in (BetPlaced("p2", 3), second, first):
        sums_to_one(at)
        at = BOOK.play(at, event).phase
    sums_to_one(at)


def seconds_of_others() -> Iterator[tuple[tuple[int, ...], int]]:
    """Three more second cards, whichever they lie under, and in how many orders they may."""
    for three in combinations_with_replacement(range(1, 11), 3):
        yield three, perm(3) // prod(perm(count) for count in Counter(three).values())


def mean_over_second_cards(rules: Rules, dealer: int) -> tuple[Fraction, Fraction, Fraction]:
    """What the first column's chances come to on the average, all second cards being alike but the dealer's."""
    wins = loses = ties = Fraction()
    pack, ruled = Counter(dict.fromkeys(range(1, 11), 4)), verdict_of_values(rules)
    pack[dealer] -= 1
    for own in range(1, 11):
        for others, orders in seconds_of_others():
            seen = Counter((own, *others))
            if ways := orders * prod(perm(pack[each], count) for each, count in seen.items()):
                column = with_second_cards({each: pack[each] - seen[each] for each in pack}, own, dealer, ruled)
                share = Fraction(ways, perm(39, 4))
                wins, loses, ties = wins + share * column.wins, loses + share * column.loses, ties + share * column.ties
    return wins, loses, ties


@pytest.mark.endurance
@each_rules
def test_the_chances_before_the_second_cards_are_the_mean_of_those_after(rules: Rules) -> None:
    means = [mean_over_second_cards(rules, dealer) for dealer in range(1, 11)]
    alone = known(opening(rules=rules)).columns[0]
    assert [sum(ends) / 10 for ends in zip(*means, strict=True)] == [alone.wins, alone.loses, alone.ties]


@each_rules
def test_the_chances_with_the_second_cards_are_the_mean_of_what_the_dealers_first_card_leaves(rules: Rules) -> None:
    """Each of the dealer's first cards in turn, and with it each of the column's: by what the rule book then says."""
    seconds, dealer = (7, 1, 3, 10), 1
    at = with_seconds(*seconds, dealer, rules=rules)
    left = Counter(dict.fromkeys(range(1, 11), 4))
    left.subtract([*seconds, dealer])
    mean = Counter[str]()
    for dealers, own in product(range(1, 11), repeat=2):
        if ways := left[dealers] * (left[own] - (dealers == own)):
            others = left.copy()
            others.subtract([dealers, own])
            end = BOOK.play(at, five(FirstCardsRevealed, [own, *list(others.elements())[:3], dealers])).phase
            assert isinstance(end, Over)
            column = known(end).columns[0]
            for name in ("wins", "loses", "ties"):
                mean[name] += ways * int(getattr(column, name))
    column = known(at).columns[0]
    assert [Fraction(mean[name], perm(35, 2)) for name in ("wins", "loses", "ties")] == [
        column.wins,
        column.loses,
        column.ties,
    ]


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_every_round_worked_out_by_hand_has_chances_that_come_to_one(path: Path) -> None:
    score = parse(path.read_text("utf-8"))
    on, seen = opened(dict(score.opening)), 0
    for event in score.events:
        on = on.record(report(dict(event), "shippin"), 1).state
        if on.table.round and odds(on.table.round.phase):
            sums_to_one(on.table.round.phase)
            seen += 1
    assert seen or path.stem == "shippin-seat-draw"


# --- by example -------------------------------------------------------------------------------------------------------


def test_only_a_second_card_that_is_a_1_leaves_the_dealer_a_chance_of_shippin() -> None:
    assert known(with_seconds(2, 4, 6, 8, 1)).shippin == Fraction(3, 35)
    assert known(with_seconds(4, 4, 4, 4, 1)).shippin == 0
    assert known(with_seconds(2, 6, 8, 9, 4)).shippin == 0


def test_a_column_that_was_left_out_has_no_chances_and_nobody_asks_for_a_total_loss() -> None:
    at = with_seconds(7, None, None, 3, 9, rules=Rules(dealer_role="fixed"))
    told = known(at)
    assert [column.column for column in told.columns] == [1, 4]
    assert told.total_loss is None
    assert told.unseen == 37


def test_a_card_that_is_named_counts_as_its_value() -> None:
    values = (7, 3, 5, 10, 9)
    by_value = known(with_seconds(*values))
    decks: tuple[DeckName, ...] = ("hanafuda", "western")
    for deck in decks:
        named = [next(card for card in DECKS[deck] if card.kabu == value) for value in values]
        assert known(with_seconds(*named, deck=deck)) == by_value


def test_a_bet_is_worth_more_where_ties_are_not_the_dealers() -> None:
    worth = {rules: known(opening(rules=rules)).columns[0].worth for rules in RULES}
    assert worth[Rules()] == Fraction(-122, 45695)
    for rules, chips in worth.items():
        assert chips <= worth[Rules(karami_vs_karami=rules.karami_vs_karami)] < 0


def test_whoever_bet_on_a_column_is_told_with_it() -> None:
    at = BOOK.play(opening(rules=Rules(bet=50)), BetPlaced("p3", 2)).phase
    assert [column.player for column in known(at).columns] == [None, "p3", None, None]
    assert known(at).columns[1].worth == 50 * Fraction(-122, 45695)


def test_what_has_happened_is_certain() -> None:
    done = after(table(), *shippin_round()).round
    assert done
    told = known(done.phase)
    assert [(int(each.wins), int(each.loses), int(each.ties)) for each in told.columns] == [
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (0, 1, 0),
    ]
    assert told.shippin == told.total_loss == 0
    assert told.unseen == 30


def test_a_total_loss_that_has_happened_is_certain_and_so_is_shippin() -> None:
    lost = BOOK.play(with_seconds(6, 1, 4, 3, 7), five(FirstCardsRevealed, [4, 10, 4, 1, 2])).phase
    assert known(lost).total_loss == 1
    four_one = BOOK.play(with_seconds(6, 1, 4, 3, 1), five(FirstCardsRevealed, [4, 10, 4, 1, 4])).phase
    assert known(four_one).shippin == 1
    assert known(four_one).total_loss == 0


def test_of_one_card_alone_nothing_can_be_said() -> None:
    with pytest.raises(OutOfPlace):
        odds(opening(), read("4"))


def test_a_round_that_does_not_count_or_was_entered_by_its_totals_has_no_chances() -> None:
    voided = after(table(), *shippin_round()[:2], VOID).round
    totals = after(table(), entered("p2:5", "p1:5")).round
    assert voided
    assert totals
    assert (odds(voided.phase), odds(totals.phase)) == (None, None)
