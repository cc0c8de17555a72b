"""The documents agree with the service: examples run, tables match the code, links have a target.

Every shell example is run against a service of its own, unless `<!-- not run: why -->` stands before it, and its output
is compared with the block of text behind it. Some tables, and the help of the command line, are generated from the
code: `.venv/bin/python -m tests.test_docs` writes them again.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from flask import Flask
from prometheus_client import Counter, Gauge, Histogram

from ledger.api import BLUEPRINTS
from ledger.api.documents import describe
from ledger.api.errors import CODES, PROBLEMS
from ledger.api.limits import limits_of
from ledger.cards import Card, Face, Suit, name_by_number, pack_of_48
from ledger.cli import main
from ledger.config import Config
from ledger.games import GAMES, kakkuri, newest
from ledger.play.events import Event
from ledger.play.refusals import Refused, RefusedAt
from ledger.records import members_of
from ledger.responses.games import Field, game_answer
from ledger.sentences import docline, snake_case
from ledger.serving import metrics as own_metrics
from ledger.session.events import EVENTS, REASONS
from tests.service import ROOT, Service

README, CHANGELOG, DOCS = ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "docs"
BEGINNING = DOCS / "how-to" / "index.md"
"""Every how-to goes on where this one ends."""

DOCUMENTS = [README, CHANGELOG, *sorted(DOCS.rglob("*.md"))]

INSTALL = "python3 -m venv .venv && .venv/bin/pip install -r "
RUN = f"{INSTALL}requirements.lock && .venv/bin/gunicorn -c python:ledger.serving.gunicorn_config wsgi:app"
TEST = f"{INSTALL}requirements-dev.lock && .venv/bin/pytest -n auto"

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))

# --- reading documents ----------------------------------------------------------------------------------------------

FENCED = re.compile(r"(?:^<!-- not run: ([^>]+) -->\n+)?^```(\{\w+\}|\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: what it is said to hold, what it holds, and why it is not run if it is not."""

    kind: str
    text: str
    not_run: str = ""


def blocks(document: Path) -> list[Block]:
    return [Block(kind, text, why) for why, kind, text in FENCED.findall(document.read_text("utf-8"))]


def rows(document: Path, first_cell: str) -> dict[str, list[str]]:
    """The other cells of each table row whose first cell matches, by what the match caught."""
    found: dict[str, list[str]] = {}
    for line in document.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and (match := re.fullmatch(first_cell, cells[0])):
            assert match[1] not in found, f"{document.name} has {match[1]} twice"
            found[match[1]] = cells[1:]
    return found


# --- the two commands -----------------------------------------------------------------------------------------------


def test_the_readme_has_the_two_commands_each_in_a_block_of_its_own() -> None:
    commands = [(block.kind, block.text) for block in blocks(README) if INSTALL in block.text]
    assert commands == [("sh", f"{RUN}\n"), ("sh", f"{TEST}\n")]


# --- examples are run -----------------------------------------------------------------------------------------------

REST = "…"
"""What an example leaves out."""

MARK = "--- the next example ---"
ANEW_EACH_TIME = {
    r"\b[0-9a-f]{16}\.[\w-]{43}": "(token)",
    r"\b[0-9a-f]{16}\b": "(session)",
    r"\b[0-9a-f]{8}\b": "(link)",
    r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ": "(time)",
}
"""What is never the same twice, and what is compared in its place."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service on a fresh database, where one that was started in the test's folder has it by default."""
    (tmp_path / "instance").mkdir()
    with Service(tmp_path / "instance" / "ledger.db", workers=1) as running:
        yield running


