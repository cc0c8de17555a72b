"""The hand that records an evening on a page, tap by tap, and knows from the rules whose turn it is.

    hand = Hand(phone, table, score.opening)
    hand.records(*score.events)

It does not wait for the service, but looks whom the page asks about, as people do: after a card that was dealt out of
turn the page guesses wrong until it has heard.

What has no buttons of its own (a buy-in, an amended event) is told by `somebody_else`, another phone: then the page has
to follow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ledger.codec.log import write_record
from ledger.games import newest
from ledger.session.history import SessionState
from tests.page.phone import Phone
from tests.page.table import Table
from tests.properties.folding import opened, read
from tests.scorekeeper import Json


class Hand:
    """`state` is where the table stands by the rules, `seq` how many events were recorded."""

    def __init__(self, phone: Phone, table: Table, opening: Mapping[str, Any]) -> None:
        self.phone = phone
        self.table = table
        self.game: str = opening["game"]
        self.state: SessionState = opened(dict(opening))
        self.seq = 0
        self._last = ""

    def records(self, *events: Mapping[str, Any]) -> None:
        """Record events, one after the other; the next tap does not wait for the service."""
        for event in map(dict, events):
            before_it, self._last = self._last, event["type"]
            before = self.state
            if event["type"] == "event_taken_back":
                self.is_heard()  # what nobody has heard yet is not even reported
            self.state = before.record(read(event, self.game), newest(self.game).version).state
            self.seq += 1
            self._reports(event, self._asked(before, event["type"]), shown=before_it in CORRECTIONS)

    def is_heard(self) -> None:
        """All of it is in the books, and the page has seen so."""
        self.phone.eventually(self._all_is_in_the_books)
        self.phone.stands_at(self.seq)

    def _all_is_in_the_books(self) -> bool:
        recorded = self.table.seq
        assert recorded == self.seq, f"{recorded} events are in the books, {self.seq} were tapped"
        return True

    def _asked(self, before: SessionState, kind: str) -> str | None:
        """Whom the page asks about, if the rules leave no choice."""
        now = before.table.open_round
        options = now.book.expected(now.phase) if now else ()
        return next((option.player for option in options if option.type == kind), None)

    def _written(self) -> Json:
        """The last event as the log has it: its cards are those of the deck on the table."""
        row = self.state.rows[-1]
        fields: Json = json.loads(write_record(row.event).body)
        return fields

    def _reports(self, event: Json, asked: str | None, *, shown: bool) -> None:
        told = None if event["type"] in BY_FORM and "overrule" in event else TAPS.get(event["type"])
        if told is None or event.get("note") or (event["type"] == "event_taken_back" and "seq" in event):
            self.somebody_else(event)
            return
        for hook in told({**event, **self._written()}):
            self._does(hook, asked)
        if event["type"] == "event_taken_back" and shown:
            self.phone.tap("confirm")  # behind a correction it is shown first what would go
        if "overrule" in event:
            self.phone.tap("overrule")
            self.phone.types("reason", event["overrule"])
            self.phone.tap("confirm")

    def _does(self, hook: str | tuple[str, object], asked: str | None) -> None:
        match hook:
            case (field, text):
                self.phone.types(field, text)
            case str() if hook.startswith("for-"):
                if hook == f"for-{asked}":
                    self.phone.is_turned_to(hook)
                else:
                    self.phone.tap(hook)
            case str() if "|" in hook:
                self.phone.tap_either(*hook.split("|"))
            case _:
                self.phone.tap(hook)

    def somebody_else(self, *events: Json) -> None:
        """Let another phone report it, and wait until it has arrived on this one."""
        self.phone.eventually(lambda: self.table.seq == self.seq - len(events))
        self.table.reports(*events)
        self.is_heard()


CORRECTIONS = {"event_taken_back", "event_amended", "event_inserted", "corrections_made"}
BY_FORM = {"hand_exchanged", "three_ones_shown"}
"""What has its button only while the rules expect it; where a table overruled, it is recorded by a form of the log."""

Taps = Callable[[Any], Iterator[str | tuple[str, object]]]


def card_dealt(event: Json) -> Iterator[str]:
    yield f"for-{event['player']}"
    yield f"card-{event['card']}"


def bid_placed(event: Json) -> Iterator[str | tuple[str, object]]:
    yield f"bidder-{event['player']}"
    yield ("bid-amount", event["amount"])
    yield "bid"


def one_card(*first: str) -> Taps:
    """Perhaps something is said first, then a card."""

    def taps(event: Json) -> Iterator[str]:
        yield from first
        yield f"card-{event['card']}"

    return taps


def five_cards(first: str) -> Taps:
    def taps(event: Json) -> Iterator[str]:
        yield first
        for card in [*event["columns"], event["dealer"]]:
            yield "no-card" if card is None else f"card-{card}"

    return taps


def bet_placed(event: Json) -> Iterator[str]:
    yield f"bet-{event['player']}"
    yield f"column-{event['column']}"


def drawn_for_seats(event: Json) -> Iterator[str]:
    for draw in event["draws"]:
        yield f"draw-{draw['player']}"
        yield f"card-{draw['card']}"


def one_player(first: str) -> Taps:
    def taps(event: Json) -> Iterator[str]:
        yield first
        yield f"for-{event['player']}"

    return taps


def turn_played(event: Json) -> Iterator[str]:
    yield f"for-{event['player']}"
    if event.get("cards"):
        for card in event["cards"]:
            yield f"card-{card}"
    elif event.get("count"):
        yield f"count-{event['count']}"
        if event.get("top"):
            yield f"card-{event['top']}"
    yield "turn-done"


def only(*hooks: str) -> Taps:
    return lambda _: iter(hooks)


TAPS: Mapping[str, Taps] = {
    "round_opened": only("open-round|next-round"),
    "field_card_revealed": one_card(),
    "card_dealt": card_dealt,
    "bid_placed": bid_placed,
    "auction_closed": only("auction-closed"),
    "trump_revealed": one_card("trump"),
    "cards_drawn_for_seats": drawn_for_seats,
    "bet_placed": bet_placed,
    "second_cards_dealt": five_cards("second-cards"),
    "first_cards_revealed": five_cards("first-cards"),
    "player_dropped_out": one_player("dropped-out"),
    "hand_exchanged": one_player("exchanged"),
    "three_ones_shown": one_player("three-ones"),
    "three_pairs_declared": one_player("three-pairs"),
    "starter_revealed": one_card("starter"),
    "box_card_revealed": one_card("box-card"),
    "turn_played": turn_played,
    "event_taken_back": only("undo"),
}
