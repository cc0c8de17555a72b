"""What an evening came to: per player, per session, and over several sessions per person.

Everything is counted from the entries that stand, so it agrees with the books whatever was corrected. Chips are whole;
received is what came out of a round, paid what went into it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from typing import Annotated, NamedTuple, TypeVar, cast

from msgspec import defstruct

from ledger.books import Balances, Entry, won_of
from ledger.cards import Card
from ledger.cooperation import yielding
from ledger.games import every_book
from ledger.history import SessionState, Step
from ledger.play.tallies import Fortune, Steps
from ledger.play.values import POT, Account, Chips, InChips, PlayerId, Reason, SessionId
from ledger.records import Meta, Record, convert, joined, memoized, replace
from ledger.sentences import Fault, Malformed, Sentence, escaped, say
from ledger.session.table import Round

T = TypeVar("T", bound=Record)

FORTUNES_KEPT = 300
"""So many rounds are kept as they were held against their chances, each some 30 kB: a few long evenings."""


class RoundNet(Record):
    """What one round brought a player, in chips."""

    round: Annotated[int, Meta(description="The number of the round.")]
    net: Annotated[Chips, Meta(description="What the round brought the player, in chips.")]


class PlayerStatistics(Record):
    """What an evening came to for one player.

    The tallies of every game in the registry are further members, 0 where they do not apply.
    """

    name: Annotated[str, Meta(description="The player's name.")]
    rounds: Annotated[int, Meta(description="How many rounds the player sat in, without open and voided ones.")] = 0
    wins: Annotated[
        int, Meta(description="How many rounds the player won, or gained in where the game names no winner.")
    ] = 0
    forfeits: Annotated[int, Meta(description="How many of those rounds nobody won.")] = 0
    received: Annotated[Mapping[Reason, Chips], Meta(description="What came out of rounds, in chips, by reason.")] = {}
    paid: Annotated[Mapping[Reason, Chips], Meta(description="What was paid into rounds, in chips, by reason.")] = {}
    best: Annotated[RoundNet | None, Meta(description="The player's best round; null before the first.")] = None
    worst: Annotated[RoundNet | None, Meta(description="The player's worst round; null before the first.")] = None
    won: Annotated[
        Chips, Meta(description="What play brought, in chips, without payments, purchases, cash-outs and gifts.")
    ] = 0
    balance: Annotated[Chips, Meta(description="What is still to be settled, in chips.")] = 0
    after_rounds: Annotated[
        tuple[Chips, ...],
        Meta(description="What play had brought the player after each round of the session, in chips."),
    ] = ()
    luck: Annotated[
        InChips | None,
        Meta(description="What the cards brought beyond the expected, in chips; null where the chances are not shown."),
    ] = None


def tallies() -> Mapping[str, Sentence]:
    """Give the labels of what the games count, by their names on the wire."""
    return {tally.name: tally.label for book in every_book() for tally in book.tallies}


def with_tallies(kind: type[T]) -> type[T]:
    """Give a kind of statistics that has the tallies as members."""
    return _with_tallies(kind, tuple(tallies()))


@memoized
def _with_tallies(kind: type[T], names: tuple[str, ...]) -> type[T]:
    return cast("type[T]", joined(kind, defstruct("Tallies", [(name, int, 0) for name in names]), kind.__name__))


class DearRide(Record):
    """A back-ride, half the rights to a card, that cost more than it was worth."""

    round: Annotated[int, Meta(description="The number of the round.")]
    seq: Annotated[int, Meta(description="The number of the bid's event.")]
    player: Annotated[PlayerId, Meta(description="The id of the player who bought half the rights.")]
    owner: Annotated[PlayerId, Meta(description="The id of the card's owner.")]
    card: Annotated[Card, Meta(description="The card.")]
    price: Annotated[Chips, Meta(description="The price of the half, in chips.")]
    worth: Annotated[InChips, Meta(description="What the half was worth with that price in the pot, in chips.")]


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


class Ended(NamedTuple):
    """A round that is over, all that happened in it, its entries, and what play had then brought every account."""

    round: Round
    steps: Sequence[Step]
    entries: Sequence[Entry]
    won: Balances

    @property
    def pot(self) -> Chips:
        """What lay in the pot when it ended, in chips."""
        return self.round.ground.carried + sum(entry.amount for entry in self.entries if entry.payee == POT)


def statistics(state: SessionState) -> SessionStatistics:
    """Count an evening."""
    weighs = state.table.odds and any(book.weigh for book in state.table.rule_books.values())
    over, luck = list(rounds_over(state)), defaultdict[PlayerId, Fraction](Fraction)
    rounds, rides = defaultdict[PlayerId, list[PlayerStatistics]](list), list[DearRide]()
    for ended in yielding(over):
        fortune = weighed(ended.round, ended.steps) if weighs else Fortune({})
        rides += dear_rides(fortune, ended.round, ended.steps)
        for player, one in of_everybody(ended).items():
            rounds[player].append(one)
            luck[player] += fortune.luck.get(player, 0)
    outcomes, won = [ended.round.phase.outcome for ended in over], state.won
    luckiest = max(luck, key=luck.__getitem__, default=None)
    return SessionStatistics(
        rounds=len(over),
        results=Counter(outcome.result for outcome in outcomes),
        forfeits=Counter(reason for outcome in outcomes for reason in outcome.forfeited_for),
        pots=tuple(ended.pot for ended in over),
        carried=tuple(ended.round.ground.carried for ended in over),
        players={
            person.id: replace(
                added(person.name, rounds[person.id]),
                won=won.get(person.id, 0),
                balance=state.balances.get(person.id, 0),
                after_rounds=tuple(ended.won.get(person.id, 0) for ended in over),
                luck=InChips(luck[person.id]) if weighs else None,
            )
            for person in state.table.players
        },
        luckiest=luckiest if luckiest and luck[luckiest] > 0 else None,
        dear_rides=tuple(rides),
    )


def rounds_over(state: SessionState) -> Iterator[Ended]:
    """Go through the rounds that are over, voided ones too."""
    of_rounds = (step for step in state.steps() if step.slot.round is not None)
    for _, of_one in groupby(of_rounds, key=lambda step: step.slot.round):
        steps = list(of_one)
        done, books = steps[-1].after.round, steps[-1].books
        if done and not done.is_open:
            entries = [entry for step in steps for entry in step.slot.entries]
            yield Ended(done, steps, entries, won_of(books.balances, books.outside))


def of_everybody(ended: Ended) -> Mapping[PlayerId, PlayerStatistics]:
    """Count what a round came to for those who sat in it; nothing if it was voided."""
    done, outcome = ended.round, ended.round.phase.outcome
    if done.void_reason is not None:
        return {}
    received, paid = defaultdict[Account, Counter[Reason]](Counter), defaultdict[Account, Counter[Reason]](Counter)
    for entry in ended.entries:
        received[entry.payee][entry.reason] += entry.amount
        paid[entry.payer][entry.reason] += entry.amount
    nets = {seat: RoundNet(done.number, received[seat].total() - paid[seat].total()) for seat in done.ground.seats}
    counts = {tally.name: tally.count(done.phase, ended.entries) for tally in done.book.tallies}
    kind: Callable[..., PlayerStatistics] = with_tallies(PlayerStatistics)
    return {
        player: kind(
            name=player,
            rounds=1,
            wins=int(net.net > 0 if outcome.won_by is None else outcome.won_by == player),
            forfeits=int(outcome.result == "forfeited"),
            received=received[player],
            paid=paid[player],
            best=net,
            worst=net,
            **{name: count.get(player, 0) for name, count in counts.items()},
        )
        for player, net in nets.items()
    }


ADDED_UP = ("rounds", "wins", "forfeits", "won", "balance")
"""What is added up over several rounds, or sessions, as the tallies are."""


def added(name: str, several: Sequence[PlayerStatistics]) -> PlayerStatistics:
    """Add up what several rounds, or sessions, came to for one player; tallies of other games are 0."""
    kind: Callable[..., PlayerStatistics] = with_tallies(PlayerStatistics)
    lucks = [one.luck for one in several if one.luck is not None]
    return kind(
        name=name,
        **{each: sum(getattr(one, each) for one in several) for each in (*ADDED_UP, *tallies())},
        received=in_all(one.received for one in several),
        paid=in_all(one.paid for one in several),
        best=max((one.best for one in several if one.best), key=lambda net: net.net, default=None),
        worst=min((one.worst for one in several if one.worst), key=lambda net: net.net, default=None),
        luck=InChips(sum(lucks)) if len(lucks) == len(several) else None,
    )


def in_all(several: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Add up numbers by name."""
    total = Counter[str]()
    for numbers in several:
        total.update(numbers)
    return total


