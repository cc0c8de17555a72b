"""The session's own rules, one by one: `take` on a table, with no app, no database and no log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.cards import read
from ledger.games.kakkuri import StarterRevealed, ThreeOnesShown, TurnPlayed
from ledger.games.shippin import BOOK, BetPlaced, CardsDrawnForSeats, Draw
from ledger.games.shirinma import BidPlaced, CardDealt, FieldCardRevealed, TrumpRevealed
from ledger.language import render
from ledger.play import (
    BANK,
    MOST_CHIPS,
    POT,
    RESULTS,
    CardExposed,
    Event,
    Over,
    Payout,
    Refused,
    Seats,
    TooManyChips,
    payouts,
)
from ledger.records import replace
from ledger.sentences import Malformed
from ledger.session import (
    EVENTS,
    BalancesBrought,
    Brought,
    ChipValue,
    Correction,
    CorrectionsMade,
    EventTakenBack,
    IdIsTaken,
    NeverAtTheTable,
    OddsSwitched,
    PlayerErased,
    PlayerJoined,
    PlayerLeft,
    PotBrought,
    PotIsWaiting,
    PotTooLarge,
    Round,
    RoundIsOpen,
    SessionClosed,
    SessionDescribed,
    SessionIsClosed,
    SettlementPaid,
    Table,
    TotalsDoNotMatch,
    apply,
    need_choice,
)
from ledger.session.events import SessionReopened, Share
from ledger.session.refusals import (
    AlreadyAtTheTable,
    DrawNotFinished,
    NoRoundOpen,
    NoSuchSeat,
    NotAtTheTable,
    NotThisGame,
    RoundIsOver,
    RoundsWerePlayed,
    SameAccount,
    SeatsDoNotMatch,
    SessionIsOpen,
    TooFewPlayers,
    TooManyPlayers,
)
from ledger.session.rounds import explain
from ledger.session.table import Entered, Player
from tests.session.tables import (
    CLOSE,
    OPEN,
    REOPEN,
    TOTAL_LOSS,
    VOID,
    after,
    back,
    chips,
    entered,
    insert,
    kakkuri_guri,
    kakkuri_three_ones,
    moves,
    named,
    newcomer,
    overruled,
    renamed,
    ruled,
    seated,
    shippin_round,
    shirinma_round,
    table,
    take_back,
    taken,
    with_players_gone,
)

FIVE = Seats(("p1", "p2", "p3", "p4", "p5"))


def done(at: Table) -> Round:
    assert at.round is not None
    return at.round


def ended(at: Table) -> Over:
    over = done(at).phase
    assert isinstance(over, Over)
    return over


def told(at: Table) -> list[str]:
    """The explanation of the newest round, in English."""
    return [render(sentence, "en", {player.id: player.name for player in at.players}) for sentence in explain(done(at))]


def drawn(text: str) -> CardsDrawnForSeats:
    """`p1:3 p2:7`."""
    draws = (draw.split(":") for draw in text.split())
    return CardsDrawnForSeats(tuple(Draw(player, read(card)) for player, card in draws))


def while_drawing() -> Table:
    """A draw for seats that is not finished: p1 and p2 tie."""
    at = after(table(), drawn("p1:3 p2:3 p3:5 p4:6 p5:7"))
    assert at.seating.drawing
    return at


def refusal(at: Table, *events: Event) -> Refused:
    """The refusal of the last event."""
    *first, last = events
    at = after(at, *first)
    with pytest.raises(Refused) as refused:
        apply(at, last, 1)
    return refused.value


# --- opening --------------------------------------------------------------------------------------------------------


def test_people_sit_in_the_order_they_were_named() -> None:
    at = table(seats=3)
    assert at.players == (Player("p1", "Aki"), Player("p2", "Ben"), Player("p3", "Chie"))
    assert at.seating.seats == ("p1", "p2", "p3")


def test_the_first_dealer_is_the_one_in_the_seat_that_was_named() -> None:
    assert table(dealer=4).seating.dealer == "p4"


# --- rounds ---------------------------------------------------------------------------------------------------------


def test_a_round_is_played_on_the_table_as_it_stands() -> None:
    at = table(dealer=2, carried=7)
    ground = done(after(at, OPEN)).ground
    assert (ground.seats, ground.dealer, ground.deck, ground.rules) == (FIVE, "p2", at.deck, at.rules)
    assert ground.carried == 7


def test_rounds_are_numbered_from_one() -> None:
    at = table()
    assert at.rounds == 0
    assert done(after(at, OPEN)).number == 1
    assert done(after(at, OPEN, VOID, *shippin_round())).number == 2


def test_opening_a_round_takes_the_antes() -> None:
    opened = taken(table("shirinma"), OPEN)
    assert opened.transfers == tuple(move for n in range(1, 13) for move in moves(f"p{n}>pot:20", "ante"))
    assert opened.table.pot == 240


@pytest.mark.parametrize(
    ("game", "rule", "least", "most"),
    [("shirinma", "SH-1", 12, 23), ("shippin", "SP-1", 2, 5), ("kakkuri", "KA-1", 7, 8)],
)
def test_a_round_needs_as_many_players_as_the_game_takes(game: str, rule: str, least: int, most: int) -> None:
    for count in (least, most):
        assert after(table(game, seats=count), OPEN).open_round
    few = refusal(table(game, seats=least - 1), OPEN)
    assert (type(few), few.rule) == (TooFewPlayers, rule)
    assert (few.facts["at_least"], few.facts["count"]) == (least, least - 1)
    many = refusal(table(game, seats=most + 1), OPEN)
    assert (type(many), many.rule) == (TooManyPlayers, rule)
    assert (many.facts["at_most"], many.facts["count"]) == (most, most + 1)


def test_only_who_sits_here_counts_as_a_player_of_a_round() -> None:
    assert isinstance(refusal(with_players_gone(table(seats=2), "p2"), OPEN), TooFewPlayers)


def test_one_round_is_played_at_a_time() -> None:
    refused = refusal(table(), OPEN, OPEN)
    assert (type(refused), refused.facts) == (RoundIsOpen, {"round": 1})


def test_what_belongs_to_a_round_needs_an_open_one() -> None:
    assert isinstance(refusal(table(), BetPlaced("p2", 1)), NoRoundOpen)


FORFEITED_BY_ITSELF: list[Event] = [
    OPEN,
    FieldCardRevealed(read("cups-12")),
    *(CardDealt(f"p{n % 16 + 1}", "plain") for n in range(32)),
]


@pytest.mark.parametrize(
    ("seats", "events", "late", "rule", "result"),
    [
        (5, shippin_round(), BetPlaced("p2", 1), None, ("settled", "決着")),
        (5, [OPEN, VOID], BetPlaced("p2", 1), None, ("void", "無効")),
        (5, [OPEN, VOID], VOID, None, ("void", "無効")),
        (7, kakkuri_guri(), TurnPlayed("p2", count=1), None, ("Aki won it", "Akiの勝ち")),
        (12, shirinma_round(), TrumpRevealed(read("cups-6")), None, ("Aki won it", "Akiの勝ち")),
        (16, FORFEITED_BY_ITSELF, TrumpRevealed(read("cups-6")), "SH-10",
         ("forfeited: nobody held a showdown card after the last deal", "流れた局：配り終えても役札を持つ人なし")),
        (16, FORFEITED_BY_ITSELF, CardDealt("p1", read("cups-10")), "SH-10",
         ("forfeited: nobody held a showdown card after the last deal", "流れた局：配り終えても役札を持つ人なし")),
    ],
)  # fmt: skip
def test_who_reports_something_of_a_round_that_is_over_is_told_how_it_ended(
    seats: int, events: list[Event], late: Event, rule: str | None, result: tuple[str, str]
) -> None:
    game = {5: "shippin", 7: "kakkuri"}.get(seats, "shirinma")
    refused = refusal(table(game, seats=seats), *events, late)
    assert (type(refused), refused.rule, refused.facts["round"]) == (RoundIsOver, rule, 1)
    assert refused.facts["result"] in RESULTS
    english, japanese = (render(refused.sentence, language, {"p1": "Aki"}) for language in ("en", "ja"))
    assert english == f"Round 1 is over ({result[0]}); open the next one first."
    assert japanese == f"第1局は終わっています（{result[1]}）。先に次の局を始めてください。"


def test_an_event_of_another_game_names_those_of_this_one() -> None:
    refused = refusal(table(), OPEN, ThreeOnesShown("p1"))
    assert isinstance(refused, NotThisGame)
    assert (refused.facts["type"], refused.facts["game"]) == ("three_ones_shown", BOOK.title)
    expected: Any = refused.facts["expected"]
    assert {"bet_placed", "cards_drawn_for_seats", "round_opened"} <= set(expected)
    assert "card_dealt" not in expected


def test_cards_are_kept_as_the_sessions_deck_writes_them() -> None:
    at = after(table("shirinma", deck="western"), OPEN)
    assert taken(at, FieldCardRevealed(read("cups-12"))).event == FieldCardRevealed(read("KH"))


def test_who_deals_next_is_said_by_the_round_that_ended() -> None:
    assert after(table(), *shippin_round()).seating.dealer == "p1"
    assert after(table(), *shippin_round("p2:1", **TOTAL_LOSS)).seating.dealer == "p2"


def test_a_pot_that_nobody_won_lies_in_the_next_round() -> None:
    forfeited = after(table("shirinma"), *shirinma_round("coins-5"))
    assert (ended(forfeited).outcome.result, forfeited.pot) == ("forfeited", 270)
    opened = after(forfeited, OPEN)
    assert (done(opened).ground.carried, opened.pot) == (270, 510)


def test_the_pot_holds_at_most_10_to_the_9_chips() -> None:
    carried = MOST_CHIPS - 240
    assert after(table("shirinma", carried=carried), OPEN).pot == MOST_CHIPS
    refused = refusal(table("shirinma", carried=carried + 1), OPEN)
    assert (type(refused), refused.facts) == (PotTooLarge, {"amount": MOST_CHIPS + 1, "at_most": MOST_CHIPS})


def test_a_bid_can_make_the_pot_too_large_for_the_next_card() -> None:
    at = after(table("shirinma"), *shirinma_round(bid=("p2", MOST_CHIPS))[:4])
    assert isinstance(refusal(at, CardDealt("p2", "plain")), PotTooLarge)


def test_nobody_pays_more_than_10_to_the_9_chips_at_once() -> None:
    shares = {"chips_per_share": MOST_CHIPS // 3}
    assert after(table("kakkuri", rules=shares), *kakkuri_three_ones("p2")).open_round is None
    refused = refusal(table("kakkuri", rules={"chips_per_share": MOST_CHIPS // 3 + 1}), *kakkuri_three_ones("p2"))
    assert (type(refused), refused.facts["at_most"]) == (TooManyChips, MOST_CHIPS)


def test_an_overruled_event_is_told_with_its_round() -> None:
    late = overruled(BetPlaced("p2", 1), "Ben was on the phone.")
    assert isinstance(refusal(table(), OPEN, BetPlaced("p3", 2), BetPlaced("p2", 1)), Refused)
    at = after(table(), OPEN, BetPlaced("p3", 2), late, *shippin_round("")[1:])
    assert done(at).overruled == (("bet_placed", "Ben was on the phone."),)
    assert told(at)[-1] == "The table overruled the rules for “Place a bet”: Ben was on the phone."


def test_overruling_waives_nothing_that_would_break_the_deck() -> None:
    *dealt, fifth_nine = shippin_round("", second="9 9 9 1 9", first="9 2 2 2 2")
    assert refusal(table(), *dealt, overruled(fifth_nine)).rule == "SP-15"


# --- voiding --------------------------------------------------------------------------------------------------------


def test_a_voided_round_gives_back_what_was_put_into_it() -> None:
    voided = taken(table("shirinma"), *shirinma_round(bid=("p3", 5))[:-1], VOID)
    assert sum(move.amount for move in voided.transfers) == 240 + 30 + 5
    assert payouts(voided.transfers)[0] == Payout("p1", 50, "round_voided")
    assert Payout("p3", 25, "round_voided") in payouts(voided.transfers)
    assert voided.table.pot == 0


def test_a_voided_round_leaves_a_carried_pot_and_the_dealer() -> None:
    at = after(table("shirinma", dealer=12), *shirinma_round("coins-5", first=12))
    voided = after(at, OPEN, VOID)
    assert (voided.pot, voided.seating.dealer) == (270, "p1")
    assert voided.stakes == at.stakes
    outcome = ended(voided).outcome
    assert (outcome.result, outcome.next_dealer) == ("void", "p1")


def test_a_voided_round_is_over() -> None:
    at = after(table(), OPEN, VOID)
    assert at.open_round is None
    assert isinstance(refusal(at, VOID), RoundIsOver)
    assert isinstance(refusal(table(), *shippin_round(), VOID), RoundIsOver)


def test_a_voided_round_says_why_and_what_came_back() -> None:
    assert told(after(table(), *shippin_round()[:3], VOID)) == [
        "The round was voided: Tea was spilt.",
        "What was put in came back: 1 chip each to Ben and Chie.",
        "Aki deals again.",
    ]
    assert told(after(table(carried=4), OPEN, VOID)) == [
        "The round was voided: Tea was spilt.",
        "Nothing had been put in, so nothing came back.",
        "4 chips carried over stayed in the pot.",
        "Aki deals again.",
    ]


# --- rounds by their totals -----------------------------------------------------------------------------------------


def test_a_round_can_be_written_down_by_its_totals() -> None:
    at = taken(table(carried=10), entered("p1:20 p2:5", "p3:30", pot=5))
    assert at.transfers == moves("p1>pot:20 p2>pot:5", "entered_payment") + moves("pot>p3:30", "entered_payout")
    assert (at.table.pot, at.table.rounds, at.table.open_round) == (5, 1, None)
    outcome = ended(at.table).outcome
    assert (outcome.result, outcome.payouts) == ("settled", (Payout("p3", 30, "entered_payout"),))
    assert done(at.table).is_entered
    assert isinstance(ended(at.table).last, Entered)


@pytest.mark.parametrize(
    ("paid", "won", "pot", "off"),
    [("p1:20", "p2:19", 0, 11), ("p1:20", "p2:30", 1, -1), ("", "", 0, 10), ("", "p1:11", 0, -1)],
)
def test_totals_have_to_come_out_even_with_the_pot(paid: str, won: str, pot: int, off: int) -> None:
    refused = refusal(table(carried=10), entered(paid, won, pot))
    assert isinstance(refused, TotalsDoNotMatch)
    facts: Any = refused.facts
    assert (facts["difference"], facts["put_in"] - facts["taken_out"]) == (off, off)


def test_a_player_may_stand_more_than_once_in_the_totals() -> None:
    at = taken(table(), entered("p1:20 p1:5", "p2:15 p2:10"))
    assert ended(at.table).outcome.payouts == (Payout("p2", 25, "entered_payout"),)


@pytest.mark.parametrize(
    ("game", "won", "next_dealer"),
    [
        ("shirinma", "p5:30", "p3"),
        ("shippin", "p5:30", "p2"),
        ("kakkuri", "p5:30", "p5"),
        ("kakkuri", "p5:20 p4:10", "p5"),
        ("kakkuri", "p5:15 p4:15", "p2"),
        ("kakkuri", "", "p2"),
    ],
)
def test_after_a_round_known_by_its_totals_the_deal_passes_as_the_game_has_it(
    game: str, won: str, next_dealer: str
) -> None:
    assert after(table(game, dealer=2), entered("p1:30", won, pot=0 if won else 30)).seating.dealer == next_dealer


def test_totals_may_say_who_deals_next() -> None:
    assert after(table("kakkuri"), entered("p1:30", "p5:30", next_dealer="p4")).seating.dealer == "p4"


def test_totals_are_for_between_rounds() -> None:
    assert isinstance(refusal(table(), OPEN, entered("p1:1", "p2:1")), RoundIsOpen)


@pytest.mark.parametrize(
    "event", [entered("p9:1", "p1:1"), entered("p1:1", "p9:1"), entered("p1:1", "p2:1", next_dealer="p9")], ids=str
)
def test_totals_are_of_those_who_sit_here(event: Event) -> None:
    refused = refusal(table(), event)
    assert isinstance(refused, NotAtTheTable)
    assert refused.facts["player"] == "p9"
    gone = with_players_gone(table(), "p3")
    assert isinstance(refusal(gone, entered("p3:1", "p1:1")), NotAtTheTable)


def test_who_gets_the_same_back_is_told_together() -> None:
    antes = after(table("shirinma"), OPEN)
    back = "What was put in came back: {}."
    assert told(after(antes, VOID))[1] == back.format("20 chips each")
    field, king, *_ = shirinma_round("coins-5")[1:]
    others = "Ben, Chie, Dai, Emi, Fumi, Gen, Haru, Ichi, Jun, Ken, and Leo"
    assert told(after(antes, field, king, VOID))[1] == back.format(f"50 chips to Aki and 20 chips each to {others}")


def test_a_round_known_by_its_totals_says_so() -> None:
    assert told(after(table(), entered("p1:30", "p2:20", pot=10))) == [
        "Nobody wrote this round down; its totals were entered.",
        "Out of the pot went 20 chips to Ben.",
        "10 chips stayed in the pot for the next round.",
        "Aki deals the next round.",
    ]
    assert told(after(table("kakkuri"), entered("p1:3", pot=3)))[1:] == [
        "3 chips stayed in the pot for the next round.",
        "Aki deals the next round.",
    ]


# --- people ---------------------------------------------------------------------------------------------------------


def test_somebody_new_sits_last_and_gets_the_next_id() -> None:
    at = after(table(seats=2), newcomer("Zoe"))
    assert at.player("p3") == Player("p3", "Zoe")
    assert at.seating.seats == ("p1", "p2", "p3")


def test_players_stand_in_the_order_of_their_numbers_also_beyond_ten() -> None:
    at = after(table("shirinma"), newcomer("Mio"), newcomer("Nao"))
    assert [player.id for player in at.players] == [f"p{number}" for number in range(1, 15)]


def test_at_a_seat_that_is_taken_those_from_there_on_move_up() -> None:
    assert after(table(seats=3), newcomer(seat=2)).seating.seats == ("p1", "p4", "p2", "p3")
    assert after(table(seats=3), newcomer(seat=1)).seating.seats == ("p4", "p1", "p2", "p3")
    assert after(table(seats=3), newcomer(seat=4)).seating.seats == ("p1", "p2", "p3", "p4")


def test_there_is_no_seat_beyond_the_last_but_one_new_one() -> None:
    refused = refusal(table(seats=3), newcomer(seat=5))
    assert (type(refused), refused.facts) == (NoSuchSeat, {"at_most": 4})


def test_an_id_is_given_once() -> None:
    at = after(with_players_gone(table(seats=3), "p3"), newcomer("Zoe"))
    assert at.seating.seats == ("p1", "p2", "p4")


def test_a_newcomer_keeps_the_id_that_was_given_then() -> None:
    at = apply(table(seats=2), newcomer("Zoe"), 1, ("p5",)).table
    assert at.seating.seats == ("p1", "p2", "p5")
    at = apply(at, newcomer("Yui"), 1, ("p4",)).table
    assert [player.id for player in at.players] == ["p1", "p2", "p4", "p5"]
    assert at.next_number == 6


def test_two_people_are_never_called_by_one_id() -> None:
    with pytest.raises(IdIsTaken) as refused:
        apply(table(seats=3), newcomer("Zoe"), 1, ("p2",))
    assert refused.value.facts == {"id": "p2"}


def test_nobody_joins_a_full_table() -> None:
    refused = refusal(table(), newcomer())
    assert (type(refused), refused.rule, refused.facts["count"]) == (TooManyPlayers, "SP-1", 6)


def test_who_left_comes_back_with_id_and_name() -> None:
    at = after(with_players_gone(table(), "p2"), back("p2"))
    assert at.player("p2") == Player("p2", "Ben")
    assert at.seating.seats == ("p1", "p3", "p4", "p5", "p2")
    assert after(with_players_gone(table(), "p2"), back("p2", seat=2)).seating.seats == FIVE


def test_only_who_left_can_come_back() -> None:
    at = with_players_gone(table(), "p5")
    refused = refusal(at, back("p9"))
    assert isinstance(refused, NeverAtTheTable)
    assert refused.facts == {"player": "p9", "players": ("p1", "p2", "p3", "p4", "p5")}
    refused = refusal(at, back("p1"))
    assert (type(refused), refused.facts) == (AlreadyAtTheTable, {"player": "p1"})


@pytest.mark.parametrize("said", [{}, {"name": "Zoe", "player": "p1"}])
def test_who_joins_is_somebody_new_or_somebody_known(said: dict[str, str]) -> None:
    with pytest.raises(Malformed, match="the name of somebody new, or the id"):
        PlayerJoined(**said)  # type: ignore[arg-type]


def test_who_leaves_is_still_known() -> None:
    at = with_players_gone(table(), "p3")
    assert at.seating.seats == ("p1", "p2", "p4", "p5")
    assert at.player("p3") == Player("p3", "Chie", active=False)


def test_when_the_dealer_leaves_the_right_deals() -> None:
    assert with_players_gone(table(dealer=2), "p2").seating.dealer == "p3"
    assert with_players_gone(table(dealer=5), "p5").seating.dealer == "p1"
    assert with_players_gone(table(dealer=2), "p3").seating.dealer == "p2"


def test_only_who_sits_here_can_leave() -> None:
    refused = refusal(with_players_gone(table(), "p2"), PlayerLeft("p2"))
    assert isinstance(refused, NotAtTheTable)
    assert refused.facts == {"player": "p2", "players": ("p1", "p3", "p4", "p5")}


def test_the_first_to_sit_at_an_empty_table_deals() -> None:
    empty = with_players_gone(table(seats=2), "p2", "p1")
    assert empty.seating.seats == ()
    assert after(empty, back("p2"), back("p1")).seating.dealer == "p2"


def test_people_change_seats_and_the_dealer_stays_the_dealer() -> None:
    at = after(table(dealer=2), seated("p3 p1 p5 p2 p4"))
    assert (at.seating.seats, at.seating.dealer) == (("p3", "p1", "p5", "p2", "p4"), "p2")
    assert at.seating.seats.right_of("p4") == "p3"
    assert at.players == table().players
    opened = after(at, OPEN).round
    assert opened
    assert (opened.phase.waiting, opened.ground.dealer) == (("p4", "p3", "p1", "p5"), "p2")


def test_who_comes_back_after_seats_were_changed_sits_last() -> None:
    at = after(with_players_gone(table(), "p2"), seated("p5 p4 p3 p1"), back("p2"))
    assert at.seating.seats == ("p5", "p4", "p3", "p1", "p2")


def test_who_is_forgotten_keeps_a_seat() -> None:
    assert after(table(), PlayerErased("p2"), seated("p2 p1 p5 p4 p3")).seating.seats[0] == "p2"
    assert refusal(after(table(), PlayerErased("p2")), seated("p1 p5 p4 p3")).facts["missing"] == ("p2",)


@pytest.mark.parametrize(
    ("players", "missing", "unknown", "what"),
    [
        ("p1 p3 p4", ("p5",), (), "p5 would have none"),
        ("p1 p3 p2 p4 p5", (), ("p2",), "nobody called p2 sits here"),
        ("p4 p3 p9 bank", ("p1", "p5"), ("p9", "bank"), "p1 and p5 would have none, and nobody called p9 and bank"),
        ("", ("p1", "p3", "p4", "p5"), (), "p1, p3, p4, and p5 would have none"),
    ],
)
def test_everyone_who_sits_here_gets_a_seat_and_nobody_else(
    players: str, missing: tuple[str, ...], unknown: tuple[str, ...], what: str
) -> None:
    refused = refusal(with_players_gone(table(), "p2"), seated(players))
    assert isinstance(refused, SeatsDoNotMatch)
    assert (refused.facts["missing"], refused.facts["unknown"]) == (missing, unknown)
    assert what in render(refused.sentence, "en", {})


def test_nobody_sits_in_two_seats() -> None:
    with pytest.raises(Malformed) as info:
        seated("p1 p2 p1 p3 p2")
    assert [fault.pointer for fault in info.value.faults] == ["/seats/2", "/seats/4"]


def test_at_an_empty_table_nobody_changes_seats() -> None:
    empty = with_players_gone(table(seats=2), "p2", "p1")
    assert after(empty, seated("")) == empty


def test_anyone_can_be_renamed_at_any_time() -> None:
    at = after(with_players_gone(table(), "p4"), OPEN, renamed("p2", "Benno"), renamed("p4", "Daisuke"))
    assert [at.player(player) for player in ("p2", "p4")] == [
        Player("p2", "Benno"),
        Player("p4", "Daisuke", active=False),
    ]
    assert at.open_round
    assert isinstance(refusal(at, renamed("p6", "Nobody")), NeverAtTheTable)


def test_what_was_mistyped_at_the_opening_is_mended_at_any_time() -> None:
    yen = ChipValue("JPY", "10")
    for at in (table(name="New yaer"), after(table(name="New yaer"), OPEN), after(table(name="New yaer"), CLOSE)):
        named_anew = taken(at, SessionDescribed(name="New year"))
        assert (named_anew.table, named_anew.transfers) == (replace(at, name="New year"), ())
        worth = after(named_anew.table, SessionDescribed(chip_value=yen))
        assert worth == replace(at, name="New year", chip_value=yen)


def test_whoever_describes_a_session_says_something() -> None:
    with pytest.raises(Malformed):
        SessionDescribed(note="nothing")


def test_who_is_forgotten_is_called_by_the_id() -> None:
    assert after(table(), PlayerErased("p2")).player("p2") == Player("p2", "p2")
    assert isinstance(refusal(table(), PlayerErased("p6")), NeverAtTheTable)


def test_who_is_forgotten_can_be_given_a_name_again() -> None:
    assert after(table(), PlayerErased("p2"), renamed("p2", "B.")).player("p2") == Player("p2", "B.")


def test_a_dealer_is_named_from_those_who_sit_here() -> None:
    assert after(table(), named("p3")).seating.dealer == "p3"
    assert isinstance(refusal(with_players_gone(table(), "p3"), named("p3")), NotAtTheTable)


def test_rules_that_are_not_named_stay() -> None:
    at = after(table(rules={"tie": "dealer_wins"}), ruled(bet=50))
    assert (at.rules.bet, at.rules.tie) == (50, "dealer_wins")


def test_of_a_group_of_rules_those_that_are_not_named_stay() -> None:
    at = after(table("shirinma"), ruled(payments={"king": 99}))
    assert (at.rules.payments.king, at.rules.payments.horse) == (99, 20)


@pytest.mark.parametrize(
    "event",
    [
        *(newcomer(), back("p4"), PlayerLeft("p2"), seated("p2 p3 p5 p1"), named("p2"), ruled(bet=2)),
        *(drawn("p1:2 p2:1 p3:3 p5:4"), CLOSE),
    ],
    ids=repr,
)
def test_what_changes_the_table_waits_for_the_end_of_a_round(event: Event) -> None:
    at = with_players_gone(table(), "p4")
    assert after(at, event) != at
    assert isinstance(refusal(at, OPEN, event), RoundIsOpen)


@pytest.mark.parametrize("event", [OPEN, entered("p1:1", "p2:1")], ids=str)
def test_no_round_is_played_while_a_draw_for_seats_is_not_finished(event: Event) -> None:
    refused = refusal(while_drawing(), event)
    assert (type(refused), refused.rule) == (DrawNotFinished, "SP-3")
    assert refused.facts == {"players": ("p1", "p2")}
    assert after(while_drawing(), drawn("p1:5 p2:4"), event).seating.dealer == "p2"


@pytest.mark.parametrize("event", [PlayerLeft("p2"), seated("p3 p1 p2 p5 p4"), named("p2"), ruled(bet=2)], ids=str)
def test_what_changes_the_table_ends_a_draw_for_seats(event: Event) -> None:
    assert after(while_drawing(), event).seating.drawing is None


def test_who_joins_ends_a_draw_for_seats() -> None:
    at = after(table(seats=3), drawn("p1:3 p2:3 p3:5"))
    assert at.seating.drawing
    assert after(at, newcomer()).seating.drawing is None


# --- chips outside the game -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payer", "payee", "reason"), [(BANK, "p1", "buy_in"), ("p1", BANK, "cash_out"), ("p1", "p2", "gift")]
)
def test_chips_are_bought_cashed_in_and_given(payer: str, payee: str, reason: str) -> None:
    moved = taken(table(), chips(payer, payee, 30))
    assert moved.transfers == moves(f"{payer}>{payee}:30", reason)
    assert moved.table == table()


def test_chips_move_also_during_a_round_and_for_who_has_left() -> None:
    at = after(with_players_gone(table(), "p2"), OPEN)
    assert taken(at, chips("p2", BANK, 30)).transfers == moves("p2>bank:30", "cash_out")


@pytest.mark.parametrize("account", ["p1", BANK])
def test_chips_move_from_one_account_to_another(account: str) -> None:
    assert isinstance(refusal(table(), chips(account, account, 1)), SameAccount)


def test_a_payment_of_a_debt_moves_the_chips_back_the_other_way() -> None:
    """Who was owed has been paid, so what was won is given up for it; also after closing, also by who has left."""
    at = after(with_players_gone(table(), "p2"), CLOSE)
    paid = taken(at, SettlementPaid("p2", "p1", 30))
    assert (paid.table, paid.transfers) == (at, moves("p1>p2:30", "settlement_paid"))
    assert isinstance(refusal(at, SettlementPaid("p1", "p1", 30)), SameAccount)


def test_balances_are_brought_by_way_of_the_bank() -> None:
    balances = (
        Brought(player="p1", balance=-30),
        Brought(player="p2", balance=0),
        Brought(player="p3", balance=20),
        Brought(player="p4", balance=10),
    )
    brought = taken(table(), BalancesBrought(balances))
    assert brought.transfers == moves("bank>p3:20 bank>p4:10 p1>bank:30", "brought_forward")
    assert brought.table == table()


def test_balances_that_are_brought_come_to_nothing() -> None:
    refused = refusal(table(), BalancesBrought((Brought(player="p1", balance=-30), Brought(player="p2", balance=29))))
    assert (refused.code, refused.facts) == ("balances_do_not_sum", {"total": -1})


@pytest.mark.parametrize("game", ["shirinma", "kakkuri"])
def test_a_pot_is_brought_by_the_bank_and_played_for(game: str) -> None:
    brought = taken(table(game), PotBrought(30))
    assert brought.transfers == moves("bank>pot:30", "brought_forward")
    assert brought.table == replace(table(game), pot=30)
    opened = after(brought.table, OPEN)
    assert opened.open_round
    assert opened.open_round.ground.carried == 30


def test_a_pot_is_brought_before_the_first_round() -> None:
    refused = refusal(after(table("shirinma"), OPEN), PotBrought(30))
    assert (refused.code, refused.facts) == ("rounds_were_played", {"rounds": 1})
    assert isinstance(refusal(after(table(), *shippin_round()), PotBrought(30)), RoundsWerePlayed)


def test_pots_of_two_evenings_lie_together_and_there_is_an_end_to_it() -> None:
    assert after(table(), PotBrought(30), PotBrought(12)).pot == 42
    refused = refusal(table(), PotBrought(30), PotBrought(MOST_CHIPS))
    assert (refused.code, refused.facts) == ("pot_too_large", {"amount": MOST_CHIPS + 30, "at_most": MOST_CHIPS})


def test_a_pot_that_was_brought_is_nobodys_stake() -> None:
    at = after(table("shirinma"), PotBrought(24), *shirinma_round("coins-5"))
    assert sum(at.stakes.values()) == at.pot - 24
    refunds = taken(at, SessionClosed(pot="refund")).transfers
    assert sum(t.amount for t in refunds) == at.pot
    assert [t.amount for t in refunds[-12:]] == [2] * 12


def test_who_has_left_and_who_is_not_here_have_balances_too() -> None:
    at = with_players_gone(table(seats=3), "p2")
    balances = [Brought(player="p2", balance=5), Brought(name="Zoe", balance=-8), Brought(name="Yui", balance=3)]
    brought = taken(at, BalancesBrought(tuple(balances)))
    assert brought.transfers == moves("bank>p2:5 bank>p5:3 p4>bank:8", "brought_forward")
    absent = brought.table.players[3:]
    assert [(one.id, one.name, one.active) for one in absent] == [("p4", "Zoe", False), ("p5", "Yui", False)]
    assert brought.table.seating == at.seating
    assert after(brought.table, back("p4")).seating.seats == ("p1", "p3", "p4")


@pytest.mark.parametrize("player", ["p6", BANK, POT])
def test_who_has_no_account_brings_no_balance(player: str) -> None:
    refused = refusal(
        with_players_gone(table(), "p2"),
        BalancesBrought((Brought(player=player, balance=5), Brought(player="p1", balance=-5))),
    )
    assert isinstance(refused, NeverAtTheTable)
    assert refused.facts["player"] == player


@pytest.mark.parametrize("account", ["p6", "Aki", ""])
def test_chips_move_between_accounts_only(account: str) -> None:
    for event in (chips(account, "p1", 1), chips(BANK, account, 1)):
        refused = refusal(table(), event)
        assert isinstance(refused, NeverAtTheTable)
        assert refused.facts["player"] == account


def test_a_fine_lies_in_the_pot_and_is_played_for() -> None:
    """SH-3, SH-15: the next round plays for it too; it is nobody's stake, so a refund splits it."""
    fined = taken(table("shirinma"), chips("p2", POT, 24))
    assert fined.transfers == moves("p2>pot:24", "fine")
    at = after(fined.table, *shirinma_round("coins-5"))
    assert at.round
    assert (at.round.ground.carried, sum(at.stakes.values())) == (24, at.pot - 24)
    refunds = taken(at, SessionClosed(pot="refund")).transfers
    assert [t.amount for t in refunds[-12:]] == [2] * 12
    won = after(fined.table, *shirinma_round())
    assert won.pot == 0


