"""Clients generated from the description: made without a warning, compiled, and an evening played.

Each maker's client is all that a program has: what it cannot say with its types, nobody can.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.clients.conftest import BUILD, HERE, PROGRAMS, Evening, Tools, warnings

pytestmark = pytest.mark.integration


# --- Python ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def python_client(tools: Tools, described: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client, and the program that plays with it."""
    maker, folder = tools.python / "openapi-python-client", tmp_path_factory.mktemp("python")
    tools.needs(maker)
    shutil.copy(PROGRAMS / "play.py", folder)
    options = ("--path", described, "--meta", "none", "--config", PROGRAMS / "openapi-python-client.yaml")
    made = tools.runs(
        maker, "generate", *options, "--output-path", folder / "fuda_client", "--fail-on-warning", cwd=folder
    )
    assert made.code == 0, made.said
    assert warnings(made.said) == []
    return folder


def test_openapi_python_client_makes_a_client_that_compiles(tools: Tools, python_client: Path) -> None:
    tools.does(tools.python / "python", "-m", "compileall", "-q", "fuda_client", cwd=python_client)


def test_a_program_on_openapi_python_client_is_typed_right(tools: Tools, python_client: Path) -> None:
    tools.needs(tools.python / "mypy")
    tools.does(tools.python / "mypy", "--strict", "--follow-imports=silent", "play.py", cwd=python_client)


def test_openapi_python_client_plays_the_evening(
    tools: Tools, python_client: Path, evening: Evening, address: str
) -> None:
    played = tools.does(tools.python / "python", "play.py", evening.file, address, cwd=python_client)
    evening.came_out_right(played.out, address)


# --- TypeScript -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def typescript_client(tools: Tools, described: Path) -> Path:
    """A folder with the types of every call, and the compiled program. It lies where the packages do."""
    maker = tools.of_npm(".bin", "openapi-typescript")
    folder = BUILD / "typescript"
    folder.mkdir(exist_ok=True)
    for file in ("play.ts", "tsconfig.json"):
        shutil.copy(PROGRAMS / file, folder)
    made = tools.does(maker, described, "--additional-properties", "-o", folder / "schema.d.ts", cwd=folder)
    assert warnings(made.said) == []
    tools.does(tools.node / ".bin" / "tsc", "--strict", "-p", ".", cwd=folder)
    return folder


def test_openapi_typescript_and_openapi_fetch_play_the_evening(
    tools: Tools, typescript_client: Path, evening: Evening, address: str
) -> None:
    evening.came_out_right(tools.does("node", "play.js", evening.file, address, cwd=typescript_client).out, address)


# --- Kotlin ---------------------------------------------------------------------------------------------------------

NOT_OURS = ("OpenAPI 3.1 support is still in beta", "Failed to get the schema name: null")
"""What openapi-generator says whatever it is given: that it is new to OpenAPI 3.1."""


MAPS_TOO = """\
            {{#isMap}}
            is {{classname}}.{{#fnToValueClassName}}{{{dataType}}}{{/fnToValueClassName}} ->\
 jsonEncoder.encodeJsonElement(jsonEncoder.json.encodeToJsonElement(value.value))
            {{/isMap}}
"""


def mended(jar: Path, templates: Path) -> Path:
    """Mend the maker's template for one of several types: where one is a list and one a map, it forgets the map."""
    forgets = "            {{^isArray}}\n            {{#isPrimitiveType}}\n            {{#isString}}\n            is "
    template = ZipFile(jar).read("kotlin-client/oneof_class.mustache").decode()
    assert template.count(forgets) == 1
    templates.mkdir()
    whole = template.replace(forgets, forgets.replace("{{^isArray}}\n", "{{^isArray}}\n" + MAPS_TOO))
    (templates / "oneof_class.mustache").write_text(whole, "utf-8")
    return templates


@pytest.fixture(scope="module")
def kotlin_client(tools: Tools, java: Path, described: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client's source."""
    folder = tmp_path_factory.mktemp("kotlin")
    jar = tools.package("openapi_generator_cli") / "openapi-generator.jar"
    settings, templates = PROGRAMS / "kotlin" / "openapi-generator.yaml", mended(jar, folder / "templates")
    options = ("-i", described, "-c", settings, "-t", templates, "-o", folder / "client")
    made = tools.does(java, "-jar", jar, "generate", *options, cwd=folder)
    complaints = [line for line in warnings(made.said) if not any(usual in line for usual in NOT_OURS)]
    assert complaints == []
    return folder / "client" / "src" / "main" / "kotlin"


@pytest.fixture(scope="module")
def kotlin_programs(tools: Tools, java: Path, kotlin_client: Path) -> list[str | Path]:
    """The words that run a program, compiled together with the client."""
    compiler = tools.of_npm("kotlin-compiler")
    carried = tools.of_npm("allure-commandline", "dist", "plugins", "jira-plugin", "lib")
    tools.needs(BUILD / "kotlin" / "run_kotlin_kernel")
    needed = [
        *(jar for name in ("okhttp-jvm", "okio-jvm", "retrofit") for jar in carried.glob(f"{name}-*.jar")),
        *BUILD.glob("kotlin/run_kotlin_kernel/jars/kotlinx-serialization-*.jar"),
        compiler / "lib" / "kotlinx-coroutines-core-jvm.jar",
    ]
    assert len(needed) == 6, needed
    there = ":".join(map(str, needed))
    compiled = kotlin_client.parent / "play.jar"
    tools.does(
        *(java, "-Xmx2g", "-cp", compiler / "lib" / "kotlin-compiler.jar"),
        *("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-kotlin-home", compiler, "-no-reflect", "-jvm-target", "17"),
        *("-Xplugin=" + str(compiler / "lib" / "kotlinx-serialization-compiler-plugin.jar"), "-nowarn"),
        *("-cp", there, "-d", compiled, kotlin_client, PROGRAMS / "kotlin"),
        cwd=HERE,
    )
    return [java, "-cp", f"{compiled}:{there}:{compiler / 'lib' / 'kotlin-stdlib.jar'}"]


def test_openapi_generator_for_kotlin_plays_the_evening(
    tools: Tools, kotlin_programs: list[str | Path], evening: Evening, address: str
) -> None:
    evening.came_out_right(tools.does(*kotlin_programs, "PlayKt", evening.file, address, cwd=HERE).out, address)
