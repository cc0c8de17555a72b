"""What a line is made of: words, texts in quotes, keys, parentheses; and errors with their line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

import msgspec

from ledger.cooperation import yielding
from ledger.i18n.sentences import Sentence, say
from ledger.rulebook.values import PlayerId

REMARKS = ("note", "overrule")
"""Keys that any event may have, anywhere in its line."""

MAX_LINE_LENGTH = 65_536
"""In characters, of a line that is split into tokens. A hundred corrections together that each give a reason of 500
letters fit; longer ones are written as JSON."""

_ENDS = r"(?![^\s();])"
_WORD = rf'(?!&{_ENDS})(?:[^\s"();=]|(?<=[0-9０-９])[\u00a0\u2009\u202f](?=[0-9０-９]))+'
_TOKEN = re.compile(
    rf'(?P<comment>;.*)|(?P<mark>[()]|&{_ENDS})|(?P<key>{_WORD})=(?=[^\s();=])|(?P<text>"(?:[^"\\]|\\.)*"){_ENDS}'
    rf'|(?P<word>{_WORD}){_ENDS}|(?P<unclosed>"(?:[^"\\]|\\.)*$)|(?P<strange>\S)'
)
_ONE_WORD = re.compile(_WORD)
_STRANGE = {
    "unclosed": say('this text has no closing "'),
    "strange": say('a text with spaces or signs is written in "…", and nothing but a space comes before and after it'),
}


class NotationSyntaxError(ValueError):
    """A text is not in the notation: where, why, and what would have been right."""

    def __init__(self, line: int, column: int, why: Sentence) -> None:
        super().__init__(line, column, why)
        self.line, self.column = line, column
        self.sentence = say("line {line}, column {column}: {why:sentence}", line=line, column=column, why=why)


class Token(NamedTuple):
    """A word, a text without its quotes, a mark (a parenthesis, `&`), or a key: a word with `=` behind it.

    `wide_gap` is the space before it, if that is made of wide spaces (U+3000) alone.
    """

    text: str
    column: int
    group: str
    wide_gap: str

    @property
    def shown(self) -> str:
        """The token as an error shows it."""
        return self.text[:40]


class TokenStream:
    """The tokens of a line, read from `at` up to `end`; `form` is how the line should have been written.

    `next_player` gives the player who is next to have an event of some type, None if that is not known.
    """

    def __init__(self, number: int, text: str, begin: int = 0) -> None:
        self.number, self.text, self.form, self.at = number, text, "", 0
        self.next_player: Callable[[str], PlayerId | None] = lambda _type: None
        self.tokens = list(self._split(begin))
        self.end = len(self.tokens)

    def _split(self, begin: int) -> Iterator[Token]:
        if len(self.text) - begin > MAX_LINE_LENGTH:
            why = say(
                "a line has at most {most} characters; an event for which that is too few is written as JSON",
                most=MAX_LINE_LENGTH,
            )
            raise self.error(why, begin + MAX_LINE_LENGTH + 1)
        end = begin
        for found in yielding(_TOKEN.finditer(self.text, begin)):
            group, text, column = found.lastgroup or "", found[found.lastgroup or 0], found.start() + 1
            if group == "comment":
                return
            if group in _STRANGE:
                raise self.error(_STRANGE[group], column)
            if group == "text":
                try:
                    text = msgspec.json.decode(text, type=str)
                except ValueError:  # no JSON, or no UTF-8
                    raise self.error(say(r"in a text \" \\ \n \t and \u3042 are written as in JSON"), column) from None
            gap, end = self.text[end : found.start()], found.end()
            yield Token(text, column, group, "" if gap.strip("\u3000") else gap)

    @property
    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < self.end else None

    @property
    def column(self) -> int:
        """Where the next token begins, or else where the line ends."""
        return self.next.column if self.next else len(self.text.rstrip()) + 1

    def parts(self, mark: str) -> Iterator[TokenStream]:
        """Give the rest of the line between such marks, part by part: each is read before the next is asked for."""
        marks = [at for at, token in enumerate(self.tokens) if token.text == mark and token.group == "mark"]
        for end in [*(at for at in marks if at >= self.at), len(self.tokens)]:
            self.end = end
            yield self
            self.at = end + 1

    def accept(self, text: str) -> bool:
        """Read a word or mark if it comes next."""
        found = self.next is not None and self.next.text == text and self.next.group in ("word", "mark")
        self.at += found
        return found

    def expect(self, wanted: Sentence, *, is_key: bool = False) -> Token:
        """Read a word or text, or a key. Raises NotationSyntaxError if that does not come next."""
        if self.next is None:
            raise self.error(say("{wanted:sentence} is missing", wanted=wanted))
        if self.next.group not in (("key",) if is_key else ("word", "text")):
            raise self.error(say("{wanted:sentence} is wanted here", wanted=wanted))
        self.at += 1
        return self.tokens[self.at - 1]

    def expect_end(self) -> None:
        """Raise NotationSyntaxError for a token that is left."""
        if self.next:
            raise self.error(say("`{word}` is too much here", word=self.next.shown))

    def take_remarks(self) -> dict[str, str]:
        """Take `note` and `overrule` out of the line, wherever they stand in it."""
        remarks, others, tokens = dict[str, str](), list[Token](), iter(self.tokens)
        for token in tokens:
            if token.group != "key" or token.text not in REMARKS:
                others.append(token)
            elif token.text in remarks:
                raise self.error(say("`{word}` is said twice", word=token.shown), token.column)
            else:
                remarks[token.text] = next(tokens).text
        self.tokens, self.end = others, len(others)
        return remarks

    def error(self, why: Sentence, column: int | None = None) -> NotationSyntaxError:
        """Make the error for a column of this line, by default the next token's."""
        if self.form:
            why = say("{why:sentence}; the line is written `{form}`", why=why, form=self.form)
        return NotationSyntaxError(self.number, column or self.column, why)


def with_suggestion(why: Sentence, text: str, known: Iterable[str]) -> Sentence:
    """Ask whether one of the known words was meant."""
    near = get_close_matches(text, tuple(known), n=1)
    return say("{why:sentence}; is it `{near}`?", why=why, near=near[0]) if near else why


def quoted(value: Any) -> str:
    """Write a value: a word as it is, any other text in quotes."""
    is_word = isinstance(value, str) and _ONE_WORD.fullmatch(value) and value.isprintable()
    return str(value) if is_word else in_json(value)


def in_json(value: Any) -> str:
    """Write JSON on one line, without invisible characters."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() or c == "\u3000" else json.dumps(c)[1:-1] for c in text)
