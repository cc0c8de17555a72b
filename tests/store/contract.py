"""What every store has to keep. A store's own tests subclass `StoreContract` and give it fixtures.

`addresses` makes an address of a name, at which nothing is yet. `store` is the one that is asked, ready.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import pytest

from ledger.books import Entry
from ledger.hash_chain import SaltedText, row_hash
from ledger.records import replace
from ledger.store import (
    Condition,
    Contents,
    Head,
    Made,
    MadeBefore,
    Store,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    open_store,
)
from ledger.store.address import Address

T = TypeVar("T")

A, B = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"
MOMENT = "2026-11-21T12:00:00Z"
FIRST = b"\x01" * 32
KEY = b"\x02" * 32
LARGEST = 2**63 - 1
NEVER = 3_600.0
"""Seconds: who waits as long as this was forgotten."""

MANY = 1_203
"""More rows than a store is likely to read at a time, and no round number of them."""

TEXTS = [
    "",
    "'; DROP TABLE events; --",
    'quotes " and \\ backslashes',
    "lines\r\nand\ttabs",
    "二枚ぶた・尻馬 ｶﾅ",
    "עברית and العربية",
    "e\u0301 beside \u00e9",
    "👩‍👩‍👧‍👦 🀄 🎴",
    "\U0010ffff",
    "long " * 20_000,
]


def opening(session_id: str) -> StoredSession:
    return StoredSession(session_id, '{"game":"shippin"}', 1, MOMENT)


def link(number: int = 1, **fields: Any) -> StoredLink:
    made = StoredLink(f"link{number}", "owner", None, bytes([number]) * 32, MOMENT)
    return made._replace(**fields)


def row(seq: int, **fields: Any) -> StoredEvent:
    made = StoredEvent(seq, "chips_moved", 1, "{}", MOMENT, "link1", bytes([seq % 256]) * 32)
    return replace(made, **fields)


def entry(number: int, seq: int = 1, amount: int = 1) -> Entry:
    return Entry(number, seq, None, "bank", "p1", amount, "buy_in")


def reply(key: bytes = KEY, seq: int = 1) -> StoredReply:
    return StoredReply(key, b"\x03" * 32, seq, seq, MOMENT)


def made(session_id: str, **fields: Any) -> Made:
    return Made(KEY, b"\x03" * 32, session_id, 0, "link1", MOMENT)._replace(**fields)


def append(store: Store, session_id: str, *rows: StoredEvent) -> None:
    with store.writing(session_id) as log:
        log.append(rows, [], {})


def append_next(store: Store, session_id: str) -> None:
    """Append a row as the desk does: its number, its hash, its entry and the balance follow from what is there."""
    with store.writing(session_id) as log:
        seq, before = log.head
        made = row(seq + 1)
        made = replace(made, hash=row_hash(before, *made.hashed))
        log.append([made], [entry(seq + 1, seq + 1)], {"p1": seq + 1, "bank": -seq - 1})


def everything(store: Store, session_id: str) -> Sequence[object]:
    """All that a store tells of a session."""
    return (
        store.session(session_id),
        store.head(session_id),
        list(store.events(session_id)),
        list(store.entries(session_id)),
        dict(store.balances(session_id)),
        store.reply(session_id, KEY),
        list(store.links(session_id)),
    )


def in_threads(*works: Callable[[], None]) -> None:
    """Do several things at once, and raise what any of them raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work: Callable[[], None]) -> None:
        try:
            start.wait()
            work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test has to see it
            raised.append(error)

    threads = [threading.Thread(target=run, args=[work], daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def elsewhere(read: Callable[[], T]) -> T:
    """Read something in another thread."""
    found: list[T] = []
    in_threads(lambda: found.append(read()))
    return found[0]


class StoreContract:
    """The tests. `contradiction` is what the engine raises for rows that contradict those that are there."""

    contradiction: type[Exception]

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def addresses(self) -> Callable[[str], Address]:
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def sessions(self, store: Store) -> None:
        """Two sessions with nothing in them yet."""
        store.open_session(opening(A), FIRST, link())
        store.open_session(opening(B), FIRST, link())

    # --- what was written is read ---------------------------------------------------------------------------------

    def test_a_session_is_read_as_it_was_opened(self, store: Store) -> None:
        words = {"players.0": SaltedText(b"salt", "Aki"), "name": SaltedText(b"pepper", "木曜日")}
        opened = StoredSession("c", '{"game":"kakkuri"}', 3, "2026-01-01T00:00:00Z", words)
        store.open_session(opened, FIRST, link(1, label="手元"))
        assert store.session("c") == opened
        assert store.head("c") == Head(0, FIRST)
        assert store.links("c") == [link(1, label="手元")]

    def test_a_session_may_come_with_its_log_and_its_books(self, store: Store) -> None:
        contents = Contents([row(1, words={"note": SaltedText(b"s", "n")}), row(2)], [entry(1)], {"p1": 1, "bank": -1})
        store.open_session(opening("c"), FIRST, link(), contents)
        assert Contents(list(store.events("c")), list(store.entries("c")), store.balances("c")) == contents
        assert store.head("c") == Head(2, row(2).hash)

    def test_sessions_are_listed_by_when_they_were_opened_and_then_by_id(self, store: Store) -> None:
        store.open_session(replace(opening("c"), created_at="2026-11-20T23:59:59Z"), FIRST, link())
        store.open_session(replace(opening("0"), created_at="2026-11-21T12:00:01Z"), FIRST, link())
        store.open_session(opening("1"), FIRST, link())
        assert store.session_ids() == ["c", "1", A, B, "0"]

    def test_rows_and_entries_are_read_as_they_were_written(self, store: Store) -> None:
        rows = [
            row(1, type="card_dealt", version=2, body='{"card":"1b"}', words={"note": SaltedText(b"\x00\xff", "x")}),
            row(2, recorded_by="link9", recorded_at="2027-01-01T00:00:00Z"),
        ]
        entries = [
            Entry(1, 1, 7, "pot", "p12", 5, "pot_won", part=2),
            Entry(2, 2, None, "p12", "pot", 5, "pot_won", reverses=1),
        ]
        with store.writing(A) as log:
            log.append(rows, entries, {"p12": -3, "pot": 3, "bank": 0}, reply())
        assert list(store.events(A)) == rows
        assert list(store.entries(A)) == entries
        assert dict(store.balances(A)) == {"p12": -3, "pot": 3, "bank": 0}
        assert store.reply(A, KEY) == reply()
        assert store.head(A) == Head(2, rows[1].hash)

    @pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:20]))
    def test_text_comes_back_letter_for_letter(self, store: Store, text: str) -> None:
        made = row(1, body=text, words={"note": SaltedText(b"salt", text), text or "empty": SaltedText(b"", text)})
        append(store, A, made)
        store.add_link(A, link(2, label=text))
        assert list(store.events(A)) == [made]
        assert store.links(A)[1].label == text

    def test_the_largest_whole_numbers_come_back(self, store: Store) -> None:
        with store.writing(A) as log:
            log.append([row(LARGEST)], [entry(LARGEST, LARGEST, LARGEST)], {"p1": LARGEST, "bank": -LARGEST})
        assert [(found.seq, found.hash) for found in store.events(A)] == [(LARGEST, row(LARGEST).hash)]
        assert list(store.entries(A)) == [entry(LARGEST, LARGEST, LARGEST)]
        assert dict(store.balances(A)) == {"p1": LARGEST, "bank": -LARGEST}

    # --- all of it, or nothing --------------------------------------------------------------------------------------

    @pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
    def test_nothing_stays_of_a_block_that_raises(self, store: Store, kind: type[BaseException]) -> None:
        append(store, A, row(1, words={"note": SaltedText(b"salt", "said")}))
        before = everything(store, A)

        def fails() -> None:
            with store.writing(A) as log:
                log.append([row(2, words={"note": SaltedText(b"s", "w")})], [entry(1, 2)], {"p1": 1}, reply())
                log.append([row(3)], [entry(2, 3)], {"p1": 2})
                log.forget({(1, "note"): "gone"}, {"link1": "gone"})
                raise kind

        with pytest.raises(kind):
            fails()
        assert everything(store, A) == before
        append(store, A, row(2))

    def test_a_row_is_not_written_over(self, store: Store) -> None:
        append(store, A, row(1))
        before = everything(store, A)
        with pytest.raises(self.contradiction):
            append(store, A, row(2), row(1, body="another"))
        assert everything(store, A) == before

    def test_an_entry_is_not_written_over(self, store: Store) -> None:
        with store.writing(A) as log:
            log.append([row(1)], [entry(1)], {})
        before = everything(store, A)
        with pytest.raises(self.contradiction), store.writing(A) as log:
            log.append([row(2)], [entry(2, 2), entry(1, 2)], {"p1": 9})
        assert everything(store, A) == before

    def test_a_key_has_one_reply_in_a_session(self, store: Store) -> None:
        for session_id in (A, B):
            with store.writing(session_id) as log:
                log.append([row(1)], [], {}, reply())
        before = everything(store, A)
        with pytest.raises(self.contradiction), store.writing(A) as log:
            log.append([row(2)], [], {}, reply(seq=2))
        assert everything(store, A) == before
        assert store.reply(A, b"\x04" * 32) is None

    def test_a_session_is_not_opened_over(self, store: Store) -> None:
        append(store, A, row(1))
        before = everything(store, A)
        with pytest.raises(self.contradiction):
            store.open_session(replace(opening(A), body="another"), KEY, link(2))
        assert everything(store, A) == before

    def test_a_session_that_contradicts_itself_is_not_opened(self, store: Store) -> None:
        with pytest.raises(self.contradiction):
            store.open_session(opening("c"), FIRST, link(), Contents([row(1), row(1)]))
        assert everything(store, "c") == (None, None, [], [], {}, None, [])
        assert store.session_ids() == [A, B]

    # --- who sees what ----------------------------------------------------------------------------------------------

    def test_a_block_sees_what_it_appended(self, store: Store) -> None:
        append(store, A, row(1))
        with store.writing(A) as log:
            assert (log.head, log.events(0), log.reply(KEY)) == (Head(1, row(1).hash), [row(1)], None)
            log.append([row(2), row(3)], [], {}, reply(seq=2))
            assert (log.head, log.events(1)) == (Head(3, row(3).hash), [row(2), row(3)])
            assert log.reply(KEY) == reply(seq=2)

    def test_nobody_else_sees_a_block_before_it_ends(self, store: Store) -> None:
        append(store, A, row(1))
        before = everything(store, A)
        with store.writing(A) as log:
            log.append([row(2)], [entry(1, 2)], {"p1": 1}, reply())
            assert elsewhere(lambda: everything(store, A)) == before
            assert everything(store, A) == before
        assert elsewhere(lambda: everything(store, A)) == everything(store, A) != before

    def test_a_moment_stands_still_for_one_thread_alone(self, store: Store) -> None:
        append(store, A, row(1))
        with store.at_one_moment():
            before = everything(store, A)
            in_threads(lambda: append_next(store, A))
            assert everything(store, A) == before
            assert elsewhere(lambda: everything(store, A)) != before
        assert everything(store, A) != before

    def test_reading_on_does_not_hold_up_writers(self, store: Store) -> None:
        append(store, A, *map(row, range(1, MANY)))
        reading = store.events(A)
        assert next(reading) == row(1)
        append(store, A, row(MANY))
        assert [found.seq for found in reading][: MANY - 2] == list(range(2, MANY))

    # --- reading a part ---------------------------------------------------------------------------------------------

    def test_rows_are_read_in_order_whatever_the_order_of_writing(self, store: Store) -> None:
        append(store, A, row(10), row(9), row(2))
        append(store, A, row(1))
        assert [found.seq for found in store.events(A)] == [1, 2, 9, 10]

    def test_as_many_are_read_as_are_asked_for(self, store: Store) -> None:
        numbers = range(1, MANY + 1)
        with store.writing(A) as log:
            log.append(list(map(row, numbers)), list(map(entry, numbers)), {})
        for after in (0, 1, 499, 500, 501, MANY - 1, MANY, MANY + 1):
            for limit in (None, 0, 1, 499, 500, 501, 1_000, MANY, MANY + 1):
                wanted = list(numbers)[after:][:limit]
                assert [found.seq for found in store.events(A, after=after, limit=limit)] == wanted
                assert [found.id for found in store.entries(A, after=after, limit=limit)] == wanted

    def test_entries_of_one_account_are_those_it_paid_or_was_paid(self, store: Store) -> None:
        numbers = [number for number in range(1, 4_500) if not 1_000 < number < 1_100]
        pays = {number: "p2" if number in {7, 2_001, 4_499} else "bank" for number in numbers}
        entries = [entry(number)._replace(payer=pays[number], payee=f"p{number % 2 * 10 + 1}") for number in numbers]
        with store.writing(A) as log:
            log.append([row(1)], entries, {})
        with store.writing(B) as log:
            log.append([row(1)], [entry(8)._replace(payer="p2")], {})
        for account in ("p1", "p2", "p11", "bank", "pot", "p", ""):
            wanted = [one for one in entries if account in {one.payer, one.payee}]
            assert list(store.entries(A, account=account)) == wanted
            for after, limit in [(0, 1), (7, 2), (999, 500), (2_000, 1), (2_001, 3_000), (4_499, 5), (9, 0)]:
                found = list(store.entries(A, account=account, after=after, limit=limit))
                assert found == [one for one in wanted if one.id > after][:limit]

    def test_rows_read_later_have_their_own_words(self, store: Store) -> None:
        rows = [row(seq, words={"note": SaltedText(b"salt", f"note {seq}")}) for seq in range(1, MANY)]
        append(store, A, *rows)
        assert list(store.events(A, after=700)) == rows[700:]

    # --- books, words and links -------------------------------------------------------------------------------------

    def test_balances_are_set_not_added(self, store: Store) -> None:
        for seq, balances in enumerate([{"p1": 5, "bank": -5}, {"p1": 3}, {"p1": 0, "p2": 2}, {}], 1):
            with store.writing(A) as log:
                log.append([row(seq)], [], balances)
        assert dict(store.balances(A)) == {"p1": 0, "p2": 2, "bank": -5}

    def test_all_words_of_a_session_are_found_by_their_places(self, store: Store) -> None:
        store.open_session(replace(opening("c"), words={"name": SaltedText(b"1", "Friday")}), FIRST, link())
        append(store, "c", row(1), row(2, words={"note": SaltedText(b"2", "n"), "event.note": SaltedText(b"3", "m")}))
        append(store, A, row(1, words={"note": SaltedText(b"4", "elsewhere")}))
        with store.writing("c") as log:
            opened, rows = log.session(), log.events(0)
        assert opened is not None
        assert opened.words == {"name": SaltedText(b"1", "Friday")}
        assert [found.words for found in rows] == [
            {},
            {"note": SaltedText(b"2", "n"), "event.note": SaltedText(b"3", "m")},
        ]

    def test_forgotten_words_are_gone_and_nothing_else(self, store: Store) -> None:
        rows = [row(1, words={"note": SaltedText(b"1", "said"), "more": SaltedText(b"2", "stays")}), row(2)]
        append(store, A, *rows)
        append(store, B, *rows)
        store.add_link(A, link(2, label="Aki's phone"))
        other = everything(store, B)
        with store.writing(A) as log:
            log.forget({(1, "note"): "…"}, {"link2": "…"})
        forgotten = replace(rows[0], words={"note": SaltedText(b"", "…"), "more": SaltedText(b"2", "stays")})
        assert list(store.events(A)) == [forgotten, rows[1]]
        assert store.links(A) == [link(), link(2, label="…")]
        assert store.head(A) == Head(2, rows[1].hash)
        assert everything(store, B) == other

    def test_a_link_is_found_by_its_hash_in_its_own_session(self, store: Store) -> None:
        made = link(2, role="viewer", label="the wall", expires_at="2027-01-01T00:00:00Z")
        store.add_link(A, made)
        assert store.links(A) == [link(), made]
        assert store.link_with(A, made.token_hash) == made
        assert store.link_with(B, made.token_hash) is None
        assert store.link_with(A, b"\x09" * 32) is None

    def test_links_are_listed_in_the_order_in_which_they_were_made(self, store: Store) -> None:
        for number in (9, 3, 7):
            store.add_link(A, link(number))
        assert [found.id for found in store.links(A)] == ["link1", "link9", "link3", "link7"]

    def test_a_link_dies_once_and_stays_in_the_list(self, store: Store) -> None:
        store.add_link(A, link(2))
        assert store.revoke_link(A, "link2", "2026-12-01T00:00:00Z")
        assert not store.revoke_link(A, "link2", "2026-12-02T00:00:00Z")
        dead = link(2, revoked_at="2026-12-01T00:00:00Z")
        assert store.links(A) == [link(), dead]
        assert store.link_with(A, dead.token_hash) == dead
        assert store.links(B) == [link()]

    def test_of_two_who_would_each_leave_one_only_one_goes(self, store: Store) -> None:
        store.add_link(A, link(2))
        refused = []

        def leaves_one(links: Sequence[StoredLink]) -> None:
            if sum(found.revoked_at is None for found in links) < 2:
                raise LookupError

        def revokes(name: str) -> None:
            try:
                store.revoke_link(A, name, "2026-12-01T00:00:00Z", leaves_one)
            except LookupError:
                refused.append(name)

        in_threads(lambda: revokes("link1"), lambda: revokes("link2"))
        assert len(refused) == 1
        assert [found.id for found in store.links(A) if found.revoked_at is None] == refused

    def test_a_token_belongs_to_one_link_of_a_session(self, store: Store) -> None:
        with pytest.raises(self.contradiction):
            store.add_link(A, link(2, token_hash=link().token_hash))
        assert store.links(A) == [link()]

    # --- what is made once ------------------------------------------------------------------------------------------

    def test_a_key_opens_one_session_and_says_which(self, store: Store) -> None:
        assert store.made(KEY) is None
        store.open_session(opening("c"), FIRST, link(2, salt=b"salt"), Contents([row(1)]), made("c", seq=1))
        assert store.made(KEY) == made("c", seq=1)
        assert store.links("c") == [link(2, salt=b"salt")]
        with pytest.raises(MadeBefore) as before:
            store.open_session(opening("d"), FIRST, link(), Contents([row(1)]), made("d"))
        assert before.value.made == made("c", seq=1)
        assert everything(store, "d") == (None, None, [], [], {}, None, [])
        store.open_session(opening("d"), FIRST, link(), once=made("d", key=FIRST))
        assert store.made(FIRST) == made("d", key=FIRST)

    def test_a_key_makes_one_link_and_says_which(self, store: Store) -> None:
        store.add_link(A, link(2, salt=b"salt"), made(A, link="link2"))
        assert store.link_with(A, link(2).token_hash) == link(2, salt=b"salt")
        with pytest.raises(MadeBefore) as before:
            store.add_link(A, link(3), made(A, link="link3"))
        assert before.value.made == store.made(KEY) == made(A, link="link2")
        assert [found.id for found in store.links(A)] == ["link1", "link2"]

    def test_a_key_is_kept_with_what_it_made_or_not_at_all(self, store: Store) -> None:
        with pytest.raises(self.contradiction):
            store.open_session(opening(A), FIRST, link(), once=made(A))
        with pytest.raises(self.contradiction):
            store.add_link(A, link(2, token_hash=link().token_hash), made(A))
        with pytest.raises(KeyError):
            store.add_link("nobody", link(2), made("nobody"))
        assert store.made(KEY) is None

    def test_keys_are_forgotten_after_a_while_and_what_they_made_stays(self, store: Store) -> None:
        keys = [bytes([number]) * 32 for number in range(3)]
        for key in keys:
            store.add_link(A, link(2 + key[-1]), made(A, key=key, made_at=f"2026-11-2{key[-1]}T00:00:00Z"))
        store.forget_made("2026-11-21T00:00:00Z")
        assert [store.made(key) is None for key in keys] == [True, False, False]
        assert len(store.links(A)) == 4
        store.add_link(A, link(9), made(A, key=keys[0]))
        assert store.made(keys[0]) == made(A, key=keys[0])

    def test_who_uses_a_key_at_the_same_time_makes_one_thing(self, store: Store) -> None:
        made_before: list[Made] = []

        def open_one(number: int) -> None:
            try:
                store.open_session(opening(f"c{number}"), FIRST, link(), Contents([row(1)]), made(f"c{number}"))
            except MadeBefore as before:
                made_before.append(before.made)

        in_threads(*(partial(open_one, number) for number in range(8)))
        (opened,) = {*store.session_ids()} - {A, B}
        assert made_before == [made(opened)] * 7 == [store.made(KEY)] * 7

    def test_what_was_made_is_still_known_when_its_session_is_deleted(self, store: Store) -> None:
        store.open_session(opening("c"), FIRST, link(), once=made("c"))
        store.delete_session("c")
        assert store.made(KEY) == made("c")

    # --- what is deleted --------------------------------------------------------------------------------------------

    def test_of_a_deleted_session_nothing_is_left_and_of_others_everything(self, store: Store) -> None:
        words = {"note": SaltedText(b"salt", "said")}
        for session_id in (A, B):
            with store.writing(session_id) as log:
                rows = [row(seq, words=words) for seq in range(1, MANY)]
                log.append(rows, [entry(number) for number in range(1, MANY)], {"p1": 1, "bank": -1}, reply())
            store.add_link(session_id, link(2))
        other = everything(store, B)
        assert store.delete_session(A)
        assert everything(store, A) == (None, None, [], [], {}, None, [])
        assert store.link_with(A, link().token_hash) is None
        assert store.session_ids() == [B]
        assert everything(store, B) == other
        self.nobody_is_written(store, A)

    def test_what_is_recorded_while_a_session_is_deleted_is_in_it_or_refused(self, store: Store) -> None:
        """Whoever writes is either before the deletion, or finds no session."""

        def write() -> None:
            with suppress(KeyError):
                for _ in range(200):
                    append_next(store, A)

        def go_on() -> None:
            for _ in range(25):
                append_next(store, B)

        def delete() -> None:
            assert store.delete_session(A)

        in_threads(write, delete, go_on)
        assert everything(store, A) == (None, None, [], [], {}, None, [])
        self.is_whole(store, B, 25)

    def test_an_idle_session_is_one_in_which_nothing_was_recorded_nor_was_it_opened(self, store: Store) -> None:
        then, later = "2026-11-20T00:00:00Z", "2026-11-22T00:00:00Z"
        old = link(created_at=then)
        for name, made, rows in [
            ("never used", old, []),
            ("long ago", old, [row(1, recorded_at=then)]),
            ("again today", old, [row(1, recorded_at=then), row(2, recorded_at=MOMENT)]),
            ("brought in", link(), [row(1, recorded_at=then)]),
        ]:
            store.open_session(replace(opening(name), created_at=then), FIRST, made, Contents(rows))
        store.add_link("never used", link(2))
        assert set(store.sessions_to_delete(MOMENT)) == {"never used", "long ago"}
        assert set(store.sessions_to_delete(then)) == set()
        assert set(store.sessions_to_delete(later)) == {*store.session_ids()}
        assert list(store.sessions_to_delete()) == []

    def test_a_session_that_is_used_after_all_is_not_deleted_for_idleness(self, store: Store) -> None:
        before = everything(store, A)
        assert not store.delete_session(A, idle_since=MOMENT)
        assert everything(store, A) == before
        append(store, B, row(1, recorded_at="2026-11-23T00:00:00Z"))
        assert not store.delete_session(B, idle_since="2026-11-23T00:00:00Z")
        assert store.delete_session(B, idle_since="2026-11-23T00:00:01Z")
        assert store.delete_session(A, idle_since="2026-11-22T00:00:00Z")
        assert store.session_ids() == []

    # --- packed and unpacked ------------------------------------------------------------------------------------------

    @pytest.fixture
    def other(self, addresses: Callable[[str], Address]) -> Iterator[Store]:
        """Another store, for what is moved."""
        made = open_store(addresses("other"))
        made.prepare()
        yield made
        made.close()

    @staticmethod
    def is_lived_in(store: Store) -> None:
        """Put something of everything into a session, and some into another."""
        said, gone = SaltedText(b"salt", "said"), SaltedText(b"", "p1")
        for session_id in (A, B):
            with store.writing(session_id) as log:
                rows = [row(seq, words={"note": said, "event.note": gone}) for seq in range(1, MANY)]
                log.append(rows, [entry(number) for number in range(1, MANY)], {"p1": 1, "p2": 0, "bank": -1}, reply())
            for seq in range(MANY, MANY + 5):
                with store.writing(session_id) as log:
                    log.append([row(seq)], [], {}, reply(bytes([seq % 256]) * 32, seq))
        ends = {"expires_at": "2026-12-01T00:00:00Z", "salt": b"salt"}
        store.add_link(A, link(9, label="Aki's phone", **ends), made(A, link="link9"))
        store.add_link(A, link(3), made(A, link="link3", key=FIRST))
        store.add_link(B, link(2), made(B, link="link2", key=b"\x05" * 32))
        store.revoke_link(A, "link9", "2026-11-30T00:00:00Z")

    @staticmethod
    def contents_of(store: Store, session_id: str) -> Sequence[object]:
        """All that a store packs of a session."""
        with store.pack(session_id) as packed:
            return [list(one) if isinstance(one, Iterator) else one for one in packed]

    @staticmethod
    def carry(source: Store, target: Store, session_id: str = A, over: Head | None = None) -> None:
        with source.pack(session_id) as packed:
            target.unpack(packed, over=over)

    def test_all_of_a_session_is_packed_and_nothing_of_another(self, store: Store) -> None:
        self.is_lived_in(store)
        keys = sorted([KEY, *(bytes([seq % 256]) * 32 for seq in range(MANY, MANY + 5))])
        with store.pack(A) as packed:
            rows, entries, replies = list(packed.events), list(packed.entries), list(packed.replies)
        books = rows, entries, dict(packed.balances)
        assert (packed.session, packed.head, *books, reply(), packed.links) == everything(store, A)
        assert [one.key for one in replies] == keys
        assert all(one == store.reply(A, one.key) for one in replies)
        assert list(packed.made) == [made(A, link="link3", key=FIRST), made(A, link="link9")]
        assert [(one.id, one.revoked_at) for one in packed.links] == [
            ("link1", None),
            ("link9", "2026-11-30T00:00:00Z"),
            ("link3", None),
        ]

    def test_a_session_is_unpacked_elsewhere_as_it_was_packed(self, store: Store, other: Store) -> None:
        self.is_lived_in(store)
        opened = replace(opening("c"), words={"name": SaltedText(b"1", "木曜日"), "players.0": SaltedText(b"", "p1")})
        store.open_session(opened, FIRST, link())
        before = [self.contents_of(store, session_id) for session_id in (A, B, "c")]
        for session_id in (A, "c"):
            self.carry(store, other, session_id)
        assert [self.contents_of(other, session_id) for session_id in (A, "c")] == [before[0], before[2]]
        assert other.session_ids() == [A, "c"]
        assert [self.contents_of(store, session_id) for session_id in (A, B, "c")] == before
        assert other.made(KEY) == made(A, link="link9")
        assert other.reply(A, KEY) == reply()
        assert other.link_with(A, link(9).token_hash) == store.links(A)[1]
        assert list(other.damage()) == []

    def test_a_session_that_is_there_is_not_unpacked_over(self, store: Store, other: Store) -> None:
        self.is_lived_in(store)
        other.open_session(opening(A), FIRST, link(5), once=made(A, link="link5"))
        before = everything(other, A)
        with pytest.raises(self.contradiction):
            self.carry(store, other)
        for over in (Head(0, KEY), Head(1, FIRST)):
            with pytest.raises(KeyError):
                self.carry(store, other, over=over)
        with pytest.raises(KeyError):
            self.carry(store, other, B, over=Head(0, FIRST))
        assert everything(other, A) == before
        assert other.made(KEY) == made(A, link="link5")
        assert other.session_ids() == [A]

    # --- what is not there ------------------------------------------------------------------------------------------

    def test_of_a_session_that_is_not_there_nothing_is_read(self, store: Store) -> None:
        assert everything(store, "nobody") == (None, None, [], [], {}, None, [])
        assert store.link_with("nobody", link().token_hash) is None

    def test_a_session_that_is_not_there_is_not_written(self, store: Store) -> None:
        self.nobody_is_written(store, "nobody")
        assert store.session_ids() == [A, B]

    @staticmethod
    def nobody_is_written(store: Store, nobody: str) -> None:
        """Make sure that nothing can be put into a session that is not there."""
        with pytest.raises(KeyError), store.writing(nobody):
            pytest.fail("there is no such log")
        with pytest.raises(KeyError):
            store.add_link(nobody, link())
        assert not store.revoke_link(nobody, "link1", "2026-12-01T00:00:00Z")
        assert not store.delete_session(nobody)

    def test_a_link_that_is_not_there_does_not_die(self, store: Store) -> None:
        assert not store.revoke_link(A, "nobody", "2026-12-01T00:00:00Z")
        assert store.links(A) == [link()]

    # --- several at once --------------------------------------------------------------------------------------------

    def test_writers_of_one_session_take_turns(self, store: Store) -> None:
        def write() -> None:
            for _ in range(25):
                append_next(store, A)

        in_threads(*[write] * 4)
        self.is_whole(store, A, 100)

    def test_writers_of_several_sessions_do_not_meet(self, store: Store) -> None:
        def write(session_id: str) -> None:
            for _ in range(25):
                append_next(store, session_id)

        in_threads(*[lambda: write(A), lambda: write(B)] * 2)
        self.is_whole(store, A, 50)
        self.is_whole(store, B, 50)

    def test_a_block_that_raises_harms_no_other_at_the_same_time(self, store: Store) -> None:
        def write(session_id: str) -> None:
            for _ in range(25):
                append_next(store, session_id)

        def fail() -> None:
            for _ in range(25):
                with suppress(ArithmeticError), store.writing(B) as log:
                    log.append([row(9_000)], [entry(9_000)], {"p1": 9_000}, reply())
                    raise ArithmeticError

        in_threads(lambda: write(A), fail, lambda: write(B), fail)
        self.is_whole(store, A, 25)
        self.is_whole(store, B, 25)

    @staticmethod
    def is_whole(store: Store, session_id: str, events: int) -> None:
        """Make sure that nothing of what `append_next` wrote was lost, doubled or torn."""
        rows, before = list(store.events(session_id)), FIRST
        for found in rows:
            assert found.hash == row_hash(before, *found.hashed)
            before = found.hash
        assert [found.seq for found in rows] == list(range(1, events + 1))
        assert [found.id for found in store.entries(session_id)] == list(range(1, events + 1))
        assert dict(store.balances(session_id)) == {"p1": events, "bank": -events}
        assert store.head(session_id) == Head(events, before)

    # --- news ---------------------------------------------------------------------------------------------------------

    def test_news_that_is_there_is_not_waited_for(self, store: Store) -> None:
        append(store, A, row(1), row(2))
        assert store.wait_for_news(A, 1, NEVER)
        assert not store.wait_for_news(A, 2, 0)

    def test_who_waits_for_news_is_called_when_it_is_recorded(self, store: Store) -> None:
        called: list[str] = []

        def listener(session_id: str, after: int) -> Callable[[], None]:
            def listen() -> None:
                assert store.wait_for_news(session_id, after, NEVER)
                assert (head := store.head(session_id))
                assert head.seq > after
                called.append(f"{session_id[0]}{after}")

            return listen

        def record() -> None:
            append(store, B, row(1))
            while called != ["b0"]:
                time.sleep(0.001)
            append(store, A, row(1))
            while sorted(called) != ["a0", "a0", "b0"]:
                time.sleep(0.001)
            append(store, A, row(2))

        in_threads(listener(A, 0), listener(A, 0), listener(A, 1), listener(B, 0), record)
        assert sorted(called) == ["a0", "a0", "a1", "b0"]

    def test_who_waits_for_news_is_called_when_the_session_is_deleted(self, store: Store) -> None:
        called: list[bool] = []
        in_threads(
            lambda: called.append(store.wait_for_news(A, 0, NEVER)), lambda: called.append(store.delete_session(A))
        )
        assert called == [True, True]

    def test_of_a_session_that_is_not_there_nobody_waits_for_news(self, store: Store) -> None:
        assert store.wait_for_news("nowhere", 0, NEVER)

    # --- the database as a whole ------------------------------------------------------------------------------------

    def test_nothing_is_made_before_it_is_prepared(self, addresses: Callable[[str], Address]) -> None:
        made = open_store(addresses("new"))
        assert not made.exists()
        assert not made.is_ready()
        assert not made.condition().exists
        assert not made.exists()
        made.prepare()
        assert made.exists()
        assert made.is_ready()
        assert open_store(addresses("new")).exists()
        made.close()

    def test_what_is_written_is_read_by_who_opens_the_same_address(self, addresses: Callable[[str], Address]) -> None:
        made, other = open_store(addresses("new")), open_store(addresses("new"))
        made.prepare()
        made.open_session(opening(A), FIRST, link())
        append_next(other, A)
        assert everything(made, A) == everything(other, A)
        for store in (made, other):
            self.is_whole(store, A, 1)
            store.close()

    def test_it_says_where_it_is_and_in_what_condition(self, store: Store, addresses: Callable[[str], Address]) -> None:
        assert open_store(addresses("new")).address in str(addresses("new"))
        seen = store.condition()
        assert isinstance(seen, Condition)
        assert seen.exists
        assert seen.engine
        assert seen.release
        assert list(seen.pending_migrations) == []
        assert list(store.damage()) == []

    def test_a_store_that_was_closed_may_be_used_again(self, store: Store) -> None:
        append_next(store, A)
        before = everything(store, A)
        store.close()
        assert everything(store, A) == before
        append_next(store, A)
        self.is_whole(store, A, 2)

    # --- its schema -------------------------------------------------------------------------------------------------

    def test_it_may_be_prepared_again(self, store: Store) -> None:
        append(store, A, row(1))
        before = everything(store, A)
        store.prepare()
        assert store.is_ready()
        assert everything(store, A) == before


