"""Witnesses: clients that keep a service busy, whatever happens to it, and remember what they were answered.

Each event that a witness reports has a number of its own in its note, so that in the log it is known by that. What was
acknowledged has to be there once, at the seq that was answered; a request without an answer at most once, and then as a
whole. `Losses` counts where it is otherwise.

    witnesses = [Witness(owner, numbers, chance) for ...]
    with at_work(service, witnesses):
        ...                     # kill, stop, reload
    losses = losses_of(service, witnesses)
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any, NamedTuple, NewType
from uuid import uuid4

from ledger.storage.address import open_store
from tests.crash.whole import whole
from tests.databases import Where
from tests.scorekeeper import Json, event
from tests.service import Answered, Client, Service
from tests.waiting import eventually

Number = NewType("Number", str)
"""What an event is known by: its note."""

PATIENCE = 60.0
"""How long a witness waits for an answer, in seconds; whoever waits longer waits for ever."""


@dataclass
class Losses:
    """What became of the requests: how many were acknowledged or not, and what is wrong, which has to be nothing.

    `kept_unanswered` are events that were recorded though nobody was told so, as may happen when an answer is lost.
    """

    acknowledged: int = 0
    unanswered: int = 0
    kept_unanswered: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, what: str, about: object) -> None:
        self.wrong[what] += 1
        self.examples.append(f"{what}: {about}")

    def __add__(self, other: Losses) -> Losses:
        return Losses(
            self.acknowledged + other.acknowledged,
            self.unanswered + other.unanswered,
            self.kept_unanswered + other.kept_unanswered,
            self.wrong + other.wrong,
            self.examples + other.examples,
        )

    @property
    def figures(self) -> Json:
        return {
            "acknowledged": self.acknowledged,
            "unanswered": self.unanswered,
            "of these kept": self.kept_unanswered,
            "lost, doubled, torn, moved or strange": self.wrong.total(),
        }


class Report(NamedTuple):
    """Events that are sent in one request, and perhaps a key."""

    events: list[Json]
    key: str | None

    @property
    def numbers(self) -> list[Number]:
        return [Number(event["note"]) for event in self.events]


class Creation(NamedTuple):
    """A request that makes a session or a link, called by a name of its own, and perhaps a key."""

    where: str
    name: str
    body: Json
    key: str | None


@dataclass
class Tally:
    """How the requests of a witness went: answered, or not; repeats that were not answered either; the longest wait."""

    answered: int = 0
    refused_connections: int = 0
    broken: int = 0
    broken_repeats: int = 0
    seconds_waited: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)


class Witness:
    """Somebody who reports to a session, corrects what they reported, makes links, and opens sessions of their own."""

    def __init__(self, owner: Client, numbers: Iterator[int], chance: random.Random) -> None:
        self.owner = owner
        self.tally = Tally()
        self.acknowledged: dict[Number, int] = {}
        self.unanswered: list[Report] = []
        self.links: dict[str, str] = {}
        self.opened: dict[str, tuple[str, str]] = {}
        self.forgotten: dict[str, tuple[str, str]] = {}
        self.deleted: list[str] = []
        self.to_repeat: list[Creation] = []
        self.never_answered: list[Creation] = []
        self.perhaps_deleted: list[str] = []
        self._numbers = numbers
        self._chance = chance
        self._correctable: list[int] = []

    # --- at work ----------------------------------------------------------------------------------------------------

    def works_until(self, is_over: Event, service: Service) -> None:
        """Do one thing after the other, on a new connection each time the last one broke.

        What was not answered and has a key is sent again at once.
        """
        port = service.port
        while not is_over.is_set():
            client = Client(port, PATIENCE)
            try:
                self.repeats(client)
                while not is_over.is_set():
                    self.does_something(client)
            except ConnectionRefusedError:
                self.tally.refused_connections += 1
                is_over.wait(0.05)
            except OSError:
                self.tally.broken += 1
            finally:
                client.hangs_up()

    def repeats(self, client: Client) -> None:
        """Send again what has a key and was not answered. Raises OSError if one is not answered again."""
        client.speaks_for(self.owner)
        try:
            for report in [report for report in self.unanswered if report.key]:
                self.sends(client, report)
                self.unanswered.remove(report)
            for creation in list(self.to_repeat):
                self.creates(client, creation)
                self.to_repeat.remove(creation)
        except ConnectionRefusedError:
            raise
        except OSError:
            self.tally.broken_repeats += 1
            raise

    def does_something(self, client: Client) -> None:
        """Send a request of some kind. Raises OSError if it is not answered."""
        deeds: list[Callable[[Client], None]] = [self.reports, self.corrects, self.makes_a_link, self.opens_and_goes_on]
        self._chance.choices(deeds, weights=[12, 5, 2, 1])[0](client)

    def number(self) -> Number:
        return Number(f"n{next(self._numbers)}")

    def perhaps_a_key(self) -> str | None:
        return self._chance.choice([None, str(uuid4())])

    def reports(self, client: Client) -> None:
        moved = [self.moved() for _ in range(self._chance.choice([1, 1, 3, 20]))]
        self.sends(client, Report(moved, self.perhaps_a_key()))
        self._correctable += [self.acknowledged[Number(each["note"])] for each in moved]

    def moved(self) -> Json:
        return event("chips_moved", from_="bank", to="p1", amount=self._chance.randint(1, 99), note=self.number())

    def corrects(self, client: Client) -> None:
        """Correct, take back or put before it what was reported: one event, or two together."""
        chosen = [self._correctable.pop(self._chance.randrange(len(self._correctable))) for _ in self._correctable[:2]]
        parts = [self.correction_of(seq) for seq in chosen]
        if len(parts) == 2 and self._chance.random() < 0.5:
            together = [{name: value for name, value in part.items() if name != "note"} for part in parts]
            parts = [event("corrections_made", corrections=together, note=self.number())]
        if parts:
            self.sends(client, Report(parts, self.perhaps_a_key()))

    def correction_of(self, seq: int) -> Json:
        number = self.number()
        instead = event("chips_moved", from_="bank", to="p2", amount=self._chance.randint(1, 99), note=number)
        return self._chance.choice(
            [
                event("event_taken_back", seq=seq, note=number),
                event("event_amended", seq=seq, event=instead, note=number),
                event("event_inserted", after=seq, event=instead, note=number),
            ]
        )

    def sends(self, client: Client, report: Report) -> None:
        """Send a report, and note what was answered. Raises OSError."""
        headers = {"Idempotency_Key": report.key} if report.key else {}
        try:
            answer = self.asks(client, "POST", f"{client.address}/events", {"events": report.events}, **headers)
        except ConnectionRefusedError:
            raise  # nothing was sent
        except OSError:
            if report not in self.unanswered:
                self.unanswered.append(report)
            raise
        assert answer.status == 201, answer
        for number, told in zip(report.numbers, answer.body["events"], strict=True):
            assert told["note"] == number
            assert self.acknowledged.setdefault(number, told["seq"]) == told["seq"]

    def asks(self, client: Client, method: str, where: str, body: object = None, **headers: str) -> Answered:
        """Send anything. A service that has no time, or stops, is asked again. Raises OSError."""
        while True:
            begun = time.monotonic()
            answer = client.asks(method, where, body, **headers)
            self.tally.answered += 1
            self.tally.seconds_waited = max(self.tally.seconds_waited, time.monotonic() - begun)
            self.tally.statuses[answer.status] += 1
            if answer.status != 503:
                return answer

    # --- links and sessions of one's own ----------------------------------------------------------------------------

    def makes_a_link(self, client: Client) -> None:
        name = f"link {self.number()}"
        body = {"role": self._chance.choice(["scorer", "viewer"]), "label": name}
        self.creates(client, Creation(f"{client.address}/links", name, body, self.perhaps_a_key()))

    def opens_and_goes_on(self, client: Client) -> None:
        """Open a session; then perhaps forget a person of it, or delete it."""
        name, person = f"session {self.number()}", f"Person {self.number()}"
        body = {"game": "shippin", "name": name, "players": [person, "Ben"]}
        self.creates(client, Creation("/v1/sessions", name, body, self.perhaps_a_key()))
        session_id, token = self.opened[name]
        other = Client(client.port, PATIENCE)
        other.session_id, other.token = session_id, token
        try:
            self._chance.choice([self.deletes, self.forgets, self.leaves])(other, name, person)
        finally:
            other.hangs_up()

    def leaves(self, _client: Client, _name: str, _person: str) -> None:
        """Do nothing more with it."""

    def forgets(self, client: Client, name: str, person: str) -> None:
        where = f"{client.address}/events"
        answer = self.asks(client, "POST", where, {"events": [event("player_erased", player="p1")]})
        assert answer.status == 201, answer
        self.forgotten[name] = (client.session_id, person)

    def deletes(self, client: Client, name: str, _person: str) -> None:
        del self.opened[name]
        self.perhaps_deleted.append(client.session_id)
        answer = self.asks(client, "DELETE", f"{client.address}?confirm={client.session_id}")
        assert answer.status == 204, answer
        self.perhaps_deleted.remove(client.session_id)
        self.deleted.append(client.session_id)

    def creates(self, client: Client, creation: Creation) -> None:
        """Have a session or a link made. Raises OSError."""
        headers = {"Idempotency_Key": creation.key} if creation.key else {}
        try:
            answer = self.asks(client, "POST", creation.where, creation.body, **headers)
        except ConnectionRefusedError:
            raise
        except OSError:
            if creation not in self.to_repeat:
                (self.to_repeat if creation.key else self.never_answered).append(creation)
            raise
        if answer.status == 409:  # a session has its fill of links after a while, and then none is made
            assert answer.body["code"] == "too_many_links"
            return
        assert answer.status == 201, answer
        if creation.where == "/v1/sessions":
            self.opened[creation.name] = (answer.body["session"]["id"], answer.body["link"]["token"])
        else:
            self.links[creation.name] = answer.body["id"]


@contextmanager
def at_work(service: Service, witnesses: Sequence[Witness]) -> Iterator[None]:
    """Keep witnesses at work meanwhile. What one of them finds wrong is raised afterwards."""
    is_over, wrong = Event(), list[Exception]()

    def works(witness: Witness) -> None:
        try:
            witness.works_until(is_over, service)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is raised where the test is
            wrong.append(error)

    threads = [Thread(target=works, args=[witness]) for witness in witnesses]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join(2 * PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    if wrong:
        raise wrong[0]


def all_repeated(service: Service, witnesses: Sequence[Witness]) -> None:
    """Send again whatever has a key and was not answered: now it is."""
    for witness in witnesses:
        with service.client() as client:
            witness.repeats(client)


def so_much_is_answered(witnesses: Sequence[Witness], count: int) -> None:
    """Wait until witnesses at work have been answered so often from now on: a busy machine takes its time."""

    def answered() -> int:
        return sum(witness.tally.answered for witness in witnesses)

    begun = answered()
    eventually(lambda: answered() >= begun + count, 5 * PATIENCE)


# --- afterwards -----------------------------------------------------------------------------------------------------


def losses_of(service: Service, witnesses: Sequence[Witness]) -> Losses:
    """Count what was lost, doubled, torn, moved or made up, as a running service tells it."""
    losses = Losses()
    with service.client() as client:
        for session_id in {witness.owner.session_id: None for witness in witnesses}:
            there = [witness for witness in witnesses if witness.owner.session_id == session_id]
            client.speaks_for(there[0].owner)
            log_is_as_told(client, there, losses)
            links_are_as_told(client, there, losses)
        sessions_are_as_told(client, service.database, witnesses, losses)
    return losses


def log_is_as_told(client: Client, witnesses: Sequence[Witness], losses: Losses) -> None:
    """Hold one session's log against what its witnesses know."""
    log = [Number(told["note"]) for told in pages(client, "events")]
    places = {number: place for place, number in enumerate(log, 1)}
    for number, count in Counter(log).items():
        if count > 1:
            losses.add("doubled", number)
    known = set[Number]()
    for witness in witnesses:
        losses.acknowledged += len(witness.acknowledged)
        losses.unanswered += sum(len(report.events) for report in witness.unanswered)
        known |= witness.acknowledged.keys()
        for number, seq in witness.acknowledged.items():
            if places.get(number) != seq:
                losses.add("moved" if number in places else "lost", (number, seq, places.get(number)))
        for report in witness.unanswered:
            known |= set(report.numbers)
            there = [places[number] for number in report.numbers if number in places]
            losses.kept_unanswered += len(there)
            if there and there != list(range(there[0], there[0] + len(report.numbers))):
                losses.add("torn", (report.numbers, there))
    for number in set(log) - known:
        losses.add("strange", number)
    if found := client.looks("/verify")["findings"]:
        losses.add("not whole", found)


