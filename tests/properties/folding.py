"""Evenings of the simulated tables, lived through by the real rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from ledger.games import GAMES, newest
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Over
from ledger.session.history import SessionState
from ledger.session.table import Opening, Round
from schemas.loading import checked, load_event, loaded
from schemas.sessions import NewSession
from tests.reckoning import Reckoned, Sheet
from tests.scorekeeper import Json


def opening_of(said: Mapping[str, Any]) -> Opening:
    """Read the request that opens a session."""
    return loaded(NewSession, said).opening()


def read(report: Mapping[str, Any], game: str) -> Event:
    """Read one event, as the service reads it. The same evening is lived again and again, so each is read once."""
    return _read(json.dumps(dict(report), sort_keys=True), game)


@lru_cache(maxsize=20_000)
def _read(report: str, game: str) -> Event:
    return checked(load_event(json.loads(report)), newest(game))


def opened(said: Json) -> SessionState:
    return SessionState.opened(GAMES[said["game"]], opening_of(said))


def lived(said: Json, reports: Iterable[Json]) -> SessionState:
    """Live through an evening, event by event."""
    game, on = said["game"], opened(said)
    for report in reports:
        on = on.record(read(report, game), newest(game).version).state
    return on


def holding(on: SessionState) -> dict[str, int]:
    """What every account holds, those that hold nothing left out."""
    return {account: chips for account, chips in sorted(on.balances.items()) if chips}


def same(one: SessionState, other: SessionState) -> None:
    """Two evenings came to the same, however they got there: table, chips, every round, every entry that stands."""
    assert one.table == other.table
    assert holding(one) == holding(other)
    assert one.rounds() == other.rounds()
    assert standing_entries(one) == standing_entries(other)


def standing_entries(on: SessionState) -> list[tuple[Any, ...]]:
    """What the entries that stand move, in order."""
    return [(e.round, e.payer, e.payee, e.amount, e.reason) for step in on.steps() for e in step.slot.entries]


# --- beside the second reckoning ------------------------------------------------------------------------------------


def agrees(on: SessionState, reckoned: Reckoned) -> None:
    """The books and the second reckoning have come to the same."""
    table = on.table
    assert {player.id: on.balances.get(player.id, 0) for player in table.players} == reckoned.balances
    assert (on.balances.get("bank", 0), table.pot) == (reckoned.bank, reckoned.pot)
    assert (table.seating.dealer, list(table.seating.seats)) == (reckoned.dealer, reckoned.seats)
    assert table.status == reckoned.status
    rounds = on.rounds()
    assert len(rounds) == len(reckoned.rounds)
    for done, sheet in zip(rounds, reckoned.rounds, strict=True):
        assert told(done) == expected(sheet)


def told(done: Round) -> Json:
    """A round, as far as the second reckoning knows rounds."""
    ground, over = done.ground, done.phase if isinstance(done.phase, Over) else None
    known: Json = {"number": done.number, "dealer": ground.dealer, "players": list(ground.seats)}
    if over is None:
        return {**known, "status": "recording"}
    outcome: Any = over.outcome
    paid: dict[str, int] = {}
    for payout in outcome.payouts:
        paid[payout.player] = paid.get(payout.player, 0) + payout.amount
    card = getattr(outcome, "card", None)
    return {
        **known,
        "status": outcome.result,
        "winner": getattr(outcome, "winner", None),
        "back_rider": getattr(outcome, "back_rider", None),
        "card": card and card.code,
        "guri": getattr(outcome, "guri", None) if outcome.result == "won" and hasattr(outcome, "guri") else None,
        "reasons": list(getattr(outcome, "reasons", ())),
        "verdicts": [hand.verdict for hand in getattr(outcome, "hands", ())],
        "payouts": paid,
        "next_dealer": outcome.next_dealer,
    }


def expected(sheet: Sheet) -> Json:
    """The same of a sheet of the second reckoning."""
    names = ("number", "dealer", "players", "status", "winner", "back_rider", "card", "guri", "reasons", "verdicts")
    known = {name: getattr(sheet, name) for name in (*names, "payouts", "next_dealer")}
    if sheet.status == "recording":
        return {name: known[name] for name in names[:4]}
    return known
