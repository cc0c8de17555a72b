"""What was won in an evening as a picture: SVG, a line a player, from the opening to the last round that is over.

Nobody has to tell colours apart. The colours are those of Okabe and Ito, which most colour-blind people distinguish;
besides, every line has marks of its own shape, and from the ninth player on a dash pattern; and each line ends at its
player's name and what was won. So it can be printed grey. What it shows is told as text too (`title`, `desc`).

It is made of elements, never of pasted text, and says how it looks in attributes, so that it stands in a page as it
stands alone, whatever people are called. Letters cannot be measured here, only guessed: a name that is too long is
shortened, and what is still too wide or too high for its place is not shown beyond it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, count
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

import wcwidth

from ledger.language import Language, cut, inert, letters, render, translate, unique_names
from ledger.play import Chips
from ledger.records import Record
from ledger.sentences import Sentence, say

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
"""Okabe and Ito's colours, with grey in place of yellow, which does not show on paper."""

DASHES = ("none", "8 4", "2 3", "10 3 2 3")

FILLED, OPEN = "filled", "open"
MARKS = (
    ("m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", FILLED),  # a circle
    ("m-3.5,-3.5h7v7h-7z", FILLED),  # a square
    ("m0,-4.5l4.5,8h-9z", FILLED),  # a triangle
    ("m-3.5,-3.5h7v7h-7z", OPEN),
    ("m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", OPEN),
    ("m0,-5l5,5l-5,5l-5,-5z", FILLED),  # a diamond
    ("m0,4.5l4.5,-8h-9z", OPEN),  # a triangle upside down
    ("m-4,-4l8,8m0,-8l-8,8", OPEN),  # a cross
)
"""How marks are drawn from their middle, in paths that close; filled, or white within."""

FONTS = (
    "'Noto Sans', 'Helvetica Neue', Arial, 'Hiragino Sans', 'Noto Sans JP', 'Noto Sans CJK JP', 'Yu Gothic', Meiryo,"
    " IPAexGothic, IPAGothic, 'Noto Color Emoji', sans-serif"
)
INK, FAINT = "#222222", "#dddddd"
WIDTH, LETTER, ROW, DOWN = 800, 13, 18, 4.5
LEAST_HEIGHT, MOST_NAME = 300, 11 * LETTER
TOP, BOTTOM, TO_LABELS = 48, 44, 40
MOST_MARKS = 12
"""How many marks a line has at most; more would hide it."""


class Place(NamedTuple):
    """A place in the picture; y grows downwards."""

    x: float
    y: float


class Area(Record):
    """Where the lines are drawn: its edges, and the rounds and chips that it spans."""

    left: float
    right: float
    top: float
    bottom: float
    rounds: int
    chips: range

    def at(self, number: int, chips: Chips) -> Place:
        """Find the place of a balance after a round."""
        across = (self.right - self.left) * number / max(self.rounds, 1)
        down = (self.bottom - self.top) * (self.chips[-1] - chips) / (self.chips[-1] - self.chips[0])
        return Place(self.left + across, self.top + down)


class Line(NamedTuple):
    """One player's line: which it is, whose, what was won from the opening on, and where its label begins."""

    number: int
    name: str
    short: str
    history: Sequence[Chips]
    label: Place


class Columns(NamedTuple):
    """how wide the columns of the labels are: chips, then names."""

    balances: float
    names: float


class Style(NamedTuple):
    """What tells a line from the others, in colour and in grey."""

    colour: str
    dash: str
    mark: str
    within: str


def style_of(number: int) -> Style:
    """Give the style of one player, counted from 0; it comes again after 64."""
    lap = number // len(COLOURS)
    colour = COLOURS[number % len(COLOURS)]
    mark, kind = MARKS[(number + lap) % len(MARKS)]
    return Style(colour, DASHES[lap % len(DASHES)], mark, colour if kind == FILLED else "#ffffff")


