"""Sessions: opening one, and seeing where it stands."""

from __future__ import annotations

from typing import Any

from flask import url_for
from werkzeug.routing import BaseConverter

from ledger.api.http.auth import ALL, OWNER
from ledger.api.http.blueprint import WRITING, ApiBlueprint, Reply
from ledger.api.http.conditional import PRIVATE_BY_VIEW, if_match, is_not_modified
from ledger.api.http.current import session_service
from ledger.api.http.openapi_words import header
from ledger.api.http.parsing import reader
from ledger.api.http.rate_limits import OPENING
from ledger.i18n.sentences import Malformed, WrongParameter, say
from ledger.responses.reports import Verified
from ledger.responses.sessions import Opened, Session, link_answer, session_answer
from ledger.services.idempotency_keys import IdempotencyKey
from ledger.services.recording import PreconditionFailed
from ledger.services.verification import verify
from ledger.session import history
from ledger.session.refusals import PotTooLarge, RoundIsOpen
from ledger.storage.stored import StoredLink
from schemas.requests import AtQuery, DeletionQuery
from schemas.sessions import NewSession

IF_MATCH = {"If-Match": header("A seq, as an ETag has it: nothing is deleted (412) if the session has moved on.")}

sessions = ApiBlueprint("sessions", "Sittings at one table, playing one game.", "/v1/sessions")


class UnlessImport(BaseConverter):
    """The id of a session; `import` is not one, as that address has other methods."""

    regex = "(?!import$)[^/]+"
    part_isolating = True


sessions.record(lambda setup: setup.app.url_map.converters.update(unless_import=UnlessImport))


def opened(session: history.Session, link: StoredLink, token: str) -> Reply:
    """Answer with a session just opened, and its owner's link."""
    response = Opened(session_answer(session), link_answer(link, token))
    address = url_for("sessions.show_session", session_id=session.id)
    return Reply(response, {"Location": address, "ETag": f'"{session.state.seq}"'})


OPENS = dict[str, Any](kind=Opened, status=201, by_key=True, creates=opened, headers=("Location", "ETag"))
"""What opening and importing a session have in common."""


@sessions.post("", **OPENS, rate=OPENING, raises=(RoundIsOpen, PotTooLarge))
def open_session(body: NewSession, key: IdempotencyKey | None) -> Reply:
    """Open a session, or the next one of the same people (`continues`).

    The owner's token is in this answer alone. Where the operator has set a key, it is the bearer token of this request.
    """
    if body.continues is not None:
        earlier, brought = session_service().continue_session(body.continues)
        return opened(*session_service().open(body.opening(earlier), brought, key))
    return opened(*session_service().open(body.opening(), key=key))


@sessions.get("/<unless_import:session_id>", Session, to=ALL, cache=PRIVATE_BY_VIEW)
def show_session(query: AtQuery, session_id: str) -> Reply:
    """Show where the table stands, or stood at an earlier event (`at`).

    The players and their balances, the house rules, and the open round with what may be reported next. The ETag is the
    seq of the last event; If-None-Match is answered 304.
    """
    if query.at is None and is_not_modified(str(seq := session_service().store.head(session_id).seq)):
        return Reply(None, {"ETag": f'"{seq}"'}, 304)
    response = session_answer(session_service().session(session_id, query.at))
    return Reply(response, {"ETag": f'"{response.seq}"'})


@sessions.delete(
    "/<unless_import:session_id>", to=OWNER, request_headers=IF_MATCH, raises=(PreconditionFailed, *WRITING)
)
def delete_session(query: DeletionQuery, session_id: str) -> None:
    """Delete the session and all that is in it, for good.

    To make sure, its id stands in the query once more (`confirm`).
    """
    if query.confirm != session_id:
        needed = say("the id of the session is needed once more: it will be deleted for good")
        raise Malformed(WrongParameter("confirm", needed))
    session_service().delete(session_id, if_match())


@sessions.get("/<session_id>/verify", to=OWNER, in_language=True)
def verify_session(session_id: str) -> Verified:
    """Verify the whole record of the session.

    The chain of hashes, the texts, and the books, which are worked out again from the log.
    """
    return verify(session_service().store, session_id, reader())
