"""PostgreSQL lost in the middle: what was kept is told so, what was not is done once more, nothing is kept twice."""

from __future__ import annotations

import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Literal, cast

import pytest

from ledger.app import create_app
from ledger.books import Entry
from ledger.hash_chain import row_hash
from ledger.records import replace
from ledger.store import Head, NothingKept, Packed, Store, StoreBusy, open_store
from ledger.store.address import Address
from ledger.store.passages import Step
from tests.postgres import Server
from tests.scorekeeper import Scorekeeper, event
from tests.service import ROOT
from tests.store.contract import (
    FIRST,
    MOMENT,
    NEVER,
    A,
    B,
    StoreContract,
    append_next,
    entry,
    in_threads,
    link,
    made,
    opening,
    row,
)

psycopg = pytest.importorskip("psycopg")

from ledger.store.postgresql import connections, news, writer  # noqa: E402 - only where psycopg is
from ledger.store.postgresql.log import was_opened  # noqa: E402 - (as above)
from ledger.store.postgresql.store import PostgreSQLStore  # noqa: E402 - (as above)

QUICK = 0.3
"""Seconds: as long as whoever waits in vain is to wait."""

END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = 'fuda-ledger' AND pid <> pg_backend_pid() AND {which}"
)


@pytest.fixture
def address(postgres: Server) -> Iterator[Address]:
    name = f"lost_{secrets.token_hex(6)}"
    yield Address.read(postgres.schema(name))
    postgres.drop(name)


@pytest.fixture
def store(address: Address) -> Iterator[Store]:
    store = open_store(address)
    store.prepare()
    for session in (A, B):
        store.open_session(opening(session), FIRST, link())
    yield store
    store.close()


def is_called(commit: Callable[[object], object], monkeypatch: pytest.MonkeyPatch, kind: str = "COMMIT") -> list[int]:
    """Have something else done than a COMMIT, the first time that a connection of ours is to do one."""
    execute, calls = psycopg.Connection.execute, [0]

    def executed(db: object, query: object, *args: object, **how: object) -> object:
        if query == kind:
            calls[0] += 1
            if calls[0] == 1:
                return commit(db)
        return execute(db, query, *args, **how)

    monkeypatch.setattr(psycopg.Connection, "execute", executed)
    return calls


def lost(*, after_it: bool) -> Callable[[object], object]:
    """Lose the connection with a COMMIT, before or after it was done."""

    def commit(db: object) -> object:
        assert isinstance(db, psycopg.Connection)
        if after_it:
            db.cursor().execute("COMMIT")
        db.close()
        raise psycopg.OperationalError("the connection is lost")

    return commit


def test_a_commit_whose_answer_was_lost_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    is_called(lost(after_it=True), monkeypatch)
    append_next(store, A)
    append_next(store, A)
    StoreContract.is_whole(store, A, 2)


def test_a_commit_that_was_lost_kept_nothing_and_may_be_done_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_called(lost(after_it=False), monkeypatch)
    with pytest.raises(NothingKept):
        append_next(store, A)
    assert store.head(A) == Head(0, FIRST)
    append_next(store, A)
    StoreContract.is_whole(store, A, 1)


@pytest.mark.parametrize("after_it", [True, False])
@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_unpacked_is_kept_as_a_whole_or_not_at_all_when_its_commit_is_lost(
    store: Store, monkeypatch: pytest.MonkeyPatch, *, after_it: bool, is_there: bool
) -> None:
    append_next(store, A)
    packed = StoreContract.contents_of(store, A)
    moved = Packed._make(packed)._replace(session=opening(B if is_there else "c"))
    over = store.head(moved.session.id)
    with monkeypatch.context() as patch:
        is_called(lost(after_it=after_it), patch)
        if after_it:
            store.unpack(moved, over=over)
        else:
            with pytest.raises(NothingKept):
                store.unpack(moved, over=over)
            assert store.head(moved.session.id) == over
    if not after_it:
        store.unpack(moved, over=over)
    StoreContract.is_whole(store, moved.session.id, 1)
    assert StoreContract.contents_of(store, moved.session.id) == [moved.session, *packed[1:]]


