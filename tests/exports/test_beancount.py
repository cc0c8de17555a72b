"""The ledger for beancount, judged by beancount."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from beancount import loader
from beancount.core.data import Balance, Open, Price, Transaction
from hypothesis import given
from hypothesis import strategies as st

from ledger.books import Balances
from ledger.exports.double_entry import on_one_line
from ledger.language import LANGUAGES, Language
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names
from tests.reckoning.evenings import Evening, evenings
from tests.scorekeeper import event


def read(text: bytes) -> list[Any]:
    """Read a ledger with beancount. Raises AssertionError with what it finds wrong."""
    directives, errors, _ = loader.load_string(text.decode())
    assert not errors, errors
    return directives


def of(kind: type[Any], directives: list[Any]) -> list[Any]:
    return [directive for directive in directives if isinstance(directive, kind)]


def accounts(directives: list[Any]) -> dict[str, str]:
    """Which of our accounts each of theirs is."""
    names = {each.account: each.account.rpartition(":")[2].lower() for each in of(Open, directives)}
    return {each.account: each.meta.get("player", names[each.account]) for each in of(Open, directives)}


def balances(directives: list[Any]) -> dict[str, int]:
    """What the transactions come to."""
    held: dict[str, int] = defaultdict(int)
    for transaction in of(Transaction, directives):
        for posting in transaction.postings:
            assert posting.units.currency == "CHIP"
            held[accounts(directives)[posting.account]] += int(posting.units.number)
    return {account: chips for account, chips in held.items() if chips}


def test_an_entry_is_a_transaction_with_all_that_is_known_of_it(recorder: Recorder) -> None:
    an_evening(recorder)
    entries = list(recorder.archive.entries())
    told = sorted(of(Transaction, read(recorder.takes_home("beancount"))), key=lambda each: each.meta["entry"])
    assert [
        (t.meta["reason"], t.meta["entry"], t.meta["seq"], t.meta.get("round"), t.meta.get("reverses")) for t in told
    ] == [(e.reason, e.id, e.seq, e.round, e.reverses) for e in entries]
    assert [t.postings[1].units.number for t in told] == [e.amount for e in entries]


@pytest.mark.parametrize(
    ("language", "payee", "narration"),
    [("en", "Gift", "between rounds, takes back entry 1"), ("ja", "譲渡", "局と局の間、仕訳1の取り消し")],
)
def test_a_person_reads_why_and_where_in_words(
    recorder: Recorder, language: Language, payee: str, narration: str
) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=5))
    recorder.reports(event("event_taken_back"))
    _, reversal = of(Transaction, read(recorder.takes_home("beancount", language)))
    assert (reversal.payee, reversal.narration) == (payee, narration)


def test_house_rules_stand_on_top_in_words_and_those_that_differ_are_marked(recorder: Recorder) -> None:
    recorder.opens(["青木", "Ben"], rules={"bet": 3})
    told = {language: recorder.takes_home("beancount", language).decode() for language in LANGUAGES}
    assert {";   * Bet: 3 (usually: 1)", ";   Tie: The bet goes back"} <= set(told["en"].splitlines())
    assert {";   ＊張り：3（通常は1）", ";   引き分けの扱い：張りが戻る"} <= set(told["ja"].splitlines())


@pytest.mark.parametrize(
    ("zone", "days"),
    [
        ("UTC", ["2026-11-21", "2026-11-22"]),
        ("Asia/Tokyo", ["2026-11-22"] * 2),
        ("America/New_York", ["2026-11-21"] * 2),
    ],
)
def test_days_are_the_readers(recorder: Recorder, zone: str, days: list[str]) -> None:
    """Nobody's evening is torn in two because it is midnight in Greenwich."""
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(hours=14))
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(hours=2))
    told = of(Transaction, read(recorder.takes_home("beancount", zone=zone)))
    assert [(str(each.date), each.meta["recorded_at"][11:]) for each in told] == list(
        zip(days, ["23:00:00Z", "01:00:00Z"], strict=True)
    )


def test_people_keep_their_names_and_those_who_share_one_stay_apart(recorder: Recorder) -> None:
    recorder.opens(["青木", "佐藤", "佐藤", "山田 太郎", "Zoë O'Neil"])
    recorder.reports(*(event("chips_moved", from_="bank", to=f"p{seat}", amount=seat) for seat in range(1, 6)))
    directives = read(recorder.takes_home("beancount"))
    assert [account.partition(":Seat:")[2] for account in accounts(directives) if "Seat" in account] == [
        *("S01-青木", "S02-佐藤", "S03-佐藤", "S04-山田-太郎", "S05-Zoë-O-Neil")
    ]
    assert balances(directives) == recorder.balances


def test_a_reversal_is_tagged_and_linked_to_what_it_takes_back(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=5))
    recorder.reports(event("event_taken_back"))
    gift, reversal = of(Transaction, read(recorder.takes_home("beancount")))
    assert (gift.tags, reversal.tags) == (frozenset(), {"reversal"})
    assert gift.links < reversal.links


