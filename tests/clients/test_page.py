"""The page's scripts under TypeScript, which reads their JSDoc, and the API's types that they are written with.

`python -m tests.clients.test_page` makes `api.d.ts` anew after the API has changed.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from ledger.app import create_app
from tests.clients.conftest import HERE, Tools
from tests.databases import kept_at
from tests.service import ROOT

pytestmark = pytest.mark.integration

SCRIPTS = ROOT / "ledger/pages/source/js"
TYPES = SCRIPTS / "api.d.ts"
PROJECT = HERE / "tsconfig.page.json"
WORDS = {"description", "example", "examples", "title"}


def shapes_only(described: Any, *, names: bool = False) -> Any:
    """What the API's objects are made of, without what is said about them; `names` where the keys are names."""
    if isinstance(described, list):
        return [shapes_only(each) for each in described]
    if not isinstance(described, dict):
        return described
    return {
        key: shapes_only(value, names=key == "properties" and not names)
        for key, value in described.items()
        if names or key not in WORDS
    }


def made(tools: Tools, folder: Path) -> str:
    """The types of all that the API tells and takes, as openapi-typescript makes them."""
    maker = tools.of_npm(".bin", "openapi-typescript")
    app = create_app({"LEDGER_DATABASE": kept_at(folder / "ledger.db")})
    told = json.loads(app.test_client().get("/openapi.json").data)
    app.extensions["desk"].store.engine.close()
    schemas = shapes_only(told["components"]["schemas"], names=True)
    shapes = {"openapi": told["openapi"], "info": told["info"], "paths": {}, "components": {"schemas": schemas}}
    file, types = folder / "shapes.json", folder / "api.d.ts"
    file.write_text(json.dumps(shapes), "utf-8")
    tools.does(maker, file, "-o", types, cwd=folder)
    return types.read_text("utf-8")


def test_the_types_of_the_api_are_what_the_api_is(tools: Tools, tmp_path: Path) -> None:
    assert TYPES.read_text("utf-8") == made(tools, tmp_path), "python -m tests.clients.test_page makes them anew"


def test_the_scripts_are_typed_right(tools: Tools) -> None:
    tools.of_npm("preact", "package.json")
    checker = tools.of_npm(".bin", "tsc")
    tools.does(checker, "--project", PROJECT, cwd=ROOT)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_in:
        TYPES.write_text(made(Tools(), Path(made_in)), "utf-8")
