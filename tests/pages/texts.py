"""The texts that the page's scripts say: `t("…")`, and `tn("…", "…", count)` of what depends on a number.

A text stands there as it is, so that it can be found and translated; it is no choice, no sum and no template.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import ledger.web

SCRIPTS = Path(ledger.web.__path__[0], "source", "js")
SAYS_THEM = "core/words.js"

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CALL = re.compile(r"(?<![\w.$])(tn?)\(\s*")
LITERAL = r'("(?:[^"\\\n]|\\.)*")\s*'
TEXTS = {"t": re.compile(rf"{LITERAL}[,)]"), "tn": re.compile(rf"{LITERAL},\s*{LITERAL}[,)]")}

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
        texts = TEXTS[call[1]].match(script, call.end())
        if texts is None:
            line = script.count("\n", 0, call.end()) + 1
            raise NotFound(f"{name}:{line}: t and tn take texts as they stand, in double quotes")
        one, *others = map(json.loads, texts.groups())
        found.append((one, *others) if others else one)
    return found
