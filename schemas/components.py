"""From the description of a record to its schema in `/openapi.json`.

`Components` collects the schemas of records, each under a name that client generators can make a type of: every record,
every set of words and every union has one. What the types say goes in: bounds, words to choose from, what may be null
and what may be absent; a field's own `Meta` says what it means.

There are two ways to look at a record. As it is `taken`, its schema is closed, and says what may be left out or null.
In an answer it is open: later releases add members, and a client that minds would break. What goes both ways has two
schemas: `NewShare` is taken, `Share` is in answers.

A record that stands for several kinds (any event, any outcome) is a `oneOf`, with the member that tells them apart.
House rules and tables are told apart by their required members. All of it is read off the registered rule books when
the description is made, so a new game needs no line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, get_args, get_type_hints

from ledger.cards import DECK_NAMES, DECKS, Courts
from ledger.codec.description import (
    Anything,
    ByName,
    CardCode,
    Checked,
    Either,
    Exact,
    Group,
    Kinds,
    Member,
    Nullable,
    OfGame,
    Plain,
    Several,
    Switches,
    Type,
    Words,
    members_of,
    words_of,
)
from ledger.codec.files import File
from ledger.codec.fractions import DECIMAL, Chance, ExactChips
from ledger.codec.reader import pair_of
from ledger.games import every_book
from ledger.language import LANGUAGES, Language
from ledger.play.events import Event
from ledger.play.rounds import RESULTS, Outcome
from ledger.play.rule_book import RuleBook
from ledger.play.values import Between, CalendarDay, Kind, Matching
from ledger.responses.events import LoggedEvent
from ledger.responses.pages import Listing
from ledger.sentences import docline, snake_case
from ledger.session.events import REASONS
from ledger.session.table import OUTCOMES
from ledger.statistics import PlayerStatistics
from ledger.storage.records import ROLES
from schemas.records import event_types
from schemas.unions import some_of
from schemas.wording import SETS, Wording

Json = dict[str, Any]

PLAIN: Mapping[type, Json] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "format": "int64"},
}
WORDS: Mapping[tuple[str, ...], str] = {
    DECK_NAMES: "DeckName",
    ROLES: "Role",
    LANGUAGES: "Language",
    ("recording", *RESULTS): "RoundStatus",
    ("standing", "amended", "taken_back"): "EventStatus",
    get_args(Courts): "WesternCourts",
}
"""Names of sets of words that stand in several places. Any other is named after its member."""

OPEN: Mapping[str, str] = {"DeckName": "ToldDeckName", "Role": "ToldRole", "RoundStatus": "RoundStatus"}
"""Sets of words to which later releases add, each with its name in answers: there it is a text."""

SCHEMAS = "#/components/schemas/"
MAX_IN_32_BITS = 2**31 - 1
LONGEST_CODE = max(len(card.code) for deck in DECKS.values() for card in deck)
IDS: Mapping[str, str] = {"player": "^p[1-9][0-9]*$", "account": "^(p[1-9][0-9]*|pot|bank)$"}
"""Ids of players and accounts in answers."""

KIND_OF: Mapping[str, str] = {"type": "The type of the event", "result": "How the round ended"}
"""The meaning of the member that tells the kinds of a record apart."""


class Components:
    """The schemas of records, as they are in answers or as they are `taken`; both are collected in `made`."""

    def __init__(self, made: dict[str, Json] | None = None, *, taken: bool = False) -> None:
        self.made: dict[str, Json] = {} if made is None else made
        self.taken = taken
        self.wording = Wording()

    def of_record(self, kind: Any) -> Json:
        """Refer to a record, and describe it when it is first referred to."""
        return self.named(self.name_of(kind), partial(self.described, kind))

    def named(self, name: str, describe: Callable[[], Json]) -> Json:
        """Refer to a schema by its name, and describe it when it is first referred to."""
        if name not in self.made:
            self.made[name] = {}
            self.made[name] = describe()
        return reference(name)

    def page(self, listing: Listing) -> None:
        """Describe a page of a list."""
        elements = {"type": "array", "items": self.of_record(listing.of), "description": "The elements, oldest first."}
        following = {
            "type": ["string", "null"],
            "format": "uri-reference",
            "description": "The address where the list goes on; null at its end.",
        }
        page = self.an_object({listing.member: elements, "next": following}, (listing.member, "next"))
        self.made[listing.name] = {**page, "description": "Some of a list, oldest first."}

    def name_of(self, kind: Any) -> str:
        """Give the name that a record is described under."""
        if kind is Event or (isinstance(kind, type) and issubclass(kind, Event)):
            name = "Event" if kind is Event else f"{kind.__name__}Event"
            return name if self.taken else f"Told{name}"
        return f"New{name_of(kind)}" if self.taken and kind.__module__ != File.__module__ else name_of(kind)

    # --- records ------------------------------------------------------------------------------------------------------

    def described(self, kind: Any) -> Json:
        """Describe a record."""
        if kind in (Event, Outcome):
            return self._kinds(kind, kind, ())
        own = [(kind, member) for member in members_of(kind) if not member.is_spread]
        spread = [member.type for member in members_of(kind) if member.is_spread]
        for type_ in spread:
            if isinstance(type_, Kinds):
                return self._kinds(kind, type_.base, own)
        if issubclass(kind, Event):
            return self._kind_of(kind, "type", snake_case(kind.__name__), ())
        inner = [(type_.record, m) for type_ in spread if isinstance(type_, Group) for m in members_of(type_.record)]
        members = {m.name: (of, m) for of, m in (*inner, *own) if not m.is_spread}
        schema = self._members(kind, members.values())
        if PlayerStatistics in (kind, *(record for record, _ in inner)):
            schema["properties"] |= tallies()
            schema["required"] += tallies()
        return {**schema, "description": docline(kind)}

    def _kinds(self, whole: Any, base: type, others: Iterable[tuple[type, Member]]) -> Json:
        """Describe a record that stands for several kinds, each with some members besides."""
        by, kinds = kinds_of(base)
        mapping = {}
        for value, several in kinds.items():
            names = [self._inserted(kind.__name__, whole) for kind in several]
            for name, kind in zip(names, several, strict=True):
                self.named(name, partial(self._kind_of, kind, by, value, others))
            if len(names) > 1:
                together = self._inserted(value.title(), whole)
                about = {"description": f"{value.capitalize()}, as the game has it."}
                self.made[together] = {"oneOf": [reference(name) for name in names], **about}
                names = [together]
            mapping[value] = reference(names[0])["$ref"]
        return one_of(by, mapping, docline(whole))

    def _inserted(self, name: str, whole: Any) -> str:
        """Name a kind of a record: `StoredEvent` of a dealt card is `StoredCardDealtEvent`."""
        of = self.name_of(whole)
        last = max(place for place, letter in enumerate(of) if letter.isupper())
        return of[:last] + name + of[last:]

    def _kind_of(self, kind: type, by: str, value: str, others: Iterable[tuple[type, Member]]) -> Json:
        """Describe a record with some members besides, and with the word that tells its kind."""
        members = {m.name: (of, m) for of, m in (*((kind, m) for m in members_of(kind)), *others) if m.name != by}
        schema = self._members(kind, members.values())
        word = {"type": "string", "const": value, "description": f"{KIND_OF[by]}: always `{value}`."}
        schema["properties"] = {by: word, **schema["properties"]}
        schema["required"] = [by, *schema.get("required", ())]
        return {**schema, "description": docline(kind)}

    def _members(self, whole: type, members: Iterable[tuple[type, Member]]) -> Json:
        """Describe the members of a record, each with the record that declares it."""
        members = list(members)
        properties = {member.name: self.member(kind, member, title(whole)) for kind, member in members}
        return self.an_object(properties, [member.name for _, member in members if not self._may_be_absent(member)])

    def _may_be_absent(self, member: Member) -> bool:
        return not member.field.required if self.taken else member.optional

    def member(self, kind: type[Any], member: Member, whole: str = "") -> Json:
        """Describe a member: its type, and what it means. A set of words without a name is named after `whole`."""
        of, called = member.type, (whole or title(kind)) + camel(member.name)
        if kind.omits_none and not self.taken and isinstance(of, Nullable):
            of = of.inner
        if in_chips := member.field.extra.get("in_chips"):
            schema: Json = {"type": "string", "pattern": f"^{DECIMAL}$"}
            schema = self.of_record(ExactChips) if in_chips == "exactly" else schema
            schema = nullable(schema) if isinstance(of, Nullable) else schema
        else:
            schema = self.of(of, called)
        about = self.wording.of_member(kind, member, schema)
        for name in (called, called.removesuffix("s")):
            if "enum" in self.made.get(name, {}):  # a set of words that has no name but the member's
                self.made[name]["description"] = about.get("description", "")
        return {**schema, **about}

    def an_object(self, properties: Mapping[str, Json], required: Iterable[str]) -> Json:
        """Describe an object: with these members, and with no others if it is taken."""
        schema: Json = {"type": "object", "properties": dict(properties)}
        if needed := list(required):
            schema["required"] = needed
        return {**schema, "additionalProperties": False} if self.taken else schema

    # --- types --------------------------------------------------------------------------------------------------------

    def of(self, type_: Type, called: str = "") -> Json:
        """Describe a type; `called` is what a set of words is named that has no name. Raises TypeError if it cannot."""
        match type_:
            case Plain(kind):
                return PLAIN[kind]
            case Words(words, name):
                return self.words(words, name or called)
            case CardCode():
                bounds = {"minLength": 1, "maxLength": LONGEST_CODE} if self.taken else {"pattern": "^[0-9A-Za-z-]+$"}
                return {"type": "string", **bounds, "examples": ["cups-11"]}
            case Between(least, most):
                size = "int64" if most > MAX_IN_32_BITS else "int32"
                return {"type": "integer", "minimum": least, "maximum": most, "format": size}
            case CalendarDay():
                return {"type": "string", "format": "date"}
            case Kind() | Matching():
                return {"type": "string", **self._form(type_)}
            case Checked(_, schema):
                return {"type": "string", **schema}
            case Exact():
                return self.of_record(Chance)
            case Anything():
                return {}
            case Group(record):
                return self.of_record(record)
            case Kinds(base, few):
                return self._correction(few) if few else self.of_record(base)
            case Nullable(inner):
                return nullable(self.of(inner, called))
            case Either(options):
                return {"oneOf": [self.of(option, called) for option in options]}
            case Several():
                return self._list(type_, called)
            case ByName(key, item):
                return self._by_name(key, item, called)
            case Switches():
                return self.named("RulesChange" if self.taken else "RulesChanged", self.any_rules)
            case OfGame(what):
                of_game: Json = getattr(self, f"_{what}")()
                return of_game
        raise TypeError(f"{type_} cannot be described")

    def _form(self, form: Kind | Matching) -> Json:
        """Give the bounds of a text."""
        match form:
            case Matching(pattern):
                return {"pattern": f"^(?:{pattern})$"}
            case Kind("reason"):
                return {"pattern": "^[a-z0-9_]+$", "x-extensible-enum": reasons()}
            case Kind("player" | "account" as kind) if not self.taken:
                return {"pattern": IDS[kind]}
        return {"minLength": 1, "maxLength": form.most}

    def words(self, words: Iterable[str], called: str, about: str = "") -> Json:
        """Refer to a set of words. Where these are yes and no, true and false are accepted for them."""
        words = tuple(words)
        name = WORDS.get(words, called)
        is_open = name in OPEN and not self.taken
        schema = {"type": "string", **(some_of(list(words)) if is_open else {"enum": list(words)})}
        about = SETS.get(name, about)
        told = OPEN[name] if is_open else name
        known = self.named(told, lambda: {**schema, "description": about}) if name else schema
        if self.taken and set(words) == {"yes", "no"}:
            return {"oneOf": [known, {"type": "boolean"}]}
        return known

    def _list(self, of: Several, called: str) -> Json:
        """Describe a list; one of pairs is also taken as an object."""
        schema: Json = {"type": "array", "items": self.of(of.item, called.removesuffix("s"))}
        if of.exact is not None:
            schema |= {"minItems": of.exact, "maxItems": of.exact}
        elif self.taken:
            schema |= {"maxItems": of.most, **({"minItems": 1} if isinstance(of.item, Kinds) else {})}
        pair = pair_of(of.item) if self.taken else None
        if pair is None or not isinstance(of.item, Group):
            return schema
        _, second = pair
        by_name = {
            "type": "object",
            "additionalProperties": self.of(second.type),
            "maxProperties": of.most,
            "description": f"The same by player: each `{second.name}` under the player's id.",
        }
        return {"oneOf": [schema, self.named(f"{title(of.item.record)}ByPlayer", lambda: by_name)]}

    def _by_name(self, key: Any, item: Type, called: str) -> Json:
        """Describe an object whose names are free, or are the languages."""
        inner = self.of(item, called)
        if key != Language:
            return {"type": "object", "additionalProperties": inner}
        name = "InWords" if inner == {"type": "string"} else "Explanation"
        properties = {str(each): {**inner, "description": LANGUAGE_NAMES[each]} for each in LANGUAGES}
        about = "A text in every language."
        return self.named(name, lambda: {**self.an_object(properties, LANGUAGES), "description": about})

    def _correction(self, kinds: Iterable[type[Event]]) -> Json:
        """Describe one of the corrections that can be made together."""

        def describe() -> Json:
            mapping = {snake_case(kind.__name__): self.of_record(kind)["$ref"] for kind in kinds}
            return one_of("type", mapping, "A correction among others that are made together.")

        return self.named("Correction" if self.taken else "ToldCorrection", describe)

    # --- what the games have ------------------------------------------------------------------------------------------

    def _rules(self) -> Json:
        """Describe the house rules of any game, all of them."""
        kinds = {book.rules: None for book in every_book()}
        return self._of_games("HouseRules", map(self.of_record, kinds), "House rules, those of the game.")

    def _table(self) -> Json:
        """Describe what lies on the table of any game; of a round known by its totals there is nothing."""
        kinds = {get_type_hints(book.board)["return"]: None for book in every_book()}
        about = "What lies on the table, as the game has it."
        return self._of_games("Table", map(self.of_record, kinds), about, required=[])

    def _odds(self) -> Json:
        """Describe the chances in a round of any game that knows them."""
        given = [get_args(get_type_hints(book.odds)["return"]) for book in every_book() if book.odds]
        kinds = {kind: None for some in given for kind in some if kind is not type(None)}
        return self._of_games("OddsOfTheGame", map(self.of_record, kinds), "The chances, as the game has them.")

    def _of_games(self, name: str, options: Iterable[Json], about: str, **more: Any) -> Json:
        return self.named(name, lambda: {"oneOf": list(options), "description": about, **more})

    def any_rules(self) -> Json:
        """Describe some switches of the house rules, of whichever game."""
        found: dict[str, dict[str, Json]] = {}
        for book in every_book():
            for name, schema in self.change_of(book)["properties"].items():
                kind = {key: schema[key] for key in schema if key != "description"}
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
        for member in members_of(kind):
            if isinstance(member.type, Group):
                record = member.type.record
                name = f"{title(record)}Change" if self.taken else f"{title(record)}Changed"
                inner = self.named(name, partial(self._some, record))
                properties[member.name] = {**inner, **self.wording.of_member(kind, member, inner)}
            else:
                properties[member.name] = self.member(kind, member)
        return {**self.an_object(properties, ()), "description": docline(kind)}


LANGUAGE_NAMES: Mapping[Language, str] = {"en": "In English.", "ja": "In Japanese."}


def kinds_of(base: type) -> tuple[str, Mapping[str, list[type]]]:
    """Say which member tells the kinds of a record apart, and which kinds there are for each of its values."""
    if base is Event:
        return "type", {name: [kind] for name, kind in event_types().items()}
    found: dict[str, dict[type, None]] = {}
    for book in every_book():
        for outcome in (*book.outcomes, *OUTCOMES):
            for result in words_of(outcome, "result"):
                found.setdefault(result, {})[outcome] = None
    return "result", {result: list(kinds) for result, kinds in found.items()}


def name_of(kind: Any) -> str:
    """Give the name that a record, or a page of a list, is described under in answers."""
    if isinstance(kind, Listing):
        return kind.name
    if kind is LoggedEvent:
        return "StoredEvent"
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
