"""Sessions: where they stand, and how they were opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from ledger import history
from ledger.answers.encoding import ABSENT, Absent
from ledger.answers.links import Link
from ledger.answers.rounds import HouseRules, Round, round_answer
from ledger.language import LANGUAGES, Language, render
from ledger.play import BANK, Chips, PlayerId, record
from ledger.session import ChipValue


@record()
class Player:
    """Somebody who sits, or sat, at the table. `seat` is null for one who has left."""

    id: PlayerId = field(metadata={"example": "p1"})
    name: str
    seat: int | None
    won: Chips
    balance: Chips
    active: bool


@record()
class Closing:
    """By how many chips what came back to the bank does not match what it gave out, which `sentence` says in words."""

    buy_ins: Chips = field(metadata={"description": "with a pot that was brought along"})
    cash_outs: Chips = field(metadata={"description": "with a pot that went to the bank"})
    difference: int = field(metadata={"description": "missing; below zero, too many"})
    sentence: Mapping[Language, str]


@record(kw_only=True)
class Session:
    """Where a session stands. Balances, pot and bank sum to zero; amounts are whole chips."""

    id: str
    game: str
    name: str | None
    deck: str
    status: Literal["open", "closed"]
    seq: int
    players: tuple[Player, ...]
    dealer: PlayerId
    draw_again: tuple[PlayerId, ...] | Absent = field(
        default=ABSENT, metadata={"description": "those who tied in a draw for seats and have to draw again"}
    )
    pot: Chips
    bank: Chips
    rules: HouseRules = field(metadata={"lasting": True})
    round: Round | None
    rounds: int
    chip_value: ChipValue | None
    odds: bool = field(metadata={"description": "whether the table wants to be told the chances"})
    closing: Closing | None = field(metadata={"description": "once closed, if chips and buy-ins do not match"})
    created_at: str


@record()
class Opened:
    """A session just opened, and its owner's link."""

    session: Session
    link: Link


def session_answer(session: history.Session) -> Session:
    """Give where a session stands."""
    state, opening = session.state, session.opening
    table, balances, won = state.table, state.balances, state.won
    seats, drawing = table.seating.seats, table.seating.drawing
    now = table.open_round
    return Session(
        id=session.id,
        game=opening.game,
        name=session.name,
        deck=opening.deck,
        status=table.status,
        seq=state.seq,
        players=tuple(
            Player(
                player.id,
                player.name,
                seats.index(player.id) + 1 if player.active else None,
                won.get(player.id, 0),
                balances.get(player.id, 0),
                player.active,
            )
            for player in table.players
        ),
        dealer=table.seating.dealer,
        draw_again=drawing.draw_again if drawing else ABSENT,
        pot=table.pot,
        bank=balances.get(BANK, 0),
        rules=table.rules,
        round=round_answer(now, session.names) if now else None,
        rounds=table.rounds,
        chip_value=session.chip_value,
        odds=table.odds,
        closing=closing_answer(history.closing(state)),
        created_at=session.created_at,
    )


def closing_answer(closing: history.Closing | None) -> Closing | None:
    """Give by how much chips and buy-ins do not match."""
    if closing is None:
        return None
    sentence = {language: render(closing.sentence, language, {}) for language in LANGUAGES}
    return Closing(closing.buy_ins, closing.cash_outs, closing.difference, sentence)
