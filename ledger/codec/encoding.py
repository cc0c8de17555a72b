"""Records to JSON and back by msgspec, with two hooks for what it does not know: cards, exact numbers, events.

A card is written by its code, an exact number as a fraction and as
decimals. An event that lies in another is read by its `type`, as one of those that the rule book has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from ledger.cards import INSTEAD, Card, read
from ledger.codec.fractions import chance, decimal, exact_chips
from ledger.play.events import AnyEvent, Event
from ledger.play.rule_book import RuleBook
from ledger.play.values import ExactlyInChips, InChips
from ledger.sentences import Fault, Malformed, say
from ledger.session.events import EVENTS, RulesChanged
from ledger.session.rounds import changed


def encoded(value: object, *, indented: bool = False) -> bytes:
    """Write a record, or a collection of records, as JSON. Raises TypeError for what cannot be written."""
    text = ENCODER.encode(value)
    return msgspec.json.format(text, indent=2) if indented else text


def plain(value: Any) -> Any:
    """Give a record as what its JSON is read as."""
    return msgspec.json.decode(ENCODER.encode(value))


def members(record: Any) -> dict[str, Any]:
    """Give the members of a record as its JSON has them, by their names on the wire."""
    written: dict[str, Any] = msgspec.to_builtins(record, enc_hook=_hook, str_keys=True)
    return written


def _hook(value: Any) -> Any:
    """Give a value that msgspec does not know as one that it knows."""
    match value:
        case Card():
            return value.code
        case InChips():
            return decimal(value)
        case ExactlyInChips():
            return exact_chips(value)
        case Fraction():
            return chance(value)
        case Mapping():
            return dict(value)
        case Sequence():
            return list(value)
    raise TypeError(f"{type(value)} cannot be written")


ENCODER = msgspec.json.Encoder(enc_hook=_hook)


# --- events ---------------------------------------------------------------------------------------------------------


class Events:
    """The events that a rule book has, and how each is read."""

    def __init__(self, book: RuleBook[Any]) -> None:
        self.book = book
        self.kinds = {kind.type: kind for kind in (*EVENTS, *book.between, *book.events)}
        self._decoders = {name: msgspec.json.Decoder(kind, dec_hook=self._hook) for name, kind in self.kinds.items()}

    def decoded(self, kind: str, body: str) -> Event:
        """Read an event of a kind from JSON text. Raises Malformed."""
        return self._made(kind, lambda: self._decoders[kind].decode(body))

    def converted(self, kind: object, body: Any) -> Event:
        """Read an event of a kind from what its JSON was read as. Raises Malformed."""
        return self._made(kind, lambda: msgspec.convert(body, self.kinds[str(kind)], dec_hook=self._hook))

    def _made(self, kind: object, make: Callable[[], Event]) -> Event:
        if not isinstance(kind, str) or kind not in self.kinds:
            needed = say("one of these is needed: {words}", words=", ".join(self.kinds))
            raise Malformed(Fault("/type", needed))
        try:
            event = make()
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise malformed(error) from None
        if isinstance(event, RulesChanged):
            changed_rules(self.book, event.rules)
        return event

    def _hook(self, kind: type, value: Any) -> Any:
        """Read a card, or an event within an event."""
        if kind is AnyEvent:
            if type(value) is not dict:
                raise ValueError("Expected an event")
            return self.converted(value.get("type"), value)
        if kind not in INSTEAD:
            raise NotImplementedError(kind)
        if type(value) is not str:
            raise ValueError("Expected a card")
        return value if value in INSTEAD[kind] else read(value)


_EVENTS: dict[int, Events] = {}


def events_of(book: RuleBook[Any]) -> Events:
    """Give the events of a rule book, described when they are first asked for."""
    known = _EVENTS.get(id(book))
    if known is None:
        known = _EVENTS[id(book)] = Events(book)
    return known


def changed_rules(book: RuleBook[Any], changes: Any) -> Any:
    """Give the house rules of a game with some switches set, as they stand in `rules`. Raises Malformed."""
    try:
        return changed(book.rules(), changes)
    except msgspec.ValidationError as error:
        raise malformed(error).within("rules") from None


MAX_SHOWN = 100


def malformed(error: Exception) -> Malformed:
    """Give what msgspec found wrong, at its place, which it names like this: `$.bids[0].amount`."""
    why, _, place = str(error).encode("utf-8", "backslashreplace").decode().rpartition(" - at `$")
    pointer = re.sub(r"[.\[]", "/", place.removesuffix("`")).replace("]", "") if why else ""
    if isinstance(error.__cause__, Malformed):
        return Malformed(*(fault._replace(pointer=pointer + fault.pointer) for fault in error.__cause__.faults))
    return Malformed(Fault(pointer, say("it cannot be read: {why}", why=(why or place)[:MAX_SHOWN])))
