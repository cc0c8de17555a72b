"""Numbers as people type them: in whatever width, with any minus, in groups of three; never another number.

A number is grouped if its separators are the same and each group behind the first has three digits: `1,000`, `1'000`.
"""

from __future__ import annotations

import re

from babel.numbers import get_currency_precision

_WIDTHS = str.maketrans("０１２３４５６７８９．，＋－\N{MINUS SIGN}’＇", "0123456789.,+--''")
_GROUPED = r"[1-9][0-9]{0,2}([,' \u00a0\u2009\u202f\u3000])[0-9]{3}(?:\%d[0-9]{3})"
_WHOLE = re.compile(rf"([+-]?)([0-9]{{1,16}}|{_GROUPED % 3}{{0,3}})")
_MONEY = re.compile(rf"({_GROUPED % 2}*|[0-9]+)(?:([.,])([0-9]+))?")
MAX_DECIMALS_AFTER_COMMA = 2


def whole_number(text: str) -> int | None:
    """Read a whole number, `２５`, `−30` or `1,000`; None for anything else, as for `1.5` and `10,00`."""
    found = _WHOLE.fullmatch(text.strip().translate(_WIDTHS))
    return int(found[1] + re.sub(r"\D", "", found[2])) if found else None


def amounts_of_money(text: str, currency: str) -> tuple[str, ...]:
    """Give what an amount of money may mean, as the wire has it, `1000.50`; nothing for anything else.

    One or two digits behind a comma are decimals in a currency that has any. Three may be a group or decimals there:
    then there are two.
    """
    found = _MONEY.fullmatch(text.strip().translate(_WIDTHS))
    if found is None:
        return ()
    whole, group, mark, decimals = re.sub(r"\D", "", found[1]), found[2], found[3], found[4]
    has_decimals = get_currency_precision(currency) > 0
    if group == "," and mark is None and has_decimals and found[1].count(",") == 1:
        return whole, found[1].replace(",", ".")
    if mark == "," and (group == "," or not has_decimals or len(decimals) > MAX_DECIMALS_AFTER_COMMA):
        return ()
    return (f"{whole}.{decimals}" if mark else whole,)
