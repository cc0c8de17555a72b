"""Links: who else may look at a session or record in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from ledger.api.door import OWNER, Room, answered, desk, paged, requires_role
from schemas.sessions import LinkPage, LinkSchema, NewLinkSchema, PageQuery, dump_link

links = Room("links", __name__, description="Who may do what.", url_prefix="/v1/sessions")


@links.post("/<session_id>/links")
@requires_role(*OWNER)
@links.arguments(NewLinkSchema)
@links.response(201, LinkSchema)
def make_link(body: Mapping[str, Any], session_id: str) -> Response:
    """Make a link. Its token is shown this once."""
    link, token = desk().add_link(session_id, body["role"], body["label"], body["expires_at"])
    return answered(dump_link(link, token), 201)


@links.get("/<session_id>/links")
@requires_role(*OWNER)
@links.arguments(PageQuery, location="query")
@links.response(200, LinkPage)
def list_links(query: Mapping[str, Any], session_id: str) -> Response:
    """List the links, dead ones included, without their tokens; `after` is how many to pass over."""
    first, last = query["after"], query["after"] + query["limit"]
    told = [dump_link(link) for link in desk().store.links(session_id)[first : last + 1]]
    return paged("links", told, query["limit"], lambda _link: last)


@links.delete("/<session_id>/links/<link_id>")
@requires_role(*OWNER)
@links.response(204)
def revoke_link(session_id: str, link_id: str) -> Response:
    """Make one link dead; the others live on."""
    desk().revoke_link(session_id, link_id)
    return Response(status=204)
