"""The rule books and decks as data: all that a phone needs to draw its forms."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter

import pytest
from flask.testing import FlaskClient

from ledger.rulebook.cards import DECKS, read
from tests.scorekeeper import Json

GAMES = {
    "shirinma": (12, 23, ["mekurifuda", "western"]),
    "shippin": (2, 5, ["kabufuda", "hanafuda", "western"]),
    "kakkuri": (7, 8, ["mekurifuda", "western", "hanafuda"]),
}

SWITCHES: dict[str, dict[str, tuple[object, object]]] = {
    "shirinma": {
        "ante": (20, (0, 10**9)),
        "payments": ({"dragon": 0, "maid": 10, "horse": 20, "king": 30}, None),
        "min_bid": (1, (1, 10**9)),
        "min_increment": (1, (1, 10**9)),
        "third_deal": ("none_received", ["none_received", "none_held"]),
        "odd_chip": ("winner", ["winner", "back_rider", "carry"]),
        "dealer_on_forfeit": ("rotate", ["rotate", "stay"]),
        "western_courts": ("JQK", ["JQK", "QJK"]),
    },
    "shippin": {
        "bet": (1, (1, 10**9)),
        "suit_breaks_tie": ("no", ["no", "yes"]),
        "draw_ties": ("class", ["class", "redraw"]),
        "must_bet": ("no", ["no", "yes"]),
        "karami_vs_karami": ("compare_totals", ["compare_totals", "tie", "dealer_wins"]),
        "tie": ("push", ["push", "dealer_wins"]),
        "dealer_role": ("on_total_loss", ["on_total_loss", "fixed", "house"]),
    },
    "kakkuri": {
        "western_courts": ("JQK", ["JQK", "QJK"]),
        "chips_per_share": (1, (1, 10**9)),
        "sequence": ("full", ["full", "plain", "off"]),
        "after_king": ("any", ["any", "wrap"]),
        "empty_turn_shares": (1, (0, 10)),
        "box_empty": ("reshuffle", ["reshuffle", "lead_any", "void"]),
        "dropping_out": ("one_share", ["one_share", "off"]),
    },
}

TALLIES = {
    "shirinma": ["back_rides", "back_rides_cost", "back_rides_brought"],
    "shippin": ["columns_won"],
    "kakkuri": ["guri", "empty_turns"],
}

FIELDS_OF_ANY_GAME = {
    "round_opened": set(),
    "round_voided": {"reason"},
    "player_joined": {"name", "seat"},
    "player_left": {"player"},
    "seats_changed": {"seats"},
    "dealer_named": {"player"},
    "rules_changed": {"rules"},
    "chips_moved": {"from", "to", "amount"},
    "event_taken_back": {"seq"},
    "event_amended": {"seq", "event"},
    "session_closed": {"pot"},
    "session_reopened": set(),
}

FIELDS = {
    "shirinma": {
        "field_card_revealed": {"card"},
        "card_dealt": {"player", "card"},
        "bid_placed": {"player", "amount"},
        "auction_closed": set(),
        "trump_revealed": {"card"},
    },
    "shippin": {
        "cards_drawn_for_seats": {"draws"},
        "bet_placed": {"player", "column"},
        "second_cards_dealt": {"columns", "dealer"},
        "first_cards_revealed": {"columns", "dealer"},
    },
    "kakkuri": {
        "player_dropped_out": {"player"},
        "hand_exchanged": {"player"},
        "three_ones_shown": {"player"},
        "starter_revealed": {"card"},
        "three_pairs_declared": {"player"},
        "turn_played": {"player", "cards", "count", "top"},
        "box_card_revealed": {"card"},
    },
}


def book(client: FlaskClient, game: str) -> Json:
    answer = client.get(f"/v1/games/{game}")
    assert answer.status_code == 200
    told: Json = answer.get_json()
    return told


def fields(told: list[Json]) -> dict[str, Json]:
    return {field["name"]: field for field in told}


def test_the_list_has_every_game_as_it_is_alone(client: FlaskClient) -> None:
    games = client.get("/v1/games").get_json()["games"]
    assert [game["name"] for game in games] == list(GAMES)
    assert games == [book(client, game) for game in GAMES]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_says_who_may_play_with_what(client: FlaskClient, game: str) -> None:
    least, most, decks = GAMES[game]
    told = book(client, game)
    assert told["players"] == {"min": least, "max": most}
    assert (told["decks"], told["default_deck"]) == (decks, decks[0])
    assert told["title"]["ja"] != told["title"]["en"]


@pytest.mark.parametrize("game", GAMES)
def test_every_switch_has_its_values_its_default_and_its_row(client: FlaskClient, game: str) -> None:
    told = fields(book(client, game)["rules"])
    assert list(told) == list(SWITCHES[game])
    for name, (default, values) in SWITCHES[game].items():
        assert told[name]["default"] == default
        assert told[name]["row"].startswith({"shirinma": "SH-", "shippin": "SP-", "kakkuri": "KA-"}[game])
        if isinstance(values, tuple):
            assert (told[name]["at_least"], told[name]["at_most"]) == values
        elif values:
            assert told[name]["values"] == values
        else:
            assert list(fields(told[name]["fields"])) == ["dragon", "maid", "horse", "king"]


@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_told_with_its_fields(client: FlaskClient, game: str) -> None:
    told = {event["type"]: event for event in book(client, game)["events"]}
    wanted = FIELDS_OF_ANY_GAME | FIELDS[game]
    assert told.keys() >= wanted.keys()
    assert not told.keys() & {kind for other in FIELDS.keys() - {game} for kind in FIELDS[other]}
    for kind, names in wanted.items():
        own = fields(told[kind]["fields"])
        assert own.keys() >= names | {"note", "overrule"}, kind
        assert told[kind]["about"]


def test_a_field_says_what_it_may_hold(client: FlaskClient) -> None:
    told = {event["type"]: fields(event["fields"]) for event in book(client, "shirinma")["events"]}
    assert told["bid_placed"]["amount"] == {
        "name": "amount",
        "label": {"en": "Amount", "ja": "枚数"},
        "required": True,
        "kind": "whole",
        "at_least": 1,
        "at_most": 10**9,
    }
    card = {"name": "card", "label": {"en": "Card", "ja": "札"}, "required": True, "kind": "card", "or": ["plain"]}
    plain = {"value_labels": {"plain": {"en": "Plain card", "ja": "ただの札"}}}
    assert told["card_dealt"]["card"].pop("matters")
    assert told["card_dealt"]["card"] == card | plain
    assert told["card_dealt"]["player"]["kind"] == "player"
    assert told["chips_moved"]["from"]["kind"] == "account"
    assert told["session_closed"]["pot"]["values"] == ["split", "refund", "bank"]
    assert not told["session_closed"]["pot"]["required"]
    assert told["session_closed"]["pot"]["value_labels"]["split"] == {
        "en": "Split it among everyone",
        "ja": "全員で山分けする",
    }
    asked = [told[kind]["event"]["label"]["en"] for kind in ("event_amended", "event_inserted")]
    assert asked == ["What it should have been", "What was forgotten"]
    shippin = {event["type"]: fields(event["fields"]) for event in book(client, "shippin")["events"]}
    assert (shippin["bet_placed"]["column"]["at_least"], shippin["bet_placed"]["column"]["at_most"]) == (1, 4)
    assert list(fields(shippin["cards_drawn_for_seats"]["draws"]["of"]["fields"])) == ["player", "card"]
    columns = shippin["second_cards_dealt"]["columns"]
    assert columns["of"] == {"kind": "card", "nullable": True}
    assert (columns["at_least"], columns["at_most"]) == (4, 4)
    assert "at_least" not in shippin["cards_drawn_for_seats"]["draws"]
    assert "nullable" not in shippin["second_cards_dealt"]["dealer"]


def texts_in(told: object) -> Iterator[Json]:
    """Every text within, in all its languages."""
    if isinstance(told, dict) and "en" in told:
        yield told
        return
    for part in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        yield from texts_in(part)


def fields_in(told: list[Json]) -> Iterator[Json]:
    """Every field, and those within it."""
    for field in told:
        yield field
        yield from fields_in(field.get("fields", []))
        yield from fields_in(field.get("of", {}).get("fields", []))


@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_person_reads_of_a_game_is_there_in_both_languages(client: FlaskClient, game: str) -> None:
    texts = list(texts_in(book(client, game)))
    assert len(texts) > 100
    for text in texts:
        assert text.keys() == {"en", "ja"}
        assert text["en"] != text["ja"]
        assert text["en"].isascii() or "’" in text["en"]


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_a_form_is_drawn_from_lacks_its_text(client: FlaskClient, game: str) -> None:
    told = book(client, game)
    in_events = [field for event in told["events"] for field in event["fields"]]
    assert all(event.keys() >= {"label", "about"} for event in told["events"])
    assert all("label" in field for field in fields_in([*told["rules"], *in_events]))
    assert all("help" in switch for switch in fields_in(told["rules"]))
    for field in fields_in([*told["rules"], *in_events]):
        said = ["true", "false"] if field["kind"] == "flag" else field.get("values", [])
        words = [*said, *field.get("or", [])] if field["kind"] != "event" else []
        assert list(field.get("value_labels", {})) == words, field["name"]
    assert list(told["deck_labels"]) == told["decks"]
    assert all(told[kind] for kind in ("phases", "results", "reasons", "accounts"))
    assert list(told["tallies"]) == TALLIES[game]


def test_where_a_word_may_stand_for_other_cards_it_is_told_which_matter(client: FlaskClient) -> None:
    told = {event["type"]: fields(event["fields"]) for event in book(client, "shirinma")["events"]}
    matters = told["card_dealt"]["card"]["matters"]
    suits = ("clubs", "swords", "cups", "coins")
    assert matters == {
        "mekurifuda": [f"{suit}-{rank}" for suit in suits for rank in (1, 10, 11, 12)],
        "western": [card.code for card in DECKS["western"] if card.code[0] in "AJQK"],
    }
    assert [kind for kind, own in told.items() for field in own.values() if "matters" in field] == ["card_dealt"]


@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_told_in_sentences_of_its_own_fields(client: FlaskClient, game: str) -> None:
    for kind in book(client, game)["events"]:
        own = fields(kind["fields"])
        said = [{language: places(text) for language, text in told.items()} for told in kind["told"]]
        assert said, kind["type"]
        for told in said:
            assert told["en"] == told["ja"] <= own.keys() - {"note", "overrule"}, kind["type"]
        always = {"seq", *(name for name, field in own.items() if field["required"])}
        assert any(told["en"] <= always for told in said), f"{kind['type']} cannot always be told"


def places(text: str) -> set[str]:
    """The fields that a template names."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_a_turn_is_told_as_it_was_reported(client: FlaskClient) -> None:
    (turn,) = (kind for kind in book(client, "kakkuri")["events"] if kind["type"] == "turn_played")
    assert [told["en"] for told in turn["told"]] == [
        "{player} played {cards}",
        "{player} put down {count}, {top} on top",
        "{player} put down {count}",
        "{player} passed",
    ]


