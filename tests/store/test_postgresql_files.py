"""What is left of forgotten words in the files of PostgreSQL's server, and what brings it out of them."""

from __future__ import annotations

import re
import secrets
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