def printed(examples: Sequence[str], service: Service, folder: Path) -> list[str]:
    """What each of some shell examples prints, run one after the other in one shell, against a running service."""
    script = f"\nprintf '\\n%s\\n' '{MARK}'\n".join(examples)
    for written, here in {
        "127.0.0.1:8000": f"127.0.0.1:{service.port}",
        ".venv/bin/": f"{Path(sys.executable).parent}/",
    }.items():
        script = script.replace(written, here)
    done = subprocess.run(
        [str(shutil.which("bash")), "-eu", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{commands_in(folder)}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout.split(f"\n{MARK}\n")


def commands_in(folder: Path) -> Path:
    """Make a folder with the commands that a checkout has once it is installed, and with its rounds."""
    (folder / "tests").symlink_to(ROOT / "tests")
    (folder / "bin").mkdir()
    command = folder / "bin" / "fuda-ledger"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from ledger.cli import main; main()" "$@"\n', "utf-8")
    command.chmod(0o755)
    return command.parent


def examples(document: Path) -> list[tuple[str, str]]:
    """The shell examples of a document that are run, each with the answer behind it; first what it builds upon."""
    before = examples(BEGINNING) if document.parent == BEGINNING.parent and document != BEGINNING else []
    shown = [*blocks(document), Block("", "")]
    return before + [
        (example.text, answer.text if answer.kind == "text" else "")
        for example, answer in pairwise(shown)
        if example.kind == "sh" and not example.not_run
    ]


@pytest.mark.integration
@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("curl"), reason="bash or curl is not installed")
@pytest.mark.parametrize("document", [*filter(examples, DOCUMENTS)], ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_go_as_shown(document: Path, service: Service, tmp_path: Path) -> None:
    shown = examples(document)
    real = printed([example for example, _ in shown], service, tmp_path)
    wrong = {
        example: list(differences(answer, told)) for (example, answer), told in zip(shown, real, strict=True) if answer
    }
    assert not {example: found for example, found in wrong.items() if found}


def differences(shown: str, real: str) -> Iterator[str]:
    """Say where what an example really prints is not what the document shows."""
    if real.lstrip().startswith("{"):
        yield from json_differences(json_with_gaps(shown), json.loads(real))
    elif not re.fullmatch(with_gaps(shown.strip()), stable(real).strip(), re.DOTALL):
        yield f"{real!r}, not {shown!r}"


def with_gaps(shown: str) -> str:
    """A pattern for a text in which `…` stands for what is left out."""
    return ".*".join(map(re.escape, stable(shown).split(REST)))


def stable(text: str) -> str:
    for unstable, instead in ANEW_EACH_TIME.items():
        text = re.sub(unstable, instead, text)
    return text


def json_with_gaps(shown: str) -> Any:
    """Read JSON in which `…` stands for members or elements left out."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|…|[\[{\]}]|[^"…\[{\]}]+', shown)
    inside: list[str] = []
    for place, token in enumerate(tokens):
        if token in ("[", "{"):
            inside.append(token)
        elif token in ("]", "}"):
            inside.pop()
        elif token == REST:
            tokens[place] = f'"{REST}": 0' if inside[-1] == "{" else f'"{REST}"'
    return json.loads("".join(tokens))


def json_differences(shown: Any, real: Any, where: str = "") -> Iterator[str]:
    """Say where a real answer is not as shown. Members stand in the order shown."""
    if isinstance(shown, dict) and isinstance(real, dict):
        named = [name for name in shown if name != REST]
        there = [name for name in real if REST not in shown or name in shown]
        if named != there:
            yield f"{where or '/'} has {there}, not {named}"
        for name in set(named) & set(there):
            yield from json_differences(shown[name], real[name], f"{where}/{name}")
    elif isinstance(shown, list) and isinstance(real, list):
        if not has_elements(shown, real):
            yield f"{where} is {real}, not {shown}"
    elif isinstance(shown, str) and isinstance(real, str):
        if not re.fullmatch(with_gaps(shown), stable(real), re.DOTALL):
            yield f"{where} is {real!r}, not {shown!r}"
    elif shown != real or type(shown) is not type(real):
        yield f"{where} is {real!r}, not {shown!r}"


def has_elements(shown: list[Any], real: list[Any]) -> bool:
    """Whether a list has the elements shown, where `…` may be any number of others."""
    if not shown:
        return not real
    if shown[0] == REST:
        return any(has_elements(shown[1:], real[place:]) for place in range(len(real) + 1))
    return bool(real) and not list(json_differences(shown[0], real[0])) and has_elements(shown[1:], real[1:])


def test_an_example_that_tells_something_else_is_found() -> None:
    real = '{"id": "0123456789abcdef", "pot": 386, "bids": [1, 2, 4], "note": null}'
    for shown in (
        real,
        '{"id": "fedcba9876543210", …}',
        '{…, "pot": 386, …}',
        '{…, "bids": [1, …], …}',
        '{"id": "…", "pot": 386, "bids": […, 2, …], "note": null}',
    ):
        assert not list(differences(shown, real)), shown
    for shown in (
        '{"pot": 386}',
        '{…, "pot": 385, …}',
        '{…, "bids": [1, 2], …}',
        '{…, "bids": [2, …], …}',
        '{…, "pot": 386, "id": "…", …}',
        '{…, "note": 0, …}',
        '{…, "other": 1}',
    ):
        assert list(differences(shown, real)), shown


# --- tables made from the code --------------------------------------------------------------------------------------

TABLE = re.compile(r"(?<=<!-- made )(\w+)( -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)

Cells = tuple[object, ...]


def calls() -> Iterator[Cells]:
    """Every call, and what it does."""
    yield "call", "does"
    app = Flask("ledger", static_folder=None)
    describe(app)
    for rule in app.url_map.iter_rules():
        if rule.endpoint.partition(".")[0] in {blueprint.name for blueprint in BLUEPRINTS}:
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            address = re.sub(r"<(?:any\((.*?)\):|\w+:)?(\w+)>", lambda part: f"{{{part[1] or part[2]}}}", rule.rule)
            address = address.replace("{session_id}", "{id}").replace("{link_id}", "{link}")
            yield f"`{method} {address}`", docline(app.view_functions[rule.endpoint])


def events() -> Iterator[Cells]:
    """Every event, its fields, and what it says: those of any game first."""
    yield "event", "fields", "says"
    for title, kinds in {
        "any game": EVENTS,
        **{book.title.text: (*book.between, *book.events) for book in map(newest, GAMES)},
    }.items():
        yield f"**{title}**", "", ""
        for kind in kinds:
            yield f"`{kind.type}`", ", ".join(fields_of(kind)), docline(kind)


def fields_of(kind: type[Event]) -> Iterator[str]:
    common = {member.name for member in members_of(Event)}
    for member in members_of(kind):
        if member.name not in common:
            yield f"`{member.name}`{'' if member.required else '?'}"


def problems() -> Iterator[Cells]:
    """Everything that can go wrong but for refusals."""
    yield "code", "status", "says"
    for kind, problem in PROBLEMS.items():
        if kind is not Refused:
            yield f"`{CODES.get(kind, snake_case(kind.__name__))}`", problem.status, with_facts(kind)


def limits() -> Iterator[Cells]:
    """Everything that has a limit, as it is unless the operator sets something else."""
    yield "limit", "at most", "per", "beyond it", "setting"
    for limit in limits_of(Config.read({"LEDGER_RATE_LIMIT": "600/minute"})):
        seconds = f" in {limit.seconds:,} seconds" if limit.seconds else ""
        beyond = f"{limit.status}{f' `{limit.code}`' if limit.code else ''}" if limit.status else "–"
        setting = f"`{limit.setting}`" if limit.setting else "–"
        yield f"`{limit.name}`", f"{limit.at_most:,} {limit.unit}{seconds}", limit.per, beyond, setting


def refusals() -> Iterator[Cells]:
    """Every refusal, those of any game first."""
    yield "code", "rule", "says", "overrule"
    told_elsewhere = PROBLEMS.keys() - {Refused}
    for refusal in sorted(set(kinds_of(Refused)) - told_elsewhere, key=place_in_the_code):
        gives_way = "gives way" if refusal.overrulable else ""
        yield f"`{snake_case(refusal.__name__)}`", refusal.rule or "–", with_facts(refusal), gives_way


def with_facts(kind: type) -> str:
    """The sentence of something that can go wrong, with its facts by name."""
    return re.sub(r"\{(\w+)(:\w+)?\}", r"*\1*", docline(kind))


def kinds_of(refusal: type[Refused]) -> Iterator[type[Refused]]:
    for kind in set(refusal.__subclasses__()) - {RefusedAt}:
        if kind.__module__.startswith("ledger."):
            yield kind
        yield from kinds_of(kind)


def place_in_the_code(kind: type[Refused]) -> tuple[int, str, int]:
    game = kind.__module__.removeprefix("ledger.games.")
    return list(GAMES).index(game) + 1 if game in GAMES else 0, kind.__module__, inspect.getsourcelines(kind)[1]


def switches(game: str) -> Iterator[Cells]:
    """The house rules of a game as a form shows them: how each is called, what it is for, what it may be set to."""
    yield "switch", "on a form", "in Japanese", "what it settles", "values"
    yield from switch_rows(game_answer(newest(game)).rules)


def switch_rows(told: Sequence[Field], group: str = "") -> Iterator[Cells]:
    for switch in told:
        name, values = f"{group}{switch.name}", switch.value_labels
        labels = values.items() if isinstance(values, Mapping) else ()
        choices = "<br>".join(f"`{value}` {label['en']} · {label['ja']}" for value, label in labels)
        help_text = switch.help if isinstance(switch.help, Mapping) else {"en": ""}
        yield f"`{name}`", switch.label["en"], switch.label["ja"], help_text["en"], choices
        if isinstance(inner := switch.fields, tuple):
            yield from switch_rows(inner, f"{name}.")


def cards_of_kakkuri() -> Iterator[Cells]:
    """What is what in each deck at Kakkuri."""
    decks = newest("kakkuri").decks
    by_face = {deck: {face: card for card, face in pack_of_48(deck).faces.items()} for deck in decks}
    yield "", *decks
    yield "suits", *(", ".join(suits_of(cards)) or "none" for cards in by_face.values())
    yield "1 to 12", *(", ".join(numbers_of(cards)) for cards in by_face.values())
    for called, wanted in {
        "the three 1s (KA-5)": kakkuri.THREE_ONES,
        "wild (KA-11)": kakkuri.WILDS,
        "makes one of eight drop out (KA-3)": (kakkuri.EIGHTH_HAND,),
    }.items():
        told = ([cards[face] for face in wanted] for cards in by_face.values())
        yield called, *("<br>".join(map(numbered, cards)) for cards in told)


def numbered(card: Card) -> str:
    """A card as it is called at Kakkuri, in both languages; hanafuda as the cards are called."""
    number = card.faces[0][1].rank
    named = (
        name_by_number(card, number, language) or own for language, own in (("en", card.english), ("ja", card.japanese))
    )
    return " ".join(named)


def suits_of(cards: Mapping[Face, Card]) -> list[str]:
    """What the suits are called, if the cards are called by them."""
    called = [cards[Face(suit, 4)].english.partition(" of ")[2] for suit in Suit]
    return [name for name in called if name]


def numbers_of(cards: Mapping[Face, Card]) -> list[str]:
    """What the numbers are called: by rank, or by the flower of the month."""
    ranked = [cards[Face(Suit.CLUBS, number)] for number in range(1, 13)]
    return [
        card.code[:-1] if card.deck == "western" else card.code.partition("-")[2 if card.suit else 0].title()
        for card in ranked
    ]


def metrics() -> Iterator[Cells]:
    """What `/metrics` tells of the service itself."""
    yield "name", "labels", "what it tells"
    for metric in vars(own_metrics).values():
        if isinstance(metric, Counter | Gauge | Histogram):
            (family,) = metric.describe()
            kind = "_total" if isinstance(metric, Counter) else ""
            labels = ", ".join(f"`{label}`" for label in metric._labelnames)
            yield f"`{family.name}{kind}`", labels, family.documentation


TABLES: Mapping[str, Callable[[], Iterator[Cells]]] = {
    **{made.__name__: made for made in (calls, events, limits, problems, refusals, cards_of_kakkuri, metrics)},
    **{f"switches_of_{game}": partial(switches, game) for game in GAMES},
}


def commands() -> str:
    """The help of the whole command line, a chapter a command."""
    chapters = [helped(main, "fuda-ledger")]
    for name, command in sorted(main.commands.items()):
        chapters += [f"\n### {name}\n\n", helped(command, f"fuda-ledger {name}")]
    return "".join(chapters)


def helped(command: click.Command, name: str) -> str:
    context = click.Context(command, info_name=name, terminal_width=HELP_WIDTH, **main.context_settings)
    return f"```text\n{command.get_help(context)}\n```\n"


HELP_WIDTH = 100


def written(name: str) -> str:
    """A part of a document in Markdown: the command line, or a table."""
    if name == commands.__name__:
        return commands()
    header, *others = TABLES[name]()
    lines = (header, ["---"] * len(header), *others)
    return "".join("".join(f"| {cell} " if cell != "" else "| " for cell in line) + "|\n" for line in lines)


def with_tables(text: str) -> str:
    """A document with its tables made anew."""
    return TABLE.sub(lambda found: found[1] + found[2] + written(found[1]), text)


@every_document
def test_tables_that_are_made_from_the_code_are_up_to_date(document: Path) -> None:
    text = document.read_text("utf-8")
    assert text == with_tables(text), f"run `.venv/bin/python -m {__name__}`"


def test_every_table_that_can_be_made_is_shown() -> None:
    shown = [found[0] for document in DOCUMENTS for found in TABLE.findall(document.read_text("utf-8"))]
    assert sorted(shown) == sorted([*TABLES, commands.__name__])


# --- tables written by hand -----------------------------------------------------------------------------------------


def test_the_settings_are_those_that_there_are() -> None:
    told = {name: cells[0] for name, cells in rows(DOCS / "operating.md", "`(LEDGER_.*)`").items()}
    there = {field.name: field.metadata["default"] for field in fields(Config)}
    assert told == {f"LEDGER_{name.upper()}": f"`{default}`" if default else "none" for name, default in there.items()}


def test_every_reason_of_an_entry_is_explained() -> None:
    assert sorted(rows(DOCS / "ledger.md", "`([a-z_]+)`")) == sorted(
        {*REASONS, *(reason for game in GAMES for reason in newest(game).reasons)}
    )


# --- links ----------------------------------------------------------------------------------------------------------


@every_document
def test_links_lead_somewhere(document: Path) -> None:
    dead = []
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", document.read_text("utf-8")):
        path, _, heading = target.partition("#")
        there = (document.parent / path).resolve() if path else document
        if not there.exists() or (heading and heading not in headings(there)):
            dead.append(target)
    assert not dead


def headings(document: Path) -> set[str]:
    """The addresses of a document's headings."""
    found = re.findall(r"^#+ (.*)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


if __name__ == "__main__":
    for each in DOCUMENTS:
        each.write_text(with_tables(each.read_text("utf-8")), "utf-8")
