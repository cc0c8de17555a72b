"""The language of an answer: that of the query, else the one that `Accept-Language` prefers."""

from __future__ import annotations

from typing import cast

from flask import g, request

from ledger.i18n.language import LANGUAGES, SOURCE, Language


def reader(chosen: Language | None = None) -> Language:
    """Choose the language of the answer: the one chosen, else the preferred one, in any region; else English.

    Werkzeug reads the header. Its own choice prefers an exact match to a region of a better one: Japanese, for
    `en-GB, ja;q=0.5`.
    """
    accepted = sorted(request.accept_languages, key=lambda each: each[1], reverse=True)
    named = {tag.partition("-")[0].lower() for tag, _ in accepted}
    others = [language for language in LANGUAGES if language not in named]
    liked = [tag.partition("-")[0].lower() for tag, quality in accepted if quality]
    known = [language for tag in liked for language in (others if tag == "*" else [tag]) if language in LANGUAGES]
    g.language = chosen or (known[0] if known else SOURCE)
    return cast("Language", g.language)
