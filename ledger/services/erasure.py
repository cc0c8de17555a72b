"""Forgetting a person: the name goes from everywhere, and sums, outcomes and hashes stay as they are.

That is possible because no hashed row holds anybody's words; it holds their digests. Here it is worked out which words
have to go: every name the player ever had, also one that was corrected later, and each place where somebody wrote such
a name into a note, a reason or a link's label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import NamedTuple

from ledger.cooperation import yielding
from ledger.history import SessionState
from ledger.play.values import PlayerId
from ledger.session.events import BalancesBrought, PlayerJoined, PlayerRenamed
from ledger.storage.records import StoredLink


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


def overwritten(
    players: Iterable[PlayerId],
    state: SessionState,
    words: Iterable[tuple[tuple[int, str], str]],
    links: Iterable[StoredLink],
) -> tuple[dict[tuple[int, str], str], dict[str, str]]:
    """Give the words (by seq and place) and the labels of links that have to be written over, and with what."""
    erasures = [Erasure(player, state) for player in players]
    texts, labels = dict[tuple[int, str], str](), dict[str, str]()
    for at, said in yielding(words):
        text = reduce(lambda text, erasure: erasure.text(at, text), erasures, said)
        if text != said:
            texts[at] = text
    for link in links:
        if link.label:
            labels[link.id] = reduce(lambda text, erasure: erasure.label(text), erasures, link.label)
    return texts, labels


def names(state: SessionState) -> Iterator[Named]:
    """Give every name that anybody was ever given, also one that was corrected, taken back or never came to count."""
    for number, person in enumerate(state.begun.players):
        yield Named((0, f"players/{number}"), person.id, person.name)
    for row in state.rows:
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
