"""What an evening came to: worked out by hand, held against a second reckoning, and against the books."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.accounting.books import Entry
from ledger.games import GAMES
from ledger.rulebook.values import BANK, POT
from ledger.session.history import SessionState
from ledger.session.statistics import PlayerStatistics, RoundNet, Seat, SessionStatistics, statistics, together
from ledger.session.statistics import tallies as every_tally
from schemas.loading import load_event, loaded
from schemas.sessions import NewSession
from tests.api.rounds import case, shirinma_round
from tests.reckoning import Sheet, reckon
from tests.reckoning.evenings import Evening as Reported
from tests.reckoning.evenings import evenings
from tests.reckoning.kakkuri import went_down
from tests.reckoning.table import pages, standing
from tests.scorekeeper import Json, event

every_game = pytest.mark.parametrize("game", GAMES)


def played(opening: Json, events: Iterable[Json]) -> tuple[SessionState, list[Entry]]:
    """An evening without a service, and everything ever written into its books."""
    opened = loaded(NewSession, opening).opening()
    state, entries = SessionState.opened(GAMES[opened.game], opened), list[Entry]()
    for recorded in state.record_all((load_event(said), 1) for said in events):
        state, entries = recorded.state, [*entries, *recorded.entries]
    return state, entries


def tally(person: PlayerStatistics, name: str) -> int:
    count: int = getattr(person, name)
    return count


def tallies(person: PlayerStatistics, *names: str) -> tuple[int, ...]:
    return tuple(tally(person, name) for name in names)


def counted(opening: Json, events: Iterable[Json]) -> SessionStatistics:
    return statistics(played(opening, events)[0])


# --- Shirinma by hand -----------------------------------------------------------------------------------------------

TWELVE: Json = {"game": "shirinma", "players": [f"Player {number}" for number in range(1, 13)]}


def test_a_round_of_shirinma_and_its_back_rides() -> None:
    """The round of the rules' own example: p8 holds the Horse of cups, half of which p2 has bought for 4."""
    told = case("shirinma-seed-example")
    example = counted(told["session"], told["events"])
    assert (example.rounds, example.results, example.forfeits) == (1, {"won": 1}, {})
    assert (example.pots, example.carried) == ((386,), (0,))
    winner, rider = example.players["p8"], example.players["p2"]
    assert (winner.wins, winner.received, winner.paid) == (1, {"pot_won": 193}, {"ante": 20, "horse_payment": 20})
    assert (winner.best, winner.worst, winner.won, winner.balance) == (RoundNet(1, 153), RoundNet(1, 153), 153, 153)
    assert (rider.wins, tallies(rider, "back_rides", "back_rides_cost", "back_rides_brought")) == (0, (1, 4, 193))
    assert (rider.received, rider.paid) == ({"half_rights": 193}, {"ante": 20, "winning_bid": 4})
    rides = {
        player: tallies(told, "back_rides", "back_rides_cost")
        for player, told in example.players.items()
        if tally(told, "back_rides") and not tally(told, "back_rides_brought")
    }
    assert rides == {"p1": (1, 10), "p3": (1, 2), "p4": (1, 10)}


def test_forfeited_rounds_carry_the_pot_and_say_why() -> None:
    """Three rounds in which only the King of cups is held, by p1, and no trump suits him but in the third.

    The pot of 270, antes of 20 and the King's 30, is carried twice; then p1 wins it all. In between p2 buys in.
    """
    again = event("dealer_named", player="p1")
    bought = event("chips_moved", from_="bank", to="p2", amount=100)
    rounds = [shirinma_round(trump) for trump in ("swords-5", "coins-5", "cups-5")]
    forfeited = counted(TWELVE, [*rounds[0], again, bought, *rounds[1], again, *rounds[2]])
    assert forfeited.results == {"forfeited": 2, "won": 1}
    assert forfeited.forfeits == {"no_trump_held": 2, "field_card_is_trump": 1}
    assert (forfeited.pots, forfeited.carried) == ((270, 540, 810), (0, 270, 540))
    assert {(told.rounds, told.forfeits) for told in forfeited.players.values()} == {(3, 2)}
    winner, buyer, other = (forfeited.players[player] for player in ("p1", "p2", "p3"))
    assert (winner.best, winner.worst) == (RoundNet(3, 760), RoundNet(1, -50))
    assert (other.best, other.worst) == (RoundNet(1, -20), RoundNet(1, -20))
    assert (winner.after_rounds, buyer.after_rounds) == ((-50, -100, 660), (-20, -40, -60))
    assert (buyer.won, buyer.balance, buyer.received, buyer.paid) == (-60, 40, {}, {"ante": 60})


