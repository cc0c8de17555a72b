"""Schemas and fields that speak in our sentences: what all requests are described by.

A field or a schema of ours raises `wrong(say("…"))`, which marshmallow carries and never reads; whatever it would say
by itself is said here for it. `malformed` makes one `Malformed` of all that it has collected, and only that leaves
this package: `loaded` is how a body is read.

A value is checked by the function that the reader of the log has for its type (`ledger.codec`), so what is wrong with
it is said in the same sentence. The other fields are what only requests have. `schemas.requests` describes them all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields

from ledger.codec.description import Plain, Type, Words
from ledger.codec.reader import reader
from ledger.codec.values import NEEDED, At, at_most, one_of
from ledger.cooperation import yielding
from ledger.play.values import Between
from ledger.sentences import MAX_FAULTS, Fault, Malformed, Sentence, escaped, say

WHOLE = "_schema"
"""Where marshmallow puts what is wrong with an object as a whole."""

MAX_STRANGE = 20
"""How many members that it does not know an object may have, for what is wrong with the others to be told, too."""

TEXT, FLAG = Plain(str), Plain(bool)
HERE = At()
MAX_MEMBERS = 100
"""How many members an object may have whose names are not known beforehand: several times the house rules of a game."""
CALENDAR = (datetime(2000, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))
"""Moments that can be written in any time zone, with four digits for the year."""
UNDESCRIBED: Mapping[str, object] = {"undescribed": True}
"""The metadata of a parameter that is read only in order to be refused by its name."""


# --- what is wrong ----------------------------------------------------------------------------------------------------


def wrong(sentence: Sentence) -> ValidationError:
    """Say what is wrong with a value. Lists of messages are added up by marshmallow as they are."""
    return ValidationError([sentence])


def all_wrong(error: Malformed) -> ValidationError:
    """Say what is wrong with a value, each fault at its place within it."""
    return ValidationError([*error.faults])


def malformed(error: ValidationError) -> Malformed:
    """Give what marshmallow has found, each by its place."""
    return malformed_by(error.normalized_messages())  # type: ignore[no-untyped-call]


def malformed_by(messages: Any) -> Malformed:
    """Give what stands in marshmallow's messages, each by its place, up to as many as are looked for."""
    return Malformed(*islice(faults_in(messages), MAX_FAULTS))


def faults_in(messages: Any, path: str = "") -> Iterator[Fault]:
    """Walk marshmallow's messages."""
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


def loaded(schema: Schema, body: Any, *, partial: bool | None = None) -> Any:
    """Read a body; with `partial`, one that may name only some of its members. Raises Malformed."""
    try:
        return schema.load(body, partial=partial)
    except ValidationError as error:
        raise malformed(error) from None


# --- schemas ----------------------------------------------------------------------------------------------------------


