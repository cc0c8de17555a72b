"""The API described by itself: OpenAPI 3.1 from the blueprints and schemas, and a page to read it by.

The page is Swagger UI from an installed package; nothing is fetched from elsewhere.
"""

from __future__ import annotations

from typing import Any

from apispec_oneofschema import MarshmallowPlugin
from flask import Flask, Response
from flask_smorest import Api
from flask_smorest.spec.plugins import FlaskPlugin
from flask_swagger_ui import get_swaggerui_blueprint

from ledger import __version__
from ledger.api import BLUEPRINTS
from ledger.api.door import answered
from schemas.sessions import ProblemSchema

ADDRESS = "/openapi.json"


class Described(Api):
    """The API, with failures told as this service tells them."""

    ERROR_SCHEMA = ProblemSchema  # type: ignore[assignment]

    def _register_error_handlers(self) -> None:
        """Leave failures to `errors.register_problems`."""

    def _register_pagination_header(self) -> None:
        """Leave the header out: a list says itself where it goes on."""


def describe(app: Flask) -> None:
    """Register every blueprint and serve the description at /openapi.json and /docs."""
    app.config |= {
        "API_TITLE": "Fuda Ledger",
        "API_VERSION": __version__,
        "OPENAPI_VERSION": "3.1.0",
    }
    api = Described(app, spec_kwargs={"marshmallow_plugin": MarshmallowPlugin()})
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    spec = with_problems(with_names(api.spec.to_dict(), app))

    @app.get(ADDRESS)
    def openapi() -> Response:
        return answered(spec)

    page = {"app_name": "Fuda Ledger", "validatorUrl": None}
    app.register_blueprint(get_swaggerui_blueprint("/docs", ADDRESS, config=page))


def with_names(spec: dict[str, Any], app: Flask) -> dict[str, Any]:
    """Name every operation as its view is named."""
    for rule in app.url_map.iter_rules():
        operations = spec["paths"].get(FlaskPlugin.flaskpath2openapi(rule.rule), {})
        for method in (rule.methods or set()) & {method.upper() for method in operations}:
            operations[method.lower()]["operationId"] = rule.endpoint.rpartition(".")[2]
    return spec


def with_problems(spec: dict[str, Any]) -> dict[str, Any]:
    """Document every failure as a problem, once, under the statuses that an operation really has."""
    problem = {
        "description": "What went wrong, as a problem (RFC 9457)",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    spec["components"]["responses"] = {"Problem": problem}
    for path in spec["paths"].values():
        for operation in path.values():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue
            kept = {code: told for code, told in operation["responses"].items() if code.startswith(("2", "3"))}
            operation["responses"] = {**kept, "default": {"$ref": "#/components/responses/Problem"}}
    return spec