def test_at_shippin_a_fine_lies_there_until_closing() -> None:
    at = after(table(), chips("p2", POT, 7), *shippin_round())
    assert at.pot == 7
    assert taken(at, SessionClosed(pot="bank")).transfers == moves("pot>bank:7", "pot_to_bank")


def test_the_pot_is_given_of_only_if_the_table_says_so_and_then_nothing_in_it_is_a_stake() -> None:
    at = after(table("shirinma"), *shirinma_round("coins-5"))
    assert refusal(at, chips(POT, "p2", 7)).code == "pot_is_played_for"
    given = taken(at, overruled(chips(POT, "p2", 7)))
    assert given.transfers == moves("pot>p2:7", "pot_given")
    assert (given.table.pot, given.table.stakes) == (at.pot - 7, {})
    refused = refusal(at, overruled(chips(POT, "p2", at.pot + 1)))
    assert (refused.code, refused.facts) == ("pot_holds_less", {"pot": at.pot, "amount": at.pot + 1})


@pytest.mark.parametrize("move", [chips("p2", POT, 7), overruled(chips(POT, "p2", 7))])
def test_in_a_round_nobody_is_fined_or_given_of_the_pot(move: Event) -> None:
    assert refusal(after(table("shirinma"), OPEN), move).code == "round_is_open"


