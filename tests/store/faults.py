"""Faults: what an engine does fails at every step once, and what the service answers has to be true all the same.

An engine's own tests subclass `FaultContract` and give it `addresses` of databases, as for the contract, and `faults`,
which look at every step that the engine takes there (a statement, where there are any). One step fails then, in one of
several ways: before it has had its effect, after it, or so that the engine gave up the whole transaction.

An answer is true if nothing is kept of what failed (5xx), and all of what was done. Whoever was told that it failed
asks again, and it is done once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, NamedTuple, get_args
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from ledger.app import create_app
from ledger.desk import Desk
from ledger.hash_chain import SaltedText
from ledger.store import Head, Packed, Store, open_store
from ledger.store.address import Address
from ledger.verification import verify
from tests.scorekeeper import Json, Scorekeeper, event
from tests.store.contract import FIRST, StoreContract, append_next, entry, everything, link, made, opening, reply, row

When = Literal["before", "after", "given up"]

WHENS: tuple[When, ...] = get_args(When)
"""Whether the step fails before or after it had its effect, or takes all that was begun with it."""


class Fault(NamedTuple):
    """What happens at which step: `kind` is one of the engine's."""

    step: int
    kind: str
    when: When


@dataclass
class Faults:
    """Counts an engine's steps, and has one of them fail. `make` gives the engine's error of a kind."""

    make: Callable[[str], Exception]
    fault: Fault | None = None
    steps: int = 0
    is_watching: bool = False

    @contextmanager
    def step(self, give_up: Callable[[], None]) -> Iterator[None]:
        """Take a step of the engine's, that may fail."""
        self.steps += self.is_watching
        fault = self.fault if self.is_watching and self.fault and self.fault.step == self.steps else None
        if fault and fault.when != "after":
            if fault.when == "given up":
                give_up()
            raise self.make(fault.kind)
        yield
        if fault:
            raise self.make(fault.kind)

    @contextmanager
    def watching(self, fault: Fault | None = None) -> Iterator[None]:
        """Count the steps of a block from 1, and let this happen in it."""
        self.fault, self.steps, self.is_watching = fault, 0, True
        try:
            yield
        finally:
            self.is_watching = False


# --- what is written ------------------------------------------------------------------------------------------------


