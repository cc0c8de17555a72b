"""However a record was corrected, it comes to what the plainest model of corrections says (`correcting`)."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.accounting.books import Balances, Books, audit, posted
from ledger.games import GAMES
from ledger.rulebook.refusal import Refused
from ledger.services.recording import Request
from ledger.services.sessions import SessionService
from ledger.services.verification import verify
from ledger.session.corrections import Correction
from ledger.session.history import SessionState, settlement_of
from tests.databases import scratch
from tests.properties.correcting import (
    BY_THE_OWNER,
    CORRECTIONS,
    Model,
    brings_in,
    changed,
    other_events,
    random_report,
    told,
)
from tests.properties.folding import holding, lived, opened, opening_of, read, same
from tests.reckoning.evenings import Evening as Simulated
from tests.reckoning.evenings import evenings
from tests.scorekeeper import Json

every_game = pytest.mark.parametrize("game", GAMES)

Both = tuple[Model, SessionState]
"""An evening as the model has it, and the real thing."""


def recorded(state: Simulated) -> list[Both]:
    """An evening before anything is corrected, after each of its events."""
    stands = [(Model(state.opening), opened(state.opening))]
    for report in state.events:
        stands.append(tried(*stands[-1], report))
    return stands


def tried(model: Model, on: SessionState, report: Json) -> Both:
    """Try a report on both: they agree on what comes of it and on every entry, or on every reason for a refusal."""
    said = read(report, model.opening["game"])
    try:
        after = model.record(report)
    except Refused as refusal:
        expected = told(refusal)
        with pytest.raises(Refused) as refused:
            on.record(said, 1)
        assert told(refused.value) == expected
        return model, on
    done = on.record(said, 1)
    assert done.entries == after.entries[len(model.entries) :]
    if report["type"] in CORRECTIONS:
        agree(after, done.state)
    return after, done.state


def agree(model: Model, on: SessionState, *, now: bool = True) -> None:
    """Both have come to the same, whatever is asked.

    Where it does not stand so `now`, entries have today's ids, and what was taken back perhaps the round of today.
    """
    assert (on.seq, on.table) == (len(model.rows), model.table)
    assert holding(on) == model.holding()
    rounds = model.rounds()
    assert on.rounds() == rounds
    assert [on.round(number) for number in range(len(rounds) + 2)] == [None, *rounds, None]
    assert on.rounds(1, 2) == rounds[1:3]
    entries = [entry for done in model.played for entry in model.standing.get(done.at, ())]
    books, held, seen = Books({}).after(entries), opened(model.opening).balances, list(on.steps())
    assert chips(on.books.outside) == chips(books.outside)
    here = [entry for step in seen for entry in step.slot.entries]
    assert (here if now else [entry.moves for entry in here]) == (entries if now else [e.moves for e in entries])
    for step, done in zip(seen, model.played, strict=True):
        held = posted(held, done.moved)
        assert (step.slot.seq, step.slot.event) == (done.at[0], done.event)
        assert (step.before, step.after, chips(step.books.balances)) == (done.before, done.table, chips(held))
    statuses, of_rounds = on.statuses(), on.rounds_of_events()
    for seq, row in enumerate(model.rows, 1):
        assert {at: status for at, status in statuses.items() if at.seq == seq} == model.became(seq)
        if now or model.stands((seq, 0)):
            is_event = row["type"] == "event_inserted" or row["type"] not in CORRECTIONS
            assert of_rounds.get(seq) == (model.rounds_of.get((seq, 0)) if is_event else None)
    for seq in {1, on.seq // 2, on.seq - 5, on.seq}:
        earlier = next((n for n, done in enumerate(reversed(model.played)) if done.at[0] < seq), len(model.played))
        lately = {done.round for done in model.played[len(model.played) - earlier :]}
        assert on.ended_since(seq) == [done for done in rounds if done.number in lately and not done.is_open]


def chips(balances: Balances) -> Balances:
    """Balances, without accounts that hold nothing."""
    return {account: held for account, held in balances.items() if held}


def corrected(state: Simulated, rng: Random, times: int) -> list[Both]:
    """Try so many corrections of an evening, and look at it as it stood at some event: it tells what it told then.

    Something else may follow there.
    """
    others = [*other_events(state, rng), *BY_THE_OWNER]
    stands = recorded(state)
    for _ in range(times):
        model, on = stands[-1]
        after = tried(model, on, random_report(rng, model, others))
        if after[1] is not on:
            stands.append(after)
    last = stands[-1][1]
    for seq in {0, *rng.choices(range(len(stands)), k=10), *range(len(state.events), len(stands))}:
        (model, stood), earlier = stands[seq], last.at(seq)
        agree(model, earlier, now=False)
        same(earlier.at(seq // 2), stands[seq // 2][1])
        assert settlement_of(earlier, None) == settlement_of(stood, None)
        agree(*tried(model, earlier, rng.choice(others)), now=False)
    return stands


@every_game
@given(data=st.data())
def test_any_corrections_leave_what_recording_right_would_have_come_to(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game, max_rounds=2))
    part = Simulated(state.opening, state.events[:80])
    corrected(part, Random(data.draw(st.integers(0, 2**32))), times=25)


@every_game
@given(data=st.data())
def test_events_amended_together_make_the_evening_recorded_right(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game).filter(lambda state: state.events))
    rng = Random(data.draw(st.integers(0, 2**32)))
    others = [other for other in other_events(state, rng) if not brings_in(other)]
    model, on = recorded(state)[-1]
    amendable = [seq for seq, said in enumerate(state.events, 1) if not brings_in(said)]
    for _ in range(6):
        seqs = rng.sample(amendable, min(len(amendable), rng.randint(2, 6)))
        right = list(state.events)
        if rng.random() < 0.5:
            for seq in seqs:
                right[seq - 1] = changed(rng, right[seq - 1], others)
        else:  # what was said was said in another order
            for seq, other in zip(seqs, rng.sample(seqs, len(seqs)), strict=True):
                right[seq - 1] = state.events[other - 1]
        parts = [{"type": "event_amended", "seq": seq, "event": right[seq - 1]} for seq in seqs]
        together, after = tried(model, on, {"type": "corrections_made", "corrections": parts})
        if after is not on:
            same(after, lived(state.opening, right))
            same(tried(together, after, {"type": "event_taken_back"})[1], on)


@every_game
@given(data=st.data())
def test_a_forgotten_event_can_be_inserted_where_it_was(game: str, data: st.DataObject) -> None:
    """Leave one out; if the rest can be recorded without it, inserting it gives the whole evening."""
    state = data.draw(evenings(game).filter(lambda state: state.events))
    left_out = data.draw(st.integers(1, len(state.events)))
    forgotten = state.events[left_out - 1]
    with suppress(Refused):
        on = lived(state.opening, [*state.events[: left_out - 1], *state.events[left_out:]])
        inserted = {"type": "event_inserted", "after": left_out - 1, "event": forgotten}
        after = on.record(read(inserted, game), 1).state
        if not brings_in(forgotten):
            same(after, lived(state.opening, state.events))


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
def test_any_corrections_leave_a_whole_record(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game))
    rng = Random(data.draw(st.integers(0, 2**32)))
    corrected_by_two_services(state, rng, corrections=20)


@every_game
@given(data=st.data())
def test_a_correction_seen_before_is_the_correction_made(game: str, data: st.DataObject) -> None:
    """A dry run tells the same changes and entries as the recording after it; refused is refused.

    Of what corrects nothing, the recording itself tells no changes.
    """
    state = data.draw(evenings(game).filter(lambda state: state.events))
    rng = Random(data.draw(st.integers(0, 2**32)))
    model, _ = recorded(state)[-1]
    service = SessionService(scratch())
    session, link, _ = service.open(opening_of(state.opening))
    service.recorder.record(session.id, [read(report, game) for report in state.events], Request(by=link.id))
    correction = read(random_report(rng, model, other_events(state, rng)), game)
    try:
        said = service.recorder.record(session.id, [correction], Request(by=link.id, dry_run=True)).response()
    except Refused as refusal:
        with pytest.raises(Refused, match=refusal.code):
            service.recorder.record(session.id, [correction], Request(by=link.id))
    else:
        made = service.recorder.record(session.id, [correction], Request(by=link.id)).response()
        assert list(made.entries) == list(said.entries)
        assert said.changes == service.changes(session.id, len(state.events) + 1)
        assert made.changes == (said.changes if isinstance(correction, Correction) else None)


# --- many -----------------------------------------------------------------------------------------------------------


def corrected_by_two_services(state: Simulated, rng: Random, corrections: int) -> int:
    """Correct an evening by turns at two services at one store, and check the whole record. Gives how many."""
    game, made = state.opening["game"], 0
    others = other_events(state, rng)
    model, on = recorded(state)[-1]
    store = scratch()
    services = [SessionService(store), SessionService(store)]
    session, link, _ = services[0].open(opening_of(state.opening))
    if state.events:
        services[0].recorder.record(session.id, [read(report, game) for report in state.events], Request(by=link.id))
    for _ in range(corrections):
        correction = random_report(rng, model, others)
        model, after = tried(model, on, correction)
        if after is on:
            with pytest.raises(Refused):
                rng.choice(services).recorder.record(session.id, [read(correction, game)], Request(by=link.id))
            continue
        on, made = after, made + 1
        answer = rng.choice(services).recorder.record(session.id, [read(correction, game)], Request(by=link.id))
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
            made += corrected_by_two_services(state, Random(seed), corrections=100)

        correct_some()
    assert made >= 10_000


def test_the_model_takes_an_evening_for_what_it_is() -> None:
    """By hand: what counts after each report, told by the chips that p1 gets."""
    opening: Json = {"game": "shippin", "players": ["Aki", "Ben"]}
    model, on = Model(opening), opened(opening)
    for report, amounts in (
        (moved(1), [1]),
        (inserted(0, moved(2)), [2, 1]),
        (amended(1, moved(3)), [2, 3]),
        (taken_back(3), [2, 1]),
        (taken_back(4), [2, 3]),
        (inserted(2, moved(4)), [2, 4, 3]),
        (inserted(2, moved(5)), [2, 5, 4, 3]),
        (taken_back(2), [5, 4, 3]),
        (together(inserted(6, moved(6)), inserted(6, moved(7)), amended(1, moved(8))), [5, 4, 6, 7, 8]),
        (amended(9, moved(9), part=2), [5, 4, 6, 9, 8]),
        (inserted(9, moved(10), part=1), [5, 4, 6, 10, 9, 8]),
        (taken_back(9), [5, 4, 10, 3]),
        (taken_back(12), [5, 4, 6, 10, 9, 8]),
        ({"type": "event_taken_back"}, [5, 4, 6, 9, 8]),
        ({"type": "event_taken_back"}, [5, 4, 6, 7, 8]),
    ):
        model, on = tried(model, on, report)
        assert [event["amount"] for event in model.events()] == amounts
        assert model.holding() == {"bank": -sum(amounts), "p1": sum(amounts)}
    assert model.became(10) == {(10, 0): ("taken_back", 15)}


def test_the_model_gives_an_id_once() -> None:
    """By hand: who is here after each report."""
    opening: Json = {"game": "shippin", "players": ["Aki", "Ben"]}
    model, on = Model(opening), opened(opening)
    for report, here in (
        (named("p2"), {}),
        (joined("Zoe"), {"p3": "Zoe"}),
        (amended(1, joined("Yui")), {"p3": "Zoe", "p4": "Yui"}),
        (amended(1, named("p1")), {"p3": "Zoe"}),
        (amended(1, joined("Ume")), {"p3": "Zoe", "p4": "Ume"}),
        (together(inserted(0, joined("Rin")), amended(2, named("p2"))), {"p4": "Ume", "p5": "Rin"}),
        (amended(6, joined("Rina"), part=1), {"p4": "Ume", "p5": "Rina"}),
        (taken_back(6), {"p3": "Zoe", "p4": "Ume"}),
        (taken_back(8), {"p4": "Ume", "p5": "Rina"}),
    ):
        model, on = tried(model, on, report)
        assert {player.id: player.name for player in on.table.players[2:]} == here


def named(player: str) -> Json:
    return {"type": "dealer_named", "player": player}


def joined(name: str) -> Json:
    return {"type": "player_joined", "name": name}


def moved(amount: int) -> Json:
    return {"type": "chips_moved", "from": "bank", "to": "p1", "amount": amount}


def amended(seq: int, event: Json, **part: int) -> Json:
    return {"type": "event_amended", "seq": seq, "event": event, **part}


def inserted(after: int, event: Json, **part: int) -> Json:
    return {"type": "event_inserted", "after": after, "event": event, **part}


def taken_back(seq: int) -> Json:
    return {"type": "event_taken_back", "seq": seq}


def together(*parts: Json) -> Json:
    return {"type": "corrections_made", "corrections": list(parts)}