# --- Shippin by hand ------------------------------------------------------------------------------------------------


def by_hand(name: str) -> SessionStatistics:
    told = case(name)
    return counted(told["session"], [reported for done in told["rounds"] for reported in done["events"]])


def test_columns_won_at_shippin() -> None:
    """p1 holds the bank: +10, then takes both bets by shippin, then loses to both."""
    state = by_hand("shippin-by-hand")
    assert (state.results, state.pots, state.carried) == ({"settled": 3}, (40, 20, 20), (0, 0, 0))
    dealer, lucky, idle = (state.players[player] for player in ("p1", "p2", "p5"))
    assert (tally(dealer, "columns_won"), dealer.wins, dealer.after_rounds) == (0, 2, (10, 30, 10))
    assert (dealer.received, dealer.paid) == ({"bet_lost": 40}, {"bet_won": 30})
    assert (dealer.best, dealer.worst) == (RoundNet(2, 20), RoundNet(3, -20))
    assert (tally(lucky, "columns_won"), lucky.wins, lucky.rounds) == (2, 2, 3)
    assert (lucky.received, lucky.paid) == ({"bet_returned": 20, "bet_won": 20}, {"bet": 30})
    assert (tally(idle, "columns_won"), idle.wins, idle.best, idle.after_rounds) == (
        1,
        1,
        RoundNet(3, 10),
        (-10, -10, 0),
    )


# --- Kakkuri by hand ------------------------------------------------------------------------------------------------


def test_guri_and_empty_turns_at_kakkuri() -> None:
    """A share is 5: p1 has an empty turn, p2 wins by guri; then p4 shows the three 1s."""
    state = by_hand("kakkuri-by-hand")
    assert (state.results, state.pots) == ({"won": 2}, (5, 0))
    assert {player: (*tallies(told, "guri", "empty_turns"), told.wins) for player, told in state.players.items()} == {
        **dict.fromkeys(("p3", "p5", "p6", "p7"), (0, 0, 0)),
        "p1": (0, 1, 0),
        "p2": (1, 0, 1),
        "p4": (0, 0, 1),
    }
    assert state.players["p1"].paid == {"empty_turn": 5, "guri_share": 10, "three_ones_share": 15}
    assert state.players["p2"].received == {"guri_share": 60, "pot_won": 5}
    assert state.players["p4"].received == {"three_ones_share": 90}
    assert state.players["p4"].after_rounds == (-10, 80)


# --- rounds that are not played out ---------------------------------------------------------------------------------


def test_a_round_that_was_voided_counts_for_nobody() -> None:
    voided = event("round_voided", reason="Tea was spilt.")
    state = counted(TWELVE, [*shirinma_round("swords-5"), event("round_opened"), voided])
    assert (state.results, state.pots, state.carried) == ({"forfeited": 1, "void": 1}, (270, 510), (0, 270))
    told = state.players["p2"]
    assert (told.rounds, told.received, told.paid, told.best) == (1, {}, {"ante": 20}, RoundNet(1, -20))
    assert told.after_rounds == (-20, -20)


def test_an_open_round_does_not_count_yet() -> None:
    state = counted(TWELVE, [*shirinma_round("swords-5"), event("dealer_named", player="p1"), event("round_opened")])
    told = state.players["p2"]
    assert (state.rounds, state.pots, told.rounds, told.paid) == (1, (270,), 1, {"ante": 20})
    assert (told.after_rounds, told.balance) == ((-20,), -40)


