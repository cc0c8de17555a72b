"""Sessions that are brought in: an export.json, a session in the round notation, a list of balances.

The schema checks the form of a file: which members it has, that they are of their kind, and how many rows and entries
there are at most; its events, hashes and books are checked by `ledger.services.importing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from ledger.codec.encoding import plain
from ledger.codec.export_file import MAX_EVENTS_IN_A_FILE
from ledger.cooperation import yielding
from ledger.games import GAMES, newest
from ledger.i18n.sentences import MAX_FAULTS, Fault, Malformed, WrongParameter
from ledger.records import UNSET, Meta, Record, UnsetType, doc, replace
from ledger.rulebook.cards import DECK_NAMES
from ledger.rulebook.event import Event
from ledger.rulebook.values import MAX_CHIPS
from ledger.session.events import BalancesBrought, Brought, PersonName
from ledger.session.table import Opening
from schemas.fields import MAX_IN_A_LIST
from schemas.loading import checked, load_event, loaded
from schemas.sessions import NewSession


class ImportQuery(Record):
    """What a session is opened with whose players and balances come as a list; a JSON file needs none of it."""

    game: Annotated[
        str | UnsetType, doc("Of a list of balances: which game will be played.", "shippin", extra={"words": GAMES})
    ] = UNSET
    deck: Annotated[str | UnsetType, doc("Of a list of balances: with which deck.", extra={"words": DECK_NAMES})] = (
        UNSET
    )
    name: Annotated[PersonName | UnsetType, doc("Of a list of balances: what the session is called.")] = UNSET


class AsText(NewSession, kw_only=True):
    """A session in the round notation, as the JSON that stands for it: an opening and its events."""

    events: Annotated[tuple[Any, ...], Meta(max_length=MAX_EVENTS_IN_A_FILE)]

    @staticmethod
    def also_needed(body: Mapping[str, Any]) -> Iterable[str]:
        """Name what is missing in a body: the players, once a game is named; a text without one is no session yet."""
        return [] if body["game"] is None else NewSession.also_needed(body)


class Balances(NewSession, kw_only=True):
    """A session to be opened with a list of people and balances, and what the query says.

    A list that is too long is one fault, of its people.
    """

    balances: Annotated[
        tuple[Annotated[int, Meta(ge=-MAX_CHIPS, le=MAX_CHIPS)], ...], Meta(max_length=2 * MAX_IN_A_LIST)
    ]


def load_score(opening: Mapping[str, Any], events: Iterable[Any]) -> tuple[Opening, tuple[Event, ...]]:
    """Read a session in the round notation. Raises Malformed."""
    form = loaded(AsText, {"game": None, **opening, "events": list(events)})
    opened = form.opening()
    book, events, faults = newest(opened.game), list[Event](), list[Fault]()
    for place, event in enumerate(yielding(form.events)):
        try:
            events.append(checked(load_event(event), book))
        except Malformed as error:
            faults += error.within("events", place).faults
            if len(faults) >= MAX_FAULTS:
                break
    if faults:
        raise Malformed(*faults)
    return opened, tuple(events)


def load_balances(people: Sequence[tuple[str, int]], query: ImportQuery) -> tuple[Opening, list[Event]]:
    """Read an opening from a list of people and balances, and from what the query says besides.

    As many as the game takes sit down, in that order; the others are not here tonight. Gives also what is reported
    first: what each of them brings along, whether here or not. Raises Malformed.
    """
    names, balances = [name for name, _ in people], [balance for _, balance in people]
    try:
        form = loaded(Balances, {**plain(query), "players": names, "balances": balances})
        seats = newest(str(form.game)).seats.stop - 1
        opening = replace(form, players=tuple(names[:seats])).opening()
    except Malformed as error:
        raise Malformed(*map(_of_the_query, error.faults)) from None
    brought = tuple(
        Brought(player=f"p{seat}", balance=balance) if seat <= seats else Brought(name=name, balance=balance)
        for seat, (name, balance) in enumerate(people, 1)
    )
    return opening, [BalancesBrought(balances=brought)]


def _of_the_query(fault: Fault) -> Fault:
    """Name the parameter that is wrong; the people and their balances are in the body."""
    name = fault.pointer[1:]
    return fault if name.startswith(("players", "balances")) else WrongParameter(name, fault.sentence)
