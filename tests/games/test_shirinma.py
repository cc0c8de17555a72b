"""Shirinma's rule book, called bare. Rounds are written as they are played, one report a line or between semicolons:

`field swords-4` and `trump cups-9` are turned by the dealer; `deal cups-12 plain 10*plain` goes on from whoever was
dealt to last, and `p9=plain` names the player; in brackets behind a card is its auction, `cups-12 (p2=5 p3=9 closed)`;
`bid p2=5` is a bid by itself; `!` at the end overrules.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games import shirinma as sh
from ledger.games.shirinma import BOOK, Bid, Board, Holding, Payments, Rules, ShirinmaForfeited, ShirinmaWon
from ledger.i18n.language import render
from ledger.i18n.sentences import Sentence, say
from ledger.records import replace
from ledger.rulebook.cards import DECKS, Card, DeckName, Face, Suit, WesternSuit, pack_of_48, read
from ledger.rulebook.chips import Transfer
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Expected, Ground, Outcome, Over, Seats, Step
from ledger.rulebook.refusal import CardAlreadySeen, OutOfPlace, OutOfTurn, Refused, UnknownPlayer
from ledger.rulebook.values import MAX_CHIPS, POT
from tests.session.tables import fold

SUITS = ("clubs", "swords", "cups", "coins")
RANKS = {1: "Dragon", 10: "Maid", 11: "Horse", 12: "King"}
SHOWDOWN = [f"{suit}-{rank}" for suit, rank in product(SUITS, RANKS)]
PLAIN = [f"{suit}-{rank}" for suit, rank in product(SUITS, range(2, 10))]
SUBSETS = [tuple(rank for bit, rank in enumerate(RANKS) if bits >> bit & 1) for bits in range(1, 16)]
"""Every choice of showdown cards that one suit can have on the table."""

REST = "23*plain"
"""With 12 players, all other cards of two deals when one card was named."""

WON = f"field swords-4; deal cups-11 {REST}; trump cups-9"
RIDDEN = f"field swords-4; deal cups-11 (p5=7) {REST}; trump cups-9"
POT_OF_12 = 12 * 20 + 20
"""What WON is played for: twelve antes and a Horse."""


# --- reading rounds, and looking at them ----------------------------------------------------------------------------


def reports(text: str, ground: Ground[Rules]) -> Iterator[Event]:
    turn = ground.dealer
    for line in re.split(r"[;\n]", text):
        overrule = "so it was played" if line.rstrip().endswith("!") else None
        told, *words = line.replace("(", " ").replace(")", " ").replace("!", " ").split() or [""]
        for word in repeated(words or [told] * (told == "closed")):
            event, turn = report(told, word, turn, ground.seats)
            yield replace(event, overrule=overrule)


def repeated(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        times, _, what = word.rpartition("*")
        yield from [what] * int(times or 1)


def report(told: str, word: str, turn: str, seats: Seats) -> tuple[Event, str]:
    """Give an event, and whose turn it is afterwards."""
    player, _, what = word.rpartition("=")
    if word == "closed":
        return sh.AuctionClosed(), turn
    if told in {"field", "trump"}:
        return (sh.FieldCardRevealed if told == "field" else sh.TrumpRevealed)(read(word)), turn
    if what.isdecimal():
        return sh.BidPlaced(player, int(what)), turn
    owner = player or turn
    following = seats.right_of(owner) if owner in seats else turn
    return sh.CardDealt(owner, "plain" if what == "plain" else read(what)), following


def ground(
    *,
    players: int = 12,
    dealer: str = "p1",
    deck: DeckName = "mekurifuda",
    carried: int = 0,
    third_deal: Any = "none_held",
    **rules: Any,
) -> Ground[Rules]:
    """Lay a table. Its third deal is the one that most rounds here do not need, whatever a table's default is."""
    seats = Seats(f"p{number}" for number in range(1, players + 1))
    return Ground(seats, dealer, deck, Rules(third_deal=third_deal, **rules), carried)


def after(text: str, **table: Any) -> Step:
    """Play a round as far as it is written."""
    laid = ground(**table)
    events = [BOOK.written(event, laid.deck, laid.rules) for event in reports(text, laid)]
    return fold(BOOK.play, BOOK.open_round(laid), events)


def refusal(text: str, **table: Any) -> Refused:
    """Play a round whose last report, and only the last, is refused."""
    laid = ground(**table)
    *good, bad = (BOOK.written(event, laid.deck, laid.rules) for event in reports(text, laid))
    stand = fold(BOOK.play, BOOK.open_round(laid), good)
    with pytest.raises(Refused) as refused:
        BOOK.play(stand.phase, bad)
    return refused.value


def facts(refused: Refused) -> tuple[str, str | None, dict[str, Any]]:
    return refused.code, refused.rule, dict(refused.facts)


def phase(step: Step) -> str:
    return step.phase.name


def expected(step: Step) -> list[Expected]:
    return list(BOOK.expected(step.phase))


def board(step: Step) -> Board:
    on_table = BOOK.board(step.phase)
    assert isinstance(on_table, Board)
    return on_table


def over(step: Step) -> Over:
    assert isinstance(step.phase, Over)
    return step.phase


def outcome(step: Step) -> Outcome:
    return over(step).outcome


def won(step: Step) -> tuple[str | None, str, str | None]:
    """Who won, with which card, and who rode on its back."""
    ended = outcome(step)
    assert isinstance(ended, ShirinmaWon)
    assert (ended.result, ended.won_by, ended.forfeited_for) == ("won", ended.winner, ())
    return ended.winner, str(ended.card), ended.back_rider


def forfeited(step: Step) -> list[str]:
    """Why nobody won; then nobody is paid either, and every chip stays."""
    ended = outcome(step)
    assert isinstance(ended, ShirinmaForfeited)
    assert (ended.result, ended.won_by, ended.forfeited_for) == ("forfeited", None, ended.reasons)
    assert ended.payouts == ()
    assert not [t for t in step.transfers if t.payer == POT]
    return list(ended.reasons)


def paid_out(step: Step) -> list[tuple[str, int, str]]:
    """What the outcome says was paid, which is what was paid."""
    paid = [(t.payee, t.amount, t.reason) for t in step.transfers if t.payer == POT]
    assert [(p.player, p.amount, p.reason) for p in outcome(step).payouts] == paid
    return [*paid]


def paid_in(step: Step, *reasons: str) -> list[tuple[str, int, str]]:
    """What was paid into the pot, all but the antes, or for these reasons only."""
    into = [(t.payer, t.amount, t.reason) for t in step.transfers if t.payee == POT]
    return [*(paid for paid in into if (paid[2] in reasons if reasons else paid[2] != "ante"))]


def balances(step: Step) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for t in step.transfers:
        sums[t.payer] -= t.amount
        sums[t.payee] += t.amount
    return {player: sums[player] for player in step.phase.ground.seats}


def told(step: Step) -> list[str]:
    """Give the explanation with its facts put in, lists and all."""
    return [plain(sentence) for sentence in BOOK.explain(over(step))]


def plain(fact: object) -> str:
    if isinstance(fact, Sentence):
        return re.sub(r"{(\w+)(:\w+)?}", lambda place: plain(fact.facts[place[1]]), fact.text)
    if isinstance(fact, tuple):
        return ", ".join(map(plain, fact))
    return str(fact)


def plains(count: int) -> str:
    return f"{count}*plain" if count else ""


# --- the seed's example ---------------------------------------------------------------------------------------------

SEED = """
field swords-1
deal cups-7 cups-6 swords-8 coins-4 swords-2 cups-10 (p2=1 p3=2) swords-3 cups-11 (p2=1 p4=2 p2=4) clubs-9 coins-10
deal swords-9 clubs-2
deal cups-9 coins-1 clubs-5 clubs-6 swords-7 clubs-1 coins-12 (p1=10) cups-5 coins-7 swords-12 (p4=10) coins-11 cups-4
"""


def test_the_seeds_example_comes_out() -> None:
    assert after(SEED).phase.pot == 386
    step = after(SEED + "trump cups-12")
    assert won(step) == ("p8", "cups-11", "p2")
    assert paid_out(step) == [("p8", 193, "pot_won"), ("p2", 193, "half_rights")]
    net = (-30, 169, -22, -30, -20, -30, -50, 153, -20, -60, -40, -20)
    assert balances(step) == {f"p{n}": chips for n, chips in enumerate(net, start=1)}
    assert (step.phase.pot, outcome(step).next_dealer) == (0, "p2")


# --- the table: SH-1 to SH-4 ----------------------------------------------------------------------------------------


def test_twelve_to_twenty_three_play_with_either_of_two_decks() -> None:
    assert list(BOOK.seats) == list(range(12, 24))
    assert BOOK.decks == ("mekurifuda", "western")


@pytest.mark.parametrize("courts", ["JQK", "QJK"])
@pytest.mark.parametrize("deck", BOOK.decks)
def test_each_pack_has_48_cards_and_understands_mekurifuda_codes(deck: DeckName, courts: Any) -> None:
    rules = Rules(western_courts=courts)
    found = set()
    for card in DECKS["mekurifuda"]:
        event = BOOK.written(sh.FieldCardRevealed(card), deck, rules)
        assert isinstance(event, sh.FieldCardRevealed)
        assert event.card.deck == deck
        assert sh.face(ground(deck=deck, western_courts=courts), event.card) == card.face()
        found.add(event.card)
    assert len(found) == 48 == len(pack_of_48(deck, courts).cards)