@dataclass
class Table:
    """A session in which there is something of everything, and what is opened beside it from then on."""

    app: Flask
    keeper: Scorekeeper = field(init=False)
    file: Json = field(init=False)
    link: str = field(init=False)
    key: str = field(init=False)
    known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.key = uuid4().hex
        self.keeper = Scorekeeper(self.app.test_client())
        self.keeper.opens("shippin", players=["Aki", "Ben", "Chie", "Dai", "Emi"], name="Aki's birthday")
        self.keeper.reports(event("chips_moved", from_="bank", to="p1", amount=3, note="for Aki"))
        self.link = self.asks("POST", "/links", {"role": "viewer", "label": "Aki's wall"}).get_json()["id"]
        self.file = self.keeper.looks("/export.json")
        self.known = frozenset(self.store.session_ids()) - {self.keeper.session_id}

    @property
    def desk(self) -> Desk:
        desk: Desk = self.app.extensions["desk"]
        return desk

    @property
    def store(self) -> Store:
        return self.desk.store

    def asks(self, method: str, where: str = "", body: object = None, **headers: str) -> TestResponse:
        """Ask for something of the session."""
        address = f"{self.keeper.address}{where}"
        return self.keeper.client.open(address, method=method, json=body, headers=self.keeper.headers(**headers))

    def opens(self, where: str, body: Json, **headers: str) -> TestResponse:
        """Open another session."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.keeper.client.post(f"/v1/sessions{where}", json=body, headers=named)

    def stands(self) -> list[object]:
        """All that is kept of the session, and of those opened since, but for what chance and the clock gave it."""
        return sorted((self.of(one) for one in self.store.session_ids() if one not in self.known), key=repr)

    def of(self, session_id: str) -> object:
        """All that is kept of one session; it is whole."""
        store, stored = self.store, self.store.session(session_id)
        assert stored is not None
        assert verify(store, session_id).findings == ()
        rows = list(store.events(session_id))
        return (
            [said.text for said in stored.words.values()],
            [(row.seq, row.type, [said.text for said in row.words.values()]) for row in rows],
            list(store.entries(session_id)),
            sorted(store.balances(session_id).items()),
            [(link.role, link.label, link.revoked_at is None) for link in store.links(session_id)],
        )

    def is_as_it_is_shown(self) -> None:
        """Make sure that what the service remembers is what it keeps."""
        head = self.store.head(self.keeper.session_id)
        if head is not None:
            told = self.keeper.looks("")
            assert told["seq"] == head.seq
            balances = self.store.balances(self.keeper.session_id)
            assert {one["id"]: one["balance"] for one in told["players"] if one["balance"]} == {
                account: chips for account, chips in balances.items() if account.startswith("p") and chips
            }


def moves(amount: int = 1, **more: Any) -> Json:
    return event("chips_moved", from_="bank", to="p2", amount=amount, **more)


def reported(*events: Json, key: bool = False) -> Callable[[Table], TestResponse]:
    def write(table: Table) -> TestResponse:
        return table.keeper.tries(*events, **({"Idempotency_Key": table.key} if key else {}))

    return write


OPENING: Json = {"game": "shirinma", "players": [f"Player {number}" for number in range(1, 13)], "name": "A Friday"}

WRITES: Mapping[str, Callable[[Table], TestResponse]] = {
    "open": lambda table: table.opens("", OPENING),
    "open once": lambda table: table.opens("", OPENING, Idempotency_Key=table.key),
    "import": lambda table: table.opens("/import", table.file),
    "import once": lambda table: table.opens("/import", table.file, Idempotency_Key=table.key),
    "report": reported(moves()),
    "report several": reported(moves(), moves(2, note="twice"), event("round_opened")),
    "report once": reported(moves(), key=True),
    "correct": reported(event("event_amended", seq=1, event=moves(7))),
    "erase": reported(event("player_erased", player="p1")),
    "erase once": reported(event("player_erased", player="p1"), key=True),
    "make a link": lambda table: table.asks("POST", "/links", {"role": "scorer", "label": "a phone"}),
    "make a link once": lambda table: table.asks("POST", "/links", {"role": "scorer"}, Idempotency_Key=table.key),
    "revoke a link": lambda table: table.asks("DELETE", f"/links/{table.link}"),
    "delete": lambda table: table.asks("DELETE", f"?confirm={table.keeper.session_id}"),
}
"""Every kind of write that can be asked for."""


class Tried(NamedTuple):
    """What came of a write in which something failed."""

    write: str
    fault: Fault
    status: int
    wrong: str


def nth_of(nth: int, of: int) -> Callable[[Sequence[Fault]], Sequence[Fault]]:
    """Choose one, somewhere."""
    return lambda every: [every[nth * len(every) // of]]


def append_to_new(store: Store) -> None:
    """Make sure that something can be written in a new database."""
    store.open_session(opening("a"), FIRST, link())
    append_next(store, "a")


def some_packed(number: int, events: int) -> Packed:
    """Something of everything, with so many events."""
    name = f"{number:016x}"
    once = made(name, key=number.to_bytes(32, "big"))
    rows = [row(seq, words={"note": SaltedText(b"salt", "said")}) for seq in range(1, events + 1)]
    entries = [entry(row.seq, row.seq) for row in rows]
    head = Head(events, rows[-1].hash)
    return Packed(opening(name), head, [link()], {"p1": events}, [once], rows, entries, [reply()])


def is_as_it_was_packed(store: Store, packed: Packed | None, session_id: str) -> None:
    """Make sure that all of a session is there, or nothing."""
    if packed is None:
        assert everything(store, session_id) == (None, None, [], [], {}, None, [])
        return
    assert StoreContract.contents_of(store, session_id) == [*packed]


def all_is_true(tried: Sequence[Tried]) -> None:
    if wrong := [one for one in tried if one.wrong]:
        pytest.fail(f"{len(wrong)} of {len(tried)}:\n" + "\n".join(map(str, wrong)))


class FaultContract:
    """The tests. `kinds` are the kinds of the engine's errors, `errors` what the store may raise of them.

    `one_of`: of so many faults of a write one is tried, where an engine is too slow for all of them. `fewest_steps`
    is how many steps the shortest write has.
    """

    one_of = 1
    fewest_steps = 2
    kinds: tuple[str, ...]
    errors: tuple[type[Exception], ...]

    @pytest.fixture
    def faults(self) -> Faults:
        raise NotImplementedError

    @pytest.fixture
    def addresses(self) -> Callable[[str], Address]:
        raise NotImplementedError

    @pytest.fixture
    def app(
        self, addresses: Callable[[str], Address], faults: Faults, caplog: pytest.LogCaptureFixture
    ) -> Iterator[Flask]:
        assert not faults.is_watching
        made = create_app({"LEDGER_DATABASE": addresses("ledger")})
        caplog.set_level(logging.CRITICAL)
        yield made
        made.extensions["desk"].store.close()

    def tries(
        self, app: Flask, faults: Faults, write: str, chosen: Callable[[Sequence[Fault]], Sequence[Fault]]
    ) -> list[Tried]:
        """Let one write fail at every step, in every way, as far as they are chosen, and say what came of it."""
        calm = Table(app)
        with faults.watching():
            assert WRITES[write](calm).status_code < 300
        wanted, steps = calm.stands(), range(1, faults.steps + 1)
        assert len(steps) >= self.fewest_steps
        every = [Fault(step, kind, when) for step in steps for kind in self.kinds for when in WHENS]
        return [self.once(Table(app), faults, write, fault, wanted) for fault in chosen(every)]

    def once(self, table: Table, faults: Faults, write: str, fault: Fault, wanted: list[object]) -> Tried:
        """Let one step of one write fail, and say what is not as it should be."""
        before, wrong = table.stands(), []
        with faults.watching(fault):
            answer = WRITES[write](table)
        after = table.stands()
        if after != (before if answer.status_code >= 500 else wanted):
            wrong.append("the answer is not true")
        table.is_as_it_is_shown()
        if answer.status_code >= 500:
            again = WRITES[write](table)
            if again.status_code >= 300 or table.stands() != wanted:
                wrong.append(f"asked again it was answered {again.status_code}, or kept twice")
        if Scorekeeper(table.app.test_client()).client.post("/v1/sessions", json=OPENING).status_code != 201:
            wrong.append("nothing can be written any more")
        return Tried(write, fault, answer.status_code, "; ".join(wrong))

    def test_what_fails_here_and_there_leaves_nothing_and_is_told_as_it_is(self, app: Flask, faults: Faults) -> None:
        """One fault a write; each at another place, of another kind."""
        tried = []
        for nth, write in enumerate(WRITES):
            tried += self.tries(app, faults, write, nth_of(nth, len(WRITES)))
        all_is_true(tried)

    @pytest.mark.crash
    @pytest.mark.timeout(1_800)
    @pytest.mark.parametrize("write", WRITES)
    def test_what_fails_at_any_step_leaves_nothing_and_is_told_as_it_is(
        self, app: Flask, faults: Faults, write: str, figures: Callable[..., None]
    ) -> None:
        tried = self.tries(app, faults, write, lambda every: every[:: self.one_of])
        figures(faults=len(tried), untrue=sum(bool(one.wrong) for one in tried))
        all_is_true(tried)

    def test_what_fails_while_old_keys_are_forgotten_is_done_by_the_next(self, app: Flask, faults: Faults) -> None:
        table, store = Table(app), app.extensions["desk"].store
        for fault in self.each_step():
            assert WRITES["make a link once"](table).status_code == 201
            before = table.stands()
            with faults.watching(fault), suppress(*self.errors):
                store.forget_made("9999")
            is_over = faults.steps < fault.step
            store.forget_made("9999")
            assert table.stands() == before
            assert WRITES["make a link once"](table).status_code == 201
            assert table.stands() != before
            if is_over:
                return

    @pytest.mark.parametrize("apart", [7, pytest.param(1, marks=pytest.mark.crash)])
    def test_what_fails_while_a_session_is_unpacked_leaves_all_or_nothing_of_it(
        self, app: Flask, faults: Faults, apart: int
    ) -> None:
        """Alone, and in the place of an earlier one."""
        store: Store = app.extensions["desk"].store
        for fault in self.each_step(apart):
            is_over = True
            for packed in (some_packed(fault.step, 1), some_packed(fault.step, 2)):
                there = store.head(packed.session.id)
                try:
                    with faults.watching(fault):
                        store.unpack(packed, over=there)
                except self.errors:
                    is_as_it_was_packed(store, some_packed(fault.step, 1) if there else None, packed.session.id)
                    store.unpack(packed, over=there)
                is_as_it_was_packed(store, packed, packed.session.id)
                is_over = is_over and faults.steps < fault.step
            if is_over:
                return

    @pytest.mark.parametrize("apart", [29, pytest.param(1, marks=pytest.mark.crash)])
    def test_what_fails_while_a_database_is_prepared_is_done_by_the_next(
        self, addresses: Callable[[str], Address], faults: Faults, apart: int
    ) -> None:
        for fault in self.each_step(apart):
            store = open_store(addresses(f"new{fault.step}"))
            with faults.watching(fault), suppress(*self.errors):
                store.prepare()
            is_over = faults.steps < fault.step
            store.prepare()
            assert store.is_ready()
            append_to_new(store)
            store.close()
            if is_over:
                return

    def each_step(self, apart: int = 1) -> Iterator[Fault]:
        """Let each step fail in turn, or one in so many, the first after its effect, the next given up, and so on."""
        for nth, step in enumerate(count(1, apart), 1):
            yield Fault(step, self.kinds[nth // 2 % len(self.kinds)], WHENS[nth % 3])
