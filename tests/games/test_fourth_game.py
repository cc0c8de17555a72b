"""A fourth game, made up and put on the shelf when all of the house is there; nothing else knows of it.

The first half is what a new game is: a rule book in one file, and its sentences in Japanese. The rest drives it over
HTTP through everything that the service does. (In the house, the file would lie in `ledger/games/`, the call of
`register` on the shelf, and the sentences in the catalogue.)

Takafuda (高札): everyone puts a stake into the pot and turns a card, or keeps it hidden; whoever likes raises the pot,
at once by as much as lies there. The highest card takes it all. If everybody hides, nobody wins, and the pot waits.
"""

from __future__ import annotations

import importlib
import io
import pkgutil
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import pytest
from flask import Flask
from openpyxl import load_workbook
from werkzeug.test import TestResponse

import ledger
import schemas
from ledger import games
from ledger.app import create_app
from ledger.exports import FORMATS
from ledger.exports.csv import PARTS
from ledger.i18n import language
from ledger.i18n.sentences import Sentence, say
from ledger.records import Record, replace
from ledger.rulebook.cards import Card, DeckName, card_or, pack_of_48
from ledger.rulebook.chips import pay, payouts, pot_change
from ledger.rulebook.event import Event, Form, refuse
from ledger.rulebook.phase import Expected, Ground, Outcome, Over, Payouts, Phase, Seats, Step, last_of
from ledger.rulebook.refusal import CardAlreadySeen, ForeignCard, OutOfPlace, Refused
from ledger.rulebook.rule_book import RuleBook, switch
from ledger.rulebook.tallies import Tally, chips_paid
from ledger.rulebook.values import POT, Amount, PlayerId, Reason
from tests.api.documented import DocumentedClient
from tests.databases import kept_at
from tests.scorekeeper import Json, Scorekeeper, event

# === the rule book ==================================================================================================
# --- ground rules ---------------------------------------------------------------------------------------------------


class Rules(Record):
    """The house rules a table agrees on."""

    stake: Annotated[Amount, switch("TA-2", say("Stake"), say("What everyone puts into the pot, in chips."))] = 5
    best_card: Annotated[
        Literal["highest", "lowest"],
        switch(
            "TA-5",
            say("Best card"),
            say("Which card takes the pot."),
            highest=say("The highest number"),
            lowest=say("The lowest number"),
        ),
    ] = "highest"


# --- what lies on the table -----------------------------------------------------------------------------------------

if TYPE_CHECKING:
    CardOrHidden = Card | Literal["hidden"]
else:
    CardOrHidden = card_or("hidden")
"""A card that its owner keeps to themselves."""


class Turned(Record):
    """A card before its owner."""

    player: PlayerId
    card: CardOrHidden


class Board(Record):
    """What lies on the table, for all to see."""

    turned: tuple[Turned, ...] = ()


# --- what can be reported -------------------------------------------------------------------------------------------


class CardTurned(Event):
    """A player turned a card, or kept it `hidden`."""

    label = say("Turn a card")
    player: PlayerId
    card: CardOrHidden


class PotRaised(Event):
    """A player put more into the pot, unasked."""

    label = say("Raise the pot")
    player: PlayerId
    surplus: Amount


class CardsCompared(Event):
    """Everyone looked whose card is best."""

    label = say("Compare the cards")


# --- where the round can stand --------------------------------------------------------------------------------------


class Turning(Phase, kw_only=True):
    """TA-3. Those who are `waiting` turn a card each."""

    label = say("Turning cards")
    ground: Ground[Rules]
    waiting: Seats
    board: Board = Board()


# --- how it can end -------------------------------------------------------------------------------------------------

FORFEITS: Mapping[str, Sentence] = {"all_hidden": say("all cards stayed hidden")}


