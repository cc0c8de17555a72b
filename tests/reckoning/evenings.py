"""Evenings at a simulated table, legal from the first event to the last.

What shapes an evening (players, deck, house rules, how many rounds, what happens between them) comes from one
source of chance, which Hypothesis may draw, so that it shrinks. The cards come from another, a seed mixed with
how the session was opened: Hypothesis likes to draw the same number again, and would otherwise shuffle the same
few packs. Any first part of a legal evening is legal.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from . import GAMES, Book, Event, Told, enter, open_book, shippin

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Haru", "Ichi", "Jun", "Ken", "Leo")


@dataclass(frozen=True)
class Evening:
    """What is sent to open the session, and the events to record in it, one after the other."""

    opening: Event
    events: list[Event]


def evenings(
    game: str, *, corrections: bool = False, max_rounds: int = 3, whole: bool = False
) -> st.SearchStrategy[Evening]:
    """Evenings of ``game`` whose shape is drawn."""
    return shapes().map(
        lambda shape: an_evening(shape, game, corrections=corrections, max_rounds=max_rounds, whole=whole)
    )


def openings(game: str) -> st.SearchStrategy[Event]:
    """Requests that open a session."""
    return shapes().map(lambda shape: an_opening(shape, game))


def shapes() -> st.SearchStrategy[Random]:
    return st.randoms(note_method_calls=False, use_true_random=False)


def an_evening(
    shape: Random, game: str, *, corrections: bool = False, max_rounds: int = 3, whole: bool = False
) -> Evening:
    """One evening of ``game``.

    With ``corrections`` some events are recorded wrongly and taken back, and some taken back only to be
    recorded again. ``whole`` evenings never break off in the middle and end with the session closed.
    """
    opening = an_opening(shape, game)
    seed = f"{shape.randint(0, 2**64 - 1)} {opening}"
    evening = Table(opening)
    for _ in range(shape.choice((1, *range(1, max_rounds + 1)))):
        for _ in range(shape.randint(0, 3)):
            evening.happens(shape.choice(evening.deeds()), Random(f"{seed} {len(evening.pages)}"))
        evening.play(Random(f"{seed} {len(evening.pages)}"))
    rng = Random(seed)
    if whole or rng.random() < 0.5:
        evening.happens(close_session, rng)
    events = [told.event for page in evening.pages for told in page]
    if corrections:
        events = list(with_corrections(rng, evening.pages))
    if not whole and rng.random() < 0.12:
        events = events[: shape.randint(0, len(events))]
    return Evening(opening, events)


def an_opening(shape: Random, game: str) -> Event:
    """The request that opens a session: players, deck, rules and dealer, in any of the ways to say them."""
    rules = GAMES[game]
    least, most = rules.PLAYERS
    counts = [least, most, *range(least, most + 1)]
    players = shape.choice([*counts, 16, 16, 16] if game == "shirinma" else counts)
    ids = [f"p{place}" for place in range(1, players + 1)]
    named = shape.choice((False, True))
    opening: Event = {"game": game, "name": "An evening"}
    names = [name_of(at) for at in range(players)]
    opening["players"] = [{"name": name} if named and at % 3 == 0 else name for at, name in enumerate(names)]
    opening |= said(shape, {"deck": rules.DECKS, "dealer": (*range(1, players + 1), *ids)})
    if house_rules := said(shape, rules.SWITCHES):
        opening["rules"] = house_rules
    return opening


def said(shape: Random, choices: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    """A value for each name, or nothing said about it."""
    chosen = {name: shape.choice((None, *some)) for name, some in choices.items()}
    return {name: value for name, value in chosen.items() if value is not None}


def name_of(place: int) -> str:
    """Names never come twice: Aki to Leo, then Aki 2."""
    lap, at = divmod(place, len(NAMES))
    return f"{NAMES[at]} {lap + 1}" if lap else NAMES[at]


class Table:
    """The evening so far: its pages, and a book kept along with them that knows seats, dealer and pot."""

    def __init__(self, opening: Event) -> None:
        self.game = GAMES[opening["game"]]
        self.book = open_book(opening)
        self.pages: list[list[Told]] = []

    def deeds(self) -> list["Deed"]:
        """What can happen between rounds, the likelier the more often listed."""
        draws = [shippin.draw_seats] * 4 if self.game is GAMES["shippin"] else []
        people = [name_dealer, join, leave, leave, change_seats, go_home]
        first = [] if self.book.sheets else [bring_pot]
        return [*people, move_chips, change_rules, void_at_once, close_and_reopen, *draws, *first]

    def happens(self, deed: "Deed", rng: Random) -> None:
        told = [] if deed is join and len(self.book.seats) == self.game.PLAYERS[1] else deed(rng, self.book)
        self.write(told)

    def play(self, rng: Random) -> None:
        """A round by those who are there, or by enough new ones. It may be called off; chips may move meanwhile."""
        few = self.game.FEWEST <= len(self.book.seats) < self.game.PLAYERS[0] and rng.random() < 0.7
        while not few and len(self.book.seats) < self.game.PLAYERS[0]:
            self.happens(join, rng)
        page = self.game.play_round(rng, self.book)
        if few:
            page[0].event["overrule"] = "The others had gone home."
        if rng.random() < 0.12:
            page[rng.randint(1, len(page) - 1) :] = [voided("Tea was spilt.")]
        for _ in range(rng.choice((0, 0, 0, 0, 1, 2))):
            at = rng.randint(1, len(page) - 1)
            page[at:at] = move_chips(rng, self.book)
        for told in page:
            if rng.random() < 0.01:
                told.event["note"] = "Everybody saw it."
        self.write(page)

    def write(self, told: list[Told]) -> None:
        if not told:
            return
        events = [told.event for told in told]
        for page in [events] if events[0]["type"] == "round_opened" else [[event] for event in events]:
            enter(self.book, self.game, page)
        self.pages.append(told)


# What happens between rounds

Deed = Callable[[Random, Book], list[Told]]


def move_chips(rng: Random, book: Book) -> list[Told]:
    """A buy-in, a cash-out (also by somebody who has left) or a gift."""
    giver, taker = rng.choice(sorted(book.balances())), rng.choice(book.seats)
    way = {"from": "bank", "to": taker} if rng.random() < 0.5 else {"from": giver, "to": "bank"}
    if giver != taker and rng.random() < 0.3:
        way = {"from": giver, "to": taker}
    moved = {"type": "chips_moved", **way, "amount": rng.choice((1, 10, 250, 100_000))}
    return [Told(moved, [moved | {"amount": 3}])]


def bring_pot(rng: Random, _book: Book) -> list[Told]:
    """What lay in the pot when an earlier evening ended."""
    brought: Event = {"type": "pot_brought", "amount": rng.choice((1, 33, 100_000))}
    return [Told(brought, [brought | {"amount": 3}])]


def change_rules(rng: Random, book: Book) -> list[Told]:
    """Some switches are set, the others stay."""
    values = GAMES[book.game].SWITCHES
    some = rng.sample(sorted(values), rng.randint(1, len(values)))
    changed, slip = (
        {"type": "rules_changed", "rules": {key: rng.choice(values[key]) for key in some}} for _ in range(2)
    )
    return [Told(changed, [slip])]


def name_dealer(rng: Random, book: Book) -> list[Told]:
    named = {"type": "dealer_named", "player": rng.choice(book.seats)}
    return [Told(named, [named | {"player": book.seats[-1]}])]


def join(rng: Random, book: Book) -> list[Told]:
    """In a seat between others, or the last."""
    name = name_of(len(book.balances()))
    joined: Event = {"type": "player_joined", "name": name}
    seated = joined | {"seat": rng.randint(1, len(book.seats) + 1)}
    return [Told(joined, [seated])] if rng.random() < 0.4 else [Told(seated, [joined])]


def leave(rng: Random, book: Book) -> list[Told]:
    """Anybody, the dealer too, as long as somebody stays to wait for others."""
    if len(book.seats) <= 2:
        return []
    left = {"type": "player_left", "player": rng.choice([*book.seats, book.dealer])}
    return [Told(left, [left | {"player": book.seats[0]}])]


def go_home(rng: Random, book: Book) -> list[Told]:
    """So many leave that those who stay are fewer than the game asks for."""
    stay = rng.randint(2, max(2, GAMES[book.game].PLAYERS[0] - 1))
    gone = rng.sample(book.seats, max(0, len(book.seats) - stay))
    return [Told({"type": "player_left", "player": player}, []) for player in gone]


def change_seats(rng: Random, book: Book) -> list[Told]:
    """Everybody stays, and sits somewhere else."""
    changed, slip = ({"type": "seats_changed", "seats": rng.sample(book.seats, len(book.seats))} for _ in range(2))
    return [Told(changed, [slip])]


def void_at_once(rng: Random, book: Book) -> list[Told]:
    """A round is opened and called off. With too few at the table, chips are moved instead."""
    if len(book.seats) < GAMES[book.game].PLAYERS[0]:
        return move_chips(rng, book)
    return [Told({"type": "round_opened"}, []), voided("Somebody rang.")]


def voided(reason: str) -> Told:
    return Told({"type": "round_voided", "reason": reason}, [])


def close_session(rng: Random, book: Book) -> list[Told]:
    if not book.chips["pot"]:
        return [Told({"type": "session_closed"}, [])]
    return [Told({"type": "session_closed", "pot": rng.choice(("split", "refund", "bank"))}, [])]


def close_and_reopen(rng: Random, book: Book) -> list[Told]:
    return [*close_session(rng, book), Told({"type": "session_reopened"}, [])]


# Corrections


def with_corrections(rng: Random, told: list[list[Told]]) -> Iterator[Event]:
    """The same evening with mistakes: each is taken back at once or, where it does not matter when, later.

    Nothing is taken back across the closing of a session; no mistake is made while a session is closed or a
    draw for seats undecided.
    """
    log = Log()
    rate = rng.choice((0.02, 0.05, 0.2))
    for page in told:
        for at, (event, slips) in enumerate(page):
            in_round = page[0].event["type"] == "round_opened" and at > 0
            if event["type"] == "session_closed" and log.loose:
                yield log.take_back(log.loose)
            if (at == 0 or in_round) and rng.random() < rate:
                may_wait = event["type"] != "session_closed"
                yield from slip(rng, log, slips, in_round=in_round, may_wait=may_wait)
            yield log.record(event)
            if event["type"].startswith("session_"):
                log.fixed = len(log.standing)
            elif rng.random() < rate:
                yield from log.once_more(rng, rng.choice((1, 1, 2, 5)))
        if log.loose and rng.random() < 0.5:
            yield log.take_back(log.loose)
    if log.loose:
        yield log.take_back(log.loose)
    assert [event for _, event in log.standing] == [event for page in told for event, _ in page]


def slip(rng: Random, log: "Log", slips: list[Event], *, in_round: bool, may_wait: bool) -> Iterator[Event]:
    """Something else that could have been reported now, and its correction."""
    chips = {"type": "chips_moved", "from": "bank", "to": "p1", "amount": rng.randint(1, 99)}
    called_off = [voided("Pressed by mistake.").event] if in_round else []
    wrong = rng.choice([chips, *slips * 3, *called_off])
    yield log.record(wrong)
    if wrong is chips and not log.loose and may_wait and rng.random() < 0.6:
        log.loose = log.standing[-1][0]
    else:
        yield log.take_back_last(rng)


class Log:
    """What has been recorded, by number.

    ``loose`` is the number of a mistake that waits to be taken back; what stands before ``fixed`` is left
    alone.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.standing: list[tuple[int, Event]] = []
        self.fixed = 0
        self.loose: int | None = None

    def record(self, event: Event) -> Event:
        self.seq += 1
        self.standing.append((self.seq, event))
        return event

    def take_back(self, seq: int) -> Event:
        self.seq += 1
        self.standing = [(number, event) for number, event in self.standing if number != seq]
        self.loose = None if seq == self.loose else self.loose
        return {"type": "event_taken_back", "seq": seq}

    def take_back_last(self, rng: Random) -> Event:
        taken = self.take_back(self.standing[-1][0])
        return taken if rng.random() < 0.4 else {"type": "event_taken_back"}

    def once_more(self, rng: Random, count: int) -> Iterator[Event]:
        """Take the last few events back, one by one, and record them all again."""
        undone = self.standing[self.fixed :][-count:]
        redone = [event for seq, event in undone if seq != self.loose]
        for _ in undone:
            yield self.take_back_last(rng)
        for event in redone:
            yield self.record(event)
