"""House rules tried out, without a database: many rounds, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from ledger.cli.terminal import as_json, give, main
from ledger.i18n.language import LANGUAGES, render
from ledger.rulebook.rule_book import RuleBook
from ledger.session.rounds import changed
from ledger.simulation import GAMES, Batches, Estimate, Figure, difference, estimate, simulate
from schemas.loading import load_rules


@main.command("simulate")
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--players", type=int, help="How many play; otherwise as few as can.")
@click.option("--rounds", type=click.IntRange(1, 10**7), default=10_000, show_default=True, help="How many are played.")
@click.option("--rule", "rules", multiple=True, metavar="NAME=VALUE", help="A house rule, beside the usual ones.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed deals the same cards.")
@as_json
def simulate_(game: str, *, players: int | None, rules: Sequence[str], as_json: bool, **played: int) -> None:
    """Simulate many rounds of GAME: rate of forfeits, size of pots, gain of the dealer.

    With --rule once more by that rule, with the same cards.

    Example: fuda-ledger simulate shirinma --players 13 --rule third_deal=none_held
    """
    book, figures = GAMES[game].book, GAMES[game].figures
    count = book.seats.start if players is None else players
    if not book.fewest <= count < book.seats.stop:
        needed = f"{game} is played by {book.fewest} to {book.seats.stop - 1}"
        raise click.BadParameter(needed, param_hint="--players")
    tables = [book.rules(), *([house_rules(book, rules)] if rules else [])]
    sums = [simulate(GAMES[game], count, each, **played) for each in tables]
    found = [(figure, estimates(figure, sums)) for figure in figures]
    about = {"game": game, "players": count, **played, "rules": tables[-1]}
    report = about | {"figures": [as_json_figure(*each) for each in found]}
    give(report, lines(f"{game}, {count} players, {played['rounds']:,} rounds", " ".join(rules), found), json=as_json)


def estimates(figure: Figure, sums: Sequence[dict[str, Batches]]) -> list[Estimate]:
    """Estimate a figure as usual, by the rule, and their difference."""
    usual, *by_rule = (each[figure.name] for each in sums)
    columns = [estimate(each, figure.unit) for each in (usual, *by_rule)]
    return [*columns, *(difference(each, usual) for each in by_rule)]


def as_json_figure(figure: Figure, found: Sequence[Estimate]) -> dict[str, Any]:
    """Give a figure for a program: decimals in texts, shares between 0 and 1."""
    numbers = [{name: None if x is None else f"{float(x):.6f}" for name, x in each._asdict().items()} for each in found]
    label = {language: render(figure.label, language, {}) for language in LANGUAGES}
    columns = dict(zip(("usual", "by_rule", "difference"), numbers, strict=False))
    return {"name": figure.name, "label": label, "unit": figure.unit, **columns}


def lines(heading: str, rules: str, figures: Sequence[tuple[Figure, Sequence[Estimate]]]) -> Iterator[str]:
    """Write a table for people, each figure with its 95 % interval."""
    yield heading
    heads = ["as usual", *([rules, "difference"] if rules else [])]
    rows = [["", *heads], *([render(figure.label, "en", {}), *(cell(each, figure) for each in found)]
                            for figure, found in figures)]  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for label, *cells in rows:
        columns = (each.rjust(width) for each, width in zip(cells, widths[1:], strict=True))
        yield "  ".join([label.ljust(widths[0]), *columns]).rstrip()


def cell(one: Estimate, figure: Figure) -> str:
    """Write an estimate: a share in a hundred, and a dash where there is nothing to tell."""
    times, sign = (100, "%") if figure.unit == "share" else (1, "")
    value, margin = (None if each is None else f"{float(each) * times:,.2f}{sign}" for each in one)
    return f"{value or '–'} ± {margin}" if margin else value or "–"


def house_rules(book: RuleBook[Any], said: Sequence[str]) -> Any:
    """Read house rules, checked as those of a session are. Raises Malformed, which names the switch."""
    switches: dict[str, Any] = {}
    for each in said:
        name, equals, value = each.partition("=")
        if not equals:
            raise click.BadParameter(f"{each!r} is not NAME=VALUE", param_hint="--rule")
        group, _, last = name.rpartition(".")
        within = switches.setdefault(group, {}) if group else switches
        if not isinstance(within, dict):
            raise click.BadParameter(f"{group!r} has a value already, so it is no group", param_hint="--rule")
        within[last] = int(value) if value.removeprefix("-").isdecimal() else value
    return changed(book.rules(), load_rules(switches, book))
