"""`docs/house-rules.md`: what each switch of each game does to a table, in figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import fill
from typing import Any

from ledger.records import fields_of, is_record
from ledger.simulation import GAMES, Figure, Most, Told, report
from ledger.simulation.intervals import Interval
from ledger.simulation.notes import Unit
from tests.house_rules.exact import exact
from tests.house_rules.kept import ROUNDS, Kept, Played
from tests.house_rules.trials import EVENING, PLAYERS, SEEN_ONLY_IF, SIZES, Trial, ties, trials
from tests.service import ROOT
from tests.simulation.switches import Set, every_switch

PAGE = ROOT / "docs" / "house-rules.md"

HEAD = """\
What a house rule does to a table, in figures. What follows from [the chances](api.md#chances) that the service itself
counts is marked as *exact*, and only rounded. Everything else was played by the rule books: the same evenings once as
usual and once with one rule set otherwise, with the same cards, side by side. `fuda-ledger simulate` does the same for
any other table ([the command line](cli.md)).

People play in a simple way here, which is told with each game; cleverer people move other chips, but cards come as they
come. An evening has {evening} rounds. What lies in the pot at its end is played for until it is won; of those rounds
only the pot is counted. Behind each figure that was played stands its 95 % interval. A difference is told where its
interval leaves out zero: among twenty figures that a rule does nothing to, one may still be told by chance. Where fewer
than ten evenings differ, that is said, and not by how much. What is the same in every evening differs by nothing at
all, and is left out.

Tables with different numbers of players have nothing to do with one another: each has cards of its own (`--seed` is the
number of players). Tables with the same number of players have the same cards, so that a difference is that of the
rule; where one of two figures is exact, the other one is that and the difference. Below each table stands how many
rounds of it were played{goal}.

This page is written by `.venv/bin/python -m tests.house_rules` from the sums in `tests/house_rules.json`; `--missing`
plays what is missing there, and `--anew` everything.
"""

WAYS = {
    "shirinma": """\
Half of every showdown card is bought by one of the others for the lowest bid, whoever that is (`--playing least`). So a
back-ride costs next to nothing here; what people pay who reckon is told below, where two of the others bid for each
card up to what half of it is worth: exactly, with the price in the pot, by the field card and the showdown cards that
were seen.
""",
    "shippin": """\
An evening begins with the draw for seats. Whoever may sit a round out does so one time in five, and whoever bets does
so on any free column (`--playing often`): before the cards are seen, all are alike.
""",
    "kakkuri": """\
Nobody trades hands. Whoever holds the three 1s shows them, whoever holds three pairs declares them. In a turn a player
puts down as many cards as go, and of equally many those that leave more wilds in the hand; whoever can put down a card
does (`--playing longest`). Often several ways are equally good by that. Then the first is taken, where a hand is gone
through by suits (clubs, coins, cups, swords), each from the 1 up, and its wilds last. Some figures hang on that: what
they are where any of these ways is taken instead is told under `--playing varied`. Where the sequence is not checked,
people keep to the full one.
""",
}
SWITCH_HEADING = "### {label}: `{name}`\n\n{help}\n"


def page(kept: Kept) -> str:
    """The whole page."""
    goal = "" if is_reached(kept) else f"; the aim of {ROUNDS:,} is not reached yet"
    parts = ["# House rules tried out\n", HEAD.format(evening=EVENING, goal=goal)]
    for game, known in GAMES.items():
        parts += [
            f"## {known.book.title.text}\n",
            WAYS[game],
            f"There are {PLAYERS[game]} players where nothing else is said.\n",
            "### As usual, by the number of players\n",
            by_size(game, kept[game]),
            *ways_of_playing(game, kept[game]),
            *(settled_ties() if game == "shippin" else ()),
            *switches(game, kept[game]),
        ]
    return "\n".join(parts)


def is_reached(kept: Kept) -> bool:
    """Whether everything was played as often as it is to be."""
    return all(kept[game][trial.key].is_enough(trial) for game in GAMES for trial in trials(game))


# --- figures --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """A figure as it is told: exactly, or as it was played."""

    unit: Unit
    value: Fraction | None
    interval: Interval | None = None
    is_exact: bool = False
    is_whole: bool = False

    def __str__(self) -> str:
        """In full."""
        if self.interval is None:
            return self.short
        return f"{self.short} ({plain(self.interval.low, self.unit)} to {plain(self.interval.high, self.unit)})"

    @property
    def short(self) -> str:
        """Without an interval."""
        if self.value is None:
            return "–"
        number = plain(self.value, self.unit)
        if self.is_whole:
            number = f"{int(self.value):,}"
        if self.is_exact:
            number = in_full(self.value, self.unit)
        return number + ("%" if self.unit == "share" else "") + (" *exact*" if self.is_exact else "")


def shown(figure: Figure | Most, counted: Mapping[str, Fraction], told: Told) -> Shown:
    """A figure of one table."""
    if isinstance(figure, Most):
        return Shown(figure.unit, told.value, is_whole=True)
    if figure.name in counted:
        return Shown(figure.unit, counted[figure.name], is_exact=True)
    return Shown(figure.unit, told.value, told.interval)


def plain(value: Fraction | float, unit: Unit) -> str:
    """A number for people: two places, and four of what is small."""
    number = float(value) * (100 if unit == "share" else 1)
    text = f"{number:,.4f}" if 0 < abs(number) < 0.1 else f"{number:,.2f}"
    return text.replace("-", "−") if text.strip("-0.") else text.removeprefix("-")


def in_full(value: Fraction, unit: Unit) -> str:
    """An exact number for people: three places, and three figures of what is small; none that is nothing."""
    number = float(value * (100 if unit == "share" else 1))
    places = 3
    while number and abs(number) < 10 ** (2 - places) and places < 12:
        places += 1
    text = f"{number:,.{places}f}"
    return text.rstrip("0").rstrip(".").replace("-", "−")


# --- chapters -------------------------------------------------------------------------------------------------------


def by_size(game: str, kept: Mapping[str, Played]) -> str:
    """All figures, a column for each number of players."""
    some = [trial for trial in trials(game) if trial.beside is None]
    columns = [column_of(trial, kept[trial.key]) for trial in some]
    rows = [
        [figure.label.text, *(str(column[place]) for column in columns)]
        for place, figure in enumerate(GAMES[game].figures)
    ]
    header = ["", *(f"{players} players" for players in SIZES[game])]
    return table([header, *rows, ["Rounds played", *(f"{kept[trial.key].sums.rounds:,}" for trial in some)]])


def column_of(trial: Trial, played: Played) -> list[Shown]:
    """The figures of a table by itself."""
    counted, (told,) = exact(trial.setting, EVENING), report(played.sums).tables
    return [shown(figure, counted, each) for figure, each in zip(played.sums.figures, told, strict=True)]


def ways_of_playing(game: str, kept: Mapping[str, Played]) -> Iterator[str]:
    ways = GAMES[game].ways
    for trial in trials(game):
        if trial.key.startswith("playing "):
            way = trial.setting.playing
            yield f"### Played otherwise: `--playing {way}`\n\n{ways[way].text}\n"
            yield differences(trial, kept[trial.key])


def settled_ties() -> Iterator[str]:
    """What dealing brings under each agreement on ties."""
    yield "### What dealing brings, by `karami_vs_karami` and `tie`\n\nIn chips, with bets of one chip.\n"
    names = ("dealer_gains", "bet_brings", "bets_won", "bets_lost", "bets_tied")
    figures = [next(each for each in GAMES["shippin"].figures if each.name == name) for name in names]
    rows = []
    for karami, tie, setting in ties():
        counted = exact(setting, EVENING)
        cells = [str(Shown(figure.unit, counted[figure.name], is_exact=True)) for figure in figures]
        rows.append([f"`{karami}`", f"`{tie}`", *cells])
    yield table([["`karami_vs_karami`", "`tie`", *(figure.label.text for figure in figures)], *rows])


def switches(game: str, kept: Mapping[str, Played]) -> Iterator[str]:
    """A chapter a switch, in it a table a value."""
    known, before = {trial.key: trial for trial in trials(game)}, None
    for each in every_switch(game):
        told_of = field_of(GAMES[game].book.rules(), each.name)
        if each.name != before:
            before = each.name
            yield SWITCH_HEADING.format(label=told_of["label"].text, name=each.name, help=told_of["help"].text)
        yield f"{set_to(each, told_of)}\n"
        yield differences(known[each.said], kept[each.said])


def set_to(each: Set, told_of: Mapping[str, Any]) -> str:
    """Say what a switch is set to, and what it usually is."""
    default = GAMES[each.game].book.rules()
    for name in each.name.split("."):
        default = getattr(default, name)
    label = told_of["values"].get(each.value)
    said = f"**`{each.said}`**" + (f" ({label.text})" if label else "") + f" instead of `{default}`"
    if way := SEEN_ONLY_IF.get(each.name):
        said += f", played with `--playing {way}`"
    if each.deck != GAMES[each.game].book.decks[0]:
        said += f", with the deck `{each.deck}`"
    return f"{said}:"


def field_of(rules: Any, name: str) -> Mapping[str, Any]:
    """What a switch says of itself."""
    group, _, inner = name.partition(".")
    switch = next(each for each in fields_of(type(rules)) if each.name == group)
    value = getattr(rules, group)
    return field_of(value, inner) if is_record(type(value)) else switch.extra


# --- differences ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A figure at a table and at the usual one, and by how much it is larger at the former."""

    figure: Figure
    so: Shown
    usual: Shown
    off: Shown

    @property
    def verdict(self) -> str:
        """What can be said: that they are the same, by how much not, or neither."""
        if self.off.is_exact:
            return "seen" if self.off.value else "same"
        if self.off.interval is None:
            return "same" if self.off.value is None else "few"
        if self.off.interval == Interval(0.0, 0.0):
            return "same"
        return "unseen" if self.off.interval.has_zero else "seen"

    @property
    def row(self) -> list[str]:
        """The line of a table."""
        unit, value, points = self.off.unit, self.off.value or Fraction(), ""
        if unit == "share":
            points = " points"
        sign = "+" if value > 0 else ""
        if self.off.is_exact:
            off = f"{sign}{in_full(value, unit)}{points} *exact*"
        else:
            off = f"{sign}{plain(value, unit)}{points}"
        if self.off.interval:
            off += f" ({plain(self.off.interval.low, unit)} to {plain(self.off.interval.high, unit)})"
        return [self.figure.label.text, self.usual.short, self.so.short, off]


def compared(trial: Trial, played: Played) -> Iterator[Difference]:
    """Every figure of a table beside the usual one: counted where both are, and as it was played else."""
    told = report(played.sums)
    so, beside = (exact(table, EVENING) for table in trial.tables)
    for figure, *both, off in zip(played.sums.figures, *told.tables, told.differences, strict=True):
        if not isinstance(figure, Figure):
            continue
        name, unit, difference = figure.name, figure.unit, Shown(figure.unit, off.value, off.interval)
        ours, usual_one = shown(figure, so, both[0]), shown(figure, beside, both[1])
        if name in so and name in beside:
            difference = Shown(unit, so[name] - beside[name], is_exact=True)
        elif off.value is not None and name in beside:
            ours = Shown(unit, beside[name] + off.value)
        elif off.value is not None and name in so:
            usual_one = Shown(unit, so[name] - off.value)
        yield Difference(figure, ours, usual_one, difference)


def differences(trial: Trial, played: Played) -> str:
    """The figures in which a difference is seen, and what is said of the others."""
    found, rounds = list(compared(trial, played)), f"{played.sums.rounds:,} rounds"
    seen = [each for each in found if each.verdict == "seen"]
    parts = [table([["", "usual", "so", "difference"], *(each.row for each in seen)])] if seen else []
    for said, verdict in (
        ("No difference was seen, though one may be there", "unseen"),
        ("A difference in too few evenings to tell of others", "few"),
    ):
        those = [each.figure.label.text for each in found if each.verdict == verdict]
        parts += [fill(f"{said}: {'; '.join(those)}.", 120) + "\n"] if those else []
    if not parts:
        return f"All figures are the same, in every one of {rounds}.\n"
    if any(each.verdict != "same" and not each.off.is_exact for each in found):
        parts.append(f"Played: {rounds} at each table.\n")
    return "\n".join(parts)


def table(rows: Sequence[Sequence[str]]) -> str:
    header, *others = rows
    lines = (header, ["---"] * len(header), *others)
    return "".join("".join(f"| {cell} " if cell else "| " for cell in line) + "|\n" for line in lines)
