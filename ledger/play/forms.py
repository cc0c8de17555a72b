"""Short forms: how a scorekeeper writes an event on one line. The `notation` reads and writes by them."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.play.events import Event
from ledger.records import Record, field


class Form(Record):
    """One way to begin a line, and what a line that begins so says.

    In the template `<field:kind>` is a field and what it may hold (`<card>`: they are called alike), `[…]` may be left
    out, and `…` at the end means that more such events may follow in the line. `[<player>=]` is left out where the
    rules expect this event of one player, and behind it `[(bid …)]` stands for the events of lines that begin with
    `bid`. `always` are fields that go without saying. A template that begins with a field begins with whatever that
    is, a player. Where an event has several forms, it is written in the first that says it all.
    """

    event: type[Event]
    template: str
    always: Mapping[str, str | bool] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """The event's name on the wire."""
        return self.event.type

    @property
    def goes_round(self) -> bool:
        """Whether its player need not be named if the rules say whose turn it is."""
        return ">=]" in self.template