def test_a_debt_is_never_settled_with_the_pot() -> None:
    assert refusal(table(carried=8), SettlementPaid("p1", POT, 1)).code == "never_at_the_table"


# --- closing --------------------------------------------------------------------------------------------------------


def test_with_nothing_in_the_pot_nothing_is_said_of_it() -> None:
    assert taken(table(), CLOSE).transfers == ()
    assert after(table(), CLOSE).status == "closed"
    assert taken(table(), SessionClosed(pot="split")).transfers == ()


def test_of_a_pot_it_is_said_what_becomes_of_it() -> None:
    with pytest.raises(PotIsWaiting) as refused:
        need_choice(table(carried=8), CLOSE)
    assert refused.value.facts == {"pot": 8, "choices": ("split", "refund", "bank")}
    need_choice(after(table("shirinma"), OPEN), CLOSE)


def test_a_split_pot_goes_in_equal_parts_to_who_sits_here_and_odd_chips_go_round_from_the_dealer() -> None:
    at = with_players_gone(table(dealer=4, carried=11), "p2")
    closed = taken(at, SessionClosed(pot="split"))
    assert closed.transfers == moves("pot>p4:3 pot>p5:3 pot>p1:3 pot>p3:2", "pot_split")
    assert (closed.table.pot, closed.table.status) == (0, "closed")


