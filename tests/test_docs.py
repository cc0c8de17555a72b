"""The documents agree with the service: examples run, tables match the code, links have a target.

Every shell example is run against a service of its own, unless `<!-- not run: why -->` stands before it, and its output
is compared with the block of text behind it. Some tables, and the help of the command line, are generated from the
code: `.venv/bin/python -m tests.test_docs` writes them again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import pytest
from gunicorn.http.errors import ParseException
from prometheus_client import Counter, Gauge, Histogram
from werkzeug.exceptions import HTTPException

from ledger.api.http.problems import PROBLEMS, problem_type
from ledger.api.http.problems import refusals as kinds_of_refusals
from ledger.app import create_app
from ledger.cli import main
from ledger.config import DEFAULTS
from ledger.games import GAMES, kakkuri, newest
from ledger.i18n.sentences import docline
from ledger.records import members_of
from ledger.rulebook.cards import Card, Face, Suit, name_by_number, pack_of_48
from ledger.rulebook.refusal import Refused
from ledger.serving import metrics as own_metrics
from ledger.session.events import EVENTS, REASONS
from tests.service import ROOT, Service

README, DOCS = ROOT / "README.md", ROOT / "docs"
DOCUMENTS = [README, ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
BEGINNING = DOCS / "how-to" / "index.md"
"""Every how-to goes on where this one ends."""

INSTALL = "python3 -m venv .venv && .venv/bin/pip install -r "
RUN = f"{INSTALL}requirements.lock && .venv/bin/gunicorn -c python:ledger.serving.gunicorn_config wsgi:app"
TEST = f"{INSTALL}requirements-dev.lock && .venv/bin/pytest -n auto"

of_documents = partial(pytest.mark.parametrize, "document", ids=lambda path: str(path.relative_to(ROOT)))

# --- examples -------------------------------------------------------------------------------------------------------

BLOCK = re.compile(r"(^<!-- not run: [^>]+ -->\n+)?^```(\{\w+\}|\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REST = "…"
"""What an example leaves out."""

MARK = "--- the next example ---"
ANEW = re.compile(r"\b([0-9a-f]{16}(\.[\w-]{43}|\b)|[0-9a-f]{8}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")
"""Tokens, sessions, links and moments, which are never the same twice."""


def test_the_readme_has_the_two_commands_each_in_a_block_of_its_own() -> None:
    commands = [block[1:] for block in BLOCK.findall(README.read_text("utf-8")) if INSTALL in block[2]]
    assert commands == [("sh", f"{RUN}\n"), ("sh", f"{TEST}\n")]


def examples(document: Path) -> list[tuple[str, str]]:
    """The shell examples of a document that are run, each with the answer behind it; first what it builds upon."""
    before = examples(BEGINNING) if document.parent == BEGINNING.parent and document != BEGINNING else []
    blocks = [*BLOCK.findall(document.read_text("utf-8")), ("", "", "")]
    return before + [
        (example, answer if answer_kind == "text" else "")
        for (not_run, kind, example), (_, answer_kind, answer) in pairwise(blocks)
        if kind == "sh" and not not_run
    ]


@pytest.mark.integration
@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("curl"), reason="bash or curl is not installed")
@of_documents([*filter(examples, DOCUMENTS)])
def test_the_examples_go_as_shown(document: Path, tmp_path: Path) -> None:
    """All examples of a document are run in one shell, in a folder with the database and the rounds of a checkout."""
    (tmp_path / "instance").mkdir()
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    command = f'fuda-ledger() {{ {sys.executable} -c "from ledger.cli import main; main()" "$@"; }}\n'
    script = f"\nprintf '\\n%s\\n' '{MARK}'\n".join(example for example, _ in examples(document))
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    with Service(tmp_path / "instance" / "ledger.db", workers=1) as service:
        script = command + script.replace("127.0.0.1:8000", f"127.0.0.1:{service.port}")
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        bash = [str(shutil.which("bash")), "-eu", "-c", script]
        done = subprocess.run(bash, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    pairs = zip((answer for _, answer in examples(document)), done.stdout.split(f"\n{MARK}\n"), strict=True)
    assert [(answer, real) for answer, real in pairs if answer and not is_as_shown(answer, real)] == []


def is_as_shown(shown: str, real: str) -> bool:
    """Whether an example prints what the document shows: JSON, or any other text."""
    if real.lstrip().startswith("{"):
        return matches(as_lists(shown), as_lists(real))
    return matches(shown.strip(), real.strip())


def as_lists(text: str) -> Any:
    """Read JSON, objects as lists of their names, colons and values; what is left out is an empty object."""
    instead = {"{": "[", "}": "]", ":": ', ":", ', REST: "{}"}
    return json.loads(re.sub(r'"(?:[^"\\]|\\.)*"|[{:}…]', lambda token: instead.get(token[0], token[0]), text))


def matches(shown: Any, real: Any) -> bool:
    match shown, real:
        case [{}, *others], list():
            return any(matches(others, real[place:]) for place in range(len(real) + 1))
        case [first, *others], [real_first, *real_others]:
            return matches(first, real_first) and matches(others, real_others)
        case str(), str():
            pattern = ".*".join(map(re.escape, ANEW.sub("(anew)", shown).split(REST)))
            return bool(re.fullmatch(pattern, ANEW.sub("(anew)", real), re.DOTALL))
    return type(shown) is type(real) and bool(shown == real)


def test_an_example_that_is_answered_otherwise_is_found() -> None:
    real = '{"id": "0123456789abcdef", "pot": 386, "bids": [1, {"x": "y"}, 4], "note": null}'
    right = [real, '{"id": "fedcba9876543210", …}', '{…, "pot": 386, …}', '{…, "bids": [1, …], …}']
    right += ['{"id": "…", "pot": 386, "bids": […, {"x": "…"}, …], "note": null}', '{…, "bids": […, 4], "note": null}']
    wrong = ['{"pot": 386}', '{…, "pot": 385, …}', '{…, "bids": [1, {…}], …}', '{…, "bids": [{…}, …], …}']
    wrong += ['{…, "pot": 386, "id": "…", …}', '{…, "note": 0, …}', '{…, "x": "y", …}', '{…, "other": 1}']
    assert [shown for shown in [*right, *wrong] if is_as_shown(shown, real)] == right


# --- tables made from the code --------------------------------------------------------------------------------------

MADE = re.compile(r"(<!-- made (\w+) -->\n(?:\|[^\n]*\n\| ---[^\n]*\n)?).*?(?=<!-- end -->)", re.DOTALL)
"""What is made of the code: the rows of a table below its heading, or the help of the command line."""

Rows = Iterable[tuple[object, ...]]


@cache
def answer(address: str) -> Any:
    """What a service with usual settings answers."""
    with TemporaryDirectory() as folder:
        app = create_app({"LEDGER_DATABASE": f"{folder}/ledger.db", "LEDGER_RATE_LIMIT": "600/minute"})
        return app.test_client().get(address).get_json()


def calls() -> Rows:
    for path, operations in answer("/openapi.json")["paths"].items():
        address = path.replace("{session_id}", "{id}").replace("{link_id}", "{link}")
        for method, operation in operations.items():
            if method != "parameters":
                yield f"`{method.upper()} {address}`", operation["summary"]


def events() -> Rows:
    """Every event, those of any game first, with the fields that not every event has."""
    books = {book.title.text: (*book.between, *book.events) for book in map(newest, GAMES)}
    for title, kinds in {"any game": EVENTS, **books}.items():
        yield f"**{title}**", "", ""
        for kind in kinds:
            own = [member for member in members_of(kind) if member.name not in ("note", "overrule")]
            names = [f"`{member.name}`{'' if member.required else '?'}" for member in own]
            yield f"`{kind.type}`", ", ".join(names), docline(kind)


def problems() -> Rows:
    for kind, problem in PROBLEMS.items():
        if kind not in (Refused, HTTPException, ParseException):
            yield f"`{problem_type(kind).code}`", problem.status, str(problem.detail or with_facts(kind))


def refusals() -> Rows:
    """Every refusal, those of any game first."""
    games = {f"ledger.games.{game}": place for place, game in enumerate(GAMES, 1)}
    kinds = [kind for kind in kinds_of_refusals() if kind.__module__.startswith("ledger.")]
    for kind in sorted(kinds, key=lambda kind: (games.get(kind.__module__, 0), kind.__module__)):
        gives_way = "gives way" if kind.overrulable else ""
        yield f"`{problem_type(kind).code}`", kind.rule or "–", with_facts(kind), gives_way


def with_facts(kind: type) -> str:
    """The sentence of something that can go wrong, with its facts by name."""
    return re.sub(r"\{(\w+)(:\w+)?\}", r"*\1*", docline(kind))


def limits() -> Rows:
    for limit in answer("/v1/limits")["limits"]:
        seconds = f" in {limit['seconds']:,} seconds" if "seconds" in limit else ""
        beyond = f"{limit.get('status', '–')}" + (f" `{limit['code']}`" if "code" in limit else "")
        setting = f"`{limit['setting']}`" if "setting" in limit else "–"
        yield f"`{limit['name']}`", f"{limit['at_most']:,} {limit['unit']}{seconds}", limit["per"], beyond, setting


def switches(game: str) -> Rows:
    """The house rules of a game as a form shows them, what is in a group by the group's name too."""
    for rule in answer(f"/v1/games/{game}")["rules"]:
        inner = [each | {"name": f"{rule['name']}.{each['name']}"} for each in rule.get("fields", ())]
        for switch in (rule, *inner):
            values, label = switch.get("value_labels", {}).items(), switch["label"]
            choices = "<br>".join(f"`{value}` {each['en']} · {each['ja']}" for value, each in values)
            about = switch["help"]["en"] if "help" in switch else ""
            yield f"`{switch['name']}`", label["en"], label["ja"], about, choices


