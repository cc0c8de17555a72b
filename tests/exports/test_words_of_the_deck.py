"""Whoever plays reads the names of the cards that lie on the table, and of no other deck's.

Said are refusals, explanations and what one takes home, of random evenings with every game and deck, in both
languages. Each event of an evening is reported early, by somebody else, and with other cards too, for the refusals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

import pytest

from ledger.cards import DECKS, DeckName
from ledger.games import GAMES, newest
from ledger.history import SessionState
from ledger.language import LANGUAGES, Language, render
from ledger.play.refusals import Refused
from ledger.session.rounds import explain
from tests.exports.recorder import Recorder
from tests.properties.folding import opened, read
from tests.reckoning import GAMES as RECKONED
from tests.reckoning.evenings import Evening, an_evening
from tests.scorekeeper import Json
from tests.words_of_decks import foreign_to, strays

TABLES = [(game, deck) for game in GAMES for deck in newest(game).decks]
SWITCH_OF_A_GROUP = re.compile(r"\bpayments\.\w+=")
"""How the notation writes a house rule: by its name, which belongs to no deck."""

every_table = pytest.mark.parametrize(("game", "deck"), TABLES)


def evening_with(game: str, deck: DeckName, seed: int) -> Evening:
    """A whole evening of a game with this deck; what is reported counts cards in its own writing."""
    shape = Random(f"{game} {deck} {seed}")
    while True:
        found = an_evening(shape, game, max_rounds=2, whole=True)
        if found.opening.get("deck", RECKONED[game].DECKS[0]) == deck:
            return found


def said(refusal: Refused) -> Iterator[tuple[Language, str]]:
    for language in LANGUAGES:
        yield language, render(refusal.sentence, language, {})


def slips(report: Json, later: list[Json], cards: list[str]) -> Iterator[Json]:
    """What might be reported instead: what comes later, the same by somebody else, the same with other cards."""
    yield from later
    for player in ("p1", "p2", "p99"):
        yield report | {"player": player} if "player" in report else report
    for card in cards:
        yield from [report | {"card": card}] if "card" in report else []
        yield from [report | {"cards": [card, *report["cards"]]}] if "cards" in report else []


def refused(on: SessionState, reports: Iterable[Json], game: str) -> Iterator[Refused]:
    for report in reports:
        try:
            on.record(read(report, game), newest(game).version)
        except Refused as refusal:
            if refusal.code != "foreign_card":  # it names a card that is not of this deck
                yield refusal


@every_table
def test_no_word_of_another_deck_is_said(game: str, deck: DeckName) -> None:
    chance = Random(f"{game} {deck}")
    codes = [card.code for card in DECKS[deck]]
    texts: set[tuple[Language, str]] = set()
    for seed in range(3 if game == "shirinma" else 8):
        evening = evening_with(game, deck, seed)
        opening, events = evening.opening, evening.events
        on = opened(opening)
        for place, report in enumerate(events):
            if chance.random() < 0.15:
                wrong = slips(report, events[place + 1 : place + 4], chance.sample(codes, 3))
                texts |= {told for refusal in refused(on, wrong, game) for told in said(refusal)}
            on = on.record(read(report, game), newest(game).version).state
        for done in on.rounds():
            texts |= {(language, render(line, language, {})) for line in explain(done) for language in LANGUAGES}
    assert len(texts) > 40
    assert strays(texts, deck) == set()


@every_table
def test_no_word_of_another_deck_is_taken_home(game: str, deck: DeckName, recorder: Recorder) -> None:
    evening = evening_with(game, deck, 1)
    recorder.opens(**evening.opening)
    for report in evening.events:
        recorder.reports(report)
    for language in LANGUAGES:
        for form in ("csv", "html", "txt", "journal"):
            text = SWITCH_OF_A_GROUP.sub("", recorder.takes_home(form, language).decode())
            for found in foreign_to(deck, language).finditer(text):
                pytest.fail(f"{form}, {language}: {text[max(0, found.start() - 60) : found.end() + 30]}")


def test_a_word_of_another_deck_would_be_found() -> None:
    assert strays([("en", "Trump was Cups."), ("ja", "切り札はコップでした。")], "western") == {
        ("Cups", "Trump was Cups."),
        ("コップ", "切り札はコップでした。"),
    }
    assert strays([("en", "Trump was Clubs."), ("ja", "松のカス一"), ("ja", "♥Q")], "western") == {
        ("松のカス一", "松のカス一")
    }
    assert strays([("en", "the Horse of Cups"), ("en", "a 12")], "mekurifuda") == set()
