"""In which language a request is answered."""

from __future__ import annotations

from flask import request

from ledger.language import LANGUAGES, SOURCE, Language

ACCEPT_LANGUAGE = {"Accept-Language": {"description": "The reader's language, where the query does not say it."}}
IN_LANGUAGE = ("Content-Language", "Vary")
"""Headers of an answer whose language the client chooses."""


def reader() -> Language:
    """Choose the language that `Accept-Language` likes best, in whichever region; English where it does not help.

    Werkzeug reads the header. Its own choice takes a language that is named exactly before one that is liked better
    and named with a region: Japanese, for `en-GB, ja;q=0.5`.
    """
    accepted = sorted(request.accept_languages, key=lambda each: each[1], reverse=True)
    liked = [(tag.partition("-")[0].lower(), how_much) for tag, how_much in accepted]
    named = {tag for tag, _ in liked}
    for tag, how_much in liked:
        for language in LANGUAGES:
            if how_much and (tag == language or (tag == "*" and language not in named)):
                return language
    return SOURCE
