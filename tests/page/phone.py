"""A phone at the table: a page in Debian's Chromium, driven by the names that its parts have (`data-test`).

    phone.sits_down(table)
    phone.tap("open-round")
    phone.tap("card-cups-11")

It watches the page meanwhile: whatever a browser complains of, a request to another host and a token in an address are
`faults`, which the fixture does not forgive. A report that is refused (409) is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from typing import TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Request, Response, expect

from tests.browser import PATIENCE
from tests.page.table import Table
from tests.waiting import eventually

IS_FREE = """(hooks) => {
    const { rests } = document.documentElement.dataset;
    const found = hooks.flatMap((hook) => [...document.querySelectorAll(`[data-test="${hook}"]`)]);
    return rests !== "sheet" && !(rests && found.some((each) => each.closest("[data-once]")?.dataset.once === rests));
}"""

AT_ONCE = """async (hooks) => {
    for (const hook of hooks) {
        document.querySelector(`[data-test="${hook}"]`)?.click();
        for (let turn = 0; turn < 50; turn += 1) await undefined;
    }
}"""

TOKEN = re.compile(r"[0-9a-f]{16}\.[\w-]{43}")

T = TypeVar("T")


class Phone:
    """One page in a context of its own. `address` is where the service is; `taps` counts what a finger would."""

    def __init__(self, context: BrowserContext, address: str, *, touch: bool = True) -> None:
        self.context = context
        self.address = address
        self.faults: list[str] = []
        self.taps = 0
        self._touch = touch
        self.page = context.new_page()
        self.page.on("console", self._says)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}\n{error.stack or ''}"))
        self.page.on("request", self._asks)
        self.page.on("response", self._is_answered)

    # --- what it must not do ----------------------------------------------------------------------------------------

    def _says(self, message: ConsoleMessage) -> None:
        expected = ("Failed to load resource", "Service Worker registration blocked")
        if message.type in {"error", "warning"} and not message.text.startswith(expected):
            self.faults.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def _asks(self, request: Request) -> None:
        where = urlsplit(request.url)
        if where.scheme in {"http", "https", "ws", "wss"} and f"{where.scheme}://{where.netloc}" != self.address:
            self.faults.append(f"a request to another host: {request.url}")
        carried = [request.url, request.headers.get("referer", "")]
        if any(TOKEN.search(each) for each in carried):
            self.faults.append(f"a token in an address: {where.path}")

    def _is_answered(self, response: Response) -> None:
        """A refusal of the API is something that a page lives with; anything else that failed is not."""
        is_api = urlsplit(response.url).path.startswith("/v1/")
        if response.status >= 500 or (response.status >= 400 and not is_api):
            self.faults.append(f"{response.status} of {response.request.method} {urlsplit(response.url).path}")

    def is_blameless(self) -> None:
        """Nothing was wrong, and no token stands in the address."""
        assert self.page.is_closed() or not TOKEN.search(self.page.url), "a token stands in the address"
        assert not self.faults, "\n".join(self.faults)

    # --- where it goes ----------------------------------------------------------------------------------------------

    def goes(self, where: str = "/") -> None:
        """Open an address of the service."""
        self.page.goto(self.address + where)

    def sits_down(self, table: Table, view: str = "", token: str | None = None) -> None:
        """Open a session by its link, as if the QR code had been read."""
        below = f"/{view}" if view else ""
        self.goes(f"/#/s/{table.id}{below}?t={token or table.token}")
        expect(self.page).not_to_have_url(re.compile(r"\?t="))

    def leaves(self) -> None:
        """Close the page: what it did wrong is known."""
        self.is_blameless()
        self.page.close()

    # --- what a finger does -----------------------------------------------------------------------------------------

    def at(self, hook: str) -> Locator:
        """What can be seen under a name."""
        return self.page.get_by_test_id(hook).filter(visible=True)

    def tap(self, *hooks: str) -> None:
        """Tap one after the other."""
        for hook in hooks:
            self.tap_either(hook)

    def tap_either(self, *hooks: str) -> None:
        """Tap what there is of these, once it is no second half of a double tap."""
        found = reduce(Locator.or_, map(self.at, hooks))
        self.is_free(*hooks)
        self.taps += 1
        if self._touch:
            found.tap()
        else:
            found.click()

    def taps_at_once(self, *hooks: str) -> None:
        """Tap each as soon as the one before has been drawn, before any time has passed."""
        self.is_free(*hooks)
        self.taps += len(hooks)
        self.page.evaluate(AT_ONCE, list(hooks))

    def is_free(self, *hooks: str) -> None:
        """Nothing was tapped so lately that a tap on these would be the same once more."""
        self.eventually(lambda: self.page.evaluate(IS_FREE, list(hooks)))

    def types(self, hook: str, text: object) -> None:
        """Write into a field, in place of what stood there."""
        self.taps += 1
        self.at(hook).fill(str(text))

    # --- what an eye sees -------------------------------------------------------------------------------------------

    def sees(self, *hooks: str) -> None:
        for hook in hooks:
            expect(self.at(hook)).to_be_visible()

    def is_turned_to(self, hook: str) -> None:
        """The page asks about this one by itself."""
        expect(self.at(hook)).to_have_attribute("aria-current", "true")

    def misses(self, *hooks: str) -> None:
        for hook in hooks:
            expect(self.at(hook)).to_have_count(0)

    def reads(self, hook: str, text: str | re.Pattern[str]) -> None:
        expect(self.at(hook)).to_contain_text(text)

    def can_see(self, hook: str) -> bool:
        """Whether it is there now; nobody waits for it."""
        return self.at(hook).count() > 0

    def eventually(self, condition: Callable[[], T]) -> T:
        """Wait until something is so; what the browser has to tell is heard meanwhile."""
        return eventually(condition, PATIENCE, lambda seconds: self.page.wait_for_timeout(1000 * seconds))

    def stands_at(self, seq: int) -> None:
        """It shows the session as of an event, or later, and waits for nothing: what was tapped is in the books."""
        self.eventually(lambda: self._has_seen(seq))
        self.misses("pending")

    def _has_seen(self, seq: int) -> bool:
        seen = self.page.evaluate("document.documentElement.dataset.seq") or 0
        assert int(seen) >= seq, f"it has seen event {seen}, not {seq} yet"
        return True

    def fits(self, *, whole: bool = False) -> None:
        """Nothing reaches over the right edge of the screen; `whole`: nor over the lower one."""
        self.eventually(lambda: self._is_within(whole=whole))

    def _is_within(self, *, whole: bool) -> bool:
        part = "document.documentElement"
        wide, high = self.page.evaluate(f"[{part}.scrollWidth - innerWidth, {part}.scrollHeight - innerHeight]")
        assert wide <= 0, f"{wide} pixels beyond the right edge"
        assert high <= 0 or not whole, f"{high} pixels beyond the lower edge"
        return True
