"""What each kind of value accepts: one check for HTTP, files and the log.

A check gives the value that a record holds, or raises `Malformed` with what would have been right. `At` says where the
value stands: under which rule book, and whether in the log, where it is exactly as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from ledger.cards import Card, UnknownCard, read
from ledger.codec.words import shows_nothing, unfit
from ledger.hash_chain import SaltedText
from ledger.play.rule_book import RuleBook
from ledger.sentences import Fault, Malformed, Sentence, say


class At(NamedTuple):
    """Where a value is read.

    `book` has the switches and the events of the game, `deeper` says how many more events may lie within. In the log
    there stands a digest for every text, in whose place the text is put before it is read; then `in_log` is true.
    """

    book: RuleBook[Any] | None = None
    deeper: int = 0
    in_log: bool = False


Read = Callable[[Any, At], Any]


class MisplacedText(Fault):
    """A text that is missing, or that stands where none belongs."""


def wrong(sentence: Sentence) -> Malformed:
    """Say what is wrong with a value."""
    return Malformed(Fault("", sentence))


def as_whole(value: Any) -> Any:
    """Give 1.0 and 1e3 as the whole numbers that they are in JSON, and anything else as it is."""
    return int(value) if type(value) is float and value.is_integer() else value


def whole(least: int, most: int) -> Read:
    """Accept whole numbers: no fraction, no text, no true or false. In the log they stand without a point."""

    def read_whole(value: Any, at: At) -> int:
        if type(value) is float and not at.in_log:
            value = as_whole(value)
        if type(value) is int and least <= value <= most:
            return value
        raise wrong(say("a whole number from {least} to {most} is needed", least=least, most=most))

    return read_whole


def words(most: int, *, one_line: bool) -> Read:
    """Accept text for people: not blank, at most `most` characters, and fit to stand anywhere.

    In the log it is as it was once accepted.
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

    return read_words


def identifier(most: int) -> Read:
    """Accept the id of a player or an account."""

    def read_identifier(value: Any, _at: At) -> str:
        if type(value) is str and 0 < len(value) <= most:
            return value
        raise wrong(say("a text of 1 to {most} characters is needed, and not only spaces", most=most))

    return read_identifier


def one_of(known: tuple[str, ...]) -> Read:
    """Accept one of a few words. Outside the log true and false say yes and no where these are the words."""
    yes_or_no = {True: "yes", False: "no"} if set(known) == {"yes", "no"} else {}

    def read_word(value: Any, at: At) -> str:
        if type(value) is bool and not at.in_log:
            value = yes_or_no.get(value)
        if type(value) is str and value in known:
            return value
        raise wrong(say("one of these is needed: {words}", words=", ".join(known)))

    return read_word


def card_or(known: tuple[str, ...]) -> Read:
    """Accept a card as any deck writes it, or one of these words for a card that was not noted."""

    def read_card(value: Any, _at: At) -> Card | str:
        if type(value) is not str:
            raise wrong(say("a card is a text; cards are written like cups-11, QH or Q♥, pine-crane, or 4"))
        if value in known:
            return value
        try:
            return read(value)
        except UnknownCard:
            raise wrong(
                say(
                    "{text} is not a card of any deck; cards are written like cups-11, QH or Q♥, pine-crane, or 4",
                    text=repr(value[:40]),
                )
            ) from None

    return read_card


NEEDED = {
    str: say("a text is needed"),
    bool: say("true or false is needed"),
    int: say("a whole number is needed"),
    list: say("a list is needed"),
    dict: say("an object is needed"),
}


def at_most(most: int) -> Sentence:
    """Say how long a list may be."""
    return say("a list of at most {most} is needed", most=most)


MAX_WHOLE = 2**63 - 1
"""The largest whole number that a database holds."""


def exactly(kind: type) -> Read:
    """Accept values of one of JSON's own types."""

    def read_exactly(value: Any, at: At) -> Any:
        if kind is int and not at.in_log:
            value = as_whole(value)
        if type(value) is kind and not (type(value) is int and abs(value) > MAX_WHOLE):
            return value
        raise wrong(NEEDED[kind])

    return read_exactly


def matching(pattern: str, needed: Sentence) -> Read:
    """Accept texts that match a regular expression as a whole."""
    form = re.compile(pattern)

    def read_matching(value: Any, _at: At) -> str:
        if type(value) is str and form.fullmatch(value):
            return value
        raise wrong(needed)

    return read_matching


FIRST_DAY, LAST_DAY = "1900-01-01", "9998-12-31"
ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def is_day(text: str) -> bool:
    """Say whether a text is a day of the calendar that books can carry."""
    try:
        return bool(ISO_DAY.fullmatch(text) and date.fromisoformat(text)) and FIRST_DAY <= text <= LAST_DAY
    except ValueError:
        return False


def read_day(value: Any, _at: At) -> str:
    """Accept a day of the calendar."""
    if type(value) is str and is_day(value):
        return value
    raise wrong(say("a day of the calendar is needed, from 1900 on, as in 2026-11-20"))


RFC_3339 = re.compile(r"(\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:[0-5]\d)", re.ASCII)
FIRST_YEAR, LAST_YEAR = 1970, 9998
MOMENT_NEEDED = say("a time from 1970 to 9998 with its offset is needed, like 2026-11-21T09:00:00Z")


def read_moment(value: Any) -> str:
    """Accept a time as RFC 3339 has it; give it in UTC, in whole seconds, with `Z`.

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