def won_chart(
    names: Sequence[str], after_rounds: Sequence[Sequence[Chips]], language: Language, played_on: str = ""
) -> str:
    """Draw what each player had after each round, in chips; everyone begins with nothing. `played_on` says the day.

    Raises ValueError if there are not as many histories as names, or not all of one length.
    """
    histories = [(0, *after) for after in after_rounds]
    if len(histories) != len(names) or len(set(map(len, histories))) > 1:
        raise ValueError("a chart needs what every player won after each round")
    finals = [history[-1] for history in histories]
    short, names = short_names(names), unique_names(names)
    columns = Columns(
        balances=max((width(signed(final)) for final in finals), default=0), names=max(map(width, short), default=0)
    )
    area = area_for(histories, columns)
    title = " · ".join(filter(None, (translate("Won after each round", language), played_on)))
    picture = framed(area.bottom + BOTTOM, title, described(names, finals, area.rounds), language)
    draw_axes(picture, area, language)
    labels = [Place(area.right + TO_LABELS, height) for height in label_heights(finals, area)]
    for line in map(Line, count(), names, short, histories, labels):
        player = draw(picture, "g")
        draw(player, "title", f"{inert(line.name)} {signed(line.history[-1])}")
        draw_line(player, line, area)
        draw_label(player, line, columns)
    return tostring(picture, encoding="unicode")


def described(names: Sequence[str], finals: Sequence[Chips], rounds: int) -> Sentence:
    """Tell in words where everyone stands at the end of the lines."""
    if not rounds:
        return say("No round is over yet.")
    balances = tuple(
        say("{name}: {balance}", name=name, balance=signed(final)) for name, final in zip(names, finals, strict=True)
    )
    return say("After round {round}: {balances:list}.", round=rounds, balances=balances)


# --- drawing --------------------------------------------------------------------------------------------------------


