"""The effect of an event on a table: seats, dealer, house rules, chips outside the game, closing.

`apply` has a case for every kind of event: its function, or the rule itself where it is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger.i18n.sentences import Sentence, say
from ledger.records import replace
from ledger.rulebook.chips import Transfer, Transfers, pay, pot_change
from ledger.rulebook.event import Event, refuse
from ledger.rulebook.exposing import CardExposed
from ledger.rulebook.phase import Seats
from ledger.rulebook.rule_book import RuleBook, Seating
from ledger.rulebook.values import BANK, MAX_CHIPS, POT, Account, Chips, PlayerId, Reason
from ledger.session import events, refusals, rounds
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
"""Events that are refused while a round is open."""

AFTER_CLOSING = (
    events.SessionReopened,
    events.SettlementPaid,
    events.SessionDescribed,
    events.OddsSwitched,
    events.PlayerErased,
)
"""Events that are accepted in a closed session."""


def apply(  # noqa: PLR0915 - every kind of event is a case
    table: Table, event: Event, version: int, newcomers: tuple[PlayerId, ...] = ()
) -> Applied:
    """Apply an event to a table. Raises Refused.

    `version` is that of the rule book in use when it was recorded, `newcomers` are the ids that it gave to new players,
    by default the next ones.
    """
    if table.status == "closed" and not isinstance(event, AFTER_CLOSING):
        raise refusals.SessionIsClosed(event.type)
    book = table.rule_books[version]
    if isinstance(event, (*book.events, CardExposed)):
        return rounds.play_on(table, event)
    if isinstance(event, book.between):
        return arrange(table, event, book)
    if isinstance(event, BETWEEN_ROUNDS):
        rounds.need_no_round(table)
    transfers: Transfers = ()
    match event:
        case events.RoundOpened():
            table, transfers = rounds.open_round(table, event, book)
        case events.RoundVoided():
            table, transfers = rounds.void_round(table, event)
        case events.RoundEntered():
            table, transfers = rounds.enter_round(table, event, book)
        case events.ChipsMoved():
            table, transfers = move_chips(table, event)
        case events.SettlementPaid():
            need_accounts(table, event, BANK)
            transfers = pay(event.payee, event.payer, event.amount, "settlement_paid")
        case events.BalancesBrought():
            table, transfers = bring(table, event, newcomers)
        case events.PotBrought():
            if table.rounds:
                raise refusals.RoundsWerePlayed(rounds=table.rounds)
            table, transfers = put_into_pot(table, BANK, event.amount, "brought_forward")
        case events.SessionClosed():
            table, transfers = close(table, event)
        case events.SessionReopened():
            if table.status == "open":
                raise refusals.SessionIsOpen
            table = replace(table, status="open")
        case events.SessionDescribed():
            name, value = event.name or table.name, event.chip_value or table.chip_value
            table = replace(table, name=name, chip_value=value, played_on=event.played_on or table.played_on)
        case events.OddsSwitched():
            table = replace(table, odds=event.on)
        case events.RulesChanged():
            rules = rounds.changed(rounds.rules_under(book, table.rules), event.rules)
            table = replace(table, rules=rules, seating=replace(table.seating, drawing=None))
        case events.PlayerJoined():
            table = join(table, event, book, newcomers)
        case events.PlayerLeft():
            table = leave(table, event)
        case events.SeatsChanged():
            table = change_seats(table, Seats(event.seats))
        case events.DealerNamed():
            table = replace(table, seating=Seating(table.seating.seats, rounds.need_seat(table, event.player).id))
        case events.PlayerRenamed():
            table = with_player(table, replace(need_account(table, event.player), name=event.name))
        case events.PlayerErased():
            table = with_player(table, replace(need_account(table, event.player), name=event.player))
        case _:
            known = tuple(kind.type for kind in (*events.EVENTS, *book.between, *book.events))
            raise refusals.NotThisGame(type=event.type, game=book.title, expected=known)
    return Applied(table, event, transfers)


# --- people ---------------------------------------------------------------------------------------------------------


def brings_in(event: Event) -> int:
    """Count the new players of an event."""
    if isinstance(event, events.BalancesBrought):
        return sum(each.name is not None for each in event.balances)
    return int(isinstance(event, events.PlayerJoined) and event.name is not None)


def join(table: Table, event: events.PlayerJoined, book: RuleBook[Any], newcomers: tuple[PlayerId, ...]) -> Table:
    seats = table.seating.seats
    rounds.need_room(book, len(seats) + 1)
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


def with_newcomers(table: Table, people: Sequence[Player]) -> Table:
    """Add players. An id stays with its player, also if a correction lets others come before, or not come."""
    for player in people:
        if table.player(player.id):
            raise refusals.IdIsTaken(id=player.id)
    players = sorted((*table.players, *people), key=lambda joined: joined.number)
    return replace(table, players=tuple(players))


def with_player(table: Table, player: Player) -> Table:
    return replace(table, players=tuple(player if each.id == player.id else each for each in table.players))


def leave(table: Table, event: events.PlayerLeft) -> Table:
    """Remove a player from the seats; the right of a dealer who leaves deals."""
    seats, dealer = table.seating.seats, table.seating.dealer
    leaver = rounds.need_seat(table, event.player)
    if leaver.id == dealer:
        dealer = seats.right_of(dealer)
    table = with_player(table, replace(leaver, active=False))
    return replace(table, seating=Seating(seats.without((leaver.id,)), dealer))


def change_seats(table: Table, seats: Seats) -> Table:
    """Seat the same players in another order. The dealer stays the dealer."""
    missing, unknown = table.seating.seats.without(seats), seats.without(table.seating.seats)
    if missing or unknown:
        raise refusals.SeatsDoNotMatch(missing=missing, unknown=unknown, what=not_seated(missing, unknown))
    return replace(table, seating=Seating(seats, table.seating.dealer))


def not_seated(missing: Seats, unknown: Seats) -> Sentence:
    """Name the players left out of the seats, and those named who do not sit there."""
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
    """Let the rule book seat the players, between rounds."""
    rounds.need_no_round(table)
    if book.arrange is None:
        raise TypeError(f"{book.name} has events between rounds and does not say what they do")
    rules = rounds.rules_under(book, table.rules)
    event = book.written(event, table.deck, rules)
    return Applied(replace(table, seating=book.arrange(table.seating, event, rules)), event)


# --- chips outside the game -----------------------------------------------------------------------------------------


def need_account(table: Table, player: PlayerId) -> Player:
    """Find a player of the session, or refuse."""
    if found := table.player(player):
        return found
    raise refusals.NeverAtTheTable(player=player, players=tuple(each.id for each in table.players))


def need_accounts(table: Table, event: events.ChipsMoved | events.SettlementPaid, *others: Account) -> None:
    """Refuse one account twice, and an account of no player unless it is one of `others`."""
    if event.payer == event.payee:
        raise refusals.SameAccount
    for account in (event.payer, event.payee):
        if account not in others:
            need_account(table, account)


def move_chips(table: Table, event: events.ChipsMoved) -> tuple[Table, Transfers]:
    """Move chips between players and the bank, also while a round is open; between rounds into or out of the pot.

    Chips come out of the pot only if the event is overruled; the rest is no stake of a player any more.
    """
    need_accounts(table, event, BANK, POT)
    payer, payee, amount = event.payer, event.payee, event.amount
    if POT in (payer, payee):
        rounds.need_no_round(table)
    if payee == POT:
        return put_into_pot(table, payer, amount, "fine")
    if payer == POT:
        if amount > table.pot:
            raise refusals.PotHoldsLess(pot=table.pot, amount=amount)
        refuse(event, refusals.PotIsPlayedFor())
        return replace(table, pot=table.pot - amount, stakes={}), pay(POT, payee, amount, "pot_given")
    return table, pay(payer, payee, amount, "buy_in" if payer == BANK else "cash_out" if payee == BANK else "gift")


def put_into_pot(table: Table, payer: Account, amount: Chips, reason: Reason) -> tuple[Table, Transfers]:
    """Put chips into the pot that are no player's stake."""
    pot = table.pot + amount
    if pot > MAX_CHIPS:
        raise refusals.PotTooLarge(amount=pot, at_most=MAX_CHIPS)
    return replace(table, pot=pot), pay(payer, POT, amount, reason)


