"""The real history held against the plainest one: whatever is asked of them, both tell the same."""

from __future__ import annotations

from typing import Any

from ledger.history import Address, CorrectionRow, Logged, Moment, SessionState, moments
from ledger.play import Refused
from tests.properties.plainly import PlainHistory, PlainMoment, chips


def told(refusal: Refused) -> object:
    """All that a refusal tells."""
    conflicts: Any = refusal.facts.get("conflicts")
    if conflicts:
        return refusal.code, [(each.seq, each.part, told(each.refusal)) for each in conflicts]
    return type(refusal), refusal.code, refusal.rule, refusal.facts


def agree(on: SessionState, plain: PlainHistory, *, now: bool = True) -> None:
    """The real history has come to the same as the plain one, whatever is asked of it.

    Where it does not stand so `now`, entries have the ids that they have today.
    """
    books_agree(on, plain)
    rounds_agree(on, plain)
    moments_agree(on, plain, now=now)
    log_agrees(on, plain)


def books_agree(on: SessionState, plain: PlainHistory) -> None:
    """Table and chips are the same, and what of them play has brought."""
    assert on.seq == len(plain.rows)
    assert on.table == plain.table
    assert list(on.balances.items()) == list(plain.balances.items())
    assert chips(on.books.outside) == chips(plain.outside())
    assert list(on.won.items()) == list(plain.won().items())
    assert on.last_entry == len(plain.entries)
    assert on.books.bank == plain.bank()


def rounds_agree(on: SessionState, plain: PlainHistory) -> None:
    """Every round is the same, whichever are asked for, and so are those that ended lately."""
    rounds = plain.rounds()
    assert on.rounds() == rounds
    for number, done in enumerate(rounds, 1):
        assert on.round(number) == done
        assert on.rounds(number - 1, 1) == [done]
        assert on.rounds(number) == rounds[number:]
    assert on.round(0) is on.round(len(rounds) + 1) is None
    for seq in {1, on.seq // 2, on.seq - 5, on.seq, on.seq + 1}:
        assert on.ended_since(seq) == plain.ended_since(seq)


def moments_agree(on: SessionState, plain: PlainHistory, *, now: bool = True) -> None:
    """Every event that counts is the same, with its entries, the table before it, and what everybody held after it."""
    expected = plain.moments()
    whole = list(moments(on))
    for moment, one in zip(whole, expected, strict=True):
        assert_same(moment, one, now=now)
    for number in {1, on.table.rounds // 2, on.table.rounds, on.table.rounds + 1} - {0}:
        assert list(moments(on, number)) == [moment for moment in whole if moment.slot.round == number]


def assert_same(moment: Moment, expected: PlainMoment, *, now: bool) -> None:
    slot = moment.slot
    assert described(slot) == described(expected.logged)
    assert (slot.round, moment.before) == (expected.round, expected.before)
    assert (chips(moment.balances), chips(moment.outside)) == (expected.held, expected.outside)
    assert [entry.moves for entry in slot.entries] == [entry.moves for entry in expected.entries]
    assert not now or slot.entries == expected.entries


def described(logged: Logged) -> object:
    """An event as the plain history has it, without what the real one keeps with it."""
    return logged.at, logged.event, logged.version, logged.newcomers


def log_agrees(on: SessionState, plain: PlainHistory) -> None:
    """The rows are the same, what became of each, and where it belongs."""
    for row, other in zip(on.rows(), reversed(plain.rows), strict=True):
        logged = row.parts if isinstance(row, CorrectionRow) else (row,)
        assert [described(part) for part in logged] == [described(part) for part in other.logged]
    became, rounds = dict[int, dict[Address, tuple[str, int]]](), plain.rounds_of_events()
    for at, status in plain.statuses().items():
        became.setdefault(at.seq, {})[at] = status
    for one in (plain.rows, reversed(plain.rows)):
        for other in one:
            assert sorted(on.statuses(other.seq).items()) == sorted(became.get(other.seq, {}).items())
            assert on.round_of(other.seq) == rounds.get(Address(other.seq))
