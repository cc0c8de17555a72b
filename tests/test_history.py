"""One session folded from its log: recording, correcting, looking back. Values only; no app, no database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.books import BooksDoNotBalance, Entry, audit
from ledger.calculation import Calculated, recalculate
from ledger.cards import read
from ledger.games import GAMES, shippin
from ledger.games.kakkuri import TurnPlayed
from ledger.games.shippin import BetPlaced
from ledger.games.shirinma import BidPlaced, BidTooLow, CardDealt, FieldCardRevealed
from ledger.history import (
    Address,
    LaterEventsDoNotFit,
    Recorded,
    Session,
    SessionState,
    closing,
    moments,
    settlement_of,
)
from ledger.play import Event, Over, Refused
from ledger.records import replace
from ledger.session import (
    AlreadyTakenBack,
    BalancesBrought,
    Brought,
    CorrectionsMade,
    ErasedForGood,
    EventAmended,
    EventInserted,
    EventTakenBack,
    IdIsTaken,
    IsACorrection,
    NeverAtTheTable,
    NoSuchEvent,
    NotAnEventOfTheTable,
    NothingToTakeBack,
    PlayerErased,
    PlayerLeft,
    PotBrought,
    PotIsWaiting,
    PotTooLarge,
    RoundIsOpen,
    SessionClosed,
    SessionIsClosed,
    SettlementPaid,
    TotalsDoNotMatch,
)
from tests.session.tables import (
    CLOSE,
    LATER_BOOK,
    OPEN,
    REOPEN,
    TOTAL_LOSS,
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

TWO_ROUNDS = [*shippin_round(), *shippin_round("p2:1 p4:3")]
"""Events 1 to 5 and 6 to 10."""


def books_of(on: SessionState) -> list[Entry]:
    """Every entry that this evening has caused, as the log is lived through again."""
    entries: list[Entry] = []
    stand = on.at(0)
    for row in reversed(list(on.rows())):
        done = stand.record(row.event, row.version)
        stand, entries = done.state, entries + list(done.entries)
    return entries


def standing_entries(on: SessionState) -> Iterator[tuple[int | None, str, str, int, str]]:
    """What the entries that stand move, in order."""
    for slot in on.timeline.slots():
        yield from ((e.round, e.payer, e.payee, e.amount, e.reason) for e in slot.entries)


def same(one: SessionState, other: SessionState) -> bool:
    """Whether two evenings came to the same, however they got there."""
    return (
        one.table == other.table
        and holding(one) == holding(other)
        and one.rounds() == other.rounds()
        and list(standing_entries(one)) == list(standing_entries(other))
    )


def refusal(on: SessionState, *events: Event) -> Refused:
    """The refusal of the last event."""
    *first, last = events
    on = later(on, *first)
    with pytest.raises(Refused) as refused:
        on.record(last, 1)
    return refused.value


def conflicts(on: SessionState, *events: Event) -> list[tuple[int, str]]:
    """Which later events would not fit any more, and why."""
    refused = refusal(on, *events)
    assert isinstance(refused, LaterEventsDoNotFit)
    told: Any = refused.facts["conflicts"]
    return [(conflict.seq, conflict.refusal.code) for conflict in told]


# --- recording ------------------------------------------------------------------------------------------------------


def test_recording_leaves_the_evening_before_as_it_was() -> None:
    before = later(state(), OPEN)
    stood = (before.seq, before.table, dict(before.balances), before.last_entry)
    recorded(before, *bets("p2:1 p3:2"), take_back(1 + 1))
    assert (before.seq, before.table, dict(before.balances), before.last_entry) == stood


def test_a_refused_event_is_not_in_the_log() -> None:
    on = later(state(), OPEN)
    refusal(on, OPEN)
    assert recorded(on, BetPlaced("p2", 1)).row.seq == 2


def test_events_entries_and_rounds_are_numbered_from_one() -> None:
    done = recorded(state("shirinma"), OPEN)
    assert (done.row.seq, done.row.round, done.row.version) == (1, 1, 1)
    assert [entry.id for entry in done.entries] == list(range(1, 13))
    assert {(entry.seq, entry.round) for entry in done.entries} == {(1, 1)}


@pytest.mark.parametrize(
    "event", [chips("bank", "p1", 5), renamed("p1", "A."), PlayerErased("p1"), SettlementPaid("p1", "p2", 3)], ids=repr
)
def test_what_happens_beside_a_round_is_not_of_it(event: Event) -> None:
    done = recorded(state(), OPEN, event)
    assert done.row.round is None
    assert {entry.round for entry in done.entries} <= {None}
    assert [moment.slot.seq for moment in moments(done.state, 1)] == [1]


def test_a_carried_pot_is_the_banks_until_it_is_won() -> None:
    on = state("kakkuri", carried=9)
    assert holding(on) == {"bank": -9, "pot": 9}
    assert holding(later(on, *kakkuri_guri())) == {"bank": -9, "p1": 21, **{f"p{n}": -2 for n in range(2, 8)}}


def test_a_card_seen_before_is_refused_with_the_event_that_showed_it() -> None:
    refused = refusal(state("shirinma"), *shirinma_round()[:-1], CardDealt("p1", read("cups-12")))
    assert refused.code != "card_already_seen"
    shown = [*shirinma_round()[:3], CardDealt("p2", read("cups-12"))]
    refused = refusal(state("shirinma"), *shown)
    assert refused.code == "card_already_seen"
    assert refused.facts["first_seen_seq"] == 3


def test_a_card_of_the_last_round_was_not_seen_in_this_one() -> None:
    on = later(state("shirinma"), *shirinma_round())
    assert later(on, *shirinma_round(first=2)).table.rounds == 2


def test_a_card_named_twice_in_one_turn_was_shown_by_no_event() -> None:
    """Not by one of the round before either, in which it lay on the table as well."""
    first = [*kakkuri_guri()[:2], TurnPlayed("p1", cards=tuple(map(read, ("cups-10", "cups-11")))), VOID]
    twice = TurnPlayed("p1", cards=tuple(map(read, ("cups-10", "cups-11", "cups-10"))))
    refused = refusal(state("kakkuri", rules={"sequence": "off"}), *first, *kakkuri_guri()[:2], twice)
    assert (refused.code, refused.facts.get("first_seen_seq")) == ("card_already_seen", None)


def test_an_event_after_which_the_books_do_not_balance_is_not_recorded() -> None:
    """A rule book that puts chips on the table which nobody has paid."""

    def conjures(ground: Any) -> Any:
        opening = shippin.open_round(ground)
        return replace(opening, phase=replace(opening.phase, pot=7))

    on = SessionState.opened({1: replace(shippin.BOOK, open_round=conjures)}, opening())
    with pytest.raises(BooksDoNotBalance, match="the pot on the table holds 7, in the books 0"):
        on.record(OPEN, 1)


# --- taking back ----------------------------------------------------------------------------------------------------


def test_taking_back_undoes_the_last_event_that_stands() -> None:
    on = later(state(), OPEN, *bets("p2:1 p3:2"))
    once = recorded(on, take_back())
    assert once.row.event == take_back(3)
    assert same(once.state, later(state(), OPEN, *bets("p2:1")))
    twice = recorded(once.state, take_back())
    assert twice.row.event == take_back(2)
    assert same(twice.state, later(state(), OPEN))


def test_taking_back_without_a_number_undoes_a_correction_too() -> None:
    on = later(state(), chips("bank", "p1", 5), amend(1, chips("bank", "p1", 7)), take_back())
    assert holding(on) == {"bank": -5, "p1": 5}
    on = later(state(), chips("bank", "p1", 5), insert(0, chips("bank", "p2", 7)), take_back())
    assert holding(on) == {"bank": -5, "p1": 5}


def test_taking_back_without_a_number_does_not_redo() -> None:
    on = later(state(), chips("bank", "p1", 5), chips("bank", "p2", 7), take_back(), take_back())
    assert holding(on) == {}
    assert isinstance(refusal(on, take_back()), NothingToTakeBack)


def test_taking_back_without_a_number_passes_over_take_backs_and_what_they_took() -> None:
    """Gifts of 1, 2, 4 and 8 chips: whose are left, tells which stand."""
    on = later(state(), *(chips("bank", "p1", amount) for amount in (1, 2, 4)), take_back(), chips("bank", "p1", 8))
    left = []
    for _ in range(3):
        on = later(on, take_back())
        left.append(on.balances["p1"])
    assert left == [3, 1, 0]
    assert isinstance(refusal(on, take_back()), NothingToTakeBack)


def test_taking_back_without_a_number_passes_over_what_was_taken_back_by_number() -> None:
    on = later(state(), *(chips("bank", "p1", amount) for amount in (1, 2, 4)), take_back(2), take_back(), take_back())
    assert holding(on) == {}


def test_taking_back_without_a_number_undoes_what_was_restored_last() -> None:
    on = later(state(), *(chips("bank", "p1", amount) for amount in (1, 2, 4)), take_back(), take_back(4))
    assert on.balances["p1"] == 7
    assert later(on, take_back()).balances["p1"] == 3


def test_an_earlier_event_is_taken_back_from_under_those_that_follow() -> None:
    on = later(state(), OPEN, *bets("p2:1 p3:2"), take_back(2))
    assert same(on, later(state(), OPEN, *bets("p3:2")))


def test_a_finished_round_can_be_taken_back_event_by_event() -> None:
    on = later(state(), *shippin_round(), *([take_back()] * 5))
    assert same(on, state())


def test_taking_back_names_every_later_event_that_would_not_fit() -> None:
    assert conflicts(state(), *shippin_round(), take_back(1)) == [(seq, "no_round_open") for seq in (2, 3, 4, 5)]
    assert conflicts(state(), OPEN, VOID, OPEN, take_back(2)) == [(3, "round_is_open")]


def test_only_an_event_that_is_there_can_be_corrected() -> None:
    for correction in (take_back(3), amend(3, OPEN), insert(3, OPEN)):
        refused = refusal(state(), OPEN, VOID, correction)
        assert (type(refused), refused.facts) == (NoSuchEvent, {"seq": 3, "last": 2})
    assert isinstance(refusal(state(), take_back()), NothingToTakeBack)


def test_an_event_is_taken_back_once() -> None:
    refused = refusal(state(), chips("bank", "p1", 5), take_back(1), take_back(1))
    assert (type(refused), refused.facts) == (AlreadyTakenBack, {"seq": 1})


# --- taking back a take-back ----------------------------------------------------------------------------------------


def test_taking_back_a_take_back_restores_exactly_what_was() -> None:
    on = later(state(), *TWO_ROUNDS)
    undone = later(on, take_back(7))
    assert not same(undone, on)
    redone = later(undone, take_back(11))
    assert same(redone, on)
    assert same(later(redone, take_back(12)), undone)


def test_a_restored_event_has_to_fit_what_was_recorded_since() -> None:
    on = later(state(), OPEN, *bets("p2:1"), take_back(2), *bets("p2:3"))
    assert conflicts(on, take_back(3)) == [(4, "already_bet")]


# --- amending -------------------------------------------------------------------------------------------------------


def test_an_amended_bid_is_paid_in_the_open_round() -> None:
    dealt = shirinma_round(bid=("p2", 5))[:-1]
    on = later(state("shirinma"), *dealt, amend(4, BidPlaced("p3", 8)))
    assert same(on, later(state("shirinma"), *dealt[:3], BidPlaced("p3", 8), *dealt[4:]))


def test_amending_a_finished_round_works_out_anew_all_that_follows() -> None:
    """Round 1 was won by p1; the trump was really a coin, so the pot is carried, and round 2 pays it."""
    rounds = [*shirinma_round(), *shirinma_round(first=2, bid=("p7", 5))]
    trump = len(shirinma_round())
    on = later(state("shirinma"), *rounds)
    assert on.table.pot == 0
    assert [done.ground.carried for done in on.rounds()] == [0, 0]
    forfeited = shirinma_round("coins-5")
    amended = later(on, amend(trump, forfeited[-1]))
    assert [done.ground.carried for done in amended.rounds()] == [0, 270]
    assert [done.phase.outcome.result for done in amended.rounds()] == ["forfeited", "won"]
    assert same(amended, later(state("shirinma"), *forfeited, *rounds[trump:]))


def test_amending_moves_the_deal_on_in_later_rounds() -> None:
    """The dealer of round 1 really lost to all four columns, so p2 deals round 2."""
    lost = shippin_round(**TOTAL_LOSS)
    on = later(state(), *shippin_round(), *shippin_round("p3:1"))
    assert on.rounds()[1].ground.dealer == "p1"
    halfway = later(on, amend(4, lost[3]))
    amended = later(halfway, amend(5, lost[4]))
    assert amended.rounds()[1].ground.dealer == "p2"
    assert same(amended, later(state(), *lost, *shippin_round("p3:1")))


def test_amending_names_every_later_event_that_would_not_fit() -> None:
    dealt = shirinma_round(bid=("p2", 5))
    plain = amend(3, CardDealt("p1", "plain"))
    assert conflicts(state("shirinma"), *dealt, plain)[0] == (4, "no_auction_open")
    assert conflicts(state("shirinma"), *dealt[:4], plain) == [(4, "no_auction_open")]


def test_an_amendment_that_is_not_possible_itself_is_refused_for_that() -> None:
    rules = {"min_bid": 3}
    low = refusal(state("shirinma", rules=rules), *shirinma_round(bid=("p2", 5)), amend(4, BidPlaced("p2", 2)))
    assert (type(low), low.facts) == (BidTooLow, {"at_least": 3})


def test_an_amended_card_that_was_seen_names_the_event_that_showed_it() -> None:
    dealt = [*shirinma_round()[:3], CardDealt("p2", read("cups-11")), *shirinma_round()[4:]]
    seen = refusal(state("shirinma"), *dealt, amend(4, CardDealt("p2", read("cups-12"))))
    assert seen.code == "card_already_seen"
    assert seen.facts["first_seen_seq"] == 3


def test_an_amended_event_can_be_overruled() -> None:
    bets_placed = [OPEN, *bets("p3:2 p4:1"), *shippin_round("")[1:]]
    late = amend(3, BetPlaced("p2", 1))
    assert refusal(state(), *bets_placed, late).code == "passed_over"
    on = later(state(), *bets_placed, replace(late, event=overruled(late.event, "He had called it.")))
    assert on.rounds()[0].overruled == (("bet_placed", "He had called it."),)


def test_a_correction_can_change_what_kind_of_event_it_was() -> None:
    on = later(state(), chips("bank", "p1", 5), OPEN, amend(1, named("p3")))
    assert same(on, later(state(), named("p3"), OPEN))


def test_cards_in_corrections_are_kept_as_the_deck_writes_them() -> None:
    dealt = shirinma_round()
    done = recorded(state("shirinma", deck="western"), *dealt, amend(3, CardDealt("p1", read("coins-12"))))
    assert done.row.event == amend(3, CardDealt("p1", read("KD")))
    done = recorded(state("shirinma", deck="western"), *dealt[:3], insert(3, CardDealt("p2", read("coins-12"))))
    assert done.row.event == insert(3, CardDealt("p2", read("KD")))


def test_a_correction_is_not_amended_but_an_inserted_event_is() -> None:
    on = later(state(), chips("bank", "p1", 5), chips("bank", "p2", 1), amend(1, chips("bank", "p1", 6)), take_back(2))
    for seq in (3, 4):
        refused = refusal(on, amend(seq, OPEN))
        assert (type(refused), refused.facts) == (IsACorrection, {"seq": seq})
        assert isinstance(refusal(on, insert(seq, OPEN)), IsACorrection)
    on = later(on, insert(1, chips("bank", "p2", 7)), amend(5, chips("bank", "p2", 8)))
    assert holding(on) == {"bank": -14, "p1": 6, "p2": 8}


@pytest.mark.parametrize("said", [take_back(1), amend(1, OPEN), insert(1, OPEN), PlayerErased("p1")], ids=repr)
def test_only_what_is_seen_at_the_table_is_put_in_place_of_an_event(said: Event) -> None:
    for correction in (amend(1, said), insert(1, said)):
        refused = refusal(state(), chips("bank", "p1", 5), correction)
        assert (type(refused), refused.facts) == (NotAnEventOfTheTable, {"type": said.type})


def test_an_amendment_can_make_the_pot_too_large() -> None:
    on = later(state("shirinma"), *shirinma_round("coins-5", bid=("p2", 5)))
    refused = refusal(on, amend(4, BidPlaced("p2", 10**9)))
    assert isinstance(refused, LaterEventsDoNotFit)
    assert conflicts(on, amend(4, BidPlaced("p2", 10**9)))[0] == (5, "pot_too_large")
    assert PotTooLarge.__doc__


# --- inserting ------------------------------------------------------------------------------------------------------


def test_a_forgotten_bet_is_inserted_where_it_was_placed() -> None:
    on = later(state(), *shippin_round("p2:1 p4:4"), insert(2, BetPlaced("p3", 2)))
    assert same(on, later(state(), *shippin_round("p2:1 p3:2 p4:4")))


def test_a_forgotten_turn_is_inserted_and_all_turns_after_it_follow() -> None:
    forgot = [*kakkuri_guri(passing="p1 p2 p3", player="p4")]
    without = [*forgot[:3], *forgot[4:]]
    refused = refusal(state("kakkuri"), *without[:3], without[3])
    assert refused.code == "out_of_turn"
    on = later(state("kakkuri"), *forgot[:3], TurnPlayed("p2", count=2), insert(3, renamed("p1", "A.")))
    assert same(on, later(state("kakkuri"), *forgot[:3], renamed("p1", "A."), TurnPlayed("p2", count=2)))


def test_a_forgotten_round_is_inserted_and_later_rounds_are_renumbered() -> None:
    on = later(state(), *TWO_ROUNDS)
    inserted = recorded(on, insert(5, entered("p1:9", "p2:9")))
    assert [done.is_entered for done in inserted.state.rounds()] == [False, True, False]
    assert same(inserted.state, later(state(), *shippin_round(), entered("p1:9", "p2:9"), *TWO_ROUNDS[5:]))
    assert [inserted.state.round_of(seq) for seq in (1, 5, 6, 10, 11)] == [1, 1, 3, 3, 2]


def test_an_inserted_event_that_is_not_possible_is_refused_for_what_it_says() -> None:
    assert isinstance(refusal(state(), *TWO_ROUNDS, insert(2, entered("p1:1", "p2:1"))), RoundIsOpen)
    assert isinstance(refusal(state(), *TWO_ROUNDS, insert(5, entered("p1:1"))), TotalsDoNotMatch)


def test_what_an_inserted_event_makes_impossible_is_named() -> None:
    assert conflicts(state(), OPEN, *bets("p2:1"), VOID, insert(0, PlayerLeft("p2"))) == [(2, "unknown_player")]
    assert conflicts(state(), *TWO_ROUNDS, insert(5, OPEN))[0] == (6, "round_is_open")


# --- people who come while the record is corrected ------------------------------------------------------------------


def test_when_somebody_did_not_join_the_next_to_join_keeps_the_id() -> None:
    on = later(state(seats=2), newcomer("Zoe"), newcomer("Yui"), chips("bank", "p4", 7), take_back(1))
    assert [(player.id, player.name) for player in on.table.players] == [("p1", "Aki"), ("p2", "Ben"), ("p4", "Yui")]
    assert holding(on) == {"bank": -7, "p4": 7}


def test_chips_of_somebody_who_did_not_join_do_not_fall_to_the_next() -> None:
    on = later(state(seats=2), newcomer("Zoe"), newcomer("Yui"), chips("bank", "p3", 7))
    assert conflicts(on, take_back(1)) == [(3, "never_at_the_table")]


def test_when_somebody_joined_before_the_others_keep_their_ids() -> None:
    on = later(state(seats=2), newcomer("Zoe"), chips("bank", "p3", 7), insert(0, newcomer("Yui", seat=1)))
    assert [(player.id, player.name) for player in on.table.players][2:] == [("p3", "Zoe"), ("p4", "Yui")]
    assert on.table.seating.seats == ("p4", "p1", "p2", "p3")
    assert holding(on) == {"bank": -7, "p3": 7}


def test_whose_name_is_amended_keeps_the_id() -> None:
    on = later(state(seats=2), newcomer("Zo"), newcomer("Yui"), amend(1, newcomer("Zoe", seat=1)))
    assert on.table.seating.seats == ("p3", "p1", "p2", "p4")
    again = later(on, amend(1, named("p2")), amend(1, newcomer("Zoé")))
    assert [player.name for player in again.table.players] == ["Aki", "Ben", "Zoé", "Yui"]


def test_who_joins_by_an_amendment_gets_the_next_id_and_keeps_it() -> None:
    on = later(state(seats=2), named("p2"), newcomer("Zoe"), amend(1, newcomer("Yui")))
    assert [(player.id, player.name) for player in on.table.players][2:] == [("p3", "Zoe"), ("p4", "Yui")]
    on = later(on, amend(1, newcomer("Yuiko")))
    assert [(player.id, player.name) for player in on.table.players][2:] == [("p3", "Zoe"), ("p4", "Yuiko")]


def test_an_id_that_somebody_else_got_since_is_not_given_again() -> None:
    on = later(state(seats=2), newcomer("Zoe"), take_back(1), newcomer("Yui"))
    assert on.table.player("p3") == replace(on.table.players[2], name="Yui")
    assert conflicts(on, take_back(2)) == [(3, "id_is_taken")]
    assert IdIsTaken.__doc__


def test_people_who_are_not_here_keep_the_ids_that_they_were_given() -> None:
    def absent(*names: str) -> BalancesBrought:
        return BalancesBrought(tuple(Brought(name=name, balance=0) for name in names))

    on = later(state(seats=2), absent("Zoe"), newcomer("Ben"), chips("bank", "p4", 7), amend(1, absent("Zoé", "Yui")))
    called = {player.id: player.name for player in on.table.players[2:]}
    assert (called, holding(on)) == ({"p3": "Zoé", "p4": "Ben", "p5": "Yui"}, {"p4": 7, "bank": -7})
    on = later(on, amend(1, absent("Zoe")), amend(1, absent("Zoe", "Yuiko", "Gen")))
    assert [player.name for player in on.table.players[2:]] == ["Zoe", "Ben", "Yuiko", "Gen"]


def test_who_comes_back_is_no_newcomer() -> None:
    on = later(state(), PlayerLeft("p5"), back("p5"), amend(2, back("p5", seat=1)))
    assert on.table.seating.seats == ("p5", "p1", "p2", "p3", "p4")
    assert on.log.row(on.seq).newcomers == ()


def test_who_was_forgotten_stays_forgotten() -> None:
    on = later(state(), PlayerErased("p1"))
    for correction in (take_back(1), take_back(), amend(1, renamed("p1", "Aki"))):
        assert isinstance(refusal(on, correction), ErasedForGood)
    assert later(on, renamed("p1", "A.")).table.players[0].name == "A."


def test_naming_somebody_before_they_were_forgotten_names_nobody() -> None:
    on = later(state(), renamed("p1", "Akiko"), PlayerErased("p1"), amend(1, renamed("p1", "Aki B.")))
    assert on.table.players[0].name == "p1"


# --- closing --------------------------------------------------------------------------------------------------------


def test_taking_back_the_closing_undoes_what_was_paid_out_too() -> None:
    on = later(state(carried=8), SessionClosed(pot="split"))
    assert on.table.pot == 0
    assert same(later(on, take_back()), state(carried=8))


def test_a_closed_session_is_not_corrected() -> None:
    on = later(state(), *shippin_round(), CLOSE)
    for correction in (take_back(2), take_back(1), amend(2, BetPlaced("p2", 4)), insert(0, chips("bank", "p1", 1))):
        assert isinstance(refusal(on, correction), SessionIsClosed)
    assert isinstance(refusal(on, amend(6, SessionClosed(pot="bank"))), Refused)
    assert later(on, REOPEN, take_back(2)).table.status == "open"


def test_an_amendment_that_says_the_same_again_changes_nothing_also_of_a_closed_session() -> None:
    """Whether what is said is the same object or a copy read from the log makes no difference."""
    on = later(state(), *shippin_round(), CLOSE)
    said = next(slot for slot in on.timeline.slots() if slot.seq == 2)
    assert isinstance(said.event, BetPlaced)
    for again in (said.event, replace(said.event)):
        assert same(later(on, amend(2, again)), on)


def test_a_session_can_be_reopened_by_a_correction() -> None:
    on = later(state(), CLOSE)
    assert later(on, amend(1, chips("bank", "p1", 1))).table.status == "open"
    assert later(on, insert(1, REOPEN)).table.status == "open"


def test_a_reopening_that_much_rests_on_stays() -> None:
    assert conflicts(state(), CLOSE, REOPEN, OPEN, take_back(2)) == [(3, "session_is_closed")]


CHOICES = [SessionClosed(pot="split"), SessionClosed(pot="refund"), SessionClosed(pot="bank")]


@pytest.mark.parametrize("closed", CHOICES, ids=lambda closed: closed.pot)
def test_a_closing_that_chose_never_stands_in_the_way_of_a_correction(closed: SessionClosed) -> None:
    on = later(state(), entered("p1:8", pot=8), closed, REOPEN)
    emptied = later(on, amend(1, entered("p1:8", "p2:8")), CLOSE)
    assert holding(emptied) == {"p1": -8, "p2": 8}
    larger = later(on, amend(1, entered("p1:15", pot=15)), CLOSE)
    assert holding(larger) == holding(later(state(), entered("p1:15", pot=15), closed))


def test_a_pot_that_a_correction_fills_after_closing_waits_for_the_next_closing() -> None:
    on = later(state(), entered("p1:8", "p2:8"), CLOSE, REOPEN, amend(1, entered("p1:8", pot=8)))
    assert on.table.pot == 8
    assert isinstance(refusal(on, CLOSE), PotIsWaiting)
    assert holding(later(on, SessionClosed(pot="bank"))) == {"p1": -8, "bank": 8}


def test_a_payment_made_after_closing_can_be_corrected() -> None:
    on = later(state(), *shippin_round(), CLOSE, SettlementPaid("p1", "p2", 1))
    assert holding(later(on, take_back())) == holding(later(state(), *shippin_round()))
    assert same(later(on, amend(7, SettlementPaid("p3", "p2", 1)), take_back(8)), on)


def test_chips_that_came_back_to_the_bank_are_held_against_those_it_gave_out() -> None:
    bought = later(state(), chips("bank", "p1", 50), chips("bank", "p2", 30))
    assert closing(bought) is None
    few = closing(later(bought, chips("p1", "bank", 70), CLOSE))
    many = closing(later(bought, chips("p1", "bank", 85), CLOSE))
    assert few is not None
    assert many is not None
    assert (few, few.difference) == ((80, 70, 0), 10)
    assert (many, many.difference) == ((80, 85, 0), -5)
    assert (few.sentence.facts["off"], few.sentence.text.endswith(" too few.")) == (10, True)
    assert (many.sentence.facts["off"], many.sentence.text.endswith(" too many.")) == (5, True)
    assert closing(later(bought, chips("p1", "bank", 80), CLOSE)) is None


def test_a_pot_that_went_to_the_bank_has_come_back_and_debts_are_no_chips() -> None:
    carried = [*kakkuri_guri("p2", passing="p1")[:3], VOID, entered("p1:9", pot=9)]
    brought = BalancesBrought((Brought(player="p1", balance=-30), Brought(player="p2", balance=30)))
    on = later(state("kakkuri"), brought, chips("bank", "p1", 9), *carried, SettlementPaid("p1", "p2", 40))
    assert closing(later(on, SessionClosed(pot="bank"))) is None
    assert closing(later(on, SessionClosed(pot="bank"), SettlementPaid("p2", "bank", 4))) is None


def test_balances_brought_along_are_no_chips() -> None:
    brought = BalancesBrought((Brought(player="p1", balance=40), Brought(player="p2", balance=-40)))
    assert closing(later(state(), brought, CLOSE)) is None
    assert closing(later(state(), brought, chips("bank", "p3", 9), CLOSE)) == (9, 0, 0)


def test_a_pot_brought_along_is_chips_that_the_bank_gave_out() -> None:
    won = later(state(), PotBrought(30), entered(won="p2:30"))
    assert closing(later(won, CLOSE)) is None
    bought = chips("bank", "p1", 100), chips("p1", "bank", 100)
    assert closing(later(won, *bought, CLOSE)) == (130, 100, 0)
    assert closing(later(won, chips("p2", "bank", 30), CLOSE)) is None
    assert closing(later(won, take_back(2), take_back(1), CLOSE)) is None


# --- who pays whom --------------------------------------------------------------------------------------------------

OWING = [chips("p1", "p3", 10), chips("p2", "p4", 10)]
"""p1 pays p3 and p2 pays p4."""


def owed(on: SessionState, via: str | None = None) -> tuple[str, bool]:
    """What is still to be paid, and whether it is sure that fewer payments will not do."""
    settlement = settlement_of(on, via)
    return " ".join(f"{payer}>{payee}:{amount}" for payer, payee, amount in settlement.payments), settlement.exact


def test_what_was_paid_as_said_is_struck_out() -> None:
    on = later(state(), *OWING)
    assert owed(on) == ("p1>p3:10 p2>p4:10", True)
    assert owed(later(on, SettlementPaid("p1", "p3", 4))) == ("p1>p3:6 p2>p4:10", False)
    assert owed(later(on, SettlementPaid("p1", "p3", 10))) == ("p2>p4:10", True)
    assert owed(later(on, SettlementPaid("p1", "p3", 10)), via="p4") == ("p2>p4:10", True)


def test_payments_count_in_the_order_in_which_they_were_made() -> None:
    """p1 pays somebody else, so the rest is settled anew, and of that a part is paid; not the other way round."""
    on = later(state(), *OWING, SettlementPaid("p1", "p4", 10), SettlementPaid("p2", "p3", 4))
    assert owed(on) == ("p2>p3:6", False)


def test_once_chips_move_again_everything_is_settled_anew() -> None:
    on = later(state(), *OWING, SettlementPaid("p1", "p3", 4), chips("p1", "p3", 1))
    assert owed(on) == ("p1>p3:7 p2>p4:10", True)
    assert owed(later(on, SettlementPaid("p2", "p4", 10), renamed("p1", "A."))) == ("p1>p3:7", True)


def test_the_bank_and_the_pot_are_settled_with_too() -> None:
    on = later(state("kakkuri", carried=9), chips("bank", "p1", 5))
    assert owed(on) == ("bank>p1:5 bank>pot:9", True)


def test_an_event_that_counts_again_is_in_the_round_that_it_is_in_now() -> None:
    """It left the first round when it was taken back; since it came back, a round was inserted before it."""
    on = later(state(), entered("p1:9", "p2:9"), take_back(1))
    assert on.round_of(1) == 1
    on = later(on, take_back(2), insert(0, entered("p3:5", "p2:5")))
    assert (on.round_of(1), on.round_of(4)) == (2, 1)


def test_of_several_events_the_one_that_is_refused_is_named_by_its_place() -> None:
    reports = [(event, 1) for event in (OPEN, *bets("p2:1"), OPEN)]
    for first in (0, 5):
        with pytest.raises(Refused) as refused:
            list(state().record_all(reports, first))
        assert (refused.value.code, refused.value.facts["index"]) == ("round_is_open", first + 2)


# --- the books ------------------------------------------------------------------------------------------------------


def test_a_correction_reverses_what_no_longer_stands_and_adds_what_does() -> None:
    on = later(state(), chips("bank", "p1", 5), chips("bank", "p2", 7))
    done = recorded(on, amend(1, chips("bank", "p3", 6)))
    assert done.entries == (
        Entry(3, 3, None, "p1", "bank", 5, "buy_in", reverses=1),
        Entry(4, 3, None, "bank", "p3", 6, "buy_in"),
    )


def test_entries_that_come_out_the_same_stay() -> None:
    """p3 bet on 4, not on 2: only what column 2 moved is reversed; the bet itself and p2's entries stay."""
    on = later(state(), *shippin_round("p2:1 p3:2"))
    done = recorded(on, amend(3, BetPlaced("p3", 1 + 2)))
    moved = [(entry.payer, entry.payee, entry.reason, entry.reverses is not None) for entry in done.entries]
    assert moved == [("p1", "pot", "bet_lost", True), ("pot", "p3", "bet_returned", False)]


