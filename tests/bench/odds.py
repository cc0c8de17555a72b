"""Chances beside a plain POST: how long a phone waits for them at a table of 23, wherever the round stands.

One worker answers one client, whose plain POST and whose look at the chances take turns; each look is at a table
with prices of its own, so that nothing of it was counted before. At Shippin it is the first look after the start.
Statistics of an evening are counted for the first time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from statistics import median

from tests.bench.evening import MOVED, OPENING, SEATS, Evening
from tests.bench.report import Effort, Figure, at_most, milliseconds
from tests.bench.wire import Caller
from tests.scorekeeper import Json, deals
from tests.service import Service

MANY = 23
TABLE: Json = {"game": "shirinma", "players": [f"Player {number}" for number in range(1, MANY + 1)], "odds": True}
SUITS = ("clubs", "swords", "cups", "coins")
SHOWDOWN = [f"{suit}-{rank}" for rank in (12, 1, 10) for suit in SUITS]
GOOD = {*SHOWDOWN, *(f"{suit}-11" for suit in SUITS)}
ROUND: list[Json] = [{"type": "round_opened"}, {"type": "field_card_revealed", "card": "coins-3"}]
STANDS = {"before the field card": ROUND[:1], "before a card": ROUND}
STANDS["after a deal"] = [*ROUND, *deals([*SHOWDOWN, *["plain"] * (MANY - len(SHOWDOWN))], seats=MANY)]
prices = count(1)
HANDS: Json = {"game": "shippin", "players": ["Aki", "Ben"], "odds": True}


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every stand of a round, and the first look at Shippin."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Service(Path(folder, "ledger.db"), workers=1) as service,
        Caller(service.port) as caller,
    ):
        for stand, events in STANDS.items():
            yield beside(f"odds of {MANY} players, {stand}", caller, service.port, events, effort)
        yield counted(caller, service.port, effort)
    shippin = list[tuple[float, float]]()
    for _ in range(effort.repeats):
        with tempfile.TemporaryDirectory() as folder, Service(Path(folder, "ledger.db"), workers=1) as service:
            evening = Evening.opened(service.port, HANDS)
            with Caller(service.port) as caller:
                plain = [caller.call(evening.reports({"type": "round_opened"})).took]
                first = caller.call(evening.looks("/odds"))
                assert first.status == 200, first
                plain += [caller.call(evening.reports(MOVED)).took for _ in range(10)]
            shippin.append((first.took, median(plain)))
    yield figure("the first odds of Shippin after a start", shippin)


def beside(name: str, caller: Caller, port: int, events: list[Json], effort: Effort) -> Figure:
    """Look once at each of some tables, and record something there before."""
    pairs = list[tuple[float, float]]()
    for _ in range(effort.repeats):
        looks, plain = list[float](), list[float]()
        for _ in range(effort.of(10, 2)):
            evening = Evening.opened(port, TABLE | {"rules": {"payments": {"dragon": next(prices)}}})
            assert caller.call(evening.reports(*events)).status == 201
            plain.append(caller.call(evening.reports(MOVED)).took)
            heard = caller.call(evening.looks("/odds"))
            assert heard.status == 200, heard
            looks.append(heard.took)
        pairs.append((median(looks), median(plain)))
    return figure(name, pairs)


def counted(caller: Caller, port: int, effort: Effort) -> Figure:
    """Count evenings for the first time, with a bid for every showdown card, and no two rounds alike."""
    chance, rounds, pairs = Random(14), effort.of(100, 2), list[tuple[float, float]]()
    for _ in range(effort.repeats):
        evening = Evening.opened(port, OPENING | {"odds": True})
        for dealer in range(rounds):
            assert caller.call(evening.reports(*shuffled(chance, dealer))).status == 201
        plain = [caller.call(evening.reports(MOVED)).took for _ in range(10)]
        heard = caller.call(evening.looks("/statistics"))
        assert heard.status == 200, heard
        pairs.append((heard.took / rounds, median(plain)))
    return figure(f"statistics with chances of {rounds} rounds, each", pairs)


def shuffled(chance: Random, dealer: int) -> Iterator[Json]:
    """Report a round of twelve without a third deal, the deck in any order."""
    deck = [f"{suit}-{rank}" for suit in SUITS for rank in range(1, 13)]
    chance.shuffle(deck)
    while not set(deck[SEATS + 1 : 2 * SEATS + 1]) & GOOD:
        chance.shuffle(deck)
    yield from (ROUND[0], {"type": "field_card_revealed", "card": deck[0]})
    for place, card in enumerate(deck[1 : 2 * SEATS + 1], dealer):
        yield {"type": "card_dealt", "player": f"p{place % SEATS + 1}", "card": card}
        if card in GOOD:
            yield {"type": "bid_placed", "player": f"p{(place + 3) % SEATS + 1}", "amount": 9}
    yield {"type": "trump_revealed", "card": deck[-1]}


def figure(name: str, pairs: list[tuple[float, float]]) -> Figure:
    look, plain = (median(times) for times in zip(*pairs, strict=True))
    return Figure(
        name,
        "plain POSTs",
        [look / plain for look, plain in pairs],
        at_most(3),
        f"{milliseconds(look)} : {milliseconds(plain)}",
    )
