"""Every card of the four decks as the games are given them: its code, names, face and value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.rulebook.cards import DECK_NAMES, DECKS, Card, DeckName, read

GIVEN = json.loads(Path(__file__).with_name("decks_given.json").read_text("utf-8"))
SUITS = {each["code"]: each for each in GIVEN["suits"]}
RANKS = {each["rank"]: each for each in GIVEN["ranks"]}
WESTERN = {"C": ("Clubs", "♣"), "S": ("Spades", "♠"), "H": ("Hearts", "♥"), "D": ("Diamonds", "♦")}
COURTS = {"A": ("Ace", 1), "J": ("Jack", 11), "Q": ("Queen", 12), "K": ("King", 13)}
CARDS = [(deck, card, row) for deck in DECK_NAMES for card, row in zip(DECKS[deck], GIVEN[deck], strict=True)]


def names_of(deck: DeckName, row: dict[str, Any]) -> tuple[str, str]:
    code: str = row["code"]
    match deck:
        case "mekurifuda":
            suit, rank = SUITS[row["suit"]], RANKS[row["rank"]]
            japanese = {"オウル": "オール"}.get(first := suit["ja"].partition("（")[0], first)  # as the glossary has it
            return f"{rank['en']} of {suit['en']}", f"{japanese}の{rank['ja']}"
        case "western":
            suit, symbol = WESTERN[code[-1]]
            return f"{COURTS.get(code[:-1], (code[:-1],))[0]} of {suit}", f"{symbol}{code[:-1]}"
        case "hanafuda":  # two names are one, and three cards of one name are three
            return row["en"], row["ja"].partition("（")[0] + {"1": "一", "2": "二", "3": "三"}.get(code[-1], "")
    return code, code


@pytest.mark.parametrize(("deck", "card", "row"), CARDS, ids=str)
def test_a_card_is_as_given(deck: DeckName, card: Card, row: dict[str, Any]) -> None:
    assert (card.deck, card.code, read(card.code)) == (deck, row["code"], card)
    assert (card.english, card.japanese) == names_of(deck, row)
    assert card.kabu == row.get("kabu_value", row.get("value"))
    assert (card.copies, card.month, card.month_class) == (row.get("copies", 1), row.get("month"), row.get("class"))
    face = row.get("mekurifuda", row["code"] if deck == "mekurifuda" else None)
    faces = {"JQK": face, "QJK": row.get("mekurifuda_if_courts_are_qjk", face)}
    assert {courts: "-".join(map(str, face)) for courts, face in card.faces.items()} == {
        courts: face for courts, face in faces.items() if face
    }
    if deck in ("mekurifuda", "western"):
        suit = row.get("suit") or WESTERN[card.code[-1]][0].lower()
        rank = row.get("rank") or COURTS.get(card.code[:-1], ("", 0))[1] or int(card.code[:-1])
        assert (card.suit, card.rank) == (suit, rank)