def test_a_round_known_by_its_totals_counts() -> None:
    shares = [{"player": "p1", "amount": 30}, {"player": "p2", "amount": 10}]
    state = counted(TWELVE, [event("round_entered", payments=shares, payouts=[{"player": "p3", "amount": 40}])])
    assert (state.results, state.pots) == ({"settled": 1}, (40,))
    assert {player: told.wins for player, told in state.players.items() if told.wins} == {"p3": 1}
    assert state.players["p1"].paid == {"entered_payment": 30}
    assert state.players["p3"].best == RoundNet(1, 40)


# --- against a second reckoning and the books -----------------------------------------------------------------------


def over(reported: Reported) -> list[Sheet]:
    return [sheet for sheet in reckon(reported.opening, reported.events).rounds if sheet.status != "recording"]


def called_off(reported: Reported) -> set[int]:
    """The numbers of the rounds that were voided by the table."""
    rounds = [page for page in pages(standing(reported.events)) if page[0]["type"] == "round_opened"]
    return {number for number, page in enumerate(rounds, 1) if page[-1]["type"] == "round_voided"}


def empty_turns(reported: Reported, rounds: int) -> Counter[str]:
    """How often each player passed in rounds that are over and count."""
    played = [page for page in pages(standing(reported.events)) if page[0]["type"] == "round_opened"]
    counting = (page for page in played[:rounds] if page[-1]["type"] != "round_voided")
    turns = (report for page in counting for report in page if report["type"] == "turn_played")
    return Counter(turn["player"] for turn in turns if not went_down(turn))


@every_game
@given(data=st.data())
def test_what_was_played_is_counted_as_a_second_reckoning_does(game: str, data: st.DataObject) -> None:
    reported = data.draw(evenings(game, corrections=data.draw(st.booleans())))
    state = counted(reported.opening, reported.events)
    sheets = over(reported)
    assert state.rounds == len(sheets)
    assert state.results == Counter(sheet.status for sheet in sheets)
    assert state.forfeits == Counter(reason for sheet in sheets for reason in sheet.reasons)
    put_in = [pot - carried for pot, carried in zip(state.pots, state.carried, strict=True)]
    assert put_in == [sum(sheet.put_in.values()) for sheet in sheets]
    off = called_off(reported)
    for player, told in state.players.items():
        own = [sheet for sheet in sheets if player in sheet.players and sheet.number not in off]
        assert told.rounds == len(own)
        assert told.forfeits == sum(sheet.status == "forfeited" for sheet in own)
        assert tally(told, "guri") == sum(bool(sheet.guri) and sheet.winner == player for sheet in own)
        rode = [sheet.payouts.get(player, 0) for sheet in own if sheet.back_rider == player]
        assert tally(told, "back_rides_brought") == sum(rode)
        assert tally(told, "back_rides") >= len(rode)
        if game != "shippin":
            assert told.wins == sum(sheet.winner == player for sheet in own)
            paid_out = sum(sheet.payouts.get(player, 0) for sheet in own)
            assert paid_out == sum(told.received.values())
            assert sum(told.paid.values()) >= sum(sheet.put_in.get(player, 0) for sheet in own)


@every_game
@given(data=st.data())
def test_totals_agree_with_the_books(game: str, data: st.DataObject) -> None:
    """Whatever was corrected: what was won and paid in rounds, and what moved outside of them, is the balance."""
    reported = data.draw(evenings(game, corrections=data.draw(st.booleans())))
    state, written = played(reported.opening, reported.events)
    told = statistics(state)
    by_round: dict[int, list[Entry]] = defaultdict(list)
    outside: list[Entry] = []
    for entry in not_reversed(written):
        (outside if entry.round is None or entry.round > told.rounds else by_round[entry.round]).append(entry)
    counting = {number: entries for number, entries in by_round.items() if number not in called_off(reported)}
    passes = empty_turns(reported, told.rounds)
    for player, one in told.players.items():
        nets = {number: net(player, entries) for number, entries in by_round.items()}
        assert one.balance == sum(nets.values()) + net(player, outside) == state.balances.get(player, 0)
        assert sum(one.received.values()) - sum(one.paid.values()) == sum(nets.values())
        assert one.received == by_reason(e for entries in counting.values() for e in entries if e.payee == player)
        assert one.paid == by_reason(e for entries in counting.values() for e in entries if e.payer == player)
        assert all(nets.get(found.round, 0) == found.net for found in (one.best, one.worst) if found)
        assert one.best is None or one.worst is None or one.best.net >= one.worst.net
        assert tally(one, "empty_turns") == passes[player]
    in_pot_and_bank = state.balances.get(POT, 0) + state.balances.get(BANK, 0)
    assert sum(one.balance for one in told.players.values()) + in_pot_and_bank == 0


