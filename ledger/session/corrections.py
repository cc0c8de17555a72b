"""The events that correct earlier ones; `session.history` works out their effect."""

from __future__ import annotations

from typing import Annotated

from ledger.i18n.sentences import Fault, Malformed, say, template
from ledger.records import Meta, doc
from ledger.rulebook.event import AnyEvent, Event
from ledger.rulebook.values import Seq

MAX_CORRECTIONS = 100

Part = Annotated[
    Annotated[int, Meta(ge=1, le=MAX_CORRECTIONS)] | None,
    doc("The part of that event that inserted the event in question."),
]


class EventTakenBack(Event):
    """An earlier event is undone, by default the last that stands; what follows it is worked out again.

    `part` names one that was inserted together with others.
    """

    label = say("Take an event back")
    told = (template("Event {seq} was taken back"),)

    seq: Annotated[Seq | None, doc("The number of the event that is taken back; by default the last that stands.")] = (
        None
    )
    part: Part = None

    def __post_init__(self) -> None:
        if self.part is not None and self.seq is None:
            raise Malformed(Fault("/seq", say("a part is named together with the event that it is a part of")))


class EventAmended(Event):
    """What an earlier event should have been; what follows it is worked out again.

    `part` names one that was inserted together with others.
    """

    label = say("Amend an event")
    told = (template("Event {seq} was amended"),)

    seq: Annotated[Seq, doc("The number of the event that is amended.")]
    event: Annotated[AnyEvent, doc("The event as it should have been.")]
    part: Part = None


class EventInserted(Event):
    """An event that was forgotten, to stand after the event with this number (0: before the first).

    `part` names one that was inserted together with others.
    """

    label = say("Insert an event")
    told = (template("An event was inserted after {after}"), template("An event was inserted before the first"))

    after: Annotated[
        int, doc("The number of the event after which the new one stands; 0 for before the first.", ge=0, le=2**53 - 1)
    ]
    event: Annotated[AnyEvent, doc("The event that was forgotten.", extra={"label": say("What was forgotten")})]
    part: Part = None


SingleCorrection = EventTakenBack | EventAmended | EventInserted


class CorrectionsMade(Event):
    """Corrections that only make sense together: worked out once, kept or refused as a whole, taken back as one.

    Each names events before this one. An event that a part inserts is named by this event's number and the part's,
    counted from 1.
    """

    label = say("Correct events together")
    told = (template("Several events were corrected together"),)

    corrections: Annotated[tuple[SingleCorrection, ...], doc("The corrections, in the order in which they apply.")]

    def __post_init__(self) -> None:
        if not 1 <= len(self.corrections) <= MAX_CORRECTIONS:
            raise Malformed(Fault("/corrections", say("1 to {most} corrections are needed", most=MAX_CORRECTIONS)))
        for place, part in enumerate(self.corrections):
            if isinstance(part, EventTakenBack) and not part.seq:
                needed = say("among others, the event that is taken back has to be named")
                raise Malformed(Fault(f"/corrections/{place}/seq", needed))


Correction = SingleCorrection | CorrectionsMade
