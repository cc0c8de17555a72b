"""Whoever has begun to write in PostgreSQL before something is forgotten keeps VACUUM from clearing it away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

import pytest

from ledger.hash_chain import SaltedText
from ledger.store import Store, open_store
from tests.postgres import NoPostgreSQL, Server
from tests.store.contract import FIRST, A, B, append, link, opening, row

psycopg = pytest.importorskip("psycopg")

NAME = "Zwetschgendatschi"


@contextmanager
def writing(store: Store, _server: Server) -> Iterator[None]:
    with store.writing(B):
        yield


@contextmanager
def prepared(_store: Store, server: Server) -> Iterator[None]:
    """A transaction of somebody else's application, which is left to be committed by whoever comes."""
    server.tells("BEGIN", "SELECT pg_current_xact_id()", "PREPARE TRANSACTION 'left'")
    try:
        yield
    finally:
        server.tells("ROLLBACK PREPARED 'left'")


def rows_with(server: Server, word: str) -> int:
    """Say how many rows of the words' first page have a word, found or not."""
    statement = (
        "SELECT count(*) FROM heap_page_items(get_raw_page('books.words', 0)) WHERE encode(t_data, 'escape') LIKE"
    )
    found: int = server.tells(f"{statement} '%{word}%'")[0][0]
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server on which nobody else has begun to write."""
    pytest.importorskip("psycopg")
    try:
        with Server(settings={"max_prepared_transactions": "1"}) as server:
            server.tells("CREATE EXTENSION pageinspect")
            yield server
    except NoPostgreSQL as missing:
        pytest.skip(str(missing))


@pytest.fixture
def store(server: Server) -> Iterator[Store]:
    with closing(open_store(server.schema("books"))) as store:
        store.prepare()
        for session in (A, B):
            store.open_session(opening(session), FIRST, link())
        append(store, B, row(1, words={"note": SaltedText(b"1", "what stays")}))
        yield store
    server.drop("books")


@pytest.mark.parametrize("somebody", [writing, prepared])
@pytest.mark.parametrize("what", ["erased", "deleted"])
def test_what_is_held_back_by_who_has_begun_to_write_is_pending(
    store: Store, server: Server, somebody: Callable[[Store, Server], AbstractContextManager[None]], what: str
) -> None:
    append(store, A, row(1, words={"note": SaltedText(b"1", NAME)}))
    with somebody(store, server):
        if what == "deleted":
            assert store.delete_session(A)
        else:
            with store.writing(A) as log:
                log.forget({(1, "note"): "p1"}, {})
        assert store.forgetting_is_pending()
        assert not store.finish_forgetting()
        assert rows_with(server, NAME)
    assert store.finish_forgetting()
    assert not store.forgetting_is_pending()
    assert not rows_with(server, NAME)


def test_who_is_done_with_writing_in_a_moment_is_waited_for(
    store: Store, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(store, A, row(1, words={"note": SaltedText(b"1", NAME)}))
    with psycopg.connect(server.address()) as other:
        other.execute("SELECT pg_current_xact_id()")
        monkeypatch.setattr("ledger.store.postgresql.deleting.time.sleep", lambda _seconds: other.commit())
        with store.writing(A) as log:
            log.forget({(1, "note"): "p1"}, {})
        assert not store.forgetting_is_pending()
        assert not rows_with(server, NAME)


def test_what_a_role_may_not_clear_away_is_pending(store: Store, server: Server) -> None:
    """PostgreSQL skips the tables then, with a warning that nobody reads."""
    append(store, A, row(1, words={"note": SaltedText(b"1", NAME)}))
    server.tells(
        "CREATE ROLE scribe LOGIN",
        "GRANT USAGE ON SCHEMA books TO scribe",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA books TO scribe",
    )
    with closing(open_store(server.schema("books", user="scribe"))) as as_scribe:
        with as_scribe.writing(A) as log:
            log.forget({(1, "note"): "p1"}, {})
        assert as_scribe.forgetting_is_pending()
        assert not as_scribe.finish_forgetting()
        assert as_scribe.forgetting_is_pending()
        assert rows_with(server, NAME)
    assert store.finish_forgetting()
    assert not store.forgetting_is_pending()
    assert not rows_with(server, NAME)
