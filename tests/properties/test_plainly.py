"""The real history beside the plainest one: whatever is corrected, both tell the same, whatever is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest

from ledger.books import Entry, posted
from ledger.games import GAMES
from ledger.history import SessionState, moments, rounds_changed
from ledger.history import timeline as chapters
from ledger.play import Event, Refused
from ledger.session import Correction
from tests.properties.correcting import changed, other_events
from tests.properties.folding import opened, read
from tests.properties.plainly import PlainHistory, agree, told
from tests.reckoning.evenings import an_evening
from tests.scorekeeper import Json

every_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(params=[(16, 64), (2, 5)], ids=["chapters", "short chapters"], autouse=True, scope="module")
def lengths(request: pytest.FixtureRequest) -> Iterator[None]:
    """Chapters as long as they are, and so short that a correction runs over many of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chapters, "SHORTEST", request.param[0])
        patch.setattr(chapters, "LONGEST", request.param[1])
        yield


class Both:
    """An evening as the real history has it, with every state it went through, and as the plain one has it."""

    def __init__(self, opening: Json) -> None:
        self.game = opening["game"]
        self.states = [opened(opening)]
        self.plain = PlainHistory.of(self.states[0])

    @property
    def real(self) -> SessionState:
        return self.states[-1]

    def record(self, said: Json) -> bool:
        """Try an event on both; they agree on what comes of it, or on why it is not possible. Say whether it is."""
        event = read(said, self.game)
        real, plain = outcome(lambda: self._really(event)), outcome(lambda: self.plain.record(event, 1))
        assert real == plain
        if not isinstance(real, list):
            return False
        if isinstance(event, Correction):
            agree(self.real, self.plain)
        return True

    def _really(self, event: Event) -> Sequence[Entry]:
        done = self.real.record(event, 1)
        self.states.append(done.state)
        return done.entries


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
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 8))])
def test_the_real_history_is_the_plain_one(game: str, seed: int) -> None:
    rng = Random(seed)
    evening = an_evening(rng, game, max_rounds=4)
    others = other_events(evening, rng)
    both, rows = Both(evening.opening), list[Json]()
    for report in evening.events:
        if both.record(report):
            rows.append(report)
    for _ in range(40):
        report = random_event(rng, rows, others)
        if both.record(report):
            rows.append(report)
    for seq, stood in enumerate(both.states):
        assert both.real.at(seq) is stood
    let_go(both)
    moments_add_up(both.real)
    for before, after in pairwise(both.states):
        tells_what_changed(before, after)


@pytest.mark.parametrize("seed", range(4))
def test_chains_of_take_backs_are_the_plain_ones(seed: int) -> None:
    """Take-backs of take-backs, one after the other, of older ones in between, and of several made together."""
    rng = Random(seed)
    evening = an_evening(rng, "shirinma", max_rounds=1)
    both, rows = Both(evening.opening), list[Json]()
    for report in evening.events:
        if both.record(report):
            rows.append(report)
    first = len(rows)
    for _ in range(60):
        report = random_take_back(rng, rows, first)
        if rng.random() < 0.2:
            parts = [report, *(random_take_back(rng, rows, first) for _ in range(2))]
            report = {"type": "corrections_made", "corrections": parts}
        if both.record(report):
            rows.append(report)
    assert len(rows) > first + 20


def random_take_back(rng: Random, rows: Sequence[Json], first: int) -> Json:
    """Take the last row back most of the time, or one of those that take something back, or one before them."""
    seq = rng.choice((len(rows), len(rows), len(rows), rng.randint(max(1, first - 3), len(rows))))
    return {"type": "event_taken_back", "seq": seq}


def let_go(both: Both) -> None:
    """What has been let go is lived through again, and comes to the same."""
    alone = both.real.without_past()
    assert (alone.table, alone.balances, alone.held) == (both.real.table, both.real.balances, both.real.lasting)
    for seq in range(0, both.real.seq + 1, 7):
        again, stood = alone.at(seq), both.states[seq]
        assert (again.seq, again.table, dict(again.balances)) == (stood.seq, stood.table, dict(stood.balances))
        assert again.last_entry == stood.last_entry


def places(state: SessionState) -> list[object]:
    return [place for chapter in state.timeline.chapters for place in chapter.places]


def moments_add_up(on: SessionState) -> None:
    """Each moment has the table of the one before, and what everybody held; those of a round have its number."""
    table, held, whole = (on.start or on).table, (on.start or on).balances, list(moments(on))
    for moment in whole:
        assert moment.before == table
        held, table = posted(held, moment.point.entries), moment.point.table
        assert moment.balances == held
    assert {account: chips for account, chips in held.items() if chips} == {a: c for a, c in on.balances.items() if c}
    for done in on.rounds():
        assert on.round(done.number) is done
        of_round = list(moments(on, done.number))
        assert of_round == [moment for moment in whole if moment.point.round == done.number]
        assert on.rounds(done.number - 1, 1) == [done]
    assert on.round(0) is on.round(len(on.rounds()) + 1) is None


def tells_what_changed(before: SessionState, after: SessionState) -> None:
    """Whatever round differs is told, as it was and as it is."""
    told_before, told_after = rounds_changed(before, after)
    old, new = ({done.number: done for done in state.rounds()} for state in (before, after))
    for number in {*old, *new}:
        if old.get(number) != new.get(number):
            assert (told_before.get(number), told_after.get(number)) == (old.get(number), new.get(number))
