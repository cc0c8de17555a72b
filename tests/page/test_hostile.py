"""Names are written by whoever likes: markup, a hundred emoji, right to left, as long as may be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.page.phone import Phone
from tests.page.seen import the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration

NAMES = (
    "<img src=x onerror=\"document.title='pwned'\">",
    "</script><script>document.title='pwned'</script>",
    "😀" * 100,
    "👨‍👩‍👧‍👦" * 12,
    "שלום עולם",
    "-1",
    "المدير العام للشركة",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!",
    "W" * 100,
    '=HYPERLINK("http://evil.example")',
    "{name}",
    "${1+1}",
)


def hostile(phone: Phone, opens: Callable[..., Table], view: str = "") -> Table:
    table = opens("shirinma", NAMES, name="<b>New</b> year שנה")
    phone.sits_down(table, view)
    phone.stands_at(0)
    return table


def test_hostile_names_are_only_text(phone: Phone, opens: Callable[..., Table]) -> None:
    table = hostile(phone, opens)
    phone.tap("open-round", "card-swords-1")
    for number in range(1, 13):
        phone.tap("card-plain" if number != 3 else "card-cups-11")
        phone.stands_at(2 + number)
    the_page_agrees(phone, table)
    phone.fits()
    phone.tap("log")
    phone.fits()
    assert phone.page.locator("img[src='x']").count() == 0
    assert phone.page.title() != "pwned"


@pytest.mark.parametrize("view", ["board", "log", "settlement", "statistics", "share"])
def test_every_view_of_them_fits(phone: Phone, opens: Callable[..., Table], view: str) -> None:
    table = hostile(phone, opens, view)
    table.reports(event("chips_moved", **{"from": "p1", "to": "p3", "amount": 10**9}))
    phone.stands_at(1)
    phone.fits()
    assert phone.page.title() != "pwned"