def bring(table: Table, event: events.BalancesBrought, newcomers: tuple[PlayerId, ...]) -> tuple[Table, Transfers]:
    """Book balances of earlier evenings against the bank. New names become players who have left."""
    if total := sum(brought.balance for brought in event.balances):
        raise refusals.BalancesDoNotSum(total=total)
    ids = iter(newcomers or ids_from(table.next_number, brings_in(event)))
    brought = [(next(ids) if each.player is None else each.player, each) for each in event.balances]
    absent = [Player(player, each.name, active=False) for player, each in brought if each.name is not None]
    table = with_newcomers(table, absent)
    for player, _ in brought:
        need_account(table, player)
    owed = [Transfer(BANK, player, each.balance, "brought_forward") for player, each in brought if each.balance > 0]
    owing = [Transfer(player, BANK, -each.balance, "brought_forward") for player, each in brought if each.balance < 0]
    return table, (*owed, *owing)


# --- closing --------------------------------------------------------------------------------------------------------


def need_choice(table: Table, event: Event) -> None:
    """Refuse to close a session with a carried pot without a choice. A correction may fill the pot afterwards."""
    if isinstance(event, events.SessionClosed) and table.open_round is None and table.pot and event.pot is None:
        raise refusals.PotIsWaiting(pot=table.pot, choices=tuple(events.POT_CHOICES))


def close(table: Table, event: events.SessionClosed) -> tuple[Table, Transfers]:
    """Close the session; a carried pot is split, refunded or goes to the bank.

    If a correction has emptied the pot since, a choice does nothing; if it has filled it, the chips stay in it.
    """
    transfers = share_out(table, event.pot) if event.pot and table.pot else ()
    return replace(table, status="closed", pot=table.pot + pot_change(transfers), stakes={}), transfers


def share_out(table: Table, how: str) -> Transfers:
    """Empty a carried pot. With no player left at the table it goes to the bank."""
    if how == "bank" or not table.seating.seats:
        return pay(POT, BANK, table.pot, "pot_to_bank")
    seats = table.seating.seats.starting_with(table.seating.dealer)
    if how == "split":
        return split(table.pot, seats, "pot_split")
    nobodys = table.pot - sum(table.stakes.values())
    refunds = tuple(t for player, chips in table.stakes.items() for t in pay(POT, player, chips, "pot_refund"))
    return refunds + split(nobodys, seats, "pot_refund")


def split(chips: Chips, seats: Seats, reason: Reason) -> Transfers:
    """Pay chips out of the pot equally; odd chips go one each to the first seats."""
    each, odd = divmod(chips, len(seats))
    return tuple(t for place, player in enumerate(seats) for t in pay(POT, player, each + (place < odd), reason))
