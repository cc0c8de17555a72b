"""In which language something is wanted."""

from __future__ import annotations

from ledger.language import LANGUAGES
from schemas.base import OneOfWords, Strict


class LanguageQuery(Strict):
    """In which language something is wanted."""

    lang = OneOfWords(
        LANGUAGES, load_default=None, description="The reader's language; by default as in `Accept-Language`."
    )
