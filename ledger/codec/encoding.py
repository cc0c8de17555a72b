"""Records to JSON and back by msgspec, with hooks for what it does not know: cards, exact numbers, events.

A card is written by its code, an exact number as a fraction and as decimals. An event that lies in another is read by
its `type`, as one of those that the rule book has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import msgspec

from ledger.i18n.sentences import Fault, Malformed, say
from ledger.records import Record, doc, memoized
from ledger.rulebook.cards import INSTEAD, Card, read
from ledger.rulebook.event import AnyEvent, Event
from ledger.rulebook.rule_book import RuleBook
from ledger.rulebook.values import ExactlyInChips, InChips
from ledger.session.events import EVENTS, RulesChanged
from ledger.session.rounds import changed


def encoded(value: object, *, indented: bool = False) -> bytes:
    """Write a record, or a collection of records, as JSON. Raises TypeError for what cannot be written."""
    text = ENCODER.encode(value)
    return msgspec.json.format(text, indent=2) if indented else text


def plain(value: Any) -> Any:
    """Give a record as what its JSON is read as."""
    return msgspec.json.decode(ENCODER.encode(value))


def _hook(value: Any) -> Any:
    match value:
        case Card():
            return value.code
        case InChips():
            return decimal(value)
        case ExactlyInChips():
            return ExactChips(fraction(value), decimal(value))
        case Fraction():
            return Chance(fraction(value), decimal(100 * value))
        case Mapping():
            return dict(value)
        case Sequence():
            return list(value)
    raise TypeError(f"{type(value)} cannot be written")


ENCODER = msgspec.json.Encoder(enc_hook=_hook)


# --- exact numbers ---------------------------------------------------------------------------------------------------
# They go out as a fraction, and as decimals that are rounded once, from the exact number: no float comes in between.
# What lies right in the middle of two decimals is rounded away from zero, as by hand.

DECIMAL = r"-?[0-9]+\.[0-9]{2}"
"""The form of a number with two decimals."""


class Chance(Record):
    """A chance, exactly."""

    exact: Annotated[str, doc("The chance as a fraction in lowest terms.", "5/41")]
    percent: Annotated[str, doc("The chance in percent, with two decimals.", "12.20")]


class ExactChips(Record):
    """An amount of chips, exactly."""

    exact: Annotated[str, doc("The amount as a fraction in lowest terms.", "-7/2600")]
    chips: Annotated[str, doc("The amount in chips, with two decimals.", "0.00")]


def fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def decimal(value: Fraction) -> str:
    hundredths = (200 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    sign = "-" if value < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


# --- events ---------------------------------------------------------------------------------------------------------


class Events:
    """The events that a rule book has, and how each is read."""

    def __init__(self, book: RuleBook[Any]) -> None:
        self.book = book
        self.kinds = {kind.type: kind for kind in (*EVENTS, *book.between, *book.events)}
        self._decoders = {name: msgspec.json.Decoder(kind, dec_hook=self._hook) for name, kind in self.kinds.items()}

    def read(self, kind: object, body: str | dict[str, Any]) -> Event:
        """Read an event of a kind from JSON text, or from the object that it was read as. Raises Malformed."""
        if not isinstance(kind, str) or kind not in self.kinds:
            raise Malformed(Fault("/type", say("one of these is needed: {words}", words=", ".join(self.kinds))))
        try:
            if isinstance(body, str):
                event = self._decoders[kind].decode(body)
            else:
                event = msgspec.convert(body, self.kinds[kind], dec_hook=self._hook)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise malformed(error) from None
        if isinstance(event, RulesChanged):
            changed_rules(self.book, event.rules)
        return event

    def _hook(self, kind: type, value: Any) -> Any:
        if kind is AnyEvent:
            if type(value) is not dict:
                raise ValueError("Expected an event")
            return self.read(value.get("type"), value)
        if kind not in INSTEAD:
            raise NotImplementedError(kind)
        if type(value) is not str:
            raise ValueError("Expected a card")
        return value if value in INSTEAD[kind] else read(value)


@memoized
def events_of(book: RuleBook[Any]) -> Events:
    return Events(book)


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
