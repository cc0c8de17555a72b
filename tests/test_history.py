"""What an evening's record promises: what is reported, corrected, looked back at. Values only; no app, no database.

That any corrections come to what recording right would have come to is shown by chance (`properties/test_corrections`),
and what they look like from outside in `api/test_corrections`.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.accounting.books import BooksDoNotBalance, Entry, audit
from ledger.games import GAMES, shippin
from ledger.games.kakkuri import TurnPlayed
from ledger.games.shippin import BetPlaced
from ledger.games.shirinma import CardDealt, FieldCardRevealed
from ledger.records import replace
from ledger.rulebook.cards import read
from ledger.rulebook.event import Event
from ledger.rulebook.refusal import Refused
from ledger.services.calculation import recalculate
from ledger.session.corrections import CorrectionsMade, EventAmended, EventInserted, EventTakenBack
from ledger.session.events import BalancesBrought, Brought, PlayerErased, PlayerLeft, SessionClosed, SettlementPaid
from ledger.session.history import Session, SessionState
from tests.properties.folding import same
from tests.session.tables import (
    CLOSE,
    LATER_BOOK,
    OPEN,
    REOPEN,
    VOID,
    amend,
    back,
    bets,
    chips,
    entered,
    holding,
    insert,
    kakkuri_guri,
    later,
    named,
    newcomer,
    opening,
    overruled,
    recorded,
    renamed,
    ruled,
    shippin_round,
    shirinma_round,
    state,
    take_back,
)


def given(*amounts: int) -> list[Event]:
    """The bank gives p1 chips, so that the amounts tell which events stand."""
    return [chips("bank", "p1", amount) for amount in amounts]


def amounts(on: SessionState) -> list[int]:
    """The chips that were given, in the order in which they count."""
    said: list[Any] = [step.slot.event for step in on.steps()]
    return [event.amount for event in said]


def together(*corrections: EventAmended | EventInserted | EventTakenBack) -> CorrectionsMade:
    return CorrectionsMade(corrections)


def refused(on: SessionState, *events: Event) -> tuple[str, dict[str, Any]]:
    """The code and the facts with which the last event is refused, after the others."""
    *first, last = events
    with pytest.raises(Refused) as refusal:
        later(on, *first).record(last, 1)
    return refusal.value.code, refusal.value.facts


def conflicts(on: SessionState, *events: Event) -> list[tuple[int, str]]:
    """Which later events would not fit any more, and why."""
    code, facts = refused(on, *events)
    assert code == "later_events_do_not_fit"
    return [(conflict.at.seq, conflict.refusal.code) for conflict in facts["conflicts"]]


def people(on: SessionState) -> dict[str, str]:
    return {player.id: player.name for player in on.table.players}


# --- recording ------------------------------------------------------------------------------------------------------


def test_a_report_gives_another_evening_and_a_refused_one_none() -> None:
    before = later(state(), OPEN)
    stood = (before.seq, before.table, dict(before.balances), before.statuses())
    assert refused(before, OPEN)[0] == "round_is_open"
    assert refused(before, VOID, OPEN, take_back(2))[0] == "later_events_do_not_fit"
    assert recorded(before, *bets("p2:1 p3:2"), take_back(2)).row.seq == 4
    assert (before.seq, before.table, dict(before.balances), before.statuses()) == stood


@pytest.mark.parametrize(
    "event", [*given(5), renamed("p1", "A."), PlayerErased("p1"), SettlementPaid("p1", "p2", 3)], ids=repr
)
def test_what_happens_beside_a_round_is_not_of_it(event: Event) -> None:
    done = recorded(state(), OPEN, event)
    assert done.state.rounds_of_events().get(2) is None
    assert {entry.round for entry in done.entries} <= {None}
    assert [step.slot.seq for step in done.state.steps(1)] == [1]


def test_a_carried_pot_is_the_banks_until_it_is_won() -> None:
    on = state("kakkuri", carried=9)
    assert holding(on) == {"bank": -9, "pot": 9}
    assert holding(later(on, *kakkuri_guri())) == {"bank": -9, "p1": 21, **{f"p{n}": -2 for n in range(2, 8)}}


def test_a_card_seen_before_is_refused_with_the_event_of_this_round_that_showed_it() -> None:
    shown = [*shirinma_round(first=2)[:3], CardDealt("p3", read("cups-12"))]
    code, facts = refused(state("shirinma"), *shirinma_round(), *shown)
    assert (code, facts["first_seen_seq"]) == ("card_already_seen", len(shirinma_round()) + 3)
    ten, eleven = read("cups-10"), read("cups-11")
    first = [*kakkuri_guri()[:2], TurnPlayed("p1", cards=(ten, eleven)), VOID]
    twice = TurnPlayed("p1", cards=(ten, eleven, ten))
    code, facts = refused(state("kakkuri", rules={"sequence": "off"}), *first, *kakkuri_guri()[:2], twice)
    assert (code, "first_seen_seq" in facts) == ("card_already_seen", False)


def test_a_card_in_a_correction_is_seen_where_it_stands_and_as_the_deck_writes_it() -> None:
    """The field card becomes the 7 of Hearts, which is called by its Japanese name, and p1 was dealt it."""
    dealt = [OPEN, FieldCardRevealed(read("swords-1")), CardDealt("p1", read("cups-7"))]
    on = later(state("shirinma", deck="western"), OPEN, VOID, *dealt)
    _, facts = refused(on, amend(4, FieldCardRevealed(read("cups-7"))))
    assert [(each.at.seq, each.refusal.facts["first_seen_seq"]) for each in facts["conflicts"]] == [(5, 4)]
    assert recorded(on, amend(5, CardDealt("p1", read("coins-12")))).row.event == amend(5, CardDealt("p1", read("KD")))
    inserted = recorded(later(on, take_back()), insert(4, CardDealt("p1", read("coins-12"))))
    assert inserted.row.event == insert(4, CardDealt("p1", read("KD")))


def test_a_card_that_a_part_inserted_is_named_with_the_part() -> None:
    dealt = (insert(2, CardDealt("p1", read("coins-4"))), insert(2, CardDealt("p2", read("cups-12"))))
    on = later(state("shirinma"), OPEN, FieldCardRevealed(read("swords-2")), together(*dealt))
    _, facts = refused(on, CardDealt("p3", read("cups-12")))
    assert (facts["first_seen_seq"], facts["first_seen_part"]) == (3, 2)
    assert "first_seen_part" not in refused(on, CardDealt("p3", read("swords-2")))[1]


def test_an_event_after_which_the_books_do_not_balance_is_not_recorded() -> None:
    """A rule book that puts chips on the table which nobody has paid."""

    def conjures(ground: Any) -> Any:
        opening = shippin.open_round(ground)
        return replace(opening, phase=replace(opening.phase, pot=7))

    on = SessionState.opened({1: replace(shippin.BOOK, open_round=conjures)}, opening())
    for event in (OPEN, insert(0, OPEN)):
        with pytest.raises(BooksDoNotBalance, match="the pot on the table holds 7, in the books 0"):
            on.record(event, 1)


# --- taking back ----------------------------------------------------------------------------------------------------


def test_an_undo_takes_back_the_last_that_stands_also_a_correction_and_redoes_nothing() -> None:
    on = later(state(), *given(1, 2, 4), take_back(2), take_back(), *given(8), amend(6, given(9)[0]))
    left = []
    while on.balances["p1"]:
        done = recorded(on, take_back())
        on = done.state
        left.append((done.row.event, amounts(on)))
    assert left == [(take_back(7), [1, 8]), (take_back(6), [1]), (take_back(1), [])]
    assert refused(on, take_back())[0] == "nothing_to_take_back"
    assert amounts(later(on, take_back(10), take_back())) == []


def test_an_event_is_taken_back_from_under_those_that_follow_if_they_fit() -> None:
    same(later(state(), OPEN, *bets("p2:1 p3:2"), take_back(2)), later(state(), OPEN, *bets("p3:2")))
    same(later(state(), *shippin_round(), *[take_back()] * 5), state())
    assert conflicts(state(), *shippin_round(), take_back(1)) == [(seq, "no_round_open") for seq in (2, 3, 4, 5)]


def test_what_is_taken_back_and_restored_has_to_fit_what_was_recorded_since() -> None:
    on = later(state(), OPEN, *bets("p2:1"), take_back(2))
    same(later(on, take_back(3)), later(state(), OPEN, *bets("p2:1")))
    assert conflicts(on, *bets("p2:3"), take_back(3)) == [(4, "already_bet")]


def test_only_an_event_that_is_there_and_stands_can_be_corrected() -> None:
    for correction in (take_back(3), amend(3, OPEN), insert(3, OPEN)):
        assert refused(state(), OPEN, VOID, correction) == ("no_such_event", {"seq": 3, "last": 2})
    for correction in (take_back(1), amend(1, OPEN)):
        assert refused(state(), *given(5), take_back(1), correction) == ("already_taken_back", {"seq": 1})


# --- amending and inserting -----------------------------------------------------------------------------------------


def test_an_amendment_may_be_overruled_and_may_be_another_kind_of_event() -> None:
    on = later(state(), OPEN, *bets("p3:2 p4:1"), *shippin_round("")[1:])
    late = amend(3, BetPlaced("p2", 1))
    assert refused(on, late)[0] == "passed_over"
    on = later(on, replace(late, event=overruled(late.event, "He had called it.")))
    assert on.rounds()[0].overruled == (("bet_placed", "He had called it."),)
    same(later(state(), *given(5), OPEN, amend(1, named("p3"))), later(state(), named("p3"), OPEN))


def test_only_what_is_seen_at_the_table_is_corrected_or_put_in_place_of_it() -> None:
    on = later(state(), *given(5, 1), amend(1, given(6)[0]), take_back(2))
    for seq in (3, 4):
        for correction in (amend(seq, OPEN), insert(seq, OPEN)):
            assert refused(on, correction) == ("is_a_correction", {"seq": seq})
    assert amounts(later(on, insert(1, given(7)[0]), amend(5, given(8)[0]))) == [6, 8]
    for said in (take_back(1), amend(1, OPEN), insert(1, OPEN), together(take_back(1)), PlayerErased("p1")):
        for correction in (amend(1, said), insert(1, said)):
            assert refused(on, correction) == ("not_an_event_of_the_table", {"type": said.type})
        assert refused(on, together(amend(1, said)))[0] == "not_an_event_of_the_table"


def test_of_inserted_events_the_newest_comes_first_and_those_of_one_row_in_their_order() -> None:
    on = later(state(), *given(1, 2), together(insert(1, given(3)[0]), insert(1, given(4)[0])))
    assert amounts(on) == [1, 3, 4, 2]
    assert amounts(later(on, insert(1, given(5)[0]))) == [1, 5, 3, 4, 2]
    assert amounts(later(on, EventInserted(3, given(5)[0], part=1), insert(4, given(6)[0]))) == [1, 3, 5, 6, 4, 2]
    assert amounts(later(on, EventTakenBack(3, part=1), EventInserted(3, given(5)[0], part=1))) == [1, 5, 4, 2]
    assert amounts(later(on, insert(0, given(5)[0]))) == [5, 1, 3, 4, 2]


# --- corrections made together --------------------------------------------------------------------------------------

FIRST, SECOND = read("cups-12"), read("coins-12")
SWAPPED = (amend(3, CardDealt("p1", SECOND)), amend(4, CardDealt("p2", FIRST)))


def two_cards() -> SessionState:
    """A round of Shirinma in which p1 and p2 were dealt a showdown card each."""
    field = FieldCardRevealed(read("swords-2"))
    return later(state("shirinma"), OPEN, field, CardDealt("p1", FIRST), CardDealt("p2", SECOND))


def test_corrections_made_together_are_refused_as_a_whole_and_name_the_part() -> None:
    on, dragon = later(two_cards(), CardDealt("p3", "plain")), read("coins-1")
    for first, second, code in (
        (SWAPPED[0], amend(4, CardDealt("p2", read("swords-2"))), "card_already_seen"),
        (amend(3, CardDealt("p1", dragon)), amend(5, CardDealt("p3", dragon)), "card_already_seen"),
        (SWAPPED[0], amend(9, OPEN), "no_such_event"),
        (SWAPPED[0], take_back(6), "no_such_event"),
        (SWAPPED[0], take_back(3), "corrected_twice"),
    ):
        found, facts = refused(on, together(first, second))
        assert (found, facts["part"]) == (code, 2)


def test_what_one_part_makes_of_an_event_is_there_for_the_next() -> None:
    on = later(state(), *given(1), take_back(1))
    again = amend(1, given(7)[0])
    assert amounts(later(on, together(take_back(2), again))) == [7]
    assert refused(on, together(again, take_back(2))) == ("already_taken_back", {"seq": 1, "part": 1})
    assert amounts(later(on, take_back(2), together(again, insert(1, given(3)[0])))) == [7, 3]


def test_an_inserted_event_is_corrected_by_its_part() -> None:
    on = later(state(), *given(1), together(insert(1, given(3)[0]), amend(1, given(2)[0]), insert(0, given(4)[0])))
    assert amounts(on) == [4, 2, 3]
    amended, gone = later(on, EventAmended(2, given(30)[0], part=1)), later(on, EventTakenBack(2, part=3))
    assert (amounts(amended), amended.statuses()) == ([4, 2, 30], {(1, 0): ("amended", 2), (2, 1): ("amended", 3)})
    assert (amounts(gone), gone.statuses()) == ([2, 3], {(1, 0): ("amended", 2), (2, 3): ("taken_back", 3)})
    taken = ("already_taken_back", {"seq": 2, "inserted_part": 3})
    assert refused(gone, EventAmended(2, given(5)[0], part=3)) == taken
    assert refused(on, take_back(), EventTakenBack(2, part=3)) == taken
    for part in (2, 4):
        assert refused(on, EventTakenBack(2, part=part)) == ("no_such_part", {"seq": 2, "inserted_part": part})
    assert refused(on, EventTakenBack(1, part=1))[0] == "no_such_part"


# --- people who come while the record is corrected ------------------------------------------------------------------


def test_whoever_is_corrected_away_or_in_everybody_keeps_the_id() -> None:
    two = state(seats=2)
    on = later(two, newcomer("Zoe"), newcomer("Yui"), chips("bank", "p4", 7))
    assert people(later(on, take_back(1))) == {"p1": "Aki", "p2": "Ben", "p4": "Yui"}
    assert conflicts(later(on, chips("bank", "p3", 1)), take_back(1)) == [(4, "never_at_the_table")]
    earlier = later(on, insert(0, newcomer("Rin", seat=1)))
    assert (list(people(earlier))[2:], earlier.table.seating.seats[0]) == (["p3", "p4", "p5"], "p5")
    both = later(two, together(insert(0, newcomer("Zoe")), insert(0, newcomer("Yui"))))
    assert list(people(later(both, EventAmended(1, newcomer("Yuki"), part=2))).items())[2:] == [
        ("p3", "Zoe"),
        ("p4", "Yuki"),
    ]


def test_whose_joining_is_amended_keeps_the_id_also_if_they_did_not_join_for_a_while() -> None:
    on = later(state(seats=2), newcomer("Zo"), newcomer("Yui"), amend(1, newcomer("Zoe", seat=1)))
    assert on.table.seating.seats == ("p3", "p1", "p2", "p4")
    again = later(on, amend(1, named("p2")), amend(1, newcomer("Zoé")))
    assert list(people(again).values()) == ["Aki", "Ben", "Zoé", "Yui"]
    came_later = later(state(seats=2), named("p2"), newcomer("Zoe"), amend(1, newcomer("Yui")))
    assert people(later(came_later, amend(1, newcomer("Yuiko"))))["p4"] == "Yuiko"


def test_people_who_are_not_here_keep_the_ids_that_they_were_given() -> None:
    def absent(*names: str) -> BalancesBrought:
        return BalancesBrought(tuple(Brought(name=name, balance=0) for name in names))

    on = later(state(seats=2), absent("Zoe"), newcomer("Gen"), amend(1, absent("Zoé", "Yui")))
    assert people(on) == {"p1": "Aki", "p2": "Ben", "p3": "Zoé", "p4": "Gen", "p5": "Yui"}
    on = later(on, amend(1, absent("Zoe")), amend(1, absent("Zoe", "Yuiko")))
    assert people(on) == {"p1": "Aki", "p2": "Ben", "p3": "Zoe", "p4": "Gen", "p5": "Yuiko"}
    on = later(on, amend(1, absent("Zoe")), amend(1, absent("Zoe", "Yui", "Rin")))
    assert people(on) == {"p1": "Aki", "p2": "Ben", "p3": "Zoe", "p4": "Gen", "p5": "Yui", "p6": "Rin"}


def test_an_id_that_somebody_else_got_since_is_not_given_again() -> None:
    on = later(state(seats=2), newcomer("Zoe"), take_back(1), newcomer("Yui"))
    assert people(on)["p3"] == "Yui"
    assert conflicts(on, take_back(2)) == [(3, "id_is_taken")]


def test_who_comes_back_is_no_newcomer_and_who_was_forgotten_stays_forgotten() -> None:
    on = later(state(), PlayerLeft("p5"), back("p5"), amend(2, back("p5", seat=1)))
    assert (on.table.seating.seats[0], len(on.table.players)) == ("p5", 5)
    on = later(state(), renamed("p1", "Akiko"), PlayerErased("p1"))
    for correction in (take_back(2), take_back(), amend(2, renamed("p1", "Aki"))):
        assert refused(on, correction)[0] == "erased_for_good"
    assert people(later(on, amend(1, renamed("p1", "Aki B."))))["p1"] == "p1"


# --- closing --------------------------------------------------------------------------------------------------------


def test_a_closed_session_is_not_corrected_but_for_what_was_reported_after_closing() -> None:
    on = later(state(), *shippin_round(), CLOSE)
    for correction in (take_back(2), take_back(1), amend(2, BetPlaced("p2", 4)), insert(0, *given(1))):
        assert refused(on, correction)[0] == "session_is_closed"
    same(later(on, amend(2, BetPlaced("p2", 1))), on)  # that says the same again
    assert later(on, REOPEN, take_back(2)).table.status == "open"
    paid = later(on, SettlementPaid("p1", "p2", 1))
    same(later(paid, amend(7, SettlementPaid("p3", "p2", 1)), take_back(8)), paid)


def test_a_correction_can_reopen_a_session_and_not_close_one_on_which_much_rests() -> None:
    same(later(state(carried=8), SessionClosed(pot="split"), take_back()), state(carried=8))
    for correction in (amend(1, *given(1)), insert(1, REOPEN)):
        assert later(state(), CLOSE, correction).table.status == "open"
    assert conflicts(state(), CLOSE, REOPEN, OPEN, take_back(2)) == [(3, "session_is_closed")]


@pytest.mark.parametrize("pot", ["split", "refund", "bank"])
def test_a_closing_that_chose_never_stands_in_the_way_of_a_correction(pot: Any) -> None:
    closed = SessionClosed(pot=pot)
    on = later(state(), entered("p1:8", pot=8), closed, REOPEN)
    assert holding(later(on, amend(1, entered("p1:8", "p2:8")), CLOSE)) == {"p1": -8, "p2": 8}
    larger = later(on, amend(1, entered("p1:15", pot=15)), CLOSE)
    assert holding(larger) == holding(later(state(), entered("p1:15", pot=15), closed))


def test_a_pot_that_a_correction_fills_after_closing_waits_for_the_next_closing() -> None:
    on = later(state(), entered("p1:8", "p2:8"), CLOSE, REOPEN, amend(1, entered("p1:8", pot=8)))
    assert (on.table.pot, refused(on, CLOSE)[0]) == (8, "pot_is_waiting")
    assert holding(later(on, SessionClosed(pot="bank"))) == {"p1": -8, "bank": 8}


# --- the books ------------------------------------------------------------------------------------------------------


def written(*events: Event) -> tuple[list[Entry], SessionState]:
    """Every entry that events add, and the evening after them."""
    on, entries = state(), list[Entry]()
    for event in events:
        done = on.record(event, 1)
        on, entries = done.state, entries + list(done.entries)
    assert audit(entries, on.balances) == ()
    return entries, on


def test_a_correction_reverses_what_no_longer_stands_and_adds_what_does() -> None:
    entries, _ = written(*given(5, 7), amend(1, chips("bank", "p3", 6)))
    assert entries[2:] == [
        Entry(3, 3, None, "p1", "bank", 5, "buy_in", reverses=1),
        Entry(4, 3, None, "bank", "p3", 6, "buy_in", None),
    ]


def test_entries_that_come_out_the_same_stay() -> None:
    """p3 bet on 3, not on 2: only what column 2 moved is reversed; the bet itself and p2's entries stay."""
    done = recorded(state(), *shippin_round("p2:1 p3:2"), amend(3, BetPlaced("p3", 3)))
    moved = [(entry.payer, entry.payee, entry.reason, entry.reverses is not None) for entry in done.entries]
    assert moved == [("p1", "pot", "bet_lost", True), ("pot", "p3", "bet_returned", False)]
    assert recorded(state(), *shippin_round(), amend(3, BetPlaced("p3", 4))).entries == ()


