"""The file that lists the shards: TOML, one table `[[shard]]` for each, with its name, its address and its weight.

    [[shard]]
    name = "east"
    address = "sqlite:////srv/east/ledger.db"
    weight = 2

The name is for good: with it a key's hash says where a session is opened. A weight of 0 opens no sessions there.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ledger.store import DatabaseUnusable
from ledger.store.address import Address, BadAddress

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

MOST_WEIGHT = 1_000

USUAL_WEIGHT = 1

MEMBERS = ("name", "address", "weight")


class Listed(NamedTuple):
    """A shard as it is listed. With a weight of 0, no sessions are opened there."""

    name: str
    address: Address
    weight: int


def read_list(address: Address) -> Sequence[Listed]:
    """Read the file that an address names. Raises DatabaseUnusable, which says what would have been right."""
    path = Path(address.whole.removeprefix(f"{address.scheme}:///"))
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DatabaseUnusable(f"{address} cannot be read ({error.strerror}); it has to list the shards") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        why = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it is no UTF-8"
        raise DatabaseUnusable(f"{address} has to be TOML that lists the shards: {why}") from None
    for wrong in faults_of(told, address.scheme):
        raise DatabaseUnusable(f"{address}: {wrong}")
    return [Listed(one["name"], Address.read(one["address"]), one.get("weight", USUAL_WEIGHT)) for one in told["shard"]]


def faults_of(told: Mapping[str, Any], scheme: str) -> Iterator[str]:
    """Say what is wrong with a list, in the order in which one reads it; `scheme` is of lists, which have no lists."""
    shards = told.get("shard")
    for name in told:
        if name != "shard":
            yield f"there is no {name!r} in such a list; each shard has to be a table [[shard]]"
    if not isinstance(shards, list) or not shards or not all(isinstance(one, dict) for one in shards):
        yield "there has to be at least one table [[shard]], with name, address and weight"
        return
    for number, one in enumerate(shards, 1):
        yield from faults_of_one(f"shard {number}", one, scheme)
    yield from faults_between(shards)


def faults_of_one(which: str, told: Mapping[str, Any], scheme: str) -> Iterator[str]:
    """Say what is wrong with one shard by itself. Of its address nothing is said that could be a password."""
    for member in told:
        if member not in MEMBERS:
            yield f"{which} has {member!r}; it may have {', '.join(MEMBERS)}"
    name, address, weight = (told.get(member) for member in MEMBERS)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield f"the name of {which} has to be 1 to 64 letters, digits, dots, - or _, the first a letter or digit"
    if not isinstance(address, str):
        yield f"the address of {which} has to be a text that could be LEDGER_DATABASE"
        return
    try:
        is_list = Address.read(address).scheme == scheme
    except BadAddress as error:
        yield f"the address of {which} is {error}"
        return
    if is_list:
        yield f"the address of {which} has to be of one database, and not of another list"
    if "weight" in told and (type(weight) is not int or not 0 <= weight <= MOST_WEIGHT):
        yield f"the weight of {which} has to be a whole number from 0 to {MOST_WEIGHT}"


def faults_between(shards: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say what is wrong with shards that are right by themselves."""
    for name, often in Counter(one["name"] for one in shards).items():
        if often > 1:
            yield f"{often} shards are called {name!r}; each has to have a name of its own"
    for address, often in Counter(Address.read(one["address"]) for one in shards).items():
        if often > 1:
            yield f"{often} shards are at {address}; each has to have a database of its own"
    if not any(one.get("weight", USUAL_WEIGHT) for one in shards):
        yield "every weight is 0; at least one shard has to take new sessions, with a weight of 1 or more"
