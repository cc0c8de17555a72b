"""A report as a picture: SVG, a bar a figure with the interval drawn over its end; at two tables two bars.

Shares, chips and other numbers each have a scale of their own. It looks well on light and on dark paper, says in words
what it shows (`title`, `desc`), and is made of elements, never of pasted text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, tostring

from ledger.charts import DOWN, FONTS, LETTER, WIDTH, draw, shortened, width, written
from ledger.language import Language, render
from ledger.sentences import Sentence, say
from ledger.simulation.notes import Unit
from ledger.simulation.report import Told
from ledger.simulation.telling import Tried, about, figure, heading

STYLE = (
    "svg{color:#222222;background:#ffffff}.a{fill:#56b4e9}.b{fill:#e69f00}"
    "@media(prefers-color-scheme:dark){svg{color:#eeeeee;background:#161616}.a{fill:#0072b2}.b{fill:#b35c00}}"
)
BAR, ROW_GAP, EDGE, TO_VALUES = 14, 10, 12, 10
UNITS: dict[Unit, Sentence] = {
    "share": say("In a hundred"),
    "chips": say("Chips"),
    "number": say("Numbers"),
}


class Scale(NamedTuple):
    """Where bars begin and end: the picture's left and right, and the least and most that is drawn."""

    left: float
    right: float
    least: float
    most: float

    def at(self, value: float) -> float:
        """Find the place of a value."""
        return self.left + (self.right - self.left) * (value - self.least) / (self.most - self.least)


def chart(tried: Tried, language: Language) -> str:
    """Draw every figure that has an interval or may be counted; what there was nothing of is left out."""
    picture = framed(tried, language)
    y = draw_heading(picture, tried, language)
    for unit, title in UNITS.items():
        rows = [row for row in zip(*tried.report.tables, strict=True) if is_drawn(row, unit)]
        if rows:
            draw(picture, "text", render(title, language, {}), x=EDGE, y=y + LETTER, font_weight="bold")
            y = draw_rows(picture, rows, y + 2 * LETTER, language)
    height = y + EDGE
    picture.attrib |= {"viewBox": f"0 0 {WIDTH} {written(height)}", "height": written(height)}
    return tostring(picture, encoding="unicode")


def is_drawn(row: Sequence[Told], unit: Unit) -> bool:
    """Whether there is something to draw, in this part of the picture."""
    return row[0].unit == unit and any(told.value is not None and told.of for told in row)


def framed(tried: Tried, language: Language) -> Element:
    """Begin the picture, with what it is called and what it shows in words."""
    named = {"role": "img", "aria-labelledby": "simulated-title simulated-desc", "lang": language}
    looks = {"font-family": FONTS, "font-size": str(LETTER), "fill": "currentColor"}
    picture = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": str(WIDTH), **named, **looks})
    draw(picture, "title", render(heading(tried), language, {}), id="simulated-title")
    figures = tuple(
        say("{name}: {balance}", name=render(row[0].label, language, {}), balance=" / ".join(map(figure, row)))
        for row in zip(*tried.report.tables, strict=True)
    )
    draw(picture, "desc", render(say("{figures:list}.", figures=figures), language, {}), id="simulated-desc")
    draw(picture, "style", STYLE)
    return picture


def draw_heading(picture: Element, tried: Tried, language: Language) -> float:
    """Write what was played, and how at each table; say where the bars may begin."""
    y = 2.0 * LETTER
    draw(picture, "text", render(heading(tried), language, {}), x=EDGE, y=y, font_size=16, font_weight="bold")
    for kind, setting, said in zip("ab", tried.plan.tables, tried.said, strict=False):
        y += 1.6 * LETTER
        draw(picture, "rect", x=EDGE, y=y - LETTER + 2, width=LETTER - 2, height=LETTER - 2, **{"class": kind})
        left = EDGE + 1.5 * LETTER
        draw(picture, "text", shortened(render(about(setting, said), language, {}), WIDTH - EDGE - left), x=left, y=y)
    return y + 1.5 * LETTER


def draw_rows(picture: Element, rows: Sequence[Sequence[Told]], y: float, language: Language) -> float:
    """Draw some figures on one scale; say where they end."""
    labels = [render(row[0].label, language, {}) for row in rows]
    values = [[figure(told) for told in row] for row in rows]
    left = EDGE + max(map(width, labels)) + TO_VALUES
    right = WIDTH - EDGE - max(width(text) for row in values for text in row) - TO_VALUES
    ends = [end for row in rows for told in row for end in ends_of(told)]
    scale = Scale(left, right, min(0.0, *ends), max(0.0, *ends) or 1.0)
    for row, label, texts in zip(rows, labels, values, strict=True):
        group = draw(picture, "g")
        draw(group, "text", label, x=left - TO_VALUES, y=y + BAR * len(row) / 2 + DOWN, text_anchor="end")
        for at, (told, text) in enumerate(zip(row, texts, strict=True)):
            draw_bar(group, told, scale, y + BAR * at, "ab"[at])
            draw(group, "text", text, x=WIDTH - EDGE, y=y + BAR * at + BAR / 2 + DOWN, text_anchor="end")
        y += BAR * len(row) + ROW_GAP
    return y


def draw_bar(group: Element, told: Told, scale: Scale, y: float, kind: str) -> None:
    """Draw a bar from nothing to the value, and over it the interval."""
    if told.value is None:
        return
    zero, end = scale.at(0), scale.at(float(told.value))
    draw(group, "rect", x=min(zero, end), y=y + 1, width=abs(end - zero), height=BAR - 2, **{"class": kind})
    if told.interval is not None:
        low, high = map(scale.at, told.interval)
        middle = written(y + BAR / 2)
        ends = "".join(f"M{written(x)},{written(y + 3)}v{BAR - 6}" for x in (low, high))
        shape = f"M{written(low)},{middle}H{written(high)}{ends}"
        draw(group, "path", d=shape, fill="none", stroke="currentColor", stroke_width=1.5)


def ends_of(told: Told) -> Iterator[float]:
    """Give everything that is drawn of a figure."""
    if told.value is not None:
        yield float(told.value)
        yield from told.interval or ()
