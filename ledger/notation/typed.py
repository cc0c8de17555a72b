"""Numbers as people type them: in whatever width, with any minus, in groups of three; never another number.

Grouped is what every separator is the same in and every group behind the first has three digits in: `1,000`, `1'000`.
"""

from __future__ import annotations

import re

from babel.numbers import get_currency_precision

_WIDTHS = str.maketrans("０１２３４５６７８９．，＋－\N{MINUS SIGN}’＇", "0123456789.,+--''")
_WHOLE = re.compile(r"([+-]?)([0-9]{1,16}|[1-9][0-9]{0,2}([,' \u00a0\u2009\u202f\u3000])[0-9]{3}(?:\3[0-9]{3}){0,3})")
_MONEY = re.compile(
    r"([1-9][0-9]{0,2}([,' \u00a0\u2009\u202f\u3000])[0-9]{3}(?:\2[0-9]{3})*|[0-9]+)(?:([.,])([0-9]+))?"
)
_DECIMALS_BEHIND_A_COMMA = 2


def whole_number(text: str) -> int | None:
    """Read a whole number, `２５`, `−30` or `1,000`; None for anything else, as for `1.5` and `10,00`."""
    found = _WHOLE.fullmatch(text.strip().translate(_WIDTHS))
    return int(found[1] + re.sub(r"\D", "", found[2])) if found else None


class EitherOf(Exception):
    """An amount of money may be read in two ways."""

    def __init__(self, grouped: str, decimal: str) -> None:
        super().__init__(grouped, decimal)
        self.grouped, self.decimal = grouped, decimal


def money(text: str, currency: str) -> str | None:
    """Read an amount of money as the wire has it, `1000.50`; None for anything else.

    One or two digits behind a comma are decimals in a currency that has any. Three may be a group or decimals there,
    which raises EitherOf.
    """
    found = _MONEY.fullmatch(text.strip().translate(_WIDTHS))
    if found is None:
        return None
    whole, group, mark, decimals = re.sub(r"\D", "", found[1]), found[2], found[3], found[4]
    has_decimals = get_currency_precision(currency) > 0
    if group == "," and mark is None and has_decimals and found[1].count(",") == 1:
        raise EitherOf(whole, found[1].replace(",", "."))
    if mark == "," and (group == "," or not has_decimals or len(decimals) > _DECIMALS_BEHIND_A_COMMA):
        return None
    return f"{whole}.{decimals}" if mark else whole
