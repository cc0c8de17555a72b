"""Sessions moved whole from one store to another, of whatever engines: checked before, compared afterwards.

The source is only read. A session is checked there as `verify` does, since what is damaged must not look whole
elsewhere; it is kept over there in one step, and read back from there, every row of it. So whoever is killed in the
middle has moved some sessions and others not, and begins again: what is over there already is compared and not moved
again, unless it has moved on here since. Then it takes the place of what is over there, but only of an earlier state of
itself: what was recorded over there is never overwritten. What somebody began to delete over there is gone before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Literal, NamedTuple

from ledger.hash_chain import row_hash
from ledger.language import SOURCE, render
from ledger.store import Contents, DatabaseDamaged, Head, Packed, Store, StoredLink, StoreTrouble
from ledger.verification import check

What = Literal["moved", "moved anew", "there already", "refused", "gone"]
"""What became of a session. It is gone if somebody has deleted it meanwhile, before it was moved."""


UNREADABLE = "it cannot be read"


class Outcome(NamedTuple):
    """What became of one session, how many events it has and the hash they end with, in hex; why it was refused."""

    what: What
    events: int = 0
    head: str = ""
    why: str = ""


class Later(NamedTuple):
    """What is not over there as it is here, as sessions were recorded in, opened or deleted meanwhile; by id."""

    moved_on: Sequence[str]
    only_there: Sequence[str]


def move(source: Store, target: Store, session_id: str) -> Outcome:
    """Move one session, unless it is over there already. Raises what the target raises."""
    try:
        packed = take(source, session_id)
    except KeyError:
        return Outcome("gone")
    except DatabaseDamaged:
        return refused_for_damage(UNREADABLE)
    there, links = stand(target, session_id)
    if (there, links) == (packed.head, list(packed.links)):
        return compared(packed, target, "there already")
    if there is not None and not is_earlier(there, links, packed):
        return refused(packed.head, why_not_over(packed, target, there))
    if (damage := damage_of(packed)) is not None:
        return refused_for_damage(damage)
    try:
        target.unpack(packed, over=there)
    except Exception as error:
        if stand(target, session_id) != (there, links):
            return move(source, target, session_id)  # somebody else was quicker, or it was kept after all
        if there is not None or isinstance(error, StoreTrouble):
            raise
        if not is_kept_now(packed, target):  # each engine has its own way to say that something of it is there already
            return refused(packed.head, what_is_in_the_way(error))
    unknown = [made for made in packed.made if target.made(made.key) is None]
    return compared(packed, target, "moved anew" if there else "moved", *(["made"] if unknown else []))


def is_kept_now(packed: Packed, target: Store) -> bool:
    """Have what is left of a session over there deleted, as far as somebody began that, and try once more."""
    target.finish_forgetting()
    try:
        target.unpack(packed)
    except StoreTrouble:
        raise
    except Exception:  # noqa: BLE001 - see above
        return False
    return True


def what_is_in_the_way(error: Exception) -> str:
    """Say of a session that nobody finds over there why it cannot be kept there, and what to do."""
    return (
        f"rows of it are over there that belong to no session ({type(error).__name__}): put a backup in the target's"
        " place, or move into a new database"
    )


def refused(head: Head, why: str) -> Outcome:
    return Outcome("refused", head.seq, head.hash.hex(), why)


def refused_for_damage(what: str) -> Outcome:
    return Outcome("refused", why=f"it is damaged ({what}): put a backup in the source's place, and move that")


def take(source: Store, session_id: str) -> Packed:
    """Read all of a session into memory, to be gone through more than once. Raises KeyError, DatabaseDamaged."""
    with source.pack(session_id) as packed:
        return packed._replace(events=list(packed.events), entries=list(packed.entries), replies=list(packed.replies))


def damage_of(packed: Packed) -> str | None:
    """Say what is wrong first with a session; None if it is as it was recorded."""
    contents = Contents([*packed.events], [*packed.entries], packed.balances)
    try:
        for table, row, what, severity in check(packed.session, packed.head, contents):
            if severity == "error":
                return f"{table} {row}: {render(what, SOURCE, {})}"
    except Exception:  # noqa: BLE001 - what damage makes of a row, nobody can foresee
        return UNREADABLE
    return None


def why_not_over(packed: Packed, target: Store, there: Head) -> str:
    """Say why what is over there is not to be overwritten."""
    seq = packed.head.seq
    shared = next(target.events(packed.session.id, after=seq - 1, limit=1), None) if seq else None
    if shared is not None and shared.hash == packed.head.hash and there.seq > seq:
        return f"it went on over there, to event {there.seq}, and is left as it is there"
    if there == packed.head:
        return "its links were changed over there, and it is left as it is there"
    return f"the one over there has another history, up to event {there.seq}: delete the one that is wrong"


def hash_at(packed: Packed, seq: int) -> bytes | None:
    """Give the hash of an event, of the opening for 0; None if there is no such event."""
    if seq == 0:
        return row_hash(b"", *packed.session.hashed)
    return next((row.hash for row in packed.events if row.seq == seq), None)


def compared(packed: Packed, target: Store, what: What, *lost: str) -> Outcome:
    """Make sure that a session is over there as it was packed, to the last row; `lost` is what is known to differ."""
    try:
        with target.pack(packed.session.id) as there:
            where = next(chain(lost, differences(packed, there)), None)
    except KeyError:
        where = "it is not there"
    if where is None:
        return Outcome(what, packed.head.seq, packed.head.hash.hex())
    return refused(packed.head, f"what is over there is not what is here ({where}): delete it there, and move it again")


def is_earlier(there: Head, links: Iterable[StoredLink], packed: Packed) -> bool:
    """Say whether what is over there is how a session stood before: it has no event and no link of its own.

    A link may have been revoked here since, and its label forgotten, but not the other way round.
    """
    if hash_at(packed, there.seq) != there.hash:
        return False
    here = {link.id: link for link in packed.links}
    return all(
        link.id in here
        and here[link.id].token_hash == link.token_hash
        and link.revoked_at in {None, here[link.id].revoked_at}
        for link in links
    )


def differences(here: Packed, there: Packed) -> Iterator[str]:
    """Name the rows that differ, in which table, but for what was made with keys: that is forgotten after a day."""
    if here.session != there.session:
        yield "sessions 0"
    if here.head != there.head:
        yield f"sessions {there.head.seq}"
    tables: Sequence[tuple[str, Iterable[object], Iterable[object]]] = (
        ("links", here.links, there.links),
        ("events", here.events, there.events),
        ("entries", here.entries, there.entries),
        ("replies", here.replies, there.replies),
        ("balances", sorted(here.balances.items()), sorted(there.balances.items())),
    )
    for table, ours, theirs in tables:
        for number, (one, other) in enumerate(zip_longest(ours, theirs), 1):
            if one != other:
                yield f"{table} {number}"


def stand(store: Store, session_id: str) -> tuple[Head | None, list[StoredLink]]:
    return store.head(session_id), list(store.links(session_id))


def what_is_later(source: Store, target: Store, outcomes: Mapping[str, Outcome]) -> Later:
    """Look once more which sessions are not over there as they are here, but for those refused; which only there."""
    here = source.session_ids()
    to_be_there = [one for one in here if one not in outcomes or outcomes[one].what != "refused"]
    moved_on = [one for one in to_be_there if stand(source, one) != stand(target, one)]
    return Later(moved_on, sorted({*target.session_ids()} - {*here}))
