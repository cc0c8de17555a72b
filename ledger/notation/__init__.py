"""The round notation: rounds and whole sessions as a scorekeeper writes them, one line a deal or a turn.

`parse` reads a text into a `Score`: the opening and the events as the JSON that a client would send, so that the
schemas and the rules have the last word on it. `write` is the way back. `OPENING` and `EVENTS` are the notation: each
form is one way to begin a line, and says what follows and which event that is. Only a deal, the bids in it and a turn
need a few lines more. What has no form, in this release or a later one, is a line `event {…}`.

The writer asks the reader: an event is written short only if that reads as the very same event. So nothing recorded
is beyond the notation, and nothing but comments is lost in it. The grammar and examples are in docs/notation.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import orjson

from ledger import session
from ledger.cards import DECK_NAMES, DECKS, UnknownCard, read
from ledger.games import GAMES, newest
from schemas.fields import HOW_CARDS_ARE_WRITTEN

MOST_SEATS = 100
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """What is expected once the first `after` events are recorded. The service does not look at it; tests do."""

    after: int
    about: str
    words: tuple[Any, ...] = ()
    facts: Json = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """A text as JSON: what the session is opened with, its events, and what is expected on the way.

    `lines` has the line in which each event stands, for whoever has to say where something is wrong.
    """

    opening: Json
    events: tuple[Json, ...]
    checks: tuple[Check, ...] = ()
    lines: tuple[int, ...] = field(default=(), compare=False)


class Misread(ValueError):
    """A text is not in the notation: where, why, and what would have been right."""

    def __init__(self, line: int, column: int, why: str) -> None:
        super().__init__(f"line {line}, column {column}: {why}")
        self.line, self.column, self.why = line, column, why


# --- what a line is made of -----------------------------------------------------------------------------------------

_WORD = r'[^\s"();=]+'
_ENDS = r"(?![^\s();])"
_TOKEN = re.compile(
    rf'(?P<comment>;.*)|(?P<mark>[()])|(?P<key>{_WORD})=(?=[^\s();=])|(?P<text>"(?:[^"\\]|\\.)*"){_ENDS}'
    rf'|(?P<word>{_WORD}){_ENDS}|(?P<unclosed>"(?:[^"\\]|\\.)*$)|(?P<strange>\S)'
)
_STRANGE = {
    "unclosed": 'this text has no closing "',
    "strange": 'a text with spaces or signs is written in "…", and nothing but a space comes before and after it',
}
_JSON_FOLLOWS = re.compile(r"\s*event(?![^\s;])\s*")
_PLAYER = re.compile(r"p[1-9][0-9]{0,3}")
_NUMBER = re.compile(r"-?[0-9]{1,16}")
_COUNT = re.compile(r"x[0-9]")
_YES_OR_NO = {"true": True, "false": False}
_REMARKS = ("note", "overrule")


class _Token(NamedTuple):
    """A word, a text without its quotes, a parenthesis, or a key: a word with `=` behind it."""

    text: str
    column: int
    group: str

    def is_word(self, word: str) -> bool:
        return self.text == word and self.group in ("word", "mark")

    def __str__(self) -> str:
        return f"`{self.text[:40]}`"


class _Line:
    """A line being read, token by token. `form` is how it should have been written."""

    def __init__(self, number: int, text: str) -> None:
        self.number, self.text, self.form = number, text, ""
        self._tokens: list[_Token] = []

    def split(self, begin: int = 0) -> _Line:
        """Cut the line into tokens, up to a comment."""
        for found in _TOKEN.finditer(self.text, begin):
            group, column = found.lastgroup or "", found.start() + 1
            if group == "comment":
                break
            if group in _STRANGE:
                raise self.misread(_STRANGE[group], column)
            text = self._unquoted(found[group], column) if group == "text" else found[group]
            self._tokens.append(_Token(text, column, group))
        self._tokens.reverse()
        return self

    def _unquoted(self, text: str, column: int) -> str:
        try:
            return str(orjson.loads(text))
        except orjson.JSONDecodeError:
            raise self.misread(r"in a text \" \\ \n \t and \u3042 are written as in JSON", column) from None

    @property
    def next(self) -> _Token | None:
        """The token that is read next, if there is one."""
        return self._tokens[-1] if self._tokens else None

    @property
    def next_is_key(self) -> bool:
        """Whether the next token has `=` behind it."""
        return self.next is not None and self.next.group == "key"

    def takes(self, word: str) -> bool:
        """Read a word if it is the next."""
        if self.next is None or not self.next.is_word(word):
            return False
        self._tokens.pop()
        return True

    def take(self, wanted: str, *, is_key: bool = False) -> _Token:
        """Read a word or text, or a key. Raises Misread if that does not come next."""
        token = self.next
        if token is None:
            raise self.misread(f"{wanted} is missing")
        if token.group not in (("key",) if is_key else ("word", "text")):
            raise self.misread(f"{wanted} is wanted here", token.column)
        return self._tokens.pop()

    def read(self, kind: str, *, is_key: bool = False) -> Any:
        """Read what may stand in a place of this kind. Raises Misread for anything else."""
        wanted, value_of, known, several, _ = _KINDS[kind]
        if several:
            return several(self)
        token = self.take(wanted, is_key=is_key)
        if (value := value_of(token)) is None:
            raise self.misread(f"{token} is not {wanted}{_perhaps(token.text, known)}", token.column)
        return value

    def take_remarks(self) -> dict[str, str]:
        """Take `note` and `overrule` out of the line, wherever they stand in it."""
        remarks: dict[str, str] = {}
        for said, key in zip(self._tokens[:], self._tokens[1:], strict=False):
            if key.group == "key" and key.text in _REMARKS:
                if key.text in remarks:
                    raise self.misread(f"{key} is said twice", key.column)
                remarks[key.text] = said.text
                self._tokens.remove(key)
                self._tokens.remove(said)
        return remarks

    def end(self) -> None:
        """Make sure that all has been read."""
        if self.next:
            raise self.misread(f"{self.next} is too much here", self.next.column)

    def misread(self, why: str, column: int | None = None) -> Misread:
        """Make the error for a place in this line, by default its end."""
        form = f"; the line is written `{self.form}`" if self.form else ""
        return Misread(self.number, column or len(self.text.rstrip()) + 1, why + form)


def _perhaps(text: str, known: Iterable[str]) -> str:
    """Ask whether one of the words that are known was meant."""
    near = get_close_matches(text, tuple(known), n=1)
    return f"; is it `{near[0]}`?" if near else ""


def _spelled(value: Any) -> str:
    """Write a value: a word as it is, any other text in quotes."""
    is_word = isinstance(value, str) and re.fullmatch(_WORD, value) and value.isprintable()
    return str(value) if is_word else _in_json(value)


def _in_json(value: Any) -> str:
    """Write JSON on one line, in which everything can be seen."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


