"""The API described by itself: OpenAPI 3.1 from the blueprints and schemas, and a page to read it by.

The page is Swagger UI from an installed package; nothing is fetched from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from math import inf
from typing import Any, cast

import orjson
from apispec_oneofschema import MarshmallowPlugin
from flask import Flask, Response, request
from flask_smorest import Api
from flask_smorest.spec.plugins import FlaskPlugin
from flask_swagger_ui import get_swaggerui_blueprint

from ledger import __version__
from ledger.answers.encoding import encoded
from ledger.answers.pages import Listing
from ledger.answers.problems import FACTS, Problem
from ledger.api import BLUEPRINTS
from ledger.api.bodies import NotationParser
from ledger.api.caching import OPENLY, tagged
from ledger.api.compression import compressed
from ledger.api.errors import TITLES
from ledger.api.openapi_words import (
    ABOUT,
    BEARER,
    GIVEN,
    LICENSE,
    NAMES,
    OF_ALL,
    OF_FAILURES,
    PATH,
    QUERY,
    SERVERS,
    failures_of,
    header,
    heeded,
)
from ledger.api.queries import NO_PARAMETERS, read_query
from ledger.api.room import Answered, Files, Room
from ledger.budget import breathe, limited
from ledger.cards import DECK_NAMES
from ledger.codec.files import File
from ledger.exports import FORMATS
from ledger.games import GAMES
from ledger.guards import POLICY
from ledger.guards import page as guard
from ledger.play import Event
from ledger.session import ChipValue
from schemas import requests
from schemas.components import SCHEMAS, Components, Json, camel

ADDRESS = "/openapi.json"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
"""The scripts that stand in a page."""

BRIEFLY = "x-return-minimal"
"""Beside an answer's schema: that of the one to `Prefer: return=minimal`. Generators stumble over `oneOf`."""


NOTATION: Json = {"type": "string", "minLength": 1, "description": "The same in the round notation, as UTF-8."}


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
            return compressed(tagged(Response(described(), content_type="application/json", headers=headers)))

    names = {"app_name": "Fuda Ledger", "validatorUrl": None, "oauth2RedirectUrl": "/docs/oauth2-redirect.html"}
    page = get_swaggerui_blueprint("/docs", ADDRESS, config=names)

    @page.before_request
    def check_query() -> None:
        if request.method != "OPTIONS":
            read_query(NO_PARAMETERS)

    @page.after_request
    def keep(response: Response) -> Response:
        if response.direct_passthrough or response.status_code != HTTPStatus.OK:
            return response  # a file says itself how long it may be kept
        response.headers["Cache-Control"] = OPENLY.control
        response.headers[POLICY] = guard(INLINE.findall(response.get_data(as_text=True)))
        return compressed(tagged(response))

    app.register_blueprint(page)
    app.add_url_rule("/docs", "swagger_ui.show", app.view_functions["swagger_ui.show"])


def description() -> Json:
    """Describe every blueprint, by an application of its own: one that serves takes no more of them."""
    app = Flask("described", static_folder=None)
    app.config |= {"API_TITLE": "Fuda Ledger", "API_VERSION": __version__, "OPENAPI_VERSION": "3.1.0"}
    api = Described(app, spec_kwargs={"marshmallow_plugin": MarshmallowPlugin()})
    for blueprint in BLUEPRINTS:
        breathe()
        api.register_blueprint(blueprint)
    spec = api.spec.to_dict()
    spec["info"] |= {"description": ABOUT, "license": LICENSE}
    spec["servers"] = SERVERS
    made: dict[str, Json] = {}
    told, taken = Components(made), Components(made, taken=True)
    taken.of_record(Event)
    taken.of_record(ChipValue)
    taken.of_record(File)
    del made["SessionFile"]["additionalProperties"]  # what a file tells people besides is not read
    requests.described(spec, taken)
    for path, rule_of, operation in operations(spec, app):
        of, _, operation["operationId"] = rule_of.partition(".")
        room = cast("Room", app.blueprints[of])
        if isinstance(room.ARGUMENTS_PARSER, NotationParser) and "requestBody" in operation:
            operation["requestBody"]["content"]["text/plain"] = {"schema": NOTATION}
        with_answer(operation, room.answered[operation["operationId"]], told)
        with_parameters(operation, spec["paths"][path].get("parameters", []), taken)
        with_failures(operation, path)
    with_examples(spec, app, made)
    spec["components"] = {"responses": problems(told), "securitySchemes": {"bearer": BEARER}}
    spec["components"]["schemas"] = dict(sorted(used(spec, made).items()))
    return spec


def with_answer(operation: Json, answered: Answered, told: Components) -> None:
    """Describe the records that an operation gives and the headers that come with them, and those that it heeds."""
    kind, heeds, briefly = answered
    headers = dict.fromkeys(("Cache-Control", *GIVEN.get(operation["operationId"], ()), *OF_ALL))
    if "304" in operation["responses"]:
        headers["ETag"] = None
    if isinstance(kind, Listing):
        headers["Link"] = None
        told.page(kind)
    elif isinstance(kind, type):
        told.of_record(kind)
    for code, answer in operation["responses"].items():
        if code.startswith(("2", "3")):
            answer["headers"] = {name: header(name) for name in headers}
            for media, content in answer.get("content", {}).items():
                if isinstance(kind, Files):
                    content["schema"] = a_file(media)
        if briefly is not None and code.startswith("2"):
            told.of_record(briefly)
            answer["content"]["application/json"][BRIEFLY] = told.made[told.name_of(briefly)]
    if heeds:
        operation["parameters"] = [
            *operation.get("parameters", ()),
            *(heeded(name, about, operation) for name, about in heeds.items()),
        ]


