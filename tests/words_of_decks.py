"""The names of cards that a text has, and which deck they are of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ledger.i18n.language import Language
from ledger.rulebook.cards import DECK_NAMES, DECKS, DeckName, name_by_number

Texts = Iterable[tuple[Language, str]]

SUITS_AND_RANKS: dict[DeckName, dict[Language, str]] = {
    "mekurifuda": {"en": "Clubs Swords Cups Coins Dragon Maid Horse King", "ja": "ハウ イス コップ オウル オール パオ"},
    "western": {
        "en": "Clubs Spades Hearts Diamonds Ace Jack Queen King",
        "ja": "クラブ スペード ハート ダイヤ ♣ ♠ ♥ ♦",
    },
    "hanafuda": {"en": "Ribbon Chaff Curtain Crane Lightning", "ja": "カス 短冊 赤短 青短"},
    "kabufuda": {"en": "", "ja": ""},
}
"""The words that names of cards are made of. Bare numbers belong to every deck."""


def words_of(deck: DeckName, language: Language) -> set[str]:
    """The names of a deck's cards, those by numbers too, and the words they are made of."""
    names = {card.english if language == "en" else card.japanese for card in DECKS[deck]}
    names |= {
        name for card in DECKS[deck] for number in range(1, 13) if (name := name_by_number(card, number, language))
    }
    return {name for name in (*names, *SUITS_AND_RANKS[deck][language].split()) if not name.isdigit()}


@cache
def any_of(words: frozenset[str], language: Language) -> re.Pattern[str]:
    """A pattern that finds the longest of these words wherever it stands."""
    found = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"\b(?:{found})\b", re.IGNORECASE) if language == "en" else re.compile(found)


@cache
def foreign_to(deck: DeckName, language: Language) -> re.Pattern[str]:
    """A pattern that finds any word of another deck."""
    others = {word for other in DECK_NAMES if other != deck for word in words_of(other, language)}
    return any_of(frozenset(others - words_of(deck, language)), language)


def strays(texts: Texts, deck: DeckName) -> set[tuple[str, str]]:
    """The words of other decks in texts, each with the text."""
    return {(found[0], text) for language, text in texts for found in foreign_to(deck, language).finditer(text)}
