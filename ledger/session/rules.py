"""What an event does to a table: who sits where and deals, house rules, chips outside the game, the end of an evening.

`apply` has for every kind of event the function with its rules, or the rule itself where it is a line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.play.chips import Transfers, pay, pot_change
from ledger.play.events import Event, refuse
from ledger.play.exposing import CardExposed
from ledger.play.rounds import Seats
from ledger.play.rule_book import RuleBook, Seating
from ledger.play.values import BANK, MAX_CHIPS, POT, Account, Chips, PlayerId, Reason
from ledger.records import replace
from ledger.sentences import Sentence, say
from ledger.session import events, refusals
from ledger.session.rounds import (
    changed,
    enter_round,
    need_no_round,
    need_room,
    need_seat,
    open_round,
    play_on,
    rules_under,
    void_round,
)
from ledger.session.table import Applied, Player, Table, ids_from

BETWEEN_ROUNDS = (
    events.RoundOpened,
    events.RoundEntered,
    events.PlayerJoined,
    events.PlayerLeft,
    events.SeatsChanged,
    events.DealerNamed,
    events.RulesChanged,
    events.SessionClosed,
)
"""What cannot be reported while a round is open."""

AFTER_CLOSING = (
    events.SessionReopened,
    events.SettlementPaid,
    events.SessionDescribed,
    events.OddsSwitched,
    events.PlayerErased,
)
"""What can be reported once a session is closed."""


def apply(table: Table, event: Event, version: int, newcomers: tuple[PlayerId, ...] = ()) -> Applied:
    """Say what an event does to a table; `version` is that of the rule book in use when it was recorded.

    `newcomers` are the ids that people who were new were given then, by default the next ones. Raises Refused, and has
    then changed nothing.
    """
    if table.status == "closed" and not isinstance(event, AFTER_CLOSING):
        raise refusals.SessionIsClosed(event.type)
    book = table.rule_books[version]
    if isinstance(event, (*book.events, CardExposed)):
        return play_on(table, event)
    if isinstance(event, book.between):
        return arrange(table, event, book)
    if isinstance(event, BETWEEN_ROUNDS):
        need_no_round(table)
    transfers: Transfers = ()
    match event:
        case events.RoundOpened():
            table, transfers = open_round(table, event, book)
        case events.RoundVoided():
            table, transfers = void_round(table, event)
        case events.RoundEntered():
            table, transfers = enter_round(table, event, book)
        case events.ChipsMoved():
            table, transfers = move_chips(table, event)
        case events.SettlementPaid():
            need_accounts(table, event, BANK)
            transfers = pay(event.payee, event.payer, event.amount, "settlement_paid")
        case events.BalancesBrought():
            table, transfers = bring(table, event, newcomers)
        case events.PotBrought():
            table, transfers = bring_pot(table, event)
        case events.SessionClosed():
            table, transfers = close(table, event)
        case _:
            table = changed_without_chips(table, event, book, newcomers)
    return Applied(table, event, transfers)


def changed_without_chips(table: Table, event: Event, book: RuleBook[Any], newcomers: tuple[PlayerId, ...]) -> Table:
    """Give the table after an event that moves no chips, or refuse what is none of the session and none of the game."""
    match event:
        case events.PlayerJoined():
            return join(table, event, book, newcomers)
        case events.PlayerLeft():
            return leave(table, event)
        case events.SeatsChanged():
            return change_seats(table, Seats(event.seats))
        case events.DealerNamed():
            return replace(table, seating=Seating(table.seating.seats, need_seat(table, event.player).id))
        case events.PlayerRenamed():
            return with_player(table, replace(need_account(table, event.player), name=event.name))
        case events.PlayerErased():
            return with_player(table, replace(need_account(table, event.player), name=event.player))
        case events.RulesChanged():
            rules = changed(rules_under(book, table.rules), event.rules)
            return replace(table, rules=rules, seating=replace(table.seating, drawing=None))
        case events.SessionDescribed():
            name, value = event.name or table.name, event.chip_value or table.chip_value
            return replace(table, name=name, chip_value=value, played_on=event.played_on or table.played_on)
        case events.OddsSwitched():
            return replace(table, odds=event.on)
        case events.SessionReopened():
            if table.status == "open":
                raise refusals.SessionIsOpen
            return replace(table, status="open")
    known = tuple(kind.type for kind in (*events.EVENTS, *book.between, *book.events))
    raise refusals.NotThisGame(type=event.type, game=book.title, expected=known)


# --- people ---------------------------------------------------------------------------------------------------------


def join(table: Table, event: events.PlayerJoined, book: RuleBook[Any], newcomers: tuple[PlayerId, ...]) -> Table:
    """Seat somebody new, or somebody who comes back."""
    seats = table.seating.seats
    need_room(book, len(seats) + 1)
    place = len(seats) if event.seat is None else event.seat - 1
    if place > len(seats):
        raise refusals.NoSuchSeat(at_most=len(seats) + 1)
    if event.player is None:
        player = (newcomers or ids_from(table.next_number, 1))[0]
        table = with_newcomers(table, [Player(player, event.name or "")])
    else:
        player = event.player
        back = need_account(table, player)
        if back.active:
            raise refusals.AlreadyAtTheTable(player=player)
        table = with_player(table, replace(back, active=True))
    dealer = table.seating.dealer if seats else player
    return replace(table, seating=Seating(Seats((*seats[:place], player, *seats[place:])), dealer))


def with_newcomers(table: Table, people: Iterable[Player]) -> Table:
    """Add some who are new to everyone who ever sat here.

    Somebody new gets the next id and keeps it, also if it turns out later that others came before, or did not come.
    """
    for player in people:
        if table.player(player.id):
            raise refusals.IdIsTaken(id=player.id)
        players = sorted((*table.players, player), key=lambda joined: joined.number)
        table = replace(table, players=tuple(players))
    return table


def with_player(table: Table, player: Player) -> Table:
    """Have one of those who ever sat here changed."""
    return replace(table, players=tuple(player if each.id == player.id else each for each in table.players))


def leave(table: Table, event: events.PlayerLeft) -> Table:
    """Let a player go. If it was the dealer, the player to the right deals."""
    seats, dealer = table.seating.seats, table.seating.dealer
    leaver = need_seat(table, event.player)
    if leaver.id == dealer:
        dealer = seats.right_of(dealer)
    table = with_player(table, replace(leaver, active=False))
    return replace(table, seating=Seating(seats.without((leaver.id,)), dealer))


def change_seats(table: Table, seats: Seats) -> Table:
    """Seat everyone who sits here in another order. The dealer stays the dealer."""
    missing, unknown = table.seating.seats.without(seats), seats.without(table.seating.seats)
    if missing or unknown:
        raise refusals.SeatsDoNotMatch(missing=missing, unknown=unknown, what=not_seated(missing, unknown))
    return replace(table, seating=Seating(seats, table.seating.dealer))


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


def arrange(table: Table, event: Event, book: RuleBook[Any]) -> Applied:
    """Let the game seat people anew, between rounds."""
    need_no_round(table)
    if book.arrange is None:
        raise TypeError(f"{book.name} has events between rounds and does not say what they do")
    rules = rules_under(book, table.rules)
    event = book.written(event, table.deck, rules)
    return Applied(replace(table, seating=book.arrange(table.seating, event, rules)), event)


# --- chips outside the game -----------------------------------------------------------------------------------------


def need_account(table: Table, player: PlayerId) -> Player:
    """Find somebody who sits here, or ever did, or refuse."""
    if found := table.player(player):
        return found
    raise refusals.NeverAtTheTable(player=player, players=tuple(each.id for each in table.players))


def need_accounts(table: Table, event: events.ChipsMoved | events.SettlementPaid, *others: Account) -> None:
    """Refuse chips that move within one account, or of somebody who never sat here; `others` are nobody's."""
    if event.payer == event.payee:
        raise refusals.SameAccount
    for account in (event.payer, event.payee):
        if account not in others:
            need_account(table, account)


