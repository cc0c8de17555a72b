"""The API described by itself: OpenAPI 3.1 from the blueprints and the records.

What is taken is closed. Answers are open: later releases add members, words and kinds of events, and the clients of
today go on. So where an answer has one of several kinds it is described as one object with the members of all of them,
and a set of words as a text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from http import HTTPStatus
from importlib.resources import files
from inspect import cleandoc
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, inspect, structs

from ledger.api import BLUEPRINTS
from ledger.api.http.blueprint import Files, Kind, Operation
from ledger.api.http.openapi_words import BEARER, HEADERS, OF_FAILURES, OF_THE_SERVICE
from ledger.api.http.problems import ANYWHERE, TITLES, codes_of
from ledger.codec.encoding import DECIMAL, Chance, ExactChips, encoded
from ledger.codec.export_file import File
from ledger.codec.json_text import read_json
from ledger.exports import XLSX
from ledger.games import every_book
from ledger.i18n.sentences import docline
from ledger.records import Member, Record, doc, element, members_of
from ledger.responses.events import LoggedEvent, stored_kind
from ledger.responses.rounds import Explained, explained_kind
from ledger.responses.service import FACTS, Problem
from ledger.responses.shared import Listing
from ledger.rulebook.cards import DECKS, INSTEAD
from ledger.rulebook.event import AnyEvent, Event
from ledger.rulebook.phase import Outcome
from ledger.rulebook.values import ExactlyInChips, InChips
from ledger.session.events import EVENTS, PersonName
from ledger.session.statistics import tallies
from ledger.session.table import OUTCOMES
from schemas.loading import pair_of
from schemas.requests import Addressed

Json = dict[str, Any]

JSON = "application/json"
SCHEMAS = "#/components/schemas/"
REFERENCE = re.compile(rf'"{SCHEMAS}([\w.]+)"')
NULL: Json = {"type": "null"}
OPEN = "x-extensible-enum"
"""The words of today, to which later releases may add others."""

PROSE = {"description", "examples", OPEN}
LEFT_OUT = {"title", "default", "anyOf", "prefixItems", "propertyNames"}
"""Keywords of msgspec's that say nothing here, or that makers of clients do not understand."""

