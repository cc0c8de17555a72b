"""The books as CSV: entries, rounds, events."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec.encoding import plain
from ledger.exports.csv import harmless
from ledger.responses.events import LoggedEvent
from tests.exports.recorder import Recorder, an_evening, entered, names, rounds_of_other_days
from tests.scorekeeper import event


def rows(recorder: Recorder, what: str | None = None, zone: str = "UTC") -> list[dict[str, str]]:
    text = recorder.exports("csv", what=what, zone=zone).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_each_entry_has_what_both_hold_and_won_by_then(recorder: Recorder) -> None:
    an_evening(recorder)
    recorder.reports(event("settlement_paid", from_="p2", to="p1", amount=2), event("event_taken_back"))
    held, won = defaultdict[str, int](int), defaultdict[str, int](int)
    entries = rows(recorder)
    assert entries == rows(recorder, "entries")
    for number, row in enumerate(entries, 1):
        outside = row["reason"] in {"buy_in", "gift", "settlement_paid"}
        for sums in (held,) if outside else (held, won):
            sums[row["from"]] -= int(row["amount"])
            sums[row["to"]] += int(row["amount"])
        payer, payee = row["from"], row["to"]
        assert [int(row[key]) for key in ("id", "from_balance", "to_balance", "from_won", "to_won")] == [
            *(number, held[payer], held[payee], won[payer], won[payee])
        ]
        if row["reverses"]:
            old = entries[int(row["reverses"]) - 1]
            assert (payer, payee, row["amount"]) == (old["to"], old["from"], old["amount"])
    assert {account: chips for account, chips in held.items() if chips} == recorder.balances
    assert any(row["reverses"] for row in entries)


def test_a_round_is_a_row(recorder: Recorder) -> None:
    an_evening(recorder)
    first, voided, opened = rows(recorder, "rounds")
    assert [(row["round"], row["status"]) for row in (first, voided, opened)] == [
        *(("1", "settled"), ("2", "void"), ("3", "recording"))
    ]
    assert first["opened_at"] == "2026-11-21T23:50:00Z"
    assert rows(recorder, "rounds", "Asia/Tokyo")[0]["opened_at"] == "2026-11-22T08:50:00+09:00"
    assert (first["explanation"][:9], opened["explanation"], opened["next_dealer"]) == ("Aki dealt", "", "")
    assert "この局は無効になりました" in recorder.exports("csv", "ja", "rounds").decode()
    nets = [[row[player] for player in ("p1 Aki", "p2 Ben", "p3 Chie")] for row in (first, voided)]
    assert nets == [["2", "-1", "-1"], ["0", "0", "0"]]
    assert (opened["p2 Ben"], opened["paid_in"], opened["pot"]) == ("-1", "1", "1")


def test_who_did_not_sit_in_a_round_has_an_empty_cell(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    voided = [event("round_opened"), event("round_voided", reason="?")]
    recorder.reports(*voided, event("player_joined", name="Chie"), *voided)
    assert [row["p3 Chie"] for row in rows(recorder, "rounds")] == ["", "0"]


def test_rounds_and_entries_have_the_day_on_which_was_played(recorder: Recorder) -> None:
    rounds_of_other_days(recorder)
    days = ["2026-11-21", "2026-11-20", "2026-11-18", "2026-11-21", "2026-11-20"]
    assert [row["played_on"] for row in rows(recorder, "rounds")] == days
    assert {row["opened_at"][:10] for row in rows(recorder, "rounds")} == {"2026-11-21"}
    assert {(row["round"], row["played_on"]) for row in rows(recorder) if not row["reverses"]} >= {
        *(("", "2026-11-21"), *((str(number), day) for number, day in enumerate(days, 1)))
    }
    recorder.opens(["Aki", "Ben"], played_on="2026-11-14")
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=100), entered(None, 5))
    assert {row["played_on"] for row in (*rows(recorder), *rows(recorder, "rounds"))} == {"2026-11-14"}


def test_the_columns_of_an_event_say_all_of_it(recorder: Recorder) -> None:
    an_evening(recorder)
    table = rows(recorder, "events")
    for row, logged in zip(table, recorder.service.events(recorder.session_id, 0, 99), strict=True):
        fields = json.loads(row["fields"]) | {"type": row["type"]}
        fields |= {key: row[key].removeprefix("'") for key in ("player", "note") if row[key]}
        of_the_row = {name: value for name, value in plain(logged).items() if name in LoggedEvent.__struct_fields__}
        of_the_row |= {"target": fields.pop("seq")} if "seq" in fields else {}
        assert {name: value for name, value in (of_the_row | fields).items() if value is not None} == {
            name: value for name, value in plain(logged).items() if value is not None
        }
    (taken_back,) = (row for row in table if row["status"] != "standing")
    assert (taken_back["type"], taken_back["status"]) == ("first_cards_revealed", "taken_back")
    assert table[int(taken_back["corrected_by"]) - 1]["type"] == "event_taken_back"


# --- words ----------------------------------------------------------------------------------------------------------

BEFORE = ["", *"\ufeff \u3000\u00a0\u200b\u202e\x00\x1b\u0301\u3164", " \ufeff\u200b "]
"""What spreadsheets pass over."""

SIGNS = ["\t=", "\r=", "\n=", *"=+-@＝＋－＠﹦﹢﹣﹫"]


@given(st.lists(names, min_size=2, max_size=5))
def test_names_come_back_and_no_cell_is_a_formula(recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    gifts = ({"to": f"p{seat}", "note": name} for seat, name in enumerate(people, 1))
    recorder.reports(*(event("chips_moved", from_="bank", amount=1, **gift) for gift in gifts))
    recorder.reports(event("round_opened"), event("round_voided", reason=people[0]))
    assert [row["to_name"] for row in rows(recorder)] == [harmless(name) for name in people]
    assert [row["note"] for row in rows(recorder)] == [harmless(name) for name in people]
    assert list(rows(recorder, "rounds")[0])[-len(people) :] == [f"p{n} {name}" for n, name in enumerate(people, 1)]
    for row in (row for part in ("entries", "rounds", "events") for row in rows(recorder, part)):
        for cell in (*row, *row.values()):
            begins = cell.lstrip("".join(BEFORE)).startswith(tuple(SIGNS)) or cell.startswith(("\t", "\r", "\n"))
            assert not begins or int(cell) < 0, cell


@pytest.mark.parametrize("before", BEFORE, ids=ascii)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_text_that_a_spreadsheet_would_calculate_is_marked(sign: str, before: str) -> None:
    assert harmless(f"{before}{sign}1") == f"'{before}{sign}1"


@pytest.mark.parametrize("text", ["", "Aki", "1-2", "a=b", "'=1", "千恵", "\ufeff", "“=1”", "\ufeffAki=1", "−1"])
def test_a_text_that_none_would_calculate_is_left_alone(text: str) -> None:
    assert harmless(text) == text
