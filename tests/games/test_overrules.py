"""What gives way where a table overruled, refusal by refusal, and what does not: written in the round notation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from ledger.games import GAMES
from ledger.i18n.sentences import snake_case
from ledger.notation import parse
from ledger.rulebook.chips import Transfers
from ledger.rulebook.refusal import Refused, RefusedAt
from ledger.session.rules import apply
from ledger.session.table import Applied, Table, open_table
from tests.properties.folding import opening_of, read

NAMES = "Aki Ben Chie Dai Emi Fumi Gen Haru Ichi Jun Ken Leo"
TABLES = {
    "shirinma": f"game shirinma\nplayers {NAMES}",
    "kakkuri": "game kakkuri\nplayers Aki Ben Chie Dai Emi Fumi Gen",
    "kakkuri of eight": "game kakkuri\nplayers Aki Ben Chie Dai Emi Fumi Gen Haru",
    "shippin": "game shippin\nplayers Aki Ben Chie Dai Emi",
}


def plains(count: int) -> str:
    return " ".join(["plain"] * count)


class Case(NamedTuple):
    """A report that is refused, and what comes of it where the table overruled.

    `stays` are reports of the same kind that are refused all the same, each with its code.
    """

    code: str
    rule: str
    game: str
    before: str
    report: str
    moved: str
    then: str
    stays: dict[str, str]
    opening: str = ""

    def __str__(self) -> str:
        return f"{self.rule} {self.code} {self.report}"


UP = "field swords-4\ndeal plain cups-12\nbid p3=7"
DUE = f"field swords-12\ndeal cups-1 {plains(11)}\ndeal {plains(12)}"
NOT_DUE = f"field swords-12\ndeal {plains(12)}\ndeal plain cups-1 {plains(10)}"
STRANGERS_CARD = {"deal p13=plain": "unknown_player"}
NO_BID = {"bid p13=99": "unknown_player", "bid p2=99": "bid_on_own_card"}
NO_TURN = {
    "p8 -": "unknown_player",
    "p1 cups-6 cups-7 cups-8 cups-9 cups-10 cups-11 cups-12": "more_than_the_hand",
    "p1 cups-6 cups-5": "card_already_seen",
    "p1 cups-6 cups-6": "card_already_seen",
}
GONE = "leave p12\nleave p11\nleave p10\nleave p9"
NO_BET = {"bet p1=2": "dealer_cannot_bet", "bet p9=2": "unknown_player"}

CASES = (
    Case(
        "too_few_players", "SH-1", "shirinma", GONE, "round",
        moved=" ".join(f"p{place}>pot:20" for place in range(1, 9)), then="field_due: field_card_revealed", stays={},
    ),
    Case(
        "out_of_turn", "SH-5", "shirinma", "field swords-4\ndeal plain", "deal p3=cups-12",
        moved="p3>pot:30", then="auction: bid_placed 1",
        stays={"deal p3=swords-4": "card_already_seen", **STRANGERS_CARD},
    ),
    Case(
        "bid_too_low", "SH-7", "shirinma", UP, "bid p4=7",
        moved="", then="auction: bid_placed 8", stays=NO_BID,
    ),
    Case(
        "bid_too_low", "SH-7", "shirinma", "field swords-4\ndeal plain cups-12", "bid p4=2",
        moved="", then="auction: bid_placed 5", stays=NO_BID, opening="rules min_bid=5",
    ),
    Case(
        "raised_own_bid", "SH-7", "shirinma", UP, "bid p3=9",
        moved="", then="auction: bid_placed 10", stays=NO_BID,
    ),
    Case(
        "raised_own_bid", "SH-7", "shirinma", UP, "bid p3=2",
        moved="", then="auction: bid_placed 8", stays=NO_BID,
    ),
    Case(
        "third_deal_is_running", "SH-9", "shirinma", DUE, "trump cups-9",
        moved="pot>p1:240", then="over",
        stays={"trump cups-1": "card_already_seen", "trump swords-12": "card_already_seen"},
    ),
    Case(
        "no_third_deal", "SH-9", "shirinma", NOT_DUE, "deal p1=coins-12",
        moved="p1>pot:30", then="auction: bid_placed 1",
        stays={"deal p1=cups-1": "card_already_seen", **STRANGERS_CARD},
    ),
    Case(
        "out_of_turn", "SH-5", "shirinma", f"field swords-4\ndeal {plains(10)}", "deal p1=cups-12",
        moved="p1>pot:30", then="auction: bid_placed 1",
        stays={"deal p1=swords-4": "card_already_seen", **STRANGERS_CARD},
    ),
    Case(
        "deals_not_done", "SH-11", "shirinma", f"field swords-4\ndeal cups-12 {plains(11)}\ndeal plain", "trump cups-9",
        moved="pot>p1:270", then="over",
        stays={"trump swords-4": "card_already_seen", "trump cups-12": "card_already_seen"},
    ),
    Case(
        "out_of_turn", "KA-6", "kakkuri", "starter cups-5", "p3 -",
        moved="p3>pot:1", then="turn: turn_played p4", stays={"p3 cups-5": "card_already_seen", **NO_TURN},
    ),
    Case(
        "too_few_players", "KA-1", "kakkuri", "leave p7\nleave p6\nleave p5", "round",
        moved="", then="swapping: starter_revealed", stays={},
    ),
    Case(
        "eighth_player_must_drop_out", "KA-3", "kakkuri of eight", "", "swap p3",
        moved="", then="drop_out_due: player_dropped_out",
        stays={
            "swap p1": "dealer_cannot_exchange",
            "swap p9": "unknown_player",
            "starter cups-4": "eighth_player_must_drop_out",
        },
    ),
    Case(
        "three_ones_too_late", "KA-5", "kakkuri", "starter cups-5\np1 cups-6\np2 -", "three-ones p3",
        moved=" ".join(f"p{place}>p3:3" for place in (4, 5, 6, 7, 1, 2)), then="over",
        stays={"three-ones p8": "unknown_player"},
    ),
    Case(
        "three_ones_too_late", "KA-5", "kakkuri", "starter cups-12\np1 cups-1\np2 -", "three-ones p1",
        moved=" ".join(f"p{place}>p1:3" for place in range(2, 8)), then="over",
        stays={"three-ones p3": "card_already_seen"},
    ),
    Case(
        "card_does_not_follow", "KA-7", "kakkuri", "starter cups-5", "p1 cups-6 cups-8",
        moved="", then="turn: turn_played p2", stays=NO_TURN,
    ),
    Case(
        "two_of_a_number", "KA-9", "kakkuri", "starter cups-5", "p1 cups-6 swords-6",
        moved="", then="turn: turn_played p2", stays=NO_TURN,
    ),
    Case(
        "pairs_only", "KA-10", "kakkuri", "pairs p1\nstarter cups-5", "p1 cups-6",
        moved="", then="turn: turn_played p2", stays=NO_TURN,
    ),
    Case(
        "odd_number_of_cards", "KA-10", "kakkuri", "pairs p1\nstarter cups-5", "p1 x3",
        moved="", then="turn: turn_played p2", stays=NO_TURN,
    ),
    Case(
        "out_of_turn", "SP-5", "shippin", "bet p2=1", "bet p4=2",
        moved="p4>pot:1", then="betting: bet_placed p3",
        stays={"bet p4=1": "column_taken", "bet p2=2": "already_bet", **NO_BET}, opening="rules must_bet=yes",
    ),
    Case(
        "passed_over", "SP-5", "shippin", "bet p3=1", "bet p2=2",
        moved="p2>pot:1", then="betting: bet_placed",
        stays={"bet p2=1": "column_taken", "bet p3=2": "already_bet", **NO_BET},
    ),
    Case(
        "nobody_left_to_bet", "SP-5", "shippin", "bet p5=1", "bet p2=2",
        moved="p2>pot:1", then="betting: second_cards_dealt",
        stays={"bet p2=1": "column_taken", "bet p5=2": "already_bet", **NO_BET},
    ),
)  # fmt: skip


def overrulable(refusal: type[Refused] = Refused) -> Iterator[str]:
    """The codes of all refusals that can be overruled."""
    for kind in set(refusal.__subclasses__()) - {RefusedAt}:
        if kind.overrulable and kind.__module__.startswith("ledger."):
            yield snake_case(kind.__name__)
        yield from overrulable(kind)


def table(case: Case) -> Table:
    """The table as it stands before the report; a round is open unless `before` has people go home."""
    opened = "" if case.before.startswith("leave") else "round"
    score = parse(f"{TABLES[case.game]}\n{case.opening}\n{opened}\n{case.before}")
    at = open_table(GAMES[score.opening["game"]], opening_of(score.opening))
    for event in score.events:
        at = apply(at, read(event, score.opening["game"]), 1).table
    return at


def tells(at: Table, line: str, *, overruled: bool) -> Applied:
    """What one more report does to a table."""
    book = at.rule_books[1]
    (event,) = parse(f"{line} overrule=so" if overruled else line).events
    return apply(at, read(event, book.name), 1)


def moved(transfers: Transfers) -> str:
    """The chips, as `p3>pot:30`."""
    return " ".join(f"{t.payer}>{t.payee}:{t.amount}" for t in transfers)


def stands(at: Table) -> str:
    """The phase, and the first of what may be reported next."""
    now = at.round
    assert now is not None
    may = now.book.expected(now.phase)
    known = (may[0].type, may[0].player, may[0].amount_at_least) if may else ()
    return ": ".join(filter(None, (now.phase.name, " ".join(str(each) for each in known if each is not None))))


BETWEEN_ROUNDS = {"pot_is_played_for"}
"""What gives way between rounds; `tests/session` has that."""


def test_every_refusal_that_can_be_overruled_has_its_case() -> None:
    assert {case.code for case in CASES} | BETWEEN_ROUNDS == set(overrulable())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_the_table_played_all_the_same_is_recorded(case: Case) -> None:
    at = table(case)
    with pytest.raises(Refused) as refused:
        tells(at, case.report, overruled=False)
    assert (refused.value.code, refused.value.rule) == (case.code, case.rule)
    played = tells(at, case.report, overruled=True)
    assert (moved(played.transfers), stands(played.table)) == (case.moved, case.then)
    assert played.table.round is not None
    assert played.table.round.overruled == ((played.event.type, "so"),)


@pytest.mark.parametrize(
    ("case", "report", "code"), [(case, report, code) for case in CASES for report, code in case.stays.items()], ids=str
)
def test_what_would_break_the_sums_or_the_deck_stays_refused(case: Case, report: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        tells(table(case), report, overruled=True)
    assert refused.value.code == code
