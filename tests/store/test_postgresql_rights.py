"""What a PostgreSQL role may not do is named with what lets it; and so is what is in the way of our tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result

from ledger.cli import main
from ledger.config import Config
from ledger.starting import trouble
from ledger.store import DatabaseUnusable, open_store
from tests.postgres import OWNER, Server

pytest.importorskip("psycopg")

ROLE, SCHEMA, APART = "a_guest", "of_the_house", "rights_apart"


@pytest.fixture
def server(postgres: Server) -> Iterator[Server]:
    """A database of its own, in which a role may log in, and a schema that is somebody else's."""
    postgres.tells(f"DROP DATABASE IF EXISTS {APART}", f"DROP ROLE IF EXISTS {ROLE}", f"CREATE DATABASE {APART}")
    postgres.tells(f"CREATE ROLE {ROLE} LOGIN", f"CREATE SCHEMA {SCHEMA}", database=APART)
    yield postgres
    postgres.tells(f"DROP DATABASE {APART} WITH (FORCE)", f"DROP ROLE {ROLE}")


def address(server: Server, role: str = ROLE) -> str:
    return server.address(APART, user=role, options=f"-csearch_path={SCHEMA}")


def doctor(server: Server, role: str = ROLE) -> Result:
    return CliRunner().invoke(main, ["doctor"], env={"LEDGER_DATABASE": address(server, role)})


def warnings(server: Server) -> list[str]:
    done = doctor(server)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    found = [line.removeprefix("warning: ") for line in done.output.splitlines() if line.startswith("warning: ")]
    assert done.exit_code == bool(found)
    return found


def mended(server: Server, found: list[str]) -> None:
    """Do as the warnings say, as who may."""
    for warning in found:
        server.tells(warning.rpartition(": ")[2], database=APART)


def test_a_role_that_owns_its_schema_lacks_nothing(server: Server) -> None:
    server.tells(f"ALTER SCHEMA {SCHEMA} OWNER TO {ROLE}", database=APART)
    assert warnings(server) == []
    store = open_store(address(server))
    store.prepare()
    store.close()
    assert warnings(server) == []


def test_who_may_not_make_tables_is_told_what_to_grant_by_the_doctor_and_at_the_start(server: Server) -> None:
    server.tells(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {ROLE}", database=APART)
    grant = f"GRANT CREATE ON SCHEMA {SCHEMA} TO {ROLE}"
    found = warnings(server)
    assert found == [f"{ROLE} may not make tables in the schema {SCHEMA}: {grant}"]
    told = trouble(Config.read({"LEDGER_DATABASE": address(server)}), [])
    assert told is not None
    assert told.endswith(f"does not let us make tables: {found[0]}")
    mended(server, found)
    assert warnings(server) == []
    assert trouble(Config.read({"LEDGER_DATABASE": address(server)}), []) is None


def test_who_may_not_use_the_schema_is_told_what_to_grant(server: Server) -> None:
    (found,) = warnings(server)
    assert found.endswith(f"{ROLE} may not use the schema {SCHEMA}: GRANT USAGE, CREATE ON SCHEMA {SCHEMA} TO {ROLE}")
    mended(server, [found])
    assert warnings(server) == []


def test_each_right_that_is_missing_is_named_and_what_is_named_is_enough(server: Server) -> None:
    """Tables of somebody else's: after all that the doctor says was done, nothing is missing."""
    made = open_store(address(server, OWNER))
    made.prepare()
    made.close()
    server.tells(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {ROLE}", database=APART)
    first = warnings(server)
    assert first == [
        f"{ROLE} may not SELECT, INSERT in {SCHEMA}.migrations: GRANT SELECT, INSERT ON {SCHEMA}.migrations TO {ROLE}"
    ]
    mended(server, first)
    server.tells(f"GRANT SELECT, INSERT, UPDATE ON {SCHEMA}.events TO {ROLE}", database=APART)
    second = warnings(server)
    assert f"{ROLE} may not DELETE in {SCHEMA}.events: GRANT DELETE ON {SCHEMA}.events TO {ROLE}" in second
    everything = "SELECT, INSERT, UPDATE, DELETE"
    assert f"{ROLE} may not {everything} in {SCHEMA}.words: GRANT {everything} ON {SCHEMA}.words TO {ROLE}" in second
    owner = f"{ROLE} may not VACUUM or ALTER {SCHEMA}.words, as it is not its owner: ALTER TABLE"
    assert f"{owner} {SCHEMA}.words OWNER TO {ROLE}" in second
    mended(server, second)
    assert warnings(server) == []


@pytest.mark.parametrize("function", ["pg_advisory_xact_lock(bigint)", "pg_notify(text, text)"])
def test_a_function_that_may_not_be_called_is_named(server: Server, function: str) -> None:
    server.tells(
        f"GRANT USAGE, CREATE ON SCHEMA {SCHEMA} TO {ROLE}",
        f"REVOKE EXECUTE ON FUNCTION {function} FROM PUBLIC",
        database=APART,
    )
    (found,) = warnings(server)
    assert found.startswith(f"{ROLE} may not call {function}, by which ")
    mended(server, [found])
    assert warnings(server) == []


# --- what is in the way ---------------------------------------------------------------------------------------------


OTHERS: dict[str, tuple[tuple[str, ...], str]] = {
    "a table": (("CREATE TABLE {}.events (id bigint)",), "a table called events"),
    "a view": (("CREATE VIEW {}.events AS SELECT 1 AS id",), "a view called events"),
    "a foreign table": (
        (
            "CREATE FOREIGN DATA WRAPPER nothing",
            "CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing",
            "CREATE FOREIGN TABLE {}.events (id bigint) SERVER nowhere",
        ),
        "a foreign table called events",
    ),
    "two": (
        ("CREATE TABLE {}.events (id bigint)", "CREATE TABLE {}.links (id bigint)"),
        "a table called events and a table called links",
    ),
    "a history": (("CREATE TABLE {}.migrations (id bigint, migration text)",), "a table called migrations"),
}


@pytest.mark.parametrize(("statements", "named"), OTHERS.values(), ids=OTHERS)
def test_what_has_the_name_of_a_table_of_ours_is_named_and_left_as_it_is(
    server: Server, statements: tuple[str, ...], named: str
) -> None:
    server.tells(*(each.format(SCHEMA) for each in statements), database=APART)
    server.tells(f"GRANT USAGE, CREATE ON SCHEMA {SCHEMA} TO {ROLE}", database=APART)
    relations = "SELECT relnamespace, relname FROM pg_class WHERE relname !~ '^pg_' ORDER BY 1, 2"
    before = server.tells(relations, database=APART)
    said = f"has {named}, not made by this program, and is left as it is: give the service a database or a schema"
    assert [warning for warning in warnings(server) if said in warning]
    told = trouble(Config.read({"LEDGER_DATABASE": address(server)}), [])
    assert told is not None
    assert said in told
    with pytest.raises(DatabaseUnusable):
        open_store(address(server)).prepare()
    assert server.tells(relations, database=APART) == before


def test_what_was_made_between_the_look_and_the_making_is_said_in_a_sentence(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.tells(f"GRANT USAGE, CREATE ON SCHEMA {SCHEMA} TO {ROLE}", database=APART)
    server.tells(f"CREATE TABLE {SCHEMA}.events (id bigint)", database=APART)
    monkeypatch.setattr("ledger.store.postgresql.figures.strange_relations", lambda _: [])
    with pytest.raises(DatabaseUnusable, match="has something called as a table of ours"):
        open_store(address(server)).prepare()
