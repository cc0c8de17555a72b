"""The service, but that the disk of its database fails each time a file is half made."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from itertools import islice

from ledger.app import create_app
from ledger.books import Entry
from ledger.desk import SessionArchive

READ_BEFORE = 3_000

whole = SessionArchive.entries


def entries(self: SessionArchive) -> Iterator[Entry]:
    """Read entries until the disk fails."""
    yield from islice(whole(self), READ_BEFORE)
    if self.session.state.last_entry > READ_BEFORE:
        raise OSError(errno.EIO, "the disk has failed")


SessionArchive.entries = entries  # type: ignore[method-assign]
app = create_app()
