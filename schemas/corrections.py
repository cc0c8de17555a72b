"""What a correction changes, as JSON: rounds, players' balances, entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import Schema, fields

from ledger.books import Entry
from ledger.history import SessionState
from ledger.play import Over
from ledger.session import Round
from schemas.records import PlainRecordSchema
from schemas.sessions import EntrySchema, dump_entry, dump_record


class RoundStandSchema(Schema):
    """How a round stands, in short. `pot` is in chips."""

    status = fields.String(required=True)
    dealer = fields.String(required=True)
    pot = fields.Integer(required=True)
    outcome = fields.Dict(keys=fields.String(), allow_none=True, required=True)


class RoundChangeSchema(Schema):
    """A round before and after; null where there is no such round."""

    round = fields.Integer(required=True)
    before = fields.Nested(RoundStandSchema, allow_none=True, required=True)
    after = fields.Nested(RoundStandSchema, allow_none=True, required=True)


class BalanceChangeSchema(Schema):
    """A player's balance before and after, in chips."""

    player = fields.String(required=True)
    before = fields.Integer(required=True)
    after = fields.Integer(required=True)


class EntryChangesSchema(Schema):
    """The entries that are reversed, as they stood, and those that are added in their place."""

    reversed = fields.List(fields.Integer(), required=True)
    added = fields.List(fields.Nested(EntrySchema), required=True)


class ChangesSchema(Schema):
    """What an event changes that was recorded before it: rounds that differ, every player's balance, entries."""

    rounds = fields.List(fields.Nested(RoundChangeSchema), required=True)
    players = fields.List(fields.Nested(BalanceChangeSchema), required=True)
    entries = fields.Nested(EntryChangesSchema, required=True)


def dump_changes(before: SessionState, after: SessionState, entries: Sequence[Entry]) -> dict[str, Any]:
    """Give what lies between two stands of a session, and the entries that lead from one to the other."""
    old, new = by_number(before.rounds()), by_number(after.rounds())
    touched = [number for number in sorted({*old, *new}) if old.get(number) is not new.get(number)]
    rounds = [(number, stand(old.get(number)), stand(new.get(number))) for number in touched]
    return {
        "rounds": [{"round": number, "before": was, "after": now} for number, was, now in rounds if was != now],
        "players": [
            {
                "player": player.id,
                "before": before.balances.get(player.id, 0),
                "after": after.balances.get(player.id, 0),
            }
            for player in {player.id: player for player in (*before.table.players, *after.table.players)}.values()
        ],
        "entries": {
            "reversed": [entry.reverses for entry in entries if entry.reverses is not None],
            "added": [dump_entry(entry) for entry in entries if entry.reverses is None],
        },
    }


def by_number(rounds: Sequence[Round]) -> Mapping[int, Round]:
    """Give rounds by their numbers. Those that nothing was worked out of again are the same objects as before."""
    return {done.number: done for done in rounds}


def stand(done: Round | None) -> dict[str, Any] | None:
    """Give how a round stands, in short; None if there is none."""
    if done is None:
        return None
    outcome = done.phase.outcome if isinstance(done.phase, Over) else None
    return {
        "status": outcome.result if outcome else "recording",
        "dealer": done.ground.dealer,
        "pot": done.phase.pot,
        "outcome": outcome and dump_record(outcome, PlainRecordSchema),
    }
