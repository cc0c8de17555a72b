"""Six processes report to one session at once, in every way there is; the log that comes of it is one after the other.

What each was answered is held against a model that knows only the log, event by event in order: the seq and the ETag
that were told, the session as it stood then, and in the end the session as it stands. What was refused left nothing.
The model plays a round of Shippin, so that most of what is tried is refused for one reason or the other: it is somebody
else's turn, the column is taken, the table has moved on. In the end all send the same request with the same key.
"""

from __future__ import annotations

import json
import multiprocessing
import random
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from ledger.games import newest
from ledger.session.history import SessionState
from tests.crash.whole import whole
from tests.crash.witnesses import pages
from tests.properties.folding import opened, read
from tests.scorekeeper import Json, event
from tests.service import Client, Service

pytestmark = pytest.mark.endurance

PROCESSES = 6
REQUESTS = 120
"""Of each process; the first of them at the same moment."""

TOGETHER = event("chips_moved", from_="bank", to="p1", amount=1, note="from everybody")
KEY = "from everybody"
"""What all report in the end, and the key with which they do."""

OPENING: Json = {"game": "shippin", "players": ["Aki", "Ben", "Chie", "Dai", "Emi"]}
CARDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")

AS_RECORDED = ("type", "seq", "recorded_at", "recorded_by")
"""What of an event no correction changes."""


class Exchange(NamedTuple):
    """A request, and what came back; `key` and `if_match` as they were sent."""

    events: list[Json]
    key: str | None
    if_match: int | None
    dry_run: bool
    status: int
    etag: str | None
    replayed: bool
    body: Any


class Reporter:
    """One process: reports what it thinks it sees, having looked now and then."""

    def __init__(self, client: Client, number: int) -> None:
        self.client = client
        self.name = f"r{number}"
        self.chance = random.Random(number)
        self.numbers = count(1)
        self.seen = 0
        self.exchanges: list[Exchange] = []

    def works(self, requests: int) -> None:
        for _ in range(requests):
            events = self.something()
            if_match = self.chance.choice([None, None, self.seen])
            key = self.chance.choice([None, str(uuid4())])
            dry_run = self.chance.random() < 0.15
            self.sends(events, key, if_match, dry_run=dry_run)
            if key and not dry_run and self.chance.random() < 0.3:
                self.sends(events, key, if_match, dry_run=False)
            if self.chance.random() < 0.2:
                self.seen = self.client.looks()["seq"]

    def sends(self, events: list[Json], key: str | None, if_match: int | None, *, dry_run: bool) -> None:
        headers = {"Idempotency_Key": key} if key else {}
        headers |= {} if if_match is None else {"If_Match": f'"{if_match}"'}
        answer = self.client.tries(*events, query="?dry_run=true" if dry_run else "", **headers)
        replayed = answer.headers.get("Idempotency-Replayed") == "true"
        etag = answer.headers.get("ETag")
        self.exchanges.append(Exchange(events, key, if_match, dry_run, answer.status, etag, replayed, answer.body))
        if answer.status == 201:
            self.seen = answer.body["events"][-1]["seq"]

    def something(self) -> list[Json]:
        """Think of one or two events: what the table may see, and corrections of what it did."""
        return [self.one() for _ in range(self.chance.choice([1, 1, 2]))]

    def one(self) -> Json:
        chance, player = self.chance, f"p{self.chance.randint(1, 5)}"
        amount, seq = chance.randint(1, 500), chance.randint(1, max(1, self.seen))
        moved = event("chips_moved", from_="bank", to=player, amount=amount)
        made = chance.choice(
            [
                moved,
                event("chips_moved", from_=player, to="bank", amount=amount),
                event("round_opened"),
                event("bet_placed", player=player, column=chance.randint(1, 4)),
                event("bet_placed", player=player, column=chance.randint(1, 4)),
                event("second_cards_dealt", columns=chance.choices(CARDS, k=4), dealer=chance.choice(CARDS)),
                event("first_cards_revealed", columns=chance.choices(CARDS, k=4), dealer=chance.choice(CARDS)),
                event("round_voided", reason="nobody knows who sat where"),
                event("dealer_named", player=player),
                event("player_renamed", player=player, name=f"Name {amount}"),
                event("event_taken_back"),
                event("event_taken_back", seq=seq),
                event("event_amended", seq=seq, event=moved),
                event("event_inserted", after=seq, event=moved),
            ]
        )
        return made | {"note": f"{self.name} {next(self.numbers)}"}


def reports(port: int, owner: tuple[str, str], number: int, start: Any, place: Path) -> None:
    """What each process does; what it was answered it writes into a file."""
    client = Client(port, 60.0)
    client.session_id, client.token = owner
    reporter = Reporter(client, number)
    client.looks()
    start.wait()
    reporter.works(REQUESTS)
    start.wait()
    reporter.sends([TOGETHER], KEY, None, dry_run=False)
    place.write_text(json.dumps([exchange._asdict() for exchange in reporter.exchanges]), "utf-8")


