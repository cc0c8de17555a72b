"""The kinds of value that stand in requests, and what each of them refuses.

A field says one sentence, `needed`, of whatever else it is given. What it takes is checked as it is read;
`schemas.requests` describes it in `/openapi.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields

from ledger.budget import breathe
from ledger.cards import UnknownCard, read
from ledger.codec.values import At, as_whole
from ledger.codec.words import shows_nothing, unfit
from ledger.play import Matching
from ledger.sentences import MOST_FAULTS, Malformed, Sentence, say
from schemas.base import all_wrong, faults_in, wrong

PAIR = 2
HERE = At()
MOST_MEMBERS = 100
"""How many members an object may have whose names are not known beforehand: several times the house rules of a game."""
CALENDAR = (datetime(2000, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC))
"""Moments that can be written in any time zone, with four digits for the year."""
UNDESCRIBED: Mapping[str, object] = {"undescribed": True}
"""The metadata of a parameter that is read only in order to be refused by its name."""


class Said(fields.Field[Any]):
    """What our fields have in common: a sentence that each says, and what it means for the description of the API."""

    needed: Sentence

    def __init__(self, *args: Any, description: str = "", examples: Sequence[Any] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.description, self.examples = description, examples

    def make_error(self, key: str, **_kwargs: Any) -> ValidationError:
        """Say what is needed where marshmallow has words of its own."""
        return wrong(say("this field is needed") if key == "required" else self.needed)


class Whole(Said, fields.Integer):
    """A whole number, 1.0 as well: no fraction, no text, no true or false, never more digits than the bounds have."""

    def __init__(self, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(strict=True, **kwargs)
        self.least, self.most = least, most
        self.needed = say("a whole number from {least} to {most} is needed", least=least, most=most)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        value = as_whole(value)
        if type(value) is not int or not self.least <= value <= self.most:
            raise wrong(self.needed)
        return value


class Digits(Whole):
    """A whole number as a query has it: in the digits 0 to 9, and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        written = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(self.most))
        return super()._deserialize(int(value) if written else value, attr, data, **kwargs)


class TrueOrFalse(Said, fields.Boolean):
    """Yes or no, as a query has it."""

    needed = say("true or false is needed")


class Flag(TrueOrFalse):
    """Yes or no, as a body has it: none of the texts and numbers that a query may say it with."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise wrong(self.needed)
        return value


class Value(Said, fields.Field[Any]):
    """A value that the reader of the log checks: there is one check, and one sentence of what is wrong."""

    def __init__(self, read: Callable[[Any, At], Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.read = read

    def make_error(self, key: str, **kwargs: Any) -> ValidationError:
        """Say what is needed in place of null, too."""
        try:
            self.read(None, HERE)
        except Malformed as error:
            return super().make_error(key, **kwargs) if key == "required" else all_wrong(error)
        raise TypeError("a value that may be null is declared so")

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        try:
            return self.read(value, HERE)
        except Malformed as error:
            raise all_wrong(error) from None


class Word(Said, fields.String):
    """Any text."""

    needed = say("a text is needed")


class Name(Said, fields.String):
    """What a player or an account is called on the wire."""

    def __init__(self, most: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.most = most
        self.needed = say("a text of 1 to {most} characters is needed, and not only spaces", most=most)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if not isinstance(value, str) or not 0 < len(text) <= self.most:
            raise wrong(self.needed)
        return text


class Text(Name):
    """Somebody's words: not blank, no longer than `most` characters, and fit to stand anywhere."""

    def __init__(self, most: int, *, one_line: bool = True, **kwargs: Any) -> None:
        super().__init__(most, **kwargs)
        self.one_line = one_line

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if shows_nothing(text):
            raise wrong(self.needed)
        if why := unfit(text, one_line=self.one_line):
            raise wrong(why)
        return text


