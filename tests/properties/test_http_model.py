"""A scorekeeper at a running service, and the second reckoning beside it: after every step both say the same.

The machine records what a simulated table plays, in portions; makes mistakes and takes them back; corrects chips that
moved long ago; asks for what is not possible; repeats requests; restarts the service. What it knows of corrections is
a list of the events that count, in order; what those come to, only the second reckoning knows.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ledger.app import create_app
from tests.databases import kept_at, let_go
from tests.properties.folding import expected
from tests.reckoning import GAMES, reckon
from tests.reckoning.evenings import Table, close_and_reopen, openings
from tests.scorekeeper import Json, Scorekeeper, event


class Counted(NamedTuple):
    """An event that counts, and its number in the log."""

    seq: int
    event: Json


class Standing(NamedTuple):
    """A row of the log that could be undone next, and what was there before it: an event, or a name."""

    seq: int
    kind: str
    about: Any = None
    before: Any = None


class ServiceBesideReckoning(RuleBasedStateMachine):
    """What a phone could do to a session of one game."""

    game = "shippin"

    def __init__(self) -> None:
        super().__init__()
        self.home = tempfile.TemporaryDirectory()
        self.at = Scorekeeper(self.service())
        self.seq = 0
        self.counting: list[Counted] = []
        self.coming: list[Json] = []
        self.standing: list[Standing] = []
        self.undone: list[tuple[int, bool, tuple[Any, ...]]] = []
        self.names: dict[str, str | None] = {}

    def service(self) -> Any:
        return create_app({"LEDGER_DATABASE": kept_at(Path(self.home.name) / "ledger.db")}).test_client()

    def teardown(self) -> None:
        if self.at.session_id:
            assert self.at.looks("/verify")["findings"] == []
        let_go(Path(self.home.name))
        self.home.cleanup()

    @initialize(data=st.data(), seed=st.integers(0, 2**32))
    def open_a_session(self, data: st.DataObject, seed: int) -> None:
        self.opening = data.draw(openings(self.game))
        self.rng = Random(seed)
        self.table = Table(self.opening)
        answer = self.at.client.post("/v1/sessions", json=self.opening)
        assert answer.status_code == 201, answer.text
        self.at.session_id = answer.get_json()["session"]["id"]
        self.at.token = answer.get_json()["link"]["token"]

    def recorded(self, answer: Any, count: int = 1) -> Json:
        """Take note that so many events were recorded."""
        assert answer.status_code == 201, answer.text
        body: Json = answer.get_json()
        assert [stored["seq"] for stored in body["events"]] == list(range(self.seq + 1, self.seq + count + 1))
        assert body["session"]["seq"] == self.seq + count
        self.seq += count
        return body

    def counts(self, reports: list[Json]) -> None:
        """Take note that these were recorded last, and count."""
        first = self.seq - len(reports) + 1
        counted = [Counted(first + place, report) for place, report in enumerate(reports)]
        self.counting += counted
        self.standing += [Standing(seq, "event") for seq, _ in counted]
        self.undone.clear()

    def goes_on(self) -> None:
        """Have something to report: what is left of a page, or the next page of the simulated table."""
        while not self.coming:
            pages = len(self.table.pages)
            if self.rng.random() < 0.4:
                deeds = [deed for deed in self.table.deeds() if deed is not close_and_reopen]
                self.table.happens(self.rng.choice(deeds), self.rng)
            else:
                self.table.play(self.rng)
            self.coming = [told.event for page in self.table.pages[pages:] for told in page]

    # --- recording --------------------------------------------------------------------------------------------------

    @rule(count=st.integers(1, 12))
    def record_what_comes_next(self, count: int) -> None:
        self.goes_on()
        portion = self.coming[:count]
        self.recorded(self.at.tries(*portion, If_Match=f'"{self.seq}"'), len(portion))
        self.counts(portion)
        self.coming = self.coming[count:]

    @rule()
    def record_the_same_request_twice(self) -> None:
        self.goes_on()
        report = self.coming.pop(0)
        key = f"key-{self.seq}"
        first = self.recorded(self.at.tries(report, Idempotency_Key=key))
        again = self.at.tries(report, Idempotency_Key=key)
        assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
        assert {**again.get_json(), "session": None} == {**first, "session": None}
        self.counts([report])

    @rule(name=st.sampled_from(["Nana", "Momo", "Koko"]), data=st.data())
    def rename_somebody(self, name: str, data: st.DataObject) -> None:
        player = data.draw(st.sampled_from(self.at.looks("")["players"]))["id"]
        self.recorded(self.at.tries(event("player_renamed", player=player, name=name)))
        self.standing.append(Standing(self.seq, "rename", player, self.names.get(player)))
        self.names[player] = name
        self.undone.clear()

    @rule(name=st.sampled_from(["Tanabata", "Obon", "Setsubun"]))
    def call_the_session_something_else(self, name: str) -> None:
        self.recorded(self.at.tries(event("session_described", name=name)))
        self.standing.append(Standing(self.seq, "rename", "session", self.names.get("session")))
        self.names["session"] = name
        self.undone.clear()

    @rule(count=st.integers(1, 12))
    def look_what_would_come_next(self, count: int) -> None:
        self.goes_on()
        answer = self.at.tries(*self.coming[:count], query="?dry_run=true")
        assert answer.status_code == 200, answer.text

    # --- corrections ------------------------------------------------------------------------------------------------

    def place_of(self, seq: int) -> int | None:
        """Where an event stands among those that count, if it does."""
        return next((place for place, counted in enumerate(self.counting) if counted.seq == seq), None)

    @precondition(lambda self: self.standing)
    @rule()
    def undo(self) -> None:
        """Take back whatever stands last: an event, which then comes next again, or a correction."""
        before = (list(self.counting), list(self.standing), dict(self.names))
        body = self.recorded(self.at.tries(event("event_taken_back")))
        last = self.standing.pop()
        assert body["events"][0]["target"] == last.seq
        place = self.place_of(last.about if last.kind == "amend" else last.seq)
        if last.kind == "rename":
            self.names[last.about] = last.before
        elif last.kind == "amend" and place is not None:
            self.counting[place] = Counted(last.about, last.before)
        elif last.kind != "amend" and place is not None:
            counted = self.counting.pop(place)
            if last.kind == "event":
                self.coming.insert(0, counted.event)
        self.undone.append((self.seq, place is not None and last.kind == "event", before))

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        """Only what was undone last, and nothing was recorded since: it fits for certain.

        The table may have played on meanwhile, so what comes next is no more what it was: an event that counts again
        does not come again.
        """
        correction, was_to_come, (self.counting, self.standing, self.names) = self.undone.pop()
        self.recorded(self.at.tries(event("event_taken_back", seq=correction)))
        if was_to_come:
            del self.coming[0]

    @rule(data=st.data(), amount=st.integers(1, 500))
    def insert_chips_that_were_forgotten(self, data: st.DataObject, amount: int) -> None:
        place = data.draw(st.integers(0, len(self.counting)))
        after = self.counting[place - 1].seq if place else 0
        moved = event("chips_moved", from_="bank", to="p1", amount=amount)
        self.recorded(self.at.tries(event("event_inserted", after=after, event=moved)))
        self.counting.insert(place, Counted(self.seq, moved))
        self.standing.append(Standing(self.seq, "insert"))
        self.undone.clear()

    @precondition(lambda self: self.chips_that_moved())
    @rule(data=st.data(), amount=st.integers(1, 500))
    def amend_chips_that_moved(self, data: st.DataObject, amount: int) -> None:
        seq, was = data.draw(st.sampled_from(self.chips_that_moved()))
        self.recorded(self.at.tries(event("event_amended", seq=seq, event={**was, "amount": amount})))
        self.counting[self.counting.index(Counted(seq, was))] = Counted(seq, {**was, "amount": amount})
        self.standing.append(Standing(self.seq, "amend", seq, was))
        self.undone.clear()

    @precondition(lambda self: self.chips_that_moved())
    @rule(data=st.data())
    def take_back_chips_that_never_moved(self, data: st.DataObject) -> None:
        counted = data.draw(st.sampled_from(self.chips_that_moved()))
        self.recorded(self.at.tries(event("event_taken_back", seq=counted.seq)))
        self.counting.remove(counted)
        self.standing = [row for row in self.standing if row.seq != counted.seq]
        self.undone.clear()

    def chips_that_moved(self) -> list[Counted]:
        return [counted for counted in self.counting if counted.event["type"] == "chips_moved"]

    # --- what is refused --------------------------------------------------------------------------------------------

    @rule(
        report=st.sampled_from(
            [
                event("chips_moved", from_="bank", to="p99", amount=1),
                event("event_taken_back", seq=10**6),
                event("player_joined", player="somebody who sits there"),
                event("session_reopened"),
                event("round_entered", payments={"p1": 5}),
                event("turn_played", player="p99"),
            ]
        )
    )
    def report_what_is_not_possible(self, report: Json) -> None:
        self.goes_on()
        if report["type"] == "player_joined":
            seated = reckon(self.opening, [*(each.event for each in self.counting), *self.coming[:2]]).seats
            report = {**report, "player": self.rng.choice(seated)}
        answer = self.at.tries(*self.coming[:2], report)
        assert answer.status_code == 409, answer.text
        assert answer.get_json()["index"] == len(self.coming[:2])

    @precondition(lambda self: self.seq > 0)
    @rule()
    def report_after_looking_too_long_ago(self) -> None:
        self.goes_on()
        answer = self.at.tries(self.coming[0], If_Match=f'"{self.seq - 1}"')
        assert (answer.status_code, answer.get_json()["seq"]) == (412, self.seq)

    # --- the next evening -------------------------------------------------------------------------------------------

    @rule()
    def go_on_another_evening(self) -> None:
        """The same people sit there with the same pot, and of this evening nothing changes."""
        told = self.at.looks("")
        answer = self.at.client.post("/v1/sessions", json={"continues": self.at.token})
        assert self.at.looks("") == told
        seated = sorted((each for each in told["players"] if each["active"]), key=lambda each: each["seat"])
        if told["round"] or len(seated) < GAMES[self.game].PLAYERS[0]:
            assert answer.status_code == (409 if told["round"] else 422), answer.text
            return
        assert answer.status_code == 201, answer.text
        after = answer.get_json()["session"]
        assert [player["name"] for player in after["players"]] == [player["name"] for player in seated]
        assert after["dealer"] == f"p{[player['id'] for player in seated].index(told['dealer']) + 1}"
        assert after["pot"] == told["pot"] or told["status"] == "closed"
        assert after["bank"] == -after["pot"]

    # --- links, other sessions, accounts ------------------------------------------------------------------------------

    @rule(role=st.sampled_from(["owner", "scorer", "viewer"]))
    def ask_twice_for_one_link(self, role: str) -> None:
        asked: Json = {"json": {"role": role}, "headers": self.at.headers(Idempotency_Key=str(uuid4()))}
        links = len(self.at.looks("/links?limit=500")["links"])
        first, again = (self.at.client.post(f"{self.at.address}/links", **asked) for _ in range(2))
        assert (first.status_code, again.data) == (201, first.data)
        assert len(self.at.looks("/links?limit=500")["links"]) == links + 1
        if role == "owner":
            self.at.token = again.get_json()["token"]

    @rule()
    def open_another_session_twice_and_delete_it(self) -> None:
        asked: Json = {"json": self.opening, "headers": {"Idempotency-Key": str(uuid4())}}
        first, again = (self.at.client.post("/v1/sessions", **asked) for _ in range(2))
        assert (first.status_code, again.data) == (201, first.data)
        other = Scorekeeper(self.at.client)
        other.session_id, other.token = again.get_json()["session"]["id"], again.get_json()["link"]["token"]
        other.looks("/export.json")
        deleted = other.client.delete(f"{other.address}?confirm={other.session_id}", headers=other.headers())
        assert deleted.status_code == 204
        assert other.client.get(other.address, headers=other.headers()).status_code == 401
        assert self.at.client.post("/v1/sessions", **asked).status_code == 409

    @rule(limit=st.integers(1, 50), data=st.data())
    def add_up_one_account(self, limit: int, data: st.DataObject) -> None:
        told = self.at.looks("")
        balances = {player["id"]: player["balance"] for player in told["players"]}
        balances |= {"pot": told["pot"], "bank": told["bank"]}
        account = data.draw(st.sampled_from(sorted(balances)))
        following, total = f"{self.at.address}/ledger?account={account}&limit={limit}", 0
        while following:
            page = self.at.client.get(following, headers=self.at.headers()).get_json()
            total += sum(entry["amount"] * (1 if entry["to"] == account else -1) for entry in page["entries"])
            following = page["next"]
        assert total == balances[account]

    # --- the service ------------------------------------------------------------------------------------------------

    @rule()
    def restart_the_service(self) -> None:
        self.at.client = self.service()

    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        seq = data.draw(st.integers(0, self.seq))
        then = self.at.looks(f"?at={seq}")
        assert then["seq"] == seq
        assert sum(player["balance"] for player in then["players"]) + then["pot"] + then["bank"] == 0

    @invariant()
    def the_service_and_the_second_reckoning_say_the_same(self) -> None:
        if not self.at.session_id:
            return
        reckoned = reckon(self.opening, [counted.event for counted in self.counting])
        told = self.at.looks("")
        assert told["seq"] == self.seq
        assert {player["id"]: player["balance"] for player in told["players"]} == reckoned.balances
        assert (told["pot"], told["bank"]) == (reckoned.pot, reckoned.bank)
        assert (told["dealer"], told["status"]) == (reckoned.dealer, reckoned.status)
        seats = sorted((player["seat"], player["id"]) for player in told["players"] if player["active"])
        assert [player for _, player in seats] == reckoned.seats
        rounds = self.at.looks("/rounds?limit=500")["rounds"]
        assert [summary(done) for done in rounds] == [expected(sheet) for sheet in reckoned.rounds]
        names = {player["id"]: player["name"] for player in told["players"]} | {"session": told["name"]}
        assert names | {player: name for player, name in self.names.items() if name} == names


def summary(done: Json) -> Json:
    """A round as the service tells it, as far as the second reckoning knows rounds."""
    known = {name: done[name] for name in ("number", "dealer", "players", "status")}
    if done["outcome"] is None:
        return known
    outcome, paid = done["outcome"], dict[str, int]()
    for payout in outcome["payouts"]:
        paid[payout["player"]] = paid.get(payout["player"], 0) + payout["amount"]
    return {
        **known,
        "winner": outcome.get("winner"),
        "back_rider": outcome.get("back_rider"),
        "card": outcome.get("card"),
        "guri": outcome.get("guri") if done["status"] == "won" else None,
        "reasons": outcome.get("reasons", []),
        "verdicts": [hand["verdict"] for hand in outcome.get("hands", [])],
        "payouts": paid,
        "next_dealer": outcome["next_dealer"],
    }


def try_out(game: str, examples: int, steps: int) -> None:
    machine: Any = type(f"{game.title()}Service", (ServiceBesideReckoning,), {"game": game})
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=steps))


@pytest.mark.parametrize("game", GAMES)
def test_the_service_and_the_second_reckoning_agree_after_every_step(game: str) -> None:
    try_out(game, examples=6, steps=20)


@pytest.mark.endurance
@pytest.mark.parametrize("game", GAMES)
def test_they_agree_through_long_evenings_too(game: str) -> None:
    try_out(game, examples=30, steps=80)
