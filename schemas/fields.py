"""The kinds of value that stand in requests and answers, and what each of them refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from ledger.cards import Card, UnknownCard, read

PAIR = 2
HOW_CARDS_ARE_WRITTEN = "cards are written like cups-11, QH or Q♥, pine-crane, or 4"


class Whole(fields.Integer):
    """A whole number: no fraction, no text, no true or false, and never more digits than the bounds have."""

    def __init__(self, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(strict=True, validate=validate.Range(least, most), **kwargs)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ValidationError(f"a whole number from {self.least} to {self.most} is needed")
        return value


class Digits(Whole):
    """A whole number as a query has it: in the digits 0 to 9, and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        written = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(self.most))
        return super()._deserialize(int(value) if written else value, attr, data, **kwargs)


class Text(fields.String):
    """Somebody's words: not blank, no longer than `most` characters, and storable everywhere."""

    def __init__(self, most: int, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(1, most), **kwargs)
        self.most = most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if not isinstance(value, str) or not text.strip():
            raise ValidationError(f"a text of 1 to {self.most} characters is needed, and not only spaces")
        if "\0" in text:
            raise ValidationError("a text cannot hold the character NUL")
        return text


class CardCode(fields.String):
    """A card as any deck writes it. Answers give the code of the deck it belongs to."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else value.code if isinstance(value, Card) else str(value)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise ValidationError(f"a card is a text; {HOW_CARDS_ARE_WRITTEN}")
        try:
            return read(value)
        except UnknownCard:
            raise ValidationError(f"{value[:40]!r} is not a card of any deck; {HOW_CARDS_ARE_WRITTEN}") from None


class DealtCardCode(CardCode):
    """A card, or a word for one that was not noted."""

    def __init__(self, words: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.words = words

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return value if value in self.words else super()._deserialize(value, attr, data, **kwargs)


class OneOfWords(fields.String):
    """One of a few words. Where these are yes and no, true and false say the same."""

    def __init__(self, words: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(validate=validate.OneOf(words), **kwargs)
        self.words = words

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, bool) and set(self.words) == {"yes", "no"}:
            return "yes" if value else "no"
        if not isinstance(value, str) or value not in self.words:
            raise ValidationError("one of these is needed: " + ", ".join(self.words))
        return value


class Records(fields.List[Any]):
    """A list that becomes a tuple, since records are frozen.

    A list of pairs (player and amount) may be written as an object as well: `{"p1": 30}`.
    """

    def __init__(self, inner: fields.Field[Any], **kwargs: Any) -> None:
        super().__init__(inner, **kwargs)
        if isinstance(inner, fields.Nested) and not isinstance(inner.nested, str) and len(inner.schema.fields) == PAIR:
            _, second = inner.schema.fields.values()
            value = {"type": "integer" if isinstance(second, fields.Integer) else "string"}
            self.metadata = {"type": ["array", "object"], "additionalProperties": value, **self.metadata}

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if isinstance(value, dict) and isinstance(self.inner, fields.Nested) and len(self.inner.schema.fields) == PAIR:
            value = [dict(zip(self.inner.schema.fields, pair, strict=True)) for pair in value.items()]
        return tuple(super()._deserialize(value, attr, data, **kwargs))
