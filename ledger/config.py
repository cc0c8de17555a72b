"""Settings: every `LEDGER_…` variable of the environment, its default, and its possible values.

An invalid value is refused at the start, by its variable. Tests and programs that embed the service give `create_app`
the same settings as a mapping.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import partial
from importlib.util import find_spec
from math import isfinite
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from limits import RateLimitItem, parse_many

from ledger.storage.address import BUSY_SECONDS, Address, without_password

PREFIX = "LEDGER_"

MAX_REQUEST_LINE, MAX_HEADERS, MAX_HEADER = 4094, 100, 8190
"""The bytes of a request's first line, the number of its headers, the bytes of each."""

MAX_SECONDS, MAX_DAYS, MAX_WORKERS, MAX_BYTES, MAX_STREAMS = 86_400, 36_500, 128, 2**30, 100_000

HOST = r"[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]"
PORT = r"[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
BIND = rf"({HOST}):({PORT})|unix:[^\0,]+"
ORIGIN = r"https?://[a-z0-9.-]+(:[0-9]+)?|https?://\[[0-9a-f:.]+\](:[0-9]+)?"
KEY = "([!-~]([ -~]*[!-~])?)?"
STORAGES = {"memory": "", "redis": "redis", "rediss": "redis", "redis+unix": "redis", "memcached": "pymemcache"}
"""The client library of each kind of rate limit storage. Only workers import it, after gevent has patched sockets."""


class BadSetting(ValueError):
    """A setting has an invalid value."""


# What follows reads one value, and raises ValueError for an invalid one.


def number(kind: Callable[[str], Any], maximum: float, text: object) -> Any:
    value = kind(str(text))
    if not (isfinite(value) and 0 < value <= maximum):
        raise ValueError(text)
    return value


def matching(pattern: str, text: object) -> str:
    if re.fullmatch(pattern, str(text)) is None:
        raise ValueError(text)
    return str(text)


def read_bind(text: object) -> str:
    return ",".join(matching(BIND, each.strip()) for each in str(text).split(","))


def read_origins(text: object) -> tuple[str, ...]:
    return tuple(matching(ORIGIN, origin) for each in str(text).split(",") if (origin := each.strip()))


def read_rate(text: object) -> tuple[RateLimitItem, ...]:
    limits = [] if text == "off" else parse_many(str(text))
    windows = {limit.get_expiry() for limit in limits}
    if len(windows) < len(limits) or not all(limit.amount for limit in limits):
        raise ValueError(text)
    return tuple(limits)


def read_storage(text: object) -> str:
    address = urlsplit(str(text))
    client = STORAGES.get(address.scheme)
    if client is None or (client and find_spec(client) is None) or address.port == 0:  # a port beyond 65535 raises
        raise ValueError(text)
    return str(text)


def read_timezone(text: object) -> ZoneInfo:
    if text != "UTC" and text not in available_timezones():  # ZoneInfo would open any file of that name
        raise ValueError(text)
    return ZoneInfo(str(text))


def setting(default: Any, read: Callable[[Any], Any], wanted: str, *, is_secret: bool = False) -> Any:
    """Describe a setting: its default as text, how a value is read, what it has to be."""
    described = {"default": default, "read": read, "wanted": wanted, "is_secret": is_secret}
    return field(
        default_factory=lambda: None if default is None else read(default), repr=not is_secret, metadata=described
    )


def bounded(kind: type[int | float], default: float | None, maximum: float) -> Any:
    """Describe a number above 0 and at most `maximum`."""
    whole = "a whole number" if kind is int else "a number"
    return setting(default, partial(number, kind, maximum), f"{whole}, more than 0, and at most {maximum}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings; `docs/operating.md` says what they do. Without `keep_days` no session is ever deleted."""

    database: Address = setting("instance/ledger.db", Address.read, "")
    bind: str = setting(
        "127.0.0.1:8000",
        read_bind,
        "an address and a port from 0 to 65535, as in 127.0.0.1:8000, or a socket, as in unix:/run/ledger.sock",
    )
    workers: int = bounded(int, 2, MAX_WORKERS)
    streams: int = bounded(int, 500, MAX_STREAMS)
    opening_key: str = setting(
        "",
        partial(matching, KEY),
        "letters, digits and signs of ASCII, no space at its ends: nothing else arrives unchanged",
        is_secret=True,
    )
    busy_seconds: float = bounded(float, BUSY_SECONDS, MAX_SECONDS)
    timezone: ZoneInfo = setting("UTC", read_timezone, "the name of a time zone, as in Asia/Tokyo")
    origins: tuple[str, ...] = setting("", read_origins, "origins with commas, each as in https://cards.example")
    body_bytes: int = bounded(int, 1024 * 1024, MAX_BYTES)
    import_bytes: int = bounded(int, 16 * 1024 * 1024, MAX_BYTES)
    rate_limit: tuple[RateLimitItem, ...] = setting(
        "600/minute", read_rate, "how often, as in 600/minute or 10/second;2000/day, or off"
    )
    rate_limit_storage: str = setting(
        "memory://",
        read_storage,
        "memory://, or an address as in redis://localhost:6379 whose client is installed",
        is_secret=True,
    )
    proxies: int = setting(0, lambda text: int(matching("[0-9]", text)), "a whole number from 0 to 9")
    keep_days: int | None = bounded(int, None, MAX_DAYS)
    log: str = setting("plain", partial(matching, "plain|json"), "plain or json")
    log_level: str = setting("info", partial(matching, "debug|info|warning|error"), "debug, info, warning or error")
    log_requests: bool = setting("off", lambda text: matching("on|off", text) == "on", "on or off")

    @property
    def import_objects(self) -> int:
        """How many objects and lists an imported file may have: three times as many as an export of that size."""
        return self.import_bytes // 32

    @classmethod
    def read(cls, given: Mapping[str, object] | None = None) -> Config:
        """Read the environment, and a mapping of the same names that goes before it. Raises BadSetting."""
        source = {**os.environ, **(given or {})}
        chosen = {}
        for each in fields(cls):
            variable = PREFIX + each.name.upper()
            if variable in source:
                chosen[each.name] = read_value(variable, source[variable], each.metadata)
        return cls(**chosen)


def read_value(variable: str, text: object, described: Mapping[str, Any]) -> Any:
    """Read one value. Raises BadSetting, in which a secret is not shown."""
    try:
        return described["read"](text)
    except (TypeError, ValueError) as error:
        shown = "what it cannot be" if described["is_secret"] else repr(text)
        why = f"{shown}; it has to be {described['wanted']}" if described["wanted"] else error
        raise BadSetting(f"{variable} is {why}") from None


def shown_settings(source: Mapping[str, str]) -> dict[str, str]:
    """Give each variable's value as text, secrets redacted."""
    shown = {}
    for each in fields(Config):
        variable, default, is_secret = PREFIX + each.name.upper(), each.metadata["default"], each.metadata["is_secret"]
        text = str(source.get(variable, "" if default is None else default))
        shown[variable] = without_password(text) if "://" in text else "(set)" if is_secret and text else text
    return shown


def unknown_settings(source: Mapping[str, str]) -> Iterator[str]:
    """Name each `LEDGER_…` variable that is no setting, with the setting that it may be meant for."""
    known = [each.name.upper() for each in fields(Config)]
    for variable in source:
        name = variable.removeprefix(PREFIX)
        if name not in (variable, *known):
            near = get_close_matches(name, known, 1)
            yield f"{variable} is no setting" + (f"; is it {PREFIX}{near[0]} that is meant?" if near else "")
