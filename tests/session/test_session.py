"""The session's own rules, one by one: `apply` on a table, with no app, no database and no log."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.games.kakkuri import StarterRevealed, ThreeOnesShown, TurnPlayed
from ledger.games.shippin import BOOK, BetPlaced, CardsDrawnForSeats, Draw
from ledger.games.shirinma import CardDealt, FieldCardRevealed, TrumpRevealed
from ledger.i18n.language import render
from ledger.i18n.sentences import Malformed
from ledger.records import replace
from ledger.rulebook.cards import read
from ledger.rulebook.chips import Payout, payouts
from ledger.rulebook.event import Event
from ledger.rulebook.exposing import CardExposed
from ledger.rulebook.phase import Over
from ledger.rulebook.refusal import Refused
from ledger.rulebook.values import BANK, MAX_CHIPS, POT
from ledger.session.corrections import Correction, CorrectionsMade, EventTakenBack
from ledger.session.events import (
    EVENTS,
    BalancesBrought,
    Brought,
    ChipValue,
    OddsSwitched,
    PlayerErased,
    PlayerJoined,
    PlayerLeft,
    PotBrought,
    SessionClosed,
    SessionDescribed,
    SettlementPaid,
)
from ledger.session.rounds import explain
from ledger.session.rules import apply, need_choice
from ledger.session.table import Player, Round, Table
from tests.session.tables import (
    CLOSE,
    OPEN,
    REOPEN,
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


def brought(**balances: int) -> BalancesBrought:
    """Balances by id, or by the name of somebody who is not here."""
    known = {True: "player", False: "name"}
    return BalancesBrought(
        tuple(Brought(balance=chips, **{known[who.startswith("p")]: who}) for who, chips in balances.items())
    )


def while_drawing() -> Table:
    """A draw for seats that is not finished: p1 and p2 tie."""
    at = after(table(), drawn("p1:3 p2:3 p3:5 p4:6 p5:7"))
    assert at.seating.drawing
    return at


def refusal(at: Table, *events: Event) -> Refused:
    """The refusal of the last event, which leaves the table as it was."""
    *first, last = events
    at = after(at, *first)
    before = repr(at)
    with pytest.raises(Refused) as refused:
        apply(at, last, 1)
    assert repr(at) == before
    return refused.value


# --- whatever is refused --------------------------------------------------------------------------------------------

GONE = with_players_gone(table(), "p2")
FIVE = ("p1", "p2", "p3", "p4", "p5")
REMAINING = ("p1", "p3", "p4", "p5")
NEVER = {"players": FIVE}


@pytest.mark.parametrize(
    ("at", "events", "code", "facts"),
    [
        (table(), (OPEN, OPEN), "round_is_open", {"round": 1}),
        (table(), (BetPlaced("p2", 1),), "no_round_open", {}),
        (with_players_gone(table(seats=2), "p2"), (OPEN,), "too_few_players", {"at_least": 2, "count": 1}),
        (table(), (newcomer(),), "too_many_players", {"at_most": 5, "count": 6}),
        (table(seats=3), (newcomer(seat=5),), "no_such_seat", {"at_most": 4}),
        (GONE, (back("p9"),), "never_at_the_table", {"player": "p9", **NEVER}),
        (GONE, (back("p1"),), "already_at_the_table", {"player": "p1"}),
        (GONE, (PlayerLeft("p2"),), "not_at_the_table", {"player": "p2", "players": REMAINING}),
        (GONE, (named("p2"),), "not_at_the_table", {"player": "p2", "players": REMAINING}),
        (GONE, (renamed("p6", "Nobody"),), "never_at_the_table", {"player": "p6", **NEVER}),
        (GONE, (PlayerErased("p6"),), "never_at_the_table", {"player": "p6", **NEVER}),
        (table(), (PlayerErased("p2"), seated("p1 p5 p4 p3")), "seats_do_not_match", {"missing": ("p2",)}),
        (GONE, (entered("p2:1", "p1:1"),), "not_at_the_table", {"player": "p2"}),
        (GONE, (entered("p1:1", "p2:1"),), "not_at_the_table", {"player": "p2"}),
        (GONE, (entered("p1:1", "p3:1", next_dealer="p2"),), "not_at_the_table", {"player": "p2"}),
        (table(carried=10), (entered("p1:20", "p2:19"),), "totals_do_not_match", {"put_in": 30, "difference": 11}),
        (table(carried=10), (entered("p1:20", "p2:30", 1),), "totals_do_not_match", {"difference": -1}),
        (while_drawing(), (OPEN,), "draw_not_finished", {"players": ("p1", "p2")}),
        (while_drawing(), (entered("p1:1", "p2:1"),), "draw_not_finished", {"players": ("p1", "p2")}),
        (table(), (chips("p1", "p1", 1),), "same_account", {}),
        (table(), (chips(BANK, BANK, 1),), "same_account", {}),
        (table(), (SettlementPaid("p1", "p1", 1),), "same_account", {}),
        (table(), (chips("Aki", "p1", 1),), "never_at_the_table", {"player": "Aki", **NEVER}),
        (table(), (chips(BANK, "p6", 1),), "never_at_the_table", {"player": "p6", **NEVER}),
        (table(carried=8), (SettlementPaid("p1", POT, 1),), "never_at_the_table", {"player": POT}),
        (GONE, (brought(p1=-5, p6=5),), "never_at_the_table", {"player": "p6", **NEVER}),
        (table(), (brought(p1=-30, p2=29),), "balances_do_not_sum", {"total": -1}),
        (table(), (OPEN, PotBrought(30)), "rounds_were_played", {"rounds": 1}),
        (table(), (*shippin_round(), PotBrought(30)), "rounds_were_played", {"rounds": 1}),
        (table(), (PotBrought(30), PotBrought(MAX_CHIPS)), "pot_too_large", {"amount": MAX_CHIPS + 30}),
        (table(), (OPEN, chips("p2", POT, 7)), "round_is_open", {"round": 1}),
        (table(carried=9), (OPEN, overruled(chips(POT, "p2", 7))), "round_is_open", {"round": 1}),
        (table(carried=9), (chips(POT, "p2", 7),), "pot_is_played_for", {}),
        (table(carried=9), (overruled(chips(POT, "p2", 10)),), "pot_holds_less", {"pot": 9, "amount": 10}),
        (table("shirinma", carried=MAX_CHIPS - 239), (OPEN,), "pot_too_large", {"amount": MAX_CHIPS + 1}),
        (table(), (REOPEN,), "session_is_open", {}),
        (table(), (OPEN, ThreeOnesShown("p1")), "not_this_game", {"type": "three_ones_shown", "game": BOOK.title}),
    ],
)  # fmt: skip
def test_what_is_not_possible_at_this_table_is_refused(
    at: Table, events: tuple[Event, ...], code: str, facts: dict[str, Any]
) -> None:
    refused = refusal(at, *events)
    assert (refused.code, {**refused.facts, **facts}) == (code, refused.facts)


@pytest.mark.parametrize(
    ("game", "rule", "least", "most"),
    [("shirinma", "SH-1", 12, 23), ("shippin", "SP-1", 2, 5), ("kakkuri", "KA-1", 7, 8)],
)
def test_a_round_needs_as_many_players_as_the_game_takes(game: str, rule: str, least: int, most: int) -> None:
    for count in (least, most):
        assert after(table(game, seats=count), OPEN).open_round
    few = refusal(table(game, seats=least - 1), OPEN)
    assert (few.code, few.rule, few.facts["at_least"], few.facts["count"]) == (
        "too_few_players",
        rule,
        least,
        least - 1,
    )
    many = refusal(table(game, seats=most + 1), OPEN)
    assert (many.rule, many.facts["at_most"], many.facts["count"]) == (rule, most, most + 1)


FORFEITED_BY_ITSELF: list[Event] = [
    OPEN,
    FieldCardRevealed(read("cups-12")),
    *(CardDealt(f"p{n % 16 + 1}", "plain") for n in range(32)),
]


@pytest.mark.parametrize(
    ("seats", "events", "late", "rule", "result"),
    [
        (5, shippin_round(), BetPlaced("p2", 1), None, ("settled", "決着")),
        (5, [OPEN, VOID], VOID, None, ("void", "無効")),
        (7, kakkuri_guri(), TurnPlayed("p2", count=1), None, ("Aki won it", "Akiの勝ち")),
        (12, shirinma_round(), TrumpRevealed(read("cups-6")), None, ("Aki won it", "Akiの勝ち")),
        (16, FORFEITED_BY_ITSELF, TrumpRevealed(read("cups-6")), "SH-10",
         ("forfeited: nobody held a showdown card after the last deal", "流れた局：配り終えても役札を持つ人なし")),
    ],
)  # fmt: skip
def test_who_reports_something_of_a_round_that_is_over_is_told_how_it_ended(
    seats: int, events: list[Event], late: Event, rule: str | None, result: tuple[str, str]
) -> None:
    game = {5: "shippin", 7: "kakkuri"}.get(seats, "shirinma")
    refused = refusal(table(game, seats=seats), *events, late)
    assert (refused.code, refused.rule, refused.facts["round"]) == ("round_is_over", rule, 1)
    english, japanese = (render(refused.sentence, language, {"p1": "Aki"}) for language in ("en", "ja"))
    assert english == f"Round 1 is over ({result[0]}); open the next one first."
    assert japanese == f"第1局は終わっています（{result[1]}）。先に次の局を始めてください。"


@pytest.mark.parametrize(
    ("players", "missing", "unknown", "what"),
    [
        ("p1 p3 p4", ("p5",), (), "p5 would have none"),
        ("p1 p3 p2 p4 p5", (), ("p2",), "nobody called p2 sits here"),
        ("p4 p3 p9 bank", ("p1", "p5"), ("p9", "bank"), "p1 and p5 would have none, and nobody called p9 and bank"),
    ],
)
def test_everyone_who_sits_here_gets_a_seat_and_nobody_else(
    players: str, missing: tuple[str, ...], unknown: tuple[str, ...], what: str
) -> None:
    refused = refusal(GONE, seated(players))
    assert (refused.facts["missing"], refused.facts["unknown"]) == (missing, unknown)
    assert what in render(refused.sentence, "en", {})


ONE_OF_EACH: tuple[Event, ...] = (
    *(OPEN, VOID, CLOSE, REOPEN, CardExposed(read("4")), BetPlaced("p2", 1), drawn("p1:2 p2:1 p3:3 p5:4")),
    *(newcomer(), back("p4"), PlayerLeft("p1"), seated("p2 p1 p3 p5"), renamed("p1", "A."), PlayerErased("p1")),
    *(named("p2"), ruled(bet=2), SessionDescribed(name="New year"), OddsSwitched(on=True)),
    *(entered("p1:1", "p2:1"), chips(BANK, "p1", 1), BalancesBrought(()), PotBrought(5), SettlementPaid("p1", "p2", 1)),
)


WAIT_FOR_THE_END_OF_A_ROUND = {
    *("round_opened", "round_entered", "player_joined", "player_left", "seats_changed", "dealer_named"),
    *("rules_changed", "session_closed", "cards_drawn_for_seats"),
}
COME_AFTER_AN_EVENING = {
    "session_reopened", "settlement_paid", "session_described", "odds_switched", "player_erased"
}  # fmt: skip


def test_one_of_each_of_the_sessions_own_events_is_tried_here() -> None:
    assert {kind for kind in EVENTS if not issubclass(kind, Correction)} <= {type(event) for event in ONE_OF_EACH}


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=str)
def test_there_is_a_time_for_each_event(event: Event) -> None:
    at = with_players_gone(table(), "p4")
    if event.type in COME_AFTER_AN_EVENING:
        assert apply(after(at, CLOSE), event, 1)
    else:
        steps = tuple(dict.fromkeys(("session_reopened", event.type, "session_closed")))
        assert refusal(after(at, CLOSE), event).facts == {"steps": steps}
    if event.type in WAIT_FOR_THE_END_OF_A_ROUND:
        assert refusal(at, OPEN, event).code == "round_is_open"
        assert after(at, event) != at
    elif event.type not in ("session_reopened", "pot_brought"):
        assert apply(after(at, OPEN), event, 1)


# --- rounds ---------------------------------------------------------------------------------------------------------


def test_a_table_is_laid_as_the_session_was_opened_and_a_round_is_played_on_it() -> None:
    yen = ChipValue("JPY", "10")
    at = table(seats=3, dealer=2, carried=9, name="New year", chip_value=yen, rules={"bet": 7})
    assert (at.name, at.chip_value, at.pot, at.rules.bet, at.deck) == ("New year", yen, 9, 7, BOOK.decks[0])
    assert (at.players[0], at.next_number, at.rounds) == (Player("p1", "Aki"), 4, 0)
    now = done(after(at, OPEN))
    assert (now.number, now.ground.seats, now.ground.dealer) == (1, ("p1", "p2", "p3"), "p2")
    assert (now.ground.deck, now.ground.rules, now.ground.carried) == (at.deck, at.rules, 9)
    assert done(after(at, OPEN, VOID, OPEN)).number == 2


def test_a_voided_round_gives_back_what_was_put_into_it_and_leaves_a_carried_pot_and_the_dealer() -> None:
    at = after(table("shirinma", dealer=12), *shirinma_round("coins-5", first=12))
    voided = taken(at, *shirinma_round(bid=("p3", 5))[:-1], VOID)
    assert sum(move.amount for move in voided.transfers) == 240 + 30 + 5
    assert payouts(voided.transfers)[0] == Payout("p1", 50, "round_voided")
    assert (voided.table.pot, voided.table.stakes, voided.table.seating.dealer) == (270, at.stakes, "p1")
    outcome = ended(voided.table).outcome
    assert (outcome.result, outcome.next_dealer, outcome.payouts) == ("void", "p1", payouts(voided.transfers))


@pytest.mark.parametrize(
    ("at", "sentences"),
    [
        (
            after(table(), *shippin_round()[:3], VOID),
            ["The round was voided: Tea was spilt.", "What was put in came back: 1 chip each to Ben and Chie.",
             "Aki deals again."],
        ),
        (
            after(table(carried=4), OPEN, VOID),
            ["The round was voided: Tea was spilt.", "Nothing had been put in, so nothing came back.",
             "4 chips carried over stayed in the pot.", "Aki deals again."],
        ),
        (
            after(table("shirinma"), OPEN, VOID),
            ["The round was voided: Tea was spilt.", "What was put in came back: 20 chips each.", "Aki deals again."],
        ),
        (
            after(table(), entered("p1:30", "p2:20", pot=10)),
            ["Nobody wrote this round down; its totals were entered.", "Out of the pot went 20 chips to Ben.",
             "10 chips stayed in the pot for the next round.", "Aki deals the next round."],
        ),
        (after(table(), entered()),
         ["Nobody wrote this round down; its totals were entered.", "Aki deals the next round."]),
        (after(table(), OPEN), []),
    ],
)  # fmt: skip
def test_a_round_that_was_not_played_to_its_end_is_explained(at: Table, sentences: list[str]) -> None:
    assert told(at) == sentences


def test_a_round_can_be_written_down_by_its_totals_in_which_a_player_may_stand_twice() -> None:
    at = taken(table(carried=10), entered("p1:20 p2:5 p4:0", "p3:10 p3:20 p5:0", pot=5, played_on="2026-11-20"))
    paid, won = moves("p1>pot:20 p2>pot:5", "entered_payment"), moves("pot>p3:10 pot>p3:20", "entered_payout")
    assert at.transfers == paid + won
    assert (at.table.pot, at.table.rounds, at.table.open_round) == (5, 1, None)
    outcome = ended(at.table).outcome
    assert (outcome.result, outcome.payouts) == ("settled", (Payout("p3", 30, "entered_payout"),))
    assert (done(at.table).is_entered, done(at.table).played_on, ended(at.table).last.pot) == (True, "2026-11-20", 35)


@pytest.mark.parametrize(
    ("game", "won", "said", "next_dealer"),
    [
        ("shirinma", "p5:30", None, "p3"),
        ("shippin", "p5:30", None, "p2"),
        ("kakkuri", "p5:30", None, "p5"),
        ("kakkuri", "p4:10 p5:20", None, "p5"),
        ("kakkuri", "p5:15 p4:15", None, "p2"),
        ("kakkuri", "", None, "p2"),
        ("kakkuri", "p5:30", "p4", "p4"),
    ],
)
def test_after_a_round_known_by_its_totals_the_deal_passes_as_said_or_as_the_game_has_it(
    game: str, won: str, said: str | None, next_dealer: str
) -> None:
    totals = entered("p1:30", won, pot=0 if won else 30, next_dealer=said)
    assert after(table(game, dealer=2), totals).seating.dealer == next_dealer


# --- people ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "event", "seats"),
    [
        (table(seats=3), newcomer(), "p1 p2 p3 p4"),
        (table(seats=3), newcomer(seat=1), "p4 p1 p2 p3"),
        (table(seats=3), newcomer(seat=2), "p1 p4 p2 p3"),
        (table(seats=3), newcomer(seat=4), "p1 p2 p3 p4"),
        (with_players_gone(table(seats=3), "p3"), newcomer(), "p1 p2 p4"),
        (GONE, back("p2"), "p1 p3 p4 p5 p2"),
        (GONE, back("p2", seat=2), "p1 p2 p3 p4 p5"),
        (after(GONE, seated("p5 p4 p3 p1")), back("p2"), "p5 p4 p3 p1 p2"),
        (after(table(), PlayerErased("p2")), seated("p2 p1 p5 p4 p3"), "p2 p1 p5 p4 p3"),
        (with_players_gone(table(seats=2), "p2", "p1"), seated(""), ""),
    ],
)
def test_who_joins_comes_back_or_changes_seats_sits_where_it_is_said_or_last(
    at: Table, event: Event, seats: str
) -> None:
    assert after(at, event).seating.seats == tuple(seats.split())


def test_players_stand_in_the_order_of_their_numbers_and_keep_the_id_that_was_given_then() -> None:
    at = after(table("shirinma"), newcomer("Mio"), newcomer("Nao"))
    assert [player.id for player in at.players] == [f"p{number}" for number in range(1, 15)]
    at = apply(apply(table(seats=2), newcomer("Zoe"), 1, ("p5",)).table, newcomer("Yui"), 1, ("p4",)).table
    assert ([player.id for player in at.players], at.next_number) == (["p1", "p2", "p4", "p5"], 6)
    with pytest.raises(Refused) as refused:
        apply(at, newcomer("Mio"), 1, ("p2",))
    assert (refused.value.code, refused.value.facts) == ("id_is_taken", {"id": "p2"})


def test_who_left_is_still_known_and_comes_back_with_the_name() -> None:
    assert GONE.player("p2") == Player("p2", "Ben", active=False)
    assert after(GONE, back("p2")).player("p2") == Player("p2", "Ben")


def test_when_the_dealer_leaves_the_right_deals_and_at_an_empty_table_the_first_to_sit_down() -> None:
    assert with_players_gone(table(dealer=2), "p2").seating.dealer == "p3"
    assert with_players_gone(table(dealer=5), "p5").seating.dealer == "p1"
    assert with_players_gone(table(dealer=2), "p3").seating.dealer == "p2"
    assert after(with_players_gone(table(seats=2), "p2", "p1"), back("p2"), back("p1")).seating.dealer == "p2"


def test_people_change_seats_and_the_dealer_stays_the_dealer() -> None:
    at = after(table(dealer=2), seated("p3 p1 p5 p2 p4"), OPEN)
    assert at.open_round
    assert (at.open_round.phase.waiting, at.open_round.ground.dealer) == (("p4", "p3", "p1", "p5"), "p2")
    assert after(table(), named("p3")).seating.dealer == "p3"


def test_anyone_can_be_renamed_or_forgotten_at_any_time() -> None:
    at = after(GONE, OPEN, renamed("p2", "Benno"), PlayerErased("p3"), PlayerErased("p4"), renamed("p4", "D."))
    assert [player.name for player in at.players] == ["Aki", "Benno", "p3", "D.", "Emi"]
    assert [player.active for player in at.players] == [True, False, True, True, True]


def test_what_was_mistyped_at_the_opening_is_mended_at_any_time_and_what_is_not_said_stays() -> None:
    yen = ChipValue("JPY", "10")
    for at in (table(name="New yaer"), after(table(name="New yaer"), OPEN), after(table(name="New yaer"), CLOSE)):
        mended = taken(at, SessionDescribed(name="New year"), SessionDescribed(chip_value=yen))
        assert (mended.table, mended.transfers) == (replace(at, name="New year", chip_value=yen), ())
        assert after(at, SessionDescribed(played_on="2026-11-20")) == replace(at, played_on="2026-11-20")
        assert after(at, OddsSwitched(on=True)) == replace(at, odds=True)


def test_rules_that_are_not_named_stay_also_those_of_a_group() -> None:
    at = after(table(rules={"tie": "dealer_wins"}), ruled(bet=50))
    assert (at.rules.bet, at.rules.tie) == (50, "dealer_wins")
    payments = after(table("shirinma"), ruled(payments={"king": 99})).rules.payments
    assert (payments.king, payments.horse) == (99, 20)


@pytest.mark.parametrize("event", [PlayerLeft("p2"), seated("p3 p1 p2 p5 p4"), named("p2"), ruled(bet=2)], ids=str)
def test_what_changes_the_table_ends_a_draw_for_seats(event: Event) -> None:
    assert after(while_drawing(), event).seating.drawing is None


def test_who_joins_ends_a_draw_for_seats_and_so_does_drawing_to_its_end() -> None:
    assert after(table(seats=3), drawn("p1:3 p2:3 p3:5"), newcomer()).seating.drawing is None
    assert after(while_drawing(), drawn("p1:5 p2:4"), OPEN).seating.dealer == "p2"


# --- chips outside the game -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "transfers"),
    [
        (chips(BANK, "p1", 30), moves("bank>p1:30", "buy_in")),
        (chips("p2", BANK, 30), moves("p2>bank:30", "cash_out")),
        (chips("p1", "p2", 30), moves("p1>p2:30", "gift")),
        (SettlementPaid("p2", "p1", 30), moves("p1>p2:30", "settlement_paid")),
        (SettlementPaid(BANK, "p1", 30), moves("p1>bank:30", "settlement_paid")),
        (brought(p1=-30, p2=0, p3=20, p4=10), moves("bank>p3:20 bank>p4:10 p1>bank:30", "brought_forward")),
    ],
)
def test_chips_move_also_during_a_round_and_for_who_has_left(event: Event, transfers: object) -> None:
    """A debt that is paid moves them back the other way: what was won is given up for it."""
    for at in (GONE, after(GONE, OPEN)):
        moved = taken(at, event)
        assert (moved.table, moved.transfers) == (at, transfers)


def test_who_is_not_here_has_balances_too() -> None:
    at = with_players_gone(table(seats=3), "p2")
    gathered = taken(at, brought(p2=5, Zoe=-8, Yui=3))
    assert gathered.transfers == moves("bank>p2:5 bank>p5:3 p4>bank:8", "brought_forward")
    assert gathered.table.players[3:] == (Player("p4", "Zoe", active=False), Player("p5", "Yui", active=False))
    assert gathered.table.seating == at.seating
    assert after(gathered.table, back("p4")).seating.seats == ("p1", "p3", "p4")
    assert apply(at, brought(Zoe=0), 1, ("p9",)).table.players[-1].id == "p9"


@pytest.mark.parametrize(
    ("event", "transfers"),
    [(PotBrought(24), moves("bank>pot:24", "brought_forward")), (chips("p2", POT, 24), moves("p2>pot:24", "fine"))],
)
def test_a_fine_or_a_pot_that_was_brought_is_played_for_and_nobodys_stake(event: Event, transfers: object) -> None:
    """SH-3, SH-15: a refund splits it."""
    laid = taken(table("shirinma"), event)
    assert (laid.transfers, laid.table) == (transfers, replace(table("shirinma"), pot=24))
    assert after(laid.table, event).pot == 48
    at = after(laid.table, *shirinma_round("coins-5"))
    assert (done(at).ground.carried, sum(at.stakes.values())) == (24, at.pot - 24)
    refunds = taken(at, SessionClosed(pot="refund")).transfers
    assert sum(t.amount for t in refunds) == at.pot
    assert [t.amount for t in refunds[-12:]] == [2] * 12
    assert after(laid.table, *shirinma_round()).pot == 0
    assert after(laid.table, *shirinma_round()).stakes == {}


def test_of_the_pot_something_is_given_if_the_table_says_so_and_then_nothing_in_it_is_a_stake() -> None:
    at = after(table("shirinma"), *shirinma_round("coins-5"))
    given = taken(at, overruled(chips(POT, "p2", 7)))
    assert given.transfers == moves("pot>p2:7", "pot_given")
    assert (given.table.pot, given.table.stakes) == (at.pot - 7, {})


# --- closing --------------------------------------------------------------------------------------------------------


def test_of_a_pot_it_is_said_what_becomes_of_it() -> None:
    with pytest.raises(Refused) as refused:
        need_choice(table(carried=8), CLOSE)
    assert (refused.value.code, refused.value.facts) == (
        "pot_is_waiting", {"pot": 8, "choices": ("split", "refund", "bank")}
    )  # fmt: skip
    for at in (table(), after(table("shirinma"), OPEN)):
        need_choice(at, CLOSE)
    need_choice(table(carried=8), SessionClosed(pot="bank"))
    need_choice(table(carried=8), OPEN)


@pytest.mark.parametrize(
    ("at", "how", "transfers"),
    [
        (table(), None, ()),
        (table(), "split", ()),
        (with_players_gone(table(dealer=4, carried=11), "p2"), "split",
         moves("pot>p4:3 pot>p5:3 pot>p1:3 pot>p3:2", "pot_split")),
        (table(dealer=3, carried=2), "split", moves("pot>p3:1 pot>p4:1", "pot_split")),
        (table(seats=2, carried=3), "refund", moves("pot>p1:2 pot>p2:1", "pot_refund")),
        (table(carried=8), "bank", moves("pot>bank:8", "pot_to_bank")),
        *((with_players_gone(table(seats=2, carried=8), "p1", "p2"), how, moves("pot>bank:8", "pot_to_bank"))
          for how in ("split", "refund", "bank")),
    ],
)  # fmt: skip
def test_a_pot_goes_where_it_is_said_and_odd_chips_go_round_from_the_dealer(
    at: Table, how: Any, transfers: object
) -> None:
    closed = taken(at, SessionClosed(pot=how))
    assert closed.transfers == transfers
    assert closed.table == replace(at, pot=0, status="closed")


def test_a_refund_gives_back_what_each_has_at_stake_also_who_has_left() -> None:
    at = with_players_gone(after(table("shirinma"), *shirinma_round("coins-5", bid=("p2", 7))), "p1")
    others = " ".join(f"pot>p{n}:20" for n in range(3, 13))
    closed = taken(at, SessionClosed(pot="refund"))
    assert closed.transfers == moves(f"pot>p1:50 pot>p2:27 {others}", "pot_refund")
    assert (closed.table.pot, closed.table.stakes) == (0, {})


def test_stakes_of_several_rounds_add_up_and_a_voided_round_adds_none() -> None:
    first = after(table("shirinma"), *shirinma_round("coins-5"))
    second = after(first, OPEN, VOID, *shirinma_round("coins-5", first=2))
    assert (first.stakes["p1"], second.stakes["p1"], second.stakes["p2"]) == (50, 70, 70)


def test_once_the_pot_has_paid_somebody_what_is_left_is_nobodys_and_a_refund_splits_it() -> None:
    won = after(table("shirinma", rules={"odd_chip": "carry"}), *shirinma_round(bid=("p2", 5)))
    assert (won.pot, won.stakes) == (1, {})
    forfeited = after(won, *shirinma_round("coins-5", first=2))
    assert (forfeited.pot, sum(forfeited.stakes.values())) == (271, 270)
    refunds = payouts(taken(forfeited, SessionClosed(pot="refund")).transfers)
    assert {payout.player: payout.amount for payout in refunds} == {
        "p1": 20, "p2": 50, "p3": 21, **{f"p{n}": 20 for n in range(4, 13)}
    }  # fmt: skip


def test_three_ones_leave_the_stakes_in_the_pot_as_they_are() -> None:
    at = after(table("kakkuri"), OPEN, StarterRevealed(read("cups-9")), TurnPlayed("p1", count=0))
    assert after(at, VOID, *kakkuri_three_ones("p3")).stakes == {}
    held = after(table("kakkuri"), entered("p4:6", pot=6), *kakkuri_three_ones("p3"))
    assert (held.pot, held.stakes) == (6, {"p4": 6})
    won = after(held, *kakkuri_guri("p3"))
    assert (won.pot, won.stakes) == (0, {})


# --- whatever is malformed ------------------------------------------------------------------------------------------

KNOWN_OR_NEW = "give the name of somebody new, or the id of a player who comes back"
SEVERAL = "1 to 100 corrections are needed"


@pytest.mark.parametrize(
    ("kind", "said", "pointer", "sentence"),
    [
        (PlayerJoined, {}, "", KNOWN_OR_NEW),
        (PlayerJoined, {"name": "Zoe", "player": "p1"}, "", KNOWN_OR_NEW),
        (type(seated("")), {"seats": ("p1", "p2", "p1")}, "/seats/2",
         "everyone has one seat, and this player has two"),
        (SessionDescribed, {"note": "nothing"}, "", "give a name, a chip value, or a day"),
        (EventTakenBack, {"part": 1}, "/seq", "a part is named together with the event that it is a part of"),
        (CorrectionsMade, {"corrections": ()}, "/corrections", SEVERAL),
        (CorrectionsMade, {"corrections": (take_back(1),) * 101}, "/corrections", SEVERAL),
        (CorrectionsMade, {"corrections": (insert(1, OPEN), take_back(), take_back())}, "/corrections/1/seq",
         "among others, the event that is taken back has to be named"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_told_with_its_place(
    kind: type[Event], said: dict[str, Any], pointer: str, sentence: str
) -> None:
    with pytest.raises(Malformed) as info:
        kind(**said)
    (fault,) = info.value.faults
    assert (fault.pointer, render(fault.sentence, "en", {})) == (pointer, sentence)
