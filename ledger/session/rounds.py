"""Rounds: opened, played on, voided, entered by their totals, explained; and what they need of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from ledger.play.chips import Transfer, Transfers, pay, payouts, pot_change
from ledger.play.events import Event
from ledger.play.exposing import CardExposed, expose, need_not_set_aside
from ledger.play.refusals import Refused
from ledger.play.rounds import RESULTS, Ground, Over, Seats, Step, Void
from ledger.play.rule_book import RuleBook
from ledger.play.values import MAX_CHIPS, POT, Chips, PlayerId, Words
from ledger.records import convert, replace
from ledger.sentences import Sentence, by_numbers, say
from ledger.session import refusals
from ledger.session.events import RoundEntered, RoundOpened, RoundVoided, Share
from ledger.session.table import Applied, Entered, Player, Round, Table, Totals

MAX_EVENTS_IN_A_ROUND = 1_000
"""How many events of the game a round may have that is not over with the last of them: no table comes near."""

# --- what is needed of the table ------------------------------------------------------------------------------------


def need_no_round(table: Table) -> None:
    """Refuse what is for between rounds while one is open."""
    if now := table.open_round:
        raise refusals.RoundIsOpen(round=now.number)


def need_round(table: Table) -> Round:
    """Give the open round, or refuse what is for one: before the first, or with how the last one ended."""
    if table.round is None:
        raise refusals.NoRoundOpen
    if not isinstance(over := table.round.phase, Over):
        return table.round
    outcome, why = over.outcome, RESULTS[over.outcome.result]
    if outcome.won_by:
        why = say("{player:player} won it", player=outcome.won_by)
    elif outcome.forfeited_for:
        reasons = tuple(table.round.book.forfeits[reason] for reason in outcome.forfeited_for)
        why = say("forfeited: {reasons:list}", reasons=reasons)
    raise refusals.RoundIsOver(rule=outcome.ended_by, round=table.round.number, result=outcome.result, why=why)


def need_seats_drawn(table: Table) -> None:
    """Refuse a round while a draw for seats is not finished."""
    if drawing := table.seating.drawing:
        raise refusals.DrawNotFinished(rule=drawing.rule, players=drawing.draw_again)


def need_room(book: RuleBook[Any], count: int) -> None:
    """Refuse more players than the game takes."""
    most = book.seats.stop - 1
    if count > most:
        raise refusals.TooManyPlayers(rule=book.seats_row, game=book.title, at_most=most, count=count)


def need_seat(table: Table, player: PlayerId) -> Player:
    """Find somebody who sits at the table now, or refuse."""
    found = table.player(player)
    if found is None or not found.active:
        raise refusals.NotAtTheTable(player=player, players=table.seating.seats)
    return found


def ground_of(table: Table, book: RuleBook[Any]) -> Ground[Any]:
    """Give what a round under this rule book would be played on."""
    rules = rules_under(book, table.rules)
    return Ground(table.seating.seats, table.seating.dealer, table.deck, rules, carried=table.pot)


def rules_under(book: RuleBook[Any], rules: Any) -> Any:
    """Give house rules as this version of the rule book has them; switches that are new to them take their defaults."""
    if type(rules) is book.rules:
        return rules
    return convert(book.rules, rules)


def changed(rules: Any, changes: Any) -> Any:
    """Give house rules with some switches set; a group of switches (payments) is changed switch by switch.

    Raises msgspec.ValidationError for what is no switch, or no value of it.
    """
    return msgspec.convert(_settled(rules, changes), type(rules))


def _settled(old: Any, changes: Any) -> Any:
    if not (isinstance(old, Struct) and isinstance(changes, Mapping)):
        return changes
    return {**asdict(old), **{name: _settled(getattr(old, name, None), changes[name]) for name in changes}}


# --- rounds ---------------------------------------------------------------------------------------------------------


def open_round(table: Table, event: RoundOpened, book: RuleBook[Any]) -> tuple[Table, Transfers]:
    """Begin a round under today's rule book and house rules, if as many players sit here as the game takes."""
    need_seats_drawn(table)
    need_players(book, event, len(table.seating.seats))
    ground = ground_of(table, book)
    opening = declared(book, book.open_round(ground))
    begun = Round(number=table.rounds + 1, book=book, ground=ground, phase=opening.phase)
    return after_step(table, overruled(begun, event), opening)


