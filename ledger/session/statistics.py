"""Statistics: per player, per session, and per person over several sessions.

They are counted from the entries that stand, so they agree with the books after every correction. Chips are whole;
received is what came out of a round, paid what went into it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Annotated, TypeVar, cast

from msgspec import Struct, defstruct

from ledger.accounting.books import Balances, Entry
from ledger.cooperation import yielding
from ledger.games import every_book, from_shelf
from ledger.i18n.sentences import Fault, Malformed, Sentence, escaped, say
from ledger.records import Record, convert, doc, joined, replace
from ledger.rulebook.cards import Card
from ledger.rulebook.tallies import Fortune, Steps
from ledger.rulebook.values import POT, Account, Chips, InChips, PlayerId, Reason, SessionId
from ledger.session.history import SessionState, Step
from ledger.session.table import Round

T = TypeVar("T", bound=Record)

MAX_CACHED_ROUNDS = 300
"""The most rounds whose luck is cached, each some 30 kB: a few long evenings."""


class RoundNet(Record):
    """What one round brought a player, in chips."""

    round: Annotated[int, doc("The number of the round.")]
    net: Annotated[Chips, doc("What the round brought the player, in chips.")]


class PlayerStatistics(Record):
    """What an evening came to for one player.

    The tallies of every game in the registry are further members, 0 where they do not apply.
    """

    name: Annotated[str, doc("The player's name.")]
    rounds: Annotated[int, doc("How many rounds the player sat in, without open and voided ones.")] = 0
    wins: Annotated[int, doc("How many rounds the player won, or gained in where the game names no winner.")] = 0
    forfeits: Annotated[int, doc("How many of those rounds nobody won.")] = 0
    received: Annotated[Mapping[Reason, Chips], doc("What came out of rounds, in chips, by reason.")] = {}
    paid: Annotated[Mapping[Reason, Chips], doc("What was paid into rounds, in chips, by reason.")] = {}
    best: Annotated[RoundNet | None, doc("The player's best round; null before the first.")] = None
    worst: Annotated[RoundNet | None, doc("The player's worst round; null before the first.")] = None
    won: Annotated[Chips, doc("What play brought, in chips, without payments, purchases, cash-outs and gifts.")] = 0
    balance: Annotated[Chips, doc("What is still to be settled, in chips.")] = 0
    after_rounds: Annotated[
        tuple[Chips, ...], doc("What play had brought the player after each round of the session, in chips.")
    ] = ()
    luck: Annotated[
        InChips | None,
        doc("What the cards brought beyond the expected, in chips; null where the chances are not shown."),
    ] = None


def tallies() -> Mapping[str, Sentence]:
    """Give the labels of all games' tallies by their names on the wire."""
    return {tally.name: tally.label for book in every_book() for tally in book.tallies}


@from_shelf
def tally_members() -> type[Struct]:
    return defstruct("Tallies", [(name, int, 0) for name in tallies()])


def with_tallies(kind: type[T]) -> type[T]:
    return cast("type[T]", joined(kind, tally_members(), kind.__name__))


class DearRide(Record):
    """A back-ride, half the rights to a card, that cost more than it was worth."""

    round: Annotated[int, doc("The number of the round.")]
    seq: Annotated[int, doc("The number of the bid's event.")]
    player: Annotated[PlayerId, doc("The id of the player who bought half the rights.")]
    owner: Annotated[PlayerId, doc("The id of the card's owner.")]
    card: Annotated[Card, doc("The card.")]
    price: Annotated[Chips, doc("The price of the half, in chips.")]
    worth: Annotated[InChips, doc("What the half was worth with that price in the pot, in chips.")]


