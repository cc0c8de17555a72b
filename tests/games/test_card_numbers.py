"""Kakkuri speaks of numbers, with every deck: the 1 of Clubs, never the Dragon, the Ace or ピン."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from ledger.codec.encoding import plain
from ledger.games import GAMES, newest
from ledger.games.kakkuri import BOOK
from ledger.i18n.language import LANGUAGES, Language, render
from ledger.i18n.sentences import Sentence, say
from ledger.responses.games import game_answer
from ledger.rulebook.cards import DeckName, read
from ledger.rulebook.refusal import Refused
from ledger.services.calculation import calculate
from ledger.session.rounds import changed, explain
from ledger.session.table import Opening
from schemas.loading import load_event
from tests.games.test_kakkuri import REFUSED, TOLD, reports

COURTS = ("JQK", "QJK")
NAMES_OF_RANKS = re.compile(r"Dragon|Maid|Horse|King|Queen|Jack|\bAce|ピン|の馬|の切|[♣♠♥♦][AJQK]")


def seated(players: int, deck: DeckName, *, carried: int = 0, **rules: Any) -> Opening:
    """So many people at a table; the first deals."""
    seats = tuple(f"Seat {seat}" for seat in range(1, players + 1))
    return Opening(game="kakkuri", deck=deck, players=seats, rules=changed(BOOK.rules(), rules), carried=carried)


def played(text: str, deck: DeckName, courts: str, table: dict[str, Any]) -> tuple[Sentence, ...]:
    """What is said of a round as a session records it: why it was refused, or how it ended."""
    table = {"players": 7, **table}
    rules = {name: value for name, value in table.items() if name not in {"players", "carried", "dealer"}}
    opening = seated(table["players"], deck, carried=table.get("carried", 0), western_courts=courts, **rules)
    try:
        return explain(calculate(opening, list(reports(text))).round)
    except Refused as refused:
        nested = (fact for fact in refused.facts.values() if isinstance(fact, Sentence))
        return (refused.sentence, *nested)


def everything_said(deck: DeckName, courts: str) -> Iterator[Sentence]:
    for text, table in (*REFUSED, *TOLD, *OTHERS):
        yield from played(text, deck, courts, table)


@pytest.mark.parametrize("deck", BOOK.decks)
@pytest.mark.parametrize(
    "ends", [{"type": "three_ones_shown", "player": "p1"}, {"type": "round_voided", "reason": "Tea"}]
)
def test_cards_set_aside_are_told_by_their_numbers(deck: DeckName, ends: dict[str, str]) -> None:
    """So are those of a round that was voided."""
    exposed = [{"type": "card_exposed", "card": code} for code in ("clubs-1", "cups-12", "cups-11")]
    events = [load_event(told) for told in ({"type": "round_opened"}, *exposed, ends)]
    done = calculate(seated(7, deck), events).round
    for language in LANGUAGES:
        told = " ".join(render(sentence, language, {}) for sentence in explain(done))
        assert not NAMES_OF_RANKS.search(told), told


OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("starter cups-12; p1 cups-12", {}),
    ("starter cups-11; p1 cups-12 coins-1; p2 coins-1", {}),
    ("starter cups-5; p1 QH", {}),
    ("starter cups-5; p1 10H", {}),
    ("starter coins-10; p1 cups-1", {}),
    ("p1 pairs; starter coins-10; p1 cups-11", {}),
]
"""Refusals that all games share, and cards whose ranks have names."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("courts", COURTS)
@pytest.mark.parametrize("deck", BOOK.decks)
def test_no_sentence_calls_a_card_by_the_name_of_its_rank(deck: DeckName, courts: str, language: Language) -> None:
    said = [render(sentence, language, {}) for sentence in everything_said(deck, courts)]
    assert len(said) > 50
    assert [sentence for sentence in said if NAMES_OF_RANKS.search(sentence)] == []


@pytest.mark.parametrize(
    ("code", "courts", "english", "japanese"),
    [
        ("clubs-1", "JQK", "the 1 of Clubs", "ハウの一"),
        ("coins-12", "JQK", "the 12 of Coins", "オールの十二"),
        ("QH", "JQK", "the 11 of Hearts", "♥11"),
        ("QH", "QJK", "the 10 of Hearts", "♥10"),
        ("AS", "JQK", "the 1 of Spades", "♠1"),
        ("pine-crane", "JQK", "the Crane (1)", "松に鶴（1）"),
        ("plum-warbler", "JQK", "the Bush Warbler (12)", "梅に鶯（12）"),
        ("10H", "JQK", "the 10 of Hearts", "♥10"),
        ("4", "JQK", "4", "4"),
    ],
)
def test_a_card_is_called_by_the_number_it_stands_for(code: str, courts: Any, english: str, japanese: str) -> None:
    sentence = Sentence("{card:card}", {"card": read(code)}, courts)
    nested = Sentence("{of:sentence}", {"of": say("{card:cards}", card=(read(code),))}, courts)
    assert render(sentence, "en", {}) == render(nested, "en", {}) == english
    assert render(sentence, "ja", {}) == render(nested, "ja", {}) == japanese


@pytest.mark.parametrize("game", GAMES)
def test_only_kakkuri_speaks_of_numbers_and_says_so(game: str) -> None:
    assert plain(game_answer(newest(game)))["speaks_of_numbers"] == (game == "kakkuri")


def test_no_label_of_the_game_names_a_rank() -> None:
    told = plain(game_answer(newest("kakkuri")))
    rules = [switch for switch in told["rules"] if switch["name"] != "western_courts"]
    assert NAMES_OF_RANKS.findall(str(told | {"rules": rules})) == []
