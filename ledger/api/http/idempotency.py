"""What is made once, however often it is asked for: `Idempotency-Key` where a session is opened or a link is made.

    @sessions.post("")
    @sessions.answers(Opened, 201, request_headers=ONCE)
    @made_once(opened)
    def open_session(opening: Opening, key: IdempotencyKey | None) -> Reply:

A phone that got no answer asks again with the same key, and is answered what the first request made, with the same
token. So the key is a secret as good as the token, and one that could be guessed is refused.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from flask import request

from ledger.api.blueprint import Reply
from ledger.api.here import desk
from ledger.api.parsing import Unreadable, whole_body
from ledger.history import Session
from ledger.idempotency import IdempotencyKey
from ledger.sentences import say
from ledger.storage.errors import AlreadyProcessed
from ledger.storage.records import StoredLink

View = TypeVar("View", bound=Callable[..., Any])

LEAST_KEY, MAX_KEY = 22, 255
"""How many characters a key has: 22 are the fewest that hold 128 bits of chance."""

ONCE = {
    "Idempotency-Key": {
        "description": "A secret of 22 to 255 characters that nobody can guess, as a UUID: within 24 hours the same key"
        " with the same body makes nothing new, and is answered the same, with the same token.",
        "minLength": LEAST_KEY,
        "maxLength": MAX_KEY,
    }
}


def made_once(tell: Callable[[Session, StoredLink, str], Reply]) -> Callable[[View], View]:
    """Give a view the key it was asked with; what was made with it before is told again."""

    def decorate(view: View) -> View:
        @wraps(view)
        def make(*args: Any, **named: Any) -> Any:
            key = asked_once()
            if key is None:
                return view(*args, key=None, **named)
            try:
                desk().need_new(key)
                return view(*args, key=key, **named)
            except AlreadyProcessed:
                again = tell(*desk().made_by(key))
            return again._replace(headers={**again.headers, "Idempotency-Replayed": "true"})

        return cast("View", make)

    return decorate


def asked_once() -> IdempotencyKey | None:
    """Read the key of a request, if it has one: for opening sessions it is the service's, for links their session's."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not LEAST_KEY <= len(key) <= MAX_KEY:
        needed = say(
            "an Idempotency-Key has {least} to {most} characters here, and nobody can guess it: a UUID, for example",
            least=LEAST_KEY,
            most=MAX_KEY,
        )
        raise Unreadable(needed)
    return IdempotencyKey(key, (request.view_args or {}).get("session_id"), fingerprint(key))


def fingerprint(key: str) -> bytes:
    """Tell this request from others with the same key; without the key nobody finds out who is named in the body."""
    kind = f"{request.mimetype} {request.mimetype_params.get('charset', '')}".strip()
    asked = (f"{request.method} {request.path}".encode(), request.query_string, kind.encode())
    return hmac.digest(key.encode(), b"\n".join((*asked, whole_body())), "sha256")
