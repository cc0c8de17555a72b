"""What keeps a long history quick: any element of a chain found in a few steps, any number in a tree of tuples."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ledger.history.by_number import ByNumber
from ledger.history.chains import back_to, jump_over


@dataclass
class Link:
    seq: int
    before: Link | None
    jump: Link | None


def chain(length: int) -> list[Link]:
    links: list[Link] = []
    for seq in range(1, length + 1):
        before = links[-1] if links else None
        links.append(Link(seq, before, jump_over(before)))
    return links


def test_any_element_of_a_chain_is_found() -> None:
    links = chain(200)
    for link in links:
        for seq in range(1, link.seq + 1):
            assert back_to(link, seq) is links[seq - 1]
        assert back_to(link, link.seq + 5) is link
        assert back_to(link, 0) is None
    assert back_to(None, 1) is None


def test_an_element_far_back_is_found_in_a_few_steps() -> None:
    """Counted on the way: a chain of 10,000 is gone back along in 3 * log2(10,000) steps at most."""
    last = chain(10_000)[-1]
    for seq in Random(0).sample(range(1, 10_000), 300):
        link, steps = last, 0
        while link.seq > seq:
            nearer = link.jump if link.jump and link.jump.seq >= seq else link.before
            assert nearer is not None
            link, steps = nearer, steps + 1
        assert (link.seq, steps <= 40) == (seq, True)


def test_a_jump_never_goes_past_the_beginning() -> None:
    assert [link.jump and link.jump.seq for link in chain(8)] == [None, 1, 2, 1, 4, 5, 4, 1]


def test_what_is_kept_by_number_is_found_and_earlier_values_stay_as_they_were() -> None:
    rng, expected = Random(0), dict[int, int]()
    kept: ByNumber[int] = ByNumber()
    stages: list[tuple[ByNumber[int], dict[int, int]]] = []
    for value in range(400):
        number = rng.choice((rng.randrange(40), rng.randrange(2_000), rng.randrange(100_000)))
        kept, expected = kept.having(number, value), {**expected, number: value}
        stages.append((kept, expected))
    for stage, known in stages[::20]:
        assert {number: stage.get(number) for number in expected} == {n: known.get(n) for n in expected}
    assert kept.get(10**9) is None
    assert stages[0][0].get(99_999) is None
