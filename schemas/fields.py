"""Fields of marshmallow with our sentences: what each kind of value accepts, and what is needed in place of others.

A check gives the value that a record holds, or raises `wrong(say("…"))`, which marshmallow carries and never reads.
It replaces every message of marshmallow's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from marshmallow import ValidationError, fields, missing

from ledger.codec.export_file import VERSION
from ledger.codec.json_text import GivenTwice, NotJSON, read_json
from ledger.codec.words import shows_nothing, unfit
from ledger.cooperation import yielding
from ledger.i18n.sentences import MAX_FAULTS, Fault, Sentence, escaped, say
from ledger.rulebook.cards import UnknownCard, read
from ledger.rulebook.values import is_day

MAX_IN_A_LIST = 100
MAX_NAME = 100
MAX_IN_AN_OBJECT = 10_000
"""How many members an object may have whose names are free: the texts of a row, the balances of a session."""
MAX_MEMBERS = 100
"""How many house rules may be named at once: several times those of a game."""
MAX_WHOLE = 2**63 - 1
"""The largest whole number that a database holds."""
WHOLE = "_schema"
"""Where marshmallow puts what is wrong with an object as a whole."""

Check = Callable[[Any], Any]


# --- what is wrong ----------------------------------------------------------------------------------------------------


def wrong(sentence: Sentence) -> ValidationError:
    return ValidationError([sentence])  # marshmallow adds up lists of messages as they are


def faults_in(messages: Any, path: str = "") -> Iterator[Fault]:
    """Walk marshmallow's messages: what is wrong, each by its place."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            yield from faults_in(inner, path if name == WHOLE else f"{path}/{escaped(name)}")
    elif isinstance(messages, list):
        for inner in messages:
            yield from faults_in(inner, path)
    elif isinstance(messages, Fault):
        yield messages._replace(pointer=path + messages.pointer)
    else:
        yield Fault(path, messages)


# --- checks -----------------------------------------------------------------------------------------------------------

TEXT, FLAG, NUMBER = say("a text is needed"), say("true or false is needed"), say("a whole number is needed")
LIST, OBJECT = say("a list is needed"), say("an object is needed")
MISSING, UNKNOWN = say("this field is needed"), say("there is no such field here")


def as_whole(value: Any) -> Any:
    """Give 1.0 and 1e3 as the whole numbers that they are in JSON, and anything else as it is."""
    return int(value) if type(value) is float and value.is_integer() else value


def whole(least: int | None, most: int | None) -> Check:
    """Accept whole numbers: no fraction, no text, no true or false."""
    bounded = least is not None and most is not None
    needed = say("a whole number from {least} to {most} is needed", least=least, most=most) if bounded else NUMBER
    lowest, highest = -MAX_WHOLE if least is None else least, MAX_WHOLE if most is None else most

    def check(value: Any) -> int:
        value = as_whole(value)
        if type(value) is int and lowest <= value <= highest:
            return value
        raise wrong(needed)

    return check


def such(kind: type, needed: Sentence, accepts: Callable[[Any], object]) -> Check:
    """Accept values of exactly a kind."""

    def check(value: Any) -> Any:
        if type(value) is kind and accepts(value):
            return value
        raise wrong(needed)

    return check


def identifier(most: int) -> Check:
    """Accept the id of a player or an account."""
    needed = say("a text of 1 to {most} characters is needed, and not only spaces", most=most)
    return such(str, needed, lambda value: 1 <= len(value) <= most)


def at_most_characters(most: int) -> Check:
    needed = say("a text of at most {most} characters is needed", most=most)
    return such(str, needed, lambda value: len(value) <= most)


def words(most: int, *, one_line: bool) -> Check:
    """Accept text for people: not blank, at most `most` characters, and fit to stand anywhere."""
    needed = say("a text of 1 to {most} characters is needed, and not only spaces", most=most)

    def check(value: Any) -> str:
        if type(value) is not str or len(value) > most or shows_nothing(value):
            raise wrong(needed)
        if why := unfit(value, one_line=one_line):
            raise wrong(why)
        return value

    return check