def test_who_gets_nothing_of_a_split_pot_has_no_entry() -> None:
    assert taken(table(dealer=3, carried=2), SessionClosed(pot="split")).transfers == moves(
        "pot>p3:1 pot>p4:1", "pot_split"
    )


def test_a_refund_gives_back_what_each_has_at_stake() -> None:
    at = after(table("shirinma"), *shirinma_round("coins-5", bid=("p2", 7)))
    closed = taken(at, SessionClosed(pot="refund"))
    others = " ".join(f"pot>p{n}:20" for n in range(3, 13))
    assert closed.transfers == moves(f"pot>p1:50 pot>p2:27 {others}", "pot_refund")


def test_stakes_of_several_rounds_add_up_and_a_voided_round_adds_none() -> None:
    first = after(table("shirinma"), *shirinma_round("coins-5"))
    second = after(first, OPEN, VOID, *shirinma_round("coins-5", first=2))
    assert (first.stakes["p1"], second.stakes["p1"], second.stakes["p2"]) == (50, 70, 70)


def test_who_has_left_is_refunded_too() -> None:
    at = with_players_gone(after(table("shirinma"), *shirinma_round("coins-5")), "p1")
    assert taken(at, SessionClosed(pot="refund")).transfers[:2] == moves("pot>p1:50 pot>p2:20", "pot_refund")


