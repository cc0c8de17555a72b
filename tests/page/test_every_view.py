"""Every view, in both languages, light and dark: nothing reaches over the edge, axe finds nothing, pictures are kept.

The pictures lie in `build/shots`, to be looked at.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.page.conftest import SHOTS, Phones
from tests.page.phone import Phone
from tests.page.views import VIEWS, View
from tests.service import ROOT, Service

pytestmark = [pytest.mark.slow, pytest.mark.browser]

AXE = ROOT / "build/clients/node_modules/axe-core/axe.min.js"
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [("en", "light"), ("en", "dark"), ("ja", "light"), ("ja", "dark")]

every_view = pytest.mark.parametrize("view", VIEWS, ids=[view.name for view in VIEWS])


@every_view
def test_pictures_are_made_of_it(view: View, phones: Phones, service: Service) -> None:
    for language, theme in LOOKS:
        phone = phones(locale=language, color_scheme=theme)
        view.shows(phone, view.table(service, ja=language == "ja"))
        stands_still(phone)
        phone.page.screenshot(path=SHOTS / f"{language}-{theme}" / f"{view.name}.png", full_page=True)
        phone.fits()
        assert language != "ja" or not (left := english_on(phone)), f"not in Japanese: {left}"


@every_view
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(view: View, theme: str, phones: Phones, service: Service) -> None:
    phone = phones(color_scheme=theme)
    view.shows(phone, view.table(service))
    stands_still(phone)
    assert found_by_axe(phone, axe()) == []


@every_view
def test_it_can_be_read_with_letters_of_twice_the_size(view: View, phone: Phone, service: Service) -> None:
    view.shows(phone, view.table(service))
    phone.page.evaluate("document.documentElement.style.fontSize = '212.5%'")
    phone.page.screenshot(path=SHOTS / "large" / f"{view.name}.png", full_page=True)
    phone.sees(view.sees)
    phone.fits()


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
    "beancount",
    "http",
    "LibreOffice",
}
"""What is written so in Japanese, too."""


def english_on(phone: Phone) -> set[str]:
    """Words on a page that are not Japanese; addresses are none."""
    text = re.sub(r"https?://\S+", "", phone.page.locator("body").inner_text())
    return set(re.findall(r"[A-Za-z]{3,}", text)) - NAMES_OF_THINGS


def stands_still(phone: Phone) -> None:
    """What moves has come to its end."""
    phone.page.evaluate(
        "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => 0))).then(() => 0)"
    )


def axe() -> Path:
    if not AXE.exists():
        pytest.skip("axe is not there; tests/clients/install installs it")
    return AXE


def found_by_axe(phone: Phone, script: Path) -> list[str]:
    """What is wrong, and where."""
    phone.page.evaluate(script.read_text("utf-8") + "; 0")
    found: dict[str, Any] = phone.page.evaluate(
        "(tags) => axe.run({runOnly: tags}).then((found) => ({violations: found.violations}))", STANDARD
    )
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node['html'][:160]} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
