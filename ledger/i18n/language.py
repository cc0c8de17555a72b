"""Sentences in the reader's language.

The rules make a `Sentence`, an English text with `{fact:kind}` places, and its facts. `render` looks the text up in the
catalogue of a language and puts each fact into its place, as its kind is written there (`KINDS`). A text that a
catalogue lacks stays English.

A catalogue is `translations/<language>/LC_MESSAGES/ledger.po`, read when it is first needed. The page's texts have one
of their own, `page.po`, which the service does not read.

Facts are data: a name is never read as a part of the text, so braces, control characters and right-to-left characters
in it do nothing to the words around it (`inert`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate, count
from string import Formatter
from typing import Any, Literal, NamedTuple
from unicodedata import bidirectional, normalize

import wcwidth
from babel.core import Locale
from babel.lists import format_list
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from ledger.i18n.sentences import Sentence, say
from ledger.rulebook.cards import DECK_LABELS, KABU_NAMES, Card, Courts, name_by_number, suit_name
from ledger.rulebook.event import LABELS
from ledger.rulebook.values import PlayerId

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")
SOURCE: Language = "en"
"""The language of the texts in the code."""

_LOCALES = {language: Locale.parse(language) for language in LANGUAGES}

# --- catalogues -----------------------------------------------------------------------------------------------------


@cache
def catalog(language: Language, domain: str = "ledger") -> dict[str, Any]:
    """Give a domain's translations by their English text; one with a plural has a tuple of all its forms."""
    if language == SOURCE:
        return {}
    with (files("ledger.i18n") / "translations" / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as po:
        messages = [each for each in read_po(po, locale=language, abort_invalid=True) if each.id]
    return {each.id if isinstance(each.id, str) else each.id[0]: each.string for each in messages}


def translate(text: str, language: Language) -> str:
    """Translate a text without places."""
    translated: str = catalog(language).get(text, text)
    return translated


def ngettext(one: str, many: str, number: int, language: Language) -> str:
    """Translate a text that depends on a number; a language has one form, or a singular and a plural."""
    forms = catalog(language).get(one, (one, many))
    return str(forms[0] if number == 1 else forms[-1])


# --- sentences ------------------------------------------------------------------------------------------------------


class _Context(NamedTuple):
    """The language, the names of the players, and `courts` if cards are called by their numbers."""

    language: Language
    names: Mapping[PlayerId, str]
    courts: Courts | None = None


def render(sentence: Sentence, language: Language, names: Mapping[PlayerId, str]) -> str:
    """Write a sentence in a language; players with the same name are numbered, and an id without a name stays."""
    return _render(sentence, _Context(language, names))


def _render(sentence: Sentence, context: _Context) -> str:
    if sentence.courts is not None:
        context = context._replace(courts=sentence.courts)
    text, rendered = translate(sentence.text, context.language), ""
    for words, fact, kind, _ in _parsed(text):
        rendered += words
        if fact is not None:
            rendered += KINDS[kind or ""](sentence.facts[fact], context)
    return rendered[:1].upper() + rendered[1:] if _BEGINS_WITH_A_CARD.match(text) else rendered


_BEGINS_WITH_A_CARD = re.compile(r"\{\w+:cards?\}.*\.\Z")
"""A whole sentence that begins with a card, so that its article takes a capital."""


@lru_cache(1024)
def _parsed(text: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    return tuple(Formatter().parse(text))


# --- kinds of facts -------------------------------------------------------------------------------------------------


def _text(value: object, _context: _Context) -> str:
    return inert(str(value))


@lru_cache(4096)
def _chips(amount: int, language: Language) -> str:
    text = ngettext("{number} chip", "{number} chips", amount, language)
    return text.format(number=format_decimal(amount, locale=_LOCALES[language]))


def _player(player: PlayerId, context: _Context) -> str:
    return inert(_display_names(tuple(context.names.items())).get(player, player))


@lru_cache(64)
def _display_names(names: tuple[tuple[PlayerId, str], ...]) -> Mapping[PlayerId, str]:
    return display_names(dict(names))


def _card(card: Card, context: _Context) -> str:
    """Write a card, by its number with `courts`; in English with an article, but for a bare value of kabufuda."""
    face = card.face(context.courts) if context.courts else None
    if face and card.suit is None:
        return _with_number(card, face.rank, context._replace(courts=None))
    name = card.english if context.language == "en" else card.japanese
    if face:
        name = name_by_number(card, face.rank, context.language) or name
    return f"the {name}" if context.language == "en" and not name.isdigit() else name


def _with_number(card: Card, number: int | None, context: _Context) -> str:
    """Write a card, and its number if that is not in its name: hanafuda are named by their flowers alone."""
    if card.deck != "hanafuda" or number is None:
        return _card(card, context)
    return _render(say("{card:card} ({number})", card=card, number=number), context)


def _valued(card: Card, context: _Context) -> str:
    return _with_number(card, card.kabu, context)


def _kabu(total: int, context: _Context) -> str:
    """Write a total with its traditional name."""
    return _render(say("{number} ({name})", number=total, name=KABU_NAMES[context.language][total]), context)


def _column(column: int, context: _Context) -> str:
    """Write a place in the row of hands, 1 to 4; Japanese has such numbers in words."""
    number = "一二三四"[column - 1] if context.language == "ja" else column
    return _render(say("column {number}", number=number), context)


def _event(type_: str, context: _Context) -> str:
    """Write a type of event as the label of its button, in quotes; an unknown one as it is."""
    label = _render(LABELS[type_], context) if type_ in LABELS else inert(type_)
    return f"「{label}」" if context.language == "ja" else f"“{label}”"


def _sentence(value: object, context: _Context) -> str:
    return _render(value, context) if isinstance(value, Sentence) else inert(str(value))


_Kind = Callable[[Any, _Context], str]


def _list_of(kind: _Kind) -> _Kind:
    def listed(values: tuple[object, ...], context: _Context) -> str:
        items = [kind(value, context) for value in values]
        return format_list(items, locale=_LOCALES[context.language]) if items else _render(say("none"), context)

    return listed


KINDS: Mapping[str, _Kind] = {
    "": _text,
    "chips": lambda amount, context: _chips(amount, context.language),
    "player": _player,
    "players": _list_of(_player),
    "card": _card,
    "cards": _list_of(_card),
    "suit": lambda suit, context: suit_name(suit, context.language),
    "deck": lambda deck, context: _render(DECK_LABELS[deck], context),
    "kabu": _kabu,
    "valued": _valued,
    "all_valued": _list_of(_valued),
    "column": _column,
    "event": _event,
    "events": _list_of(_event),
    "names": _list_of(_text),
    "numbers": _list_of(_text),
    "sentence": _sentence,
    "list": _list_of(_sentence),
}
"""How a fact of each kind is written."""

# --- names ----------------------------------------------------------------------------------------------------------


def display_names(names: Mapping[PlayerId, str]) -> dict[PlayerId, str]:
    """Number the people who share a name (Aki 1, Aki 2)."""
    return dict(zip(names, unique_names(list(names.values())), strict=True))


def unique_names(names: Sequence[str], numbered: Callable[[int, int], str] | None = None) -> list[str]:
    """Number those names that look the same, in their order; a number that makes another's name is left out.

    `numbered` writes the name at a place with a number, by default behind it.
    """
    times, taken = Counter(map(lookalike_key, names)), set(map(lookalike_key, names))

    def unique(place: int, name: str) -> str:
        if times[lookalike_key(name)] == 1:
            return name
        with_numbers = (numbered(place, number) if numbered else f"{name.strip()} {number}" for number in count(1))
        free = next(each for each in with_numbers if lookalike_key(each) not in taken)
        taken.add(lookalike_key(free))
        return free

    return [unique(place, name) for place, name in enumerate(names)]


def lookalike_key(name: str) -> str:
    """Give the same key for names that look the same."""
    return " ".join(normalize("NFKC", name).split())


# --- texts from outside ---------------------------------------------------------------------------------------------


def inert(words: str) -> str:
    """Make a text from outside fit into any sentence without changing how the rest of it reads.

    What would break the line becomes a space. A text that runs from right to left, or could make others do so, is
    isolated; what could end that isolation from within is left out.
    """
    if words.isascii() and words.isprintable():
        return words
    words = words.translate(_REPLACED)
    if any(bidirectional(letter) in _DIRECTIONS or letter in _MARKS for letter in words):
        return f"\N{FIRST STRONG ISOLATE}{words}\N{POP DIRECTIONAL ISOLATE}"
    return words


def cut(words: str, most: float, size: Callable[[str], float]) -> str:
    """Give as many letters as have room from the beginning, each with its accents and joiners and taking its size."""
    read = list(wcwidth.iter_graphemes(words))
    return "".join(letter for letter, end in zip(read, accumulate(map(size, read)), strict=True) if end <= most)


_DIRECTIONS = frozenset({"R", "AL", "AN", "LRE", "LRO", "RLE", "RLO", "PDF"})
_MARKS = "\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\N{ARABIC LETTER MARK}"
_REPLACED: Mapping[int, str | None] = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029), " "),  # control characters, line breaks
    **dict.fromkeys(range(0x2066, 0x206A)),  # isolates and their end
    **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),  # halves of a character
}
