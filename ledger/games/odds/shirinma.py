"""Shirinma's chances, counted without going through the orders that the deck may lie in.

What has not been seen lies in any order alike. So the bottom card is any unseen card alike; given that one, every
unseen showdown card lies in any of the other places alike. Whether a card wins depends on which of them are dealt and
on nothing else, so only places are counted: those that are dealt for certain, and those that are dealt if none of some
`deciding` ones has a showdown card (SH-9).

How many ways there are for some showdown cards not to be dealt, while the others may lie anywhere, depends only on how
many they are. That is `spared`, and everything else is sums of it: a card wins if none that beats it is dealt; that
another is dealt besides is that, less the ways in which it is not.

A card that was dealt and not noted is any of the unseen plain cards alike. Everything is counted in whole numbers, over
one `total` for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import lcm, perm
from typing import NamedTuple

from ledger.records import Record, replace

MAX_CACHED = 256
"""Counted positions, each some kB: many ask for the chances at one table."""

Place = tuple[int, int]
"""A showdown card: the number of its suit, and its strength."""

Key = tuple[str | int, ...]
"""Something that is counted."""

THIRD_DEAL: Key = ("third deal",)


class Suited(Record):
    """What is known of a suit: its showdown cards by strength, and how many others are unseen.

    Of the others `low` ones forfeit the round at the bottom, and `fair` ones do not.
    """

    held: tuple[int, ...] = ()
    to_come: tuple[int, ...] = ()
    low: int = 0
    fair: int = 0


class ToDeal(Record):
    """How many cards are dealt for certain, the last `deciding` of them, and `further` ones if those are all plain."""

    certain: int
    deciding: int = 0
    further: int = 0


class Position(Record):
    """What lies on a table. `field_suit` is None before the field card lies there, `not_noted` counts plain cards.

    `prices` has what a showdown card of each strength costs as it is dealt, in chips, from the weakest up.
    """

    suits: tuple[Suited, ...]
    field_suit: int | None
    not_noted: int
    to_deal: ToDeal
    prices: tuple[int, ...]

    @property
    def plain(self) -> int:
        """How many plain cards are not known: those in the deck, and those that were not noted."""
        return sum(suit.low + suit.fair for suit in self.suits)

    @property
    def showdown(self) -> int:
        """How many showdown cards are unseen; they are all in the deck."""
        return sum(len(suit.to_come) for suit in self.suits)

    @property
    def deck(self) -> int:
        """How many cards lie in the deck, the bottom card among them, and the field card before it is laid."""
        return self.plain + self.showdown - self.not_noted


class Counted(NamedTuple):
    """In how many of `total` ways everything comes, by what it is.

    `("wins", *place)`: a card wins; `("paid", *place)`: what is still paid for cards then, summed; `("wins", kind)` and
    `("paid", kind)`: those of all cards in a `deciding` or a `further` place; `("nobody",)` and `("nobody", reason)`:
    nobody wins, for any reason and for one; `("third deal",)`: there is one.
    """

    total: int
    ways: Counter[Key]

    def chance(self, *key: str | int) -> Fraction:
        """Give the chance of something, or what is to be expected of it."""
        return Fraction(self.ways[key], self.total)


@lru_cache(MAX_CACHED)
def counted(position: Position) -> Counted:
    """Count everything in a position of whatever size the pack is. It is not to be changed."""
    return before_the_field(position) if position.field_suit is None else count(position)


# --- the field card -------------------------------------------------------------------------------------------------


def before_the_field(position: Position) -> Counted:
    """Count with every card that the field card may be, each as often as there are such cards.

    In a whole pack all suits are alike, and what holds for one of them on the field holds for all, suits turned.
    """
    suits = len(position.suits)
    turns = range(suits if len(set(position.suits)) == 1 else 1)
    found = [(times, count(laid)) for number in range(suits // len(turns)) for times, laid in fields(position, number)]
    total, summed = lcm(*(each.total for _, each in found)), Counter[Key]()
    for times, each in found:
        for key, ways in each.ways.items():
            for turn in turns:
                of = (key[0], (int(key[1]) + turn) % suits, key[2]) if len(key) == 3 else key
                summed[of] += times * ways * (total // each.total)
    return Counted(total * position.deck, summed)


def fields(position: Position, number: int) -> Iterator[tuple[int, Position]]:
    """Lay each card of a suit as the field card, those that make no difference at once."""
    suit, others = position.suits[number], position.suits
    left = [(1, replace(suit, to_come=without(suit.to_come, strength))) for strength in suit.to_come]
    left += [(suit.low, replace(suit, low=suit.low - 1)), (suit.fair, replace(suit, fair=suit.fair - 1))]
    for times, without_it in left:
        if times:
            suits = (*others[:number], without_it, *others[number + 1 :])
            yield times, replace(position, suits=suits, field_suit=number)


# --- the other cards ------------------------------------------------------------------------------------------------


class Laid(NamedTuple):
    """In how many ways all showdown cards but the bottom card may lie, while so many of them, the index, are not dealt.

    `placed` has those in which one more of them lies in a place of a kind: `dealt` at all, `deciding` or `further`, the
    last two if further cards may be dealt. More than there are cannot be spared: the last is 0 everywhere.
    """

    spared: Sequence[int]
    placed: Mapping[str, Sequence[int]]


def laid(showdown: int, places: int, to_deal: ToDeal) -> Laid:
    """Lay so many showdown cards into places of the deck. One in a deciding place leaves no third deal."""
    certain, deciding, further = to_deal.certain, to_deal.deciding, to_deal.further
    late, never, not_deciding = places - certain, places - certain - further, places - deciding
    spared = [
        lay(these, late, showdown - these, places)
        - lay(these, late, showdown - these, not_deciding)
        + lay(these, never, showdown - these, not_deciding)
        for these in range(showdown + 1)
    ]
    placed = {"dealt": [ways - without_one for ways, without_one in pairwise((*spared, 0))]}
    if further:
        others = range(showdown)
        placed["deciding"] = [deciding * lay(these, late, showdown - 1 - these, places - 1) for these in others]
        placed["further"] = [further * lay(these, never, showdown - 1 - these, not_deciding - 1) for these in others]
    return Laid((*spared, 0), {kind: (*ways, 0) for kind, ways in placed.items()})


def lay(these: int, free: int, others: int, places: int) -> int:
    """Count the ways to lay some cards into `free` places alone, and others into any of all places that are left."""
    return perm(free, these) * perm(places - these, others) if these <= free else 0


# --- the bottom card ------------------------------------------------------------------------------------------------


class Bottom(NamedTuple):
    """A kind of bottom card of a suit: how often it lies there, and in how many ways the others lie then.

    `gone` is its strength if it is a showdown card.
    """

    times: int
    is_low: bool
    gone: int | None
    others: Laid


def count(position: Position) -> Counted:
    """Count what every bottom card leads to.

    Where a showdown card lies at the bottom, one place more is left to the plain cards: they lie in `plain` times as
    many ways as where one certain plain card is there.
    """
    plain, showdown, places = position.plain, position.showdown, position.deck - 1
    under_showdown = laid(showdown - 1, places, position.to_deal)
    under_plain = laid(showdown, places, position.to_deal)
    total, ways = 0, Counter[Key]()
    for number, suit in enumerate(position.suits):
        bottoms = [Bottom(plain or 1, False, strength, under_showdown) for strength in suit.to_come]  # noqa: FBT003
        bottoms += Bottom(suit.low, True, None, under_plain), Bottom(suit.fair, False, None, under_plain)  # noqa: FBT003
        for bottom in bottoms:
            total += bottom.times * bottom.others.spared[0]
            count_forfeits(ways, position, number, bottom)
            if number != position.field_suit and not bottom.is_low:
                count_wins(ways, position, number, bottom)
    if position.to_deal.further:
        ways[THIRD_DEAL] = total * perm(places + 1 - position.to_deal.deciding, showdown) // perm(places + 1, showdown)
    return Counted(total, ways)


# --- how it ends ----------------------------------------------------------------------------------------------------


def count_forfeits(ways: Counter[Key], position: Position, number: int, bottom: Bottom) -> None:
    """SH-10, SH-12. With no showdown card the round ends at once; the other reasons may apply together."""
    suit, spared, on_field = position.suits[number], bottom.others.spared, number == position.field_suit
    nobody_holds_any = 0 if any(each.held for each in position.suits) else spared[-2]
    shown = spared[0] - nobody_holds_any
    no_trump = 0 if suit.held else spared[len(without(suit.to_come, bottom.gone))] - nobody_holds_any
    applies = {
        "no_showdown_card": nobody_holds_any,
        "low_bottom_card": shown if bottom.is_low else 0,
        "field_card_is_trump": shown if on_field else 0,
        "no_trump_held": no_trump,
    }
    for reason, found in applies.items():
        ways["nobody", reason] += bottom.times * found
    ways[("nobody",)] += bottom.times * (nobody_holds_any + (shown if bottom.is_low or on_field else no_trump))


def count_wins(ways: Counter[Key], position: Position, number: int, bottom: Bottom) -> None:
    """SH-13. The strongest card held wins if none above it is dealt; one that is still to come has to be dealt, too.

    From the strongest down, `others` is what those cost together that are not dealt for certain, nor spared.
    """
    suit, prices, laid = position.suits[number], position.prices, bottom.others
    best = max(suit.held, default=-1)
    others = sum(prices[each] for suited in position.suits for each in suited.to_come)
    others -= prices[bottom.gone] if bottom.gone is not None else 0

    def add(*key: str | int, found: Sequence[int], above: int, price: int = 0) -> None:
        ways["wins", *key] += bottom.times * found[above]
        ways["paid", *key] += bottom.times * (price * found[above] + others * (found[above] - found[above + 1]))

    better = sorted((each for each in suit.to_come if each > best and each != bottom.gone), reverse=True)
    for above, strength in enumerate(better):
        others -= prices[strength]
        for kind, found in laid.placed.items():
            key = (number, strength) if kind == "dealt" else (kind,)
            add(*key, found=found, above=above, price=prices[strength])
    if suit.held:
        add(number, best, found=laid.spared, above=len(better))


def without(strengths: tuple[int, ...], gone: int | None) -> tuple[int, ...]:
    return tuple(each for each in strengths if each != gone)


# --- what a place is worth ------------------------------------------------------------------------------------------


def worth_of_places(position: Position, pot: int) -> Mapping[str, Fraction]:
    """Give what one place of each kind that is still dealt to is worth, in chips, with this pot and no bid to come.

    That is the pot, where its card wins, less what that card costs.
    """
    to_deal, found = position.to_deal, counted(position)
    to_come = [(number, strength) for number, suit in enumerate(position.suits) for strength in suit.to_come]
    costs = sum(position.prices[strength] for _, strength in to_come)

    def brought(*keys: Key) -> int:
        return sum(pot * found.ways["wins", *key] + found.ways["paid", *key] for key in keys)

    deciding, further = brought(("deciding",)), brought(("further",))
    certain, any_card = brought(*to_come) - deciding - further, Fraction(1, position.deck or 1)
    showdown, left = position.showdown, position.deck - to_deal.deciding - 1
    third = Fraction(perm(left, showdown - 1), perm(position.deck, showdown)) if to_deal.further and showdown else 0
    kinds = {
        "certain": (to_deal.certain - to_deal.deciding, certain, any_card),
        "deciding": (to_deal.deciding, deciding, any_card),
        "further": (to_deal.further, further, third),
    }
    return {
        kind: Fraction(gain, found.total * places) - costs * dealt
        for kind, (places, gain, dealt) in kinds.items()
        if places
    }