def test_once_the_pot_has_paid_somebody_what_is_left_is_nobodys_and_a_refund_splits_it() -> None:
    odd = table("shirinma", rules={"odd_chip": "carry"}, dealer=1)
    won = after(odd, *shirinma_round(bid=("p2", 5)))
    assert (won.pot, won.stakes) == (1, {})
    assert taken(won, SessionClosed(pot="refund")).transfers == moves("pot>p2:1", "pot_refund")
    forfeited = after(won, *shirinma_round("coins-5", first=2))
    assert (forfeited.pot, sum(forfeited.stakes.values())) == (271, 270)
    refunds = payouts(taken(forfeited, SessionClosed(pot="refund")).transfers)
    assert {payout.player: payout.amount for payout in refunds} == {
        "p1": 20, "p2": 50, "p3": 21, **{f"p{n}": 20 for n in range(4, 13)}
    }  # fmt: skip


def test_a_pot_brought_along_is_nobodys_and_a_refund_splits_it() -> None:
    assert taken(table(seats=2, carried=3), SessionClosed(pot="refund")).transfers == moves(
        "pot>p1:2 pot>p2:1", "pot_refund"
    )


def test_three_ones_leave_the_stakes_in_the_pot_as_they_are() -> None:
    at = after(table("kakkuri"), OPEN, StarterRevealed(read("cups-9")), TurnPlayed("p1", count=0))
    voided = after(at, VOID, *kakkuri_three_ones("p3"))
    assert (voided.pot, sum(voided.stakes.values())) == (0, 0)
    held = after(table("kakkuri"), entered("p4:6", pot=6), *kakkuri_three_ones("p3"))
    assert (held.pot, held.stakes["p4"]) == (6, 6)
    won = after(held, *kakkuri_guri("p3"))
    assert (won.pot, won.stakes) == (0, {})


