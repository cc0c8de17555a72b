"""The ledger for programs of double-entry bookkeeping, judged by hledger, Ledger and beancount."""

from __future__ import annotations

import csv
import os
import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from beancount import loader
from beancount.core.data import Open, Price, Transaction
from hypothesis import given
from hypothesis import strategies as st

from ledger.exports.double_entry import on_one_line
from ledger.i18n.language import LANGUAGES, Language
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names, rounds_of_other_days, tool
from tests.reckoning.evenings import Evening, evenings
from tests.scorekeeper import event

Judged = Callable[..., None]

RENDERED = {"hledger": "journal", "ledger": "journal", "beancount": "beancount"}
COMMANDS = {
    "hledger": ("balance", "--no-total", "-O", "csv"),
    "ledger": ("balance", "--flat", "--no-total", "--format", "%(account),%(quantity(scrub(display_total)))\n"),
}


def ask(program: str, file: Path, *command: str) -> str:
    options = ["--args-only", "--pedantic"] if program == "ledger" else []
    variables = {**os.environ, "LC_ALL": "C.UTF-8"}
    asked = [tool(program), *options, "-f", str(file), *command]
    told = subprocess.run(asked, capture_output=True, check=False, env=variables, encoding="utf-8")
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    return told.stdout


def read(file: Path) -> list[Any]:
    directives, errors, _ = loader.load_file(str(file))
    assert not errors, errors
    return list(directives)


def of(kind: type[Any], directives: list[Any]) -> list[Any]:
    return [each for each in directives if isinstance(each, kind)]


def balances(program: str, file: Path) -> dict[str, int]:
    """Have a program check a file; give what every account holds, by player, pot and bank."""
    if program == "hledger":
        ask("hledger", file, "check", "--strict")
        ask("hledger", file, "check", "ordereddates")
    if program == "beancount":
        postings = [posting for each in of(Transaction, read(file)) for posting in each.postings]
        lines = [[posting.account, str(posting.units.number)] for posting in postings]
    else:
        lines = list(csv.reader(ask(program, file, *COMMANDS[program]).splitlines()))[program == "hledger" :]
    held: dict[str, int] = {}
    for theirs, chips in lines:
        seat = re.search(r":seat:s?(\d+)", theirs.lower())
        account = f"p{int(seat[1])}" if seat else theirs.lower().rpartition(":")[2]
        held[account] = held.get(account, 0) + int(chips.removesuffix(" CHIP"))
    return {account: chips for account, chips in held.items() if chips}


@pytest.fixture(params=RENDERED)
def judged(request: pytest.FixtureRequest, tmp_path: Path) -> Judged:
    """Have a program judge the recorder's books: it finds nothing wrong, and the same balances."""

    def judge(recorder: Recorder, language: Language = "en") -> None:
        file = tmp_path / f"books.{RENDERED[request.param]}"
        file.write_bytes(recorder.exports(RENDERED[request.param], language))
        assert balances(request.param, file) == recorder.balances

    return judge


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("per_chip", [None, "12.5", "0.000000000001", "999999999999.999999999999"])
def test_every_program_finds_the_balances(
    judged: Judged, recorder: Recorder, language: Language, per_chip: str | None
) -> None:
    value = per_chip and {"currency": "JPY", "per_chip": per_chip}
    an_evening(recorder, ["青木", "佐藤", "佐藤"], chip_value=value, name="x\ninclude y")
    judged(recorder, language)


def test_days_never_go_back(judged: Judged, recorder: Recorder) -> None:
    """Neither where rounds were entered later, nor where the clock of the service was set back."""
    rounds_of_other_days(recorder, chip_value={"currency": "JPY", "per_chip": "10"})
    judged(recorder)
    days = re.findall(r"^(2026-\S+) \*", recorder.exports("journal").decode(), re.MULTILINE)
    assert (days[0], days) == ("2026-11-18", sorted(days))
    recorder.opens(["Aki", "Ben"])
    for later in (2, -3):
        recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(days=later))
    assert re.findall(rb"^(\S+) \*", recorder.exports("journal"), re.MULTILINE) == [b"2026-11-23", b"2026-11-23"]
    assert b"recorded_at:2026-11-20T09:00:00Z" in recorder.exports("journal")
    judged(recorder)


