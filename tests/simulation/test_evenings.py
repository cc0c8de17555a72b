"""Evenings at tables that are tried out: every game, deck, number of players, switch and way of playing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, permutations
from random import Random
from typing import Any, Literal, NamedTuple

import pytest

from ledger.cards import Card
from ledger.games.kakkuri import (
    Laying,
    LeadAny,
    Turn,
    could_begin,
    ends_of_plays,
    face,
    is_wild,
    play_sizes,
    the_three_ones,
)
from ledger.games.odds.shirinma_table import odd_chip, odds
from ledger.games.shirinma import BOOK, Auction, AuctionClosed, Payments, Rules
from ledger.play import POT, Event, Ground, Over, Phase, Seating, Transfer, Void
from ledger.records import fields_of
from ledger.simulation import GAMES, Setting, evenings, kakkuri, kakkuri_turns
from ledger.simulation.evenings import BooksDoNotAddUp, play_evening, post
from ledger.simulation.notes import Notes
from ledger.simulation.tables import Round
from tests.simulation.switches import ALL, Set

EVERY_SIZE = [(name, count) for name, game in GAMES.items() for count in game.book.seats]


def table(game: str, players: int | None = None, playing: str | None = None, **rules: Any) -> Setting:
    """A table with usual rules but for some, and as few players as the game takes."""
    known = GAMES[game]
    return Setting(
        game=game,
        players=players or known.book.seats.start,
        deck=rules.pop("deck", known.book.decks[0]),
        rules=known.book.rules(**rules),
        playing=playing or next(iter(known.ways)),
    )


def noted(setting: Setting, rounds: int = 20, number: int = 0) -> Counter[str]:
    return play_evening(setting, 1, number, rounds).sums


def is_whole(sums: Counter[str], rounds: int) -> bool:
    """Whether every round ended in one of the ways in which rounds end."""
    ends = ("won", "forfeited", "void", "bets")
    return sums["rounds"] == rounds and (sums["bets"] > 0 or sum(sums[end] for end in ends) == rounds)


@pytest.mark.parametrize("each", ALL, ids=lambda each: f"{each.game} {each.said}")
def test_every_switch_can_be_set_to_everything_and_the_books_add_up(each: Set) -> None:
    seats = GAMES[each.game].book.seats
    for players in (seats.start, seats.stop - 1):
        for playing in GAMES[each.game].ways:
            assert is_whole(noted(Setting(each.game, players, each.deck, each.rules, playing), 3), 3)


def test_no_switch_is_left_out() -> None:
    for name, game in GAMES.items():
        tried = {each.name.partition(".")[0] for each in ALL if each.game == name}
        assert tried == {switch.name for switch in fields_of(game.book.rules)}
    assert {"payments.dragon", "payments.maid", "payments.horse", "payments.king"} <= {each.name for each in ALL}
    assert sum(each.name == "odd_chip" for each in ALL) == 2


@pytest.mark.parametrize(("game", "players"), EVERY_SIZE)
def test_every_number_of_players_can_play_with_every_deck(game: str, players: int) -> None:
    for deck in GAMES[game].book.decks:
        assert is_whole(noted(table(game, players, deck=deck), 2), 2)


def test_books_that_do_not_add_up_are_found() -> None:
    on = Round(GAMES["shirinma"].book, ground("shirinma"))
    outcome = Void(next_dealer="p1")
    on.phase = Over(ground=on.ground, pot=240, last=on.phase, outcome=outcome)
    post(Counter(), on)
    with pytest.raises(BooksDoNotAddUp):
        post(Counter({"p1": 1}), on)
    for wrong in (Transfer("p1", POT, 1, "ante"), Transfer("p1", "p13", 1, "ante")):
        on.moved.append(wrong)
        with pytest.raises(BooksDoNotAddUp):
            post(Counter(), on)
        on.moved.pop()


def ground(game: str, **rules: Any) -> Ground[Any]:
    setting = table(game, **rules)
    return Ground(setting.seats, "p1", setting.deck, setting.rules)


@pytest.mark.parametrize(
    ("game", "other"),
    [("shirinma", "western"), ("shippin", "western"), ("kakkuri", "hanafuda"), ("kakkuri", "western")],
)
def test_the_same_shuffles_come_to_the_same_with_every_deck(game: str, other: str) -> None:
    usual = play_evening(table(game), 1, 0, 20)
    with_other = play_evening(table(game, deck=other), 1, 0, 20)
    assert dict(usual.sums) == dict(with_other.sums)
    assert usual.most == with_other.most


def test_evenings_differ_by_seed_and_number() -> None:
    evenings = [play_evening(table("shirinma"), seed, number, 20).sums for seed in (1, 2) for number in (0, 1)]
    assert len({evening["paid_in"] for evening in evenings}) == 4
    assert evenings[0] == play_evening(table("shirinma"), 1, 0, 20).sums


# --- pots -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Round]:
    """Every round that is played from now on, those too in which only a pot is played for that an evening leaves."""
    rounds: list[Round] = []
    going_on = evenings.going_on

    def watched(setting: Setting, seating: Seating, source: Random) -> Iterator[Round]:
        for on in going_on(setting, seating, source):
            rounds.append(on)
            yield on

    monkeypatch.setattr(evenings, "going_on", watched)
    return rounds


def test_pots_are_counted_until_they_are_won(played: list[Round]) -> None:
    left_over = set[int]()
    for number in range(5):
        played.clear()
        notes = play_evening(table("shirinma", 13), 1, number, 20)
        sums, forfeited = notes.sums, [on.over.outcome.result == "forfeited" for on in played]
        assert sums["pots"] == sums["won"] + sums["left_over"]
        assert sums["won"] + sums["forfeited"] == sums["rounds"] == 20
        assert sums["forfeited"] == sum(forfeited[:20])
        assert sums["waited"] == sum(forfeited)
        assert sum(sums[f"waited_{times}"] for times in range(4)) == sums["pots"]
        assert (notes.waited, forfeited[-1]) == (0, False)
        left_over.add(sums["left_over"])
    assert left_over == {0, 1}


def test_an_odd_chip_that_stays_is_no_pot_that_waits() -> None:
    sums = sum((noted(table("shirinma", odd_chip="carry"), 20, number) for number in range(5)), Counter[str]())
    assert 0 < sums["odd_stays"] < sums["won"]
    assert sums["waited"] <= sums["forfeited"]
    assert not sums["odd_to_winner"]


@pytest.mark.parametrize(("game", "noted_as", "leaves"), [("shirinma", "paid_in", {0, 1}), ("kakkuri", "passes", {0})])
def test_the_pot_that_is_won_was_paid_in(played: list[Round], game: str, noted_as: str, leaves: set[int]) -> None:
    """To the chip, and what is paid while only the last pot is played for is noted as nothing else.

    At Kakkuri a pot waits after a void round only, for which one would have to wait.
    """
    left_over = set[int]()
    for number in range(8):
        played.clear()
        sums = play_evening(table(game), 1, number, 50).sums
        assert sums["pot"] == sum(on.paid_in for on in played)
        assert sums[noted_as] == sum(on.paid_in for on in played[:50])
        assert sums["left_over"] == (len(played) > 50)
        assert played[-1].over.pot == 0
        left_over.add(sums["left_over"])
    assert left_over == leaves


# --- Shirinma -------------------------------------------------------------------------------------------------------

Reported = list[tuple[Phase, Event]]


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> Reported:
    """Everything that is reported in rounds from now on, and the phase that it is reported in."""
    events: Reported = []
    goes_on = Round.goes_on

    def listened(on: Round, event: Event) -> None:
        events.append((on.phase, event))
        goes_on(on, event)

    monkeypatch.setattr(Round, "goes_on", listened)
    return events


@pytest.mark.parametrize("third_deal", ["none_received", "none_held"])
def test_bidders_pay_up_to_what_half_is_worth(reported: Reported, third_deal: Literal["none_received"]) -> None:
    """Once the price lies in the pot, half is worth it, but not a step more, by the rule book's count."""
    rules = Rules(payments=Payments(3, 10, 20, 33), third_deal=third_deal, min_bid=2, min_increment=3)
    for players in (12, 13, 15, 16, 23):
        noted(Setting("shirinma", players, "western", rules, "worth"), 3)
    closed = [phase for phase, event in reported if isinstance(event, AuctionClosed) and isinstance(phase, Auction)]
    assert len(closed) > 100
    for auction in closed:
        closing: Any = BOOK.play(auction, AuctionClosed()).phase
        sold = odds(closing)
        (card,) = (each for each in sold.cards if each.card is auction.board.dealt[-1].card)  # type: ignore[union-attr]
        half = card.half_is_worth - card.wins * odd_chip(closing, closing.board.dealt[-1])
        price = auction.bids[-1].amount if auction.bids else 0
        dearer = price + 3 if price else 2
        assert price <= half
        assert half + card.wins * (dearer - price) / 2 < dearer
        assert [bid.amount for bid in auction.bids][:-1] == [2][: price > 2]
    assert {len(auction.bids) for auction in closed} >= {0, 2}


