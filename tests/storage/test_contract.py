"""What the store keeps on either engine."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial

import pytest

from ledger.codec.hash_chain import SaltedText
from ledger.records import replace
from ledger.storage.address import open_store
from ledger.storage.errors import AlreadyProcessed, NotFound, StoreUnavailable
from ledger.storage.schema import TABLES
from ledger.storage.store import Store
from ledger.storage.stored import Head
from tests.service import ROOT
from tests.storage.conftest import POSTGRESQL, Addresses
from tests.storage.contract import (
    FIRST,
    KEY,
    LATER,
    MANY,
    MOMENT,
    A,
    B,
    append,
    append_next,
    entry,
    everything,
    fresh,
    in_threads,
    is_whole,
    link,
    opened_with,
    opening,
    record,
    row,
)

TWICE = r"(?i)unique"
"""What either engine says of rows that contradict those that are there."""

LARGEST = 2**63 - 1

TEXTS = [
    "",
    "'; DROP TABLE events; --",
    'quotes " and \\ backslashes, :names, %s and ?',
    "lines\r\nand\ttabs",
    "二枚ぶた・尻馬 ｶﾅ",
    "עברית and العربية",
    "e\u0301 beside \u00e9",
    "👩‍👩‍👧‍👦 🀄 🎴",
    "\U0010ffff",
    "long " * 20_000,
]

# --- what was written is read ---------------------------------------------------------------------------------------


def test_sessions_are_listed_by_when_they_were_opened_and_then_by_id(store: Store) -> None:
    for session in (
        opening("c", created_at="2026-11-20T23:59:59Z"),
        opening("0", created_at="2026-11-21T12:00:01Z"),
        opening("1"),
    ):
        store.create_session(fresh(session.id, session=session), MOMENT)
    assert store.session_ids() == ["c", "1", A, B, "0"]


def test_rows_and_entries_are_read_as_they_were_written(store: Store) -> None:
    rows = [
        row(1, type="card_dealt", version=2, body='{"card":"1b"}', words={"note": SaltedText(b"\x00\xff", "x")}),
        row(2, recorded_by="link9", recorded_at="2027-01-01T00:00:00Z"),
    ]
    entries = [
        entry(1, 1, 5, round=7, payer="pot", payee="p12", reason="pot_won", part=2),
        entry(2, 2, 5, payer="p12", payee="pot", reason="pot_won", reverses=1),
    ]
    append(store, A, *rows, entries=entries, record=record())
    assert list(store.events(A)) == rows
    assert list(store.entries(A)) == entries
    assert store.idempotency_record(A, KEY) == record()
    assert store.head(A) == Head(2, rows[1].hash)
    assert store.last_seqs([A, B, "nobody"]) == {A: 2, B: 0}
    assert store.last_seqs([]) == {}


def test_text_comes_back_letter_for_letter(store: Store) -> None:
    rows = [
        row(seq, body=text, words={"note": SaltedText(b"s", text), text[:99] or "empty": SaltedText(b"", text)})
        for seq, text in enumerate(TEXTS, 1)
    ]
    append(store, A, *rows)
    with store.transaction(A) as log:
        for number, text in enumerate(TEXTS, 2):
            log.add_link(link(number, label=text))
    assert list(store.events(A)) == rows
    assert [found.label for found in store.links(A)] == [None, *TEXTS]


def test_the_largest_whole_numbers_come_back(store: Store) -> None:
    append(store, A, row(LARGEST), entries=[entry(LARGEST, LARGEST, LARGEST)])
    assert [(found.seq, found.hash) for found in store.events(A)] == [(LARGEST, row(LARGEST).hash)]
    assert list(store.entries(A)) == [entry(LARGEST, LARGEST, LARGEST)]
    assert store.balances(A) == {"p1": LARGEST, "bank": -LARGEST}


# --- all of it, or nothing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
def test_nothing_stays_of_a_block_that_raises(store: Store, kind: type[BaseException]) -> None:
    append(store, A, row(1, words={"note": SaltedText(b"salt", "said")}))
    before = everything(store, A)

    def fails() -> None:
        with store.transaction(A) as log:
            log.append([row(2, words={"note": SaltedText(b"s", "w")})], [entry(1, 2)], record())
            log.overwrite({(1, "note"): "gone"}, {"link1": "gone"})
            log.add_link(link(2))
            log.revoke_link("link1", LATER)
            raise kind

    with pytest.raises(kind):
        fails()
    assert everything(store, A) == before
    append(store, A, row(2))


def test_nothing_is_written_over(store: Store) -> None:
    append(store, A, row(1), entries=[entry(1)])
    before = everything(store, A)
    with pytest.raises(Exception, match=TWICE):
        append(store, A, row(2), row(1, body="another"))
    with pytest.raises(Exception, match=TWICE):
        append(store, A, row(2), entries=[entry(2, 2), entry(1, 2)])
    with pytest.raises(Exception, match=TWICE), store.transaction(A) as log:
        log.add_link(link(2, token_hash=link().token_hash))
    assert everything(store, A) == before


def test_a_session_is_not_opened_over_nor_in_half(store: Store) -> None:
    append(store, A, row(1))
    before = everything(store, A)
    with pytest.raises(Exception, match=TWICE):
        store.create_session(fresh(A, links=[link(2)], records=[opened_with(A)]), MOMENT)
    with pytest.raises(Exception, match=TWICE):
        store.create_session(fresh("c", row(1), row(1), records=[opened_with("c")]), MOMENT)
    assert everything(store, A) == before
    assert everything(store, "c") == []
    assert store.session_ids() == [A, B]
    assert store.idempotency_record(KEY.hex(), KEY) is None


# --- who sees what --------------------------------------------------------------------------------------------------


def test_a_block_sees_what_it_appended_and_nobody_else_before_it_ends(store: Store) -> None:
    append(store, A, row(1))
    before = everything(store, A)
    with store.transaction(A) as log:
        assert (log.end, list(log.events(A)), log.idempotency_record(A, KEY)) == (store.head(A), [row(1)], None)
        log.append([row(2), row(3)], [entry(1, 2)], record())
        assert log.end == log.head(A) == Head(3, row(3).hash)
        assert list(log.events(A, after=1)) == [row(2), row(3)]
        assert log.idempotency_record(A, KEY) == record()
        assert log.balances(A) == {"p1": 1, "bank": -1}
        assert everything(store, A) == before
        within = everything(log, A)
    assert everything(store, A) == within


def test_a_snapshot_stands_still_while_others_write(store: Store) -> None:
    append_next(store, A)
    with store.snapshot() as reader:
        before = everything(reader, A)
        in_threads(partial(append_next, store, A))
        store.create_session(fresh("c"), MOMENT)
        assert everything(reader, A) == before != everything(store, A)
        assert reader.session_ids() == [A, B]


def test_reading_on_holds_up_no_writer_and_every_commit_is_told(store: Store) -> None:
    append(store, A, *map(row, range(1, MANY)))
    told: list[bool] = []
    store.on_commit = lambda: told.append(True)
    reading = store.events(A)
    assert next(reading) == row(1)
    append(store, A, row(MANY))
    assert [found.seq for found in reading] == list(range(2, MANY + 1))
    with suppress(ValueError), store.transaction(A):
        raise ValueError
    store.create_session(fresh("c"), MOMENT)
    assert len(told) == 2


# --- reading a part -------------------------------------------------------------------------------------------------


def test_as_many_are_read_as_are_asked_for_in_order_and_with_their_own_words(store: Store) -> None:
    rows = [row(seq, words={"note": SaltedText(b"salt", f"note {seq}")}) for seq in range(1, MANY + 1)]
    entries = [*map(entry, range(1, MANY + 1))]
    append(store, A, *reversed(rows), entries=entries)
    for after in (0, 499, 500, 501, MANY - 1, MANY + 1):
        for limit in (None, 0, 1, 500, 501, 1_000, MANY + 1):
            assert list(store.events(A, after=after, limit=limit)) == rows[after:][:limit]
            assert list(store.entries(A, after=after, limit=limit)) == entries[after:][:limit]


def test_entries_of_one_account_are_those_it_paid_or_was_paid(store: Store) -> None:
    entries = [
        entry(number, payer="p2" if number in {7, 1_001, 1_499} else "bank", payee=f"p{number % 2 * 10 + 1}")
        for number in range(1, 1_500)
        if not 400 < number < 450
    ]
    append(store, A, row(1), entries=entries)
    append(store, B, row(1), entries=[entry(8, payer="p2")])
    for account in ("p1", "p2", "p11", "bank", "pot", "p", ""):
        wanted = [one for one in entries if account in {one.payer, one.payee}]
        assert list(store.entries(A, account=account)) == wanted
        for after, limit in [(0, 1), (7, 2), (399, 500), (1_001, 3_000), (1_499, 5), (9, 0)]:
            found = list(store.entries(A, account=account, after=after, limit=limit))
            assert found == [one for one in wanted if one.id > after][:limit]


# --- books, words and links -----------------------------------------------------------------------------------------


def test_balances_are_what_the_entries_come_to_and_sum_to_zero(store: Store) -> None:
    entries = [entry(1, amount=5), entry(2, payee="p2", amount=3), entry(3, payer="p1", payee="p2", amount=5)]
    append(store, A, row(1), entries=entries)
    append(store, B, row(1), entries=[entry(1, amount=9)])
    assert store.balances(A) == {"p1": 0, "p2": 8, "bank": -8}
    assert sum(store.balances(A).values()) == 0


def test_words_are_found_by_their_places_and_overwritten_ones_are_gone(store: Store) -> None:
    session = opening("c", words={"name": SaltedText(b"1", "Friday")})
    rows = [row(1, words={"more": SaltedText(b"2", "stays"), "note": SaltedText(b"1", "said")}), row(2)]
    store.create_session(fresh("c", *rows, session=session, links=[link(), link(2, label="Aki's phone")]), MOMENT)
    append(store, B, *rows)
    other = everything(store, B)
    assert dict(store.words("c")) == {(0, "name"): "Friday", (1, "more"): "stays", (1, "note"): "said"}
    with store.transaction("c") as log:
        log.overwrite({(0, "name"): "", (1, "note"): "…"}, {"link2": "…"})
    assert store.session("c") == replace(session, words={"name": SaltedText(b"", "")})
    words = {"more": SaltedText(b"2", "stays"), "note": SaltedText(b"", "…")}
    assert list(store.events("c")) == [replace(rows[0], words=words), rows[1]]
    assert store.links("c") == [link(), link(2, label="…")]
    assert store.head("c") == Head(2, rows[1].hash)
    assert everything(store, B) == other


def test_a_link_is_found_by_its_hash_in_its_own_session_also_when_it_is_dead(store: Store) -> None:
    made = link(9, role="viewer", label="the wall", expires_at="2027-01-01T00:00:00Z", salt=b"salt")
    with store.transaction(A) as log:
        log.add_link(made)
        log.add_link(link(3))
        log.revoke_link("link1", LATER)
    assert store.links(A) == [link(revoked_at=LATER), made, link(3)]
    assert store.link_with(A, link().token_hash) == link(revoked_at=LATER)
    assert store.link_with(A, made.token_hash) == made
    assert store.link_with(B, made.token_hash) is None
    assert store.links(B) == [link()]


# --- what a key does once -------------------------------------------------------------------------------------------


def test_a_key_opens_one_session_and_says_which(store: Store) -> None:
    store.create_session(fresh("c", row(1), records=[opened_with("c")]), MOMENT)
    with pytest.raises(AlreadyProcessed):
        store.create_session(fresh("d", row(1), records=[opened_with("d")]), MOMENT)
    assert store.idempotency_record(KEY.hex(), KEY) == opened_with("c")
    assert everything(store, "d") == []
    store.create_session(fresh("d", records=[opened_with("d", scope=FIRST.hex(), key=FIRST)]), MOMENT)
    assert store.session_ids() == [A, B, "c", "d"]


def test_a_key_of_a_session_does_one_thing_and_says_which(store: Store) -> None:
    append(store, A, row(1), record=record())
    append(store, B, row(1), record=record(B))
    before = everything(store, A)
    with pytest.raises(AlreadyProcessed):
        append(store, A, row(2), entries=[entry(2, 2)], record=record(first_seq=2, last_seq=2))
    with pytest.raises(AlreadyProcessed), store.transaction(A) as log:
        log.add_link(link(2), record(link_id="link2"))
    assert everything(store, A) == before
    assert store.idempotency_record(A, FIRST) is None


def test_records_of_openings_and_links_are_deleted_after_a_while_and_what_they_made_stays(store: Store) -> None:
    keys = [bytes([number]) * 32 for number in range(10, 13)]
    with store.transaction(A) as log:
        log.append([row(1)], [], record(created_at="2026-11-20T00:00:00Z"))
        for number, key in enumerate(keys):
            made = record(key=key, link_id=f"link{number + 2}", created_at=f"2026-11-2{number}T00:00:00Z")
            log.add_link(link(number + 2), made)
    store.delete_records("2026-11-21T00:00:00Z")
    assert [store.idempotency_record(A, key) is None for key in keys] == [True, False, False]
    assert store.idempotency_record(A, KEY) is not None
    assert len(store.links(A)) == 4


@pytest.mark.parametrize("what", ["openings", "reports"])
def test_of_many_at_once_with_one_key_one_does_something(store: Store, what: str) -> None:
    refused: list[int] = []

    def once(number: int) -> None:
        try:
            if what == "openings":
                store.create_session(fresh(f"c{number}", row(1), records=[opened_with(f"c{number}")]), MOMENT)
            else:
                append(store, A, row(number), entries=[entry(number)], record=record(last_seq=number))
        except AlreadyProcessed:
            refused.append(number)

    in_threads(*(partial(once, number) for number in range(1, 9)))
    assert len(refused) == 7
    if what == "openings":
        (opened,) = {*store.session_ids()} - {A, B}
        assert store.idempotency_record(KEY.hex(), KEY) == opened_with(opened)
    else:
        (kept,) = store.events(A)
        assert store.idempotency_record(A, KEY) == record(last_seq=kept.seq)
        assert [one.id for one in store.entries(A)] == [kept.seq]


# --- what is deleted ------------------------------------------------------------------------------------------------


OPENED = opening(
    "c",
    body='{"game":"kakkuri"}',
    version=3,
    created_at="2026-01-01T00:00:00Z",
    words={"name": SaltedText(b"pepper", "木曜日"), "players/0": SaltedText(b"", "p1")},
)


def live(store: Store, session_id: str) -> None:
    """Put something of everything into a session; make it first, if it is `c`."""
    if session_id == OPENED.id:
        store.create_session(fresh("c", session=OPENED, records=[opened_with("c")]), MOMENT)
    rows = [row(seq, words={"note": SaltedText(b"salt", "said")}) for seq in range(1, MANY)]
    append(store, session_id, *rows, entries=[*map(entry, range(1, MANY))], record=record(session_id))
    with store.transaction(session_id) as log:
        log.add_link(link(9, label="手元", expires_at=LATER, salt=b"\0\xff"))
        log.add_link(link(3), record(session_id, key=FIRST, link_id="link3"))
        log.revoke_link("link9", LATER)


def test_of_a_deleted_session_no_row_is_left_but_what_its_opening_did(store: Store) -> None:
    live(store, "c")
    live(store, A)
    other = everything(store, A)
    with store.transaction("c") as log:
        log.delete()
    for name, table in TABLES.items():
        assert store.engine.query(f"SELECT * FROM {name} WHERE {table.session} = 'c'") == []  # noqa: S608
    assert store.idempotency_record(KEY.hex(), KEY) == opened_with("c")
    assert everything(store, "c") == []
    assert store.link_with("c", link().token_hash) is None
    assert everything(store, A) == other


@pytest.mark.parametrize("nobody", ["nobody", "no\0body"])
def test_of_a_session_that_is_not_there_nothing_is_read_nor_written(store: Store, nobody: str) -> None:
    assert (store.last_seqs([nobody]), everything(store, nobody)) == ({}, [])
    assert (list(store.events(nobody)), list(store.entries(nobody)), store.links(nobody)) == ([], [], [])
    with pytest.raises(NotFound), store.transaction(nobody):
        pytest.fail("there is no such log")
    for reads in (store.session, store.head, store.copy):
        with pytest.raises(NotFound):
            reads(nobody)


def test_an_idle_session_is_one_in_which_nothing_was_recorded_nor_was_it_opened(store: Store) -> None:
    assert store.last_used() == MOMENT
    then = "2026-11-20T00:00:00Z"
    for name in ("never used", "long ago", "used again"):
        store.create_session(fresh(name), then)
    append(store, "long ago", row(1, recorded_at="2026-11-21T11:59:59Z"))
    append(store, "used again", row(1, recorded_at=LATER))
    with store.transaction("never used") as log:
        log.add_link(link(2, created_at=LATER))
    assert {*store.idle_sessions(MOMENT)} == {"never used", "long ago"}
    assert [*store.idle_sessions(then)] == []
    assert {*store.idle_sessions(LATER)} == {*store.session_ids()} - {"used again"}
    assert store.last_used() == LATER


# --- a whole session, elsewhere -------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", POSTGRESQL])
def other(addresses: Addresses, request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store that is empty."""
    made = open_store(addresses(f"{request.param}:other"))
    with closing(made.engine):
        made.engine.prepare()
        yield made


