"""A second reckoning of an evening, to hold the real one against.

``reckon`` takes what was sent to open a session and the events that were then recorded, as plain JSON
objects, and says what it all comes to. ``evenings.evenings`` makes evenings to reckon: what the scorekeeper
of a real table could have reported. Both stand on their own: nothing here imports the service, and the
reckoning is built differently on purpose. It trusts that an evening is legal and checks only that chips
neither appear nor vanish.
"""

from collections.abc import Iterable
from random import Random
from typing import Any, Protocol

from . import kakkuri, shippin, shirinma
from .table import Book, Event, Reckoned, Sheet, Told, pages, standing


class Game(Protocol):
    """What the three modules share. The first deck and the first value of every switch are the defaults.

    ``FEWEST`` is how few may play on, with an overrule, once others have gone home.
    """

    @property
    def DECKS(self) -> tuple[str, ...]: ...  # noqa: N802

    @property
    def PLAYERS(self) -> tuple[int, int]: ...  # noqa: N802

    @property
    def FEWEST(self) -> int: ...  # noqa: N802

    @property
    def SWITCHES(self) -> dict[str, tuple[Any, ...]]: ...  # noqa: N802

    def count_round(self, book: Book, sheet: Sheet, events: list[Event]) -> None: ...

    def play_round(self, rng: Random, book: Book) -> list[Told]: ...


GAMES: dict[str, Game] = {"shirinma": shirinma, "shippin": shippin, "kakkuri": kakkuri}


def reckon(opening: Event, events: Iterable[Event]) -> Reckoned:
    """What an evening comes to, or the part of it recorded so far."""
    book = open_book(opening)
    for page in pages(standing(events)):
        enter(book, GAMES[opening["game"]], page)
    return book.fair_copy()


def open_book(opening: Event) -> Book:
    game = GAMES[opening["game"]]
    return Book(opening, game.DECKS[0], {switch: values[0] for switch, values in game.SWITCHES.items()})


def enter(book: Book, game: Game, page: list[Event]) -> None:
    """Enter a page: a round, or one thing between rounds."""
    if page[0]["type"] == "round_opened":
        sheet = book.open_round()
        game.count_round(book, sheet, page)
        for event in page:
            if event["type"] == "chips_moved":
                book.enter(event)
        if page[-1]["type"] == "round_voided":
            book.void_round(sheet)
    elif page[0]["type"] == "cards_drawn_for_seats":
        shippin.seat_by_draw(book, page[0])
    else:
        book.enter(page[0])
    book.check()