def move_chips(table: Table, event: events.ChipsMoved) -> tuple[Table, Transfers]:
    """Move chips between players and the bank, also while a round is open; fine somebody, or give of the pot.

    Chips are put into the pot between rounds, and given of it if the table says so; what is left is nobody's stake.
    """
    need_accounts(table, event, BANK, POT)
    payer, payee, amount = event.payer, event.payee, event.amount
    if POT in (payer, payee):
        need_no_round(table)
    if payee == POT:
        return put_into_pot(table, payer, amount, "fine")
    if payer == POT:
        if amount > table.pot:
            raise refusals.PotHoldsLess(pot=table.pot, amount=amount)
        refuse(event, refusals.PotIsPlayedFor())
        return replace(table, pot=table.pot - amount, stakes={}), pay(POT, payee, amount, "pot_given")
    return table, pay(payer, payee, amount, "buy_in" if payer == BANK else "cash_out" if payee == BANK else "gift")


def put_into_pot(table: Table, payer: Account, amount: Chips, reason: Reason) -> tuple[Table, Transfers]:
    """Put chips into the pot that are nobody's stake."""
    pot = table.pot + amount
    if pot > MAX_CHIPS:
        raise refusals.PotTooLarge(amount=pot, at_most=MAX_CHIPS)
    return replace(table, pot=pot), pay(payer, POT, amount, reason)