class TakafudaWon(Outcome, kw_only=True):
    """The best card took the pot."""

    result: Literal["won"] = "won"
    winner: PlayerId
    best: Card

    @property
    def won_by(self) -> PlayerId:
        """Whose card it was."""
        return self.winner


class TakafudaForfeited(Outcome, kw_only=True):
    """Nobody showed a card, and the pot waits."""

    result: Literal["forfeited"] = "forfeited"
    payouts: Payouts = ()
    reasons: tuple[str, ...]

    @property
    def forfeited_for(self) -> tuple[str, ...]:
        """Why nobody won."""
        return self.reasons


REASONS: Mapping[Reason, Sentence] = {
    "stake": say("Stake"),
    "raise": say("Raise"),
    "best_card": say("Taken with the best card"),
}

# --- refusals -------------------------------------------------------------------------------------------------------


class HasTurned(Refused, rule="TA-3"):
    """{player:player} has turned a card already; still to turn one: {waiting:players}."""


class RaisedTooMuch(Refused, rule="TA-4"):
    """{player:player} put in {surplus:chips}; at once it can be as much as lies in the pot, {at_most:chips}."""


class TooEarlyToCompare(Refused, rule="TA-5", overrulable=True):
    """{waiting:players} have yet to turn a card."""


# --- open_round -----------------------------------------------------------------------------------------------------


def open_round(ground: Ground[Rules]) -> Step:
    """TA-2. Everyone puts a stake into the pot."""
    stakes = tuple(t for player in ground.seats for t in pay(player, POT, ground.rules.stake, "stake"))
    return Step(Turning(ground=ground, pot=ground.carried + pot_change(stakes), waiting=ground.seats), stakes)


# --- play -----------------------------------------------------------------------------------------------------------


def play(phase: Phase, event: Event) -> Step:
    """Say what an event does to a round: the table of contents of the rules below."""
    match phase, event:
        case Turning(), CardTurned():
            return turn(phase, event)
        case Turning(), PotRaised():
            return raise_pot(phase, event)
        case Turning(), CardsCompared():
            return compare(phase, event)
    raise OutOfPlace(expected(phase))


def expected(phase: Phase) -> tuple[Expected, ...]:
    """Say what may be reported now."""
    match phase:
        case Turning(waiting=players, pot=pot):
            due = Expected(type="card_turned", players=players) if players else Expected(type="cards_compared")
            return (due, Expected(type="pot_raised", amount_at_least=1, amount_at_most=pot))
    return ()


# --- the rules, in playing order ------------------------------------------------------------------------------------


def turn(phase: Turning, event: CardTurned) -> Step:
    """TA-3. Everyone turns one card, in any order, and no card is seen twice."""
    phase.ground.need(event.player, rule="TA-3")
    if event.player not in phase.waiting:
        raise HasTurned(player=event.player, waiting=phase.waiting)
    for turned in phase.board.turned:
        if turned.card == event.card != "hidden":
            raise CardAlreadySeen(
                rule="TA-3", card=event.card, where=say("{player:player} has it", player=turned.player)
            )
    board = Board((*phase.board.turned, Turned(event.player, event.card)))
    return Step(replace(phase, waiting=phase.waiting.without((event.player,)), board=board))


def raise_pot(phase: Turning, event: PotRaised) -> Step:
    """TA-4. Whoever likes puts more into the pot, at once as much as lies there."""
    phase.ground.need(event.player, rule="TA-4")
    if event.surplus > phase.pot:
        raise RaisedTooMuch(player=event.player, surplus=event.surplus, at_most=phase.pot)
    raised = pay(event.player, POT, event.surplus, "raise")
    return Step(replace(phase, pot=phase.pot + pot_change(raised)), raised)