# --- what may stand where -------------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """What a place in a line may hold, how it is read and how it is written.

    One token is `wanted`, of which `value_of` makes a value, or None if it does not fit; or `several` are read.
    """

    wanted: str = ""
    value_of: Callable[[_Token], Any] = lambda token: token.text
    known: Iterable[str] = ()
    several: Callable[[_Line], Any] | None = None
    write: Callable[[Any], str] = _spelled


def _one_of(words: Iterable[str], wanted: str = "") -> _Kind:
    known = tuple(words)
    return _Kind(wanted or "one of " + ", ".join(known), lambda t: t.text if t.text in known else None, known)


def _number(token: _Token) -> int | None:
    return int(token.text) if _NUMBER.fullmatch(token.text) else None


def _count(token: _Token) -> int | None:
    return int(token.text[1:]) if _COUNT.fullmatch(token.text) else None


def _player(token: _Token) -> str | None:
    return token.text if _PLAYER.fullmatch(token.text) else None


def _card(token: _Token) -> str | None:
    try:
        read(token.text)
    except UnknownCard:
        return None
    return token.text


def _dealt(token: _Token) -> str | None:
    return token.text if token.text == "plain" else _card(token)


def _value(token: _Token) -> Any:
    """Tell a number, yes or no, and a text apart; in quotes it is a text."""
    if token.group == "text":
        return token.text
    return int(token.text) if _NUMBER.fullmatch(token.text) else _YES_OR_NO.get(token.text, token.text)


def _spelled_value(value: Any) -> str:
    """Write a value such that a text is not taken for a number, or for yes or no."""
    quoted = isinstance(value, str) and (value in _YES_OR_NO or _NUMBER.fullmatch(value))
    return _in_json(value) if quoted else _spelled(value)


def _read_list(line: _Line, kind: str, *, least: int = 1, most: int | None = None) -> list[Any]:
    """Read some values in a row, up to the end of the line if not `most` of them."""
    found: list[Any] = []
    while len(found) < least or (line.next and len(found) != most):
        found.append(line.read(kind))
    return found


def _spelled_list(values: Iterable[Any]) -> str:
    return " ".join(map(_spelled, values))


def _by_player(kind: str) -> _Kind:
    """Make the kind of `p1=4 p2=9`: a list of players, with something of each."""

    def read_each(line: _Line) -> list[dict[str, Any]]:
        found = []
        while line.next_is_key and line.next and _player(line.next):
            found.append({"player": line.read("player", is_key=True), kind: line.read(kind)})
        return found

    def spelled_each(found: Iterable[Json]) -> str:
        return " ".join(f"{each['player']}={_spelled(each[kind])}" for each in found)

    return _Kind(several=read_each, write=spelled_each)


def _read_cards(line: _Line) -> list[str]:
    """Read the cards of a turn; `-` is none."""
    return [] if line.takes("-") else _read_list(line, "card")


def _read_chip_value(line: _Line) -> dict[str, str]:
    return {"per_chip": line.take("what a chip is worth").text, "currency": line.take("a currency").text}


def _spelled_chip_value(chip: Json) -> str:
    return _spelled_list((chip["per_chip"], chip["currency"]))


def _read_switches(line: _Line) -> dict[str, Any]:
    """Read `ante=20 payments.maid=10`; a dot leads into a group."""
    rules: dict[str, Any] = {}
    while line.next:
        column, path = line.next.column, line.read("switch", is_key=True)
        *groups, name = path.split(".")
        within = rules
        for group in groups:
            within = within.setdefault(group, {})
        if name in within:
            raise line.misread(f"`{path}` is said twice", column)
        within[name] = line.read("value")
    return rules


def _spelled_switches(rules: Json, path: str = "") -> str:
    return " ".join(
        _spelled_switches(value, f"{path}{name}.")
        if isinstance(value, Mapping)
        else f"{path}{name}={_spelled_value(value)}"
        for name, value in rules.items()
    )


def _switches(rules: Any, path: str = "") -> Iterator[str]:
    """Name every switch of a rule book."""
    hints = get_type_hints(rules)
    for switch in fields(rules):
        hint = hints[switch.name]
        yield from _switches(hint, f"{path}{switch.name}.") if is_dataclass(hint) else (path + switch.name,)


def _read_inner(line: _Line) -> Json:
    """Read what an event should have been, or what was forgotten: one event of the table, not a correction again."""
    column = line.next.column if line.next else None
    if line.next and line.next.text in _CORRECTIONS:
        raise line.misread("an event of the table is wanted here, not a correction", column)
    events = list(_read_events(line, _Order({})))
    if len(events) != 1:
        raise line.misread("one event is wanted here", column)
    return events[0]


def _spelled_inner(event: Json) -> str:
    short = None if any(form.type == event["type"] for form in _CORRECTIONS.values()) else _short(event)
    if short is None:
        raise LookupError("only an event with a short form stands within another")
    return short


_CARDS = tuple(card.code for deck in DECKS.values() for card in deck)
_SWITCHES = {switch for books in GAMES.values() for book in books.values() for switch in _switches(book.rules)}
_A_CARD = f"a card ({HOW_CARDS_ARE_WRITTEN})"
_A_PLAYER = "a player, such as p7"

_KINDS: Mapping[str, _Kind] = {
    "game": _one_of(GAMES),
    "deck": _one_of(DECK_NAMES),
    "pot": _one_of(("split", "refund", "bank")),
    "switch": _one_of(sorted(_SWITCHES), "a house rule"),
    "text": _Kind("a text"),
    "number": _Kind("a whole number", _number),
    "amount": _Kind("a number of chips", _number),
    "balance": _Kind("a number of chips, or as in -30 of chips owed", _number),
    "value": _Kind("a value", _value, write=_spelled_value),
    "player": _Kind(_A_PLAYER, _player),
    "dealer": _Kind(f"{_A_PLAYER}, or a seat number", lambda token: _player(token) or _number(token)),
    "card": _Kind(_A_CARD, _card, _CARDS),
    "dealt": _Kind(f"{_A_CARD} or `plain`", _dealt, ("plain", *_CARDS)),
    "count": _Kind("a number of cards, such as x3", _count, write=lambda count: f"x{count}"),
    "names": _Kind(several=lambda line: _read_list(line, "text"), write=_spelled_list),
    "four": _Kind(several=lambda line: _read_list(line, "card", least=4, most=4), write=_spelled_list),
    "cards": _Kind(several=_read_cards, write=lambda cards: _spelled_list(cards) or "-"),
    "draws": _by_player("card"),
    "shares": _by_player("amount"),
    "balances": _by_player("balance"),
    "switches": _Kind(several=_read_switches, write=_spelled_switches),
    "chip_value": _Kind(several=_read_chip_value, write=_spelled_chip_value),
    "event": _Kind(several=_read_inner, write=_spelled_inner),
}


# --- the notation ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Form:
    """One way to begin a line, and what a line that begins so says.

    In the template `<field:kind>` is a field and what it may hold (`<card>`: they are called alike), `[…]` may be left
    out, and `…` at the end means that more such events may follow in the line. `always` are fields that go without
    saying. A template that begins with a field begins with whatever that is, a player.
    """

    type: str
    template: str
    always: Json = field(default_factory=dict)

    @property
    def word(self) -> str:
        """What the line begins with; nothing if with a field."""
        return _parts_of(self.template).word

    @property
    def repeats(self) -> bool:
        """Whether one line may say several events."""
        return self.template.endswith(" …")

    def read(self, line: _Line) -> dict[str, Any]:
        """Read what a line says, but for the word it begins with. Raises Misread."""
        line.form = self.template
        said = {"type": self.type, **self.always} if self.type else {}
        for part in _parts_of(self.template).parts:
            if part.is_optional and (line.next is None or part.slots[0].word not in ("", line.next.text)):
                continue
            for slot in part.slots:
                is_key = slot is not part.slots[-1]
                if slot.field:
                    said[slot.field] = line.read(slot.kind, is_key=is_key)
                elif (token := line.take(f"`{slot.word}`", is_key=is_key)).text != slot.word:
                    raise line.misread(f"`{slot.word}` is wanted here", token.column)
        return said

    def write(self, said: Json) -> str:
        """Write a line. Raises LookupError if something is not there that the form says."""
        words = [self.word]
        for part in _parts_of(self.template).parts:
            if not (part.is_optional and any(slot.field and slot.field not in said for slot in part.slots)):
                slots = (_KINDS[s.kind].write(said[s.field]) if s.field else s.word for s in part.slots)
                words.append("=".join(slots))
        words += [f"{remark}={_spelled(said[remark])}" for remark in _REMARKS if remark in said]
        return " ".join(filter(None, words))


class _Slot(NamedTuple):
    """A place in a line: a word that is always the same, or a field."""

    word: str
    field: str
    kind: str


class _Part(NamedTuple):
    """One slot, or two with `=` between them."""

    slots: tuple[_Slot, ...]
    is_optional: bool


class _Parts(NamedTuple):
    """What a form's lines begin with, and what follows."""

    word: str
    parts: tuple[_Part, ...]