def bring_pot(table: Table, event: events.PotBrought) -> tuple[Table, Transfers]:
    """Lay a pot of an earlier evening on the table, from the bank, before the first round."""
    if table.rounds:
        raise refusals.RoundsWerePlayed(rounds=table.rounds)
    return put_into_pot(table, BANK, event.amount, "brought_forward")


def bring(table: Table, event: events.BalancesBrought, newcomers: tuple[PlayerId, ...]) -> tuple[Table, Transfers]:
    """Write down what people have from earlier evenings; the bank stands between them.

    Who is named only does not sit here, and is written down as somebody who has left.
    """
    if total := sum(brought.balance for brought in event.balances):
        raise refusals.BalancesDoNotSum(total=total)
    ids = iter(newcomers or ids_from(table.next_number, events.brings_in(event)))
    brought = [(next(ids) if each.player is None else each.player, each) for each in event.balances]
    absent = [Player(player, each.name, active=False) for player, each in brought if each.name is not None]
    table = with_newcomers(table, absent)
    for player, _ in brought:
        need_account(table, player)
    owed = [pay(BANK, player, each.balance, "brought_forward") for player, each in brought if each.balance > 0]
    owing = [pay(player, BANK, -each.balance, "brought_forward") for player, each in brought if each.balance < 0]
    return table, tuple(t for transfers in owed + owing for t in transfers)


# --- closing --------------------------------------------------------------------------------------------------------


def need_choice(table: Table, event: Event) -> None:
    """Have it said what becomes of the pot, as long as somebody can be asked."""
    if isinstance(event, events.SessionClosed) and table.open_round is None and table.pot and event.pot is None:
        raise refusals.PotIsWaiting(pot=table.pot, choices=tuple(events.POT_CHOICES))


def close(table: Table, event: events.SessionClosed) -> tuple[Table, Transfers]:
    """End the evening; a carried pot is split, refunded or goes to the bank.

    A correction may have emptied the pot since, and then a choice does nothing; or filled it: what nobody has chosen
    about stays in it.
    """
    transfers = share_out(table, event.pot) if event.pot and table.pot else ()
    return replace(table, status="closed", pot=table.pot + pot_change(transfers), stakes={}), transfers


def share_out(table: Table, how: str) -> Transfers:
    """Empty a carried pot. With nobody left at the table to share with, it goes to the bank."""
    if how == "bank" or not table.seating.seats:
        return pay(POT, BANK, table.pot, "pot_to_bank")
    seats = table.seating.seats.starting_with(table.seating.dealer)
    if how == "split":
        return split(table.pot, seats, "pot_split")
    nobodys = table.pot - sum(table.stakes.values())
    refunds = tuple(t for player, chips in table.stakes.items() for t in pay(POT, player, chips, "pot_refund"))
    return refunds + split(nobodys, seats, "pot_refund")


def split(chips: Chips, seats: Seats, reason: Reason) -> Transfers:
    """Pay chips out of the pot equally; what cannot be divided goes one each to the first of the seats."""
    each, odd = divmod(chips, len(seats))
    return tuple(t for place, player in enumerate(seats) for t in pay(POT, player, each + (place < odd), reason))
