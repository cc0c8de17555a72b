"""Forgetting a person: the name goes from everywhere, chips and outcomes and hashes stay."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from ledger.codec.encoding import plain
from ledger.exports import FORMATS
from ledger.services.erasure import names, overwritten, without
from ledger.services.recording import Request
from ledger.services.sessions import SessionService
from ledger.session.corrections import CorrectionsMade
from ledger.session.events import ChipsMoved, PlayerLeft
from ledger.session.history import SessionState
from ledger.storage.address import open_store
from ledger.storage.store import Log
from tests.databases import bytes_of, kept_at
from tests.scorekeeper import Json, Scorekeeper, event
from tests.session.tables import amend, back, insert, later, newcomer, renamed, state

PLAYERS = ["Aunt Beatrix", "Uncle Benedikt", "Chie", "Dai", "Emi"]


def buy_in(player: str, amount: int = 5, **more: Any) -> Json:
    return event("chips_moved", from_="bank", to=player, amount=amount, **more)


def erase(player: str, **more: Any) -> Json:
    return event("player_erased", player=player, **more)


# --- which words have to go -----------------------------------------------------------------------------------------


def names_of(on: SessionState, player: str) -> set[str]:
    return {named.name for named in names(on) if named.player == player}


def test_a_name_that_never_came_to_count_is_known_too() -> None:
    """Amended while a later name already stood, the name in between was never seen at the table."""
    on = later(state(), renamed("p2", "Benno"), renamed("p2", "Bruno"), amend(1, renamed("p2", "Boris")))
    on = later(on, insert(1, renamed("p2", "Bertil")))
    assert names_of(on, "p2") == {"Ben", "Benno", "Bruno", "Boris", "Bertil"}


def test_a_name_in_a_part_of_corrections_made_together_is_known_by_its_place() -> None:
    on = later(state(seats=2), CorrectionsMade((insert(0, newcomer("Zoe")), insert(0, renamed("p2", "Benno")))))
    found = {named.at: (named.player, named.name) for named in names(on) if named.at[0]}
    assert found == {(1, "corrections/0/event/name"): ("p3", "Zoe"), (1, "corrections/1/event/name"): ("p2", "Benno")}


def test_who_comes_back_brings_no_new_name() -> None:
    on = later(state(), PlayerLeft("p5"), back("p5"))
    assert [named.at for named in names(on) if named.player in {"p5", None}] == [(0, "players/4")]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Al", "p1"),
        ("Al paid", "p1 paid"),
        ("Also Alan, Al.", "Also Alan, p1."),
        ("for Al's wife", "for p1's wife"),
        ("Al2 and 2Al", "Al2 and 2Al"),
        ("AlさんがAl", "p1さんがp1"),
        ("al", "al"),
    ],
)
def test_a_name_in_latin_letters_is_a_word_of_its_own(text: str, left: str) -> None:
    assert without(["Al"], text, "p1") == left


@pytest.mark.parametrize(
    ("text", "left"), [("太郎", "p1"), ("太郎さんへ", "p1さんへ"), ("桃太郎も", "桃p1も"), ("Mr太郎2", "Mrp12")]
)
def test_other_names_run_on_into_the_text_around_them(text: str, left: str) -> None:
    assert without(["太郎"], text, "p1") == left


@pytest.mark.parametrize("name", ["A.B.", "(A)", "A+", "\\1", "A|B", ".*"])
def test_a_name_is_only_itself_whatever_signs_are_in_it(name: str) -> None:
    assert without([name], f"x {name} y", "p1") == "x p1 y"
    assert without([name], "x AxBx y", "p1") == "x AxBx y"


def test_somebody_elses_same_name_stays() -> None:
    on = later(state(seats=2), renamed("p2", "Aki"), newcomer("Aki"), amend(1, renamed("p2", "Aki")))
    words = {
        (0, "players/0"): "Aki",
        (1, "name"): "Aki",
        (2, "name"): "Aki",
        (3, "event/name"): "Aki",
        (3, "event/note"): "Aki",
    }
    assert overwritten(["p1"], on, words.items(), [])[0] == {(0, "players/0"): "p1", (3, "event/note"): "p1"}
    assert set(overwritten(["p2"], on, words.items(), [])[0]) == {(1, "name"), (3, "event/name"), (3, "event/note")}
    assert set(overwritten(["p3"], on, words.items(), [])[0]) == {(2, "name"), (3, "event/note")}


# --- over HTTP ------------------------------------------------------------------------------------------------------


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Five people at Shippin, among whom Aunt Beatrix has many names, and is spoken of in many places."""
    scorekeeper.opens("shippin", name="Aunt Beatrix turns 40", players=PLAYERS)
    scorekeeper.client.post(
        f"{scorekeeper.address}/links",
        json={"role": "viewer", "label": "Aunt Beatrix's phone"},
        headers=scorekeeper.headers(),
    )
    scorekeeper.reports(
        event("round_opened", note="Aunt Beatrix deals"),
        event("bet_placed", player="p2", column=1, overrule="Aunt Beatrix said so"),
        event("round_voided", reason="Aunt Beatrix spilt the tea"),
        event("player_renamed", player="p1", name="Miss Trixi"),
        event("player_renamed", player="p1", name="Miss Bea"),
        event("event_amended", seq=4, event=event("player_renamed", player="p1", name="Miss Trixibelle")),
        buy_in("p1", 70, note="Miss Trixi, by card"),
        event("event_taken_back", seq=7, note="Miss Bea paid cash"),
        event("event_taken_back", seq=8),
    )
    return scorekeeper


