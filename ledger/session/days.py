"""The days in events (`played_on`), and the check that none lies in the future."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import get_args

from ledger.i18n.sentences import Fault, Malformed, say
from ledger.rulebook.event import Event
from ledger.session.corrections import Correction, CorrectionsMade, EventAmended, EventInserted
from ledger.session.events import RoundEntered, SessionDescribed

SAYS_A_DAY = (RoundEntered, SessionDescribed, *get_args(Correction))
"""Events that may hold a day."""


def days_in(event: Event, place: str) -> Iterator[tuple[str, str]]:
    """Find the days in an event, each with its JSON pointer below `place`."""
    match event:
        case RoundEntered(played_on=str(day)) | SessionDescribed(played_on=str(day)):
            yield f"{place}/played_on", day
        case EventAmended() | EventInserted():
            yield from days_in(event.event, f"{place}/event")
        case CorrectionsMade():
            for number, part in enumerate(event.corrections):
                yield from days_in(part, f"{place}/corrections/{number}")


def need_no_future(days: Iterable[tuple[str, str]], now: datetime) -> None:
    """Raise Malformed for days that have not begun in any time zone."""
    last = f"{now.astimezone(UTC) + timedelta(days=1):%Y-%m-%d}"
    needed = say("a day is needed that has begun somewhere: {last} or before", last=last)
    if ahead := [place for place, day in days if day > last]:
        raise Malformed(*(Fault(place, needed) for place in ahead))