def test_a_copy_of_a_session_is_all_of_it_and_the_same_elsewhere(store: Store, other: Store) -> None:
    live(store, "c")
    live(store, A)
    with store.snapshot() as reader:
        copy = reader.copy("c")
    assert (copy.session, copy.head) == (OPENED, Head(MANY - 1, row(MANY - 1).hash))
    assert (len(copy.events), len(copy.entries)) == (MANY - 1, MANY - 1)
    assert copy.links[:2] == [link(), link(9, label="手元", expires_at=LATER, salt=b"\0\xff", revoked_at=LATER)]
    assert copy.records == sorted([opened_with("c"), record("c"), record("c", key=FIRST, link_id="link3")])
    other.create_session(copy, MOMENT)
    assert everything(other, "c") == everything(store, "c")
    assert other.session_ids() == ["c"]
    assert list(other.engine.damage()) == []
    with pytest.raises(Exception, match=TWICE):
        other.create_session(copy._replace(records=[]), MOMENT)
    with other.transaction("c") as log:
        log.append([row(MANY)], [entry(MANY, MANY)])
        log.add_link(link(4))
    assert [one.id for one in other.links("c")] == ["link1", "link9", "link3", "link4"]


# --- several at once ------------------------------------------------------------------------------------------------


def test_a_second_writer_waits_and_sees_what_the_first_wrote(store: Store) -> None:
    comes, seen = threading.Event(), list[int]()

    def second() -> None:
        comes.set()
        with store.transaction(A) as log:
            seen.append(log.end.seq)
            log.append([row(log.end.seq + 1)], [])

    with store.transaction(A) as log:
        waiting = threading.Thread(target=second, daemon=True)
        waiting.start()
        comes.wait()
        for seq in range(1, 20):
            log.append([row(seq)], [])
    waiting.join()
    assert seen == [19]
    assert store.head(A) == Head(20, row(20).hash)