def compare(phase: Turning, event: CardsCompared) -> Step:
    """TA-5, TA-6. The best card that was shown takes the pot; if there is none, nobody does."""
    if phase.waiting:
        refuse(event, TooEarlyToCompare(waiting=phase.waiting))
    next_dealer = phase.ground.seats.right_of(phase.ground.dealer)
    shown = {turned.card: turned.player for turned in phase.board.turned if isinstance(turned.card, Card)}
    if not shown:
        nobody = TakafudaForfeited(reasons=("all_hidden",), next_dealer=next_dealer)
        return Step(Over(ground=phase.ground, pot=phase.pot, last=phase, outcome=nobody))
    best = (max if phase.ground.rules.best_card == "highest" else min)(shown, key=number)
    paid = pay(POT, shown[best], phase.pot, "best_card")
    won = TakafudaWon(winner=shown[best], best=best, payouts=payouts(paid), next_dealer=next_dealer)
    return Step(Over(ground=phase.ground, pot=0, last=phase, outcome=won), paid)


def explain(over: Over) -> tuple[Sentence, ...]:
    """Say who won, or why nobody did."""
    match over.outcome:
        case TakafudaWon(winner=winner, best=best):
            return (
                say("{winner:player} won {pot:chips} with {best:card}.", winner=winner, best=best, pot=over.last.pot),
            )
        case TakafudaForfeited(reasons=reasons):
            why = tuple(FORFEITS[reason] for reason in reasons)
            return (say("Nobody won: {reasons:list}.", reasons=why),)
    raise TypeError(over)


# --- small helpers --------------------------------------------------------------------------------------------------


def number(card: Card) -> int:
    """TA-5. A card's number, 1 to 12."""
    face = card.face()
    return face.rank if face else 0


def written(event: Event, deck: DeckName, _rules: Rules) -> Event:
    """TA-1. An event with its cards as this deck writes them."""
    return pack_of_48(deck).written(event, foreign=partial(ForeignCard, rule="TA-1"))


def board(phase: Phase) -> Board:
    """Give what lies on the table."""
    return last_of(Turning, phase).board


BOOK = RuleBook(
    name="takafuda",
    version=1,
    title=say("Takafuda"),
    seats=range(2, 5),
    seats_row="TA-1",
    decks=("mekurifuda", "western"),
    rules=Rules,
    events=(CardTurned, PotRaised, CardsCompared),
    fields={"surplus": say("Chips on top")},
    forms=(
        Form(CardTurned, "turn <player>=<card> …"),
        Form(PotRaised, "raise <player>=<surplus:amount> …"),
        Form(CardsCompared, "compare"),
    ),
    written=written,
    phases=(Turning,),
    outcomes=(TakafudaWon, TakafudaForfeited),
    forfeits=FORFEITS,
    reasons=REASONS,
    tallies=(Tally("raised", say("Raised"), chips_paid("raise")),),
    open_round=open_round,
    play=play,
    expected=expected,
    board=board,
    explain=explain,
    deal_passes="right",
)

JAPANESE = {
    "Takafuda": "高札",
    "Stake": "場代",
    "What everyone puts into the pot, in chips.": "全員がポットに出す枚数です。",
    "Best card": "強い札",
    "Which card takes the pot.": "ポットを取る札です。",
    "The highest number": "いちばん大きい数",
    "The lowest number": "いちばん小さい数",
    "Turn a card": "札をめくる",
    "Raise the pot": "ポットに足す",
    "Compare the cards": "札を比べる",
    "Turning cards": "札をめくる番",
    "Raise": "足した分",
    "Taken with the best card": "強い札の取り分",
    "Chips on top": "足す枚数",
    "Raised": "足した枚数",
    "all cards stayed hidden": "全員が伏せたまま",
    "{player:player} has turned a card already; still to turn one: {waiting:players}.": (
        "{player:player}はもう札をめくりました（まだの人：{waiting:players}）。"
    ),
    "{player:player} put in {surplus:chips}; at once it can be as much as lies in the pot, {at_most:chips}.": (
        "{player:player}が足したのは{surplus:chips}ですが、一度に足せるのはポットにある{at_most:chips}までです。"
    ),
    "{waiting:players} have yet to turn a card.": "{waiting:players}がまだ札をめくっていません。",
    "{player:player} has it": "{player:player}の札",
    "{winner:player} won {pot:chips} with {best:card}.": "{winner:player}が{best:card}で{pot:chips}を取りました。",
    "Nobody won: {reasons:list}.": "勝った人はいません（{reasons:list}）。",
}