def test_entries_are_reversed_in_the_order_in_which_they_were_written() -> None:
    """p2's bet was inserted before p3's, so it counts first, and its entry was written last."""
    on = later(state(), ruled(bet=5), OPEN, *bets("p3:2"), insert(2, BetPlaced("p2", 1)))
    done = recorded(on, amend(1, ruled(bet=7)))
    assert [(e.payer, e.amount, e.reverses) for e in done.entries] == [
        ("pot", 5, 1),
        ("pot", 5, 2),
        ("p2", 7, None),
        ("p3", 7, None),
    ]
    assert [e.payee for e in done.entries[:2]] == ["p3", "p2"]


def test_a_correction_that_changes_no_chips_has_no_entries() -> None:
    assert recorded(state(), *shippin_round(), amend(3, BetPlaced("p3", 4))).entries == ()


def test_nothing_is_reversed_twice() -> None:
    on = state()
    for event in (chips("bank", "p1", 5), take_back(1), take_back(2), take_back(3), amend(1, chips("p1", "p2", 3))):
        on = later(on, event) if not isinstance(event, type(amend(1, OPEN))) else later(on, take_back(4), event)
    entries = books_of(on)
    reversed_ids = [entry.reverses for entry in entries if entry.reverses]
    assert len(reversed_ids) == len(set(reversed_ids)) == 3
    assert audit(entries, on.balances) == ()
    assert holding(on) == {"p1": -3, "p2": 3}


