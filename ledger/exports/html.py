"""A score sheet."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.desk import Books
from ledger.language import Language


def write_html(_books: Books, _language: Language) -> Iterator[bytes]:
    """Write the sheet."""
    yield b""
