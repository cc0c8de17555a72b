"""Links: who else may look at a session or record in it."""

from __future__ import annotations

from flask import g

from ledger.api.http.auth import ALL, OWNER
from ledger.api.http.blueprint import WRITING, ApiBlueprint, Reply, page
from ledger.api.http.conditional import NO_STORE, PRIVATE_BY_LINKS
from ledger.api.http.current import session_service
from ledger.responses.sessions import Link, link_answer
from ledger.responses.shared import Listing, Page
from ledger.services.access import LastOwnerLink
from ledger.services.idempotency_keys import IdempotencyKey
from ledger.session.refusals import LinksAreUsedUp, TooManyLinks
from schemas.requests import LinksQuery, NewLink, RevokingQuery

LINKS = Listing("LinkPage", "links", Link)

links = ApiBlueprint("links", "Who may do what.", "/v1/sessions")


@links.post(
    "/<session_id>/links",
    status=201,
    to=OWNER,
    creates=lambda _session, link, token: Reply(link_answer(link, token)),
    raises=[TooManyLinks, LinksAreUsedUp],
    cache=NO_STORE,
)
def make_link(body: NewLink, session_id: str, key: IdempotencyKey | None) -> Link:
    """Make a link for an owner, a scorer or a viewer.

    Its token is in this answer alone: the service stores only a digest of it.
    """
    return link_answer(*session_service().access.add_link(session_id, body.role, body.label, body.expires_at, key))


@links.get("/<session_id>/links", LINKS, to=OWNER, cache=PRIVATE_BY_LINKS)
def list_links(query: LinksQuery, session_id: str) -> Page:
    """List the links of the session, revoked and expired ones included.

    Their tokens are not in it. `after` is how many links to pass over.
    """
    first, last = query.after, query.after + query.limit
    found = [link_answer(link, listed=True) for link in session_service().store.links(session_id)[first : last + 1]]
    return page(LINKS, found, query.limit, lambda _link: last)


@links.get("/<session_id>/links/me", to=ALL)
def show_my_link(session_id: str) -> Link:  # noqa: ARG001 - the session has been looked up by the link
    """Show the link whose token the request has.

    Its id, its role, its label, and when it ends.
    """
    return link_answer(g.link)


@links.delete("/<session_id>/links/<link_id>", to=OWNER, raises=(LastOwnerLink, *WRITING))
def revoke_link(query: RevokingQuery, session_id: str, link_id: str) -> None:
    """Revoke a link.

    Its token is refused from then on; other links stay. Revoking the last active owner link requires `even_if_last`.
    """
    session_service().access.revoke_link(session_id, link_id, even_if_last=query.even_if_last)