def test_an_account_whose_entries_were_all_reversed_holds_nothing() -> None:
    on = later(state(), chips("bank", "p3", 5), take_back())
    assert on.balances == {"bank": 0, "p3": 0}
    assert audit(books_of(on), on.balances) == ()


def test_entries_of_a_renumbered_round_are_written_again_under_its_number() -> None:
    done = recorded(state(), *shippin_round(), insert(0, entered("p1:9", "p2:9")))
    assert {entry.round for entry in done.entries if entry.reverses} == {1}
    added = [entry for entry in done.entries if not entry.reverses]
    assert sorted({entry.round for entry in added if entry.round is not None}) == [1, 2]
    assert audit(books_of(done.state), done.state.balances) == ()


def test_a_refused_correction_changes_nothing() -> None:
    on = later(state(), *TWO_ROUNDS)
    stood = (on.seq, on.table, dict(on.balances), on.last_entry, statuses(on))
    refusal(on, take_back(1))
    assert (on.seq, on.table, dict(on.balances), on.last_entry, statuses(on)) == stood


# --- what became of events ------------------------------------------------------------------------------------------


def statuses(on: SessionState) -> dict[int, tuple[str, int]]:
    """What became of the rows of a log."""
    told = {row.seq: on.statuses(row.seq).get(Address(row.seq)) for row in on.rows()}
    return {seq: (became.status, became.correction) for seq, became in told.items() if became}


