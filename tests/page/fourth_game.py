"""The service with a fourth game on its shelf, for gunicorn: `tests.page.fourth_game:app`."""

from __future__ import annotations

from ledger import games
from ledger.app import create_app
from ledger.i18n import language
from tests.games.test_fourth_game import BOOK, JAPANESE

games.register(BOOK)
language.catalog("ja").update(JAPANESE)
app = create_app()