def draw(within: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    """Add an element; an attribute's hyphen is given as an underscore."""
    element = SubElement(within, tag, {name.replace("_", "-"): written(value) for name, value in attributes.items()})
    if text:
        element.text = text.translate(_NOT_IN_XML)
    return element


_NOT_IN_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")
"""Of what `inert` leaves in a text, the characters that XML does not have."""


def written(value: object) -> str:
    """Write an attribute; lengths to a tenth."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def framed(height: float, title: str, about: Sentence, language: Language) -> Element:
    """Begin the picture: its size, what it is called, what it shows in words, and white paper."""
    picture = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {written(height)}"})
    named = {"role": "img", "aria-labelledby": "balances-title balances-desc", "lang": language}
    looks = {"font-family": FONTS, "font-size": str(LETTER), "fill": INK}
    picture.attrib |= {"width": str(WIDTH), "height": written(height), **named, **looks}
    draw(picture, "title", title, id="balances-title")
    draw(picture, "desc", render(about, language, {}), id="balances-desc")
    draw(picture, "rect", width=WIDTH, height=height, fill="#ffffff")
    draw(picture, "text", title, x=8, y=24, font_size=16, font_weight="bold")
    return picture


def draw_axes(picture: Element, area: Area, language: Language) -> None:
    """Draw a line across for every tick of chips, the one at zero darker, and the rounds below."""
    axes = draw(picture, "g", stroke_width=1)
    for chips in area.chips:
        y = area.at(0, chips).y
        line = {"stroke": INK if chips == 0 else FAINT, "stroke_width": 1.5 if chips == 0 else 1}
        draw(axes, "line", x1=area.left, y1=y, x2=area.right, y2=y, **line)
        draw(axes, "text", signed(chips), x=area.left - 8, y=y + DOWN, text_anchor="end")
    for number in ticks(0, area.rounds, about=10):
        if number <= area.rounds:
            x = area.at(number, 0).x
            draw(axes, "line", x1=x, y1=area.bottom, x2=x, y2=area.bottom + 5, stroke=INK)
            draw(axes, "text", str(number), x=x, y=area.bottom + 19, text_anchor="middle")
    below = translate("Round", language) if area.rounds else translate("No round is over yet.", language)
    draw(axes, "text", below, x=(area.left + area.right) / 2, y=area.bottom + 36, text_anchor="middle")


def draw_line(player: Element, line: Line, area: Area) -> None:
    """Draw one player's line with its marks, which keep out of those of the next, and lead it on to its label."""
    style = style_of(line.number)
    places = [area.at(number, chips) for number, chips in enumerate(line.history)]
    every = -(-area.rounds // MOST_MARKS) or 1
    marked = [place for number, place in enumerate(places) if number and (number + line.number) % every == 0]
    if not area.rounds:
        places.append(area.at(1, 0))
    stroke = {"fill": "none", "stroke": style.colour, "stroke_dasharray": style.dash, "stroke_linejoin": "round"}
    draw(player, "path", d=path(places), stroke_width=2, **stroke)
    draw(player, "path", d=path([places[-1], line.label]), stroke_width=1, **stroke)
    marks = "".join(path([place]) + style.mark for place in [*marked, line.label])
    draw(player, "path", d=marks, fill=style.within, stroke=style.colour, stroke_width=1.5)


def draw_label(player: Element, line: Line, columns: Columns) -> None:
    """Write a balance, and a name in a window of its own, beyond which nothing of it shows."""
    edge, y = line.label.x + 10 + columns.balances, line.label.y
    draw(player, "text", signed(line.history[-1]), x=edge, y=y + DOWN, text_anchor="end")
    window = draw(player, "svg", x=edge + 8, y=y - ROW / 2, width=columns.names + 8, height=ROW)
    draw(window, "text", inert(line.short), y=ROW / 2 + DOWN)


def path(places: Sequence[Place]) -> str:
    """Write the path through some places."""
    return "M" + "L".join(f"{written(x)},{written(y)}" for x, y in places)


# --- numbers and places ---------------------------------------------------------------------------------------------


def area_for(histories: Sequence[Sequence[Chips]], columns: Columns) -> Area:
    """Give the lines what the labels leave, and a height at which every label has its row."""
    least, most = min(chain(*histories), default=0), max(chain(*histories), default=0)
    chips = ticks(least, most, about=8) if least < most else range(-1, 2)
    return Area(
        left=16 + max(width(signed(tick)) for tick in chips),
        right=WIDTH - TO_LABELS - 10 - columns.balances - 8 - columns.names - 8,
        top=TOP,
        bottom=TOP + max(LEAST_HEIGHT, ROW * len(histories)),
        rounds=len(histories[0]) - 1 if histories else 0,
        chips=chips,
    )


def label_heights(finals: Sequence[Chips], area: Area) -> list[float]:
    """Say how far down each label stands: beside the end of its line, or as near as the others let it."""
    order = sorted(range(len(finals)), key=lambda number: -finals[number])
    ends = [area.at(area.rounds, finals[number]).y for number in order]
    heights = dict(zip(order, apart(ends, ROW, area.top, area.bottom), strict=True))
    return [heights[number] for number in range(len(finals))]


def ticks(least: int, most: int, *, about: int) -> range:
    """Give round numbers in even steps, `about` as many, from not above `least` to not below `most`."""
    span, power = max(most - least, 1), 1
    while span > 10 * power * about:
        power *= 10
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if span <= step * about)
    return range(least // step * step, -(-most // step) * step + 1, step)


def signed(chips: Chips) -> str:
    """Write a balance with its sign."""
    return f"{chips:+,}".replace("-", "\N{MINUS SIGN}") if chips else "0"


def apart(wanted: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Move sorted places apart by `gap`, within bounds and as little as can be: those too close share the way."""
    groups: list[tuple[float, int]] = []
    for number, place in enumerate(wanted):
        mean, count = place - number * gap, 1
        while groups and groups[-1][0] > mean:
            before, many = groups.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        groups.append((mean, count))
    last = most - gap * (len(wanted) - 1)
    starts = [start for start, count in groups for _ in range(count)]
    return [max(min(start, last), least) + number * gap for number, start in enumerate(starts)]


# --- letters --------------------------------------------------------------------------------------------------------


def shortened(name: str, most: float = MOST_NAME) -> str:
    """Cut a name wider than `most`, and say so with an ellipsis."""
    return name if width(name) <= most else cut(name, most - width("…"), width).rstrip() + "…"


def short_names(names: Sequence[str], most: float = MOST_NAME) -> list[str]:
    """Shorten what is wider than `most`, such that no two names are the same.

    A surname that others share goes first; names that would still be the same are numbered.
    """
    words = [name.split() for name in names]
    heads = Counter(each[0] for each in words if len(each) > 1)
    given = [
        " ".join(each[1:]) if len(each) > 1 and heads[each[0]] > 1 else name
        for each, name in zip(words, names, strict=True)
    ]
    short = [name if width(name) <= most else shortened(less, most) for name, less in zip(names, given, strict=True)]
    return unique_names(short, lambda place, number: _numbered(names[place], given[place], number, most))


def _numbered(name: str, less: str, number: int, most: float) -> str:
    for whole in (f"{name} {number}", f"{less} {number}"):
        if width(whole) <= most:
            return whole
    end = f"… {number}"
    return cut(less, most - width(end), width).rstrip() + end


def width(text: str) -> float:
    """Guess how wide a text is, generously."""
    return LETTER * sum(map(_width_of, letters(text)))


def _width_of(letter: str) -> float:
    columns = wcwidth.width(letter, control_codes="ignore")
    sign = letter[0]
    if columns != 1 or sign in "MWmw@%…":
        return min(columns, 1)
    return 0.35 if sign in "iljtfI.,:;'|! " else 0.72 if sign.isupper() else 0.6
