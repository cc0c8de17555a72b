"""The reference of all calls, written from the service's own `/openapi.json` while the site is built.

Where a document says `<!-- every call -->` or `<!-- every object -->`, the calls or the objects are put in its place as
Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any

from sphinx.application import Sphinx

from ledger.app import create_app

Json = Mapping[str, Any]

REFERENCE = re.compile(r"#/components/(schemas|responses)/(\w+)")


def description() -> Json:
    """Ask the service what it can do."""
    with TemporaryDirectory() as folder:
        app = create_app({"LEDGER_DATABASE": f"{folder}/ledger.db"})
        described: Json = app.test_client().get("/openapi.json").get_json()
    return described


# --- calls ----------------------------------------------------------------------------------------------------------


def calls(spec: Json) -> Iterator[str]:
    """Write every call, those of one kind together."""
    for tag in spec["tags"]:
        yield f"\n## {tag['name'].capitalize()}\n\n{tag['description']}\n"
        for address, path in spec["paths"].items():
            for method, operation in path.items():
                if isinstance(operation, Mapping) and tag["name"] in operation["tags"]:
                    yield from call(method, address, path.get("parameters", ()), operation)


def call(method: str, address: str, of_path: Any, operation: Json) -> Iterator[str]:
    """Write one call: what it does, who may, what it takes, what it answers."""
    yield f"\n({operation['operationId']})=\n### {method.upper()} {address}\n"
    yield f"\n{operation['summary']}\n\n{operation['description']}\n"
    if operation.get("security"):
        yield f"\n{'A token may be needed.' if {} in operation['security'] else 'Needs a token.'}\n"
    if parameters := [*of_path, *operation.get("parameters", ())]:
        yield from table(("parameter", "in", "kind", ""), map(parameter, parameters))
    sent = [("send", contents(operation["requestBody"]))] if "requestBody" in operation else []
    answers = [(code, contents(one)) for code, one in operation["responses"].items() if "$ref" not in one]
    failures = [code.replace("default", "otherwise") for code, one in operation["responses"].items() if "$ref" in one]
    problem = f"{linked('Problem')}, `application/problem+json`"
    yield from table(("", "body"), [*sent, *sorted(answers), (", ".join(failures), problem)])


def parameter(one: Json) -> tuple[str, ...]:
    """Write a parameter as a row."""
    name = named(one["name"], needed=one.get("required", False))
    return name, one["in"], kind(one["schema"]), remarks(one.get("description"), one["schema"])


def contents(described: Json) -> str:
    """Say what a body holds, by its media type."""
    kinds = [
        f"{kind(content.get('schema', {}))}, `{media}`".removeprefix("anything, ")
        for media, content in described.get("content", {}).items()
    ]
    return "<br>".join(kinds) or described.get("description", "").lower() or "nothing"


# --- objects --------------------------------------------------------------------------------------------------------


def objects(spec: Json) -> Iterator[str]:
    """Write every object with its members."""
    for name, schema in spec["components"]["schemas"].items():
        yield f"\n({anchor(name)})=\n### {name}\n"
        yield from one_of(schema) if "oneOf" in schema else members(schema)


def one_of(schema: Json) -> Iterator[str]:
    """Write an object that is one of several."""
    names = [REFERENCE.findall(one["$ref"])[0][1] for one in schema["oneOf"]]
    apart = schema["discriminator"]["propertyName"]
    yield f"\nOne of these, distinguished by `{apart}`: " + ", ".join(linked(name) for name in names) + ".\n"


def members(schema: Json) -> Iterator[str]:
    """Write the members of an object."""
    if about := schema.get("description"):
        yield f"\n{about}\n"
    if "enum" in schema:
        yield f"\n{kind(schema)}\n"
    if not schema.get("properties"):
        return
    needed = schema.get("required", ())
    rows = [
        (named(name, needed=name in needed), kind(member), remarks(member.get("description"), member))
        for name, member in schema["properties"].items()
    ]
    yield from table(("member", "kind", ""), rows)


# --- parts ----------------------------------------------------------------------------------------------------------


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Write a table, without its last column if that is empty."""
    rows = list(rows)
    if not any(row[-1] for row in rows):
        header, rows = header[:-1], [row[:-1] for row in rows]
    yield "\n"
    for row in (header, ["---"] * len(header), *rows):
        yield f"| {' | '.join(row)} |\n"


def named(name: str, *, needed: bool) -> str:
    """Name a parameter or a member; a question mark says that it may be left out."""
    return f"`{name}`" if needed else f"`{name}`?"


def kind(schema: Json) -> str:
    """Say of which kind a value is."""
    match schema:
        case {"$ref": str(reference)}:
            return linked(REFERENCE.findall(reference)[0][1])
        case {"anyOf": [*choices]} | {"oneOf": [*choices]}:
            return " or ".join(map(kind, choices))
        case {"const": str(word)}:
            return f"`{word}`"
        case {"enum": [*values]}:
            return " · ".join(f"`{value}`" for value in values if value is not None)
        case {"type": [*kinds]}:
            return " or ".join(kind({**schema, "type": one}) for one in kinds)
        case {"type": "array", "items": items}:
            return f"list of {kind(items)}"
        case {"type": "object", "additionalProperties": {} as inner} if inner:
            return f"object of {kind(inner)}"
        case {"type": "object", "properties": {} as inner}:
            return "object of " + ", ".join(f"`{name}`" for name in inner)
        case {"type": str(name)}:
            return name
    return "anything"


def remarks(about: str | None, schema: Json) -> str:
    """Say what a value is about, its bounds and its default."""
    parts = [about] if about else []
    least, most = (schema.get(name) for name in ("minimum", "maximum"))
    if least is not None and most is not None:
        parts.append(f"{least} to {most}" if most < 2**53 - 1 else f"{least} or more")
    elif "maxLength" in schema:
        parts.append(f"{schema.get('minLength', 0)} to {schema['maxLength']} characters")
    elif "maxItems" in schema:
        parts.append(f"{schema.get('minItems', 0)} to {schema['maxItems']}")
    if schema.get("default") is not None:
        parts.append(f"default `{schema['default']}`".replace("`False`", "`false`"))
    return "; ".join(parts).replace(".; ", "; ").replace("|", "\\|")


def anchor(name: str) -> str:
    """Give the address of an object on the page."""
    return f"object-{name.lower()}"


def linked(name: str) -> str:
    """Name an object and lead to it."""
    return f"[{name}](#{anchor(name)})"


def fill(app: Sphinx, _name: str, source: list[str]) -> None:
    """Put what the service says into a document that is being read."""
    for mark, write in {"<!-- every call -->": calls, "<!-- every object -->": objects}.items():
        if mark in source[0]:
            spec = app.config.openapi or description()
            app.config.openapi = spec
            source[0] = source[0].replace(mark, "".join(write(spec)))


def setup(app: Sphinx) -> Mapping[str, bool]:
    """Have documents filled as Sphinx reads them."""
    app.add_config_value("openapi", None, "")
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
