"""What people put down in a turn of Kakkuri, where house rules are tried out: as many cards as go.

Of the ways to do that those count that leave most wilds in the hand. Of those that are left, the first is taken: a hand
is gone through by suits (clubs, coins, cups, swords) and numbers, or in an order that chance has made; wilds come last.

What may go on what is asked of the rule book, once for every two cards: a hand of six is gone through in many ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from random import Random
from typing import NamedTuple

from ledger.cards import Card, DeckName, pack_of_48
from ledger.games.kakkuri import LeadAny, Rules, Top, Turn, all_that_go_on, is_wild, play_sizes
from ledger.records import replace


class Pack(NamedTuple):
    """A pack by the rules that people keep to: in which order, of which number, which are wild, what goes on what."""

    places: Mapping[Card, int]
    ranks: Mapping[Card, int]
    wilds: frozenset[Card]
    follow: Mapping[Card, frozenset[Card]]


@cache
def pack_by(deck: DeckName, rules: Rules) -> Pack:
    """KA-7 to KA-11. Ask the rule book of every card, as it lies on the pile from a hand."""
    faces = pack_of_48(deck, rules.western_courts).faces
    wilds = frozenset(card for card in faces if is_wild(rules, card))
    in_order = sorted(faces, key=lambda card: (card in wilds, faces[card]))
    return Pack(
        places={card: place for place, card in enumerate(in_order)},
        ranks={card: face.rank for card, face in faces.items()},
        wilds=wilds,
        follow={card: all_that_go_on(deck, rules, Top(card)) for card in faces},
    )


class Play(NamedTuple):
    """Cards of a hand that go down together: their places in it as bits, and how many are wild."""

    bits: int
    wilds: int
    cards: tuple[Card, ...]


class Hand(NamedTuple):
    """A hand in order, and every play that it has."""

    pack: Pack
    held: Sequence[Card]
    plays: tuple[Play, ...]


class Way(NamedTuple):
    """A way to lay some cards of a hand; `value` is the greater, the more they are and the fewer of them are wild."""

    value: tuple[int, int] = (0, 0)
    cards: tuple[Card, ...] = ()


NOTHING = Way()


def longest(turn: Turn, hand: Sequence[Card], chance: Random | None = None) -> tuple[Card, ...]:
    """KA-7 to KA-11. The most cards that go down in this turn; of equally many, those that leave more wilds.

    Among these the first, by suits and numbers or as chance has it.
    """
    rules, deck = turn.ground.rules, turn.ground.deck
    kept = replace(rules, sequence="full") if rules.sequence == "off" else rules
    pack, top = pack_by(deck, kept), None if isinstance(turn, LeadAny) else turn.board.pile_top
    held = sorted(hand, key=pack.places.__getitem__)
    if chance:
        chance.shuffle(held)
        held.sort(key=pack.wilds.__contains__)
    goes = bits_of(all_that_go_on(deck, kept, top), held)
    sizes = play_sizes(kept, pairs=turn.player in turn.board.three_pairs)
    return best(Hand(pack, held, tuple(plays_of(pack, held, sizes))), goes, (1 << len(held)) - 1).cards if goes else ()


def plays_of(pack: Pack, held: Sequence[Card], sizes: Sequence[int]) -> Iterator[Play]:
    """KA-9, KA-10. Every play that a hand has: a card, or some of one number, a wild among them last."""
    if 1 in sizes:
        yield from (Play(1 << place, card in pack.wilds, (card,)) for place, card in enumerate(held))
    ranks = [pack.ranks[card] for card in held]
    several = {rank: [place for place, other in enumerate(ranks) if other == rank] for rank in ranks}
    for size in sizes:
        alike = (combinations(places, size) for places in several.values() if 1 < size <= len(places))
        for places in sorted(chain.from_iterable(alike)):
            cards = tuple(held[place] for place in places)
            yield Play(sum(1 << place for place in places), len(pack.wilds.intersection(cards)), cards)


def bits_of(some: frozenset[Card], held: Sequence[Card]) -> int:
    """Say which cards of a hand are among some, each by its place as a bit."""
    bits = 0
    for place, card in enumerate(held):
        if card in some:
            bits |= 1 << place
    return bits


def best(hand: Hand, goes: int, left: int) -> Way:
    """KA-7. The first of the best ways to lay cards that are left, one play after another, on what `goes` there."""
    found = NOTHING
    for play in hand.plays:
        if play.bits & goes and not play.bits & ~left:
            further = left & ~play.bits
            next_goes = further and further & bits_of(hand.pack.follow[play.cards[-1]], hand.held)
            (count, wilds), cards = best(hand, next_goes, further) if next_goes else NOTHING
            value = count + len(play.cards), wilds - play.wilds
            if value > found.value:
                found = Way(value, play.cards + cards)
                if value[0] == left.bit_count():
                    break
    return found