@pytest.mark.parametrize(
    ("deck", "card"),
    [("western", f"10{suit}") for suit in "CSHD"]
    + [("mekurifuda", "QH"), ("western", "pine-crane"), ("mekurifuda", "7")],
)
@pytest.mark.parametrize("event", ["field", "deal", "trump"])
def test_a_card_that_is_not_in_the_pack_is_refused(event: str, deck: DeckName, card: str) -> None:
    (reported,) = reports(f"{event} {'p1=' * (event == 'deal')}{card}", ground())
    if event == "deal":
        reported = sh.CardDealt("p1", read(card))
    with pytest.raises(Refused) as refused:
        BOOK.written(reported, deck, Rules())
    assert (refused.value.code, refused.value.rule) == ("foreign_card", "SH-1")
    assert (refused.value.facts["card"], refused.value.facts["deck"]) == (read(card), deck)
    why = "the tens are taken out" if card.startswith("10") else "the table plays with {deck:deck}"
    assert refused.value.facts["why"] == say(why, **({} if card.startswith("10") else {"deck": deck}))


@pytest.mark.parametrize("players", BOOK.seats)
@pytest.mark.parametrize("carried", [0, 386])
def test_everyone_antes_when_a_round_opens_also_on_a_carried_pot(players: int, carried: int) -> None:
    step = after("", players=players, carried=carried, ante=7)
    assert step.transfers == tuple(Transfer(f"p{n}", POT, 7, "ante") for n in range(1, players + 1))
    assert step.phase.pot == carried + 7 * players
    assert phase(step) == "field_due"


def test_a_table_may_play_without_antes() -> None:
    step = after("", ante=0, carried=9)
    assert (step.transfers, step.phase.pot) == ((), 9)


def test_more_chips_than_can_be_recorded_are_refused() -> None:
    too_many = {"amount": MAX_CHIPS + 1, "at_most": MAX_CHIPS}
    with pytest.raises(Refused) as refused:
        after("", ante=MAX_CHIPS + 1)
    assert facts(refused.value) == ("too_many_chips", None, too_many)
    assert facts(refusal(f"field swords-4; deal cups-12 (p2={MAX_CHIPS + 1}) plain")) == (
        "too_many_chips",
        None,
        too_many,
    )


@pytest.mark.parametrize("card", ["swords-4", "cups-12", "cups-1", "clubs-2"])
def test_the_field_card_is_nobodys_and_costs_nothing(card: str) -> None:
    opened, step = after(""), after(f"field {card}")
    assert (step.transfers, step.phase.pot) == (opened.transfers, opened.phase.pot)
    assert board(step) == Board(field_card=read(card))


@pytest.mark.parametrize("early", ["deal plain", "deal cups-12", "trump cups-9"])
def test_the_field_card_comes_first(early: str) -> None:
    assert facts(refusal(early)) == ("out_of_place", None, {"expected": ("field_card_revealed",)})


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("field swords-4", ("card_dealt",)),
        ("field swords-4; deal cups-12", ("bid_placed", "card_dealt", "auction_closed")),
        (f"field swords-4; deal cups-12 {REST}", ("trump_revealed",)),
    ],
)
def test_the_field_card_comes_once(text: str, instead: tuple[str, ...]) -> None:
    assert facts(refusal(f"{text}; field swords-5")) == ("out_of_place", None, {"expected": instead})


# --- dealing and paying: SH-5, SH-6 ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", BOOK.seats)
@pytest.mark.parametrize("dealer", ["first", "last"])
def test_cards_go_round_twice_from_the_dealer(players: int, dealer: str) -> None:
    seats = [f"p{n}" for n in range(1, players + 1)]
    dealing = seats[0] if dealer == "first" else seats[-1]
    turns = (seats if dealer == "first" else [seats[-1], *seats[:-1]]) * 2
    cards = [*(PLAIN[1:] + SHOWDOWN)[: 2 * players - 1], "coins-12"]
    for count, turn in enumerate(turns):
        step = after(f"field clubs-2; deal {' '.join(cards[:count])}", players=players, dealer=dealing)
        assert Expected(type="card_dealt", player=turn) in expected(step)
    step = after(f"field clubs-2; deal {' '.join(cards)}; closed", players=players, dealer=dealing)
    assert [held.player for held in board(step).dealt] == turns
    assert [held.deal for held in board(step).dealt] == [1] * players + [2] * players
    assert [str(held.card) for held in board(step).dealt] == cards
    assert phase(step) == "showdown"


def test_a_card_out_of_turn_is_refused_unless_the_table_overrules() -> None:
    refused = refusal("field swords-4; deal plain; deal p3=plain")
    assert isinstance(refused, OutOfTurn)
    assert facts(refused) == ("out_of_turn", "SH-5", {"expected": "p2", "player": "p3"})
    assert expected(after("field swords-4; deal plain; deal p3=plain !"))[0].player == "p4"


def test_who_was_passed_over_is_dealt_to_at_the_end_of_that_deal() -> None:
    skipped = "field swords-4; deal cups-12 plain; deal p4=plain !; deal 8*plain"
    assert expected(after(skipped))[0].player == "p3"
    assert expected(after(skipped + "; deal p3=plain"))[0].player == "p1"
    assert [held.deal for held in board(after(skipped + "; deal p3=plain p1=plain")).dealt] == [1] * 12 + [2]


def test_a_second_card_in_the_same_deal_takes_nobodys_turn() -> None:
    twice = "field swords-4; deal plain plain; deal p2=cups-12 !"
    step = after(twice)
    assert expected(step)[1] == Expected(type="card_dealt", player="p3")
    assert [(held.player, held.deal) for held in board(step).dealt] == [("p1", 1), ("p2", 1), ("p2", 1)]
    assert phase(after(twice + f"; deal p3=plain {plains(21)}")) == "showdown"


SHORT = f"field swords-4; deal cups-12 {plains(9)}"
"""A first deal in which two seats have not got a card."""


def test_a_deal_that_went_short_is_over_with_the_first_card_of_the_next() -> None:
    refused = refusal(f"{SHORT}; deal p1=plain")
    assert facts(refused) == ("out_of_turn", "SH-5", {"expected": "p11", "player": "p1"})
    step = after(f"{SHORT}; deal p1=swords-12 !")
    assert [(held.player, held.deal) for held in board(step).dealt[-2:]] == [("p10", 1), ("p1", 2)]
    assert expected(step)[1] == Expected(type="card_dealt", player="p2")
    assert paid_in(step) == [("p1", 30, "king_payment")] * 2
    whole = after(f"{SHORT}; deal p1=swords-12 !; deal p2=plain {plains(10)}")
    assert (phase(whole), len(board(whole).dealt)) == ("showdown", 22)


def test_a_second_deal_that_went_short_is_over_with_the_first_card_of_a_third() -> None:
    two = f"field swords-4; deal cups-12 {plains(11)}; deal {plains(10)}"
    step = after(f"{two}; deal p1=coins-12 !", third_deal="none_received")
    assert [(held.player, held.deal) for held in board(step).dealt[-2:]] == [("p10", 2), ("p1", 3)]
    refused = refusal(f"{two}; deal p1=coins-12 !; trump cups-9", third_deal="none_received")
    assert third_deal_facts(refused) == (
        "third_deal_is_running", "SH-9", "nobody received a showdown card in the second deal", "p2",
    )  # fmt: skip


def test_a_card_to_the_dealer_begins_no_deal_that_the_deck_is_too_small_for() -> None:
    step = after(f"field swords-4; deal cups-12 {plains(19)}; deal {plains(9)}; deal p1=plain !", players=20)
    assert (board(step).dealt[-1].player, board(step).dealt[-1].deal) == ("p1", 2)
    assert expected(step)[0].player == "p10"


@pytest.mark.parametrize(
    "text", [f"{SHORT}; deal p11=plain p12=plain {plains(7)}", SHORT, "field swords-4; deal cups-12"]
)
def test_a_deal_that_went_short_is_over_with_the_bottom_card(text: str) -> None:
    refused = refusal(f"{text}; trump cups-9")
    assert (refused.code, refused.rule) == ("deals_not_done", "SH-11")
    step = after(f"{text}; trump cups-9 !")
    assert won(step) == ("p1", "cups-12", None)
    assert paid_out(step) == [("p1", 12 * 20 + 30, "pot_won")]


def test_a_deal_that_went_short_is_forfeited_for_all_that_applies() -> None:
    step = after(f"field cups-4; deal {plains(10)}; trump cups-3 !")
    assert forfeited(step) == ["no_showdown_card", "low_bottom_card", "field_card_is_trump", "no_trump_held"]
    assert over(step).pot == 12 * 20


def test_the_standing_bid_is_paid_before_a_deal_that_went_short_is_over() -> None:
    step = after("field swords-4; deal plain cups-12 (p5=9); trump cups-9 !")
    assert won(step) == ("p2", "cups-12", "p5")
    assert paid_in(step) == [("p2", 30, "king_payment"), ("p5", 9, "winning_bid")]


