"""The texts that the page's scripts say: `t("…")`, and `tn("…", "…", count)` of what depends on a number.

A text stands there as it is, so that it can be found and translated; it is no choice, no sum and no template.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import ledger.pages

SCRIPTS = Path(ledger.pages.__path__[0], "static", "js")
SAYS_THEM = "core/words.js"

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CALL = re.compile(r"(?<![\w.$])(tn?)\(\s*")
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')

Text = str | tuple[str, ...]


class NotFound(Exception):
    """A text that cannot be found, because it does not stand there as it is."""


def texts_of_the_page() -> dict[Text, None]:
    """List every text of the page. Raises NotFound."""
    found = dict[Text, None]()
    for path in sorted(SCRIPTS.rglob("*.js")):
        name = path.relative_to(SCRIPTS).as_posix()
        if name != SAYS_THEM:
            found |= dict.fromkeys(said_in(path.read_text("utf-8"), name))
    return found


def said_in(script: str, name: str = "") -> list[Text]:
    """List the texts of a script. Raises NotFound."""
    script = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), script)
    found = list[Text]()
    for call in CALL.finditer(script):
        one, at = literal(script, call.end(), name)
        if call[1] == "t":
            found.append(one)
            continue
        comma = re.compile(r",\s*").match(script, at)
        if comma is None:
            raise NotFound(place(script, at, name))
        many, _ = literal(script, comma.end(), name)
        found.append((one, many))
    return found


def literal(script: str, at: int, name: str) -> tuple[str, int]:
    """Read a text that stands somewhere, and say where it ends. Raises NotFound."""
    text = LITERAL.match(script, at)
    if text is None or not re.match(r"\s*[,)]", script[text.end() :]):
        raise NotFound(place(script, at, name))
    return json.loads(text[0]), text.end()


def place(script: str, at: int, name: str) -> str:
    """Say where something is."""
    return f"{name}:{script.count(chr(10), 0, at) + 1}: t and tn take texts as they stand, in double quotes"
