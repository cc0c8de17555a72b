"""Sentences in both languages, and a catalogue that has every one of them."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po

import ledger
import schemas
from ledger.api.errors import PROBLEMS
from ledger.cards import DECK_NAMES, DECKS, KABU_NAMES, DeckName, Suit, WesternSuit, read
from ledger.games import GAMES, newest
from ledger.language import KINDS, LANGUAGES, inert, render, translate
from ledger.play.events import Event
from ledger.play.refusals import CardAlreadySeen, OutOfTurn, Refused, RefusedAt
from ledger.sentences import Sentence, docline, say
from ledger.session.events import EVENTS
from tests.pages.texts import texts_of_the_page

PACKAGES = (ledger, schemas)
CATALOGUE = Path(ledger.__path__[0], "translations", "ja", "LC_MESSAGES", "ledger.po")
MSGFMT = shutil.which("msgfmt") or ""

PAGE = "page"
"""The context of the page's texts."""

Text = str | tuple[str, ...]
"""A text in the code; two of them are the singular and the plural of one."""

# --- what the code says ---------------------------------------------------------------------------------------------


def called(call: ast.Call) -> str | None:
    """Give the name of what is called."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def literals(node: ast.expr) -> Iterator[str]:
    """List the texts an argument may be: one, or either end of a condition. Raises ValueError for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from literals(body)
            yield from literals(orelse)
        case _:
            raise ValueError(f"line {node.lineno}: say takes a text as it stands, so that a catalogue can have it")


def said(call: ast.Call) -> Iterator[Text]:
    """List the texts with places that a call says."""
    match called(call), call.args:
        case "say" | "template", [text]:
            yield from literals(text)
        case "ngettext", [ast.Constant(value=str(one)), ast.Constant(value=str(many)), _]:
            yield one, many


def fixed(call: ast.Call) -> Iterator[str]:
    """List the texts without places that a call has as they stand, and that `translate` is given sooner or later."""
    match called(call), call.args:
        case "translate", [text, *_]:
            yield from (str(node.value) for node in ast.walk(text) if isinstance(node, ast.Constant))


def calls() -> Iterator[tuple[Path, ast.Call]]:
    """List every call in the house."""
    for package in PACKAGES:
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            tree = ast.walk(ast.parse(path.read_text("utf-8")))
            for call in sorted((n for n in tree if isinstance(n, ast.Call)), key=lambda n: (n.lineno, n.col_offset)):
                yield path, call


def refusals(kind: type[Refused] = Refused) -> Iterator[type[Refused]]:
    """List every refusal of every room."""
    if kind is Refused:
        for package in PACKAGES:
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                importlib.import_module(module.name)
    for refusal in set(kind.__subclasses__()) - {RefusedAt}:
        if refusal.__module__.split(".")[0] in {package.__name__ for package in PACKAGES}:
            yield refusal
        yield from refusals(refusal)


def event_kinds() -> Iterator[type[Event]]:
    """List every event that can be reported: those of the session, and of each game."""
    yield from EVENTS
    for name in GAMES:
        book = newest(name)
        yield from (*book.between, *book.events)


def texts() -> dict[Text, None]:
    """List every text that a catalogue must have, in the order of the code."""
    others = (kind for kind in PROBLEMS if kind is not Refused and kind.__module__.startswith("ledger."))
    told = (*refusals(), *others, *event_kinds())
    return dict.fromkeys((*(text for _, call in calls() for text in (*said(call), *fixed(call))), *map(docline, told)))


def places(text: str) -> set[tuple[str, str]]:
    """Say which facts a text names, and of which kinds. Raises ValueError for a place that is not a bare name."""
    found = set()
    for _, fact, kind, conversion in Formatter().parse(text):
        if fact is not None:
            if not fact.isidentifier() or conversion:
                raise ValueError(f"{{{fact}}} in {text!r} is not a fact and its kind")
            found.add((fact, kind or ""))
    return found


def facts(text: str) -> set[str]:
    """Say which facts a text names."""
    return {fact for fact, _ in places(text)}


# --- what the catalogue has -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with CATALOGUE.open("rb") as po:
        return read_po(po, locale="ja", abort_invalid=True)


def entries(catalogue: Catalog, context: str | None = None) -> dict[Text, Message]:
    """What a catalogue has for this service, or in a context for another program."""
    return {
        tuple(message.id) if isinstance(message.id, (list, tuple)) else message.id: message
        for message in catalogue
        if message.id and message.context == context
    }


def everything(catalogue: Catalog) -> Iterator[tuple[Text, Message]]:
    """What a catalogue has for anyone."""
    for context in (None, PAGE):
        yield from entries(catalogue, context).items()


def parts(text: Any) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def as_po(missing: list[Text], context: str | None = None) -> str:
    """Write texts as they are to be pasted into the catalogue."""
    pasted, catalogue = BytesIO(), Catalog(locale="ja")
    for text in missing:
        catalogue.add(text, context=context).flags.clear()
    write_po(pasted, catalogue, omit_header=True, width=0)
    return pasted.getvalue().decode()