def test_what_became_of_an_event_is_known_with_the_correction_that_did_it() -> None:
    moved = [chips("bank", f"p{n}", n) for n in (1, 2, 3)]
    on = later(state(), *moved, take_back(1), amend(2, chips("bank", "p2", 4)))
    assert statuses(on) == {1: ("taken_back", 4), 2: ("amended", 5)}


def test_an_amended_event_that_is_taken_back_is_taken_back() -> None:
    on = later(state(), chips("bank", "p1", 1), amend(1, chips("bank", "p1", 2)), take_back(1))
    assert statuses(on) == {1: ("taken_back", 3)}


def test_a_correction_that_is_taken_back_leaves_its_event_standing() -> None:
    on = later(state(), chips("bank", "p1", 1), amend(1, chips("bank", "p1", 2)), take_back(2))
    assert statuses(on) == {2: ("taken_back", 3)}
    on = later(state(), chips("bank", "p1", 1), take_back(1), take_back(2))
    assert statuses(on) == {2: ("taken_back", 3)}


# --- looking back ---------------------------------------------------------------------------------------------------


def test_an_evening_can_be_seen_as_it_stood_at_any_event() -> None:
    events = [
        *shippin_round(),
        chips("bank", "p1", 5),
        amend(2, BetPlaced("p2", 4)),
        *shippin_round("p3:1"),
        take_back(6),
    ]
    stands = [state()]
    for event in events:
        stands.append(later(stands[-1], event))
    for seq, stand in enumerate(stands):
        seen = stands[-1].at(seq)
        assert seen.seq == seq
        assert same(seen, stand)
        assert (dict(seen.balances), seen.last_entry) == (dict(stand.balances), stand.last_entry)