def cards_of_kakkuri() -> Rows:
    """What is what in each deck at Kakkuri. A number stands in a card's code, or the flower of a month."""
    special = (kakkuri.THREE_ONES, kakkuri.WILDS, (kakkuri.EIGHTH_HAND,))
    columns = [["suits", "1 to 12", "the three 1s (KA-5)", "wild (KA-11)", "makes one of eight drop out (KA-3)"]]
    for deck in newest("kakkuri").decks:
        cards = {face: card for card, face in pack_of_48(deck).faces.items()}
        suits = [cards[Face(suit, 4)].english.partition(" of ")[2] for suit in Suit]
        clubs = [cards[Face(Suit.CLUBS, number)].code for number in range(1, 13)]
        numbers = [re.sub(r"^clubs-|C$|(?<=[a-z])-.*", "", code).title() for code in clubs]
        names = ["<br>".join(as_called(cards[face], face.rank) for face in faces) for faces in special]
        columns.append([", ".join(filter(None, suits)) or "none", ", ".join(numbers), *names])
    return zip(*columns, strict=True)


def as_called(card: Card, number: int) -> str:
    """A card as it is called at Kakkuri, in both languages: by its number, but for hanafuda."""
    names = {"en": card.english, "ja": card.japanese}
    return " ".join(name_by_number(card, number, language) or name for language, name in names.items())


