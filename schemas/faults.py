"""What is wrong with fields, told by where each stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


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
