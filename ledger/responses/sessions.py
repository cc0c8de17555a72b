"""Sessions: where they stand, and how they were opened."""

from __future__ import annotations

from typing import Annotated, Literal

from ledger import history
from ledger.play.values import BANK, Chips, Day, PlayerId, SessionId, Timestamp
from ledger.records import UNSET, Meta, Record, UnsetType, convert
from ledger.responses.links import Link
from ledger.responses.rounds import Round, round_answer
from ledger.responses.shared import DealerId, HouseRules, InWords, Pot, in_words
from ledger.session.events import ChipValue


class Player(Record):
    """A player who sits or sat at the table."""

    id: Annotated[PlayerId, Meta(description="The player's id, which is the same for the whole session.")]
    name: Annotated[str, Meta(description="The player's name.")]
    seat: Annotated[int | None, Meta(description="The player's place in seat order, from 1; null for one who left.")]
    won: Annotated[Chips, Meta(description="What play brought, in chips, without payments, buy-ins, cash-outs, gifts.")]
    balance: Annotated[Chips, Meta(description="What is still to be settled, in chips.")]
    active: Annotated[bool, Meta(description="Whether the player sits at the table.")]


class Closing(history.Closing, kw_only=True):
    """The difference between the chips that the bank gave out and those that came back."""

    difference: Annotated[
        Chips, Meta(description="The chips that are missing; below zero, too many. `pot` is neither.")
    ]
    sentence: Annotated[InWords, Meta(description="The same in words.")]


class Session(Record, kw_only=True):
    """Where a session stands. Balances, pot and bank sum to zero; amounts are whole chips."""

    id: Annotated[SessionId, Meta(description="The session's id, as in its address.")]
    game: Annotated[str, Meta(description="The game that is played.", examples=["shirinma"])]
    name: Annotated[str | None, Meta(description="The session's name; null if it has none.")]
    deck: Annotated[str, Meta(description="The deck that is used.")]
    status: Annotated[Literal["open", "closed"], Meta(description="Whether the session is open or closed.")]
    seq: Annotated[int, Meta(description="The number of the last event, which is the ETag as well.")]
    players: Annotated[tuple[Player, ...], Meta(description="Everyone who sits or sat at the table, in order of ids.")]
    dealer: DealerId
    draw_again: Annotated[tuple[PlayerId, ...] | UnsetType, Meta(description="Who has to draw for seats again.")] = (
        UNSET
    )
    pot: Pot
    bank: Annotated[Chips, Meta(description="The chips in the bank; below zero if it gave out more than came back.")]
    rules: Annotated[HouseRules, Meta(description="The house rules, every switch with its value.")]
    round: Annotated[Round | None, Meta(description="The open round; null between rounds.")]
    rounds: Annotated[int, Meta(description="How many rounds there have been.")]
    chip_value: Annotated[ChipValue | None, Meta(description="The value of a chip in money; null if it has none.")]
    odds: Annotated[bool, Meta(description="Whether the chances are shown.")]
    closing: Annotated[Closing | None, Meta(description="Once it is closed: how chips and buy-ins differ, if they do.")]
    played_on: Annotated[Day | None, Meta(description="The day, where the session was recorded afterwards; or null.")]
    created_at: Annotated[Timestamp, Meta(description="When the session was opened, in UTC.")]


class Opened(Record):
    """A session just opened, and its owner's link."""

    session: Annotated[Session, Meta(description="The session.")]
    link: Annotated[Link, Meta(description="The owner's link. Its token is in no later answer.")]


def session_answer(session: history.Session) -> Session:
    """Give where a session stands."""
    state, table = session.state, session.state.table
    won, balances = state.won, state.balances
    seats, drawing = {player: seat for seat, player in enumerate(table.seating.seats, 1)}, table.seating.drawing
    now, closing = table.open_round, history.closing(state)
    players = [
        Player(p.id, p.name, seats.get(p.id), won.get(p.id, 0), balances.get(p.id, 0), p.active) for p in table.players
    ]
    return convert(
        Session,
        table,
        id=session.id,
        game=session.opening.game,
        seq=state.seq,
        players=tuple(players),
        dealer=table.seating.dealer,
        draw_again=drawing.draw_again if drawing else UNSET,
        bank=balances.get(BANK, 0),
        round=round_answer(now, session.names) if now else None,
        closing=convert(Closing, closing, sentence=in_words(closing.as_sentence)) if closing else None,
        created_at=session.created_at,
    )