# --- SH-1: with fewer than twelve, where the table says so ----------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 8, 10])
def test_fewer_are_dealt_to_as_twelve_are(players: int) -> None:
    """Two deals, a third if nobody received a showdown card in the second, and the round is forfeited as with 12."""
    second = f"field swords-4; deal cups-12 {plains(2 * players - 1)}"
    assert expected(after(second, players=players, third_deal="none_received")) == [
        Expected(type="card_dealt", player="p1")
    ]
    third = after(f"{second}; deal {plains(players)}; trump cups-9", players=players, third_deal="none_received")
    assert won(third) == ("p1", "cups-12", None)
    assert over(third).pot == 0
    assert paid_out(third) == [("p1", players * 20 + 30, "pot_won")]
    nobody = after(f"field swords-4; deal {plains(3 * players)}", players=players)
    assert forfeited(nobody) == ["no_showdown_card"]


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize("players", [2, 3, 10])
def test_nobody_is_dealt_a_fourth_card(players: int, overruled: str) -> None:
    """Few players leave cards for a fourth deal, and there is none, though the table says otherwise."""
    third = f"field swords-4; deal {plains(3 * players - 1)} clubs-1"
    refused = refusal(f"{third}; deal p1=plain{overruled}", players=players)
    assert facts(refused) == ("no_fourth_deal", "SH-9", {})
    assert not refused.overrulable


def test_a_third_deal_that_went_short_is_followed_by_no_other() -> None:
    """The dealer's next card is a second one of the third deal."""
    step = after(f"field swords-4; deal {plains(7)}; deal p1=plain !", players=3)
    assert [holding.deal for holding in board(step).dealt] == [1, 1, 1, 2, 2, 2, 3, 3]


@pytest.mark.parametrize("overruled", ["", " !"])
def test_who_does_not_sit_here_is_dealt_nothing(overruled: str) -> None:
    refused = refusal("field swords-4; deal p13=plain" + overruled)
    assert isinstance(refused, UnknownPlayer)
    assert facts(refused) == ("unknown_player", "SH-5", {"player": "p13", "players": ground().seats})


@pytest.mark.parametrize("deck", BOOK.decks)
@pytest.mark.parametrize("card", DECKS["mekurifuda"], ids=str)
def test_showdown_cards_are_paid_for_as_they_are_dealt_and_no_others(card: Card, deck: DeckName) -> None:
    face = card.face()
    assert face is not None
    prices = {"dragon": 3, "maid": 4, "horse": 5, "king": 6}
    field = "clubs-2" if face != Face(Suit.CLUBS, 2) else "clubs-3"
    step = after(f"field {field}; deal plain {card}", deck=deck, payments=Payments(**prices))
    called = RANKS.get(face.rank, "").lower()
    assert paid_in(step) == ([("p2", prices[called], f"{called}_payment")] if called else [])
    assert phase(step) == ("auction" if called else "dealing")
    assert step.phase.pot == 240 + prices.get(called, 0)
    assert board(step).dealt[-1].paid == prices.get(called, 0)


def test_what_the_cards_cost_where_nothing_else_was_agreed() -> None:
    step = after("field swords-4; deal cups-1 cups-10 cups-11 cups-12")
    assert paid_in(step) == [("p2", 10, "maid_payment"), ("p3", 20, "horse_payment"), ("p4", 30, "king_payment")]


def test_a_showdown_card_that_costs_nothing_is_put_up_all_the_same() -> None:
    step = after("field swords-4; deal cups-1")
    assert (phase(step), paid_in(step)) == ("auction", [])


def test_a_card_that_was_not_noted_costs_nothing_and_is_not_put_up() -> None:
    step = after("field swords-4; deal plain")
    assert (phase(step), paid_in(step), board(step).dealt) == ("dealing", [], (Holding("p1", "plain", 1),))


# --- auctions: SH-7, SH-8 -------------------------------------------------------------------------------------------

UP = "field swords-4; deal plain cups-12"
"""p2 owns the King of Cups, and half of it is for sale."""


@pytest.mark.parametrize("player", [f"p{n}" for n in range(1, 13) if n != 2])
def test_anyone_but_its_owner_may_bid_the_dealer_too(player: str) -> None:
    step = after(f"{UP} ({player}=1)")
    assert board(step).dealt[-1].bids == (Bid(player, 1),)


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize("before", ["", "; bid p3=1", "; bid p3=1; bid p4=2"])
def test_the_owner_does_not_bid(before: str, overruled: str) -> None:
    refused = refusal(f"{UP}{before}; bid p2=9{overruled}")
    assert facts(refused) == ("bid_on_own_card", "SH-7", {"player": "p2", "card": read("cups-12")})


@pytest.mark.parametrize("overruled", ["", " !"])
def test_who_does_not_sit_here_does_not_bid(overruled: str) -> None:
    refused = refusal(f"{UP}; bid p13=9{overruled}")
    assert facts(refused) == ("unknown_player", "SH-7", {"player": "p13", "players": ground().seats})


@pytest.mark.parametrize("least", [1, 2, 10])
def test_a_first_bid_is_the_least_bid_or_more(least: int) -> None:
    table = {"min_bid": least, "min_increment": 50}
    assert board(after(f"{UP} (p3={least})", **table)).dealt[-1].bids == (Bid("p3", least),)
    refused = refusal(f"{UP}; bid p3={least - 1}", **table)
    assert facts(refused) == ("bid_too_low", "SH-7", {"at_least": least})


@pytest.mark.parametrize("increment", [1, 2, 10])
def test_a_further_bid_beats_the_standing_one_by_the_increment(increment: int) -> None:
    table = {"min_bid": 3, "min_increment": increment}
    enough = 7 + increment
    assert board(after(f"{UP} (p3=7 p4={enough})", **table)).dealt[-1].bids == (Bid("p3", 7), Bid("p4", enough))
    refused = refusal(f"{UP} (p3=7); bid p4={enough - 1}", **table)
    assert facts(refused) == ("bid_too_low", "SH-7", {"at_least": enough})


def test_a_low_bid_is_taken_as_a_bid_of_that_amount_if_overruled() -> None:
    step = after(f"{UP} (p3=7); bid p4=9 !; closed", min_increment=5)
    assert paid_in(step, "winning_bid") == [("p4", 9, "winning_bid")]
    first = after(f"{UP}; bid p4=2 !; closed", min_bid=5)
    assert paid_in(first, "winning_bid") == [("p4", 2, "winning_bid")]


def test_nobody_raises_their_own_bid_unless_the_table_overrules() -> None:
    refused = refusal(f"{UP} (p3=7); bid p3=9")
    assert facts(refused) == ("raised_own_bid", "SH-7", {"player": "p3", "standing": 7})
    assert paid_in(after(f"{UP} (p3=7); bid p3=9 !; closed"), "winning_bid") == [("p3", 9, "winning_bid")]


def test_an_overruled_raise_of_ones_own_bid_may_be_too_low_as_well() -> None:
    assert refusal(f"{UP} (p3=7); bid p3=7").code == "raised_own_bid"
    step = after(f"{UP} (p3=7); bid p3=8 !; closed", min_increment=5)
    assert board(step).dealt[-1].bids == (Bid("p3", 7), Bid("p3", 8))
    assert paid_in(step, "winning_bid") == [("p3", 8, "winning_bid")]


@pytest.mark.parametrize(
    ("bids", "standing"),
    [
        ("bid p3=7; bid p4=5 !", ("p3", 7)),
        ("bid p3=7; bid p4=7 !", ("p3", 7)),
        ("bid p3=7; bid p4=5 !; bid p5=6 !", ("p3", 7)),
        ("bid p3=7; bid p3=4 !", ("p3", 7)),
        ("bid p3=7; bid p4=8 !", ("p4", 8)),
        ("bid p3=7; bid p4=5 !; bid p5=8 !; bid p4=8 !", ("p5", 8)),
        ("bid p3=1 !; bid p4=1 !", ("p3", 1)),
        ("bid p3=7; bid p4=5 !; bid p4=12", ("p4", 12)),
    ],
)
def test_an_overruled_low_bid_is_recorded_and_takes_nothing_from_a_higher_one(
    bids: str, standing: tuple[str, int]
) -> None:
    """SH-8. The highest bidder pays, and of equal bids the first stands."""
    table = {"min_bid": 3, "min_increment": 5}
    step = after(f"{UP}; {bids}", **table)
    (holder, price), told = standing, [(told.player, told.amount) for told in board(step).dealt[-1].bids]
    assert told == [(player, int(amount)) for player, amount in re.findall(r"(p\d+)=(\d+)", bids)]
    assert expected(step)[0] == Expected(type="bid_placed", amount_at_least=price + 5, not_players=("p2", holder))
    assert facts(refusal(f"{UP}; {bids}; bid {holder}=99", **table))[0::2] == (
        "raised_own_bid",
        {"player": holder, "standing": price},
    )
    assert facts(refusal(f"{UP}; {bids}; bid p9={price + 4}", **table))[0::2] == (
        "bid_too_low",
        {"at_least": price + 5},
    )
    sold = after(f"{UP}; {bids}; closed", **table)
    assert paid_in(sold, "winning_bid") == [(holder, price, "winning_bid")]
    assert (board(sold).dealt[-1].back_rider, board(sold).dealt[-1].winning_bid) == standing
    assert sold.phase.pot == 240 + 30 + price


