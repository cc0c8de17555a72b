"""The picture of what was tried out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from ledger.language import LANGUAGES, Language
from ledger.records import replace
from ledger.simulation import Plan, Setting, report, simulate
from ledger.simulation.chart import chart
from ledger.simulation.telling import Tried
from tests.simulation.test_evenings import table

SVG = "{http://www.w3.org/2000/svg}"


def tried(*tables: Setting, rounds: int = 200) -> Tried:
    plan = Plan(tables, rounds, 20, 1)
    return Tried(plan, ("",) * len(tables), report(simulate(plan, 1, lambda _: None)))


def drawn(*tables: Setting, language: Language = "en", **more: Any) -> Element:
    return fromstring(chart(tried(*tables, **more), language))  # noqa: S314 - our own


def all_of(picture: Element, tag: str) -> Iterator[Element]:
    return picture.iter(f"{SVG}{tag}")


def texts(picture: Element) -> list[str]:
    return [text.text or "" for text in all_of(picture, "text")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_in_words_what_it_shows(language: Language) -> None:
    picture = drawn(table("shirinma", 13), language=language)
    title, desc = next(all_of(picture, "title")), next(all_of(picture, "desc"))
    assert picture.attrib["role"] == "img"
    assert picture.attrib["aria-labelledby"].split() == [title.attrib["id"], desc.attrib["id"]]
    assert picture.attrib["lang"] == language
    said = {"en": ("Shirinma, 13 players", "Rounds won: "), "ja": ("しりんま、13人", "勝った人がいる局：")}[language]
    assert (title.text or "").startswith(said[0])
    assert said[1] in (desc.text or "")


def test_numbers_have_no_more_than_a_tenth() -> None:
    for element in drawn(table("shippin", 5), table("shippin", 5, tie="dealer_wins")).iter():
        for name, value in element.attrib.items():
            if name != "font-family":
                assert not re.search(r"\d\.\d\d", value), (name, value)
                assert "e-" not in value


def test_it_looks_well_on_light_and_on_dark_paper() -> None:
    picture = drawn(table("shippin"))
    (style,) = all_of(picture, "style")
    assert "@media(prefers-color-scheme:dark)" in (style.text or "")
    assert picture.attrib["fill"] == "currentColor"
    colours = {element.attrib.get("fill", "currentColor") for element in picture.iter()}
    assert colours <= {"currentColor", "none"}


def test_every_bar_lies_in_the_picture_and_is_as_long_as_its_figure() -> None:
    found = tried(table("shirinma", 13), table("shirinma", 13, "none"))
    picture = fromstring(chart(found, "en"))  # noqa: S314 - our own
    for group in all_of(picture, "g"):
        for bar in all_of(group, "rect"):
            x, y, width, height = (float(bar.attrib[name]) for name in ("x", "y", "width", "height"))
            assert 0 <= x <= x + width <= 800
            assert 0 <= y <= y + height <= float(picture.attrib["height"])
    shares = [group for group in all_of(picture, "g") if any("%" in text for text in texts(group))]
    lengths = {texts(group)[1]: float(next(all_of(group, "rect")).attrib["width"]) for group in shares}
    (whole,) = {length for text, length in lengths.items() if text == "100.00%"}
    for text, length in lengths.items():
        assert length == pytest.approx(whole * float(text.removesuffix("%")) / 100, abs=0.11)


def test_what_is_too_long_for_a_line_is_shortened() -> None:
    found = tried(table("shippin", 5))
    found = replace(found, said=("karami_vs_karami=compare_totals " * 10,))
    picture = fromstring(chart(found, "en"))  # noqa: S314 - our own
    (line,) = (text for text in texts(picture) if text.startswith("House rules"))
    assert line.endswith("…")
    assert len(line) < 130


def test_intervals_are_drawn_over_the_ends_of_bars() -> None:
    group = next(all_of(drawn(table("shirinma", 13)), "g"))
    (bar,), (interval,) = all_of(group, "rect"), all_of(group, "path")
    low, high = re.findall(r"M([\d.]+),[\d.]+v", interval.attrib["d"])
    assert float(low) < float(bar.attrib["x"]) + float(bar.attrib["width"]) < float(high)


def test_what_is_lost_is_drawn_to_the_left() -> None:
    """Where ties are the dealer's, a bet loses and dealing wins: the bars lie on both sides of nothing."""
    picture = drawn(table("shippin", 5, tie="dealer_wins", karami_vs_karami="dealer_wins"), rounds=1000)
    groups = {texts(group)[0]: group for group in all_of(picture, "g")}
    bet, dealing = (next(all_of(groups[label], "rect")) for label in BOTH_SIDES)
    end = float(bet.attrib["x"]) + float(bet.attrib["width"])
    assert end == pytest.approx(float(dealing.attrib["x"]), abs=0.11)
    assert texts(groups[BOTH_SIDES[0]])[1].startswith("−")


BOTH_SIDES = ("What a bet brings", "What dealing brings in a round")


def test_the_same_figures_make_the_same_picture() -> None:
    assert chart(tried(table("kakkuri"), rounds=40), "ja") == chart(tried(table("kakkuri"), rounds=40), "ja")