def links_are_as_told(client: Client, witnesses: Sequence[Witness], losses: Losses) -> None:
    labels = Counter[str]()
    ids = set[str]()
    for link in pages(client, "links"):
        labels[link["label"] or ""] += 1
        ids.add(link["id"])
    known = {""}
    for witness in witnesses:
        losses.acknowledged += len(witness.links)
        known |= witness.links.keys() | {each.name for each in (*witness.never_answered, *witness.to_repeat)}
        for name, link in witness.links.items():
            if link not in ids or labels[name] != 1:
                losses.add("a link lost or doubled", (name, labels[name]))
    for label, count in labels.items():
        if label and (count > 1 or label not in known):
            losses.add("a link doubled or strange", label)


def sessions_are_as_told(client: Client, database: Where, witnesses: Sequence[Witness], losses: Losses) -> None:
    """Hold the sessions that were opened, deleted, or had a person forgotten, against what was answered."""
    store = open_store(database)
    there = set(store.session_ids())
    perhaps = {session_id for witness in witnesses for session_id in witness.perhaps_deleted}
    names = Counter[str]()
    for witness in witnesses:
        losses.acknowledged += len(witness.opened) + len(witness.deleted)
        for name, (session_id, token) in witness.opened.items():
            client.session_id, client.token = session_id, token
            if session_id not in there:
                losses.add("a session lost", name)
                continue
            told = client.looks()
            names[told["name"]] += 1
            if told["name"] != name or client.looks("/verify")["findings"]:
                losses.add("a session changed", name)
            if name in witness.forgotten and witness.forgotten[name][1] in str((told, client.looks("/events"))):
                losses.add("somebody remembered", name)
        for session_id in witness.deleted:
            if session_id in there:
                losses.add("a session not deleted", session_id)
    for session_id in perhaps & there:
        whole(database, session_id)
    unanswered = [each for witness in witnesses for each in (*witness.never_answered, *witness.to_repeat)]
    known = sum(names.values()) + len({witness.owner.session_id for witness in witnesses}) + len(perhaps)
    if len(there) > known + sum(creation.where == "/v1/sessions" for creation in unanswered):
        losses.add("sessions that nobody opened", len(there) - known)
    store.engine.close()


def pages(client: Client, noun: str) -> Iterator[Any]:
    """Everything in a list, page by page."""
    page = client.looks(f"/{noun}?limit=500")
    yield from page[noun]
    while page["next"]:
        page = client.asks("GET", page["next"]).body
        yield from page[noun]
