"""Rounds: opening, play, voiding, totals, explanation; and what they need of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from ledger.i18n.sentences import Sentence, say
from ledger.records import convert, replace
from ledger.rulebook.chips import Transfer, Transfers, pay, payouts, pot_change
from ledger.rulebook.event import Event
from ledger.rulebook.exposing import CardExposed, expose, need_not_set_aside
from ledger.rulebook.phase import RESULTS, Ground, Over, Seats, Step, Void
from ledger.rulebook.refusal import Refused
from ledger.rulebook.rule_book import RuleBook
from ledger.rulebook.values import MAX_CHIPS, POT, Chips, PlayerId, Words
from ledger.session import refusals
from ledger.session.events import RoundEntered, RoundOpened, RoundVoided, Share
from ledger.session.table import Applied, Entered, Player, Round, Table, Totals

MAX_EVENTS_IN_A_ROUND = 1_000
"""The largest number of events of a round that is still open."""

# --- what is needed of the table ------------------------------------------------------------------------------------


def need_no_round(table: Table) -> None:
    if now := table.open_round:
        raise refusals.RoundIsOpen(round=now.number)


def need_round(table: Table) -> Round:
    """Give the open round. Raises NoRoundOpen before the first, RoundIsOver with the outcome of the last."""
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
    if drawing := table.seating.drawing:
        raise refusals.DrawNotFinished(rule=drawing.rule, players=drawing.draw_again)


def need_room(book: RuleBook[Any], count: int) -> None:
    """Refuse more players than the game takes."""
    most = book.seats.stop - 1
    if count > most:
        raise refusals.TooManyPlayers(rule=book.seats_row, game=book.title, at_most=most, count=count)


def need_seat(table: Table, player: PlayerId) -> Player:
    """Find a player at the table, or refuse."""
    found = table.player(player)
    if found is None or not found.active:
        raise refusals.NotAtTheTable(player=player, players=table.seating.seats)
    return found


def ground_of(table: Table, book: RuleBook[Any]) -> Ground[Any]:
    rules = rules_under(book, table.rules)
    return Ground(table.seating.seats, table.seating.dealer, table.deck, rules, carried=table.pot)


def rules_under(book: RuleBook[Any], rules: Any) -> Any:
    """Give house rules as this version of the rule book has them; new switches take their defaults."""
    return rules if type(rules) is book.rules else convert(book.rules, rules)


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
    """Begin a round under the newest rule book and the house rules, with as many players as the game takes."""
    need_seats_drawn(table)
    count, least = len(table.seating.seats), book.seats.start if event.overrule is None else book.fewest
    if count < least:
        raise refusals.TooFewPlayers(rule=book.seats_row, game=book.title, at_least=least, count=count)
    need_room(book, count)
    ground = ground_of(table, book)
    opening = book.open_round(ground)
    begun = Round(number=table.rounds + 1, book=book, ground=ground, phase=opening.phase)
    return after_event(table, begun, event, opening)


def play_on(table: Table, event: Event) -> Applied:
    """Play an event by the rule book of the open round. A card that fell open is the same in every game."""
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
    table, transfers = after_event(table, now, event, step)
    return Applied(table, event, transfers)


def after_event(table: Table, now: Round, event: Event, step: Step) -> tuple[Table, Transfers]:
    """Put a step of the game on the table, with the reason of an event that overrules the rules.

    Raises ValueError for chips that move for a reason the rule book does not declare.
    """
    for moved in step.transfers:
        if moved.reason not in now.book.reasons:
            raise ValueError(f"{now.book.name} declares no such reason: {moved.reason}")
    if event.overrule is not None:
        now = replace(now, overruled=(*now.overruled, (event.type, event.overrule)))
    return after_step(table, now, step)


def after_step(table: Table, now: Round, step: Step) -> tuple[Table, Transfers]:
    """Put a step of a round on the table: phase, pot, what was paid in, and the next dealer if it is over.

    Once the pot has been won, the rest of it is no player's stake.
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
    """Pay back what each player put into this round; a carried pot stays, and the same dealer deals again."""
    now = need_round(table)
    refunds = tuple(t for player, chips in now.paid_in.items() for t in pay(POT, player, chips, "round_voided"))
    outcome = Void(payouts=payouts(refunds), next_dealer=now.ground.dealer)
    pot = table.pot + pot_change(refunds)
    over = Over(ground=now.phase.ground, pot=pot, last=now.phase, outcome=outcome)
    return replace(table, round=replace(now, phase=over, void_reason=event.reason), pot=pot), refunds


