"""Forgetting a person: the name goes from everywhere, and sums, outcomes and hashes stay as they are.

That is possible because no hashed row holds anybody's words; it holds their digests. Here it is worked out which words
have to go: every name the player ever had, also one that was corrected later, and each place where somebody wrote such
a name into a note, a reason or a link's label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from typing import NamedTuple, Protocol, get_args

from ledger.budget import breathe
from ledger.hash_chain import SaltedText
from ledger.history import SessionState
from ledger.play.values import PlayerId
from ledger.session.corrections import Correction
from ledger.session.events import BalancesBrought, PlayerErased, PlayerJoined, PlayerRenamed

CHANGES_NAMES = (*get_args(Correction), BalancesBrought, PlayerJoined, PlayerRenamed, PlayerErased)
"""Events after which other words may have to be written over than before."""


class Labelled(Protocol):
    """A link, as far as it can hold a name."""

    @property
    def id(self) -> str:
        """Which link."""

    @property
    def label(self) -> str | None:
        """What somebody called it."""


class Worded(Protocol):
    """A row of the log, as far as it can hold names."""

    @property
    def seq(self) -> int:
        """Its number."""

    @property
    def words(self) -> Mapping[str, SaltedText]:
        """What somebody wrote, by place."""


class Named(NamedTuple):
    """A name: where it stands (seq and place), whose it is, and the name itself."""

    at: tuple[int, str]
    player: PlayerId | None
    name: str


class Erasure:
    """What has to be written over for a player, in a session that stands as `state`.

    Somebody else's own name stays, even if it is the same.
    """

    def __init__(self, player: PlayerId, state: SessionState) -> None:
        named = list(names(state))
        self._player = player
        self._own = sorted({n.name for n in named if n.player == player} - {player}, key=len, reverse=True)
        self._others = {n.at for n in named if n.player != player}

    def text(self, at: tuple[int, str], text: str) -> str:
        """Give what has to stand at a place (seq and place) instead of a text."""
        return text if at in self._others else without(self._own, text, self._player)

    def label(self, label: str) -> str:
        """Give what a link has to be called instead of a label."""
        return without(self._own, label, self._player)


def words_to_forget(
    erasures: Sequence[Erasure], words: Iterable[tuple[tuple[int, str], str]]
) -> dict[tuple[int, str], str]:
    """Give the words (by seq and place) that have to be written over, and with what."""
    over = {}
    for at, said in words:
        breathe()
        text = reduce(lambda text, erasure: erasure.text(at, text), erasures, said)
        if text != said:
            over[at] = text
    return over


class Search(NamedTuple):
    """What erasing players writes over in a log up to a seq: searched before the log is locked, as that takes long."""

    erasures: Sequence[Erasure]
    upto: int
    words: Mapping[tuple[int, str], str]

    @classmethod
    def of_log(
        cls, erasures: Sequence[Erasure], upto: int, opening: Mapping[str, SaltedText], rows: Iterable[Worded]
    ) -> Search:
        """Search a log, from the words of its opening on."""
        return cls(erasures, upto, words_to_forget(erasures, chain(words_at(0, opening), words_in(rows))))

    def words_with(self, later: Iterable[Worded]) -> Mapping[tuple[int, str], str]:
        """Give the words that have to be written over, those of the rows after the search included."""
        return {**self.words, **words_to_forget(self.erasures, words_in(later))}

    def holds(self, first: int, state: SessionState) -> bool:
        """Say whether it holds in a state whose rows from `first` on are the erasure, and others came before it.

        It does not if names may have changed since, or words that were searched.
        """
        since = state.rows[self.upto :]
        changes = (row for row in since if row.seq < first or not isinstance(row.event, PlayerErased))
        return first == self.upto + 1 or not any(isinstance(row.event, CHANGES_NAMES) for row in changes)


def words_in(rows: Iterable[Worded]) -> Iterator[tuple[tuple[int, str], str]]:
    """Give the words of rows of the log, each with its seq and place."""
    return chain.from_iterable(words_at(row.seq, row.words) for row in rows)


def words_at(seq: int, words: Mapping[str, SaltedText]) -> Iterator[tuple[tuple[int, str], str]]:
    """Give the words of a row of the log, or of the opening (seq 0), each with its seq and place."""
    return (((seq, place), said.text) for place, said in words.items())


def labels_to_forget(erasures: Sequence[Erasure], links: Iterable[Labelled]) -> dict[str, str]:
    """Give the labels of links that have to be written over, and with what."""
    labels = {link.id: link.label for link in links if link.label}
    return {link: reduce(lambda text, erasure: erasure.label(text), erasures, label) for link, label in labels.items()}


def forgotten(
    player: PlayerId, state: SessionState, words: Mapping[tuple[int, str], SaltedText], links: Iterable[Labelled]
) -> tuple[dict[tuple[int, str], str], dict[str, str]]:
    """Give the words (by seq and place) and the link labels that have to be written over, and with what."""
    erasures = [Erasure(player, state)]
    return words_to_forget(erasures, ((at, said.text) for at, said in words.items())), labels_to_forget(erasures, links)


def names(state: SessionState) -> Iterator[Named]:
    """Give every name that anybody was ever given, also one that was corrected, taken back or never came to count."""
    for number, person in enumerate(state.begun.players):
        yield Named((0, f"players/{number}"), person.id, person.name)
    for row in state.rows:
        breathe()
        for logged in row.parts or (row,):
            event, within = logged.event, f"corrections/{logged.part - 1}/" if logged.part else ""
            place = f"{within}event/name" if row.parts else "name"
            match event:
                case PlayerRenamed():
                    yield Named((row.seq, place), event.player, event.name)
                case PlayerJoined(name=str(name)):
                    yield Named((row.seq, place), logged.newcomers[0], name)
                case BalancesBrought():
                    absent = [(at, each.name) for at, each in enumerate(event.balances) if each.name is not None]
                    for player, (at, name) in zip(logged.newcomers, absent, strict=True):
                        yield Named((row.seq, f"{place.removesuffix('name')}balances/{at}/name"), player, name)


def without(names: Iterable[str], text: str, instead: str) -> str:
    """Write `instead` over each of the names in a text.

    A name in Latin letters has to stand as a word of its own, or "Al" would go from "Also"; other names run on into
    the text around them.
    """
    for name in names:
        before = r"(?<![A-Za-z0-9])" if name[0].isascii() else ""
        after = r"(?![A-Za-z0-9])" if name[-1].isascii() else ""
        text = re.sub(before + re.escape(name) + after, lambda _: instead, text)
    return text