class CopyContract(StoreContract):
    """The same of an engine that copies a database by itself, and puts a copy back; others say what to use instead."""

    def test_a_copy_has_all_and_stays_as_it_is(self, store: Store, addresses: Callable[[str], Address]) -> None:
        words = {"note": SaltedText(b"salt", "said")}
        with store.writing(A) as log:
            log.append([row(1, words=words)], [entry(1)], {"p1": 1, "bank": -1}, reply())
        before = [everything(store, session_id) for session_id in (A, B)]
        told: list[tuple[int, int]] = []
        store.copy(addresses("copy"), lambda left, total: told.append((left, total)))
        append(store, A, row(2))
        copied = open_store(addresses("copy"))
        assert copied.is_ready()
        assert copied.session_ids() == [A, B]
        assert [everything(copied, session_id) for session_id in (A, B)] == before
        assert told[-1][0] == 0 < told[-1][1]
        append(copied, B, row(1))
        assert list(store.events(B)) == []
        store.copy(addresses("another"))
        another = open_store(addresses("another"))
        assert everything(another, A) == everything(store, A) != before[0]
        assert everything(another, B) == before[1]

    def test_a_copy_takes_the_place_of_what_was_there(self, store: Store, addresses: Callable[[str], Address]) -> None:
        append_next(store, A)
        target = open_store(addresses("target"))
        store.copy(addresses("copy"))
        assert target.restore(addresses("copy")) is None
        assert everything(target, A) == everything(store, A)
        append_next(target, A)
        aside = target.restore(addresses("copy"))
        assert aside is not None
        assert everything(target, A) == everything(store, A)
        self.is_whole(open_store(aside), A, 2)
        append_next(target, A)
        self.is_whole(target, A, 2)
        self.is_whole(open_store(addresses("copy")), A, 1)
