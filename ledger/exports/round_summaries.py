"""What several formats tell of a session: its game and house rules, and of each round how it went."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from ledger.books import OUTSIDE_PLAY, Balances, Entry, posted, won_of
from ledger.cards import DECK_LABELS, DeckName
from ledger.cooperation import yielding
from ledger.exports.archive import SessionArchive, all_of
from ledger.history import SessionState, Step, settlement_of
from ledger.language import Language, render
from ledger.play.rounds import RESULTS
from ledger.play.values import POT, Chips, PlayerId, Reason
from ledger.records import Record, members_of
from ledger.responses.settlement import settlement_answer
from ledger.sentences import Sentence, say
from ledger.session.events import REASONS
from ledger.session.rounds import explain
from ledger.session.table import Round
from ledger.settlement import Settlement
from ledger.storage.records import StoredEvent

# --- the session ----------------------------------------------------------------------------------------------------


def game_title(archive: SessionArchive, language: Language) -> str:
    """Name the game."""
    versions = archive.session.state.table.rule_books
    return render(versions[max(versions)].title, language, {})


def deck_name(archive: SessionArchive, language: Language) -> str:
    return render(DECK_LABELS[archive.session.opening.deck], language, {})


def status_name(done: Played, language: Language) -> str:
    """Name how a round ended, or that it is still being recorded."""
    return render(say("being played") if done.round.is_open else RESULTS[done.round.phase.outcome.result], language, {})


class HouseRule(NamedTuple):
    """A switch and what it is set to now, as people call them; `usual` is what it is set to unless a table differs."""

    switch: str
    setting: int | str
    usual: int | str

    @property
    def differs(self) -> bool:
        """Whether this table plays it otherwise than is usual."""
        return self.setting != self.usual

    def in_words(self, language: Language) -> str:
        """Say it on a line; what differs from the usual is marked, and the usual is named."""
        if self.differs:
            said = say("* {switch}: {setting} (usually: {usual})", **self._asdict())
        else:
            said = say("{switch}: {setting}", switch=self.switch, setting=self.setting)
        return render(said, language, {})


def house_rules(archive: SessionArchive, language: Language) -> Iterator[HouseRule]:
    """Give every house rule as it is now; one in a group comes with the group's name."""
    rules, deck = archive.session.state.table.rules, archive.session.opening.deck
    for (switch, setting), (_, usual) in zip(switches(rules, deck), switches(type(rules)(), deck), strict=True):
        told = (render(each, language, {}) if isinstance(each, Sentence) else each for each in (setting, usual))
        yield HouseRule(render(switch, language, {}), *told)


def reasons(archive: SessionArchive, language: Language) -> Mapping[Reason, str]:
    """Say for which reasons chips may have moved here, as people call them."""
    books = archive.session.state.table.rule_books
    known = ChainMap(*(dict(books[version].reasons) for version in sorted(books, reverse=True)), dict(REASONS))
    return {reason: render(label, language, {}) for reason, label in known.items()}


def switches(rules: Any, deck: DeckName) -> Iterator[tuple[Sentence, int | Sentence]]:
    """Give the switches of a group, and what they are set to: a number, or one of the words that have a label.

    Those that say nothing with this deck are left out.
    """
    for switch in members_of(type(rules)):
        if switch.extra["only_with"] not in (None, deck):
            continue
        label, setting = switch.extra["label"], getattr(rules, switch.attribute)
        if isinstance(setting, Record):
            for inner, chips in switches(setting, deck):
                yield say("{group:sentence}: {switch:sentence}", group=label, switch=inner), chips
        else:
            yield label, switch.extra["values"].get(setting, setting)


def last_recorded_at(archive: SessionArchive) -> str:
    """Say when the last event was recorded; before the first, when the session was opened."""
    seq = archive.session.state.seq
    if seq == 0:
        return archive.session.created_at
    (row,) = all_of(archive.store.events(archive.session.id, after=seq - 1, limit=1), 1)
    return row.recorded_at