# === the proof ======================================================================================================


@pytest.fixture(scope="module", autouse=True)
def _on_the_shelf() -> Iterator[None]:
    """The game comes when all of the house is there; afterwards the shelf is as it was."""
    for package in (ledger, schemas):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name != "ledger.__main__":
                importlib.import_module(module.name)
    games.register(BOOK)
    language.catalog("ja").update(JAPANESE)
    yield
    language.catalog.cache_clear()
    games._SHELF.pop(BOOK.name)
    games._forget()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = create_app({"LEDGER_DATABASE": kept_at(tmp_path_factory.mktemp("fourth") / "ledger.db")})
    made.test_client_class = DocumentedClient
    yield made
    made.extensions["session_service"].store.engine.close()


OPENING: Json = {"game": "takafuda", "players": ["Aki", "Ben"], "deck": "western", "rules": {"stake": 3}}


@pytest.fixture
def table(app: Flask) -> Scorekeeper:
    at = Scorekeeper(app.test_client())
    answer = at.client.post("/v1/sessions", json=OPENING)
    assert answer.status_code == 201, answer.text
    at.session_id, at.token = answer.get_json()["session"]["id"], answer.get_json()["link"]["token"]
    return at


OPEN, COMPARE = event("round_opened"), event("cards_compared")
WON = (
    OPEN,
    event("card_turned", player="p1", card="cups-11"),
    event("pot_raised", player="p1", surplus=4),
    event("card_turned", player="p2", card="5♠", note="slowly"),
    COMPARE,
)
FORFEITED = (
    OPEN,
    event("card_turned", player="p1", card="hidden"),
    event("card_turned", player="p2", card="hidden"),
    COMPARE,
)
EXPLAINED = {"en": ["Aki won 10 chips with the Queen of Hearts."], "ja": ["Akiが♥Qで10枚を取りました。"]}


def test_the_rule_book_is_told_as_data(app: Flask) -> None:
    client = app.test_client()
    told = client.get("/v1/games/takafuda").get_json()
    assert told in client.get("/v1/games").get_json()["games"]
    assert (told["title"], told["players"]) == ({"en": "Takafuda", "ja": "高札"}, {"min": 2, "max": 4})
    switches = {each["name"]: each for each in told["rules"]}
    assert (switches["stake"]["default"], switches["stake"]["row"]) == (5, "TA-2")
    assert switches["stake"]["label"] == {"en": "Stake", "ja": "場代"}
    events = {each["type"]: each for each in told["events"]}
    fields = {each["name"]: each for each in events["card_turned"]["fields"]}
    assert events["card_turned"]["label"] == {"en": "Turn a card", "ja": "札をめくる"}
    assert (fields["card"]["kind"], fields["card"]["or"]) == ("card", ["hidden"])


def test_a_round_is_played(table: Scorekeeper) -> None:
    told = table.reports(*WON)
    (done,) = told["ended"]
    assert done["outcome"] == {
        "result": "won",
        "payouts": [{"player": "p1", "amount": 10, "reason": "best_card"}],
        "next_dealer": "p2",
        "winner": "p1",
        "best": "QH",
        "explanation": EXPLAINED,
    }
    assert done["table"]["turned"] == [{"player": "p1", "card": "QH"}, {"player": "p2", "card": "5S"}]
    assert table.looks("/rounds/1")["outcome"] == done["outcome"]
    assert table.balances() == {"p1": 3, "p2": -3}
    assert [entry["reason"] for entry in table.looks("/ledger")["entries"]] == ["stake", "stake", "raise", "best_card"]


