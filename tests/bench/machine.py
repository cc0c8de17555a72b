"""What is asked of the machine: the programs that it has, and what a process takes of it (Linux tells in /proc)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path


class NotInstalled(Exception):
    """A program that is needed to measure is not here; how to get it."""


PACKAGES = {"wrk": "wrk", "cc": "gcc and libc6-dev"}
"""The Debian packages of the programs."""


def program(name: str) -> str:
    """Say where a program is. Raises NotInstalled."""
    found = shutil.which(name)
    if found is None:
        raise NotInstalled(f"{name} is needed for this, and is not installed here; Debian has it in {PACKAGES[name]}")
    return found


def processor(processes: Iterable[int]) -> float:
    """Say how long the processor has been busy with some processes, in seconds."""
    ticks = 0
    for pid in processes:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # in the program, and in the system for it
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(processes: Iterable[int]) -> float:
    """Say how much memory processes take together, in MB; what they share counts once."""
    kilobytes = 0
    for pid in processes:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
        kilobytes += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


def resident(pid: int) -> float:
    """Say how much memory a process holds, in MB."""
    return told_of(pid, "VmRSS:")


def told_of(pid: int, what: str) -> float:
    """Read a size of a process, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(what))
