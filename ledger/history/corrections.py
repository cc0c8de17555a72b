"""What corrections mean: what has been taken back, and what an event was amended to.

Corrections that were made together are one row of the log, and each part of them is a `Logged`, in the order given;
taking the row back takes all of them back.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from ledger.budget import breathe
from ledger.history.rows import Address, Logged, target
from ledger.session import EventAmended, EventTakenBack


def undone(newest_first: Iterable[Logged]) -> dict[Address, int]:
    """Say what of a log has been taken back, and by which row.

    What was taken back has no effect, so taking back a take-back restores what it had undone. A row only ever refers
    to earlier ones, therefore one pass from the newest to the oldest settles it.
    """
    gone: dict[Address, int] = {}
    for row in newest_first:
        breathe()
        if isinstance(row.event, EventTakenBack) and row.event.seq is not None and stands(row.at, gone):
            gone.setdefault(target(row.event), row.seq)
    return gone


def stands(at: Address, gone: Container[Address]) -> bool:
    """Say whether neither an event nor the row that it is a part of has been taken back."""
    return at not in gone and (at.part == 0 or Address(at.seq) not in gone)


BLOCK = 256
"""So many rows share a mapping of the index: adding to it copies one of those, and the list of them."""


class CorrectionIndex:
    """The take-backs and amendments of a log, by the number of the row that they are about.

    A frozen value: adding to it gives another. What became of a row is found out when it is first asked for.
    """

    def __init__(self, blocks: Mapping[int, Mapping[int, tuple[Logged, ...]]] | None = None) -> None:
        self._blocks = blocks or {}
        self._gone: dict[int, Mapping[Address, int]] = {}

    def and_then(self, parts: Iterable[Logged]) -> CorrectionIndex:
        """Add what comes next in the log."""
        blocks = dict(self._blocks)
        for part in parts:
            if isinstance(part.event, EventTakenBack | EventAmended):
                seq = target(part.event).seq
                block = blocks.get(seq // BLOCK, {})
                blocks[seq // BLOCK] = {**block, seq: (part, *block.get(seq, ()))}
        return CorrectionIndex(blocks)

    def upto(self, last: int) -> CorrectionIndex:
        """Give the index as it was when a row was the last of the log."""
        return CorrectionIndex(
            {
                number: {seq: tuple(part for part in about if part.seq <= last) for seq, about in block.items()}
                for number, block in self._blocks.items()
            }
        )

    def stands(self, at: Address) -> bool:
        """Say whether neither an event nor the row that it is a part of has been taken back."""
        return stands(at, self.taken_back(at.seq))

    def taken_back(self, seq: int) -> Mapping[Address, int]:
        """Say what of a row has been taken back, and by which row.

        All take-backs that bear on it are looked at: of the row, of those take-backs, and so on.
        """
        if (found := self._gone.get(seq)) is not None:
            return found
        if not self._about(seq):
            return {}
        bearing, coming, reached = list[Logged](), [seq], {seq}
        while coming:
            breathe()
            takes = [part for part in self._about(coming.pop()) if isinstance(part.event, EventTakenBack)]
            bearing += takes
            coming += {part.seq for part in takes} - reached
            reached |= {part.seq for part in takes}
        gone: dict[int, dict[Address, int]] = {other: {} for other in reached}
        for at, by in undone(sorted(bearing, key=newest_row_first)).items():
            gone[at.seq][at] = by
        self._gone |= gone
        return gone[seq]

    def amendments(self, seq: int) -> Iterator[Logged]:
        """Give the amendments of a row, or of a part of it, newest first, those included that were taken back."""
        return iter(sorted((p for p in self._about(seq) if isinstance(p.event, EventAmended)), key=newest_row_first))

    def amended(self, seq: int) -> Mapping[Address, Logged]:
        """Give the amendments of a row, and of its parts, that count: the newest of each that stands."""
        found: dict[Address, Logged] = {}
        for part in self._about(seq):
            if not isinstance(part.event, EventAmended) or (at := target(part.event)) in found:
                continue
            if self.stands(part.at):
                found[at] = part
        return {at: found[at] for at in sorted(found, key=lambda at: newest_row_first(found[at]))}

    def amendment(self, at: Address) -> Logged | None:
        """Give the amendment of an event that counts: the newest that stands."""
        amendments = ((part, part.event) for part in self._about(at.seq))
        about = (part for part, said in amendments if isinstance(said, EventAmended) and target(said) == at)
        return next((part for part in about if self.stands(part.at)), None)

    def _about(self, seq: int) -> tuple[Logged, ...]:
        return self._blocks.get(seq // BLOCK, {}).get(seq, ())


def newest_row_first(part: Logged) -> tuple[int, int]:
    """Sort corrections newest first, those of one row in the order given."""
    return -part.seq, part.part