def a_file(media: str) -> Json:
    """Describe what a file of some kind holds, as far as it is described here."""
    if media == "application/json":
        return {"type": "object", "additionalProperties": True, "description": "What `POST /v1/sessions/import` takes."}
    if media.startswith("application/"):
        return {"type": "string", "format": "binary", "description": "A file."}
    return {"type": "string", "description": "A file, as text."}


def with_parameters(operation: Json, of_path: list[Json], taken: Components) -> None:
    """Describe parameters: what they mean, and the words that may stand there."""
    for told in of_path:
        about, schema = PATH.get(told["name"], (told["name"], {}))
        told["description"] = about
        words: Mapping[str, tuple[Iterable[str], str]] = {
            "game": (GAMES, "GameName"),
            "deck": (DECK_NAMES, "DeckName"),
            "form": (FORMATS, "ExportFormat"),
        }
        told["schema"] = taken.words(*words[told["name"]]) if told["name"] in words else schema
        if "examples" in schema:
            told["example"] = schema["examples"][0]
    for n, told in enumerate(operation.get("parameters", [])):
        if told["in"] == "query":
            if told["name"] == "game":
                told["example"] = "shippin"
            told["description"] = QUERY.get(told["name"], told.get("description", told["name"]))
            operation["parameters"][n] = requests.parameter(told, operation["operationId"], taken)


def with_examples(spec: Json, app: Flask, made: Mapping[str, Json]) -> None:
    """Show what can be sent and what is answered, as it was sent to a service and answered by it."""
    examples = orjson.loads(files("ledger.api").joinpath("examples.json").read_bytes())
    for kind, told in examples["events"].items():
        made[f"{camel(kind)}Event"]["examples"] = [told["sent"]]
        made[f"Stored{camel(kind)}Event"]["examples"] = [told["stored"]]
    for _, _, operation in operations(spec, app):
        of_call = examples["calls"].get(operation["operationId"], {})
        for media, several in of_call.get("sent", {}).items():
            operation["requestBody"]["content"][media]["examples"] = {
                name.replace(" ", "_"): {"summary": name.capitalize(), "value": value}
                for name, value in several.items()
            }
        answers = [answer for code, answer in operation["responses"].items() if code.startswith("2")]
        for content in (answer.get("content", {}) for answer in answers):
            for media in content.keys() & of_call.get("answer", {}).keys():
                content[media]["example"] = of_call["answer"][media]


def with_failures(operation: Json, path: str) -> None:
    """Document every failure as a problem, under the statuses that an operation really has."""
    operation.setdefault("security", [])
    kept = {code: told for code, told in operation["responses"].items() if code.startswith(("2", "3"))}
    failures = {str(status): failure(NAMES[status]) for status in sorted(failures_of(operation, path))}
    operation["responses"] = {**kept, **failures, "default": failure("Problem")}


def failure(name: str) -> Json:
    """Refer to a failure that several operations have."""
    return {"$ref": f"#/components/responses/{name}"}


def problems(told: Components) -> Json:
    """Describe every failure, once."""
    content = {"application/problem+json": {"schema": told.of_record(Problem)}}
    numbers = {name: {"type": "integer", "format": "int64", "description": about} for name, about in FACTS.items()}
    told.made["Problem"]["properties"] |= numbers
    named = {
        name: {
            "description": f"{TITLES[status]}.",
            "headers": {name: header(name) for name in (*OF_FAILURES.get(status, ()), *OF_ALL)},
            "content": content,
        }
        for status, name in NAMES.items()
    }
    return {**named, "Problem": {"description": "Anything else that went wrong (RFC 9457).", "content": content}}


def used(told: Any, schemas: Mapping[str, Json]) -> dict[str, Json]:
    """Give the schemas that something refers to, and those that they refer to."""
    found: dict[str, Json] = {}
    waiting = [told]
    while waiting:
        breathe()
        match waiting.pop():
            case {"$ref": str(address), **rest}:
                waiting.append(rest)
                name = address.rpartition("/")[2]
                if address.startswith(SCHEMAS) and name not in found:
                    found[name] = schemas[name]
                    waiting.append(schemas[name])
            case {**members}:
                waiting += members.values()
            case [*elements]:
                waiting += elements
    return found


def operations(spec: Json, app: Flask) -> Iterator[tuple[str, str, Json]]:
    """Give every operation that is described: its path, the name of its endpoint, and what is told of it."""
    for rule in app.url_map.iter_rules():
        path = FlaskPlugin.flaskpath2openapi(rule.rule)
        described = spec["paths"].get(path, {})
        for method in (rule.methods or set()) & {method.upper() for method in described}:
            yield path, rule.endpoint, described[method.lower()]
