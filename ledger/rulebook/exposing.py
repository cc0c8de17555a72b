"""A card that fell open by accident, in any game: set aside it is out of the round, put back it may still come."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from ledger.i18n.sentences import say, template
from ledger.records import doc, field, replace
from ledger.rulebook.cards import Card, cards_in
from ledger.rulebook.event import Event
from ledger.rulebook.phase import CardsToCome, Expected, Phase, Step
from ledger.rulebook.refusal import CardAlreadySeen, Refused
from ledger.rulebook.rule_book import RuleBook


class CardExposed(Event):
    """A card was seen by accident. Set aside, it is out of this round; put back, it may still come. No chips move."""

    label = say("A card fell open")
    told = (template("Seen by accident: {card} ({returns})"), template("Seen by accident and set aside: {card}"))

    card: Annotated[Card, doc("The card that was seen by accident.")]
    returns: Annotated[
        bool,
        doc(
            "Whether the card was put back; otherwise it was set aside.",
            extra={"values": {"true": say("put back"), "false": say("set aside")}},
        ),
    ] = field(default_factory=lambda: False)


class CardSetAside(Refused):
    """{card:card} fell open by accident and was set aside; it is out of this round."""


def expose(book: RuleBook[Any], phase: Phase, event: CardExposed) -> Step:
    """Set a card aside, or put it back. Refuses one that has been seen already."""
    need_not_set_aside(book, phase, event)
    if not may_come(book, phase, event.card):
        raise CardAlreadySeen(rule=book.cards_row, card=event.card, where=say("it lies on the table"))
    if event.returns:
        return Step(phase)
    ground = replace(phase.ground, set_aside=(*phase.ground.set_aside, event.card))
    return Step(book.set_aside(replace(phase, ground=ground), event.card))


def need_not_set_aside(book: RuleBook[Any], phase: Phase, event: Event) -> None:
    """Refuse an event that shows a card of which no copy is left in this round."""
    gone = Counter(phase.ground.set_aside)
    if not gone:
        return
    seen = Counter(cards_in(book.board(phase)))
    for card in cards_in(event):
        if gone[card] and gone[card] + (seen[card] if card.copies > 1 else 0) >= card.copies:
            raise CardSetAside(rule=book.cards_row, card=card)
        seen[card] += 1


def may_come(book: RuleBook[Any], phase: Phase, card: Card) -> bool:
    """Whether a card may still be seen in a round, as far as the game says, and else the table."""
    if (known := cards_to_come(book, phase, ())) is not None:
        return known.left.get(card.code, 1) > 0
    return Counter(cards_in(book.board(phase)))[card] < card.copies


def cards_to_come(book: RuleBook[Any], phase: Phase, expected: tuple[Expected, ...]) -> CardsToCome | None:
    """Give the cards that may still be seen, those that were set aside left out; None where the game says nothing."""
    known, gone = book.cards(phase, expected), Counter(card.code for card in phase.ground.set_aside)
    if known is None or not gone:
        return known
    left = {code: max(0, count - gone[code]) for code, count in known.left.items()}
    shown = {name: tuple(code for code in codes if left.get(code, 1)) for name, codes in known.next.items()}
    together = {code: count for code, count in known.together.items() if left.get(code, 1)}
    return CardsToCome(left=left, next=shown, together=together)