def test_who_was_outbid_may_bid_again() -> None:
    step = after(f"{UP} (p3=1 p4=2 p3=3 p4=4 p3=5 closed)")
    assert board(step).dealt[-1].back_rider == "p3"
    assert paid_in(step, "winning_bid") == [("p3", 5, "winning_bid")]


@pytest.mark.parametrize("end", ["; closed", "; deal plain", "; deal cups-11"])
def test_the_auction_ends_when_closed_or_with_the_next_card(end: str) -> None:
    step = after(f"{UP} (p3=1 p4=6){end}")
    assert paid_in(step, "winning_bid") == [("p4", 6, "winning_bid")]
    card = board(step).dealt[1]
    assert card == Holding("p2", read("cups-12"), 1, 30, (Bid("p3", 1), Bid("p4", 6)), "p4")
    assert card.winning_bid == 6
    assert step.phase.pot == 240 + 30 + 6 + 20 * end.endswith("cups-11")


def test_the_auction_on_the_last_card_ends_with_the_trump() -> None:
    step = after(f"field swords-4; deal {REST} cups-11 (p5=7); trump cups-9")
    assert paid_in(step, "winning_bid") == [("p5", 7, "winning_bid")]
    assert won(step) == ("p12", "cups-11", "p5")


def test_the_auction_on_the_last_card_may_be_closed_first() -> None:
    last = f"field swords-4; deal {REST} cups-11 (p5=7)"
    assert phase(after(f"{last}; closed")) == "showdown"
    assert won(after(f"{last}; closed; trump cups-9")) == ("p12", "cups-11", "p5")


@pytest.mark.parametrize("end", ["; closed", "; deal plain"])
def test_without_a_bid_nobody_rides_and_nobody_pays(end: str) -> None:
    step = after(UP + end)
    card = board(step).dealt[1]
    assert (card.back_rider, card.bids, card.winning_bid) == (None, (), 0)
    assert paid_in(step) == [("p2", 30, "king_payment")]


def test_a_bid_moves_no_chips_before_the_auction_ends() -> None:
    assert paid_in(after(f"{UP} (p3=1 p4=6)")) == [("p2", 30, "king_payment")]


def test_a_player_may_ride_several_cards_and_own_some() -> None:
    step = after("field swords-4; deal cups-12 (p3=4) cups-11 (p3=5) cups-10 (p1=6) cups-1 (p3=7 closed)")
    assert [held.back_rider for held in board(step).dealt] == ["p3", "p3", "p1", "p3"]
    assert paid_in(step, "winning_bid") == [
        ("p3", 4, "winning_bid"),
        ("p3", 5, "winning_bid"),
        ("p1", 6, "winning_bid"),
        ("p3", 7, "winning_bid"),
    ]


@pytest.mark.parametrize("report", ["bid p3=5", "closed"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "field swords-4",
        "field swords-4; deal plain",
        f"{UP}; closed",
        f"{UP}; deal plain",
        f"field swords-4; deal cups-12 {REST}",
    ],
)
def test_without_an_auction_nobody_bids_and_nothing_is_closed(text: str, report: str) -> None:
    assert facts(refusal(f"{text}; {report}")) == ("no_auction_open", "SH-8", {})


# --- the third deal: SH-9 -------------------------------------------------------------------------------------------

BOTH = ("none_held", "none_received")


def two_deals(players: int, first: str = "", second: str = "") -> str:
    """Two deals in which each player of `first` and `second` gets a Dragon."""
    suits = iter(SUITS)
    cards = [
        f"{next(suits)}-1" if f"p{n}" in got.split() else "plain"
        for got in (first, second)
        for n in range(1, players + 1)
    ]
    return f"field swords-12; deal {' '.join(cards)}; "


@pytest.mark.parametrize(
    ("first", "second", "due"),
    [
        ("", "", {"none_held", "none_received"}),
        ("p1", "", {"none_received"}),
        ("p12", "", {"none_received"}),
        ("p1 p2 p3", "", {"none_received"}),
        ("", "p1", set()),
        ("", "p12", set()),
        ("p2", "p2", set()),
    ],
)
@pytest.mark.parametrize("players", [12, 13, 14, 15, 16])
@pytest.mark.parametrize("third_deal", BOTH)
def test_when_a_third_deal_is_due(third_deal: str, players: int, first: str, second: str, due: set[str]) -> None:
    table = {"players": players, "third_deal": third_deal, "dealer": "p1"}
    text = two_deals(players, first, second).rstrip("; ") + ("; closed" if second == f"p{players}" else "")
    step = after(text, **table)
    if players <= 15 and third_deal in due:
        assert (phase(step), expected(step)) == ("dealing", [Expected(type="card_dealt", player="p1")])
        assert expected(after(f"{text}; deal plain", **table)) == [Expected(type="card_dealt", player="p2")]
        assert board(after(f"{text}; deal plain", **table)).dealt[-1].deal == 3
    elif first or second:
        assert (phase(step), expected(step)) == ("showdown", [Expected(type="trump_revealed")])
    else:
        assert forfeited(step) == ["no_showdown_card"]


@pytest.mark.parametrize("players", [12, 13, 14, 15])
def test_the_third_deal_goes_round_once_from_the_dealer_and_is_the_last(players: int) -> None:
    text = two_deals(players, first="p5")
    table = {"players": players, "dealer": "p1", "third_deal": "none_received"}
    left = [card for card in SHOWDOWN if card not in {"clubs-1", "swords-12"}]
    done = after(f"{text}deal 3*plain {' '.join(left[: players - 3])}; closed", **table)
    assert phase(done) == "showdown"
    assert [held.player for held in board(done).dealt[-players:]] == [f"p{n}" for n in range(1, players + 1)]
    assert {held.deal for held in board(done).dealt[-players:]} == {3}


def test_a_showdown_card_of_the_third_deal_is_paid_for_put_up_and_wins() -> None:
    text = (
        two_deals(12).rstrip("; ") + "; deal 3*plain cups-11 (p2=8) coins-11 coins-12 clubs-11 3*plain clubs-1 coins-1"
    )
    for third_deal in BOTH:
        step = after(f"{text}; trump cups-9", third_deal=third_deal)
        assert won(step) == ("p4", "cups-11", "p2")
        assert ("p4", 20, "horse_payment") in paid_in(step)
        assert ("p2", 8, "winning_bid") in paid_in(step)


# Until a third deal is over, and where none is due, a refusal says why; a table may have played otherwise.

NOT_RECEIVED = f"field swords-12; deal cups-1 {REST}"
"""A third deal is due by default: the only showdown card came in the first deal."""
RECEIVED = f"field swords-12; deal {plains(14)} cups-1 {plains(9)}"
"""None is due, for p3 received one in the second deal."""
DEFAULT = {"third_deal": "none_received"}


def third_deal_facts(refused: Refused) -> tuple[str, str | None, str, object]:
    """The code, the row, why, and who is next."""
    assert refused.overrulable
    return refused.code, refused.rule, plain(refused.facts["why"]), refused.facts.get("expected")


@pytest.mark.parametrize("dealt", [0, 1, 8])
@pytest.mark.parametrize(
    ("third_deal", "text", "why"),
    [
        ("none_received", NOT_RECEIVED, "nobody received a showdown card in the second deal"),
        ("none_held", two_deals(12).rstrip("; "), "nobody held a showdown card after two deals"),
        ("none_received", f"{RECEIVED}; deal p1=plain !", "the table began it all the same"),
        ("none_held", f"{NOT_RECEIVED}; deal p1=plain !", "the table began it all the same"),
    ],
)
def test_the_trump_waits_for_the_third_deal_and_is_told_why_it_is_running(
    third_deal: str, text: str, why: str, dealt: int
) -> None:
    begun = text.count("!")
    some = f"; deal {plains(dealt - begun)}" if dealt > begun else ""
    refused = refusal(f"{text}{some}; trump cups-9", third_deal=third_deal)
    following = f"p{max(dealt, begun) + 1}"
    assert third_deal_facts(refused) == ("third_deal_is_running", "SH-9", why, following)


def test_a_card_in_the_third_deal_matters_no_more_to_why_it_is_running() -> None:
    refused = refusal(f"{two_deals(12)}deal cups-12; trump cups-9", third_deal="none_held")
    assert third_deal_facts(refused)[2:] == ("nobody held a showdown card after two deals", "p2")


def test_a_third_deal_that_the_table_left_out_or_broke_off_ends_with_the_trump() -> None:
    assert won(after(f"{NOT_RECEIVED}; trump cups-9 !", **DEFAULT)) == ("p1", "cups-1", None)
    broken_off = after(f"{NOT_RECEIVED}; deal plain cups-12 (p5=7); trump cups-9 !", **DEFAULT)
    assert won(broken_off) == ("p2", "cups-12", "p5")
    assert paid_in(broken_off) == [("p2", 30, "king_payment"), ("p5", 7, "winning_bid")]
    assert outcome(broken_off).next_dealer == "p2"