def test_totals_that_pay_nobody_leave_what_was_put_in_at_stake() -> None:
    assert after(table(), entered("p1:5", pot=5)).stakes == {"p1": 5}
    assert after(table(), entered("p1:5", pot=5), entered("p2:5", "p3:1", pot=9)).stakes == {}


def test_a_pot_can_go_to_the_bank() -> None:
    assert taken(table(carried=8), SessionClosed(pot="bank")).transfers == moves("pot>bank:8", "pot_to_bank")


@pytest.mark.parametrize("how", ["split", "refund", "bank"])
def test_with_nobody_at_the_table_the_pot_goes_to_the_bank(how: str) -> None:
    empty = with_players_gone(table(seats=2, carried=8), "p1", "p2")
    assert taken(empty, SessionClosed(pot=how)).transfers == moves("pot>bank:8", "pot_to_bank")  # type: ignore[arg-type]


AFTER_CLOSING = (SessionReopened, SettlementPaid, SessionDescribed, OddsSwitched, PlayerErased)
ONE_OF_EACH: tuple[Event, ...] = (
    OPEN,
    VOID,
    CardExposed(read("4")),
    newcomer(),
    PlayerLeft("p1"),
    seated("p2 p1 p3 p4 p5"),
    renamed("p1", "A."),
    SessionDescribed(name="New year"),
    OddsSwitched(on=True),
    PlayerErased("p1"),
    entered("p1:1", "p2:1"),
    named("p2"),
    ruled(bet=2),
    chips(BANK, "p1", 1),
    BalancesBrought(()),
    PotBrought(5),
    SettlementPaid("p1", "p2", 1),
    CLOSE,
    REOPEN,
    BetPlaced("p2", 1),
    drawn("p1:1 p2:2 p3:3 p4:4 p5:5"),
)


