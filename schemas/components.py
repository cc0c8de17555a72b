"""From a record's hints to its schema in `/openapi.json`.

`Components` collects the schemas of records, each under a name that client makers can make a type of: every record,
every set of words and every union has one, so that no generator has to number any. What the types say is told: bounds,
words to choose from, what may be null and what may be absent; `wording` has what a member means.

There are two ways to look at a record. As it is `taken`, its schema is closed, and says what may be left out or null.
As it is told, it is open: later releases add members to answers, and a client that minds would break. What goes both
ways has two schemas: `NewShare` is taken, `Share` is told.

A record that stands for several kinds (any event, any outcome) is a `oneOf`, with the member that tells them apart.
House rules and tables are told apart by what they must have. All of it is read off the rule books on the shelf when the
description is made, so a new game needs no line here.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ledger.answers.encoding import Member, described, noted
from ledger.answers.events import LoggedEvent
from ledger.answers.odds import OddsOfTheGame
from ledger.answers.pages import Listing
from ledger.answers.rounds import HouseRules, OnTheTable
from ledger.cards import DECK_NAMES, DECKS, Card, Courts
from ledger.codec.description import MOST_IN_A_LIST, AtMost
from ledger.codec.files import File
from ledger.codec.fractions import DECIMAL, Chance, ExactChips
from ledger.games import every_book
from ledger.language import LANGUAGES, Language
from ledger.play import RESULTS, Between, Event, Kind, Matching, Outcome, RuleBook, Trail
from ledger.records import UnsetType, fields_of, is_record
from ledger.sentences import docline, snake_case
from ledger.session import OUTCOMES, REASONS, Correction
from ledger.statistics import PlayerStatistics
from ledger.store import ROLES
from schemas.events import event_types
from schemas.wording import Wording, sentence

Json = dict[str, Any]

PAIR = 2
PLAIN: Mapping[type, str] = {str: "string", bytes: "string", bool: "boolean", int: "integer"}
WORDS: Mapping[tuple[str, ...], str] = {
    DECK_NAMES: "DeckName",
    ROLES: "Role",
    LANGUAGES: "Language",
    tuple(RESULTS): "Result",
    ("recording", *RESULTS): "RoundStatus",
    ("standing", "amended", "taken_back"): "EventStatus",
    get_args(Courts): "WesternCourts",
}
"""How sets of words are called that are said in several places. Any other is called after its member."""

SCHEMAS = "#/components/schemas/"
MOST_IN_32_BITS = 2**31 - 1
LONGEST_CODE = max(len(card.code) for deck in DECKS.values() for card in deck)
IDS: Mapping[str, str] = {"player": "^p[1-9][0-9]*$", "account": "^(p[1-9][0-9]*|pot|bank)$"}
"""How players and accounts are called in answers."""

TOLD, TAKEN, STORED = "Told", "", "Stored"
"""How an event is named that stands in an answer, in a request, in the log."""


class Components:
    """The schemas of records, as they are told or as they are `taken`; both are collected in `made`."""

    def __init__(self, made: dict[str, Json] | None = None, *, taken: bool = False) -> None:
        self.made: dict[str, Json] = {} if made is None else made
        self.taken = taken
        self.wording = Wording()

    def of_record(self, kind: Any) -> Json:
        """Refer to a record, and describe it when it is first referred to."""
        return self.named(self.name_of(kind), partial(self._described, kind))

    def named(self, name: str, describe: Callable[[], Json]) -> Json:
        """Refer to a schema by its name, and describe it when it is first referred to."""
        if name not in self.made:
            self.made[name] = {}
            self.made[name] = describe()
        return reference(name)

    def page(self, listing: Listing) -> None:
        """Describe a page of a list."""
        elements = {"type": "array", "items": self.of_record(listing.of), "description": "the elements, oldest first"}
        following = {
            "type": ["string", "null"],
            "format": "uri-reference",
            "description": "the address where the list goes on; null at its end",
        }
        page = self.an_object({listing.member: elements, "next": following}, (listing.member, "next"))
        self.made[listing.name] = {**page, "description": "Some of a list, oldest first."}

    def name_of(self, kind: Any) -> str:
        """Give the name that a record is described under."""
        if kind is Event or (isinstance(kind, type) and issubclass(kind, Event)):
            name = "Event" if kind is Event else f"{kind.__name__}Event"
            return name if self.taken else TOLD + name
        return f"New{name_of(kind)}" if self.taken and kind.__module__ != File.__module__ else name_of(kind)

    # --- records ------------------------------------------------------------------------------------------------------

    def _described(self, kind: Any) -> Json:
        if kind in (Event, Outcome):
            return self._kinds(kind, kind, [])
        told = members_taken(kind) if self.taken else list(described(kind))
        others = [member for member in told if not member.spread]
        spread = [member.hint for member in told if member.spread]
        if found := {Event, Outcome}.intersection(spread):
            return self._kinds(kind, found.pop(), others)
        if issubclass(kind, Event):
            return self._kind_of(kind, "type", snake_case(kind.__name__), [])
        records = [hint for hint in spread if get_origin(hint) is None]
        inner = {own.name: own for hint in records for own in described(hint) if not own.spread}
        schema = self._members(kind, {**inner, **{member.name: member for member in others}}.values())
        if PlayerStatistics in (kind, *records):
            schema["properties"] |= tallies()
            schema["required"] += tallies()
        return {**schema, "description": docline(kind)}

    def _kinds(self, whole: Any, base: type, others: list[Member]) -> Json:
        """Describe what stands for several kinds of a record, each with some members besides."""
        by, kinds = kinds_of(base)
        mapping = {}
        for value, several in kinds.items():
            names = [self._inserted(kind.__name__, whole) for kind in several]
            for name, kind in zip(names, several, strict=True):
                self.named(name, partial(self._kind_of, kind, by, value, others))
            if len(names) > 1:
                together = self._inserted(value.title(), whole)
                about = {"description": f"{value.capitalize()}, as the game has it."}
                self.made[together] = {**either({name: self.made[name] for name in names}), **about}
                names = [together]
            mapping[value] = reference(names[0])["$ref"]
        return one_of(by, mapping, docline(whole))

    def _inserted(self, name: str, whole: Any) -> str:
        """Name a kind of a record: `StoredEvent` of a dealt card is `StoredCardDealtEvent`."""
        of = self.name_of(whole)
        last = max(place for place, letter in enumerate(of) if letter.isupper())
        return of[:last] + name + of[last:]

    def _kind_of(self, kind: type, by: str, value: str, others: Iterable[Member]) -> Json:
        """Describe a record with some members besides, and with the word that tells its kind."""
        own = members_taken(kind) if self.taken else described(kind)
        members = {member.name: member for member in (*own, *others) if member.name != by}
        schema = self._members(kind, members.values())
        told = {"type": "string", "const": value, "description": f"`{value}`: which kind this is"}
        schema["properties"] = {by: told, **schema["properties"]}
        schema["required"] = [by, *schema.get("required", ())]
        return {**schema, "description": docline(kind)}

    def _members(self, kind: type, told: Iterable[Member]) -> Json:
        told = list(told)
        properties = {member.name: self.member(kind, member) for member in told}
        return self.an_object(properties, [member.name for member in told if not member.optional])

    def member(self, kind: type, member: Member) -> Json:
        """Describe a member: its type, and what it means."""
        if in_chips := member.notes.get("in_chips"):
            decimals: Json = {"type": "string", "pattern": f"^{DECIMAL}$"}
            schema = self.of_record(ExactChips) if in_chips == "exactly" else decimals
            schema = nullable(schema) if types.NoneType in get_args(member.hint) else schema
        else:
            schema = self.of(member.hint, title(kind) + camel(member.name))
        return {**schema, **self.wording.of_member(kind, member, schema)}

    def an_object(self, properties: Mapping[str, Json], required: Iterable[str]) -> Json:
        """Describe an object: with these members, and with no others if it is taken."""
        schema: Json = {"type": "object", "properties": dict(properties)}
        if needed := list(required):
            schema["required"] = needed
        return {**schema, "additionalProperties": False} if self.taken else schema

    # --- types --------------------------------------------------------------------------------------------------------

    def of(self, hint: Any, called: str = "") -> Json:
        """Describe a type; `called` is what a set of words is named that has no name. Raises TypeError if it cannot."""
        parts, origin = get_args(hint), get_origin(hint)
        if hint == HouseRules:
            return self.named("HouseRules", self._house_rules)
        if hint == OnTheTable:
            return self.named("Table", self._table)
        if hint == OddsOfTheGame:
            return self.named("OddsOfTheGame", self._odds)
        if hint is Fraction:
            return self.of_record(Chance)
        if origin is Annotated:
            return {**self.of(parts[0], called), **self.bounds(parts[1])}
        if origin in (Union, types.UnionType):
            return self._one_of(parts, called)
        if origin is Literal:
            return self.words(parts, called)
        if origin is Trail:
            return self._list((*parts, ...), called)
        if origin is tuple:
            return self._list(parts, called)
        if origin is not None and issubclass(origin, Mapping):
            return self._by_name(parts, called)
        if hint in (object, Any):
            return {}
        if issubclass(hint, Card):
            bounds = {"minLength": 1, "maxLength": LONGEST_CODE} if self.taken else {"pattern": "^[0-9A-Za-z-]+$"}
            return {"type": "string", **bounds, "examples": ["cups-11"]}
        if issubclass(hint, StrEnum):
            return self.words([each.value for each in hint], hint.__name__)
        if hint in PLAIN:
            return sized({"type": PLAIN[hint]})
        if hint is Event or is_record(hint) or hasattr(hint, "_fields"):
            return self.of_record(hint)
        raise TypeError(f"{hint} cannot be described")

    def bounds(self, note: object) -> Json:
        """Give the bounds that a type has."""
        match note:
            case Between(least, most):
                return {"minimum": least, "maximum": most, "format": "int64" if most > MOST_IN_32_BITS else "int32"}
            case Kind("name" | "words", most):
                return {"minLength": 1, "maxLength": most}
            case Kind("reason"):
                return {"pattern": "^[a-z0-9_]+$", "x-extensible-enum": reasons()}
            case Kind(name, most):
                return {"minLength": 1, "maxLength": most} if self.taken else {"pattern": IDS[name]}
            case Matching(pattern):
                return {"pattern": f"^(?:{pattern})$"}
            case AtMost(most):
                return {"maxItems": most}
        return {}

    def words(self, words: Iterable[str], called: str) -> Json:
        """Refer to a set of words. Where these are yes and no, true and false are taken for them."""
        words = tuple(words)
        schema = {"type": "string", "enum": list(words)}
        name = WORDS.get(words, called)
        told = self.named(name, lambda: {**schema, "description": sentence(name)}) if name else schema
        if self.taken and set(words) == {"yes", "no"}:
            return {"oneOf": [told, {"type": "boolean"}]}
        return told

    def _list(self, parts: tuple[Any, ...], called: str) -> Json:
        """Describe a list; one of pairs is also taken as an object."""
        exact = {} if parts[-1] is Ellipsis else {"minItems": len(parts), "maxItems": len(parts)}
        most = {"maxItems": MOST_IN_A_LIST} if self.taken and not exact else {}
        least = {"minItems": 1} if self.taken and are_events(parts[0]) else {}
        schema = {"type": "array", "items": self.of(parts[0], called.removesuffix("s")), **least, **most, **exact}
        if not self.taken or not isinstance(parts[0], type) or not is_record(parts[0]) or issubclass(parts[0], Event):
            return schema
        pair = members_taken(parts[0])
        if len(pair) != PAIR:
            return schema
        name = f"{title(parts[0])}ByPlayer"
        by_name = {"type": "object", "additionalProperties": self.of(pair[1].hint), "maxProperties": MOST_IN_A_LIST}
        told = f"The same by player: each `{pair[1].name}` under the player's id."
        return {"oneOf": [schema, self.named(name, lambda: {**by_name, "description": told})]}

    def _by_name(self, parts: tuple[Any, ...], called: str) -> Json:
        """Describe an object whose names are free, or are the languages."""
        if parts == (str, Any) and called.endswith("Rules"):
            return self.named("RulesChange" if self.taken else "RulesChanged", self.any_rules)
        inner = self.of(parts[1], called)
        if parts[0] == Language:
            name = "InWords" if inner == {"type": "string"} else "Explanation"
            properties = {str(each): {**inner, "description": LANGUAGE_NAMES[each]} for each in LANGUAGES}
            return self.named(
                name, lambda: {**self.an_object(properties, LANGUAGES), "description": "A text in every language."}
            )
        return {"type": "object", "additionalProperties": inner}

    def _one_of(self, parts: tuple[Any, ...], called: str) -> Json:
        """Describe what may be one of several types, or null."""
        some = [part for part in parts if part not in (types.NoneType, UnsetType)]
        if all(isinstance(part, type) and issubclass(part, Event) for part in some):
            told = self._correction()
        elif len(some) == 1:
            told = self.of(some[0], called)
        elif Card in some:  # or a word for one that was not noted
            told = self.of(Card)
        elif all(isinstance(part, type) and issubclass(part, StrEnum) for part in some):
            told = self.words(dict.fromkeys(each.value for part in some for each in part), called)
        else:
            told = {"oneOf": [self.of(part, called) for part in some]}
        return nullable(told) if types.NoneType in parts else told

    def _correction(self) -> Json:
        """Describe one of the corrections that can be made together."""

        def describe() -> Json:
            kinds = get_args(Correction)[:-1]
            mapping = {snake_case(kind.__name__): self.of_record(kind)["$ref"] for kind in kinds}
            return one_of("type", mapping, "A correction among others that are made together.")

        return self.named("Correction" if self.taken else "ToldCorrection", describe)

    # --- what the games have ------------------------------------------------------------------------------------------

    def _house_rules(self) -> Json:
        """Describe the house rules of any game, all of them."""
        kinds = {book.rules: None for book in every_book()}
        return {"oneOf": [self.of_record(kind) for kind in kinds], "description": "House rules, those of the game."}

    def _table(self) -> Json:
        """Describe what lies on the table of any game; of a round known by its totals there is nothing."""
        kinds = {get_type_hints(book.board)["return"]: None for book in every_book()}
        nothing = {"type": "object", "maxProperties": 0, "description": "A round that is known by its totals alone."}
        options = [*map(self.of_record, kinds), self.named("NothingOnTable", lambda: nothing)]
        return {"oneOf": options, "description": "What lies on the table, as the game has it."}

    def _odds(self) -> Json:
        """Describe the chances in a round of any game that knows them."""
        told = [get_args(get_type_hints(book.odds)["return"]) for book in every_book() if book.odds]
        kinds = {kind: None for some in told for kind in some if kind is not types.NoneType}
        return {"oneOf": [self.of_record(kind) for kind in kinds], "description": "The chances, as the game has them."}

    def any_rules(self) -> Json:
        """Describe some switches of the house rules, of whichever game."""
        found: dict[str, dict[str, Json]] = {}
        for book in every_book():
            for name, schema in self.change_of(book)["properties"].items():
                kind = {told: schema[told] for told in schema if told != "description"}
                found.setdefault(name, {}).setdefault(str(kind), schema)
        properties = {
            name: next(iter(several.values())) if len(several) == 1 else {"anyOf": list(several.values())}
            for name, several in found.items()
        }
        about = "Some house rules, of those that the game has; what is not named stays as it is."
        return {**self.an_object(properties, ()), "description": about}

    def change_of(self, book: RuleBook[Any]) -> Json:
        """Describe some switches of a game."""
        return self._some(book.rules)

    def _some(self, kind: type) -> Json:
        """Describe a record of switches of which none is needed."""
        properties = {}
        for member in members_taken(kind):
            if is_record(member.hint):
                name = f"{title(member.hint)}Change" if self.taken else f"{title(member.hint)}Changed"
                inner = self.named(name, partial(self._some, member.hint))
                properties[member.name] = {**inner, **self.wording.of_member(kind, member, inner)}
            else:
                properties[member.name] = self.member(kind, member)
        return {**self.an_object(properties, ()), "description": docline(kind)}


LANGUAGE_NAMES: Mapping[Language, str] = {"en": "in English", "ja": "in Japanese"}


def members_taken(kind: type) -> list[Member]:
    """Give the members of a record as they are taken: what has a default may be left out, and None stays None."""
    return [
        Member(field.attribute, field.name, field.hint, optional=not field.required, notes=noted(field))
        for field in fields_of(kind)
    ]


def kinds_of(base: type) -> tuple[str, Mapping[str, list[type]]]:
    """Say which member tells the kinds of a record apart, and which kinds there are for each of its values."""
    if base is Event:
        return "type", {name: [kind] for name, kind in event_types().items()}
    found: dict[str, dict[type, None]] = {}
    for book in every_book():
        for outcome in (*book.outcomes, *OUTCOMES):
            for result in get_args(get_type_hints(outcome)["result"]):
                found.setdefault(result, {})[outcome] = None
    return "result", {result: list(kinds) for result, kinds in found.items()}


def name_of(kind: Any) -> str:
    """Give the name that a record, or a page of a list, is described under in answers."""
    if isinstance(kind, Listing):
        return kind.name
    if kind is LoggedEvent:
        return f"{STORED}Event"
    if kind is Outcome:
        return "PlainOutcome"
    return title(kind)


def title(kind: Any) -> str:
    """Give the name of a record; one of a rule book's own begins with the name of the game."""
    name: str = {"Board": "Table", "File": "SessionFile"}.get(kind.__name__, kind.__name__)
    games = {own.__module__: book for book in every_book() for own in (book.rules, book.odds) if own}
    book = games.get(kind.__module__)
    if book is None or issubclass(kind, Event) or name.startswith(book.name.title()):
        return name
    return f"{book.name.title()}{name}"


