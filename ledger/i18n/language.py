"""Sentences in the reader's language.

The machine: the rules say a `Sentence`, an English text with `{fact:kind}` places, and the facts. `render` looks the
text up in the catalogue of the language and puts every fact into its place, said as its kind is said there (`KINDS`).
What a catalogue lacks stays English, and so does a language that nobody speaks here.

Facts are data. A name is put into the sentence and never read as a part of it, so neither braces nor control or
right-to-left characters in it do anything to the words around it.

A catalogue is `translations/<language>/LC_MESSAGES/ledger.po`, read when it is first needed. Nothing is compiled.
Texts of a program apart from this one, as the page at the table, stand there in a context of their own (`words_of`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from itertools import accumulate, count
from string import Formatter
from typing import Any, Literal, NamedTuple
from unicodedata import bidirectional, normalize

import wcwidth
from babel.core import Locale
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from ledger.cards import DECK_LABELS, KABU_NAMES, Card, Courts, DeckName, Suit, WesternSuit, name_by_number, suit_name
from ledger.play.events import LABELS
from ledger.play.values import PlayerId
from ledger.sentences import Sentence, say

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")
SOURCE: Language = "en"
"""The language of the texts in the code, and of everyone whose language is not known here."""

# --- what others ask for --------------------------------------------------------------------------------------------


def render(sentence: Sentence, language: str, names: Mapping[PlayerId, str]) -> str:
    """Say a sentence; `names` are the players', whom it tells apart. An id without a name stays as it is."""
    return _said(sentence, _Reader(_spoken(language), names))


def translate(text: str, language: str) -> str:
    """Give a text that has no places."""
    return _catalogue(_spoken(language)).gettext(text) if text else ""


def words_of(context: str, language: Language) -> dict[str, str | list[str]]:
    """Give all texts of a context in a language: each as it is said, or in every form that depends on a number."""
    texts = dict[str, str | list[str]]()
    for message in _read(language) if language != SOURCE else ():
        match message.id, message.string:
            case str(text), str(said) if message.context == context:
                texts[text] = said
            case (text, _), (*forms,) if message.context == context:
                texts[text] = list(forms)
    return texts


def _spoken(language: str) -> Language:
    return _SPOKEN.get(language, SOURCE)


_SPOKEN: Mapping[str, Language] = {language: language for language in LANGUAGES}


# --- catalogues -----------------------------------------------------------------------------------------------------


@cache
def _catalogue(language: Language) -> NullTranslations:
    if language == SOURCE:
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, _read(language))
    compiled.seek(0)
    catalogue = GNUTranslations(compiled)
    catalogue.add_fallback(_Learnt(_LEARNT[language]))
    return catalogue


def _read(language: Language) -> Catalog:
    source = files("ledger") / "translations" / language / "LC_MESSAGES" / "ledger.po"
    with source.open("rb") as po:
        return read_po(po, locale=language, abort_invalid=True)


def learn(language: Language, sentences: Mapping[str, str]) -> None:
    """Take up sentences of a game that comes from elsewhere. Where the catalogue has the same, it goes first."""
    _LEARNT[language].update(sentences)


_LEARNT: Mapping[Language, dict[str, str]] = {language: {} for language in LANGUAGES}