@pytest.mark.parametrize(
    ("bottom", "reasons"),
    [
        ("swords-2", ["no_showdown_card", "low_bottom_card", "field_card_is_trump", "no_trump_held"]),
        ("cups-3", ["no_showdown_card", "low_bottom_card", "no_trump_held"]),
        ("swords-9", ["no_showdown_card", "field_card_is_trump", "no_trump_held"]),
        ("cups-12", ["no_showdown_card", "no_trump_held"]),
    ],
)
@pytest.mark.parametrize("third_deal", BOTH)
def test_without_the_third_deal_every_reason_for_a_forfeit_is_told(
    bottom: str, reasons: list[str], third_deal: str
) -> None:
    step = after(f"{two_deals(12)}trump {bottom} !", third_deal=third_deal)
    assert forfeited(step) == reasons
    assert step.phase.pot == 240


@pytest.mark.parametrize("text", ["", "; deal plain"])
def test_an_overruled_trump_is_no_card_that_was_seen_before(text: str) -> None:
    assert refusal(f"{NOT_RECEIVED}{text}; trump cups-1 !", **DEFAULT).code == "card_already_seen"
    assert refusal(f"{NOT_RECEIVED}{text}; trump swords-12 !", **DEFAULT).code == "card_already_seen"


@pytest.mark.parametrize(
    "text", ["field swords-4", f"field swords-4; deal {plains(11)}", f"field swords-4; deal {REST}"]
)
def test_the_first_two_deals_are_not_cut_short_unasked(text: str) -> None:
    assert facts(refusal(f"{text}; trump cups-9"))[:2] == ("deals_not_done", "SH-11")


@pytest.mark.parametrize("end", ["", "; closed"])
@pytest.mark.parametrize(
    ("third_deal", "text", "why"),
    [
        ("none_received", RECEIVED, "p3 received cups-1 in the second deal"),
        ("none_received", f"field swords-12; deal {REST} cups-1", "p12 received cups-1 in the second deal"),
        ("none_received", f"field swords-12; deal coins-1 {plains(13)} cups-1 cups-12 {plains(8)}",
         "p3 received cups-1 in the second deal"),
        ("none_held", NOT_RECEIVED, "p1 holds cups-1"),
        ("none_held", RECEIVED, "p3 holds cups-1"),
    ],
)  # fmt: skip
def test_a_third_deal_that_is_not_due_is_refused_with_the_card_that_speaks_against_it(
    third_deal: str, text: str, why: str, end: str
) -> None:
    text += end if text.endswith("cups-1") else ""
    for report in ("deal p1=plain", "deal p1=coins-9", "deal p2=plain"):
        refused = refusal(f"{text}; {report}", third_deal=third_deal)
        assert third_deal_facts(refused) == ("no_third_deal", "SH-9", why, None)


@pytest.mark.parametrize("players", [12, 13, 14, 15])
def test_a_third_deal_that_was_not_due_goes_round_once_from_the_dealer(players: int) -> None:
    table: dict[str, Any] = {"players": players, "dealer": "p3", **DEFAULT}
    text = f"field swords-12; deal {plains(players)} cups-1 (p5=4) {plains(players - 1)}"
    begun = f"{text}; deal p3=coins-1 !"
    assert expected(after(begun, **table))[1] == Expected(type="card_dealt", player="p4")
    left = [card for card in SHOWDOWN if card not in {"cups-1", "swords-12", "coins-1"}]
    done = after(f"{begun}; deal plain {' '.join(left[: players - 2])}; closed", **table)
    assert phase(done) == "showdown"
    assert [held.player for held in board(done).dealt[-players:]] == [
        f"p{(n + 1) % players + 1}" for n in range(1, players + 1)
    ]
    assert {held.deal for held in board(done).dealt[-players:]} == {3}
    assert paid_in(done, "winning_bid") == [("p5", 4, "winning_bid")]


def test_an_overruled_third_deal_begins_with_whom_the_table_began() -> None:
    assert refusal(f"{RECEIVED}; deal p2=plain", **DEFAULT).code == "no_third_deal"
    assert expected(after(f"{RECEIVED}; deal p2=plain !", **DEFAULT))[0].player == "p3"
    inside = f"{RECEIVED}; deal p1=plain !; deal p3=plain"
    assert facts(refusal(inside, **DEFAULT)) == ("out_of_turn", "SH-5", {"expected": "p2", "player": "p3"})
    assert expected(after(f"{inside} !", **DEFAULT))[0].player == "p4"


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize("players", [16, 17, 22, 23])
@pytest.mark.parametrize("third_deal", BOTH)
def test_with_16_or_more_a_third_deal_is_impossible(third_deal: str, players: int, overruled: str) -> None:
    others = [card for card in SHOWDOWN if card not in {"swords-12", "cups-1"}][: max(0, 2 * players - 32)]
    text = f"field swords-12; deal cups-1 {plains(31)} {' '.join(others)}{'; closed' if others else ''}"
    refused = refusal(f"{text}; deal p1=plain{overruled}", players=players, third_deal=third_deal)
    assert facts(refused) == ("not_enough_cards", "SH-9", {"count": players, "deal": 3})
    assert not refused.overrulable


@pytest.mark.parametrize("overruled", ["", " !"])
def test_who_does_not_sit_here_is_dealt_no_third_card(overruled: str) -> None:
    refused = refusal(f"{RECEIVED}; deal p13=plain{overruled}", **DEFAULT)
    assert facts(refused) == ("unknown_player", "SH-5", {"player": "p13", "players": ground().seats})


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize("begun", [NOT_RECEIVED, f"{RECEIVED}; deal p1=coins-1 !"], ids=["due", "overruled"])
def test_there_is_no_fourth_deal(begun: str, overruled: str) -> None:
    third = "coins-10 coins-11 coins-12 swords-1" + (" clubs-1" if begun == NOT_RECEIVED else "")
    refused = refusal(f"{begun}; deal {third} {plains(7)}; deal p1=coins-9{overruled}", **DEFAULT)
    assert facts(refused) == ("not_enough_cards", "SH-9", {"count": 12, "deal": 4})


ALL_DEALT = f"field swords-12; deal {plains(22)}; deal p2=plain !; deal p23=clubs-1 cups-1 coins-1 swords-1 "
ALL_DEALT += " ".join(f"{suit}-{rank}" for suit, rank in product(("clubs", "cups", "coins"), (10, 11, 12))) + " "
ALL_DEALT += f"swords-10 swords-11 {plains(8)}"
"""46 cards before 23 players, of whom one still waits: only a table that dealt out of turn comes so far."""


@pytest.mark.parametrize("overruled", ["", " !"])
def test_the_last_card_of_the_deck_is_shown_and_not_dealt(overruled: str) -> None:
    step = after(ALL_DEALT, players=23)
    assert (len(board(step).dealt), expected(step)) == (46, [Expected(type="trump_revealed")])
    refused = refusal(f"{ALL_DEALT}; deal p23=plain{overruled}", players=23)
    assert facts(refused) == ("only_the_bottom_card_left", "SH-18", {})
    assert not refused.overrulable


# --- the showdown: SH-10 to SH-13 -----------------------------------------------------------------------------------


def sixteen(field: str) -> str:
    """All the plain cards dealt to 16 players, who hold no showdown card then."""
    return f"field {field}; deal 32*plain"


@pytest.mark.parametrize("third_deal", BOTH)
@pytest.mark.parametrize("field", SHOWDOWN)
def test_a_round_without_a_showdown_card_is_forfeited_at_once(field: str, third_deal: str) -> None:
    step = after(sixteen(field), players=16, third_deal=third_deal)
    assert forfeited(step) == ["no_showdown_card"]
    assert (board(step).bottom_card, board(step).trump) == (None, None)
    assert (step.phase.pot, outcome(step).next_dealer) == (320, "p2")


@pytest.mark.parametrize("named", [0, 1, 31, 32])
def test_it_is_forfeited_whether_the_plain_cards_were_named_or_not(named: int) -> None:
    step = after(f"field cups-12; deal {' '.join(PLAIN[:named])} {plains(32 - named)}", players=16)
    assert forfeited(step) == ["no_showdown_card"]


@pytest.mark.parametrize("text", ["field swords-4", "field swords-4; deal cups-12 22*plain"])
def test_the_trump_is_shown_when_the_deals_are_done(text: str) -> None:
    waiting = expected(after(text))[0].player if text.endswith("4") else "p12"
    assert facts(refusal(f"{text}; trump cups-9")) == ("deals_not_done", "SH-11", {"expected": waiting})


def test_the_trump_does_not_end_an_auction_before_the_last_card() -> None:
    assert facts(refusal(f"{UP} (p3=4); trump cups-9")) == ("deals_not_done", "SH-11", {"expected": "p3"})


OWN_SUITS = {"clubs": "clubs", "swords": "spades", "cups": "hearts", "coins": "diamonds"}
"""SH-17. What a western deck calls the suits."""


