"""A card that fell open by accident: the same event in every game, written in the round notation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.games import GAMES, newest
from ledger.i18n.language import render
from ledger.notation import parse
from ledger.rulebook.exposing import cards_to_come
from ledger.rulebook.refusal import Refused
from ledger.services.odds import odds_of
from ledger.session.history import SessionState
from ledger.session.rounds import explain
from ledger.session.table import Table
from tests.properties.folding import opening_of, read

TWELVE = "game shirinma\nplayers Aki Ben Chie Dai Emi Fumi Gen Haru Ichi Jun Ken Leo\nround"
SHIPPIN = "game shippin\nplayers Aki Ben Chie\nround"
FLOWERS = "game shippin\ndeck hanafuda\nplayers Aki Ben Chie\nround"
KAKKURI = "game kakkuri\nplayers Aki Ben Chie Dai Emi Fumi Gen\nround"


def after(text: str) -> Table:
    score = parse(text)
    book = newest(score.opening["game"])
    state = SessionState.opened(GAMES[book.name], opening_of(score.opening))
    for recorded in state.record_all([(read(event, book.name), 1) for event in score.events]):
        state = recorded.state
    return state.table


def refusal(text: str) -> tuple[str, str | None, dict[str, Any]]:
    """The refusal of the last line, and only of that."""
    before, _, _ = text.rpartition("\n")
    after(before)
    with pytest.raises(Refused) as refused:
        after(text)
    known = {name: fact for name, fact in refused.value.facts.items() if name != "index"}
    return refused.value.code, refused.value.rule, known


def odds(at: Table) -> Any:
    assert at.round
    return odds_of(at.round.book, at.round).odds


def left(at: Table, card: str) -> int:
    assert at.round
    may_come = cards_to_come(at.round.book, at.round.phase, at.round.book.expected(at.round.phase))
    assert may_come
    assert all(card not in codes or may_come.left[card] for codes in may_come.next.values())
    return may_come.left[card]


@pytest.mark.parametrize(
    ("opened", "card", "shows", "rule"),
    [
        (TWELVE, "cups-5", "field cups-5", "SH-18"),
        (TWELVE + "\nfield cups-4", "cups-12", "deal p1=cups-12", "SH-18"),
        (FLOWERS, "pine-crane", "second pine-crane 4 4 9 / 2", "SP-15"),
        (KAKKURI, "cups-5", "starter cups-5", "KA-18"),
        (KAKKURI + "\nstarter cups-4", "cups-5", "p1 cups-5", "KA-18"),
    ],
)
def test_a_card_that_was_set_aside_is_not_seen_again(opened: str, card: str, shows: str, rule: str) -> None:
    aside = f"{opened}\naside {card}"
    seq = len(parse(aside).events)
    code, row, facts = refusal(f"{aside}\n{shows}")
    assert (code, row, facts["first_seen_seq"]) == ("card_set_aside", rule, seq)
    assert refusal(f"{aside}\naside {card}")[:2] == ("card_set_aside", rule)
    assert refusal(f"{aside}\nput-back {card}")[:2] == ("card_set_aside", rule)
    assert refusal(f"{aside}\n{shows} overrule=so")[0] == "card_set_aside"
    assert (left(after(opened), card), left(after(aside), card)) == (1, 0)


@pytest.mark.parametrize(
    ("opened", "card", "shows"),
    [
        (TWELVE, "cups-5", "field cups-5"),
        (TWELVE + "\nfield cups-4", "cups-12", "deal p1=cups-12"),
        (FLOWERS, "pine-crane", "second pine-crane 4 4 9 / 2"),
        (SHIPPIN, "4", "second 4 4 4 9 / 4"),
        (KAKKURI, "cups-5", "starter cups-5"),
    ],
)
def test_a_card_that_was_put_back_may_still_come_and_changes_no_chance(opened: str, card: str, shows: str) -> None:
    back = after(f"{opened}\nput-back {card}\nput-back {card}")
    assert odds(back) == odds(after(opened))
    assert left(back, card) == left(after(opened), card)
    after(f"{opened}\nput-back {card}\n{shows}")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"{TWELVE}\nfield cups-5\naside cups-5", "SH-18"),
        (f"{TWELVE}\nfield cups-4\ndeal p1=cups-12\nput-back cups-12", "SH-18"),
        (f"{FLOWERS}\nsecond pine-crane 4 4 9 / 2\naside pine-crane", "SP-15"),
        (f"{SHIPPIN}\nsecond 4 4 4 9 / 4\naside 4", "SP-15"),
        (f"{KAKKURI}\nstarter cups-4\np1 cups-5\naside cups-5", "KA-18"),
    ],
)
def test_what_lies_on_the_table_did_not_fall_open(text: str, rule: str) -> None:
    code, row, _ = refusal(text)
    assert (code, row) == ("card_already_seen", rule)


def test_a_card_exposed_moves_no_chips_and_belongs_to_a_round() -> None:
    at = after(f"{TWELVE}\nfield cups-4\naside cups-5\nput-back cups-6")
    assert at.pot == 240
    assert refusal(TWELVE.removesuffix("round") + "aside cups-5")[0] == "no_round_open"
    assert refusal(f"{TWELVE}\naside QH")[0] == "foreign_card"


def test_the_chances_at_shirinma_count_a_card_set_aside_as_gone() -> None:
    """Of 47 unseen cards one is gone: the deck has 46, and the King beats nobody any more."""
    table = f"{TWELVE}\nfield swords-4\ndeal p1=cups-11"
    before, aside = odds(after(table)), odds(after(f"{table}\naside cups-12"))
    assert (before.unseen, aside.unseen) == (46, 45)
    assert len(aside.to_come) == len(before.to_come) - 1
    assert aside.cards[0].wins > before.cards[0].wins
    assert aside.cards[0].wins + sum(aside.to_come.values()) + aside.nobody_wins == 1
    lone = odds(after(f"{table}\naside swords-12"))
    assert lone.cards[0].wins + sum(lone.to_come.values()) + lone.nobody_wins == 1


def test_the_horse_of_the_trump_suit_wins_if_the_bottom_card_is_a_cup_that_is_not_low() -> None:
    """Without the King in the deck nothing can beat it: of 45 unseen cards 8 cups are left that do not forfeit."""
    aside = odds(after(f"{TWELVE}\nfield swords-4\ndeal p1=cups-11\naside cups-12"))
    assert aside.cards[0].wins == Fraction(8, 45)


def test_the_chances_at_shippin_count_a_value_set_aside_as_gone() -> None:
    before, aside = odds(after(SHIPPIN)), odds(after(f"{SHIPPIN}\naside 4\naside 4"))
    assert (before.shippin, before.unseen) == (Fraction(4 * 4, 40 * 39), 40)
    assert (aside.shippin, aside.unseen) == (Fraction(2 * 4, 38 * 37), 38)
    assert aside.columns[0].wins != before.columns[0].wins
    second = odds(after(f"{SHIPPIN}\naside 4\nsecond 4 3 2 9 / 1"))
    assert (second.shippin, second.unseen) == (Fraction(2, 34), 34)


def test_of_a_value_only_four_are_seen_those_set_aside_included() -> None:
    two = f"{SHIPPIN}\naside 4\naside 4"
    assert refusal(f"{two}\nsecond 4 4 4 9 / 1")[:2] == ("card_set_aside", "SP-15")
    assert left(after(two), "4") == 2
    whole = after(f"{two}\nsecond 4 4 3 9 / 1")
    assert left(whole, "4") == 0
    named = f"{FLOWERS}\naside pine-crane\nsecond 1 1 4 9 / 1"
    assert refusal(f"{named}\naside 1")[0] == "no_card_of_value_left"


def test_the_bottom_card_is_never_set_aside_and_a_deal_may_go_short_by_it() -> None:
    names = " ".join(f"n{number}" for number in range(23))
    dealt = "field cups-4\ndeal cups-12 " + "plain " * 22
    table = f"game shirinma\nplayers {names}\nround\n{dealt}"
    at = after(
        f"{table}\naside swords-12\ndeal p1=coins-1 coins-10 coins-11 coins-12 clubs-1 clubs-10 clubs-11 clubs-12 "
        "swords-1 swords-10 swords-11 cups-1 cups-10 plain plain plain plain plain plain plain plain plain"
    )
    assert at.round
    assert [each.type for each in at.round.book.expected(at.round.phase)] == ["trump_revealed"]


def test_the_end_of_a_round_tells_what_was_set_aside() -> None:
    at = after(f"{SHIPPIN}\naside 4\nput-back 5\nsecond 4 4 3 9 / 1\nfirst 1 2 3 3 / 10")
    assert at.round
    told = explain(at.round)
    assert render(told[-1], "en", {}) == "Seen by accident and set aside: 4."
    assert render(told[-1], "ja", {}) == "見えてしまい、よけた札：4。"


def test_so_many_cards_stay_at_shippin_that_a_round_can_be_played() -> None:
    """SP-15. A round takes ten of the forty, so thirty can be set aside."""
    values = [str(value) for value in range(1, 11) for _ in range(3)]
    aside = SHIPPIN + "".join(f"\naside {value}" for value in values)
    assert refusal(f"{aside}\naside 1") == ("too_few_cards_left", "SP-15", {"count": 10})
    assert left(after(aside), "1") == 1