def test_one_of_the_others_takes_every_card_for_the_least(reported: Reported, played: list[Round]) -> None:
    sums = noted(table("shirinma", min_bid=7), 5)
    paid = [[move.amount for move in on.moved if move.reason == "winning_bid"] for on in played]
    closed = [phase for phase, event in reported if isinstance(event, AuctionClosed) and isinstance(phase, Auction)]
    assert all(len(auction.bids) == 1 and auction.bids[0].amount == 7 for auction in closed)
    assert [*chain(*paid)] == [7] * len(closed)
    assert sums["rides"] == sums["showdown_cards"] == len([*chain(*paid[:5])]) > 0
    assert sums["ride_cost"] == 7 * sums["rides"]


def test_nobody_rides_where_nobody_bids() -> None:
    sums = noted(table("shirinma", 13, "none"))
    assert (sums["rides"], sums["ridden"], sums["ride_brought"], sums["odd_to_winner"]) == (0, 0, 0, 0)
    assert sums["won"] > 0


# --- Shippin --------------------------------------------------------------------------------------------------------


def test_whoever_has_to_bet_bets() -> None:
    assert noted(table("shippin", 5, must_bet="yes"))["bets"] == 80
    assert noted(table("shippin", 5, "always"))["bets"] == 80
    assert 40 < noted(table("shippin", 5))["bets"] < 80


