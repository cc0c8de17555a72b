"""Rounds: opened, played on, voided, entered by their totals, explained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.play import (
    MOST_CHIPS,
    POT,
    CardExposed,
    Chips,
    Event,
    Ground,
    Over,
    PlayerId,
    Refused,
    RuleBook,
    Seats,
    Step,
    Transfer,
    Transfers,
    Void,
    Words,
    expose,
    need_not_set_aside,
    pay,
    payouts,
    pot_change,
    refuse,
)
from ledger.records import replace
from ledger.sentences import Sentence, by_numbers, say
from ledger.session.events import EVENTS, RoundEntered, RoundOpened, RoundVoided, Share
from ledger.session.needs import ground_of, need_no_round, need_room, need_round, need_seat, need_seats_drawn
from ledger.session.refusals import NoRoundOpen, NotThisGame, PotTooLarge, RoundIsFull, TooFewPlayers, TotalsDoNotMatch
from ledger.session.table import Applied, Entered, Round, Table, Totals

MOST_EVENTS_IN_A_ROUND = 1_000
"""How many events of the game a round may have that is not over with the last of them: no table comes near."""


def open_round(table: Table, event: RoundOpened, book: RuleBook[Any]) -> Applied:
    """Begin a round under today's rule book and house rules, if as many players sit here as the game takes."""
    need_no_round(table)
    need_seats_drawn(table)
    need_players(book, event, len(table.seating.seats))
    ground = ground_of(table, book)
    opening = declared(book, book.open_round(ground))
    begun = Round(number=table.rounds + 1, book=book, ground=ground, phase=opening.phase)
    return after_step(replace(table, round=overruled(begun, event)), event, opening)


def need_players(book: RuleBook[Any], event: RoundOpened, count: int) -> None:
    """Refuse a round with more players than the game takes, or with fewer, unless so few play on all the same."""
    if event.overrule is not None and count < book.fewest:
        raise TooFewPlayers(rule=book.seats_row, game=book.title, at_least=book.fewest, count=count)
    if count < book.seats.start:
        refuse(event, TooFewPlayers(rule=book.seats_row, game=book.title, at_least=book.seats.start, count=count))
    need_room(book, count)


def overruled(now: Round, event: Event) -> Round:
    """Note with a round why an event of it was recorded although the rules say otherwise."""
    if event.overrule is None:
        return now
    return replace(now, overruled=(*now.overruled, (event.type, event.overrule)))


def play_on(table: Table, event: Event) -> Applied:
    """Hand an event of the game to the rule book that the open round was opened under."""
    now = need_round(table)
    try:
        event = now.book.written(event, now.ground.deck, now.ground.rules)
        step = step_of(now, event)
    except Refused as refused:
        refused.courts = now.book.courts(now.ground.rules)
        raise
    return after_step(replace(table, round=overruled(now, event)), event, declared(now.book, step))


def step_of(now: Round, event: Event) -> Step:
    """Give what an event does to the open round. A card that fell open is the same in every game."""
    if isinstance(event, CardExposed):
        return expose(now.book, now.phase, event)
    need_not_set_aside(now.book, now.phase, event)
    return now.book.play(now.phase, event)


def not_this_game(event: Event, book: RuleBook[Any]) -> NotThisGame:
    """Make the refusal for an event of another game."""
    known = (*EVENTS, *book.between, *book.events)
    return NotThisGame(type=event.type, game=book.title, expected=tuple(kind.type for kind in known))


def declared(book: RuleBook[Any], step: Step) -> Step:
    """Give a step of the game. Raises ValueError for chips that move for a reason the rule book does not declare."""
    for moved in step.transfers:
        if moved.reason not in book.reasons:
            raise ValueError(f"{book.name} declares no such reason: {moved.reason}")
    return step


def after_step(table: Table, event: Event, step: Step) -> Applied:
    """Put a step of the open round on the table: its phase, its pot, who paid in, and who deals next if it is over."""
    now = table.round
    if now is None:
        raise NoRoundOpen
    if step.phase.pot > MOST_CHIPS:
        raise PotTooLarge(amount=step.phase.pot, at_most=MOST_CHIPS)
    events = now.events + 1
    if events > MOST_EVENTS_IN_A_ROUND and not isinstance(step.phase, Over):
        raise RoundIsFull(round=now.number, at_most=MOST_EVENTS_IN_A_ROUND)
    paid_in = with_payments(now.paid_in, step.transfers) if step.transfers else now.paid_in
    played = replace(now, phase=step.phase, paid_in=paid_in, events=events)
    table = replace(table, round=played, pot=step.phase.pot)
    if isinstance(step.phase, Over):
        seating = replace(table.seating, dealer=step.phase.outcome.next_dealer)
        table = replace(table, seating=seating, stakes=stakes_after(table.stakes, paid_in, step.transfers))
    return Applied(table, event, step.transfers)