NAMES = ("Aunt Beatrix", "Miss Trixi", "Miss Trixibelle", "Miss Bea")
"""Long, and with a space, so that chance does not write one into an id, a hash or a salt."""


def everything(at: Scorekeeper) -> str:
    """All that can be read of a session, by its owner."""
    told = [at.looks(where) for where in ("", "/events?limit=500", "/rounds", "/ledger?limit=500", "/links", "/verify")]
    seen = [at.looks(f"?at={seq}") for seq in range(told[0]["seq"] + 1)]
    more = [at.looks(where) for where in ("/rounds/1", "/rounds/1/replay", "/settlement", "/statistics")]
    files = []
    for form in FORMATS:
        answer = at.client.get(f"{at.address}/export.{form}", headers=at.headers())
        assert answer.status_code == 200, form
        files += unpacked(answer.data)
    return json.dumps([told, seen, more], ensure_ascii=False) + "\n".join(files)


def unpacked(file: bytes) -> list[str]:
    """The texts in a file, also in one that is an archive."""
    if not zipfile.is_zipfile(io.BytesIO(file)):
        return [file.decode()]
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return [archive.read(name).decode() for name in archive.namelist()]


def outcomes(at: Scorekeeper) -> Any:
    """Chips and outcomes, without the sentences that name people, and the hash chain but for its end."""
    rounds = [{**done["outcome"], "explanation": None} for done in at.looks("/rounds")["rounds"]]
    return at.balances(), rounds, at.looks("/ledger?limit=500")["entries"]


def test_the_name_goes_from_everything_that_can_be_read(table: Scorekeeper) -> None:
    before = everything(table)
    assert all(name in before for name in NAMES)
    table.reports(erase("p1", note="Aunt Beatrix asked for it"))
    after = everything(table)
    assert not [name for name in NAMES if name in after]
    assert table.looks("")["players"][0]["name"] == "p1"
    assert table.looks("")["name"] == "p1 turns 40"
    assert table.looks("/links")["links"][1]["label"] == "p1's phone"
    notes = [told.get("note") for told in table.looks("/events?limit=500")["events"]]
    assert notes == ["p1 deals", None, None, None, None, None, "p1, by card", "p1 paid cash", None, "p1 asked for it"]
    assert table.looks("/rounds/1")["outcome"]["explanation"]["en"][0] == "The round was voided: p1 spilt the tea."


def test_the_record_is_still_whole_and_says_how_much_was_forgotten(table: Scorekeeper, app: Flask) -> None:
    assert table.looks("/verify")["forgotten"] == 0
    before, store = outcomes(table), app.extensions["session_service"].store
    hashes = [row.hash for row in store.events(table.session_id)]
    table.reports(erase("p1"))
    assert outcomes(table) == before
    assert [row.hash for row in store.events(table.session_id)][:-1] == hashes
    told = table.looks("/verify")
    assert (told["ok"], told["findings"]) == (True, [])
    assert told["forgotten"] == 10