@cache
def _parts_of(template: str) -> _Parts:
    first, *more = template.removesuffix(" …").split()
    word = "" if first.startswith("<") else first
    return _Parts(word, tuple(map(_part, more if word else (first, *more))))


def _part(text: str) -> _Part:
    slots = re.findall(r"<(\w+):?(\w*)>|([^<>=]+)", text.strip("[]"))
    return _Part(tuple(_Slot(word, name, kind or name) for name, kind, word in slots), text.startswith("["))


OPENING: tuple[Form, ...] = (
    Form("", "game <game>"),
    Form("", "name <name:text>"),
    Form("", "deck <deck>"),
    Form("", "players <players:names>"),
    Form("", "dealer <dealer>"),
    Form("", "rules <rules:switches>"),
    Form("", "carried <carried:number>"),
    Form("", "chip-value <chip_value>"),
)
"""What a session is opened with, before its first event."""

EVENTS: tuple[Form, ...] = tuple(
    Form(form.type, form.template, form.always)
    for form in (*session.FORMS, *(form for game in GAMES for form in newest(game).forms))
)
"""What can be recorded. Where an event has several forms, the writer takes the first that says it all."""

_OPENING = {form.word: form for form in OPENING}
_EVENTS = {form.word: form for form in EVENTS if form.word}
_CORRECTIONS = {word: form for word, form in _EVENTS.items() if word in ("undo", "amend", "insert")}
_BID, _CLOSED = (form for form in EVENTS if form.word == "bid")
_CARDS_PLAYED, _COUNT_PLAYED, _NOTHING_SAID = (form for form in EVENTS if not form.word)
_FIRST_WORDS = (*_OPENING, *_EVENTS, "event")


