"""What others read off a rule book: it is all there, it has a name in both languages, and the rules keep to it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

import pytest
from msgspec.inspect import StructType, VarTupleType

from ledger.games import GAMES, newest
from ledger.i18n.language import LANGUAGES, SOURCE, render, translate
from ledger.i18n.sentences import Sentence
from ledger.records import Member, element, members_of, replace
from ledger.rulebook.cards import DECK_LABELS, DECK_NAMES, words_of
from ledger.rulebook.chips import pay
from ledger.rulebook.event import Event
from ledger.rulebook.phase import RESULTS, Outcome, Phase, Result, Step, Void
from ledger.rulebook.rule_book import RuleBook
from ledger.rulebook.values import POT
from ledger.session.events import EVENTS, FIELDS, REASONS, RoundOpened
from ledger.session.table import OUTCOMES
from tests.session.tables import after, table

BOOKS = [book for books in GAMES.values() for book in books.values()]
every_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: f"{book.name}-{book.version}")


def is_called_in_both(label: Sentence) -> bool:
    """Whether a label has words in both languages; the catalogue has the Japanese ones."""
    return not label.facts and bool(label.text) and translate(label.text, "ja") != label.text


def kinds(book: RuleBook[Any], base: type[Any]) -> set[type[Any]]:
    """The records of a kind that a game's own file declares, but for those that are only common to others."""
    own = vars(sys.modules[book.play.__module__]).values()
    found = {kind for kind in own if inspect.isclass(kind) and issubclass(kind, base)}
    here = {kind for kind in found if kind.__module__ == book.play.__module__}
    return {kind for kind in here if base not in (Event, Phase) or "label" in vars(kind)}


def switches(rules: type[Any]) -> Iterator[Member]:
    for switch in members_of(rules):
        yield switch
        if isinstance(switch.type, StructType):
            yield from switches(switch.type.cls)


@every_book
def test_it_has_a_title(book: RuleBook[Any]) -> None:
    assert is_called_in_both(book.title)


@every_book
def test_every_switch_has_its_row_a_label_help_and_a_label_for_each_value(book: RuleBook[Any]) -> None:
    for switch in switches(book.rules):
        told = switch.extra
        assert told["row"].partition("-")[0] == book.seats_row.partition("-")[0]
        assert is_called_in_both(told["label"]), switch.name
        assert is_called_in_both(told["help"]), switch.name
        assert told["help"].text.endswith(".")
        assert list(told["values"]) == list(words_of(switch)), switch.name
        assert all(map(is_called_in_both, told["values"].values())), switch.name


@every_book
def test_every_event_and_each_of_its_fields_has_a_label(book: RuleBook[Any]) -> None:
    has_labels(book.between + book.events, {**FIELDS, **book.fields})
    assert {*book.between, *book.events} == kinds(book, Event)


def test_so_has_every_event_of_any_game() -> None:
    has_labels(EVENTS, FIELDS)


def has_labels(events: tuple[type[Event], ...], named: Mapping[str, Sentence]) -> None:
    for kind in events:
        assert is_called_in_both(kind.label), kind
        for name in wire_names(kind):
            assert is_called_in_both(named[name]), (kind, name)


def wire_names(record: type[Any]) -> Iterator[str]:
    """The names of an event's fields, and of what lies in them."""
    for member in members_of(record):
        yield member.name
        inner = element(member.type.item_type).type if isinstance(member.type, VarTupleType) else member.type
        if isinstance(inner, StructType):
            yield from wire_names(inner.cls)


@every_book
def test_every_event_has_a_short_form(book: RuleBook[Any]) -> None:
    assert {form.event for form in book.forms} == {*book.between, *book.events}


@every_book
def test_every_phase_has_a_label_and_is_named(book: RuleBook[Any]) -> None:
    assert set(book.phases) == kinds(book, Phase)
    assert all(is_called_in_both(phase.label) for phase in book.phases)


@every_book
def test_every_way_to_end_is_named_and_always_has_the_same_result(book: RuleBook[Any]) -> None:
    assert {*book.outcomes} - {Void} == kinds(book, Outcome)
    for outcome in (*book.outcomes, *OUTCOMES):
        (result,) = get_args(get_type_hints(outcome)["result"])
        assert {member.name: member.default and member.default() for member in members_of(outcome)}["result"] == result


def test_every_result_and_every_deck_has_a_label() -> None:
    assert tuple(RESULTS) == get_args(Result)
    assert all(map(is_called_in_both, RESULTS.values()))
    assert tuple(DECK_LABELS) == DECK_NAMES
    assert all(map(is_called_in_both, DECK_LABELS.values()))


@every_book
def test_every_reason_and_tally_has_a_label(book: RuleBook[Any]) -> None:
    tallied = {tally.name: tally.label for tally in book.tallies}
    assert len(tallied) == len(book.tallies)
    for labels in (book.reasons, book.forfeits, tallied, REASONS):
        assert [name for name, label in labels.items() if not is_called_in_both(label)] == []


def test_no_game_pays_for_a_reason_of_the_session() -> None:
    assert [reason for book in BOOKS for reason in book.reasons if reason in REASONS] == []


def test_no_event_of_a_game_is_called_like_one_of_any_game() -> None:
    own = {kind.type for book in BOOKS for kind in (*book.between, *book.events)}
    assert own.isdisjoint(kind.type for kind in EVENTS)


def test_a_word_that_is_told_without_its_game_has_one_meaning() -> None:
    """A type of event is one class; a reason and a tally have one label in all games."""
    events, words = dict[str, type[Event]](), dict[str, Sentence]()
    for book in BOOKS:
        for kind in (*book.between, *book.events):
            assert events.setdefault(kind.type, kind) is kind, kind.type
        for word, label in {**book.reasons, **{tally.name: tally.label for tally in book.tallies}}.items():
            assert words.setdefault(word, label) == label, word


def test_a_rule_book_moves_no_chips_for_a_reason_it_does_not_declare() -> None:
    book: RuleBook[Any] = newest("kakkuri")

    def tipping(ground: Any) -> Step:
        return Step(book.open_round(ground).phase, pay("p1", POT, 1, "tip"))

    at = replace(table("kakkuri"), rule_books={1: replace(book, open_round=tipping)})
    with pytest.raises(ValueError, match="tip"):
        after(at, RoundOpened())


def test_a_label_is_said_as_it_stands_in_the_language_of_the_code() -> None:
    assert SOURCE == "en"
    assert [render(newest("shirinma").title, language, {}) for language in LANGUAGES] == ["Shirinma", "しりんま"]
