"""Unions in answers, described so that a client goes on when it meets a kind that it does not know.

Generators make an enum of the kinds' words, or try one kind after another, and what they make fails at the first event
that a later release adds. So in answers a union is one object: the member that tells its kinds apart is a text, what
every kind has is required, and what any of them has may be there. A later kind may add members, but not give another
form to one of these. What each known kind has exactly is said under `dependentSchemas`, which validators read and
generators pass over (an `if` beside the members is not passed over: of that, openapi-generator makes a value of any
type). In requests, unions stay closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Json = dict[str, Any]

PROSE = ("const", "description", "examples")
"""What may differ between the kinds' members of one name, whose form is the same."""


def open_answers(schemas: dict[str, Json]) -> None:
    """Open every union of objects in answers, and the words of outcomes; requests are closed, and so are theirs."""
    unions = {name: list(kinds_of(schema, schemas)) for name, schema in schemas.items() if "oneOf" in schema}
    for name, kinds in unions.items():
        if all(kind.get("type") == "object" and kind.get("additionalProperties") is None for _, kind in kinds):
            schemas[name] = as_one_object(schemas[name], kinds)
    for member in schemas["Outcome"]["properties"].values():
        words = referred(member.get("items", member).get("$ref", ""), schemas)
        if "enum" in words:
            words.update(some_of(words.pop("enum")))


def kinds_of(union: Json, schemas: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Give every kind of a union with its word, or else its name; the kinds of a kind are kinds as well."""
    words = {address: word for word, address in union.get("discriminator", {}).get("mapping", {}).items()}
    for address in (option.get("$ref", "") for option in union["oneOf"]):
        kind = referred(address, schemas)
        word = words.get(address, address.rpartition("/")[2])
        yield from ((word, one) for _, one in kinds_of(kind, schemas)) if "oneOf" in kind else [(word, kind)]


def referred(address: str, schemas: Mapping[str, Json]) -> Json:
    """Give the schema that is referred to; of what is described in place, nothing."""
    return schemas.get(address.rpartition("/")[2], {})


def as_one_object(union: Json, kinds: list[tuple[str, Json]]) -> Json:
    """Describe a union as one object with the members of all its kinds."""
    found: dict[str, list[tuple[str, Json]]] = {}
    for word, kind in kinds:
        for member, schema in kind.get("properties", {}).items():
            found.setdefault(member, []).append((word, schema))
    properties = {name: of_all(found[name]) for name in found}
    if "discriminator" in union:
        by, words = union["discriminator"]["propertyName"], list(union["discriminator"]["mapping"])
        about = "Which kind this is; later releases may add kinds."
        properties[by] = {"type": "string", **some_of(words), "description": about}
        exactly = {name: union[name] for name in ("oneOf", "discriminator")}
        dependent = {by: {"if": {"properties": {by: {"enum": words}}}, "then": exactly}}
    else:
        dependent = dict(by_own_member(union["oneOf"], kinds))
    common = set.intersection(*(set(kind["required"]) for _, kind in kinds))
    required = union.get("required", [name for name in found if name in common])
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        "description": union["description"],
        "dependentSchemas": dependent,
    }


def by_own_member(options: list[Json], kinds: list[tuple[str, Json]]) -> Iterator[tuple[str, Json]]:
    """Give each kind of a union without a discriminator under a member that it needs and that no other kind has.

    A kind of a later release may have that member as well, so only what has all that the kind needs is held against it.
    """
    for option, (_, kind) in zip(options, kinds, strict=True):
        others = {member for _, other in kinds if other is not kind for member in other["properties"]}
        needed = kind["required"]
        exactly = {"if": {"properties": {member: {} for member in needed}, "required": needed}, "then": option}
        yield from [(member, exactly) for member in needed if member not in others][:1]


def of_all(schemas: list[tuple[str, Json]]) -> Json:
    """Describe a member that several kinds have: its types, and what it means in each."""
    differs = PROSE if len({schema.get("const") for _, schema in schemas}) > 1 else PROSE[1:]
    types = [{name: value for name, value in schema.items() if name not in differs} for _, schema in schemas]
    types = [one for n, one in enumerate(types) if one not in types[:n]]
    meanings: dict[str, dict[str, None]] = {}
    for word, schema in schemas:
        if "description" in schema:
            meanings.setdefault(schema["description"], {})[f"`{word}`"] = None
    about = " ".join(text if len(meanings) == 1 else f"{', '.join(words)}: {text}" for text, words in meanings.items())
    return {**(types[0] if len(types) == 1 else {"anyOf": types}), **({"description": about} if about else {})}


def whole_or_brief(usual: Json, briefly: Json) -> Json:
    """Describe an answer that has some members, or others instead with `Prefer: return=minimal`."""
    whole, brief = usual["properties"], briefly["properties"]
    notes = {
        **dict.fromkeys(whole.keys() - brief.keys(), "Left out with `Prefer: return=minimal`."),
        **dict.fromkeys(brief.keys() - whole.keys(), "Only with `Prefer: return=minimal`."),
    }
    together = [[name for name in one["required"] if name in notes] for one in (usual, briefly)]
    return {
        **usual,
        "properties": {
            name: {**schema, "description": f"{schema['description']} {notes[name]}"} if name in notes else schema
            for name, schema in {**brief, **whole}.items()
        },
        "required": [name for name in usual["required"] if name in briefly["required"]],
        "dependentRequired": {
            name: [other for other in names if other != name] for names in together for name in names
        },
    }


def some_of(words: list[str]) -> Json:
    """Describe words of which others may be added."""
    return {"pattern": "^[a-z0-9_]+$", "x-extensible-enum": words}
