"""Sessions: where they stand, how they were opened, and the links to them."""

from __future__ import annotations

from typing import Annotated, Literal

from ledger.records import UNSET, Record, UnsetType, convert, doc
from ledger.responses.rounds import Round, round_answer
from ledger.responses.shared import DealerId, HouseRules, InWords, Pot, in_words
from ledger.rulebook.values import BANK, Chips, Day, LinkId, PlayerId, SessionId, Timestamp, Token
from ledger.session import history
from ledger.session.events import ChipValue
from ledger.storage.stored import Role, StoredLink


class Player(Record):
    """A player who sits or sat at the table."""

    id: Annotated[PlayerId, doc("The player's id, which is the same for the whole session.")]
    name: Annotated[str, doc("The player's name.")]
    seat: Annotated[int | None, doc("The player's place in seat order, from 1; null for one who left.")]
    won: Annotated[Chips, doc("What play brought, in chips, without payments, buy-ins, cash-outs, gifts.")]
    balance: Annotated[Chips, doc("What is still to be settled, in chips.")]
    active: Annotated[bool, doc("Whether the player sits at the table.")]


class Closing(history.Closing, kw_only=True):
    """The difference between the chips that the bank gave out and those that came back."""

    difference: Annotated[Chips, doc("The chips that are missing; below zero, too many. `pot` is neither.")]
    sentence: Annotated[InWords, doc("The same in words.")]


class Session(Record, kw_only=True):
    """Where a session stands. Balances, pot and bank sum to zero; amounts are whole chips."""

    id: Annotated[SessionId, doc("The session's id, as in its address.")]
    game: Annotated[str, doc("The game that is played.", "shirinma")]
    name: Annotated[str | None, doc("The session's name; null if it has none.")]
    deck: Annotated[str, doc("The deck that is used.")]
    status: Annotated[Literal["open", "closed"], doc("Whether the session is open or closed.")]
    seq: Annotated[int, doc("The number of the last event, which is the ETag as well.")]
    players: Annotated[tuple[Player, ...], doc("Everyone who sits or sat at the table, in order of ids.")]
    dealer: DealerId
    draw_again: Annotated[tuple[PlayerId, ...] | UnsetType, doc("Who has to draw for seats again.")] = UNSET
    pot: Pot
    bank: Annotated[Chips, doc("The chips in the bank; below zero if it gave out more than came back.")]
    rules: Annotated[HouseRules, doc("The house rules, every switch with its value.")]
    round: Annotated[Round | None, doc("The open round; null between rounds.")]
    rounds: Annotated[int, doc("How many rounds there have been.")]
    chip_value: Annotated[ChipValue | None, doc("The value of a chip in money; null if it has none.")]
    odds: Annotated[bool, doc("Whether the chances are shown.")]
    closing: Annotated[Closing | None, doc("Once it is closed: how chips and buy-ins differ, if they do.")]
    played_on: Annotated[Day | None, doc("The day, where the session was recorded afterwards; or null.")]
    created_at: Annotated[Timestamp, doc("When the session was opened, in UTC.")]


class Link(Record, kw_only=True):
    """A key to a session. The token is shown once, when the link is made."""

    id: Annotated[LinkId, doc("The link's id, as in its address.")]
    role: Annotated[Role, doc("What the link lets its bearer do.")]
    label: Annotated[str | None, doc("The link's label; null if it has none.")]
    created_at: Annotated[Timestamp, doc("When the link was made, in UTC.")]
    expires_at: Annotated[Timestamp | None, doc("When the link expires, in UTC; null if it does not.")]
    revoked_at: Annotated[
        Timestamp | UnsetType | None,
        doc("When the link was revoked, in UTC; null if it was not. Only in the list of links."),
    ] = UNSET
    token: Annotated[Token | UnsetType, doc("The token, only in the answer that makes the link.")] = UNSET


class Opened(Record):
    """A session just opened, and its owner's link."""

    session: Annotated[Session, doc("The session.")]
    link: Annotated[Link, doc("The owner's link. Its token is in no later answer.")]


def session_answer(session: history.Session) -> Session:
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


def link_answer(link: StoredLink, token: str | None = None, *, listed: bool = False) -> Link:
    """Give a link; with its token once, when it is made; in a list with the time when it was revoked."""
    return convert(Link, link, revoked_at=link.revoked_at if listed else UNSET, token=token or UNSET)
