"""Who is let in, and with what: no application, no database."""

from __future__ import annotations

import hashlib
from collections.abc import Container
from datetime import UTC, datetime, timedelta

import pytest

from ledger.access import Access, NotAdmitted, Once, RoleTooSmall, Token, new_link
from ledger.store import ROLES, NotThere, Role, Store, StoredLink, StoredSession, timestamp
from tests.store.memory import MemoryStore

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def store() -> Store:
    made = MemoryStore()
    for session_id in ("here", "there"):
        session = StoredSession(session_id, "{}", 1, timestamp(NOW))
        made.open_session(session, b"", new_link(session_id, "owner", NOW)[0])
    return made


def given(store: Store, role: Role, expires_at: datetime | None = None, session_id: str = "here") -> str:
    link, token = new_link(session_id, role, NOW, "Aki's phone", expires_at)
    store.add_link(session_id, link)
    assert token not in repr(store.links(session_id))
    return token


def admitted(store: Store, session_id: str, token: str | None, roles: Container[str], now: datetime) -> StoredLink:
    return Access(store, lambda: now).link(session_id, Token.read(token or ""), roles)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_lets_in_where_it_will_do_and_nowhere_else(store: Store, role: Role) -> None:
    token = given(store, role)
    assert Token.read(token).home == "here"
    assert admitted(store, "here", token, [role], NOW).role == role
    with pytest.raises(RoleTooSmall):
        admitted(store, "here", token, set(ROLES) - {role}, NOW)


@pytest.mark.parametrize("token", [None, "", "here", "here.", "here.guessed", "nowhere.guessed", "here.\udcff"])
def test_nobody_is_let_in_without_a_token(store: Store, token: str | None) -> None:
    with pytest.raises(NotAdmitted):
        admitted(store, "here", token, ROLES, NOW)


def test_another_session_is_not_there(store: Store) -> None:
    with pytest.raises(NotThere):
        admitted(store, "here", given(store, "owner", session_id="there"), ["viewer"], NOW)


def test_a_token_dies_at_its_second_or_when_it_is_revoked(store: Store) -> None:
    second = timedelta(seconds=1)
    token = given(store, "owner", NOW + second)
    link = admitted(store, "here", token, ROLES, NOW)
    with pytest.raises(NotAdmitted):
        admitted(store, "here", token, ROLES, NOW + second)
    store.revoke_link("here", link.id, timestamp(NOW))
    for session_id in ("here", "there"):
        with pytest.raises(NotAdmitted):
            admitted(store, session_id, token, ROLES, NOW)


# --- links that can be asked for again ------------------------------------------------------------------------------


def test_a_token_follows_from_the_key_and_the_salt_and_from_nothing_less() -> None:
    once = Once("5f2b" * 8, "", b"")
    link, token = new_link("here", "owner", NOW, once=once)
    assert link.salt is not None
    assert once.token("here", link.salt) == token
    assert link.token_hash == Token.read(token).digest
    others = [
        Once("6f2b" * 8, "", b"").token("here", link.salt),
        once.token("here", bytes(16)),
        new_link("here", "owner", NOW, once=once)[1],
        new_link("here", "owner", NOW)[1],
    ]
    assert len({token, *others}) == 5
    assert {len(other) for other in others} == {len(token)}


def test_a_key_is_shown_nowhere_and_kept_as_a_hash_of_its_own_scope() -> None:
    key = "5f2b" * 8
    assert key not in repr(Once(key, "here", b""))
    digests = {Once(key, "", b"").digest, Once(key, "here", b"").digest, Once(key + "0", "", b"").digest}
    assert len(digests) == 3
    assert hashlib.sha256(key.encode()).digest() not in digests


def test_a_link_that_is_made_without_a_key_has_no_salt() -> None:
    assert new_link("here", "owner", NOW)[0].salt is None