def test_what_may_come_says_the_largest_amount(table: Scorekeeper) -> None:
    def raises() -> Json:
        return next(each for each in table.looks("")["round"]["next"] if each["type"] == "pot_raised")

    table.reports(OPEN)
    assert raises() == {"type": "pot_raised", "amount_at_least": 1, "amount_at_most": 6}
    refused = table.tries(event("pot_raised", player="p1", surplus=7), Accept_Language="ja").get_json()
    assert (refused["code"], refused["rule"], refused["at_most"]) == ("raised_too_much", "TA-4", 6)
    assert refused["detail"] == "Akiが足したのは7枚ですが、一度に足せるのはポットにある6枚までです。"
    table.reports(event("pot_raised", player="p1", surplus=6))
    assert raises()["amount_at_most"] == 12


def test_of_cards_that_may_come_nothing_is_known_and_events_are_told_by_their_labels(table: Scorekeeper) -> None:
    assert table.reports(*WON[:2])["session"]["round"]["cards"] is None
    told = {each["type"]: each["told"] for each in table.client.get("/v1/games/takafuda").get_json()["events"]}
    assert (told["card_turned"], told["pot_raised"]) == ([], [])


def test_a_forfeited_round_says_why_and_has_no_winner(table: Scorekeeper) -> None:
    (done,) = table.reports(*FORFEITED)["ended"]
    assert (done["status"], done["pot"], done["outcome"]["reasons"]) == ("forfeited", 6, ["all_hidden"])
    assert not done["outcome"].keys() & {"winner", "best"}
    assert done["outcome"]["explanation"]["ja"] == ["勝った人はいません（全員が伏せたまま）。"]


def test_a_refusal_is_said_in_japanese(table: Scorekeeper) -> None:
    table.reports(*WON[:2])
    answer = table.tries(event("card_turned", player="p1", card="2S"), Accept_Language="ja")
    told = answer.get_json()
    assert (answer.status_code, told["code"], told["rule"]) == (409, "has_turned", "TA-3")
    assert told["detail"] == "Akiはもう札をめくりました（まだの人：Ben）。"
    seen = table.tries(event("card_turned", player="p2", card="QH"), Accept_Language="ja").get_json()
    assert (seen["code"], seen["first_seen_seq"]) == ("card_already_seen", 2)
    assert seen["detail"] == "♥Qはすでに出ています（Akiの札）。"
    early = table.tries(COMPARE).get_json()
    assert (early["code"], early["detail"]) == ("too_early_to_compare", "Ben have yet to turn a card.")
    foreign = table.tries(event("bet_placed", player="p1", column=1), Accept_Language="ja").get_json()
    assert foreign["detail"] == "「張る」はほかのゲームのもので、高札では記録できません。"


def test_a_card_that_fell_open_is_out_of_the_round_of_a_game_that_never_heard_of_it(table: Scorekeeper) -> None:
    table.reports(OPEN, event("card_exposed", card="9♠"), event("card_exposed", card="5♠", returns=True))
    gone = table.tries(event("card_turned", player="p1", card="9♠"), Accept_Language="ja").get_json()
    assert (gone["code"], gone["first_seen_seq"]) == ("card_set_aside", 2)
    assert gone["detail"] == "♠9は見えてしまったのでよけてあり、この局ではもう出ません。"
    table.reports(event("card_turned", player="p1", card="5♠"))
    seen = table.tries(event("card_exposed", card="5♠")).get_json()
    assert (seen["code"], seen["first_seen_seq"]) == ("card_already_seen", 4)
    assert table.tries(event("card_exposed", card="10♠")).get_json()["code"] == "foreign_card"
    (done,) = table.reports(event("card_turned", player="p2", card="6♠"), COMPARE)["ended"]
    assert done["outcome"]["explanation"]["en"][-1] == "Seen by accident and set aside: the 9 of Spades."
    told = table.client.get("/v1/games/takafuda").get_json()
    (kind,) = (each for each in told["events"] if each["type"] == "card_exposed")
    assert {each["name"]: each["required"] for each in kind["fields"]}.items() >= {
        "card": True,
        "returns": False,
    }.items()


