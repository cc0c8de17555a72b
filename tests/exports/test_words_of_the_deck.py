"""Exports name the cards of the deck that lies on the table, and of no other deck, in both languages."""

from __future__ import annotations

import re
from random import Random

import pytest

from ledger.games import GAMES, newest
from ledger.i18n.language import LANGUAGES
from ledger.rulebook.cards import DeckName
from tests.exports.recorder import Recorder
from tests.reckoning import GAMES as RECKONED
from tests.reckoning.evenings import Evening, an_evening
from tests.words_of_decks import foreign_to, strays

TABLES = [(game, deck) for game in GAMES for deck in newest(game).decks]
SWITCH_OF_A_GROUP = re.compile(r"\bpayments\.\w+=")
"""How the notation writes a house rule: by its name, which belongs to no deck."""


def evening_with(game: str, deck: DeckName, shape: Random) -> Evening:
    """A whole evening of a game with this deck; what is reported counts cards in its own writing."""
    while True:
        found = an_evening(shape, game, max_rounds=2, whole=True)
        if found.opening.get("deck", RECKONED[game].DECKS[0]) == deck:
            return found


@pytest.mark.parametrize(("game", "deck"), TABLES)
def test_no_word_of_another_deck_is_exported(game: str, deck: DeckName, recorder: Recorder) -> None:
    evening = evening_with(game, deck, Random(f"{game} {deck}"))
    recorder.opens(**evening.opening)
    recorder.reports(*evening.events)
    for language in LANGUAGES:
        for form in ("csv", "html", "txt", "journal"):
            text = SWITCH_OF_A_GROUP.sub("", recorder.exports(form, language).decode())
            assert [found[0] for found in foreign_to(deck, language).finditer(text)] == []


def test_a_word_of_another_deck_would_be_found() -> None:
    assert strays([("en", "Trump was Cups."), ("ja", "♥Q")], "western") == {("Cups", "Trump was Cups.")}
    assert strays([("en", "the Horse of Cups"), ("en", "a 12")], "mekurifuda") == set()