class _Order:
    """Who is dealt the next card, as far as the text tells: whoever sits to the right of the one before.

    The seats are those of the opening, changed by who joins and leaves. Corrections are not followed, nor more seats
    than a table has: then the text has to name the player. Reader and writer go by the same order, so nothing is
    misunderstood.
    """

    def __init__(self, opening: Json) -> None:
        self._ever = len(opening.get("players", ()))
        self._seats = [f"p{number}" for number in range(1, min(self._ever, MOST_SEATS) + 1)]
        self._last: Any = None

    @property
    def next(self) -> str | None:
        """Who is dealt the next card; None if that has to be said."""
        if self._last not in self._seats:
            return None
        return self._seats[(self._seats.index(self._last) + 1) % len(self._seats)]

    def follow(self, event: Json) -> None:
        """Note what an event does to the order."""
        match event:
            case {"type": "round_opened"}:
                self._last = None
            case {"type": "card_dealt", "player": player}:
                self._last = player
            case {"type": "player_joined", "player": str(player)}:
                self._seat(player, event)
            case {"type": "player_joined"}:
                self._ever += 1
                self._seat(f"p{self._ever}", event)
            case {"type": "player_left", "player": player} if player in self._seats:
                self._seats.remove(player)

    def _seat(self, player: str, event: Json) -> None:
        seat = event.get("seat")
        self._seats.insert(seat - 1 if isinstance(seat, int) else len(self._seats), player)
        del self._seats[MOST_SEATS:]


