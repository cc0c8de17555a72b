"""Who asks too often is told so (429), and when to come back: for whatever costs much, and for wrong tokens.

    @calculate.before_request
    def check_rate() -> None:
        not_too_often(CALCULATING)

Each kind is counted by itself, for the address that a request comes from, in all workers together (`ledger.rates`). The
answer tells how the address stands, as the IETF's draft of `RateLimit` and `RateLimit-Policy` has it.

Of tokens only the wrong ones are counted, and only a request with a wrong one is refused for them: whoever shares an
address with somebody who guesses, and has a token that is right, notices nothing. The operator's key may be short, and
who tries one after the other would notice the right one by its answer: so it is not even looked at where too many wrong
ones came from.

How many sessions an address opens in all is looked at before, and counted when one was opened: what was refused, or was
answered from before, opens nothing. Events of a session are counted in the same way, once they are stored. Requests
under way at the same time may pass these limits together.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

from flask import Response, after_this_request, current_app, request

from ledger.config import Config
from ledger.rates import Counted, Counters, Rate
from ledger.sentences import Sentence, docsentence, say

LOG = logging.getLogger(__name__)

OPENING, OPENING_IN_ALL = "opening", "opening-in-all"
IMPORTING, CALCULATING, COUNTING = "importing", "calculating", "counting-together"
WRONG_TOKENS, RECORDING = "wrong-tokens", "recording"
RATES = ("RateLimit", "RateLimit-Policy")
"""Headers of an answer that is counted."""

USUAL = (OPENING, IMPORTING, CALCULATING, WRONG_TOKENS)
"""What has the usual rate (`LEDGER_RATE_LIMIT`), each by itself."""


UNEXPECTED_PROXY = (
    "A request came with X-Forwarded-For, but LEDGER_PROXIES is not set: if a proxy stands before the service, all who "
    "come through it are counted as one address until LEDGER_PROXIES says how many proxies there are"
)


class TooManyRequests(Exception):
    """This was asked for too often from this address; ask again in {seconds} seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    @property
    def sentence(self) -> Sentence:
        """The same, with the number."""
        return docsentence(type(self), seconds=self.seconds)


class TooManyEvents(TooManyRequests):
    """More was recorded in a session than any table plays."""

    @property
    def sentence(self) -> Sentence:
        """The same, with the number of seconds."""
        return say(
            "More was recorded in this session than any table plays; go on in {seconds} seconds.", seconds=self.seconds
        )


class Standing(NamedTuple):
    """How an address stands with a limit."""

    name: str
    rate: Rate
    counted: Counted


class Rates:
    """How often an address may ask here. `counters` are those of this process, unless it is given others to share."""

    def __init__(self, config: Config) -> None:
        self.counters = Counters()
        usual, opened = config.rate_limit, config.sessions_per_address
        self._limits = {kind: {kind: usual} for kind in USUAL}
        self._limits[COUNTING] = {COUNTING: config.statistics_rate if usual else usual}
        if usual:
            for kind in (OPENING, IMPORTING):
                self._limits[kind][OPENING_IN_ALL] = opened
        self._recording = (usual and config.recording_rate) or None
        self._knows_of_proxies = config.proxies > 0

    def count(self, kind: str, address: str, *, only_look: bool = False) -> list[Standing]:
        """Count a request of an address by every limit of its kind; behind one that is over, only look."""
        standings, is_over = list[Standing](), False
        for name, rate in self._limits[kind].items():
            if rate:
                looks = only_look or is_over or name == OPENING_IN_ALL
                counted = self.counters.count(name, address, rate, only_look=looks)
                standings.append(Standing(name, rate, counted))
                is_over = is_over or counted.is_over
        return standings

    def count_opened(self, standing: Standing, address: str) -> Standing:
        """Count a session that an address has opened, if this is how it stands with that limit."""
        if standing.name != OPENING_IN_ALL:
            return standing
        return standing._replace(counted=self.counters.count(OPENING_IN_ALL, address, standing.rate))

    def count_events(self, session_id: str, count: int) -> list[Standing]:
        """Count events that were stored in a session; with none, only look."""
        if self._recording is None:
            return []
        counted = self.counters.count_for(RECORDING, session_id, self._recording, count)
        return [Standing(RECORDING, self._recording, counted)]

    def notice(self, *, is_forwarded: bool) -> None:
        """Say once in each process if a proxy seems to be there that nobody told us of."""
        if is_forwarded and not self._knows_of_proxies:
            self._knows_of_proxies = True
            LOG.warning(UNEXPECTED_PROXY)


def not_too_often(kind: str, *, only_look: bool = False) -> None:
    """Count a request, and let its answer tell how its address stands. Raises TooManyRequests.

    Who only looks tells nothing unless it is too often.
    """
    rates: Rates = current_app.extensions["rates"]
    address = request.remote_addr or ""
    standings = rates.count(kind, address, only_look=only_look)
    over = [counted.seconds for _, _, counted in standings if counted.is_over]
    if not standings or (only_look and not over):
        return
    rates.notice(is_forwarded="X-Forwarded-For" in request.headers)

    @after_this_request
    def tell(response: Response) -> Response:
        nonlocal standings
        if is_new(response):
            standings = [rates.count_opened(standing, address) for standing in standings]
        return told(response, standings)

    if over:
        raise TooManyRequests(max(over))


def not_too_fast(session_id: str, count: int) -> None:
    """Refuse events if a session's rate is used up; count them once stored. Raises TooManyEvents.

    A refusal, a dry run and a repeat with the same key store nothing: an outbox that repeats stops no table.
    """
    rates: Rates = current_app.extensions["rates"]
    standings = rates.count_events(session_id, 0)
    if not standings:
        return

    @after_this_request
    def tell(response: Response) -> Response:
        return told(response, rates.count_events(session_id, count) if is_new(response) else standings)

    for _, _, counted in standings:
        if counted.is_over:
            raise TooManyEvents(counted.seconds)


def is_new(response: Response) -> bool:
    """Whether a request has stored something: a repeated answer has not."""
    return response.status_code == HTTPStatus.CREATED and "Idempotency-Replayed" not in response.headers


def told(response: Response, standings: Sequence[Standing]) -> Response:
    """Tell in an answer how limits stand."""
    if over := [counted.seconds for _, _, counted in standings if counted.is_over]:
        response.headers["Retry-After"] = str(max(over))
    policies = [f'"{name}";q={most};w={seconds}' for name, (most, seconds), _ in standings]
    limits = [f'"{name}";r={counted.left};t={counted.seconds}' for name, _, counted in standings]
    response.headers["RateLimit-Policy"], response.headers["RateLimit"] = ", ".join(policies), ", ".join(limits)
    return response
