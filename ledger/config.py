"""Settings, from the environment: every `LEDGER_…` variable, its default, and what is refused.

What no service could work with is refused here, with the name of the variable and what it may be: a port that there is
none of, seconds that are no number, a key that no client could send. It is better not to start than to start and fail
at the first request.

A test or a program that embeds the service gives the same settings to `create_app` as a mapping.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from math import isfinite
from typing import Any, Self
from zoneinfo import ZoneInfo, available_timezones

from ledger.logs import Level, Style
from ledger.rates import Rate
from ledger.storage.address import BUSY_SECONDS, Address, BadAddress

UTC = ZoneInfo("UTC")
USUAL_DATABASE = Address.read("instance/ledger.db")


class Origins(frozenset[str]):
    """Origins of pages, as browsers write them: `https://cards.example, http://localhost:5173`. Raises ValueError."""

    FORM = re.compile(r"https?://[a-z0-9.-]+(:[0-9]+)?|https?://\[[0-9a-f:.]+\](:[0-9]+)?")

    def __new__(cls, text: str = "") -> Self:
        """Read a list with commas."""
        named = [origin.strip() for origin in text.split(",") if origin.strip()]
        if not all(cls.FORM.fullmatch(origin) for origin in named):
            raise ValueError(text)
        return super().__new__(cls, named)

    def __str__(self) -> str:
        return ", ".join(sorted(self))


NO_ORIGINS = Origins()


class Switch(StrEnum):
    """Whether something is done at all."""

    ON = "on"
    OFF = "off"


MOST_WORKERS = 128
"""A worker is a process of 60 MB; more than one a processor brings nothing."""

DAY, CENTURY = 86_400.0, 36_500
MOST_BYTES = 2**30
MOST_CONNECTIONS = 100_000


class Bind(str):
    """Where the service listens: `127.0.0.1:8000`, `[::1]:8000`, `unix:/run/ledger.sock`; several with commas.

    Port 0 lets the system choose one. Raises ValueError.
    """

    __slots__ = ()

    HOST = r"[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]"
    PORT = r"[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
    FORM = re.compile(rf"({HOST}):({PORT})|unix:[^\0,]+|fd://[0-9]+", re.ASCII)

    def __new__(cls, text: str) -> Self:
        """Read one or more."""
        if not all(cls.FORM.fullmatch(one.strip()) for one in text.split(",")):
            raise ValueError(text)
        return super().__new__(cls, text)


class OpeningKey(str):
    """What opening sessions needs, as it can stand in a header: letters, digits and signs of ASCII.

    What a client puts into a header beyond ASCII arrives in one of several codings, so it could never be compared.
    Empty: anyone may open sessions. Raises ValueError.
    """

    __slots__ = ()

    def __new__(cls, text: str = "") -> Self:
        if not re.fullmatch("([!-~]([ -~]*[!-~])?)?", text):
            raise ValueError(text)
        return super().__new__(cls, text)


USUAL_BIND = Bind("127.0.0.1:8000")


class Proxies(int):
    """How many proxies stand before the service, each of which adds to `X-Forwarded-For`. Raises ValueError."""

    def __new__(cls, text: str | int = 0) -> Self:
        """Read a number from 0 to 9."""
        if not re.fullmatch("[0-9]", str(text), re.ASCII):
            raise ValueError(text)
        return super().__new__(cls, text)


USUAL_RATE, USUAL_SESSIONS, NO_PROXIES = Rate("600/minute"), Rate("2000/day"), Proxies()

USUAL_STATISTICS = Rate("30/minute")
"""How often several sessions are counted together: a costly request takes a worker about a second."""

USUAL_RECORDING = Rate("6000/minute")
"""How many events are recorded in a session: a hundred times as many as two dozen people report."""


LONGEST_REQUEST_LINE, MOST_HEADERS, LONGEST_HEADER = 4094, 100, 8190
"""How many bytes a request's first line may have, how many headers it may have, and how many bytes each of these."""


