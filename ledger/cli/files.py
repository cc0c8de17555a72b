"""Evenings in files: they need no database."""

from __future__ import annotations

from pathlib import Path

import click

from ledger.cli.terminal import as_json, file_to_read, give
from ledger.codec.encoding import plain
from ledger.codec.files import File
from ledger.codec.json_text import read_json
from ledger.games import GAMES, newest
from ledger.history import SessionState
from ledger.importing import folded, read_file
from ledger.language import LANGUAGES, Language, display_names, render
from ledger.notation import parse
from ledger.play.events import Event
from ledger.responses.rounds import round_answer, step_answer
from ledger.sentences import say
from schemas.imports import load_score
from schemas.records import loaded


def evening_in(file: Path) -> SessionState:
    """Live through the evening that a file tells: round notation, or an export.json."""
    if file.suffix == ".json":
        return folded(read_file(loaded(File, read_json(file.read_bytes()))))
    score = parse(file.read_text("utf-8"))
    opening, events = load_score(score.opening, score.events)
    version = newest(opening.game).version
    return SessionState.opened(GAMES[opening.game], opening).after((event, version) for event in events)


@click.command()
@file_to_read
@as_json
def replay(file: Path, *, as_json: bool) -> None:
    """Go through FILE (round notation, or export.json) step by step.

    Example: fuda-ledger replay evening.txt
    """
    state = evening_in(file)
    steps = list(map(step_answer, state.steps()))
    lines = (f"{step.seq:>5}  {said(step.event):<60} pot {step.pot:>6}  {step.phase or ''}" for step in steps)
    give({"steps": steps}, lines, json=as_json)


@click.command()
@file_to_read
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="In which language it is explained.")
@as_json
def calculate(file: Path, language: Language, *, as_json: bool) -> None:
    """Work out what FILE (round notation, or export.json) comes to.

    Example: fuda-ledger calculate tests/rounds/shirinma-seed-example.txt
    """
    state = evening_in(file)
    names = display_names({player.id: player.name for player in state.table.players})
    rounds = [round_answer(done, names) for done in state.rounds()]
    balances = {player: state.balances.get(player, 0) for player in names}
    lines = [
        line
        for done in rounds
        if done.outcome
        for line in (
            render(say("Round {number}", number=done.number), language, {}),
            *(f"  {sentence}" for sentence in done.outcome.explanation[language]),
            "",
        )
    ]
    lines += [f"{balance:>+8}  {names[player]}" for player, balance in balances.items()]
    give({"rounds": rounds, "balances": balances, "pot": state.table.pot}, lines, json=as_json)


def said(event: Event) -> str:
    """Give an event on one line."""
    fields = " ".join(f"{name}={value}" for name, value in plain(event).items() if name != "type")
    return f"{event.type} {fields}"
