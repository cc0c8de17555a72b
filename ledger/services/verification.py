"""Verification of a session from the database alone, without the cache.

Each row's hash has to follow from the one before, each text has to match its digest, each event has to be one that
could be reported and to fold, and the entries and balances have to come out as they are. At least one of these fails
for any change made in the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from ledger.accounting.books import Balances, BooksDoNotBalance, Entry, audit
from ledger.codec.encoding import plain
from ledger.codec.hash_chain import SaltedText, row_hash
from ledger.codec.log import MisplacedText, digest_at, read_event, read_opening, rule_book
from ledger.cooperation import yielding
from ledger.games import GAMES
from ledger.i18n.language import Language, render
from ledger.i18n.sentences import Malformed, Sentence, say
from ledger.records import convert
from ledger.responses import reports
from ledger.rulebook.event import Event
from ledger.rulebook.refusal import Refused
from ledger.rulebook.values import PlayerId
from ledger.services.erasure import names
from ledger.session.events import PlayerErased
from ledger.session.history import SessionState
from ledger.storage.store import Store
from ledger.storage.stored import SessionCopy, StoredEvent, StoredSession
from schemas.loading import checked, load_event, loaded
from schemas.sessions import NewSession


class Finding(NamedTuple):
    """A row that is not as it should be: in which table, which one, and what is wrong with it.

    A `warning` is of a record that is whole, and has something that its owner would want to know.
    """

    table: str
    row: int | str
    what: Sentence
    severity: reports.Severity = "error"


def verify(store: Store, session_id: str, language: Language = "en") -> reports.Verified:
    """Check a session, its first differing row first. Raises NotFound.

    Compared with a head that was noted elsewhere, the head in the answer proves that nothing was cut off.
    """
    with store.snapshot() as reader:
        copy, balances = reader.copy(session_id), reader.balances(session_id)
    words = [*copy.session.words.values(), *(said for row in copy.events for said in row.words.values())]
    found = list(check(copy, balances))
    return reports.Verified(
        ok=all(finding.severity == "warning" for finding in found),
        events=len(copy.events),
        entries=len(copy.entries),
        forgotten=sum(not said.salt for said in words),
        head=copy.head.hash.hex(),
        findings=tuple([convert(reports.Finding, each, what=render(each.what, language, {})) for each in found]),
    )


def check(copy: SessionCopy, balances: Balances) -> Iterator[Finding]:
    """Make every check, the chain first. What does not fit the chain is looked at no further."""
    stored, rows, seq, words = copy.session, copy.events, 0, copy.session.words
    if broken := check_chain(copy):
        yield broken
        return
    read: list[Event] = []
    try:
        opening = read_opening(stored.body, words, stored.version)
        loaded(NewSession, plain(opening)).opening()
        for row in yielding(rows):
            seq, words = row.seq, row.words
            book = rule_book(opening.game, row.version)
            read.append(read_event(row.type, row.body, words, book))
            checked(load_event(plain(read[-1])), book)
    except Malformed as error:
        yield from unreadable(seq, error, words)
        return
    erased = {event.player: row.seq for row, event in zip(rows, read, strict=True) if isinstance(event, PlayerErased)}
    yield from check_words(stored, rows, erased)
    yield from check_books(copy, balances, SessionState.opened(GAMES[opening.game], opening), read, erased)


def check_chain(copy: SessionCopy) -> Finding | None:
    """Every row follows the one before, in number and in hash, and the session ends where its log does."""
    before = row_hash(b"", *copy.session.hashed)
    for number, row in enumerate(copy.events, 1):
        if row.seq != number:
            return Finding("events", number, say("missing; event {seq} stands in its place", seq=row.seq))
        if row.hash != row_hash(before, *row.hashed):
            return Finding("events", row.seq, say("its hash does not follow from the row and the hash before it"))
        before = row.hash
    if copy.head == (len(copy.events), before):
        return None
    what = say("the session should end with event {seq} and its hash", seq=len(copy.events))
    return Finding("sessions", copy.head.seq, what)


def unreadable(seq: int, error: Malformed, words: Mapping[str, SaltedText]) -> Iterator[Finding]:
    """Give every fault of a row that could not have been reported, those of its texts as such."""
    table = "events" if seq else "sessions"
    for fault in error.faults:
        pointer, why = fault
        if isinstance(fault, MisplacedText) or pointer[1:] in words:
            yield Finding("words", f"{seq}{pointer}", why)
        elif pointer:
            what = say("it could not have been reported: {pointer} {why:sentence}", pointer=pointer, why=why)
            yield Finding(table, seq, what)
        else:
            yield Finding(table, seq, say("it could not have been reported: {why:sentence}", why=why))


def check_words(stored: StoredSession, rows: Iterable[StoredEvent], erased: Iterable[PlayerId]) -> Iterator[Finding]:
    """A text is the one that was recorded, or was overwritten and holds the id of an erased player."""
    every = ((0, stored.body, stored.words), *((row.seq, row.body, row.words) for row in rows))
    for seq, body, words in yielding(every):
        for place, said in words.items():
            if said.salt and said.digest != digest_at(body, place):
                yield Finding("words", f"{seq}/{place}", say("the text is not the one that was recorded"))
            elif not said.salt and not any(player in said.text for player in erased):
                what = say("the salt is gone, and nobody was erased who could stand there")
                yield Finding("words", f"{seq}/{place}", what)


def check_books(
    copy: SessionCopy, balances: Balances, state: SessionState, read: Iterable[Event], erased: Mapping[PlayerId, int]
) -> Iterator[Finding]:
    """Every event folds; entries and balances come out the same; the books pass every audit; the erased stay so."""
    worked_out, wrong = list[Entry](), None
    try:
        for row, event in yielding(zip(copy.events, read, strict=True)):
            recorded = state.record(event, row.version)
            worked_out += recorded.entries
            state = recorded.state
    except Refused as refusal:
        wrong = say("it is not possible where it stands ({why:sentence})", why=refusal.sentence)
    except BooksDoNotBalance as error:
        wrong = say("the books do not add up after it: {findings:list}", findings=error.findings)
    if wrong:
        yield Finding("events", state.seq + 1, wrong)
        return
    for number, (found, should) in enumerate(zip_longest(copy.entries, worked_out), 1):
        if found != should:
            yield Finding("entries", number, say("it should be {should}, and is {found}", should=should, found=found))
            return
    for account in sorted({*balances, *state.balances}):
        balance, expected = balances.get(account), state.balances.get(account)
        if balance != expected:
            what = say("it should be {should}, and is {found}", should=expected, found=balance)
            yield Finding("balances", account, what)
    yield from (Finding("entries", "all", what) for what in audit(copy.entries, balances))
    for named in names(state):  # a client that had not yet read of an erasure may have reported the name after it
        seq, place = named.at
        erasure = erased.get(named.player or "")
        if erasure is not None and seq > erasure and named.name != named.player:
            what = say(
                "it names {player}, who was erased with event {erased}; erase the player again if the name is to go",
                player=named.player,
                erased=erasure,
            )
            yield Finding("words", f"{seq}/{place}", what, "warning")
