"""Whole texts, read and written: the opening and the events as the JSON that a client would send.

Whether the events are possible is for the rules to say. They are asked only who is next, where a card has no player.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from ledger.codec.json_text import GivenTwice, NotJSON, read_json
from ledger.cooperation import yielding
from ledger.games import GAMES, newest
from ledger.i18n.sentences import Malformed, say
from ledger.notation.forms import CORRECTIONS, JSON_EVENT, OPENING, Forms, forms_for
from ledger.notation.kinds import Json
from ledger.notation.tokens import TokenStream, in_json, with_suggestion
from ledger.rulebook.refusal import Refused
from ledger.rulebook.values import PlayerId
from ledger.session.events import RoundOpened
from ledger.session.history import SessionState
from ledger.session.refusals import NoRoundOpen, RoundIsOver
from schemas.loading import checked, load_event, loaded
from schemas.sessions import NewSession

_JSON_FOLLOWS = re.compile(rf"\s*{JSON_EVENT}(?![^\s;])\s*")
_AFTER_A_SPACE = ("round", "totals")
"""Words before whose lines there is an empty one."""


class ParsedNotation(NamedTuple):
    """A text as JSON: what the session is opened with, its events, and the line in which each event stands."""

    opening: Json
    events: tuple[Json, ...]
    lines: tuple[int, ...]


class _Reader:
    """What is read so far, and the table after it, by which a card without a player goes to who is next.

    The table is not known if the opening is not complete, or once the rules have refused an event; and in a game
    without such cards it is not needed.
    """

    def __init__(self, game: str | None) -> None:
        self.opening: dict[str, Any] = {}
        self.events, self.lines = list[Json](), list[int]()
        self._game, self._folded = game, 0
        self._forms: Forms | None = None
        self._state: SessionState | None = None

    def read_line(self, number: int, text: str) -> None:
        """Read a line of the opening or of events. Raises NotationSyntaxError."""
        follows = _JSON_FOLLOWS.match(text)
        line = TokenStream(number, text, len(text) if follows else 0)
        line.next_player = self._next_player
        if line.next and line.next.text in OPENING:
            self._read_opening(line)
        elif follows or line.next:
            self._forms = self._forms or self._open()
            for event in [_read_json(line, follows.end())] if follows else yielding(self._forms.read(line)):
                self.events.append(event)  # now, since the next of the line may be a card without a player
                self.lines.append(number)

    def _read_opening(self, line: TokenStream) -> None:
        """Read a line of the opening, each of which is there once, before the first event."""
        first = line.expect(say("a word"))
        if self._forms:
            why = say("`{word}` is for the opening, before the first event", word=first.text)
            raise line.error(with_suggestion(why, f"new-{first.text}", self._forms.words), first.column)
        fields = OPENING[first.text].read(line)
        line.expect_end()
        if fields.keys() & self.opening.keys():
            raise line.error(say("`{word}` is said twice", word=first.text), first.column)
        self.opening |= fields

    def _open(self) -> Forms:
        """Find the forms of the game and the table of the opening, which is complete now."""
        opening = {"game": self._game, **self.opening}
        with suppress(Malformed):
            opened = loaded(NewSession, {name: value for name, value in opening.items() if name != "carried"}).opening()
            if any(form.goes_round for form in newest(opened.game).forms):
                self._state = SessionState.opened(GAMES[opened.game], opened)
        return forms_for(opening["game"])

    def _next_player(self, kind: str) -> PlayerId | None:
        """Give the player who is next to have an event of this type, None if that is not known."""
        state, self._state = self._state, None
        if state:
            with suppress(Refused, Malformed):
                for event in yielding(self.events[self._folded :]):
                    state = _after(state, event)
                self._state = state
        self._folded = len(self.events)
        now = self._state.table.open_round if self._state else None
        return next((each.player for each in now.book.expected(now.phase) if each.type == kind), None) if now else None


def _after(state: SessionState, reported: Json) -> SessionState:
    """Fold an event on. One of a round that was not opened opens it, as `calculate` has it."""
    book = state.table.rule_books[max(state.table.rule_books)]
    event = checked(load_event(reported), book)
    try:
        return state.record(event, book.version).state
    except (NoRoundOpen, RoundIsOver):
        if event.type in CORRECTIONS:
            raise
        return state.after((each, book.version) for each in (RoundOpened(), event))


def _read_json(line: TokenStream, begin: int) -> Json:
    """Read an event as JSON, which goes on to the end of the line."""
    line.form = JSON_EVENT + ' {"type": …}'
    try:
        event = read_json(line.text[begin:].encode("utf-8", "surrogatepass"))
    except NotJSON as error:
        why = error.sentence if isinstance(error, GivenTwice) else say("this is not JSON")
        raise line.error(why, begin + error.place + 1) from None
    if not isinstance(event, dict):
        raise line.error(say("an event is a JSON object"), begin + 1)
    return event


def parse(text: str, game: str | None = None) -> ParsedNotation:
    """Read a text in the notation, by default about this game. Raises NotationSyntaxError."""
    reader = _Reader(game)
    for number, line in enumerate(yielding(text.removeprefix("\ufeff").split("\n")), 1):
        if not line.lstrip().startswith("="):  # what a test expects there
            reader.read_line(number, line)
    return ParsedNotation(reader.opening, tuple(reader.events), tuple(reader.lines))


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
