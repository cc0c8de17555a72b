"""The round notation: what is written reads back, what is wrong is said with its place, the document keeps its word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from ledger.cards import DECKS, INSTEAD
from ledger.games import GAMES, newest
from ledger.games.shippin import BetPlaced
from ledger.language import render
from ledger.notation import LONGEST_LINE, OPENING, Check, Forms, Misread, Score, forms_for, parse, write
from ledger.notation.forms import JSON_EVENT
from ledger.play.events import AnyEvent, Event, Form
from ledger.records import members_of
from ledger.session.events import FORMS as SESSION_FORMS
from schemas.records import event_types
from tests.reckoning.evenings import Evening, evenings

HERE = Path(__file__).parent
DOCUMENT = (HERE.parent / "docs" / "notation.md").read_text("utf-8")

FORMS = (*OPENING.values(), *forms_for(None).patterns)

Json = dict[str, Any]

# --- anything that can be recorded ----------------------------------------------------------------------------------

CARDS = [card.code for deck in DECKS.values() for card in deck]
PLAYERS = [f"p{number}" for number in range(1, 26)]
HOUSE_RULES = [
    {"ante": 0, "odd_chip": "carry", "payments": {"maid": 10, "king": 0}},
    {"western_courts": "QJK", "payments": {"dragon": 5}},
    {"must_bet": True, "tie": "dealer_wins"},
    {"chips_per_share": 5, "sequence": "off"},
    {"bet": "10", "must_bet": "true"},
    {},
]
hostile = st.one_of(
    st.text(),
    st.text(alphabet='"\\;=() \n\t\r/-x7p\u2028\u0085\u3000\ufeffé金\U0001f0cf', min_size=1),
    st.sampled_from(
        ["-", "/", "20", "-5", "true", "p1", "note=x", "x3", "closed", "plain", "event {}", "", "&", "a&b", "= pot 0"]
    ),
)


def values(type_: inspect.Type, extra: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """What a member of an event may hold in JSON, from its type; words may be anything."""
    match type_:
        case inspect.Metadata():
            return values(type_.type, {**extra, **(type_.extra or {})})
        case inspect.UnionType(types):
            return st.one_of(*(values(each, {}) for each in types))
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=least, le=most):
            return st.integers(least, most)
        case inspect.StrType() if extra.get("kind") in ("name", "words"):
            return hostile
        case inspect.StrType():
            return st.sampled_from([*PLAYERS, "bank"] if extra.get("kind") == "account" else PLAYERS)
        case inspect.LiteralType(words):
            return st.sampled_from(words)
        case inspect.VarTupleType(item):
            return st.lists(values(item, {}), max_size=7)
        case inspect.TupleType(items):
            return st.tuples(*(values(each, {}) for each in items)).map(list)
        case inspect.StructType(record):
            return reports(record.type, record) if issubclass(record, Event) else records(record)
        case inspect.CustomType(cls) if cls is not AnyEvent:
            return st.sampled_from([*CARDS, *INSTEAD[cls]])
        case inspect.CustomType():
            return st.deferred(lambda: events)
    return st.sampled_from(HOUSE_RULES)


def records(record: Any) -> st.SearchStrategy[Json]:
    """The JSON of a record: every member that has to be there, and some that need not."""
    needed, others = dict[str, Any](), dict[str, Any]()
    for member in members_of(record):
        (others if member.nullable else needed)[member.name] = values(member.type, member.extra)
    return st.fixed_dictionaries(needed, optional=others)


def reports(name: str, kind: Any) -> st.SearchStrategy[Json]:
    """The JSON of an event, its type first."""
    return st.builds(lambda said: {"type": name, **said}, records(kind))


events: st.SearchStrategy[Json] = st.one_of(*(reports(name, kind) for name, kind in event_types().items()))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | hostile,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(hostile, inner, max_size=3),
    max_leaves=8,
)
strange = st.tuples(
    events,
    st.dictionaries(st.sampled_from(["type", "player", "card", "seq", "rules", "note", "x"]) | hostile, json_values),
).map(lambda both: {**both[0], **both[1]})
openings = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from([*GAMES]),
        "name": hostile,
        "deck": st.sampled_from([*DECKS]),
        "players": st.lists(hostile, min_size=1, max_size=23),
        "dealer": st.sampled_from(PLAYERS) | st.integers(1, 23),
        "rules": st.sampled_from(HOUSE_RULES),
        "carried": st.integers(0, 10**9),
        "chip_value": st.fixed_dictionaries({"per_chip": hostile, "currency": hostile}),
    },
)
scalars = st.integers(-(10**9), 10**9) | st.booleans() | hostile
checks = st.builds(
    Check,
    st.integers(0, 4),
    hostile,
    st.lists(scalars, max_size=3).map(tuple),
    st.dictionaries(st.sampled_from(PLAYERS), scalars, max_size=3),
)


def reads_back(score: Score) -> str:
    """Write a score and make sure that it reads the same, to the last type."""
    text = write(score)
    again = parse(text)
    assert (again.opening, again.events, again.checks) == (score.opening, score.events, score.checks)
    assert repr(again.events) == repr(score.events) or by_name(again.events) == by_name(score.events)
    assert len(again.lines) == len(score.events)
    return text


def by_name(value: Any) -> Any:
    """Something of which the order of names does not matter, but the type of every value does."""
    if isinstance(value, dict):
        return sorted((name, by_name(item)) for name, item in value.items()) if value else "{}"
    if isinstance(value, list | tuple):
        return [by_name(item) for item in value]
    return repr(value)


@given(opening=openings, recorded=st.lists(events, max_size=12), expected=st.lists(checks, max_size=3))
def test_whatever_can_be_recorded_reads_back(opening: Json, recorded: list[Json], expected: list[Check]) -> None:
    expected = sorted((check for check in expected if check.after <= len(recorded)), key=lambda check: check.after)
    reads_back(Score(opening, tuple(recorded), tuple(expected)))


@given(recorded=st.lists(strange | st.dictionaries(hostile, json_values), max_size=6))
def test_what_no_form_can_say_is_carried_as_json(recorded: list[Json]) -> None:
    reads_back(Score({"game": "shirinma", "players": ["Aki"] * 12}, tuple(recorded)))


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_an_evening_reads_back_and_needs_no_json(game: str, data: st.DataObject) -> None:
    state: Evening = data.draw(evenings(game, corrections=data.draw(st.booleans())))
    players = [player["name"] if isinstance(player, dict) else player for player in state.opening["players"]]
    text = reads_back(Score(state.opening | {"players": players}, tuple(state.events)))
    assert "event {" not in text


def test_players_may_be_objects_and_what_is_null_is_not_said() -> None:
    written = write(Score({"game": "kakkuri", "name": None, "players": ["Aki", {"name": "Ben B."}]}, ()))
    assert written == 'game kakkuri\nplayers Aki "Ben B."\n'


@pytest.mark.parametrize("opening", [{"game": "poker"}, {"lang": "ja"}, {"rules": {"anteater": 1}}, {"dealer": 1.5}])
def test_an_opening_that_no_session_has_cannot_be_written(opening: Json) -> None:
    with pytest.raises(ValueError, match=r"no session is opened like this|is not"):
        write(Score(opening, ()))


# --- how it is written ----------------------------------------------------------------------------------------------


def dealt(player: str, card: str, **more: str) -> Json:
    return {"type": "card_dealt", "player": player, "card": card, **more}


def bid(player: str, amount: int, **more: str) -> Json:
    return {"type": "bid_placed", "player": player, "amount": amount, **more}


def amended(seq: int, player: str, card: str) -> Json:
    return {"type": "event_amended", "seq": seq, "event": dealt(player, card)}


TWELVE = {"game": "shirinma", "players": list("ABCDEFGHIJKL")}
OPENED = {"type": "round_opened"}
FIELD = {"type": "field_card_revealed", "card": "swords-1"}


@pytest.mark.parametrize(
    ("recorded", "written"),
    [
        ([dealt("p1", "cups-7"), dealt("p2", "plain")], ["deal cups-7 plain"]),
        ([dealt("p12", "cups-7"), dealt("p1", "cups-8")], ["deal p12=cups-7 p1=cups-8"]),
        ([dealt("p2", "plain", overrule="so"), dealt("p3", "cups-6")], ["deal p2=plain overrule=so", "deal cups-6"]),
        ([dealt("p1", "cups-7"), dealt("p3", "cups-8")], ["deal cups-7 p3=cups-8"]),
        ([dealt("p1", "cups-7"), dealt("p1", "cups-8")], ["deal cups-7", "deal p1=cups-8"]),
        ([dealt("p1", "cups-10"), bid("p2", 1), bid("p3", 2)], ["deal cups-10 (p2=1 p3=2)"]),
        ([dealt("p1", "cups-10"), bid("p2", 1), dealt("p2", "plain")], ["deal cups-10 (p2=1) plain"]),
        ([dealt("p1", "cups-10"), bid("p2", 1), {"type": "auction_closed"}], ["deal cups-10 (p2=1 closed)"]),
        ([bid("p2", 1), bid("p3", 2)], ["bid p2=1 p3=2"]),
        (
            [dealt("p1", "cups-10"), bid("p2", 1, overrule="late"), bid("p3", 2), dealt("p2", "plain")],
            ["deal cups-10", "bid p2=1 overrule=late", "bid p3=2", "deal plain"],
        ),
        ([dealt("p1", "cups-10", note="bent"), bid("p2", 1)], ["deal cups-10 note=bent", "bid p2=1"]),
        ([{"type": "turn_played", "player": "p1", "cards": []}], ["p1 -"]),
        ([{"type": "turn_played", "player": "p1", "count": 0}], ["p1 x0"]),
        ([{"type": "turn_played", "player": "p1"}], ["p1"]),
        ([{"type": "turn_played", "player": "p1", "count": 3, "top": "cups-7"}], ["p1 x3 top=cups-7"]),
        (
            [{"type": "chips_moved", "from": "bank", "to": player, "amount": 5} for player in ("p1", "p2")],
            ["buy-in p1=5 p2=5"],
        ),
        ([{"type": "chips_moved", "from": "bank", "to": "bank", "amount": 5}], None),
        ([{"type": "bet_placed", "player": f"p{at}", "column": at} for at in (2, 3)], ["bet p2=2 p3=3"]),
        ([{"type": "event_amended", "seq": 3, "event": dealt("p1", "4")}], ["amend 3 deal p1=4"]),
        ([{"type": "event_amended", "seq": 3, "event": dealt("p1", "4"), "note": "so"}], ["amend 3 deal p1=4 note=so"]),
        ([{"type": "event_amended", "seq": 3, "event": dealt("p1", "4", note="so")}], None),
        ([{"type": "event_taken_back", "seq": 3, "note": 'a\nb "c" \u2028'}], [r'undo 3 note="a\nb \"c\" \u2028"']),
        ([{"type": "event_taken_back", "note": "山田　太郎"}], ['undo note="山田　太郎"']),
        ([{"type": "event_taken_back", "note": "\u200ba\u202e"}], [r'undo note="\u200ba\u202e"']),
        (
            [{"type": "corrections_made", "corrections": [amended(3, "p1", "cups-8"), amended(4, "p2", "cups-7")]}],
            ["together amend 3 deal p1=cups-8 & amend 4 deal p2=cups-7"],
        ),
        (
            [
                {
                    "type": "corrections_made",
                    "corrections": [
                        {"type": "event_taken_back", "seq": 7, "part": 2},
                        {"type": "event_inserted", "after": 7, "part": 1, "event": {"type": "round_opened"}},
                        {"type": "event_amended", "seq": 2, "event": {"type": "player_joined", "name": "&"}},
                    ],
                    "note": "R&B",
                }
            ],
            ['together undo 7 part=2 & insert 7 part=1 round & amend 2 join "&" note=R&B'],
        ),
        ([{"type": "corrections_made", "corrections": []}], None),
        ([{"type": "corrections_made", "corrections": [{"type": "round_opened"}]}], None),
        ([{"type": "corrections_made", "corrections": [{"type": "corrections_made", "corrections": []}]}], None),
        ([{"type": "rules_changed", "rules": {"tie": "true", "bet": "10"}}], ['new-rules tie="true" bet="10"']),
        ([{"type": "session_described", "name": "New year"}], ['describe name="New year"']),
        (
            [{"type": "session_described", "chip_value": {"per_chip": "10", "currency": "JPY"}}],
            ["describe chip-value=10 JPY"],
        ),
        ([{"type": "moon_landed", "player": "p1"}], None),
        ([{"type": "reopened", "seq": [[]]}], None),
    ],
)
def test_events_are_written_in_their_shortest_form(recorded: list[Json], written: list[str] | None) -> None:
    lines = reads_back(Score(TWELVE, (OPENED, FIELD, *recorded))).splitlines()[5:]
    assert lines == written if written else [line.startswith("event {") for line in lines] == [True]


def test_a_line_goes_on_only_until_something_is_expected() -> None:
    score = Score({}, (bid("p2", 1), bid("p3", 2)), (Check(1, "pot", (5,)), Check(2, "pot", (7,))))
    assert reads_back(score) == "bid p2=1\n= pot 5\nbid p3=2\n= pot 7\n"


def test_a_round_has_an_empty_line_before_it_but_at_the_top() -> None:
    assert reads_back(Score({}, (OPENED, OPENED))) == "round\n\nround\n"


def test_a_game_may_use_any_words_but_those_of_the_opening() -> None:
    """What begins like a line of the opening could not be read; and what may end in two ways, not in one line."""
    taken = Form(BetPlaced, "rules <player>=<column:number> …")
    vague = Form(BetPlaced, "put <player> [column=<column:number>] …")
    (pattern,) = (forms := Forms((taken, vague))).patterns
    assert forms.short({"type": "bet_placed", "player": "p1", "column": 2}) == (pattern, "put p1 column=2")
    assert pattern.repeats
    assert not pattern.is_shared


@pytest.mark.parametrize(("returns", "written"), [(False, "aside 4"), (True, "put-back 4")])
def test_a_card_that_fell_open_is_written_as_it_is_stored(*, returns: bool, written: str) -> None:
    """A stored event always says what became of the card."""
    found = forms_for("shippin").short({"type": "card_exposed", "card": "4", "returns": returns})
    assert found is not None
    assert found[1] == written


@pytest.mark.parametrize("game", GAMES)
def test_a_text_is_read_by_the_forms_of_its_own_game_first(game: str) -> None:
    own = [form.template for form in newest(game).forms]
    others = [pattern.template for pattern in forms_for(game).patterns][len(SESSION_FORMS) :]
    assert others[: len(own)] == own
    assert len(others) == sum(len(newest(name).forms) for name in GAMES)


def test_a_deal_goes_round_those_who_sit_there() -> None:
    joined = {"type": "player_joined", "name": "Mari", "seat": 2}
    deal = [dealt("p1", "plain"), dealt("p13", "plain"), dealt("p2", "plain")]
    void = {"type": "round_voided", "reason": "spilt"}
    left, back = {"type": "player_left", "player": "p13"}, {"type": "player_joined", "player": "p13"}
    last = [dealt("p12", "plain"), dealt("p13", "plain"), dealt("p1", "plain")]
    dealer = {"type": "dealer_named", "player": "p12"}
    text = reads_back(Score(TWELVE, (joined, OPENED, FIELD, *deal, void, left, back, dealer, OPENED, FIELD, *last)))
    assert text.splitlines()[2:] == [
        "join Mari seat=2",
        "",
        "round",
        "field swords-1",
        "deal plain plain plain",
        "void spilt",
        "leave p13",
        "back p13",
        "new-dealer p12",
        "",
        "round",
        "field swords-1",
        "deal plain plain plain",
    ]


def players_dealt_to(text: str, game: str | None = None) -> list[str]:
    return [event["player"] for event in parse(text, game).events if event["type"] == "card_dealt"]


TABLE = "game shirinma\nplayers A B C D E F G H I J K L\ndealer p5\n"


@pytest.mark.parametrize(
    ("lines", "players"),
    [
        ("deal plain cups-6 plain", ["p5", "p6", "p7"]),
        ('deal plain\ndeal p7=plain overrule="so"\ndeal plain plain', ["p5", "p7", "p8", "p9"]),
        ("deal plain cups-6\nundo\ndeal cups-7 plain", ["p5", "p6", "p6", "p7"]),
        ("deal plain cups-6 plain\nundo 4\ndeal p6=cups-7 plain", None),
        ("deal plain cups-6 plain\namend 4 deal p6=cups-10\nbid p1=1\ndeal plain", None),
        ("deal plain cups-6\namend 4 deal p6=cups-10\nbid p1=1\ndeal plain", ["p5", "p6", "p7"]),
        ("deal plain\ninsert 3 deal p6=plain\ndeal plain\nundo\nundo 4\ndeal plain", ["p5", "p7", "p6"]),
        ("deal plain\ninsert 1 buy-in p1=5\ndeal plain", ["p5", "p6"]),
        ('event {"type": "card_dealt", "player": "p5", "card": "cups-6"}\ndeal plain', ["p5", "p6"]),
        ("trump cups-7\ndeal plain", None),
        ('event {"type": "moon_landed"}\ndeal plain', None),
        ("undo\nundo\nundo\ndeal plain", None),
        ("deal cups-6 cups-7\ntogether amend 3 deal p5=cups-7 & undo 4\ndeal plain", ["p5", "p6", "p6"]),
        ("deal cups-6\ntogether insert 3 deal p6=cups-7\nundo 4 part=1\ndeal plain", ["p5", "p6"]),
        ("void spilt\ndeal plain", None),
    ],
)
def test_the_rules_say_whose_card_it_is(lines: str, players: list[str] | None) -> None:
    text = f"{TABLE}round\nfield swords-1\n{lines}"
    if players:
        assert players_dealt_to(text) == players
    else:
        with pytest.raises(Misread) as misread:
            parse(text)
        assert "whose is `plain`?" in in_english(misread.value)


def test_what_calculate_takes_says_whose_card_it_is() -> None:
    """Without `round`, and without the game, which stands in the address."""
    table = TABLE.replace("game shirinma\n", "")
    assert players_dealt_to(f"{table}carried 30\nfield swords-1\ndeal plain plain", "shirinma") == ["p5", "p6"]
    with pytest.raises(Misread):
        parse(f"{table}field swords-1\ndeal plain plain")


@pytest.mark.parametrize(
    ("lines", "players"),
    [
        ("deal plain\nundo 153\ndeal plain", ["p5", "p5"]),
        ("deal plain\namend 153 deal p5=cups-6\ndeal plain", ["p5", "p6"]),
        ("undo 151\ndeal plain", None),
        ("insert 0 new-dealer p6\ndeal plain", ["p6"]),
        ("together insert 3 new-dealer p6 & insert 150 buy-in p1=5\ndeal plain", ["p6"]),
    ],
)
def test_corrections_are_followed_however_far_back(lines: str, players: list[str] | None) -> None:
    rounds = "round\nfield swords-1\nvoid spilt\n" * 50
    text = f"{TABLE}{rounds}round\nfield swords-1\n{lines}"
    if players:
        assert players_dealt_to(text) == players
    else:
        with pytest.raises(Misread):
            parse(text)


# --- how it is read -------------------------------------------------------------------------------------------------


def test_comments_spaces_and_line_endings_do_not_matter() -> None:
    written = [
        "\ufeff; a sheet",
        "",
        "  game kakkuri ; not shippin",
        'players Aki "Ben; the elder";two',
        "\tround",
        "p1  -\u3000;",
    ]
    score = parse("\r\n".join(written))
    assert score.opening == {"game": "kakkuri", "players": ["Aki", "Ben; the elder"]}
    assert score.events == ({"type": "round_opened"}, {"type": "turn_played", "player": "p1", "cards": []})
    assert score.lines == (5, 6)


def test_numbers_are_read_as_people_type_them() -> None:
    text = "rules ante=２０\nchip-value 1,000 JPY\nbuy-in p1=1\u202f500 p2=−3\nbrought p1=−1,030 p2=１０３０"
    score = parse(f"game shirinma\n{text}")
    assert score.opening == {
        "game": "shirinma", "rules": {"ante": 20}, "chip_value": {"per_chip": "1000", "currency": "JPY"},
    }  # fmt: skip
    assert [event.get("amount") for event in score.events[:2]] == [1500, -3]
    assert score.events[2]["balances"] == [{"player": "p1", "balance": -1030}, {"player": "p2", "balance": 1030}]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("players 山田　太郎 佐藤　花子", ["山田　太郎", "佐藤　花子"]),
        ("players　山田　太郎 佐藤", ["山田　太郎", "佐藤"]),
        ('players "山田　太郎"　"佐藤 花子"', ["山田　太郎", "佐藤 花子"]),
        ('players "山田 太郎" 佐藤　花子', ["山田 太郎", "佐藤　花子"]),
        ("players 山田\t佐藤　花子　", ["山田", "佐藤　花子"]),
    ],
)
def test_a_wide_space_stays_within_a_name(line: str, names: list[str]) -> None:
    assert parse(line).opening == {"players": names}


@pytest.mark.parametrize(
    ("line", "several", "fewer"),
    [
        ("players 山田　太郎　佐藤　花子", "山田 太郎 佐藤 花子", '"山田　太郎" "佐藤　花子"'),
        ("players 山田　太郎", "山田 太郎", '"山田　太郎"'),
        ("players Aki　Ben　Chie", "Aki Ben Chie", '"Aki　Ben　Chie"'),
        ('players "A b"　佐藤　花子', '"A b" 佐藤 花子', '"A b" "佐藤　花子"'),
    ],
)
def test_where_wide_spaces_alone_part_names_it_is_asked_back(line: str, several: str, fewer: str) -> None:
    with pytest.raises(Misread, match="wide spaces may part people") as misread:
        parse(line)
    said = in_english(misread.value)
    assert f"`{several}`, or `{fewer}`" in said


@pytest.mark.parametrize("line", ["players Aki, Ben, Chie", "players Aki,Ben,Chie", "players Aki、Ben、　Chie"])
def test_a_comma_between_names_is_never_a_part_of_one(line: str) -> None:
    with pytest.raises(Misread) as misread:
        parse(line)
    assert "write `Aki Ben Chie`, and a name with a comma in quotes" in in_english(misread.value)
    assert parse('players "Aki, the elder" Ben').opening == {"players": ["Aki, the elder", "Ben"]}


def test_so_it_is_with_every_other_name() -> None:
    score = parse("name 新年会　第二部\njoin 山田　太郎 seat=3\nrename p2 佐藤　花子\ndescribe name=冬　の会")
    assert score.opening == {"name": "新年会　第二部"}
    assert [event["name"] for event in score.events] == ["山田　太郎", "佐藤　花子", "冬　の会"]


def test_three_digits_behind_a_comma_are_asked_back() -> None:
    with pytest.raises(Misread) as misread:
        parse("chip-value 1,000 EUR")
    assert "`1,000` may be 1000 or 1.000: write which" in in_english(misread.value)


def test_a_text_without_an_opening_is_a_part_of_a_session() -> None:
    score = parse("deal p3=cups-10 (p1=2)\ntrump cups-7")
    assert (score.opening, score.events) == (
        {},
        (dealt("p3", "cups-10"), bid("p1", 2), {"type": "trump_revealed", "card": "cups-7"}),
    )


def test_what_is_expected_stands_where_it_is_expected() -> None:
    score = parse('= pot 0\nround\n= balances p1=-30 p2=0\n= name "20" true Aki tie=false\n')
    assert score.checks == (
        Check(0, "pot", (0,)),
        Check(1, "balances", (), {"p1": -30, "p2": 0}),
        Check(1, "name", ("20", True, "Aki"), {"tie": False}),
    )
    assert [check.line for check in score.checks] == [1, 3, 4]


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("game shirinma\n\nfeild cups-7", 3, 1, "no line begins with `feild`; is it `field`?"),
        ("xyzzy", 1, 1, "no line begins with `xyzzy`; lines begin with a player or with game, name, deck, "),
        ("game shirinmo", 1, 6, "`shirinmo` is not one of shirinma, shippin, and kakkuri; is it `shirinma`?"),
        ("deck tarot", 1, 6, "`tarot` is not one of mekurifuda, western, hanafuda, and kabufuda"),
        ("round\nfield cups-13", 2, 7, "`cups-13` is not a card (cards are written like cups-11, QH or Q♥, "),
        ("trump swrods-3", 1, 7, "is it `swords-3`?"),
        ("field", 1, 6, "is missing; the line is written `field <card>`"),
        ("field cups-7 cups-8", 1, 14, "`cups-8` is too much here"),
        ("leave Aki", 1, 7, "`Aki` is not a player, such as p7"),
        ("leave p0", 1, 7, "`p0` is not a player"),
        ("leave p1=3", 1, 7, "a player, such as p7 is wanted here"),
        ("bet p2", 1, 5, "a player, such as p7 is wanted here; the line is written `bet <player>=<column:number> …`"),
        ("bet p2=one", 1, 8, "`one` is not a whole number"),
        ("bet p2=1.5", 1, 8, "is not a whole number"),
        ("bet p2= 1", 1, 5, 'a text with spaces or signs is written in "…"'),
        ("undo 99999999999999999", 1, 6, "is not a whole number"),
        ("deal cups-7", 1, 6, "whose is `cups-7`? Write `p1=cups-7`, or whoever it is"),
        ("deal", 1, 5, "is missing; the line is written `deal [<player>=]<card> [(bid …)] …`"),
        ("deal swrods-3", 1, 6, "`swrods-3` is not a card"),
        ("game shirinma\nplayers A B\nround\nfield 4\ndeal plain", 5, 6, "whose is `plain`?"),
        ("deal p1=cups-10 (p2=1", 1, 22, "is missing"),
        ("deal p1=cups-10 ()", 1, 18, "is wanted here"),
        ("deal p1=cups-10 p2=plain)", 1, 25, "is wanted here"),
        ("seats p1 Ben", 1, 10, "`Ben` is not a player, such as p7"),
        ("second 7 3 5 / 9", 1, 14, "`/` is not a card"),
        ("second 7 3 5 10 9", 1, 17, "`/` is wanted here"),
        ("p1 -  cups-7", 1, 7, "`cups-7` is too much here"),
        ('p1 "-"', 1, 4, "`-` is not a card"),
        ("p1 x3 x4", 1, 7, "`x4` is too much here"),
        ("p1 cups-6 x4", 1, 11, "`x4` is not a card"),
        ("join Mari at=2", 1, 11, "`at` is too much here"),
        ("rules ante=20 antee=5", 1, 15, "`antee` is not a house rule; is it `ante`?"),
        ("rules payments=20", 1, 7, "`payments` is not a house rule"),
        ("rules ante=20 ante=5", 1, 15, "`ante` is said twice"),
        ("round\nrules ante=20", 2, 1, "`rules` is for the opening, before the first event; is it `new-rules`?"),
        ("round\ngame kakkuri", 2, 1, "`game` is for the opening"),
        ("dealer p1\ndealer p2", 2, 1, "`dealer` is said twice"),
        ('name "New year', 1, 6, 'this text has no closing "'),
        ('name New"year"', 1, 6, 'a text with spaces or signs is written in "…"'),
        (r'name "New \year"', 1, 6, "are written as in JSON"),
        ("bet p2=1 p3=2 note=so", 1, 10, "a note or overrule is for one event"),
        ("round note=a note=b", 1, 14, "`note` is said twice"),
        ('event {"type": }', 1, 16, 'this is not JSON; the line is written `event {"type": …}`'),
        ("event [1]", 1, 7, "an event is a JSON object"),
        ('event {"type": "x", "seq": NaN}', 1, 28, "this is not JSON"),
        ("event ; and then?", 1, 7, "this is not JSON"),
        ('event {"type": "x", "type": "y"}', 1, 7, "an object has the name 'type' twice"),
        ("amend 3 amend 2 round", 1, 9, "an event of the table is wanted here, not a correction"),
        ("amend 3 buy-in p1=1 p2=2", 1, 9, "one event is wanted here"),
        ("amend 3", 1, 8, "a word is missing"),
        ("undo part=2", 1, 6, "a whole number is wanted here"),
        ("together", 1, 9, "a correction of one event is wanted here"),
        ("together round", 1, 10, "a correction of one event is wanted here"),
        ("together undo 3 & ", 1, 18, "a correction of one event is wanted here"),
        ("together undo 3 & together undo 4", 1, 19, "a correction of one event is wanted here"),
        ("together undo 3 & amend 4 gone", 1, 27, "no line begins with `gone`"),
        ("amend 3 together undo 2", 1, 9, "an event of the table is wanted here, not a correction"),
        ("name &", 1, 6, "a text is wanted here"),
        ("= ", 1, 2, "what is expected is missing"),
        ("= balances p1=1 p1=2", 1, 17, "`p1` is said twice"),
        ("field " + "x" * 1000, 1, 7, f"`{'x' * 40}` is not a card"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, line: int, column: int, why: str) -> None:
    with pytest.raises(Misread) as misread:
        parse(text)
    assert (misread.value.line, misread.value.column) == (line, column)
    assert why in in_english(misread.value)


@given(text=st.text() | st.lists(hostile | st.sampled_from([*CARDS[:9], *"=;()\n "]), max_size=30).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    for first in ("", *(form.word + " " for form in FORMS), "p1 ", "= ", "event "):
        with suppress(Misread):
            parse(first + text)


def test_a_line_that_is_too_long_is_refused_before_it_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    parse(";" * LONGEST_LINE)
    monkeypatch.setattr("ledger.notation.tokens._TOKEN", None)
    with pytest.raises(Misread, match=r"at most"):
        parse("(" * (LONGEST_LINE + 1))


WORST = "\U0010ffff"
"""A character that is written with as many others as none else."""


def test_whatever_may_be_recorded_fits_in_a_line_or_is_written_as_json() -> None:
    names = [f"{WORST * 98}{number:02}" for number in range(25)]
    corrections: list[Json] = [
        {"type": "event_amended", "seq": seq, "event": {"type": "round_voided", "reason": WORST * 500}}
        for seq in range(1, 101)
    ]
    moves = [{"type": "chips_moved", "from": "bank", "to": "p1", "amount": 1, "note": WORST * 500}]
    together = {"type": "corrections_made", "corrections": corrections, "note": WORST * 500, "overrule": WORST * 500}
    text = reads_back(Score({"game": "shirinma", "players": names}, (*moves, together)))
    assert max(map(len, text.splitlines())) > LONGEST_LINE
    assert f"\n{JSON_EVENT} {{" in text
    short = {
        **together,
        "corrections": [{**each, "event": {**each["event"], "reason": "x" * 500}} for each in corrections],
    }
    assert JSON_EVENT not in reads_back(Score({"game": "shirinma"}, (short | {"note": "", "overrule": "y"},)))


def test_json_that_is_nested_too_deep_is_refused() -> None:
    with pytest.raises(Misread) as misread:
        parse('event {"type": ' + "[" * 100_000)
    assert "this is not JSON" in in_english(misread.value)


def in_english(misread: Misread) -> str:
    return render(misread.sentence, "en", {})


# --- the document ---------------------------------------------------------------------------------------------------


def test_the_document_lists_every_form() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (?:`(\w+)` \| )?", DOCUMENT, re.MULTILINE)
    assert rows == [(form.template, form.type) for form in FORMS]


def test_every_event_has_a_form() -> None:
    assert {form.type for form in FORMS if form.type} == set(event_types())
