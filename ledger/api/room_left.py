"""Room on the database's disk that is left to sessions that are open: below it none is opened or brought in.

A disk that is full stops every table. So what makes new sessions is refused a good while before, and those that play
go on.
"""

from __future__ import annotations

from flask import request

from ledger.api.here import config, desk


class DiskReserveReached(Exception):
    """Little room is left on the disk: sessions that are open go on, and no other is begun until there is more."""


def enough_room() -> None:
    """Make sure that the reserve stays free when a session as large as this request is kept, if there is one.

    Raises DiskReserveReached.
    """
    reserve = config().disk_reserve
    if not reserve:
        return
    length, free = request.content_length, desk().store.free_bytes()
    size = (request.max_content_length or 0) if length is None else length
    if free is not None and free < reserve + size:
        raise DiskReserveReached
