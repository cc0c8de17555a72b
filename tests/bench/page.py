"""The page at the table, in a browser: how soon it can be used, how soon a tap shows, and how many taps a round takes.

What is loaded is loaded as by a phone in the hand of somebody in a hurry: a processor that is four times slower and a
slow 4G network (150 ms there and back, 1.6 Mbit/s down, 0.75 up), which is what Lighthouse takes a phone for. An empty
page of the same machine, loaded in turns with it, says how much of it is the browser's.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Playwright, expect, sync_playwright

from ledger.notation import parse
from tests.bench.report import Effort, Figure, at_most, milliseconds
from tests.browser import CHROMIUM, PATIENCE, launch
from tests.page.conftest import SCREEN
from tests.page.hand import Hand
from tests.page.phone import Phone
from tests.page.table import NAMES, Table
from tests.scorekeeper import event
from tests.service import Service

SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
SLOWER = 4
"""So many times slower a phone computes."""

LONG, LONG_IN_A_HURRY = 2_000, 200

FIFTEEN = "round\nfield swords-1\ndeal {}\ndeal {}\ntrump cups-12\n"
EIGHT_BIDS = FIFTEEN.format(
    "plain plain cups-10 (p1=1 p5=2) plain plain coins-10 (p2=1) plain plain cups-11 (p4=3 p7=5) plain plain plain"
    " plain plain plain",
    "plain plain plain swords-12 (p1=10) plain plain plain coins-1 (p9=1) plain plain plain plain clubs-12 (p2=4)"
    " plain plain",
)
FOUR_BETS = "round\nbet p2=1 p3=2 p4=3 p5=4\nsecond 7 3 5 10 / 9\nfirst 2 2 2 10 / 8\n"
THREE_TURNS = (
    "round\nstarter cups-5\np1 -\np2 cups-6 cups-7\np3 swords-8 swords-9 clubs-10 swords-11 swords-12 clubs-5\n"
)
COUNTED = "round\nstarter cups-5\np1 -\np2 x2\np3 x6\n"

ROUNDS = {
    "Shirinma, 15 players, 30 cards, 8 bids": ("shirinma", 15, EIGHT_BIDS, at_most(60)),
    "Shippin, 4 bets, 10 cards": ("shippin", 5, FOUR_BETS, None),
    "Kakkuri, 3 turns, 8 cards by name": ("kakkuri", 7, THREE_TURNS, None),
    "Kakkuri, 3 turns, counted": ("kakkuri", 7, COUNTED, None),
}

SHOWS_WHEN = """(selector) => {
  const look = () => {
    if (window.shownAt !== undefined || !document.querySelector(selector)) return;
    requestAnimationFrame(() => setTimeout(() => { window.shownAt ??= performance.now(); }));
  };
  new MutationObserver(look).observe(document, {childList: true, subtree: true, attributes: true});
  look();
}"""
"""When something was first painted, in milliseconds from the moment the page was asked for."""

ANSWERS_TAPS = """() => {
  window.took = [];
  addEventListener("click", (tapped) => {
    const seen = new MutationObserver(() => {
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - tapped.timeStamp)));
    });
    seen.observe(document.body, {childList: true, subtree: true, attributes: true, characterData: true});
  }, {capture: true});
}"""
"""How long each tap took to change something on the screen."""

TELLS_WHEN = """(seq) => new Promise((resolve) => {
  const look = () => {
    if (Number(document.documentElement.dataset.seq) >= seq) requestAnimationFrame(() => resolve(Date.now()));
  };
  new MutationObserver(look).observe(document.documentElement, {attributes: true});
  look();
})"""
"""The moment in which a page had seen an event, by the machine's clock."""

NOTES_A_TAP = "addEventListener('click', () => { window.tappedAt = Date.now(); }, {capture: true, once: true})"


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every row; nothing where there is no Chromium."""
    if CHROMIUM is None:
        yield Figure("the page in a browser", "", [], None, "left out, there is no Chromium (Debian: chromium)")
        return
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE * 1000)
        playwright.selectors.set_test_id_attribute("data-test")
        folder = Path(name)
        with (
            Service(folder / "ledger.db") as service,
            Service(folder / "empty.db", app="tests.bench.empty_page:app") as empty,
            browsing(playwright) as browser,
        ):
            yield from first_load(browser, service, empty, effort)
            yield from taps(browser, service, effort)
            yield other_phone(browser, service, effort)
            yield long_session(browser, service, effort)
            for row in ROUNDS:
                yield taps_of(browser, service, row)


@contextmanager
def browsing(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright.chromium)
    try:
        yield browser
    finally:
        browser.close()


@contextmanager
def a_phone(browser: Browser, service: Service) -> Iterator[Phone]:
    """A phone that knows nothing yet."""
    context = browser.new_context(**SCREEN, locale="en")
    context.set_default_timeout(PATIENCE * 1000)
    try:
        phone = Phone(context, f"http://127.0.0.1:{service.port}")
        yield phone
        phone.is_blameless()
    finally:
        context.close()


def slowed(phone: Phone) -> CDPSession:
    """Make it a slow phone on a slow network."""
    session = phone.context.new_cdp_session(phone.page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


# --- the first load -------------------------------------------------------------------------------------------------


def first_load(browser: Browser, service: Service, empty: Service, effort: Effort) -> Iterator[Figure]:
    """Load the start as a stranger does, in turns with the empty page."""
    usable, nothing, sizes = list[float](), list[float](), list[float]()
    for _ in range(effort.repeats):
        with a_phone(browser, empty) as phone:
            nothing.append(loaded(phone, "p", slowed(phone))[0])
        with a_phone(browser, service) as phone:
            took, size = loaded(phone, "[data-test=new-game-shirinma]", slowed(phone))
            usable.append(took)
            sizes.append(size / 1000)
    beside = f"the empty page: {milliseconds(sorted(nothing)[len(nothing) // 2] / 1000)}"
    yield Figure("the first load with the games, packed", "kB", sizes, at_most(80))
    yield Figure("the start can be used, slow phone and network", "ms", usable, at_most(1500), beside)


def loaded(phone: Phone, selector: str, session: CDPSession) -> tuple[float, float]:
    """Say after how many milliseconds something is painted, and how many bytes came until then."""
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    phone.context.add_init_script(f"({SHOWS_WHEN})({json.dumps(selector)})")
    phone.goes()
    return shown_at(phone), sum(sizes)


def shown_at(phone: Phone) -> float:
    """Wait until what is waited for is there; by the page's own clock."""
    return float(phone.eventually(lambda: phone.page.evaluate("window.shownAt")))


