"""What a rule book is: one game's rules, and all that others need to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal

from ledger.i18n.sentences import Sentence, say
from ledger.records import Meta, Record, doc
from ledger.rulebook.cards import Card, Courts, DeckName, cards_in
from ledger.rulebook.event import Event, Form
from ledger.rulebook.phase import CardsToCome, Expected, Ground, Outcome, Over, Phase, R, Seats, Step
from ledger.rulebook.tallies import Fortune, Steps, Tally
from ledger.rulebook.values import PlayerId, Reason


def switch(
    row: str, label: Sentence, explained: Sentence, *, only_with: DeckName | None = None, **values: Sentence
) -> Meta:
    """Describe a house-rule switch: the row of the rule book that it belongs to, and how people call it.

    `explained` is the help beside it, `values` are the words it may be set to, each with its label. A switch whose
    type is a record is a group of switches. One that makes a difference `only_with` one deck is not listed with others.
    """
    about = {"row": row, "label": label, "help": explained, "values": values, "only_with": only_with}
    return doc(f"{label}. {str(explained).removesuffix('.')} ({row}).", extra=about)


def switch_of_western_courts(row: str) -> Meta:
    """Describe which western courts are 10, 11 and 12; every game with a pack of 48 has to know."""
    return switch(
        row,
        say("Western courts"),
        say("Which western cards are 10, 11 and 12, in this order."),
        JQK=say("Jack, Queen, King"),
        QJK=say("Queen, Jack, King"),
        only_with="western",
    )


class Drawing(Record, kw_only=True):
    """A draw for seats that is not finished: everyone in it, lowest first, those who tie in one rank.

    `rule` is the row of the rule book that it goes by, `cards` what has been drawn so far, and by whom.
    """

    rule: str
    ranks: tuple[tuple[PlayerId, ...], ...]
    cards: tuple[tuple[PlayerId, Card], ...] = ()

    @property
    def draw_again(self) -> tuple[PlayerId, ...]:
        """The players who tie and have to draw again."""
        return tuple(player for rank in self.ranks if len(rank) > 1 for player in rank)


class Seating(Record):
    """Who sits where and who deals, between rounds. `drawing` is a draw for seats that is not finished."""

    seats: Seats
    dealer: PlayerId
    drawing: Drawing | None = None


class RuleBook(Record, Generic[R], kw_only=True, eq=False):
    """One game's rules, as pure functions over frozen records, and all that others need to know of it.

    What it is called and played with: `seats` are the possible numbers of players, under the row `seats_row`, and
    `seats_overruled` how few may play on where the table says so; None is as many as ever. `decks` has the usual one
    first; `cards_row` is the row by which a card is seen once; `rules` is the record of its house-rule switches.

    A game that `speaks_of_numbers` calls a card by the number that it stands for: the 1 of Clubs, not the Dragon.

    What can be reported: `events` in a round, `between` rounds those that seat people anew. `fields` is how those of
    their fields are called that the game alone has, `forms` how they are written in the notation. `written` gives an
    event with its cards as the session's deck writes them, and refuses foreign ones; `shows` the cards it lets be seen.

    Where a round can stand and how it can end: `phases`, `outcomes`; `forfeits` are the reasons for which nobody wins.
    `reasons` are those for which the game moves chips, `tallies` what statistics may count.

    The rules: `open_round`, `play`, `expected`, and `arrange` for what is reported between rounds. `cards` says which
    may still be seen in a phase, and which with each event that is expected there. `board` gives what lies on the
    table, `explain` says what happened in a round that is over. `set_aside` says what else changes where a card that
    fell open is out of the round. `deal_passes` says how the deal goes on after a round known only by its totals.

    `odds` gives the exact chances in a phase, or those that there would be if the next card was this one, which is
    played and may be refused; and None of a round that the game did not end. A game may have none: `why_no_odds` may
    say why, as where its cards are hidden.
    `weigh` evaluates each player's luck in a round that is over.
    """

    name: str
    version: int
    title: Sentence
    seats: range
    seats_row: str
    seats_overruled: int | None = None
    cards_row: str | None = None
    decks: tuple[DeckName, ...]
    rules: type[R]
    speaks_of_numbers: bool = False

    events: tuple[type[Event], ...]
    between: tuple[type[Event], ...] = ()
    fields: Mapping[str, Sentence] = {}
    forms: tuple[Form, ...]
    written: Callable[[Event, Any, R], Event]
    shows: Callable[[Event], tuple[Card, ...]] = cards_in

    phases: tuple[type[Phase], ...]
    outcomes: tuple[type[Outcome], ...]
    forfeits: Mapping[str, Sentence] = {}
    reasons: Mapping[Reason, Sentence]
    tallies: tuple[Tally, ...] = ()

    open_round: Callable[[Ground[R]], Step]
    play: Callable[[Phase, Event], Step]
    expected: Callable[[Phase], tuple[Expected, ...]]
    cards: Callable[[Phase, tuple[Expected, ...]], CardsToCome | None] = lambda _phase, _expected: None
    arrange: Callable[[Seating, Event, R], Seating] | None = None
    board: Callable[[Phase], Any]
    set_aside: Callable[[Phase, Card], Phase] = lambda phase, _card: phase
    explain: Callable[[Over], tuple[Sentence, ...]]
    odds: Callable[[Phase, Card | None], Any] | None = None
    why_no_odds: Sentence | None = None
    weigh: Callable[[Steps], Fortune] | None = None
    deal_passes: Literal["right", "winner", "stays"] = "stays"

    def courts(self, rules: Any) -> Courts | None:
        """Say which western courts are 10, 11 and 12 where the game speaks of numbers; None where it does not."""
        return rules.western_courts if self.speaks_of_numbers else None

    @property
    def fewest(self) -> int:
        """With how few players a round can be opened, whatever the table says."""
        return self.seats.start if self.seats_overruled is None else self.seats_overruled