@pytest.mark.parametrize("after_it", [True, False])
def test_what_is_opened_and_linked_is_kept_once(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    *,
    after_it: bool,
) -> None:
    calls = is_called(lost(after_it=after_it), monkeypatch)
    store.open_session(opening("c"), FIRST, link(), once=made("c"))
    assert store.head("c") == Head(0, FIRST)
    assert calls[0] == 2 + (not after_it)  # the look has a COMMIT of its own
    calls[0] = 0
    store.add_link("c", link(2))
    assert [each.id for each in store.links("c")] == ["link1", "link2"]
    assert calls[0] == 2 + (not after_it)  # the look has a COMMIT of its own
    calls[0] = 0
    assert store.revoke_link("c", "link2", "2026-12-01T00:00:00Z")
    calls[0] = 0
    assert store.delete_session("c")
    assert store.head("c") is None


def test_who_cannot_look_does_not_say_what_became_of_it(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(address, busy_seconds=QUICK)
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    with psycopg.connect(address.whole) as other:

        def commit(db: object) -> object:
            lost_one = lost(after_it=False)
            with pytest.raises(psycopg.OperationalError):
                lost_one(db)
            other.execute("SELECT 1 FROM sessions FOR UPDATE")  # as a COMMIT that is still under way would
            raise psycopg.OperationalError

        is_called(commit, monkeypatch)
        with pytest.raises(StoreBusy) as busy:
            append_next(store, A)
        assert not isinstance(busy.value, NothingKept)
    append_next(store, A)
    StoreContract.is_whole(store, A, 1)
    store.close()


@pytest.mark.parametrize("after_it", [True, False])
def test_who_is_lost_while_looking_until_it_is_too_late_does_not_say_that_nothing_was_kept(
    address: Address, monkeypatch: pytest.MonkeyPatch, *, after_it: bool
) -> None:
    """Whoever heard that nothing was kept would record it once more."""
    store = open_store(address, busy_seconds=QUICK)
    store.prepare()
    store.open_session(opening(A), FIRST, link())

    def commit(db: object) -> object:
        monkeypatch.setattr(writer, "was_kept", lost_too_late)
        return lost(after_it=after_it)(db)

    def lost_too_late(_take: object, _is_kept: object, db: object) -> bool:
        time.sleep(QUICK)
        assert isinstance(db, psycopg.Connection)
        db.close()
        raise psycopg.OperationalError("the connection is lost")

    is_called(commit, monkeypatch)
    with pytest.raises(StoreBusy) as busy:
        append_next(store, A)
    assert not isinstance(busy.value, NothingKept)
    head = store.head(A)
    assert head is not None
    assert head.seq == int(after_it)
    store.close()


def test_who_only_reads_is_told_of_no_more_than_a_database_that_is_busy(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(address, busy_seconds=QUICK)
    store.prepare()

    def lost_too_late(db: object, *_given: object) -> object:
        time.sleep(QUICK)
        assert isinstance(db, psycopg.Connection)
        db.close()
        raise psycopg.OperationalError("the connection is lost")

    with monkeypatch.context() as patch:
        patch.setattr("ledger.store.postgresql.store.head_of", lost_too_late)
        for within in (nullcontext(), store.at_one_moment()):
            with pytest.raises(StoreBusy) as busy, within:
                store.head(A)
            assert not isinstance(busy.value, NothingKept)
    store.close()


def is_appending(query: object) -> bool:
    return isinstance(query, str) and query.startswith("WITH taken")


class Appending:
    """Watches what is appended. `happens` says what does, in turn, with the connection and what does it in earnest.

    `statements` are those of the thread that watches: others tell the news, and set connections up.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *happens: Callable[[object, Callable[[], object]], object]
    ) -> None:
        self.statements: list[str] = []
        self._happens = list(happens)
        execute, watcher = psycopg.Connection.execute, threading.get_ident()

        def executed(db: object, query: object, *args: object, **how: object) -> object:
            if threading.get_ident() == watcher:
                self.statements.append(str(query))
            if is_appending(query) and self._happens:
                return self._happens.pop(0)(db, lambda: execute(db, query, *args, **how))
            return execute(db, query, *args, **how)

        monkeypatch.setattr(psycopg.Connection, "execute", executed)


def answer_lost(db: object, does: Callable[[], object]) -> object:
    does()
    return question_lost(db, does)


def question_lost(db: object, _does: Callable[[], object]) -> object:
    assert isinstance(db, psycopg.Connection)
    db.close()
    raise psycopg.OperationalError("the connection is lost")


def append_expected(store: Store) -> None:
    """Append a row in the place where the log ends, and have nothing done once more."""
    seq, before = expected = store.head(A) or Head(0, FIRST)
    made_next = replace(row(seq + 1), hash=b"")
    made_next = replace(made_next, hash=row_hash(before, *made_next.hashed))
    with store.writing(A, expected=expected) as log:
        log.append([made_next], [entry(seq + 1, seq + 1)], {"p1": seq + 1, "bank": -seq - 1})


def test_who_knows_where_the_log_ends_goes_there_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        expected = store.head(A)
        assert expected
        with monkeypatch.context() as patch:
            watched = Appending(patch)
            with store.writing(A, expected=expected) as log:
                log.append([row(expected.seq + 1)], [], {"p1": 1})
        assert [is_appending(one) for one in watched.statements] == [True]


@pytest.mark.parametrize(
    "lost", [[answer_lost], [question_lost], [question_lost] * 3, [question_lost, answer_lost], [answer_lost] * 2]
)
def test_what_is_appended_in_one_go_is_kept_once_whatever_is_lost(
    store: Store, monkeypatch: pytest.MonkeyPatch, lost: list[Callable[[object, Callable[[], object]], object]]
) -> None:
    append_expected(store)
    with monkeypatch.context() as patch:
        Appending(patch, *lost)
        append_expected(store)
    append_expected(store)
    StoreContract.is_whole(store, A, 3)


def test_what_was_lost_and_came_too_late_is_not_taken_for_kept(
    store: Store, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_store(address)

    def outrun(db: object, does: Callable[[], object]) -> object:
        append_next(other, A)
        return question_lost(db, does)

    with monkeypatch.context() as patch:
        Appending(patch, outrun)
        with pytest.raises(NothingKept), store.writing(A, expected=Head(0, FIRST)) as log:
            log.append([row(1)], [], {})
    StoreContract.is_whole(store, A, 1)
    other.close()


def test_who_looks_for_what_was_lost_in_a_session_that_is_gone_does_not_say_that_nothing_was_kept(
    store: Store, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been moved away with that event, to where it would be recorded once more."""
    other = open_store(address)

    def go(db: object, does: Callable[[], object]) -> object:
        does()
        other.delete_session(A)
        return question_lost(db, does)

    def commit_and_go(db: object) -> object:
        assert isinstance(db, psycopg.Connection)
        return go(db, lambda: db.cursor().execute("COMMIT"))

    with monkeypatch.context() as patch:
        Appending(patch, go)
        with pytest.raises(StoreBusy) as busy:
            append_expected(store)
    assert not isinstance(busy.value, NothingKept)
    store.open_session(opening(A), FIRST, link())
    with monkeypatch.context() as patch:
        is_called(commit_and_go, patch)
        with pytest.raises(StoreBusy) as busy:
            append_next(store, A)
    assert not isinstance(busy.value, NothingKept)
    other.close()


MEANWHILE_IT_IS = {
    "on its way": ["leave", "go"],
    "elsewhere": ["leave", "go", "let go"],
    "gone": ["leave", "go", "let go", "tidied"],
}


@pytest.mark.parametrize("steps", MEANWHILE_IT_IS.values(), ids=MEANWHILE_IT_IS)
@pytest.mark.parametrize(
    "does",
    [
        lambda store: store.revoke_link(A, "link1", MOMENT),
        lambda store: store.delete_session(A),
        lambda store: store.add_link(A, link(2)),
    ],
    ids=["revoked", "deleted", "linked"],
)
def test_what_was_lost_in_a_session_that_is_moved_meanwhile_is_not_told_done(
    store: Store,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
    steps: list[Step | Literal["tidied"]],
    does: Callable[[Store], object],
) -> None:
    """Where it was moved to the link lives, and the session is there."""
    other = open_store(address)

    def lost_and_moved(db: object) -> object:
        with pytest.raises(psycopg.OperationalError):
            lost(after_it=False)(db)
        for step in steps:
            if step == "tidied":
                assert other.finish_forgetting()
            else:
                assert other.step(A, "a move", step)
        raise psycopg.OperationalError("the connection is lost")

    is_called(lost_and_moved, monkeypatch)
    with pytest.raises(StoreBusy) as busy:
        does(store)
    assert not isinstance(busy.value, NothingKept)
    other.close()


@pytest.mark.parametrize("steps", MEANWHILE_IT_IS.values(), ids=MEANWHILE_IT_IS)
def test_a_session_that_is_moved_before_it_is_known_to_be_opened_is_not_opened_a_second_time(
    store: Store, address: Address, monkeypatch: pytest.MonkeyPatch, steps: list[Step | Literal["tidied"]]
) -> None:
    other = open_store(address)

    def kept_and_moved(db: object) -> object:
        with pytest.raises(psycopg.OperationalError):
            lost(after_it=True)(db)
        for step in steps:
            if step == "tidied":
                assert other.finish_forgetting()
            else:
                assert other.step("c", "a move", step)
        raise psycopg.OperationalError("the connection is lost")

    with monkeypatch.context() as patch:
        is_called(kept_and_moved, patch)
        with pytest.raises(StoreBusy) as busy:
            store.open_session(opening("c"), FIRST, link())
    assert not isinstance(busy.value, NothingKept)
    assert store.head("c") is None
    other.close()


def test_an_opening_that_the_server_has_not_heard_of_is_not_kept(store: Store, postgres: Server) -> None:
    """As of a replica that has taken over."""
    with psycopg.connect(postgres.address()) as db:
        ((number,),) = db.execute("SELECT pg_current_xact_id()::text").fetchall()
        db.rollback()
    assert isinstance(store, PostgreSQLStore)
    for unheard_of in (number, str(int(number) + 1_000_000)):
        assert not store._here.tried(partial(was_opened, session_id="c", transaction=unheard_of))
    assert store._here.tried(partial(was_opened, session_id=A, transaction=number))


def test_a_deletion_whose_answer_was_lost_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        calls = is_called(lost(after_it=True), patch)
        assert store.delete_session(A)
        assert calls[0] > 1
    assert store.head(A) is None
    with monkeypatch.context() as patch:
        is_called(lost(after_it=False), patch)
        assert store.delete_session(B)
    assert not store.delete_session(B)
    assert not store.forgetting_is_pending()


def test_a_reading_that_was_left_in_the_middle_is_nothing_to_whoever_gets_the_connection_next(store: Store) -> None:
    for _ in range(2):
        append_next(store, A)
    with store.pack(A) as packed:
        left = cast("Generator[Entry]", packed.entries)
        assert next(left).id == 1
    with store.writing(A) as log:
        log.append(
            [replace(row(3), hash=row_hash(log.head.hash, *row(3).hashed))], [entry(3, 3)], {"p1": 3, "bank": -3}
        )
        left.close()
        assert len(log.events(0)) == 3
    StoreContract.is_whole(store, A, 3)


def test_who_cannot_send_it_again_does_not_say_what_became_of_it(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(address, busy_seconds=QUICK)
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    with monkeypatch.context() as patch:
        Appending(patch, answer_lost, *[question_lost] * 1_000)
        with pytest.raises(StoreBusy) as busy:
            append_expected(store)
        assert not isinstance(busy.value, NothingKept)
    append_expected(store)
    StoreContract.is_whole(store, A, 2)
    store.close()


def test_who_shares_a_session_takes_its_row_until_nobody_else_writes_it(
    store: Store, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So whoever writes in turns with another process does not do everything twice."""
    other = open_store(address)
    expected = store.head(A)
    append_next(other, A)
    with pytest.raises(NothingKept), store.writing(A, expected=expected) as log:
        log.append([row(1)], [], {})
    for is_believed in (False, True):
        with monkeypatch.context() as patch:
            watched = Appending(patch)
            append_expected(store)
            assert any("FOR UPDATE" in one for one in watched.statements) != is_believed
    StoreContract.is_whole(store, A, 3)
    other.close()


def test_a_connection_that_was_ended_is_replaced(store: Store, postgres: Server) -> None:
    for _ in range(3):
        postgres.tells(END_ALL.format(which="true"))
        assert store.head(A) is not None
        append_next(store, A)
    StoreContract.is_whole(store, A, 3)


def test_a_report_whose_transaction_is_ended_is_recorded_once(
    address: Address, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app({"LEDGER_DATABASE": address.whole})
    table = Scorekeeper(app.test_client())
    table.opens("shippin")
    ended = []

    def ended_before(db: object, does: Callable[[], object]) -> object:
        assert isinstance(db, psycopg.Connection)
        ended.append(postgres.tells(f"SELECT pg_terminate_backend({db.info.backend_pid})"))
        return does()

    Appending(monkeypatch, ended_before)
    answered = table.tries(event("chips_moved", **{"from": "bank", "to": "p1", "amount": 5}))
    assert (answered.status_code, len(ended)) == (201, 1)
    assert table.client.get(f"{table.address}/events", headers=table.headers()).get_json()["events"][-1]["seq"] == 1
    app.extensions["desk"].store.close()


def test_sessions_do_not_wait_for_one_another(store: Store, address: Address) -> None:
    other = open_store(address, busy_seconds=NEVER)
    with store.writing(A) as log:
        log.append([row(1)], [], {})
        append_next(other, B)
    with pytest.raises(StoreBusy), store.writing(A):
        append_next(open_store(address, busy_seconds=QUICK), A)
    assert other.head(B) == store.head(B)
    other.close()


@pytest.mark.parametrize("isolation", ["repeatable read", "serializable"])
def test_two_who_write_one_session_are_not_told_that_it_has_changed_whatever_is_usual(
    store: Store, postgres: Server, address: Address, isolation: str
) -> None:
    name = f"strict_{secrets.token_hex(6)}"
    postgres.tells(
        f"CREATE ROLE {name} LOGIN SUPERUSER", f"ALTER ROLE {name} SET default_transaction_isolation = '{isolation}'"
    )
    strict = [open_store(f"{address.whole}&user={name}") for _ in range(2)]

    def write(one: Store) -> None:
        for _ in range(20):
            append_next(one, A)

    in_threads(*(partial(write, one) for one in strict))
    for one in strict:
        one.close()
    StoreContract.is_whole(store, A, 40)
    postgres.tells(f"DROP ROLE {name}")


UNDONE = [psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected]


@pytest.mark.parametrize("error", UNDONE)
def test_what_the_server_undoes_is_told_so(
    store: Store, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def undone(db: object) -> object:
        assert isinstance(db, psycopg.Connection)
        db.rollback()
        raise error

    for before in range(2):
        with monkeypatch.context() as patch:
            is_called(undone, patch)
            with pytest.raises(NothingKept):
                append_next(store, A)
        with monkeypatch.context() as patch:
            Appending(patch, lambda db, _does: undone(db))
            with pytest.raises(NothingKept):
                append_next(store, A)
        append_next(store, A)
        StoreContract.is_whole(store, A, before + 1)


@pytest.mark.parametrize("error", UNDONE)
def test_what_the_server_undoes_while_a_row_is_taken_or_all_is_sent_at_once_is_done_once_more(
    store: Store, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def undone(_db: object, _does: object) -> object:
        raise error

    take, undoes = writer.begun, [error]

    def begun(*given: object) -> object:
        if undoes:
            raise undoes.pop()
        return take(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(writer, "begun", begun)
        append_next(store, A)
    assert not undoes
    for happens in ([undone], [answer_lost, undone], [undone, question_lost]):
        with monkeypatch.context() as patch:
            Appending(patch, *happens)
            append_expected(store)
    StoreContract.is_whole(store, A, 4)


def test_who_waits_for_one_session_leaves_the_connections_to_those_who_write_another(
    store: Store, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)
    waiters = [threading.Thread(target=append_next, args=(store, A), daemon=True) for _ in range(24)]
    store.close()  # and what is opened now has no more
    with psycopg.connect(address.whole) as other:
        other.execute("SELECT 1 FROM sessions WHERE id = %s FOR UPDATE", [A])
        for waiter in waiters:
            waiter.start()
        for _ in range(20):
            append_next(store, B)
            with store.writing(B, expected=store.head(B)) as log:
                assert log.head == store.head(B)
        other.rollback()
    for waiter in waiters:
        waiter.join()
    StoreContract.is_whole(store, A, len(waiters))
    StoreContract.is_whole(store, B, 20)


def test_who_is_not_patient_does_not_wait_for_their_turn_either(store: Store, address: Address) -> None:
    others = open_store(address, busy_seconds=NEVER)
    with others.writing(A) as log:
        with pytest.raises(StoreBusy):
            others.revoke_link(A, "link1", MOMENT, patient=False)
        log.append([row(1)], [], {})
    assert others.revoke_link(A, "link1", MOMENT, patient=False)
    others.close()
    assert store.links(A)[0].revoked_at == MOMENT


def test_who_is_not_called_looks_all_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "call", lambda _sessions, _db: None)
    heard: list[bool] = []
    listening = threading.Thread(target=lambda: heard.append(store.wait_for_news(A, 0, NEVER)), daemon=True)
    listening.start()
    time.sleep(QUICK)
    append_next(store, A)
    listening.join()
    assert heard == [True]


def test_who_listens_is_called_by_another_process_at_once(
    store: Store, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "LOOK_SECONDS", NEVER)
    other = open_store(address)
    heard: list[bool] = []
    in_threads(lambda: heard.append(store.wait_for_news(A, 0, NEVER)), lambda: append_next(other, A))
    assert heard == [True]
    other.close()


def test_who_waits_is_called_though_the_database_was_gone_meanwhile(
    store: Store, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[bool] = []
    listening = threading.Thread(target=lambda: heard.append(store.wait_for_news(A, 0, NEVER)), daemon=True)
    listening.start()
    monkeypatch.setattr("ledger.store.news.TROUBLE_SECONDS", 0.01)
    while not postgres.tells(END_ALL.format(which="query LIKE 'LISTEN%'")):
        time.sleep(0.01)
    append_next(store, A)
    listening.join()
    assert heard == [True]


GREENLETS = """
from gevent import monkey
monkey.patch_all()
import sys
import gevent
from ledger.store import open_store

store, turns = open_store(sys.argv[1]), []


def goes_on():
    while True:
        turns.append(1)
        gevent.sleep(0.01)


gevent.spawn(goes_on)
store._here.tried(lambda db: db.execute("SELECT pg_sleep(0.5)"))
store.close()
print(len(turns))
"""


def test_who_waits_for_the_database_lets_other_greenlets_go_on(address: Address) -> None:
    done = subprocess.run(
        [sys.executable, "-c", GREENLETS, address.whole], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(done.stdout) > 1, done


FORKS_LATER = """
import sys
from ledger.store import prepare_for_children
from ledger.store.address import Address

prepare_for_children(Address.read(sys.argv[1]))
assert not [name for name in sys.modules if name.startswith("psycopg")]
"""


def test_the_process_that_forks_the_workers_has_no_driver(address: Address) -> None:
    """It would settle there how to wait, before gevent is in the workers, and one who waits would stop them all."""
    found = subprocess.run(
        [sys.executable, "-c", FORKS_LATER, address.whole],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert found.returncode == 0, found.stderr
    assert open_store(address).is_ready()


HANGS = """
import sys
from ledger.store import NothingKept, open_store
from ledger.store.postgresql import connections
from tests.store.contract import A, row

connections.OURS["idle_in_transaction_session_timeout"] = "300ms"
store = open_store(sys.argv[1])
try:
    with store.writing(A) as log:
        print("has it", flush=True)
        sys.stdin.readline()
        log.append([row(1)], [], {})
except NothingKept:
    print("nothing kept")
store.close()
"""


def test_a_process_that_hangs_in_the_middle_of_its_writing_keeps_a_session_from_nobody_for_long(
    store: Store, address: Address
) -> None:
    """Its connection stands, so only the server can tell that it says nothing any more."""
    command = [sys.executable, "-c", HANGS, address.whole]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hanging:
        assert hanging.stdout
        assert hanging.stdout.readline() == "has it\n"
        hanging.send_signal(signal.SIGSTOP)
        try:
            append_next(store, A)
        finally:
            hanging.send_signal(signal.SIGCONT)
        assert hanging.communicate("\n", timeout=60)[0] == "nothing kept\n"
    StoreContract.is_whole(store, A, 1)
