"""House rules tried out, without a database: many rounds, and what they come to."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import click

from ledger.codec.writer import encoded
from ledger.language import LANGUAGES, Language, render
from ledger.play import RuleBook
from ledger.records import fields_of, is_record
from ledger.sentences import Malformed
from ledger.session import changed
from ledger.simulation import GAMES, CannotBePlayed, Plan, Setting, report, simulate
from ledger.simulation.chart import chart
from ledger.simulation.telling import Tried, as_json, lines, so_many_rounds
from schemas.rules import load_rules

FORMATS = ("text", "json", "svg")
BEHIND_AGAINST = ("--rule", "--playing")
"""What is said of the second setting where it stands behind `--against`."""
OF_BOTH = ("--players", "--deck")
"""What both tables have in common: behind `--against` it would seem to be the second's."""


class SideBySide(click.Command):
    """A command that reads some options anew behind `--against`: there they are the second setting's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a call."""
        if "--against" in args:
            place = args.index("--against")
            args = [*args[: place + 1], *map(of_the_second, args[place + 1 :])]
        return super().parse_args(ctx, args)


def of_the_second(word: str) -> str:
    """Give an option another name where it stands behind `--against`. Raises UsageError for one of both tables."""
    name, equals, value = word.partition("=")
    if name in OF_BOTH:
        may = " and ".join(BEHIND_AGAINST)
        raise click.UsageError(
            f"{name} is the same for both tables: it stands before --against, behind which {may} may stand"
        )
    return f"--against-{name.removeprefix('--')}{equals}{value}" if name in BEHIND_AGAINST else word


@click.command("simulate", cls=SideBySide)
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--players", type=int, help="How many play; otherwise as few as can.")
@click.option("--rounds", type=click.IntRange(1, 10**9), default=10_000, show_default=True, help="How many are played.")
@click.option("--rule", "rules", multiple=True, metavar="NAME=VALUE", help="A house rule that is not as usual.")
@click.option("--deck", help="Which deck; otherwise the usual one.")
@click.option("--playing", metavar="WAY", help="How people play, a word of the list above; otherwise the first.")
@click.option("--against", is_flag=True, help="Try a second setting beside the first: --rule and --playing behind it.")
@click.option("--against-rule", "other_rules", multiple=True, hidden=True)
@click.option("--against-playing", "other_playing", hidden=True)
@click.option("--evening", type=click.IntRange(1, 10**6), default=20, show_default=True, help="Rounds in an evening.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed deals the same cards.")
@click.option("--jobs", type=click.IntRange(1, 1024), help="How many processes; otherwise one a processor.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Which format.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="For text and svg.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="A file; otherwise printed.")
def simulate_(  # noqa: PLR0913 - an option each
    game: str,
    *,
    rounds: int,
    evening: int,
    seed: int,
    jobs: int | None,
    form: str,
    language: Language,
    output: Path | None,
    **asked: Any,
) -> None:
    """Play many rounds of GAME by some house rules: how often nobody wins, how large pots get, what dealing brings.

    Ways of playing (WAY): shirinma least, none or worth (what half a card is bought for); shippin often or always (who
    bets); kakkuri longest, varied or cautious (which of equally good plays; who drops out).

    Example: fuda-ledger simulate shirinma --players 13 --rule third_deal=none_held --against
    """
    tables, said = settings(game, **asked)
    plan = Plan(tables, rounds, evening, seed)
    began = monotonic()
    tried = Tried(plan, said, report(played(plan, jobs or os.cpu_count() or 1)))
    seconds = monotonic() - began
    told = {"text": in_lines, "json": in_json, "svg": in_svg}[form](tried, language)
    with click.open_file(str(output or "-"), "w", encoding="utf-8") as stream:
        stream.write(told)
    of_all = rounds * len(tables)
    in_all = render(so_many_rounds(of_all), "en", {})
    click.echo(f"{in_all} in {seconds:.1f} seconds: {of_all / max(seconds, 0.001):,.0f} a second", err=True)


