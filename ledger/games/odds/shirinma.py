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
from itertools import chain
from math import lcm, perm
from typing import NamedTuple

from ledger.records import Record, replace

KEPT = 256
"""So many positions are kept as they were counted, each some kB: many ask what lies on one table."""

Place = tuple[int, int]
"""A showdown card: the number of its suit, and its strength."""

Key = tuple[str | int, ...]
"""Something that is counted."""

THIRD_DEAL: Key = ("third deal",)


class Suited(Record):
    """What is known of a suit: its showdown cards by strength, and how many others nobody has seen.

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
        """How many showdown cards nobody has seen; they are all in the deck."""
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

    def add(self, other: Counted, times: int, suits: int, turned_by: int) -> None:
        """Count what was counted elsewhere, so many times, with each suit in the place of another."""
        for key, ways in other.ways.items():
            match key:
                case str(what), int(suit), int(strength):
                    self.ways[what, (suit + turned_by) % suits, strength] += times * ways
                case _:
                    self.ways[key] += times * ways


@lru_cache(KEPT)
def counted(position: Position) -> Counted:
    """Count everything in a position of whatever size the pack is. It is not to be changed."""
    return before_the_field(position) if position.field_suit is None else count(position)


# --- the field card -------------------------------------------------------------------------------------------------


def before_the_field(position: Position) -> Counted:
    """Count with every card that the field card may be, each as often as there are such cards.

    In a whole pack all suits are alike, and what holds for one of them on the field holds for all, suits turned.
    """
    count_of = len(position.suits)
    alike = len(set(position.suits)) == 1
    may_lie = chain.from_iterable(fields(position, number) for number in range(1 if alike else count_of))
    found = [(times, count(laid)) for times, laid in may_lie]
    total = lcm(*(each.total for _, each in found))
    summed = Counted(total * position.deck, Counter())
    for times, each in found:
        for turn in range(count_of if alike else 1):
            summed.add(each, times * total // each.total, count_of, turn)
    return summed


def fields(position: Position, number: int) -> Iterator[tuple[int, Position]]:
    """Lay each card of a suit as the field card, those that make no difference at once."""
    suit, others = position.suits[number], position.suits
    left = [(1, replace(suit, to_come=without(suit.to_come, strength))) for strength in suit.to_come]
    left += [(suit.low, replace(suit, low=suit.low - 1))] * (suit.low > 0)
    left += [(suit.fair, replace(suit, fair=suit.fair - 1))] * (suit.fair > 0)
    for times, without_it in left:
        suits = (*others[:number], without_it, *others[number + 1 :])
        yield times, replace(position, suits=suits, field_suit=number)


# --- the bottom card ------------------------------------------------------------------------------------------------


class Bottom(NamedTuple):
    """One kind of bottom card of a suit: how often it lies there, and in how many ways cards are spared then.

    `showdown` is how many showdown cards nobody has seen but for it, `gone` its strength if it is one itself.
    """

    times: int
    is_low: bool
    gone: int | None
    showdown: int
    spared: Sequence[int]
    placed: Mapping[str, Sequence[int]]


def count(position: Position) -> Counted:
    """Count what every bottom card leads to, those of each suit by themselves; suits that are alike only once."""
    kinds = Kinds.of(position)
    summed, known = Counted(kinds.total, Counter()), dict[tuple[Suited, bool], Counted]()
    for number, suit in enumerate(position.suits):
        alike = suit, number == position.field_suit
        if alike not in known:
            known[alike] = count_trump(position, kinds, *alike)
        summed.add(known[alike], 1, len(position.suits), number)
    if position.to_deal.further:
        some, places = position.showdown, position.deck
        summed.ways[THIRD_DEAL] = kinds.total * perm(places - position.to_deal.deciding, some) // perm(places, some)
    return summed


def count_trump(position: Position, kinds: Kinds, suit: Suited, on_field: bool) -> Counted:  # noqa: FBT001
    """Count what the bottom cards of one suit lead to, with that suit told as the first."""
    found = Counted(kinds.total, Counter())
    for bottom in kinds.of_suit(suit):
        count_forfeits(found.ways, position, suit, bottom, on_field=on_field)
        if not on_field and not bottom.is_low:
            count_wins(found.ways, position, suit, bottom)
    return found


class Kinds(Record):
    """The kinds of bottom cards: how often one showdown card and one plain card lies there, over the total."""

    showdown: int
    each_showdown: int
    each_plain: int
    spared_under_showdown: Sequence[int]
    spared_under_plain: Sequence[int]
    placed_under_showdown: Mapping[str, Sequence[int]]
    placed_under_plain: Mapping[str, Sequence[int]]
    total: int

    @classmethod
    def of(cls, position: Position) -> Kinds:
        """Weigh the bottom cards of a position.

        Of those that are not known, a plain card lies in the deck with a chance of `in_deck` to `plain`.
        """
        unseen, plain, showdown = position.deck, position.plain, position.showdown
        in_deck, places, to_deal = plain - position.not_noted, unseen - 1, position.to_deal
        times = in_deck or 1
        return cls(
            showdown=showdown,
            each_showdown=plain or 1,
            each_plain=in_deck,
            # One place more is left to the showdown cards where one of them is the bottom card.
            spared_under_showdown=spared(showdown - 1, places, to_deal, times) if showdown else (),
            spared_under_plain=spared(showdown, places, to_deal) if in_deck else (),
            placed_under_showdown=placed(showdown - 1, places, to_deal, times),
            placed_under_plain=placed(showdown, places, to_deal),
            total=(plain or 1) * unseen * (perm(places, showdown) if in_deck else perm(places, showdown - 1)),
        )

    def of_suit(self, suit: Suited) -> Iterator[Bottom]:
        """Give the bottom cards that a suit may have."""
        for strength in suit.to_come:
            ways = self.spared_under_showdown, self.placed_under_showdown
            yield Bottom(self.each_showdown, False, strength, self.showdown - 1, *ways)  # noqa: FBT003
        for count_of, is_low in ((suit.low, True), (suit.fair, False)):
            if count_of and self.each_plain:
                ways = self.spared_under_plain, self.placed_under_plain
                yield Bottom(count_of * self.each_plain, is_low, None, self.showdown, *ways)


def placed(showdown: int, places: int, to_deal: ToDeal, times: int = 1) -> Mapping[str, Sequence[int]]:
    """Count the ways to lay one card into a place of a kind while so many others, the index says, are not dealt.

    A showdown card in a `deciding` place leaves no third deal; one in a `further` place has none in the deciding ones.
    None where no further cards may be dealt, for then all places are alike.
    """
    certain, deciding, further = to_deal.certain, to_deal.deciding, to_deal.further

    def ways(chosen: int, dealt: int, closed: int) -> Sequence[int]:
        """Lay one card into `chosen` places, others into none of those `dealt`, the rest into none `closed`."""
        left, open_to_all = places - dealt, places - closed - 1
        laid = (
            chosen * perm(left, these) * perm(open_to_all - these, showdown - 1 - these) if these <= left else 0
            for these in range(showdown)
        )
        return (*(times * each for each in laid), 0)

    if not further:
        return {}
    return {"deciding": ways(deciding, certain, 0), "further": ways(further, certain + further, deciding)}


def spared(showdown: int, places: int, to_deal: ToDeal, times: int = 1) -> Sequence[int]:
    """Count the ways to lay showdown cards into places so that so many of them, the index says, are not dealt.

    More than there are cannot be spared: the last is 0.
    """
    certain, deciding, further = to_deal.certain, to_deal.deciding, to_deal.further

    def ways(none_of_all: int, none_of_these: int, these: int) -> int:
        """Lay them so that none lies in some places, and `these` not in some others either."""
        left = places - none_of_all
        free = left - none_of_these
        return perm(free, these) * perm(left - these, showdown - these) if these <= free else 0

    def all_ways(these: int) -> int:
        dealt = ways(0, certain, these)
        if not further:
            return dealt
        other = certain - deciding
        return dealt - ways(deciding, other, these) + ways(deciding, other + further, these)

    return (*(times * all_ways(these) for these in range(showdown + 1)), 0)


# --- how it ends ----------------------------------------------------------------------------------------------------


def count_forfeits(counted: Counter[Key], position: Position, suit: Suited, bottom: Bottom, *, on_field: bool) -> None:
    """SH-10, SH-12. With no showdown card the round ends at once; the other reasons may apply together."""
    spared = bottom.spared
    nobody_holds_any = 0 if any(each.held for each in position.suits) else spared[bottom.showdown]
    shown = spared[0] - nobody_holds_any
    no_trump = 0 if suit.held else spared[len(without(suit.to_come, bottom.gone))] - nobody_holds_any
    applies = {
        "no_showdown_card": nobody_holds_any,
        "low_bottom_card": shown if bottom.is_low else 0,
        "field_card_is_trump": shown if on_field else 0,
        "no_trump_held": no_trump,
    }
    for reason, ways in applies.items():
        counted["nobody", reason] += bottom.times * ways
    counted[("nobody",)] += bottom.times * (nobody_holds_any + (shown if bottom.is_low or on_field else no_trump))


def count_wins(counted: Counter[Key], position: Position, suit: Suited, bottom: Bottom) -> None:
    """SH-13. The strongest card held wins if none above it is dealt; one that is still to come has to be dealt, too.

    From the strongest down, `others` is what those cost together that are not dealt for certain, nor spared.
    """
    spared, prices, best = bottom.spared, position.prices, max(suit.held, default=-1)
    others = sum(prices[each] for suited in position.suits for each in suited.to_come)
    others -= prices[bottom.gone] if bottom.gone is not None else 0
    better = sorted((each for each in suit.to_come if each > best and each != bottom.gone), reverse=True)
    for above, strength in enumerate(better):
        others -= prices[strength]
        wins = spared[above] - spared[above + 1]
        another_too = wins - spared[above + 1] + spared[above + 2]
        counted["wins", 0, strength] += bottom.times * wins
        counted["paid", 0, strength] += bottom.times * (prices[strength] * wins + others * another_too)
        for kind, ways in bottom.placed.items():
            counted["wins", kind] += bottom.times * ways[above]
            another = ways[above] - ways[above + 1]
            counted["paid", kind] += bottom.times * (prices[strength] * ways[above] + others * another)
    if suit.held:
        wins, another_too = spared[len(better)], spared[len(better)] - spared[len(better) + 1]
        counted["wins", 0, best] += bottom.times * wins
        counted["paid", 0, best] += bottom.times * others * another_too


def without(strengths: tuple[int, ...], gone: int | None) -> tuple[int, ...]:
    """Give the strengths but for one."""
    return tuple(each for each in strengths if each != gone)
