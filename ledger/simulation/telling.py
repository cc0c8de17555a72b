"""A report for people and for programs: in lines, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

import wcwidth

from ledger.language import Language, render
from ledger.records import Record
from ledger.sentences import Sentence, say
from ledger.simulation.crew import Plan
from ledger.simulation.evenings import GAMES
from ledger.simulation.intervals import Interval
from ledger.simulation.notes import Unit
from ledger.simulation.report import Report, Told
from ledger.simulation.tables import Setting

GAP = "  "
SMALL = 0.1
"""Of what is smaller, two places more are told."""


class Tried(Record):
    """What was played, and what it came to; `said` are the house rules that each table has its own way, as a text."""

    plan: Plan
    said: tuple[str, ...]
    report: Report


# --- numbers --------------------------------------------------------------------------------------------------------


def number(value: Fraction | float, unit: Unit, *, whole: bool = False) -> str:
    """Write a figure without what it counts: a share as so many in a hundred, or a whole number.

    There are two places, and four of what is small.
    """
    if whole:
        return f"{int(value):,}"
    shown = float(value * (100 if unit == "share" else 1))
    text = f"{shown:,.4f}" if 0 < abs(shown) < SMALL else f"{shown:,.2f}"
    return text.replace("-", "\N{MINUS SIGN}") if text.strip("-0.,") else text.removeprefix("-")


def figure(told: Told) -> str:
    """Write the value of a figure."""
    if told.value is None:
        return "\N{EN DASH}"
    return number(told.value, told.unit, whole=not told.of) + ("%" if told.unit == "share" else "")


def between(interval: Interval | None, unit: Unit, language: Language) -> str:
    """Write an interval, if there is one."""
    if interval is None:
        return ""
    low, high = (number(end, unit) for end in interval)
    return render(say("{low} to {high}", low=low, high=high), language, {})


def off_by(told: Told, language: Language) -> str:
    """Write a difference: the difference of two shares is in points of a hundred."""
    if told.value is None:
        return ""
    value = ("+" if told.value > 0 else "") + number(told.value, told.unit)
    return render(say("{value} points", value=value), language, {}) if told.unit == "share" else value


def verdict(told: Told) -> Sentence | None:
    """Say what a difference cannot tell: none was seen, or the evenings were too few."""
    if told.value is None:
        return None
    if told.interval is None:
        return say("too few evenings differ to tell")
    if told.interval == Interval(0.0, 0.0):
        return say("the same")
    return say("no difference seen") if told.interval.has_zero else None


# --- lines ----------------------------------------------------------------------------------------------------------


def heading(tried: Tried) -> Sentence:
    """Say what was played."""
    plan, first = tried.plan, tried.plan.tables[0]
    return say(
        "{game:sentence}, {players} players, {deck:deck}: {rounds:sentence} in {evenings:sentence}",
        game=GAMES[first.game].book.title,
        players=first.players,
        deck=first.deck,
        rounds=so_many_rounds(plan.rounds),
        evenings=so_many_evenings(tried.report.evenings),
    )


def so_many_rounds(number: int) -> Sentence:
    """Count rounds in words."""
    return say("1 round") if number == 1 else say("{number} rounds", number=f"{number:,}")


def so_many_evenings(number: int) -> Sentence:
    """Count evenings in words."""
    return say("1 evening") if number == 1 else say("{number} evenings", number=f"{number:,}")


def about(setting: Setting, said: str) -> Sentence:
    """Say how a table plays."""
    way = GAMES[setting.game].ways[setting.playing]
    if not said:
        return say("House rules as usual. {way:sentence}", way=way)
    return say("House rules as usual, but for {rules}. {way:sentence}", rules=said, way=way)


def lines(tried: Tried, language: Language) -> Iterator[str]:
    """Write everything as text."""
    yield render(heading(tried), language, {})
    letters = "AB" if len(tried.plan.tables) > 1 else [""]
    for letter, setting, said in zip(letters, tried.plan.tables, tried.said, strict=True):
        yield (f"{letter}: " if letter else "") + render(about(setting, said), language, {})
    yield ""
    yield from aligned([header(tried, language), *rows(tried.report, language)])


def header(tried: Tried, language: Language) -> Sequence[str]:
    """Name the columns."""
    interval = render(say("95% interval"), language, {})
    if len(tried.plan.tables) == 1:
        return ["", "", interval]
    return ["", "A", interval, "B", interval, "A \N{MINUS SIGN} B", interval]


def rows(report: Report, language: Language) -> Iterator[Sequence[str]]:
    """Write a row a figure."""
    for told, off in zip_longest(zip(*report.tables, strict=True), report.differences):
        cells = [render(told[0].label, language, {})]
        for each in told:
            cells += [figure(each), between(each.interval, each.unit, language)]
        if off is not None:
            cells += off_in_words(off, language)
        yield cells


def off_in_words(off: Told, language: Language) -> Sequence[str]:
    """Write a difference, and its interval or that there is none."""
    said = verdict(off)
    if said is not None and off.interval == Interval(0.0, 0.0):
        return ["0", render(said, language, {})]
    parts = [between(off.interval, off.unit, language), render(said, language, {}) if said else ""]
    return [off_by(off, language), ", ".join(filter(None, parts))]


def aligned(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Write rows with each column as wide as its widest cell: words to the left, numbers to the right."""
    widths = [max(map(wcwidth.wcswidth, column)) for column in zip(*table, strict=True)]
    for row in table:
        spaces = [" " * (width - wcwidth.wcswidth(cell)) for cell, width in zip(row, widths, strict=True)]
        label, *numbers = zip(row, spaces, strict=True)
        yield GAP.join(["".join(label), *(space + cell for cell, space in numbers)]).rstrip()


