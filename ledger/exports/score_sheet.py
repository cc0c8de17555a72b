"""A score sheet that prints well on A4: who won what, who pays whom, how the evening went, every round.

The page is `templates/sheet.html`; here is what it says, in the reader's language. It needs nothing from elsewhere and
runs nothing. Names are escaped by the template and kept to their places by `inert`: characters that would break a line
are spaces, and names from right to left do not turn what stands around them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, cached_property
from typing import NamedTuple

import wcwidth
from babel.numbers import format_currency
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ledger.books import Balances
from ledger.charts import short_names, signed, won_chart
from ledger.codec.fractions import decimal
from ledger.exports.archive import SessionArchive
from ledger.exports.days import in_words, played_on, played_on_by_rounds
from ledger.exports.telling import (
    HouseRule,
    Played,
    deck_name,
    game_title,
    house_rules,
    how_it_ended,
    last_recorded_at,
    played,
    settlement,
    status_name,
)
from ledger.exports.wanted import Wanted
from ledger.language import Language, display_names, inert, render, translate
from ledger.play.values import BANK, POT, Account, Chips, PlayerId
from ledger.records import Record, UnsetType
from ledger.sentences import Sentence, say
from ledger.session.events import ChipValue
from ledger.settlement import Settlement, worth
from ledger.statistics import statistics

MAX_ROUNDS_DRAWN = 500
"""How many rounds a chart shows on paper; of more, nobody could tell one from the next."""

UPRIGHT, ACROSS = 142, 232
"""What a sheet of A4 leaves for the players' columns when it stands or lies, in mm."""

ROUND_AND_POT = 42
"""How wide the other columns of the table of rounds are together, in mm."""

DIGIT, SMALL_DIGIT, BETWEEN, LEAST_COLUMN = 1.55, 1.25, 1.5, 9.5
"""How wide a digit is, and what lies between columns, in mm."""


def write_html(archive: SessionArchive, wanted: Wanted) -> Iterator[bytes]:
    """Write the sheet, some hundred parts at a time; the first goes before all rounds have been looked at."""
    page = _templates().get_template("sheet.html").stream(sheet=Sheet(archive, wanted))
    yield next(page).encode()
    page.enable_buffering(500)
    for piece in page:
        yield piece.encode()


@cache
def _templates() -> Environment:
    templates = Environment(loader=PackageLoader("ledger"), autoescape=True, undefined=StrictUndefined)
    templates.filters |= {"signed": signed, "grouped": grouped, "css": css_text}
    return templates


class Standing(NamedTuple):
    """What an account won and holds, and both in money; a player has a place in the order of what was won."""

    place: int | None
    name: str
    won: Chips
    won_money: str
    balance: Chips
    money: str
    is_here: bool


class Column(NamedTuple):
    """A player's column in the table of rounds: what the player won and holds.

    `outside` is what play brought outside the rounds, as a pot that was split; `beside` what play did not bring.
    """

    player: PlayerId
    name: str
    is_vertical: bool
    outside: Chips
    won: Chips
    beside: Chips
    balance: Chips


class Cell(NamedTuple):
    """What a round brought a player, and what that player had won by then.

    It writes itself: there are so many that a template takes half as long again for them. Nothing in it needs escaping.
    """

    net: str
    after: str
    looks: str

    def __html__(self) -> str:
        looks = f' class="{self.looks}"' if self.looks else ""
        return f"<td{looks}>{self.net}<small>{self.after}</small></td>"


class Line(NamedTuple):
    """A round in the table."""

    number: int
    status: str
    cells: Sequence[Cell]
    pot: Chips


class Survey(NamedTuple):
    """What has to be known of all rounds before the first is told.

    What they brought everybody, how wide a column has to be, in mm, and what everybody had won after those that are
    over, as far as they can be drawn.
    """

    nets: Mapping[PlayerId, Chips]
    column: float
    over: Sequence[Balances]


