"""The description of the API at /openapi.json, and a page to read it by at /docs.

The page is Swagger UI from an installed package; nothing is fetched from elsewhere.
"""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus

from flask import Flask, Response, request
from flask_swagger_ui import get_swaggerui_blueprint

from ledger.api import BLUEPRINTS
from ledger.api.caching import PUBLIC, tagged
from ledger.api.parsing import read_query
from ledger.codec.encoding import encoded
from ledger.middleware import POLICY, page_policy
from schemas.queries import NoQuery

ADDRESS = "/openapi.json"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
"""The scripts that stand in a page."""


def describe(app: Flask) -> None:
    """Register every blueprint and serve the description, made when first asked for, at /openapi.json and /docs."""
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)

    @cache
    def described() -> bytes:
        from ledger.api.openapi import description  # noqa: PLC0415 - made, and imported, when it is first asked for

        return encoded(description())

    @app.get(ADDRESS)
    def openapi() -> Response:
        read_query(NoQuery)
        return tagged(Response(described(), content_type="application/json", headers={"Cache-Control": PUBLIC.control}))

    names = {"app_name": "Fuda Ledger", "validatorUrl": None, "oauth2RedirectUrl": "/docs/oauth2-redirect.html"}
    page = get_swaggerui_blueprint("/docs", ADDRESS, config=names)

    @page.before_request
    def check_query() -> None:
        if request.method != "OPTIONS":
            read_query(NoQuery)

    @page.after_request
    def keep(response: Response) -> Response:
        if response.direct_passthrough or response.status_code != HTTPStatus.OK:
            return response  # a file says itself how long it may be kept
        response.headers["Cache-Control"] = PUBLIC.control
        response.headers[POLICY] = page_policy(INLINE.findall(response.get_data(as_text=True)))
        return tagged(response)

    app.register_blueprint(page)
    app.add_url_rule("/docs", "swagger_ui.show", app.view_functions["swagger_ui.show"])
