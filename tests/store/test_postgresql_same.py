"""Two reports that say the same in the same second: each learns what became of itself, and not of the other."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from ledger.hash_chain import row_hash
from ledger.records import replace
from ledger.store import Head, NothingKept, Store, StoreBusy, open_store
from ledger.store.address import Address
from tests.postgres import Server
from tests.store.contract import FIRST, A, StoreContract, entry, link, opening, reply, row

psycopg = pytest.importorskip("psycopg")

OURS, THEIRS = b"\x01" * 32, b"\x02" * 32
CASES = [("WITH taken", Head(0, FIRST)), ("COMMIT", None)]
"""What is lost, and where the log is believed to end by who sends it so."""

BOTH_KEYS = [(OURS, THEIRS), (OURS, None), (None, THEIRS), (None, None)]


@pytest.fixture
def address(postgres: Server) -> Iterator[Address]:
    name = f"same_{secrets.token_hex(6)}"
    yield Address.read(postgres.schema(name))
    postgres.drop(name)


@pytest.fixture
def store(address: Address) -> Iterator[Store]:
    store = open_store(address)
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    yield store
    store.close()


def reports(store: Store, key: bytes | None, *, expected: Head | None) -> None:
    """Report what the other reports as well, onto the same event."""
    said = replace(row(1), hash=b"")
    said = replace(said, hash=row_hash(FIRST, *said.hashed))
    with store.writing(A, expected=expected) as log:
        log.append([said], [entry(1)], {"p1": 1, "bank": -1}, reply(key) if key else None)


def loses(monkeypatch: pytest.MonkeyPatch, question: str, other: Store, theirs: bytes | None, *, kept: bool) -> None:
    """Lose the first such question of ours, before or after it was done; the other reports meanwhile, if it can."""
    execute, is_lost = psycopg.Connection.execute, list[bool]()

    def executed(db: object, query: object, *args: object, **how: object) -> object:
        if str(query).startswith(question) and not is_lost:
            is_lost.append(True)
            if kept:
                execute(db, query, *args, **how)
            assert isinstance(db, psycopg.Connection)
            db.close()
            if not kept:
                reports(other, theirs, expected=None)
            raise psycopg.OperationalError("the connection is lost")
        return execute(db, query, *args, **how)

    monkeypatch.setattr(psycopg.Connection, "execute", executed)


@pytest.mark.parametrize("case", CASES, ids=["in one go", "in a transaction"])
@pytest.mark.parametrize(
    "keys", BOTH_KEYS, ids=["both with a key", "ours with one", "theirs with one", "none with one"]
)
def test_what_somebody_else_reported_in_the_same_words_is_not_taken_for_ours(
    store: Store,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[str, Head | None],
    keys: tuple[bytes | None, bytes | None],
) -> None:
    (question, expected), (ours, theirs) = case, keys
    other = open_store(address)
    with monkeypatch.context() as patch:
        loses(patch, question, other, theirs, kept=False)
        with pytest.raises(NothingKept):
            reports(store, ours, expected=expected)
    StoreContract.is_whole(store, A, 1)
    other.close()


@pytest.mark.parametrize(("question", "expected"), CASES, ids=["in one go", "in a transaction"])
@pytest.mark.parametrize("ours", [OURS, None])
def test_what_we_reported_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch, question: str, expected: Head | None, ours: bytes | None
) -> None:
    with monkeypatch.context() as patch:
        loses(patch, question, store, None, kept=True)
        reports(store, ours, expected=expected)
    StoreContract.is_whole(store, A, 1)


@pytest.mark.parametrize("case", CASES, ids=["in one go", "in a transaction"])
@pytest.mark.parametrize("ours", [OURS, None])
def test_an_event_without_a_nonce_is_taken_neither_for_ours_nor_for_anothers(
    store: Store,
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[str, Head | None],
    ours: bytes | None,
) -> None:
    """A session that was moved here has such events, and one of them may be what we reported before it was moved."""
    (question, expected), other = case, open_store(address)
    with psycopg.connect(address.whole, autocommit=True) as db:
        db.execute(
            "CREATE FUNCTION without() RETURNS trigger AS 'BEGIN NEW.nonce = NULL; RETURN NEW; END' LANGUAGE plpgsql"
        )
        db.execute("CREATE TRIGGER without BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION without()")
    with monkeypatch.context() as patch:
        loses(patch, question, other, None, kept=False)
        with pytest.raises(StoreBusy) as raised:
            reports(store, ours, expected=expected)
    assert raised.type is StoreBusy
    other.close()