def person(most: int) -> Check:
    """Accept a person: a name, or an object with a name."""
    check_name = words(most, one_line=True)

    def check(value: Any) -> Any:
        if isinstance(value, dict):
            if unknown := sorted(set(value) - {"name"}):
                raise ValidationError({name: [UNKNOWN] for name in unknown})
            value = value.get("name")
        return check_name(value)

    return check


def one_of(known: Collection[str]) -> Check:
    """Accept one of a few words; true and false are yes and no, where these are the words."""

    def check(value: Any) -> str:
        if type(value) is bool and set(known) == {"yes", "no"}:
            value = "yes" if value else "no"
        if type(value) is str and value in known:
            return value
        raise wrong(say("one of these is needed: {words}", words=", ".join(known)))

    return check


def card_or(known: tuple[str, ...]) -> Check:
    """Accept a card as any deck writes it, or one of these words for a card that was not noted."""

    def check(value: Any) -> Any:
        if type(value) is not str:
            raise wrong(say("a card is a text; cards are written like cups-11, QH or Q♥, pine-crane, or 4"))
        if value in known:
            return value
        try:
            return read(value)
        except UnknownCard:
            unknown = say(
                "{text} is not a card of any deck; cards are written like cups-11, QH or Q♥, pine-crane, or 4",
                text=repr(value[:40]),
            )
            raise wrong(unknown) from None

    return check


def dealer(value: Any) -> Any:
    """Accept any dealer but null: which seats and ids there are depends on the players."""
    if value is None:
        raise wrong(say("a seat number or the id of a player is needed"))
    return value


flag = such(bool, FLAG, lambda _: True)
day = such(str, say("a day of the calendar is needed, from 1900 on, as in 2026-11-20"), is_day)

RFC_3339 = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,6}|\.0+)?(?:[Zz]|[+-]\d\d:[0-5]\d)", re.ASCII
)
"""Python reads more than that: weeks, and dates without anything between their parts."""


def time(value: Any, first: int, last: int) -> datetime | None:
    """Read a time in UTC as RFC 3339 has it, from one year to another; None for anything else."""
    try:
        read = datetime.fromisoformat(value.upper()).astimezone(UTC) if RFC_3339.fullmatch(value) else None
    except (TypeError, ValueError, OverflowError):
        return None
    return read if read and first <= read.year <= last else None


def moment(value: Any) -> str:
    """Accept a time in whole seconds; give it in UTC, with `Z`. A clock that was never set begins in 1970."""
    read = time(value, 1970, 9998)
    if read is None or read.microsecond:
        raise wrong(say("a time in whole seconds from 1970 to 9998 is needed, like 2026-11-21T09:00:00Z"))
    return f"{read:%Y-%m-%dT%H:%M:%SZ}"


def instant(value: Any) -> datetime:
    read = time(value, 2000, 9998)
    if read is None:
        raise wrong(say("a moment with its time zone is needed, from 2000 to 9998, as in 2026-11-21T09:00:00Z"))
    return read


def version(value: Any) -> int:
    """Accept which form a file has: one that this release knows."""
    read = as_whole(value)
    if type(read) is not int or read < 1:
        raise wrong(say("the version of a file is a whole number; this release reads {version}", version=VERSION))
    if read > VERSION:
        raise wrong(say("this release reads files up to version {version}; a newer one wrote this", version=VERSION))
    return read


def body(value: Any) -> str:
    """Accept the JSON text of a row, which is looked at later, but for names that stand twice in it."""
    if type(value) is not str:
        raise wrong(TEXT)
    try:
        read_json(value.encode("utf-8", "surrogatepass"))
    except GivenTwice as error:
        raise wrong(error.sentence) from None
    except NotJSON:
        pass
    return value


def switches(value: Any) -> Any:
    """Accept house rules, which only the rule book of the game reads; their members are counted first."""
    if not isinstance(value, dict):
        raise wrong(OBJECT)
    if len(value) > MAX_MEMBERS:
        raise wrong(say("an object of at most {most} members is needed", most=MAX_MEMBERS))
    return value


