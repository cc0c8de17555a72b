"""A round that is not stored: worked out without a session, or a recorded one paid under other house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ledger.accounting.books import Balances, Entry, entries_for, posted
from ledger.cooperation import yielding
from ledger.games import GAMES, newest
from ledger.records import replace
from ledger.rulebook.event import Event
from ledger.rulebook.exposing import CardExposed
from ledger.rulebook.values import PlayerId
from ledger.session.events import RoundEntered, RoundOpened, RoundVoided
from ledger.session.history import Session, SessionState, Slot, step
from ledger.session.refusals import NoRoundOpen
from ledger.session.rounds import changed, rules_under
from ledger.session.table import Opening, Round


class Calculated(NamedTuple):
    """What a round comes to that is not stored: its entries, what every account would get, the players' names."""

    round: Round
    entries: Sequence[Entry]
    balances: Balances
    names: Mapping[PlayerId, str]


def calculate(opening: Opening, reports: Sequence[Event]) -> Calculated:
    """Work out a round without a session; `round_opened` may be left out.

    Raises Refused, with the `index` of the event among those given.
    """
    book = newest(opening.game)
    numbered = list(enumerate(reports))
    if not any(isinstance(event, RoundOpened | RoundEntered) for event in reports):
        of_a_round: tuple[type[Event], ...] = (*book.events, RoundVoided, CardExposed)
        begin = next((index for index, event in numbered if isinstance(event, of_a_round)), len(numbered))
        numbered.insert(begin, (begin, RoundOpened()))
    state, entries = SessionState.opened(GAMES[opening.game], opening), list[Entry]()
    for index, event in yielding(numbered):
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
    rules = rules_under(table.rule_books[steps[0].slot.version], table.rules)
    table = replace(table, rules=changed(rules, switches))
    entries = list[Entry]()
    for slot, *_ in steps:
        again, transfers = step(table, slot, earlier)
        table = again.table
        earlier.append(slot)
        entries += entries_for(transfers, len(entries) + 1, slot.seq, again.round)
    if table.round is None:
        raise ValueError("a round was opened")
    return Calculated(table.round, entries, posted({}, entries), session.names)
