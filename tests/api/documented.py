"""A client that holds every answer, and every body that was taken, against /openapi.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator, ValidationError, validators
from jsonschema.protocols import Validator
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from ledger.games import from_shelf
from tests.scorekeeper import Json

TOO_MANY_TO_CHECK_EACH = 20
"""Of a longer list only the first elements are held against the schema, to save time; they are all made alike."""


class DocumentedClient(FlaskClient):
    """A test client that trusts nothing it is answered."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        answer = super().open(*args, **kwargs)
        check(self.application, answer)
        if answer.status_code < 300 and kwargs.get("json") is not None:
            check_request(self.application, answer, kwargs["json"])
        return answer


def check(app: Flask, answer: TestResponse) -> None:
    """Hold an answer against the documentation of its address and method. Raises AssertionError."""
    if answer.status_code >= 400:
        check_problem(answer)
    operation = operation_of(app, answer)
    if operation is None:
        return
    status = str(answer.status_code)
    documented = operation["responses"].get(status)
    if documented is None and answer.status_code in ANYWHERE:
        documented = operation["responses"]["default"]
    elif answer.status_code >= 400 and answer.request.method != "HEAD":
        assert answer.get_json()["code"] in operation["x-problem-codes"][status], operation["operationId"]
    assert documented, f"{status} is not documented of {operation['operationId']}"
    if "$ref" in documented:
        documented = spec_of(app)["components"]["responses"][documented["$ref"].rpartition("/")[2]]
    check_headers(operation, documented, answer)
    if not documented.get("content"):
        assert answer.data == b""
        return
    kind = answer.mimetype or ""
    assert kind in documented["content"], kind
    if kind.endswith("json") and answer.request.method != "HEAD":
        check_body(app, answer, documented["content"][kind]["schema"], answer.json)


ANYWHERE = {400, 403, 405, 429, 500, 503, 507}
"""What can go wrong with any call, and is documented as `default` where it is not to be expected."""

TOLD_OF_ALL = {"Content-Type", "Content-Length", "Vary", "Content-Language", "Cache-Control", "Retry-After", "Allow"}
TOLD_OF_ALL |= {"RateLimit", "RateLimit-Policy"}  # also where something else than the rate is wrong
TOLD_OF_ALL |= {"Content-Security-Policy", "Referrer-Policy", "Cross-Origin-Resource-Policy"}
"""Headers that any answer may have."""


def check_headers(operation: Json, documented: Json, answer: TestResponse) -> None:
    """An answer has no header that is not documented."""
    told = {name for name in answer.headers.keys() if not name.startswith(("X-", "Access-Control-"))} - TOLD_OF_ALL  # noqa: SIM118
    assert told <= documented.get("headers", {}).keys(), (operation["operationId"], answer.status_code, told)


def check_request(app: Flask, answer: TestResponse, body: Any) -> None:
    """Hold a body that was taken against the documentation: nothing is taken that is not described."""
    operation = operation_of(app, answer)
    assert operation is not None
    check_body(app, answer, operation["requestBody"]["content"]["application/json"]["schema"], body)


def check_body(app: Flask, answer: TestResponse, schema: Json, body: Any) -> None:
    """Hold a body against a documented schema."""
    for error in validator(app, schema).iter_errors(shortened(body)):
        raise AssertionError(f"{answer.request.path}: {error.json_path}: {error.message[:500]}")


def check_problem(answer: TestResponse) -> None:
    """RFC 9457: every failure is a problem with a stable code, and says so in words."""
    assert answer.content_type == "application/problem+json", answer.text
    if answer.request.method == "HEAD":
        return
    problem = answer.get_json()
    assert problem["type"] == f"urn:fuda-ledger:problem:{problem['code']}"
    assert problem["status"] == answer.status_code
    assert problem["title"]
    assert problem["detail"]
    assert "Accept-Language" in answer.headers["Vary"]


def operation_of(app: Flask, answer: TestResponse) -> Json | None:
    """Find what is documented of an answer's address and method; nothing is of addresses that do not exist."""
    try:
        rule, _ = app.url_map.bind_to_environ(answer.request.environ).match(return_rule=True)
    except HTTPException:
        assert answer.status_code >= 300
        return None
    is_a_page = rule.rule.startswith("/docs") or rule.endpoint.startswith("pages.")
    if rule.endpoint == "openapi" or is_a_page or answer.request.method == "OPTIONS":
        return None
    path: Json = spec_of(app)["paths"][described(rule)]
    operation: Json = path["get" if answer.request.method == "HEAD" else answer.request.method.lower()]
    return operation


def operations(spec: Json) -> dict[str, Json]:
    """Every operation by its name."""
    return {
        told["operationId"]: told
        for path in spec["paths"].values()
        for method, told in path.items()
        if method != "parameters"
    }


def described(rule: Rule) -> str:
    """Give the path that a rule is described under."""
    return re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)


def spec_of(app: Flask) -> Json:
    """Give the API's description of itself, read once: it is the same for all applications with the same games."""
    spec = kept_spec()
    if not spec:
        spec.update(FlaskClient(app).get("/openapi.json").get_json())
    return spec


@from_shelf
def kept_spec() -> Json:
    return {}


def validator(app: Flask, schema: Json) -> Validator:
    """Give the validator of one documented schema, made once."""
    made, key = kept_validators(), msgspec.json.encode(schema)
    if key not in made:
        made[key] = Quick({**schema, "components": spec_of(app)["components"]})
    return made[key]


@from_shelf
def kept_validators() -> dict[bytes, Validator]:
    return {}


def by_discriminator(validator: Any, kinds: Any, body: Any, schema: Json) -> Iterator[ValidationError]:
    """Hold what says of which kind it is against that kind alone: each of forty kinds of event takes as long."""
    told = schema.get("discriminator", {})
    kind = body.get(told.get("propertyName")) if isinstance(body, dict) else None
    if isinstance(kind, str) and kind in told.get("mapping", {}):
        yield from validator.descend(body, {"$ref": told["mapping"][kind]})
    else:
        yield from Draft202012Validator.VALIDATORS["oneOf"](validator, kinds, body, schema)


Quick = validators.extend(Draft202012Validator, {"oneOf": by_discriminator})  # type: ignore[no-untyped-call]


def shortened(body: Any) -> Any:
    """Leave only the first of a long list."""
    if isinstance(body, dict):
        return {name: shortened(value) for name, value in body.items()}
    if isinstance(body, list):
        return [shortened(element) for element in body[:TOO_MANY_TO_CHECK_EACH]]
    return body
