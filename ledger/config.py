"""Settings: every `LEDGER_…` variable of the environment, its default, and its possible values.

An invalid value is refused at the start, by its variable. Tests and programs that embed the service give `create_app`
the same settings as a mapping.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.util import find_spec
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from limits import parse_many
from msgspec import ValidationError, convert, structs

from ledger.records import Meta, Record, doc, members_of
from ledger.storage.address import BUSY_SECONDS, WANTED, Address, without_password

PREFIX = "LEDGER_"
KEY = "LEDGER_OPENING_KEY"
SECRETS = (KEY, "LEDGER_RATE_LIMIT_STORAGE")

MAX_REQUEST_LINE, MAX_HEADERS, MAX_HEADER = 4094, 100, 8190
"""The bytes of a request's first line, the number of its headers, the bytes of each."""

MAX_DAYS = 36_500

STORAGES = {"memory": "", "redis": "redis", "rediss": "redis", "redis+unix": "redis", "memcached": "pymemcache"}
"""The client library of each kind of rate limit storage. Only workers import it, after gevent has patched sockets."""

HOST = r"[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]"
PORT = r"[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
ADDRESS = rf"\s*(({HOST}):({PORT})|unix:[^\0,]+)\s*"
BIND = rf"{ADDRESS}(,{ADDRESS})*"
ORIGINS = r"\s*(https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]+)?\s*(,\s*|\Z))*"


class BadSetting(ValueError):
    """A setting has an invalid value."""


class RateLimits(str):  # noqa: SLOT000 - it has its limits besides
    """Limits with windows of different lengths, none with `off`. Raises ValueError for any other text."""

    def __init__(self, text: str) -> None:
        self.limits = [] if text == "off" else parse_many(text)
        windows = {limit.get_expiry() for limit in self.limits}
        if len(windows) < len(self.limits) or not all(limit.amount for limit in self.limits):
            raise ValueError(text)


class StorageAddress(str):
    """A storage of `limits` whose client is installed. Raises ValueError for any other text."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        address = urlsplit(text)
        client = STORAGES.get(address.scheme)
        if client is None or (client and find_spec(client) is None) or address.port == 0:  # a port beyond 65535 raises
            raise ValueError(text)


def matching(pattern: str, wanted: str) -> Meta:
    return doc(wanted, pattern=rf"\A(?:{pattern})\Z")


def above_zero(maximum: int, kind: str = "a whole number") -> Meta:
    return doc(f"{kind}, more than 0, and at most {maximum}", gt=0, le=maximum)


class Config(Record, kw_only=True, rename=lambda name: PREFIX + name.upper(), forbid_unknown_fields=False):
    """The settings; `docs/operating.md` says what they do. Without `keep_days` no session is ever deleted."""

    database: Annotated[Address, doc(WANTED)] = Address("instance/ledger.db")
    bind: Annotated[str, matching(BIND, "as in 127.0.0.1:8000 (a port is at most 65535), or unix:/run/ledger.sock")] = (
        "127.0.0.1:8000"
    )
    workers: Annotated[int, above_zero(128)] = 2
    streams: Annotated[int, above_zero(100_000)] = 500
    opening_key: Annotated[str, matching("([!-~]([ -~]*[!-~])?)?", "printable ASCII without a space at its ends")] = ""
    busy_seconds: Annotated[float, above_zero(86_400, "a number")] = BUSY_SECONDS
    timezone: Annotated[ZoneInfo, doc("the name of a time zone, as in Asia/Tokyo")] = ZoneInfo("UTC")
    origins: Annotated[str, matching(ORIGINS, "origins with commas, each as in https://cards.example")] = ""
    body_bytes: Annotated[int, above_zero(2**30)] = 1024 * 1024
    import_bytes: Annotated[int, above_zero(2**30)] = 16 * 1024 * 1024
    rate_limit: Annotated[RateLimits, doc("as in 600/minute, 9/second;2000/day, or off")] = RateLimits("600/minute")
    rate_limit_storage: Annotated[
        StorageAddress, doc("memory://, or an address as in redis://localhost:6379 whose client is installed")
    ] = StorageAddress("memory://")
    proxies: Annotated[int, doc("a whole number from 0 to 9", ge=0, le=9)] = 0
    keep_days: Annotated[int, above_zero(MAX_DAYS)] = None  # type: ignore[assignment]  # a text `null` is no number
    log: Annotated[Literal["plain", "json"], doc("plain or json")] = "plain"
    log_level: Annotated[Literal["debug", "info", "warning", "error"], doc("debug, info, warning or error")] = "info"
    log_requests: Annotated[Literal["on", "off"], doc("on or off")] = "off"

    def __repr__(self) -> str:
        return "Config(…)"  # it has secrets

    @property
    def import_objects(self) -> int:
        """How many objects and lists an imported file may have: three times as many as an export of that size."""
        return self.import_bytes // 32

    @classmethod
    def read(cls, given: Mapping[str, object] | None = None) -> Config:
        """Read the environment, and a mapping of the same names that goes before it. Raises BadSetting."""
        source = {**os.environ, **(given or {})}
        try:
            return convert(source, cls, strict=False, dec_hook=decode)
        except ValidationError as error:
            variable = re.findall(r"\w+", str(error))[-1]  # … at `$.LEDGER_WORKERS`
            value = "invalid" if variable in SECRETS else repr(without_password(str(source[variable])))
            description = next(member.description for member in members_of(cls) if member.name == variable)
            raise BadSetting(f"{variable} is {value}; it has to be {description}") from None


def decode(kind: type, value: Any) -> Any:
    """Make a value of a class that msgspec does not know. Raises ValueError."""
    try:
        return kind(value)
    except (LookupError, OSError) as error:  # of ZoneInfo
        raise ValueError(value) from error


DEFAULTS = dict(zip(Config.__struct_encode_fields__, structs.astuple(Config()), strict=True))


def shown_settings(source: Mapping[str, str]) -> dict[str, str]:
    """Give each variable's value as text, secrets redacted."""
    texts = {name: source.get(name, "" if default is None else str(default)) for name, default in DEFAULTS.items()}
    return {name: "(set)" if name == KEY and text else without_password(text) for name, text in texts.items()}


def unknown_settings(source: Mapping[str, str]) -> Iterator[str]:
    """Name each `LEDGER_…` variable that is no setting, with the setting that it may be meant for."""
    names = [variable.removeprefix(PREFIX) for variable in DEFAULTS]
    for variable in source:
        if variable.startswith(PREFIX) and variable not in DEFAULTS:
            near = get_close_matches(variable.removeprefix(PREFIX), names, 1)
            yield f"{variable} is no setting" + (f"; is it {PREFIX}{near[0]} that is meant?" if near else "")
