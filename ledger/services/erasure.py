"""Erasing a person: the name goes from everywhere, and sums, outcomes and hashes stay as they are.

That is possible because a hashed row holds digests of texts, not the texts. What is overwritten is every name the
player ever had, also one that was corrected later, and each mention of such a name in a note, a reason or the label of
a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledger.cooperation import yielding
from ledger.rulebook.values import PlayerId
from ledger.session.events import BalancesBrought, PlayerJoined, PlayerRenamed
from ledger.session.history import SessionState
from ledger.storage.stored import StoredLink


class Named(NamedTuple):
    """A name: where it stands (seq and place), whose it is, and the name itself."""

    at: tuple[int, str]
    player: PlayerId | None
    name: str


def overwritten(
    players: Iterable[PlayerId],
    state: SessionState,
    words: Iterable[tuple[tuple[int, str], str]],
    links: Iterable[StoredLink],
) -> tuple[dict[tuple[int, str], str], dict[str, str]]:
    """Give the new words (by seq and place), and the labels of links, without the names of these players.

    The name of another player stays, even if it is the same.
    """
    named, before = list(names(state)), dict(words)
    texts, labels = before, {link.id: link.label for link in links if link.label}
    for player in players:
        own = {each.name for each in named if each.player == player} - {player}
        others = {each.at for each in named if each.player != player}
        texts = {at: text if at in others else without(own, text, player) for at, text in yielding(texts.items())}
        labels = {link_id: without(own, label, player) for link_id, label in labels.items()}
    return {at: text for at, text in texts.items() if text != before[at]}, labels


def names(state: SessionState) -> Iterator[Named]:
    """Give every name that a player was ever given, also one that was corrected, undone or without effect."""
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
    """Write `instead` over each of the names in a text, the longest first.

    A name in Latin letters has to stand as a word of its own, or "Al" would go from "Also"; other names run on into
    the text around them.
    """
    for name in sorted(names, key=len, reverse=True):
        before = r"(?<![A-Za-z0-9])" if name[0].isascii() else ""
        after = r"(?![A-Za-z0-9])" if name[-1].isascii() else ""
        text = re.sub(before + re.escape(name) + after, lambda _: instead, text)
    return text
