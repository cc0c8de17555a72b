"""What is tried out for the page on house rules: every table, and which one it is held beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ledger.simulation import GAMES, Setting
from tests.simulation.switches import every_switch

EVENING = 20

PLAYERS = {"shirinma": 13, "shippin": 5, "kakkuri": 7}
SIZES = {"shirinma": (12, 13, 15, 16, 20, 23), "shippin": (2, 3, 4, 5), "kakkuri": (7, 8)}
SEEN_ONLY_IF = {"min_increment": "worth", "dropping_out": "cautious"}
"""Switches that say something only where people play in a way of their own."""


@dataclass(frozen=True)
class Trial:
    """A table, and the one it is held beside if it is; `key` is where its figures are kept."""

    key: str
    setting: Setting
    beside: Setting | None = None

    @property
    def tables(self) -> tuple[Setting, ...]:
        return (self.setting, self.beside) if self.beside else (self.setting,)

    @property
    def seed(self) -> int:
        """Numbers of players never have the same cards; what is held beside a table always has."""
        return self.setting.players


def usual(game: str, **changes: Any) -> Setting:
    known = GAMES[game]
    said = {"players": PLAYERS[game], "deck": known.book.decks[0], "rules": known.book.rules(), **changes}
    return Setting(game=game, playing=said.pop("playing", next(iter(known.ways))), **said)


def trials(game: str) -> Iterator[Trial]:
    """Everything that is played of a game."""
    first, *other_ways = GAMES[game].ways
    for players in SIZES[game]:
        yield Trial(f"{players} players", usual(game, players=players))
    for way in other_ways:
        yield Trial(f"playing {way}", usual(game, playing=way), usual(game))
    for each in every_switch(game):
        as_played = {"playing": SEEN_ONLY_IF.get(each.name, first), "deck": each.deck}
        yield Trial(each.said, usual(game, rules=each.rules, **as_played), usual(game, **as_played))
    if game == "shippin":
        yield from (Trial(f"{karami} {tie}", table, usual("shippin")) for karami, tie, table in ties())


def ties() -> Iterator[tuple[str, str, Setting]]:
    """Every way to settle two karami, with every way to settle a tie."""
    make = GAMES["shippin"].book.rules
    for karami, tie in product(("compare_totals", "tie", "dealer_wins"), ("push", "dealer_wins")):
        yield karami, tie, usual("shippin", rules=make(karami_vs_karami=karami, tie=tie))