def test_whose_coming_was_taken_back_has_an_account_all_the_same(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(
        event("balances_brought", balances=[{"name": "Rin", "balance": 5}, {"player": "p1", "balance": -5}])
    )
    recorder.reports(event("event_taken_back"))
    directives = read(recorder.takes_home("beancount"))
    assert (len(of(Transaction, directives)), balances(directives)) == (4, {})


def test_bean_check_finds_nothing_wrong(recorder: Recorder, tmp_path: Path) -> None:
    an_evening(recorder, chip_value={"currency": "JPY", "per_chip": "12.5"})
    file = tmp_path / "books.beancount"
    file.write_bytes(recorder.takes_home("beancount"))
    checked = subprocess.run(
        [sys.executable, "-m", "beancount.scripts.check", str(file)], check=False, capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_books_of_two_evenings_are_included_in_one_file(recorder: Recorder, tmp_path: Path) -> None:
    books, evenings = tmp_path / "books.beancount", list[Balances]()
    for number in (1, 2):
        an_evening(recorder, chip_value={"currency": "JPY", "per_chip": "12.5"})
        (tmp_path / f"{number}.beancount").write_bytes(recorder.takes_home("beancount"))
        evenings.append(recorder.balances)
    books.write_text('include "1.beancount"\ninclude "2.beancount"\n')
    directives, errors, _ = loader.load_file(str(books))
    assert not errors
    assert len({each.account for each in of(Open, directives)}) == 2 * 5
    assert balances(directives) == {account: 2 * chips for account, chips in evenings[0].items()}


@pytest.mark.parametrize("note", ["a loan", 'say "\\', *HOSTILE])
def test_a_note_of_chips_stands_with_them(recorder: Recorder, note: str) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=5, note=note))
    recorder.reports(
        event("event_amended", seq=1, event=event("chips_moved", from_="bank", to="p1", amount=6, note="six"))
    )
    told = of(Transaction, read(recorder.takes_home("beancount")))
    assert [each.meta.get("note") for each in told] == [on_one_line(note) or None, None, "six"]


def test_every_balance_is_asserted_after_each_day(recorder: Recorder) -> None:
    an_evening(recorder)
    asserted = of(Balance, read(recorder.takes_home("beancount")))
    assert {each.date for each in asserted} == {date(2026, 11, 22), date(2026, 11, 23)}
    assert len(asserted) == 2 * 5
    after = {each.account: int(each.amount.number) for each in asserted if each.date == date(2026, 11, 23)}
    assert sorted(chips for chips in after.values() if chips) == sorted(recorder.balances.values())


def test_beancount_would_find_an_amount_that_was_changed(recorder: Recorder) -> None:
    an_evening(recorder)
    text = recorder.takes_home("beancount")
    changed = text.replace(b"  -15 CHIP", b"  -16 CHIP").replace(b"  15 CHIP", b"  16 CHIP")
    assert changed != text
    with pytest.raises(AssertionError, match="Balance failed"):
        read(changed)


def test_an_empty_session_is_a_ledger(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    assert of(Transaction, read(recorder.takes_home("beancount"))) == []


def test_chips_have_a_price_where_they_have_a_value(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "EUR", "per_chip": "0.25"})
    (price,) = of(Price, read(recorder.takes_home("beancount")))
    assert (price.currency, str(price.amount)) == ("CHIP", "0.25 EUR")


@pytest.mark.parametrize("per_chip", ["10", "0.50", "0.000000000001", "999999999999.999999999999"])
def test_any_value_of_a_chip_that_a_session_takes_is_no_harm(recorder: Recorder, per_chip: str) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "JPY", "per_chip": per_chip})
    read(recorder.takes_home("beancount"))


def test_a_clock_that_was_set_back_does_not_turn_the_days_around(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(days=2))
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(days=-3))
    told = of(Transaction, read(recorder.takes_home("beancount")))
    assert [each.date for each in told] == [date(2026, 11, 23)] * 2
    assert [each.meta["recorded_at"] for each in told] == ["2026-11-23T09:00:00Z", "2026-11-20T09:00:00Z"]


@given(st.lists(names, min_size=2, max_size=5))
def test_names_come_back_on_one_line(recorder: Recorder, people: list[str]) -> None:
    names_come_back(recorder, people)


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_hostile_names_come_back_on_one_line(recorder: Recorder, start: int) -> None:
    names_come_back(recorder, [*HOSTILE[start : start + 5], "Ben"][:5])


def names_come_back(recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    recorder.reports(
        *(event("chips_moved", from_="bank", to=f"p{seat}", amount=1) for seat in range(1, len(people) + 1))
    )
    directives, errors, options = loader.load_string(recorder.takes_home("beancount").decode())
    assert not errors
    assert options["title"] == on_one_line(people[0])
    told = {each.meta["player"]: each.meta["name"] for each in of(Open, directives) if "player" in each.meta}
    assert told == {f"p{seat}": on_one_line(name) for seat, name in enumerate(people, 1)}
    for each, name in zip(of(Open, directives)[2:], people, strict=True):
        assert set(each.account.partition(":Seat:")[2].partition("-")[2]) <= {"-", *normalize("NFKC", name)}
    assert balances(directives) == recorder.balances


@pytest.mark.parametrize("game", ["shirinma", "shippin", "kakkuri"])
def test_beancount_finds_nothing_wrong_with_any_evening(recorder: Recorder, game: str) -> None:
    @given(evenings(game, corrections=True))
    def judge(state: Evening) -> None:
        recorder.opens(**state.opening)
        for reported in state.events:
            recorder.reports(reported, after=timedelta(minutes=45))
        assert balances(read(recorder.takes_home("beancount"))) == recorder.balances

    judge()
