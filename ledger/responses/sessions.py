"""Sessions: where they stand, and how they were opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from ledger import history
from ledger.language import LANGUAGES, Language, render
from ledger.play.values import BANK, Chips, Day, PlayerId, SessionId, Timestamp
from ledger.records import UNSET, Meta, Record, UnsetType
from ledger.responses.links import Link
from ledger.responses.rounds import HouseRules, Round, round_answer
from ledger.session.events import ChipValue


class Player(Record):
    """A player who sits or sat at the table."""

    id: Annotated[PlayerId, Meta(description="The player's id, which is the same for the whole session.")]
    name: Annotated[str, Meta(description="The player's name.")]
    seat: Annotated[
        int | None, Meta(description="The player's place in seat order, from 1; null for a player who has left.")
    ]
    won: Annotated[
        Chips, Meta(description="What play brought, in chips, without payments, purchases, cash-outs and gifts.")
    ]
    balance: Annotated[Chips, Meta(description="What is still to be settled, in chips.")]
    active: Annotated[bool, Meta(description="Whether the player sits at the table.")]


class Closing(Record):
    """The difference between the chips that the bank gave out and those that came back."""

    buy_ins: Annotated[
        Chips,
        Meta(description="The chips that the bank gave out, including a pot that was brought and did not come back."),
    ]
    cash_outs: Annotated[
        Chips, Meta(description="The chips that came back to the bank, including pots but for the `pot`.")
    ]
    pot: Annotated[
        Chips, Meta(description="The pot that the bank holds for a next evening, in a session without buy-ins; else 0.")
    ]
    difference: Annotated[
        int, Meta(description="How many chips are missing; below zero, how many too many. A `pot` counts as neither.")
    ]
    sentence: Annotated[Mapping[Language, str], Meta(description="The same in words.")]


class Session(Record, kw_only=True):
    """Where a session stands. Balances, pot and bank sum to zero; amounts are whole chips."""

    id: Annotated[SessionId, Meta(description="The session's id, as in its address.")]
    game: Annotated[str, Meta(description="The game that is played.", examples=["shirinma"])]
    name: Annotated[str | None, Meta(description="The session's name; null if it has none.")]
    deck: Annotated[str, Meta(description="The deck that is used.")]
    status: Annotated[Literal["open", "closed"], Meta(description="Whether the session is open or closed.")]
    seq: Annotated[int, Meta(description="The number of the last event, which is the ETag as well.")]
    players: Annotated[tuple[Player, ...], Meta(description="Everyone who sits or sat at the table, in order of ids.")]
    dealer: Annotated[PlayerId, Meta(description="The dealer's id.")]
    draw_again: Annotated[
        tuple[PlayerId, ...] | UnsetType,
        Meta(description="The players who tied in a draw for seats and have to draw again."),
    ] = UNSET
    pot: Annotated[Chips, Meta(description="The chips in the pot.")]
    bank: Annotated[Chips, Meta(description="The chips in the bank; below zero if it gave out more than came back.")]
    rules: Annotated[HouseRules, Meta(description="The house rules, every switch with its value.")]
    round: Annotated[Round | None, Meta(description="The open round; null between rounds.")]
    rounds: Annotated[int, Meta(description="How many rounds there have been.")]
    chip_value: Annotated[ChipValue | None, Meta(description="The value of a chip in money; null if it has none.")]
    odds: Annotated[bool, Meta(description="Whether the chances are shown.")]
    closing: Annotated[
        Closing | None, Meta(description="Once the session is closed: how chips and buy-ins differ, if they do.")
    ]
    played_on: Annotated[Day | None, Meta(description="The day, where the session was recorded afterwards; or null.")]
    created_at: Annotated[Timestamp, Meta(description="When the session was opened, in UTC.")]


class Opened(Record):
    """A session just opened, and its owner's link."""

    session: Annotated[Session, Meta(description="The session.")]
    link: Annotated[Link, Meta(description="The owner's link. Its token is in no later answer.")]


def session_answer(session: history.Session) -> Session:
    """Give where a session stands."""
    state, opening = session.state, session.opening
    table, balances, won = state.table, state.balances, state.won
    seats, drawing = table.seating.seats, table.seating.drawing
    now, closing = table.open_round, history.closing(state) if table.status == "closed" else None
    players = [
        Player(
            player.id,
            player.name,
            seats.index(player.id) + 1 if player.active else None,
            won.get(player.id, 0),
            balances.get(player.id, 0),
            player.active,
        )
        for player in table.players
    ]
    return Session(
        id=session.id,
        game=opening.game,
        name=table.name,
        deck=opening.deck,
        status=table.status,
        seq=state.seq,
        players=tuple(players),
        dealer=table.seating.dealer,
        draw_again=drawing.draw_again if drawing else UNSET,
        pot=table.pot,
        bank=balances.get(BANK, 0),
        rules=table.rules,
        round=round_answer(now, session.names) if now else None,
        rounds=table.rounds,
        chip_value=table.chip_value,
        odds=table.odds,
        closing=closing_answer(closing) if closing else None,
        played_on=table.played_on,
        created_at=session.created_at,
    )


def closing_answer(closing: history.Closing) -> Closing:
    """Give by how much chips and buy-ins do not match."""
    sentence = {language: render(closing.sentence, language, {}) for language in LANGUAGES}
    return Closing(closing.buy_ins, closing.cash_outs, closing.pot, closing.difference, sentence)
