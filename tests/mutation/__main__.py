"""Mutation testing: changes the code in one small place after another, and counts what no test notices.

    python -m tests.mutation games shirinma   # a room, and of it the functions whose name has this word in it

The machine: mutmut makes the mutants, many versions of each function side by side in a copy of the tree, one of
which is switched on by name. The tests of the room are collected once; one run of them notes which test calls which
function. Then each mutant has a fork of that process to itself, in which only the tests that call its function run,
until the first that fails. What survives is printed with its difference, and counted as explained if it stands in
`explained.toml`.

mutmut alone collects the tests again for every mutant, which takes most of the time, and leaves out what stands under
a decorator: a property is rewritten here as a method that becomes one in the next line.

Not mutated: the words of sentences (`say`, `log.error`); small and capital letters where SQL takes both; what only a
programmer's mistake ever runs into, `raise SomeError(…)` and `zip(strict=True)`; and what stands outside functions.
What a module makes of its functions is made anew for each mutant if the room says where it is `kept`. What is made
while a module is imported is not: such a survivor is to be tried by hand.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import functools
import gc
import json
import os
import pkgutil
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import libcst as cst
import pytest
from mutmut.mutation import trampoline
from mutmut.mutation.file_mutation import MutationVisitor, combine_mutations_to_source
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import get_ignored_lines

TREE = Path(__file__).parents[2]
EXPLAINED = Path(__file__).with_name("explained.toml")


@dataclass(frozen=True)
class Room:
    """What is mutated, and the tests that have to notice: the room's own and the quick ones of its neighbours.

    `kept` names mappings in which the room keeps what it once made of its functions; each mutant finds them empty.
    """

    code: Sequence[str]
    tests: Sequence[str]
    kept: Sequence[str] = ()


HISTORY = ("tests/session", "tests/test_history.py", "tests/test_rounds.py", "tests/test_sessions.py")
STARTS_SOMETHING = ("service", "gunicorn", "several_processes")
"""In the names of tests that start other processes, which know of no mutant, or read the code itself."""
ROOMS = {
    "games": Room(["ledger/games/*.py", "ledger/games/odds/*.py"], ["tests/games", "tests/reckoning"]),
    "books": Room(
        ["ledger/accounting/books.py", "ledger/accounting/settlement.py"],
        ["tests/test_books.py", "tests/test_settlement.py"],
    ),
    "session": Room(["ledger/session/*.py"], [*HISTORY, "tests/test_statistics.py"]),
    "history": Room(["ledger/session/history/*.py"], [*HISTORY, "tests/api/test_continuing.py"]),
    "codec": Room(
        ["ledger/codec/*.py"],
        ["tests/codec", "tests/api/test_import.py", "tests/api/test_bad_input.py"],
        ["ledger.codec.encoding._EVENTS"],
    ),
    "storage": Room(
        ["ledger/storage/[!p]*.py"],
        [*("tests/storage", "tests/test_unusable.py"), *("-k", f"not ({' or '.join(STARTS_SOMETHING)})")],
    ),
}
SQL = re.compile(
    r"""["'] ?(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b[^']*$"""
)
"""Statements, in which small and capital letters are the same: those without a text in them."""

CPU_SECONDS = 3
"""What a mutant may compute beyond five times of what its tests take without it."""
MAX_MEMORY = 3 << 30
"""Bytes: a mutant may ask for all there is."""


class Switch:
    """Which mutant is on (none, at first), and which functions were called."""

    module, mutant = "", ""
    called: ClassVar[set[str]] = set()

    @classmethod
    def between(cls, mutants: Mapping[str, Any], is_classmethod: bool = False) -> Callable[..., Any]:  # noqa: FBT001, FBT002
        """Stand before a function with mutants. mutmut's own looks into the environment at every call."""

        def before(function: Callable[..., Any]) -> Callable[..., Any]:
            name = f"{function.__module__}.{function.__qualname__}"

            @functools.wraps(function)
            def chosen(*args: Any, **kwargs: Any) -> Any:
                cls.called.add(name)
                mutant = mutants.get(cls.mutant) if cls.module == function.__module__ else None
                if mutant is None:
                    return function(*args, **kwargs)
                if is_classmethod:
                    return getattr(args[0], cls.mutant)(*args[1:], **kwargs)
                return mutant(*args, **kwargs)

            return chosen

        return before


