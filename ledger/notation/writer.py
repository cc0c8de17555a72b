"""Writing a session down, line by line as its events come, so that `parse` gives it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ledger.notation.forms import JSON_EVENT, OPENING, Pattern
from ledger.notation.kinds import Json, spelled_value
from ledger.notation.reader import Check, Score, Sheet, parse
from ledger.notation.tokens import LONGEST_LINE, REMARKS, in_json, spelled

_AFTER_A_SPACE = ("round", "totals")
"""Before which lines there is an empty one."""


def write(score: Score) -> str:
    """Write a score. Raises ValueError for an opening that no session can have."""
    return "".join(written(score.opening, score.events, score.checks)) or "\n"


def written(opening: Json, events: Iterable[Json], checks: Iterable[Check] = ()) -> Iterator[str]:
    """Write a session, a line or a few at a time, with what is expected on the way.

    Raises ValueError for an opening that no session can have.
    """
    said, lines = _written_opening(opening)
    yield from lines
    expected: dict[int, list[str]] = {}
    for check in checks:
        expected.setdefault(check.after, []).append(_written_check(check))
    yield from expected.get(0, ())
    page = _Page(said, is_empty=not lines and 0 not in expected)
    for place, event in enumerate(events, 1):
        if finished := page.add(event):
            yield finished
        if place in expected:
            yield page.finish()
            yield from expected[place]
    if finished := page.finish():
        yield finished


class _Page:
    """What is written so far, but for the lines that are finished.

    `_form` is how the last line began, if more may be written in it, `_served` those who are named or passed in it.
    """

    def __init__(self, opening: Json, *, is_empty: bool) -> None:
        self._sheet, self._is_empty = Sheet(opening), is_empty
        self._line, self._in_parentheses = "", False
        self._form: Pattern | None = None
        self._served: set[object] = set()

    def add(self, event: Json) -> str:
        """Write an event into the last line, or begin another; give the line that is finished by that."""
        form, text = self._sheet.forms.short(event) or (None, f"{JSON_EVENT} {in_json(event)}")
        word, _, rest = text.partition(" ")
        player = event[form.by_turn] if form and form.by_turn else None
        if form and player is not None and player == self._sheet.turns.next(form.type):
            rest = rest.partition("=")[2]
        self._sheet.turns.follow(event)
        shared = form if form and form.is_shared and not event.keys() & set(REMARKS) else None
        finished = ""
        if len(self._line) + len(text) >= LONGEST_LINE:  # as where two bid against one another for hours
            finished = self.finish()
        if shared and self._form and word == self._form.word and player not in self._served:
            self._line += f"{self._closing} {rest}"
            self._in_parentheses = False
        elif shared and self._form and word == self._form.inner:
            self._line += f" {rest}" if self._in_parentheses else f" ({rest}"
            self._in_parentheses = True
        else:
            finished += self.finish()
            space = "\n" if word in _AFTER_A_SPACE and not self._is_empty else ""
            self._line, self._form, self._served, self._is_empty = (
                f"{space}{word} {rest}".rstrip(),
                shared,
                set(),
                False,
            )
        if player is not None:
            self._served.add(player)
        return finished

    def finish(self) -> str:
        """Give the last line, in which nothing more is written."""
        finished = f"{self._line}{self._closing}\n" if self._line else ""
        self._line, self._form, self._in_parentheses = "", None, False
        return finished

    @property
    def _closing(self) -> str:
        return ")" if self._in_parentheses else ""


def _written_opening(opening: Json) -> tuple[Json, list[str]]:
    """Write an opening, whose players may be names, or objects with a name; give what it says, too."""
    said = {key: value for key, value in opening.items() if value is not None}
    if "players" in said:
        said["players"] = [player["name"] if isinstance(player, Mapping) else player for player in said["players"]]
    lines = [f"{form.write(said)}\n" for form in OPENING.values() if form.parts[0].slots[0].field in said]
    if parse("".join(lines)).opening != said:
        raise ValueError(f"no session is opened like this: {opening}")
    return said, lines


def _written_check(check: Check) -> str:
    facts = (f"{key}={spelled_value(value)}" for key, value in check.facts.items())
    return " ".join(("=", spelled(check.about), *map(spelled_value, check.words), *facts)) + "\n"