def test_at_an_earlier_event_nothing_is_known_of_later_corrections() -> None:
    on = later(state(), chips("bank", "p1", 5), amend(1, chips("bank", "p1", 6)))
    assert holding(on.at(1)) == {"bank": -5, "p1": 5}
    assert statuses(on.at(1)) == {}


def test_a_round_can_be_gone_through_step_by_step() -> None:
    on = later(state(), *shippin_round(), chips("bank", "p1", 9), *shippin_round("p4:3"))
    steps = list(moments(on, 2))
    assert [(step.slot.seq, step.slot.event.type) for step in steps] == [
        (7, "round_opened"),
        (8, "bet_placed"),
        (9, "second_cards_dealt"),
        (10, "first_cards_revealed"),
    ]
    assert [step.after.pot for step in steps] == [0, 1, 1, 0]


def test_the_steps_of_a_corrected_round_are_those_that_count() -> None:
    on = later(state(), *shippin_round("p2:1 p4:4"), insert(2, BetPlaced("p3", 2)), take_back(3))
    assert [moment.slot.seq for moment in moments(on, 1)] == [1, 2, 6, 4, 5]


def test_rounds_ended_by_events_are_told_with_them() -> None:
    on = later(state(), *shippin_round(), chips("bank", "p1", 1))
    assert [done.number for done in on.ended_since(5)] == [1]
    assert on.ended_since(6) == []
    assert on.ended_since(1) == on.rounds()