def test_one_of_each_of_the_sessions_own_events_is_tried_below() -> None:
    assert {kind for kind in EVENTS if not issubclass(kind, Correction)} <= {type(event) for event in ONE_OF_EACH}


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda event: event.type)
def test_a_closed_session_takes_only_what_comes_after_an_evening(event: Event) -> None:
    closed = after(table(), CLOSE)
    if isinstance(event, AFTER_CLOSING):
        assert apply(closed, event, 1)
    else:
        assert isinstance(refusal(closed, event), SessionIsClosed)


def test_a_reopened_session_goes_on_and_what_was_paid_out_stays_paid() -> None:
    closed = after(table(carried=8), SessionClosed(pot="split"))
    reopened = taken(closed, REOPEN)
    assert reopened.transfers == ()
    assert reopened.table == replace(closed, status="open")
    assert after(reopened.table, *shippin_round()).rounds == 1


def test_only_a_closed_session_can_be_reopened() -> None:
    assert isinstance(refusal(table(), REOPEN), SessionIsOpen)


def test_stakes_end_with_the_evening() -> None:
    at = after(table("shirinma"), *shirinma_round("coins-5"), SessionClosed(pot="bank"), REOPEN)
    assert (at.pot, at.stakes) == (0, {})


# --- whatever is malformed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "pointer", "sentence"),
    [
        (PlayerJoined, "", "give the name of somebody new, or the id of a player who comes back"),
        (
            lambda: PlayerJoined(name="Zoe", player="p1"),
            "",
            "give the name of somebody new, or the id of a player who comes back",
        ),
        (lambda: seated("p1 p2 p1"), "/seats/2", "everyone has one seat, and this player has two"),
        (SessionDescribed, "", "give a name, a chip value, or a day"),
        (lambda: EventTakenBack(part=1), "/seq", "a part is named together with the event that it is a part of"),
        (lambda: CorrectionsMade(()), "/corrections", "1 to 100 corrections are needed"),
        (lambda: CorrectionsMade((take_back(1),) * 101), "/corrections", "1 to 100 corrections are needed"),
        (
            lambda: CorrectionsMade((insert(1, OPEN), take_back(), take_back())),
            "/corrections/1/seq",
            "among others, the event that is taken back has to be named",
        ),
    ],
    ids=map(str, range(8)),
)
def test_what_is_malformed_is_told_with_its_place(said: Callable[[], Event], pointer: str, sentence: str) -> None:
    with pytest.raises(Malformed) as info:
        said()
    (fault,) = info.value.faults
    assert (fault.pointer, render(fault.sentence, "en", {})) == (pointer, sentence)


