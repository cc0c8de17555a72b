"""Which cards may come next: what a rule book says of them, held against what it then takes and refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from ledger.games import GAMES, newest
from ledger.games.kakkuri import (
    BoxCardRevealed,
    BoxDue,
    InPlay,
    LeadAny,
    StarterRevealed,
    ThreePairsDeclared,
    Turn,
    TurnPlayed,
)
from ledger.games.shippin import FirstCardsRevealed, SecondCardsDealt
from ledger.games.shirinma import CardDealt, FieldCardRevealed, TrumpRevealed
from ledger.rulebook.cards import Card, cards_in, pack_of_48, read
from ledger.rulebook.event import Event
from ledger.rulebook.phase import CardsToCome
from ledger.rulebook.refusal import Refused
from ledger.session.table import Round
from tests.properties.folding import opened
from tests.properties.folding import read as report
from tests.reckoning.evenings import Table, an_opening
from tests.scorekeeper import Json
from tests.session.tables import OPEN, after, bets, cards, table

TABLES = [(game, deck) for game in GAMES for deck in newest(game).decks]
every_table = pytest.mark.parametrize(("game", "deck"), TABLES, ids=["-".join(each) for each in TABLES])


def told(done: Round | None) -> CardsToCome:
    """What may come in an open round."""
    assert done
    assert done.is_open
    found = done.book.cards(done.phase, done.book.expected(done.phase))
    assert found
    return found


def pack_of(done: Round) -> tuple[Card, ...]:
    """The cards that are played with."""
    return tuple(map(read, told(done).left))


def evening(game: str, deck: str, seed: int, rounds: int) -> Iterator[Round]:
    """Every place where an open round stood on some evening at a simulated table."""
    shape = Random(f"{game} {deck} {seed}")
    opening: Json = {**an_opening(shape, game), "deck": deck}
    simulated, on = Table(opening), opened(opening)
    for _ in range(rounds):
        simulated.play(shape)
    for page in simulated.pages:
        for said in page:
            on = on.record(report(said.event, game), newest(game).version).state
            if on.table.round and on.table.round.is_open:
                yield on.table.round


def takes(done: Round, event: Event) -> bool:
    """Whether the rules take an event without being overruled."""
    try:
        done.book.play(done.phase, done.book.written(event, done.ground.deck, done.ground.rules))
    except Refused:
        return False
    return True


# --- what a card could be reported with -------------------------------------------------------------------------------


def single(kind: Any) -> Callable[[Round, Any], Iterator[Event]]:
    return lambda _done, card: iter([kind(card)])


def dealt(done: Round, card: Any) -> Iterator[Event]:
    (due,) = (each.player for each in done.book.expected(done.phase) if each.type == "card_dealt")
    assert due
    yield CardDealt(due, card)


def five(kind: Any) -> Callable[[Round, Any], Iterator[Event]]:
    """The card in the first column, and in the others four that can be there for certain."""

    def with_others(done: Round, card: Any) -> Iterator[Event]:
        left = Counter(told(done).left)
        left[card.code] -= 1
        two, three, four, dealer = Random(card.code).sample(list(map(read, left.elements())), 4)
        yield kind((card, two, three, four), dealer)

    return with_others


def turns(done: Round, card: Any) -> Iterator[Event]:
    """The card alone, and with one and two others of its number."""
    phase, courts = done.phase, done.ground.rules.western_courts
    assert isinstance(phase, Turn)
    faces = pack_of_48(done.ground.deck, courts).faces
    alike = [each for each in faces if faces[each].rank == faces[card].rank and each is not card]
    for size in range(3):
        for others in permutations(alike, size):
            yield TurnPlayed(phase.player, cards=(card, *others))


REPORTED: dict[str, Callable[[Round, Any], Iterator[Event]]] = {
    "field_card_revealed": single(FieldCardRevealed),
    "card_dealt": dealt,
    "trump_revealed": single(TrumpRevealed),
    "second_cards_dealt": five(SecondCardsDealt),
    "first_cards_revealed": five(FirstCardsRevealed),
    "starter_revealed": single(StarterRevealed),
    "box_card_revealed": single(BoxCardRevealed),
    "turn_played": turns,
}
WORDS = {"card_dealt": ["plain"]}


def holds(done: Round) -> None:
    """What is said to be possible is taken, and whatever else is refused."""
    may_come = told(done)
    expected = {each.type for each in done.book.expected(done.phase)}
    assert set(may_come.next) == expected & set(REPORTED)
    for kind, codes in may_come.next.items():
        choices: list[Any] = [*pack_of(done), *WORDS.get(kind, [])]
        taken = [each for each in choices if any(takes(done, event) for event in REPORTED[kind](done, each))]
        assert [getattr(each, "code", each) for each in taken] == list(codes), (kind, done.phase)
        for card in taken:
            fewest = min(fewest_cards(event) for event in REPORTED[kind](done, card) if takes(done, event))
            assert may_come.together.get(getattr(card, "code", card), 1) == fewest, (card, done.phase)


def fewest_cards(event: Event) -> int:
    """How many cards of a turn go down together; of any other event each card is there by itself."""
    return len(event.cards or ()) if isinstance(event, TurnPlayed) else 1


def every_place_holds(game: str, deck: str, *, evenings: range, at_most: int) -> None:
    places = [done for seed in evenings for done in evening(game, deck, seed, rounds=2)]
    for done in Random(1).sample(places, min(at_most, len(places))):
        holds(done)


@every_table
def test_exactly_those_cards_are_taken_that_may_come(game: str, deck: str) -> None:
    every_place_holds(game, deck, evenings=range(6), at_most=8 if game == "kakkuri" else 50)


@pytest.mark.endurance
@every_table
def test_so_it_is_on_many_evenings(game: str, deck: str) -> None:
    every_place_holds(game, deck, evenings=range(100, 130), at_most=100 if game == "kakkuri" else 500)


@every_table
def test_every_card_of_the_pack_is_told_and_none_twice(game: str, deck: str) -> None:
    """A card that was seen is not left, unless a box was made of the pile."""
    for done in evening(game, deck, seed=1, rounds=1):
        left, phase = told(done).left, done.phase
        in_box = phase.known_in_box if isinstance(phase, InPlay) else frozenset()
        assert [code for code in left if read(code).deck != deck] == []
        assert sum(read(code).copies for code in left) == (40 if game == "shippin" else 48)
        for card in set(cards_in(done.book.board(phase))):
            assert card.code not in left or left[card.code] < card.copies or card in in_box
        assert all(code == "plain" or left[code] for codes in told(done).next.values() for code in codes)


# --- by example -------------------------------------------------------------------------------------------------------


def after_events(game: str, *events: Event, **said: Any) -> CardsToCome:
    return told(after(table(game, **said), OPEN, *events).round)


def test_cards_are_told_in_the_order_of_the_deck() -> None:
    codes = after_events("kakkuri", deck="hanafuda").next["starter_revealed"]
    assert codes[:6] == ("pine-crane", "pine-ribbon", "pine-chaff-1", "pine-chaff-2", "plum-warbler", "plum-ribbon")


def test_western_tens_are_no_cards_of_the_pack() -> None:
    assert not {"10C", "10S", "10H", "10D"} & set(after_events("shirinma", deck="western").left)


def test_a_card_that_lies_there_is_not_dealt() -> None:
    may_come = after_events("shirinma", FieldCardRevealed(read("cups-5")))
    assert may_come.left["cups-5"] == 0
    assert len(may_come.next["card_dealt"]) == 48
    assert may_come.next["card_dealt"][-1] == "plain"


def test_when_all_plain_cards_have_been_seen_none_is_dealt_any_more() -> None:
    players = [f"p{1 + place % 16}" for place in range(31)]
    may_come = after_events(
        "shirinma", FieldCardRevealed(read("cups-5")), *(CardDealt(player, "plain") for player in players), seats=16
    )
    assert len(may_come.next["card_dealt"]) == 16
    assert set(may_come.next["card_dealt"]) == {code for code, left in may_come.left.items() if left}


def test_four_of_each_value_are_left_until_they_are_seen() -> None:
    second = cards(SecondCardsDealt, "7 7 7 7 9")
    may_come = after_events("shippin", *bets("p2:1"), second)
    assert (may_come.left["7"], may_come.left["9"], may_come.left["1"]) == (0, 3, 4)
    assert may_come.next["first_cards_revealed"] == ("1", "2", "3", "4", "5", "6", "8", "9", "10")


def test_of_a_value_that_was_seen_four_times_no_card_by_name_is_left() -> None:
    may_come = after_events("shippin", *bets("p2:1"), cards(SecondCardsDealt, "7 7 7C 7S 9H"), deck="western")
    assert {code for code, left in may_come.left.items() if not left} == {"7C", "7S", "7H", "7D", "9H"}


def cards_on(top: str, *declared: str, **rules: Any) -> CardsToCome:
    """What may come after a card that opened the pile, with a turn of `p1`."""
    at = table("kakkuri", rules=rules)
    return told(after(at, OPEN, StarterRevealed(read(top)), *map(ThreePairsDeclared, declared)).round)


def turn_on(top: str, *declared: str, **rules: Any) -> set[str]:
    """The cards that a turn could begin with."""
    return set(cards_on(top, *declared, **rules).next["turn_played"])


SUITS = ("clubs", "swords", "cups", "coins")
WILDS = {"clubs-1", "coins-2"}


def of(*numbers: int) -> set[str]:
    return {f"{suit}-{number}" for suit in SUITS for number in numbers}


def test_the_next_number_goes_on_the_pile_and_a_wild_and_what_goes_down_with_a_wild() -> None:
    """Three 2s may begin with any of them where the wild is among them, for one that could go alone is enough."""
    assert turn_on("cups-5") == of(6) | of(1) | of(2)
    assert turn_on("cups-5", sequence="plain") == of(6) | WILDS


def test_cards_that_go_down_only_in_threes_are_told() -> None:
    """KA-9. A 1 that is not wild goes on a 5 only as one of three, of which one is wild; a 6 goes alone."""
    assert cards_on("cups-5").together == dict.fromkeys(of(1, 2) - WILDS, 3)
    assert cards_on("cups-5", sequence="plain").together == {}
    assert cards_on("cups-12").together == {}


def test_two_of_a_number_go_down_for_whoever_declared_pairs() -> None:
    assert turn_on("cups-5", "p1") == of(6) | of(1) | of(2)
    assert cards_on("cups-5", "p1").together == dict.fromkeys(of(6, 1, 2), 2)


def test_anything_goes_where_nothing_is_checked_and_on_a_king() -> None:
    everything = of(*range(1, 13))
    assert turn_on("cups-5", sequence="off") == everything - {"cups-5"}
    assert turn_on("cups-12") == everything - {"cups-12"}
    assert turn_on("cups-12", after_king="wrap") == of(1) | of(2)


def test_when_everyone_passed_it_is_a_card_of_the_box() -> None:
    passes = [TurnPlayed(f"p{place}", count=0) for place in (1, 2, 3, 4, 5, 6, 7)]
    may_come = after_events("kakkuri", StarterRevealed(read("cups-9")), *passes)
    assert set(may_come.next) == {"box_card_revealed"}
    assert len(may_come.next["box_card_revealed"]) == 47


def test_the_simulated_tables_come_to_the_rare_places_too() -> None:
    """A shuffled pile, an empty box and any lead are among the places that are tried."""
    phases = [done.phase for seed in range(100, 130) for done in evening("kakkuri", "western", seed, rounds=2)]
    assert any(isinstance(phase, LeadAny) for phase in phases)
    assert any(isinstance(phase, BoxDue) and phase.board.box == len(phase.known_in_box) for phase in phases)
    assert any(isinstance(phase, Turn) and phase.player in phase.board.three_pairs for phase in phases)