class BadSetting(ValueError):
    """A setting has a value that it cannot have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What an operator can set.

    `database` is where the books are kept: a path, or an address with a scheme. `opening_key`, once set, is needed to
    open sessions. `busy_seconds` is how long a writer waits for its turn before the answer is 503. `timezone` is whose
    clock people read on the books they take
    home; programs get UTC. `origins` are those whose pages may ask from a browser. `body_bytes` is the largest request,
    `import_bytes` the largest file that is brought in.
    `memory_bytes` bounds what the folded sessions take that a worker
    keeps. `keep_days`, once set, is after how many days in which nothing was recorded a session is
    deleted for good. `rate_limit` is how often one address may open, import, calculate, or come with a wrong token,
    each by itself, `sessions_per_address` how many sessions it may open or bring in, `statistics_rate` how often it may
    count several sessions together; `recording_rate` is how many events are recorded in one session; `proxies` is how
    many proxies stand before the service and are believed who asks. The rest is for the server: where it listens, how
    many workers for how many connections each, and how many of these may be streams, each about how long; how it writes
    its log, from which level on, and whether each request has a line. Neither the opening key nor a password of the
    database is shown.
    """

    database: Address = USUAL_DATABASE
    opening_key: OpeningKey = field(default=OpeningKey(), repr=False)
    busy_seconds: float = field(default=BUSY_SECONDS, metadata={"most": DAY})
    timezone: ZoneInfo = UTC
    origins: Origins = NO_ORIGINS
    body_bytes: int = field(default=1024 * 1024, metadata={"most": MOST_BYTES})
    import_bytes: int = field(default=16 * 1024 * 1024, metadata={"most": MOST_BYTES})
    memory_bytes: int = field(default=100 * 1024 * 1024, metadata={"most": 2**40})
    rate_limit: Rate = USUAL_RATE
    sessions_per_address: Rate = USUAL_SESSIONS
    statistics_rate: Rate = USUAL_STATISTICS
    recording_rate: Rate = USUAL_RECORDING
    proxies: Proxies = NO_PROXIES
    keep_days: int | None = field(default=None, metadata={"kind": int, "most": CENTURY})
    bind: Bind = USUAL_BIND
    workers: int = field(default=2, metadata={"most": MOST_WORKERS})
    connections: int = field(default=1_000, metadata={"most": MOST_CONNECTIONS})
    streams: int = field(default=500, metadata={"most": MOST_CONNECTIONS})
    stream_seconds: float = field(default=60.0, metadata={"most": DAY})
    log: Style = Style.PLAIN
    log_level: Level = Level.INFO
    log_requests: Switch = Switch.OFF

    @property
    def import_objects(self) -> int:
        """How many objects and lists such a file may have: three times as many as an `export.json` of that size."""
        return self.import_bytes // 32

    @property
    def connections_per_address(self) -> int | None:
        """How many of a worker's connections one address may have; behind a proxy it is not known whose they are."""
        return max(1, self.connections * 3 // 4) if self.rate_limit and not self.proxies else None

    @classmethod
    def read(cls, given: Mapping[str, object] | None = None) -> Config:
        """Read `LEDGER_DATABASE` and so on from the environment, or from a mapping with the same names.

        Raises BadSetting, naming the variable.
        """
        source: Mapping[str, object] = os.environ if given is None else {**os.environ, **given}
        chosen: dict[str, Any] = {}
        for setting in fields(cls):
            variable = f"LEDGER_{setting.name.upper()}"
            if variable in source:
                chosen[setting.name] = _read(variable, source[variable], setting)
        return cls(**chosen)


def kind_of(setting: Field[Any]) -> type[Any]:
    """Give what a setting is; one that is usually not set says it itself."""
    kind: type[Any] = setting.metadata.get("kind", type(setting.default))
    return kind


_WANTED: Mapping[type[Any], str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    Address: "a path or an address",
    Bind: "an address and a port from 0 to 65535, as in 127.0.0.1:8000, or a socket, as in unix:/run/ledger.sock",
    OpeningKey: "letters, digits and signs of ASCII, no space at its ends: nothing else arrives unchanged",
    Proxies: "a whole number from 0 to 9",
    Rate: "how often, as in 600/minute, 10/second, 1000/hour or 2000/day, or off",
    Origins: "origins with commas, each as in https://cards.example",
    ZoneInfo: "the name of a time zone, as in Asia/Tokyo",
    Style: "plain or json",
    Level: "debug, info, warning or error",
    Switch: "on or off",
}


def _read(variable: str, text: Any, setting: Field[Any]) -> Any:
    kind = kind_of(setting)
    shown = "one that no client can send" if kind is OpeningKey else repr(text)
    try:
        value: Any = _zone(text) if kind is ZoneInfo else Address.read(text) if kind is Address else kind(text)
    except BadAddress as error:
        raise BadSetting(f"{variable} is {error}") from None
    except (TypeError, ValueError):
        raise BadSetting(f"{variable} is {shown}; it has to be {_WANTED[kind]}") from None
    most = setting.metadata.get("most")
    if "least" in setting.metadata and value == setting.metadata["least"]:
        return value
    if most is not None and not (isfinite(value) and 0 < value <= most):
        least = "0 or more" if "least" in setting.metadata else "more than 0"
        raise BadSetting(f"{variable} is {text!r}; it has to be {least}, and at most {most:.0f}")
    return value


def _zone(name: str) -> ZoneInfo:
    """Find a time zone. Raises ValueError for what is none: `ZoneInfo` opens whatever file is called so."""
    if name not in available_timezones():
        raise ValueError(name)
    return ZoneInfo(name)