class Sheet(Record, dict=True, gc=True):
    """Everything that the template asks for. Rounds are told as they are asked for, since there may be many."""

    archive: SessionArchive
    wanted: Wanted

    @property
    def language(self) -> Language:
        return self.wanted.language

    # --- the head and the foot --------------------------------------------------------------------------------------

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Give the words that stand on every sheet."""
        language = self.language
        return {
            "balance": translate("Balance", language),
            "beside": translate("Bought, given, paid", language),
            "chips": translate("Chips", language),
            "fortunes": translate("What the chances say", language),
            "gets": translate("To", language),
            "how": translate("How the rounds went", language),
            "legend": translate(
                "A round's chips, and below them what was won by then. Framed: the dealer. Bold: the winner.", language
            ),
            "no_rounds": translate("No round has been played yet.", language),
            "nobody_pays": translate("Nobody owes anybody anything.", language),
            "outside": translate("Outside the rounds", language),
            "paid": translate("Paid", language),
            "pays": translate("From", language),
            "player": translate("Player", language),
            "pot": translate("Pot", language),
            "rounds": translate("Rounds", language),
            "rules": translate("House rules", language),
            "standings": translate("Result", language),
            "two_figures": translate("Won is what play brought; the balance is what is still to be settled.", language),
            "who_pays": translate("Who pays whom", language),
            "won": translate("Won", language),
        }

    @cached_property
    def title(self) -> str:
        """Name the evening."""
        return inert(self.archive.session.name or game_title(self.archive, self.language))

    @cached_property
    def about(self) -> Sequence[str]:
        """Say what was played, when, and whether it is over."""
        archive, language = self.archive, self.language
        table, seq = archive.session.state.table, archive.session.state.seq
        when = self.wanted.when(archive.session.created_at, last_recorded_at(archive))
        if told := played_on(archive, self.wanted):
            when = f"{told} ({render(say('recorded {when}', when=when), language, {})})"
        about = [game_title(archive, language), deck_name(archive, language), when]
        if self.value:
            about.append(render(say("a chip is worth {money}", money=self.money(1)), language, {}))
        if table.status == "open":
            about.append(render(say("still open, after event {seq}", seq=seq), language, {}))
        return about

    @cached_property
    def rules(self) -> Sequence[HouseRule]:
        """Give the house rules, switch by switch."""
        return list(house_rules(self.archive, self.language))

    def usually(self, rule: HouseRule) -> str:
        """Say how a rule is usually, beside how it is here."""
        return render(say("usually: {usual}", usual=rule.usual), self.language, {})

    @cached_property
    def colophon(self) -> str:
        """Say where all this comes from, and that it adds up."""
        session = self.archive.session
        about = say(
            "Session {id}, as it stood after event {seq}. All balances, the pot and the bank sum to zero.",
            id=session.id,
            seq=session.state.seq,
        )
        return render(about, self.language, {})

    # --- balances and payments --------------------------------------------------------------------------------------

    @cached_property
    def value(self) -> ChipValue | None:
        """Say what a chip is worth."""
        return self.archive.session.chip_value

    @cached_property
    def standings(self) -> Sequence[Standing]:
        """Give everyone's result, who won most first, and then the pot and the bank, if they hold anything."""
        state = self.archive.session.state
        order = sorted(state.table.players, key=lambda player: -state.won.get(player.id, 0))
        sums = [state.won.get(player.id, 0) for player in order]
        people = (
            self._standing(player.id, sums.index(chips) + 1, is_here=player.active)
            for player, chips in zip(order, sums, strict=True)
        )
        others = (self._standing(account) for account in (POT, BANK) if state.balances.get(account))
        return (*people, *others)

    def _standing(self, account: Account, place: int | None = None, *, is_here: bool = False) -> Standing:
        state = self.archive.session.state
        won, balance = state.won.get(account, 0), state.balances.get(account, 0)
        return Standing(place, self.name_of(account), won, self.money(won), balance, self.money(balance), is_here)

    @cached_property
    def payments(self) -> Sequence[tuple[str, str, Chips, str]]:
        """Say who pays whom how much, in chips and in money."""
        return [
            (self.name_of(due.payer), self.name_of(due.payee), due.amount, self._currency(due.money))
            for due in self._settlement.payments
        ]

    @cached_property
    def notes(self) -> Sequence[str]:
        """Say what there is to know about the payments."""
        notes, rest = [], self._settlement.remainder
        if not self._settlement.exact:
            notes.append(say("So many have to settle that there may be a way with fewer payments."))
        if rest and Decimal(rest):
            notes.append(say("Money is rounded down; in all, {rest} is left over.", rest=self._currency(rest)))
        return [render(note, self.language, {}) for note in notes]

    @cached_property
    def _settlement(self) -> Settlement:
        return settlement(self.archive)

    def name_of(self, account: Account) -> str:
        fixed = {POT: translate("Pot", self.language), BANK: translate("Bank", self.language)}
        return fixed.get(account) or inert(self._names[account])

    @cached_property
    def _names(self) -> Mapping[PlayerId, str]:
        """Whole names, told apart where people have the same."""
        return display_names(self.archive.session.names)

    def money(self, chips: Chips) -> str:
        """Give chips in money, to the last digit; nothing where a chip has no value."""
        return self._currency(worth(chips, self.value.per_chip)) if self.value else ""

    def _currency(self, amount: Decimal | str | UnsetType) -> str:
        if self.value is None or isinstance(amount, UnsetType):
            return ""
        exact, currency = Decimal(amount), self.value.currency
        written: str = format_currency(exact, currency, locale=self.language, decimal_quantization=False)
        return written.replace("-", "\N{MINUS SIGN}")

    # --- rounds -----------------------------------------------------------------------------------------------------

    @cached_property
    def chart(self) -> str:
        """Draw how the balances went; nothing before the first round is over, or with too many to draw."""
        over = self._survey.over
        if not 0 < len(over) <= MAX_ROUNDS_DRAWN:
            return ""
        names = self.archive.session.names
        return won_chart(
            list(names.values()),
            [[won.get(player, 0) for won in over] for player in names],
            self.language,
            played_on_by_rounds(self.archive.session.state, self.language),
        )

    @cached_property
    def is_wide(self) -> bool:
        """Whether the sheet has to lie for the players' columns to have room."""
        return len(self._columns) * self._survey.column > UPRIGHT

    @cached_property
    def tables(self) -> Sequence[Sequence[Column]]:
        """Divide the players' columns into as few tables as have room, all about as wide."""
        columns = self._columns
        most = int((ACROSS if self.is_wide else UPRIGHT) // self._survey.column)
        tables = -(-len(columns) // most)
        each = -(-len(columns) // tables)
        return [columns[at : at + each] for at in range(0, len(columns), each)]

    @cached_property
    def score_width(self) -> float:
        """Say how wide the tables of rounds have to be on a screen for every number to have room, in mm."""
        return round(ROUND_AND_POT + max(map(len, self.tables), default=0) * self._survey.column, 1)

    def lines(self, table: Sequence[Column]) -> Iterator[Line]:
        """Tell the rounds to one of the tables."""
        for done in self._rounds():
            day = in_words({done.round.played_on}, self.language) if done.round.played_on else ""
            ended = "" if done.status in ("won", "settled") else status_name(done, self.language)
            status = " · ".join(filter(None, (day, ended)))
            cells = [self._cell(done, column.player) for column in table]
            yield Line(done.round.number, status, cells, done.round.phase.pot)

    @cached_property
    def has_outside(self) -> bool:
        """Whether play brought anything outside the rounds."""
        return any(column.outside for column in self._columns)

    @cached_property
    def has_beside(self) -> bool:
        """Whether anything moved that play did not bring."""
        return any(column.beside for column in self._columns)

    @property
    def pot(self) -> Chips:
        """Say what lies in the pot."""
        return self.archive.session.state.table.pot

    @property
    def pot_won(self) -> Chips:
        """Say what play brought the pot: without fines, and with what was won of them."""
        return self.archive.session.state.won.get(POT, 0)

    def stories(self) -> Iterator[tuple[int, str]]:
        """Tell how each round ended."""
        for done in self._rounds():
            if not done.round.is_open:
                yield done.round.number, how_it_ended(self.archive, done.round, self.language)

    @cached_property
    def fortunes(self) -> Sequence[str]:
        """Say, where the table is told the chances, who was luckiest, and who paid more than a ride was worth."""
        state, names = self.archive.session.state, self._names
        if not state.table.odds:
            return ()
        told, lines = statistics(state), list[Sentence]()
        if told.luckiest and (luck := told.players[told.luckiest].luck):
            lines.append(
                say(
                    "The cards were kindest to {player:player}: {chips} chips beyond what was to be expected.",
                    player=told.luckiest,
                    chips=decimal(luck),
                )
            )
        lines += [
            say(
                "Round {round}, event {seq}: {player:player} paid {price:chips} to ride on {owner:player} with "
                "{card:card}; with that in the pot, half the rights were worth {worth}.",
                round=ride.round,
                seq=ride.seq,
                player=ride.player,
                owner=ride.owner,
                card=ride.card,
                price=ride.price,
                worth=decimal(ride.worth),
            )
            for ride in told.dear_rides
        ]
        return [render(line, self.language, names) for line in lines]

    def _rounds(self) -> Iterator[Played]:
        return played(self.archive.session.state)

    @staticmethod
    def _cell(done: Played, player: PlayerId) -> Cell:
        net, after = done.nets.get(player, 0), done.won.get(player, 0)
        if player not in done.round.ground.seats:
            return Cell("", signed(after) if after else "", "")
        looks = ("minus" * (net < 0), "deals" * (player == done.round.ground.dealer), "wins" * (player == done.winner))
        return Cell(signed(net), signed(after), " ".join(filter(None, looks)))

    @cached_property
    def _columns(self) -> Sequence[Column]:
        state, nets = self.archive.session.state, self._survey.nets
        columns, names, all_won = [], self.archive.session.names, state.won
        for (player, name), short in zip(names.items(), short_names(list(names.values())), strict=True):
            won, held = all_won.get(player, 0), state.balances.get(player, 0)
            chips = won - nets.get(player, 0), won, held - won, held
            columns.append(Column(player, inert(short), _is_vertical(name), *chips))
        return columns

    @cached_property
    def _survey(self) -> Survey:
        nets: dict[PlayerId, Chips] = defaultdict(int)
        over: list[Balances] = []
        state = self.archive.session.state
        net_digits = 0
        after_digits = max(
            len(signed(chips)) for sums in (state.won, state.balances, {"": 0}) for chips in sums.values()
        )
        for done in self._rounds():
            for player in done.round.ground.seats:
                net = done.nets.get(player, 0)
                nets[player] += net
                net_digits = max(net_digits, len(signed(net)))
                after_digits = max(after_digits, len(signed(done.won.get(player, 0))))
            if not done.round.is_open and len(over) <= MAX_ROUNDS_DRAWN:
                over.append(done.won)
        return Survey(nets, max(DIGIT * net_digits + BETWEEN, SMALL_DIGIT * after_digits + BETWEEN, LEAST_COLUMN), over)


def _is_vertical(name: str) -> bool:
    """Say whether a name is written letter under letter when it stands on end, as Japanese is; others are turned."""
    return any(wcwidth.wcwidth(letter) == 2 for letter in name)


def grouped(chips: Chips) -> str:
    """Write chips that are never negative; none at all is a dash."""
    return f"{chips:,}" if chips else "\N{EN DASH}"


def css_text(words: str) -> Markup:
    """Write somebody's words as a text in a style sheet: all but letters and digits by their numbers."""
    return Markup('"%s"') % Markup("").join(letter if letter.isalnum() else f"\\{ord(letter):x} " for letter in words)
