"""Queries: which part of a list, as of which event, in which language."""

from __future__ import annotations

from typing import Annotated

from ledger.cards import DECK_NAMES, CardOrPlain
from ledger.games import GAMES
from ledger.language import Language
from ledger.play.values import LinkId, Seq, SessionId
from ledger.records import Meta, Record
from ledger.sentences import Fault, Malformed, say

MAX_PAGE = 500
MAX_SEQ = 2**53 - 1

From = Annotated[int, Meta(ge=0, le=MAX_SEQ)]


class NoQuery(Record):
    """What a call takes that knows no parameters."""


class Addressed(Record):
    """The parameters of addresses; a call has those that its address names."""

    session_id: Annotated[SessionId, Meta(description="The session's id.")]
    link_id: Annotated[LinkId, Meta(description="The link's id.")]
    number: Annotated[Seq, Meta(description="The round's number, from 1.", examples=[1])]
    seq: Annotated[Seq, Meta(description="The event's number, from 1.", examples=[1])]
    game: Annotated[str, Meta(description="Which game.", examples=["shirinma"], extra={"words": GAMES})]
    deck: Annotated[str, Meta(description="Which deck.", examples=["mekurifuda"], extra={"words": DECK_NAMES})]


class PageQuery(Record, kw_only=True):
    """Which part of a list is wanted."""

    after: From = 0
    limit: Annotated[int, Meta(ge=1, le=MAX_PAGE, description="How many at most.")] = 100


class EventsQuery(PageQuery, kw_only=True):
    """Which part of the log is wanted."""

    after: Annotated[From, Meta(description="The seq of an event: only later ones.")] = 0


class RoundsQuery(PageQuery, kw_only=True):
    """Which rounds are wanted."""

    after: Annotated[From, Meta(description="The number of a round: only later ones.")] = 0


class StepsQuery(PageQuery, kw_only=True):
    """Which steps of a round are wanted."""

    after: Annotated[From, Meta(description="How many steps to pass over.")] = 0


class LinksQuery(PageQuery, kw_only=True):
    """Which links are wanted."""

    after: Annotated[From, Meta(description="How many links to pass over.")] = 0


class EntriesQuery(PageQuery, kw_only=True):
    """Which entries of the ledger are wanted."""

    after: Annotated[From, Meta(description="The id of an entry: only later ones.")] = 0
    account: Annotated[
        str | None,
        Meta(description="Only the entries of this account: a player's id, `pot` or `bank`.", examples=["p1"]),
    ] = None


class StreamQuery(Record):
    """From where on the log is streamed."""

    after: Annotated[From, Meta(description="The seq of the last event that was received.")] = 0


class AtQuery(Record):
    """As of which event something is wanted."""

    at: Annotated[From | None, Meta(description="The seq of the last event that counts.")] = None


class OddsQuery(Record):
    """Of which round the chances are wanted, or with which card."""

    round: Annotated[
        Seq | None, Meta(description="The number of a round, whose chances are wanted event by event.")
    ] = None
    what_if: Annotated[CardOrPlain | None, Meta(description="The chances if the next card was this one.")] = None

    def __post_init__(self) -> None:
        if self.round is not None and self.what_if is not None:
            why = say("this can only be asked of the open round, without its number")
            raise Malformed(Fault("/what_if", why))


class CalculateQuery(Record):
    """What else is wanted of a round that is worked out."""

    odds: Annotated[bool, Meta(description="Whether the answer has the chances, too.")] = False


class RecordQuery(Record):
    """How events are to be recorded."""

    dry_run: Annotated[bool, Meta(description="Say what would happen, and store nothing.")] = False


class DeletionQuery(Record):
    """That a session is meant to be deleted."""

    confirm: Annotated[str, Meta(description="The id of the session, once more.")]


class RevokingQuery(Record):
    """Whether a link is to be revoked even if it is the last one that owns the session."""

    even_if_last: Annotated[bool, Meta(description="Also if it is the last link that owns the session.")] = False


class SettlementQuery(Record):
    """How debts are to be settled."""

    via: Annotated[str | None, Meta(description="The id of a player through whom everything is paid.")] = None


class LanguageQuery(Record, kw_only=True):
    """In which language something is wanted."""

    lang: Annotated[Language | None, Meta(description="The reader's language; by default as in `Accept-Language`.")] = (
        None
    )


def is_seq(text: str) -> bool:
    """Say whether a text is the number of an event, as an address has it."""
    return text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEQ))
