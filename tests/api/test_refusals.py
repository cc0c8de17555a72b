"""Every refusal there is, provoked over HTTP, with every deck, and read by somebody who holds cards.

A case is a text in the notation whose last event is refused. A new kind of refusal without a case fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.games import newest
from ledger.i18n.language import LANGUAGES
from ledger.i18n.sentences import snake_case
from ledger.notation import parse
from ledger.rulebook.cards import DeckName
from ledger.rulebook.event import LABELS
from tests.scorekeeper import Json, Scorekeeper
from tests.test_language import refusals
from tests.words_of_decks import strays

NAMES = ("秋", "弁", "千恵", "大", "恵美", "文", "元", "春", "一", "純", "健", "玲央")
SEATS = {"shirinma": 12, "shippin": 5, "kakkuri": 7}


class Case(NamedTuple):
    """What leads to a refusal: the last event of the text is the one refused."""

    game: str
    text: str
    players: int = 0
    rules: str = ""
    status: int = 409


def shirinma(text: str, players: int = 12, rules: str = "") -> Case:
    return Case("shirinma", f"round; field coins-12; {text}", players, rules)


def kakkuri(text: str, players: int = 7, rules: str = "") -> Case:
    return Case("kakkuri", f"round; {text}", players, rules)


def shippin(text: str, players: int = 5, rules: str = "") -> Case:
    return Case("shippin", f"round; {text}", players, rules)


def session(text: str, players: int = 5, status: int = 409) -> Case:
    return Case("shippin", text, players, status=status)


def dealt(cards: int, more: str = "") -> str:
    """So many plain cards dealt."""
    return "deal" + " plain" * cards + f" {more}"


PASSES = "; ".join(f"p{player} -" for player in range(2, 8))

CASES: Mapping[str, Case] = {
    # Shirinma
    "NoAuctionOpen": shirinma("bid p2=5"),
    "BidOnOwnCard": shirinma("deal p1=cups-12; bid p1=5"),
    "BidTooLow": shirinma("deal p1=cups-12; bid p2=1", rules="min_bid=5"),
    "RaisedOwnBid": shirinma("deal p1=cups-12 (p2=3); bid p2=5"),
    "DealsNotDone": shirinma("deal p1=plain; trump cups-5"),
    "ThirdDealIsRunning": shirinma(f"{dealt(24)}; trump cups-5"),
    "NoThirdDeal": shirinma(f"{dealt(23, 'clubs-1')}; deal p1=plain"),
    "NotEnoughCards": shirinma(f"{dealt(31, 'clubs-1')}; deal p1=plain", players=16),
    "NoFourthDeal": Case(
        "shirinma",
        f'{"".join(f"leave p{number}; " for number in range(4, 13))}round overrule="Late."; field coins-12; '
        f"{dealt(3)}; {dealt(3)}; {dealt(2, 'clubs-1')}; deal p1=plain",
        12,
        "",
    ),
    "CardSetAside": shirinma("aside cups-12; deal p1=cups-12"),
    "NoPlainCardLeft": shirinma(f"{dealt(32)}; deal p9=plain"),
    # Shippin
    "WrongDrawers": session("draw p1=4 p2=4 p3=5 p4=6 p5=7; draw p3=1 p1=2"),
    "DealerCannotBet": shippin("bet p1=1"),
    "AlreadyBet": shippin("bet p2=1; bet p2=2"),
    "ColumnTaken": shippin("bet p2=1; bet p3=1"),
    "PassedOver": shippin("bet p3=1; bet p2=2"),
    "NobodyLeftToBet": shippin("bet p5=1; bet p2=2"),
    "BetsMissing": shippin("bet p2=1; second 1 2 3 4 / 5", rules="must_bet=yes"),
    "ColumnWasBetOn": shippin("bet p2=1; second - 2 3 4 / 5", rules="dealer_role=fixed"),
    "EveryHandCounts": shippin("second - 2 3 4 / 5"),
    "NoCardOfValueLeft": shippin("second 1 1 1 1 / 1"),
    "TooFewCardsLeft": shippin("; ".join(f"aside {number % 10 + 1}" for number in range(31))),
    # Kakkuri
    "EighthPlayerMustDropOut": kakkuri("starter cups-5", players=8),
    "NobodyDropsOut": kakkuri("out p2", rules="dropping_out=off"),
    "DropOutTooEarly": kakkuri("out p2"),
    "DropOutTooLate": kakkuri("starter cups-5; p1 cups-6; out p1"),
    "OutOfThisRound": kakkuri("out p8; swap p8", players=8),
    "NotInAnyHand": kakkuri("out p8; starter clubs-12; p1 clubs-3", players=8),
    "DealerCannotExchange": kakkuri("swap p1"),
    "ExchangedAlready": kakkuri("swap p2; swap p2"),
    "DeclaredHandStays": kakkuri("pairs p2; swap p2"),
    "PileIsOpen": kakkuri("starter cups-5; swap p2"),
    "ThreeOnesTooLate": kakkuri("starter cups-5; three-ones p2"),
    "NoThreePairs": kakkuri("pairs p2", rules="sequence=plain"),
    "ThreePairsAlready": kakkuri("pairs p2; pairs p2"),
    "ThreePairsTooLate": kakkuri("starter cups-5; p1 cups-6; pairs p1"),
    "CardDoesNotFollow": kakkuri("starter cups-5; p1 cups-8"),
    "TwoOfANumber": kakkuri("starter cups-5; p1 cups-6 coins-6"),
    "PairsOnly": kakkuri("pairs p1; starter cups-5; p1 cups-6"),
    "OddNumberOfCards": kakkuri("pairs p1; starter cups-5; p1 x3"),
    "BoxCardIsDue": kakkuri(f"starter cups-5; p1 cups-6; {PASSES}; p1 cups-7"),
    "NoBoxCardIsDue": kakkuri("starter cups-5; box cups-7"),
    "BoxCardTurnedAlready": kakkuri(f"starter cups-5; p1 cups-6; {PASSES}; box cups-9; box cups-11"),
    "BoxIsEmpty": kakkuri(
        "starter cups-5; "
        + "; ".join(f"p1 -; {PASSES}; box coins-{number}" for number in range(4, 9))
        + f"; p1 -; {PASSES}; box coins-9",
        rules="box_empty=lead_any",
    ),
    "NotInTheBox": kakkuri(
        "out p8; starter cups-5; "
        + "; ".join(f"p1 -; {PASSES}; box coins-{number}" for number in range(4, 8))
        + f"; p1 -; {PASSES}; box coins-8",
        players=8,
    ),
    "MoreThanTheHand": kakkuri(f"starter cups-5; p1 x5; p2 x1; {PASSES.partition('; ')[2]}; p1 x2"),
    # any game
    "OutOfPlace": Case("shirinma", "round; deal p1=plain"),
    "OutOfTurn": shirinma("deal p3=plain"),
    "UnknownPlayer": shirinma("deal p1=cups-12; bid p99=5"),
    "ForeignCard": shirinma("deal p1=pine-crane"),
    "CardAlreadySeen": shirinma("deal p1=coins-12"),
    "TooManyChips": kakkuri("starter cups-5; p1 x6", rules="chips_per_share=1000000000"),
    "PotTooLarge": Case("shirinma", "round", rules="ante=1000000000"),
    # the session
    "SessionIsClosed": session("close; round"),
    "SessionIsOpen": session("reopen"),
    "RoundIsOpen": session("round; leave p2"),
    "NoRoundOpen": session("bet p2=1"),
    "RoundIsOver": session('round; void "tea"; bet p2=1'),
    "NotThisGame": session('event {"type": "bid_placed", "player": "p2", "amount": 1}'),
    "TooFewPlayers": session("leave p2; round", players=2),
    "TooManyPlayers": session("join 文"),
    "NotAtTheTable": session("leave p2; leave p2"),
    "TotalsDoNotMatch": session("totals p1=30 / p2=10"),
    "AlreadyAtTheTable": session("back p2", players=4),
    "IdIsTaken": session("join 文; undo 1; join 元; undo 2", players=3),
    "NeverAtTheTable": session("back p9", players=4),
    "NoSuchSeat": session("join 文 seat=9", players=4),
    "SeatsDoNotMatch": session("seats p1 p2"),
    "DrawNotFinished": session("draw p1=4 p2=4 p3=5 p4=6 p5=7; round"),
    "SameAccount": session("gift p1 p1=5"),
    "BalancesDoNotSum": session("brought p1=5 p2=5"),
    "RoundsWerePlayed": session("totals p1=5 / p2=5; brought-pot 30"),
    "PotIsWaiting": session("totals p1=30 / pot=30; close"),
    "PotIsPlayedFor": session("fine p1=5; give p2=5"),
    "PotHoldsLess": session('fine p1=5; give p2=6 overrule="misdealt"'),
    "NoSuchEvent": session("undo 99"),
    "NoSuchPart": session("buy-in p1=5; together insert 1 buy-in p2=5 & amend 1 buy-in p1=6; undo 2 part=2"),
    "CorrectedTwice": session("buy-in p1=5; together undo 1 & amend 1 buy-in p1=6", status=422),
    "AlreadyTakenBack": session("buy-in p1=5; undo 1; undo 1"),
    "IsACorrection": session("buy-in p1=5; undo 1; amend 2 buy-in p1=6"),
    "NotAnEventOfTheTable": session(
        'buy-in p1=5; event {"type": "event_amended", "seq": 1, "event": {"type": "player_erased", "player": "p1"}}'
    ),
    "ErasedForGood": session("leave p2; forget p2; undo 2"),
    "NothingToTakeBack": session("undo"),
    "LaterEventsDoNotFit": session("round; bet p2=1; undo 1"),
}

ELSEWHERE = {
    "FileIsBroken": "tests/api/test_import.py",
    "LinksAreUsedUp": "tests/api/test_limits.py",
    "OnlyTheBottomCardLeft": "tests/games/test_shirinma.py",
    "NotSetAside": "tests/games/test_kakkuri.py",
    "SessionIsFull": "tests/api/test_limits.py",
    "RoundIsFull": "tests/api/test_limits.py",
    "TooManyLinks": "tests/api/test_limits.py",
    "TooManyPeople": "tests/api/test_limits.py",
}
"""Refusals that are not of an event reported at a table, or need too long a way there, and what provokes them."""


def test_every_refusal_is_provoked() -> None:
    assert {kind.__name__ for kind in refusals()} == CASES.keys() | ELSEWHERE.keys()


def decks_of(case: Case) -> tuple[DeckName, ...]:
    """Every deck of the game; where no round is open, no deck lies on the table, and one is enough."""
    return newest(case.game).decks if case.text.startswith(("round", "draw")) else newest(case.game).decks[:1]


EVERYWHERE = [(name, deck) for name, case in CASES.items() for deck in decks_of(case)]


def opened(scorekeeper: Scorekeeper, case: Case, deck: DeckName) -> list[Json]:
    """Open the session of a case, and give its events."""
    count = case.players or SEATS[case.game]
    names = [NAMES[place] if place < len(NAMES) else f"{NAMES[place - len(NAMES)]}二" for place in range(count)]
    head = f"game {case.game}\ndeck {deck}\nplayers {' '.join(names)}\n" + f"rules {case.rules}\n" * bool(case.rules)
    score = parse(head + re.sub("; *", "\n", case.text))
    scorekeeper.opens(**score.opening)
    return [dict(told) for told in score.events]


@pytest.fixture
def scorekeeper(app: Flask) -> Scorekeeper:
    """A scorekeeper whose answers are not held against their documentation: other tests do, and it takes long."""
    return Scorekeeper(FlaskClient(app, app.response_class))


@pytest.mark.parametrize(("name", "deck"), EVERYWHERE)
def test_a_refusal_is_understood_with_cards_in_hand(scorekeeper: Scorekeeper, name: str, deck: DeckName) -> None:
    *before, last = opened(scorekeeper, CASES[name], deck)
    if before:
        recorded = scorekeeper.tries(*before)
        assert recorded.status_code == 201, recorded.text
    for language in LANGUAGES:
        answer = scorekeeper.tries(last, Accept_Language=language)
        problem = answer.get_json()
        codes = {told["code"] for told in (problem, *problem.get("conflicts", ()))}
        assert (answer.status_code, snake_case(name) in codes) == (CASES[name].status, True), problem
        assert faults(language, problem["detail"]) == [], problem["detail"]
        if name != "ForeignCard":  # which names a card that is of no use here
            assert strays([(language, problem["detail"])], deck) == set()


def faults(language: str, said: str) -> list[str]:
    """What a reader would stumble over in a whole sentence."""
    rules: Mapping[str, Callable[[str], object]] = {
        "a place left over": re.compile("[{}]").search,
        "a name of the interface": re.compile(r"[a-z]_[a-z]|`").search,
        "no end": lambda text: not text.endswith("。" if language == "ja" else "."),
        "two ends": re.compile(r"\.\.|。。").search,
        "no capital at the beginning": re.compile(r"^(?!p\d)[a-z]").search,
    }
    if language == "ja":
        rules = {**rules, "English": re.compile("[A-Za-z]{3,}").search, "a space": re.compile(" ").search}
    return [fault for fault, finds in rules.items() if finds(said)] + [kind for kind in LABELS if kind in said]


def test_a_sentence_with_something_to_stumble_over_is_found() -> None:
    assert faults("en", "It's Aki's turn, not Ben's.") == faults("ja", "「入札」です。") == []
    assert faults("en", "that {cannot} be..") == ["a place left over", "two ends", "no capital at the beginning"]
    assert faults("ja", "それはbid_placedです") == ["a name of the interface", "no end", "English", "bid_placed"]
