"""What an evening came to: per player, per session, and over several sessions by name.

Everything is counted from the entries that stand, so it agrees with the books whatever was corrected. Chips are whole;
won is what came out of a round, paid what went into it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ledger.books import Entry
from ledger.games import every_book
from ledger.history import SessionState, moments
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


def statistics(state: SessionState) -> SessionStatistics:
    """Count an evening."""
    over = [done for done in state.rounds() if not done.is_open]
    by_round = entries_by_round(state)
    after = balances_after(state)
    counts = tallied(over, by_round)
    return SessionStatistics(
        rounds=len(over),
        results=Counter(done.phase.outcome.result for done in over),
        forfeits=Counter(reason for done in over for reason in done.phase.outcome.forfeited_for),
        pots=tuple(done.ground.carried + paid_in(by_round.get(done.number, ())) for done in over),
        carried=tuple(done.ground.carried for done in over),
        players={
            person.id: replace(
                of_player(person.id, over, by_round),
                name=person.name,
                counts=counts[person.id],
                balance=state.balances.get(person.id, 0),
                after_rounds=tuple(balances.get(person.id, 0) for balances in after),
            )
            for person in state.table.players
        },
    )


def of_player(player: PlayerId, over: Sequence[Round], by_round: Mapping[int, Sequence[Entry]]) -> PlayerStatistics:
    """Count what the rounds that are over came to for one player."""
    sat_in = [done for done in over if player in done.ground.seats and done.void_reason is None]
    entries = [entry for done in sat_in for entry in by_round.get(done.number, ())]
    nets = [RoundNet(done.number, net_of(player, by_round.get(done.number, ()))) for done in sat_in]
    won, paid = Counter[Reason](), Counter[Reason]()
    for entry in entries:
        if entry.payee == player:
            won[entry.reason] += entry.amount
        if entry.payer == player:
            paid[entry.reason] += entry.amount
    return PlayerStatistics(
        name=player,
        rounds=len(sat_in),
        wins=sum(is_win(player, done, net.net) for done, net in zip(sat_in, nets, strict=True)),
        forfeits=sum(done.phase.outcome.result == "forfeited" for done in sat_in),
        won=won,
        paid=paid,
        best=max(nets, key=lambda net: net.net, default=None),
        worst=min(nets, key=lambda net: net.net, default=None),
    )


def is_win(player: PlayerId, done: Round, net: Chips) -> bool:
    """Say whether a player won a round: named by its outcome or, where none is named, better off by it."""
    winner = done.phase.outcome.won_by
    return bool(winner == player) if winner is not None else net > 0


def tallied(over: Iterable[Round], by_round: Mapping[int, Sequence[Entry]]) -> Mapping[PlayerId, Mapping[str, int]]:
    """Count what the rule books say is counted, for each player: a tally of another game is 0."""
    none = {tally.name: 0 for book in every_book() for tally in book.tallies}
    counts: dict[PlayerId, dict[str, int]] = defaultdict(none.copy)
    for done in over:
        for tally in done.book.tallies if done.void_reason is None else ():
            for player, number in tally.count(done.phase, by_round.get(done.number, ())).items():
                counts[player][tally.name] += number
    return counts


def entries_by_round(state: SessionState) -> Mapping[int, Sequence[Entry]]:
    """Give the entries that stand, by round."""
    found: dict[int, list[Entry]] = {}
    for point in state.points():
        for entry in point.entries:
            if entry.round is not None:
                found.setdefault(entry.round, []).append(entry)
    return found


def balances_after(state: SessionState) -> Sequence[Mapping[str, Chips]]:
    """Give what every account held when each round was over, in order."""
    after: dict[int, Mapping[str, Chips]] = {}
    for point, _, balances in moments(state):
        done = point.table.round
        if done is not None and isinstance(done.phase, Over) and point.round == done.number:
            after[done.number] = balances
    return list(after.values())


def paid_in(entries: Iterable[Entry]) -> Chips:
    """Add up what went into the pot, in chips."""
    return sum(entry.amount for entry in entries if entry.payee == POT)


def net_of(player: PlayerId, entries: Iterable[Entry]) -> Chips:
    """Say what some entries brought a player, in chips."""
    return sum((e.payee == player) * e.amount - (e.payer == player) * e.amount for e in entries)


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
