"""Reads a session of a service that is newer than the client, and prints what it saw as JSON.

python look.py http://127.0.0.1:8000 SESSION TOKEN
"""

from __future__ import annotations

import json
import sys
from typing import Any, TypeVar

from fuda_client import AuthenticatedClient, models
from fuda_client.api.events import list_events
from fuda_client.api.rounds import list_entries, list_rounds, replay_round
from fuda_client.api.sessions import show_session
from fuda_client.types import Response, Unset

Answer = TypeVar("Answer")


def expected(kind: type[Answer], response: Response[Any]) -> Answer:
    """Narrow an answer to what was hoped for."""
    assert isinstance(response.parsed, kind), response
    return response.parsed


def look(address: str, session: str, token: str) -> dict[str, Any]:
    client = AuthenticatedClient(address, token)
    table = expected(models.Session, show_session.sync_detailed(session, client=client))
    events = expected(models.EventPage, list_events.sync_detailed(session, client=client)).events
    rounds = expected(models.RoundPage, list_rounds.sync_detailed(session, client=client)).rounds
    steps = expected(models.Replay, replay_round.sync_detailed(session, 1, client=client)).steps
    entries = expected(models.EntryPage, list_entries.sync_detailed(session, client=client)).entries
    assert table.round_ is not None
    outcomes = [each.outcome for each in rounds if each.outcome is not None]
    return {
        "game": table.game,
        "phase": table.round_.phase,
        "next": [each.type_ for each in table.round_.next_],
        "events": [[each.seq, each.type_, None if isinstance(each.card, Unset) else each.card] for each in events],
        "amended": [each.event.type_ for each in events if not isinstance(each.event, Unset)],
        "steps": [[each.event.type_, each.phase] for each in steps],
        "rounds": [[each.status, each.phase] for each in rounds],
        "outcomes": [[each.result, each.next_dealer, each.explanation.to_dict()["en"]] for each in outcomes],
        "reasons": sorted({each.reason for each in entries}),
    }


if __name__ == "__main__":
    print(json.dumps(look(*sys.argv[1:])))