def test_writers_take_turns_and_a_block_that_raises_harms_no_other(store: Store) -> None:
    def write(session_id: str) -> None:
        for _ in range(25):
            append_next(store, session_id)

    def fail() -> None:
        for _ in range(25):
            with suppress(ArithmeticError), store.transaction(B) as log:
                log.append([row(9_000)], [entry(9_000)], record(B))
                raise ArithmeticError

    in_threads(*(partial(write, session_id) for session_id in (A, B, A, B)), fail, fail)
    is_whole(store, A, 50)
    is_whole(store, B, 50)


def test_what_is_recorded_while_a_session_is_deleted_is_in_it_or_refused(store: Store) -> None:
    def write() -> None:
        with suppress(NotFound):
            for _ in range(200):
                append_next(store, A)

    def delete() -> None:
        with store.transaction(A) as log:
            log.delete()

    in_threads(write, write, delete)
    assert everything(store, A) == []
    assert store.session_ids() == [B]


# --- the database as a whole ----------------------------------------------------------------------------------------


@pytest.fixture
def new(addresses: Addresses, engine: str) -> str:
    """An address at which there is nothing."""
    return addresses(f"{engine}:new")


def test_nothing_is_made_before_it_is_prepared(new: str) -> None:
    with closing((made := open_store(new)).engine) as engine:
        for is_there in (False, True):
            seen = engine.condition()
            assert (engine.exists(), engine.is_ready(), seen.exists) == (is_there, is_there, is_there)
            assert (engine.exists(), list(seen.pending_migrations), list(seen.warnings)) == (is_there, [], [])
            engine.prepare()
        assert (list(engine.damage()), made.session_ids(), made.last_used()) == ([], [], None)