class _Learnt(NullTranslations):
    """What was learnt beside a catalogue."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__()
        self._sentences = sentences

    def gettext(self, message: str) -> str:
        return self._sentences.get(message, message)


# --- sentences ------------------------------------------------------------------------------------------------------


class _Reader(NamedTuple):
    """Who reads: in which language, what that reader calls the players, and whether cards by numbers (`courts`)."""

    language: Language
    names: Mapping[PlayerId, str]
    courts: Courts | None = None

    @property
    def catalogue(self) -> NullTranslations:
        return _catalogue(self.language)


def _said(sentence: Sentence, reader: _Reader) -> str:
    if sentence.courts is not None:
        reader = reader._replace(courts=sentence.courts)
    text = reader.catalogue.gettext(sentence.text) if sentence.text else ""
    parsed, said = _parsed(text), ""
    for words, fact, kind in parsed.parts:
        said += words
        if fact is not None:
            said += KINDS[kind](sentence.facts[fact], reader)
    return said[:1].upper() + said[1:] if parsed.begins_with_a_card else said


class _Parsed(NamedTuple):
    """A text in parts: words, and after them the name of a fact and its kind, or neither at the end."""

    parts: tuple[tuple[str, str | None, str], ...]
    begins_with_a_card: bool


@lru_cache(1024)
def _parsed(text: str) -> _Parsed:
    parts = tuple((words, fact, kind or "") for words, fact, kind, _ in Formatter().parse(text))
    return _Parsed(parts, _BEGINS_WITH_A_CARD.match(text) is not None)


_BEGINS_WITH_A_CARD = re.compile(r"\{\w+:cards?\}.*\.\Z")
"""A whole sentence that begins with a card, so that its article takes a capital."""


# --- kinds ----------------------------------------------------------------------------------------------------------


def _plain(value: object, _reader: _Reader) -> str:
    """Say what is the same in every language: a number, a code word, somebody's own words."""
    return inert(str(value))


def _chips(amount: int, reader: _Reader) -> str:
    return _counted(amount, reader.language)


@lru_cache(4096)
def _counted(amount: int, language: Language) -> str:
    text = _catalogue(language).ngettext("{number} chip", "{number} chips", amount)
    return text.format(number=format_decimal(amount, locale=_locale(language)))


@cache
def _locale(language: Language) -> Locale:
    """Find a language's locale once: babel takes longer to find it by name than to list two players."""
    return Locale.parse(language)


def _player(player: PlayerId, reader: _Reader) -> str:
    return inert(_names_shown(tuple(reader.names.items())).get(player, player))


@lru_cache(64)
def _names_shown(names: tuple[tuple[PlayerId, str], ...]) -> Mapping[PlayerId, str]:
    return display_names(dict(names))


def _card(card: Card, reader: _Reader) -> str:
    """Say a card; a bare value, as of kabufuda, takes no article. With `courts` its number is told, not its rank."""
    face = card.face(reader.courts) if reader.courts is not None else None
    if face is not None:
        name = name_by_number(card, face.rank, reader.language)
        if name is None:
            return _with_number(card, face.rank, reader._replace(courts=None))
        return name if reader.language == "ja" else f"the {name}"
    if reader.language == "ja":
        return card.japanese
    return card.english if card.english.isdigit() else f"the {card.english}"


def _valued(card: Card, reader: _Reader) -> str:
    """Say a card so that what it counts at Shippin is told."""
    return _with_number(card, card.kabu, reader)


def _with_number(card: Card, number: int | None, reader: _Reader) -> str:
    """Say a card, and its number if that is not in its name: hanafuda are named by their flowers alone."""
    if card.deck != "hanafuda" or number is None:
        return _card(card, reader)
    return _said(say("{card:card} ({number})", card=card, number=number), reader)


def _suit(suit: Suit | WesternSuit, reader: _Reader) -> str:
    return suit_name(suit, reader.language)


def _deck(deck: DeckName, reader: _Reader) -> str:
    return _said(DECK_LABELS[deck], reader)


def _kabu(total: int, reader: _Reader) -> str:
    """Say a total with its traditional name."""
    name = dict(zip(LANGUAGES, KABU_NAMES[total], strict=True))[reader.language]
    return _said(say("{number} ({name})", number=total, name=name), reader)


def _column(column: int, reader: _Reader) -> str:
    """Say a place in the row of hands, 1 to 4; Japanese writes such numbers in words."""
    number = "一二三四"[column - 1] if reader.language == "ja" else column
    return _said(say("column {number}", number=number), reader)


