"""Links at the table: what is in them stays between the phone and the service."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.table import Table
from tests.pages.texts import SCRIPTS
from tests.service import Service
from tests.waiting import eventually

MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function\(")


def test_no_script_of_ours_makes_markup_or_code_of_words() -> None:
    found = {path.name: MARKUP.findall(path.read_text("utf-8")) for path in SCRIPTS.rglob("*.js")}
    assert {name: each for name, each in found.items() if each} == {"symbols.js": ["insertAdjacentHTML"]}  # drawings


@pytest.mark.integration
def test_a_links_token_is_in_no_log_and_no_address(tmp_path: Path, browser: Browser) -> None:
    with Service(tmp_path / "ledger.db", workers=1, log_requests="on") as service, browser.new_context() as context:
        table = Table.opened(service, "shippin", ["Aki", "Ben"])
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.url} {request.headers.get('referer')}"))
        page.goto(f"http://127.0.0.1:{service.port}/#/s/{table.id}?t={table.token}")
        page.wait_for_selector("[data-test=open-round]")
        page.wait_for_url(f"http://127.0.0.1:{service.port}/#/s/{table.id}")
        page.click("[data-test=open-round]")
        page.wait_for_selector("[data-test^=bet-], [data-test^=column-], [data-test=undo]")
        known = page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
        page.reload()
        page.wait_for_selector("[data-test=undo]")
        eventually(lambda: table.seq == 1)  # shown at once, sent behind it
        context.close()
        secret = table.token.rpartition(".")[2]
        assert len(asked) > 10
        assert not [each for each in [*asked, *known] if secret in each]
        assert "/v1/sessions/<session_id>" in service.said
        assert secret not in service.said
        assert "#/s/" not in service.said
