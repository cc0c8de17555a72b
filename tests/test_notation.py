"""The round notation: what is written reads back, and what is wrong is named with its place."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games import GAMES
from ledger.games.shippin import BetPlaced
from ledger.i18n.language import render
from ledger.notation import MAX_LINE_LENGTH, OPENING, Forms, NotationSyntaxError, format_lines, forms_for, parse
from ledger.rulebook.event import Form
from schemas.loading import event_types
from tests.reckoning.evenings import Evening, evenings
from tests.scorekeeper import event
from tests.service import ROOT

FORMS = (*OPENING.values(), *forms_for(None).patterns)

Json = dict[str, Any]

# --- anything that can be recorded ----------------------------------------------------------------------------------

SENT = [each["sent"] for each in json.loads((ROOT / "ledger/api/examples.json").read_bytes())["events"].values()]
hostile = st.one_of(
    st.text(),
    st.text(alphabet='"\\;=() \n\t\r/-x7p\u2028\u0085\u3000\ufeffé金\U0001f0cf', min_size=1),
    st.sampled_from(["-", "/", "20", "-5", "true", "p1", "note=x", "x3", "closed", "plain", "event {}", "&", "a&b"]),
)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9) | hostile
json_values = scalars | st.lists(scalars, max_size=3) | st.dictionaries(hostile, scalars, max_size=3)
names = st.sampled_from(sorted({name for sent in SENT for name in sent} | {"note", "overrule"}))
changed = st.builds(lambda sent, more: {**sent, **more}, st.sampled_from(SENT), st.dictionaries(names, hostile))
corrections = st.one_of(
    st.builds(lambda inner: event("event_amended", seq=3, event=inner), changed),
    st.builds(lambda parts: event("corrections_made", corrections=parts), st.lists(changed, max_size=3)),
)
strange = st.dictionaries(names | hostile, json_values, max_size=4)
OPENING_FIELDS = {
    "game": st.sampled_from([*GAMES]),
    "name": hostile,
    "players": st.lists(hostile, min_size=1, max_size=23),
    "dealer": st.sampled_from(["p1", "p25"]) | st.integers(1, 23),
    "rules": st.sampled_from([{"ante": 0, "payments": {"maid": 10}}, {"must_bet": True, "tie": "dealer_wins"}, {}]),
    "chip_value": st.fixed_dictionaries({"per_chip": hostile, "currency": hostile}),
}
openings = st.fixed_dictionaries({}, optional=OPENING_FIELDS)


def reads_back(opening: Json, *events: Json) -> list[str]:
    """Write a session and make sure that it reads the same, to the last type."""
    text = "".join(format_lines(opening, events))
    again = parse(text)
    assert (again.opening, len(again.lines)) == (opening, len(events))
    assert json.dumps(again.events, sort_keys=True) == json.dumps(events, sort_keys=True)
    return text.splitlines()


@given(opening=openings, events=st.lists(changed | corrections | strange, max_size=8))
def test_what_is_written_reads_back(opening: Json, events: list[Json]) -> None:
    reads_back(opening, *events)


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_an_evening_reads_back_and_needs_no_json(game: str, data: st.DataObject) -> None:
    state: Evening = data.draw(evenings(game, corrections=data.draw(st.booleans())))
    players = [player["name"] if isinstance(player, dict) else player for player in state.opening["players"]]
    lines = reads_back({**state.opening, "players": players}, *map(dict, state.events))
    assert not any("event {" in line for line in lines)


@pytest.mark.parametrize("opening", [{"game": "poker"}, {"lang": "ja"}, {"rules": {"anteater": 1}}, {"dealer": 1.5}])
def test_an_opening_that_no_session_has_cannot_be_written(opening: Json) -> None:
    with pytest.raises(ValueError, match=r"no session is opened like this|is not"):
        list(format_lines(opening, ()))


# --- how it is written ----------------------------------------------------------------------------------------------


def amended(seq: int, kind: str, **fields: Any) -> Json:
    return event("event_amended", seq=seq, event=event(kind, **fields))


def together(*parts: Json, **more: str) -> Json:
    return event("corrections_made", corrections=list(parts), **more)


OPENED = event("round_opened")
PARTS = together(
    event("event_taken_back", seq=7, part=2),
    event("event_inserted", after=7, part=1, event=OPENED),
    amended(2, "player_joined", name="&"),
    note="R&B",
)
TURN = {"type": "turn_played", "player": "p1"}


@pytest.mark.parametrize(
    ("recorded", "line"),
    [
        (event("card_dealt", player="p1", card="cups-7"), "deal p1=cups-7"),
        (event("card_dealt", player="p2", card="plain", overrule="so"), "deal p2=plain overrule=so"),
        (event("bid_placed", player="p2", amount=1), "bid p2=1"),
        (event("auction_closed"), "bid closed"),
        ({**TURN, "cards": []}, "p1 -"),
        ({**TURN, "count": 0}, "p1 x0"),
        (TURN, "p1"),
        ({**TURN, "count": 3, "top": "cups-7"}, "p1 x3 top=cups-7"),
        (event("chips_moved", from_="bank", to="p1", amount=5), "buy-in p1=5"),
        (event("chips_moved", from_="bank", to="bank", amount=5), None),
        (event("card_exposed", card="4", returns=False), "aside 4"),
        (event("card_exposed", card="4", returns=True), "put-back 4"),
        (amended(3, "card_dealt", player="p1", card="4") | {"note": "so"}, "amend 3 deal p1=4 note=so"),
        (amended(3, "card_dealt", player="p1", card="4", note="so"), None),
        (event("event_taken_back", seq=3, note='a\nb "c" \u2028'), r'undo 3 note="a\nb \"c\" \u2028"'),
        (event("event_taken_back", note="山田　太郎"), 'undo note="山田　太郎"'),
        (event("event_taken_back", note="\u200ba\u202e"), r'undo note="\u200ba\u202e"'),
        (PARTS, 'together undo 7 part=2 & insert 7 part=1 round & amend 2 join "&" note=R&B'),
        (together(), None),
        (together(OPENED), None),
        (together(together()), None),
        (event("rules_changed", rules={"tie": "true", "bet": "10"}), 'new-rules tie="true" bet="10"'),
        (event("session_described", chip_value={"per_chip": "10", "currency": "JPY"}), "describe chip-value=10 JPY"),
        (event("moon_landed", player="p1"), None),
        ({"type": ["round_opened"]}, None),
    ],
)
def test_an_event_is_written_in_its_shortest_form(recorded: Json, line: str | None) -> None:
    (written,) = reads_back({}, recorded)
    assert written == line if line else written.startswith("event {")


def test_a_session_is_written_with_an_empty_line_before_each_round() -> None:
    opening = {"game": "kakkuri", "name": None, "players": ["Aki", {"name": "Ben B."}]}
    lines = ["game kakkuri", 'players Aki "Ben B."', "", "round", "", "round", ""]
    assert "".join(format_lines(opening, (OPENED, OPENED))).split("\n") == lines
    assert reads_back({}, OPENED) == ["round"]


def test_a_game_may_use_any_words_but_those_of_the_opening() -> None:
    forms = [Form(BetPlaced, f"{word} <player> [column=<column:number>] …") for word in ("rules", "put")]
    assert Forms(forms).format_event({"type": "bet_placed", "player": "p1", "column": 2}) == "put p1 column=2"


# --- whose card it is -----------------------------------------------------------------------------------------------


TABLE = "game shirinma\nplayers A B C D E F G H I J K L\ndealer p5\n"
ROUNDS = "void spilt\n" + "round\nfield swords-1\nvoid spilt\n" * 49 + "round\nfield swords-1\n"


@pytest.mark.parametrize(
    ("lines", "players"),
    [
        ("deal plain cups-6 plain", ["p5", "p6", "p7"]),
        ('deal plain\ndeal p7=plain overrule="so"\ndeal plain plain', ["p5", "p7", "p8", "p9"]),
        ("deal plain cups-6\nundo\ndeal cups-7 plain", ["p5", "p6", "p6", "p7"]),
        ("deal plain cups-6 plain\namend 4 deal p6=cups-10\nbid p1=1\ndeal plain", None),
        ("deal plain\ninsert 3 deal p6=plain\ndeal plain\nundo\nundo 4\ndeal plain", ["p5", "p7", "p6"]),
        ("deal plain\ninsert 1 buy-in p1=5\ndeal plain", ["p5", "p6"]),
        ('event {"type": "card_dealt", "player": "p5", "card": "cups-6"}\ndeal plain', ["p5", "p6"]),
        ("trump cups-7\ndeal plain", None),
        ('event {"type": "moon_landed"}\ndeal plain', None),
        ("deal cups-6 cups-7\ntogether amend 3 deal p5=cups-7 & undo 4\ndeal plain", ["p5", "p6", "p6"]),
        ("deal cups-6\ntogether insert 3 deal p6=cups-7\nundo 4 part=1\ndeal plain", ["p5", "p6"]),
        ("void spilt\ndeal plain", None),
        ("void spilt\njoin Mari seat=6\nnew-dealer p5\nround\nfield swords-1\ndeal plain 4", ["p5", "p13"]),
        (f"{ROUNDS}deal plain\nundo 153\ndeal plain", ["p5", "p5"]),
        (f"{ROUNDS}deal plain\namend 153 deal p5=cups-6\ndeal plain", ["p5", "p6"]),
        (f"{ROUNDS}together insert 3 new-dealer p6 & insert 150 buy-in p1=5\ndeal plain", ["p6"]),
    ],
)
def test_the_rules_say_whose_card_it_is(lines: str, players: list[str] | None) -> None:
    text = f"{TABLE}round\nfield swords-1\n{lines}"
    if players:
        assert [each["player"] for each in parse(text).events if each["type"] == "card_dealt"] == players
    else:
        with pytest.raises(NotationSyntaxError) as error:
            parse(text)
        assert "whose is `plain`?" in in_english(error.value)


# --- how it is read -------------------------------------------------------------------------------------------------


def test_comments_spaces_and_line_endings_do_not_matter() -> None:
    text = '\ufeff; a\r\n\r\n  game kakkuri ;\r\nplayers Aki "Ben; the elder";two\r\n\tround\r\n= "half\r\np1  -\u3000;'
    assert parse(text) == (
        {"game": "kakkuri", "players": ["Aki", "Ben; the elder"]}, (OPENED, {**TURN, "cards": []}), (5, 7)
    )  # fmt: skip


def test_a_part_of_a_session_is_read_without_its_opening() -> None:
    text = "deal p3=cups-10 (p1=2) p4=plain\njoin 山田　太郎 seat=3\ndescribe name=冬　の会"
    opening, events, _ = parse(text)
    types = ["card_dealt", "bid_placed", "card_dealt", "player_joined", "session_described"]
    assert (opening, [each["type"] for each in events]) == ({}, types)
    assert [each["name"] for each in events[3:]] == ["山田　太郎", "冬　の会"]


def test_numbers_are_read_as_people_type_them() -> None:
    text = "rules ante=２０\nchip-value 1,000 JPY\nbuy-in p1=1\u202f500 p2=−3\nbrought p1=−1,030"
    opening, events, _ = parse(text)
    assert opening == {"rules": {"ante": 20}, "chip_value": {"per_chip": "1000", "currency": "JPY"}}
    assert [each.get("amount") for each in events[:2]] == [1500, -3]
    assert events[2]["balances"] == [{"player": "p1", "balance": -1030}]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("players 山田　太郎 佐藤　花子", ["山田　太郎", "佐藤　花子"]),
        ("players　山田　太郎 佐藤", ["山田　太郎", "佐藤"]),
        ('players "山田　太郎"　"佐藤 花子"', ["山田　太郎", "佐藤 花子"]),
        ('players "山田 太郎" 佐藤　花子', ["山田 太郎", "佐藤　花子"]),
        ("players 山田\t佐藤　花子　", ["山田", "佐藤　花子"]),
        ('players "Aki, the elder" Ben', ["Aki, the elder", "Ben"]),
    ],
)
def test_a_wide_space_stays_within_a_name(line: str, names: list[str]) -> None:
    assert parse(line).opening == {"players": names}


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("game shirinma\n\nfeild cups-7", 3, 1, "no line begins with `feild`; is it `field`?"),
        ("xyzzy", 1, 1, "no line begins with `xyzzy`; lines begin with a player or with game, name, deck, "),
        ("game shirinmo", 1, 6, "`shirinmo` is not one of shirinma, shippin, and kakkuri; is it `shirinma`?"),
        ("round\nfield cups-13", 2, 7, "`cups-13` is not a card (cards are written like cups-11, QH or Q♥, "),
        ("field", 1, 6, "is missing; the line is written `field <card>`"),
        ("leave p1=3", 1, 7, "a player, such as p7 is wanted here"),
        ("bet p2", 1, 5, "a player, such as p7 is wanted here; the line is written `bet <player>=<column:number> …`"),
        ("bet p2=one", 1, 8, "`one` is not a whole number"),
        ("deal cups-7", 1, 6, "whose is `cups-7`? Write `p1=cups-7`, or whoever it is"),
        ("deal swrods-3", 1, 6, "`swrods-3` is not a card"),
        ("game shirinma\nplayers A B\nround\nfield 4\ndeal plain", 5, 6, "whose is `plain`?"),
        ("deal p1=cups-10 (p2=1", 1, 22, "is missing"),
        ("second 7 3 5 10 9", 1, 17, "`9` is not `/`"),
        ("p1 -  cups-7", 1, 7, "`cups-7` is too much here"),
        ("rules ante=20 antee=5", 1, 15, "`antee` is not a house rule; is it `ante`?"),
        ("rules ante=20 ante=5", 1, 15, "`ante` is said twice"),
        ("round\nrules ante=20", 2, 1, "`rules` is for the opening, before the first event; is it `new-rules`?"),
        ("dealer p1\ndealer p2", 2, 1, "`dealer` is said twice"),
        ('name "New year', 1, 6, 'this text has no closing "'),
        ('name New"year"', 1, 6, 'a text with spaces or signs is written in "…"'),
        (r'name "New \year"', 1, 6, "are written as in JSON"),
        ("bet p2=1 p3=2 note=so", 1, 10, "a note or overrule is for one event"),
        ("round note=a note=b", 1, 14, "`note` is said twice"),
        ('event {"type": }', 1, 16, 'this is not JSON; the line is written `event {"type": …}`'),
        ("event [1]", 1, 7, "an event is a JSON object"),
        ('event {"type": "x", "seq": NaN}', 1, 28, "this is not JSON"),
        ('event {"type": "x", "type": "y"}', 1, 7, "an object has the name 'type' twice"),
        ("amend 3 amend 2 round", 1, 9, "an event of the table is wanted here, not a correction"),
        ("amend 3 buy-in p1=1 p2=2", 1, 9, "one event is wanted here"),
        ("amend 3", 1, 8, "a word is missing"),
        ("undo part=2", 1, 6, "a whole number is wanted here"),
        ("together round", 1, 10, "a correction of one event is wanted here"),
        ("together undo 3 & together undo 4", 1, 19, "a correction of one event is wanted here"),
        ("field " + "x" * 1000, 1, 7, f"`{'x' * 40}` is not a card"),
        pytest.param("(" * (MAX_LINE_LENGTH + 1), 1, MAX_LINE_LENGTH + 1, "a line has at most", id="long"),
        pytest.param('event {"type": ' + "[" * 100_000, 1, 7, "this is not JSON", id="deep"),
        ("chip-value 1,000 EUR", 1, 12, "`1,000` may be 1000 or 1.000: write which"),
        ("players Aki, Ben,Chie", 1, 9, "write `Aki Ben Chie`, and a name with a comma in quotes"),
        ("players 山田　太郎　佐藤　花子", 1, 9, 'write `山田 太郎 佐藤 花子`, or `"山田　太郎" "佐藤　花子"`'),
        ('players "A b"　佐藤　花子', 1, 9, 'write `"A b" 佐藤 花子`, or `"A b" "佐藤　花子"`'),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, line: int, column: int, why: str) -> None:
    with pytest.raises(NotationSyntaxError) as error:
        parse(text)
    assert (error.value.line, error.value.column) == (line, column)
    assert why in in_english(error.value)


@given(text=st.text() | st.lists(hostile | st.sampled_from(["cups-7", *"=;()\n "]), max_size=30).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    for first in ("", *(form.word + " " for form in FORMS), "p1 ", "event "):
        with suppress(NotationSyntaxError):
            parse(first + text)


def test_a_line_that_would_be_too_long_is_written_as_json() -> None:
    reasons = [amended(seq, "round_voided", reason="x" * 500) for seq in range(1, 101)]
    assert reads_back({}, together(*reasons))[0].startswith("together amend 1 void ")
    longest = [amended(seq, "round_voided", reason="\U0010ffff" * 500) for seq in range(1, 101)]
    assert reads_back({}, together(*longest))[0].startswith("event {")


def in_english(error: NotationSyntaxError) -> str:
    return render(error.sentence, "en", {})


# --- the document ---------------------------------------------------------------------------------------------------


def test_the_document_lists_every_form_and_every_event_has_one() -> None:
    document = (ROOT / "docs" / "notation.md").read_text("utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| (?:`(\w+)` \| )?", document, re.MULTILINE)
    assert rows == [(form.template, form.type) for form in FORMS]
    assert {form.type for form in FORMS if form.type} == set(event_types())