def by_reason(entries: Iterable[Entry]) -> Counter[str]:
    total = Counter[str]()
    for entry in entries:
        total[entry.reason] += entry.amount
    return total


def not_reversed(entries: Sequence[Entry]) -> list[Entry]:
    gone = {entry.reverses for entry in entries}
    return [entry for entry in entries if entry.reverses is None and entry.id not in gone]


def net(account: str, entries: Iterable[Entry]) -> int:
    return sum((e.payee == account) * e.amount - (e.payer == account) * e.amount for e in entries)


@every_game
@given(data=st.data())
def test_a_corrected_evening_counts_as_if_it_had_been_recorded_right(game: str, data: st.DataObject) -> None:
    reported = data.draw(evenings(game, corrections=True))
    assert counted(reported.opening, reported.events) == counted(reported.opening, standing(reported.events))


@every_game
@given(data=st.data())
def test_after_each_round_everyone_has_what_a_second_reckoning_says(game: str, data: st.DataObject) -> None:
    reported = data.draw(evenings(game))
    state, _ = played(reported.opening, reported.events)
    told = statistics(state)
    ends: dict[int, int] = {}
    for slot in reversed(state.slots):
        if slot.round is not None:
            ends.setdefault(slot.round, slot.seq)
    for number in range(1, told.rounds + 1):
        played_for = [report for report in reported.events[: ends[number]] if report["type"] != "chips_moved"]
        balances = reckon(reported.opening, played_for).balances
        assert {p: balances.get(p, 0) for p in told.players} == {
            player: one.after_rounds[number - 1] for player, one in told.players.items()
        }


# --- several evenings -----------------------------------------------------------------------------------------------


@given(data=st.data())
def test_together_is_the_sum_of_each(data: st.DataObject) -> None:
    several: list[tuple[str, SessionStatistics]] = []
    for game in data.draw(st.lists(st.sampled_from(sorted(GAMES)), min_size=1, max_size=3)):
        reported = data.draw(evenings(game, max_rounds=2))
        opening = reported.opening | {"odds": data.draw(st.booleans())}
        several.append((f"s{len(several)}", counted(opening, reported.events)))
    seats = [Seat(session, player) for session, state in several for player in state.players]
    joined = {"Aki": data.draw(st.lists(st.sampled_from(seats), min_size=1, unique=True))}
    for key, one in together(several, joined).players.items():
        own = [dict(several)[seat.session].players[seat.player] for seat in one.players]
        assert one.players == tuple(joined.get(key, one.players))
        assert one.name == ("Aki" if key in joined else own[0].name)
        for field in ("rounds", "wins", "forfeits", "won", "balance"):
            assert getattr(one, field) == sum(getattr(found, field) for found in own)
        for each in every_tally():
            assert tally(one, each) == sum(tally(found, each) for found in own)
        assert one.received == summed(found.received for found in own)
        assert one.paid == summed(found.paid for found in own)
        lucks = [found.luck for found in own if found.luck is not None]
        assert one.luck == (sum(lucks) if len(lucks) == len(own) else None)
        assert (one.best and one.best.net) == max((found.best.net for found in own if found.best), default=None)
        assert (one.worst and one.worst.net) == min((found.worst.net for found in own if found.worst), default=None)


def summed(several: Iterable[Mapping[Any, int]]) -> Counter[Any]:
    total = Counter[Any]()
    for one in several:
        total.update(one)
    return total
