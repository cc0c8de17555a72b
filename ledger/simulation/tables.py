"""Tables to try: who plays which game by which house rules, and how; and a round as it goes on there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from ledger.cards import Card, Courts, DeckName, Suit, pack_of_48
from ledger.play import POT, Chips, Event, Ground, Over, Phase, PlayerId, RuleBook, Seating, Seats, Step, Transfer
from ledger.records import Record
from ledger.sentences import Sentence
from ledger.simulation.notes import Figure, Most, Notes


class Setting(Record):
    """A table to try. `playing` names one of the ways of playing that the game knows."""

    game: str
    players: int
    deck: DeckName
    rules: Any
    playing: str

    @property
    def seats(self) -> Seats:
        """Who sits there."""
        return Seats(f"p{place}" for place in range(1, self.players + 1))


@cache
def cards_of_48(deck: DeckName, courts: Courts) -> tuple[Card, ...]:
    """Give a pack by what its cards stand for: so the same shuffle deals the same round with every deck."""
    faces = pack_of_48(deck, courts).faces
    return tuple(sorted(faces, key=lambda card: (list(Suit).index(faces[card].suit), faces[card].rank)))


class Round:
    """A round as it goes on: the phase it stands in, and all chips that have moved."""

    __slots__ = ("ground", "moved", "phase", "play")

    def __init__(self, book: RuleBook[Any], ground: Ground[Any]) -> None:
        opened: Step = book.open_round(ground)
        self.ground, self.play = ground, book.play
        self.phase: Phase = opened.phase
        self.moved: list[Transfer] = [*opened.transfers]

    def goes_on(self, event: Event) -> None:
        """Play an event. Raises what the rule book refuses it with."""
        step = self.play(self.phase, event)
        self.phase = step.phase
        self.moved += step.transfers

    @property
    def over(self) -> Over:
        """Give the phase of a round that is over."""
        if not isinstance(self.phase, Over):
            raise TypeError(self.phase)
        return self.phase

    @property
    def paid_in(self) -> Chips:
        """Add up what has gone into the pot."""
        return sum(move.amount for move in self.moved if move.payee == POT)

    @property
    def paid_out(self) -> Chips:
        """Add up what has come out of the pot."""
        return sum(move.amount for move in self.moved if move.payer == POT)

    def gain(self, player: PlayerId) -> Chips:
        """Say what the round has brought a player so far, in chips."""
        got = sum(move.amount for move in self.moved if move.payee == player)
        return got - sum(move.amount for move in self.moved if move.payer == player)


class Game(Record, kw_only=True):
    """A game as it is played here.

    `ways` of playing are told in a sentence each, the usual one first. `play_round` plays a round to its end with the
    deck in an order that chance has made, `note` says what it came to. `sit_down` seats people as an evening begins.
    """

    book: RuleBook[Any]
    ways: Mapping[str, Sentence]
    figures: tuple[Figure | Most, ...]
    play_round: Callable[[Setting, Ground[Any], Random], Round]
    note: Callable[[Notes, Round], None]
    sit_down: Callable[[Setting, Seating, Random, Notes], Seating] | None = None
