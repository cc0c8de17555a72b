"""The bodies and parameters that `apispec` has described, told as everything else is.

What is a record in a request (`schemas.records`) is described by its hints (`components`). What is left are the bodies
that are written by hand and the parameters: here their sets of words and their objects get names, and what may be said
of a game is told for each game on the shelf.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ledger.games import GAMES, newest
from ledger.play import RuleBook
from schemas.components import Components, Json, camel, nullable, one_of, reference
from schemas.fields import MOMENT
from schemas.wording import MEMBERS

BODIES: Mapping[str, str] = {
    "Events": "Events to be recorded, all or none.",
    "Calculate": "A round to be worked out, and what it is played on.",
    "Recalculate": "House rules to pay a recorded round under; what is not named is as it was.",
    "Several": "The sessions that are to be counted together, and who in them is one person.",
    "JoinedPlayer": "A player of a session.",
    "NewLink": "A link to be made.",
    "Opening": "A session to be opened; the game says which decks and house rules there are.",
}
SAID: Mapping[str, Json] = {
    "players": {"description": "The players in seat order, counter-clockwise: names, or objects with a name."},
    "continues": {
        "description": "A token of an earlier session, of an owner or a scorer: the same people play on, and `players` "
        "and all else that is not said here is as it stands there. `game` may then be left out, too."
    },
    "JoinedPlayer.player": {"description": "The player's id in that session.", "examples": ["p1"]},
    "player": {"description": "Who it is: a name, or an object with a name."},
    "dealer": {"description": "Who deals: a seat number, or the id that a player will have.", "examples": ["p1"]},
    "deck": {"description": "Which deck is played with; by default the first that the game knows."},
    "game": {"description": "Which game is played.", "examples": ["shippin"]},
    "name": {"description": "What the session is called.", "examples": ["New year"]},
    "chip_value": {"description": "What a chip is worth, so that a settlement can speak of money."},
    "odds": {"description": "Whether the table wants to be told the chances; no house rule."},
    "carried": {"description": "Chips that lay in the pot when the round opened."},
    "events": {"description": "The events, in the order in which they were seen."},
    "rules": {"description": "House rules; what is not named is as usual."},
    "tokens": {"description": "A token of each session."},
    "people": {
        "description": "Which players of which sessions are one person, by the person's name. Nobody else is joined.",
        "examples": [{"Aki": [{"session": "3f6c9a52d81b7e04", "player": "p1"}]}],
    },
    "role": {"description": "What the link lets its bearer do."},
    "label": {"description": "What the link is called, for those who look at the list.", "examples": ["Chie's phone"]},
    "expires_at": {
        "description": "When the link ends by itself: a moment from 2000 to 9998, with its time zone (RFC 3339).",
        "pattern": f"^(?:{MOMENT})$",
        "examples": ["2099-01-01T00:00:00Z"],
    },
}
"""What the members of these bodies mean."""


def described(spec: Json, taken: Components) -> None:
    """Describe every body that is written by hand, under its own name; the others are described by their hints."""
    by_hand = spec["components"]["schemas"]
    found = {name: partial(body, name, schema, taken) for name, schema in by_hand.items() if name not in RECORDS}
    spec["components"]["schemas"] = taken.made
    for name, describe in found.items():
        if name == "Opening":
            taken.named(name, partial(opening, describe(), taken))
        elif not name.endswith("Event") and name not in {"Event", "Correction"}:
            taken.named(name, describe)


RECORDS = {"ChipValue", "Share", "Brought", "Draw"}


def body(name: str, schema: Json, taken: Components) -> Json:
    """Describe a body with all of its members."""
    properties = {member: of_member(name, member, told, taken) for member, told in schema["properties"].items()}
    return {"description": BODIES.get(name, f"{name}."), **schema, "properties": properties}


def of_member(name: str, member: str, schema: Json, taken: Components) -> Json:
    """Describe a member of a body."""
    said = SAID.get(f"{name}.{member}") or SAID.get(member) or {"description": MEMBERS.get(member, f"{member}.")}
    match member:
        case "rules":
            told = taken.named("RulesChange", taken.any_rules)
        case "dealer":
            told = {"oneOf": [{"type": "integer", "minimum": 1, "maximum": 100}, {"type": "string", "minLength": 2}]}
        case "events":
            told = {**schema, "items": reference("Event")}
        case "players":
            told = {**schema, "items": one_person(schema["items"], taken)}
        case "chip_value":
            told = nullable(reference("NewChipValue"))
        case _:
            told = tidied(schema, f"{name}{camel(member)}", taken)
    return {**{key: value for key, value in told.items() if key != "description"}, **said}


def tidied(schema: Json, called: str, taken: Components) -> Json:
    """Give a set of words its name, and leave out a default that only says that nothing was said."""
    kept = {key: value for key, value in schema.items() if key not in {"enum", "type", "default", "example"}}
    if schema.get("default") is not None:
        kept["default"] = schema["default"]
    if "example" in schema:
        kept["examples"] = [schema["example"]]
    if "enum" in schema:
        words = tuple(word for word in schema["enum"] if word is not None)
        told = taken.words(words, {tuple(GAMES): "GameName"}.get(words, called))
        return {**(nullable(told) if None in schema["enum"] else told), **kept}
    return {**({"type": schema["type"]} if "type" in schema else {}), **kept}


def parameter(told: Json, operation: str, taken: Components) -> Json:
    """Describe a parameter: nobody can send null in a query."""
    schema = dict(told["schema"])
    if isinstance(schema.get("type"), list):
        schema["type"] = next(kind for kind in schema["type"] if kind != "null")
    if "enum" in schema:
        schema["enum"] = [word for word in schema["enum"] if word is not None]
    schema.pop("description", None)
    tidy = tidied(schema, camel(f"{operation}_{told['name']}"), taken)
    return {**told, "schema": tidy}


def one_person(told: Json, taken: Components) -> Json:
    """Describe a person: a name, or an object with one."""
    name = {"type": "string", "minLength": told["minLength"], "maxLength": told["maxLength"]}
    known = {"name": {**name, "description": "What the person is called."}}
    person = {**taken.an_object(known, ["name"]), "description": "Somebody who sits down."}
    return {"oneOf": [name, taken.named("Person", lambda: person)], **SAID["player"]}


def opening(whole: Json, taken: Components) -> Json:
    """Describe an opening for each game: so many players, these decks, those house rules."""
    mapping = {}
    for game in GAMES:
        book = newest(game)
        name = f"{game.title()}Opening"
        mapping[game] = taken.named(name, partial(opening_of, book, whole, taken))["$ref"]
    return one_of("game", mapping, BODIES["Opening"])


def opening_of(book: RuleBook[Any], whole: Json, taken: Components) -> Json:
    """Describe an opening of one game."""
    properties = dict(whole["properties"])
    properties["game"] = {"type": "string", "const": book.name, "description": "Which game is played."}
    least, most = book.seats.start, book.seats.stop - 1
    properties["players"] = {**properties["players"], "minItems": least, "maxItems": most}
    decks = taken.words(book.decks, f"{book.name.title()}Deck")
    properties["deck"] = {**decks, "description": properties["deck"]["description"]}
    rules = taken.named(f"{book.name.title()}RulesChange", lambda: taken.change_of(book))
    properties["rules"] = {**rules, "description": properties["rules"]["description"]}
    about = f"{book.title}: a session to be opened, with `players`, or one that it `continues`."
    return {**whole, "properties": properties, "required": ["game"], "description": about}
