"""What an evening came to: per player, per session, and over several sessions per person.

Everything is counted from the entries that stand, so it agrees with the books whatever was corrected. Chips are whole;
received is what came out of a round, paid what went into it.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from msgspec import Struct

from ledger.books import Balances, Entry, is_play
from ledger.budget import breathe
from ledger.cards import Card
from ledger.games import every_book
from ledger.history import SessionState, Step
from ledger.play import POT, Account, Chips, Fortune, Over, PlayerId, Reason, Ride, SessionId, Steps
from ledger.records import Meta, Record, field, replace
from ledger.sentences import Fault, Malformed, escaped, say
from ledger.session import Round

FORTUNES_KEPT = 1000
"""So many rounds are kept as they were held against their chances, each some kB: a few long evenings."""


class RoundNet(Record):
    """What one round brought a player, in chips."""

    round: Annotated[int, Meta(description="The number of the round.")]
    net: Annotated[Chips, Meta(description="What the round brought the player, in chips.")]


class PlayerStatistics(Record):
    """What an evening came to for one player.

    `counts` are the tallies of every game in the registry, 0 where they do not apply.
    """

    name: Annotated[str, Meta(description="The player's name.")]
    rounds: Annotated[int, Meta(description="How many rounds the player sat in, without open and voided ones.")] = 0
    wins: Annotated[
        int, Meta(description="How many rounds the player won, or gained in where the game names no winner.")
    ] = 0
    forfeits: Annotated[int, Meta(description="How many of those rounds nobody won.")] = 0
    received: Annotated[Mapping[Reason, Chips], Meta(description="What came out of rounds, in chips, by reason.")] = (
        field(default_factory=dict)
    )
    paid: Annotated[Mapping[Reason, Chips], Meta(description="What was paid into rounds, in chips, by reason.")] = (
        field(default_factory=dict)
    )
    best: Annotated[RoundNet | None, Meta(description="The player's best round; null before the first.")] = None
    worst: Annotated[RoundNet | None, Meta(description="The player's worst round; null before the first.")] = None
    counts: Annotated[Mapping[str, int], Meta(extra={"spread": True})] = field(default_factory=dict)
    won: Annotated[
        Chips, Meta(description="What play brought, in chips, without payments, purchases, cash-outs and gifts.")
    ] = 0
    balance: Annotated[Chips, Meta(description="What is still to be settled, in chips.")] = 0
    after_rounds: Annotated[
        tuple[Chips, ...],
        Meta(description="What play had brought the player after each round of the session, in chips."),
    ] = ()
    luck: Annotated[
        Fraction | None,
        Meta(
            description="What the cards brought beyond the expected, in chips; null where the chances are not shown.",
            extra={"in_chips": True},
        ),
    ] = None


class DearRide(Record):
    """A back-ride, half the rights to a card, that cost more than it was worth."""

    round: Annotated[int, Meta(description="The number of the round.")]
    seq: Annotated[int, Meta(description="The number of the bid's event.")]
    player: Annotated[PlayerId, Meta(description="The id of the player who bought half the rights.")]
    owner: Annotated[PlayerId, Meta(description="The id of the card's owner.")]
    card: Annotated[Card, Meta(description="The card.")]
    price: Annotated[Chips, Meta(description="The price of the half, in chips.")]
    worth: Annotated[
        Fraction,
        Meta(description="What the half was worth with that price in the pot, in chips.", extra={"in_chips": True}),
    ]


class SessionStatistics(Record):
    """What an evening came to."""

    rounds: Annotated[int, Meta(description="How many rounds are over.")]
    results: Annotated[Mapping[str, int], Meta(description="How many rounds ended in each way.")]
    forfeits: Annotated[Mapping[str, int], Meta(description="How many rounds nobody won, for each reason.")]
    pots: Annotated[tuple[Chips, ...], Meta(description="The chips in the pot when each round ended.")]
    carried: Annotated[tuple[Chips, ...], Meta(description="The chips in the pot when each round opened.")]
    players: Annotated[
        Mapping[PlayerId, PlayerStatistics], Meta(description="The statistics of each player, by the player's id.")
    ]
    luckiest: Annotated[
        PlayerId | None,
        Meta(
            description="The id of the player with the most luck; null if nobody had any, or the chances are not shown."
        ),
    ] = None
    dear_rides: Annotated[
        tuple[DearRide, ...],
        Meta(description="The back-rides that cost more than they were worth; empty where the chances are not shown."),
    ] = ()


def statistics(state: SessionState) -> SessionStatistics:
    """Count an evening."""
    weighs = state.table.odds and any(book.weigh for book in state.table.rule_books.values())
    counting = _Counting(won=dict(state.brought.balances), weighs=weighs)
    counting.count(state.steps())
    over, won = counting.over, state.won
    return SessionStatistics(
        rounds=len(over),
        results=Counter(done.round.phase.outcome.result for done in over),
        forfeits=Counter(reason for done in over for reason in done.round.phase.outcome.forfeited_for),
        pots=tuple(done.round.ground.carried + done.paid_in for done in over),
        carried=tuple(done.round.ground.carried for done in over),
        players={
            person.id: counting.players.get(person.id, _Counted()).told(
                name=person.name,
                won=won.get(person.id, 0),
                balance=state.balances.get(person.id, 0),
                after_rounds=tuple(done.won.get(person.id, 0) for done in over),
                weighs=weighs,
            )
            for person in state.table.players
        },
        luckiest=luckiest(counting.players) if weighs else None,
        dear_rides=tuple(counting.dear_rides),
    )


def luckiest(players: Mapping[PlayerId, _Counted]) -> PlayerId | None:
    """Say to whom the cards brought most beyond what was to be expected, if they did to anybody."""
    best = max(players, key=lambda player: players[player].luck, default=None)
    return best if best is not None and players[best].luck > 0 else None


class Ended(NamedTuple):
    """A round that is over, what was paid into its pot, and what play had brought every account then, in chips."""

    round: Round
    paid_in: Chips
    won: Balances


class _Counting(Struct):
    """An evening while it is counted: `entries` and `steps` are those of a round that still goes on.

    Rounds are held against their chances if it `weighs` them.
    """

    won: dict[Account, Chips]
    weighs: bool = False
    steps: list[Step] = field(default_factory=list)
    dear_rides: list[DearRide] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    over: list[Ended] = field(default_factory=list)
    players: dict[PlayerId, _Counted] = field(default_factory=dict)

    def count(self, steps: Iterable[Step]) -> None:
        """Count what happened."""
        for step in steps:
            slot, now = step.slot, step.after.round
            for entry in filter(is_play, slot.entries):
                self.won[entry.payer] = self.won.get(entry.payer, 0) - entry.amount
                self.won[entry.payee] = self.won.get(entry.payee, 0) + entry.amount
            if slot.round is None or now is None:
                continue
            self.entries += slot.entries
            self.steps.append(step)
            if isinstance(now.phase, Over):
                breathe()
                self.over.append(Ended(now, paid_in(self.entries), dict(self.won)))
                if now.void_reason is None:
                    count(now, self.entries, self.players)
                    if self.weighs and now.book.weigh:
                        self.weigh(now, weighed(now.book.weigh, self.steps))
                self.entries, self.steps = [], []

    def weigh(self, done: Round, fortune: Fortune) -> None:
        """Count what a round was for everybody, held against its chances."""
        for player, chips in fortune.luck.items():
            self.players.setdefault(player, _Counted()).luck += chips
        self.dear_rides += dear_among(fortune.rides, done, self.steps)


def dear_rides(state: SessionState, done: Round) -> tuple[DearRide, ...]:
    """Give those of a round that is over, as they are counted of its evening. Raises TakesTooLong."""
    if done.void_reason is not None or done.book.weigh is None:
        return ()
    steps = list(state.steps(done.number))
    return tuple(dear_among(weighed(done.book.weigh, steps).rides, done, steps))


def dear_among(rides: Iterable[Ride], done: Round, steps: Sequence[Step]) -> Iterator[DearRide]:
    """Give the rides in a round that cost more than they were worth."""
    for ride in rides:
        if ride.price > ride.worth:
            yield DearRide(done.number, steps[ride.bid].slot.seq, *ride[:-1])


_weighed: OrderedDict[Any, Fortune] = OrderedDict()
"""What rounds were, held against their chances: by how each was opened, and all that was reported in it."""


def weighed(weigh: Callable[[Steps], Fortune], played: Sequence[Step]) -> Fortune:
    """Hold a round against its chances, or take what that came to before. Raises TakesTooLong."""
    steps = [(step.slot.event, phase_after(step)) for step in played]
    known = weigh, steps[0][1], tuple(event for event, _ in steps)
    fortune = _weighed.get(known)
    if fortune is None:
        fortune = _weighed[known] = weigh(steps)
        if len(_weighed) > FORTUNES_KEPT:
            _weighed.popitem(last=False)
    return fortune


def phase_after(step: Step) -> Any:
    """Give where the round stood after an event of it."""
    return step.after.round.phase if step.after.round else None


class _Counted(Struct):
    """What is counted for one player, while it is."""

    wins: int = 0
    forfeits: int = 0
    nets: list[RoundNet] = field(default_factory=list)
    received: Counter[Reason] = field(default_factory=Counter)
    paid: Counter[Reason] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    luck: Fraction = Fraction()

    def told(
        self, name: str, won: Chips, balance: Chips, after_rounds: tuple[Chips, ...], *, weighs: bool
    ) -> PlayerStatistics:
        """Tell it; tallies of other games are 0."""
        return PlayerStatistics(
            name=name,
            rounds=len(self.nets),
            wins=self.wins,
            forfeits=self.forfeits,
            received=self.received,
            paid=self.paid,
            best=max(self.nets, key=lambda net: net.net, default=None),
            worst=min(self.nets, key=lambda net: net.net, default=None),
            counts={tally.name: self.counts[tally.name] for book in every_book() for tally in book.tallies},
            won=won,
            balance=balance,
            after_rounds=after_rounds,
            luck=self.luck if weighs else None,
        )


def count(done: Round, entries: Sequence[Entry], players: dict[PlayerId, _Counted]) -> None:
    """Count what a round came to for those who sat in it."""
    over, nets = done.phase, dict.fromkeys(done.ground.seats, 0)
    for player in nets:
        players.setdefault(player, _Counted())
    for entry in entries:
        if entry.payee in nets:
            nets[entry.payee] += entry.amount
            players[entry.payee].received[entry.reason] += entry.amount
        if entry.payer in nets:
            nets[entry.payer] -= entry.amount
            players[entry.payer].paid[entry.reason] += entry.amount
    winner, is_forfeited = over.outcome.won_by, over.outcome.result == "forfeited"
    for player, net in nets.items():
        one = players[player]
        one.nets.append(RoundNet(done.number, net))
        one.wins += net > 0 if winner is None else winner == player
        one.forfeits += is_forfeited
    for tally in done.book.tallies:
        for player, number in tally.count(over, entries).items():
            players.setdefault(player, _Counted()).counts[tally.name] += number


def paid_in(entries: Iterable[Entry]) -> Chips:
    """Add up what went into the pot, in chips."""
    return sum(entry.amount for entry in entries if entry.payee == POT)


class Seat(Record):
    """A player of a session."""

    session: Annotated[SessionId, Meta(description="The session's id.")]
    player: Annotated[PlayerId, Meta(description="The player's id in that session.")]


class SessionRoundNet(Record):
    """What one round of a session brought a player, in chips."""

    session: Annotated[SessionId, Meta(description="The session's id.")]
    round: Annotated[int, Meta(description="The number of the round in that session.")]
    net: Annotated[Chips, Meta(description="What the round brought the player, in chips.")]


class PersonStatistics(Record):
    """What several sessions came to for one person; `after_rounds` is empty, as rounds are of one session."""

    statistics: Annotated[PlayerStatistics, Meta(extra={"spread": True})]
    players: Annotated[tuple[Seat, ...], Meta(description="The players of sessions that the person is.")]
    best: Annotated[SessionRoundNet | None, Meta(description="The person's best round; null before the first.")]
    worst: Annotated[SessionRoundNet | None, Meta(description="The person's worst round; null before the first.")]


People = Mapping[str, Sequence[Seat]]
"""Which players of which sessions are one person, by the person's name."""


