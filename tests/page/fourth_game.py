"""The service with a fourth game on its shelf, for gunicorn: `tests.page.fourth_game:app`."""

from __future__ import annotations

from ledger import games, language
from ledger.app import create_app
from tests.games.test_fourth_game import BOOK, JAPANESE

games.register(BOOK)
language.learn("ja", JAPANESE)
app = create_app()
