"""A PostgreSQL that answers and does not let the service in: which of all it is, is said in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from ledger.cli import main
from ledger.store import DatabaseUnusable, open_store
from tests.postgres import DATABASE, OWNER, Server

psycopg = pytest.importorskip("psycopg")

from ledger.store.postgresql.troubles import why_not_let_in  # noqa: E402 - only where psycopg is

SECRET = "sesame-of-aki"

HBA = f"""
local all {OWNER} trust
local nowhere,closed all trust
local all chie reject
local {DATABASE} all scram-sha-256
"""

REFUSALS = {
    "a wrong password": ({"user": "aki", "password": "wrong"}, "the user or the password is wrong"),
    "no password": ({"user": "aki"}, "it wants a password"),
    "no such role, which scram does not tell": ({"user": "ben", "password": "x"}, "the user or the password is wrong"),
    "no such role": ({"user": "ben", "database": "nowhere"}, "it has no such user"),
    "no such database": ({"user": OWNER, "database": "nowhere"}, "it has no such database"),
    "nobody may log in": ({"user": "dai", "password": SECRET}, "none who may log in"),
    "may not connect": ({"user": "aki", "database": "closed"}, "may not connect to this database"),
    "rejected": ({"user": "chie"}, "pg_hba.conf"),
    "no place": ({"user": "aki", "database": "elsewhere"}, "pg_hba.conf"),
}


@pytest.fixture(scope="module")
def strict() -> Iterator[Server]:
    with Server() as server:
        server.tells(
            f"CREATE ROLE aki LOGIN PASSWORD '{SECRET}'",
            f"CREATE ROLE dai NOLOGIN PASSWORD '{SECRET}'",
            "CREATE ROLE chie LOGIN",
            "CREATE SCHEMA AUTHORIZATION aki",
            "CREATE DATABASE closed",
            "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
        )
        (server.data / "pg_hba.conf").write_text(HBA, "ascii")
        server.stop()
        server.start()
        yield server


@pytest.mark.slow
@pytest.mark.parametrize(("told", "said"), REFUSALS.values(), ids=REFUSALS)
def test_why_the_service_is_not_let_in_is_said_in_a_sentence(strict: Server, told: dict[str, str], said: str) -> None:
    address = strict.address(**told)
    with pytest.raises(DatabaseUnusable, match="does not let us in") as refused:
        open_store(address).prepare()
    assert said in str(refused.value)
    doctor = CliRunner().invoke(main, ["doctor"], env={"LEDGER_DATABASE": address})
    assert doctor.exit_code == 1
    assert said in doctor.output
    for wrong in (SECRET, "cannot be reached", "there is no database yet", "Traceback"):
        assert wrong not in doctor.output


@pytest.mark.slow
def test_who_is_let_in_is_served(strict: Server) -> None:
    store = open_store(strict.address(user="aki", password=SECRET))
    store.prepare()
    assert store.is_ready()
    store.close()


@pytest.mark.slow
def test_a_server_that_takes_nobody_in_now_is_not_said_to_have_no_such_database(strict: Server) -> None:
    strict.tells(f"ALTER DATABASE {DATABASE} CONNECTION LIMIT 0")
    try:
        with pytest.raises(DatabaseUnusable, match="see in the server's log why"):
            open_store(strict.address(user="aki", password=SECRET)).prepare()
    finally:
        strict.tells(f"ALTER DATABASE {DATABASE} CONNECTION LIMIT -1")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["ru", "ja"])
def test_a_server_that_refuses_in_another_language_is_not_said_to_be_out_of_reach(language: str) -> None:
    with Server(language=language) as server:
        with pytest.raises(psycopg.OperationalError) as said:
            psycopg.connect(server.address("nowhere"))
        if "does not exist" in str(said.value):
            pytest.skip(f"this PostgreSQL does not speak {language}")
        refused = "does not let us in: see in the server's log why"
        with pytest.raises(DatabaseUnusable, match=refused):
            open_store(server.address("nowhere")).prepare()
        doctor = CliRunner().invoke(main, ["doctor"], env={"LEDGER_DATABASE": server.address("nowhere")})
        assert refused in " ".join(doctor.output.split())
        assert "there is no database yet" not in doctor.output


@pytest.mark.parametrize("grave", ["FATAL", "ВАЖНО", "致命的エラー", "FATALE", "ფატალური"])
def test_an_answer_is_told_from_none_whatever_the_language(grave: str) -> None:
    for where in ('connection to server at "db" (10.0.0.1), port 5432 failed', "connection failed"):
        told = psycopg.OperationalError(f"connection failed: {where}: {grave}:  ???")
        assert why_not_let_in(told) == "see in the server's log why"


@pytest.mark.parametrize("address", ["postgresql://127.0.0.1:1/books", "postgresql:///books?host=/nowhere"])
def test_what_the_library_says_by_itself_is_no_answer_of_a_server(address: str) -> None:
    with pytest.raises(psycopg.OperationalError) as said:
        psycopg.connect(address)
    assert why_not_let_in(said.value) is None
