"""What things are called after names that people gave: files, and accounts in other programs.

A file is called by the name of the session, as far as every system lets files be called so. Left out is what is a
separator or a wildcard somewhere, what cannot be seen, and what makes a name read from right to left: such a name can
end in what looks like another kind of file.
"""

from __future__ import annotations

import unicodedata

from ledger.language import cut, letters

RESERVED = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{digit}" for port in ("COM", "LPT") for digit in "123456789")}
)
"""Names that Windows keeps for devices, whatever comes after a point."""

FORBIDDEN = frozenset('<>:"/\\|?*%')
JOINER = "\N{ZERO WIDTH JOINER}"
MAX_BYTES = 150
"""How many bytes of a session's name go into a file's: file systems take 255 in all."""


def file_name(title: str, part: str | None, ending: str) -> str:
    """Call a file by a title, and by the part of the whole that it is."""
    seen = "".join(_as_in_a_name(letter) for letter in letters(unicodedata.normalize("NFC", title)))
    stem = cut(" ".join(seen.split()), MAX_BYTES, lambda letter: len(letter.encode())).strip(" .-~")
    if not stem or stem.partition(".")[0].strip().upper() in RESERVED:
        stem = f"fuda-ledger {stem}".strip()
    return f"{stem} {part}.{ending}" if part else f"{stem}.{ending}"


def ascii_part(name: str) -> str:
    """Give what of a name can be said in English letters and digits: `Zoë O'Neil` is `Zoe-O-Neil`, 千恵 is nothing."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in plain).split()
    return "-".join(words)[:30].rstrip("-")


def letters_of(name: str) -> str:
    """Give the letters and digits of a name, in any script: `Zoë O'Neil` is `Zoë-O-Neil`, 山田 太郎 is `山田-太郎`.

    What is no letter by itself, as a lonely accent, is left out; so is what comes after the first thirty letters.
    """
    composed = unicodedata.normalize("NFKC", name)
    words = "".join(letter if unicodedata.category(letter) in _IN_WORDS else " " for letter in composed).split()
    return "-".join(words)[:30].rstrip("-")


_IN_WORDS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nd"})


def _as_in_a_name(letter: str) -> str:
    """Keep what can be seen: no control, format or private characters, no halves of one, no separators.

    What joins several signs to one letter, as a family of emoji, stays between them.
    """
    seen = "".join(sign for sign in letter if sign == JOINER or _can_be_seen(sign))
    return seen.strip(JOINER) or " "


def _can_be_seen(sign: str) -> bool:
    return sign not in FORBIDDEN and unicodedata.category(sign)[0] not in "CZ"