@pytest.mark.parametrize("count", [1, 100])
def test_one_to_100_corrections_are_made_together(count: int) -> None:
    assert len(CorrectionsMade((take_back(1),) * count).corrections) == count


def test_a_table_is_laid_as_the_session_was_opened() -> None:
    yen = ChipValue("JPY", "10")
    at = table(seats=3, dealer=2, carried=9, name="New year", chip_value=yen, rules={"bet": 7})
    assert (at.name, at.chip_value, at.pot, at.rules.bet, at.deck) == ("New year", yen, 9, 7, BOOK.decks[0])
    assert (at.seating.seats, at.seating.dealer, at.next_number) == (("p1", "p2", "p3"), "p2", 4)


# --- whatever is refused --------------------------------------------------------------------------------------------


def test_a_refused_event_leaves_the_table_as_it_was() -> None:
    at = after(table(), OPEN)
    before = repr(at)
    refusal(at, BidPlaced("p1", 1))
    refusal(at, BetPlaced("p1", 1))
    refusal(at, CLOSE)
    assert repr(at) == before


def test_a_share_of_the_totals_is_of_whole_chips() -> None:
    assert taken(table(), entered("p1:1", "p2:1")).transfers[0].amount == 1
    with pytest.raises(ValueError, match="not a transfer"):
        apply(table(), replace(entered(), payments=(Share("p1", 2), Share("p2", -2))), 1)