@pytest.mark.parametrize("deck", BOOK.decks)
@pytest.mark.parametrize("bottom", [f"{suit}-{rank}" for suit in SUITS for rank in range(4, 10)])
def test_the_bottom_cards_suit_is_trump(bottom: str, deck: DeckName) -> None:
    trump = bottom.partition("-")[0]
    field = next(suit for suit in SUITS if suit != trump) + "-5"
    others = " ".join(f"{suit}-12" for suit in SUITS if suit != trump)
    step = after(f"field {field}; deal {others} {trump}-1 20*plain; trump {bottom}", deck=deck)
    winner, _, _ = won(step)
    assert winner == "p4"
    assert board(step).trump == (OWN_SUITS[trump] if deck == "western" else Suit(trump))
    assert type(board(step).trump) is (WesternSuit if deck == "western" else Suit)
    assert board(step).bottom_card == pack_of_48(deck).native[read(bottom)]


WHY = ("low_bottom_card", "field_card_is_trump", "no_trump_held")


@pytest.mark.parametrize("trump", SUITS)
@pytest.mark.parametrize("reasons", [tuple(compress(WHY, pick)) for pick in product((0, 1), repeat=3)], ids=str)
@pytest.mark.parametrize("third_deal", BOTH)
def test_every_reason_for_a_forfeit_is_told_in_order(trump: str, reasons: tuple[str, ...], third_deal: str) -> None:
    """SH-12. Exhaustively: what can come together, with every suit and every bottom card."""
    other = SUITS[SUITS.index(trump) - 1]
    for bottom in (2, 3) if "low_bottom_card" in reasons else (1, 4, 5, 6, 7, 8, 9, 10, 11, 12):
        field = f"{trump if 'field_card_is_trump' in reasons else other}-{5 if bottom != 5 else 6}"
        card = f"{other}-12" if "no_trump_held" in reasons else f"{trump}-{12 if bottom != 12 else 11}"
        text = f"field {field}; deal plain {card} 10*plain {other}-11 11*plain; trump {trump}-{bottom}"
        step = after(text, third_deal=third_deal)
        assert (forfeited(step) == list(reasons)) if reasons else (won(step)[0] == "p2")
        assert (board(step).trump, str(board(step).bottom_card)) == (trump, f"{trump}-{bottom}")


@pytest.mark.parametrize("trump", SUITS)
def test_a_plain_card_of_the_trump_suit_is_no_showdown_card(trump: str) -> None:
    other = SUITS[SUITS.index(trump) - 1]
    held = " ".join(f"{trump}-{rank}" for rank in (2, 3, 4, 5, 6, 7, 8))
    step = after(f"field {other}-5; deal {other}-12 {held} 16*plain; trump {trump}-9")
    assert forfeited(step) == ["no_trump_held"]


@pytest.mark.parametrize("field", ["swords-4", "swords-1", "swords-12"])
def test_the_field_card_is_not_held(field: str) -> None:
    assert "no_trump_held" in forfeited(after(f"field {field}; deal cups-12 {REST}; trump swords-9"))


@pytest.mark.parametrize("trump", SUITS)
@pytest.mark.parametrize("held", SUBSETS, ids=str)
@pytest.mark.parametrize("order", [1, -1], ids=["weakest first", "strongest first"])
@pytest.mark.parametrize("ridden", ["none", "strongest", "others", "all"])
def test_the_strongest_showdown_card_of_the_trump_suit_wins(
    trump: str, held: tuple[int, ...], order: int, ridden: str
) -> None:
    """SH-13, SH-14. Exhaustively: every trump, every holding of that suit, ridden or not, stronger cards beside it."""
    other = SUITS[SUITS.index(trump) - 1]
    cards = [f"{trump}-{rank}" for rank in held[::order]]
    strongest = f"{trump}-{max(held)}"
    bids = {
        card: "(p11=5 p12=8)"
        for card in cards
        if ridden == "all" or (ridden == "strongest" if card == strongest else ridden == "others")
    }
    dealt = " ".join(f"{card} {bids.get(card, '')}" for card in cards)
    rest = plains(24 - 2 - len(cards))
    step = after(f"field {other}-5; deal {other}-12 (p9=3) {dealt} {other}-1 {rest}; trump {trump}-9")
    owner, rider = f"p{2 + cards.index(strongest)}", "p12" if strongest in bids else None
    assert won(step) == (owner, strongest, rider)
    pot = 240 + sum({1: 0, 10: 10, 11: 20, 12: 30}[rank] for rank in held) + 30 + 3 + 8 * len(bids)
    shares = {owner: pot} if rider is None else {owner: pot - pot // 2, rider: pot // 2}
    assert Counter(payee for payee, _, _ in paid_out(step)).keys() == shares.keys()
    assert {player: sum(n for payee, n, _ in paid_out(step) if payee == player) for player in shares} == shares
    assert step.phase.pot == 0


# --- the pot: SH-14 to SH-16 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd_chip", ["winner", "back_rider", "carry"])
@pytest.mark.parametrize("carried", [0, 1, 40])
def test_without_a_rider_the_owner_takes_the_whole_pot(odd_chip: str, carried: int) -> None:
    step = after(WON, odd_chip=odd_chip, carried=carried)
    assert paid_out(step) == [("p1", POT_OF_12 + carried, "pot_won")]
    assert step.phase.pot == 0


@pytest.mark.parametrize("odd_chip", ["winner", "back_rider", "carry"])
def test_a_rider_takes_half_of_an_even_pot(odd_chip: str) -> None:
    step = after(RIDDEN, odd_chip=odd_chip, carried=1)
    half = (POT_OF_12 + 7 + 1) // 2
    assert paid_out(step) == [("p1", half, "pot_won"), ("p5", half, "half_rights")]
    assert step.phase.pot == 0


@pytest.mark.parametrize(
    ("odd_chip", "keeper", "left"), [("winner", "p1", 0), ("back_rider", "p5", 0), ("carry", None, 1)]
)
def test_the_odd_chip_goes_where_the_table_agreed(odd_chip: str, keeper: str | None, left: int) -> None:
    step = after(RIDDEN, odd_chip=odd_chip)
    half = (POT_OF_12 + 7) // 2
    halves = [("p1", half, "pot_won"), ("p5", half, "half_rights")]
    assert paid_out(step) == halves + ([(keeper, 1, "odd_chip")] if keeper else [])
    assert step.phase.pot == left
    assert sum(balances(step).values()) == -left


@pytest.mark.parametrize(
    ("odd_chip", "keeper", "left"), [("winner", "p1", 0), ("back_rider", "p5", 0), ("carry", "", 1)]
)
def test_a_pot_of_one_chip_is_only_an_odd_chip(odd_chip: str, keeper: str, left: int) -> None:
    text = f"field swords-4; deal cups-1 (p5=1) {REST}; trump cups-9"
    step = after(text, ante=0, odd_chip=odd_chip)
    assert paid_out(step) == [(keeper, 1, "odd_chip")] * bool(keeper)
    assert step.phase.pot == left


def test_an_empty_pot_is_not_paid_out() -> None:
    step = after(f"field swords-4; deal cups-1 {REST}; trump cups-9", ante=0)
    assert (won(step), paid_out(step), step.transfers) == (("p1", "cups-1", None), [], ())


FORFEITS = {
    "no_showdown_card": (16, sixteen("cups-12")),
    "low_bottom_card": (12, f"field swords-4; deal cups-12 {REST}; trump cups-3"),
    "field_card_is_trump": (12, f"field cups-4; deal cups-12 {REST}; trump cups-9"),
    "no_trump_held": (12, f"field swords-4; deal cups-12 (p3=5) {REST}; trump coins-9"),
}


@pytest.mark.parametrize(("reason", "players", "text"), [(why, *how) for why, how in FORFEITS.items()])
@pytest.mark.parametrize("carried", [0, 386])
def test_a_forfeited_round_pays_nobody_and_the_pot_stays(reason: str, players: int, text: str, carried: int) -> None:
    step = after(text, players=players, carried=carried)
    assert forfeited(step) == [reason]
    assert step.phase.pot == carried + sum(t.amount for t in step.transfers) > carried
    assert sum(balances(step).values()) == carried - step.phase.pot


def test_a_carried_pot_is_played_for_too() -> None:
    left = after(FORFEITS["low_bottom_card"][1]).phase.pot
    assert left == 240 + 30
    assert balances(after(RIDDEN, carried=left)) == {
        **{f"p{n}": -20 for n in range(1, 13)},
        "p1": 269 - 40,
        "p5": 268 - 27,
    }


@pytest.mark.parametrize(("dealer", "right"), [("p1", "p2"), ("p11", "p12"), ("p12", "p1")])
@pytest.mark.parametrize("dealer_on_forfeit", ["rotate", "stay"])
def test_the_player_to_the_dealers_right_deals_next_and_after_a_forfeit_as_agreed(
    dealer_on_forfeit: str, dealer: str, right: str
) -> None:
    table = {"dealer": dealer, "dealer_on_forfeit": dealer_on_forfeit}
    assert outcome(after(WON, **table)).next_dealer == right
    assert outcome(after(RIDDEN, **table)).next_dealer == right
    for players, text in FORFEITS.values():
        if players == 12 or dealer != "p12":
            ended = outcome(after(text, players=players, **table))
            assert ended.next_dealer == (dealer if dealer_on_forfeit == "stay" else right)


# --- western cards: SH-17 -------------------------------------------------------------------------------------------

WESTERN = {"C": "clubs", "S": "swords", "H": "cups", "D": "coins"}


@pytest.mark.parametrize("courts", ["JQK", "QJK"])
@pytest.mark.parametrize("letter", WESTERN)
def test_western_cards_stand_in_for_mekurifuda(letter: str, courts: str) -> None:
    table = ground(deck="western", western_courts=courts)
    ranks = {"A": 1, **{str(n): n for n in range(2, 10)}, courts[0]: 10, courts[1]: 11, "K": 12}
    for written, rank in ranks.items():
        assert sh.face(table, read(written + letter)) == Face(Suit(WESTERN[letter]), rank)


@pytest.mark.parametrize(("courts", "maid", "horse"), [("JQK", "J", "Q"), ("QJK", "Q", "J")])
@pytest.mark.parametrize("letter", WESTERN)
def test_the_courts_pay_and_win_in_the_order_agreed(letter: str, courts: str, maid: str, horse: str) -> None:
    other = "S" if letter != "S" else "C"
    table = {"deck": "western", "western_courts": courts}
    dealt = f"field 5{other}; deal {maid}{letter} {horse}{letter}"
    step = after(f"{dealt} 22*plain; trump 9{letter}", **table)
    assert paid_in(step) == [("p1", 10, "maid_payment"), ("p2", 20, "horse_payment")]
    assert won(step) == ("p2", f"{horse}{letter}", None)
    with_all = after(f"{dealt} K{letter} A{letter} 20*plain; trump 9{letter}", **table)
    assert won(with_all) == ("p3", f"K{letter}", None)
    assert won(after(f"field 5{other}; deal A{letter} {REST}; trump 9{letter}", **table))[0] == "p1"
    low = after(f"{dealt} 22*plain; trump 2{letter}", **table)
    assert forfeited(low) == ["low_bottom_card"]


def test_a_mekurifuda_code_is_written_as_the_western_card() -> None:
    step = after(f"field swords-4; deal cups-11 (p5=7) {REST}; trump cups-9", deck="western", western_courts="QJK")
    assert won(step) == ("p1", "JH", "p5")
    assert (str(board(step).field_card), str(board(step).bottom_card)) == ("4S", "9H")


def test_a_card_that_was_not_noted_has_no_face() -> None:
    with pytest.raises(ValueError, match="not noted"):
        sh.face(ground(), "plain")


# --- every card once: SH-18 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize(
    ("text", "card", "where"),
    [
        ("field cups-12; deal cups-12", "cups-12", "it is the field card"),
        ("field cups-7; deal plain cups-7", "cups-7", "it is the field card"),
        ("field swords-4; deal cups-12 plain cups-12", "cups-12", "it was dealt to p1"),
        ("field swords-4; deal plain cups-7 cups-7", "cups-7", "it was dealt to p2"),
        ("field swords-4; deal cups-7 12*plain cups-7", "cups-7", "it was dealt to p1"),
        (f"field swords-4; deal cups-12 {REST}; trump swords-4", "swords-4", "it is the field card"),
        (f"field swords-4; deal cups-12 {REST}; trump cups-12", "cups-12", "it was dealt to p1"),
        (
            "field swords-4; deal cups-12 11*plain cups-11 10*plain coins-7; trump coins-7",
            "coins-7",
            "it was dealt to p12",
        ),
    ],
)
def test_no_card_is_seen_twice_even_if_overruled(text: str, card: str, where: str, overruled: str) -> None:
    refused = refusal(text + overruled)
    assert isinstance(refused, CardAlreadySeen)
    assert (refused.rule, refused.facts["card"], plain(refused.facts["where"])) == ("SH-18", read(card), where)