def test_what_bets_bring_is_what_dealing_loses() -> None:
    for number in range(10):
        sums = noted(table("shippin", 4, bet=3), 20, number)
        assert sums["dealer_gains"] == -sums["bet_brings"] == 3 * (sums["bets_lost"] - sums["bets_won"])
        assert sums["bets"] == sums["bets_won"] + sums["bets_lost"] + sums["bets_tied"]


def test_the_deal_passes_after_a_total_loss_and_only_then() -> None:
    for role, passes in (("on_total_loss", True), ("fixed", False), ("house", False)):
        sums = sum((noted(table("shippin", dealer_role=role), 20, number) for number in range(5)), Counter[str]())
        assert sums["total_loss"] > 0
        assert sums["deal_passes"] == (sums["total_loss"] if passes else 0)


def test_seats_are_drawn_for_until_nobody_ties() -> None:
    evenings = [noted(table("shippin", 5, deck="western"), 1, number) for number in range(40)]
    assert all((evening["draws"] > 1) == evening["drew_again"] for evening in evenings)
    assert any(evening["drew_again"] for evening in evenings)
    in_full = [noted(table("shippin", 5, deck="western", suit_breaks_tie="yes"), 1, number) for number in range(40)]
    assert not any(evening["drew_again"] for evening in in_full)


# --- Kakkuri --------------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """A turn as it was thought over: where the round stood, the hand, and what of it goes down."""

    turn: Turn
    hand: tuple[Card, ...]
    down: tuple[Card, ...]


@pytest.fixture
def thought_over(monkeypatch: pytest.MonkeyPatch) -> list[Taken]:
    """All turns from now on."""
    turns: list[Taken] = []
    longest = kakkuri_turns.longest

    def listened(turn: Turn, hand: Sequence[Card], chance: Random | None = None) -> tuple[Card, ...]:
        turns.append(Taken(turn, tuple(hand), longest(turn, hand, chance)))
        return turns[-1].down

    monkeypatch.setattr(kakkuri, "longest", listened)
    return turns


@pytest.mark.parametrize("rules", [{}, {"sequence": "plain"}, {"after_king": "wrap"}, {"box_empty": "lead_any"}])
def test_whoever_can_put_down_a_card_does(thought_over: list[Taken], rules: dict[str, Any]) -> None:
    noted(table("kakkuri", **rules), 10)
    for turn, hand, down in thought_over:
        assert bool(down) == bool(could_begin(turn, frozenset(hand)))
    assert {bool(taken.down) for taken in thought_over} == {True, False}


