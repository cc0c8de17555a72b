"""People's own words apart from the log: in a body stand their digests, and the words lie beside it, by place.

A place is a path in the body: `note`, `event/name`, `players/0`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from msgspec import Struct, inspect

from ledger.codec.encoding import members, plain
from ledger.hash_chain import SaltedText, salted
from ledger.play.events import AnyEvent
from ledger.records import members_of, memoized
from ledger.sentences import Fault, Malformed, say

DIGEST_DIGITS = 64


class MisplacedText(Fault):
    """A text that is missing, or that stands where none belongs."""


def without_texts(record: Struct) -> tuple[dict[str, Any], dict[str, SaltedText]]:
    """Give the members of a record with digests in the places of people's own words, and the words by place."""
    texts = {place: salted(text) for place, text in texts_in(record)}
    if not texts:
        return members(record), texts
    body = plain(record)
    for place, text in texts.items():
        within, step = holder(body, place)
        within[step] = text.digest
    return body, texts


def texts_in(record: Struct, path: str = "") -> Iterator[tuple[str, str]]:
    """Find people's own words in a record: the place of each, and itself."""
    for attribute, name in places_of(type(record)):
        yield from _texts(getattr(record, attribute), f"{path}{name}")


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, tuple):
        for n, each in enumerate(value):
            yield from _texts(each, f"{place}/{n}")
    elif isinstance(value, Struct):
        yield from texts_in(value, f"{place}/")


@memoized
def places_of(record: type[Any]) -> tuple[tuple[str, str], ...]:
    """Name the members of a record that may hold people's own words, each with its name in JSON."""
    return tuple((m.attribute, m.name) for m in members_of(record) if _may_hold_texts(m.type, m.extra))


@memoized
def _those(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """Give what may hold people's own words in a record: two members at least, as in every event and opening."""
    return attrgetter(*(attribute for attribute, _ in places_of(kind)))


def _may_hold_texts(type_: inspect.Type, extra: Mapping[str, Any]) -> bool:
    match type_:
        case inspect.Metadata():
            return _may_hold_texts(type_.type, {**extra, **(type_.extra or {})})
        case inspect.StrType():
            return extra.get("kind") in ("name", "words")
        case inspect.VarTupleType(item):
            return _may_hold_texts(item, {})
        case inspect.UnionType(types):
            return any(_may_hold_texts(each, {}) for each in types)
        case inspect.StructType(record):
            return bool(places_of(record))
        case inspect.CustomType(kind):
            return kind is AnyEvent
    return False


def put_in_place(body: Any, texts: Mapping[str, Any]) -> None:
    """Put texts into their places in a body, where digests stand. Raises Malformed."""
    for place, text in texts.items():
        try:
            within, step = holder(body, place)
            digest, within[step] = within[step], text
        except (LookupError, TypeError, ValueError):
            digest = None
        if not isinstance(digest, str) or len(digest) != DIGEST_DIGITS:
            raise Malformed(MisplacedText(f"/{place}", say("no text belongs there")))


def need_all(record: Struct, texts: Mapping[str, Any]) -> None:
    """Make sure that the texts of a record that was read are those that lay beside it. Raises Malformed."""
    if not texts and not any(_those(type(record))(record)):
        return  # as in most rows: 5 % of the time of a page of the log
    places = {place for place, _ in texts_in(record)}
    if places != texts.keys():
        faults = [MisplacedText(f"/{place}", say("the text is missing")) for place in places - texts.keys()]
        faults += [MisplacedText(f"/{place}", say("no text belongs there")) for place in texts.keys() - places]
        raise Malformed(*faults)


def holder(body: Any, place: str) -> tuple[Any, Any]:
    """Find the part of a body that a place is in, and what it is called there. Raises LookupError, TypeError."""
    *path, last = place.split("/")
    for step in path:
        body = body[_step_into(body, step)]
    return body, _step_into(body, last)


def _step_into(body: Any, step: str) -> int | str:
    """Say by what the next step of a place leads on. Raises LookupError."""
    if not isinstance(body, list):
        return step
    if step not in map(str, range(len(body))):
        raise LookupError(step)
    return int(step)