def test_the_card_up_for_auction_is_seen_too() -> None:
    assert plain(refusal(f"{UP} (p3=5); deal cups-12").facts["where"]) == "it was dealt to p2"
    last = f"field swords-4; deal {REST} cups-12 (p3=5); trump cups-12"
    assert plain(refusal(last).facts["where"]) == "it was dealt to p12"


def test_the_same_card_of_another_deck_is_the_same_card() -> None:
    assert refusal("field 4S; deal swords-4", deck="western").facts["card"] == read("4S")


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize("last", ["plain", "coins-9"])
def test_only_32_cards_are_plain_even_if_overruled(last: str, overruled: str) -> None:
    refused = refusal(f"field cups-12; deal 32*plain; deal {last}{overruled}", players=23)
    assert facts(refused) == ("no_plain_card_left", "SH-18", {"count": 32})
    assert phase(after("field cups-12; deal 32*plain coins-12", players=23)) == "auction"


def test_a_plain_field_card_is_one_of_the_32() -> None:
    assert facts(refusal("field swords-4; deal 31*plain plain", players=23))[0] == "no_plain_card_left"
    assert phase(after("field swords-12; deal 31*plain plain", players=23)) == "dealing"


@pytest.mark.parametrize("named", [0, 1, 16, 31])
def test_plain_cards_count_whether_they_were_named_or_not(named: int) -> None:
    text = f"field {PLAIN[-1]}; deal {' '.join(PLAIN[:named])} {plains(31 - named)}"
    assert refusal(f"{text}; deal plain", players=23).code == "no_plain_card_left"


def test_the_bottom_card_may_be_plain_only_while_one_is_left() -> None:
    others = " ".join(card for card in SHOWDOWN if card not in {"cups-12", "coins-12"})
    assert won(after(f"field cups-12; deal {others} coins-12 31*plain; trump coins-9", players=23))[1] == "coins-12"
    none_left = f"field cups-12; deal {others} 32*plain"
    assert facts(refusal(f"{none_left}; trump coins-9", players=23)) == ("no_plain_card_left", "SH-18", {"count": 32})
    assert won(after(f"{none_left}; trump coins-12", players=23))[1] == "coins-11"


# --- what may be reported next, and what lies on the table ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "table", "wanted"),
    [
        ("", {}, [Expected(type="field_card_revealed")]),
        ("field swords-4", {"dealer": "p7"}, [Expected(type="card_dealt", player="p7")]),
        (
            UP,
            {"min_bid": 5},
            [
                Expected(type="bid_placed", amount_at_least=5, not_players=("p2",)),
                Expected(type="card_dealt", player="p3"),
                Expected(type="auction_closed"),
            ],
        ),
        (
            f"{UP} (p4=6 p5=9)",
            {"min_bid": 5, "min_increment": 3},
            [
                Expected(type="bid_placed", amount_at_least=12, not_players=("p2", "p5")),
                Expected(type="card_dealt", player="p3"),
                Expected(type="auction_closed"),
            ],
        ),
        (f"{UP} (p4=6 closed)", {}, [Expected(type="card_dealt", player="p3")]),
        (
            f"field swords-4; deal {REST} cups-11",
            {},
            [
                Expected(type="bid_placed", amount_at_least=1, not_players=("p12",)),
                Expected(type="trump_revealed"),
                Expected(type="auction_closed"),
            ],
        ),
        (
            "field swords-4; deal 11*plain cups-11",
            {},
            [
                Expected(type="bid_placed", amount_at_least=1, not_players=("p12",)),
                Expected(type="card_dealt", player="p1"),
                Expected(type="auction_closed"),
            ],
        ),
        (f"field swords-4; deal cups-12 {REST}", {}, [Expected(type="trump_revealed")]),
        (WON, {}, []),
    ],
)
def test_what_is_expected_next(text: str, table: dict[str, Any], wanted: list[Expected]) -> None:
    assert expected(after(text, **table)) == wanted


@pytest.mark.parametrize(
    ("players", "text"), [(12, WON), (12, RIDDEN), (16, sixteen("cups-12")), (12, FORFEITS["low_bottom_card"][1])]
)
def test_nothing_can_be_reported_when_the_round_is_over(players: int, text: str) -> None:
    end = after(text, players=players).phase
    assert BOOK.expected(end) == ()
    for late in reports("field cups-8; deal plain; bid p3=5; closed; trump cups-8", ground()):
        with pytest.raises(OutOfPlace) as refused:
            BOOK.play(end, late)
        assert refused.value.facts["expected"] == ()


def test_the_board_shows_what_all_can_see() -> None:
    assert board(after("")) == Board()
    king = Holding("p2", read("cups-12"), 1, 30)
    assert board(after(UP)) == Board(read("swords-4"), (Holding("p1", "plain", 1), king))
    running = board(after(f"{UP} (p3=5 p4=6)"))
    assert running.dealt[-1] == replace(king, bids=(Bid("p3", 5), Bid("p4", 6)))
    closed = board(after(f"{UP} (p3=5 p4=6 closed)"))
    assert closed.dealt[-1] == replace(king, bids=(Bid("p3", 5), Bid("p4", 6)), back_rider="p4")


def test_the_board_stays_as_it_was_when_the_round_ended() -> None:
    last = board(after(RIDDEN))
    assert (last.field_card, last.bottom_card, last.trump) == (read("swords-4"), read("cups-9"), Suit.CUPS)
    assert last.dealt[0] == Holding("p1", read("cups-11"), 1, 20, (Bid("p5", 7),), "p5")
    assert len(last.dealt) == 24


