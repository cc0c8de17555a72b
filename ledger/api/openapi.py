"""The API described by itself: OpenAPI 3.1 from the blueprints and schemas, and a page to read it by.

The page is Swagger UI from an installed package; nothing is fetched from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from inspect import cleandoc
from typing import Any, cast

import msgspec
from flask import Flask, Response, request
from flask_swagger_ui import get_swaggerui_blueprint
from marshmallow import Schema
from werkzeug.routing import Rule

from ledger import __version__
from ledger.api import BLUEPRINTS
from ledger.api.blueprint import ApiBlueprint, Files, Kind, Operation, OrBriefly
from ledger.api.caching import PUBLIC, tagged
from ledger.api.errors import TITLES
from ledger.api.openapi_words import BEARER, HEADERS, INFO, NAMES, OF_ALL, OF_FAILURES, PATH, SERVERS
from ledger.api.parsing import NO_PARAMETERS, read_query
from ledger.cards import DECK_NAMES
from ledger.codec.files import File
from ledger.codec.json_text import read_json
from ledger.codec.writer import encoded
from ledger.games import GAMES
from ledger.middleware import POLICY, page_policy
from ledger.responses.pages import Listing
from ledger.responses.problems import FACTS, Problem
from schemas.components import SCHEMAS, Components, Json, camel, reference
from schemas.requests import body, parameters
from schemas.unions import open_answers, whole_or_brief

ADDRESS = "/openapi.json"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
"""The scripts that stand in a page."""

REFERENCE = re.compile(rf'"{SCHEMAS}(\w+)"')
"""The name of a schema in JSON that refers to it."""

FOR_PEOPLE: Json = {
    name: {"description": f"For people to read: {about}. `POST /v1/sessions/import` ignores it."}
    for name, about in {
        "session": "where the session stands",
        "events": "the log, as answers have it",
        "rounds": "every round",
    }.items()
}
"""What an `export.json` has besides what is imported again."""


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
        headers = {"Cache-Control": PUBLIC.control}
        return tagged(Response(described(), content_type="application/json", headers=headers))

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
        response.headers["Cache-Control"] = PUBLIC.control
        response.headers[POLICY] = page_policy(INLINE.findall(response.get_data(as_text=True)))
        return tagged(response)

    app.register_blueprint(page)
    app.add_url_rule("/docs", "swagger_ui.show", app.view_functions["swagger_ui.show"])


def description() -> Json:
    """Describe every operation, and whatever any of them refers to.

    The blueprints are registered on an application of its own for it, which knows their addresses.
    """
    app, made = Flask("described", static_folder=None), dict[str, Json]()
    responses, requests = Components(made), Components(made, taken=True)
    requests.of_record(File)
    del made["SessionFile"]["additionalProperties"]
    made["SessionFile"]["properties"] |= FOR_PEOPLE
    examples = read_json(files("ledger.api").joinpath("examples.json").read_bytes())
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    paths: dict[str, Json] = {}
    for rule in app.url_map.iter_rules():
        path = paths.setdefault(re.sub(r"<(?:[^<>]+:)?(\w+)>", r"{\1}", rule.rule), {})
        if rule.arguments:
            path["parameters"] = [in_path(name, requests) for name in re.findall(r"(\w+)>", rule.rule)]
        described = operation(rule, app, requests, responses)
        with_examples(described, examples["calls"].get(described["operationId"], {}))
        path |= {method.lower(): described for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    for kind, shown in examples["events"].items():
        made[f"{camel(kind)}Event"]["examples"] = [shown["sent"]]
        made[f"Stored{camel(kind)}Event"]["examples"] = [shown["stored"]]
    open_answers(made)
    of_all = {"responses": problems(responses), "securitySchemes": {"bearer": BEARER}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fuda Ledger", "version": __version__, **INFO},
        "servers": SERVERS,
        "tags": [{"name": each.name, "description": each.description} for each in BLUEPRINTS],
        "paths": paths,
        "components": {**of_all, "schemas": dict(sorted(used([paths, of_all], made).items()))},
    }


def operation(rule: Rule, app: Flask, requests: Components, responses: Components) -> Json:
    """Describe one operation: the view that has an address."""
    tag, _, name = rule.endpoint.partition(".")
    view = cast("ApiBlueprint", app.blueprints[tag]).operations[name]
    summary, _, rest = cleandoc(app.view_functions[rule.endpoint].__doc__ or "").partition("\n\n")
    headers = ({"in": "header", "name": header, **as_text(about)} for header, about in view.request_headers.items())
    described = {
        "operationId": name,
        "tags": [tag],
        "summary": summary,
        "description": rest,
        "security": view.security,
        "parameters": [*parameters(view.query, name, requests), *headers],
        "requestBody": request_body(view, requests),
        "responses": {**answers(view, responses), **failures(view, takes_an_id=bool(rule.arguments))},
    }
    return {member: value for member, value in described.items() if value or member == "security"}


def in_path(name: str, requests: Components) -> Json:
    """Describe a parameter of the address."""
    words: Mapping[str, tuple[Iterable[str], str]] = {"game": (GAMES, "GameName"), "deck": (DECK_NAMES, "DeckName")}
    schema = dict(PATH[name])
    about = {"description": schema.pop("description"), "example": schema["examples"][0]}
    return {
        "in": "path",
        "name": name,
        "required": True,
        **about,
        "schema": requests.words(*words[name]) if name in words else schema,
    }


def as_text(header: Json) -> Json:
    """Describe a header: what it means, and what its text is like."""
    schema = {"type": "string", **header}
    return {"description": schema.pop("description"), "schema": schema}


def request_body(view: Operation, requests: Components) -> Json | None:
    """Describe the body of a request, in each of its media types."""
    content = {
        media: {"schema": body(schema, requests) if isinstance(schema, Schema) else schema}
        for media, schema in view.bodies.items()
    }
    return {"required": True, "content": content} if content else None


def answers(view: Operation, responses: Components) -> Json:
    """Describe what an operation answers where nothing fails, and the headers of it."""
    names = {"Cache-Control", *view.headers, *OF_ALL, *(["Link"] if isinstance(view.kind, Listing) else [])}
    headers = {name: as_text(HEADERS[name]) for name in HEADERS if name in names}
    content = contents(view.kind, responses)
    statuses = {view.status: HTTPStatus(view.status).phrase, **view.also}
    return {
        str(status): {
            "description": about,
            "headers": headers,
            **({"content": content} if content and status < 300 else {}),
        }
        for status, about in statuses.items()
    }


def contents(kind: Kind, responses: Components) -> Json:
    """Describe what an operation gives, by media type."""
    match kind:
        case None:
            return {}
        case Files(media):
            return {each: {"schema": a_file(each)} for each in media}
        case OrBriefly(usual, briefly):
            both = [responses.described(usual), responses.described(briefly)]
            whole = responses.named(responses.name_of(usual), lambda: whole_or_brief(*both))
            return {"application/json": {"schema": whole}}
        case Listing():
            responses.page(kind)
            return {"application/json": {"schema": reference(kind.name)}}
    return {"application/json": {"schema": responses.of_record(kind)}}


def a_file(media: str) -> Json:
    """Describe what a file of some kind holds, as far as it is described here."""
    if media == "application/json":
        return reference("SessionFile")
    if media.startswith("application/"):
        return {"type": "string", "format": "binary", "description": "A file."}
    return {"type": "string", "description": "A file, as text."}


def failures(view: Operation, *, takes_an_id: bool) -> Json:
    """Describe how an operation can fail: by what it takes and needs, and as its view says."""
    found = {422, *view.failures}
    if view.security:
        found |= {401, 429}
    if view.security == [{"bearer": []}]:
        found |= {403, 404}
    if takes_an_id:
        found |= {404}
    if view.bodies:
        found |= {400, 413, 415}
    return {**{str(status): failure(NAMES[status]) for status in sorted(found)}, "default": failure("Problem")}


def failure(name: str) -> Json:
    """Refer to a failure that several operations have."""
    return {"$ref": f"#/components/responses/{name}"}


def with_examples(operation: Json, shown: Json) -> None:
    """Show what can be sent and what is answered, as it was sent to a service and answered by it."""
    for media, several in shown.get("sent", {}).items():
        operation["requestBody"]["content"][media]["examples"] = {
            name.replace(" ", "_"): {"summary": name.capitalize(), "value": value} for name, value in several.items()
        }
    for answer in operation["responses"].values():
        for media, content in answer.get("content", {}).items():
            if media in shown.get("answer", {}):
                content["example"] = shown["answer"][media]


def problems(responses: Components) -> Json:
    """Describe every failure, once."""
    content = {"application/problem+json": {"schema": responses.of_record(Problem)}}
    numbers = {name: {"type": "integer", "format": "int64", "description": about} for name, about in FACTS.items()}
    responses.made["Problem"]["properties"] |= numbers
    named = {
        name: {
            "description": f"{TITLES[status]}.",
            "headers": {name: as_text(HEADERS[name]) for name in (*OF_FAILURES.get(status, ()), *OF_ALL)},
            "content": content,
        }
        for status, name in NAMES.items()
    }
    return {**named, "Problem": {"description": "Anything else that went wrong (RFC 9457).", "content": content}}


def used(root: Any, schemas: Mapping[str, Json]) -> dict[str, Json]:
    """Give the schemas that something refers to, and those that they refer to."""
    found, waiting = dict[str, Json](), [root]
    while waiting:
        for name in set(REFERENCE.findall(msgspec.json.encode(waiting.pop()).decode())) - found.keys():
            found[name] = schemas[name]
            waiting.append(schemas[name])
    return found
