"""Checking that a session is what was recorded: the chain of hashes, the words, the books, all worked out again.

Nothing is taken from what the service remembers. The log is read row by row; each row's hash has to follow from the one
before, each word has to match its digest, each event has to be one that could be reported and to fold, and the entries
and balances have to come out as they are. A hand in the database is found by at least one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from ledger.books import Balances, BooksDoNotBalance, Entry, audit
from ledger.codec import MisplacedText, digest_at, read_event, read_opening, rule_book
from ledger.codec.encoding import plain
from ledger.cooperation import yielding
from ledger.erasure import names
from ledger.games import GAMES
from ledger.hash_chain import SaltedText, row_hash
from ledger.history import SessionState
from ledger.play.events import Event
from ledger.play.refusals import Refused
from ledger.play.values import PlayerId
from ledger.sentences import Malformed, Sentence, say
from ledger.session.events import PlayerErased
from ledger.storage.records import SessionCopy, StoredEvent, StoredSession
from ledger.storage.store import Store
from schemas.events import load_event
from schemas.records import loaded
from schemas.rules import checked
from schemas.sessions import NewSession

Severity = Literal["error", "warning"]


class Finding(NamedTuple):
    """A row that is not as it should be: in which table, which one, and what is wrong with it.

    A `warning` is of a record that is whole, and has something that its owner would want to know.
    """

    table: str
    row: int | str
    what: Sentence
    severity: Severity = "error"


class Verified(NamedTuple):
    """What checking a session gave. `findings` has no error if all is well; the first is the first row that differs.

    `head` is the hash that the chain ends with, in hex: noted elsewhere, it proves later that nothing was cut off.
    """

    events: int
    entries: int
    forgotten: int
    head: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether the record is as it was recorded: warnings are of one that is."""
        return all(finding.severity == "warning" for finding in self.findings)


def verify(store: Store, session_id: str) -> Verified:
    """Check a session. Raises NotFound."""
    with store.snapshot() as reader:
        copy, balances = reader.copy(session_id), reader.balances(session_id)
    words = [*copy.session.words.values(), *(said for row in copy.events for said in row.words.values())]
    forgotten = sum(not said.salt for said in words)
    return Verified(len(copy.events), len(copy.entries), forgotten, copy.head.hash.hex(), tuple(check(copy, balances)))


def check(copy: SessionCopy, balances: Balances) -> Iterator[Finding]:
    """Make every check, the chain first. What does not fit the chain is looked at no further."""
    stored, rows = copy.session, copy.events
    broken = list(check_chain(row_hash(b"", *stored.hashed), rows, copy.head))
    yield from broken
    if broken:
        return
    try:
        opening = read_opening(stored.body, stored.words, stored.version)
        loaded(NewSession, plain(opening)).opening()
    except Malformed as error:
        yield from unreadable("sessions", 0, error, stored.words)
        return
    read: list[Event] = []
    for row in yielding(rows):
        try:
            book = rule_book(opening.game, row.version)
            read.append(read_event(row.type, row.body, row.words, book))
            checked(load_event(plain(read[-1])), book)
        except Malformed as error:
            yield from unreadable("events", row.seq, error, row.words)
            return
    erased = {event.player: row.seq for row, event in zip(rows, read, strict=True) if isinstance(event, PlayerErased)}
    yield from check_words(stored, rows, erased)
    state = yield from check_books(
        SessionState.opened(GAMES[opening.game], opening), zip(rows, read, strict=True), copy.entries, balances
    )
    if state:
        yield from check_erased(state, erased)


def unreadable(table: str, seq: int, error: Malformed, words: Mapping[str, SaltedText]) -> Iterator[Finding]:
    """Say why a row could not have been reported: every fault with its place, those of texts as such."""
    for fault in error.faults:
        pointer, why = fault
        if isinstance(fault, MisplacedText) or pointer[1:] in words:
            yield Finding("words", f"{seq}{pointer}", why)
        elif pointer:
            what = say("it could not have been reported: {pointer} {why:sentence}", pointer=pointer, why=why)
            yield Finding(table, seq, what)
        else:
            yield Finding(table, seq, say("it could not have been reported: {why:sentence}", why=why))


def check_chain(first: bytes, rows: Sequence[StoredEvent], head: tuple[int, bytes]) -> Iterator[Finding]:
    """Every row follows the one before, in number and in hash, and the session ends where its log does."""
    before = first
    for number, row in enumerate(rows, 1):
        if row.seq != number:
            yield Finding("events", number, say("missing; event {seq} stands in its place", seq=row.seq))
            return
        if row.hash != row_hash(before, *row.hashed):
            yield Finding("events", row.seq, say("its hash does not follow from the row and the hash before it"))
            return
        before = row.hash
    if head != (len(rows), before):
        what = say("the session should end with event {seq} and its hash", seq=len(rows))
        yield Finding("sessions", head[0], what)


def check_words(stored: StoredSession, rows: Iterable[StoredEvent], erased: Iterable[PlayerId]) -> Iterator[Finding]:
    """What people wrote is what they wrote then; or it was forgotten, and there stands the id of somebody erased."""
    every = ((0, stored.body, stored.words), *((row.seq, row.body, row.words) for row in rows))
    for seq, body, words in yielding(every):
        for place, said in words.items():
            if said.salt and said.digest != digest_at(body, place):
                yield Finding("words", f"{seq}/{place}", say("the text is not the one that was recorded"))
            elif not said.salt and not any(player in said.text for player in erased):
                what = say("the salt is gone, and nobody was erased who could stand there")
                yield Finding("words", f"{seq}/{place}", what)


def check_books(
    state: SessionState, rows: Iterable[tuple[StoredEvent, Event]], entries: Sequence[Entry], balances: Balances
) -> Generator[Finding, None, SessionState | None]:
    """Every event folds; entries and balances come out the same; the books pass every audit. Returns how it stands."""
    worked_out: list[Entry] = []
    try:
        for recorded in state.record_all((event, row.version) for row, event in yielding(rows)):
            worked_out += recorded.entries
            state = recorded.state
    except Refused as refusal:
        what = say("it is not possible where it stands ({why:sentence})", why=refusal.sentence)
        yield Finding("events", state.seq + 1, what)
        return None
    except BooksDoNotBalance as error:
        what = say("the books do not add up after it: {findings:list}", findings=error.findings)
        yield Finding("events", state.seq + 1, what)
        return None
    for number, (kept, expected) in enumerate(zip_longest(entries, worked_out), 1):
        if kept != expected:
            what = say("it should be {should}, and is {kept}", should=expected, kept=kept)
            yield Finding("entries", number, what)
            return None
    for account in sorted({*balances, *state.balances}):
        kept_balance, should = balances.get(account), state.balances.get(account)
        if kept_balance != should:
            what = say("it should be {should}, and is {kept}", should=should, kept=kept_balance)
            yield Finding("balances", account, what)
    yield from (Finding("entries", "all", what) for what in audit(entries, balances))
    return state


def check_erased(state: SessionState, erased: Mapping[PlayerId, int]) -> Iterator[Finding]:
    """An erased player has no name again: a page that had not heard of it may have reported one since."""
    for named in names(state):
        seq, place = named.at
        erasure = erased.get(named.player or "")
        if erasure is not None and seq > erasure and named.name != named.player:
            what = say(
                "it names {player}, who was erased with event {erased}; erase the player again if the name is to go",
                player=named.player,
                erased=erasure,
            )
            yield Finding("words", f"{seq}/{place}", what, "warning")
