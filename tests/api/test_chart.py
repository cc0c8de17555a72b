"""The chart: what it says in words, how lines are told apart, and that a name is only text."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, fromstring

import pytest

from ledger.accounting.charts import MAX_NAME, short_names, width, won_chart
from ledger.i18n.language import LANGUAGES, Language, unique_names
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


def test_a_line_goes_through_what_was_won() -> None:
    """From nothing up, as far down, and back, at even steps to the right."""
    (group,) = people(chart(["Aki"], [[100, -100, 0]]))
    through = next(group.iter(f"{SVG}path")).get("d", "").removeprefix("M")
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = [map(float, place.split(",")) for place in through.split("L")]
    assert 0 < x1 - x0 == pytest.approx(x2 - x1, abs=0.2) == pytest.approx(x3 - x2, abs=0.2)
    assert y1 < y0 == y3 < y2
    assert y0 - y1 == pytest.approx(y2 - y0, abs=0.2)


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


def test_who_came_late_and_who_left_have_a_line(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round(), event("player_joined", name="Late"), event("player_left", player="p2"))
    answer = scorekeeper.client.get(f"{scorekeeper.address}/chart.svg", headers=scorekeeper.headers())
    picture = fromstring(answer.data)  # noqa: S314 - our own
    assert shown_names(picture) == ["Player 1", "Late", *(f"Player {number}" for number in range(2, 13))]


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


def test_a_legend_has_everyones_mark_dash_and_sum_who_won_most_on_top() -> None:
    picture = chart(["Aki", "Ben", "千恵"], [[-40, -30], [25, 30], [15, 0]])
    assert shown_names(picture) == ["Ben", "千恵", "Aki"]
    assert [words(group.findall(f"{SVG}text")[0]) for group in people(picture)] == ["+30", "0", "−30"]
    assert [words(group[0]) for group in people(picture)] == ["Ben +30", "千恵 0", "Aki −30"]
    for group in people(picture):
        (line, sample), (marks,) = group.findall(f"{SVG}g/{SVG}path"), group.findall(f"{SVG}path")
        assert line.get("d", "").count("L") == 2
        row = sample.get("d", "").split(",")[1].partition("h")[0]
        on_line, in_legend = marks.get("d", "").split("M")[1:3], marks.get("d", "").split("M")[3:]
        assert len(on_line) == 2
        assert [f",{row}m" in mark for mark in in_legend] == [True]


def test_lines_are_told_apart_without_colours() -> None:
    picture = chart([f"Player {number}" for number in range(32)], [[0]] * 32)
    looks = set[tuple[str | None, ...]]()
    for group in people(picture):
        (lines,), (marks,) = group.findall(f"{SVG}g"), group.findall(f"{SVG}path")
        shape = "m" + marks.get("d", "").rpartition("M")[2].partition("m")[2]
        looks.add((lines.get("stroke-dasharray"), shape, str(marks.get("fill") == "#ffffff")))
    assert len(looks) == 32


# --- other people's names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name[:12]))
def test_a_name_is_only_text(name: str) -> None:
    ordinary, hostile = (chart([somebody, "Ben"], [[30], [-30]]) for somebody in ("Aki", name))
    assert [element.tag for element in hostile.iter()] == [element.tag for element in ordinary.iter()]
    assert not any(name in value for element in hostile.iter() for value in element.attrib.values())


def test_what_runs_from_right_to_left_leaves_the_rest_alone() -> None:
    picture = chart(["سلمى", "Ben\u202e"], [[30], [-30]])
    assert shown_names(picture) == ["\u2068سلمى\u2069", "\u2068Ben\u202e\u2069"]
    assert described(picture)[1] == "After round 1: \u2068سلمى\u2069: +30 and \u2068Ben\u202e\u2069: −30."


@pytest.mark.parametrize(
    ("names", "short"),
    [
        ([f"Yamamoto-Fujiwara {name}" for name in ("Kenichi", "Kazuko", "Taro")], ["Kenichi", "Kazuko", "Taro"]),
        (["山本", "明", "山本", "Aki"], ["山本 1", "明", "山本 2", "Aki"]),
        (["山本", "明", "山本", "山本 1"], ["山本 2", "明", "山本 3", "山本 1"]),
    ],
)
def test_people_are_told_apart_where_names_are_shortened(names: list[str], short: list[str]) -> None:
    assert short_names(names) == short
    picture = chart(names, [[0]] * len(names))
    assert shown_names(picture) == short
    told = unique_names(names)
    assert (
        described(picture)[1] == f"After round 1: {', '.join(f'{name}: 0' for name in told[:-1])}, and {told[-1]}: 0."
    )


@pytest.mark.parametrize("ends", [("-Augusta", "-Beatrice", "-Caroline", ""), ("",) * 12])
def test_long_names_that_begin_alike_are_short_and_not_the_same(ends: tuple[str, ...]) -> None:
    short = short_names([*(f"Alexandrina-Charlotte-Louise{end}" for end in ends), "Aki"])
    assert len(set(short)) == len(ends) + 1
    assert max(map(width, short)) <= MAX_NAME
    assert short[-1] == "Aki"
