"""What a line is made of: words, texts in quotes, keys, parentheses; and where in it something is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import msgspec

from ledger.sentences import Sentence, say

REMARKS = ("note", "overrule")
"""What may be said of any event, wherever it stands in its line."""

LONGEST_LINE = 65_536
"""How many characters a line may have that is read token by token: all of it is taken apart before the first is looked
at. A hundred corrections together that each give a reason of 500 letters fit; what does not is written as JSON."""

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


class Misread(ValueError):
    """A text is not in the notation: where, why, and what would have been right."""

    def __init__(self, line: int, column: int, why: Sentence) -> None:
        super().__init__(line, column, why)
        self.line, self.column, self.why = line, column, why

    @property
    def sentence(self) -> Sentence:
        """The same for people to read."""
        return say("line {line}, column {column}: {why:sentence}", line=self.line, column=self.column, why=self.why)


class Token(NamedTuple):
    """A word, a text without its quotes, a mark (a parenthesis, `&`), or a key: a word with `=` behind it."""

    text: str
    column: int
    group: str

    @property
    def shown(self) -> str:
        """The token as a message shows it."""
        return self.text[:40]


class Line:
    """A line being read, token by token. `form` is how it should have been written, `at` how far it has been read."""

    def __init__(self, number: int, text: str, begin: int = 0, tokens: Sequence[Token] | None = None) -> None:
        self.number, self.text, self.form, self.at = number, text, "", 0
        self._tokens = list(self._split(begin) if tokens is None else tokens)

    def _split(self, begin: int) -> Iterator[Token]:
        """Cut the line into tokens, up to a comment. Raises Misread for one that is too long."""
        if len(self.text) - begin > LONGEST_LINE:
            why = say(
                "a line has at most {most} characters; an event for which that is too few is written as JSON",
                most=LONGEST_LINE,
            )
            raise self.misread(why, begin + LONGEST_LINE + 1)
        for found in _TOKEN.finditer(self.text, begin):
            group, column = found.lastgroup or "", found.start() + 1
            if group == "comment":
                return
            if group in _STRANGE:
                raise self.misread(_STRANGE[group], column)
            yield Token(self._unquoted(found[group], column) if group == "text" else found[group], column, group)

    def _unquoted(self, text: str, column: int) -> str:
        try:
            return msgspec.json.decode(text, type=str)
        except ValueError:  # no JSON, or no UTF-8
            raise self.misread(say(r"in a text \" \\ \n \t and \u3042 are written as in JSON"), column) from None

    @property
    def next(self) -> Token | None:
        """The token that is read next, if there is one."""
        return self._tokens[self.at] if self.at < len(self._tokens) else None

    @property
    def rest(self) -> Sequence[Token]:
        """The tokens that are not read yet."""
        return self._tokens[self.at :]

    @property
    def next_is_key(self) -> bool:
        """Whether the next token has `=` behind it."""
        return self.next is not None and self.next.group == "key"

    @property
    def wide_gap(self) -> str:
        """The wide spaces (U+3000) that alone stand before the next token; nothing where anything else does."""
        before = self.text[: self.column - 1]
        gap = before[len(before.rstrip()) :] if 0 < self.at < len(self._tokens) else ""
        return "" if gap.strip("\u3000") else gap

    @property
    def _end(self) -> int:
        return len(self.text.rstrip()) + 1

    @property
    def column(self) -> int:
        """Where the next token begins, or else where the line ends."""
        return self.next.column if self.next else self._end

    def split_at(self, mark: str) -> list[Line]:
        """Read the rest of the line, and give each part of it between such marks as a line."""
        parts: list[list[Token]] = [[]]
        for token in self.rest:
            if token.text == mark and token.group == "mark":
                parts.append([])
            else:
                parts[-1].append(token)
        self.at = len(self._tokens)
        return [Line(self.number, self.text, tokens=part) for part in parts]

    def takes(self, word: str) -> bool:
        """Read a word if it is the next."""
        if self.next is None or self.next.text != word or self.next.group not in ("word", "mark"):
            return False
        self.at += 1
        return True

    def take(self, wanted: Sentence, *, is_key: bool = False) -> Token:
        """Read a word or text, or a key. Raises Misread if that does not come next."""
        token = self.next
        if token is None:
            raise self.misread(say("{wanted:sentence} is missing", wanted=wanted))
        if token.group not in (("key",) if is_key else ("word", "text")):
            raise self.misread(say("{wanted:sentence} is wanted here", wanted=wanted), token.column)
        self.at += 1
        return token

    def take_remarks(self) -> dict[str, str]:
        """Take `note` and `overrule` out of the line, wherever they stand in it."""
        remarks: dict[str, str] = {}
        for key, said in zip(self._tokens[:], self._tokens[1:], strict=False):
            if key.group == "key" and key.text in REMARKS:
                if key.text in remarks:
                    raise self.misread(say("`{word}` is said twice", word=key.shown), key.column)
                remarks[key.text] = said.text
                self._tokens.remove(key)
                self._tokens.remove(said)
        return remarks

    def end(self) -> None:
        """Make sure that all has been read."""
        if self.next:
            raise self.misread(say("`{word}` is too much here", word=self.next.shown), self.next.column)

    def misread(self, why: Sentence, column: int | None = None) -> Misread:
        """Make the error for a place in this line, by default its end."""
        if self.form:
            why = say("{why:sentence}; the line is written `{form}`", why=why, form=self.form)
        return Misread(self.number, column or self._end, why)


def perhaps(why: Sentence, text: str, known: Iterable[str]) -> Sentence:
    """Ask whether one of the words that are known was meant."""
    near = get_close_matches(text, tuple(known), n=1)
    return say("{why:sentence}; is it `{near}`?", why=why, near=near[0]) if near else why


def spelled(value: Any) -> str:
    """Write a value: a word as it is, any other text in quotes."""
    is_word = isinstance(value, str) and _ONE_WORD.fullmatch(value) and value.isprintable()
    return str(value) if is_word else in_json(value)


def in_json(value: Any) -> str:
    """Write JSON on one line, in which everything can be seen."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() or c == "\u3000" else json.dumps(c)[1:-1] for c in text)
