"""The whole session as JSON: the ledger in it is told as everywhere else."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ledger.books import Entry
from ledger.codec.encoding import encoded
from ledger.exports.json import entries_listed
from tests.exports.recorder import HOSTILE

numbers = st.integers(1, 10**15)
words = st.sampled_from((*HOSTILE, '},{"id":', "},{", "ante"))
entries = st.builds(
    Entry, numbers, numbers, st.none() | numbers, words, words, numbers, words, st.none() | numbers, st.none() | numbers
)


@given(st.lists(entries, max_size=5))
def test_an_entry_a_line_is_told_as_everywhere_else(several: Sequence[Entry]) -> None:
    told = b"".join(entries_listed(iter(several)))
    assert told == b',"entries":[' + b",".join(b"\n" + encoded(entry) for entry in several) + b"]"
