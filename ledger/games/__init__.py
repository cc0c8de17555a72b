"""The shelf: every game's rule books, by name and version. A new game is one new file here, its import and its line
at the end, and its sentences in the catalogue.

A round keeps the version it was opened under, so a changed rule book comes as a new version beside the old one.

A game may be put on the shelf later, before an application is made. So nothing is worked out from the shelf when a
module is imported; `from_shelf` caches what is worked out from it, until it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from ledger.games import kakkuri, shippin, shirinma
from ledger.games.odds import shippin_table, shirinma_table
from ledger.records import replace
from ledger.rulebook.rule_book import RuleBook

T = TypeVar("T")

_SHELF: dict[str, dict[int, RuleBook[Any]]] = {}
_FOLLOWING: list[Callable[[], None]] = []
GAMES: Mapping[str, Mapping[int, RuleBook[Any]]] = _SHELF


def newest(game: str) -> RuleBook[Any]:
    """Give the rule book that rounds of this game are opened under today. Raises KeyError for no such game."""
    return GAMES[game][max(GAMES[game])]


def every_book() -> Iterator[RuleBook[Any]]:
    """Give every rule book on the shelf, older versions too."""
    return (book for versions in GAMES.values() for book in versions.values())


def from_shelf(make: Callable[[], T]) -> Callable[[], T]:
    """Cache what a function makes of the shelf for as long as the same rule books stand there."""
    cached = cache(make)
    _FOLLOWING.append(cached.cache_clear)
    return cached


def register(book: RuleBook[Any]) -> None:
    """Put a rule book on the shelf. No word of it may have another meaning in one that stands there."""
    _SHELF.setdefault(book.name, {})[book.version] = book
    _forget()


def _forget() -> None:
    for forget in _FOLLOWING:
        forget()


register(replace(shirinma.BOOK, odds=shirinma_table.odds, weigh=shirinma_table.weigh))
register(replace(shippin.BOOK, odds=shippin_table.odds, weigh=shippin_table.weigh))
register(kakkuri.BOOK)