# --- reading --------------------------------------------------------------------------------------------------------


def parse(text: str) -> Score:
    """Read a text in the notation. Raises Misread."""
    opening: dict[str, Any] = {}
    events: list[Json] = []
    checks: list[Check] = []
    lines: list[int] = []
    order = _Order({})
    for number, written in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = _Line(number, written)
        if written.lstrip().startswith("="):
            checks.append(_read_check(line.split(written.index("=") + 1), after=len(events)))
        elif follows := _JSON_FOLLOWS.match(written):
            events.append(_read_json(line, follows.end()))
            order.follow(events[-1])
        elif (first := line.split().next) and first.text in _OPENING:
            opening |= _read_opening(line, opening, events)
            order = _Order(opening)
        elif first:
            remarks = line.take_remarks()
            for event in _read_events(line, order):
                order.follow(event)  # now, since the next event of the line may be a card without a player
                events.append(event | remarks)
                if remarks and line.next:
                    why = "a note or overrule is for one event, and here is another: write them on lines of their own"
                    raise line.misread(why, line.next.column)
        lines += [number] * (len(events) - len(lines))
    return Score(opening, tuple(events), tuple(checks), tuple(lines))


def _read_opening(line: _Line, opening: Json, events: list[Json]) -> dict[str, Any]:
    """Read a line of the opening, each of which is there once, before the first event."""
    first = line.take("a word")
    if events:
        why = f"{first} is for the opening, before the first event"
        raise line.misread(why + _perhaps(f"new-{first.text}", _EVENTS), first.column)
    said = _OPENING[first.text].read(line)
    line.end()
    if said.keys() & opening.keys():
        raise line.misread(f"{first} is said twice", first.column)
    return said


def _read_check(line: _Line, after: int) -> Check:
    """Read what is expected: what it is about, then words, and facts such as `p1=-30`."""
    line.form = "= about words key=value"
    about, words, facts = line.take("what is expected").text, list[Any](), dict[str, Any]()
    while line.next:
        if line.next_is_key:
            key = line.take("a key", is_key=True)
            if key.text in facts:
                raise line.misread(f"{key} is said twice", key.column)
            facts[key.text] = line.read("value")
        else:
            words.append(line.read("value"))
    return Check(after, about, tuple(words), facts, line.number)


def _read_json(line: _Line, begin: int) -> Json:
    """Read an event as JSON, which goes on to the end of the line."""
    line.form = 'event {"type": …}'
    try:
        event = orjson.loads(line.text[begin:])
    except orjson.JSONDecodeError as error:
        raise line.misread("this is not JSON", begin + error.pos + 1) from None
    if not isinstance(event, dict):
        raise line.misread("an event is a JSON object", begin + 1)
    return event


def _read_events(line: _Line, order: _Order) -> Iterator[dict[str, Any]]:
    """Read the events of a line, which all begin with the same word."""
    first = line.take("a word")
    form = _EVENTS.get(first.text)
    if _player(first):
        yield _read_turn(line, first.text)
    elif form is None:
        near = _perhaps(first.text, _FIRST_WORDS) or f"; lines begin with a player or {', '.join(_FIRST_WORDS)}"
        raise line.misread(f"no line begins with {first}{near}", first.column)
    elif form.word == "deal":
        yield from _read_deal(line, order)
    elif form.word == "bid":
        yield from _read_bids(line)
    else:
        yield form.read(line)
        while form.repeats and line.next:
            yield form.read(line)
    line.end()


