"""What an evening came to: per player, per session, and over several sessions by name.

Everything is counted from the entries that stand, so it agrees with the books whatever was corrected. Chips are whole;
won is what came out of a round, paid what went into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ledger.books import Balances, Entry
from ledger.budget import breathe
from ledger.games import every_book
from ledger.history import SessionState
from ledger.play import POT, Chips, Over, PlayerId, Reason
from ledger.session import Round


class RoundNet(NamedTuple):
    """What one round brought somebody, in chips."""

    round: int
    net: Chips


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What an evening came to for one player.

    `rounds` are those that are over and were sat in; one that was voided counts for nobody. A round is won by whom its
    outcome names, or else by whom it brought something. `after_rounds` is what the player had after each round of the
    session, everything included. `counts` are the tallies of every game on the shelf, 0 where they do not apply.
    """

    name: str
    rounds: int = 0
    wins: int = 0
    forfeits: int = 0
    won: Mapping[Reason, Chips] = field(default_factory=dict)
    paid: Mapping[Reason, Chips] = field(default_factory=dict)
    best: RoundNet | None = None
    worst: RoundNet | None = None
    counts: Mapping[str, int] = field(default_factory=dict, metadata={"spread": True})
    balance: Chips = 0
    after_rounds: tuple[Chips, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionStatistics:
    """What an evening came to. `pots` are what lay in it when each round ended, `carried` what each found in it."""

    rounds: int
    results: Mapping[str, int]
    forfeits: Mapping[str, int]
    pots: tuple[Chips, ...]
    carried: tuple[Chips, ...]
    players: Mapping[PlayerId, PlayerStatistics]


class Ended(NamedTuple):
    """A round that is over, the entries that stand for it, and what every account held after it, in chips."""

    round: Round
    entries: Sequence[Entry]
    held: Balances


def ended(state: SessionState) -> Iterator[Ended]:
    """Go through the rounds that are over, in order."""
    held, entries = dict((state.start or state).balances), list[Entry]()
    for point in reversed(list(state.points())):
        breathe()
        for entry in point.entries:
            held[entry.payer] = held.get(entry.payer, 0) - entry.amount
            held[entry.payee] = held.get(entry.payee, 0) + entry.amount
        if point.round is None or (now := point.table.round) is None:
            continue
        entries += point.entries
        if isinstance(now.phase, Over):
            yield Ended(now, entries, dict(held))
            entries = []


def statistics(state: SessionState) -> SessionStatistics:
    """Count an evening."""
    over = list(ended(state))
    counted = {person.id: _Counted() for person in state.table.players}
    for done in over:
        if done.round.void_reason is None:
            count(done, counted)
    return SessionStatistics(
        rounds=len(over),
        results=Counter(done.round.phase.outcome.result for done in over),
        forfeits=Counter(reason for done in over for reason in done.round.phase.outcome.forfeited_for),
        pots=tuple(done.round.ground.carried + paid_in(done.entries) for done in over),
        carried=tuple(done.round.ground.carried for done in over),
        players={
            person.id: counted[person.id].told(
                name=person.name,
                balance=state.balances.get(person.id, 0),
                after_rounds=tuple(done.held.get(person.id, 0) for done in over),
            )
            for person in state.table.players
        },
    )


@dataclass(slots=True)
class _Counted:
    """What is counted for one player, while it is."""

    wins: int = 0
    forfeits: int = 0
    nets: list[RoundNet] = field(default_factory=list)
    won: Counter[Reason] = field(default_factory=Counter)
    paid: Counter[Reason] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)

    def told(self, name: str, balance: Chips, after_rounds: tuple[Chips, ...]) -> PlayerStatistics:
        """Tell it; tallies of other games are 0."""
        return PlayerStatistics(
            name=name,
            rounds=len(self.nets),
            wins=self.wins,
            forfeits=self.forfeits,
            won=self.won,
            paid=self.paid,
            best=max(self.nets, key=lambda net: net.net, default=None),
            worst=min(self.nets, key=lambda net: net.net, default=None),
            counts={tally.name: self.counts[tally.name] for book in every_book() for tally in book.tallies},
            balance=balance,
            after_rounds=after_rounds,
        )


def count(done: Ended, counted: Mapping[PlayerId, _Counted]) -> None:
    """Count what a round came to for those who sat in it."""
    over, nets = done.round.phase, dict.fromkeys(done.round.ground.seats, 0)
    for entry in done.entries:
        if entry.payee in nets:
            nets[entry.payee] += entry.amount
            counted[entry.payee].won[entry.reason] += entry.amount
        if entry.payer in nets:
            nets[entry.payer] -= entry.amount
            counted[entry.payer].paid[entry.reason] += entry.amount
    winner, is_forfeited = over.outcome.won_by, over.outcome.result == "forfeited"
    for player, net in nets.items():
        one = counted[player]
        one.nets.append(RoundNet(done.round.number, net))
        one.wins += net > 0 if winner is None else winner == player
        one.forfeits += is_forfeited
    for tally in done.round.book.tallies:
        for player, number in tally.count(over, done.entries).items():
            counted[player].counts[tally.name] += number


def paid_in(entries: Iterable[Entry]) -> Chips:
    """Add up what went into the pot, in chips."""
    return sum(entry.amount for entry in entries if entry.payee == POT)


def together(several: Iterable[SessionStatistics]) -> Mapping[str, PlayerStatistics]:
    """Add up several sessions by player name; rounds keep no number then, so best and worst name none (0)."""
    people: dict[str, PlayerStatistics] = {}
    for one in several:
        for person in one.players.values():
            people[person.name] = added(people[person.name], person) if person.name in people else person
    return {name: without_rounds(person) for name, person in people.items()}


def without_rounds(person: PlayerStatistics) -> PlayerStatistics:
    """Leave out what only means something within one session."""
    best, worst = (net and net._replace(round=0) for net in (person.best, person.worst))
    return replace(person, best=best, worst=worst, after_rounds=())


def added(one: PlayerStatistics, other: PlayerStatistics) -> PlayerStatistics:
    """Add two evenings of one person."""
    bests = [net for net in (one.best, other.best) if net]
    worsts = [net for net in (one.worst, other.worst) if net]
    return PlayerStatistics(
        name=one.name,
        won=Counter(one.won) + Counter(other.won),
        paid=Counter(one.paid) + Counter(other.paid),
        best=max(bests, key=lambda net: net.net, default=None),
        worst=min(worsts, key=lambda net: net.net, default=None),
        counts={name: number + other.counts[name] for name, number in one.counts.items()},
        rounds=one.rounds + other.rounds,
        wins=one.wins + other.wins,
        forfeits=one.forfeits + other.forfeits,
        balance=one.balance + other.balance,
    )
