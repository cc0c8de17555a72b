"""How a value of the log's JSON is read and written, and what each kind refuses.

Whatever comes in may be anything: a reader gives the value that a record holds, or raises `Malformed` with what would
have been right. `At` says where it is read: under which rule book, and in which of the two forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ledger.cards import Card, UnknownCard, read
from ledger.codec.words import shows_nothing, unfit
from ledger.hash_chain import SaltedText, salted
from ledger.play import RuleBook
from ledger.sentences import Fault, Malformed, Sentence, say

Texts = dict[str, SaltedText]
"""What people wrote, by its place in a body: `note`, `event/name`."""


class At(NamedTuple):
    """Where something is read.

    `book` has the switches and the events of the game, `deeper` says how many more events may lie within. In the log
    there stands a digest for every text, in whose place the text is put before it is read; then `in_log` is true.
    """

    book: RuleBook[Any] | None = None
    deeper: int = 0
    in_log: bool = False


def as_it_is(value: Any, _place: str, _texts: Texts | None) -> Any:
    """Write a value as it is."""
    return value


class Plan(NamedTuple):
    """How values of one type are read, and how they are written, given their place; texts are put aside, if asked."""

    read: Callable[[Any, At], Any]
    write: Callable[[Any, str, Texts | None], Any] = as_it_is


class AtMost(NamedTuple):
    """A bound on how long a list may be."""

    most: int


class MisplacedText(Fault):
    """A text that is missing, or that stands where none belongs."""


def wrong(sentence: Sentence) -> Malformed:
    """Say what is wrong with a value."""
    return Malformed(Fault("", sentence))


def as_whole(value: Any) -> Any:
    """Give 1.0 and 1e3 as the whole numbers that they are in JSON, and anything else as it is."""
    return int(value) if type(value) is float and value.is_integer() else value


def whole(least: int, most: int) -> Plan:
    """Read whole numbers: no fraction, no text, no true or false. In the log they stand without a point."""

    def read_whole(value: Any, at: At) -> int:
        if type(value) is float and not at.in_log:
            value = as_whole(value)
        if type(value) is int and least <= value <= most:
            return value
        raise wrong(say("a whole number from {least} to {most} is needed", least=least, most=most))

    return Plan(read_whole)


def words(most: int, *, one_line: bool) -> Plan:
    """Read what somebody wrote: not blank, no longer than `most` characters, and fit to stand anywhere.

    In the log it is as it was once taken.
    """

    def read_words(value: Any, at: At) -> str:
        if at.in_log:
            if type(value) is not SaltedText:
                raise Malformed(MisplacedText("", say("the text is missing")))
            value = value.text
        if type(value) is not str or len(value) > most or (not value.strip() if at.in_log else shows_nothing(value)):
            raise wrong(say("a text of 1 to {most} characters is needed, and not only spaces", most=most))
        if "\0" in value:
            raise wrong(say("a text cannot hold the character NUL"))
        if not at.in_log and (why := unfit(value, one_line=one_line)):
            raise wrong(why)
        return value

    def write_words(value: str, place: str, texts: Texts | None) -> str:
        if texts is None:
            return value
        texts[place] = salted(value)
        return texts[place].digest

    return Plan(read_words, write_words)


def identifier(most: int) -> Plan:
    """Read what a player or an account is called on the wire."""

    def read_identifier(value: Any, _at: At) -> str:
        if type(value) is str and 0 < len(value) <= most:
            return value
        raise wrong(say("a text of 1 to {most} characters is needed, and not only spaces", most=most))

    return Plan(read_identifier)


def one_of(known: tuple[str, ...]) -> Plan:
    """Read one of a few words. Outside the log true and false say yes and no where these are the words."""
    yes_or_no = {True: "yes", False: "no"} if set(known) == {"yes", "no"} else {}

    def read_word(value: Any, at: At) -> str:
        if type(value) is bool and not at.in_log:
            value = yes_or_no.get(value)
        if type(value) is str and value in known:
            return value
        raise wrong(say("one of these is needed: {words}", words=", ".join(known)))

    return Plan(read_word)


def read_card(value: Any, _at: At) -> Card:
    """Read a card as any deck writes it."""
    if type(value) is not str:
        raise wrong(say("a card is a text; cards are written like cups-11, QH or Q♥, pine-crane, or 4"))
    try:
        return read(value)
    except UnknownCard:
        raise wrong(
            say(
                "{text} is not a card of any deck; cards are written like cups-11, QH or Q♥, pine-crane, or 4",
                text=repr(value[:40]),
            )
        ) from None


def write_card(card: Card, _place: str, _texts: Texts | None) -> str:
    """Write a card's code."""
    return card.code


CARD = Plan(read_card, write_card)


def card_or(known: tuple[str, ...]) -> Plan:
    """Read a card, or a word for one that was not noted."""

    def read_dealt(value: Any, at: At) -> Card | str:
        return value if type(value) is str and value in known else read_card(value, at)

    def write_dealt(value: Card | str, _place: str, _texts: Texts | None) -> str:
        return value.code if isinstance(value, Card) else value

    return Plan(read_dealt, write_dealt)


def exactly(kind: type, needed: Sentence) -> Plan:
    """Read values of one of JSON's own types."""

    def read_exactly(value: Any, at: At) -> Any:
        if kind is int and not at.in_log:
            value = as_whole(value)
        if type(value) is kind:
            return value
        raise wrong(needed)

    return Plan(read_exactly)


def matching(pattern: str, needed: Sentence) -> Plan:
    """Read texts of a fixed form."""
    form = re.compile(pattern)

    def read_matching(value: Any, _at: At) -> str:
        if type(value) is str and form.fullmatch(value):
            return value
        raise wrong(needed)

    return Plan(read_matching)


def hexadecimal(pattern: str, needed: Sentence) -> Plan:
    """Read bytes that are written as hexadecimal digits."""
    digits = matching(pattern, needed)

    def write_hexadecimal(value: bytes, _place: str, _texts: Texts | None) -> str:
        return value.hex()

    return Plan(lambda value, at: bytes.fromhex(digits.read(value, at)), write_hexadecimal)


RFC_3339 = re.compile(r"(\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:[0-5]\d)", re.ASCII)
FIRST_YEAR, LAST_YEAR = 1970, 9998
MOMENT_NEEDED = say("a time from 1970 to 9998 with its offset is needed, like 2026-11-21T09:00:00Z")


def read_moment(value: Any, _at: At) -> str:
    """Read a time as RFC 3339 has it; give it in UTC, in whole seconds, with `Z`.

    Its day has a next one in every time zone. A clock that was never set begins in 1970.
    """
    written = RFC_3339.fullmatch(value) if type(value) is str else None
    if written is None:
        raise wrong(MOMENT_NEEDED)
    moment, fraction, offset = written.groups()
    if fraction and fraction.strip("0"):
        raise wrong(say("a time in whole seconds is needed; only a fraction of zero is read"))
    if moment.endswith(":60"):
        raise wrong(say("a leap second (:60) cannot be recorded; write :59"))
    try:
        utc = datetime.fromisoformat(f"{moment}{offset}".upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise wrong(MOMENT_NEEDED) from None
    if not FIRST_YEAR <= utc.year <= LAST_YEAR:
        raise wrong(MOMENT_NEEDED)
    return f"{utc:%Y-%m-%dT%H:%M:%SZ}"


MOMENT = Plan(read_moment)
ANYTHING = Plan(lambda value, _at: value)
"""What is looked at elsewhere."""