class SessionStatistics(Record):
    """What an evening came to."""

    rounds: Annotated[int, doc("How many rounds are over.")]
    results: Annotated[Mapping[str, int], doc("How many rounds ended in each way.")]
    forfeits: Annotated[Mapping[str, int], doc("How many rounds nobody won, for each reason.")]
    pots: Annotated[tuple[Chips, ...], doc("The chips in the pot when each round ended.")]
    carried: Annotated[tuple[Chips, ...], doc("The chips in the pot when each round opened.")]
    players: Annotated[Mapping[PlayerId, PlayerStatistics], doc("The statistics of each player, by the player's id.")]
    luckiest: Annotated[
        PlayerId | None,
        doc("The id of the player with the most luck; null if nobody had any, or the chances are not shown."),
    ] = None
    dear_rides: Annotated[
        tuple[DearRide, ...],
        doc("The back-rides that cost more than they were worth; empty where the chances are not shown."),
    ] = ()


def statistics(state: SessionState) -> SessionStatistics:
    weighs = state.table.odds and any(book.weigh for book in state.table.rule_books.values())
    over = [(done, steps) for done, steps in yielding(state.played()) if not done.is_open]
    rounds, luck = defaultdict[PlayerId, list[PlayerStatistics]](list), defaultdict[PlayerId, Fraction](Fraction)
    pots, won, rides = list[Chips](), list[Balances](), list[DearRide]()
    for done, steps in yielding(over):
        entries = [entry for step in steps for entry in step.slot.entries]
        pots.append(done.ground.carried + sum(entry.amount for entry in entries if entry.payee == POT))
        won.append(steps[-1].books.won)
        fortune = weighed(done, steps) if weighs else Fortune({})
        rides += dear_rides(fortune, done, steps)
        for player, one in of_everybody(done, entries).items():
            rounds[player].append(one)
            luck[player] += fortune.luck.get(player, 0)
    outcomes = [done.phase.outcome for done, _ in over]
    luckiest = max(luck, key=luck.__getitem__, default=None)
    return SessionStatistics(
        rounds=len(over),
        results=Counter(outcome.result for outcome in outcomes),
        forfeits=Counter(reason for outcome in outcomes for reason in outcome.forfeited_for),
        pots=tuple(pots),
        carried=tuple(done.ground.carried for done, _ in over),
        players={
            person.id: replace(
                added(person.name, rounds[person.id]),
                won=state.won.get(person.id, 0),
                balance=state.balances.get(person.id, 0),
                after_rounds=tuple(after.get(person.id, 0) for after in won),
                luck=InChips(luck[person.id]) if weighs else None,
            )
            for person in state.table.players
        },
        luckiest=luckiest if luckiest and luck[luckiest] > 0 else None,
        dear_rides=tuple(rides),
    )


def of_everybody(done: Round, entries: Sequence[Entry]) -> Mapping[PlayerId, PlayerStatistics]:
    """Count a round that is over for each of its players; a voided one for none."""
    outcome = done.phase.outcome
    if done.void_reason is not None:
        return {}
    received, paid = defaultdict[Account, Counter[Reason]](Counter), defaultdict[Account, Counter[Reason]](Counter)
    for entry in entries:
        received[entry.payee][entry.reason] += entry.amount
        paid[entry.payer][entry.reason] += entry.amount
    nets = {seat: RoundNet(done.number, received[seat].total() - paid[seat].total()) for seat in done.ground.seats}
    moved = [entry.moves[1] for entry in entries]
    counts = {tally.name: tally.count(done.phase, moved) for tally in done.book.tallies}
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


def added(name: str, several: Sequence[PlayerStatistics]) -> PlayerStatistics:
    """Add up one player's statistics of several rounds, or sessions."""
    kind: Callable[..., PlayerStatistics] = with_tallies(PlayerStatistics)
    added_up = ("rounds", "wins", "forfeits", "won", "balance", *tallies())
    lucks = [one.luck for one in several if one.luck is not None]
    return kind(
        name=name,
        **{each: sum(getattr(one, each) for one in several) for each in added_up},
        received=sum((Counter(one.received) for one in several), Counter[str]()),
        paid=sum((Counter(one.paid) for one in several), Counter[str]()),
        best=max((one.best for one in several if one.best), key=lambda net: net.net, default=None),
        worst=min((one.worst for one in several if one.worst), key=lambda net: net.net, default=None),
        luck=InChips(sum(lucks)) if len(lucks) == len(several) else None,
    )


