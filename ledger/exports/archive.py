"""What a file is made from: the facts of a session, and what its reader calls them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ledger.accounting.books import Balances, Entry, posted
from ledger.accounting.settlement import Settlement
from ledger.cooperation import yielding
from ledger.exports.options import ExportOptions, in_words
from ledger.i18n.language import display_names, render
from ledger.i18n.sentences import Sentence, say
from ledger.records import Record, members_of
from ledger.responses.events import LoggedEvent, with_statuses
from ledger.responses.reports import settlement_answer
from ledger.rulebook.cards import DECK_LABELS, DeckName
from ledger.rulebook.phase import RESULTS
from ledger.rulebook.values import BANK, POT, Account, Chips, Day, PlayerId, Reason
from ledger.session.events import REASONS
from ledger.session.history import Session, SessionState, Step, settlement_of
from ledger.session.rounds import explain
from ledger.session.table import Round
from ledger.storage.store import Reader
from ledger.storage.stored import StoredEvent, StoredSession


class RoundSummary(NamedTuple):
    """A round and the seq of its opening; what came of it, with `status` `recording` while it is open.

    `nets` is what it brought each account; `balances` and `won` are those of all accounts after it.
    """

    round: Round
    seq: int
    status: str
    winner: PlayerId | None
    next_dealer: PlayerId | None
    paid_in: Chips
    nets: Balances
    balances: Balances
    won: Balances


class HouseRule(NamedTuple):
    """A switch, its setting now, in words or as a number of chips, and its usual setting if that differs."""

    switch: str
    setting: int | str
    usually: str


class SessionArchive(Record, dict=True, gc=True):
    """Everything of a session up to its state's last event, read from one snapshot of the store."""

    session: Session
    stored: StoredSession
    reader: Reader
    options: ExportOptions

    # --- the log, its events with their statuses, and the ledger; oldest first ----------------------------------------

    def rows(self) -> Iterator[StoredEvent]:
        return self.reader.events(self.session.id, limit=self.state.seq)

    def events(self) -> Iterator[LoggedEvent]:
        return with_statuses(self.reader, self.session.id, self.rows(), self.state)

    def entries(self) -> Iterator[Entry]:
        return self.reader.entries(self.session.id, limit=self.state.books.last_entry)

    @property
    def state(self) -> SessionState:
        return self.session.state

    @cached_property
    def rounds(self) -> Sequence[RoundSummary]:
        return [summary_of(done, steps) for done, steps in yielding(self.state.played())]

    @cached_property
    def settlement(self) -> Settlement:
        return settlement_answer(settlement_of(self.state, None), self.session.chip_value)

    @cached_property
    def last_recorded_at(self) -> str:
        """Return when the last event was recorded; before the first, when the session was opened."""
        last = self.reader.events(self.session.id, after=self.state.seq - 1, limit=min(1, self.state.seq))
        return next((row.recorded_at for row in last), self.session.created_at)

    # --- days: a round's own `played_on`, else the session's, else the day on which it was recorded ------------------

    @property
    def opened(self) -> Day:
        return self.options.day(self.session.created_at)

    @cached_property
    def days_of_rounds(self) -> Mapping[int, Day]:
        return {done.number: done.played_on for done in self.state.rounds() if done.played_on}

    @property
    def first_day(self) -> Day:
        return min(self.opened, self.state.table.played_on or self.opened, *self.days_of_rounds.values())

    def day(self, number: int | None, recorded: Day) -> Day:
        """Return the day of a round, or of an event between rounds."""
        return self.days_of_rounds.get(number or 0) or self.state.table.played_on or recorded

    @property
    def played_on(self) -> str:
        """Format the days on which was played; empty if there is no `played_on`."""
        evening, days = self.state.table.played_on, {*self.days_of_rounds.values()}
        if (evening or days) and not 0 < len(self.days_of_rounds) == self.state.table.rounds:
            days |= {evening} if evening else {self.opened, self.options.day(self.last_recorded_at)}
        return in_words(days, self.options.language)

    # --- in the reader's words --------------------------------------------------------------------------------------

    def words(self, sentence: Sentence) -> str:
        return render(sentence, self.options.language, self.session.names)

    @property
    def title(self) -> str:
        return self.session.name or self.game

    @property
    def game(self) -> str:
        versions = self.state.table.rule_books
        return self.words(versions[max(versions)].title)

    @property
    def deck(self) -> str:
        return self.words(DECK_LABELS[self.session.opening.deck])

    @property
    def house_rules(self) -> Iterator[HouseRule]:
        """Give every house rule as it is set; one in a group comes with the group's name."""
        rules, deck = self.state.table.rules, self.session.opening.deck
        for (switch, setting), (_, usual) in zip(switches(rules, deck), switches(type(rules)(), deck), strict=True):
            now, usually = (self.words(each) if isinstance(each, Sentence) else each for each in (setting, usual))
            differs = self.words(say("usually: {usual}", usual=usually)) if now != usually else ""
            yield HouseRule(self.words(switch), now, differs)

    @cached_property
    def accounts(self) -> Mapping[Account, str]:
        """Name every account; players of the same name are numbered."""
        gone = {account: account for account in self.state.balances}  # also a player whose joining was taken back
        fixed = {POT: self.words(say("Pot")), BANK: self.words(say("Bank"))}
        return {**gone, **display_names(self.session.names), **fixed}

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """Name every status of a round."""
        results: dict[str, str] = {result: self.words(label) for result, label in RESULTS.items()}
        return {**results, "recording": self.words(say("being played"))}

    @cached_property
    def reasons(self) -> Mapping[Reason, str]:
        """Name every reason for which chips can move in this session."""
        books = self.state.table.rule_books
        known = ChainMap(*(dict(books[version].reasons) for version in sorted(books, reverse=True)), dict(REASONS))
        return {reason: self.words(label) for reason, label in known.items()}

    def explanation(self, done: RoundSummary) -> str:
        """Explain in one paragraph how a round ended; empty while it is open."""
        return ("" if self.options.language == "ja" else " ").join(map(self.words, explain(done.round)))


def summary_of(done: Round, steps: Sequence[Step]) -> RoundSummary:
    """Summarise a round from the events and entries that stand."""
    over, books = None if done.is_open else done.phase.outcome, steps[-1].books
    entries = [entry for step in steps for entry in step.slot.entries]
    return RoundSummary(
        done,
        steps[0].slot.seq,
        status=over.result if over else "recording",
        winner=over.won_by if over else None,
        next_dealer=over.next_dealer if over else None,
        paid_in=sum(entry.amount for entry in entries if entry.payee == POT),
        nets=posted({}, entries),
        balances=books.balances,
        won=books.won,
    )


def switches(rules: Any, deck: DeckName) -> Iterator[tuple[Sentence, int | Sentence]]:
    """Give the switches of a group with their settings: a number, or the label of a word.

    Switches without a meaning for this deck are left out.
    """
    for switch in members_of(type(rules)):
        label, setting = switch.extra["label"], getattr(rules, switch.attribute)
        if switch.extra["only_with"] not in (None, deck):
            continue
        if isinstance(setting, Record):
            for inner, chips in switches(setting, deck):
                yield say("{group:sentence}: {switch:sentence}", group=label, switch=inner), chips
        else:
            yield label, switch.extra["values"].get(setting, setting)
