"""A scorekeeper: opens a session over HTTP, reports events, and looks at what the service answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

Json = dict[str, Any]

SEATS = {"shirinma": 12, "shippin": 5, "kakkuri": 7}


class Scorekeeper:
    """Speaks for one session at a time; `token` may be changed to speak as somebody else."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.session_id = ""
        self.token = ""

    def opens(self, game: str = "shirinma", **opening: Any) -> Json:
        """Open a session, by default with as few players as the game's table has, and keep its owner's token."""
        players = [f"Player {number}" for number in range(1, SEATS[game] + 1)]
        answer = self.client.post("/v1/sessions", json={"game": game, "players": players, **opening})
        assert answer.status_code == 201, answer.text
        body: Json = answer.get_json()
        self.session_id, self.token = body["session"]["id"], body["link"]["token"]
        return body

    @property
    def address(self) -> str:
        return f"/v1/sessions/{self.session_id}"

    def headers(self, **more: str) -> Mapping[str, str]:
        """The token as a header, and further headers, their names with underscores."""
        return {"Authorization": f"Bearer {self.token}"} | {name.replace("_", "-"): v for name, v in more.items()}

    def tries(self, *events: Json, query: str = "", **headers: str) -> TestResponse:
        """Report events in one request, whatever becomes of it."""
        return self.client.post(
            f"{self.address}/events{query}", json={"events": list(events)}, headers=self.headers(**headers)
        )

    def reports(self, *events: Json, **headers: str) -> Json:
        """Report events, each in a request of its own, and give the last answer."""
        body: Json = {}
        for event in events:
            answer = self.tries(event, **headers)
            assert answer.status_code == 201, answer.text
            body = answer.get_json()
        return body

    def is_refused(self, *events: Json, status: int = 409, code: str | None = None) -> Json:
        """Report events that are refused, make sure that nothing stays of them, and give the problem."""
        before = self.looks("")
        answer = self.tries(*events)
        problem: Json = answer.get_json()
        assert answer.status_code == status, answer.text
        assert answer.content_type == "application/problem+json"
        assert code is None or problem["code"] == code, problem
        assert self.looks("") == before
        return problem

    def looks(self, where: str, **headers: str) -> Json:
        """Read something of the session."""
        answer = self.client.get(self.address + where, headers=self.headers(**headers))
        assert answer.status_code == 200, answer.text
        body: Json = answer.get_json()
        return body

    def balances(self) -> dict[str, int]:
        """What every player has won or lost, in chips."""
        return {player["id"]: player["balance"] for player in self.looks("")["players"]}


def event(kind: str, **fields: Any) -> Json:
    """An event; a field that is a Python keyword is given with an underscore behind it."""
    return {"type": kind, **{name.rstrip("_"): value for name, value in fields.items()}}


def deals(cards: Sequence[str], seats: int = 12) -> list[Json]:
    """Cards dealt one after the other, from p1 on, counter-clockwise."""
    return [event("card_dealt", player=f"p{place % seats + 1}", card=card) for place, card in enumerate(cards)]
