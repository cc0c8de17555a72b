"""Sentences in both languages, and a catalogue that has every one of them."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

import ledger
import schemas
from ledger.api.http.problems import PROBLEMS
from ledger.games import GAMES, newest
from ledger.i18n.language import KINDS, LANGUAGES, inert, render, translate
from ledger.i18n.sentences import Sentence, docline, say
from ledger.rulebook.cards import DECKS, Suit, WesternSuit, read
from ledger.rulebook.refusal import CardAlreadySeen, OutOfTurn, Refused, RefusedAt
from ledger.session.events import EVENTS
from tests.pages.texts import texts_of_the_page

PACKAGES = (ledger, schemas)
CATALOGUES = Path(ledger.__path__[0], "i18n", "translations", "ja", "LC_MESSAGES")
MSGFMT = shutil.which("msgfmt") or ""
MEKURIFUDA = [card.japanese for card in DECKS["mekurifuda"]]

Text = str | tuple[str, ...]
"""A text in the code; two of them are the singular and the plural of one."""

# --- what the code says ---------------------------------------------------------------------------------------------


def texts_of(call: ast.Call) -> Iterator[Text]:
    """List the texts that a call of `say`, `template`, `ngettext` or `translate` has as they stand."""
    match call.func, call.args:
        case (ast.Name(id="say" | "template"), [text]):
            found = [text.body, text.orelse] if isinstance(text, ast.IfExp) else [text]
            assert all(isinstance(each, ast.Constant) for each in found), f"no literal text at line {call.lineno}"
            yield from (str(each.value) for each in found if isinstance(each, ast.Constant))
        case (ast.Name(id="ngettext"), [ast.Constant(value=str(one)), ast.Constant(value=str(many)), *_]):
            yield one, many
        case (ast.Name(id="translate"), [text, *_]):
            yield from (str(node.value) for node in ast.walk(text) if isinstance(node, ast.Constant))


def calls() -> Iterator[ast.Call]:
    for package in PACKAGES:
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            found = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
            yield from sorted(found, key=lambda node: (node.lineno, node.col_offset))


def refusals(kind: type[Refused] = Refused) -> Iterator[type[Refused]]:
    if kind is Refused:
        for package in PACKAGES:
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                importlib.import_module(module.name)
    for refusal in set(kind.__subclasses__()) - {RefusedAt}:
        if refusal.__module__.split(".")[0] in {package.__name__ for package in PACKAGES}:
            yield refusal
        yield from refusals(refusal)


def of_templates() -> Iterator[str]:
    """List the texts that templates say by `_`."""
    for path in sorted(Path(ledger.__path__[0]).rglob("*.html")):
        for call in Environment(autoescape=True).parse(path.read_text("utf-8")).find_all(nodes.Call):
            match call.node, call.args:
                case nodes.Name(name="_"), [nodes.Const(value=str(text))]:
                    yield text


def texts() -> dict[Text, None]:
    """List every text that a catalogue must have, in the order of the code."""
    problems = (kind for kind in PROBLEMS if kind is not Refused and kind.__module__.startswith("ledger."))
    events = (kind for name in GAMES for kind in (*newest(name).between, *newest(name).events))
    documented = map(docline, (*refusals(), *problems, *EVENTS, *events))
    return dict.fromkeys((*(text for call in calls() for text in texts_of(call)), *of_templates(), *documented))


def places(text: str) -> set[tuple[str, str | None]]:
    """Give the facts that a text names, with their kinds."""
    found = [part for part in Formatter().parse(text) if part[1] is not None]
    assert all(str(fact).isidentifier() and not conversion for _, fact, _, conversion in found), text
    return {(str(fact), kind) for _, fact, kind, _ in found}


# --- what the catalogue has -----------------------------------------------------------------------------------------


def catalogue(domain: str) -> Catalog:
    with (CATALOGUES / f"{domain}.po").open("rb") as po:
        return read_po(po, locale="ja", abort_invalid=True)


def entries(domain: str) -> dict[Text, Message]:
    found = [message for message in catalogue(domain) if message.id]
    return {tuple(each.id) if isinstance(each.id, (list, tuple)) else each.id: each for each in found}


def parts(text: Any) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def as_po(missing: list[Text]) -> str:
    """Write texts as they are to be pasted into the catalogue."""
    pasted, catalogue = BytesIO(), Catalog(locale="ja")
    for text in missing:
        catalogue.add(text).flags.clear()
    write_po(pasted, catalogue, omit_header=True, width=0)
    return pasted.getvalue().decode()


@pytest.mark.integration
@pytest.mark.skipif(not MSGFMT, reason="gettext is not installed")
@pytest.mark.parametrize("domain", ["ledger", "page", "table"])
def test_gettext_takes_the_catalogue(domain: str) -> None:
    check = [MSGFMT, "--check", "-o", os.devnull, str(CATALOGUES / f"{domain}.po")]
    done = subprocess.run(check, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("domain", "known"), [("ledger", texts), ("page", texts_of_the_page)])
def test_the_catalogue_has_every_text_and_nothing_else(domain: str, known: Callable[[], dict[Text, None]]) -> None:
    wanted, translated = known(), entries(domain)
    if missing := [text for text in wanted if text not in translated]:
        pytest.fail(f"{domain}.po lacks these:\n\n{as_po(missing)}", pytrace=False)
    assert [text for text in translated if text not in wanted] == []
    assert not catalogue(domain).obsolete


def test_every_text_is_translated_with_its_places() -> None:
    for text, message in (*entries("ledger").items(), *entries("page").items()):
        assert all(part.strip() for part in parts(message.string)), text
        assert not message.fuzzy, text
        for part in (*parts(text), *parts(message.string)):
            assert places(part) == places(parts(text)[0]), part


def test_what_the_table_says_stands_for_words_that_are_used() -> None:
    messages = (*entries("ledger").values(), *entries("page").values())
    said = " ".join([*(part for each in messages for part in parts(each.string)), *MEKURIFUDA])
    assert [word for word in entries("table") if str(word) not in said] == []


def test_every_place_is_of_a_known_kind() -> None:
    for text in texts():
        assert {kind or "" for part in parts(text) for _, kind in places(part)} <= KINDS.keys(), text


def test_every_refusal_has_a_sentence() -> None:
    assert [refusal.__name__ for refusal in refusals() if not docline(refusal)] == []


# --- rendering ------------------------------------------------------------------------------------------------------

NAMES = {"p1": "Aki", "p2": "Ben", "p3": "千恵"}


def in_both(sentence: Sentence, names: Mapping[str, str] = NAMES) -> tuple[str, ...]:
    return tuple(render(sentence, language, names) for language in LANGUAGES)


def in_words(kind: str, fact: object) -> tuple[str, ...]:
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
def test_a_fact_is_written_as_its_kind(kind: str, fact: object, english: str, japanese: str) -> None:
    assert in_words(kind, fact) == (english, japanese)


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
        f"It's {name}'s turn, not Ben's.",
        f"Benではなく、{name}の番です。",
    )


@pytest.mark.parametrize("kind", ["", "player"])
def test_what_breaks_a_line_becomes_a_space(kind: str) -> None:
    assert in_words(kind, "a\nb\r\tc\x1b\x7f\x85\u2028\u2029d") == ("a b  c     d",) * 2


def test_half_a_character_can_still_be_written() -> None:
    assert in_words("", "a\ud800b") == ("a\ufffdb",) * 2


@pytest.mark.parametrize("name", ["שירה", "سلمى", "Ben\u202e", "\u200fBen", "\u200eBen", "\u061cBen", "١٢"])
def test_a_name_from_right_to_left_is_isolated(name: str) -> None:
    assert in_words("player", name) == (f"\u2068{name}\u2069",) * 2
    assert in_words("players", (name, "p1"))[0] == f"\u2068{name}\u2069 and Aki"
    assert in_words("", name) == in_words("names", (name,)) == in_words("list", (name,)) == (f"\u2068{name}\u2069",) * 2


def test_a_name_cannot_end_its_own_isolation() -> None:
    assert inert("\u2069\u202eBen\u2067") == "\u2068\u202eBen\u2069"


@pytest.mark.parametrize("name", ["Aki", "千恵", "Zoë 🎴", "Nguyễn", "O'Brien & <b>"])
def test_an_ordinary_name_stays_as_it_is(name: str) -> None:
    assert in_words("player", name) == (name, name)


def test_what_the_catalogue_lacks_is_english() -> None:
    assert in_both(Sentence("Nobody says {this:chips}.", {"this": 1})) == ("Nobody says 1 chip.", "Nobody says 1枚.")
    assert [translate(text, "ja") for text in ("The pot was empty.", "", "{not} a {place")] == [
        *("ポットは空でした。", "", "{not} a {place")
    ]