# --- held against the chances ---------------------------------------------------------------------------------------


def weighed(done: Round, steps: Iterable[Step]) -> Fortune:
    """Evaluate the luck in a round that is over; none if it was voided, or its game has no odds."""
    if done.void_reason is not None or done.book.weigh is None:
        return Fortune({})
    played = ((step.slot.event, step.after.round.phase) for step in steps if step.after.round)
    return _weighed(done.book.weigh, tuple(played))


@lru_cache(MAX_CACHED_ROUNDS)
def _weighed(weigh: Callable[[Steps], Fortune], played: Steps) -> Fortune:
    return weigh(played)


def dear_rides(fortune: Fortune, done: Round, steps: Sequence[Step]) -> Iterator[DearRide]:
    """Give the back-rides that cost more than they were worth."""
    for ride in fortune.rides:
        if ride.price > ride.worth:
            yield DearRide(done.number, steps[ride.bid].slot.seq, *ride[:4], InChips(ride.worth))


# --- several evenings -----------------------------------------------------------------------------------------------


class Seat(Record):
    """A player of a session."""

    session: Annotated[SessionId, doc("The session's id.")]
    player: Annotated[str, doc("The player's id in that session.", "p1")]


class SessionRoundNet(RoundNet, kw_only=True):
    """What one round of a session brought a player, in chips."""

    session: Annotated[SessionId, doc("The session's id.")]


class PersonStatistics(PlayerStatistics, kw_only=True):
    """What several sessions came to for one person; `after_rounds` is empty, as rounds are of one session."""

    players: Annotated[tuple[Seat, ...], doc("The players of sessions that the person is.")]
    best: Annotated[SessionRoundNet | None, doc("The person's best round; null before the first.")]
    worst: Annotated[SessionRoundNet | None, doc("The person's worst round; null before the first.")]


class Together(Record):
    """What several sessions came to, per person."""

    sessions: Annotated[int, doc("How many sessions were counted.")]
    players: Annotated[
        Mapping[str, PersonStatistics],
        doc("The people of the request's `people` by name, and everyone else as `session/player`."),
    ]


People = Mapping[str, Sequence[Seat]]
"""The players of several sessions that are one person, by the person's name."""


def together(several: Collection[tuple[str, SessionStatistics]], people: People) -> Together:
    """Add up the statistics of each person; other players are named `session/player`.

    Raises Malformed for a person of unknown players, or of players who are another person already.
    """
    ones = {Seat(id_, player): in_session(id_, one) for id_, of in several for player, one in of.players.items()}
    if faults := list(faults_in(people, ones.keys())):
        raise Malformed(*faults)
    alone = ones.keys() - chain.from_iterable(people.values())
    others = {f"{seat.session}/{seat.player}": seat for seat in ones if seat in alone}
    if taken := people.keys() & others.keys():
        needed = say("another player is called this here")
        raise Malformed(*(Fault(f"/people/{escaped(name)}", needed) for name in taken))
    joined = {name: of_person(name, seats, ones) for name, seats in people.items()}
    joined |= {name: of_person(ones[seat].name, [seat], ones) for name, seat in others.items()}
    return Together(len(several), joined)


def faults_in(people: People, seats: Collection[Seat]) -> Iterator[Fault]:
    """Find players of none of the sessions, and those who are named twice."""
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


def in_session(session: str, one: PlayerStatistics) -> PlayerStatistics:
    """Add the session to the best and the worst round."""
    nets = [net and convert(SessionRoundNet, net, session=session) for net in (one.best, one.worst)]
    return replace(one, best=nets[0], worst=nets[1])


def of_person(name: str, seats: Sequence[Seat], players: Mapping[Seat, PlayerStatistics]) -> PersonStatistics:
    one = added(name, [players[seat] for seat in seats])
    return convert(with_tallies(PersonStatistics), one, players=tuple(seats))
