"""A round that is not kept: worked out without a session, or a recorded one paid under other house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ledger.books import Balances, Entry, entries_for, posted
from ledger.cooperation import yielding
from ledger.games import GAMES, newest
from ledger.history import Session, SessionState, Slot, only_the_pot, step
from ledger.play.events import Event
from ledger.play.exposing import CardExposed
from ledger.play.values import PlayerId
from ledger.records import replace
from ledger.session.events import RoundEntered, RoundOpened, RoundVoided
from ledger.session.refusals import NoRoundOpen
from ledger.session.rounds import changed, rules_under
from ledger.session.table import Opening, Round


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
        of_a_round: tuple[type[Event], ...] = (*book.events, RoundVoided, CardExposed)
        begin = next((index for index, event in told if isinstance(event, of_a_round)), len(told))
        told.insert(begin, (begin, RoundOpened()))
    state, entries = SessionState.opened(GAMES[opening.game], opening), list[Entry]()
    for index, event in yielding(told):
        for recorded in state.record_all([(event, book.version)], first=index):
            state = recorded.state
            entries += recorded.entries
    if state.table.round is None:
        raise NoRoundOpen
    names = {player.id: player.name for player in state.table.players}
    return Calculated(state.table.round, entries, state.balances, names)


def recalculate(session: Session, number: int, switches: Mapping[str, Any]) -> Calculated:
    """Pay a recorded round under other house rules. Raises Refused for what would not have been possible."""
    steps = list(session.state.steps(number))
    table, earlier = steps[0].before, list[Slot]()
    rules = rules_under(table.rule_books[steps[0].slot.logged.version], table.rules)
    table = replace(table, rules=changed(rules, switches))
    balances, entries = only_the_pot(table), list[Entry]()
    for slot, *_ in steps:
        stepped = step(table, balances, slot.logged, earlier)
        table, balances = stepped.table, stepped.balances
        earlier.append(slot)
        entries += entries_for(stepped.transfers, len(entries) + 1, slot.seq, stepped.round)
    if table.round is None:
        raise ValueError("a round was opened")
    return Calculated(table.round, entries, posted({}, entries), session.names)
