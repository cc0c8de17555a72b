"""Where a database is: what `LEDGER_DATABASE` may say, and how it is shown.

An address begins with a scheme, which says the engine, as SQLAlchemy has it: `sqlite:///beside/here.db`,
`sqlite:////from/the/root.db`. Anything else is the path of a file. Nothing that was meant as an address may pass for a
path, or books end up in a file of an odd name: what has `://` in it, or begins like `name:`, is an address unless it
begins with `/` or `.`; so the file `a:b.db` is `./a:b.db`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import NamedTuple


class BadAddress(ValueError):
    """There can be no database at such an address."""


class Engine(NamedTuple):
    """What can keep the books: the module that has its `open_at`, the form of its addresses, and how to say that.

    `copied_with` says what makes copies of its databases and brings them back, if programs of others do.
    """

    module: str
    form: re.Pattern[str]
    forms: str
    copied_with: str | None = None


POSTGRESQL = Engine(
    "ledger.store.postgresql",
    re.compile(r"postgres(ql)?://[^\s\0]*"),
    "postgresql://user:password@host/name",
    "pg_basebackup with archived write-ahead logs (for any moment in the past), or pg_dump and pg_restore: see"
    " docs/operating.md",
)

ENGINES: dict[str, Engine] = {
    "sqlite": Engine(
        "ledger.store.sqlite",
        re.compile(r"sqlite:///(?!:memory:)[^?\0]+"),
        "sqlite:///beside/here.db, sqlite:////from/the/root.db",
    ),
    "postgresql": POSTGRESQL,
    "postgres": POSTGRESQL,
}
"""By the scheme of their addresses. A module is imported when its engine is opened, and never for another's sake."""

OF_FILES = "sqlite"
"""The engine whose databases may be named by a bare path."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is, shown without its password. The whole of it is for the engine alone."""

    scheme: str
    whole: str = field(repr=False)
    shown: str

    def __str__(self) -> str:
        return self.shown

    @classmethod
    def read(cls, given: Address | PathLike[str] | str) -> Address:
        """Read an address or a path. A path that is no text is one, whatever it looks like. Raises BadAddress."""
        if isinstance(given, Address):
            return given
        text = fspath(given)
        scheme = scheme_of(text) if isinstance(given, str) else None
        if scheme is None:
            address = cls(OF_FILES, f"{OF_FILES}:///{text}", text)
            is_right = text not in {"", ":memory:"} and "\0" not in text
        else:
            address = cls(scheme, text, without_password(text))
            is_right = scheme in ENGINES and ENGINES[scheme].form.fullmatch(text) is not None
        if not is_right:
            raise BadAddress(f"{address.shown!r}; it has to be {wanted()}")
        return address


def scheme_of(text: str) -> str | None:
    """Give what stands before `://`, or before `:` if it could be a scheme; None for a path. One letter is a drive."""
    found = re.match(r"((?![./])[^/]{2,}?|)://|([a-zA-Z][a-zA-Z0-9+-]+):", text)
    return (found[2] or found[1]) if found else None


def without_password(address: str) -> str:
    """Give an address with nothing in it that opens a database: rather too little of it than too much."""
    shown = re.sub(r"(?s)^([^:]*:/*[^:@]*):.*@", r"\1:***@", address)
    return re.sub(r"(?is)([?&][^=&]*(?:pass|pwd|secret|token|key)[^=&]*=).*", r"\1***", shown)


def wanted() -> str:
    """Say what an address may be."""
    forms = ", ".join(dict.fromkeys(engine.forms for engine in ENGINES.values()))
    return f"the path of a file (./ before it if it has a colon), or an address like {forms}"