ONLY_IN_REQUESTS = {"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "discriminator", "enum"}
MAX_CODE = max(len(card.code) for deck in DECKS.values() for card in deck)
CARD: Json = {"type": "string", "minLength": 1, "maxLength": MAX_CODE, "examples": ["cups-11"]}
HOOKS: Mapping[Any, Json] = {
    AnyEvent: {"$ref": f"{SCHEMAS}Event"},
    Fraction: {"$ref": f"{SCHEMAS}Chance"},
    ExactlyInChips: {"$ref": f"{SCHEMAS}ExactChips"},
    InChips: {"type": "string", "pattern": f"^{DECIMAL}$"},
}
"""The types that msgspec does not know, besides cards."""


class Person(Record):
    """A person who sits down."""

    name: Annotated[PersonName, doc("What the person is called.")]


class Components:
    """The schemas of records as they are `taken`, or as they are in answers: those that msgspec makes, adapted."""

    def __init__(self, records: Iterable[Any], *, taken: bool) -> None:
        self.taken = taken
        kinds = records_in(inspect.multi_type_info(records), {})
        hook, address = {**HOOKS, **dict.fromkeys(INSTEAD, CARD)}.__getitem__, f"{SCHEMAS}{{name}}"
        _, made = msgspec.json.schema_components(kinds, schema_hook=hook, ref_template=address)
        named = {name: kind for kind in kinds for name in (kind.__name__, f"{kind.__module__}.{kind.__qualname__}")}
        names = {name: name_of(named[name], taken=taken) for name in made}
        text = msgspec.json.encode(made).decode()
        text = REFERENCE.sub(lambda at: f'"{SCHEMAS}{names.get(at[1]) or "New" * taken + at[1]}"', text)
        self.raw = {named[name]: schema["properties"] for name, schema in msgspec.json.decode(text).items()}
        self.schemas = {names[name]: self.record(named[name]) for name in made}

    def record(self, kind: type[Any]) -> Json:
        members = {member.name: member for member in members_of(kind)}
        fields = {info.encode_name: info for info in structs.fields(kind)}
        own = [
            book.fields for book in every_book() if kind.__struct_config__.tag in [each.type for each in book.events]
        ]
        labels = {name: f"{label}." for each in own for name, label in each.items()}
        properties, required = dict[str, Json](), list[str]()
        for name, raw in self.raw[kind].items():
            if name not in fields or not self.may_be_absent(kind, fields[name]):
                required.append(name)
            elif fields[name].default is None and (not self.taken or kind.__name__.endswith("Query")):
                raw["anyOf"].remove(NULL)
            made = properties[name] = {"description": labels.get(name, "Which kind it is."), **self.adapted(raw)}
            if self.taken and name in members:
                properties[name] = self.as_taken(members[name], made)
        closed = {"additionalProperties": False} if self.taken and not getattr(kind, "is_open", False) else {}
        about = {"required": required, "description": docline(kind), **closed}
        return {"type": "object", "properties": properties, **about}

    def may_be_absent(self, kind: type[Any], info: structs.FieldInfo) -> bool:
        """Whether a member need not be sent, or is left out of answers where it has its default."""
        if self.taken or info.required:
            return not info.required
        omitted = kind.__struct_config__.omit_defaults and info.default_factory in (NODEFAULT, list, dict)
        return omitted or info.default is UNSET

    def adapted(self, raw: Json) -> Json:
        """Describe a type as makers of clients understand it; of an answer without bounds and closed sets of words."""
        left_out = LEFT_OUT if self.taken else LEFT_OUT | ONLY_IN_REQUESTS
        made = {name: value for name, value in raw.items() if name not in left_out}
        if "discriminator" in raw and not self.taken:
            return {**made, **reference("Event")}
        match raw:
            case {"enum": words}:
                made |= {"type": "string", "enum" if self.taken else OPEN: words}
            case {"type": "integer"}:
                made["format"] = "int64"
            case {"prefixItems": [item, *_]} | {"items": item}:
                made["items"] = self.adapted(item)
            case {"additionalProperties": dict() as inner}:
                made["additionalProperties"] = self.adapted(inner)
        match [self.adapted(each) for each in raw.get("anyOf", ())]:
            case [one]:
                made = {**one, **made}
            case [{"type": str(type_), **rest}, {"type": "null"}] if "enum" not in rest:
                made = {**rest, **made, "type": [type_, "null"]}
            case [_, *_] as several:
                made["anyOf" if NULL in several else "oneOf"] = several
        return made

    def as_taken(self, member: Member, made: Json) -> Json:
        """Describe what a request may have in a member in other forms, too."""
        about = {"description": made.pop("description")}
        match member.type:
            case inspect.StrType() if "words" in member.extra:
                made["enum"] = list(member.extra["words"])
            case inspect.LiteralType(("no", "yes")):
                made = {"oneOf": [made, {"type": "boolean"}]}
            case inspect.DictType(value_type=inspect.AnyType()):
                made = reference("RulesChange")
            case inspect.VarTupleType(inspect.StructType(pair)) if names := pair_of(pair):
                value = self.adapted(self.raw[pair][names[1]])
                made = {"oneOf": [made, {"type": "object", "additionalProperties": value}]}
            case inspect.VarTupleType(item) if element(item).extra.get("kind") == "person":
                made["items"] = {"oneOf": [made["items"], reference("NewPerson")]}
        return {**made, **about}


def name_of(kind: type[Any], *, taken: bool) -> str:
    """Name a record: `Share` is in answers, `NewShare` is taken. What is a game's own begins with the game's name."""
    if issubclass(kind, Event) or kind.__module__.startswith(("schemas.", File.__module__)):
        return "SessionFile" if kind is File else kind.__name__
    game = next((book.name.title() for book in every_book() if book.rules.__module__ == kind.__module__), "")
    return "New" * taken + game + kind.__name__.removeprefix(game)


def reference(name: str) -> Json:
    return {"$ref": SCHEMAS + name}


def records_in(value: Any, found: dict[type[Any], None]) -> dict[type[Any], None]:
    """Find the records that types hold, each with those in it."""
    if isinstance(value, inspect.StructType):
        if value.cls in found:
            return found
        found[value.cls] = None
    for part in structs.astuple(value) if isinstance(value, inspect.Type | inspect.Field) else value:
        if isinstance(part, inspect.Type | inspect.Field | tuple):
            records_in(part, found)
    return found


def merged(kinds: Sequence[Json], about: str) -> Json:
    """Describe several kinds as one object, which has what any of them has and needs what all of them need."""
    properties = dict[str, Json]()
    for name in dict.fromkeys(name for kind in kinds for name in kind["properties"]):
        found = [kind["properties"][name] for kind in kinds if name in kind["properties"]]
        types = [{key: value for key, value in each.items() if key not in PROSE} for each in found]
        types = [each for at, each in enumerate(types) if each not in types[:at]]
        made = dict(types[0]) if len(types) == 1 else {"anyOf": types}
        if words := dict.fromkeys(word for each in found for word in each.get(OPEN, ())):
            made[OPEN] = list(words)
        properties[name] = {**made, "description": " ".join(dict.fromkeys(each["description"] for each in found))}
    required = [name for name in properties if all(name in kind["required"] for kind in kinds)]
    return {**kinds[0], "properties": properties, "required": required, "description": about}


def all_schemas(calls: Collection[Operation], examples: Json) -> dict[str, Json]:
    """Describe every record that is taken or answered, and what the games have of their own."""
    books = list(every_book())
    events = dict.fromkeys((*EVENTS, *(kind for book in books for kind in (*book.between, *book.events))))
    outcomes = dict.fromkeys(kind for book in books for kind in (*book.outcomes, *OUTCOMES))
    rules = list(dict.fromkeys(book.rules for book in books))
    boards = [get_type_hints(book.board)["return"] for book in books]
    odds = [get_args(get_type_hints(book.odds)["return"])[0] for book in books if book.odds]
    answered = [call.kind.record() if isinstance(call.kind, Listing) else call.kind for call in calls]
    merging: dict[str, tuple[Any, Iterable[Any]]] = {
        "Event": (Event, events),
        "StoredEvent": (LoggedEvent, [stored_kind(kind) for kind in events]),
        "PlainOutcome": (Outcome, outcomes),
        "Outcome": (Explained, [explained_kind(kind) for kind in outcomes]),
        "HouseRules": (rules[0], rules),
        "Table": (boards[0], boards),
        "OddsOfTheGame": (odds[0], odds),
    }
    answered += [Problem, Chance, ExactChips, *(kind for _, kinds in merging.values() for kind in kinds)]
    given = Components([kind for kind in answered if isinstance(kind, type)], taken=False).schemas
    for name, (base, kinds) in merging.items():
        given[name] = merged([given[name_of(kind, taken=False)] for kind in kinds], docline(base))
    for name, numbers in {"Problem": FACTS, "PlayerStatistics": tallies(), "PersonStatistics": tallies()}.items():
        whole = {"type": "integer", "format": "int64"}
        given[name]["properties"] |= {one: {**whole, "description": f"{about}"} for one, about in numbers.items()}
    bodies = [body for call in calls for body in (call.query, *call.bodies.values()) if isinstance(body, type)]
    taken = Components((*bodies, *events, *rules, Person, Addressed), taken=True).schemas
    for name, about in {"session": "Where it stands", "events": "The log", "rounds": "Every round"}.items():
        taken["SessionFile"]["properties"][name] = {"description": f"{about}, for people: an import ignores it."}
    for kind in events:
        taken[kind.__name__]["examples"] = [shown["sent"] for name, shown in examples.items() if name == kind.type]
    mapping = {kind.type: SCHEMAS + kind.__name__ for kind in events}
    taken["NewEvent"] = {
        "oneOf": [{"$ref": address} for address in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
        "description": docline(Event),
    }
    taken["RulesChange"] = merged([taken[name_of(kind, taken=True)] for kind in rules], "Some house rules of a game.")
    return dict(sorted({**given, **taken}.items()))


def description() -> Json:
    """Describe every operation, and whatever any of them refers to."""
    calls = [(each.name, call) for each in BLUEPRINTS for call in each.operations]
    examples = read_json(files("ledger.api").joinpath("examples.json").read_bytes())
    schemas = all_schemas([call for _, call in calls], examples["events"])
    addressed, paths = parameters("path", Addressed, schemas), dict[str, Json]()
    for tag, call in calls:
        address = re.sub(r"<(?:[^<>]+:)?(\w+)>", r"{\1}", call.rule)
        path = paths.setdefault(address, {})
        path["parameters"] = [each for each in addressed if f"{{{each['name']}}}" in address]
        path[call.method.lower()] = operation(tag, call, schemas, examples["calls"].get(call.view.__name__, {}))
    problem = {"content": {"application/problem+json": {"schema": reference("Problem")}}}
    others = {"x-problem-codes": codes_of(ANYWHERE), **problem}
    problems: Json = {"default": {"description": "Anything else that went wrong (RFC 9457).", **others}}
    for status, names in OF_FAILURES.items():
        headers = {header: HEADERS[header] for header in ("X-Request-ID", *names)}
        problems[str(status)] = {"description": f"{TITLES[status]}.", "headers": headers, **problem}
    while unused := schemas.keys() - REFERENCE.findall(encoded([paths, problems, schemas]).decode()):
        schemas = {name: schema for name, schema in schemas.items() if name not in unused}
    components = {"responses": problems, "securitySchemes": {"bearer": BEARER}, "schemas": schemas}
    tags = [{"name": each.name, "description": each.description} for each in BLUEPRINTS]
    return {**OF_THE_SERVICE, "tags": tags, "paths": paths, "components": components}


def operation(tag: str, call: Operation, schemas: Mapping[str, Json], shown: Json) -> Json:
    """Describe one operation: what it takes, what it answers, and how it can fail."""
    summary, _, rest = cleandoc(call.view.__doc__ or "").partition("\n\n")
    codes = {str(status): found for status, found in codes_of(call.raises).items()}
    described: Json = {
        "operationId": call.view.__name__,
        "tags": [tag],
        "summary": summary,
        "description": rest,
        "security": [{"bearer": []}] if call.to else [{}, {"bearer": []}] if call.by_key else [],
        "x-problem-codes": codes,
        "parameters": parameters("query", call.query, schemas),
    }
    for header, about in call.request_headers.items():
        described["parameters"].append({"in": "header", "name": header, **about})
    for media, body in call.bodies.items():
        schema = reference(name_of(body, taken=True)) if isinstance(body, type) else body
        sent = shown.get("sent", {}).get(media, {}).items()
        examples = {title.replace(" ", "_"): {"value": value} for title, value in sent}
        taken = described.setdefault("requestBody", {"required": True, "content": {}})
        taken["content"][media] = {"schema": schema, "examples": examples}
    content = {media: {"schema": schema} for media, schema in contents(call.kind).items()}
    for media, value in shown.get("answer", {}).items():
        content[media]["example"] = value
    answer = {"headers": {header: HEADERS[header] for header in HEADERS if header in call.headers}}
    described["responses"] = {
        str(status): {"description": about, **answer, "content": content if status < 300 else {}}
        for status, about in {call.status: HTTPStatus(call.status).phrase, **call.also}.items()
    } | {failed: {"$ref": f"#/components/responses/{failed}"} for failed in (*codes, "default")}
    return described


def parameters(where: str, kind: type[Any], schemas: Mapping[str, Json]) -> list[Json]:
    found = []
    for member in members_of(kind):
        schema = dict(schemas[name_of(kind, taken=True)]["properties"][member.name])
        about = {"required": member.required, "description": schema.pop("description")}
        if isinstance(default := member.default and member.default(), int | str):
            schema["default"] = default
        if not member.extra.get("undescribed"):
            found.append({"in": where, "name": member.name, **about, "schema": schema})
    return found


def contents(kind: Kind) -> Json:
    """Describe what an operation gives, by media type: a file only as far as it is JSON."""
    if isinstance(kind, Files):
        known: Json = {JSON: reference("SessionFile"), XLSX: {"type": "string", "format": "binary"}}
        return {media: known.get(media, {"type": "string"}) for media in kind.media}
    if kind is None:
        return {}
    return {JSON: reference(kind.name if isinstance(kind, Listing) else name_of(kind, taken=False))}
