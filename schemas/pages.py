"""Which part of a list is wanted."""

from __future__ import annotations

from schemas.base import Strict
from schemas.fields import Digits

MOST_PAGE = 500
MOST_SEQ = 2**53 - 1


class PageQuery(Strict):
    """Which part of a list is wanted."""

    after = Digits(0, MOST_SEQ, load_default=0)
    limit = Digits(1, MOST_PAGE, load_default=100)