def settlement(archive: SessionArchive) -> Settlement:
    """Say who pays whom."""
    return settlement_answer(settlement_of(archive.session.state, None), archive.session.chip_value)


# --- rounds ---------------------------------------------------------------------------------------------------------


def with_rows(archive: SessionArchive) -> Iterator[tuple[Entry, StoredEvent]]:
    """Give every entry with the row of the log that it comes from, oldest first."""
    rows = archive.rows()
    row = None
    for entry in archive.entries():
        while row is None or row.seq < entry.seq:
            row = next(rows)
        yield entry, row


def note_of(entry: Entry, row: StoredEvent) -> str:
    """Give what was noted of chips that were bought, given or paid, and of what takes them back; else nothing."""
    if entry.reason not in OUTSIDE_PLAY | {"fine", "pot_given"}:
        return ""
    event = f"corrections/{entry.part - 1}/event/note" if entry.part else "event/note"
    places = ("note",) if entry.reverses else (event, "note")
    return next((row.words[place].text for place in places if place in row.words), "")


class Played(Record, dict=True, eq=False, gc=True):
    """A round as it was played: its opening event's number, its entries that stand, what each account then had and won.

    What not every format asks for is worked out when it is asked for, once.
    """

    round: Round
    seq: int
    entries: Sequence[Entry]
    after: Balances
    won: Balances

    @cached_property
    def paid_in(self) -> Chips:
        """What went into the pot."""
        return sum(entry.amount for entry in self.entries if entry.payee == POT)

    @cached_property
    def nets(self) -> Balances:
        """What it brought each account."""
        return posted({}, self.entries)

    @property
    def status(self) -> str:
        """How the round ended, or that it is still being recorded."""
        status: str = "recording" if self.round.is_open else self.round.phase.outcome.result
        return status

    @property
    def next_dealer(self) -> PlayerId | None:
        """Who deals after it, once that is known."""
        return None if self.round.is_open else self.round.phase.outcome.next_dealer

    @cached_property
    def winner(self) -> PlayerId | None:
        """Who won it, where the game has a winner."""
        winner: PlayerId | None = None if self.round.is_open else self.round.phase.outcome.won_by
        return winner


def played(state: SessionState) -> Iterator[Played]:
    """Give every round, in order, from the events and entries that stand."""
    for steps in yielding(by_round(state)):
        done, books = steps[-1].after.round, steps[-1].books
        if done is None:
            raise ValueError("an event of a round leaves it on the table")
        entries = [entry for step in steps for entry in step.slot.entries]
        yield Played(done, steps[0].slot.seq, entries, books.balances, won_of(books.balances, books.outside))


def by_round(state: SessionState) -> Iterator[Sequence[Step]]:
    """Give the events of every round, in order, oldest first."""
    of_rounds = (step for step in state.steps() if step.slot.round is not None)
    return (list(steps) for _, steps in groupby(of_rounds, key=lambda step: step.slot.round))


def with_moments(archive: SessionArchive) -> Iterator[tuple[Played, str]]:
    """Give every round, in order, with when its opening was recorded.

    The log is read once, beside the rounds. A round that was inserted later stands earlier than its event does, so the
    moments that are passed on the way to that are kept.
    """
    state = archive.session.state
    wanted = {steps[0].slot.seq for steps in by_round(state)}
    log = ((row.seq, row.recorded_at) for row in archive.rows() if row.seq in wanted)
    moments: dict[int, str] = {}
    for done in played(state):
        while done.seq not in moments:
            moments |= [next(log)]
        yield done, moments[done.seq]


def how_it_ended(archive: SessionArchive, done: Round, language: Language) -> str:
    """Tell how a round ended, in one paragraph; nothing while it is open."""
    between = "" if language == "ja" else " "
    return between.join(render(sentence, language, archive.session.names) for sentence in explain(done))
