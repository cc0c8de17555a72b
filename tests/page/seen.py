"""What the page shows, held to what the books have."""

from __future__ import annotations

import re
from functools import partial

from tests.page.phone import Phone
from tests.page.table import Table
from tests.service import Service


def the_page_agrees(phone: Phone, table: Table) -> None:
    """What everybody has, and the pot, are on the page as they are in the books."""
    session = table.looks()
    told = {f"balance-{player['id']}": player["balance"] for player in session["players"] if player["active"]}
    for hook, chips in {**told, "pot": session["pot"]}.items():
        phone.eventually(partial(reads, phone, hook, chips))


def reads(phone: Phone, hook: str, chips: int) -> bool:
    """A number is there as people write it."""
    written = phone.at(hook).inner_text().strip().replace("\N{MINUS SIGN}", "-").replace(",", "")
    assert re.fullmatch(r"[+-]?\d+", written), f"{hook}: {written}"
    assert int(written) == chips, f"{hook}: {written}, in the books {chips}"
    return True


def table_on(phone: Phone, service: Service) -> Table:
    """The session that a phone shows, with the token that it keeps."""
    (session,) = re.findall(r"#/s/(\w+)", phone.page.url)
    kept = phone.page.evaluate("JSON.stringify({...localStorage})")
    (token, *_) = re.findall(rf"{session}\.[\w-]{{43}}", kept)
    return Table(service, session, token)
