"""Settings, from the environment: every `LEDGER_…` variable, its default, and what is refused.

A test or a program that embeds the service gives the same settings to `create_app` as a mapping.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import Any, Self
from zoneinfo import ZoneInfo, available_timezones

from ledger.logs import Level, Style
from ledger.store import BUSY_SECONDS
from ledger.store.address import Address, BadAddress

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


class BadSetting(ValueError):
    """A setting has a value that it cannot have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What an operator can set.

    `database` is where the books are kept: a path, or an address with a scheme. `opening_key`, once set, is needed to
    open sessions. `busy_seconds` is how long a writer waits for its turn before the answer is 503, `request_seconds`
    how long one request may compute before it is refused. `timezone` is whose clock people read on the books they take
    home; programs get UTC. `origins` are those whose pages may ask from a browser. `body_bytes` is the largest
    request, `import_bytes` the largest file that is brought in. `events_in_memory` bounds the folded sessions that a
    worker keeps (about 2 kB an event). `keep_days`, once set, is after how many days in which nothing was recorded a
    session is deleted for good. The rest is for the server: where it listens, how many workers for how many
    connections each, and how many of these may be streams, each about how long; how it writes its log, from which level
    on, and whether each request has a line. Neither the opening key nor a password of the database is shown.
    """

    database: Address = USUAL_DATABASE
    opening_key: str = field(default="", repr=False)
    busy_seconds: float = BUSY_SECONDS
    request_seconds: float = 5.0
    timezone: ZoneInfo = UTC
    origins: Origins = NO_ORIGINS
    body_bytes: int = 1024 * 1024
    import_bytes: int = 64 * 1024 * 1024
    events_in_memory: int = 50_000
    keep_days: int | None = field(default=None, metadata={"kind": int})
    bind: str = "127.0.0.1:8000"
    workers: int = 2
    connections: int = 1_000
    streams: int = 500
    stream_seconds: float = 60.0
    log: Style = Style.PLAIN
    log_level: Level = Level.INFO
    log_requests: Switch = Switch.OFF

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
                chosen[setting.name] = _read(variable, source[variable], kind_of(setting))
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
    Origins: "origins with commas, each as in https://cards.example",
    ZoneInfo: "the name of a time zone, as in Asia/Tokyo",
    Style: "plain or json",
    Level: "debug, info, warning or error",
    Switch: "on or off",
}


def _read(variable: str, text: Any, kind: type[Any]) -> Any:
    try:
        value = _zone(text) if kind is ZoneInfo else Address.read(text) if kind is Address else kind(text)
    except BadAddress as error:
        raise BadSetting(f"{variable} is {error}") from None
    except (TypeError, ValueError):
        raise BadSetting(f"{variable} is {text!r}; it has to be {_WANTED[kind]}") from None
    if isinstance(value, int | float) and value <= 0:
        raise BadSetting(f"{variable} is {text!r}; it has to be more than 0")
    return value


def _zone(name: str) -> ZoneInfo:
    """Find a time zone. Raises ValueError for what is none: `ZoneInfo` opens whatever file is called so."""
    if name not in available_timezones():
        raise ValueError(name)
    return ZoneInfo(name)
