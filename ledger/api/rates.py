"""Who asks too often is told so (429), and when to come back: for opening, importing, calculating, and wrong tokens.

    @calculate.before_request
    def check_rate() -> None:
        not_too_often(CALCULATING)

Each kind is counted by itself, for the address that a request comes from, in all workers together (`ledger.rates`). The
answer tells how the address stands, as the IETF's draft of `RateLimit` and `RateLimit-Policy` has it.

Of tokens only the wrong ones are counted, and only a request with a wrong one is refused for them: whoever shares an
address with somebody who guesses, and has a token that is right, notices nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from flask import Response, after_this_request, current_app, request

from ledger.config import Config
from ledger.rates import Counted, Counters, Rate
from ledger.sentences import Sentence, docsentence

OPENING, OPENING_IN_ALL = "opening", "opening-in-all"
IMPORTING, CALCULATING, WRONG_TOKENS = "importing", "calculating", "wrong-tokens"


class TooManyRequests(Exception):
    """This was asked for too often from this address; ask again in {seconds} seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    @property
    def sentence(self) -> Sentence:
        """The same, with the number."""
        return docsentence(type(self), seconds=self.seconds)


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
        self._limits = {kind: {kind: usual} for kind in (OPENING, IMPORTING, CALCULATING, WRONG_TOKENS)}
        if usual:
            for kind in (OPENING, IMPORTING):
                self._limits[kind][OPENING_IN_ALL] = opened

    def count(self, kind: str, address: str) -> list[Standing]:
        """Count a request of an address by every limit of its kind; behind one that is over, only look."""
        standings, is_over = list[Standing](), False
        for name, rate in self._limits[kind].items():
            if rate:
                counted = self.counters.count(name, address, rate, only_look=is_over)
                standings.append(Standing(name, rate, counted))
                is_over = is_over or counted.is_over
        return standings


def not_too_often(kind: str) -> None:
    """Count a request, and let its answer tell how its address stands. Raises TooManyRequests."""
    rates: Rates = current_app.extensions["rates"]
    standings = rates.count(kind, request.remote_addr or "")
    if not standings:
        return

    over = [counted.seconds for _, _, counted in standings if counted.is_over]

    @after_this_request
    def tell(response: Response) -> Response:
        if over:
            response.headers["Retry-After"] = str(max(over))
        response.headers["RateLimit-Policy"] = ", ".join(
            f'"{name}";q={rate.most};w={rate.seconds}' for name, rate, _ in standings
        )
        response.headers["RateLimit"] = ", ".join(
            f'"{name}";r={counted.left};t={counted.seconds}' for name, _, counted in standings
        )
        return response

    if over:
        raise TooManyRequests(max(over))