# --- other house rules ----------------------------------------------------------------------------------------------


def paid_under(number: int, on: SessionState, switches: dict[str, Any]) -> Calculated:
    """A recorded round, paid under other house rules."""
    return recalculate(Session("", opening(), "", on), number, switches)


def test_a_recorded_round_can_be_paid_under_other_rules() -> None:
    on = later(state(), *shippin_round("p2:1 p3:2 p4:3"))
    done, entries, balances, _ = paid_under(1, on, {"bet": 50, "tie": "dealer_wins"})
    assert (done.ground.rules.bet, done.number) == (50, 1)
    assert {player: chips for player, chips in balances.items() if chips} == {"p1": 50, "p2": 50, "p3": -50, "p4": -50}
    assert [entry.id for entry in entries] == list(range(1, len(entries) + 1))
    assert holding(on) == {"p2": 1, "p3": -1}


def test_the_carried_pot_is_paid_under_other_rules_too() -> None:
    on = later(state("shirinma"), *shirinma_round("coins-5"), *shirinma_round(first=2))
    same_rules, _, balances, _ = paid_under(2, on, {})
    assert isinstance(same_rules.phase, Over)
    assert same_rules == on.rounds()[1]
    assert balances["p2"] == 540 - 50


def test_a_round_that_other_rules_do_not_allow_is_refused() -> None:
    on = later(state("shirinma"), *shirinma_round(bid=("p2", 5)))
    with pytest.raises(BidTooLow):
        paid_under(1, on, {"min_bid": 6})


# --- what a round keeps ---------------------------------------------------------------------------------------------


def two_books(**rules: Any) -> SessionState:
    """An evening of a session opened long ago, in a release that has a second rule book of the game."""
    return SessionState.opened({**GAMES["shippin"], 2: LATER_BOOK}, opening(rules=rules))


def recorded_under(version: int, on: SessionState, *events: Event) -> Recorded:
    *first, last = events
    for event in first:
        on = on.record(event, version).state
    return on.record(last, version)