# --- JSON -----------------------------------------------------------------------------------------------------------


def as_json(tried: Tried) -> Mapping[str, Any]:
    """Give everything for a program to read. Exact numbers are fractions in a text, others decimals in a text."""
    plan, report = tried.plan, tried.report
    settings = [
        {
            "game": setting.game,
            "players": setting.players,
            "deck": setting.deck,
            "rules": setting.rules,
            "playing": setting.playing,
            "figures": [figure_as_json(told) for told in figures],
        }
        for setting, figures in zip(plan.tables, report.tables, strict=True)
    ]
    played = {"rounds": plan.rounds, "evening": plan.evening, "evenings": report.evenings, "seed": plan.seed}
    differences = [difference_as_json(told) for told in report.differences if told.of]
    return {**played, "settings": settings, **({"differences": differences} if differences else {})}


def figure_as_json(told: Told) -> Mapping[str, Any]:
    """Give a figure: shares in a hundred."""
    value = told.value
    return {
        "name": told.name,
        "label": {language: render(told.label, language, {}) for language in ("en", "ja")},
        "unit": "percent" if told.unit == "share" else told.unit,
        "of": told.of or None,
        "exact": None if value is None else str(value),
        "value": None if value is None else decimal(value, told.unit),
        **ends_as_json(told),
    }


def difference_as_json(told: Told) -> Mapping[str, Any]:
    """Give a difference: the first setting less the second."""
    value, seen = told.value or Fraction(), told.interval is not None and not told.interval.has_zero
    return {
        "name": told.name,
        "exact": str(value),
        "value": decimal(value, told.unit),
        **ends_as_json(told),
        "seen": seen,
    }


def ends_as_json(told: Told) -> Mapping[str, Any]:
    """Give the ends of an interval, null where there is none."""
    low, high = told.interval or (None, None)
    return {
        "low": None if low is None else decimal(low, told.unit),
        "high": None if high is None else decimal(high, told.unit),
    }


def decimal(value: Fraction | float, unit: Unit) -> str:
    """Write a number with four places, a share in a hundred."""
    text = f"{float(value * (100 if unit == 'share' else 1)):.4f}"
    return text if text.strip("-0.") else "0.0000"
