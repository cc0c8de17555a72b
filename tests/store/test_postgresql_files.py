"""What is left of forgotten words in the files of PostgreSQL's server, and in the samples that it takes of columns."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger.app import create_app
from ledger.store import open_store
from tests.postgres import Server
from tests.scorekeeper import Scorekeeper, event
from tests.service import ROOT

psycopg = pytest.importorskip("psycopg")


def statements_of_the_documents() -> list[str]:
    """The statements that are said to bring what was forgotten out of the tables' files."""
    (block,) = re.findall(r"```sql\n(.*?VACUUM .*?)```", (ROOT / "docs" / "operating.md").read_text("utf-8"), re.DOTALL)
    return [line.strip() for line in block.splitlines() if line.strip()]


def files_of_tables_with(server: Server, word: str) -> list[Path]:
    files = (file for file in (server.data / "base").rglob("*") if file.is_file())
    return [file for file in files if word.encode() in file.read_bytes()]


@pytest.mark.slow
def test_what_was_forgotten_is_in_no_file_of_a_table_once_they_are_written_anew() -> None:
    erased, deleted = (f"Zwetschgendatschi{secrets.token_hex(4)}" for _ in range(2))
    with Server() as server:
        address = server.schema("books")
        app = create_app({"LEDGER_DATABASE": address})
        one, other = Scorekeeper(app.test_client()), Scorekeeper(app.test_client())
        one.opens("shippin", players=[erased, "Ben", "Chie"])
        server.tells("ANALYZE books.words", "CHECKPOINT")
        assert files_of_tables_with(server, erased)
        assert "Erasure-Pending" not in one.tries(event("player_erased", player="p1")).headers
        other.opens("shippin", players=[f"{number} {deleted}" for number in range(5)])
        gone = other.client.delete(f"{other.address}?confirm={other.session_id}", headers=other.headers())
        assert (gone.status_code, "Erasure-Pending" in gone.headers) == (204, False)
        server.tells("CHECKPOINT")
        assert files_of_tables_with(server, deleted)
        app.extensions["desk"].store.close()
        with closing(open_store(address)) as store:
            assert not store.forgetting_is_pending()
        server.tells("SET search_path = books", *statements_of_the_documents())
        assert not files_of_tables_with(server, erased)
        assert not files_of_tables_with(server, deleted)


BY_HAND = {"words": ("text", "salt", "sum"), "links": ("label", "sum"), "sessions": ("body",), "events": ("body",)}
"""The columns of what people wrote, by table, and those by which it could be guessed."""


@pytest.fixture
def schema(postgres: Server) -> Iterator[str]:
    name = f"samples_{secrets.token_hex(6)}"
    postgres.schema(name)
    yield name
    postgres.drop(name)


def evenings(address: str, word: str) -> None:
    """Keep two sessions in which people wrote a word wherever they can write."""
    app = create_app({"LEDGER_DATABASE": address})
    for _ in range(2):
        keeper = Scorekeeper(app.test_client())
        keeper.opens("shippin", name=word, players=[f"{word} {number}" for number in range(5)])
        keeper.reports(event("chips_moved", from_="bank", to="p1", amount=1, note=word))
        made = keeper.client.post(
            f"{keeper.address}/links", json={"role": "viewer", "label": word}, headers=keeper.headers()
        )
        assert made.status_code == 201
    app.extensions["desk"].store.close()


ALL_SAMPLES = "SELECT s::text FROM pg_stats s WHERE schemaname = current_schema()"


def sampled(server: Server, schema: str) -> str:
    """Have PostgreSQL take samples of all tables, and give them; of none is there anything that was written by hand."""
    here = f"SET search_path = {schema}"
    tables = server.tells(here, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    columns = server.tells(
        here,
        *(f"ANALYZE {name}" for (name,) in tables),
        "SELECT tablename || '.' || attname FROM pg_stats WHERE schemaname = current_schema()",
    )
    assert ("events.recorded_at",) in columns
    assert not {name for (name,) in columns} & {f"{table}.{name}" for table, names in BY_HAND.items() for name in names}
    return str(server.tells(here, ALL_SAMPLES))


def test_postgresql_keeps_no_samples_of_what_people_wrote(postgres: Server, schema: str) -> None:
    word = f"Zwetschgendatschi{secrets.token_hex(4)}"
    evenings(postgres.schema(schema), word)
    assert word not in sampled(postgres, schema)


def test_samples_from_before_are_gone_and_no_table_is_written_anew_for_that(postgres: Server, schema: str) -> None:
    word, address = f"Zwetschgendatschi{secrets.token_hex(4)}", postgres.schema(schema)
    evenings(address, word)
    here = f"SET search_path = {schema}"
    again = (f"ALTER TABLE {t} ALTER COLUMN {name} SET STATISTICS -1" for t, names in BY_HAND.items() for name in names)
    before = postgres.tells(here, *again, *(f"ANALYZE {name}" for name in BY_HAND), ALL_SAMPLES)
    assert word in str(before)
    files = "SELECT oid, relfilenode FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY oid"
    are = postgres.tells(here, "DELETE FROM migrations WHERE name LIKE 'm011%'", files)
    with closing(open_store(address)) as store:
        store.prepare()
    assert word not in str(postgres.tells(here, ALL_SAMPLES))
    assert word not in sampled(postgres, schema)
    assert postgres.tells(here, files) == are
