"""Any legal evening of any game comes to what the second, independent reckoning makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec.encoding import plain
from ledger.codec.log import read_event, rule_book, write_record
from ledger.games import GAMES, newest
from ledger.responses.rounds import round_answer
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Over
from ledger.rulebook.refusal import Refused
from ledger.rulebook.values import BANK, POT
from ledger.services.calculation import calculate
from ledger.services.recording import Request
from ledger.services.sessions import SessionService
from ledger.services.verification import verify
from ledger.session.corrections import EventTakenBack
from ledger.session.events import REASONS, BalancesBrought, Brought, ChipsMoved, RoundOpened, SettlementPaid
from ledger.session.history import SessionState
from ledger.session.statistics import statistics
from ledger.session.table import Opening
from tests.databases import scratch
from tests.properties.folding import agrees, holding, lived, opened, opening_of, read, same
from tests.reckoning import reckon
from tests.reckoning.evenings import evenings
from tests.scorekeeper import Json

every_game = pytest.mark.parametrize("game", GAMES)


@every_game
@given(data=st.data())
def test_a_legal_evening_comes_to_what_the_second_reckoning_makes_of_it(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game, corrections=data.draw(st.booleans())))
    agrees(lived(state.opening, state.events), reckon(state.opening, state.events))


@every_game
@given(data=st.data())
def test_so_does_every_first_part_of_it(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game, corrections=True))
    part = state.events[: data.draw(st.integers(0, len(state.events)))]
    agrees(lived(state.opening, part), reckon(state.opening, part))


def versions(on: SessionState) -> Iterable[tuple[Event, int]]:
    """The rows of a log, oldest first, each with the version that it was recorded under."""
    return [(row.event, row.version) for row in on.rows]


@every_game
@given(data=st.data())
def test_chips_only_move(game: str, data: st.DataObject) -> None:
    """After every event all accounts together hold nothing, and the pot on the table is the pot in the books."""
    state = data.draw(evenings(game, corrections=True))
    last = lived(state.opening, state.events)
    for on in [last.at(0), *(recorded.state for recorded in last.at(0).record_all(versions(last)))]:
        assert sum(on.balances.values()) == sum(on.won.values()) == 0
        assert on.won.get("pot", 0) == on.table.pot
        assert on.balances.get("pot", 0) == on.table.pot >= 0
        assert sum(on.table.stakes.values()) <= on.table.pot
    declared = {*REASONS, *newest(game).reasons}
    assert {entry.reason for step in last.steps() for entry in step.slot.entries} <= declared


@every_game
@given(data=st.data())
def test_what_was_reported_was_among_what_could_be_reported(game: str, data: st.DataObject) -> None:
    """And what a table overruled was not."""
    state = data.draw(evenings(game))
    on = opened(state.opening)
    for report in state.events:
        event, now = read(report, game), on.table.open_round
        if now is not None and isinstance(event, now.book.events):
            options = [option for option in now.book.expected(now.phase) if option.type == event.type]
            assert any(allows(option, event) for option in options) == (event.overrule is None), (report, options)
        on = on.record(event, 1).state


def allows(option: Any, event: Any) -> bool:
    """Whether an option leaves room for an event."""
    player, columns = getattr(event, "player", None), getattr(event, "column", None)
    return (
        option.player in (None, player)
        and (option.players is None or player in option.players)
        and (option.not_players is None or player not in option.not_players)
        and (option.columns is None or columns in option.columns)
        and (option.amount_at_least is None or event.amount >= option.amount_at_least)
        and (option.amount_at_most is None or event.amount <= option.amount_at_most)
        and (option.at_most is None or event.discards <= option.at_most)
    )


@every_game
@given(data=st.data())
def test_an_evening_read_back_from_its_log_is_the_same_evening(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game, corrections=True))
    on = lived(state.opening, state.events)
    again = opened(state.opening)
    for row in on.rows:
        written = write_record(row.event)
        again = again.record(read_event(*written, rule_book(game, row.version)), row.version).state
    same(again, on)
    assert (again.books.balances, again.books.last_entry) == (on.books.balances, on.books.last_entry)
    assert again.statuses() == on.statuses()


@every_game
@given(data=st.data())
def test_an_evening_is_recorded_in_any_portions_and_checks_out(game: str, data: st.DataObject) -> None:
    """Two services at one store take turns, neither remembers more than one session, and the record is whole."""
    state = data.draw(evenings(game, corrections=True))
    store = scratch()
    services = [SessionService(store), SessionService(store, max_cached_events=1)]
    session, link, _ = services[0].open(opening_of(state.opening))
    reports = [read(report, game) for report in state.events]
    at = 0
    while at < len(reports):
        portion = reports[at : at + data.draw(st.integers(1, 40))]
        services[at % 2].recorder.record(session.id, portion, Request(by=link.id))
        at += len(portion)
    checked = verify(store, session.id)
    assert (checked.findings, checked.events) == ((), len(reports))
    for service in services:
        same(service.session(session.id).state, lived(state.opening, state.events))


@every_game
@given(data=st.data())
def test_a_round_calculated_without_a_session_comes_out_as_recorded_in_one(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game))
    on = lived(state.opening, state.events)
    for done in on.rounds():
        slots = [step.slot for step in on.steps(done.number)]
        if len(done.ground.seats) < done.book.seats.start:
            continue  # who has gone home has gone from a session
        ids = {player: f"p{seat}" for seat, player in enumerate(done.ground.seats, 1)}
        opening = Opening(
            game=game,
            players=tuple(f"Seat {seat}" for seat in range(1, len(ids) + 1)),
            dealer=int(ids[done.ground.dealer][1:]),
            deck=done.ground.deck,
            rules=done.ground.rules,
            carried=done.ground.carried,
        )
        reports = [read(seated(plain(slot.event), ids), game) for slot in slots]
        for without_opening in (False, True):
            said_of_it = reports if done.is_entered or len(reports) == 1 else reports[without_opening:]
            calculated = calculate(opening, said_of_it)
            told, said_then = plain(round_answer(calculated.round, {})), plain(round_answer(done, {}))
            assert in_seats(told, {}) == in_seats(said_then, ids)
            moved = [
                (ids.get(e.payer, e.payer), ids.get(e.payee, e.payee), e.amount, e.reason)
                for p in slots
                for e in p.entries
            ]
            assert [(e.payer, e.payee, e.amount, e.reason) for e in calculated.entries] == moved


def seated(told: Any, ids: dict[str, str]) -> Any:
    """The same with players called by their seats."""
    match told:
        case str():
            return ids.get(told, told)
        case dict():
            return {name: value if name in {"reason", "note"} else seated(value, ids) for name, value in told.items()}
        case list():
            return [seated(part, ids) for part in told]
    return told


def in_seats(told: Json, ids: dict[str, str]) -> Json:
    """A round with players called by their seats, without its number and its sentences."""
    outcome = told["outcome"] and {**told["outcome"], "explanation": None}
    answer: Json = seated({**told, "number": 1, "outcome": outcome}, ids)
    return answer


@every_game
@given(data=st.data())
def test_chips_moved_in_between_change_nothing_but_balances(game: str, data: st.DataObject) -> None:
    """Bought, cashed out, given, paid or brought along: none of it is won or lost, also once it was taken back."""
    state = data.draw(evenings(game))
    on = opened(state.opening)
    beside: dict[str, int] = {}
    plain = opened(state.opening)
    for report in state.events:
        on, plain = (each.record(read(report, game), 1).state for each in (on, plain))
        if on.table.status == "open" and data.draw(st.integers(0, 9)) == 0:
            one, other = data.draw(st.permutations(on.table.seating.seats))[:2]
            event = data.draw(st.sampled_from(beside_play(one, other, data.draw(st.integers(1, 50)))))
            recorded = on.record(event, 1)
            on = recorded.state
            if data.draw(st.booleans()):
                on = on.record(EventTakenBack(on.seq), 1).state
            else:
                for entry in recorded.entries:
                    beside[entry.payer] = beside.get(entry.payer, 0) - entry.amount
                    beside[entry.payee] = beside.get(entry.payee, 0) + entry.amount
        assert {account: chips for account, chips in on.won.items() if chips} == {
            account: chips for account, chips in plain.won.items() if chips
        }
    assert on.table == plain.table
    assert on.rounds() == plain.rounds()
    for account in {*on.balances, *plain.balances}:
        assert on.balances.get(account, 0) == plain.balances.get(account, 0) + beside.get(account, 0)


def beside_play(one: str, other: str, chips: int) -> list[Event]:
    return [
        ChipsMoved(BANK, one, chips),
        ChipsMoved(one, BANK, chips),
        ChipsMoved(one, other, chips),
        SettlementPaid(one, other, chips),
        BalancesBrought((Brought(player=one, balance=chips), Brought(player=other, balance=-chips))),
    ]


@every_game
@given(data=st.data())
def test_what_play_brought_is_what_the_second_reckoning_makes_of_it_alone(game: str, data: st.DataObject) -> None:
    """A log without its purchases, cash-outs and gifts comes to what was won, and so do the statistics."""
    state = data.draw(evenings(game))
    on = lived(state.opening, state.events)
    alone = reckon(state.opening, [report for report in state.events if report["type"] != "chips_moved"])
    players = [player.id for player in on.table.players]
    assert [on.won.get(player, 0) for player in players] == [alone.balances.get(player, 0) for player in players]
    assert (on.won.get(POT, 0), on.won.get(BANK, 0)) == (alone.pot, alone.bank)
    assert [one.won for one in statistics(on).players.values()] == [on.won.get(player, 0) for player in players]


@every_game
@given(data=st.data())
def test_every_finished_round_explains_itself_in_two_languages(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game))
    on = lived(state.opening, state.events)
    names = {player.id: player.name for player in on.table.players}
    for done in on.rounds():
        told = plain(round_answer(done, names))
        if isinstance(done.phase, Over):
            english, japanese = told["outcome"]["explanation"]["en"], told["outcome"]["explanation"]["ja"]
            assert len(english) == len(japanese) >= 2
            assert all(sentence.strip() for sentence in (*english, *japanese))
        else:
            assert told["outcome"] is None


@every_game
@given(data=st.data())
def test_the_evening_at_any_event_is_the_evening_that_was(game: str, data: st.DataObject) -> None:
    state = data.draw(evenings(game, corrections=True))
    on = lived(state.opening, state.events)
    seq = data.draw(st.integers(0, on.seq))
    then = on.at(seq)
    same(then, lived(state.opening, state.events[:seq]))
    assert (then.seq, holding(then)) == (seq, holding(lived(state.opening, state.events[:seq])))


@every_game
@given(data=st.data())
def test_what_is_refused_leaves_no_trace(game: str, data: st.DataObject) -> None:
    """Anything that some evening of some game reported is reported here, in place or out of place."""
    state = data.draw(evenings(game))
    on = lived(state.opening, state.events)
    stood = (on.table, dict(on.balances), on.seq, on.books.last_entry)
    other = data.draw(evenings(data.draw(st.sampled_from(sorted(GAMES)))))
    for report in data.draw(st.lists(st.sampled_from([*other.events, {"type": "round_opened"}]), max_size=10)):
        event = read(report, game) if report["type"] != "rules_changed" else RoundOpened()
        with suppress(Refused):
            assert on.record(event, 1).state.seq == on.seq + 1
        assert (on.table, dict(on.balances), on.seq, on.books.last_entry) == stood
