"""The chart of a session: SVG, a line a player, from the opening to the last round that is over.

It can be printed grey: of 32 lines no two have both the same marks and the same dashes; a legend has each with sum and
name, the winner on top. Most colour-blind people can distinguish the colours. `title` and `desc` have the same as text.

The template `chart.svg` escapes names and has its style in attributes, so the chart also stands within a page. Widths
of letters are only estimated: a name that is too long is shortened, and the rest is clipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from math import ceil
from typing import NamedTuple

import wcwidth
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from ledger.i18n.language import Language, cut, inert, render, translate, unique_names
from ledger.i18n.sentences import Sentence, say
from ledger.records import Record
from ledger.rulebook.values import Chips

WIDTH, LETTER, ROW = 800, 13, 18
MIN_HEIGHT, MAX_NAME = 300, 11 * LETTER
TOP, BOTTOM, LEFT, BESIDE_SUMS = 48, 44, 14, 82
"""Lengths in pixels. The template's legend has a `ROW` a line, and in it `BESIDE_SUMS` for all but sums and names."""

MAX_MARKS = 12
"""How many marks a line has at most; more would hide it."""

NOT_IN_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")
"""Of what `inert` leaves in a text, the characters that XML does not have."""


class Area(Record):
    """Where the lines are drawn: its edges, and the rounds and chips that it spans. y grows downwards."""

    left: int
    right: int
    bottom: int
    rounds: int
    chips: range

    def x(self, number: int) -> float:
        return round(self.left + (self.right - self.left) * number / max(self.rounds, 1), 1)

    def y(self, chips: Chips) -> float:
        return round(TOP + (self.bottom - TOP) * (self.chips[-1] - chips) / (self.chips[-1] - self.chips[0]), 1)


class Line(NamedTuple):
    """One player's line: its number from 0, whose it is, what was won in the end, and the places after each round.

    Those of its places that are `marked` keep out of the next line's.
    """

    number: int
    name: str
    short: str
    won: Chips
    places: Sequence[str]
    marked: Sequence[str]


def won_chart(
    names: Sequence[str], after_rounds: Sequence[Sequence[Chips]], language: Language, played_on: str = ""
) -> str:
    """Draw the chips of each player after each round, from 0 on. Raises ValueError unless each name has a history."""
    histories = [(0, *after) for after in after_rounds]
    finals = [history[-1] for history in histories]
    names, short = unique_names(names), short_names(names)
    names_begin = WIDTH - 8 - widest(short)
    area = area_for(histories, right=names_begin - widest(map(signed, finals)) - BESIDE_SUMS)
    lines = [line_of(number, *each, area) for number, each in enumerate(zip(names, short, histories, strict=True))]
    picture = _template().render(
        size=(WIDTH, area.bottom + BOTTOM),
        language=language,
        title=" · ".join(filter(None, (translate("Won after each round", language), played_on))),
        description=render(described(names, finals, area.rounds), language, {}),
        below=translate("Round", language) if area.rounds else translate("No round is over yet.", language),
        area=area,
        numbers=[number for number in ticks(0, area.rounds, about=10) if number <= area.rounds],
        lines=sorted(lines, key=lambda line: -line.won),
        names_begin=names_begin,
    )
    return picture.translate(NOT_IN_XML)


@cache
def _template() -> Template:
    loader = PackageLoader("ledger.accounting", "")
    svg = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    svg.filters |= {"signed": signed, "inert": inert}
    return svg.get_template("chart.svg")


def described(names: Sequence[str], finals: Sequence[Chips], rounds: int) -> Sentence:
    """Describe the ends of the lines in words."""
    if not rounds:
        return say("No round is over yet.")
    balances = tuple(
        say("{name}: {balance}", name=name, balance=signed(final)) for name, final in zip(names, finals, strict=True)
    )
    return say("After round {round}: {balances:list}.", round=rounds, balances=balances)


def area_for(histories: Sequence[Sequence[Chips]], right: int) -> Area:
    """Give the lines the width that the legend leaves, and the height of its rows."""
    least, most = min(chain(*histories), default=0), max(chain(*histories), default=0)
    chips = ticks(least, most, about=8) if least < most else range(-1, 2)
    left = LEFT + widest(map(signed, chips))
    bottom = TOP + max(MIN_HEIGHT, ROW * len(histories))
    return Area(left, right, bottom, len(histories[0]) - 1 if histories else 0, chips)


def line_of(number: int, name: str, short: str, history: Sequence[Chips], area: Area) -> Line:
    places = [f"{area.x(after)},{area.y(chips)}" for after, chips in enumerate(history)]
    every = -(-area.rounds // MAX_MARKS) or 1
    marked = [place for after, place in enumerate(places) if after and (after + number) % every == 0]
    return Line(number, name, short, history[-1], places, marked)


def ticks(least: int, most: int, *, about: int) -> range:
    """Give round numbers in even steps, `about` as many, from not above `least` to not below `most`."""
    span, power = max(most - least, 1), 1
    while span > 10 * power * about:
        power *= 10
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if span <= step * about)
    return range(least // step * step, -(-most // step) * step + 1, step)


def signed(chips: Chips) -> str:
    return f"{chips:+,}".replace("-", "\N{MINUS SIGN}") if chips else "0"


# --- letters --------------------------------------------------------------------------------------------------------


def short_names(names: Sequence[str]) -> list[str]:
    """Shorten what is wider than `MAX_NAME`, such that no two names are the same.

    A surname that others share goes first, then the end, for an ellipsis; names that are still the same are numbered.
    """
    words = [name.split() for name in names]
    heads = Counter(each[0] for each in words if len(each) > 1)

    def fitted(place: int, end: str = "") -> str:
        name, (head, *rest), room = names[place], words[place] or [""], MAX_NAME - width(end)
        if width(name) > room and rest and heads[head] > 1:
            name = " ".join(rest)
        if width(name) > room:
            name = cut(name, room - width("…"), width).rstrip() + "…"
        return name + end

    return unique_names(list(map(fitted, range(len(names)))), lambda place, number: fitted(place, f" {number}"))


def widest(texts: Iterable[str]) -> int:
    """Estimate the width of the widest text; 0 if there is none."""
    return ceil(max(map(width, texts), default=0))


def width(text: str) -> float:
    """Estimate the width of a text, generously."""
    return LETTER * sum(map(_width_of, wcwidth.iter_graphemes(text)))


def _width_of(letter: str) -> float:
    columns = wcwidth.width(letter, control_codes="ignore")
    sign = letter[0]
    if columns != 1 or sign in "MWmw@%…":
        return min(columns, 1)
    return 0.35 if sign in "iljtfI.,:;'|! " else 0.72 if sign.isupper() else 0.6
