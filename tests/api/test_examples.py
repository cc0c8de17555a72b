"""The examples of the description: they can be sent as they are, are answered as is said, and are not stale."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from schemas.loading import event_types
from tests.api.documented import operations
from tests.api.examples import FILE, NEVER_ENDS, as_text, played
from tests.scorekeeper import Json


def faults(spec: Json, schema: Json, value: Any) -> list[str]:
    validator = Draft202012Validator({**schema, "components": spec["components"]})
    return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(value)]


def test_the_examples_are_what_is_sent_and_answered_today() -> None:
    """What was sent was taken, or there would be no file. If this fails: `python -m tests.api.examples`."""
    assert msgspec.json.decode(FILE.read_bytes()) == msgspec.json.decode(as_text(played()))


def test_every_call_has_an_example_of_what_is_sent_and_of_what_is_answered(spec: Json) -> None:
    for name, told in operations(spec).items():
        for media, content in told.get("requestBody", {}).get("content", {}).items():
            assert content["examples"], (name, media)
        for code, answer in told["responses"].items():
            for media, content in answer.get("content", {}).items():
                assert "example" in content or "sheet" in media, (name, code, media)
    assert operations(spec).keys() >= NEVER_ENDS


def test_examples_are_as_their_schemas_have_it(spec: Json) -> None:
    for name, told in operations(spec).items():
        for media, content in told.get("requestBody", {}).get("content", {}).items():
            for example in content["examples"].values():
                assert faults(spec, content["schema"], example["value"]) == [], (name, media)
        for answer in told["responses"].values():
            for media, content in answer.get("content", {}).items():
                if "example" in content:
                    assert faults(spec, content["schema"], content["example"]) == [], (name, media)


@pytest.mark.parametrize("kind", event_types())
def test_every_event_has_an_example_as_it_is_sent_and_as_it_is_logged(spec: Json, kind: str) -> None:
    schemas = spec["components"]["schemas"]
    shown = msgspec.json.decode(FILE.read_bytes())["events"][kind]
    name = schemas["NewEvent"]["discriminator"]["mapping"][kind].rpartition("/")[2]
    assert schemas[name]["examples"] == [shown["sent"]]
    for name, example in (("NewEvent", shown["sent"]), ("StoredEvent", shown["stored"])):
        assert example["type"] == kind
        assert faults(spec, {"$ref": f"#/components/schemas/{name}"}, example) == []
