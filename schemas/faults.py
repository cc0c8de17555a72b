"""What is wrong with fields: told by where each stands, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from ledger.language import translate

TEMPLATES: tuple[str, ...] = (
    # our own, as `fields`, `sessions` and the door say them
    "a whole number from {least} to {most} is needed",
    "a text of 1 to {most} characters is needed, and not only spaces",
    "a card is a text; cards are written like cups-11, QH or Q♥, pine-crane, or 4",
    "{text} is not a card of any deck; cards are written like cups-11, QH or Q♥, pine-crane, or 4",
    "one of these is needed: {words}",
    "{game} takes {least} to {most} players; here are {count}",
    "{game} is played with one of these: {decks}",
    "a seat from 1 to {seats} or a player from p1 to p{last} is needed",
    "the body is not JSON that can be read: {why}",
    "the body is not text in UTF-8: {why}",
    "the body has to be JSON, sent as `Content-Type: application/json`",
    "an Idempotency-Key has 1 to {most} characters",
    # marshmallow's
    "Field may not be null.",
    "Missing data for required field.",
    "Invalid input type.",
    "Not a valid {kind}.",
    "Must be one of: {words}.",
    "Must be greater than or equal to {least} and less than or equal to {most}.",
    "Must be greater than or equal to {least}.",
    "Length must be between {least} and {most}.",
    "Longer than maximum length {most}.",
    "Shorter than minimum length {least}.",
    "Length must be {count}.",
)
"""Messages that are put together where they are raised, and so have no text of their own to look up."""


def pattern(template: str) -> re.Pattern[str]:
    """Give what recognises a message made from a template, and finds what was put into its places."""
    parts = Formatter().parse(template)
    return re.compile(
        "".join(re.escape(text) + (f"(?P<{place}>.*)" if place else "") for text, place, _, _ in parts), re.DOTALL
    )


_PATTERNS = {template: pattern(template) for template in TEMPLATES}


def in_language(message: str, language: str) -> str:
    """Say a message in the reader's language, also one that was put together."""
    for template, made in _PATTERNS.items():
        if found := made.fullmatch(message):
            return translate(template, language).format(**found.groupdict())
    return translate(message, language)


def pointers(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Walk marshmallow's messages and give each with its JSON pointer (RFC 6901)."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            yield from pointers(inner, path if name == "_schema" else f"{path}/{_escaped(name)}")
    elif isinstance(messages, list):
        for inner in messages:
            yield from pointers(inner, path)
    else:
        yield path, str(messages)


def _escaped(name: object) -> str:
    return str(name).replace("~", "~0").replace("/", "~1")