def _event(type_: str, reader: _Reader) -> str:
    """Say a kind of event as its button is called, in quotes; one that is not known here as it is."""
    called = _said(LABELS[type_], reader) if type_ in LABELS else inert(type_)
    return f"「{called}」" if reader.language == "ja" else f"“{called}”"


def _item(value: object, reader: _Reader) -> str:
    return _said(value, reader) if isinstance(value, Sentence) else inert(str(value))


_Kind = Callable[[Any, _Reader], str]


def _each(kind: _Kind) -> _Kind:
    """Say several of a kind, listed as the language lists them."""

    def listed(values: tuple[object, ...], reader: _Reader) -> str:
        items = [kind(value, reader) for value in values]
        return format_list(items, locale=_locale(reader.language)) if items else _said(say("none"), reader)

    return listed


KINDS: Mapping[str, _Kind] = {
    "": _plain,
    "chips": _chips,
    "player": _player,
    "players": _each(_player),
    "card": _card,
    "cards": _each(_card),
    "suit": _suit,
    "deck": _deck,
    "kabu": _kabu,
    "valued": _valued,
    "all_valued": _each(_valued),
    "column": _column,
    "event": _event,
    "events": _each(_event),
    "names": _each(_plain),
    "numbers": _each(_plain),
    "sentence": _said,
    "list": _each(_item),
}
"""How a fact of each kind is said."""

# --- people ---------------------------------------------------------------------------------------------------------


def display_names(names: Mapping[PlayerId, str]) -> dict[PlayerId, str]:
    """Return the names to display: people who share one are numbered (Aki 1, Aki 2)."""
    return dict(zip(names, unique_names(list(names.values())), strict=True))


def unique_names(names: Sequence[str], numbered: Callable[[int, int], str] | None = None) -> list[str]:
    """Number those whose names look the same, in their order; a number that makes somebody else's name is passed over.

    `numbered` writes the name at a place with a number, by default behind it.
    """
    count_of, taken = Counter(map(lookalike_key, names)), set(map(lookalike_key, names))

    def told(place: int, name: str) -> str:
        if count_of[lookalike_key(name)] == 1:
            return name
        with_numbers = (numbered(place, number) if numbered else f"{name.strip()} {number}" for number in count(1))
        free = next(each for each in with_numbers if lookalike_key(each) not in taken)
        taken.add(lookalike_key(free))
        return free

    return [told(place, name) for place, name in enumerate(names)]


def lookalike_key(name: str) -> str:
    """Return the same key for names that look the same."""
    return " ".join(normalize("NFKC", name).split())


# --- other people's words -------------------------------------------------------------------------------------------


def inert(words: str) -> str:
    """Make somebody's words fit into any sentence without changing how the rest of it reads.

    What would break the line becomes a space. Words that run from right to left, or could make others do so, are
    isolated; what could end that isolation from within is left out.
    """
    if words.isascii() and words.isprintable():
        return words
    words = words.translate(_TAMED)
    if any(bidirectional(letter) in _TURNS_THE_LINE or letter in _MARKS for letter in words):
        return f"\N{FIRST STRONG ISOLATE}{words}\N{POP DIRECTIONAL ISOLATE}"
    return words


def letters(words: str) -> Iterator[str]:
    """Read words letter by letter as a reader counts them, each with the accents and joiners that belong to it."""
    return wcwidth.iter_graphemes(words)


def cut(words: str, most: float, size: Callable[[str], float]) -> str:
    """Give as many letters from the beginning as have room, each taking its size."""
    read = list(letters(words))
    return "".join(letter for letter, end in zip(read, accumulate(map(size, read)), strict=True) if end <= most)


_TURNS_THE_LINE = frozenset({"R", "AL", "AN", "LRE", "LRO", "RLE", "RLO", "PDF"})
_MARKS = "\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\N{ARABIC LETTER MARK}"
_TAMED: Mapping[int, str | None] = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029), " "),  # control characters, line breaks
    **dict.fromkeys(range(0x2066, 0x206A)),  # isolates and their end
    **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),  # halves of a character
}