def test_a_round_keeps_the_rule_book_it_was_opened_under() -> None:
    opened = recorded_under(1, two_books(bet=2), OPEN).state
    done = recorded_under(2, opened, *shippin_round("p2:1")[1:])
    assert [done.book.version for done in done.state.rounds()] == [1]
    assert holding(done.state) == {"p1": -2, "p2": 2}
    fresh = recorded_under(2, done.state, *shippin_round("p2:1")).state
    assert [done.book.version for done in fresh.rounds()] == [1, 2]
    assert holding(fresh) == {"p1": -12, "p2": 12}


def test_an_amended_round_keeps_the_rule_book_it_was_opened_under() -> None:
    on = recorded_under(1, two_books(), *shippin_round("p2:1")).state
    amended = on.record(amend(2, BetPlaced("p3", 1)), 2).state
    assert [done.book.version for done in amended.rounds()] == [1]
    assert holding(amended) == {"p1": -1, "p3": 1}


def test_a_round_opened_by_an_insertion_is_opened_under_todays_rule_book() -> None:
    on = two_books().record(insert(0, OPEN), 2).state
    assert [done.book.version for done in on.rounds()] == [2]


def test_house_rules_go_over_into_a_later_rule_book_and_new_ones_take_their_defaults() -> None:
    on = recorded_under(1, two_books(bet=3, tie="dealer_wins"), *shippin_round()).state
    later_round = recorded_under(2, on, OPEN).state
    rules = later_round.rounds()[1].ground.rules
    assert type(rules) is LATER_BOOK.rules
    assert (rules.bet, rules.tie, rules.stakes) == (3, "dealer_wins", "high")
    assert type(later_round.rounds()[0].ground.rules) is shippin.Rules


def test_new_switches_can_be_set_in_an_old_session() -> None:
    on = two_books(bet=3).record(ruled(stakes="low"), 2).state
    assert (on.table.rules.bet, on.table.rules.stakes) == (3, "low")
    assert recorded_under(2, on, OPEN).state.rounds()[0].ground.rules.stakes == "low"


def test_rules_set_under_a_later_rule_book_serve_an_earlier_round_as_far_as_it_knows_them() -> None:
    on = recorded_under(1, two_books(), *shippin_round("p2:1")).state
    before = on.record(insert(0, ruled(stakes="low", bet=4)), 2).state
    assert type(before.rounds()[0].ground.rules) is shippin.Rules
    assert holding(before) == {"p1": -4, "p2": 4}
    done, *_ = paid_under(1, before, {"bet": 6})
    assert done.ground.rules == shippin.Rules(bet=6)


def test_a_round_under_a_later_rule_book_can_be_paid_under_its_new_switches() -> None:
    on = recorded_under(2, two_books(bet=3), *shippin_round("p2:1")).state
    done, _, balances, _ = paid_under(1, on, {"stakes": "low"})
    assert (done.ground.rules.bet, done.ground.rules.stakes, balances["p2"]) == (3, "low", 15)


def test_a_round_keeps_the_rules_it_was_opened_with() -> None:
    on = later(state(), *shippin_round("p2:1"), ruled(bet=9), *shippin_round("p2:1"))
    assert [done.ground.rules.bet for done in on.rounds()] == [1, 9]
    assert holding(on) == {"p1": -10, "p2": 10}


def test_rules_changed_later_leave_an_amended_round_under_its_own() -> None:
    on = later(state(), *shippin_round("p2:1"), ruled(bet=9), amend(2, BetPlaced("p3", 1)))
    assert holding(on) == {"p1": -1, "p3": 1}


def test_an_id_that_nobody_has_is_not_guessed() -> None:
    assert isinstance(refusal(state(), chips("bank", "p9", 1)), NeverAtTheTable)


# --- corrections made together --------------------------------------------------------------------------------------


def together(*corrections: EventAmended | EventInserted | EventTakenBack) -> CorrectionsMade:
    return CorrectionsMade(corrections)


def two_cards() -> SessionState:
    """A round of Shirinma in which p1 and p2 were dealt a showdown card each."""
    field, first, second = FieldCardRevealed(read("swords-2")), read("cups-12"), read("coins-12")
    return later(state("shirinma"), OPEN, field, CardDealt("p1", first), CardDealt("p2", second))


SWAPPED = (amend(3, CardDealt("p1", read("coins-12"))), amend(4, CardDealt("p2", read("cups-12"))))


def test_two_cards_that_were_swapped_are_put_right_together() -> None:
    on = two_cards()
    assert conflicts(on, SWAPPED[0]) == [(4, "card_already_seen")]
    swapped = recorded(on, together(*SWAPPED)).state
    field, first, second = FieldCardRevealed(read("swords-2")), read("cups-12"), read("coins-12")
    assert same(swapped, later(state("shirinma"), OPEN, field, CardDealt("p1", second), CardDealt("p2", first)))
    assert swapped.seq == 5
    assert same(later(swapped, take_back(5)), on)


def test_corrections_made_together_are_refused_as_a_whole_and_name_the_part() -> None:
    on = two_cards()
    refused = refusal(on, together(SWAPPED[0], amend(4, CardDealt("p2", read("swords-2")))))
    assert (refused.code, refused.facts["part"], refused.facts["first_seen_seq"]) == ("card_already_seen", 2, 2)
    refused = refusal(on, together(SWAPPED[0], amend(9, CardDealt("p2", read("swords-2")))))
    assert (refused.code, refused.facts["part"]) == ("no_such_event", 2)
    assert refusal(on, together(take_back(2), take_back(5))).code == "no_such_event"


def test_a_card_that_was_inserted_together_with_others_is_named_with_its_part() -> None:
    dealt = (insert(2, CardDealt("p1", read("coins-4"))), insert(2, CardDealt("p2", read("cups-12"))))
    on = later(state("shirinma"), OPEN, FieldCardRevealed(read("swords-2")), together(*dealt))
    refused = refusal(on, CardDealt("p3", read("cups-12")))
    assert (refused.facts["first_seen_seq"], refused.facts["first_seen_part"]) == (3, 2)
    assert "first_seen_part" not in refusal(on, CardDealt("p3", read("swords-2"))).facts


def test_what_one_part_makes_of_an_event_can_stand_in_the_way_of_another() -> None:
    """p1's card becomes the Dragon; what p3 was dealt becomes the same, two events later."""
    on = later(two_cards(), CardDealt("p3", "plain"))
    dragon = read("coins-1")
    refused = refusal(on, together(amend(3, CardDealt("p1", dragon)), amend(5, CardDealt("p3", dragon))))
    assert (refused.code, refused.facts["part"], refused.facts["first_seen_seq"]) == ("card_already_seen", 2, 3)


def test_an_event_is_corrected_once_among_corrections_made_together() -> None:
    on = later(state(), chips("bank", "p1", 1))
    twice = (amend(1, chips("bank", "p1", 2)), take_back(1))
    refused = refusal(on, together(*twice))
    assert (refused.code, refused.facts) == ("corrected_twice", {"seq": 1, "part": 2})
    assert holding(later(on, together(twice[0], insert(1, chips("bank", "p2", 3))))) == {"bank": -5, "p1": 2, "p2": 3}