def exchanges_of_six_processes(service: Service, owner: Client, folder: Path) -> list[Exchange]:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(PROCESSES, timeout=120)  # if one fails, the others end as well
    places = [folder / f"{number}.json" for number in range(PROCESSES)]
    processes = [
        context.Process(target=reports, args=(service.port, (owner.session_id, owner.token), number, start, place))
        for number, place in enumerate(places)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    return [Exchange(**told) for place in places for told in json.loads(place.read_text("utf-8"))]


def test_what_six_processes_report_at_once_is_a_log_in_one_order(tmp_path: Path, figures: Callable[..., None]) -> None:
    with Service(tmp_path / "ledger.db", workers=2) as service, service.client() as owner:
        opening = owner.asks("POST", "/v1/sessions", OPENING)
        owner.session_id, owner.token = opening.body["session"]["id"], opening.body["link"]["token"]
        exchanges = exchanges_of_six_processes(service, owner, tmp_path)
        log, final = list(pages(owner, "events")), owner.looks()
        assert owner.looks("/verify")["findings"] == []
        assert "Traceback" not in service.said
    assert len(whole(service.database, owner.session_id).rows) == len(log) == final["seq"]
    states = model(log)
    stands_as(final, states[-1])
    statuses = Counter[int]()
    recorded = Counter[str]()
    for exchange in exchanges:
        statuses[exchange.status] += 1
        recorded.update(is_explained(exchange, log, states))
    assert sorted(recorded) == sorted(told["note"] for told in log)
    assert set(statuses) <= {200, 201, 409, 412, 422, 503}
    assert {201, 409, 412} <= set(statuses)
    is_one_request([exchange for exchange in exchanges if exchange.key == KEY])
    figures(requests=len(exchanges), events=len(log), statuses=dict(sorted(statuses.items())))


def is_one_request(together: list[Exchange]) -> None:
    """Make sure that what all have sent with one key was recorded by one of them, and all were told the same."""
    assert [exchange.status for exchange in together] == [201] * PROCESSES
    assert sorted(exchange.replayed for exchange in together) == [False] + [True] * (PROCESSES - 1)
    assert all(exchange.body == together[0].body for exchange in together)


def model(log: list[Json]) -> list[SessionState]:
    """How the session stood after each event of the log, one after the other; first, how it was opened."""
    states = [opened(OPENING)]
    for told in log:
        states.append(states[-1].record(read(as_reported(told), "shippin"), newest("shippin").version).state)
    return states


def as_reported(told: Json) -> Json:
    """The event in a row of the log, as somebody reported it."""
    about = {"seq", "round", "recorded_at", "recorded_by", "recorded_by_label"}
    about |= {"status", "correction", "parts", "target"}
    event = {name: value for name, value in told.items() if name not in about}
    return event | ({"seq": told["target"]} if "target" in told else {})


def is_explained(exchange: Exchange, log: list[Json], states: list[SessionState]) -> list[str]:
    """Make sure that an answer fits the log; give the notes of the events that are there because of it."""
    notes = [event["note"] for event in exchange.events]
    there = [place for place, told in enumerate(log, 1) if told["note"] in notes]
    if exchange.status != 201:
        if exchange.status == 412:
            assert exchange.body["seq"] > (exchange.if_match or 0)
        return []
    seqs = [told["seq"] for told in exchange.body["events"]]
    assert there == seqs == list(range(seqs[0], seqs[0] + len(notes)))
    assert [told["note"] for told in exchange.body["events"]] == notes
    assert exchange.if_match is None or exchange.if_match == seqs[0] - 1
    for told in exchange.body["events"]:
        kept = log[told["seq"] - 1]
        assert [kept[name] for name in AS_RECORDED] == [told[name] for name in AS_RECORDED]
    if exchange.replayed:
        return []
    assert exchange.etag == f'"{seqs[-1]}"'
    stands_as(exchange.body["session"], states[seqs[-1]])
    return notes


def stands_as(session: Json, state: SessionState) -> None:
    """Make sure that a session is told as the model has it."""
    told = {player["id"]: player["balance"] for player in session["players"]}
    assert told == {player.id: state.balances.get(player.id, 0) for player in state.table.players}
    assert {player["id"]: player["name"] for player in session["players"]} == {
        player.id: player.name for player in state.table.players
    }
    assert (session["pot"], session["dealer"]) == (state.table.pot, state.table.seating.dealer)
    assert sum(told.values()) + session["pot"] + session["bank"] == 0
    assert session["status"] == state.table.status