@pytest.mark.parametrize("playing", ["longest", "varied"])
@pytest.mark.parametrize("rules", [{}, {"sequence": "plain"}, {"after_king": "wrap"}])
def test_no_order_of_a_hand_puts_down_more_or_fewer_wilds(
    thought_over: list[Taken], rules: dict[str, Any], playing: str
) -> None:
    """All orders of some cards of a hand are tried with the rule book."""
    noted(table("kakkuri", 8, playing, **rules), 4)
    for turn, hand, down in thought_over[::5]:
        ways = {(len(cards), -wilds_among(turn, cards)) for cards in ways_to_play(turn, hand)}
        assert (len(down), -wilds_among(turn, down)) == max(ways)


def wilds_among(turn: Turn, cards: tuple[Card, ...]) -> int:
    return sum(is_wild(turn.ground.rules, card) for card in cards)


def test_of_equal_plays_low_suits_go_first_or_any_one_does(thought_over: list[Taken]) -> None:
    """The same turn, thought over again and again."""
    noted(table("kakkuri"), 10)
    taken = [each for each in thought_over if each.down]
    equal = [{kakkuri_turns.longest(turn, hand, Random(at)) for at in range(20)} for turn, hand, _ in taken]
    assert any(len(ways) > 1 for ways in equal)
    for (turn, hand, down), ways in zip(taken, equal, strict=True):
        assert kakkuri_turns.longest(turn, tuple(reversed(hand))) == down
        assert {len(way) for way in ways} == {len(down)}
    singles = [each for each in taken if len(each.down) == 1]
    orders = [order_in(each) for each in singles]
    assert any(len(could) > 1 for could in orders)
    assert all(each.down[0] == could[0] for each, could in zip(singles, orders, strict=True))


def order_in(taken: Taken) -> list[Card]:
    """The cards of a hand that could go down alone: by suit and number, the wilds last."""
    rules = taken.turn.ground.rules
    could = could_begin(taken.turn, frozenset(taken.hand))
    return sorted(could, key=lambda card: (is_wild(rules, card), face(rules, card)))


def ways_to_play(turn: Turn, hand: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Every order of every choice of cards that goes down whole."""
    own = turn.ground.rules
    sizes = play_sizes(own, pairs=turn.player in turn.board.three_pairs)
    laying = Laying(own, None if isinstance(turn, LeadAny) else turn.board.pile_top, sizes)
    for count in range(len(hand) + 1):
        for cards in permutations(hand, count):
            if count in ends_of_plays(laying, cards):
                yield cards


def test_where_nobody_checks_people_keep_to_the_full_sequence() -> None:
    for number in range(3):
        assert noted(table("kakkuri"), 10, number) == noted(table("kakkuri", sequence="off"), 10, number)


def test_three_pairs_are_declared_and_played_in_pairs(thought_over: list[Taken]) -> None:
    sums = noted(table("kakkuri"), 150)
    in_pairs = [taken for taken in thought_over if taken.turn.player in taken.turn.board.three_pairs]
    assert sums["declared"] >= sums["three_pairs"] > 0
    assert in_pairs
    assert all(len(taken.down) % 2 == 0 for taken in in_pairs)
    assert not noted(table("kakkuri", sequence="plain"), 150)["declared"]


def test_a_hand_with_the_three_ones_wins_before_play() -> None:
    setting = table("kakkuri")
    shuffles = (number for number in range(3000) if dealt_three_ones(number))
    on = kakkuri.play_round(setting, ground("kakkuri"), Random(next(shuffles)))
    notes = Notes()
    kakkuri.note(notes, on)
    assert (notes.sums["three_ones"], notes.sums["won"], notes.sums["turns"]) == (1, 1, 0)
    assert (notes.sums["winner_gets"], notes.sums["of_others"]) == (18, 18)


def dealt_three_ones(number: int) -> bool:
    on = Round(GAMES["kakkuri"].book, ground("kakkuri"))
    return kakkuri.Cards(on, Random(number)).holder(the_three_ones(on.ground)) is not None


def test_an_empty_box_is_the_pile_shuffled_or_ends_the_round_or_lets_anything_be_led() -> None:
    """Of the same evenings, those in which the box is used up go on differently; the box holds five cards to turn."""
    emptied = {
        box: sum((noted(table("kakkuri", box_empty=box), 40, number) for number in range(4)), Counter[str]())
        for box in ("reshuffle", "lead_any", "void")
    }
    assert emptied["void"]["void"] > 0
    assert emptied["void"]["waited"] > 0
    assert not emptied["reshuffle"]["void"] + emptied["lead_any"]["void"]
    assert emptied["reshuffle"]["box_cards"] > emptied["lead_any"]["box_cards"]