def need_players(book: RuleBook[Any], event: RoundOpened, count: int) -> None:
    """Refuse a round with more players than the game takes, or with fewer, unless so few play on all the same."""
    least = book.seats.start if event.overrule is None else book.fewest
    if count < least:
        raise refusals.TooFewPlayers(rule=book.seats_row, game=book.title, at_least=least, count=count)
    need_room(book, count)


def overruled(now: Round, event: Event) -> Round:
    """Note with a round why an event of it was recorded although the rules say otherwise."""
    if event.overrule is None:
        return now
    return replace(now, overruled=(*now.overruled, (event.type, event.overrule)))


def play_on(table: Table, event: Event) -> Applied:
    """Hand an event of the game to the rule book that the open round was opened under.

    A card that fell open is the same in every game.
    """
    now = need_round(table)
    try:
        event = now.book.written(event, now.ground.deck, now.ground.rules)
        if isinstance(event, CardExposed):
            step = expose(now.book, now.phase, event)
        else:
            need_not_set_aside(now.book, now.phase, event)
            step = now.book.play(now.phase, event)
    except Refused as refused:
        refused.courts = now.book.courts(now.ground.rules)
        raise
    table, transfers = after_step(table, overruled(now, event), declared(now.book, step))
    return Applied(table, event, transfers)


def declared(book: RuleBook[Any], step: Step) -> Step:
    """Give a step of the game. Raises ValueError for chips that move for a reason the rule book does not declare."""
    for moved in step.transfers:
        if moved.reason not in book.reasons:
            raise ValueError(f"{book.name} declares no such reason: {moved.reason}")
    return step


def after_step(table: Table, now: Round, step: Step) -> tuple[Table, Transfers]:
    """Put a step of a round on the table: its phase, its pot, who paid in, and who deals next if it is over.

    Once the pot has been won, what is left in it is nobody's stake.
    """
    phase, transfers = step.phase, step.transfers
    if phase.pot > MAX_CHIPS:
        raise refusals.PotTooLarge(amount=phase.pot, at_most=MAX_CHIPS)
    events = now.events + 1
    if events > MAX_EVENTS_IN_A_ROUND and not isinstance(phase, Over):
        raise refusals.RoundIsFull(round=now.number, at_most=MAX_EVENTS_IN_A_ROUND)
    paid_in = now.paid_in
    for t in transfers:
        if t.payee == POT:
            paid_in = {**paid_in, t.payer: paid_in.get(t.payer, 0) + t.amount}
    table = replace(table, round=replace(now, phase=phase, paid_in=paid_in, events=events), pot=phase.pot)
    if isinstance(phase, Over):
        seating = replace(table.seating, dealer=phase.outcome.next_dealer)
        won = any(t.payer == POT for t in transfers)
        table = replace(table, seating=seating, stakes={} if won else dict(Counter(table.stakes) + Counter(paid_in)))
    return table, transfers


def void_round(table: Table, event: RoundVoided) -> tuple[Table, Transfers]:
    """Give everyone back what they put into this round; a carried pot stays, and the same dealer deals again."""
    now = need_round(table)
    refunds = tuple(t for player, chips in now.paid_in.items() for t in pay(POT, player, chips, "round_voided"))
    outcome = Void(payouts=payouts(refunds), next_dealer=now.ground.dealer)
    pot = table.pot + pot_change(refunds)
    over = Over(ground=now.phase.ground, pot=pot, last=now.phase, outcome=outcome)
    return replace(table, round=replace(now, phase=over, void_reason=event.reason), pot=pot), refunds


