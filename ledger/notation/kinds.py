"""What may stand in a place of a line: how it is read, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import inspect

from ledger.cards import DECK_NAMES, DECKS, UnknownCard
from ledger.cards import read as read_card
from ledger.games import GAMES, every_book, from_shelf
from ledger.notation.tokens import Line, Token, in_json, perhaps, spelled
from ledger.notation.typed import EitherOf, money, whole_number
from ledger.play.values import is_day
from ledger.records import members_of
from ledger.sentences import Sentence, say

Json = Mapping[str, Any]

_PLAYER = re.compile(r"p[1-9][0-9]{0,3}")
_COUNT = re.compile(r"x[0-9０-９]")
_COMMA = re.compile("[,，、]")
_YES_OR_NO = {"true": True, "false": False}
_ON_OR_OFF = {"on": True, "off": False}
_CARDS = tuple(card.code for deck in DECKS.values() for card in deck)


class Kind(NamedTuple):
    """What a place in a line may hold.

    One token is `wanted` (by default one of those `known`), of which `value_of` makes a value, or None if it does not
    fit; or `several` are read.
    """

    wanted: Sentence | None = None
    value_of: Callable[[Token], Any] = lambda token: token.text
    known: Callable[[], Iterable[str]] = tuple
    several: Callable[[Line], Any] | None = None
    write: Callable[[Any], str] = spelled

    def read(self, line: Line, *, is_key: bool = False) -> Any:
        """Read what may stand here. Raises Misread for anything else."""
        if self.several:
            return self.several(line)
        wanted = self.wanted or say("one of {words:names}", words=tuple(self.known()))
        token = line.take(wanted, is_key=is_key)
        if (value := self.value_of(token)) is None:
            why = say("`{word}` is not {wanted:sentence}", word=token.shown, wanted=wanted)
            raise line.misread(perhaps(why, token.text, self.known()), token.column)
        return value


def one_of(known: Callable[[], Iterable[str]], wanted: Sentence | None = None) -> Kind:
    """Make the kind of one of some words, looked up when it is read."""
    return Kind(wanted, lambda token: token.text if token.text in known() else None, known)


def is_player(text: str) -> bool:
    """Say whether a word is a player's id."""
    return _PLAYER.fullmatch(text) is not None


def _player(token: Token) -> str | None:
    return token.text if is_player(token.text) else None


def _number(token: Token) -> int | None:
    return whole_number(token.text)


def _count(token: Token) -> int | None:
    return int(token.text[1:]) if _COUNT.fullmatch(token.text) else None


def _card(token: Token) -> str | None:
    try:
        read_card(token.text)
    except UnknownCard:
        return None
    return token.text


def _value(token: Token) -> Any:
    """Tell a number, yes or no, and a text apart; in quotes it is a text."""
    if token.group == "text":
        return token.text
    number = whole_number(token.text)
    return _YES_OR_NO.get(token.text, token.text) if number is None else number


def spelled_value(value: Any) -> str:
    """Write a value such that a text is not taken for a number, or for yes or no."""
    quoted = isinstance(value, str) and (value in _YES_OR_NO or whole_number(value) is not None)
    return in_json(value) if quoted else spelled(value)


def _several(kind: Kind, *, least: int = 1, most: int | None = None) -> Callable[[Line], list[Any]]:
    """Make what reads some values in a row, up to the end of the line if not `most` of them."""

    def read_each(line: Line) -> list[Any]:
        found: list[Any] = []
        while len(found) < least or (line.next and len(found) != most):
            found.append(kind.read(line))
        return found

    return read_each


def _read_text(line: Line) -> str:
    """Read a text: in quotes, or words that wide spaces alone part."""
    token = line.take(A_TEXT)
    text = token.text
    while token.group == "word" and line.next and line.next.group == "word" and (gap := line.wide_gap):
        text += gap + line.take(A_TEXT).text
    return text


def _read_names(line: Line) -> list[str]:
    """Read names up to the end of the line. A wide space stays within a name if other spaces part the names."""
    column = line.column
    if listed := [token for token in line.rest if token.group == "word" and _COMMA.search(token.text)]:
        parts = " ".join(filter(None, _COMMA.split(" ".join(token.text for token in line.rest))))
        why = say(
            "names are parted by spaces: write `{names}`, and a name with a comma in quotes",
            names=" ".join(parts.split()),
        )
        raise line.misread(why, listed[0].column)
    last = line.take(A_TEXT)
    names, words, is_sure, joins = [last.text], [last.text], False, False
    while line.next:
        gap, token = line.wide_gap, line.take(A_TEXT)
        words.append(token.text)
        is_sure = is_sure or not gap
        if gap and last.group == token.group == "word":
            joins = True
            names[-1] += gap + token.text
        else:
            names.append(token.text)
        last = token
    if joins and not is_sure:
        size = 2 if len(words) % 2 == 0 and len(names) == 1 else len(words)
        people = ["\u3000".join(words[at : at + size]) for at in range(0, len(words), size)]
        why = say(
            "wide spaces may part people or stand within names: write `{several}`, or `{fewer}`",
            several=_spelled_list(words),
            fewer=_spelled_list(people if len(names) == 1 else names),
        )
        raise line.misread(why, column)
    return names


def _spelled_names(names: Iterable[str]) -> str:
    return " ".join(in_json(name) if _COMMA.search(name) else spelled(name) for name in names)


def _spelled_list(values: Iterable[Any]) -> str:
    return " ".join(map(spelled, values))


