"""Forgetting a person: the name goes from everywhere, and sums, outcomes and hashes stay as they are.

That is possible because no hashed row holds anybody's words; it holds their digests. Here it is worked out which words
have to go: every name the player ever had, also one that was corrected later, and each place where somebody wrote such
a name into a note, a reason or a link's label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol

from ledger.evening import Evening
from ledger.play import PlayerId
from ledger.seal import Word
from ledger.session import PlayerJoined, PlayerRenamed


class Labelled(Protocol):
    """A link, as far as it can hold a name."""

    @property
    def id(self) -> str:
        """Which link."""

    @property
    def label(self) -> str | None:
        """What somebody called it."""


def forgotten(
    player: PlayerId, evening: Evening, words: Mapping[tuple[int, str], Word], links: Iterable[Labelled]
) -> tuple[dict[tuple[int, str], str], dict[str, str]]:
    """Give the words (by seq and place) and the link labels that have to be written over, and with what.

    Somebody else's own name stays, even if it is the same.
    """
    names, others = names_of(player, evening)
    over = {at: without(names, said.text, player) for at, said in words.items() if at not in others}
    labels = {link.id: without(names, link.label, player) for link in links if link.label}
    return {at: text for at, text in over.items() if text != words[at].text}, labels


def names_of(player: PlayerId, evening: Evening) -> tuple[list[str], set[tuple[int, str]]]:
    """List what a player was ever called, longest first, and the places of the names of all the others.

    The log is lived through again, so a name that was corrected later is found as well.
    """
    found: set[str] = set()
    others: set[tuple[int, str]] = set()
    for stand in evening.history():
        people = stand.table.players
        found |= {person.name for person in people if person.id == player}
        if stand.row is None:
            others |= {(0, f"players/{place}") for place, person in enumerate(people) if person.id != player}
        elif (isinstance(stand.row.event, PlayerRenamed) and stand.row.event.player != player) or (
            isinstance(stand.row.event, PlayerJoined) and people[-1].id != player
        ):
            others.add((stand.seq, "name"))
    return sorted(found - {player}, key=len, reverse=True), others


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