def with_payments(paid_in: Mapping[PlayerId, Chips], transfers: Transfers) -> Mapping[PlayerId, Chips]:
    """Add up what each player has put into the pot, in chips."""
    after = dict(paid_in)
    for t in transfers:
        if t.payee == POT:
            after[t.payer] = after.get(t.payer, 0) + t.amount
    return after


def stakes_after(
    before: Mapping[PlayerId, Chips], paid_in: Mapping[PlayerId, Chips], transfers: Transfers
) -> Mapping[PlayerId, Chips]:
    """Say who has what at stake in a carried pot, in chips. Once the pot has been won, what is left is nobody's."""
    if any(t.payer == POT for t in transfers):
        return {}
    return {player: before.get(player, 0) + paid_in.get(player, 0) for player in {**before, **paid_in}}


def void_round(table: Table, event: RoundVoided) -> Applied:
    """Give everyone back what they put into this round; a carried pot stays, and the same dealer deals again."""
    now = need_round(table)
    refunds = tuple(t for player, chips in now.paid_in.items() for t in pay(POT, player, chips, "round_voided"))
    outcome = Void(payouts=payouts(refunds), next_dealer=now.ground.dealer)
    pot = table.pot + pot_change(refunds)
    over = Over(ground=now.phase.ground, pot=pot, last=now.phase, outcome=outcome)
    return Applied(replace(table, round=replace(now, phase=over, void_reason=event.reason), pot=pot), event, refunds)


def enter_round(table: Table, event: RoundEntered, book: RuleBook[Any]) -> Applied:
    """Write a round down by its totals, between rounds; they have to come out even with the pot."""
    need_no_round(table)
    need_seats_drawn(table)
    for player in (*(share.player for share in (*event.payments, *event.payouts)), event.next_dealer):
        if player is not None:
            need_seat(table, player)
    before = table.pot + sum(share.amount for share in event.payments)
    after = event.pot + sum(share.amount for share in event.payouts)
    if before != after:
        raise TotalsDoNotMatch(put_in=before, taken_out=after, difference=before - after)
    paid_in, paid = ([share for share in shares if share.amount] for shares in (event.payments, event.payouts))
    transfers = tuple(Transfer(share.player, POT, share.amount, "entered_payment") for share in paid_in)
    transfers += tuple(Transfer(POT, share.player, share.amount, "entered_payout") for share in paid)
    ground = ground_of(table, book)
    next_dealer = event.next_dealer or dealer_after_totals(ground, paid, book)
    outcome = Totals(payouts=payouts(transfers), next_dealer=next_dealer)
    over = Over(ground=ground, pot=event.pot, last=Entered(ground=ground, pot=before), outcome=outcome)
    entered = Round(number=table.rounds + 1, book=book, ground=ground, phase=over, played_on=event.played_on)
    return after_step(replace(table, round=entered), event, Step(over, transfers))


def dealer_after_totals(ground: Ground[Any], paid: Iterable[Share], book: RuleBook[Any]) -> PlayerId:
    """Say who deals after a round that is known only by its totals: the right, the same, or who was paid most."""
    if book.deal_passes == "right":
        return ground.seats.right_of(ground.dealer)
    by_amount = sorted(paid, key=lambda share: share.amount, reverse=True)
    one_got_most = by_amount and (len(by_amount) == 1 or by_amount[0].amount > by_amount[1].amount)
    return by_amount[0].player if book.deal_passes == "winner" and one_got_most else ground.dealer


def explain(done: Round) -> tuple[Sentence, ...]:
    """Say in plain sentences how a round that is over ended; nothing while it is open."""
    courts = done.book.courts(done.ground.rules)
    return tuple(by_numbers(sentence, courts) for sentence in explanation(done))


def explanation(done: Round) -> tuple[Sentence, ...]:
    """Say how a round ended, with cards by their names."""
    over = done.phase
    if not isinstance(over, Over):
        return ()
    aside = over.ground.set_aside
    set_aside = (say("Seen by accident and set aside: {cards:cards}.", cards=aside),) if aside else ()
    played_so = set_aside + tuple(
        say("The table overruled the rules for {type:event}: {reason}.", type=type_, reason=reason.rstrip(".。"))
        for type_, reason in done.overruled
    )
    if done.is_entered:
        return (*explain_totals(over), *played_so)
    if done.void_reason is not None:
        return (*explain_void(over, done.void_reason), *played_so)
    return (*done.book.explain(over), *played_so)


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
