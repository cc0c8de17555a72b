"""A disk without any room: what can be read and taken home still can, what cannot be kept is said, and it goes on.

The disk is one of our own (a tmpfs), also for temporary files; where none can be mounted, this is left out.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger.exports import FORMATS
from tests.scorekeeper import Json, event
from tests.service import ROOT, Client, Service

pytestmark = [pytest.mark.endurance, pytest.mark.sqlite("its files are on a disk that is full")]

MOVED: Json = event("chips_moved", from_="bank", to="p1", amount=5, note="x" * 400)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(mounted)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield mounted
    subprocess.run(["umount", "-l", str(mounted)], check=True)  # noqa: S607 - found as mount was


def fill(disk: Path) -> Path:
    """Leave not a byte of room."""
    filling = disk / "filling"
    with filling.open("ab", buffering=0) as file:
        for size in (1 << 16, 1 << 9, 1):
            try:
                while file.write(b"x" * size) == size:
                    pass
            except OSError:
                continue
    return filling


def gets(service: Service, client: Client, what: str) -> tuple[int, str | None, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", service.port)) as connection:
        connection.request("GET", f"{client.address}/{what}", headers={"Authorization": f"Bearer {client.token}"})
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"], answer.read()


def test_a_full_disk_keeps_nobody_from_reading_and_taking_home_and_recording_goes_on(disk: Path) -> None:
    environment = {"TMPDIR": str(disk), "SQLITE_TMPDIR": str(disk)}
    with Service(disk / "ledger.db", environment=environment) as service, service.client() as client:
        client.opens("shippin")
        for _ in range(3):
            assert client.tries(*[MOVED] * 500).status == 201
        filling = fill(disk)
        refused = client.tries(*[MOVED] * 500)
        assert (refused.status, refused.body["code"]) == (507, "store_full")
        unmade = client.asks("POST", "/v1/sessions", {"game": "shippin", "players": ["Aki", "Ben"]})
        assert (unmade.status, unmade.body["code"]) in {(507, "store_full"), (201, None)}
        for what in ("rounds", "ledger", "settlement", "statistics", "verify", "chart.svg", "events", "links"):
            assert gets(service, client, what)[0] == 200, what
        for form in FORMATS:
            status, kind, file = gets(service, client, f"export.{form}")
            assert (status, kind) == (200, FORMATS[form].media_type), (form, file[:300])
        assert client.asks("GET", "/readyz").status == 200
        filling.unlink()
        assert client.looks()["seq"] == 1500
        assert client.tries(MOVED).body["events"][0]["seq"] == 1501
        assert client.looks("/verify")["findings"] == []
        assert "Traceback" not in service.said


def test_a_service_that_starts_on_a_full_disk_is_read_from_and_records_once_there_is_room(disk: Path) -> None:
    service = Service(disk / "ledger.db", environment={"TMPDIR": str(disk.parent)})
    service._said = disk.parent / "said"  # what it says has room
    with service:
        with service.client() as client:
            client.opens("shippin")
            assert client.tries(*[MOVED] * 500).status == 201
            service.kill()
            filling = fill(disk)
            service.start()
        with service.client() as again:
            again.session_id, again.token = client.session_id, client.token
            assert again.looks()["seq"] == 500
            assert again.tries(MOVED).status == 507
            filling.unlink()
            assert again.tries(MOVED).status == 201
            assert again.looks("/verify")["findings"] == []
        assert "Traceback" not in service.said


def test_a_backup_on_a_full_disk_leaves_nothing_and_an_older_one_as_it_is(disk: Path, tmp_path: Path) -> None:
    database = tmp_path / "ledger.db"
    with Service(database) as service, service.client() as client:
        client.opens("shippin")
        assert client.tries(*[MOVED] * 500).status == 201
        assert backs_up(database, disk / "monday.db").returncode == 0
        before = (disk / "monday.db").read_bytes()
        filling = fill(disk)
        for room in (0, 1 << 14, len(before) // 2):  # none at all, for a file, for a part of it
            os.truncate(filling, filling.stat().st_size - room)
            failed = backs_up(database, disk / "tuesday.db")
            assert failed.returncode == 1
            assert f"Error: The disk that {disk} is on is full: make room on it" in (" ".join(failed.stderr.split()))
            assert "Traceback" not in failed.stderr
            assert {file.name for file in disk.iterdir()} == {"filling", "monday.db", "monday.db-lock"}
            assert (disk / "monday.db").read_bytes() == before
            fill(disk)
        filling.unlink()
        assert backs_up(database, disk / "tuesday.db").returncode == 0
        assert (disk / "tuesday.db").stat().st_size == len(before)


def backs_up(database: Path, to: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ledger", "backup", str(to)],
        cwd=ROOT,
        env={**os.environ, "LEDGER_DATABASE": str(database)},
        check=False,
        capture_output=True,
        text=True,
    )
