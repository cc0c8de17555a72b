"""The books as CSV: entries, rounds, events."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections import defaultdict
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec.encoding import plain
from ledger.exports import file_of
from ledger.exports.csv import ROWS_A_PIECE, harmless
from ledger.exports.wanted import Wanted
from ledger.responses.events import LoggedEvent
from tests.exports.recorder import Recorder, an_evening, names
from tests.scorekeeper import event


def rows(recorder: Recorder, what: str | None = None) -> list[dict[str, str]]:
    text = recorder.takes_home("csv", what=what).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


# --- entries --------------------------------------------------------------------------------------------------------


def test_each_row_has_what_both_won_by_then(recorder: Recorder) -> None:
    an_evening(recorder)
    recorder.reports(event("settlement_paid", from_="p2", to="p1", amount=2), event("event_taken_back"))
    won: dict[str, int] = defaultdict(int)
    for row in rows(recorder):
        if row["reason"] not in {"buy_in", "gift", "settlement_paid"}:
            won[row["from"]] -= int(row["amount"])
            won[row["to"]] += int(row["amount"])
        assert (int(row["from_won"]), int(row["to_won"])) == (won[row["from"]], won[row["to"]])
    assert {account: chips for account, chips in won.items() if chips} == {"p1": 2, "p2": -2, "p3": -1, "pot": 1}


def test_each_row_has_both_balances_after_it(recorder: Recorder) -> None:
    an_evening(recorder)
    held: dict[str, int] = defaultdict(int)
    for row in rows(recorder):
        held[row["from"]] -= int(row["amount"])
        held[row["to"]] += int(row["amount"])
        assert (int(row["from_balance"]), int(row["to_balance"])) == (held[row["from"]], held[row["to"]])
    assert {account: chips for account, chips in held.items() if chips} == recorder.balances


def test_a_reversal_names_the_entry_that_it_takes_back(recorder: Recorder) -> None:
    an_evening(recorder)
    told = rows(recorder)
    reversals = [row for row in told if row["reverses"]]
    assert reversals
    for row in reversals:
        (old,) = (other for other in told if other["id"] == row["reverses"])
        assert (row["from"], row["to"], row["amount"]) == (old["to"], old["from"], old["amount"])


def test_entries_are_the_default(recorder: Recorder) -> None:
    an_evening(recorder)
    assert rows(recorder, "entries") == rows(recorder)


@pytest.mark.parametrize("count", [0, 1, ROWS_A_PIECE - 1, ROWS_A_PIECE, ROWS_A_PIECE + 1])
def test_every_entry_is_there_once(recorder: Recorder, count: int) -> None:
    recorder.opens(["Aki", "Ben"])
    for some in [500] * (count // 500) + [count % 500] * bool(count % 500):
        recorder.reports(*[event("chips_moved", from_="p1", to="p2", amount=1)] * some)
    assert [int(row["id"]) for row in rows(recorder)] == list(range(1, count + 1))


# --- rounds ---------------------------------------------------------------------------------------------------------


def test_a_round_is_a_row(recorder: Recorder) -> None:
    an_evening(recorder)
    first, voided, opened = rows(recorder, "rounds")
    assert [row["round"] for row in (first, voided, opened)] == ["1", "2", "3"]
    assert [row["status"] for row in (first, voided, opened)] == ["settled", "void", "recording"]
    assert first["opened_at"] == "2026-11-21T23:50:00Z"
    assert first["explanation"].startswith("Aki dealt")
    assert voided["explanation"].startswith("The round was voided: a card lay face up.")
    assert (opened["explanation"], opened["next_dealer"]) == ("", "")


def test_a_round_says_what_it_brought_each_player(recorder: Recorder) -> None:
    an_evening(recorder)
    first, voided, opened = rows(recorder, "rounds")
    assert [(row["p1 Aki"], row["p2 Ben"], row["p3 Chie"]) for row in (first, voided)] == [
        ("2", "-1", "-1"),
        ("0",) * 3,
    ]
    assert (opened["p2 Ben"], opened["paid_in"], opened["pot"]) == ("-1", "1", "1")


def test_who_did_not_sit_in_a_round_has_an_empty_cell(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("round_opened"), event("round_voided", reason="?"))
    recorder.reports(event("player_joined", name="Chie"))
    recorder.reports(event("round_opened"), event("round_voided", reason="?"))
    assert [row["p3 Chie"] for row in rows(recorder, "rounds")] == ["", "0"]


def test_rounds_are_explained_in_the_readers_language(recorder: Recorder) -> None:
    an_evening(recorder)
    assert "この局は無効になりました" in recorder.takes_home("csv", "ja", "rounds").decode()


def test_moments_are_on_the_readers_clock_with_its_offset(recorder: Recorder) -> None:
    an_evening(recorder)
    for zone, opened in (("UTC", "2026-11-21T23:50:00Z"), ("Asia/Tokyo", "2026-11-22T08:50:00+09:00")):
        table = recorder.takes_home("csv", what="rounds", zone=zone).decode()
        assert next(csv.DictReader(io.StringIO(table, newline="")))["opened_at"] == opened
    told = recorder.takes_home("csv", what="events", zone="Europe/Berlin").decode()
    moments = [row["recorded_at"] for row in csv.DictReader(io.StringIO(told, newline=""))]
    assert [datetime.fromisoformat(moment) for moment in moments] == [
        datetime.fromisoformat(row["recorded_at"]) for row in rows(recorder, "events")
    ]
    assert all(moment.endswith("+01:00") for moment in moments)


# --- events ---------------------------------------------------------------------------------------------------------


def test_an_event_is_a_row_with_what_became_of_it(recorder: Recorder) -> None:
    an_evening(recorder)
    told = rows(recorder, "events")
    log = list(recorder.archive.events())
    assert [(int(row["seq"]), row["type"], row["recorded_at"]) for row in told] == [
        (said.seq, plain(said)["type"], said.recorded_at) for said in log
    ]
    (taken_back,) = (row for row in told if row["status"] != "standing")
    assert (taken_back["type"], taken_back["status"]) == ("first_cards_revealed", "taken_back")
    assert told[int(taken_back["corrected_by"]) - 1]["type"] == "event_taken_back"


def test_the_columns_of_an_event_say_all_of_it(recorder: Recorder) -> None:
    an_evening(recorder)
    for row, said in zip(rows(recorder, "events"), recorder.archive.events(), strict=True):
        fields = json.loads(row["fields"]) | {"type": row["type"]}
        fields |= {"player": row["player"]} if row["player"] else {}
        fields |= {"note": row["note"].removeprefix("'")} if row["note"] else {}
        of_the_row = {name: told for name, told in plain(said).items() if name in LoggedEvent.__struct_fields__}
        of_the_row |= {"target": fields.pop("seq")} if "seq" in fields else {}
        assert {name: told for name, told in (of_the_row | fields).items() if told is not None} == {
            name: told for name, told in plain(said).items() if told is not None
        }


# --- the mark for Excel ---


def test_a_mark_in_front_says_that_it_is_utf_8_and_nothing_else_changes(recorder: Recorder) -> None:
    an_evening(recorder, ["千恵", "大輔", "春香"])
    for part in ("entries", "rounds", "events"):
        plainly, marked = (
            b"".join(file_of(recorder.archive, "csv", Wanted(part=part, bom=bom)).pieces) for bom in (False, True)
        )
        assert marked == codecs.BOM_UTF8 + plainly
        assert not plainly.startswith(codecs.BOM_UTF8)


# --- words ----------------------------------------------------------------------------------------------------------


@given(st.lists(names, min_size=2, max_size=5))
def test_names_come_back_and_no_cell_is_a_formula(recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    gifts = (
        event("chips_moved", from_="bank", to=f"p{seat + 1}", amount=1, note=who) for seat, who in enumerate(people)
    )
    recorder.reports(*gifts, event("round_opened"), event("round_voided", reason=people[0]))
    assert [row["to_name"] for row in rows(recorder)] == [harmless(name) for name in people]
    assert [row["note"] for row in rows(recorder, "events")[: len(people)]] == [harmless(name) for name in people]
    assert list(rows(recorder, "rounds")[0])[-len(people) :] == [
        f"p{seat} {name}" for seat, name in enumerate(people, 1)
    ]
    for part in ("entries", "rounds", "events"):
        for row in rows(recorder, part):
            for column, cell in row.items():
                assert not begins_like_a_formula(column)
                assert not begins_like_a_formula(cell) or int(cell) < 0, cell


def begins_like_a_formula(cell: str) -> bool:
    """Whether any spreadsheet might calculate it: each passes over other things that are not shown."""
    shown = cell.lstrip("".join(BEFORE))
    return shown.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) or cell.startswith(("\t", "\r", "\n"))


BEFORE = [
    "",
    "\ufeff",
    " ",
    "\u3000",
    "\u00a0",
    "\u200b",
    "\u200e",
    "\u202e",
    "\u2060",
    "\x00",
    "\x1b",
    "\u00ad",
    "\u0301",
    "\u3164",
]


@pytest.mark.parametrize("before", [*BEFORE, "\ufeff\ufeff", " \ufeff\u200b "], ids=ascii)
@pytest.mark.parametrize(
    "sign", ["=", "+", "-", "@", "\t=", "\r=", "\n=", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"]
)
def test_a_text_that_a_spreadsheet_would_calculate_is_marked(sign: str, before: str) -> None:
    assert harmless(f"{before}{sign}1") == f"'{before}{sign}1"


@pytest.mark.parametrize(
    "text", ["", "Aki", "1-2", "a=b", "'=1", "千恵", "\ufeff", "“=1”", "(=1)", "#=", "\ufeffAki=1", "−1"]
)
def test_a_text_that_none_would_calculate_is_left_alone(text: str) -> None:
    assert harmless(text) == text


@given(names)
def test_a_name_that_is_no_formula_is_left_alone(name: str) -> None:
    assert harmless(name) in {name, f"'{name}"}
    assert harmless(name) == name or not name[0].isalnum()