def played(plan: Plan, jobs: int) -> Any:
    """Play, with a progress bar for people. Ends the command if a rule book refuses something."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=plan.rounds, label="Playing", hidden=hidden, file=sys.stderr) as bar:
        try:
            return simulate(plan, jobs, bar.update)
        except CannotBePlayed as refused:
            row = f" ({refused.rule})" if refused.rule else ""
            raise click.ClickException(render(refused.sentence, "en", {}) + row) from None


def in_lines(tried: Tried, language: Language) -> str:
    """Write it for people."""
    return "".join(f"{line}\n" for line in lines(tried, language))


def in_json(tried: Tried, _language: Language) -> str:
    """Write it for programs, with both languages."""
    return encoded(as_json(tried), indented=True).decode() + "\n"


def in_svg(tried: Tried, language: Language) -> str:
    """Draw it."""
    return f"{chart(tried, language)}\n"


# --- what is to be played -------------------------------------------------------------------------------------------


def settings(  # noqa: PLR0913 - an option each
    game: str,
    *,
    players: int | None,
    deck: str | None,
    rules: Sequence[str],
    playing: str | None,
    against: bool,
    other_rules: Sequence[str],
    other_playing: str | None,
) -> tuple[tuple[Setting, ...], tuple[str, ...]]:
    """Read which tables are wanted, and the house rules that each was given. Raises BadParameter."""
    book, ways = GAMES[game].book, GAMES[game].ways
    count = book.seats.start if players is None else players
    if not book.fewest <= count < book.seats.stop:
        needed = f"{game} is played by {book.fewest} to {book.seats.stop - 1}"
        raise click.BadParameter(needed, param_hint="--players")
    one_of(book.decks, deck, "--deck")
    if (other_rules or other_playing) and not against:
        raise click.UsageError("A second setting stands behind --against: --against --rule NAME=VALUE")
    wanted = [(rules, playing), *([(other_rules, other_playing)] if against else [])]
    tables = tuple(
        Setting(
            game=game,
            players=count,
            deck=next(each for each in book.decks if deck in {None, each}),
            rules=house_rules(book, said),
            playing=one_of(ways, way, "--playing") or next(iter(ways)),
        )
        for said, way in wanted
    )
    return tables, tuple(" ".join(said) for said, _ in wanted)


def one_of(known: Sequence[str] | Mapping[str, Any], word: str | None, option: str) -> str | None:
    """Take a word that is known, or none. Raises BadParameter."""
    if word is not None and word not in known:
        raise click.BadParameter(f"{word!r} is none of these: {', '.join(known)}", param_hint=option)
    return word


def house_rules(book: RuleBook[Any], said: Sequence[str]) -> Any:
    """Read house rules, checked as those of a session are. Raises BadParameter, which names the switch."""
    switches: dict[str, Any] = {}
    for each in said:
        name, equals, value = each.partition("=")
        if not equals or name not in names_of(book.rules()):
            known = ", ".join(names_of(book.rules()))
            raise click.BadParameter(f"{each!r} sets no switch of {book.name}: {known}", param_hint="--rule")
        *groups, last = name.split(".")
        within = switches
        for group in groups:
            within = within.setdefault(group, {})
        if last in within:
            raise click.BadParameter(f"{name} is said twice", param_hint="--rule")
        within[last] = int(value) if re.fullmatch(r"-?[0-9]{1,20}", value) else value
    try:
        return changed(book.rules(), load_rules(switches, book))
    except Malformed as error:
        told = (f"{at.strip('/').replace('/', '.')}: {render(needed, 'en', {})}" for at, needed in error.faults)
        raise click.BadParameter("; ".join(told), param_hint="--rule") from None


def names_of(rules: Any, group: str = "") -> tuple[str, ...]:
    """Name all switches, those of a group with the group before a dot."""
    return tuple(name for field in fields_of(type(rules)) for name in names_below(rules, field.attribute, group))


def names_below(rules: Any, name: str, group: str) -> Iterator[str]:
    """Name a switch, or those of a group."""
    value = getattr(rules, name)
    yield from names_of(value, f"{group}{name}.") if is_record(type(value)) else (f"{group}{name}",)
