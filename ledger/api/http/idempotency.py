"""Idempotency-Key: a client that got no answer repeats its request with the same key, and gets the same answer.

Where a session is opened or a link is made, that answer has a token. So the key is as secret as the token, and a short
one, which could be guessed, is refused. Any key will do where events are recorded.
"""

from __future__ import annotations

import hmac

from flask import request
from werkzeug.exceptions import BadRequest

from ledger.api.http.openapi_words import header
from ledger.api.http.parsing import because, whole_body
from ledger.i18n.sentences import say
from ledger.services.idempotency_keys import IdempotencyKey

MIN_KEY, MAX_KEY = 22, 255
"""How many characters a key has: 22 are the fewest that hold 128 bits of chance."""

IDEMPOTENCY_KEY = {
    "Idempotency-Key": header(
        "A secret of 22 to 255 characters that nobody can guess, as a UUID: within 24 hours the same key with the same"
        " body makes nothing new, and is answered the same, with the same token.",
        minLength=MIN_KEY,
        maxLength=MAX_KEY,
    )
}


def idempotency_key(at_least: int = MIN_KEY) -> IdempotencyKey | None:
    """Read the key of a request, if it has one. It is unique in the session of the address, if there is one.

    The fingerprint is a MAC of the request by the key, so that it discloses nothing of the body. Of a report it covers
    the address and the body, where something is created also the query and the content type.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not at_least <= len(key) <= MAX_KEY:
        if at_least == 1:
            raise because(BadRequest, say("an Idempotency-Key has 1 to {most} characters", most=MAX_KEY))
        needed = say(
            "an Idempotency-Key has {least} to {most} characters here, and nobody can guess it: a UUID, for example",
            least=at_least,
            most=MAX_KEY,
        )
        raise because(BadRequest, needed)
    asked = [request.method, request.path]
    if at_least == MIN_KEY:
        asked += [request.full_path, request.mimetype, request.mimetype_params.get("charset", "")]
    fingerprint = hmac.digest(key.encode(), "\n".join(asked).encode() + b"\n" + whole_body(), "sha256")
    return IdempotencyKey(key, (request.view_args or {}).get("session_id"), fingerprint)
