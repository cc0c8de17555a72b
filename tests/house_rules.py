"""`docs/house-rules.md`: what each switch of each game does to a table, in figures.

`.venv/bin/python -m tests.house_rules` writes the page from the figures that are kept in `house_rules.json`;
with `--anew` it plays them first, which takes some minutes. All tables of a game are dealt the same cards.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from textwrap import fill
from typing import Any

from ledger.simulation import GAMES, Figure, Most, Report, Setting, Told, report
from ledger.simulation.evenings import play_evening
from ledger.simulation.notes import Notes
from ledger.simulation.sums import Sums
from ledger.simulation.telling import decimal
from tests.service import ROOT
from tests.simulation.switches import Set, every_switch

PAGE, KEPT = ROOT / "docs" / "house-rules.md", Path(__file__).with_suffix(".json")
SEED, EVENING = 14, 20
EVENINGS = {"shirinma": 500, "shippin": 1000, "kakkuri": 250}
PLAYERS = {"shirinma": 13, "shippin": 5, "kakkuri": 7}
SIZES = {"shirinma": (12, 13, 15, 16, 20, 23), "shippin": (2, 3, 4, 5), "kakkuri": (7, 8)}
SEEN_ONLY_IF = {"min_increment": "worth", "dropping_out": "cautious"}
"""Switches that say something only where people play in a way of their own."""

Cell = Sequence[str | None]
"""A figure as it is kept: its value and the ends of its interval."""

# --- what is played -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """A table, and the one it is held beside if it is; `key` is where its figures are kept."""

    key: str
    setting: Setting
    beside: Setting | None = None


def usual(game: str, **changes: Any) -> Setting:
    known = GAMES[game]
    said = {"players": PLAYERS[game], "deck": known.book.decks[0], "rules": known.book.rules(), **changes}
    return Setting(game=game, playing=said.pop("playing", next(iter(known.ways))), **said)


def trials(game: str) -> Iterator[Trial]:
    """Everything that is played of a game."""
    first, *other_ways = GAMES[game].ways
    for players in SIZES[game]:
        yield Trial(f"{players} players", usual(game, players=players))
    for way in other_ways:
        yield Trial(f"playing {way}", usual(game, playing=way), usual(game))
    for each in every_switch(game):
        as_played = {"playing": SEEN_ONLY_IF.get(each.name, first), "deck": each.deck}
        yield Trial(each.said, usual(game, rules=each.rules, **as_played), usual(game, **as_played))
    if game == "shippin":
        yield from (Trial(f"{karami} {tie}", table) for karami, tie, table in ties())


def ties() -> Iterator[tuple[str, str, Setting]]:
    """Every way to settle two karami, with every way to settle a tie."""
    make = GAMES["shippin"].book.rules
    for karami, tie in product(("compare_totals", "tie", "dealer_wins"), ("push", "dealer_wins")):
        yield karami, tie, usual("shippin", rules=make(karami_vs_karami=karami, tie=tie))


def played(setting: Setting, evenings: int | None = None) -> list[Notes]:
    """All evenings at a table, or so many."""
    return [play_evening(setting, SEED, number, EVENING) for number in range(evenings or EVENINGS[setting.game])]


def told(game: str, *tables: list[Notes]) -> Report:
    sums = Sums(GAMES[game].figures, len(tables))
    for evening in zip(*tables, strict=True):
        sums.add(evening)
    return report(sums)


def kept_of(game: str, evenings: Callable[[Setting], list[Notes]]) -> dict[str, Any]:
    """Figures as they are kept: of each trial, and where it is held beside another table the differences."""
    found = {}
    for trial in trials(game):
        if trial.beside is None:
            found[trial.key] = {"figures": cells(told(game, evenings(trial.setting)).tables[0])}
            continue
        both = told(game, evenings(trial.setting), evenings(trial.beside))
        figures, beside = map(cells, both.tables)
        found[trial.key] = {"figures": figures, "beside": beside, "off": cells(both.differences)}
    return found


def cells(some: Sequence[Told]) -> dict[str, Cell]:
    return {each.name: cell(each) for each in some}


def cell(each: Told) -> Cell:
    numbers = (each.value, *(each.interval or (None, None)))
    return [None if number is None else decimal(number, each.unit) for number in numbers]


def anew() -> dict[str, Any]:
    """Play everything, each table once."""
    tables = list(dict.fromkeys(table for game in GAMES for trial in trials(game) for table in both_of(trial)))
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as crew:
        evenings = dict(zip(tables, crew.map(played, tables), strict=True))
    return {game: kept_of(game, evenings.__getitem__) for game in GAMES}


def both_of(trial: Trial) -> Iterator[Setting]:
    yield trial.setting
    if trial.beside:
        yield trial.beside


# --- the page -------------------------------------------------------------------------------------------------------

Kept = Mapping[str, Any]

HEAD = """\
What a house rule does to a table, in figures: many rounds were played by the rule book, once as usual and once with one
rule set otherwise, with the same cards, and what came out is set side by side. `fuda-ledger simulate` does the same for
any other table ([the command line](cli.md)).

