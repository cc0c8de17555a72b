"""How often one address may ask for something: counters that all workers share.

An address has a counter for each kind of request. It begins with the first one and counts for so many seconds from then
on; whoever has asked as often as they may waits until it ends, and may then ask as often again.

The counters lie in memory that the first process makes before it starts the workers, so that all of them count
together, and a worker that is started anew goes on counting. Libraries for this count in a server of its own or in one
process; in the database, each request would cost a commit. No address is kept: a counter is known by a hash of the kind
and the address, under a key that is made at each start and told nobody.

There are so many slots and no more. A counter may stand in one of a few, which the hash decides, so nobody can choose
beside whom theirs stand. Where all of these are in use, the one that has counted least is given up: who asks from very
many addresses makes us forget only those who have hardly asked.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import struct
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from math import ceil
from pathlib import Path
from typing import NamedTuple, Self

SLOT = struct.Struct("=QdQ")
"""A counter: its hash (0 where there is none), until when it counts by the monotonic clock, and what it has counted."""

WAYS, SETS = 8, 8192
"""In how many slots a counter may stand, and how many such sets of slots there are: a megabyte and a half."""

TRIES = 10_000
"""How often the lock is tried for: some ten milliseconds. It is held for one hundredth of one, by processes that run;
one that is stopped in the middle must not stop the others, who then count without it."""

UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}


class Rate(tuple[int, int]):
    """How often in how many seconds: `600/minute`, `10/second`; a number alone is meant a minute. `off`: no limit.

    Raises ValueError.
    """

    __slots__ = ()
    FORM = re.compile(rf"([0-9]{{1,9}})(?:/({'|'.join(UNITS)}))?", re.ASCII)

    def __new__(cls, text: object = "off") -> Self:
        if text == "off":
            return super().__new__(cls, (0, 0))
        found = cls.FORM.fullmatch(str(text))
        if found is None or not (most := int(found[1])):
            raise ValueError(text)
        return super().__new__(cls, (most, UNITS[found[2] or "minute"]))

    @property
    def most(self) -> int:
        """How often."""
        return self[0]

    @property
    def seconds(self) -> int:
        """In how many seconds."""
        return self[1]

    def __bool__(self) -> bool:
        return self.most > 0

    def __str__(self) -> str:
        unit = next((name for name, seconds in UNITS.items() if seconds == self.seconds), "")
        return f"{self.most}/{unit}" if self else "off"


class Counted(NamedTuple):
    """How an address stands: how often it may still ask, in how many seconds as often as ever, and whether it is over.

    Who asks although it is over is not counted, so it does not last longer for that.
    """

    left: int
    seconds: int
    is_over: bool


class Counters:
    """Counters by kind and address. A process that is forked shares those that there were before."""

    def __init__(self, *, ways: int = WAYS, sets: int = SETS, clock: Callable[[], float] = time.monotonic) -> None:
        self._ways, self._sets, self._clock = ways, sets, clock
        self._key = os.urandom(32)
        self._file = shared_file(size := ways * sets * SLOT.size)
        self._slots = mmap.mmap(self._file, size)
        self._mine = threading.Lock()
        weakref.finalize(self, os.close, self._file)

    def count(self, kind: str, address: str, rate: Rate, *, only_look: bool = False) -> Counted:
        """Count a request of an address, or only look how it would stand."""
        return self.count_for(kind, one_client(address), rate, 0 if only_look else 1)

    def count_for(self, kind: str, name: str, rate: Rate, amount: int) -> Counted:
        """Count so much at once for a name; the last that is counted may go beyond the rate."""
        most, seconds = rate
        told = f"{kind}\0{name}".encode("utf-8", "surrogatepass")
        slot = int.from_bytes(blake2b(told, key=self._key, digest_size=8).digest(), "big") or 1
        first = slot % self._sets * self._ways
        places = range(first * SLOT.size, (first + self._ways) * SLOT.size, SLOT.size)
        with self._mine:
            is_locked = self._is_locked()
            try:
                now = self._clock()
                found = {place: SLOT.unpack_from(self._slots, place) for place in places}
                for place in places:
                    if found[place][0] == slot:
                        break
                else:
                    place = min(places, key=lambda place: (found[place][1] > now, found[place][2]))
                known, until, counted = found[place]
                if known != slot or until <= now:
                    until, counted = now + seconds, 0
                is_over = counted >= most
                if not is_over and amount:
                    counted = min(most, counted + amount)
                    SLOT.pack_into(self._slots, place, slot, until, counted)
            finally:
                if is_locked:
                    fcntl.lockf(self._file, fcntl.LOCK_UN)
        return Counted(most - counted, max(1, ceil(until - now)), is_over)

    def _is_locked(self) -> bool:
        """Keep other processes out, if they let go in time. Until then nothing gives way to another greenlet."""
        for _ in range(TRIES):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.sched_yield()
            else:
                return True
        return False


def shared_file(size: int) -> int:
    """Open a file of zeros that has no name; where the system can do that, it lies in memory alone."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("counters")
    else:
        file, name = tempfile.mkstemp()
        Path(name).unlink()
    os.ftruncate(file, size)
    return file


def one_client(address: str) -> str:
    """Say which client an address belongs to: one has a whole /64 of IPv6. All without a readable address are one.

    Proxies may add the port (`192.0.2.1:4001`, `[2001:db8::1]:4001`); whoever had a counter a port would have many.
    """
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or int(found) >> 64)
