"""A score sheet that prints well on A4: who won what, who pays whom, how the evening went, every round.

The page is `score_sheet.html`, which has the words, too. It loads nothing and runs nothing. Names are escaped by the
template, and `inert` limits what they do to the text around them: characters that would break a line are spaces, and
a name from right to left turns nothing else.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any

from babel.dates import format_date, format_time
from babel.numbers import format_currency
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from ledger.accounting.charts import signed, won_chart
from ledger.codec.encoding import decimal
from ledger.cooperation import yielding
from ledger.exports import tables
from ledger.exports.archive import SessionArchive
from ledger.exports.options import in_words, played_on_by_rounds
from ledger.exports.tables import Table
from ledger.i18n.language import inert
from ledger.i18n.sentences import Sentence
from ledger.session.statistics import statistics

MAX_ROUNDS_DRAWN = 500
"""How many rounds a chart shows on paper; lines of more cannot be distinguished."""


def write_html(archive: SessionArchive) -> bytes:
    language, session, value = archive.options.language, archive.session, archive.session.chip_value

    def money(amount: Decimal | str) -> str:
        """Write money to the last digit; nothing where a chip has no value."""
        code = value.currency if value else ""
        exact = format_currency(Decimal(amount), code, locale=language, decimal_quantization=False)
        return str(exact).replace("-", "\N{MINUS SIGN}")

    ends = [archive.options.local(time) for time in (session.created_at, archive.last_recorded_at)]
    shows = "HH:mm" if len({end.utcoffset() for end in ends}) == 1 else "HH:mm OOOO"  # if clocks were changed
    parts = template().generate(
        _=lambda text, **facts: archive.words(Sentence(text, facts)),
        archive=archive,
        title=inert(archive.title),
        days=[format_date(end.date(), "long", locale=language) for end in ends],
        times=[format_time(end, shows, tzinfo=end.tzinfo, locale=language) for end in ends],
        names={account: inert(name) for account, name in archive.accounts.items()},
        money=money,
        standings=by_key(tables.standings(archive)),
        payments=by_key(tables.payments(archive.settlement)),
        in_words=lambda day: in_words({day}, language),
        chart=chart(archive),
        statistics=statistics(archive.state) if archive.state.table.odds else None,
    )
    return "".join(yielding(parts)).encode()


@cache
def template() -> Template:
    templates = Environment(
        loader=PackageLoader("ledger", "exports"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    templates.filters |= {"signed": signed, "decimal": decimal}
    templates.filters["grouped"] = lambda chips: f"{chips:,}" if chips else "\N{EN DASH}"
    return templates.get_template("score_sheet.html")


def by_key(table: Table) -> list[dict[str, Any]]:
    """Give each row of a table by the keys of its columns."""
    return [dict(zip((column.key for column in table.columns), row, strict=True)) for row in table.rows]


def chart(archive: SessionArchive) -> str:
    """Draw what was won over the rounds; empty before the first is over, or with too many to draw."""
    over, names = [done.won for done in archive.rounds if done.status != "recording"], archive.session.names
    if not 0 < len(over) <= MAX_ROUNDS_DRAWN:
        return ""
    histories = [[won.get(player, 0) for won in over] for player in names]
    days = played_on_by_rounds(archive.state, archive.options.language)
    return won_chart(list(names.values()), histories, archive.options.language, days)
