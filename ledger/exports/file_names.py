"""Names of files, after the name of the session as far as every system allows it.

Separators, wildcards, invisible characters and marks that turn the direction of writing are left out; the last could
make a name end like another kind of file.
"""

from __future__ import annotations

import unicodedata

import wcwidth

from ledger.i18n.language import cut

RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{port}{digit}" for port in ("COM", "LPT") for digit in "123456789")}
"""Names that Windows reserves for devices, whatever comes after a point."""

FORBIDDEN = frozenset('<>:"/\\|?*%')
JOINER = "\N{ZERO WIDTH JOINER}"
MAX_BYTES = 150
"""How many bytes of a session's name go into a file's: file systems take 255 in all."""


def file_name(title: str, part: str | None, ending: str) -> str:
    """Call a file by a title, and by the part of the whole that it is."""
    seen = "".join(_as_in_a_name(letter) for letter in wcwidth.iter_graphemes(unicodedata.normalize("NFC", title)))
    stem = cut(" ".join(seen.split()), MAX_BYTES, lambda letter: len(letter.encode())).strip(" .-~")
    if not stem or stem.partition(".")[0].strip().upper() in RESERVED:
        stem = f"fuda-ledger {stem}".strip()
    return f"{stem} {part}.{ending}" if part else f"{stem}.{ending}"


def ascii_part(name: str) -> str:
    """Return the English letters and digits of a name: `Zoë O'Neil` is `Zoe-O-Neil`, 千恵 is nothing."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in plain).split()
    return "-".join(words)[:30].rstrip("-")


def _as_in_a_name(letter: str) -> str:
    """Keep what can be seen: no control, format or private characters, no halves of one, no separators.

    What joins several signs to one letter, as a family of emoji, stays between them.
    """
    hidden = {sign for sign in letter if sign in FORBIDDEN or unicodedata.category(sign)[0] in "CZ"} - {JOINER}
    return "".join(sign for sign in letter if sign not in hidden).strip(JOINER) or " "