class Strict(Schema):
    """An object in which nothing unknown is let in. Of one that has far too many members only these are looked at."""

    class Meta:
        unknown = RAISE

    error_messages = {  # noqa: RUF012 - marshmallow's own way
        "unknown": say("there is no such field here"),  # type: ignore[dict-item]  # it is put into a list and kept
        "type": say("an object is needed"),  # type: ignore[dict-item]
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.known = frozenset(field.data_key or name for name, field in self.fields.items())

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Read an object. Raises marshmallow's ValidationError.

        marshmallow looks for unknown members only where there are some: a tenth of the time of reading an event.
        """
        if self.unknown == RAISE and isinstance(data, dict):
            if self.known.issuperset(data):
                kwargs["unknown"] = EXCLUDE
            elif len(data) > len(self.known) + MAX_STRANGE:
                strange = islice((name for name in data if name not in self.known), MAX_FAULTS)
                raise ValidationError({name: [self.error_messages["unknown"]] for name in strange})
        try:
            return super().load(data, **kwargs)
        except ValidationError as error:
            if isinstance(data, dict):
                error.messages = self.as_sent(error.normalized_messages(), data)  # type: ignore[no-untyped-call]
            raise

    def as_sent(self, messages: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
        """Give messages with the unknown members in the order they were sent; marshmallow takes them from a set."""
        strange = iter([name for name in data if name in messages and name not in self.known])
        names = (next(strange) if name in data and name not in self.known else name for name in messages)
        return {name: messages[name] for name in names}


# --- fields -----------------------------------------------------------------------------------------------------------


class MessageField(fields.Field[Any]):
    """What our fields have in common: a sentence that each says, and what it means for the description of the API."""

    needed: Sentence

    def __init__(self, *args: Any, description: str = "", examples: Sequence[Any] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.description, self.examples = description, examples

    def make_error(self, key: str, **_kwargs: Any) -> ValidationError:
        """Say what is needed where marshmallow has words of its own."""
        return wrong(say("this field is needed") if key == "required" else self.needed)


class Value(MessageField):
    """A value by its type, checked by the reader of the log: there is one check, and one sentence for each fault."""

    def __init__(self, type_: Type, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.type, self.read = type_, reader(type_)

    def make_error(self, key: str, **kwargs: Any) -> ValidationError:
        """Say what is needed in place of null, too."""
        if key == "required":
            return super().make_error(key, **kwargs)
        try:
            self.read(None, HERE)
        except Malformed as error:
            return all_wrong(error)
        raise TypeError(f"{self.type} may be null")

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        try:
            return self.read(value, HERE)
        except Malformed as error:
            raise all_wrong(error) from None


class Digits(Value):
    """A whole number as a query has it: in the digits 0 to 9, and nothing else."""

    def __init__(self, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(Between(least, most), **kwargs)
        self.longest = len(str(most))

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        is_written = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= self.longest
        return super()._deserialize(int(value) if is_written else value, *args, **kwargs)


class TrueOrFalse(MessageField, fields.Boolean):
    """Yes or no, as a query has it."""

    needed = NEEDED[bool]


class OneOfWords(Value):
    """One of a few words, looked up as they are then."""

    def __init__(self, words: Collection[str], **kwargs: Any) -> None:
        super().__init__(Words(tuple(words)), **kwargs)
        self.words = words
        self.read = self.read_word

    def read_word(self, value: Any, at: At) -> str:
        """Read one of the words as they are now."""
        word: str = one_of(tuple(self.words))(value, at)
        return word


MOMENT = r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)"
"""A moment as RFC 3339 has it. Python reads more than that: weeks, and dates without anything between their parts."""


class Moment(MessageField):
    """A moment in some time zone."""

    needed = say("a moment with its time zone is needed, from 2000 to 9998, as in 2026-11-21T09:00:00Z")

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> datetime:
        if not isinstance(value, str) or not re.fullmatch(MOMENT, value, re.ASCII):
            raise wrong(self.needed)
        try:
            moment = datetime.fromisoformat(value.upper())
        except ValueError:
            raise wrong(self.needed) from None
        first, last = CALENDAR
        if not first <= moment <= last:
            raise wrong(self.needed)
        return moment


class SwitchesField(MessageField):
    """House rules, which only the rule book of the game reads; their members are counted first."""

    needed = NEEDED[dict]

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise wrong(self.needed)
        if len(value) > MAX_MEMBERS:
            raise wrong(say("an object of at most {most} members is needed", most=MAX_MEMBERS))
        return value


class Nested(MessageField, fields.Nested):
    """An object that has a schema of its own."""

    needed = NEEDED[dict]


class Listed(MessageField, fields.List[Any]):
    """A list. Its elements are counted before any is looked at, and looked at until enough of them are wrong."""

    needed = NEEDED[list]

    def __init__(self, inner: MessageField, least: int = 0, most: int | None = None, **kwargs: Any) -> None:
        super().__init__(inner, **kwargs)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise wrong(self.needed)
        if self.least and self.most and not self.least <= len(value) <= self.most:
            raise wrong(say("a list of {least} to {most} is needed", least=self.least, most=self.most))
        if self.most and len(value) > self.most:
            raise wrong(at_most(self.most))
        read, errors, found = [], dict[int, Any](), 0
        for place, each in enumerate(yielding(value)):
            try:
                read.append(self.inner.deserialize(each))
            except ValidationError as error:
                errors[place] = error.messages
                found += sum(1 for _ in faults_in(error.messages))
                if found >= MAX_FAULTS:
                    break
        if errors:
            raise ValidationError(errors)
        return tuple(read)
