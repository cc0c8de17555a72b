"""The real history held against the plainest one: whatever is asked of them, both tell the same."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ledger.history import Moment, SessionState, Standing, moments
from ledger.history.corrections import Address
from ledger.play import Refused
from tests.properties.plainly import PlainHistory, PlainMoment, chips


def told(refusal: Refused) -> object:
    """All that a refusal tells."""
    conflicts: Any = refusal.facts.get("conflicts")
    if conflicts:
        return refusal.code, [(each.seq, each.part, told(each.refusal)) for each in conflicts]
    return type(refusal), refusal.code, refusal.rule, refusal.facts


def agree(on: SessionState, plain: PlainHistory) -> None:
    """The real history has come to the same as the plain one, whatever is asked of it."""
    books_agree(on, plain)
    rounds_agree(on, plain)
    moments_agree(on, plain)
    log_agrees(on, plain)


def books_agree(on: SessionState, plain: PlainHistory) -> None:
    """Table and chips are the same, and what of them play has brought."""
    assert on.seq == len(plain.rows)
    assert on.table == plain.table
    assert list(on.balances.items()) == list(plain.balances.items())
    assert chips(on.outside) == chips(plain.outside())
    assert list(on.won.items()) == list(plain.won().items())
    assert on.last_entry == len(plain.entries)
    assert on.bank == plain.bank()


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


def moments_agree(on: SessionState, plain: PlainHistory) -> None:
    """Every event that counts is the same, with its entries, the table before it, and what everybody held after it."""
    expected = plain.moments()
    assert [known(moment) for moment in moments(on)] == expected
    for number in {1, on.table.rounds // 2, on.table.rounds, on.table.rounds + 1} - {0}:
        assert [known(moment) for moment in moments(on, number)] == [one for one in expected if one.round == number]


def known(moment: Moment) -> PlainMoment:
    """What the plain history knows of a moment."""
    point = moment.point
    return PlainMoment(
        point.said, point.round, point.entries, moment.before, chips(moment.balances), chips(moment.outside)
    )


def log_agrees(on: SessionState, plain: PlainHistory) -> None:
    """The rows are the same, what became of each, and where it belongs."""
    assert [[*row.logged] for row in on.rows()] == [row.logged for row in reversed(plain.rows)]
    became, rounds = dict[int, dict[Address, tuple[str, int]]](), plain.rounds_of_events()
    for at, status in plain.statuses().items():
        became.setdefault(at.seq, {})[at] = status
    upwards, downwards = Standing(on.corrections), Standing(on.corrections)
    for row in plain.rows:
        expected = list(became.get(row.seq, {}).items())
        assert list(on.statuses(row.seq).items()) == list(on.statuses(row.seq, upwards).items()) == expected
        assert on.round_of(row.seq) == rounds.get(Address(row.seq))
    for row in reversed(plain.rows):
        assert list(on.statuses(row.seq, downwards).items()) == list(became.get(row.seq, {}).items())


def chapters_are_sound(on: SessionState) -> None:
    """Chapters follow one another, roots never fall along them, and every place is found."""
    chapters = on.timeline.chapters
    assert all(one.end == other.begin for one, other in pairwise(chapters))
    roots = [place.root for chapter in chapters for place in chapter.places]
    assert roots == sorted(roots)
    for point in (place for chapter in chapters for place in chapter.places):
        assert on.timeline.place(point.at, point.root) is point
