"""An evening at a table that is tried out, from the first seat to the last round.

Chance comes from the seed and the evening's number alone, and each round has a source of its own: so the same cards
come at two tables that play by different house rules, round by round, whatever else is drawn there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

from ledger.play import POT, Account, Chips, Ground, Seating
from ledger.simulation import kakkuri, shippin, shirinma
from ledger.simulation.notes import Notes, note_pot
from ledger.simulation.tables import Game, Round, Setting

GAMES: Mapping[str, Game] = {game.book.name: game for game in (shirinma.GAME, shippin.GAME, kakkuri.GAME)}
"""The games that somebody here knows how to play."""


class BooksDoNotAddUp(Exception):
    """What a rule book says lies in the pot is not what was paid into it, or chips came from nowhere."""


def play_evening(setting: Setting, seed: int, number: int, rounds: int) -> Notes:
    """Play so many rounds one after the other, and note what they come to. Raises what the rule book refuses.

    A pot that waits at the end is played for until it is won, or pots that are carried for long would be missing. Of
    those rounds nothing else is noted.
    """
    game, notes, source = GAMES[setting.game], Notes(), Random(f"{seed} {number}")
    seating = Seating(setting.seats, setting.seats[0])
    if game.sit_down:
        seating = game.sit_down(setting, seating, Random(source.getrandbits(64)), notes)
    going = going_on(setting, seating, source)
    for on in islice(going, rounds):
        game.note(notes, on)
        note_pot(notes, on.paid_out, on.over.pot)
    notes.add("rounds", rounds)
    notes.add("evenings")
    notes.add("left_over", on.over.pot > 0)
    while notes.waited:
        on = next(going)
        note_pot(notes, on.paid_out, on.over.pot)
    return notes


def going_on(setting: Setting, seating: Seating, source: Random) -> Iterator[Round]:
    """Play round after round, for as long as somebody wants the next one. Raises what the rule book refuses."""
    held, pot = Counter[Account](), 0
    while True:
        ground = Ground(seating.seats, seating.dealer, setting.deck, setting.rules, carried=pot)
        on = GAMES[setting.game].play_round(setting, ground, Random(source.getrandbits(64)))
        post(held, on)
        pot = on.over.pot
        seating = Seating(seating.seats, on.over.outcome.next_dealer)
        yield on


def post(held: Counter[Account], on: Round) -> None:
    """Post what moved in a round, and hold the books against the rule book's pot. Raises BooksDoNotAddUp."""
    for move in on.moved:
        held[move.payer] -= move.amount
        held[move.payee] += move.amount
    accounts: Chips = sum(held.values())
    if accounts or held[POT] != on.over.pot or not held.keys() <= {POT, *on.ground.seats}:
        raise BooksDoNotAddUp(dict(held), on.over.pot)