def test_what_a_correction_holds_is_told(client: FlaskClient) -> None:
    told = {event["type"]: fields(event["fields"]) for event in book(client, "shippin")["events"]}
    corrections = told["corrections_made"]["corrections"]
    assert corrections["kind"] == "list"
    assert corrections["of"] == {"kind": "event", "values": ["event_taken_back", "event_amended", "event_inserted"]}
    assert corrections["of"]["values"] == [kind for kind in told if kind in corrections["of"]["values"]]
    for kind in ("event_amended", "event_inserted"):
        assert told[kind]["event"]["kind"] == "event"
        assert "values" not in told[kind]["event"]


def test_a_switch_comes_with_help_and_a_label_for_each_value(client: FlaskClient) -> None:
    odd_chip = fields(book(client, "shirinma")["rules"])["odd_chip"]
    assert odd_chip["help"]["en"] == "Where the odd chip goes when a pot is halved."
    assert list(odd_chip["value_labels"]) == odd_chip["values"]
    assert odd_chip["value_labels"]["back_rider"] == {"en": "To the back-rider", "ja": "尻馬"}
    assert "value_labels" not in fields(book(client, "shirinma")["rules"])["ante"]


@pytest.mark.parametrize(
    ("game", "switches"),
    [
        ("shirinma", {"western_courts": "western"}),
        ("kakkuri", {"western_courts": "western"}),
        ("shippin", {"suit_breaks_tie": "western", "draw_ties": "hanafuda"}),
    ],
)
def test_what_only_one_deck_needs_says_so(client: FlaskClient, game: str, switches: dict[str, str]) -> None:
    rules = fields(book(client, game)["rules"])
    assert {name: told["only_with"] for name, told in rules.items() if "only_with" in told} == switches


