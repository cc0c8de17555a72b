"""Rate limits of expensive requests, and of wrong tokens, by client address: 429 with `Retry-After` beyond them.

Each kind of request is counted by itself, by the library `limits`, in the storage LEDGER_RATE_LIMIT_STORAGE. While that
cannot be reached, nothing is limited. Answers have `RateLimit` and `RateLimit-Policy`, as in the IETF's draft.

Wrong tokens only block requests with a wrong token, so clients do not lock out others at their address. But the opening
key may be short: beyond the limit it is not compared any more.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from math import ceil, inf
from typing import NamedTuple

from flask import Response, after_this_request, current_app, request
from limits import RateLimitItem
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from ledger.config import Config
from ledger.i18n.sentences import docsentence

LOG = logging.getLogger(__name__)

OPENING, IMPORTING, CALCULATING, COUNTING = "opening", "importing", "calculating", "counting-together"
WRONG_TOKENS = "wrong-tokens"
KINDS = (OPENING, IMPORTING, CALCULATING, COUNTING, WRONG_TOKENS)
RATES = ("RateLimit", "RateLimit-Policy")
"""Headers of the answer to a request that is counted."""

STORAGE_TIMEOUTS = {"socket_timeout": 1, "socket_connect_timeout": 1}
"""How long a request waits for a Redis that does not answer, in seconds."""

WARNING_SECONDS = 60.0
"""How often a storage that cannot be reached is logged at most."""


class TooManyRequests(Exception):
    """This was asked for too often from this address; ask again in {seconds} seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.sentence = docsentence(type(self), seconds=seconds)


class Standing(NamedTuple):
    """A client's state under a limit: the requests that are left, and the seconds until the window ends."""

    policy: str
    limit: RateLimitItem
    left: int
    seconds: int
    is_over: bool


class Rates:
    """The limits of an application, and their counters."""

    def __init__(self, config: Config) -> None:
        self._limits = config.rate_limit.limits
        timeouts = STORAGE_TIMEOUTS if config.rate_limit_storage.startswith("redis") else {}
        if self._limits:
            storage = storage_from_string(config.rate_limit_storage, wrap_exceptions=True, **timeouts)
            self._limiter = FixedWindowRateLimiter(storage)
        self._warned_at = -inf

    def standings(self, kind: str, address: str, *, only_look: bool = False) -> list[Standing]:
        """Count a request by every limit up to one that is over, or only look. Empty if nothing is counted."""
        client, found = one_client(address), list[Standing]()
        try:
            for limit in self._limits:
                looks = only_look or any(standing.is_over for standing in found)
                admits = (self._limiter.test if looks else self._limiter.hit)(limit, kind, client)
                reset, left = self._limiter.get_window_stats(limit, kind, client)
                seconds = max(1, ceil(reset - time.time()))
                found.append(Standing(policy(kind, self._limits, limit), limit, left, seconds, not admits))
        except StorageError as error:
            if time.monotonic() >= self._warned_at + WARNING_SECONDS:
                self._warned_at = time.monotonic()
                LOG.warning("The storage of rate limits cannot be reached, and nothing is limited", exc_info=error)
            return []
        return found


def not_too_often(kind: str, *, only_look: bool = False) -> None:
    """Count a request and add the headers to its answer, or only look if it is too often. Raises TooManyRequests."""
    rates: Rates = current_app.extensions["rates"]
    standings = rates.standings(kind, request.remote_addr or "", only_look=only_look)
    over = [standing.seconds for standing in standings if standing.is_over]
    if not standings or (only_look and not over):
        return

    @after_this_request
    def add_headers(response: Response) -> Response:
        policies = [f'"{each.policy}";q={each.limit.amount};w={each.limit.get_expiry()}' for each in standings]
        left = [f'"{each.policy}";r={each.left};t={each.seconds}' for each in standings]
        response.headers["RateLimit-Policy"], response.headers["RateLimit"] = ", ".join(policies), ", ".join(left)
        if over:
            response.headers["Retry-After"] = str(max(over))
        return response

    if over:
        raise TooManyRequests(max(over))


def policy(kind: str, limits: Sequence[RateLimitItem], limit: RateLimitItem) -> str:
    """Name a limit: the first as the kind of request, others with their window, as `calculating-day`."""
    window = limit.GRANULARITY.name if limit.multiples == 1 else f"{limit.multiples}-{limit.GRANULARITY.name}"
    return kind if limit is limits[0] else f"{kind}-{window}"


def one_client(address: str) -> str:
    """Give what an address is counted as: IPv4 itself, of IPv6 its /64, without the port that a proxy may add."""
    host = address.partition(":")[0] if address.count(":") == 1 else address.removeprefix("[").partition("]")[0]
    try:
        found = ip_address(host)
    except ValueError:
        return ""
    return str(found if found.version == 4 else found.ipv4_mapped or ip_network((int(found), 64), strict=False))