# --- held against the chances ---------------------------------------------------------------------------------------


def weighed(done: Round, steps: Iterable[Step]) -> Fortune:
    """Hold a round that is over against its chances; nothing if it was voided, or its game knows none."""
    if done.void_reason is not None or done.book.weigh is None:
        return Fortune({})
    played = ((step.slot.event, step.after.round.phase) for step in steps if step.after.round)
    return _weighed(done.book.weigh, tuple(played))


@lru_cache(FORTUNES_KEPT)
def _weighed(weigh: Callable[[Steps], Fortune], played: Steps) -> Fortune:
    return weigh(played)


def dear_rides(fortune: Fortune, done: Round, steps: Sequence[Step]) -> Iterator[DearRide]:
    """Give the rides in a round that cost more than they were worth."""
    for ride in fortune.rides:
        if ride.price > ride.worth:
            yield DearRide(done.number, steps[ride.bid].slot.seq, *ride[:4], InChips(ride.worth))


# --- several evenings -----------------------------------------------------------------------------------------------


class Seat(Record):
    """A player of a session."""

    session: Annotated[SessionId, Meta(description="The session's id.")]
    player: Annotated[str, Meta(description="The player's id in that session.", examples=["p1"])]


class SessionRoundNet(RoundNet, kw_only=True):
    """What one round of a session brought a player, in chips."""

    session: Annotated[SessionId, Meta(description="The session's id.")]


