"""A model of a corrected log, and random corrections to try on it.

The model says what corrections mean in the plainest way, by looking everything up anew: a row stands unless a row that
stands takes it back; an event is what the newest amendment of it that stands says; and the order is that of a list into
which inserted events were put by hand. What an evening has come to is then what the events of the model come to when
they are recorded from scratch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from ledger.history import SessionState
from ledger.play import Refused
from tests.properties.folding import opened, read
from tests.reckoning.evenings import Evening as Simulated
from tests.scorekeeper import Json

CORRECTIONS = {"event_taken_back", "event_amended"}
"""Rows that are only about others."""


class CannotBeSaid(Exception):
    """Recorded from scratch, the events would not all be possible; `seq` is the first that is not."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


@dataclass
class Model:
    """The rows of a log, and the order in which the events of the table among them stand, taken back or not."""

    opening: Json
    rows: list[Json] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    given: dict[int, int] = field(default_factory=dict)
    given_before: dict[int, int] = field(default_factory=dict)
    corrected: dict[int, list[int]] = field(default_factory=dict)

    def record(self, report: Json) -> None:
        """Write a row down, and the number that it gives to somebody new."""
        self.given_before = dict(self.given)
        if is_newcomer(report):
            about = report["seq"] if report["type"] == "event_amended" else len(self.rows) + 1
            self.given.setdefault(about, 1 + max([len(self.opening["players"]), *self.numbers()]))
        self.rows.append(report)
        seq = len(self.rows)
        if report["type"] == "event_inserted":
            self.order.insert(self.order.index(report["after"]) + 1 if report["after"] else 0, seq)
        elif report["type"] in CORRECTIONS:
            self.corrected.setdefault(report["seq"], []).append(seq)
        else:
            self.order.append(seq)

    def forget_last(self) -> None:
        """Write a row down no more."""
        last = self.rows.pop()
        self.given = self.given_before
        if last["type"] in CORRECTIONS:
            self.corrected[last["seq"]].pop()
        else:
            self.order.remove(len(self.rows) + 1)

    def about(self, seq: int, kind: str) -> list[int]:
        """The corrections of a kind that are about an event, and stand."""
        rows = self.corrected.get(seq, ())
        return [at for at in rows if self.rows[at - 1]["type"] == kind and self.stands(at)]

    def stands(self, seq: int) -> bool:
        """Whether no row that stands takes this one back."""
        return not self.about(seq, "event_taken_back")

    def event(self, seq: int) -> Json:
        """What an event is by now: what it says itself, or the newest amendment of it."""
        row = self.rows[[seq, *self.about(seq, "event_amended")][-1] - 1]
        event: Json = row.get("event", row)
        return event

    def counting(self) -> list[int]:
        """The numbers of the events that count, in order."""
        return [seq for seq in self.order if self.stands(seq)]

    def events(self) -> list[Json]:
        """The events that count, in order: the evening as it should have been recorded."""
        return [self.event(seq) for seq in self.counting()]

    def from_scratch(self) -> SessionState:
        """Record the evening as it should have been. Raises CannotBeSaid."""
        on = opened(self.opening)
        for seq in self.counting():
            try:
                on = on.record(read(self.event(seq), self.opening["game"]), 1).state
            except Refused:
                raise CannotBeSaid(seq) from None
        return on

    def makes_no_sense(self, correction: Json) -> bool:
        """Whether a correction is about something that was taken back, or is only about others itself."""
        about: int = correction["after"] if "after" in correction else correction["seq"]
        if correction["type"] == "event_inserted":
            return about != 0 and about not in self.order
        return not self.stands(about) or (correction["type"] == "event_amended" and about not in self.order)

    def numbers(self) -> list[int]:
        """The numbers of those who joined, in the order in which they did."""
        return [self.given[seq] for seq in self.counting() if is_newcomer(self.event(seq))]

    def gives_the_same_ids(self) -> bool:
        """Whether everybody who joined would get the same id if the evening were recorded from scratch.

        An id is given once and kept; from scratch, it depends on who joined before.
        """
        first, numbers = len(self.opening["players"]) + 1, self.numbers()
        return numbers == list(range(first, first + len(numbers)))


def is_newcomer(row: Json) -> bool:
    """Whether somebody new joins."""
    event = row.get("event", row)
    return event["type"] == "player_joined" and "name" in event


def random_correction(rng: Random, model: Model, others: Sequence[Json]) -> Json:
    """Something that could be recorded next: a correction, mostly of what was recorded lately."""
    rows = len(model.rows)
    some = max(1, min(rows, rows - int(rng.expovariate(0.15))))
    standing = [seq for seq in range(1, rows + 1) if model.stands(seq)]
    match rng.choice(("take_back", "undo", "redo", "amend", "amend", "insert", "record")):
        case "take_back" if rows:
            return {"type": "event_taken_back", "seq": some}
        case "undo" if standing:
            return {"type": "event_taken_back", "seq": standing[-1]}
        case "redo":
            undone = [seq for seq in standing if model.rows[seq - 1]["type"] == "event_taken_back"]
            if undone:
                return {"type": "event_taken_back", "seq": rng.choice(undone[-3:])}
        case "amend" if some in model.order:
            return {"type": "event_amended", "seq": some, "event": changed(rng, model.event(some), others)}
        case "insert" if model.order:
            after = rng.choice([0, *model.order, *model.order[-5:] * 3])
            return {"type": "event_inserted", "after": after, "event": rng.choice(others)}
    return rng.choice(others)


def changed(rng: Random, event: Json, others: Sequence[Json]) -> Json:
    """The same event with one thing different, or another event altogether.

    A turn of which no card is counted any more has no top card either.
    """
    alike = [other for other in others if other["type"] == event["type"]]
    if rng.random() < 0.2 or not alike:
        return rng.choice(others)
    name = rng.choice(sorted(event.keys() - {"type"}) or ["type"])
    if name == "amount" and rng.random() < 0.5:
        return {**event, name: max(1, event[name] + rng.choice((-1, 1)))}
    other = rng.choice(alike)
    if name not in other:
        return other
    now: Json = {**event, name: other[name]}
    return now if now.get("count") else {field: value for field, value in now.items() if field != "top"}


def other_events(state: Simulated, rng: Random) -> list[Json]:
    """Events to amend into or to insert: those of the evening itself, and some that fit anywhere."""
    players = [f"p{n}" for n in range(1, len(state.opening["players"]) + 1)]
    anywhere: list[Json] = [
        {"type": "chips_moved", "from": "bank", "to": rng.choice(players), "amount": rng.randint(1, 99)}
        for _ in range(4)
    ]
    between: list[Json] = [
        {"type": "dealer_named", "player": rng.choice(players)},
        {"type": "player_left", "player": rng.choice(players)},
        {"type": "player_joined", "name": "Zoe"},
        {"type": "seats_changed", "seats": rng.sample(players, len(players))},
        {"type": "round_entered", "payments": {players[0]: 7}, "payouts": {players[1]: 7}},
        {"type": "player_renamed", "player": rng.choice(players), "name": "Nana"},
        {"type": "session_described", "name": "Obon"},
        {"type": "pot_brought", "amount": 9},
        {"type": "round_opened"},
        {"type": "round_voided", "reason": "It was late."},
        {"type": "session_closed"},
        {"type": "session_reopened"},
    ]
    own = [event for event in state.events if not event["type"].startswith("event_")]
    return [*anywhere, *between, *own]
