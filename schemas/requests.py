"""What calls take: queries, and the bodies that do not open a session."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from ledger.games import GAMES
from ledger.i18n.language import Language
from ledger.i18n.sentences import Fault, Malformed, say
from ledger.records import Meta, Record, doc
from ledger.rulebook.cards import DECK_NAMES, CardOrPlain
from ledger.rulebook.event import AnyEvent
from ledger.rulebook.values import LinkId, Seq, SessionId, Stake, text
from ledger.session.events import PersonName
from ledger.session.statistics import Seat
from ledger.session.table import Opening
from ledger.storage.stored import Role
from schemas.sessions import Players, TableForm, usual_opening

MAX_PAGE = 500
MAX_SEQ = 2**53 - 1

From = Annotated[int, Meta(ge=0, le=MAX_SEQ)]


class NoQuery(Record):
    """What a call takes that knows no parameters."""


class Addressed(Record):
    """The parameters of addresses; a call has those that its address names."""

    session_id: Annotated[SessionId, doc("The session's id.")]
    link_id: Annotated[LinkId, doc("The link's id.")]
    number: Annotated[Seq, doc("The round's number, from 1.", 1)]
    seq: Annotated[Seq, doc("The event's number, from 1.", 1)]
    game: Annotated[str, doc("Which game.", "shirinma", extra={"words": GAMES})]
    deck: Annotated[str, doc("Which deck.", "mekurifuda", extra={"words": DECK_NAMES})]


class PageQuery(Record, kw_only=True):
    after: From = 0
    limit: Annotated[int, doc("How many at most.", ge=1, le=MAX_PAGE)] = 100


class EventsQuery(PageQuery, kw_only=True):
    after: Annotated[From, doc("The seq of an event: only later ones.")] = 0


class RoundsQuery(PageQuery, kw_only=True):
    after: Annotated[From, doc("The number of a round: only later ones.")] = 0


class StepsQuery(PageQuery, kw_only=True):
    after: Annotated[From, doc("How many steps to pass over.")] = 0


class LinksQuery(PageQuery, kw_only=True):
    after: Annotated[From, doc("How many links to pass over.")] = 0


class EntriesQuery(PageQuery, kw_only=True):
    after: Annotated[From, doc("The id of an entry: only later ones.")] = 0
    account: Annotated[str | None, doc("Only the entries of this account: a player's id, `pot` or `bank`.", "p1")] = (
        None
    )


class StreamQuery(Record):
    after: Annotated[From, doc("The seq of the last event that was received.")] = 0


class AtQuery(Record):
    at: Annotated[From | None, doc("The seq of the last event that counts.")] = None


class OddsQuery(Record):
    round: Annotated[Seq | None, doc("The number of a round, whose chances are wanted event by event.")] = None
    what_if: Annotated[CardOrPlain | None, doc("The chances if the next card was this one.")] = None

    def __post_init__(self) -> None:
        if self.round is not None and self.what_if is not None:
            why = say("this can only be asked of the open round, without its number")
            raise Malformed(Fault("/what_if", why))


class CalculateQuery(Record):
    odds: Annotated[bool, doc("Whether the answer has the chances, too.")] = False


class RecordQuery(Record):
    dry_run: Annotated[bool, doc("Say what would happen, and store nothing.")] = False


class DeletionQuery(Record):
    confirm: Annotated[str, doc("The id of the session, once more.")]


class RevokingQuery(Record):
    even_if_last: Annotated[bool, doc("Also if it is the last link that owns the session.")] = False


class SettlementQuery(Record):
    via: Annotated[str | None, doc("The id of a player through whom everything is paid.")] = None


class LanguageQuery(Record, kw_only=True):
    lang: Annotated[Language | None, doc("The reader's language; by default as in `Accept-Language`.")] = None


# --- bodies ---------------------------------------------------------------------------------------------------------

MAX_EVENTS = 500

Reported = Annotated[
    tuple[AnyEvent, ...], doc("The events, in the order in which they were seen.", min_length=1, max_length=MAX_EVENTS)
]


class Events(Record):
    """Events to be recorded, all or none."""

    events: Reported


class Calculate(TableForm, kw_only=True):
    """A round to be worked out, and what it is played on."""

    players: Players
    carried: Annotated[Stake, doc("Chips that lay in the pot when the round opened.")] = 0
    events: Reported

    def opening(self, game: str) -> Opening:
        """Make the opening of a session of this game. Raises Malformed."""
        return self.at_table(usual_opening(game), carried=self.carried)


class Recalculate(Record):
    """House rules to pay a recorded round under; what is not named is as it was."""

    rules: Annotated[Mapping[str, Any], doc("House rules; what is not named is as it was.")]


class NewLink(Record):
    """A link to be made."""

    role: Annotated[Role, doc("What the link lets its bearer do.")]
    label: Annotated[
        Annotated[str, text("name")] | None, doc("The name of the link in the list of links.", "Chie's phone")
    ] = None
    expires_at: Annotated[
        datetime | None,
        doc(
            "When the link ends by itself: a moment from 2000 to 9998, with its time zone (RFC 3339).",
            "2099-01-01T00:00:00Z",
        ),
    ] = None


MAX_SESSIONS = 50
MAX_PEOPLE = 1000
MAX_SEATS = 100
"""How many players one person may be: two in each session."""


class Several(Record):
    """The sessions that are to be counted together, and who in them is one person."""

    tokens: Annotated[tuple[str, ...], doc("A token of each session.", min_length=1, max_length=MAX_SESSIONS)]
    people: Annotated[
        Mapping[PersonName, Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=MAX_SEATS)]],
        doc(
            "Which players of which sessions are one person, by the person's name. No other is joined.",
            {"Aki": [{"session": "3f6c9a52d81b7e04", "player": "p1"}]},
            max_length=MAX_PEOPLE,
        ),
    ] = {}