def _read_cards(line: Line) -> list[str]:
    """Read the cards of a turn; `-` is none."""
    return [] if line.takes("-") else _several(CARD)(line)


def _read_four(line: Line) -> list[str | None]:
    """Read the cards of four columns; `-` is one that was left out."""
    return [None if card == "-" else card for card in _several(card_or(("-",)), least=4, most=4)(line)]


def _spelled_four(cards: Iterable[str | None]) -> str:
    return " ".join("-" if card is None else spelled(card) for card in cards)


def _by_player(name: str, kind: Kind) -> Kind:
    """Make the kind of `p1=4 p2=9`: a list of players, with something of each."""

    def read_each(line: Line) -> list[dict[str, Any]]:
        found = []
        while line.next_is_key and line.next and is_player(line.next.text):
            found.append({"player": PLAYER.read(line, is_key=True), name: kind.read(line)})
        return found

    def spelled_each(found: Iterable[Json]) -> str:
        return " ".join(f"{each['player']}={spelled(each[name])}" for each in found)

    return Kind(several=read_each, write=spelled_each)


def _read_chip_value(line: Line) -> dict[str, str]:
    worth, currency = line.take(say("what a chip is worth")), line.take(say("a currency"))
    try:
        per_chip = money(worth.text, currency.text)
    except EitherOf as either:
        why = say(
            "`{word}` may be {grouped} or {decimal}: write which",
            word=worth.shown,
            grouped=either.grouped,
            decimal=either.decimal,
        )
        raise line.misread(why, worth.column) from None
    return {"per_chip": worth.text if per_chip is None else per_chip, "currency": currency.text}


def _spelled_chip_value(chip: Json) -> str:
    return _spelled_list((chip["per_chip"], chip["currency"]))


def _read_switches(line: Line) -> dict[str, Any]:
    """Read `ante=20 payments.maid=10`; a dot leads into a group."""
    rules: dict[str, Any] = {}
    while line.next:
        column, path = line.next.column, SWITCH.read(line, is_key=True)
        *groups, name = path.split(".")
        within = rules
        for group in groups:
            within = within.setdefault(group, {})
        if name in within:
            raise line.misread(say("`{word}` is said twice", word=path), column)
        within[name] = VALUE.read(line)
    return rules


def _spelled_switches(rules: Json, path: str = "") -> str:
    return " ".join(
        _spelled_switches(value, f"{path}{name}.")
        if isinstance(value, Mapping)
        else f"{path}{name}={spelled_value(value)}"
        for name, value in rules.items()
    )


@from_shelf
def _switches() -> tuple[str, ...]:
    """Name every switch of every rule book on the shelf."""
    records = {book.rules for book in every_book()}
    return tuple(sorted({switch for rules in records for switch in _switches_of(rules)}))


def _switches_of(rules: Any, path: str = "") -> Iterator[str]:
    for switch in members_of(rules):
        name = path + switch.name
        match switch.type:
            case inspect.StructType(group):
                yield from _switches_of(group, f"{name}.")
            case _:
                yield name


A_TEXT = say("a text")
_A_CARD = say("a card (cards are written like cups-11, QH or Q♥, pine-crane, or 4)")
CARD = Kind(_A_CARD, _card, lambda: _CARDS)


def card_or(words: tuple[str, ...]) -> Kind:
    """Make the kind of a card, or a word for one that was not noted."""
    wanted = say("{card:sentence}, or {words:names}", card=_A_CARD, words=words)
    return Kind(wanted, lambda token: token.text if token.text in words else _card(token), lambda: (*words, *_CARDS))


PLAYER = Kind(say("a player, such as p7"), _player)
NUMBER = Kind(say("a whole number"), _number)
AMOUNT = Kind(say("a whole number of chips, such as 30"), _number)
BALANCE = Kind(say("a whole number of chips, or as in -30 of chips owed"), _number)
VALUE = Kind(say("a value"), _value, write=spelled_value)
SWITCH = one_of(_switches, say("a house rule"))
TEXT = Kind(several=_read_text)

KINDS: Mapping[str, Kind] = {
    "game": one_of(lambda: tuple(GAMES)),
    "deck": one_of(lambda: DECK_NAMES),
    "text": TEXT,
    "number": NUMBER,
    "amount": AMOUNT,
    "player": PLAYER,
    "players": Kind(several=_several(PLAYER, least=0), write=_spelled_list),
    "dealer": Kind(say("a player, such as p7, or a seat number"), lambda token: _player(token) or _number(token)),
    "card": CARD,
    "day": Kind(say("a day, such as 2026-11-20"), lambda token: token.text if is_day(token.text) else None),
    "count": Kind(say("a number of cards, such as x3"), _count, write=lambda count: f"x{count}"),
    "names": Kind(several=_read_names, write=_spelled_names),
    "four": Kind(several=_read_four, write=_spelled_four),
    "cards": Kind(several=_read_cards, write=lambda cards: _spelled_list(cards) or "-"),
    "draws": _by_player("card", CARD),
    "shares": _by_player("amount", AMOUNT),
    "balances": _by_player("balance", BALANCE),
    "switches": Kind(several=_read_switches, write=_spelled_switches),
    "on_or_off": Kind(
        say("on or off"),
        lambda token: _ON_OR_OFF.get(token.text),
        lambda: _ON_OR_OFF,
        write=lambda on: "on" if on else "off",
    ),
    "chip_value": Kind(several=_read_chip_value, write=_spelled_chip_value),
}
"""The kinds by name. Where a form names no kind, its field's own words are one: `<pot>` of `session_closed`."""
