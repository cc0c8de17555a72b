"""How the site is built: `sphinx-build -W --keep-going -b html docs build/docs`.

The pages load nothing from elsewhere. `reference.md` is filled from the service's own description of itself as it is
built, by `openapi.py` beside this file, so it cannot be out of date.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from pygments.lexer import RegexLexer  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, Text  # type: ignore[import-untyped]
from sphinx.application import Sphinx

sys.path[:0] = [str(Path(__file__).parent.parent)]  # the service is read from the checkout, installed or not

project = "Fuda Ledger"
author = "The Fuda Ledger authors"
extensions = ["myst_parser", "docs.openapi"]
exclude_patterns = ["**/__pycache__"]
nitpicky = True

myst_heading_anchors = 4
highlight_language = "text"

html_theme = "furo"
html_title = "Fuda Ledger"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#9b2c2c", "color-brand-content": "#9b2c2c"},
    "dark_css_variables": {"color-brand-primary": "#e58a7b", "color-brand-content": "#e58a7b"},
}


class Notation(RegexLexer):  # type: ignore[misc]  # Pygments publishes no types
    """Colours for the round notation of `notation.md`."""

    name = "Fuda notation"
    aliases: ClassVar[list[str]] = ["fuda"]
    tokens: ClassVar = {
        "root": [
            (r";.*", Comment),
            (r"^=.*", Comment.Special),
            (r"^[a-z][\w-]*", Keyword),
            (r'"(?:[^"\\]|\\.)*"', String),
            (r"\bp[0-9]+\b", Name.Variable),
            (r"\b[0-9]+\b(?!-)", Number),
            (r"[()=/]", Punctuation),
            (r"[\w.-]+", Text),
            (r"\s+|.", Text),
        ]
    }


def setup(app: Sphinx) -> None:
    """Teach Sphinx to read the notation."""
    app.add_lexer("fuda", Notation)