@pytest.mark.integration
@pytest.mark.skipif(not MSGFMT, reason="gettext is not installed")
def test_gettext_takes_the_catalogue() -> None:
    done = subprocess.run([MSGFMT, "--check", "-o", os.devnull, CATALOGUE], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_catalogue_has_every_text(catalogue: Catalog) -> None:
    if missing := [text for text in texts() if text not in entries(catalogue)]:
        pytest.fail(f"{CATALOGUE.name} lacks these, see docs/translating.md:\n\n{as_po(missing)}", pytrace=False)


def test_the_catalogue_has_nothing_else(catalogue: Catalog) -> None:
    known = texts()
    assert [text for text in entries(catalogue) if text not in known] == []
    assert not catalogue.obsolete


def test_the_catalogue_has_every_text_of_the_page(catalogue: Catalog) -> None:
    if missing := [text for text in texts_of_the_page() if text not in entries(catalogue, PAGE)]:
        pytest.fail(f"{CATALOGUE.name} lacks these of the page:\n\n{as_po(missing, PAGE)}", pytrace=False)


def test_the_catalogue_has_nothing_else_of_a_page(catalogue: Catalog) -> None:
    known = texts_of_the_page()
    assert [text for text in entries(catalogue, PAGE) if text not in known] == []
    assert {message.context for message in catalogue} == {None, PAGE}


def test_every_text_is_translated(catalogue: Catalog) -> None:
    for text, message in everything(catalogue):
        assert all(part.strip() for part in parts(message.string)), text
        assert not message.fuzzy, text


def test_a_translation_has_the_places_of_its_text(catalogue: Catalog) -> None:
    for text, message in everything(catalogue):
        for part in (*parts(text), *parts(message.string)):
            assert places(part) == places(parts(text)[0]), part


def test_every_place_is_of_a_known_kind() -> None:
    for text in texts():
        assert {kind for part in parts(text) for _, kind in places(part)} <= KINDS.keys(), text


def test_every_refusal_has_a_sentence() -> None:
    assert [refusal.__name__ for refusal in refusals() if not docline(refusal)] == []


# --- rendering ------------------------------------------------------------------------------------------------------

NAMES = {"p1": "Aki", "p2": "Ben", "p3": "千恵"}


def in_both(sentence: Sentence, names: Mapping[str, str] = NAMES) -> tuple[str, ...]:
    return tuple(render(sentence, language, names) for language in LANGUAGES)


def one(kind: str, fact: object) -> tuple[str, ...]:
    """Say one fact in both languages, in a text that no catalogue has."""
    return in_both(Sentence("{fact:" + kind + "}", {"fact": fact}))


@pytest.mark.parametrize(
    ("kind", "fact", "english", "japanese"),
    [
        ("", 1234, "1234", "1234"),
        ("", "mekurifuda", "mekurifuda", "mekurifuda"),
        ("chips", 0, "0 chips", "0枚"),
        ("chips", 1, "1 chip", "1枚"),
        ("chips", 193, "193 chips", "193枚"),
        ("chips", 10**9, "1,000,000,000 chips", "1,000,000,000枚"),
        ("player", "p3", "千恵", "千恵"),
        ("player", "p9", "p9", "p9"),
        ("players", ("p1", "p2"), "Aki and Ben", "Aki、Ben"),
        ("players", ("p1", "p2", "p9"), "Aki, Ben, and p9", "Aki、Ben、p9"),
        ("players", (), "none", "なし"),
        ("card", read("cups-12"), "the King of Cups", "コップの切"),
        ("card", read("QH"), "the Queen of Hearts", "♥Q"),
        ("card", read("pine-crane"), "the Crane", "松に鶴"),
        ("card", read("4"), "4", "4"),
        ("cards", (read("4"), read("A♠")), "4 and the Ace of Spades", "4、♠A"),
        ("suit", Suit.SWORDS, "Swords", "イス"),
        ("deck", "western", "Western cards", "トランプ"),
        ("suit", Suit.CLUBS, "Clubs", "ハウ"),
        ("suit", WesternSuit.CLUBS, "Clubs", "クラブ"),
        ("suit", WesternSuit.HEARTS, "Hearts", "ハート"),
        ("event", "auction_closed", "“Close the auction”", "「競りを閉じる」"),
        ("event", "not_one", "“not_one”", "「not_one」"),
        ("events", ("card_dealt", "bid_placed"), "“Deal a card” and “Bid”", "「札を配る」、「入札」"),
        ("names", ("deck", "new-rules"), "deck and new-rules", "deck、new-rules"),
        ("numbers", (1, 3, 4), "1, 3, and 4", "1、3、4"),
        ("kabu", 0, "0 (buta)", "0（ブタ）"),
        ("kabu", 9, "9 (kabu)", "9（カブ）"),
        ("valued", read("susuki-moon"), "the Full Moon (8)", "芒に月（8）"),
        ("valued", read("AS"), "the Ace of Spades", "♠A"),
        ("all_valued", (read("plum-warbler"), read("4")), "the Bush Warbler (2) and 4", "梅に鶯（2）、4"),
        ("column", 3, "column 3", "三列目"),
        ("sentence", say("The pot was empty."), "The pot was empty.", "ポットは空でした。"),
        ("list", (say("none"), "as it is"), "none and as it is", "なし、as it is"),
        ("list", (), "none", "なし"),
    ],
)  # fmt: skip
def test_a_fact_is_said_as_its_kind(kind: str, fact: object, english: str, japanese: str) -> None:
    assert one(kind, fact) == (english, japanese)


@pytest.mark.parametrize("deck", DECK_NAMES)
def test_every_card_has_one_name_and_its_own(deck: DeckName) -> None:
    for language in LANGUAGES:
        names = Counter(render(Sentence("{card:card}", {"card": card}), language, {}) for card in DECKS[deck])
        assert [name for name, times in names.items() if times > 1 or set(name) & set("（(")] == []


def test_two_chaff_cards_of_a_month_are_told_apart() -> None:
    told = {code: read(code).japanese for code in ("pine-chaff-1", "pine-chaff-2", "paulownia-yellow-chaff")}
    assert list(told.values()) == ["松のカス一", "松のカス二", "桐の黄カス"]


def test_each_total_has_its_name() -> None:
    assert [one("kabu", total) for total in range(10)] == [
        (f"{total} ({english})", f"{total}（{japanese}）") for total, (english, japanese) in enumerate(KABU_NAMES)
    ]


def test_a_refusal_is_said_to_the_reader() -> None:
    assert in_both(OutOfTurn(expected="p1", player="p2").sentence) == (
        "It is the turn of Aki, not of Ben.",
        "Benではなく、Akiの番です。",
    )


def test_a_sentence_that_begins_with_a_card_begins_with_a_capital() -> None:
    where = say("it was dealt to {player:player}", player="p1")
    assert in_both(CardAlreadySeen(card=read("KC"), where=where).sentence) == (
        "The King of Clubs was already seen: it was dealt to Aki.",
        "♣Kはすでに出ています（Akiに配られた札）。",
    )


# --- other people's words -------------------------------------------------------------------------------------------


HOSTILE_NAMES = ["{expected}", "{expected:player}", "{0}", "{", "}", "%s", "{{}}", "\\n", "p2", "", "長" * 10**5]


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=lambda name: name[:20])
def test_a_name_is_not_read_as_a_text(name: str) -> None:
    assert in_both(OutOfTurn(expected="p1", player="p2").sentence, {"p1": name, "p2": "Ben"}) == (
        f"It is the turn of {name}, not of Ben.",
        f"Benではなく、{name}の番です。",
    )


