"""A recorder: opens sessions at a service, without HTTP, reports events, and exports the books."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from hypothesis import strategies as st

from ledger.exports import export
from ledger.exports.options import ExportOptions
from ledger.i18n.language import Language
from ledger.services.recording import Request
from ledger.services.sessions import SessionService
from ledger.session.history import Session
from ledger.storage.address import open_store
from schemas.loading import load_event, loaded
from schemas.sessions import NewSession
from tests.api.rounds import first_cards, second_cards
from tests.databases import kept_at
from tests.scorekeeper import Json, event

NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


def as_earlier_releases_did() -> AbstractContextManager[object]:
    """Take texts that are asked to be one line today, or to show something: there are such in databases."""
    taken: dict[str, Any] = {"unfit": lambda *_, **__: None, "shows_nothing": lambda text: not text.strip()}
    patched: AbstractContextManager[object] = patch.multiple("schemas.fields", **taken)
    return patched


class Recorder:
    """Records at a service of its own. `now` is what its clock says; `by` is whose link the reports come from."""

    def __init__(self, database: Path) -> None:
        store = open_store(kept_at(database))
        store.engine.prepare()
        self.now = NINE
        self.service = SessionService(store, clock=lambda: self.now)
        self.session_id = self.by = ""

    def opens(self, players: Sequence[str], game: str = "shippin", **opening: Any) -> None:
        """Open a session at nine o'clock."""
        self.now = NINE
        with as_earlier_releases_did():
            opened = loaded(NewSession, {"game": game, "players": list(players), **opening}).opening()
        session, link, _ = self.service.open(opened)
        self.session_id, self.by = session.id, link.id

    def reports(self, *events: Json, after: timedelta = timedelta(minutes=1)) -> None:
        """Report events in one request, a while after the last."""
        self.now += after
        with as_earlier_releases_did():
            read = [load_event(reported) for reported in events]
        self.service.recorder.record(self.session_id, read, Request(by=self.by))

    @property
    def session(self) -> Session:
        return self.service.session(self.session_id)

    @property
    def balances(self) -> dict[str, int]:
        """What every account holds that was ever used, in chips."""
        return {account: held for account, held in self.session.state.balances.items() if held}

    def exports(self, form: str, language: Language = "en", what: str | None = None, zone: str = "UTC") -> bytes:
        options = ExportOptions(language, ZoneInfo(zone), what)
        return export(self.session, self.service.store, form, options).content


def shippin(bets: dict[str, int], dealer: str) -> list[Json]:
    """A whole round of Shippin; `bets` says who bets on which column. The dealer wins or loses them all."""
    return [
        event("round_opened"),
        *(event("bet_placed", player=player, column=column) for player, column in bets.items()),
        second_cards("3", "3", "3", "3", dealer="7"),
        first_cards("5", "5", "5", "5", dealer={"wins": "2", "loses": "7"}[dealer]),
    ]


def an_evening(recorder: Recorder, players: Sequence[str] = ("Aki", "Ben", "Chie"), **opening: Any) -> None:
    """Record what makes every kind of row: buy-ins, rounds, one voided, one taken back, one open, over midnight."""
    recorder.opens(players, **opening)
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=1000), after=timedelta(hours=14))
    recorder.reports(*shippin({"p2": 1, "p3": 2}, dealer="wins"), after=timedelta(minutes=50))
    recorder.reports(*shippin({"p2": 1, "p3": 2}, dealer="loses"), after=timedelta(minutes=20))
    recorder.reports(event("event_taken_back"))
    recorder.reports(event("round_voided", reason="a card lay face up"))
    recorder.reports(event("chips_moved", from_="p1", to="p3", amount=15, note="=a loan"))
    recorder.reports(event("round_opened"), event("bet_placed", player="p2", column=4))


def entered(day: str | None, amount: int) -> Json:
    """A round by its totals, perhaps with its day: p1 pays p2."""
    said = {"played_on": day} if day else {}
    return event("round_entered", payments={"p1": amount}, payouts={"p2": amount}, **said)


def rounds_of_other_days(recorder: Recorder, **opening: Any) -> None:
    """Rounds of three days, recorded on the 21st of November in another order; one was put on the wrong day first."""
    recorder.opens(["Aki", "Ben"], **opening)
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=100), entered(None, 5))
    recorder.reports(entered("2026-11-20", 7), entered("2026-11-17", 9), entered(None, 11))
    recorder.reports(event("event_amended", seq=4, event=entered("2026-11-18", 9)))
    recorder.reports(entered("2026-11-18", 20), event("event_taken_back"), entered("2026-11-20", 1))


HOSTILE = (
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "'=1", '=HYPERLINK("http://[::1]")', '"', "''", "a,b;c", "a\nb"),
    *("a\r\nb", "\x1b[31m", "\x7f\x85", "千恵", "山田 太郎", "🎴 👨\u200d👩\u200d👧", "שירה", "\u202eevil", "\u200f"),
    *(
        "a\u2069b\u2066",
        "<b>x</b>",
        "</style><script>alert(1)</script>",
        "<r>x</r>",
        "<r></is></c><v>1 & 1</r>",
        "&amp;",
    ),
    *(
        "_x0041_",
        "\\",
        "\\n",
        '\\"',
        "{{ 7 * 7 }}",
        "a: b, c:d",
        "  two  spaces  ",
        "; comment",
        "|",
        "p2",
        "pot",
        "(a)",
    ),
    *("(a)", "[b]", "*", "!", "\ufffe\uffff", "\ufeffx", "é", "e\u0301", "ﬁ", "Ⅷ", "٣", "a\u2028b", "\u3000x\u3000"),
    *(
        "#tag",
        "^link",
        "Assets:Pot",
        "%s",
        "長" * 100,
        "Round",
        "round",
        "[2026-13-41]",
        "date:2020-01-01",
        ":tag:",
        "x:: (1",
    ),
)

names = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=100),
).filter(str.strip)
"""What people may be called: anything that can be typed, and what is hard on one format or another."""


def tool(name: str) -> str:
    """Find a program that judges an export, or skip the test."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found