def test_what_is_malformed_is_refused(table: Scorekeeper) -> None:
    answer = table.tries(event("card_turned", player="p1", card="XX"), event("pot_raised", player="p1", surplus=0))
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.get_json()["errors"]] == ["/events/0/card", "/events/1/surplus"]
    rules = table.client.post("/v1/sessions", json={**OPENING, "rules": {"best_card": "middle"}})
    assert [error["pointer"] for error in rules.get_json()["errors"]] == ["/rules/best_card"]


def test_it_is_documented(app: Flask) -> None:
    told = app.test_client().get("/openapi.json").get_json()["components"]["schemas"]
    assert "takafuda" in told["NewSession"]["properties"]["game"]["enum"]
    assert told["PlayerStatistics"]["properties"]["raised"]["description"] == "Raised"
    for name, member in (
        ("HouseRules", "best_card"),
        ("RulesChange", "best_card"),
        ("Table", "turned"),
        ("Outcome", "best"),
    ):
        assert member in told[name]["properties"], name
    for name in ("Event", "StoredEvent"):
        assert told[name]["properties"]["surplus"]["description"] == "Chips on top."
        assert "card_turned" in told[name]["properties"]["type"]["x-extensible-enum"]
    assert {"card_turned", "pot_raised", "cards_compared"} <= told["NewEvent"]["discriminator"]["mapping"].keys()
    surplus = told["PotRaised"]["properties"]["surplus"]
    assert (surplus["type"], surplus["minimum"], surplus["maximum"]) == ("integer", 1, 10**9)
    assert surplus["description"] == "Chips on top."


def test_corrections_fold_the_round_again(table: Scorekeeper) -> None:
    table.reports(*WON)
    amended = event("event_amended", seq=4, event=event("card_turned", player="p2", card="KS"))
    told = table.reports(amended)
    assert told["changes"]["rounds"][0]["after"]["outcome"]["winner"] == "p2"
    assert table.balances() == {"p1": -7, "p2": 7}
    table.reports(event("event_taken_back"))
    assert table.balances() == {"p1": 3, "p2": -3}
    forgot = event("event_inserted", after=2, event=event("pot_raised", player="p2", surplus=1))
    table.reports(forgot)
    assert table.balances() == {"p1": 4, "p2": -4}
    amend_both = [
        event("event_amended", seq=2, event=event("card_turned", player="p1", card="5S")),
        event("event_amended", seq=4, event=event("card_turned", player="p2", card="QH")),
    ]
    table.reports(event("corrections_made", corrections=amend_both))
    assert table.balances() == {"p1": -7, "p2": 7}
    assert table.looks("/verify")["ok"]


def test_house_rules_change_and_a_round_is_worked_out_under_others(table: Scorekeeper) -> None:
    table.reports(*WON, event("rules_changed", rules={"best_card": "lowest"}))
    assert table.looks("")["rules"] == {"stake": 3, "best_card": "lowest"}
    answer = table.client.post(
        f"{table.address}/rounds/1/recalculate", json={"rules": {"best_card": "lowest"}}, headers=table.headers()
    )
    assert answer.get_json()["balances"] == {"p1": -7, "p2": 7}
    steps = table.looks("/rounds/1/replay")["steps"]
    assert [step["event"]["type"] for step in steps] == [each["type"] for each in WON]


