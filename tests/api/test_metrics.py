"""`/metrics`: what is counted, as Prometheus reads it, with nothing of any one session."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from tests.databases import is_sqlite
from tests.scorekeeper import Scorekeeper, event

SECRET = "Aki-and-the-token"

Metrics = dict[tuple[str, frozenset[tuple[str, str]]], float]


def metrics(client: FlaskClient) -> Metrics:
    """Read `/metrics`, as Prometheus does."""
    answer = client.get("/metrics")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert answer.content_type.startswith("text/plain; version=")
    return {
        (sample.name.removeprefix("fuda_ledger_"), frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


@pytest.fixture
def more(client: FlaskClient) -> Callable[..., float]:
    """How much more there is of something than when the test began."""
    before = metrics(client)

    def grown(name: str, **labels: str) -> float:
        key = (name, frozenset(labels.items()))
        return metrics(client).get(key, 0) - before.get(key, 0)

    return grown


def test_what_happens_is_counted(scorekeeper: Scorekeeper, more: Callable[..., float]) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    scorekeeper.reports(event("bet_placed", player="p2", column=1), event("bet_placed", player="p3", column=2))
    refused = scorekeeper.tries(event("round_opened"))
    assert refused.status_code == 409
    where = {"method": "POST", "route": "/v1/sessions/<session_id>/events"}
    assert more("request_seconds_count", **where, status="2xx") == 3
    assert more("request_seconds_bucket", **where, status="2xx", le="+Inf") == 3
    assert more("request_seconds_sum", **where, status="2xx") > 0
    assert more("request_seconds_count", **where, status="4xx") == 1
    assert more("events_total", game="shippin", type="bet_placed") == 2
    assert more("events_total", game="shippin", type="round_opened") == 1
    assert more("refusals_total", code=refused.get_json()["code"]) == 1
    commits = 5 if is_sqlite() else 4  # the refused one had its turn, too, where writers take turns
    assert more("commit_seconds_count") == more("commit_writes_sum") == commits
    assert more("cache_looks_total", result="hit") > 0


def test_what_is_tried_or_repeated_is_no_event(scorekeeper: Scorekeeper, more: Callable[..., float]) -> None:
    scorekeeper.opens("shippin")
    assert scorekeeper.tries(event("round_opened"), query="?dry_run=true").status_code == 200
    for _ in range(2):
        assert scorekeeper.tries(event("round_opened"), Idempotency_Key="once").status_code == 201
    assert more("events_total", game="shippin", type="round_opened") == 1


def test_a_stream_is_there_as_long_as_it_is_open(scorekeeper: Scorekeeper, more: Callable[..., float]) -> None:
    scorekeeper.opens()
    stream = scorekeeper.client.get(f"{scorekeeper.address}/stream", headers=scorekeeper.headers())
    assert (more("streams"), more("streamed_sessions")) == (1, 1)
    stream.close()
    assert (more("streams"), more("streamed_sessions")) == (0, 0)


def test_labels_are_words_of_ours_whatever_is_asked(scorekeeper: Scorekeeper) -> None:
    client = scorekeeper.client
    scorekeeper.opens("shippin", name=SECRET)
    scorekeeper.reports(event("round_opened", note=SECRET))
    before = len(metrics(client))
    for n in range(20):
        client.get(f"/{SECRET}/{n}")
        client.get(f"/v1/games/{SECRET}{n}")
        client.get(f"/v1/sessions/{SECRET}{n}/events?token={SECRET}")
        client.open(f"/v1/sessions/{n}", method=f"{SECRET}{n}")
        client.post("/v1/sessions", json={"game": f"{SECRET}{n}", f"{SECRET}{n}": SECRET})
        scorekeeper.tries(event(f"{SECRET}{n}"), Idempotency_Key=SECRET, X_Request_ID=f"{SECRET}{n}")
        client.get("/docs/" + "x" * n)
    found = metrics(client)
    a_route = 9 + 2  # a number for each bound, the sum and the count
    assert len(found) - before <= 7 * a_route + 5
    said = str(found)
    for secret in (SECRET, scorekeeper.session_id, scorekeeper.token):
        assert secret not in said


def test_it_takes_no_parameters_and_no_token(client: FlaskClient) -> None:
    assert client.get("/metrics?name[]=x").status_code == 422
    assert client.post("/metrics").status_code == 405