def test_somebody_elses_name_stays(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Ben", "Ben", "Benno"])
    scorekeeper.reports(event("player_joined", name="Ben"), buy_in("p4", note="Ben and Benno"))
    scorekeeper.reports(event("event_amended", seq=1, event=event("player_joined", name="Ben", seat=1)))
    scorekeeper.reports(erase("p1"))
    assert [player["name"] for player in scorekeeper.looks("")["players"]] == ["p1", "Ben", "Benno", "Ben"]
    assert scorekeeper.looks("/events")["events"][1]["note"] == "p1 and Benno"
    assert scorekeeper.looks("/verify")["ok"]


def test_somebody_named_only_within_a_part_can_be_forgotten(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"])
    joined = event("player_joined", name="Great-Aunt Zenobia", note="Great-Aunt Zenobia came late")
    part = event("event_inserted", after=0, event=joined, note="forgot Great-Aunt Zenobia")
    scorekeeper.reports(
        event("corrections_made", corrections=[part, event("event_inserted", after=0, event=buy_in("p1"))])
    )
    assert scorekeeper.looks("")["players"][2]["name"] == "Great-Aunt Zenobia"
    scorekeeper.reports(erase("p3"))
    for where in ("", "/events", "/export.json", "/statistics"):
        assert "Zenobia" not in scorekeeper.client.get(scorekeeper.address + where, headers=scorekeeper.headers()).text
    assert scorekeeper.looks("")["players"][2]["name"] == "p3"
    assert scorekeeper.looks("/verify")["ok"]


def test_two_people_are_forgotten_in_one_request(table: Scorekeeper) -> None:
    table.reports(buy_in("p2", note="Uncle Benedikt gave Miss Bea a chip"))
    assert (
        table.tries(erase("p1"), erase("p2"), buy_in("p3", note="for Uncle Benedikt and Miss Bea")).status_code == 201
    )
    assert "Uncle Benedikt" not in everything(table)
    assert [told.get("note") for told in table.looks("/events?after=9")["events"]] == [
        "p2 gave p1 a chip",
        None,
        None,
        "for p2 and p1",
    ]
    assert table.looks("/verify")["ok"]


def test_who_was_forgotten_can_be_given_a_name_again_and_forgotten_again(table: Scorekeeper) -> None:
    table.reports(erase("p1"), event("player_renamed", player="p1", name="Veronika"))
    assert table.looks("")["players"][0]["name"] == "Veronika"
    table.reports(erase("p1"))
    assert "Veronika" not in everything(table)
    assert table.looks("/verify")["ok"]


def test_corrections_go_on_after_somebody_was_forgotten(table: Scorekeeper) -> None:
    table.reports(buy_in("p2", 8), erase("p1"))
    table.reports(event("event_taken_back", seq=10), event("event_taken_back", seq=12))
    table.reports(event("event_amended", seq=5, event=event("player_renamed", player="p1", name="Olga")))
    assert table.looks("")["players"][0]["name"] == "p1"
    assert table.balances()["p2"] == 8
    assert table.looks("/verify")["ok"]


@pytest.mark.parametrize("role", ["scorer", "viewer"])
def test_only_the_owner_forgets_somebody(table: Scorekeeper, role: str) -> None:
    link = table.client.post(f"{table.address}/links", json={"role": role}, headers=table.headers())
    table.token = link.get_json()["token"]
    for reports in ([erase("p1")], [buy_in("p2"), erase("p1")]):
        problem = table.is_refused(*reports, status=403)
        assert problem["code"] == "role_too_small"
    assert table.looks("")["players"][0]["name"] == "Miss Bea"


def test_forgetting_somebody_cannot_be_slipped_into_a_correction(table: Scorekeeper) -> None:
    for correction in (
        event("event_inserted", after=1, event=erase("p1")),
        event("event_amended", seq=4, event=erase("p1")),
    ):
        table.is_refused(correction, code="not_an_event_of_the_table")


def test_forgetting_somebody_cannot_be_undone(table: Scorekeeper) -> None:
    table.reports(erase("p1"))
    for correction in (
        event("event_taken_back"),
        event("event_taken_back", seq=10),
        event("event_amended", seq=10, event=buy_in("p1")),
    ):
        assert table.is_refused(correction, code="erased_for_good")["seq"] == 10


def test_a_dry_run_forgets_nobody(table: Scorekeeper) -> None:
    answer = table.tries(erase("p1"), query="?dry_run=true")
    assert answer.get_json()["session"]["players"][0]["name"] == "p1"
    assert table.looks("")["players"][0]["name"] == "Miss Bea"
    assert "Aunt Beatrix" in everything(table)


def test_somebody_can_be_forgotten_after_the_evening(table: Scorekeeper) -> None:
    table.reports(event("session_closed"), erase("p1"))
    assert "Aunt Beatrix" not in everything(table)
    assert table.looks("")["status"] == "closed"
    assert table.looks("/verify")["ok"]


def test_only_who_was_here_can_be_forgotten(table: Scorekeeper) -> None:
    table.is_refused(erase("p9"), code="never_at_the_table")


def test_the_answer_that_forgets_somebody_names_nobody(table: Scorekeeper) -> None:
    body = table.reports(erase("p1", note="Aunt Beatrix wished it"), Idempotency_Key="forget")
    assert not [name for name in NAMES if name in json.dumps(body)]
    again = table.tries(erase("p1", note="Aunt Beatrix wished it"), Idempotency_Key="forget")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert not [name for name in NAMES if name in again.text]


def test_a_refused_request_forgets_nobody(table: Scorekeeper) -> None:
    table.is_refused(erase("p1"), event("bet_placed", player="p2", column=1), code="round_is_over")
    assert "Aunt Beatrix" in everything(table)


# --- on the disk, and in other processes ----------------------------------------------------------------------------


def test_nothing_of_the_name_is_left_on_the_disk(table: Scorekeeper, tmp_path: Path) -> None:
    assert b"Aunt Beatrix" in bytes_of(tmp_path / "ledger.db")
    table.reports(erase("p1", note="Aunt Beatrix asked for it"))
    left = bytes_of(tmp_path / "ledger.db")
    assert not [name for name in NAMES if name.encode() in left]
    assert b"Chie" in left


def test_another_worker_forgets_too(table: Scorekeeper, tmp_path: Path) -> None:
    """The other one has the session in memory, names and all, and folds on from there."""
    store = open_store(kept_at(tmp_path / "ledger.db"))
    with closing(store.engine):
        other = SessionService(store)
        assert other.session(table.session_id, at=0).names["p1"] == "Aunt Beatrix"
        table.reports(erase("p1"))
        for at in (0, 4, 9, None):
            assert other.session(table.session_id, at).names["p1"] == "p1"
        told = [plain(told).get("note") for told in other.events(table.session_id, 0, 100)]
        assert told[0] == "p1 deals"
        assert not list(names_left(other.session(table.session_id).state))


def test_what_another_worker_records_just_before_is_forgotten_too(
    table: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It comes when the session may have been folded already, and before it is locked."""
    store, meanwhile = (
        app.extensions["session_service"].store,
        [ChipsMoved("bank", "p2", 3, note="Aunt Beatrix lent it")],
    )
    transaction = store.transaction
    another = open_store(kept_at(tmp_path / "ledger.db"))
    with closing(another.engine):

        def waited_for(session_id: str) -> AbstractContextManager[Log]:
            while meanwhile:
                SessionService(another).recorder.record(session_id, [meanwhile.pop()], Request(by="another"))
            taken: AbstractContextManager[Log] = transaction(session_id)
            return taken

        monkeypatch.setattr(store, "transaction", waited_for)
        table.reports(erase("p1"))
    assert not [name for name in NAMES if name in everything(table)]
    assert [row["type"] for row in table.looks("/events")["events"]][-2:] == ["chips_moved", "player_erased"]
    assert table.looks("/verify")["ok"]


def names_left(on: SessionState) -> list[str]:
    return [named.name for named in names(on) if named.player == "p1" and named.name != "p1"]


def test_verify_flags_an_erased_player_s_name_that_a_stale_page_brought_back(table: Scorekeeper) -> None:
    """The record is whole, so backups and moves go on; once the player is erased again, nothing is left to flag."""
    table.reports(erase("p1"))
    assert table.looks("/verify")["findings"] == []
    brought_back = table.reports(event("player_renamed", player="p1", name="Aunt Beatrix"))["session"]["seq"]
    erased = brought_back - 1
    told = table.looks("/verify")
    assert told["ok"]
    assert told["findings"] == [
        {
            "table": "words",
            "row": f"{brought_back}/name",
            "what": f"it names p1, who was erased with event {erased}; erase the player again if the name is to go",
            "severity": "warning",
        }
    ]
    table.reports(erase("p1"))
    assert table.looks("/verify")["findings"] == []


def test_verify_flags_a_name_that_a_correction_brought_back(table: Scorekeeper) -> None:
    table.reports(event("player_left", player="p2"))
    joined = table.reports(event("player_joined", name="Zenobia"))
    newcomer = joined["session"]["players"][-1]["id"]
    table.reports(erase(newcomer))
    amended = {"type": "player_joined", "name": "Zenobia"}
    corrected = table.reports(event("event_amended", seq=joined["events"][0]["seq"], event=amended))
    (finding,) = table.looks("/verify")["findings"]
    assert (finding["row"], finding["severity"]) == (f"{corrected['events'][0]['seq']}/event/name", "warning")
