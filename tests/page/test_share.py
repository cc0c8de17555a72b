"""Links by role, one by one made dead, and the key that is kept elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import table_on
from tests.page.table import Table
from tests.service import Service

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def address_shown(phone: Phone) -> str:
    phone.sees("qr")
    return phone.at("link-address").input_value()


def test_a_link_that_is_shared_opens_the_table_for_whom_it_is(phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    owner, guest = phones(), phones()
    owner.sits_down(table)
    owner.tap("share")
    owner.types("link-label", "the television")
    owner.at("link-until").select_option("week")
    owner.tap("share-viewer")
    shown = address_shown(owner)
    assert shown.startswith(f"{owner.address}/#/s/{table.id}?t={table.id}.")
    guest.goes(shown.removeprefix(owner.address))
    guest.sees("balance-p1")
    guest.misses("open-round")
    link = table.looks("/links")["links"][-1]
    assert (link["role"], link["label"]) == ("viewer", "the television")
    assert abs(datetime.fromisoformat(link["expires_at"]) - datetime.now(UTC) - timedelta(days=7)) < timedelta(hours=2)
    owner.tap("share-scorer")
    owner.reads("new-link", "Scorer")
    guest.goes(address_shown(owner).removeprefix(owner.address))
    guest.sees("open-round")


def test_links_are_revoked_one_by_one(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    viewer, scorer = table.link("viewer"), table.link("scorer")
    phone.sits_down(table, view="share")
    phone.tap(f"revoke-{viewer['id']}", "confirm")
    phone.misses(f"link-{viewer['id']}")
    phone.sees(f"link-{scorer['id']}")
    own = table.looks("/links/me")["id"]
    phone.tap(f"revoke-{own}", "confirm")
    phone.reads("problem", "No other link owns this session")
    phone.tap("confirm")
    phone.misses("confirm")
    phone.eventually(lambda: table.asks("GET", "").status == 401)


def test_another_phone_cannot_reach_this_very_machine(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table, view="key")
    phone.types("reach", "192.168.1.20")
    port = phone.address.rpartition(":")[2]
    expect(phone.at("link-address")).to_have_value(re.compile(rf"http://192\.168\.1\.20:{port}/#/s/{table.id}\?t=.+"))
    phone.types("reach", "https://cards.example.org/")
    expect(phone.at("link-address")).to_have_value(re.compile(r"https://cards\.example\.org/#/s/.+"))


def test_the_key_is_kept_right_after_opening(phone: Phone, service: Service) -> None:
    phone.goes()
    phone.tap("new-game-shippin")
    phone.types("names", "Aki\nBen")
    phone.tap("open", "keep-key")
    key = table_on(phone, service).token
    assert address_shown(phone).endswith(f"?t={key}")
    with phone.page.expect_download() as saved:
        phone.tap("save-key")
    assert key in saved.value.path().read_text("utf-8")
    phone.tap("to-table")
    phone.sees("open-round")
    phone.misses("keep-key")


def test_what_cannot_be_copied_by_the_browser_is_copied_by_hand(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    phone.sits_down(table, view="key")
    phone.tap("copy")
    phone.reads("copied", "Copied")
    assert phone.page.evaluate("getSelection().toString() || document.activeElement.value").endswith(table.token)