# --- explanations ---------------------------------------------------------------------------------------------------


def test_a_win_without_a_rider_is_explained() -> None:
    assert told(after(WON)) == [
        "The pot held 260: 240 in 12 antes of 20, 20 in card payments.",
        "The bottom card was cups-9, so trump was cups.",
        "p1 won with cups-11, the strongest showdown card of the trump suit.",
        "Nobody had bought half the rights to that card, so p1 took the whole pot: 260.",
        "p2 deals the next round.",
    ]


@pytest.mark.parametrize(
    ("table", "odd"),
    [
        ({}, ["The odd chip went to p1."]),
        ({"odd_chip": "back_rider"}, ["The odd chip went to p5."]),
        ({"odd_chip": "carry"}, ["The odd chip stayed in the pot for the next round."]),
        ({"carried": 1}, []),
    ],
)
def test_a_win_with_a_rider_and_the_odd_chip_are_explained(table: Mapping[str, Any], odd: list[str]) -> None:
    carried = "1 carried over, " if table.get("carried") else ""
    parts = f"{carried}240 in 12 antes of 20, 20 in card payments, 7 in winning bids"
    assert told(after(RIDDEN, dealer="p1", **table)) == [
        f"The pot held {268 if carried else 267}: {parts}.",
        "The bottom card was cups-9, so trump was cups.",
        "p1 won with cups-11, the strongest showdown card of the trump suit.",
        f"p5 had bought half the rights to that card for 7, so p1 and p5 took {134 if carried else 133} each.",
        *odd,
        "p2 deals the next round.",
    ]


def test_an_empty_pot_is_explained_without_counting_its_chips() -> None:
    pot, _, _, won, _ = told(after(f"field swords-4; deal cups-1 {REST}; trump cups-9", ante=0))
    assert (pot, won) == ("The pot was empty.", "There was nothing in the pot to be won.")
    pot, _, _, nobody, _ = told(after(f"field swords-4; deal cups-1 {REST}; trump cups-3", ante=0))
    assert (pot, nobody) == ("The pot was empty.", "Nobody was paid.")


def test_a_pot_of_one_chip_is_not_halved_in_words() -> None:
    _, _, _, *ride, _ = told(after(f"field swords-4; deal cups-1; bid p5=1; deal {REST}; trump cups-9", ante=0))
    assert ride == ["p5 had bought half the rights to that card for 1.", "The odd chip went to p1."]


LOW = "the bottom card was a 2 or a 3"
FIELD = "the card on the field was of the trump suit"
NONE = "nobody held a showdown card of the trump suit"


@pytest.mark.parametrize(
    ("field", "bottom", "reasons"),
    [
        ("swords-4", "cups-3", [LOW]),
        ("cups-4", "cups-9", [FIELD]),
        ("swords-4", "coins-9", [NONE]),
        ("coins-9", "coins-3", [LOW, FIELD, NONE]),
    ],
)
def test_a_forfeit_is_explained_with_every_reason(field: str, bottom: str, reasons: list[str]) -> None:
    text = f"field {field}; deal cups-12 {REST}; trump {bottom}"
    assert told(after(text, carried=5, dealer_on_forfeit="stay")) == [
        "The pot held 275: 5 carried over, 240 in 12 antes of 20, 30 in card payments.",
        f"The bottom card was {bottom}, so trump was {bottom.partition('-')[0]}.",
        f"The round was forfeited: {', '.join(reasons)}.",
        "Nobody was paid; 275 stayed in the pot for the next round.",
        "p1 deals the next round.",
    ]


def test_a_forfeit_without_a_trump_is_explained() -> None:
    assert told(after(sixteen("cups-12"), players=16)) == [
        "The pot held 320: 320 in 16 antes of 20.",
        "The round was forfeited: nobody held a showdown card after the last deal.",
        "Nobody was paid; 320 stayed in the pot for the next round.",
        "p2 deals the next round.",
    ]


def refusals_of(deck: DeckName) -> list[Refused]:
    """One of each kind that the rule book has of its own."""
    return [
        refusal("closed", deck=deck),
        refusal(f"{UP}; bid p2=9", deck=deck),
        refusal(f"{UP}; bid p3=1", min_bid=2, deck=deck),
        refusal(f"{UP} (p3=1); bid p3=2", deck=deck),
        refusal("field swords-4; trump cups-9", deck=deck),
        refusal(f"{NOT_RECEIVED}; trump cups-9", **DEFAULT, deck=deck),
        refusal(f"{RECEIVED}; deal p1=plain", **DEFAULT, deck=deck),
        refusal(f"field swords-12; deal cups-1 {plains(31)}; deal p1=coins-9", players=16, deck=deck),
        refusal(f"field swords-4; deal clubs-1 {plains(8)}; deal p1=plain", players=3, **DEFAULT, deck=deck),
        refusal(f"{ALL_DEALT}; deal plain", players=23, deck=deck),
        refusal("field swords-4; deal 32*plain", players=23, deck=deck),
    ]


WORDS = {
    "mekurifuda": "Swords Cups Coins Dragon Maid Horse ハウ イス コップ オール ピン 馬",
    "western": "Spades Hearts Diamonds Ace Jack Queen スペード ハート ダイヤ クラブ ♠ ♥ ♦ ♣",
}
"""What only one of the decks is spoken of with. Clubs and Kings are in both; a rider is called a horse in Japanese."""


@pytest.mark.parametrize("deck", BOOK.decks)
def test_whatever_is_said_is_said_in_the_words_of_the_deck_on_the_table(deck: DeckName) -> None:
    """SH-17. Every refusal, every explanation, every reason and label, in both languages."""
    texts = [WON, RIDDEN, *(f"field {suit}-5; deal cups-11 {REST}; trump {suit}-3" for suit in SUITS)]
    texts += [
        f"field {other}-4; deal {suit}-1 {suit}-10 {suit}-11 {suit}-12 20*plain; trump {suit}-9"
        for suit, other in zip(SUITS, reversed(SUITS), strict=True)
    ]
    said = [sentence for text in texts for sentence in BOOK.explain(over(after(text, deck=deck)))]
    said += [refused.sentence for refused in refusals_of(deck)]
    said += [
        *BOOK.reasons.values(),
        *BOOK.forfeits.values(),
        *(kind.label for kind in BOOK.events),
        *(kind.label for kind in BOOK.phases),
    ]
    (foreign,) = (words.split() for other, words in WORDS.items() if other != deck)
    for language in ("en", "ja"):
        rendered = [render(sentence, language, {}).replace("尻馬", "") for sentence in said]
        assert not [text for text in rendered if any(word in text for word in foreign)]
        own = [word for word in WORDS[deck].split() if word.isascii() == (language == "en") and word not in "♠♥♦♣"]
        assert sum(any(word in text for text in rendered) for word in own) >= 4, "the cards and suits are spoken of"


# --- any round at all -----------------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 2**32),
    players=st.sampled_from(BOOK.seats),
    deck=st.sampled_from(BOOK.decks),
    carried=st.integers(0, 99),
    rules=st.fixed_dictionaries(
        {
            "third_deal": st.sampled_from(BOTH),
            "odd_chip": st.sampled_from(["winner", "back_rider", "carry"]),
            "ante": st.integers(0, 30),
        }
    ),
)
def test_whatever_is_played_the_chips_and_the_cards_add_up(
    seed: int, players: int, deck: DeckName, carried: int, rules: dict[str, Any]
) -> None:
    chance = random.Random(seed)
    laid = ground(players=players, deck=deck, carried=carried, **rules)
    pack = list(pack_of_48(deck).cards)
    chance.shuffle(pack)
    stands = BOOK.open_round(laid)
    moved = stands.transfers
    while not isinstance(stands.phase, Over):
        event = somehow(chance, chance.choice(BOOK.expected(stands.phase)), laid, pack)
        stands = BOOK.play(stands.phase, event)
        moved += stands.transfers
        assert sum(balances(Step(stands.phase, moved)).values()) + stands.phase.pot == carried
    seen = [card for held in board(stands).dealt if isinstance(card := held.card, Card)]
    assert len(seen) == len(set(seen))
    assert len(board(stands).dealt) in {2 * players, 3 * players if players <= 15 else 0}
    if outcome(stands).result == "forfeited":
        assert stands.phase.pot == carried + sum(t.amount for t in moved)


def somehow(chance: random.Random, may: Expected, laid: Ground[Rules], pack: list[Card]) -> Event:
    """Make up an event of which only what is expected is known."""
    if may.type == "bid_placed":
        assert may.not_players is not None
        assert may.amount_at_least is not None
        bidders = laid.seats.without(may.not_players)
        return sh.BidPlaced(chance.choice(bidders), may.amount_at_least + chance.choice([0, 0, 1, 7]))
    if may.type == "auction_closed":
        return sh.AuctionClosed()
    card = pack.pop()
    if may.type == "card_dealt":
        assert may.player is not None
        noted = sh.showdown_rank(laid, card) or chance.random() < 0.5
        return sh.CardDealt(may.player, card if noted else "plain")
    return (sh.FieldCardRevealed if may.type == "field_card_revealed" else sh.TrumpRevealed)(card)
