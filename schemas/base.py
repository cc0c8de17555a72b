"""How it is said that something is malformed: by sentences, which marshmallow carries and never reads.

A field or a schema of ours raises `wrong(say("…"))`. Whatever marshmallow would say by itself, `fields` says for it.
`malformed` makes one `Malformed` of all that marshmallow has collected, and only that leaves these rooms: `loaded` is
how a body is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError

from ledger.sentences import MOST_FAULTS, Fault, Malformed, Sentence, escaped, say

WHOLE = "_schema"
"""Where marshmallow puts what is wrong with an object as a whole."""


MOST_STRANGE = 20
"""How many members that it does not know an object may have, for what is wrong with the others to be told, too."""


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
    return Malformed(*islice(faults_in(messages), MOST_FAULTS))


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
            elif len(data) > len(self.known) + MOST_STRANGE:
                strange = islice((name for name in data if name not in self.known), MOST_FAULTS)
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