def reasons() -> list[str]:
    """Give the reasons for which chips move today. A later game brings its own, so they are no closed set."""
    return list(dict.fromkeys(reason for book in every_book() for reason in (*book.reasons, *REASONS)))


def tallies() -> dict[str, Json]:
    """Describe what the games on the shelf count of a player."""
    found = {tally.name: tally.label for book in every_book() for tally in book.tallies}
    return {
        name: {"type": "integer", "format": "int64", "minimum": 0, "description": f"{label}, as the game counts it."}
        for name, label in found.items()
    }


def camel(name: str) -> str:
    """Turn `third_deal` into `ThirdDeal`."""
    return "".join(part.capitalize() for part in name.split("_"))


def one_of(by: str, mapping: Mapping[str, str], about: str) -> Json:
    """Describe what is one of several records, told apart by a member."""
    options = [{"$ref": option} for option in dict.fromkeys(mapping.values())]
    return {"oneOf": options, "discriminator": {"propertyName": by, "mapping": dict(mapping)}, "description": about}


def either(kinds: Mapping[str, Json]) -> Json:
    """Describe what is one of some records that no single member tells apart.

    Where one has all that another must have, a program could not tell the other from it: then they are described as
    one record, with what both must have.
    """
    needed = [set(kind["required"]) for kind in kinds.values()]
    if not any(one <= other for n, one in enumerate(needed) for other in (*needed[:n], *needed[n + 1 :])):
        return {"oneOf": [reference(name) for name in kinds]}
    properties: dict[str, Json] = {}
    for kind in kinds.values():
        for name, told in kind["properties"].items():
            known = properties.setdefault(name, told)
            if known != told:
                properties[name] = {"anyOf": [known, told]}
    common = set.intersection(*needed)
    return {"type": "object", "properties": properties, "required": [name for name in properties if name in common]}


def sized(schema: Json) -> Json:
    """Say of a number without bounds how large it may get."""
    return {**schema, "format": "int64"} if schema["type"] == "integer" else schema


def are_events(hint: Any) -> bool:
    """Say whether a hint names some kinds of events, as the parts of a correction."""
    return bool(get_args(hint)) and all(isinstance(kind, type) and issubclass(kind, Event) for kind in get_args(hint))


def nullable(schema: Json) -> Json:
    """Let something be null as well."""
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    if "oneOf" in schema and "$ref" not in schema:
        return {"oneOf": [*schema["oneOf"], {"type": "null"}]}
    return {"anyOf": [schema, {"type": "null"}]}


def reference(name: str) -> Json:
    """Refer to a schema by its name."""
    return {"$ref": SCHEMAS + name}
