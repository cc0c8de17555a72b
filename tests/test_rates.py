"""How often an address has asked: counted for a time, by all processes together, in a bounded place."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable

import pytest

from ledger.rates import SLOT, Counted, Counters, Rate, one_client

FIVE = Rate("5/minute")


class Clock:
    """A clock that stands still until somebody moves it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def counters(clock: Clock) -> Counters:
    return Counters(clock=clock)


@pytest.mark.parametrize(
    ("text", "rate", "shown"),
    [
        ("600/minute", (600, 60), "600/minute"),
        ("10/second", (10, 1), "10/second"),
        ("1000/hour", (1000, 3600), "1000/hour"),
        ("2000/day", (2000, 86_400), "2000/day"),
        ("7", (7, 60), "7/minute"),
        ("off", (0, 0), "off"),
    ],
)
def test_a_rate_is_a_number_in_a_time(text: str, rate: tuple[int, int], shown: str) -> None:
    assert Rate(text) == rate
    assert str(Rate(text)) == shown
    assert bool(Rate(text)) == (text != "off")


@pytest.mark.parametrize("text", ["", "0", "0/minute", "-1", "5/week", "5 / minute", "1.5/hour", "no", "٥/minute"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        Rate(text)


def test_who_has_asked_as_often_as_they_may_waits_until_the_time_is_over(counters: Counters, clock: Clock) -> None:
    assert [counters.count("a", "1.2.3.4", FIVE).left for _ in range(5)] == [4, 3, 2, 1, 0]
    clock.now += 59.5
    assert counters.count("a", "1.2.3.4", FIVE) == Counted(0, 1, is_over=True)
    clock.now += 1
    assert counters.count("a", "1.2.3.4", FIVE) == Counted(4, 60, is_over=False)


def test_asking_on_makes_nobody_wait_longer(counters: Counters, clock: Clock) -> None:
    for _ in range(5):
        counters.count("a", "1.2.3.4", FIVE)
    for waited in range(60):
        assert counters.count("a", "1.2.3.4", FIVE) == Counted(0, 60 - waited, is_over=True)
        clock.now += 1
    assert not counters.count("a", "1.2.3.4", FIVE).is_over


def test_looking_is_not_counted(counters: Counters) -> None:
    for _ in range(9):
        assert counters.count("a", "1.2.3.4", FIVE, only_look=True) == Counted(5, 60, is_over=False)


def test_each_kind_and_each_address_has_a_counter_of_its_own(counters: Counters) -> None:
    for kind in ("a", "b"):
        for address in ("1.2.3.4", "1.2.3.5", "2001:db8::1", ""):
            assert counters.count(kind, address, FIVE).left == 4


def test_a_client_has_a_whole_64_of_ipv6() -> None:
    assert one_client("2001:db8:1:2::1") == one_client("2001:db8:1:2:ffff:ffff:ffff:ffff")
    assert one_client("2001:db8:1:2::1") != one_client("2001:db8:1:3::1")
    assert one_client("fe80::1%eth0") == one_client("fe80::2%eth1")
    assert one_client("::ffff:1.2.3.4") == one_client("1.2.3.4") != one_client("::ffff:1.2.3.5")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("198.51.100.7:4001", "198.51.100.7"),
        ("198.51.100.7:4001", "198.51.100.7:4002"),
        ("[2001:db8::1]:4001", "2001:db8::1"),
        ("[2001:db8::1]", "[2001:db8::2]:4002"),
        ("[fe80::1%eth0]:4001", "fe80::1"),
        ("::ffff:198.51.100.7", "198.51.100.7:4001"),
        ("[::ffff:198.51.100.7]:4001", "198.51.100.7"),
    ],
)
def test_a_client_is_the_same_at_each_of_its_ports(one: str, other: str) -> None:
    assert one_client(one) == one_client(other) != one_client("198.51.100.8:4001")


def test_all_without_a_readable_address_are_one_client() -> None:
    unreadable = ["", "unix:", "unknown", "_hidden:4001", "198.51.100.300", "1:2", "[", "[]:80", "a" * 1000, "\udcff"]
    assert {one_client(address) for address in unreadable} == {""}


def in_other_processes(works: int, work: Callable[[], None]) -> None:
    """Do a work in so many processes at once, each forked from this one."""
    processes = [multiprocessing.get_context("fork").Process(target=work) for _ in range(works)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0


def test_all_processes_count_together_and_none_is_lost() -> None:
    counters, many = Counters(), Rate("1000000/hour")

    def asks() -> None:
        for _ in range(2_000):
            counters.count("a", "1.2.3.4", many)

    in_other_processes(4, asks)
    assert counters.count("a", "1.2.3.4", many).left == 1_000_000 - 8_001


def test_a_process_that_dies_in_the_middle_holds_nobody_up() -> None:
    counters = Counters()

    def dies() -> None:
        with counters._mine:
            assert counters._is_locked()
            os.kill(os.getpid(), signal.SIGKILL)

    process = multiprocessing.get_context("fork").Process(target=dies)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert counters.count("a", "1.2.3.4", FIVE).left == 4


def test_counters_of_two_services_are_strangers() -> None:
    one, other = Counters(), Counters()
    one.count("a", "1.2.3.4", FIVE)
    assert other.count("a", "1.2.3.4", FIVE).left == 4


def test_who_has_asked_much_is_not_forgotten_for_many_who_have_asked_little(clock: Clock) -> None:
    counters, many = Counters(ways=4, sets=8, clock=clock), Rate("100/minute")
    for _ in range(50):
        counters.count("a", "192.0.2.1", many)
    for number in range(10_000):
        counters.count("a", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", many)
    assert counters.count("a", "192.0.2.1", many).left == 49


def test_a_counter_whose_time_is_over_is_given_up_first(clock: Clock) -> None:
    counters = Counters(ways=2, sets=1, clock=clock)
    for _ in range(5):
        counters.count("a", "192.0.2.1", FIVE)
    clock.now += 61
    counters.count("a", "192.0.2.2", FIVE)
    counters.count("a", "192.0.2.3", FIVE)
    assert counters.count("a", "192.0.2.2", FIVE).left == 3


def test_no_address_is_kept_and_the_memory_is_bounded() -> None:
    counters = Counters()
    for address in ("203.0.113.77", "2001:db8::77"):
        counters.count("opening", address, FIVE)
    kept = counters._slots[:]
    assert len(kept) == 65_536 * SLOT.size
    assert not any(word in kept for word in (b"203.0", b"\xcb\x00\x71\x4d", b"\x4d\x71\x00\xcb", b"opening", b"2001"))
    others = Counters()
    others.count("opening", "203.0.113.77", FIVE)
    assert set(names(others)).isdisjoint(names(counters)), "the same address has another hash in another service"


def names(counters: Counters) -> list[int]:
    return [name for name, _, _ in SLOT.iter_unpack(counters._slots[:]) if name]
