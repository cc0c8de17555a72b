"""Names on a small screen: people of one surname are told apart, and nothing lies on a name or an amount."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from tests.page.conftest import SHOTS, Phones
from tests.page.phone import Phone
from tests.page.table import NAMES, Table
from tests.page.views import NAMES_IN_JAPANESE
from tests.scorekeeper import Json, event

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("japanese_font")]

Opens = Callable[..., Table]

FAMILIES = {
    "en": ("Kenichi Yamamoto", "Kazuko Yamamoto", "Taro Yamamoto", "Aki", "Aki", "Bartholomew-Alexander"),
    "ja": ("山本 健一", "山本", "山本 太郎", "山本", "山本", "山本 和子", "山本健一郎", "山本健二郎", "山本 2", "明"),
}
OTHERS = {"en": NAMES, "ja": NAMES_IN_JAPANESE}

COVERED = """() => {
  const isClipped = (part) => {
    const unseen = part.closest(".owed, .hidden");
    return unseen && getComputedStyle(unseen).clipPath !== "none";
  };
  const text = (each) => {
    const boxes = [], letters = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (letters.nextNode()) {
      if (isClipped(letters.currentNode.parentElement)) continue;
      range.selectNodeContents(letters.currentNode);
      boxes.push(...range.getClientRects());
    }
    return boxes.filter((box) => box.width > 0);
  };
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  const pictures = (each) => [...each.querySelectorAll("svg")].map((mark) => mark.getBoundingClientRect());
  const drawn = (each) => [...text(each), ...pictures(each)];
  const lieOn = (mark, one) => drawn(mark).some((other) => text(one).some((box) => meet(box, other)));
  const found = [];
  for (const seat of document.querySelectorAll(".seat-button")) {
    const told = [...seat.querySelectorAll(".seat-name, .seat-balance")];
    const marks = [...seat.querySelectorAll(".tokens > *")];
    for (const one of told) {
      for (const mark of marks) if (lieOn(mark, one)) found.push(`${mark.textContent} on ${one.textContent}`);
      const { left, right } = seat.getBoundingClientRect();
      const isCut = text(one).some((box) => box.left < left || box.right > right + 0.5);
      if (isCut && !one.matches(".fades")) found.push(`${one.textContent} is cut`);
    }
    for (const mark of marks) {
      const box = seat.parentElement.getBoundingClientRect();
      const isOut = drawn(mark).some((each) => each.right > box.right + 1 || each.bottom > box.bottom + 1);
      if (isOut) found.push(`${mark.textContent} beyond its seat`);
    }
  }
  return found;
}"""
"""Which marks lie on a name or on an amount, by where letters and drawings really are."""

SHOWN = """(part) => [...document.querySelectorAll(part)].filter((each) => each.checkVisibility()).map((each) =>
  [each.textContent, each.scrollWidth > each.clientWidth + 1 && !each.classList.contains("fades")])"""

FADING = "(part) => [...document.querySelectorAll(`${part}.fades`)].map((each) => each.textContent)"


def people(language: str, players: int) -> list[str]:
    """So many people, among them some who are easily mixed up."""
    family = FAMILIES[language]
    return [*family, *(name for name in OTHERS[language] if name not in family)][:players]


def are_told_apart(phone: Phone, part: str, names: Sequence[str]) -> None:
    """Everybody is called otherwise, and nothing of it is cut off by the edge; a name that fades begins as no other."""

    def tells() -> bool:
        shown = phone.page.evaluate(SHOWN, part)
        texts = [text for text, _ in shown]
        assert len(texts) == len(names), texts
        assert len(set(texts)) == len(texts), texts
        assert not [text for text, is_cut in shown if is_cut]
        fading = phone.page.evaluate(FADING, part)
        assert not [one for one in fading for text in texts if text != one and text.startswith(one[:3])]
        return True

    phone.eventually(tells)


def nothing_is_covered(phone: Phone) -> None:
    phone.eventually(lambda: phone.page.evaluate(COVERED) == [])


def cards(players: int) -> list[Json]:
    """Two deals in which some people get two or three good cards, the dealer among them."""
    good = {1: "cups-12", 2: "swords-12", 3: "coins-10", players + 1: "cups-11", players + 2: "clubs-10"}
    seats = [f"p{seat}" for seat in range(1, players + 1)] * 2
    dealt = [
        event("card_dealt", player=player, card=good.get(number, "plain"))
        for number, player in enumerate(seats[: players + 2], 1)
    ]
    bought = event("chips_moved", **{"from": "bank"}, to="p1", amount=98_765)
    return [bought, event("round_opened"), event("field_card_revealed", card="swords-1"), *dealt]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("players", [12, 15, 23])
def test_people_of_one_surname_are_told_apart_and_nothing_is_covered(
    players: int, language: str, phones: Phones, opens: Opens
) -> None:
    names = people(language, players)
    table = opens("shirinma", names)
    table.reports(*cards(players))
    phone = phones(locale=language)
    phone.sits_down(table)
    phone.sees("bid-amount")
    are_told_apart(phone, ".seat-name", names)
    nothing_is_covered(phone)
    phone.page.screenshot(path=SHOTS / f"{language}-light" / f"names-{players}.png")
    phone.tap("bidder-p3")
    phone.reads("standing", names[2].split()[-1 if language == "ja" else 0])
    phone.goes(f"/#/s/{table.id}/board")
    phone.sees("board")
    are_told_apart(phone, ".board-name", names)


@pytest.mark.parametrize(("game", "players"), [("shippin", 5), ("kakkuri", 8)])
def test_the_same_with_few_people(game: str, players: int, phones: Phones, opens: Opens) -> None:
    names = people("ja", players)
    table = opens(game, names)
    table.reports(event("round_opened"))
    phone = phones(locale="ja")
    phone.sits_down(table)
    phone.sees("dealer")
    are_told_apart(phone, ".seat-name", names)
    nothing_is_covered(phone)


def test_people_of_one_name_are_numbered(phones: Phones, opens: Opens) -> None:
    names = ["山本", "明", "健", "山本", "桜", "和子", "山本"]
    table = opens("kakkuri", names)
    entered = event("round_entered", payments={"p7": 10}, payouts={"p1": 10}, next_dealer="p1")
    table.reports(entered, event("round_opened"), event("starter_revealed", card="cups-5"))
    phone = phones(locale="ja")
    phone.sits_down(table)
    phone.sees("turn-done")
    expect(phone.page.locator(".question-name")).to_have_text("山本 1")
    phone.tap("card-cups-6")
    phone.reads("log", "山本 1")
    phone.goes(f"/#/s/{table.id}/settlement")
    phone.sees("won-p4")
    shown = ["山本 1", "明", "健", "山本 2", "桜", "和子", "山本 3"]
    expect(phone.at("result").locator("tbody th")).to_have_text(shown)
    phone.reads("via", "山本 3")
    phone.goes(f"/#/s/{table.id}/statistics")
    phone.sees("won-p4")
    expect(phone.page.locator(".people-numbers tbody th")).to_have_text(shown)
    expect(phone.page.locator(".chart-numbers thead th")).to_have_text(["局", *shown])


def test_a_name_is_corrected_as_it_was_written(phone: Phone, opens: Opens) -> None:
    table = opens("kakkuri", ["Aki", "Ben", "Aki", *NAMES[2:6]])
    phone.sits_down(table)
    phone.tap("menu", "rename-p3")
    expect(phone.at("name")).to_have_value("Aki")


def test_names_are_told_apart_while_they_are_typed(phone: Phone) -> None:
    names = [f"Alexandrina the {number} of Northumberland" for number in ("1st", "2nd", "3rd")]
    phone.goes()
    phone.tap("new-game-shippin")
    phone.types("names", "\n".join(names))
    are_told_apart(phone, ".order-name", names)


def test_a_table_says_its_own_words_and_names_stay(phones: Phones, opens: Opens) -> None:
    """Also in what the service says; in English there is nothing to switch."""
    names = ("パス子", "抜け", "千恵", "大輔", "恵美", "文雄", "五郎")
    table = opens("kakkuri", names)
    table.reports(event("round_opened"), event("starter_revealed", card="coins-5"), event("turn_played", player="p1"))
    phone = phones(locale="ja")
    phone.sits_down(table)
    phone.reads("dropped-out", "抜ける")
    phone.reads("log", "パス子がパスしました")
    phone.tap("menu", "table-words", "close-sheet")
    phone.reads("dropped-out", "オリる")
    phone.reads("log", "パス子がオクりました")
    phone.page.reload()
    phone.reads("log", "パス子がオクりました")
    phone.tap("turn-done")
    phone.reads("log", "抜けがオクりました")
    phone.tap("menu", "table-words", "language")
    phone.misses("table-words")