def digits(check: Check, most: int | None) -> Check:
    """Accept a whole number as a query has it: in the digits 0 to 9, and nothing else."""
    longest = len(str(most))

    def check_digits(value: Any) -> Any:
        is_written = value.isascii() and value.isdigit() and len(value) <= longest
        return check(int(value) if is_written else value)

    return check_digits


# --- fields -----------------------------------------------------------------------------------------------------------


class Field(fields.Field[Any]):
    """What our fields have in common: a sentence of each, where marshmallow has words of its own."""

    needed: Sentence

    def make_error(self, key: str, **_kwargs: Any) -> ValidationError:
        return wrong(MISSING if key == "required" else self.needed)


class Value(Field):
    """A value that one function checks, unless it is missing, or null where that may be."""

    def __init__(self, check: Check, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.check = check

    def deserialize(self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any) -> Any:
        if value is missing or (value is None and self.allow_none):
            return super().deserialize(value, attr, data, **kwargs)
        return self.check(value)


class TrueOrFalse(Field, fields.Boolean):
    needed = FLAG


class Nested(Field, fields.Nested):
    needed = OBJECT


class Listed(Field, fields.List[Any]):
    """A list. Its elements are counted before any is looked at, and looked at until enough of them are wrong."""

    needed = LIST

    def __init__(self, inner: Field, least: int | None = None, most: int | None = None, **kwargs: Any) -> None:
        super().__init__(inner, **kwargs)
        self.least, self.most = least or 0, MAX_IN_A_LIST if most is None else most

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise wrong(self.needed)
        self.count(len(value))
        return tuple(each_of(enumerate(value), self.inner.deserialize).values())

    def count(self, found: int) -> None:
        if self.least == self.most and found != self.most:
            raise wrong(say("a list of exactly {count} is needed", count=self.most))
        if found < self.least or (self.least and found > self.most):
            raise wrong(say("a list of {least} to {most} is needed", least=self.least, most=self.most))
        if found > self.most:
            raise wrong(say("a list of at most {most} is needed", most=self.most))


class Pairs(Listed):
    """A list of pairs (player and amount); as well an object: `{"p1": 30}`."""

    def __init__(self, inner: Field, names: tuple[str, str], *args: Any, **kwargs: Any) -> None:
        super().__init__(inner, *args, **kwargs)
        self.names = names

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            return super()._deserialize(value, *args, **kwargs)
        self.count(len(value))
        first, second = self.names
        pairs = {name: {first: name, second: each} for name, each in value.items()}
        try:
            return tuple(each_of(pairs.items(), self.inner.deserialize).values())
        except ValidationError as error:  # in an object, a fault of a pair stands at its value
            found = error.normalized_messages()  # type: ignore[no-untyped-call]
            raise ValidationError({at: [f.sentence for f in faults_in(found[at])] for at in found}) from None


class ByName(Field):
    """An object whose names are free, or are checked by `key`."""

    needed = OBJECT

    def __init__(self, inner: Field, key: Check | None, most: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.inner, self.key, self.most = inner, key, MAX_IN_AN_OBJECT if most is None else most
        self.too_many = say("an object of at most {most} members is needed", most=self.most)
        if most is not None:
            self.needed = self.too_many

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise wrong(self.needed)
        if len(value) > self.most:
            raise wrong(self.too_many)
        return each_of(((name, (name, each)) for name, each in value.items()), self.member)

    def member(self, member: tuple[str, Any]) -> Any:
        name, value = member
        if self.key:
            self.key(name)
        return self.inner.deserialize(value)


def each_of(values: Iterable[tuple[Any, Any]], check: Check) -> dict[Any, Any]:
    """Check each value at its place. Raises ValidationError with what is wrong with all, up to a limit."""
    read, errors, found = dict[Any, Any](), dict[Any, Any](), 0
    for place, value in yielding(values):
        try:
            read[place] = check(value)
        except ValidationError as error:
            errors[place] = error.messages
            found += sum(1 for _ in faults_in(error.messages))
            if found >= MAX_FAULTS:
                break
    if errors:
        raise ValidationError(errors)
    return read
