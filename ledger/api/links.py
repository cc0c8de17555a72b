"""Links: who else may look at a session or record in it."""

from __future__ import annotations

from flask import g

from ledger.api.auth import ALL, OWNER
from ledger.api.blueprint import ApiBlueprint, Reply, page
from ledger.api.caching import NO_STORE, PRIVATE_BY_LINKS
from ledger.api.here import desk
from ledger.api.once import ONCE, made_once
from ledger.idempotency import IdempotencyKey
from ledger.responses.links import Link, link_answer
from ledger.responses.pages import Listing, Page
from schemas.links import NewLink
from schemas.queries import LinksQuery, RevokingQuery

LINKS = Listing("LinkPage", "links", Link)

links = ApiBlueprint("links", __name__, description="Who may do what.", url_prefix="/v1/sessions")


@links.post("/<session_id>/links")
@links.answers(
    Link,
    201,
    to=OWNER,
    request_headers=ONCE,
    headers=("Idempotency-Replayed",),
    failures=(409, 503, 507),
    cache=NO_STORE,
)
@links.arguments(NewLink)
@made_once(lambda _session, link, token: Reply(link_answer(link, token)))
def make_link(body: NewLink, session_id: str, key: IdempotencyKey | None) -> Link:
    """Make a link for an owner, a scorer or a viewer.

    Its token is in this answer alone: the service stores only a digest of it.
    """
    return link_answer(*desk().access.add_link(session_id, body.role, body.label, body.expires_at, key))


@links.get("/<session_id>/links")
@links.answers(LINKS, to=OWNER, cache=PRIVATE_BY_LINKS)
@links.arguments(LinksQuery, location="query")
def list_links(query: LinksQuery, session_id: str) -> Page:
    """List the links of the session, revoked and expired ones included.

    Their tokens are not in it. `after` is how many links to pass over.
    """
    first, last = query.after, query.after + query.limit
    found = [link_answer(link, listed=True) for link in desk().store.links(session_id)[first : last + 1]]
    return page(LINKS, found, query.limit, lambda _link: last)


@links.get("/<session_id>/links/me")
@links.answers(Link, to=ALL)
def show_my_link(session_id: str) -> Link:  # noqa: ARG001 - the session has been looked up by the link
    """Show the link whose token the request has.

    Its id, its role, its label, and when it ends.
    """
    return link_answer(g.link)


@links.delete("/<session_id>/links/<link_id>")
@links.answers(status=204, to=OWNER, failures=(409, 503, 507))
@links.arguments(RevokingQuery, location="query")
def revoke_link(query: RevokingQuery, session_id: str, link_id: str) -> None:
    """Revoke a link.

    Its token is refused from then on; other links stay. Revoking the last active owner link requires `even_if_last`.
    """
    desk().access.revoke_link(session_id, link_id, even_if_last=query.even_if_last)
