"""However a record was corrected, it comes to what recording it right from the first event would have come to."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.books import audit
from ledger.desk import Desk
from ledger.games import GAMES
from ledger.history import SessionState
from ledger.play import Refused
from ledger.recording import Request
from ledger.session import AlreadyTakenBack, Correction, EventTakenBack, IsACorrection, SessionIsClosed
from ledger.verification import verify
from tests.properties.correcting import CannotBeSaid, Model, changed, is_newcomer, other_events, random_correction
from tests.properties.folding import lived, opened, opening_of, read, same
from tests.reckoning.evenings import Evening as Simulated
from tests.reckoning.evenings import evenings
from tests.scorekeeper import Json
from tests.store.memory import MemoryStore

every_game = pytest.mark.parametrize("game", GAMES)


def modelled(state: Simulated) -> tuple[Model, SessionState]:
    """An evening as the model and the real thing have it before anything is corrected."""
    model = Model(state.opening)
    for report in state.events:
        model.record(report)
    return model, lived(state.opening, state.events)


def correct(model: Model, on: SessionState, correction: Json) -> SessionState | None:
    """Try a correction on both; they have to agree on whether it is possible, and on what comes of it."""
    try:
        after = on.record(read(correction, model.opening["game"]), 1).state
    except (AlreadyTakenBack, IsACorrection) as refusal:
        agree(model.makes_no_sense(correction), refusal)
        return None
    except Refused as refusal:
        agree(cannot_be_recorded(model, correction, on, refusal), refusal)
        return None
    model.record(correction)
    if model.gives_the_same_ids():
        same(after, model.from_scratch())
    return after


def attempt(model: Model, on: SessionState, correction: Json) -> None:
    """Try a correction on both, and leave both as they were."""
    if correct(model, on, correction) is not None:
        model.forget_last()


def agree(same_answer: bool, refusal: Refused) -> None:  # noqa: FBT001 - it is what is asserted
    """The model refuses too."""
    assert same_answer, (refusal.code, refusal.facts)


def cannot_be_recorded(model: Model, correction: Json, on: SessionState, refusal: Refused) -> bool:
    """Whether the corrected evening could not be recorded from scratch, because of the event that the refusal names."""
    if isinstance(refusal, SessionIsClosed) and on.table.status == "closed":
        return True
    model.record(correction)
    try:
        model.from_scratch()
    except CannotBeSaid as first:
        named: Any = refusal.facts.get("conflicts")
        return not model.gives_the_same_ids() or named is None or named[0].seq == first.seq
    else:
        return not model.gives_the_same_ids()
    finally:
        model.forget_last()


@every_game
@given(data=st.data())
def test_an_amended_evening_is_the_evening_recorded_right(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game).filter(lambda state: state.events))
    rng = Random(data.draw(st.integers(0, 2**32)))
    others = other_events(state, rng)
    model, on = modelled(state)
    for _ in range(6):
        seq = rng.randint(1, len(state.events))
        attempt(model, on, {"type": "event_amended", "seq": seq, "event": changed(rng, model.event(seq), others)})


@every_game
@given(data=st.data())
def test_events_amended_together_make_the_evening_recorded_right(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game).filter(lambda state: state.events))
    rng = Random(data.draw(st.integers(0, 2**32)))
    others = [other for other in other_events(state, rng) if not is_newcomer(other)]
    _, on = modelled(state)
    for _ in range(6):
        amendable = [seq for seq, said in enumerate(state.events, 1) if not is_newcomer(said)]
        seqs = rng.sample(amendable, min(len(amendable), rng.randint(2, 6)))
        right = list(state.events)
        if rng.random() < 0.5:
            for seq in seqs:
                right[seq - 1] = changed(rng, right[seq - 1], others)
        else:  # what was said was said in another order
            for seq, other in zip(seqs, rng.sample(seqs, len(seqs)), strict=True):
                right[seq - 1] = state.events[other - 1]
        parts = [{"type": "event_amended", "seq": seq, "event": right[seq - 1]} for seq in seqs]
        amended_together(on, state.opening, parts, right)


def amended_together(on: SessionState, opening: Json, parts: list[Json], right: list[Json]) -> None:
    """Amend events together: that comes to what the evening comes to when it is recorded right, or is refused."""
    together = read({"type": "corrections_made", "corrections": parts}, opening["game"])
    try:
        scratch = lived(opening, right)
    except Refused:
        with pytest.raises(Refused):
            on.record(together, 1)
        return
    if on.table.status == "closed":
        with suppress(SessionIsClosed):
            same(on.record(together, 1).state, scratch)
        return
    after = on.record(together, 1).state
    same(after, scratch)
    same(after.record(EventTakenBack(after.seq), 1).state, on)


@every_game
@given(data=st.data())
def test_an_evening_with_an_event_inserted_is_the_evening_recorded_right(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game).filter(lambda state: state.events))
    rng = Random(data.draw(st.integers(0, 2**32)))
    others = other_events(state, rng)
    model, on = modelled(state)
    for _ in range(6):
        after = rng.randint(0, len(state.events))
        attempt(model, on, {"type": "event_inserted", "after": after, "event": rng.choice(others)})


@every_game
@given(data=st.data())
def test_a_forgotten_event_can_be_inserted_where_it_was(game: str, data: st.DataObject) -> None:
    """Leave one out; if the rest can be recorded without it, inserting it gives the whole evening."""
    state = data.draw(evenings(game).filter(lambda state: state.events))
    left_out = data.draw(st.integers(1, len(state.events)))
    forgotten = state.events[left_out - 1]
    rest = [*state.events[: left_out - 1], *state.events[left_out:]]
    with suppress(Refused):
        on = lived(state.opening, rest)
        inserted = {"type": "event_inserted", "after": left_out - 1, "event": forgotten}
        after = on.record(read(inserted, game), 1).state
        if forgotten["type"] != "player_joined":
            same(after, lived(state.opening, state.events))


@every_game
@given(data=st.data())
def test_an_event_that_is_taken_back_was_never_recorded(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game).filter(lambda state: state.events))
    model, on = modelled(state)
    for seq in data.draw(st.lists(st.integers(1, len(state.events)), min_size=6, max_size=6)):
        attempt(model, on, {"type": "event_taken_back", "seq": seq})


@every_game
@given(data=st.data())
def test_recording_and_taking_back_leaves_the_evening_as_it_was(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game))
    part = state.events[: data.draw(st.integers(0, len(state.events)))]
    on = lived(state.opening, part)
    for report in other_events(state, Random(0)):
        try:
            after = on.record(read(report, game), 1).state
        except Refused:
            continue
        if on.table.status == "open":
            same(after.record(read({"type": "event_taken_back"}, game), 1).state, on)


@every_game
@given(data=st.data())
def test_taking_back_and_taking_that_back_leaves_the_evening_as_it_was(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game).filter(lambda state: state.events))
    on = lived(state.opening, state.events)
    for seq in range(on.seq, max(0, on.seq - 15), -1):
        with suppress(Refused):
            undone = on.record(read({"type": "event_taken_back", "seq": seq}, game), 1).state
            redone = undone.record(read({"type": "event_taken_back", "seq": on.seq + 1}, game), 1).state
            same(redone, on)


@every_game
@given(data=st.data())
def test_any_corrections_leave_what_recording_right_would_have_come_to(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game))
    rng = Random(data.draw(st.integers(0, 2**32)))
    others = other_events(state, rng)
    model, on = modelled(state)
    for _ in range(15):
        on = correct(model, on, random_correction(rng, model, others)) or on
        assert sum(on.balances.values()) == 0


@every_game
@given(data=st.data())
def test_any_corrections_leave_a_whole_record(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game))
    rng = Random(data.draw(st.integers(0, 2**32)))
    corrected_at_desks(state, rng, corrections=20)


@every_game
@given(data=st.data())
def test_a_correction_seen_before_is_the_correction_made(game: str, data: st.DataObject) -> None:
    """A dry run tells the same changes and entries as the recording after it; refused is refused.

    Of what corrects nothing, the recording itself tells no changes.
    """
    state = data.draw(evenings(game).filter(lambda state: state.events))
    rng = Random(data.draw(st.integers(0, 2**32)))
    model, _ = modelled(state)
    desk = Desk(MemoryStore())
    session, link, _ = desk.open(opening_of(state.opening))
    desk.recorder.record(session.id, [read(report, game) for report in state.events], Request(by=link.id))
    correction = read(random_correction(rng, model, other_events(state, rng)), game)
    try:
        said = desk.recorder.record(session.id, [correction], Request(by=link.id, dry_run=True))
    except Refused as refusal:
        with pytest.raises(Refused, match=refusal.code):
            desk.recorder.record(session.id, [correction], Request(by=link.id))
    else:
        made = desk.recorder.record(session.id, [correction], Request(by=link.id))
        assert list(made.entries) == list(said.entries)
        assert said.changes == desk.changes(session.id, made.events[0].seq)
        assert made.changes == (said.changes if isinstance(correction, Correction) else None)


# --- many -----------------------------------------------------------------------------------------------------------


def corrected_at_desks(state: Simulated, rng: Random, corrections: int) -> int:
    """Correct an evening by turns at two desks at one store, and check the whole record. Gives how many were made."""
    game, made = state.opening["game"], 0
    others = other_events(state, rng)
    model, on = modelled(state)
    store = MemoryStore()
    desks = [Desk(store), Desk(store)]
    session, link, _ = desks[0].open(opening_of(state.opening))
    desks[0].recorder.record(session.id, [read(report, game) for report in state.events], Request(by=link.id))
    for _ in range(corrections):
        correction = random_correction(rng, model, others)
        after = correct(model, on, correction)
        if after is None:
            with pytest.raises(Refused):
                rng.choice(desks).recorder.record(session.id, [read(correction, game)], Request(by=link.id))
            continue
        on, made = after, made + 1
        answer = rng.choice(desks).recorder.record(session.id, [read(correction, game)], Request(by=link.id))
        same(answer.session.state, on)
    assert verify(store, session.id).findings == ()
    assert audit(list(store.entries(session.id)), store.balances(session.id)) == ()
    return made


EVENINGS = {"shirinma": 80, "shippin": 100, "kakkuri": 80}
"""How many evenings of each game are corrected a hundred times; almost half of what is tried is possible."""


@pytest.mark.endurance
def test_ten_thousand_corrections_leave_sums_at_zero_and_every_record_whole() -> None:
    """Spread over sessions of all games; each is checked against the same evening recorded right, and as a whole."""
    made = 0
    for game, count in EVENINGS.items():

        @settings(max_examples=count, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
        @given(evenings(game, max_rounds=2), st.integers(0, 2**32))
        def correct_some(state: Simulated, seed: int) -> None:
            nonlocal made
            made += corrected_at_desks(state, Random(seed), corrections=100)

        correct_some()
    assert made >= 10_000


def test_the_model_takes_an_evening_for_what_it_is() -> None:
    """The model itself, by hand: insert, amend, take back, and take that back."""
    opening: Json = {"game": "shippin", "players": ["Aki", "Ben"]}
    one, two, three = ({"type": "chips_moved", "from": "bank", "to": "p1", "amount": n} for n in (1, 2, 3))
    model = Model(opening)
    for report in (
        one,
        {"type": "event_inserted", "after": 0, "event": two},
        {"type": "event_amended", "seq": 1, "event": three},
    ):
        model.record(report)
    assert model.events() == [two, three]
    model.record({"type": "event_taken_back", "seq": 3})
    assert model.events() == [two, one]
    model.record({"type": "event_taken_back", "seq": 4})
    assert model.events() == [two, three]
    model.forget_last()
    model.record({"type": "event_taken_back", "seq": 2})
    assert (model.events(), model.counting()) == ([one], [1])
    same(model.from_scratch(), opened(opening).record(read(one, "shippin"), 1).state)
