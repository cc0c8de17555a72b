"""Mixed traffic: phones that do everything there is to do at a service, one evening after the other.

A phone opens a session, reports what a simulated table plays, corrects it, looks at everything, takes the books home
and brings them back, follows the stream, makes links and revokes them, is refused in many ways, says what nobody in
their right mind would say, and deletes the session in the end: whoever does that for hours leaves nothing behind, and
the service holds what it held before.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from tests.reckoning.evenings import Evening, an_evening
from tests.scorekeeper import Json, event

GAMES = ("shirinma", "shippin", "kakkuri")
DECKS = ("mekurifuda", "western", "hanafuda", "kabufuda")
FILES = ("csv", "json", "xlsx", "journal", "beancount", "html", "txt")
PATIENCE = 120.0
"""How long a phone waits for an answer, in seconds; whoever waits longer waits for ever."""

REFUSED: Sequence[tuple[int, Json]] = [
    (409, event("chips_moved", from_="bank", to="p99", amount=1)),
    (409, event("event_taken_back", seq=10**6)),
    (409, event("turn_played", player="p99")),
    (422, event("chips_moved", from_="bank", to="p1", amount=10**400)),
    (422, event("poker")),
    (422, event("round_voided", reason="a\0b")),
]

HOSTILE: Sequence[bytes] = [
    b"\x16\x03\x01 this is no HTTP",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    b"GET /livez HTTP/1.1\r\nHost: loc",
    b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{",
    b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
    b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
]
"""What is said on a connection that is hung up afterwards."""

BODIES: Sequence[bytes] = [
    b"",
    b"[" * 100_000,
    b'{"players": [' + b'"x",' * 100_000 + b'"x"], "game": "shippin"}',
    b'{"game": "\\ud800", "players": 1e400}',
    b'{"game": NaN}',
    b"\xff\xfe",
    b"x" * 2_000_000,
]
"""Bodies that no call takes."""


def evenings(seed: int, count: int) -> list[Evening]:
    """Some evenings of all games, with mistakes that are taken back."""
    return [
        an_evening(random.Random(seed + each), GAMES[each % 3], corrections=True, max_rounds=2) for each in range(count)
    ]


class Phone:
    """Somebody's phone: one connection, and whom it speaks for. Not for several threads."""

    def __init__(self, port: int, calls: Counter[str], chance: random.Random) -> None:
        self.session = self.token = ""
        self.port = port
        self.statuses = Counter[int]()
        self._calls = calls
        self._chance = chance
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    # --- asking -----------------------------------------------------------------------------------------------------

    def asks(
        self,
        method: str,
        where: str,
        body: object = None,
        *,
        key: str | None = None,
        expects: Sequence[int] = (200, 201, 204),
        **headers: str,
    ) -> Any:
        """Send a request and give what was answered, JSON or bytes; anything but what is expected is wrong."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        sent |= {"Content-Type": "application/json"} if data is not None else {}
        sent |= {"Idempotency-Key": key} if key else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        while True:
            self._connection.request(method, where, data, sent)
            answer = self._connection.getresponse()
            text = answer.read()
            self.statuses[answer.status] += 1
            if answer.status != 503:
                break
        self._calls[f"{method} {where.partition('?')[0]}"] += 1
        assert answer.status in expects, (method, where, answer.status, text[:500])
        return json.loads(text) if text and "json" in (answer.headers["Content-Type"] or "") else text

    def says(self, said: bytes) -> None:
        """Say something on a connection of its own, listen for a moment, and hang up."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), PATIENCE) as stranger:
            stranger.sendall(said)
            stranger.settimeout(0.2)
            stranger.recv(1000)

    def hangs_up(self) -> None:
        self._connection.close()

    # --- an evening -------------------------------------------------------------------------------------------------

    def spends(self, evening: Evening, is_over: Callable[[], bool]) -> None:
        """Spend an evening, from opening a session to deleting it, and do other things in between, until it is over."""
        opening = {**evening.opening, "odds": self._chance.choice([True, False])}
        opened = self.asks("POST", "/v1/sessions", opening, key=self.perhaps_a_key())
        self.session, self.token = f"/v1/sessions/{opened['session']['id']}", opened["link"]["token"]
        deeds: list[Callable[[], None]] = [self.looks, self.is_refused, self.shares, self.goes_wrong, self.follows]
        left = list(evening.events)
        while left and not is_over():
            count = self._chance.randint(1, 30)
            portion, left = left[:count], left[count:]
            self.asks("POST", f"{self.session}/events?dry_run=true", {"events": portion}, expects=(200, 409))
            self.asks(
                "POST", f"{self.session}/events", {"events": portion}, expects=(201, 409), key=self.perhaps_a_key()
            )
            self._chance.choice(deeds)()
        for deed in [self.corrects, self.takes_home_and_brings_back, self.asks_without_a_token, *deeds]:
            if not is_over():
                deed()
        self.asks("DELETE", f"{self.session}?confirm={self.session.rpartition('/')[2]}")
        self.asks("GET", self.session, expects=(401, 404))
        self.token = ""

    def perhaps_a_key(self) -> str | None:
        return self._chance.choice([None, str(uuid4())])

    def corrects(self) -> None:
        moved = event("chips_moved", from_="bank", to="p1", amount=self._chance.randint(1, 99))
        where, expects = f"{self.session}/events", (201, 409)
        self.asks("POST", where, {"events": [event("session_reopened")]}, expects=expects)
        told = self.asks("POST", where, {"events": [moved] * 3}, expects=expects)
        if "events" not in told:
            return
        first, second, third = (stored["seq"] for stored in told["events"])
        for correction in [
            event("event_amended", seq=first, event={**moved, "amount": 5}),
            event("event_taken_back", seq=second),
            event("event_inserted", after=third, event=moved),
            event("event_taken_back"),
            event("corrections_made", corrections=[event("event_taken_back", seq=third)]),
            event("player_renamed", player="p1", name="Zoe"),
            event("player_erased", player="p1"),
        ]:
            self.asks("POST", where, {"events": [correction]})
        self.asks("GET", f"{self.session}/events/{third + 1}/changes")

    def looks(self) -> None:
        """Look at everything, and once more at what has not changed."""
        seq = self.asks("GET", self.session)["seq"]
        for where in ("", "/events", "/rounds", "/ledger", "/settlement", "/statistics", "/chart.svg", "/links"):
            self.asks("GET", f"{self.session}{where}", expects=(200, 409))
            self.asks("HEAD", f"{self.session}{where}", expects=(200, 409))
            self.asks("OPTIONS", f"{self.session}{where}")
        self.asks("GET", self.session, expects=(304,), If_None_Match=f'"{seq}"')
        self.asks("GET", f"{self.session}?at={self._chance.randint(0, seq)}")
        for where in ("/links/me", "/verify", "/events?limit=3&after=1", "/ledger?account=p1&limit=3"):
            self.asks("GET", f"{self.session}{where}")
        for where in ("/odds", "/odds?round=1", "/rounds/1"):
            self.asks("GET", f"{self.session}{where}", expects=(200, 404))
        self.asks("GET", f"{self.session}/rounds/1/replay", expects=(200, 404, 409))
        self.asks("POST", f"{self.session}/rounds/1/recalculate", {"rules": {}}, expects=(200, 404, 409, 422))
        self.asks("POST", "/v1/statistics", {"tokens": [self.token]})

    def takes_home_and_brings_back(self) -> None:
        for form in FILES:
            file = self.asks("GET", f"{self.session}/export.{form}", Accept_Encoding="gzip" if form == "csv" else "")
            if form == "json":
                book = file
        brought = self.asks("POST", "/v1/sessions/import", book, expects=(201, 422))
        if "session" in brought:
            other = brought["session"]["id"]
            mine, self.token = self.token, brought["link"]["token"]
            self.asks("DELETE", f"/v1/sessions/{other}?confirm={other}")
            self.token = mine

    def shares(self) -> None:
        """Make a link of each role, use it, and revoke it."""
        for role in ("owner", "scorer", "viewer"):
            link = self.asks("POST", f"{self.session}/links", {"role": role}, key=self.perhaps_a_key())
            mine, self.token = self.token, link["token"]
            self.asks("GET", f"{self.session}/links/me")
            self.token = mine
            self.asks("DELETE", f"{self.session}/links/{link['id']}")

    def follows(self) -> None:
        """Follow the stream, and hang up in the middle of it."""
        listener = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        listener.request("GET", f"{self.session}/stream", headers={"Authorization": f"Bearer {self.token}"})
        self._calls[f"GET {self.session}/stream"] += 1
        stream = listener.getresponse()
        if stream.status == 200:
            stream.readline()
        stream.close()
        listener.close()

    def is_refused(self) -> None:
        for status, report in REFUSED:
            self.asks("POST", f"{self.session}/events", {"events": [report]}, expects=(status,))
        stale = event("chips_moved", from_="bank", to="p1", amount=1)
        self.asks("POST", f"{self.session}/events", {"events": [stale]}, expects=(412,), If_Match='"1000000"')
        self.asks("GET", f"{self.session}?page=2", expects=(422,))
        self.asks("GET", "/v1/sessions/0123456789abcdef", expects=(401, 404))

    def goes_wrong(self) -> None:
        """Say what nobody in their right mind would say."""
        self.says(self._chance.choice(HOSTILE))
        for body in BODIES:
            where = self._chance.choice(["/v1/sessions", "/v1/calculate/shippin", f"{self.session}/events"])
            self.asks("POST", where, body, expects=(400, 413, 422))
        self.asks("POST", "/v1/sessions/import", b"name,balance\nAki\n", expects=(422,), Content_Type="text/csv")

    def asks_without_a_token(self) -> None:
        mine, self.token = self.token, ""
        self.asks("GET", self.session, expects=(401,))
        for game in GAMES:
            self.asks("GET", f"/v1/games/{game}")
        for deck in DECKS:
            self.asks("GET", f"/v1/decks/{deck}")
        described = self.asks("GET", "/openapi.json")["paths"]
        for where in [path for path, methods in described.items() if "get" in methods and "{" not in path]:
            self.asks("GET", where)
        self.asks("GET", "/docs/")
        round_ = {"players": ["Aki", "Ben"], "events": [event("bet_placed", player="p2", column=1)]}
        self.asks("POST", "/v1/calculate/shippin", round_)
        self.token = mine


@contextmanager
def phone(port: int, calls: Counter[str], chance: random.Random) -> Iterator[Phone]:
    one = Phone(port, calls, chance)
    try:
        yield one
    finally:
        one.hangs_up()


def never_called(calls: Counter[str], description: Json) -> list[str]:
    """Say which calls of a description nobody has made."""
    patterns = {
        f"{method.upper()} {path}": re.compile(f"{method.upper()} " + re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))
        for path, methods in description["paths"].items()
        for method in methods
        if method != "parameters"
    }
    return [call for call, pattern in patterns.items() if not any(map(pattern.fullmatch, calls))]
