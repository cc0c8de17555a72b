"""Rounds worked out by hand, in tests/rounds: the service has to come to the same.

Each is a text in the round notation (docs/notation.md). A line that begins with `=` says what is expected there, and
`EXPECTED` below what it is about. What the service has recorded can be written down and recorded again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from ledger.notation import format_lines, parse
from schemas.loading import event_types
from tests.expectations import Check, Score, read_score
from tests.scorekeeper import Scorekeeper

HERE = Path(__file__).parent
DOCUMENT = HERE.parent / "docs" / "notation.md"
ROUNDS = {path.stem: path for path in sorted((HERE / "rounds").glob("*.txt"))}
CASES = {path.stem: path for path in sorted((HERE / "reckoning" / "cases").glob("*.json"))}
Json = Mapping[str, Any]


class Seen(NamedTuple):
    """What the service says at some moment: the session, and its newest round."""

    session: Json
    round: Json

    @property
    def outcome(self) -> Json:
        return self.round["outcome"] or {}

    @property
    def seats(self) -> list[str]:
        seated = [player for player in self.session["players"] if player["seat"]]
        return [player["id"] for player in sorted(seated, key=lambda player: player["seat"])]


# --- what is expected -----------------------------------------------------------------------------------------------


def balances(seen: Seen, check: Check) -> None:
    """Who is not named has neither won nor lost anything."""
    told = {player["id"]: player["balance"] for player in seen.session["players"] if player["balance"]}
    assert told == {player: amount for player, amount in check.facts.items() if amount}
    assert sum(told.values()) + seen.session["pot"] + seen.session["bank"] == 0


def payouts(seen: Seen, check: Check) -> None:
    """What each got out of the round in all; who is not named got nothing."""
    told: dict[str, int] = {}
    for payout in seen.outcome["payouts"]:
        told[payout["player"]] = told.get(payout["player"], 0) + payout["amount"]
    assert told == check.facts


def result(seen: Seen, check: Check) -> None:
    """How the round stands or ended, and fields of its outcome."""
    assert (seen.round["status"],) == check.words
    assert {name: seen.outcome.get(name) for name in check.facts} == check.facts


def words(told: Callable[[Seen], Any]) -> Callable[[Seen, Check], None]:
    """One word, or several in their order."""

    def compare(seen: Seen, check: Check) -> None:
        assert not check.facts
        said = told(seen)
        assert (tuple(said) if isinstance(said, list) else (said,)) == check.words

    return compare


EXPECTED: Mapping[str, Callable[[Seen, Check], None]] = {
    "balances": balances,
    "payouts": payouts,
    "result": result,
    "reasons": words(lambda seen: seen.outcome["reasons"]),
    "verdicts": words(lambda seen: [hand["verdict"] for hand in seen.outcome["hands"]]),
    "phase": words(lambda seen: seen.round["phase"]),
    "dealer": words(lambda seen: seen.session["dealer"]),
    "pot": words(lambda seen: seen.session["pot"]),
    "bank": words(lambda seen: seen.session["bank"]),
    "status": words(lambda seen: seen.session["status"]),
    "name": words(lambda seen: seen.session["name"]),
    "seats": words(lambda seen: seen.seats),
    "draw-again": words(lambda seen: seen.session["draw_again"]),
}


# --- playing --------------------------------------------------------------------------------------------------------


def plays(scorekeeper: Scorekeeper, score: Score) -> None:
    """Record a score as a session, and look wherever something is expected."""
    scorekeeper.opens(**score.opening)
    done = 0
    for check in score.checks:
        if check.after > done:
            answer = scorekeeper.tries(*score.events[done : check.after])  # type: ignore[arg-type]
            assert answer.status_code == 201, f"lines {score.lines[done : check.after]}: {answer.text}"
            done = check.after
        session = scorekeeper.looks("")
        rounds = scorekeeper.looks("/rounds")["rounds"]
        compare(Seen(session, rounds[-1] if rounds else {}), check)
    assert done == len(score.events), "something is expected at the end"


def calculates(client: FlaskClient, score: Score) -> None:
    """Work a score out without a session, which is how a round is played on a pot from elsewhere."""
    table = {key: value for key, value in score.opening.items() if key not in ("game", "name", "chip_value")}
    for check in score.checks:
        answer = client.post(
            f"/v1/calculate/{score.opening['game']}", json={**table, "events": score.events[: check.after]}
        )
        assert answer.status_code == 200, answer.text
        told = answer.get_json()
        over = told["round"]["outcome"] or {"next_dealer": told["round"]["dealer"]}
        session = {
            "players": [{"id": player, "balance": chips} for player, chips in told["balances"].items()],
            "dealer": over["next_dealer"],
            "pot": told["round"]["pot"],
            "bank": -score.opening["carried"],
        }
        compare(Seen(session, told["round"]), check)


def compare(seen: Seen, check: Check) -> None:
    assert check.about in EXPECTED, f"line {check.line}: nothing is known about `{check.about}`"
    try:
        EXPECTED[check.about](seen, check)
    except AssertionError as error:
        raise AssertionError(f"line {check.line}, {check.about}: {error}") from error


def comes_out(scorekeeper: Scorekeeper, score: Score) -> None:
    """Play a score, one way or the other."""
    if "carried" in score.opening:
        calculates(scorekeeper.client, score)
    else:
        plays(scorekeeper, score)


# --- tests ----------------------------------------------------------------------------------------------------------

SESSIONS = {name: path for name, path in ROUNDS.items() if "\ncarried " not in path.read_text("utf-8")}


@pytest.mark.parametrize("path", ROUNDS.values(), ids=ROUNDS)
def test_a_round_worked_out_by_hand_comes_out(path: Path, scorekeeper: Scorekeeper) -> None:
    comes_out(scorekeeper, read_score(path.read_text("utf-8")))


@pytest.mark.parametrize("example", re.findall(r"(?ms)^```fuda\n(.*?)^```$", DOCUMENT.read_text("utf-8")))
def test_an_example_in_the_document_comes_out(example: str, scorekeeper: Scorekeeper) -> None:
    comes_out(scorekeeper, read_score(example))


@pytest.mark.parametrize("path", SESSIONS.values(), ids=SESSIONS)
def test_a_recorded_session_is_written_down_and_recorded_again(path: Path, scorekeeper: Scorekeeper) -> None:
    score = read_score(path.read_text("utf-8"))
    plays(scorekeeper, score)
    events = tuple(map(reported, scorekeeper.looks("/events?limit=500")["events"]))
    again = parse("".join(format_lines(score.opening, events)))
    assert (again.opening, again.events) == (score.opening, events)
    plays(scorekeeper, score._replace(events=again.events, lines=again.lines))


def reported(stored: Json) -> Json:
    """An event of the log as it was reported; a correction's `target` was its `seq`."""
    about = {"seq", "round", "recorded_at", "recorded_by", "recorded_by_label", "status", "correction", "target"}
    target = {"seq": stored["target"]} if "target" in stored else {}
    return {name: value for name, value in stored.items() if name not in about} | target