def enter_round(table: Table, event: RoundEntered, book: RuleBook[Any]) -> tuple[Table, Transfers]:
    """Write a round down by its totals; they have to come out even with the pot."""
    need_seats_drawn(table)
    for player in (*(share.player for share in (*event.payments, *event.payouts)), event.next_dealer):
        if player is not None:
            need_seat(table, player)
    before = table.pot + sum(share.amount for share in event.payments)
    after = event.pot + sum(share.amount for share in event.payouts)
    if before != after:
        raise refusals.TotalsDoNotMatch(put_in=before, taken_out=after, difference=before - after)
    transfers = tuple(
        Transfer(share.player, POT, share.amount, "entered_payment") for share in event.payments if share.amount
    )
    paid = [share for share in event.payouts if share.amount]
    transfers += tuple(Transfer(POT, share.player, share.amount, "entered_payout") for share in paid)
    ground = ground_of(table, book)
    next_dealer = event.next_dealer or dealer_after_totals(ground, paid, book)
    outcome = Totals(payouts=payouts(transfers), next_dealer=next_dealer)
    over = Over(ground=ground, pot=event.pot, last=Entered(ground=ground, pot=before), outcome=outcome)
    entered = Round(number=table.rounds + 1, book=book, ground=ground, phase=over, played_on=event.played_on)
    return after_step(table, entered, Step(over, transfers))


def dealer_after_totals(ground: Ground[Any], paid: Iterable[Share], book: RuleBook[Any]) -> PlayerId:
    """Say who deals after a round that is known only by its totals: the right, the same, or who was paid most."""
    if book.deal_passes == "right":
        return ground.seats.right_of(ground.dealer)
    by_amount = sorted(paid, key=lambda share: share.amount, reverse=True)
    one_got_most = by_amount and (len(by_amount) == 1 or by_amount[0].amount > by_amount[1].amount)
    return by_amount[0].player if book.deal_passes == "winner" and one_got_most else ground.dealer


# --- how a round ended ----------------------------------------------------------------------------------------------


def explain(done: Round) -> tuple[Sentence, ...]:
    """Say in plain sentences how a round that is over ended; nothing while it is open."""
    over = done.phase
    if not isinstance(over, Over):
        return ()
    if done.is_entered:
        ending = explain_totals(over)
    elif done.void_reason is not None:
        ending = explain_void(over, done.void_reason)
    else:
        ending = done.book.explain(over)
    aside = over.ground.set_aside
    set_aside = (say("Seen by accident and set aside: {cards:cards}.", cards=aside),) if aside else ()
    played_so = tuple(
        say("The table overruled the rules for {type:event}: {reason}.", type=type_, reason=reason.rstrip(".。"))
        for type_, reason in done.overruled
    )
    courts = done.book.courts(done.ground.rules)
    return tuple(by_numbers(sentence, courts) for sentence in (*ending, *set_aside, *played_so))


def explain_totals(over: Over) -> tuple[Sentence, ...]:
    """Say what a round came to that nobody wrote down."""
    paid = to_whom(over)
    return (
        say("Nobody wrote this round down; its totals were entered."),
        *((say("Out of the pot went {payouts:list}.", payouts=paid),) if paid else ()),
        *((say("{pot:chips} stayed in the pot for the next round.", pot=over.pot),) if over.pot else ()),
        say("{dealer:player} deals the next round.", dealer=over.outcome.next_dealer),
    )


def explain_void(over: Over, reason: Words) -> tuple[Sentence, ...]:
    """Say why a round does not count, and what came back to whom."""
    refunds = to_whom(over)
    return (
        say("The round was voided: {reason}.", reason=reason.rstrip(".。")),
        say("What was put in came back: {refunds:list}.", refunds=refunds)
        if refunds
        else say("Nothing had been put in, so nothing came back."),
        *((say("{pot:chips} carried over stayed in the pot.", pot=over.pot),) if over.pot else ()),
        say("{dealer:player} deals again.", dealer=over.outcome.next_dealer),
    )


def to_whom(over: Over) -> tuple[Sentence, ...]:
    """Say who was paid how much; those who were paid the same are told together."""
    alike: dict[Chips, Seats] = {}
    for payout in over.outcome.payouts:
        alike[payout.amount] = Seats((*alike.get(payout.amount, ()), payout.player))
    return tuple(so_much(amount, players, everyone=over.ground.seats) for amount, players in alike.items())


def so_much(amount: Chips, players: Seats, everyone: Seats) -> Sentence:
    """Say that one, some or all of a round were paid an amount each."""
    if len(players) == 1:
        return say("{amount:chips} to {player:player}", amount=amount, player=players[0])
    if set(players) == set(everyone):
        return say("{amount:chips} each", amount=amount)
    return say("{amount:chips} each to {players:players}", amount=amount, players=players)
