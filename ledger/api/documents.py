"""The description of the API at /openapi.json, and a page to read it by at /docs.

The page is Swagger UI from an installed package; nothing is fetched from elsewhere.
"""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus

from flask import Flask, Response, request
from flask_swagger_ui import get_swaggerui_blueprint

from ledger.api.http.conditional import PUBLIC, tagged_by_body
from ledger.api.http.middleware import POLICY, page_policy
from ledger.api.http.parsing import read_query
from ledger.codec.encoding import encoded
from schemas.requests import NoQuery

ADDRESS = "/openapi.json"
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def serve_documents(app: Flask) -> None:
    """Serve the description, which is made for the first request, at /openapi.json and /docs."""

    @cache
    def described() -> bytes:
        from ledger.api.http.openapi import description  # noqa: PLC0415 - for the first request

        return encoded(description())

    @app.get(ADDRESS)
    def openapi() -> Response:
        read_query(NoQuery)
        headers = {"Cache-Control": PUBLIC.control}
        return tagged_by_body(Response(described(), content_type="application/json", headers=headers))

    names = {"app_name": "Fuda Ledger", "validatorUrl": None, "oauth2RedirectUrl": "/docs/oauth2-redirect.html"}
    page = get_swaggerui_blueprint("/docs", ADDRESS, config=names)

    @page.before_request
    def check_query() -> None:
        if request.method != "OPTIONS":
            read_query(NoQuery)

    @page.after_request
    def add_headers(response: Response) -> Response:
        if response.direct_passthrough or response.status_code != HTTPStatus.OK:
            return response  # files have a Cache-Control of their own
        response.headers["Cache-Control"] = PUBLIC.control
        response.headers[POLICY] = page_policy(INLINE_SCRIPT.findall(response.get_data(as_text=True)))
        return tagged_by_body(response)

    app.register_blueprint(page)
    app.add_url_rule("/docs", "swagger_ui.show", app.view_functions["swagger_ui.show"])