class Formed(Said, fields.String):
    """A text of a certain form."""

    def __init__(self, form: Matching, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.form, self.needed = re.compile(form.pattern), form.needed

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if not self.form.fullmatch(text):
            raise wrong(self.needed)
        return text


class CardCode(Said, fields.String):
    """A card as any deck writes it."""

    needed = say("a card is a text; cards are written like cups-11, QH or Q♥, pine-crane, or 4")

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise wrong(self.needed)
        try:
            return read(value)
        except UnknownCard:
            raise wrong(
                say(
                    "{text} is not a card of any deck; cards are written like cups-11, QH or Q♥, pine-crane, or 4",
                    text=repr(value[:40]),
                )
            ) from None


class DealtCardCode(CardCode):
    """A card, or a word for one that was not noted."""

    def __init__(self, words: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.words = words

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return value if value in self.words else super()._deserialize(value, attr, data, **kwargs)


class OneOfWords(Said, fields.String):
    """One of a few words, looked up as they are then. Where these are yes and no, true and false say the same."""

    def __init__(self, words: Collection[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.words = words

    @property
    def needed(self) -> Sentence:  # type: ignore[override]
        """Name the words."""
        return say("one of these is needed: {words}", words=", ".join(self.words))

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, bool) and set(self.words) == {"yes", "no"}:
            return "yes" if value else "no"
        if not isinstance(value, str) or value not in self.words:
            raise wrong(self.needed)
        return value


MOMENT = r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)"
"""A moment as RFC 3339 has it. Python reads more than that: weeks, and dates without anything between their parts."""


class Moment(Said, fields.AwareDateTime):
    """A moment in some time zone."""

    needed = say("a moment with its time zone is needed, from 2000 to 9998, as in 2026-11-21T09:00:00Z")

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> datetime:
        if not isinstance(value, str) or not re.fullmatch(MOMENT, value, re.ASCII):
            raise wrong(self.needed)
        moment = super()._deserialize(value.upper(), attr, data, **kwargs)
        first, last = CALENDAR
        if not first <= moment <= last:
            raise wrong(self.needed)
        return moment


class Object(Said, fields.Dict):
    """An object of which something else is known than which members it has; they are counted before any is read."""

    needed = say("an object is needed")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(keys=Word(), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if isinstance(value, dict) and len(value) > MOST_MEMBERS:
            raise wrong(say("an object of at most {most} members is needed", most=MOST_MEMBERS))
        return super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call]


class Within(Said, fields.Nested):
    """An object that has a schema of its own."""

    needed = say("an object is needed")


class Listed(Said, fields.List[Any]):
    """A list. Its elements are counted before any is looked at, and looked at until enough of them are wrong."""

    needed = say("a list is needed")

    def __init__(
        self, inner: fields.Field[Any], least: int = 0, most: int | None = None, exact: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(inner, **kwargs)
        self.least, self.most, self.exact = least, most, exact

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise wrong(self.needed)
        self.count(len(value))
        read, errors, found = [], dict[int, Any](), 0
        for place, each in enumerate(value):
            breathe()
            try:
                read.append(self.inner.deserialize(each, **kwargs))
            except ValidationError as error:
                errors[place] = error.messages
                found += sum(1 for _ in faults_in(error.messages))
                if found >= MOST_FAULTS:
                    break
        if errors:
            raise ValidationError(errors)
        return read

    def count(self, count: int) -> None:
        """Refuse too few or too many elements."""
        if self.exact and count != self.exact:
            raise wrong(say("a list of exactly {count} is needed", count=self.exact))
        if self.least and self.most and not self.least <= count <= self.most:
            raise wrong(say("a list of {least} to {most} is needed", least=self.least, most=self.most))
        if self.most and count > self.most:
            raise wrong(say("a list of at most {most} is needed", most=self.most))


class Records(Listed):
    """A list that becomes a tuple, since records are frozen.

    A list of pairs (player and amount) may be written as an object as well: `{"p1": 30}`.
    """

    @property
    def pair(self) -> Schema | None:
        """The schema of the elements, if each has two members."""
        if not isinstance(self.inner, fields.Nested) or isinstance(self.inner.nested, str):
            return None
        return self.inner.schema if len(self.inner.schema.fields) == PAIR else None

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, dict) or self.pair is None:
            return tuple(super()._deserialize(value, attr, data, **kwargs))
        self.count(len(value))
        pairs = [dict(zip(self.pair.fields, pair, strict=True)) for pair in value.items()]
        try:
            return tuple(super()._deserialize(pairs, attr, data, **kwargs))
        except ValidationError as error:
            if isinstance(error.messages, list):
                raise
            names, wrongs = list(value), error.messages
            raise ValidationError({names[at]: [f.sentence for f in faults_in(wrongs[at])] for at in wrongs}) from None
