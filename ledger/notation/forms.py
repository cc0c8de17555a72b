"""The forms of the notation: each is one way to begin a line, and says what follows and which event that is.

A game's forms stand in its rule book and those of any game in `session`; here are only those of the opening, and what
reads and writes by them. `forms_for(game)` gives all of the shelf, that game's own first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

from ledger.cards import words_of
from ledger.games import GAMES, from_shelf, newest
from ledger.notation.kinds import CARD, KINDS, Json, Kind, card_or, is_player, one_of
from ledger.notation.tokens import REMARKS, Line, Misread, perhaps, spelled
from ledger.play.events import Event, Form
from ledger.play.values import PlayerId
from ledger.records import Record, members_of
from ledger.sentences import say
from ledger.session.corrections import Correction, CorrectionsMade
from ledger.session.events import FORMS

JSON_EVENT = "event"
"""What a line begins with that has an event as JSON."""

_AND = "&"
"""What stands between corrections that are made together."""

CORRECTIONS = tuple(kind.type for kind in get_args(Correction))
SINGLE_CORRECTIONS = tuple(kind for kind in CORRECTIONS if kind != CorrectionsMade.type)

Turn = Callable[[str], PlayerId | None]
"""Says for whom an event of some type is next, if that is known."""


def nobody(_type: str) -> PlayerId | None:
    """Say that it is not known who is next."""
    return None


# --- templates ------------------------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """A place in a line: a word that is always the same, or a field and what it may hold."""

    word: str
    field: str = ""
    kind: Kind = KINDS["text"]

    def read(self, line: Line, *, is_key: bool) -> dict[str, Any]:
        """Read what stands in this place."""
        if self.field:
            return {self.field: self.kind.read(line, is_key=is_key)}
        wanted = say("`{word}`", word=self.word)
        if (token := line.take(wanted, is_key=is_key)).text != self.word:
            raise line.misread(say("{wanted:sentence} is wanted here", wanted=wanted), token.column)
        return {}


class Part(NamedTuple):
    """One slot, or two with `=` between them. It may be left out, or (`by_turn`) only who stands before the `=`."""

    slots: tuple[Slot, ...]
    is_optional: bool
    by_turn: bool

    def is_left_out(self, line: Line) -> bool:
        """Say whether a part that may be left out is."""
        return self.is_optional and (line.next is None or self.slots[0].word not in ("", line.next.text))

    def write(self, said: Json) -> str:
        """Write what is said in this place. Raises LookupError if that is not there."""
        if self.is_optional and any(slot.field and slot.field not in said for slot in self.slots):
            return ""
        return "=".join(slot.kind.write(said[slot.field]) if slot.field else slot.word for slot in self.slots)


class Pattern(Record, dict=True, gc=True):
    """A form made ready: what its lines begin with (nothing: with a field), and the parts that follow.

    `inner` is what the events are called that may follow one of these in parentheses.
    """

    template: str
    type: str
    always: Mapping[str, str | bool]
    word: str
    inner: str
    parts: tuple[Part, ...]

    @cached_property
    def repeats(self) -> bool:
        """Whether one line may say several events."""
        return self.template.endswith(" …")

    @cached_property
    def is_shared(self) -> bool:
        """Whether it is written in one line with others: where it ends is seen without looking at the next."""
        return self.repeats and not any(part.is_optional for part in self.parts)

    @cached_property
    def by_turn(self) -> str | None:
        """The field with the player who need not be named if the rules say whose turn it is."""
        return next((part.slots[0].field for part in self.parts if part.by_turn), None)

    @cached_property
    def fields(self) -> frozenset[str]:
        """All that a line of this form can say."""
        said = {slot.field for part in self.parts for slot in part.slots if slot.field}
        return frozenset({"type", *self.always, *REMARKS} | said)

    def read(self, line: Line, turn: Turn = nobody) -> dict[str, Any]:
        """Read what a line says, but for the word it begins with. Raises Misread."""
        line.form = self.template
        said: dict[str, Any] = {"type": self.type, **self.always} if self.type else {}
        for part in self.parts:
            if part.by_turn and not line.next_is_key:
                said |= self._read_turn(line, part, turn(self.type))
            elif not part.is_left_out(line):
                for slot in part.slots:
                    said |= slot.read(line, is_key=slot is not part.slots[-1])
        return said

    @staticmethod
    def _read_turn(line: Line, part: Part, player: PlayerId | None) -> dict[str, Any]:
        """Read what somebody is dealt who need not be named."""
        token, (who, what) = line.next, part.slots
        said = {who.field: player} | what.read(line, is_key=False)
        if player is None and token:
            why = say("whose is `{word}`? Write `p1={word}`, or whoever it is", word=token.shown)
            raise line.misread(why, token.column)
        return said

    def write(self, said: Json) -> str:
        """Write a line. Raises LookupError if something is not there that the form says."""
        parts = [part.write(said) for part in self.parts]
        made = REMARKS if self.type else ()
        remarks = [f"{remark}={spelled(said[remark])}" for remark in made if remark in said]
        return " ".join(filter(None, (self.word, *parts, *remarks)))


def pattern(
    template: str,
    event: type[Event] | None = None,
    always: Mapping[str, str | bool] = MappingProxyType({}),
    kinds: Mapping[str, Kind] = KINDS,
) -> Pattern:
    """Make a form ready."""
    first, *more = re.findall(r"\[\(.*?\)\]|\S+", template.removesuffix(" …"))
    word = "" if first.startswith(("<", "[")) else first
    inner = "".join(text[2:-4] for text in more if text.startswith("[("))
    texts = [text for text in ([] if word else [first]) + more if not text.startswith("[(")]
    parts = tuple(_part(text, event, kinds) for text in texts)
    return Pattern(template, event.type if event else "", always, word, inner, parts)


def _part(text: str, event: type[Event] | None, kinds: Mapping[str, Kind]) -> Part:
    by_turn = ">=]" in text
    found = re.findall(r"<(\w+):?(\w*)>|([^][<>=]+)", text)
    slots = (Slot("", field, _kind(kind, field, event, kinds)) if field else Slot(word) for field, kind, word in found)
    return Part(tuple(slots), text.startswith("[") and not by_turn, by_turn)


def _kind(name: str, field: str, event: type[Event] | None, kinds: Mapping[str, Kind]) -> Kind:
    """Find a kind by its name, or the field's. Without one, or for a card, the words of the field may stand there."""
    name = name or field
    words = next((words_of(each) for each in members_of(event) if each.name == field), ()) if event else ()
    if name not in kinds:
        return one_of(lambda: words)
    return card_or(words) if words and kinds[name] is CARD else kinds[name]