def enter_round(table: Table, event: RoundEntered, book: RuleBook[Any]) -> tuple[Table, Transfers]:
    """Book a round by its totals, which have to balance with the pot."""
    need_seats_drawn(table)
    for player in (*(share.player for share in (*event.payments, *event.payouts)), event.next_dealer):
        if player is not None:
            need_seat(table, player)
    before = table.pot + sum(share.amount for share in event.payments)
    after = event.pot + sum(share.amount for share in event.payouts)
    if before != after:
        raise refusals.TotalsDoNotMatch(put_in=before, taken_out=after, difference=before - after)
    paid = [share for share in event.payouts if share.amount]
    transfers = tuple(Transfer(s.player, POT, s.amount, "entered_payment") for s in event.payments if s.amount)
    transfers += tuple(Transfer(POT, s.player, s.amount, "entered_payout") for s in paid)
    ground = ground_of(table, book)
    next_dealer = event.next_dealer or dealer_after_totals(ground, paid, book)
    outcome = Totals(payouts=payouts(transfers), next_dealer=next_dealer)
    over = Over(ground=ground, pot=event.pot, last=Entered(ground=ground, pot=before), outcome=outcome)
    entered = Round(number=table.rounds + 1, book=book, ground=ground, phase=over, played_on=event.played_on)
    return after_step(table, entered, Step(over, transfers))


def dealer_after_totals(ground: Ground[Any], paid: Sequence[Share], book: RuleBook[Any]) -> PlayerId:
    """Give the dealer after a round by its totals: the right, the same, or the player who was paid most."""
    if book.deal_passes == "right":
        return ground.seats.right_of(ground.dealer)
    most = max((share.amount for share in paid), default=0)
    winners = [share.player for share in paid if share.amount == most]
    return winners[0] if book.deal_passes == "winner" and len(winners) == 1 else ground.dealer


# --- how a round ended ----------------------------------------------------------------------------------------------


def explain(done: Round) -> tuple[Sentence, ...]:
    """Explain the end of a round in plain sentences; none while it is open."""
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
    return tuple(replace(sentence, courts=courts) for sentence in (*ending, *set_aside, *played_so))


def explain_totals(over: Over) -> tuple[Sentence, ...]:
    paid = to_whom(over)
    return (
        say("Nobody wrote this round down; its totals were entered."),
        *((say("Out of the pot went {payouts:list}.", payouts=paid),) if paid else ()),
        *((say("{pot:chips} stayed in the pot for the next round.", pot=over.pot),) if over.pot else ()),
        say("{dealer:player} deals the next round.", dealer=over.outcome.next_dealer),
    )


def explain_void(over: Over, reason: Words) -> tuple[Sentence, ...]:
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
    """List the payouts; players who were paid the same are one item."""
    alike: dict[Chips, Seats] = {}
    for payout in over.outcome.payouts:
        alike[payout.amount] = Seats((*alike.get(payout.amount, ()), payout.player))
    return tuple(so_much(amount, players, everyone=over.ground.seats) for amount, players in alike.items())


def so_much(amount: Chips, players: Seats, everyone: Seats) -> Sentence:
    if len(players) == 1:
        return say("{amount:chips} to {player:player}", amount=amount, player=players[0])
    if set(players) == set(everyone):
        return say("{amount:chips} each", amount=amount)
    return say("{amount:chips} each to {players:players}", amount=amount, players=players)
