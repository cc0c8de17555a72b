"""The shelf: every game's rule books, by name and version. A new game is one new file here and one line at the end.

A round keeps the version it was opened under, so a changed rule book comes as a new version beside the old one.

A rule book can also come from elsewhere, and be put on the shelf before an application is made. So nobody works out
anything from the shelf as they are imported; what is kept of it is kept by `from_shelf`, until it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from ledger.games import kakkuri, shippin, shirinma
from ledger.games.odds import shippin_table, shirinma_table
from ledger.play.rule_book import RuleBook
from ledger.records import replace

_SHELF: dict[str, dict[int, RuleBook[Any]]] = {}
_FOLLOWING: list[Callable[[], None]] = []

GAMES: Mapping[str, Mapping[int, RuleBook[Any]]] = MappingProxyType(_SHELF)
T = TypeVar("T")


def newest(game: str) -> RuleBook[Any]:
    """Give the rule book that rounds of this game are opened under today. Raises KeyError for no such game."""
    return GAMES[game][max(GAMES[game])]


def every_book() -> Iterator[RuleBook[Any]]:
    """Give every rule book on the shelf, older versions too."""
    return (book for versions in GAMES.values() for book in versions.values())


def from_shelf(make: Callable[[], T]) -> Callable[[], T]:
    """Keep what a function makes of the shelf for as long as the same rule books stand there."""
    kept = cache(make)
    _FOLLOWING.append(kept.cache_clear)
    return kept


def register(book: RuleBook[Any]) -> None:
    """Put a rule book on the shelf. Raises ValueError if a word of it has another meaning in one that stands there."""
    if found := [clash for other in every_book() for clash in clashes(book, other)]:
        raise ValueError(f"{book.name}, version {book.version}: " + "; ".join(found))
    _SHELF.setdefault(book.name, {})[book.version] = book
    _forget()


def clashes(book: RuleBook[Any], other: RuleBook[Any]) -> Iterator[str]:
    """Say what a rule book means by a word that means something else in another one."""
    if (book.name, book.version) == (other.name, other.version):
        yield "this version stands there already"
    for own, theirs in zip(words_of(book), words_of(other), strict=True):
        yield from (
            f"{word} is something else in {other.name}" for word in own if own[word] != theirs.get(word, own[word])
        )


def words_of(book: RuleBook[Any]) -> tuple[Mapping[str, object], ...]:
    """Give the words that are told without the game's name, and what a rule book means by them."""
    events = {kind.type: kind for kind in (*book.between, *book.events)}
    return events, book.reasons, {tally.name: tally.label for tally in book.tallies}


def _forget() -> None:
    """Let everything be worked out anew that follows from the shelf."""
    for forget in _FOLLOWING:
        forget()


register(replace(shirinma.BOOK, odds=shirinma_table.odds, weigh=shirinma_table.weigh))
register(replace(shippin.BOOK, odds=shippin_table.odds, weigh=shippin_table.weigh))
register(kakkuri.BOOK)