def test_entries_are_reversed_in_the_order_in_which_they_were_written() -> None:
    """p2's bet was inserted before p3's, so it counts first, and its entry was written last."""
    on = later(state(), ruled(bet=5), OPEN, *bets("p3:2"), insert(2, BetPlaced("p2", 1)))
    told = [(e.payer, e.payee, e.amount, e.reverses) for e in recorded(on, amend(1, ruled(bet=7))).entries]
    assert told[:2] == [("pot", "p3", 5, 1), ("pot", "p2", 5, 2)]
    assert told[2:] == [("p2", "pot", 7, None), ("p3", "pot", 7, None)]


def test_nothing_is_reversed_twice_and_an_account_may_end_with_nothing() -> None:
    entries, on = written(*given(5), take_back(1), take_back(2), take_back(3), take_back(4), amend(1, *given(3)))
    assert [entry.reverses for entry in entries] == [None, 1, None, 3, None, 5, None]
    assert holding(on) == {"bank": -3, "p1": 3}
    assert written(*given(5), take_back())[1].balances == {"bank": 0, "p1": 0}


def test_entries_of_a_renumbered_round_are_written_again_under_its_number() -> None:
    entries, on = written(*shippin_round(), insert(0, entered("p1:9", "p2:9")))
    assert {entry.round for entry in entries if entry.reverses} == {1}
    assert {entry.round for entry in entries if entry.seq == 6 and not entry.reverses} == {1, 2}
    assert [on.rounds_of_events().get(seq) for seq in (1, 5, 6, 7, 0)] == [2, 2, 1, None, None]