def test_statistics_count_what_the_game_counts(table: Scorekeeper) -> None:
    table.reports(*WON, *FORFEITED)
    told = table.looks("/statistics")
    assert (told["results"], told["forfeits"]) == ({"won": 1, "forfeited": 1}, {"all_hidden": 1})
    aki = told["players"]["p1"]
    assert (aki["wins"], aki["raised"], aki["guri"], aki["received"]) == (1, 4, 0, {"best_card": 10})
    several = table.client.post("/v1/statistics", json={"tokens": [table.token]}).get_json()
    assert several["players"][f"{table.session_id}/p1"]["raised"] == 4


TEXT = """\
game takafuda
deck western
players Aki Ben
dealer 1
rules stake=3 best_card=highest

round
turn p1=QH
raise p1=4
turn p2=5S note=slowly
compare
"""


def test_the_notation_is_written_and_read(table: Scorekeeper, app: Flask) -> None:
    table.reports(*WON)
    assert table.client.get(f"{table.address}/export.txt", headers=table.headers()).text == TEXT
    again = app.test_client().post("/v1/sessions/import", data=TEXT, content_type="text/plain")
    assert again.status_code == 201, again.text
    assert [player["balance"] for player in again.get_json()["session"]["players"]] == [3, -3]


def test_hidden_cards_go_there_and_back_too(table: Scorekeeper) -> None:
    table.reports(*FORFEITED)
    text = table.client.get(f"{table.address}/export.txt", headers=table.headers()).text
    again = table.client.post("/v1/sessions/import", data=text, content_type="text/plain")
    assert again.get_json()["session"]["pot"] == 6


def test_the_books_are_taken_home_in_every_format(table: Scorekeeper) -> None:
    table.reports(*WON, *FORFEITED)

    def taken(what: str) -> TestResponse:
        answer = table.client.get(f"{table.address}/export.{what}", headers=table.headers(Accept_Language="ja"))
        assert answer.status_code == 200, answer.text
        return answer

    rounds = taken("csv?what=rounds").text
    assert "p1,Aki" in rounds
    assert "Akiが♥Qで10枚を取りました。" in rounds
    assert "card_turned" in taken("csv?what=events").text
    assert "best_card" in taken("csv").text
    for journal in ("journal", "beancount"):
        assert "best_card" in taken(journal).text
    sheet = taken("html").text
    assert "高札" in sheet
    assert "流れ" in sheet
    assert "場代" in sheet
    workbook = load_workbook(io.BytesIO(taken("xlsx").data))
    assert "高札" in [cell.value for cell in workbook.worksheets[0]["B"]]
    for file in (*FORMATS, *(f"csv?what={part}" for part in PARTS)):
        assert taken(file).data


def test_export_json_comes_back_with_the_same_books(table: Scorekeeper) -> None:
    table.reports(*WON, event("event_amended", seq=4, event=event("card_turned", player="p2", card="KS")))
    exported = table.client.get(f"{table.address}/export.json", headers=table.headers())
    answer = table.client.post("/v1/sessions/import", data=exported.data, content_type="application/json")
    assert answer.status_code == 201, answer.text
    assert [player["balance"] for player in answer.get_json()["session"]["players"]] == [-7, 7]


def test_a_round_is_worked_out_without_a_session(app: Flask) -> None:
    body = {"players": ["Aki", "Ben"], "deck": "western", "carried": 2, "events": list(WON[1:])}
    answer = app.test_client().post("/v1/calculate/takafuda", json=body)
    assert answer.status_code == 200, answer.text
    told = answer.get_json()
    assert (told["round"]["status"], told["balances"]) == ("won", {"p1": 7, "p2": -5})


def test_it_tells_no_chances_and_everything_else_works_where_they_are_wanted(table: Scorekeeper) -> None:
    table.reports(event("odds_switched", on=True), *WON)
    told = table.looks("/odds?round=1")
    assert told["odds"] is None
    assert told["why_no_odds"]["ja"] == "高札では勝つ見込みを計算していないので、出せません。"
    assert [step["odds"] for step in told["steps"]] == [None] * len(WON)
    assert table.looks("/statistics")["players"]["p1"]["wins"] == 1