def test_an_account_may_be_the_bank_or_the_pot_by_its_name(client: FlaskClient) -> None:
    told = {event["type"]: fields(event["fields"]) for event in book(client, "kakkuri")["events"]}
    for end in ("from", "to"):
        assert told["settlement_paid"][end]["or"] == ["bank"]
        assert told["chips_moved"][end]["or"] == ["bank", "pot"]
        assert told["chips_moved"][end]["value_labels"]["bank"] == {"en": "Bank", "ja": "バンク"}


@pytest.mark.parametrize(("deck", "count"), [("mekurifuda", 48), ("western", 52), ("hanafuda", 48), ("kabufuda", 10)])
def test_a_deck_tells_every_card(client: FlaskClient, deck: str, count: int) -> None:
    answer = client.get(f"/v1/decks/{deck}").get_json()
    cards = answer["cards"]
    assert answer["deck"] == deck
    assert len({card["code"] for card in cards}) == len(cards) == count
    assert sum(card["copies"] for card in cards) == {"kabufuda": 40}.get(deck, count)
    for card in cards:
        assert read(card["code"]).code == card["code"]
        assert card["name"]["en"]
        assert card["name"]["ja"]


def test_a_card_tells_what_it_stands_for(client: FlaskClient) -> None:
    western = {card["code"]: card for card in client.get("/v1/decks/western").get_json()["cards"]}
    assert western["JS"] == {
        "code": "JS",
        "name": {"en": "Jack of Spades", "ja": "♠J"},
        "copies": 1,
        "suit": "spades",
        "rank": 11,
        "stands_for": "swords-10",
        "stands_for_if_courts_are_qjk": "swords-11",
    }
    assert (western["AH"]["stands_for"], western["AH"]["value"]) == ("cups-1", 1)
    assert "stands_for" not in western["10D"]
    hanafuda = {card["code"]: card for card in client.get("/v1/decks/hanafuda").get_json()["cards"]}
    crane = {"stands_for": "clubs-1", "value": 1, "month": 1, "class": "bright"}
    assert hanafuda["pine-crane"] | crane == hanafuda["pine-crane"]
    assert "value" not in hanafuda["paulownia-phoenix"]


