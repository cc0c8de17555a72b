"""Modules that are joined into a file do what they do as modules."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ledger.pages.assets import FIRST_FILE, REST_FILE, Assets, read
from ledger.pages.joining import Modules, NotJoined

NODE = shutil.which("node")

RUNS = """
globalThis.location = { hash: "" };
globalThis.addEventListener = () => {};
globalThis.said = [];
await import("./first.mjs");
while (said.length < 6) await new Promise((goOn) => setTimeout(goOn, 5));
console.log(JSON.stringify(said));
"""

OURS = {
    "js/main.js": """
/** The page. import("uplot") @type {x} */
import start, { twice as double, LIMIT } from "./core/a.js";
import * as everything from "./core/a.js";
import "./core/loud.js";
// import x from "y";
said.push(start(), double(LIMIT), Object.getOwnPropertyNames(everything).length, import.meta.url);
const later = () => import("./views/log.js");
said.push((await later()).default());
""",
    "js/core/a.js": """
import { odd } from "./ring.js";
export const LIMIT = 21;
export function twice(/** @type {number} */ n) {
  return n * 2;
}
export const even = (n) => n === 0 || odd(n - 1);
export default () => even(4);
export { twice as again };
""",
    "js/core/ring.js": """
import { even } from "./a.js";
export const odd = (n) => n !== 0 && even(n - 1);
""",
    "js/core/loud.js": 'said.push("loud");\n',
    "js/views/log.js": """
import { told } from "small";
import { LIMIT } from "../core/a.js";
export default function Log() {
  return `${told()} ${LIMIT}`;
}
""".replace('"small"', '"../../vendor/x/small.mjs"'),
    "vendor/x/small.mjs": 'import{LIMIT as n}from"../../js/core/a.js";var t=()=>"small "+n;'
    'export{t as told};export{twice}from"../../js/core/a.js";export default function(s){return s}',
}


def joined(modules: dict[str, str]) -> tuple[str, str]:
    held = Modules(modules)
    first = dict.fromkeys(["js/main.js", *held.all_needed("js/main.js")])
    return held.first_file(first, "js/main.js", "rest.mjs"), held.rest_file(modules.keys() - first, "first.mjs")


@pytest.mark.integration
@pytest.mark.skipif(NODE is None, reason="Node is not here")
def test_joined_modules_do_what_they_did(tmp_path: Path) -> None:
    first, rest = joined(OURS)
    (tmp_path / "first.mjs").write_text(first, "utf-8")
    (tmp_path / "rest.mjs").write_text(rest, "utf-8")
    (tmp_path / "run.mjs").write_text(RUNS, "utf-8")
    done = subprocess.run([str(NODE), "run.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True)
    *said, address, log = json.loads(done.stdout)
    assert said == ["loud", True, 42, 5]
    assert address.endswith("/js/main.js")
    assert log == "small 21 21"


def test_a_module_runs_after_those_that_it_imports() -> None:
    first, rest = joined(OURS)
    assert first.index('"js/core/a.js": (') < first.index("said.push(start()")
    assert '"js/views/log.js": (' in rest
    assert "vendor/x/small.mjs" in rest
    assert "@type" not in first


@pytest.mark.parametrize(
    "said",
    [
        'import { a } from "./nowhere.js";',
        'export * from "./core/a.js";',
        "export let a = 1;",
        "export const { a, b } = c;",
        "const a = import(name);",
        "const a = import.meta.env;",
    ],
)
def test_what_is_not_understood_is_not_joined(said: str) -> None:
    with pytest.raises(NotJoined):
        joined({**OURS, "js/core/loud.js": said})


def test_what_cannot_be_joined_is_sent_module_by_module(caplog: pytest.LogCaptureFixture) -> None:
    loose = Assets({**read(), "js/views/odd.js": b"export let a = 1;"})
    assert "js/main.js" in loose.at_the_root("page.html").body.decode()
    assert loose.find(FIRST_FILE) is None
    assert "cannot be joined" in caplog.text


def test_the_page_is_joined_whole() -> None:
    whole = Assets(read())
    told = [asset.body.decode() for path in (FIRST_FILE, REST_FILE) if (asset := whole.find(path))]
    assert len(told) == 2
    held = re.findall(r'^"([\w/.-]+)": \(\$own\) => \{$', "\n".join(told), re.MULTILINE)
    ours = {path for path in read() if path.startswith("js/")}
    assert {*held, "js/main.js"} >= ours
    assert len(held) == len(set(held))
    for text in told:
        assert "/**" not in text
        assert not re.search(r"""^import [^\n]*["'](?![./])[^"']*["'];$""", text, re.MULTILINE)
