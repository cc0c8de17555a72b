"""The API described by itself: OpenAPI 3.1 from the blueprints and schemas, and a page to read it by.

The page is Swagger UI from an installed package; nothing is fetched from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import inf
from typing import cast

from apispec_oneofschema import MarshmallowPlugin
from flask import Flask, Response
from flask_smorest import Api
from flask_smorest.spec.plugins import FlaskPlugin
from flask_swagger_ui import get_swaggerui_blueprint

from ledger import __version__
from ledger.answers.encoding import encoded
from ledger.answers.pages import Listing
from ledger.answers.problems import Problem
from ledger.api import BLUEPRINTS
from ledger.api.caching import OPENLY, tagged
from ledger.api.queries import NO_PARAMETERS, read_query
from ledger.api.room import Room
from ledger.budget import breathe, limited
from ledger.codec.files import File
from schemas.components import Components, Json, name_of, reference

ADDRESS = "/openapi.json"
BRIEFLY = "x-return-minimal"
"""Beside an answer's schema: that of the one to `Prefer: return=minimal`. Generators stumble over `oneOf`."""


class Described(Api):
    """The API, with failures and lists told as this service tells them."""

    ERROR_SCHEMA: Json = {}  # type: ignore[assignment]  # noqa: RUF012 - `with_problems` describes failures

    def _register_error_handlers(self) -> None:
        """Leave failures to `errors.register_problems`."""

    def _register_pagination_header(self) -> None:
        """Leave the header out: a list says itself where it goes on."""


def describe(app: Flask) -> None:
    """Register every blueprint and serve the description at /openapi.json and /docs.

    Describing takes longer than all else that is made at the start, and few ever read it: it is made when first asked
    for.
    """
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    described = cache(lambda: encoded(description()))

    @app.get(ADDRESS)
    def openapi() -> Response:
        read_query(NO_PARAMETERS)
        with limited(inf):
            headers = {"Cache-Control": OPENLY.control}
            return tagged(Response(described(), content_type="application/json", headers=headers))

    page = {"app_name": "Fuda Ledger", "validatorUrl": None}
    app.register_blueprint(get_swaggerui_blueprint("/docs", ADDRESS, config=page))


def description() -> Json:
    """Describe every blueprint, by an application of its own: one that serves takes no more of them."""
    app = Flask("described", static_folder=None)
    app.config |= {
        "API_TITLE": "Fuda Ledger",
        "API_VERSION": __version__,
        "OPENAPI_VERSION": "3.1.0",
    }
    api = Described(app, spec_kwargs={"marshmallow_plugin": MarshmallowPlugin()})
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    for blueprint in BLUEPRINTS:
        breathe()
        api.register_blueprint(blueprint)
    return with_answers(with_problems(api.spec.to_dict()), app)


def with_answers(spec: Json, app: Flask) -> Json:
    """Name every operation as its view is named; describe the records that it gives and the headers that it heeds."""
    schemas = spec["components"]["schemas"]
    components = Components(given=schemas.keys())
    components.of_record(Problem)
    components.of_record(File)
    components.made["File"]["additionalProperties"] = True  # what a file tells people besides is not read
    for name, operation in operations(spec, app):
        blueprint, _, operation["operationId"] = name.partition(".")
        room = cast("Room", app.blueprints[blueprint])
        kind, heeds, briefly = room.answered[operation["operationId"]]
        if isinstance(kind, Listing):
            components.page(kind)
        elif isinstance(kind, type):
            components.of_record(kind)
        if briefly is not None:
            components.of_record(briefly)
            for content in (told["content"] for code, told in operation["responses"].items() if code.startswith("2")):
                content["application/json"][BRIEFLY] = reference(name_of(briefly))
        headers = [
            {"in": "header", "name": header, "description": about, "schema": {"type": "string"}}
            for header, about in heeds.items()
        ]
        if headers:
            operation["parameters"] = [*operation.get("parameters", ()), *headers]
    schemas |= components.made
    return spec


def operations(spec: Json, app: Flask) -> Iterator[tuple[str, Json]]:
    """Give every operation that is described, with the name of its endpoint."""
    for rule in app.url_map.iter_rules():
        described = spec["paths"].get(FlaskPlugin.flaskpath2openapi(rule.rule), {})
        for method in (rule.methods or set()) & {method.upper() for method in described}:
            yield rule.endpoint, described[method.lower()]


def with_problems(spec: Json) -> Json:
    """Document every failure as a problem, once, under the statuses that an operation really has."""
    problem = {
        "description": "What went wrong, as a problem (RFC 9457)",
        "content": {"application/problem+json": {"schema": reference("Problem")}},
    }
    spec["components"]["responses"] = {"Problem": problem}
    for path in spec["paths"].values():
        for operation in path.values():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue
            kept = {code: told for code, told in operation["responses"].items() if code.startswith(("2", "3"))}
            operation["responses"] = {**kept, "default": {"$ref": "#/components/responses/Problem"}}
    return spec