People play in a simple way here, which is told with each game; cleverer people move other chips, but cards come as they
come. An evening has {evening} rounds. What lies in the pot at its end is played for until it is won; of those rounds
only the pot is counted. Behind each figure stands its 95 % interval. A difference is told where its interval leaves out
zero: among twenty figures that a rule does nothing to, one may still be told by chance. Where fewer than ten evenings
differ, that is said, and not by how much. What is the same in every evening differs by nothing at all, and is left out.

This page is written by `.venv/bin/python -m tests.house_rules` from the figures in `tests/house_rules.json`; `--anew`
plays them again.
"""

WAYS = {
    "shirinma": """\
Half of every showdown card is bought by one of the others for the lowest bid, whoever that is. So a back-ride costs
next to nothing here; what people pay who reckon is told below, where two of the others bid for each card up to what
half of it is worth: exactly, with the price in the pot, by the field card and the showdown cards that were seen.
""",
    "shippin": """\
An evening begins with the draw for seats. Whoever may sit a round out does so one time in five, and whoever bets does
so on any free column: before the cards are seen, all are alike.
""",
    "kakkuri": """\
Nobody trades hands. Whoever holds the three 1s shows them, whoever holds three pairs declares them. In a turn a player
puts down as many cards as go, and of equally many those that leave more wilds in the hand; whoever can put down a card
does. Where the sequence is not checked, people keep to the full one. Nobody drops out, unless they play cautiously.
""",
}
PLAYED = (
    "Each table played {rounds:,} rounds in {evenings:,} evenings, with {players} players where nothing else is said."
)
SWITCH_HEADING = "### {label}: `{name}`\n\n{help}\n"


def page(kept: Kept) -> str:
    """The whole page."""
    parts = ["# House rules tried out\n", HEAD.format(evening=EVENING)]
    for game, known in GAMES.items():
        evenings = EVENINGS[game]
        parts += [
            f"## {known.book.title.text}\n",
            WAYS[game],
            PLAYED.format(rounds=evenings * EVENING, evenings=evenings, players=PLAYERS[game]) + "\n",
            "### As usual, by the number of players\n",
            by_size(game, kept[game]),
            *ways_of_playing(game, kept[game]),
            *(settled_ties(kept[game]) if game == "shippin" else ()),
            *switches(game, kept[game]),
        ]
    return "\n".join(parts)


def by_size(game: str, kept: Kept) -> str:
    """All figures, a column for each number of players."""
    columns = [kept[f"{players} players"]["figures"] for players in SIZES[game]]
    rows = [
        [figure.label.text, *(with_interval(figure, column[key_of(figure)]) for column in columns)]
        for figure in GAMES[game].figures
    ]
    return table([["", *(f"{players} players" for players in SIZES[game])], *rows])


def ways_of_playing(game: str, kept: Kept) -> Iterator[str]:
    for way in list(GAMES[game].ways)[1:]:
        yield f"### Played otherwise: `--playing {way}`\n\n{GAMES[game].ways[way].text}\n"
        yield differences(game, kept[f"playing {way}"])


def settled_ties(kept: Kept) -> Iterator[str]:
    """What dealing brings under each agreement on ties."""
    yield "### What dealing brings, by `karami_vs_karami` and `tie`\n\nIn chips, with bets of one chip.\n"
    names = ("dealer_gains", "bet_brings", "bets_won", "bets_lost", "bets_tied")
    figures = [next(each for each in GAMES["shippin"].figures if key_of(each) == name) for name in names]
    rows = [
        [
            f"`{karami}`",
            f"`{tie}`",
            *(with_interval(each, kept[f"{karami} {tie}"]["figures"][each.name]) for each in figures),
        ]
        for karami, tie, _ in ties()
    ]
    yield table([["`karami_vs_karami`", "`tie`", *(figure.label.text for figure in figures)], *rows])


def switches(game: str, kept: Kept) -> Iterator[str]:
    """A chapter a switch, in it a table a value."""
    before = None
    for each in every_switch(game):
        told_of = field_of(GAMES[game].book.rules(), each.name)
        if each.name != before:
            before = each.name
            yield SWITCH_HEADING.format(label=told_of["label"].text, name=each.name, help=told_of["help"].text)
        yield f"{set_to(each, told_of)}\n"
        yield differences(game, kept[each.said])


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
    switch = next(each for each in fields(rules) if each.name == group)
    value = getattr(rules, group)
    return field_of(value, inner) if is_dataclass(value) else switch.metadata


def differences(game: str, trial: Kept) -> str:
    """The figures in which a difference is seen, and what is said of the others."""
    seen, unseen, few = [], [], []
    for figure in (each for each in GAMES[game].figures if isinstance(each, Figure)):
        value, low, high = trial["off"][figure.name]
        if low is None:
            few += [figure.label.text] * (value is not None)
        elif float(low) == float(high) == 0:
            continue
        elif float(low) <= 0 <= float(high):
            unseen.append(figure.label.text)
        else:
            points = " points" if figure.unit == "share" else ""
            off = f"{signed(value)}{points} ({plain(low)} to {plain(high)})"
            seen.append(
                [figure.label.text, *(short(figure, trial[of][figure.name]) for of in ("beside", "figures")), off]
            )
    parts = [table([["", "usual", "so", "difference"], *seen])] if seen else []
    for said, those in (
        ("No difference was seen, though one may be there", unseen),
        ("A difference in too few evenings to tell of others", few),
    ):
        parts += [fill(f"{said}: {'; '.join(those)}.", 120) + "\n"] if those else []
    return "\n".join(parts) or "All figures are the same, evening by evening.\n"


def with_interval(figure: Figure | Most, kept: Cell) -> str:
    value, low, high = kept
    if value is None:
        return "–"
    shown = short(figure, kept)
    return shown if low is None or high is None else f"{shown} ({plain(low)} to {plain(high)})"


def short(figure: Figure | Most, kept: Cell) -> str:
    value = kept[0]
    if value is None:
        return "–"
    number = f"{float(value):,.0f}" if isinstance(figure, Most) else plain(value)
    return number + ("%" if figure.unit == "share" else "")


def plain(text: str) -> str:
    """A kept number for people: two places, and four of what is small."""
    number = float(text)
    shown = f"{number:,.4f}" if 0 < abs(number) < 0.1 else f"{number:,.2f}"
    return shown.replace("-", "−")


def signed(text: str) -> str:
    return ("+" if float(text) > 0 else "") + plain(text)


def key_of(figure: Figure | Most) -> str:
    return f"most_{figure.name}" if isinstance(figure, Most) else figure.name


def table(rows: Sequence[Sequence[str]]) -> str:
    header, *others = rows
    lines = (header, ["---"] * len(header), *others)
    return "".join("".join(f"| {cell} " if cell else "| " for cell in line) + "|\n" for line in lines)


def read_kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    return kept


def as_text(kept: Kept) -> str:
    """One line a trial, so that a change is seen."""
    line = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    games = (
        f"{line(game)}: {{\n" + ",\n".join(f"{line(key)}: {line(trial)}" for key, trial in some.items()) + "\n}"
        for game, some in kept.items()
    )
    return "{\n" + ",\n".join(games) + "\n}\n"


if __name__ == "__main__":
    if "--anew" in sys.argv[1:]:
        KEPT.write_text(as_text(anew()), "utf-8")
    PAGE.write_text(page(read_kept()), "utf-8")