def test_a_deck_names_what_its_cards_are_told_apart_by(client: FlaskClient) -> None:
    decks = {deck: client.get(f"/v1/decks/{deck}").get_json() for deck in DECKS}
    assert decks["mekurifuda"]["suits"][1] == {"code": "swords", "name": {"en": "Swords", "ja": "イス"}}
    assert decks["mekurifuda"]["ranks"][10] == {"number": 11, "name": {"en": "Horse", "ja": "馬"}}
    assert decks["western"]["suits"][1] == {"code": "spades", "symbol": "♠", "name": {"en": "Spades", "ja": "スペード"}}
    assert decks["western"]["ranks"][11] == {"number": 12, "symbol": "Q", "name": {"en": "Queen", "ja": "クイーン"}}
    assert decks["hanafuda"]["months"][7] == {"number": 8, "name": {"en": "Susuki", "ja": "芒"}}
    assert decks["hanafuda"]["classes"][1] == {"code": "animal", "name": {"en": "Animal", "ja": "タネ"}}
    assert [decks["kabufuda"][each] for each in ("suits", "ranks", "months", "classes")] == [[], [], [], []]


@pytest.mark.parametrize("deck", ["mekurifuda", "western", "hanafuda"])
def test_every_card_has_its_place_in_the_deck(client: FlaskClient, deck: str) -> None:
    told = client.get(f"/v1/decks/{deck}").get_json()
    suits, ranks = [suit["code"] for suit in told["suits"]], [rank["number"] for rank in told["ranks"]]
    of_suits = sorted((card["suit"], card["rank"]) for card in told["cards"] if "suit" in card)
    assert of_suits == sorted((suit, rank) for suit in suits for rank in ranks)
    months, classes = [month["number"] for month in told["months"]], [each["code"] for each in told["classes"]]
    assert [card["month"] for card in told["cards"] if "month" in card] == [month for month in months for _ in range(4)]
    assert {card["class"] for card in told["cards"] if "class" in card} == set(classes)


@pytest.mark.parametrize("address", ["/v1/games/poker", "/v1/decks/tarot", "/v1/games/Shirinma", "/v1/decks/"])
def test_there_is_no_such_game_or_deck(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_every_deck_there_is_can_be_read(client: FlaskClient) -> None:
    for deck in DECKS:
        assert client.get(f"/v1/decks/{deck}").status_code == 200
