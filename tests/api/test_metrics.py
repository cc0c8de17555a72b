"""`/metrics`: what is counted, as Prometheus reads it, with nothing of any one session."""

from __future__ import annotations

from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from tests.scorekeeper import Scorekeeper, event

SECRET = "Aki-and-the-token"


def metrics(client: FlaskClient) -> dict[str, float]:
    """Read `/metrics`, as Prometheus does; a metric is called by its name and the values of its labels."""
    answer = client.get("/metrics")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert answer.content_type.startswith("text/plain; version=")
    samples = [sample for family in text_string_to_metric_families(answer.text) for sample in family.samples]
    return {" ".join([sample.name, *sample.labels.values()]): sample.value for sample in samples}


def test_what_happens_is_counted_by_route_and_code(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    before = metrics(scorekeeper.client)
    scorekeeper.reports(event("round_opened"))
    refused = scorekeeper.tries(event("round_opened"))
    with scorekeeper.client.get(f"{scorekeeper.address}/stream", headers=scorekeeper.headers()):
        after = metrics(scorekeeper.client)
    call = "POST /v1/sessions/<session_id>/events"
    for name in (
        *(f"request_seconds_count {call} 2xx", f"request_seconds_count {call} 4xx", "streams", "streamed_sessions"),
        *(f"refusals_total {refused.get_json()['code']}", "commit_seconds_count", "commit_writes_sum"),
    ):
        assert after[f"fuda_ledger_{name}"] > before.get(f"fuda_ledger_{name}", 0), name
    assert metrics(scorekeeper.client)["fuda_ledger_streams"] == before["fuda_ledger_streams"]


def test_labels_are_words_of_ours_whatever_is_asked(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", name=SECRET)
    scorekeeper.client.get(f"/v1/sessions/{SECRET}/events?token={SECRET}")
    scorekeeper.client.open(f"/{SECRET}", method=SECRET)
    scorekeeper.client.post("/v1/sessions", json={"game": SECRET, SECRET: SECRET})
    scorekeeper.tries(event(SECRET), Idempotency_Key=SECRET, X_Request_ID=SECRET)
    found = str(metrics(scorekeeper.client))
    for secret in (SECRET, scorekeeper.session_id, scorekeeper.token):
        assert secret not in found
