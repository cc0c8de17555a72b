"""Plays the evening with the client that openapi-python-client made, and prints what it saw as JSON.

python play.py EVENING.json http://127.0.0.1:8000
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any, TypeVar

from fuda_client import AuthenticatedClient, models
from fuda_client.api.events import record_events
from fuda_client.api.exports import export_json, export_xlsx
from fuda_client.api.imports import import_session
from fuda_client.api.links import list_links, make_link
from fuda_client.api.reckonings import show_settlement
from fuda_client.api.rounds import list_entries, show_round
from fuda_client.api.sessions import open_session, show_session
from fuda_client.types import UNSET, File, Response, Unset

Answer = TypeVar("Answer")

ENTRIES_A_PAGE = 10


def expected(kind: type[Answer], response: Response[Any]) -> Answer:
    """Narrow an answer to what was hoped for."""
    assert isinstance(response.parsed, kind), response
    return response.parsed


def nobody(address: str) -> AuthenticatedClient:
    """A client without a token; the maker knows no call that may be made with or without one, as opening may."""
    return AuthenticatedClient(address, "none", auth_header_name="X-Nobody")


def client_of(address: str, link: models.Link) -> AuthenticatedClient:
    """A client with the token of a link that was just made."""
    assert not isinstance(link.token, Unset)
    return AuthenticatedClient(address, link.token)


def typed(event: dict[str, Any]) -> Any:
    """The client's own object for an event."""
    name = "".join(word.capitalize() for word in event["type"].split("_"))
    return getattr(models, name).from_dict(event)


def play(evening: dict[str, Any], address: str) -> dict[str, Any]:
    opening = models.NewSession.from_dict(evening["session"])
    opened = expected(models.Opened, open_session.sync_detailed(client=nobody(address), body=opening))
    owner = client_of(address, opened.link)
    session = opened.session.id
    new_link = models.NewLink.from_dict({"role": "scorer", "label": "the phone at the table"})
    link = expected(models.Link, make_link.sync_detailed(session, client=owner, body=new_link))
    scorer = client_of(address, link)

    def report(*events: dict[str, Any], prefer: str | Unset = UNSET) -> Any:
        body = models.Events([typed(event) for event in events])
        return record_events.sync_detailed(session, client=scorer, body=body, prefer=prefer)

    *before, last = evening["events"]
    recorded = expected(models.Recorded, report(*before[: evening["refused_after"]]))
    refused = expected(models.Problem, report(evening["refused"]))
    malformed = expected(models.Problem, report(evening["malformed"]))
    brief = expected(models.Recorded, report(*before[evening["refused_after"] :], prefer="return=minimal"))
    at_the_showdown = expected(models.Round, show_round.sync_detailed(session, 1, client=owner))
    ended = expected(models.Recorded, report(last))
    table = expected(models.Session, show_session.sync_detailed(session, client=owner))
    round_ = expected(models.Round, show_round.sync_detailed(session, 1, client=owner))
    won = round_.outcome
    assert won is not None
    assert not isinstance(won.winner, Unset)
    assert not isinstance(ended.ended, Unset)
    assert not isinstance(brief.seq, Unset)
    assert not isinstance(brief.rounds_ended, Unset)

    entries: list[models.Entry] = []
    more = True
    while more:
        after = entries[-1].id if entries else 0
        asked = list_entries.sync_detailed(session, client=owner, after=after, limit=ENTRIES_A_PAGE)
        page = expected(models.EntryPage, asked)
        entries += page.entries
        more = page.next_ is not None
    settlement = expected(models.Settlement, show_settlement.sync_detailed(session, client=owner))
    links = expected(models.LinkPage, list_links.sync_detailed(session, client=owner))
    workbook = expected(File, export_xlsx.sync_detailed(session, client=owner)).payload.read()
    file = expected(models.SessionFile, export_json.sync_detailed(session, client=owner))
    imported = expected(models.Opened, import_session.sync_detailed(client=nobody(address), body=file)).session
    return {
        "brief": [brief.seq, brief.rounds_ended, isinstance(brief.session, Unset), isinstance(brief.ended, Unset)],
        "xlsx": [session, owner.token, base64.b64encode(workbook).decode()],
        "imported": [imported.seq, {player.id: player.balance for player in imported.players}],
        "game": opened.session.game,
        "recorded": [event.to_dict()["type"] for event in recorded.events],
        "refused": [refused.status, refused.code, refused.at_least],
        "malformed": [malformed.status, [error.pointer for error in malformed.errors or []]],
        "pot_before_showdown": at_the_showdown.pot,
        "phase_before_showdown": at_the_showdown.phase,
        "rounds_ended": [each.number for each in ended.ended],
        "result": won.result,
        "winner": won.winner,
        "card": won.card,
        "back_rider": won.back_rider,
        "payouts": {payout.player: payout.amount for payout in won.payouts},
        "next_dealer": won.next_dealer,
        "explanation": won.explanation.to_dict()["en"],
        "pot": table.pot,
        "seq": table.seq,
        "balances": {player.id: player.balance for player in table.players},
        "entries": [[entry.from_, entry.to, entry.amount, entry.reason] for entry in entries],
        "payments": [[payment.from_, payment.to, payment.amount] for payment in settlement.payments],
        "links": [[one.role, one.label] for one in links.links],
    }


if __name__ == "__main__":
    print(json.dumps(play(json.loads(Path(sys.argv[1]).read_text("utf-8")), sys.argv[2])))
