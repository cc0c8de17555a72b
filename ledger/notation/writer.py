"""Writing a session down, one event a line, so that `parse` gives it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ledger.notation.forms import JSON_EVENT, OPENING, forms_for
from ledger.notation.kinds import Json
from ledger.notation.reader import parse
from ledger.notation.tokens import in_json

_AFTER_A_SPACE = ("round", "totals")
"""Words before whose lines there is an empty one."""


def format_lines(opening: Json, events: Iterable[Json]) -> Iterator[str]:
    """Write the opening, whose players may be names or objects with a name, then each event, a line at a time.

    Raises ValueError for an opening that no session can have.
    """
    known = {key: value for key, value in opening.items() if value is not None}
    if "players" in known:
        known["players"] = [player["name"] if isinstance(player, Mapping) else player for player in known["players"]]
    lines = [f"{form.write(known)}\n" for form in OPENING.values() if form.slots[0].field in known]
    if parse("".join(lines)).opening != known:
        raise ValueError(f"no session is opened like this: {opening}")
    yield from lines
    forms = forms_for(known.get("game"))
    for place, event in enumerate(events):
        text = forms.format_event(event) or f"{JSON_EVENT} {in_json(event)}"
        space = "\n" if (lines or place) and text.split()[0] in _AFTER_A_SPACE else ""
        yield f"{space}{text}\n"
