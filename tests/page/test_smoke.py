"""The page comes up, and follows what somebody else records."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration


def test_a_table_is_opened_by_its_link_and_followed(phone: Phone, opens: Callable[..., Table]) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table)
    phone.tap("open-round")
    phone.stands_at(1)
    table.reports(event("field_card_revealed", card="cups-2"))
    phone.stands_at(2)
    phone.reads("log", "Cups")