class Undecorated(cst.CSTTransformer):
    """`@property def f` becomes `def f` and `f = property(f)`, which mutmut can work with."""

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.BaseStatement]:
        match updated_node.decorators:
            case [cst.Decorator(decorator=cst.Name("property" | "cache" | "contextmanager" as name))]:
                made = cst.parse_statement(f"{original_node.name.value} = {name}({original_node.name.value})")
                return cst.FlattenSentinel([updated_node.with_changes(decorators=[]), made])
        return updated_node


class Mutations(MutationVisitor):
    """All that mutmut does to functions, except to words."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        match node:
            case cst.Call(func=cst.Name("say"), args=[cst.Arg(value=words), *_]):
                self._words.add(words)
            case cst.Call(func=cst.Attribute(attr=cst.Name("error")), args=[cst.Arg(value=words), *_]):
                self._words.add(words)
            case cst.Raise(exc=cst.Call(func=cst.Name(name))) if name.endswith("Error"):
                return True
            case cst.Arg(keyword=cst.Name("strict")):
                return True
        return node in self._words or super()._skip_node_and_children(node)

    def _create_mutations(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Call(func=cst.Name("zip"), args=[*_, cst.Arg(keyword=cst.Name("strict")) as strict]):
                super()._create_mutations(node)
                self.mutations[:] = [
                    each
                    for each in self.mutations
                    if each.original_node is not node or strict in each.mutated_node.args
                ]
            case cst.SimpleString(value) if SQL.match(value):
                super()._create_mutations(node)
                self.mutations[:] = [
                    each
                    for each in self.mutations
                    if each.original_node is not node or each.mutated_node.value.lower() != value.lower()
                ]
            case _:
                super()._create_mutations(node)

    @functools.cached_property
    def _words(self) -> set[cst.CSTNode]:
        return set()


def mutate(path: Path) -> list[str]:
    """Write the mutants of a file into it. Returns their names."""
    code = cst.parse_module(path.read_text()).visit(Undecorated()).code
    wrapper = cst.MetadataWrapper(cst.parse_module(code))
    visitor = Mutations(mutation_operators, get_ignored_lines(str(path), code, wrapper))
    module = wrapper.visit(visitor)
    mutated = combine_mutations_to_source(module, visitor.mutations, visitor.ignored_classes, visitor.ignored_functions)
    path.write_text(mutated.code)
    where = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    return [f"{where}.{name}" for name in mutated.mutant_names]


@functools.cache
def functions(module: str) -> dict[str, ast.FunctionDef]:
    """Give all functions of a module, each mutant by its name."""
    path = Path(*module.split("."))
    text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()
    return {node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}


def difference(mutant: str) -> list[str]:
    """Give the lines that a mutant lacks (-) and has instead (+)."""
    module, _, name = mutant.rpartition(".")
    original = name.rpartition("__mutmut_")[0] + "__mutmut_orig"
    before, after = (ast.unparse(functions(module)[each]).replace(each, "f").splitlines() for each in (original, name))
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return [line[0] + " " + line[1:].strip() for line in lines if line[:2] not in {"--", "++", "@@"}]


def plainly(mutant: str) -> str:
    """`ledger.accounting.books.xǁBooksǁbalance__mutmut_3` is a mutant of `ledger.accounting.books.Books.balance`."""
    module, _, name = mutant.rpartition(".")
    return f"{module}.{name.rpartition('__mutmut_')[0].removeprefix('x_').removeprefix('xǁ').replace('ǁ', '.')}"


@dataclass
class Trial:
    """A pytest plugin: instead of running the tests once, runs them once for each mutant."""

    room: Room
    mutants: Sequence[str]
    results: dict[str, str] = field(default_factory=dict)
    killers: deque[str] = field(default_factory=lambda: deque(maxlen=3))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        callers, seconds, waits = in_a_fork(lambda: noted(session), 1_000)
        items = {item.nodeid: item for item in session.items}
        caches = [each.cache_clear for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
        caches += [pkgutil.resolve_name(name).clear for name in self.room.kept]
        gc.collect()
        gc.freeze()
        for count, mutant in enumerate(self.mutants, 1):
            names = sorted(callers.get(plainly(mutant), ()), key=lambda name: (name not in self.killers, seconds[name]))
            limit = CPU_SECONDS + 5 * sum(seconds[name] for name in names)
            tried = functools.partial(told_on, session, [items[name] for name in names], mutant, caches, limit)
            patience = 20 + 4 * limit + 2 * sum(waits[name] for name in names)
            end = in_a_fork(tried, patience) if names else "not called"
            if end in items:
                self.killers.append(end)
                end = "killed"
            self.results[mutant] = end
            if end != "killed":
                print(f"\n{end}: {plainly(mutant)}", *difference(mutant), sep="\n    ", flush=True)
            if count % 100 == 0:
                print(count, "of", len(self.mutants), dict(Counter(self.results.values())), flush=True)
        return True


def noted(session: pytest.Session) -> tuple[dict[str, list[str]], dict[str, float], dict[str, float]]:
    """Run all tests once. Returns which tests call each function, how many seconds each computes, and lasts.

    Tests that fail without any mutant are left out.
    """
    callers, seconds, lasts = defaultdict(list), {}, {}
    for item in session.items:
        Switch.called.clear()
        begun, begun_at = time.process_time(), time.monotonic()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        seconds[item.nodeid] = time.process_time() - begun
        lasts[item.nodeid] = time.monotonic() - begun_at
        if session.testsfailed:  # in this tree: it starts another process, or looks at the code itself
            session.testsfailed = 0
            continue
        for function in Switch.called:
            callers[function].append(item.nodeid)
    return callers, seconds, lasts


def told_on(
    session: pytest.Session,
    items: Sequence[pytest.Item],
    mutant: str,
    caches: Sequence[Callable[[], None]],
    limit: float,
) -> str:
    """Run tests with a mutant. Returns the name of the first that fails, or "survived"."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    Switch.module, _, Switch.mutant = mutant.rpartition(".")
    for clear in caches:
        clear()
    for item in items:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.testsfailed:
            return item.nodeid
    return "survived"