def test_several_processes_may_prepare_a_database_at_once(new: str) -> None:
    program = "import sys; from ledger.storage.address import open_store; open_store(sys.argv[1]).engine.prepare()"
    started = [subprocess.Popen([sys.executable, "-c", program, new], cwd=ROOT) for _ in range(4)]
    assert [process.wait() for process in started] == [0] * 4
    with closing(open_store(new).engine) as engine:
        assert engine.is_ready()


def test_prepared_again_or_closed_it_goes_on_where_it_was(store: Store, addresses: Addresses, engine: str) -> None:
    append_next(store, A)
    before = everything(store, A)
    store.engine.prepare()
    assert store.engine.is_ready()
    store.engine.close()
    assert everything(store, A) == before
    append_next(store, A)
    other = open_store(addresses(f"{engine}:books"))
    with closing(other.engine):
        append_next(other, A)
    is_whole(store, A, 3)


def test_a_database_that_a_newer_release_changed_is_left_as_it_is(store: Store, engine: str) -> None:
    with store.engine.transaction(lambda _query: True) as connection:
        table = "_sqlite_migrations" if engine == "sqlite" else "migrations"
        connection.execute(f"UPDATE {table} SET name = 'm998_of_tomorrow'")  # noqa: S608
    assert not store.engine.is_ready()
    assert "m998_of_tomorrow" in store.engine.condition().warnings[0]
    with pytest.raises(StoreUnavailable, match=r"newer release.*m998_of_tomorrow"):
        store.engine.prepare()
    assert store.session_ids() == [A, B]
