"""`played_on`: the day of a round, or of a session, that is recorded afterwards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from tests.scorekeeper import Json, Scorekeeper, event

DAY = "2026-11-20"


def entered(day: str | None) -> Json:
    return event("round_entered", payments={"p1": 8}, payouts={"p2": 8}, **({"played_on": day} if day else {}))


def in_days(days: int) -> str:
    return f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%d}"


def test_a_round_has_its_day_and_it_is_corrected_like_anything_else(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    body = scorekeeper.reports(entered(DAY))
    assert body["events"][0]["played_on"] == body["ended"][0]["played_on"] == DAY
    amended = event("event_amended", seq=1, event=entered("2026-11-19"))
    (changed,) = scorekeeper.reports(amended)["changes"]["rounds"]
    assert [changed[when]["played_on"] for when in ("before", "after")] == [DAY, "2026-11-19"]
    assert scorekeeper.looks("/rounds/1")["played_on"] == "2026-11-19"
    assert len(scorekeeper.looks("/ledger")["entries"]) == 2
    assert scorekeeper.looks("/verify")["ok"]


def test_a_session_has_a_day_and_both_come_back_from_its_files(scorekeeper: Scorekeeper) -> None:
    assert scorekeeper.opens("shippin", played_on=DAY)["session"]["played_on"] == DAY
    scorekeeper.reports(entered(None), entered("2026-11-18"), event("session_described", played_on="2026-11-21"))
    text = scorekeeper.client.get(f"{scorekeeper.address}/export.txt", headers=scorekeeper.headers()).text
    lines = text.splitlines()
    assert f"played_on {DAY}" in lines
    assert "totals p1=8 / p2=8 pot=0 played_on 2026-11-18" in lines
    for sent in ({"json": scorekeeper.looks("/export.json")}, {"data": text.encode(), "content_type": "text/plain"}):
        answer = scorekeeper.client.post("/v1/sessions/import", **sent)
        assert answer.status_code == 201, answer.text
        body = answer.get_json()
        again = Scorekeeper(scorekeeper.client)
        again.session_id, again.token = body["session"]["id"], body["link"]["token"]
        assert again.looks("")["played_on"] == "2026-11-21"
        assert [done.get("played_on") for done in again.looks("/rounds")["rounds"]] == [None, "2026-11-18"]


def test_a_chart_carries_the_days(scorekeeper: Scorekeeper) -> None:
    def chart(language: str) -> str:
        address = f"{scorekeeper.address}/chart.svg?lang={language}"
        return scorekeeper.client.get(address, headers=scorekeeper.headers()).text

    scorekeeper.opens("shippin")
    scorekeeper.reports(entered(None))
    assert "Won after each round</title>" in chart("en")
    scorekeeper.reports(entered(DAY))
    assert "Won after each round · November 20, 2026</title>" in chart("en")
    scorekeeper.reports(entered("2026-11-21"))
    assert "2026年11月20日〜2026年11月21日</title>" in chart("ja")


def test_the_next_evening_is_on_another_day(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", played_on=DAY)
    opened = {"continues": scorekeeper.token}
    assert scorekeeper.client.post("/v1/sessions", json=opened).get_json()["session"]["played_on"] is None
    answer = scorekeeper.client.post("/v1/sessions", json={**opened, "played_on": "2026-11-21"})
    assert answer.get_json()["session"]["played_on"] == "2026-11-21"


SAID: dict[str, Callable[[str], Json]] = {
    "played_on": entered,
    "event/played_on": lambda day: event("event_amended", seq=1, event=entered(day)),
    "corrections/0/event/played_on": lambda day: event(
        "corrections_made", corrections=[event("event_inserted", after=0, event=entered(day))]
    ),
}


@pytest.mark.parametrize("place", SAID)
def test_a_day_has_begun_somewhere(scorekeeper: Scorekeeper, place: str) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(entered(DAY))
    problem = scorekeeper.is_refused(SAID[place](in_days(3)), status=422)
    assert [error["pointer"] for error in problem["errors"]] == [f"/events/0/{place}"]
    scorekeeper.reports(SAID[place](in_days(1)), event("session_described", played_on=in_days(1)))
    scorekeeper.is_refused(event("session_described", played_on=in_days(3)), status=422)


@pytest.mark.parametrize(
    "day", ["2026-02-30", "20.11.2026", "2026-11-20T09:00:00Z", "1066-10-14", 20261120, "２０２６-11-20"]
)
def test_a_day_is_one_of_the_calendar(scorekeeper: Scorekeeper, day: object) -> None:
    scorekeeper.opens("shippin")
    problem = scorekeeper.is_refused(entered(day), status=422)  # type: ignore[arg-type]
    assert [error["pointer"] for error in problem["errors"]] == ["/events/0/played_on"]
    opening = {"game": "shippin", "players": ["Aki", "Ben"], "played_on": day}
    problem = scorekeeper.client.post("/v1/sessions", json=opening).get_json()
    assert [error["pointer"] for error in problem["errors"]] == ["/played_on"]


def test_an_evening_that_has_not_been_is_not_opened(scorekeeper: Scorekeeper) -> None:
    opening = {"game": "shippin", "players": ["Aki", "Ben"], "played_on": in_days(3)}
    problem = scorekeeper.client.post("/v1/sessions", json=opening).get_json()
    assert [error["pointer"] for error in problem["errors"]] == ["/played_on"]