def _read_deal(line: _Line, order: _Order) -> Iterator[dict[str, Any]]:
    """Read cards, and behind each the bids for it. A card without a player goes to whoever is next."""
    more = True
    while more:
        line.form = "deal p1=cups-7 cups-10 (p2=1 p3=2) …"
        player = line.read("player", is_key=True) if line.next_is_key else order.next
        card = line.read("dealt")
        if player is None:
            raise line.misread(f"who is dealt {card}? Write p1={card}, or whoever it is")
        yield {"type": "card_dealt", "player": player, "card": card}
        if line.takes("("):
            yield from _read_bids(line, closing=")")
        more = line.next is not None


def _read_bids(line: _Line, closing: str = "") -> Iterator[dict[str, Any]]:
    """Read bids, and whether the auction was closed by hand."""
    more = True
    while more:
        yield (_CLOSED if line.next and line.next.is_word("closed") else _BID).read(line)
        more = not line.takes(closing) if closing else line.next is not None


def _read_turn(line: _Line, player: str) -> dict[str, Any]:
    """Read a turn: the cards, or how many; `-` for none, and nothing where nothing was said about it."""
    turn = {"type": "turn_played", "player": player}
    if line.next is None:
        return turn
    by_count = _count(line.next) is not None
    line.form = (_COUNT_PLAYED if by_count else _CARDS_PLAYED).template
    return turn | ({"count": line.read("count")} if by_count else {"cards": line.read("cards")})


# --- writing --------------------------------------------------------------------------------------------------------


def write(score: Score) -> str:
    """Write a score, so that `parse` gives it back. Raises ValueError for an opening that no session can have."""
    lines, order = _written_opening(score.opening), _Order(score.opening)
    expected: dict[int, list[str]] = {}
    for check in score.checks:
        expected.setdefault(check.after, []).append(_written_check(check))
    lines += expected.get(0, [])
    open_line = ""  # what the last line begins with, if more may be written in it
    dealt_to: set[str] = set()
    for place, event in enumerate(score.events, 1):
        word, _, rest = (_short(event) or f"event {_in_json(event)}").partition(" ")
        alone = word not in _SHARED or any(remark in event for remark in _REMARKS)
        if word == "deal" and event["player"] == order.next:
            rest = rest.partition("=")[2]
        if not alone and word == open_line and event.get("player") not in dealt_to:
            lines[-1] += f" {rest}"
        elif not alone and word == "bid" and open_line == "deal":
            lines[-1] = f"{lines[-1][:-1]} {rest})" if lines[-1].endswith(")") else f"{lines[-1]} ({rest})"
        else:
            lines += [""] * (word in ("round", "totals")) + [f"{word} {rest}".rstrip()]
            open_line, dealt_to = "" if alone else word, set()
        if word == "deal":
            dealt_to.add(event["player"])
        order.follow(event)
        if place in expected:
            lines, open_line = lines + expected[place], ""
    return "\n".join(lines).lstrip("\n") + "\n"


_SHARED = frozenset(form.word for form in EVENTS if form.repeats)


def _short(event: Json) -> str | None:
    """Write an event in the first form that says all of it; None if there is no such form."""
    for form in EVENTS:
        if form.type == event.get("type"):
            try:
                line = form.write(event)
                if parse(line).events == (event,):
                    return line
            except (LookupError, TypeError, AttributeError, Misread):
                continue  # it has other fields than the form, or not of the kinds that the contract says
    return None


def _written_opening(opening: Json) -> list[str]:
    """Write an opening, whose players may be names, or objects with a name."""
    said = {key: value for key, value in opening.items() if value is not None}
    if "players" in said:
        said["players"] = [player["name"] if isinstance(player, Mapping) else player for player in said["players"]]
    lines = [form.write(said) for form in OPENING if _parts_of(form.template).parts[0].slots[0].field in said]
    if parse("\n".join(lines)).opening != said:
        raise ValueError(f"no session is opened like this: {opening}")
    return lines


def _written_check(check: Check) -> str:
    facts = (f"{key}={_spelled_value(value)}" for key, value in check.facts.items())
    return " ".join(("=", _spelled(check.about), *map(_spelled_value, check.words), *facts))
