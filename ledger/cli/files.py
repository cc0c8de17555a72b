"""Sessions in files: they need no database."""

from __future__ import annotations

from pathlib import Path

import click

from ledger.cli.terminal import as_json, file_to_read, give, main
from ledger.codec.encoding import plain
from ledger.codec.export_file import File
from ledger.codec.json_text import read_json
from ledger.games import GAMES, newest
from ledger.i18n.language import LANGUAGES, Language, display_names, render
from ledger.i18n.sentences import say
from ledger.notation import parse
from ledger.responses.rounds import round_answer, step_answer
from ledger.rulebook.event import Event
from ledger.services.importing import read_file
from ledger.services.session_cache import fold_on, opened
from ledger.session.history import SessionState
from ledger.session.table import Opening
from schemas.imports import load_score
from schemas.loading import loaded


def read_export(file: Path) -> File | tuple[Opening, tuple[Event, ...]]:
    """Read an export.json, or the round notation of a file by any other name."""
    if file.suffix == ".json":
        return loaded(File, read_json(file.read_bytes()))
    opening, events, _ = parse(file.read_text("utf-8"))
    return load_score(opening, events)


def fold_file(file: Path) -> SessionState:
    match read_export(file):
        case File() as exported:
            copy = read_file(exported)
            return fold_on(opened(copy.session), copy.events).session.state
        case opening, events:
            version = newest(opening.game).version
            return SessionState.opened(GAMES[opening.game], opening).after((event, version) for event in events)


@main.command()
@file_to_read
@as_json
def replay(file: Path, *, as_json: bool) -> None:
    """Go through FILE (round notation, or export.json) step by step.

    Example: fuda-ledger replay evening.txt
    """
    steps = list(map(step_answer, fold_file(file).steps()))
    lines = (f"{step.seq:>5}  {on_a_line(step.event):<60} pot {step.pot:>6}  {step.phase or ''}" for step in steps)
    give({"steps": steps}, lines, json=as_json)


def on_a_line(event: Event) -> str:
    return f"{event.type} " + " ".join(f"{name}={value}" for name, value in plain(event).items() if name != "type")


@main.command()
@file_to_read
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="In which language it is explained.")
@as_json
def calculate(file: Path, language: Language, *, as_json: bool) -> None:
    """Work out what FILE (round notation, or export.json) comes to.

    Example: fuda-ledger calculate tests/rounds/shirinma-seed-example.txt
    """
    state = fold_file(file)
    names = display_names({player.id: player.name for player in state.table.players})
    rounds = [round_answer(round_, names) for round_ in state.rounds()]
    balances = {player: state.balances.get(player, 0) for player in names}
    lines = []
    for each in rounds:
        if each.outcome:
            heading = render(say("Round {number}", number=each.number), language, {})
            lines += [heading, *(f"  {sentence}" for sentence in each.outcome.explanation[language]), ""]
    lines += [f"{balance:>+8}  {names[player]}" for player, balance in balances.items()]
    give({"rounds": rounds, "balances": balances, "pot": state.table.pot}, lines, json=as_json)