def metrics() -> Rows:
    for metric in vars(own_metrics).values():
        if isinstance(metric, Counter | Gauge | Histogram):
            (family,) = metric.describe()
            name = f"{family.name}_total" if isinstance(metric, Counter) else family.name
            yield f"`{name}`", ", ".join(f"`{label}`" for label in metric._labelnames), family.documentation


TABLES: dict[str, Callable[[], Rows]] = {f"switches_of_{game}": partial(switches, game) for game in GAMES}
TABLES |= {rows.__name__: rows for rows in (calls, events, problems, refusals, limits, cards_of_kakkuri, metrics)}


def commands() -> str:
    """The help of the whole command line, a chapter a command."""
    text = ""
    for name, command in [("", main), *sorted(main.commands.items())]:
        whole = f"fuda-ledger {name}".strip()
        context = click.Context(command, info_name=whole, terminal_width=100, **main.context_settings)
        text += (f"\n### {name}\n\n" if name else "") + f"```text\n{command.get_help(context)}\n```\n"
    return text


def made(found: re.Match[str]) -> str:
    if found[2] == "commands":
        return found[1] + commands()
    lines = ("".join(f"| {cell} " if cell != "" else "| " for cell in row) + "|\n" for row in TABLES[found[2]]())
    return found[1] + "".join(lines)


@of_documents(DOCUMENTS)
def test_what_is_made_from_the_code_is_up_to_date(document: Path) -> None:
    text = document.read_text("utf-8")
    assert text == MADE.sub(made, text), f"run `.venv/bin/python -m {__name__}`"


def test_every_table_that_can_be_made_is_shown() -> None:
    shown = [name for document in DOCUMENTS for _, name in MADE.findall(document.read_text("utf-8"))]
    assert sorted(shown) == sorted([*TABLES, "commands"])


# --- tables written by hand, and links ------------------------------------------------------------------------------


def test_the_settings_are_those_that_there_are() -> None:
    shown = re.findall(r"^\| `(LEDGER_\w+)` \| (.*?) \|", (DOCS / "operating.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(shown) == sorted((name, f"`{default}`" if default else "none") for name, default in DEFAULTS.items())


def test_every_reason_of_an_entry_is_explained() -> None:
    shown = re.findall(r"^\| `([a-z_]+)` \|", (DOCS / "ledger.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(shown) == sorted({*REASONS, *(reason for game in GAMES for reason in newest(game).reasons)})


@of_documents(DOCUMENTS)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", document.read_text("utf-8")):
        path, _, heading = target.partition("#")
        there = (document.parent / path).resolve() if path else document
        assert there.exists(), target
        headings = re.findall(r"^#+ (.*)$", there.read_text("utf-8"), re.MULTILINE) if heading else []
        addresses = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
        assert not heading or heading in addresses, target


if __name__ == "__main__":
    for each in DOCUMENTS:
        each.write_text(MADE.sub(made, each.read_text("utf-8")), "utf-8")
