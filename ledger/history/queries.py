"""What is read off a session's history: its rounds, whether the chips came back, who pays whom, how the next begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ledger.books import Balances, outside_play, posted, won_of
from ledger.budget import breathe
from ledger.games import newest
from ledger.history.points import Place, Point
from ledger.history.state import Session, SessionState
from ledger.history.timeline import Chapter
from ledger.play import BANK, POT, Account, Chips, PlayerId
from ledger.sentences import Sentence, say
from ledger.session import Opening, PotBrought, Round, RoundIsOpen, SessionClosed, SettlementPaid, Table, rules_under
from ledger.settlement import Payment, Settlement, settle_after, settle_through

POT_AND_BANK = (SessionClosed, PotBrought)
"""Events by which the bank gets a pot, or gives one."""


class Closing(NamedTuple):
    """What the bank gave out when people bought in, and what came back to it, in chips, where these do not match."""

    buy_ins: Chips
    cash_outs: Chips

    @property
    def difference(self) -> Chips:
        """How many chips are missing; below zero, how many too many came back."""
        return self.buy_ins - self.cash_outs

    @property
    def sentence(self) -> Sentence:
        """The same for people to read."""
        return say(
            "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too few."
            if self.difference > 0
            else "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too many.",
            buy_ins=self.buy_ins,
            cash_outs=self.cash_outs,
            off=abs(self.difference),
        )


def closing(state: SessionState) -> Closing | None:
    """Hold what came back to the bank against what it gave out; None if they match, or the session is open.

    A pot that was brought along was given out, one that went to the bank came back. Debts that are settled and balances
    brought along are no chips.
    """
    given, returned = state.bank
    return Closing(given, returned) if state.table.status == "closed" and given != returned else None


class Moment(NamedTuple):
    """An event that counts, the table before it, and what every account held after it, in chips.

    `outside` is what of that came outside play.
    """

    point: Point
    before: Table
    balances: Balances
    outside: Balances

    @property
    def won(self) -> Balances:
        """What play had brought every account after it, in chips."""
        return won_of(self.balances, self.outside)


def moments(state: SessionState, number: int | None = None) -> Iterator[Moment]:
    """Go through what counts, oldest first: all of it, or the events of a round."""
    chapters = state.timeline.chapters
    first = state.timeline.chapter_opening(number) if number else 0
    earlier = [entry for place in places_of(chapters[:first]) for entry in place.entries]
    balances = posted((state.start or state).balances, earlier)
    outside = posted({}, outside_play(earlier))
    for chapter in chapters[first:]:
        table = chapter.begin
        if number and table.rounds > number:
            return
        for place in places_of([chapter]):
            if place.entries:
                balances = posted(balances, place.entries)
                if beside := outside_play(place.entries):
                    outside = posted(outside, beside)
            if isinstance(place, Point) and number in (None, place.round):
                yield Moment(place, table, balances, outside)
            table = place.table


def places_of(chapters: Iterable[Chapter]) -> Iterator[Place]:
    """Go through the places of some chapters, oldest first, and let others go in between."""
    for chapter in chapters:
        for place in chapter.places:
            breathe()
            yield place


def rounds_changed(before: SessionState, after: SessionState) -> tuple[Mapping[int, Round], Mapping[int, Round]]:
    """Give the rounds, by number, of which two states of a session may know different things; others are the same.

    What the two share is not looked at, but for the chapter before the first that differs: a round may begin there.
    """
    old, new = before.timeline.chapters, after.timeline.chapters
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if old[at].places is not new[at].places), shorter)
    last = next((at for at in range(shorter - first) if old[~at].places is not new[~at].places), shorter - first)
    first = max(0, first - 1)
    return _by_number(old[first : len(old) - last]), _by_number(new[first : len(new) - last])


def _by_number(chapters: Iterable[Chapter]) -> Mapping[int, Round]:
    tables = (place.table for chapter in chapters for place in chapter.places)
    return {table.round.number: table.round for table in tables if table.round}


def settlement_of(state: SessionState, via: PlayerId | None) -> Settlement:
    """Work out who pays whom, given what has been paid since chips last moved otherwise."""
    now = accounts_of(state.table, state.balances)
    if via is not None:
        return settle_through(via, now)
    paid: list[Payment] = []
    for point in state.points():
        if isinstance(point.event, SettlementPaid):
            paid.append(Payment(point.event.payer, point.event.payee, point.event.amount))
        elif point.entries:
            break
    before = dict(now)
    for payment in paid:
        before[payment.payer] -= payment.amount
        before[payment.payee] += payment.amount
    return settle_after(before, paid[::-1])


def next_evening(session: Session) -> tuple[Opening, Chips]:
    """Say how those who sit at a table now would open another session, and what of its pot they would bring along.

    That is what lies in it, and what closings put into the bank; what was split or given back is nobody's pot any more.
    Who was forgotten, and so is called by the id, is called by the one they get. Raises RoundIsOpen.
    """
    table, names = session.state.table, session.names
    if now := table.open_round:
        raise RoundIsOpen(round=now.number)
    seats, dealer = table.seating.seats, table.seating.dealer
    opening = Opening(
        game=session.opening.game,
        deck=table.deck,
        players=tuple(f"p{seat}" if names[one] == one else names[one] for seat, one in enumerate(seats, 1)),
        rules=rules_under(newest(session.opening.game), table.rules),
        dealer=seats.index(dealer) + 1 if dealer in seats else 1,
        name=table.name,
        chip_value=table.chip_value,
        odds=table.odds,
    )
    return opening, table.pot + _left_in_the_bank(session.state)


def _left_in_the_bank(state: SessionState) -> Chips:
    """Say how much the bank was given of pots whenever the session was closed, and has not given back to one since.

    Reopening leaves it there. A pot that is brought along comes from the bank: what closing put into it, if that will
    do, and else from an earlier evening.
    """
    left = 0
    for point in reversed([point for point in state.points() if isinstance(point.event, POT_AND_BANK)]):
        if isinstance(point.event, PotBrought):
            left = max(0, left - point.event.amount)
        else:
            left += sum(entry.amount for entry in point.entries if entry.reason == "pot_to_bank")
    return left


def accounts_of(table: Table, balances: Balances) -> dict[Account, Chips]:
    """Give what everyone has to settle, in the order of their ids; the bank and the pot too, if they hold chips."""
    players = {player.id: balances.get(player.id, 0) for player in table.players}
    return players | {account: balances.get(account, 0) for account in (BANK, POT)}
