"""The shelf: every game's rule books, by name and version. A new game is one new file here and one line below.

A round keeps the version it was opened under, so a changed rule book comes as a new version beside the old one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ledger.games import kakkuri, shippin, shirinma
from ledger.play import RuleBook

_BOOKS: Sequence[RuleBook[Any]] = (
    shirinma.BOOK,
    shippin.BOOK,
    kakkuri.BOOK,
)

_NAMES = dict.fromkeys(book.name for book in _BOOKS)

GAMES: Mapping[str, Mapping[int, RuleBook[Any]]] = MappingProxyType(
    {name: {book.version: book for book in _BOOKS if book.name == name} for name in _NAMES}
)


def newest(game: str) -> RuleBook[Any]:
    """Give the rule book that rounds of this game are opened under today. Raises KeyError for no such game."""
    return GAMES[game][max(GAMES[game])]