def together(several: Iterable[tuple[str, SessionStatistics]], people: People) -> Mapping[str, PersonStatistics]:
    """Add up the players of several sessions who are one person; the others stand as `session/player`.

    Raises Malformed for a person of unknown players, or of players who are another person already.
    """
    alone = {
        Seat(session, player): of_one(one, Seat(session, player))
        for session, counted in several
        for player, one in counted.players.items()
    }
    if faults := list(faults_in(people, alone.keys())):
        raise Malformed(*faults)
    joined = {name: added(name, [alone.pop(seat) for seat in seats]) for name, seats in people.items()}
    others = {f"{seat.session}/{seat.player}": person for seat, person in alone.items()}
    if taken := joined.keys() & others.keys():
        raise Malformed(
            *(Fault(f"/people/{escaped(name)}", say("another player is called this here")) for name in taken)
        )
    return joined | others


def faults_in(people: People, seats: Collection[Seat]) -> Iterator[Fault]:
    """Find players who are in none of the sessions, and those who are named twice."""
    sessions, named = {seat.session for seat in seats}, set[Seat]()
    for name, players in people.items():
        for place, seat in enumerate(players):
            pointer = f"/people/{escaped(name)}/{place}"
            if seat.session not in sessions:
                yield Fault(f"{pointer}/session", say("none of the tokens is of this session"))
            elif seat not in seats:
                yield Fault(f"{pointer}/player", say("this session has no such player"))
            elif seat in named:
                yield Fault(pointer, say("this player is named twice"))
            named.add(seat)


