"""What may stand in a place of a line: how it is read, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ledger.codec.encoding import plain
from ledger.games import GAMES, every_book, from_shelf
from ledger.i18n.sentences import Sentence, say
from ledger.notation.tokens import TokenStream, in_json, quoted, with_suggestion
from ledger.notation.typed import amounts_of_money, whole_number
from ledger.rulebook.cards import DECK_NAMES, DECKS, UnknownCard
from ledger.rulebook.cards import read as read_card
from ledger.rulebook.values import is_day

Json = Mapping[str, Any]
Words = Callable[[], Iterable[str]]

_COMMA = re.compile("[,，、]")
_BOOLEANS = {"true": True, "false": False}
_ON_OR_OFF = {"on": True, "off": False}
_CARDS = tuple(card.code for deck in DECKS.values() for card in deck)


class Kind(NamedTuple):
    """What a place in a line may hold.

    One token is `wanted` (by default one of those `known`), of whose text `value_of` makes a value, or None if it does
    not fit; or `several` are read.
    """

    wanted: Sentence | None = None
    value_of: Callable[[str], Any] = str
    known: Words = tuple
    several: Callable[[TokenStream], Any] | None = None
    write: Callable[[Any], str] = quoted

    def read(self, line: TokenStream, *, is_key: bool = False) -> Any:
        """Read what may stand here. Raises NotationSyntaxError for anything else."""
        if self.several:
            return self.several(line)
        wanted = self.wanted or say("one of {words:names}", words=tuple(self.known()))
        token = line.expect(wanted, is_key=is_key)
        if (value := self.value_of(token.text)) is None:
            why = say("`{word}` is not {wanted:sentence}", word=token.shown, wanted=wanted)
            raise line.error(with_suggestion(why, token.text, self.known()), token.column)
        return value


def _passing(test: Callable[[str], object], wanted: Sentence | None, known: Words = tuple) -> Kind:
    return Kind(wanted, lambda text: text if test(text) else None, known)


def one_of(words: Sequence[str], wanted: Sentence | None = None) -> Kind:
    return _passing(words.__contains__, wanted, lambda: words)


def _read_row(kind: Kind, line: TokenStream) -> list[Any]:
    found = []
    while line.next:
        found.append(kind.read(line))
    return found


def _in_a_row(values: Iterable[Any]) -> str:
    return " ".join(map(quoted, values))


def _is_card(text: str) -> bool:
    try:
        return bool(read_card(text))
    except UnknownCard:
        return False


def card_or(words: tuple[str, ...]) -> Kind:
    """Make the kind of a card, or a word for one that was not noted."""
    wanted = say("{card:sentence}, or {words:names}", card=_A_CARD, words=words)
    return _passing(lambda text: text in words or _is_card(text), wanted, lambda: (*words, *_CARDS))


A_PLAYER = re.compile(r"p[1-9][0-9]{0,3}")
_A_TEXT = say("a text")
_A_CARD = say("a card (cards are written like cups-11, QH or Q♥, pine-crane, or 4)")
PLAYER = _passing(A_PLAYER.fullmatch, say("a player, such as p7"))
CARD, _COLUMN = _passing(_is_card, _A_CARD, lambda: _CARDS), card_or(("-",))


def _read_four(line: TokenStream) -> list[str | None]:
    """Read the cards of four columns; `-` is one that was left out."""
    cards = [_COLUMN.read(line) for _ in range(4)]
    return [None if card == "-" else card for card in cards]


def _by_player(name: str, kind: Kind) -> Kind:
    """Make the kind of `p1=4 p2=9`: a list of players, with something of each."""

    def read_each(line: TokenStream) -> list[dict[str, Any]]:
        found = []
        while line.next and line.next.group == "key" and A_PLAYER.fullmatch(line.next.text):
            found.append({"player": PLAYER.read(line, is_key=True), name: kind.read(line)})
        return found

    def write(found: Iterable[Json]) -> str:
        return " ".join(f"{each['player']}={quoted(each[name])}" for each in found)

    return Kind(several=read_each, write=write)


def _read_text(line: TokenStream) -> str:
    """Read a text: in quotes, or words that wide spaces alone part."""
    token = line.expect(_A_TEXT)
    text = token.text
    while token.group == "word" and line.next and line.next.group == "word" and line.next.wide_gap:
        text += line.next.wide_gap + line.expect(_A_TEXT).text
    return text


def _read_names(line: TokenStream) -> list[str]:
    """Read names up to the end of the line. A wide space stays within a name if other spaces part the names."""
    column, tokens = line.column, line.tokens[line.at :]
    words = [token.text for token in tokens]
    if listed := [token for token in tokens if token.group == "word" and _COMMA.search(token.text)]:
        names = " ".join(_COMMA.sub(" ", " ".join(words)).split())
        why = say("names are parted by spaces: write `{names}`, and a name with a comma in quotes", names=names)
        raise line.error(why, listed[0].column)
    found, is_sure = [_read_text(line)], False
    while line.next:
        is_sure = is_sure or not line.next.wide_gap
        found.append(_read_text(line))
    if len(found) == len(words) or is_sure:
        return found
    if len(found) == 1 and len(words) % 2 == 0:
        found = ["\u3000".join(pair) for pair in zip(words[::2], words[1::2], strict=True)]
    why = say(
        "wide spaces may part people or stand within names: write `{several}`, or `{fewer}`",
        several=_in_a_row(words),
        fewer=_in_a_row(found),
    )
    raise line.error(why, column)


def _format_names(names: Iterable[str]) -> str:
    return " ".join(in_json(name) if _COMMA.search(name) else quoted(name) for name in names)


def _read_value(line: TokenStream) -> Any:
    """Tell a number, yes or no, and a text apart; in quotes it is a text."""
    token = line.expect(say("a value"))
    if token.group == "text":
        return token.text
    number = whole_number(token.text)
    return _BOOLEANS.get(token.text, token.text) if number is None else number


def _format_value(value: Any) -> str:
    """Write a value such that a text is not taken for a number, or for yes or no."""
    is_ambiguous = isinstance(value, str) and (value in _BOOLEANS or whole_number(value) is not None)
    return in_json(value) if is_ambiguous else quoted(value)


def _read_chip_value(line: TokenStream) -> dict[str, str]:
    worth, currency = line.expect(say("what a chip is worth")), line.expect(say("a currency"))
    per_chip, *other = amounts_of_money(worth.text, currency.text) or (worth.text,)
    if other:
        facts = {"word": worth.shown, "grouped": per_chip, "decimal": other[0]}
        raise line.error(say("`{word}` may be {grouped} or {decimal}: write which", **facts), worth.column)
    return {"per_chip": per_chip, "currency": currency.text}


def _read_switches(line: TokenStream) -> dict[str, Any]:
    """Read `ante=20 payments.maid=10`; a dot leads into a group."""
    rules: dict[str, Any] = {}
    while line.next:
        column, path = line.column, _SWITCH.read(line, is_key=True)
        group, _, name = path.rpartition(".")
        within = rules.setdefault(group, {}) if group else rules
        if name in within:
            raise line.error(say("`{word}` is said twice", word=path), column)
        within[name] = _read_value(line)
    return rules


def _by_path(rules: Json, path: str = "") -> Iterator[tuple[str, Any]]:
    """Give house rules by their paths, `payments.maid` of one in a group."""
    for name, value in rules.items():
        if isinstance(value, Mapping):
            yield from _by_path(value, f"{path}{name}.")
        else:
            yield path + name, value


def _format_switches(rules: Json) -> str:
    return " ".join(f"{path}={_format_value(value)}" for path, value in _by_path(rules))


@from_shelf
def _switch_names() -> tuple[str, ...]:
    return tuple(sorted({path for book in every_book() for path, _ in _by_path(plain(book.rules()))}))


_SWITCH = _passing(lambda text: text in _switch_names(), say("a house rule"), _switch_names)
_AMOUNT = Kind(say("a whole number of chips, such as 30"), whole_number)

KINDS: Mapping[str, Kind] = {
    "game": _passing(GAMES.__contains__, None, lambda: GAMES),
    "deck": one_of(DECK_NAMES),
    "text": Kind(several=_read_text),
    "number": Kind(say("a whole number"), whole_number),
    "amount": _AMOUNT,
    "player": PLAYER,
    "players": Kind(several=lambda line: _read_row(PLAYER, line), write=_in_a_row),
    "dealer": Kind(
        say("a player, such as p7, or a seat number"), lambda text: PLAYER.value_of(text) or whole_number(text)
    ),
    "card": CARD,
    "day": _passing(is_day, say("a day, such as 2026-11-20")),
    "count": Kind(
        say("a number of cards, such as x3"),
        lambda text: int(text[1:]) if re.fullmatch("x[0-9０-９]", text) else None,
        write=lambda count: f"x{count}",
    ),
    "names": Kind(several=_read_names, write=_format_names),
    "four": Kind(several=_read_four, write=lambda cards: _in_a_row("-" if card is None else card for card in cards)),
    "cards": Kind(
        several=lambda line: [] if line.accept("-") else [CARD.read(line), *_read_row(CARD, line)],
        write=lambda cards: _in_a_row(cards) or "-",
    ),
    "draws": _by_player("card", CARD),
    "shares": _by_player("amount", _AMOUNT),
    "balances": _by_player("balance", Kind(say("a whole number of chips, or as in -30 of chips owed"), whole_number)),
    "switches": Kind(several=_read_switches, write=_format_switches),
    "on_or_off": Kind(say("on or off"), _ON_OR_OFF.get, lambda: _ON_OR_OFF, write=lambda on: "on" if on else "off"),
    "chip_value": Kind(several=_read_chip_value, write=lambda chip: _in_a_row((chip["per_chip"], chip["currency"]))),
}
"""The kinds by name. Where a form names no kind, its field's own words are one: `<pot>` of `session_closed`."""