class PersonStatistics(PlayerStatistics, kw_only=True):
    """What several sessions came to for one person; `after_rounds` is empty, as rounds are of one session."""

    players: Annotated[tuple[Seat, ...], Meta(description="The players of sessions that the person is.")]
    best: Annotated[SessionRoundNet | None, Meta(description="The person's best round; null before the first.")]
    worst: Annotated[SessionRoundNet | None, Meta(description="The person's worst round; null before the first.")]


class Together(Record):
    """What several sessions came to, per person."""

    sessions: Annotated[int, Meta(description="How many sessions were counted.")]
    players: Annotated[
        Mapping[str, PersonStatistics],
        Meta(description="The people of the request's `people` by name, and everyone else as `session/player`."),
    ]


People = Mapping[str, Sequence[Seat]]
"""Which players of which sessions are one person, by the person's name."""


def together(several: Collection[tuple[str, SessionStatistics]], people: People) -> Together:
    """Add up the players of several sessions who are one person; the others stand as `session/player`.

    Raises Malformed for a person of unknown players, or of players who are another person already.
    """
    ones = {Seat(session, player): one for session, told in several for player, one in told.players.items()}
    if faults := list(faults_in(people, ones.keys())):
        raise Malformed(*faults)
    alone = ones.keys() - chain.from_iterable(people.values())
    others = {f"{seat.session}/{seat.player}": seat for seat in ones if seat in alone}
    if taken := people.keys() & others.keys():
        said = say("another player is called this here")
        raise Malformed(*(Fault(f"/people/{escaped(name)}", said) for name in taken))
    joined = {name: of_person(name, seats, ones) for name, seats in people.items()}
    joined |= {name: of_person(ones[seat].name, [seat], ones) for name, seat in others.items()}
    return Together(len(several), joined)


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


def of_person(name: str, seats: Sequence[Seat], players: Mapping[Seat, PlayerStatistics]) -> PersonStatistics:
    ones = [players[seat] for seat in seats]
    found = [(seat.session, net) for seat, one in zip(seats, ones, strict=True) for net in (one.best, one.worst) if net]
    nets = [convert(SessionRoundNet, net, session=session) for session, net in found]
    best, worst = (most(nets, key=lambda net: net.net, default=None) for most in (max, min))
    return convert(with_tallies(PersonStatistics), added(name, ones), players=tuple(seats), best=best, worst=worst)