OPENING: Mapping[str, Pattern] = {
    each.word: each
    for each in (
        pattern("game <game>"),
        pattern("name <name:text>"),
        pattern("deck <deck>"),
        pattern("players <players:names>"),
        pattern("dealer <dealer>"),
        pattern("rules <rules:switches>"),
        pattern("carried <carried:number>"),
        pattern("chip-value <chip_value>"),
        pattern("odds <odds:on_or_off>"),
        pattern("overrule <overrule:text>"),
        pattern("played_on <played_on:day>"),
    )
}
"""What a session is opened with, before its first event."""

# --- the notation of a text -----------------------------------------------------------------------------------------


class Forms:
    """All forms that the lines of a text may have."""

    def __init__(self, forms: Iterable[Form]) -> None:
        kinds = {
            **KINDS,
            "event": Kind(several=self._read_inner, write=self._spelled_inner),
            "corrections": Kind(several=self._read_together, write=self._spelled_together),
        }
        ready = [pattern(form.template, form.event, form.always, kinds) for form in forms]
        self.patterns = tuple(each for each in ready if each.word not in (*OPENING, JSON_EVENT))
        self._by_word: dict[str, list[Pattern]] = {}
        self._by_type: dict[str, list[Pattern]] = {}
        for each in self.patterns:
            self._by_word.setdefault(each.word, []).append(each)
            self._by_type.setdefault(each.type, []).append(each)

    @property
    def words(self) -> tuple[str, ...]:
        """What lines of events begin with, if not with a player."""
        return tuple(filter(None, self._by_word))

    def read(self, line: Line, turn: Turn = nobody) -> Iterator[dict[str, Any]]:
        """Read the events of a line. Before the next is read, whoever knows the `turn` has to know of the last."""
        remarks = line.take_remarks()
        for event in self._events(line, turn):
            yield event | remarks
            if remarks and line.next:
                why = say("a note or overrule is for one event, and here is another: write them on lines of their own")
                raise line.misread(why, line.next.column)

    def _events(self, line: Line, turn: Turn) -> Iterator[dict[str, Any]]:
        """Read the events of a line, which all begin with the same word."""
        candidates = self._beginning(line)
        more = True
        while more:
            chosen, event = _first_that_fits(candidates, line, turn)
            yield event
            if chosen.inner and line.takes("("):
                yield from self._in_parentheses(chosen.inner, line, turn)
            more = chosen.repeats and line.next is not None
        line.end()

    def _in_parentheses(self, word: str, line: Line, turn: Turn) -> Iterator[dict[str, Any]]:
        more = True
        while more:
            yield _first_that_fits(self._by_word[word], line, turn)[1]
            more = not line.takes(")")

    def _beginning(self, line: Line) -> list[Pattern]:
        """Read the word that a line begins with, and give the forms that begin so."""
        first = line.take(say("a word"))
        if first.text in self._by_word:
            return self._by_word[first.text]
        if is_player(first.text):
            line.at -= 1
            return self._by_word[""]
        words = (*OPENING, *self.words, JSON_EVENT)
        why = say("no line begins with `{word}`", word=first.shown)
        guess = perhaps(why, first.text, words)
        if guess is why:
            guess = say("{why:sentence}; lines begin with a player or with {words:names}", why=why, words=words)
        raise line.misread(guess, first.column)

    def short(self, event: Json) -> tuple[Pattern, str] | None:
        """Write an event in the first form that says all of it; None if there is no such form."""
        kind = event.get("type")
        for each in self._by_type.get(kind, ()) if isinstance(kind, str) else ():
            if event.keys() <= each.fields:
                try:
                    text = each.write(event)
                    if list(self.read(Line(0, text))) == [event]:
                        return each, text
                except (LookupError, TypeError, AttributeError, Misread):
                    continue  # it lacks fields that the form says, or they are not of the kinds that the contract says
        return None

    # --- events within another --------------------------------------------------------------------------------------

    def _read_inner(self, line: Line) -> Json:
        """Read what an event should have been, or what was forgotten: one event of the table, not a correction."""
        if self._begins_with(line, CORRECTIONS):
            raise line.misread(say("an event of the table is wanted here, not a correction"), line.column)
        return self._only(line)

    def _read_together(self, line: Line) -> list[Json]:
        """Read corrections that are made together."""
        found = []
        for part in line.split_at(_AND):
            if not self._begins_with(part, SINGLE_CORRECTIONS):
                raise part.misread(say("a correction of one event is wanted here"), part.column)
            found.append(self._only(part))
        return found

    def _begins_with(self, line: Line, kinds: Container[str]) -> bool:
        return line.next is not None and any(each.type in kinds for each in self._by_word.get(line.next.text, ()))

    def _only(self, line: Line) -> Json:
        column = line.column
        events = list(self._events(line, nobody))
        if len(events) != 1:
            raise line.misread(say("one event is wanted here"), column)
        return events[0]

    def _spelled_inner(self, event: Json) -> str:
        if event["type"] not in CORRECTIONS and (found := self.short(event)):
            return found[1]
        raise LookupError("only an event with a short form stands within another")

    def _spelled_together(self, parts: Iterable[Json]) -> str:
        found = [self.short(part) for part in parts if part["type"] in SINGLE_CORRECTIONS]
        return f" {_AND} ".join(short[1] if short else "" for short in found)


def _first_that_fits(candidates: list[Pattern], line: Line, turn: Turn) -> tuple[Pattern, dict[str, Any]]:
    """Read an event in the first form in which that can be done. Raises Misread for the one that came furthest."""
    start, furthest = line.at, None
    for each in candidates:
        line.at = start
        try:
            event = each.read(line, turn)
            if not each.repeats:
                line.end()
        except Misread as misread:
            if furthest is None or misread.column > furthest.column:
                furthest = misread
        else:
            return each, event
    raise furthest or TypeError("a word that lines begin with has forms")


def forms_for(game: object) -> Forms:
    """Give the forms for a text about a game, or about any."""
    game, kept = game if game in GAMES else None, _kept()
    if game not in kept:
        names = sorted(GAMES, key=lambda name: name != game)
        kept[game] = Forms((*FORMS, *(form for name in names for form in newest(name).forms)))
    return kept[game]


@from_shelf
def _kept() -> dict[object, Forms]:
    """Keep the forms by game."""
    return {}
