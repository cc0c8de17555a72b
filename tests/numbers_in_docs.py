"""The numbers that documents tell in words of their own, and where in the examples beside them each comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ledger import server
from ledger.config import Config
from ledger.games import GAMES
from ledger.play import MOST_CHIPS
from schemas.events import MOST_EVENTS


class Example(NamedTuple):
    """What a document has a shell do, and what that really printed."""

    asked: str
    printed: str

    @property
    def answer(self) -> Any:
        return json.loads(self.printed)

    @property
    def amounts(self) -> list[int]:
        """Of each entry, in chips."""
        return [entry["amount"] for entry in self.answer["entries"]]


class Place(NamedTuple):
    """Where a phrase stands: what was shown before it, the last first, and what is shown after it."""

    before: Sequence[Example]
    after: Sequence[Example]


Numbers = Mapping[str, Callable[[Place], list[int]]]

TUTORIAL: Numbers = {
    "{} people, one deck": lambda it: [people(it.after[0])],
    "A chip is worth {} yen": lambda it: [int(it.after[0].answer["session"]["chip_value"]["per_chip"])],
    "{} helpers save typing": lambda it: [it.after[0].asked.count("() {")],
    "Everyone antes {} chips": lambda it: [*set(it.after[0].amounts)],
    "{} cards each, beginning with the dealer": lambda it: [cards_each(it.after[:2])],
    "Dai gets a Maid and pays {}; Ichi gets a Horse and pays {};": lambda it: it.after[0].amounts,
    "{} Dragons cost nothing": lambda it: [len(asked(r" \w+-(1)\b", it.after[0]))],
    "the bottom card is the {} of Clubs": lambda it: asked(r'"clubs-(\d+)"', it.after[0]),
    "The {} chips stay in the pot": lambda it: [it.before[0].answer["session"]["pot"]],
    "{} people want half the rights": lambda it: [len({*asked(r'"player": "p(\d+)"', it.after[0])})],
    "So Gen bids {}": lambda it: it.after[0].amounts,
    "the {} of Coins shows trump": lambda it: asked(r'"coins-(\d+)"', it.after[0]),
    "I paid {}, and it should have been {}": lambda it: [it.after[2].amounts[0], it.after[2].amounts[3]],
    "It is event {}": lambda it: [it.before[0].answer["events"][0]["seq"]],
    "The first round's pot was {} too large": lambda it: [too_large(it.after[0].answer["changes"]["rounds"][0])],
    "{} payments between {} people": lambda it: [len(it.before[0].answer["payments"]), people(it.before[-1])],
}

README: Numbers = {
    "It knows {} games": lambda _: [len(GAMES)],
    "{} people play Shirinma": lambda it: [people(it.after[0])],
    "up to {} events": lambda _: [MOST_EVENTS],
    "up to #{}, who gets the Maid ({}) of Cups": lambda it: asked(r'"p(\d+)", +"card": "cups-(\d+)"\}\n', it.after[0]),
    "#{} bids a chip, and #{} too": lambda it: asked(r'"player": "p(\d+)", "amount": 1\b', it.after[0]),
    "#{} bids {}, and the deal goes on": lambda it: asked(r'"p(\d+)", "amount": (\d+)', it.after[0])[:2],
    "wins {} chips, and {} go to #{},": lambda it: [*it.after[0].amounts, payees(it.after[0])[1]],
}

CORRECT: Numbers = {
    "Chie had bet on column {}, not {}. That is event {};": lambda it: [
        *columns(it.after[0]),
        columns(it.before[0])[1],
        *asked(r'"seq": (\d+)', it.after[0]),
    ],
    "It was column {} after all": lambda it: [columns(it.before[-2])[1]],
    "Ben had given Chie {} chips": lambda it: it.after[0].amounts[:1],
    "it came after, {} for the very beginning": lambda it: asked(r'"after": (\d+)', it.after[0]),
    "Ben cannot have bet on column {}": lambda it: columns(it.after[0]),
    "{} events were swapped": lambda it: [len(columns(it.after[0]))],
    "Ben had bet on column {} and Chie on column {}": lambda it: columns(it.after[0]),
    "when event {} was the last": lambda it: asked(r"at=(\d+)", it.after[0]),
}

NUMBERS: Mapping[str, Numbers] = {
    "README.md": README,
    "docs/tutorial.md": TUTORIAL,
    "docs/index.md": {"It knows {} games": lambda _: [len(GAMES)]},
    "docs/ledger.md": {
        "in whole chips, 1 to 10^{},": lambda _: [digits_after_the_first(MOST_CHIPS)],
        "moves at most 10^{} chips,": lambda _: [digits_after_the_first(MOST_CHIPS)],
        "and the pot holds at most 10^{}.": lambda _: [digits_after_the_first(MOST_CHIPS)],
    },
    "docs/operating.md": {
        "{} workers carry many tables": lambda _: [Config().workers],
        "says nothing for {} seconds": lambda _: [server.keepalive],
        "within {} seconds at most": lambda _: [server.graceful_timeout],
    },
    "docs/how-to/index.md": {"{} people playing": lambda it: [people(it.after[1])]},
    "docs/how-to/correct.md": CORRECT,
    "docs/how-to/past.md": {
        "Ben and Chie put in {} each, Aki took {}.": lambda it: [*dict.fromkeys(it.after[0].amounts)],
    },
    "docs/how-to/two-phones.md": {
        "Record from {} phones": lambda it: [len({each.asked.split()[0] for each in it.after} & {"api", "ben"})],
        "Both have seen event {}.": lambda it: asked(r'"(\d+)"\'', it.after[0]),
    },
}
"""By document: each phrase, with `{}` for its numbers, and what they have to be."""


def people(opened: Example) -> int:
    return len(opened.answer["session"]["players"])


def too_large(changed: Any) -> int:
    before, after = changed["before"]["pot"], changed["after"]["pot"]
    return int(before - after)


def asked(pattern: str, *examples: Example) -> list[int]:
    """The numbers that a pattern catches in what is asked for."""
    found = [match for example in examples for match in re.finditer(pattern, example.asked)]
    return [int(number) for match in found for number in match.groups()]


def columns(example: Example) -> list[int]:
    return asked(r'"column": (\d+)', example)


def cards_each(deals: Sequence[Example]) -> int:
    """In deals that each begin with the first of twelve players."""
    return sum(len(cards.split()) for deal in deals for cards in re.findall("^deal p1 ([^>\n]+)", deal.asked)) // 12


def payees(example: Example) -> list[int]:
    return [int(entry["to"][1:]) for entry in example.answer["entries"]]


def digits_after_the_first(number: int) -> int:
    return len(str(number)) - 1


# --- reading ---------------------------------------------------------------------------------------------------------

WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBER = re.compile(rf"\b(?:(?!1\b)\d+|{'|'.join(WORDS[2:])})\b", re.IGNORECASE)
"""In digits or in words; a one seldom counts anything."""


def read_number(word: str) -> int:
    return int(word) if word.isdecimal() else WORDS.index(word.lower())


def untrue(numbers: Numbers, prose: Sequence[str], examples: Sequence[Example]) -> Iterator[str]:
    """Say which phrase is gone or has another number, and which number between the examples no phrase accounts for.

    A piece of prose stands before each example, and one behind the last.
    """
    told = [" ".join(re.sub(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->", "", piece, flags=re.DOTALL).split()) for piece in prose]
    for phrase, expected in numbers.items():
        pattern = re.escape(phrase).replace(r"\{\}", r"(\w+)")
        there = [(place, found) for place, piece in enumerate(told) for found in re.finditer(pattern, piece)]
        if len(there) != 1:
            yield f"{phrase!r} is there {len(there)} times"
            continue
        ((place, found),) = there
        real = expected(Place(examples[:place][::-1], examples[place:]))
        if [read_number(word) for word in found.groups()] != real:
            yield f"{found[0]!r}: {real}"
        told[place] = told[place].replace(found[0], "")
    for piece in told[1:-1]:
        yield from (f"what is {found[0]!r} in {piece!r}?" for found in NUMBER.finditer(piece))
