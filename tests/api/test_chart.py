"""The chart: what it says in words, where its lines and labels are, and that a name is only text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from xml.etree.ElementTree import Element, fromstring

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from ledger.charts import (
    COLOURS,
    LETTER,
    MOST_NAME,
    ROW,
    apart,
    short_names,
    shortened,
    style_of,
    ticks,
    width,
    won_chart,
)
from ledger.language import LANGUAGES, Language, letters
from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Scorekeeper, event

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    "</text></svg><img src=x onerror=alert(1)>",
    "]]> &amp; &lt;b \"quoted\" 'so'",
    "two\nlines\tand\ra tab",
    "\u202eneB",
    "سلمى بنت محمد",
    "👩\u200d👩\u200d👧\u200d👦 👍🏽 🇯🇵",
    "\x01\x1f\x7f\ufffe\uffff",
    "長" * 100,
    "Z" + "\u0336" * 99,
    "{name}: {balance}",
    "url(#x);fill:red",
]


def chart(names: Sequence[str], after: Sequence[Sequence[int]], language: Language = "en") -> Element:
    return fromstring(won_chart(names, after, language))  # noqa: S314 - our own


def flat(players: int, rounds: int) -> list[list[int]]:
    return [[player - players // 2] * rounds for player in range(players)]


def people(picture: Element) -> list[Element]:
    """The groups of the players: those that have a title."""
    return [group for group in picture.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


def words(element: Element) -> str:
    return "".join(element.itertext())


def shown_names(picture: Element) -> list[str]:
    return [words(window) for group in people(picture) for window in group.findall(f"{SVG}svg")]


def described(picture: Element) -> tuple[str, str]:
    """What a reader who cannot see it is told: the elements that the picture says it is labelled by."""
    by_id = {element.get("id"): element for element in picture.iter()}
    title, description = (by_id[name] for name in (picture.get("aria-labelledby") or "").split())
    assert (title.tag, description.tag, picture.get("role")) == (f"{SVG}title", f"{SVG}desc", "img")
    return words(title), words(description)


# --- over HTTP ------------------------------------------------------------------------------------------------------


def test_a_session_has_a_chart(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    answer = scorekeeper.client.get(f"{scorekeeper.address}/chart.svg", headers=scorekeeper.headers())
    assert (answer.status_code, answer.content_type) == (200, "image/svg+xml")
    picture = fromstring(answer.data)  # noqa: S314 - our own
    others = ", ".join(f"Player {number}: −20" for number in range(2, 12))
    assert described(picture) == (
        "Won after each round",
        f"After round 1: Player 1: +220, {others}, and Player 12: −20.",
    )


@pytest.mark.parametrize(
    ("query", "header", "title"),
    [
        ("", "en", "Won after each round"),
        ("", "ja", "各局後の勝ち負け（枚）"),
        ("?lang=ja", "en", "各局後の勝ち負け（枚）"),
        ("?lang=en", "ja", "Won after each round"),
    ],
)
def test_a_chart_speaks_the_readers_language(scorekeeper: Scorekeeper, query: str, header: str, title: str) -> None:
    scorekeeper.opens()
    headers = scorekeeper.headers(Accept_Language=header)
    answer = scorekeeper.client.get(f"{scorekeeper.address}/chart.svg{query}", headers=headers)
    picture = fromstring(answer.data)  # noqa: S314 - our own
    assert described(picture)[0] == title
    assert picture.get("lang") == answer.headers["Content-Language"] == ("ja" if "局" in title else "en")
    assert "Accept-Language" in answer.vary


def test_a_language_that_nobody_speaks_here_is_a_wrong_field(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    answer = scorekeeper.client.get(f"{scorekeeper.address}/chart.svg?lang=fr", headers=scorekeeper.headers())
    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.get_json()["errors"]] == ["lang"]


def test_a_chart_is_for_who_may_read(client: FlaskClient, make_app: MakeApp) -> None:
    theirs, ours = Scorekeeper(client), Scorekeeper(make_app().test_client())
    theirs.opens()
    ours.opens()
    assert client.get(f"{theirs.address}/chart.svg").status_code == 401
    assert client.get(f"{theirs.address}/chart.svg", headers=ours.headers()).status_code == 404


def test_who_came_late_and_who_left_have_a_line(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round(), event("player_joined", name="Late"), event("player_left", player="p2"))
    answer = scorekeeper.client.get(f"{scorekeeper.address}/chart.svg", headers=scorekeeper.headers())
    picture = fromstring(answer.data)  # noqa: S314 - our own
    assert shown_names(picture) == [*(f"Player {number}" for number in range(1, 13)), "Late"]


# --- what it says ---------------------------------------------------------------------------------------------------


def test_final_balances_are_told_in_words() -> None:
    after = [[5, 30], [-5, -1030], [0, 1000]]
    english, japanese = (described(chart(["Aki", "Ben", "千恵"], after, language))[1] for language in LANGUAGES)
    assert english == "After round 2: Aki: +30, Ben: −1,030, and 千恵: +1,000."
    assert japanese == "第2局後：Aki：+30、Ben：−1,030、千恵：+1,000。"


def test_before_the_first_round_is_over_the_chart_says_so() -> None:
    picture = chart(["Aki", "Ben"], [[], []])
    assert described(picture)[1] == "No round is over yet."
    assert "No round is over yet." in [words(text) for text in picture.iter(f"{SVG}text")]
    assert shown_names(picture) == ["Aki", "Ben"]


def test_a_chart_of_nobody_is_still_one() -> None:
    assert people(chart([], [])) == []


def test_every_line_has_its_players_name_and_balance() -> None:
    picture = chart(["Aki", "Ben"], [[30], [-30]])
    assert shown_names(picture) == ["Aki", "Ben"]
    assert [words(group.findall(f"{SVG}text")[0]) for group in people(picture)] == ["+30", "−30"]
    assert [words(group[0]) for group in people(picture)] == ["Aki +30", "Ben −30"]


@pytest.mark.parametrize("wrong", [[[1], [2, 3]], [[1]], [[1], [2], [3]]])
def test_every_player_needs_as_many_balances(wrong: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="what every player won after each round"):
        won_chart(["Aki", "Ben"], wrong, "en")


# --- other people's names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name[:12]))
def test_a_name_is_only_text(name: str) -> None:
    ordinary, hostile = (chart([somebody, "Ben"], [[30], [-30]]) for somebody in ("Aki", name))
    assert [element.tag for element in hostile.iter()] == [element.tag for element in ordinary.iter()]
    assert not any(name in value for element in hostile.iter() for value in element.attrib.values())


@given(st.lists(st.text(min_size=1, max_size=100), min_size=1, max_size=5))
def test_whatever_people_are_called_the_chart_is_xml(names: list[str]) -> None:
    assert len(people(chart(names, [[0]] * len(names)))) == len(names)


def test_what_runs_from_right_to_left_leaves_the_rest_alone() -> None:
    picture = chart(["سلمى", "Ben\u202e"], [[30], [-30]])
    assert shown_names(picture) == ["\u2068سلمى\u2069", "\u2068Ben\u202e\u2069"]
    assert described(picture)[1] == "After round 1: \u2068سلمى\u2069: +30 and \u2068Ben\u202e\u2069: −30."


def test_people_of_one_surname_are_told_apart_where_names_are_shortened() -> None:
    family = ["Yamamoto-Fujiwara Kenichi", "Yamamoto-Fujiwara Kazuko", "Yamamoto-Fujiwara Taro"]
    assert short_names(family) == ["Kenichi", "Kazuko", "Taro"]
    alike = [f"Alexandrina-Charlotte-Louise-{name}" for name in ("Augusta", "Beatrice", "Caroline")]
    short = short_names([*alike, "Aki"])
    assert len(set(short)) == 4
    assert max(map(width, short)) <= MOST_NAME
    assert short[-1] == "Aki"
    picture = won_chart(alike, [[1], [0], [-1]], "en")
    assert all(name in picture for name in short[:3])


def test_people_of_one_name_have_their_place_with_it() -> None:
    assert short_names(["山本", "明", "山本", "Aki"]) == ["山本 1", "明", "山本 3", "Aki"]
    assert short_names(["Aki Yamamoto"] * 2, inf) == ["Aki Yamamoto 1", "Aki Yamamoto 2"]
    long = short_names(["Alexandrina-Charlotte-Louise"] * 12)
    assert len(set(long)) == 12
    assert max(map(width, long)) <= MOST_NAME
    assert len(set(short_names(["山本", "明", "山本", "山本 1", "山本 3"]))) == 5
    picture = chart(["山本", "明", "山本"], [[1], [0], [-1]])
    assert sorted(shown_names(picture)) == ["山本 1", "山本 3", "明"]
    assert "山本 1: +1" in described(picture)[1]


def test_a_long_name_is_shortened_beside_its_line_and_told_in_full() -> None:
    name = "Wolfeschlegelsteinhausenbergerdorff the Elder"
    picture = chart([name, "Ben"], [[30], [-30]])
    (shown, _) = shown_names(picture)
    assert shown.endswith("…")
    assert name.startswith(shown[:-1])
    assert 10 < len(shown) < 25
    assert name in described(picture)[1]


def test_a_name_is_cut_between_letters_as_a_reader_counts_them() -> None:
    family, flag, accent = "👩\u200d👩\u200d👧\u200d👦", "🇯🇵", "e\u0301"
    for letter in (family, flag, accent, "👍🏽", "が", "か\u3099"):
        assert list(letters(letter * 3)) == [letter] * 3
        shown = shortened(letter * 60)
        assert shown == letter * ((len(shown) - 1) // len(letter)) + "…"
    assert list(letters("")) == []


def test_what_is_too_wide_or_too_high_does_not_leave_its_window() -> None:
    """A name has a window of its own, as high as a row; browsers show nothing of it outside."""
    picture = chart(HOSTILE, flat(len(HOSTILE), 2))
    windows = [group.find(f"{SVG}svg") for group in people(picture)]
    for window in windows:
        assert window is not None
        assert float(window.get("height") or 0) == ROW
        assert float(window.get("x") or 0) + float(window.get("width") or 0) <= 800
        assert float(window.get("width") or 0) <= MOST_NAME + 8
        assert window.get("overflow") is None


# --- lines, marks and labels ----------------------------------------------------------------------------------------


def test_64_players_have_lines_of_their_own_in_colour_and_in_grey() -> None:
    styles = [style_of(number) for number in range(64)]
    assert len(set(styles)) == 64
    grey = [(style.dash, style.mark, style.within == "#ffffff") for style in styles[:32]]
    assert len(set(grey)) == 32
    assert len({style.colour for style in styles[:8]}) == 8 == len(COLOURS)


def paths(group: Element) -> list[Element]:
    return group.findall(f"{SVG}path")


def places(path: Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+),([\d.]+)", path.get("d") or "")]


def test_a_line_goes_from_the_opening_through_every_round_to_its_label() -> None:
    picture = chart(["Aki", "Ben"], [[30, -10, 5], [-30, 10, -5]])
    for group in people(picture):
        line, leader, marks = paths(group)
        assert len(places(line)) == 1 + 3
        assert places(leader)[0] == places(line)[-1]
        assert places(marks) == [*places(line)[1:], places(leader)[1]]
    (aki, ben) = (places(paths(group)[0]) for group in people(picture))
    assert aki[0] == ben[0]
    assert [x for x, _ in aki] == sorted(x for x, _ in aki)
    assert aki[1][1] < aki[3][1] < aki[0][1] < aki[2][1]
    assert {left + right for (_, left), (_, right) in zip(aki, ben, strict=True)} == {2 * aki[0][1]}


@pytest.mark.parametrize("rounds", [13, 60, 500])
def test_many_rounds_have_few_marks(rounds: int) -> None:
    for group in people(chart(["Aki", "Ben"], flat(2, rounds))):
        line, _, marks = paths(group)
        assert len(places(line)) == rounds + 1
        assert 6 <= len(places(marks)) <= 13


@pytest.mark.parametrize(("players", "rounds"), [(1, 1), (5, 8), (12, 1), (23, 8), (23, 60), (60, 300)])
def test_labels_do_not_overlap_and_nothing_lies_outside(players: int, rounds: int) -> None:
    names = ["長" * 100 if number % 2 else f"Player {number}" for number in range(players)]
    for after in (flat(players, rounds), [[10**12]] * players, [[0] * rounds] * players):
        picture = chart(names, after)
        height = float(picture.get("height") or 0)
        assert picture.get("viewBox") == f"0 0 800 {picture.get('height')}"
        labels = sorted(places(paths(group)[1])[1][1] for group in people(picture))
        assert all(below - above >= ROW - 0.2 for above, below in pairwise(labels))
        assert labels[0] > ROW
        assert labels[-1] < height - ROW
        for x, y in drawn(picture):
            assert 0 <= x <= 800
            assert 0 <= y <= height
        xs = [x for group in people(picture) for x, _ in places(paths(group)[0])]
        assert max(xs) - min(xs) > 250


def drawn(picture: Element) -> Iterator[tuple[float, float]]:
    for group in people(picture):
        for path in paths(group):
            yield from places(path)
    for text in picture.iter(f"{SVG}text"):
        if text.get("x"):
            yield float(text.get("x") or 0), float(text.get("y") or 0)


def test_the_line_at_zero_is_drawn_and_darker() -> None:
    for after in ([[30], [-30]], [[1000], [20]], [[-5], [-5]], [[0], [0]]):
        lines = [line for line in chart(["Aki", "Ben"], after).iter(f"{SVG}line") if line.get("y1") == line.get("y2")]
        (zero,) = [line for line in lines if line.get("stroke") != "#dddddd"]
        starts = {places(paths(group)[0])[0][1] for group in people(chart(["Aki", "Ben"], after))}
        assert starts == {float(zero.get("y1") or 0)}
        assert len(lines) > 1


def test_fonts_fall_back_to_what_readers_of_japanese_have() -> None:
    fonts = chart([], []).get("font-family") or ""
    assert fonts.endswith("sans-serif")
    assert "'Hiragino Sans'" in fonts
    assert "IPAGothic" in fonts


def test_it_needs_no_style_sheet_no_script_and_nothing_from_elsewhere() -> None:
    """So a page with a strict content policy can show it."""
    picture = chart(["Aki"], [[0]])
    tags = {element.tag.removeprefix(SVG) for element in picture.iter()}
    assert tags == {"svg", "title", "desc", "rect", "text", "g", "line", "path"}
    named = {name for element in picture.iter() for name in element.attrib}
    assert not named & {"style", "href", "class", "onload"}


# --- numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("least", "most", "about", "expected"),
    [
        (0, 1, 10, [0, 1]),
        (0, 8, 10, list(range(9))),
        (0, 60, 10, list(range(0, 61, 10))),
        (0, 317, 10, list(range(0, 351, 50))),
        (-106, 96, 8, [-150, -100, -50, 0, 50, 100]),
        (-1, 0, 8, [-1, 0]),
        (-(10**12), 10**9, 8, [-1_000_000_000_000 + 200_000_000_000 * n for n in range(7)]),
    ],
)
def test_ticks_are_round_numbers(least: int, most: int, about: int, expected: list[int]) -> None:
    assert list(ticks(least, most, about=about)) == expected


@given(st.integers(-(10**15), 10**15), st.integers(0, 10**15), st.integers(2, 12))
def test_ticks_span_what_they_are_for_in_few_even_steps(least: int, span: int, about: int) -> None:
    marks = list(ticks(least, least + span, about=about))
    assert marks[0] <= least
    assert marks[-1] >= least + span
    assert len(marks) <= about + 2


heights = st.lists(st.floats(0, 100), min_size=1, max_size=12).map(sorted)


@given(heights)
def test_labels_are_moved_apart_within_bounds_and_stay_in_order(wanted: list[float]) -> None:
    moved = apart(wanted, 10, 0, 120)
    assert all(below - above > 10 - 1e-6 for above, below in pairwise(moved))
    assert moved[0] >= 0
    assert moved[-1] <= 120 + 1e-6


def test_labels_that_do_not_collide_stay_where_they_are() -> None:
    assert apart([5.0, 20.0, 60.0], 10, 0, 100) == [5.0, 20.0, 60.0]


def test_labels_that_collide_share_the_way() -> None:
    assert apart([50.0, 50.0, 90.0], 10, 0, 100) == [45.0, 55.0, 90.0]
    assert apart([0.0, 0.0], 10, 0, 100) == [0.0, 10.0]
    assert apart([100.0, 100.0], 10, 0, 100) == [90.0, 100.0]


def test_a_letter_is_as_wide_as_it_may_be() -> None:
    """Guessed generously: what is shortened as too wide for its column surely fits then."""
    assert len(shortened("W" * 100)) == len(shortened("長" * 100)) == MOST_NAME // LETTER
    assert len(shortened("i" * 100)) > 2 * len(shortened("長" * 100))