def of_one(one: PlayerStatistics, seat: Seat) -> PersonStatistics:
    """Give what one session came to for a player."""
    best, worst = (SessionRoundNet(seat.session, net.round, net.net) if net else None for net in (one.best, one.worst))
    return PersonStatistics(replace(one, after_rounds=()), (seat,), best, worst)


def added(name: str, several: Sequence[PersonStatistics]) -> PersonStatistics:
    """Add up what is of one person."""
    ones = [person.statistics for person in several]
    lucks = [one.luck for one in ones if one.luck is not None]
    summed = PlayerStatistics(
        name=name,
        rounds=sum(one.rounds for one in ones),
        wins=sum(one.wins for one in ones),
        forfeits=sum(one.forfeits for one in ones),
        received=sum((Counter(one.received) for one in ones), Counter()),
        paid=sum((Counter(one.paid) for one in ones), Counter()),
        counts={tally: sum(one.counts[tally] for one in ones) for tally in ones[0].counts},
        won=sum(one.won for one in ones),
        balance=sum(one.balance for one in ones),
        luck=sum(lucks, Fraction()) if len(lucks) == len(ones) else None,
    )
    return PersonStatistics(
        summed,
        tuple(seat for person in several for seat in person.players),
        max((person.best for person in several if person.best), key=lambda net: net.net, default=None),
        min((person.worst for person in several if person.worst), key=lambda net: net.net, default=None),
    )