@pytest.mark.parametrize("kind", ["", "player"])
def test_what_breaks_a_line_becomes_a_space(kind: str) -> None:
    assert one(kind, "a\nb\r\tc\x1b\x7f\x85\u2028\u2029d") == ("a b  c     d",) * 2


def test_half_a_character_can_still_be_written() -> None:
    assert one("", "a\ud800b") == ("a\ufffdb",) * 2


@pytest.mark.parametrize("name", ["שירה", "سلمى", "Ben\u202e", "\u200fBen", "\u200eBen", "\u061cBen", "١٢"])
def test_a_name_from_right_to_left_is_isolated(name: str) -> None:
    assert one("player", name) == (f"\u2068{name}\u2069",) * 2
    assert one("players", (name, "p1"))[0] == f"\u2068{name}\u2069 and Aki"
    assert one("", name) == one("names", (name,)) == one("list", (name,)) == (f"\u2068{name}\u2069",) * 2


def test_a_name_cannot_end_its_own_isolation() -> None:
    assert inert("\u2069\u202eBen\u2067") == "\u2068\u202eBen\u2069"


@pytest.mark.parametrize("name", ["Aki", "千恵", "Zoë 🎴", "Nguyễn", "O'Brien & <b>"])
def test_an_ordinary_name_stays_as_it_is(name: str) -> None:
    assert one("player", name) == (name, name)


# --- languages ------------------------------------------------------------------------------------------------------


def test_an_unknown_language_is_english() -> None:
    for language in ("fr", "", "ja-JP", "../ja", "JA"):
        assert render(say("The pot was empty."), language, {}) == "The pot was empty."
        assert translate("The pot was empty.", language) == "The pot was empty."


def test_what_the_catalogue_lacks_is_english() -> None:
    assert in_both(Sentence("Nobody says {this:chips}.", {"this": 1})) == ("Nobody says 1 chip.", "Nobody says 1枚.")
    assert translate("Nobody says this.", "ja") == "Nobody says this."


def test_a_fixed_text_is_translated() -> None:
    assert translate("The pot was empty.", "ja") == "ポットは空でした。"
    assert translate("", "ja") == render(Sentence(""), "ja", {}) == ""
    assert translate("{not} a {place", "ja") == "{not} a {place"
