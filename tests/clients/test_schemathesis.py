"""Schemathesis reads the description and tries the service: every phase, as every role and as nobody."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.clients.conftest import PROGRAMS, SECONDS, Tools
from tests.scorekeeper import event
from tests.service import Client, Service

pytestmark = pytest.mark.integration

EXAMPLES = 8
"""How many a call is given in each phase that makes them up."""

SECONDS_TO_TRY = 60
"""For all phases together; what is not tried until then is left out."""


def described_for(keeper: Client, path: Path) -> Path:
    """Write the description down, with the one session that is there: only then is an id that is none a wrong one."""
    spec = keeper.asks("GET", "/openapi.json").body
    for calls in spec["paths"].values():
        for parameter in calls.get("parameters", ()):
            if parameter["name"] == "session_id":
                parameter["schema"] = {"type": "string", "enum": [keeper.session_id]}
                parameter["example"] = keeper.session_id
    path.write_text(json.dumps(spec), "utf-8")
    return path


@pytest.mark.parametrize("role", ["owner", "scorer", "viewer", None])
def test_schemathesis_finds_nothing(tools: Tools, tmp_path: Path, role: str | None) -> None:
    """A session of the smallest game with a round in it; a link that is handed out may be revoked meanwhile."""
    program = tools.python / "schemathesis"
    tools.needs(program)
    with Service(tmp_path / "ledger.db") as service, service.client() as keeper:
        keeper.opens("shippin")
        keeper.tries(event("round_opened"), event("bet_placed", player="p2", column=1))
        made = keeper.asks("POST", f"{keeper.address}/links", {"role": role}) if role else None
        token = made.body["token"] if made else ""
        done = subprocess.run(
            [
                *(program, "--config-file", PROGRAMS / "schemathesis.toml", "run"),
                *("--phases", "examples,coverage,fuzzing,stateful", "--max-examples", str(EXAMPLES), "--seed", "1"),
                *("--max-time", str(SECONDS_TO_TRY)),
                *("--exclude-operation-id", "stream_events"),  # it is open for a minute each time
                *("--continue-on-failure", "--suppress-health-check", "all", "--no-color"),
                *(("--header", f"Authorization: Bearer {token}") if token else ()),
                *("--url", f"http://127.0.0.1:{service.port}"),
                described_for(keeper, tmp_path / "openapi.json"),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        keeper.hangs_up()  # the service closed its idle connection; the next request opens another
        assert keeper.looks("/verify")["ok"]
