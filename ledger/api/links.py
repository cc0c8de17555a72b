"""Links: who else may look at a session or record in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import g

from ledger.access import Once
from ledger.answers.links import Link, link_answer
from ledger.answers.pages import Listing, Page
from ledger.api.caching import LINKS as BY_LINKS
from ledger.api.caching import NEVER
from ledger.api.here import desk
from ledger.api.once import ONCE, made_once
from ledger.api.roles import ALL, OWNER
from ledger.api.room import Reply, Room, page
from schemas.links import NewLinkSchema, RevokingQuery
from schemas.pages import PageQuery

LINKS = Listing("LinkPage", "links", Link)

links = Room("links", __name__, description="Who may do what.", url_prefix="/v1/sessions")


@links.post("/<session_id>/links")
@links.answers(Link, 201, to=OWNER, heeds=ONCE, keeping=NEVER)
@links.arguments(NewLinkSchema)
@made_once(lambda _session, link, token: Reply(link_answer(link, token)))
def make_link(body: Mapping[str, Any], session_id: str, once: Once | None) -> Link:
    """Make a link. Its token is shown this once."""
    return link_answer(*desk().add_link(session_id, body["role"], body["label"], body["expires_at"], once))


@links.get("/<session_id>/links")
@links.answers(LINKS, to=OWNER, keeping=BY_LINKS)
@links.arguments(PageQuery, location="query")
def list_links(query: Mapping[str, Any], session_id: str) -> Page:
    """List the links, dead ones included, without their tokens; `after` is how many to pass over."""
    first, last = query["after"], query["after"] + query["limit"]
    found = [link_answer(link, listed=True) for link in desk().store.links(session_id)[first : last + 1]]
    return page(LINKS, found, query["limit"], lambda _link: last)


@links.get("/<session_id>/links/me")
@links.answers(Link, to=ALL)
def show_my_link(session_id: str) -> Link:  # noqa: ARG001 - the session has been looked up by the link
    """Show the link in use: which it is, what it may do, what it is called, and until when."""
    return link_answer(g.link)


@links.delete("/<session_id>/links/<link_id>")
@links.answers(status=204, to=OWNER)
@links.arguments(RevokingQuery, location="query")
def revoke_link(query: Mapping[str, Any], session_id: str, link_id: str) -> None:
    """Make one link dead; the others live on. The last one that owns the session only if that is said to be meant."""
    desk().revoke_link(session_id, link_id, even_if_last=query["even_if_last"])
