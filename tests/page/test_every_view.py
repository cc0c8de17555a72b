"""Every view, in both languages, light and dark: nothing reaches over the edge, axe finds nothing, pictures are kept.

The pictures lie in `build/shots`, to be looked at.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import SHOTS, Phones
from tests.page.phone import Phone
from tests.page.views import VIEWS, View
from tests.service import ROOT, Service

pytestmark = pytest.mark.integration

AXE = ROOT / "build/clients/node_modules/axe-core/axe.min.js"
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

every_view = pytest.mark.parametrize("view", VIEWS, ids=[view.name for view in VIEWS])


@every_view
@pytest.mark.usefixtures("japanese_font")
def test_it_is_for_everyone(view: View, phones: Phones, service: Service) -> None:
    """In both languages, light and dark, and with letters of twice the size; a picture is made of each."""
    faults: dict[str, list[str]] = {}
    for language in ("en", "ja"):
        table = view.table(service, ja=language == "ja")
        for theme in ("light", "dark"):
            phone = phones(locale=language, color_scheme=theme)
            view.shows(phone, table)
            stands_still(phone)
            takes_a_picture(phone, f"{language}-{theme}", view)
            phone.fits()
            found = found_by_axe(phone) if language == "en" else sorted(english_on(phone))
            found += too_small_to_tap(phone)
            faults |= {f"{language}, {theme}": found} if found else {}
            if (language, theme) == ("en", "light"):
                can_be_read_large(phone, view)
                can_be_zoomed(phone, view)
            phone.leaves()
    assert not faults, "\n".join(f"{where}: {fault}" for where, found in faults.items() for fault in found)


AT_THE_TABLE = [
    *("shirinma-field", "shirinma-deal", "shirinma-auction-23", "shirinma-draft", "shirinma-won", "shirinma-forfeited"),
    *("shirinma-trump", "shirinma-last-auction"),
    *("shippin-bets", "shippin-first", "shippin-settled", "kakkuri-turn", "kakkuri-won"),
]
SIZES = {"sideways": (740, 360), "tall": (390, 844), "upright": (820, 1180), "tablet": (1180, 820), "desk": (1440, 900)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.usefixtures("japanese_font")
def test_the_table_is_for_everyone_at_every_size(size: str, phones: Phones, service: Service) -> None:
    """Also while something moves: axe does not wait for that."""
    width, height = SIZES[size]
    faults: dict[str, list[str]] = {}
    for name in AT_THE_TABLE:
        view = next(each for each in VIEWS if each.name == name)._replace(screen={"width": width, "height": height})
        for language, theme in (("en", "light"), ("ja", "dark")):
            phone = phones(locale=language, color_scheme=theme)
            view.shows(phone, view.table(service, ja=language == "ja"))
            found = found_by_axe(phone)
            stands_still(phone)
            takes_a_picture(phone, f"{language}-{theme}-{size}", view)
            phone.fits(whole=True)
            found += too_small_to_tap(phone)
            faults |= {f"{name}, {language}, {theme}": found} if found else {}
            phone.leaves()
    assert not faults, "\n".join(f"{where}: {fault}" for where, found in faults.items() for fault in found)


def test_axe_looks_at_them() -> None:
    if not AXE.exists():
        pytest.skip("axe is not there; tests/clients/install installs it")


def takes_a_picture(phone: Phone, kind: str, view: View) -> None:
    """Of the screen, or of all of a page that is scrolled."""
    is_scrolled = bool(view.where) or view.name.startswith("start")
    covered = phone.page.locator("dialog:modal").count() > 0
    phone.page.screenshot(path=SHOTS / kind / f"{view.name}.png", full_page=is_scrolled and not covered)


def can_be_read_large(phone: Phone, view: View) -> None:
    """Letters are twice as large, as a browser is told; what is looked for is still there."""
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    takes_a_picture(phone, "large", view)
    phone.sees(view.sees)
    phone.fits()


def can_be_zoomed(phone: Phone, view: View) -> None:
    """A window of 1280 x 1024 at 400 %: all of it is reached by scrolling one way."""
    phone.page.evaluate("document.documentElement.style.fontSize = ''")
    phone.page.set_viewport_size({"width": 320, "height": 256})
    takes_a_picture(phone, "zoomed", view)
    phone.sees(view.sees)
    phone.fits()
    hidden = phone.page.evaluate(COVERED)
    assert not hidden, hidden


COVERED = """() => {
  const all = document.querySelectorAll("dialog:modal button, body:not(:has(dialog:modal)) main button");
  const isSeen = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  return [...all].filter((each) => {
    if (!isSeen(each) || each.closest(".seldom-cards")) return false;
    each.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = each.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return !found || !(each.contains(found) || found.contains(each));
  }).map((each) => each.dataset.test ?? each.outerHTML.slice(0, 100));
}"""
"""Buttons that something else lies on, wherever one scrolls."""


TOO_SMALL = """() => {
  const within = document.querySelector("dialog:modal") ?? document.body;
  const all = [...within.querySelectorAll("button, a[href], input, select, textarea, summary")];
  const small = all.map((each) => [each, each.closest("label") ?? each, each.getBoundingClientRect()]).filter(
    ([each, area, box]) => {
      const { width, height } = area.getBoundingClientRect();
      const isSeen = each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && box.width > 1;
      const isInText = each.matches("a") && getComputedStyle(each).display === "inline" && each.closest("p, li, td");
      return isSeen && !isInText && (Math.round(width) < 44 || Math.round(height) < 44);
    });
  return small.map(([each, , box]) =>
    `${Math.round(box.width)} × ${Math.round(box.height)}: ${each.dataset.test ?? each.outerHTML.slice(0, 120)}`);
}"""
"""What a thumb would miss: 44 pixels each way are needed. A link within a text may be as high as its line."""


def too_small_to_tap(phone: Phone) -> list[str]:
    return list(phone.page.evaluate(TOO_SMALL))


NAMES_OF_THINGS = {
    "Fuda",
    "Ledger",
    "English",
    "CSV",
    "JSON",
    "xlsx",
    "Excel",
    "HTML",
    "hledger",
    "Beancount",
    "Numbers",
    "beancount",
    "http",
    "LibreOffice",
    "ledger",
    "csv",
    "html",
    "journal",
    "json",
    "txt",
}
"""What is written so in Japanese, too."""


def english_on(phone: Phone) -> set[str]:
    """Words on a page that are not Japanese; addresses are none."""
    text = re.sub(r"https?://\S+", "", phone.page.locator("body").inner_text())
    return set(re.findall(r"[A-Za-z]{3,}", text)) - NAMES_OF_THINGS


def stands_still(phone: Phone) -> None:
    """What moves has come to its end, and what is asked for is here."""
    expect(phone.page.locator("[aria-busy=true]")).to_have_count(0)
    phone.page.evaluate(
        "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => 0))).then(() => 0)"
    )


def found_by_axe(phone: Phone) -> list[str]:
    """What is wrong, and where; nothing where there is no axe."""
    if not AXE.exists():
        return []
    phone.page.evaluate(AXE.read_text("utf-8") + "; 0")
    found: dict[str, Any] = phone.page.evaluate(
        "(tags) => axe.run({runOnly: tags}).then((found) => ({violations: found.violations}))", STANDARD
    )
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node['html'][:160]} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
