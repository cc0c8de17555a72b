"""The real history beside the plainest one: whatever is corrected, both tell the same, whatever is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.books import Entry, posted
from ledger.games import GAMES
from ledger.history import SessionState, moments, rounds_changed, settlement_of
from ledger.play import Event, Refused
from ledger.session import Correction
from tests.properties.agreeing import agree, books_agree, moments_agree, rounds_agree, told
from tests.properties.correcting import changed, other_events
from tests.properties.folding import opened, read
from tests.properties.plainly import PlainHistory
from tests.reckoning.evenings import an_evening, evenings
from tests.scorekeeper import Json

every_game = pytest.mark.parametrize("game", GAMES)


class Both:
    """An evening as the real history and the plain one have it, with every state that each went through."""

    def __init__(self, opening: Json) -> None:
        self.game = opening["game"]
        self.states = [opened(opening)]
        self.plains = [PlainHistory.of(self.states[0])]
        self.reports = list[Json]()

    @property
    def real(self) -> SessionState:
        """The state as it was recorded last."""
        return self.states[-1]

    def record(self, said: Json) -> bool:
        """Try an event on both; they agree on what comes of it, or on why it is not possible. Say whether it is."""
        event, plain = read(said, self.game), self.plains[-1].copy()
        recorded = on_both(self.real, plain, event)
        if recorded is None:
            return False
        self.states.append(recorded)
        self.plains.append(plain)
        self.reports.append(said)
        if isinstance(event, Correction):
            agree(self.real, plain)
        return True

    def corrected(self, rng: Random, others: Sequence[Json], times: int) -> None:
        """Try so many corrections, some of them several made together, and some events between them."""
        for _ in range(times):
            self.record(random_event(rng, self.reports, others))

    def stood_like_that(self, rng: Random, others: Sequence[Json]) -> None:
        """Whatever event the session is looked at, it tells what it told then, and something else may follow there."""
        for seq, (stood, plain) in enumerate(zip(self.states, self.plains, strict=True)):
            earlier = self.real.at(seq)
            agree(earlier, plain, now=False)
            assert settlement_of(earlier, None) == settlement_of(stood, None)
            self.goes_on_from(earlier, plain, rng.choice(others))

    def goes_on_from(self, earlier: SessionState, plain: PlainHistory, said: Json) -> None:
        """Another event than the one that followed an earlier state leads to the same in both."""
        instead = plain.copy()
        recorded = on_both(earlier, instead, read(said, self.game))
        if recorded is not None:
            books_agree(recorded, instead)
            rounds_agree(recorded, instead)
            moments_agree(recorded, instead, now=False)
            books_agree(recorded.at(earlier.seq), plain)


def on_both(real: SessionState, plain: PlainHistory, event: Event) -> SessionState | None:
    """Record an event on both; give the real state after it, or None if both refuse it."""
    recorded = list[SessionState]()

    def really() -> Sequence[Entry]:
        done = real.record(event, 1)
        recorded.append(done.state)
        return done.entries

    assert outcome(really) == outcome(lambda: plain.record(event, 1))
    return recorded[0] if recorded else None


def outcome(deed: Callable[[], Sequence[Entry]]) -> object:
    """The entries that something adds, or the refusal."""
    try:
        return list(deed())
    except Refused as refusal:
        return told(refusal)


def random_event(rng: Random, rows: Sequence[Json], others: Sequence[Json]) -> Json:
    """Something that might be recorded next: a correction, mostly of what was recorded lately, or several together."""
    match rng.choice(("undo", "one", "one", "one", "together", "event")):
        case "undo":
            return {"type": "event_taken_back"}
        case "event":
            return rng.choice(others)
        case "together":
            parts = [random_correction(rng, rows, others) for _ in range(rng.randint(1, 5))]
            return {"type": "corrections_made", "corrections": parts}
    return random_correction(rng, rows, others)


def random_correction(rng: Random, rows: Sequence[Json], others: Sequence[Json]) -> Json:
    """One correction of some row, or of a part of it if corrections were made together there."""
    seq = max(1, min(len(rows) + 1, len(rows) - int(rng.expovariate(0.1))))
    there = rows[seq - 1] if seq <= len(rows) else others[0]
    part = {}
    if there["type"] == "corrections_made" and rng.random() < 0.7:
        part = {"part": rng.randint(1, len(there["corrections"]))}
        there = there["corrections"][part["part"] - 1]
    match rng.choice(("take_back", "amend", "insert")):
        case "take_back":
            return {"type": "event_taken_back", "seq": seq, **part}
        case "amend":
            event = changed(rng, there.get("event", there), others)
            return {"type": "event_amended", "seq": seq, "event": event, **part}
    if rng.random() < 0.1:
        return {"type": "event_inserted", "after": 0, "event": rng.choice(others)}
    return {"type": "event_inserted", "after": seq, "event": rng.choice(others), **part}


@every_game
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.endurance) for seed in range(2, 8))])
def test_the_real_history_is_the_plain_one(game: str, seed: int) -> None:
    rng = Random(seed)
    evening = an_evening(rng, game, max_rounds=4)
    others = other_events(evening, rng)
    both = Both(evening.opening)
    for report in evening.events:
        both.record(report)
    both.corrected(rng, others, 40)
    both.stood_like_that(rng, others)
    moments_add_up(both.real)
    for before, after in pairwise(both.states):
        tells_what_changed(before, after)


@every_game
@given(data=st.data())
def test_any_earlier_state_is_the_plain_one(game: str, data: st.DataObject) -> None:
    evening = data.draw(evenings(game, corrections=True, max_rounds=1))
    rng = Random(data.draw(st.integers(0, 2**32)))
    others = other_events(evening, rng)
    both = Both(evening.opening)
    for report in evening.events[: data.draw(st.integers(0, len(evening.events)))]:
        both.record(report)
    both.corrected(rng, others, data.draw(st.integers(0, 15)))
    both.stood_like_that(rng, others)


def test_whatever_becomes_of_an_amendment_earlier_states_are_the_plain_ones() -> None:
    """Amended twice, inserted after what was inserted, taken back, and all that taken back in turn."""
    both = Both({"game": "shippin", "players": ["Aki", "Ben", "Chie"]})
    for report in (
        moved(1),
        amended(1, moved(2)),
        amended(1, moved(3)),
        inserted(0, moved(4)),
        inserted(4, moved(5)),
        taken_back(3),
        taken_back(6),
        amended(1, moved(6)),
        taken_back(4),
        inserted(4, moved(7)),
        taken_back(9),
        {"type": "corrections_made", "corrections": [amended(4, moved(8)), inserted(4, moved(9)), taken_back(10)]},
        amended(12, moved(10)) | {"part": 2},
        taken_back(None),
        taken_back(12),
        taken_back(15),
        {"type": "round_opened"},
        inserted(1, {"type": "dealer_named", "player": "p2"}),
        taken_back(18),
    ):
        assert both.record(report), report
    both.stood_like_that(Random(0), [moved(11)])


def moved(amount: int) -> Json:
    return {"type": "chips_moved", "from": "bank", "to": "p1", "amount": amount}


def amended(seq: int, event: Json) -> Json:
    return {"type": "event_amended", "seq": seq, "event": event}


def inserted(after: int, event: Json) -> Json:
    return {"type": "event_inserted", "after": after, "event": event}


def taken_back(seq: int | None) -> Json:
    return {"type": "event_taken_back"} if seq is None else {"type": "event_taken_back", "seq": seq}


def moments_add_up(on: SessionState) -> None:
    """Each moment has the table of the one before, and what everybody held; those of a round have its number."""
    beginning, whole = on.at(0), list(moments(on))
    table, held = beginning.table, beginning.balances
    for moment in whole:
        assert moment.before == table
        held, table = posted(held, moment.slot.entries), moment.after
        assert moment.balances == held
    assert {account: chips for account, chips in held.items() if chips} == {a: c for a, c in on.balances.items() if c}
    for done in on.rounds():
        assert on.round(done.number) == done
        of_round = list(moments(on, done.number))
        assert of_round == [moment for moment in whole if moment.slot.round == done.number]
        assert on.rounds(done.number - 1, 1) == [done]
    assert on.round(0) is on.round(len(on.rounds()) + 1) is None


def tells_what_changed(before: SessionState, after: SessionState) -> None:
    """Whatever round differs is told, as it was and as it is."""
    told_before, told_after = rounds_changed(before, after)
    old, new = ({done.number: done for done in state.rounds()} for state in (before, after))
    for number in {*old, *new}:
        if old.get(number) != new.get(number):
            assert (told_before.get(number), told_after.get(number)) == (old.get(number), new.get(number))