# --- a tap ----------------------------------------------------------------------------------------------------------


def taps(browser: Browser, service: Service, effort: Effort) -> Iterator[Figure]:
    """Deal cards on a slow phone."""
    medians, worst = list[float](), list[float]()
    for _ in range(effort.repeats):
        table = Table.opened(service, "shirinma", 15)
        table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
        with a_phone(browser, service) as phone:
            phone.sits_down(table)
            phone.stands_at(2)
            slowed(phone)
            phone.page.evaluate(f"({ANSWERS_TAPS})()")
            many = effort.of(15, 2)
            for _ in range(many):
                phone.tap("card-plain")
            phone.stands_at(2 + many)
            took = sorted(phone.page.evaluate("window.took"))
            medians.append(took[len(took) // 2])
            worst.append(took[-1])
    beside = f"the slowest {max(worst):.0f} ms"
    yield Figure("a tap is shown, slow phone and network", "ms", medians, at_most(100), beside)


def other_phone(browser: Browser, service: Service, effort: Effort) -> Figure:
    """Record on one phone, and see when the log of another has it; both on a slow network."""
    waits = []
    table = Table.opened(service, "shirinma", 15)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    scorer = table.link("scorer")["token"]
    with a_phone(browser, service) as one, a_phone(browser, service) as other:
        one.sits_down(table)
        other.sits_down(table, "log", token=scorer)
        for phone in (one, other):
            phone.stands_at(2)
            slowed(phone)
        for seq in range(3, 3 + effort.of(15, 2)):
            other.page.evaluate(f"window.told = ({TELLS_WHEN})({seq}); 0")
            one.page.evaluate(NOTES_A_TAP)
            one.tap("card-plain")
            waits.append(other.page.evaluate("window.told") - one.page.evaluate("window.tappedAt"))
    return Figure("a tap is in the log of another phone, both slow", "ms", waits, at_most(1000))


# --- a long session -------------------------------------------------------------------------------------------------


def long_session(browser: Browser, service: Service, effort: Effort) -> Figure:
    """Open a session of many events and one with none, in turns."""
    length = effort.of(LONG, LONG_IN_A_HURRY)
    short, long = Table.opened(service, "shirinma", 15), Table.opened(service, "shirinma", 15)
    moved = event("chips_moved", **{"from": "p1", "to": "p2", "amount": 1})
    for _ in range(length // 100):
        long.reports(*[moved] * 100)
    ratios, times = list[float](), list[float]()
    for _ in range(effort.repeats):
        empty, full = (opened(browser, service, each) for each in (short, long))
        ratios.append(full / empty)
        times.append(full)
    beside = f"{milliseconds(sorted(times)[len(times) // 2] / 1000)}"
    return Figure(f"a session of {length:,} events is opened", "of an empty one", ratios, at_most(2), beside)


def opened(browser: Browser, service: Service, table: Table) -> float:
    """Say after how many milliseconds a table can be seen, by a phone that has the page already."""
    with a_phone(browser, service) as phone:
        phone.goes()
        phone.sees("new-game-shirinma")
        phone.context.add_init_script(f"({SHOWS_WHEN})('[data-test=balance-p1]')")
        phone.page.goto("about:blank")
        phone.sits_down(table)
        phone.stands_at(table.seq)
        return shown_at(phone)


# --- how many taps --------------------------------------------------------------------------------------------------


def taps_of(browser: Browser, service: Service, row: str) -> Figure:
    """Record a round, from the table before it to its result."""
    game, players, text, goal = ROUNDS[row]
    score = parse(f"game {game}\nplayers {' '.join(NAMES[:players])}\n{text}")
    table = Table.opened(service, game, players)
    with a_phone(browser, service) as phone:
        phone.sits_down(table)
        phone.stands_at(0)
        phone.taps = 0
        hand = Hand(phone, table, score.opening)
        hand.records(*score.events)
        hand.is_heard()
        phone.sees("outcome")
    return Figure(row, "taps a round", [phone.taps], goal)
