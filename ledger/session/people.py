"""Who sits at the table, who deals, under which house rules, and what the session is called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.play import Event, PlayerId, RuleBook, Seating, Seats
from ledger.records import replace
from ledger.sentences import Sentence, say
from ledger.session.events import (
    DealerNamed,
    OddsSwitched,
    PersonName,
    PlayerErased,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    RulesChanged,
    SeatsChanged,
    SessionDescribed,
)
from ledger.session.needs import changed, need_account, need_no_round, need_room, need_seat, rules_under, with_player
from ledger.session.refusals import AlreadyAtTheTable, IdIsTaken, NoSuchSeat, SeatsDoNotMatch
from ledger.session.table import Applied, Player, Table, ids_from


def join(table: Table, event: PlayerJoined, book: RuleBook[Any], newcomers: tuple[PlayerId, ...] = ()) -> Applied:
    """Seat somebody new, or somebody who comes back, between rounds."""
    need_no_round(table)
    seats = table.seating.seats
    need_room(book, len(seats) + 1)
    if event.seat is not None and event.seat > len(seats) + 1:
        raise NoSuchSeat(at_most=len(seats) + 1)
    player, players = seated(table, event, newcomers)
    place = len(seats) if event.seat is None else event.seat - 1
    seating = replace(table.seating, seats=Seats((*seats[:place], player, *seats[place:])), drawing=None)
    if not seats:
        seating = replace(seating, dealer=player)
    return Applied(replace(table, players=players, seating=seating), event)


def seated(table: Table, event: PlayerJoined, newcomers: tuple[PlayerId, ...]) -> tuple[PlayerId, tuple[Player, ...]]:
    """Say who joins, and everyone who ever sat here with them."""
    if event.player is None:
        ids = newcomers or ids_from(table.next_number, 1)
        return ids[0], with_newcomers(table, [Player(ids[0], event.name or "")])
    back = need_account(table, event.player)
    if back.active:
        raise AlreadyAtTheTable(player=back.id)
    return back.id, with_player(table, replace(back, active=True))


def with_newcomers(table: Table, people: Iterable[Player]) -> tuple[Player, ...]:
    """Give everyone who ever sat here, and some who are new.

    Somebody new gets the next id and keeps it, also if it turns out later that others came before, or did not come.
    """
    players = table.players
    for player in people:
        if table.player(player.id):
            raise IdIsTaken(id=player.id)
        players = (*players, player)
    return tuple(sorted(players, key=lambda joined: joined.number))


def leave(table: Table, event: PlayerLeft) -> Applied:
    """Let a player go between rounds. If it was the dealer, the player to the right deals."""
    need_no_round(table)
    seating = table.seating
    leaver = need_seat(table, event.player)
    dealer = seating.seats.right_of(leaver.id) if leaver.id == seating.dealer else seating.dealer
    seating = Seating(seating.seats.without((leaver.id,)), dealer)
    players = with_player(table, replace(leaver, active=False))
    return Applied(replace(table, players=players, seating=seating), event)


def change_seats(table: Table, event: SeatsChanged) -> Applied:
    """Seat everyone who sits here in another order, between rounds. The dealer stays the dealer."""
    need_no_round(table)
    seating = table.seating
    missing, unknown = seating.seats.without(event.seats), Seats(event.seats).without(seating.seats)
    if missing or unknown:
        raise SeatsDoNotMatch(missing=missing, unknown=unknown, what=not_seated(missing, unknown))
    return Applied(replace(table, seating=Seating(Seats(event.seats), seating.dealer)), event)


def not_seated(missing: Seats, unknown: Seats) -> Sentence:
    """Say who was left out of the seats, and who was named without sitting here."""
    if not unknown:
        return say("{missing:players} would have none", missing=missing)
    if not missing:
        return say("nobody called {unknown:players} sits here", unknown=unknown)
    return say(
        "{missing:players} would have none, and nobody called {unknown:players} sits here",
        missing=missing,
        unknown=unknown,
    )


def rename(table: Table, event: PlayerRenamed | PlayerErased, name: PersonName) -> Applied:
    """Call a player something else; somebody who is forgotten is called by the id."""
    player = need_account(table, event.player)
    return Applied(replace(table, players=with_player(table, replace(player, name=name))), event)


def describe(table: Table, event: SessionDescribed) -> Applied:
    """Call the session something else, value a chip otherwise, or put it on another day, at any time."""
    name, value = event.name or table.name, event.chip_value or table.chip_value
    day = event.played_on or table.played_on
    return Applied(replace(table, name=name, chip_value=value, played_on=day), event)


def switch_odds(table: Table, event: OddsSwitched) -> Applied:
    """Tell the chances from now on, or no longer, at any time."""
    return Applied(replace(table, odds=event.on), event)


def name_dealer(table: Table, event: DealerNamed) -> Applied:
    """Make a player dealer between rounds."""
    need_no_round(table)
    dealer = need_seat(table, event.player).id
    return Applied(replace(table, seating=replace(table.seating, dealer=dealer, drawing=None)), event)


def change_rules(table: Table, event: RulesChanged, book: RuleBook[Any]) -> Applied:
    """Change house rules between rounds. Like all that changes the table, it ends a draw for seats under way."""
    need_no_round(table)
    seating = replace(table.seating, drawing=None)
    return Applied(replace(table, rules=changed(rules_under(book, table.rules), event.rules), seating=seating), event)


def arrange(table: Table, event: Event, book: RuleBook[Any]) -> Applied:
    """Let the game seat people anew between rounds."""
    need_no_round(table)
    if book.arrange is None:
        raise TypeError(f"{book.name} has events between rounds and does not say what they do")
    rules = rules_under(book, table.rules)
    event = book.written(event, table.deck, rules)
    return Applied(replace(table, seating=book.arrange(table.seating, event, rules)), event)
