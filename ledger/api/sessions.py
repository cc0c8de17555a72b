"""Sessions: opening one, and seeing where it stands."""

from __future__ import annotations

from flask import request, url_for
from flask.sansio.blueprints import BlueprintSetupState
from werkzeug.routing import Map, UnicodeConverter

from ledger import history
from ledger.api.auth import ALL, OWNER, may_open
from ledger.api.blueprint import ApiBlueprint, Reply
from ledger.api.caching import IF_NONE_MATCH, NOT_MODIFIED, expected, is_not_modified
from ledger.api.here import desk
from ledger.api.languages import ACCEPT_LANGUAGE, IN_LANGUAGE, reader
from ledger.api.once import ONCE, made_once
from ledger.api.rates import OPENING, RATES, not_too_often
from ledger.idempotency import IdempotencyKey
from ledger.responses.links import link_answer
from ledger.responses.sessions import Opened, Session, session_answer
from ledger.responses.verification import Verified, verified_answer
from ledger.sentences import Malformed, WrongParameter, say
from ledger.storage.records import StoredLink
from schemas.queries import AtQuery, DeletionQuery
from schemas.sessions import NewSession

IF_MATCH = {
    "If-Match": {"description": "A seq, as an ETag has it: nothing is deleted (412) if the session has moved on."}
}
OPENED_HEADERS = ("Location", "ETag", "Idempotency-Replayed", *RATES)

sessions = ApiBlueprint(
    "sessions", __name__, description="Sittings at one table, playing one game.", url_prefix="/v1/sessions"
)


class UnlessImport(UnicodeConverter):
    """The id of a session, but for `import`, which is an address of its own: it has not the methods of this one."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map)
        self.regex = f"(?!import$){self.regex}"


@sessions.record
def know_ids(setup: BlueprintSetupState) -> None:
    """Let addresses of this room have such ids."""
    setup.app.url_map.converters["unless_import"] = UnlessImport


def opened(session: history.Session, link: StoredLink, token: str) -> Reply:
    """Answer with a session just opened, and its owner's link."""
    response = Opened(session_answer(session), link_answer(link, token))
    address = url_for("sessions.show_session", session_id=session.id)
    return Reply(response, {"Location": address, "ETag": f'"{session.state.seq}"'})


@sessions.before_request
def check_opening() -> None:
    """Ask for the operator's key, if there is one, before a new session is looked at any closer."""
    if request.endpoint == "sessions.open_session" and request.method == "POST":
        may_open()
        not_too_often(OPENING)


@sessions.post("")
@sessions.answers(Opened, 201, by_key=True, request_headers=ONCE, headers=OPENED_HEADERS, failures=(409, 503, 507))
@sessions.arguments(NewSession)
@made_once(opened)
def open_session(asked: NewSession, key: IdempotencyKey | None) -> Reply:
    """Open a session, or the next one of the same people (`continues`).

    The owner's token is in this answer alone. Where the operator has set a key, it is the bearer token of this request.
    """
    if asked.continues is not None:
        earlier, brought = desk().next_evening(asked.continues)
        return opened(*desk().open(asked.opening(earlier), brought, key))
    return opened(*desk().open(asked.opening(), key=key))


@sessions.get("/<unless_import:session_id>")
@sessions.answers(Session, to=ALL, request_headers=IF_NONE_MATCH, headers=("ETag",), also=NOT_MODIFIED)
@sessions.arguments(AtQuery, location="query")
def show_session(query: AtQuery, session_id: str) -> Reply:
    """Show where the table stands, or stood at an earlier event (`at`).

    The players and their balances, the house rules, and the open round with what may be reported next. The ETag is the
    seq of the last event; If-None-Match is answered 304.
    """
    if query.at is None and is_not_modified(str(seq := desk().head(session_id).seq)):
        return Reply(None, {"ETag": f'"{seq}"'}, 304)
    response = session_answer(desk().session(session_id, query.at))
    return Reply(response, {"ETag": f'"{response.seq}"'})


@sessions.delete("/<unless_import:session_id>")
@sessions.answers(status=204, to=OWNER, request_headers=IF_MATCH, failures=(412, 503, 507))
@sessions.arguments(DeletionQuery, location="query")
def delete_session(query: DeletionQuery, session_id: str) -> None:
    """Delete the session and all that is in it, for good.

    To make sure, its id stands in the query once more (`confirm`).
    """
    if query.confirm != session_id:
        needed = say("the id of the session is needed once more: it will be deleted for good")
        raise Malformed(WrongParameter("confirm", needed))
    desk().delete(session_id, expected() if "If-Match" in request.headers else None)


@sessions.get("/<session_id>/verify")
@sessions.answers(Verified, to=OWNER, request_headers=ACCEPT_LANGUAGE, headers=IN_LANGUAGE)
def verify_session(session_id: str) -> Reply:
    """Verify the whole record of the session.

    The chain of hashes, the texts, and the books, which are worked out again from the log.
    """
    language = reader()
    response = verified_answer(desk().verify(session_id), language)
    return Reply(response, {"Content-Language": language, "Vary": "Accept-Language"})