def test_parts_apply_in_order() -> None:
    on = later(state(), chips("bank", "p1", 1), take_back(1))
    again = amend(1, chips("bank", "p1", 7))
    assert holding(later(on, together(take_back(2), again))) == {"bank": -7, "p1": 7}
    assert refusal(on, together(again, take_back(2))).code == "already_taken_back"


def test_events_inserted_after_the_same_one_stand_in_the_order_given() -> None:
    on = later(state(), chips("bank", "p1", 1), chips("bank", "p1", 2))
    on = later(on, together(insert(1, chips("bank", "p2", 3)), insert(1, chips("bank", "p3", 4))))
    on = later(on, insert(1, chips("bank", "p4", 5)))
    assert [slot.at for slot in on.timeline.slots()] == [(1, 0), (4, 0), (3, 1), (3, 2), (2, 0)]


def test_an_inserted_event_is_corrected_by_its_part() -> None:
    on = later(state(), chips("bank", "p1", 1))
    on = later(on, together(insert(1, chips("bank", "p2", 3)), insert(0, chips("bank", "p3", 4))))
    amended = recorded(on, EventAmended(2, chips("bank", "p2", 30), part=1))
    assert holding(amended.state) == {"bank": -35, "p1": 1, "p2": 30, "p3": 4}
    assert [entry.part for entry in amended.entries] == [None, None]
    gone = later(on, EventTakenBack(2, part=2))
    assert holding(gone) == {"bank": -4, "p1": 1, "p2": 3}
    assert refusal(gone, EventAmended(2, chips("bank", "p3", 5), part=2)).code == "already_taken_back"
    assert [slot.at for slot in later(on, EventInserted(2, chips("bank", "p5", 5), part=2)).timeline.slots()] == [
        (2, 2),
        (3, 0),
        (1, 0),
        (2, 1),
    ]
    assert gone.statuses(2)[Address(2, 2)] == ("taken_back", 3)
    assert amended.state.statuses(2)[Address(2, 1)] == ("amended", 3)


def test_entries_and_conflicts_name_the_part_that_inserted_an_event() -> None:
    on = later(state(seats=3), chips("bank", "p1", 1))
    made = recorded(on, together(insert(1, newcomer("Zoe")), insert(1, chips("bank", "p4", 3))))
    assert [(entry.seq, entry.part, entry.payee) for entry in made.entries] == [(2, 2, "p4")]
    refused = refusal(made.state, EventTakenBack(2, part=1))
    assert isinstance(refused, LaterEventsDoNotFit)
    told: Any = refused.facts["conflicts"]
    assert [(conflict.seq, conflict.part, conflict.refusal.code) for conflict in told] == [(2, 2, "never_at_the_table")]


def test_what_is_no_inserted_event_has_no_part() -> None:
    on = later(state(), chips("bank", "p1", 1), together(amend(1, chips("bank", "p1", 2))))
    for part in (1, 2):
        refused = refusal(on, EventTakenBack(2, part=part))
        assert (refused.code, refused.facts) == ("no_such_part", {"seq": 2, "inserted_part": part})
    assert refusal(on, EventTakenBack(1, part=1)).code == "no_such_part"
    assert refusal(on, EventAmended(2, chips("bank", "p1", 2))).code == "is_a_correction"
    assert refusal(on, insert(2, chips("bank", "p1", 2))).code == "is_a_correction"


def test_corrections_made_together_are_taken_back_as_one_and_restored_as_one() -> None:
    on = later(state(), chips("bank", "p1", 1), chips("bank", "p2", 2))
    made = later(on, together(take_back(1), amend(2, chips("bank", "p2", 5)), insert(0, chips("bank", "p3", 7))))
    assert holding(made) == {"bank": -12, "p2": 5, "p3": 7}
    undone = later(made, take_back())
    assert same(undone, on)
    assert same(later(undone, take_back(4)), made)
    again = refusal(undone, EventTakenBack(3, part=3))
    assert (again.code, again.facts) == ("already_taken_back", {"seq": 3, "inserted_part": 3})


def test_each_part_gives_somebody_new_an_id_of_their_own() -> None:
    on = later(state(seats=2), together(insert(0, newcomer("Zoe")), insert(0, newcomer("Yui"))))
    assert [(player.id, player.name) for player in on.table.players[2:]] == [("p3", "Zoe"), ("p4", "Yui")]
    on = later(on, EventAmended(1, newcomer("Yuki"), part=2))
    assert [(player.id, player.name) for player in on.table.players[2:]] == [("p3", "Zoe"), ("p4", "Yuki")]


def test_corrections_made_together_are_no_corrections_of_corrections() -> None:
    on = later(state(), chips("bank", "p1", 1))
    for inner in (together(take_back(1)), take_back(1), PlayerErased("p1")):
        assert refusal(on, together(amend(1, inner))).code == "not_an_event_of_the_table"


def test_the_round_of_an_event_that_a_part_took_away_is_remembered() -> None:
    on = later(
        state(), *shippin_round(), together(take_back(4), take_back(5), take_back(3), take_back(2), take_back(1))
    )
    assert [on.round_of(seq) for seq in range(1, 6)] == [1] * 5


def test_what_has_not_been_recorded_belongs_to_no_round() -> None:
    on = later(state(), *shippin_round())
    assert on.round_of(on.seq) == 1
    assert on.round_of(on.seq + 1) is on.round_of(0) is None


# --- what is played again -------------------------------------------------------------------------------------------


def test_a_card_in_a_correction_is_seen_as_the_deck_writes_it() -> None:
    """The field card becomes the 7 of Hearts, which is called by its Japanese name, and p1 was dealt it."""
    dealt = [OPEN, FieldCardRevealed(read("swords-1")), CardDealt("p1", read("cups-7"))]
    refused = refusal(state("shirinma", deck="western"), *dealt, amend(2, FieldCardRevealed(read("cups-7"))))
    assert isinstance(refused, LaterEventsDoNotFit)
    told: Any = refused.facts["conflicts"]
    assert [(each.seq, each.refusal.facts.get("first_seen_seq")) for each in told] == [(3, 2)]


def test_an_earlier_state_of_an_earlier_one_is_told_however_often_it_was_corrected() -> None:
    """Entries of a round and of none were written anew twice."""
    closed = [chips("bank", "p1", 5), entered("p1:9", "p2:3", pot=6), SessionClosed(pot="split"), REOPEN]
    twice = [amend(2, entered("p1:12", "p2:3", pot=9)), amend(2, entered("p1:15", "p2:3", pot=12))]
    on = later(state(seats=3), *closed, *twice)
    for seq in range(on.seq, -1, -1):
        assert holding(on.at(5).at(seq)) == holding(later(state(seats=3), *[*closed, twice[0]][:seq]))
