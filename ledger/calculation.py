"""A round that is not kept: worked out without a session, or a recorded one paid under other house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ledger.books import Balances, Entry, posted
from ledger.games import GAMES, newest
from ledger.history import Session, SessionState, points_of, step
from ledger.history.corrections import Logged
from ledger.play import Event, PlayerId
from ledger.session import NoRoundOpen, Opening, Round, RoundEntered, RoundOpened, RoundVoided, changed, rules_under


class Calculated(NamedTuple):
    """What a round comes to that is not kept: its entries, what every account would get, what people are called."""

    round: Round
    entries: Sequence[Entry]
    balances: Balances
    names: Mapping[PlayerId, str]


def calculate(opening: Opening, reports: Sequence[Event]) -> Calculated:
    """Work out a round without a session; `round_opened` may be left out.

    Raises Refused, with the `index` of the event among those given.
    """
    book = newest(opening.game)
    told = list(enumerate(reports))
    if not any(isinstance(event, RoundOpened | RoundEntered) for event in reports):
        of_a_round = (*book.events, RoundVoided)
        begin = next((index for index, event in told if isinstance(event, of_a_round)), len(told))
        told.insert(begin, (begin, RoundOpened()))
    state, entries = SessionState.opened(GAMES[opening.game], opening), list[Entry]()
    for index, event in told:
        for recorded in state.record_all([(event, book.version)], first=index):
            state, entries = recorded.state, entries + list(recorded.entries)
    if state.table.round is None:
        raise NoRoundOpen
    names = {player.id: player.name for player in state.table.players}
    return Calculated(state.table.round, entries, state.balances, names)


def recalculate(session: Session, number: int, switches: Mapping[str, Any]) -> Calculated:
    """Pay a recorded round under other house rules. Raises Refused for what would not have been possible."""
    points = points_of(number, session.state)
    start = points[0].before
    if start is None:
        raise ValueError("a round begins with an event")
    rules = rules_under(start.table.rule_books[points[0].version], start.table.rules)
    tip, entries = replace(start, table=replace(start.table, rules=changed(rules, switches))), list[Entry]()
    for point in points:
        if point.event is None:
            continue
        stepped = step(tip, Logged(point.at, point.event, point.version))
        moved = stepped.entries(len(entries) + 1, point.seq)
        tip, entries = stepped.point(moved, tip), entries + list(moved)
    if tip.table.round is None:
        raise ValueError("a round was opened")
    return Calculated(tip.table.round, entries, posted({}, entries), session.names)
