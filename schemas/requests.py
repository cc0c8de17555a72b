"""From a schema that is written by hand to its description in `/openapi.json`: bodies, and parameters of the query.

A visitor over marshmallow's fields: what a field takes follows from its class, and it says itself what it means. A
record within a body is described by its type (`components`), and the opening of a session for each game in the
registry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, cast

from marshmallow import Schema, fields, missing

from ledger.games import GAMES, newest
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.sentences import docline
from schemas.base import (
    MOMENT,
    UNDESCRIBED,
    Listed,
    MessageField,
    Moment,
    OneOfWords,
    SwitchesField,
    TrueOrFalse,
    Value,
)
from schemas.components import Components, Json, camel, nullable, one_of
from schemas.records import EventField
from schemas.sessions import Dealer, OpeningSchema, Person
from schemas.statistics import People


def body(schema: Schema, taken: Components) -> Json:
    """Refer to the schema of a body, and describe it when it is first referred to."""
    if record := getattr(schema, "record", None):
        return taken.of_record(record)
    name = type(schema).__name__.removesuffix("Schema")
    describe = opening if isinstance(schema, OpeningSchema) else an_object
    return taken.named(name, partial(describe, schema, name, taken))


def parameters(schema: Schema, operation: str, taken: Components) -> list[Json]:
    """Describe the parameters of a query. Null cannot be sent in one."""
    return [
        {
            "in": "query",
            "name": name,
            "required": field.required,
            "description": field.description,
            "schema": {**of_field(field, camel(f"{operation}_{name}"), taken), **examples(field)},
            **field.metadata,
        }
        for name, field in fields_of(schema)
        if field.metadata != UNDESCRIBED
    ]


def an_object(schema: Schema, name: str, taken: Components) -> Json:
    """Describe an object with all of its members."""
    required = [member for member, field in fields_of(schema) if field.required]
    return {**taken.an_object(members(schema, name, taken), required), "description": docline(type(schema))}


def members(schema: Schema, name: str, taken: Components) -> dict[str, Json]:
    """Describe the members of an object: what each takes, and what it means."""
    return {member: of_member(field, f"{name}{camel(member)}", taken) for member, field in fields_of(schema)}


def of_member(field: MessageField, called: str, taken: Components) -> Json:
    """Describe a member: its type, whether it may be null, and what it means."""
    schema = of_field(field, called, taken)
    schema = nullable(schema) if field.allow_none else schema
    return {**schema, "description": field.description, **examples(field)}


def of_field(field: MessageField, called: str, taken: Components) -> Json:
    """Describe what a field takes; `called` is the name of a set of words that has none of its own."""
    default = (
        {} if field.load_default in (missing, None) or callable(field.load_default) else {"default": field.load_default}
    )
    return {**of_type(field, called, taken), **default}


def of_type(field: MessageField, called: str, taken: Components) -> Json:
    """Describe the type of a field."""
    match field:
        case OneOfWords():
            words = tuple(field.words)
            return taken.words(words, "GameName" if words == tuple(GAMES) else called, field.description)
        case Person():
            name = taken.of(field.type)
            person = taken.an_object({"name": {**name, "description": "What the person is called."}}, ["name"])
            named = taken.named("Person", lambda: {**person, "description": "A person who sits down."})
            return {"oneOf": [name, named], "description": "Who it is: a name, or an object with a name."}
        case Value(type=type_):
            return taken.of(type_, called)
        case TrueOrFalse():
            return {"type": "boolean"}
        case Moment():
            return {"type": "string", "format": "date-time", "pattern": f"^(?:{MOMENT})$"}
        case SwitchesField():
            return taken.named("RulesChange", taken.any_rules)
        case People():
            return {"type": "object", "additionalProperties": of_type(field.seats, called, taken)}
        case Dealer():
            seat = {"type": "integer", "minimum": 1, "maximum": 100}
            return {"oneOf": [seat, {"type": "string", "minLength": 2}]}
        case Listed(inner=inner, least=least, most=most):
            bounds = {"minItems": least, "maxItems": most} if least else {"maxItems": most}
            return {"type": "array", "items": of_type(cast("MessageField", inner), called, taken), **bounds}
        case EventField():
            return taken.of_record(Event)
        case fields.Nested():
            return body(field.schema, taken)
    raise TypeError(f"{type(field)} cannot be described")


def examples(field: MessageField) -> Json:
    return {"examples": list(field.examples)} if field.examples else {}


def fields_of(schema: Schema) -> Iterable[tuple[str, MessageField]]:
    """Give the fields of a schema by their names; all of them are of the kinds that can be described."""
    return cast("dict[str, MessageField]", schema.fields).items()


def opening(schema: Schema, name: str, taken: Components) -> Json:
    """Describe an opening for each game: so many players, these decks, those house rules."""
    whole = members(schema, name, taken)
    mapping = {
        game: taken.named(f"{game.title()}{name}", partial(opening_of, newest(game), whole, taken))["$ref"]
        for game in GAMES
    }
    return one_of("game", mapping, docline(type(schema)))


def opening_of(book: RuleBook[Any], whole: Mapping[str, Json], taken: Components) -> Json:
    """Describe an opening of one game."""
    title = book.name.title()
    game = {"type": "string", "const": book.name, "description": whole["game"]["description"]}
    players = {**whole["players"], "minItems": book.fewest, "maxItems": book.seats.stop - 1}
    deck = {**whole["deck"], **taken.words(book.decks, f"{title}Deck", f"The decks of {book.title}.")}
    rules = {**whole["rules"], **taken.named(f"{title}RulesChange", partial(taken.change_of, book))}
    properties = {**whole, "game": game, "players": players, "deck": deck, "rules": rules}
    about = f"{book.title}: a session to be opened, with `players`, or one that it `continues`."
    return {**taken.an_object(properties, ["game"]), "description": about}
