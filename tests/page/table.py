"""The table behind a page: a session over HTTP, for what a test wants to have happened and to hold the page to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.scorekeeper import Json
from tests.service import Answered, Service

NAMES = (
    *("Aki", "Ben", "Chie", "Daisuke", "Emi", "Fumio", "Goro", "Haruka", "Ichiro", "Junko", "Kenji", "Masako"),
    *("Naoki", "Obata", "Poppi", "Rei", "Sachiko", "Taro", "Umeko", "Wataru", "Yasuo", "Zenji", "Akiko"),
)


class Table:
    """Somebody else who knows the session; `token` may be changed to speak as another."""

    def __init__(self, service: Service, session_id: str, token: str) -> None:
        self._service = service
        self.id = session_id
        self.token = token

    @classmethod
    def opened(cls, service: Service, game: str, players: int | Sequence[Json | str], **opening: Any) -> Table:
        """Open a session with so many people, or these."""
        names = list(NAMES[:players]) if isinstance(players, int) else list(players)
        with service.client() as client:
            answer = client.asks("POST", "/v1/sessions", {"game": game, "players": names, **opening})
        assert answer.status == 201, answer
        return cls(service, answer.body["session"]["id"], answer.body["link"]["token"])

    def asks(self, method: str, where: str, body: object = None, **headers: str) -> Answered:
        """Send one request about the session."""
        with self._service.client() as client:
            client.token = self.token
            return client.asks(method, f"/v1/sessions/{self.id}{where}", body, **headers)

    def looks(self, where: str = "") -> Any:
        answer = self.asks("GET", where)
        assert answer.status == 200, answer
        return answer.body

    def reports(self, *events: Json) -> Any:
        """Report events in one request."""
        answer = self.asks("POST", "/events", {"events": events})
        assert answer.status == 201, answer
        return answer.body

    def link(self, role: str, **more: Any) -> Any:
        """Make a link; its token is in it."""
        answer = self.asks("POST", "/links", {"role": role, **more})
        assert answer.status == 201, answer
        return answer.body

    @property
    def seq(self) -> int:
        return int(self.looks()["seq"])

    @property
    def log(self) -> list[Json]:
        """All that was recorded, oldest first."""
        return [event for page in self._pages("/events?limit=500", "events") for event in page]

    def _pages(self, where: str, name: str) -> list[Any]:
        pages, after = [], where
        while after:
            told = self.looks(after)
            pages.append(told[name])
            after = (told["next"] or "").removeprefix(f"/v1/sessions/{self.id}")
        return pages

    def balances(self) -> dict[str, int]:
        return {player["id"]: player["balance"] for player in self.looks()["players"]}

    def newest_round(self) -> Json:
        rounds = self.looks("/rounds?limit=500")["rounds"]
        return rounds[-1] if rounds else {}