def in_a_fork(work: Callable[[], Any], seconds: float) -> Any:
    """Do work in a process of its own, so that nothing of it stays. Returns what it returns, as JSON has it."""
    reader, writer = os.pipe()
    if not (child := os.fork()):
        os.setpgid(0, 0)
        os.close(reader)
        signal.alarm(int(seconds) + 1)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        try:
            answer = json.dumps(work())
        except BaseException as error:  # noqa: BLE001 -- whatever it is, the parent has to hear of it
            answer = json.dumps(f"broken: {error!r}")
        with os.fdopen(writer, "w") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else "timeout"


def explained() -> set[tuple[str, str]]:
    """Which mutants nobody could see: each as its function, and what stands there instead."""
    entries = tomllib.loads(EXPLAINED.read_text())
    return {(function, instead) for function, entry in entries.items() for instead in entry["instead"]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__.splitlines()[0])
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("word", nargs="?", default="", help="only mutants whose name has this in it")
    parser.add_argument("--sample", type=int, help="so many mutants of each file, by chance, the same each time")
    parser.add_argument("--results", type=Path, help="where to write every mutant's end, as JSON")
    arguments = parser.parse_args()
    room = ROOMS[arguments.room]
    results = arguments.results and arguments.results.resolve()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        shutil.copytree(TREE, tree, ignore=shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__"))
        os.chdir(tree)  # mutmut reads its settings here
        sys.path[:] = [str(tree), *(each for each in sys.path if each and Path(each).resolve() != TREE)]
        files = [path for pattern in room.code for path in sorted(Path().glob(pattern))]
        mutants = [mutant for path in files for mutant in sampled(mutate(path), arguments)]
        for name in [name for name in sys.modules if name.partition(".")[0] in {"ledger", "schemas", "tests"}]:
            del sys.modules[name]
        trampoline.wrap_in_trampoline = Switch.between
        trial = Trial(room, mutants)
        pytest.main(
            ["-q", "-x", "--no-header", "--tb=no", "--rootdir=.", "-p", "no:cacheprovider", *room.tests],
            plugins=[trial],
        )
        report(trial.results, results)


def sampled(mutants: Sequence[str], arguments: argparse.Namespace) -> Sequence[str]:
    wanted = [mutant for mutant in mutants if arguments.word in mutant]
    if arguments.sample and arguments.sample < len(wanted):
        return random.Random(0).sample(wanted, arguments.sample)
    return wanted


def report(results: Mapping[str, str], where: Path | None) -> None:
    """Print the score of every file, and write down how every mutant ended."""
    known, scores, told = explained(), defaultdict[str, Counter[str]](Counter), []
    for mutant, end in results.items():
        change = difference(mutant) if end != "killed" else []
        instead = " ".join(line[2:] for line in change if line[0] == "+")
        is_known = end == "survived" and (plainly(mutant), instead) in known
        told.append((mutant, "explained" if is_known else end, change))
        scores[mutant.rpartition(".")[0]]["explained" if is_known else end] += 1
    for module, score in scores.items():
        print(f"{module}: {score.total()} mutants, {dict(score)}")
    if where:
        where.write_text(json.dumps(told, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
