"""The ways by which events come in: over HTTP, below it as the codec reads reports, in the log, in imported files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from ledger import codec
from ledger.codec.words import shows_nothing, unfit
from ledger.hash_chain import SaltedText, salted
from ledger.importing import stored_row
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.sentences import Malformed
from schemas.events import load_event
from schemas.imports import load_file
from schemas.rules import checked
from tests.scorekeeper import Json

T = TypeVar("T")
Faults = frozenset[str]


def read_or_refused(read: Callable[[], T]) -> T | Faults:
    """What is read; or the places of all that is wrong."""
    try:
        return read()
    except Malformed as error:
        faults = error.faults
    assert faults
    return frozenset(fault.pointer for fault in faults)


def over_http(told: Json, book: RuleBook[Any]) -> Event | Faults:
    """What HTTP's schemas make of an event."""
    return read_or_refused(lambda: checked(load_event(told), book))


def as_reported(told: Json, book: RuleBook[Any]) -> Event | Faults:
    """What the codec makes of the same."""
    return read_or_refused(lambda: codec.event_from(told, book))


def from_log(told: Json, book: RuleBook[Any]) -> Event | Faults:
    """What the codec makes of the same as a row of the log, with every text put aside that can be one."""
    texts: dict[str, SaltedText] = {}
    kind, body = told["type"], put_aside({name: value for name, value in told.items() if name != "type"}, texts)
    return read_or_refused(lambda: codec.read_event(kind, json.dumps(body), texts, book))


def from_file(told: Json, book: RuleBook[Any]) -> Event | Faults:
    """What is made of the same in an `export.json`; the places are those in the row."""
    texts: dict[str, SaltedText] = {}
    body = put_aside({name: value for name, value in told.items() if name != "type"}, texts)
    words = {place: {"salt": said.salt.hex(), "text": said.text} for place, said in texts.items()}
    return row_in_file({"type": told["type"], "body": json.dumps(body), "words": words, "version": book.version}, book)


def row_in_file(row: Json, book: RuleBook[Any]) -> Event | Faults:
    """What is made of a row in a file; what is not said of it is right."""
    when = "2026-11-21T09:00:00Z"
    opening = {"body": "{}", "version": book.version, "created_at": when, "words": {}}
    usual = {"seq": 1, "recorded_at": when, "recorded_by": "link", "hash": "0" * 64}
    log = {"opening": opening, "rows": [{**usual, **row}]}
    file = {"format": "fuda-ledger", "version": 1, "balances": {}, "entries": [], "log": log}

    def read() -> Event:
        (stored,) = map(stored_row, load_file(file).log.rows)
        return codec.read_row(stored, book.name)

    return read_or_refused(read)


TEXTS = ("note", "overrule", "reason", "name", "players")


def put_aside(told: Any, texts: dict[str, SaltedText], path: str = "", *, is_text: bool = False) -> Any:
    match told:
        case str() if is_text:
            texts[path] = salted(told)
            return texts[path].digest
        case dict():
            before = f"{path}/" if path else ""
            return {
                name: put_aside(value, texts, f"{before}{name}", is_text=name in TEXTS) for name, value in told.items()
            }
        case list():
            return [put_aside(value, texts, f"{path}/{n}", is_text=is_text) for n, value in enumerate(told)]
    return told


def was_taken_once(told: Json) -> bool:
    """Whether there is a text that no release would take today, but the log may have."""
    return any(unfit(text, one_line=True) or shows_nothing(text) for text in texts_in(json.dumps(told)))


def texts_in(body: str) -> list[str]:
    def within(told: Any) -> list[str]:
        match told:
            case dict():
                return [text for value in told.values() for text in within(value)]
            case list():
                return [text for value in told for text in within(value)]
        return [told] if isinstance(told, str) else []

    return within(json.loads(body))