@pytest.mark.parametrize("case", CASES)
def test_every_case_stands_among_the_rounds(case: str) -> None:
    """With the same opening and events, and with what is expected of them."""
    told, score = json.loads(CASES[case].read_text("utf-8")), read_score(ROUNDS[case].read_text("utf-8"))
    assert score.opening == told["session"]
    rounds = told.get("rounds") or [told]
    assert list(score.events) == [event for done in rounds for event in done["events"]]
    after = 0
    for done in rounds:
        after += len(done["events"])
        expected = dict(done["expected"])
        if "pot_before_showdown" in expected:
            pot = (after - 1, "pot", (expected.pop("pot_before_showdown"),))
            assert pot in [check[:3] for check in score.checks]
        expected["dealer"] = expected.pop("next_dealer", None) or expected["dealer"]
        assert expected.items() <= said([check for check in score.checks if check.after == after]).items()


def said(checks: list[Check]) -> dict[str, Any]:
    """What some checks say, in the words of the cases."""
    merged: dict[str, Any] = {}
    for check in checks:
        if check.about == "result":
            merged |= {"result": check.words[0], **check.facts}
        elif check.about == "verdicts":
            merged["verdicts"] = list(check.words)
        else:
            merged[check.about] = check.words[0] if check.words else check.facts
    return merged


def test_the_rounds_between_them_have_every_event_and_every_result() -> None:
    """All but forgetting a person and wanting to be told the chances, which are nothing to be worked out."""
    scores = [read_score(path.read_text("utf-8")) for path in ROUNDS.values()]
    inner = [event.get("event", event) for score in scores for event in score.events]
    found = {event["type"] for score in scores for event in score.events} | {event["type"] for event in inner}
    assert set(event_types()) - found == {"player_erased", "odds_switched"}
    results = {check.words[0] for score in scores for check in score.checks if check.about == "result"}
    assert results == {"recording", "won", "settled", "forfeited", "void"}
    forfeits = {word for score in scores for check in score.checks if check.about == "reasons" for word in check.words}
    assert forfeits == {"no_showdown_card", "low_bottom_card", "field_card_is_trump", "no_trump_held"}
    assert {check.about for score in scores for check in score.checks} == set(EXPECTED)


@pytest.mark.parametrize(
    "wrong",
    [
        "= pot 385",
        "= dealer p3",
        "= result forfeited",
        "= result won winner=p2",
        "= payouts p8=193",
        "= balances p1=-30",
        "= nonsense",
    ],
)
def test_a_wrong_expectation_fails(wrong: str, scorekeeper: Scorekeeper) -> None:
    text = ROUNDS["shirinma-seed-example"].read_text("utf-8")
    with pytest.raises(AssertionError, match=r"line \d+"):
        comes_out(scorekeeper, read_score(f"{text}{wrong}\n"))