# --- rule books of several releases ---------------------------------------------------------------------------------


def two_books(**rules: Any) -> SessionState:
    """An evening of a session opened long ago, in a release that has a second rule book of the game."""
    return SessionState.opened({**GAMES["shippin"], 2: LATER_BOOK}, opening(rules=rules))


def under(version: int, on: SessionState, *events: Event) -> SessionState:
    for event in events:
        on = on.record(event, version).state
    return on


def test_a_round_keeps_the_rule_book_and_the_rules_it_was_opened_under() -> None:
    opened = under(1, two_books(bet=2), OPEN)
    on = under(2, opened, *shippin_round("p2:1")[1:], amend(2, BetPlaced("p3", 1)), *shippin_round("p2:1"))
    assert [done.book.version for done in on.rounds()] == [1, 2]
    assert holding(on) == {"p1": -12, "p2": 10, "p3": 2}
    changed = under(2, on, ruled(bet=9), *shippin_round("p2:1"), amend(7, BetPlaced("p3", 1)))
    assert [done.ground.rules.bet for done in changed.rounds()] == [2, 2, 9]
    again = under(2, opened, amend(1, replace(OPEN, note="late")), together(insert(0, OPEN), insert(0, VOID)))
    assert [done.book.version for done in again.rounds()] == [2, 1]


def test_rules_go_over_into_another_rule_book_as_far_as_it_knows_them() -> None:
    on = under(1, two_books(bet=3, tie="dealer_wins"), *shippin_round("p2:1"))
    later_rules = under(2, on, OPEN).rounds()[1].ground.rules
    assert (type(later_rules), later_rules.bet, later_rules.tie) == (LATER_BOOK.rules, 3, "dealer_wins")
    assert later_rules.stakes == "high"
    before = under(2, on, insert(0, ruled(stakes="low", bet=4)))
    assert type(before.rounds()[0].ground.rules) is shippin.Rules
    assert holding(before) == {"p1": -4, "p2": 4}
    done, *_ = recalculate(Session("", opening(), "", before), 1, {"bet": 6})
    assert done.ground.rules == shippin.Rules(bet=6, tie="dealer_wins")
