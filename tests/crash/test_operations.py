"""What an operator does to a running service, under load: it is stopped, reloaded, upgraded, loses a worker.

Nothing acknowledged is lost by any of these. While it is reloaded or upgraded nobody is refused a connection; whoever
was on a connection that was closed under them has one more try, with the same key, and needs no other.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.crash.test_kill import assert_nothing_is_wrong, witnesses_at
from tests.crash.witnesses import Losses, Witness, all_repeated, at_work, losses_of, so_much_is_answered
from tests.service import Service, is_alive
from tests.waiting import eventually

pytestmark = pytest.mark.endurance

TIMES = 3
SECONDS = 300
"""How long anything may take on a busy machine."""

STARTED_BY = {
    "gunicorn": [
        str(Path(sys.executable).parent / "gunicorn"),
        "-c",
        "python:ledger.serving.gunicorn_config",
        "wsgi:app",
    ],
    "serve": [sys.executable, "-m", "ledger", "serve"],
}
started_both_ways = pytest.mark.parametrize("command", STARTED_BY.values(), ids=STARTED_BY)


class Operated(Service):
    """A service whose first process may make room for another."""

    successor: int | None = None

    @property
    def pid(self) -> int:
        """Whom an operator's signals are for."""
        if self.successor is not None:
            return self.successor
        assert self._process is not None
        return self._process.pid

    def stop(self, within: float | None = None) -> None:
        if self.successor is None:
            super().stop(within)
        else:
            os.kill(self.successor, signal.SIGTERM)
            eventually(lambda: not is_alive(self.pid), SECONDS)

    def kill(self) -> None:
        """Kill whatever was started, and whatever that has started."""
        super().kill()
        for left in [*self.workers, *([self.successor] if self.successor else [])]:
            with suppress(ProcessLookupError):
                os.kill(left, signal.SIGKILL)

    def reloads(self) -> None:
        """SIGHUP: other workers take the place of these."""
        old = self.workers
        os.kill(self.pid, signal.SIGHUP)
        eventually(lambda: not any(map(is_alive, old)) and len(self.workers) == len(old) and self.is_ready(), SECONDS)

    def is_upgraded(self) -> None:
        """USR2 starts another release beside this one, TERM has this one answer what it was asked, and end."""
        old, old_workers = self.pid, self.workers
        while len(self.workers) < 2 * len(old_workers):
            os.kill(old, signal.SIGUSR2)  # one that has itself just taken over does not hear it for a second
            time.sleep(0.5)
        successor = parent_of(next(pid for pid in self.workers if pid not in old_workers))
        os.kill(old, signal.SIGTERM)
        if self.successor is None and self._process is not None:
            self._process.wait()
        eventually(lambda: not any(map(is_alive, [old, *old_workers])), SECONDS)
        self.successor = successor
        assert self.is_ready()

    def loses_a_worker(self) -> None:
        """SIGKILL: as when the system has no memory left."""
        lost, before = random.choice(self.workers), len(self.workers)
        os.kill(lost, signal.SIGKILL)
        eventually(lambda: not is_alive(lost) and len(self.workers) == before and self.is_ready(), SECONDS)


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[1])


Keep = Callable[..., None]


@started_both_ways
@pytest.mark.parametrize("happens", [Operated.reloads, Operated.is_upgraded, Operated.loses_a_worker])
def test_nothing_acknowledged_is_lost_and_one_repeat_is_enough(
    tmp_path: Path, figures: Keep, happens: Callable[[Operated], None], command: list[str]
) -> None:
    with Operated(tmp_path / "ledger.db", command=command) as service:
        witnesses = witnesses_at(service, seed=1)
        with at_work(service, witnesses):
            for _ in range(TIMES):
                so_much_is_answered(witnesses, 50)
                happens(service)
            so_much_is_answered(witnesses, 50)
        all_repeated(service, witnesses)
        losses = assert_nothing_is_wrong(losses_of(service, witnesses))
        keep(figures, witnesses, losses)
        assert sum(witness.tally.refused_connections for witness in witnesses) == 0
        assert sum(witness.tally.broken_repeats for witness in witnesses) == 0
        assert happens is Operated.loses_a_worker or losses.kept_unanswered == 0
        assert "Traceback" not in service.said


@started_both_ways
def test_a_service_that_is_stopped_answers_what_it_was_asked(tmp_path: Path, figures: Keep, command: list[str]) -> None:
    seconds = list[float]()
    with Operated(tmp_path / "ledger.db", command=command) as service:
        witnesses = witnesses_at(service, seed=2)
        for _ in range(TIMES):
            with at_work(service, witnesses):
                so_much_is_answered(witnesses, 50)
                begun = time.monotonic()
                service.stop()
                seconds.append(time.monotonic() - begun)
            service.start()
            losses = assert_nothing_is_wrong(losses_of(service, witnesses))
        all_repeated(service, witnesses)
        keep(figures, witnesses, losses)
        assert losses.kept_unanswered == 0
        figures(seconds_to_stop=f"{max(seconds):.1f} at most")
        assert "Traceback" not in service.said


def keep(figures: Keep, witnesses: list[Witness], losses: Losses) -> None:
    """Keep how it went for the people who were at work meanwhile."""
    tallies = [witness.tally for witness in witnesses]
    figures(
        times=TIMES,
        answered=sum(tally.answered for tally in tallies),
        connections_refused=sum(tally.refused_connections for tally in tallies),
        broken_off=sum(tally.broken for tally in tallies),
        repeats_broken_off=sum(tally.broken_repeats for tally in tallies),
        longest_wait=f"{max(tally.seconds_waited for tally in tallies):.1f} s",
        **losses.figures,
    )