def test_a_player_whose_joining_was_taken_back_has_an_account(judged: Judged, recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    judged(recorder)
    brought = [{"name": "Rin", "balance": 5}, {"player": "p1", "balance": -5}]
    recorder.reports(event("balances_brought", balances=brought), event("event_taken_back"))
    judged(recorder)


@pytest.mark.parametrize("program", RENDERED)
def test_every_program_would_find_an_amount_that_was_changed(recorder: Recorder, tmp_path: Path, program: str) -> None:
    an_evening(recorder)
    text = recorder.exports(RENDERED[program])
    file = tmp_path / f"books.{RENDERED[program]}"
    file.write_bytes(text.replace(b"  -15 CHIP", b"  -16 CHIP").replace(b"  15 CHIP", b"  16 CHIP"))
    with pytest.raises(AssertionError, match=r"(?i)balance ?(assertion|error)"):
        balances(program, file)


@pytest.mark.parametrize("program", RENDERED)
def test_books_of_two_evenings_are_included_in_one_file(recorder: Recorder, tmp_path: Path, program: str) -> None:
    form, books = RENDERED[program], tmp_path / f"books.{RENDERED[program]}"
    for number in (1, 2):
        an_evening(recorder, chip_value={"currency": "JPY", "per_chip": "12.5"})
        (tmp_path / f"{number}.{form}").write_bytes(recorder.exports(form))
    quote = '"' if form == "beancount" else ""
    books.write_text("".join(f"include {quote}{number}.{form}{quote}\n" for number in (1, 2)))
    assert balances(program, books) == {account: 2 * chips for account, chips in recorder.balances.items()}


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_hostile_names_and_notes_do_no_harm(judged: Judged, recorder: Recorder, start: int) -> None:
    bought(recorder, [*HOSTILE[start : start + 5], "Ben"][:5])
    judged(recorder)


@given(st.lists(names, min_size=2, max_size=5))
def test_names_and_notes_come_back_on_one_line(
    tmp_path_factory: pytest.TempPathFactory, recorder: Recorder, people: list[str]
) -> None:
    bought(recorder, people)
    file = tmp_path_factory.getbasetemp() / "books.beancount"
    file.write_bytes(recorder.exports("beancount"))
    directives = read(file)
    told = {each.meta["player"]: each.meta["name"] for each in of(Open, directives) if "player" in each.meta}
    assert told == {f"p{seat}": on_one_line(name) for seat, name in enumerate(people, 1)}
    notes = [each.meta.get("note") for each in of(Transaction, directives)]
    assert notes == [on_one_line(name) or None for name in people]
    journal = file.with_suffix(".journal")
    journal.write_bytes(recorder.exports("journal"))
    ask("hledger", journal, "check", "--strict")
    for seat, name in enumerate(people, 1):
        (found,) = ask("hledger", journal, "tags", "--values", "^name$", f":seat:{seat:02}").splitlines() or [""]
        assert found.strip() == on_one_line(name).replace(",", "，").strip()


def bought(recorder: Recorder, people: list[str]) -> None:
    """Have everybody buy a chip, with their own name for a note."""
    recorder.opens(people, name=people[0])
    moved = ({"to": f"p{seat}", "note": name} for seat, name in enumerate(people, 1))
    recorder.reports(*(event("chips_moved", from_="bank", amount=1, **each) for each in moved))


@pytest.mark.parametrize("game", ["shirinma", "shippin", "kakkuri"])
def test_every_program_finds_nothing_wrong_with_any_evening(recorder: Recorder, tmp_path: Path, game: str) -> None:
    @given(evenings(game, corrections=True))
    def judge(state: Evening) -> None:
        recorder.opens(**state.opening)
        for reported in state.events:
            recorder.reports(reported, after=timedelta(minutes=45))
        for program, form in RENDERED.items():
            (tmp_path / f"books.{form}").write_bytes(recorder.exports(form))
            assert balances(program, tmp_path / f"books.{form}") == recorder.balances

    judge()


# --- what people read -----------------------------------------------------------------------------------------------


def test_an_amended_note_and_a_reversal_say_so_in_words(recorder: Recorder, tmp_path: Path) -> None:
    recorder.opens(["青木", "Zoë O'Neil"], rules={"bet": 3}, chip_value={"currency": "EUR", "per_chip": "0.25"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=5, note="five"))
    recorder.reports(event("event_amended", seq=1, event=event("chips_moved", from_="p1", to="p2", amount=6)))
    key, journal = recorder.session_id[:8], recorder.exports("journal").decode()
    assert (
        "2026-11-21 * (2) Gift | between rounds, takes back entry 1  "
        "; entry:2, seq:2, reason:gift, reverses:1, recorded_at:2026-11-21T09:02:00Z\n"
        f"    assets:{key}:seat:02 Zoë O'Neil  -5 CHIP = 0 CHIP\n    assets:{key}:seat:01 青木  5 CHIP = 0 CHIP\n"
    ) in journal
    assert "* (2) 譲渡 | 局と局の間、仕訳1の取り消し  ; entry:2" in recorder.exports("journal", "ja").decode()
    for form in ("journal", "beancount"):
        assert ";   * Bet: 3 (usually: 1)\n" in recorder.exports(form).decode()
        assert ";   ＊張り：3（通常は1）\n" in recorder.exports(form, "ja").decode()
    file = tmp_path / "books.beancount"
    file.write_bytes(recorder.exports("beancount"))
    gift, reversal, amended = of(Transaction, read(file))
    assert (gift.tags, reversal.tags, amended.meta["entry"]) == (frozenset(), {"reversal"}, 3)
    assert (gift.links < reversal.links, gift.meta["note"]) == (True, "five")
    seats = [each.account.partition(":Seat:")[2] for each in of(Open, read(file))]
    assert seats == ["", "", "S01-青木", "S02-Zoë-O-Neil"]
    assert [str(each.amount) for each in of(Price, read(file))] == ["0.25 EUR"]


def test_days_are_the_readers_and_a_change_of_clocks_turns_none_around(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Berlin clocks go back on October 25 at 3: the night has an hour more, and midnight is at 22 o'clock UTC."""
    monkeypatch.setattr("tests.exports.recorder.NINE", datetime(2026, 10, 24, 21, tzinfo=UTC))
    recorder.opens(["Aki", "Ben"])
    recorder.now += timedelta(minutes=59)
    for hours in (0, 1, 2, 22, 1):
        recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(hours=hours))
    journal = recorder.exports("journal", zone="Europe/Berlin").decode()
    assert re.findall(r"^\d+-\d+-(\d+) \*", journal, re.MULTILINE) == ["24", "25", "25", "25", "26"]
    assert "; Days are by the clock of Central European Time" in journal
