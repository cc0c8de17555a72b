"""What an event needs of the table it is reported at, and small looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.play import RESULTS, Ground, PlayerId, RuleBook
from ledger.records import fields_of, is_record, replace
from ledger.sentences import Sentence, say
from ledger.session.refusals import (
    DrawNotFinished,
    NeverAtTheTable,
    NoRoundOpen,
    NotAtTheTable,
    RoundIsOpen,
    RoundIsOver,
    TooManyPlayers,
)
from ledger.session.table import Player, Round, Table


def need_no_round(table: Table) -> None:
    """Refuse what is for between rounds while one is open."""
    if now := table.open_round:
        raise RoundIsOpen(round=now.number)


def need_round(table: Table) -> Round:
    """Give the open round, or refuse what is for one: before the first, or with how the last one ended."""
    if now := table.open_round:
        return now
    if table.round is None:
        raise NoRoundOpen
    done, outcome = table.round, table.round.phase.outcome
    raise RoundIsOver(rule=outcome.ended_by, round=done.number, result=outcome.result, why=how_it_ended(done))


def how_it_ended(done: Round) -> Sentence:
    """Say in a few words how a round that is over ended."""
    outcome = done.phase.outcome
    if outcome.won_by:
        return say("{player:player} won it", player=outcome.won_by)
    if outcome.forfeited_for:
        return say("forfeited: {reasons:list}", reasons=tuple(done.book.forfeits[why] for why in outcome.forfeited_for))
    return RESULTS[outcome.result]


def need_seats_drawn(table: Table) -> None:
    """Refuse a round while a draw for seats is not finished."""
    if drawing := table.seating.drawing:
        raise DrawNotFinished(rule=drawing.rule, players=drawing.draw_again)


def need_room(book: RuleBook[Any], count: int) -> None:
    """Refuse more players than the game takes."""
    most = book.seats.stop - 1
    if count > most:
        raise TooManyPlayers(rule=book.seats_row, game=book.title, at_most=most, count=count)


def need_seat(table: Table, player: PlayerId) -> Player:
    """Find somebody who sits at the table now, or refuse."""
    found = table.player(player)
    if found is None or not found.active:
        raise NotAtTheTable(player=player, players=table.seating.seats)
    return found


def need_account(table: Table, player: PlayerId) -> Player:
    """Find somebody who sits here, or ever did, or refuse."""
    found = table.player(player)
    if found is None:
        raise NeverAtTheTable(player=player, players=tuple(p.id for p in table.players))
    return found


def with_player(table: Table, changed_player: Player) -> tuple[Player, ...]:
    """Give everyone, with one of them changed."""
    return tuple(changed_player if p.id == changed_player.id else p for p in table.players)


def ground_of(table: Table, book: RuleBook[Any]) -> Ground[Any]:
    """Give what a round under this rule book would be played on."""
    rules = rules_under(book, table.rules)
    return Ground(table.seating.seats, table.seating.dealer, table.deck, rules, carried=table.pot)


def rules_under(book: RuleBook[Any], rules: Any) -> Any:
    """Give house rules as this version of the rule book has them; switches that are new to them take their defaults."""
    if type(rules) is book.rules:
        return rules
    new, old = ({switch.attribute for switch in fields_of(kind)} for kind in (book.rules, type(rules)))
    return book.rules(**{name: getattr(rules, name) for name in new & old})


def changed(rules: Any, changes: Mapping[str, Any]) -> Any:
    """Give house rules with some switches set; a group of switches (payments) is changed switch by switch."""
    settled = {
        name: changed(getattr(rules, name), value) if is_record(type(getattr(rules, name))) else value
        for name, value in changes.items()
    }
    return replace(rules, **settled)
