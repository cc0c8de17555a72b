"""What the members of answers and requests mean: in words, with the forms that their texts have, and examples.

A record says of a member itself what is special about it (`metadata={"description": …}`), a switch of the house rules
has its label and its help, a field of an event its label. What is called the same means the same everywhere, and is
said here once, in `MEMBERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger import session
from ledger.codec.description import Member
from ledger.games import every_book
from ledger.play import Event, event_type
from ledger.sentences import Sentence, snake_case

Json = dict[str, Any]

MOMENT: Json = {"format": "date-time", "examples": ["2026-11-21T09:00:00Z"]}
PLAYER: Json = {"examples": ["p1"]}
ACCOUNT: Json = {"examples": ["p1"]}
SESSION_ID: Json = {"pattern": "^[0-9a-f]{16}$", "examples": ["3f6c9a52d81b7e04"]}
LINK_ID: Json = {"pattern": "^[0-9A-Za-z_.-]{1,40}$", "examples": ["9b1f03ac"]}
TOKEN: Json = {
    "pattern": r"^[0-9a-f]{16}\.[0-9A-Za-z_-]{43}$",
    "examples": ["3f6c9a52d81b7e04.Zk3vX0m1Qw9T7cYbH2LrNfD5sJ8uAeKi6pOgV4tWxEw"],
}
HASH: Json = {"pattern": "^[0-9a-f]{64}$"}
WORD: Json = {"pattern": "^[a-z0-9_]+$"}

KEYWORDS = ("const", "format", "maximum", "minimum", "pattern")
"""What the form of a text is in JSON Schema, or the bounds of a number, as `Meta(extra=…)` has it."""

MEMBERS: Mapping[str, str | tuple[str, Json]] = {
    "about": "What it says, in words.",
    "account": ("A player's id, `pot` or `bank`.", ACCOUNT),
    "accounts": "Accounts that are no player's, with their labels.",
    "active": "Whether the player sits at the table.",
    "added": "Entries that are added.",
    "after": "After the event.",
    "after_rounds": "What play had brought the player after each round of the session.",
    "amount": "In whole chips.",
    "amount_at_least": "The least that may be bid now, in chips.",
    "at_most": "The most that it may be, or how many of a list.",
    "at_most_characters": "How long a text may be.",
    "back_rider": ("Who bought half the rights to the card; null where nobody did.", PLAYER),
    "balance": "What is still to be settled, in chips: what came in less what went out.",
    "balances": "What each player has, in chips, by the player's id.",
    "bank": "What lies in the bank, in chips; below zero where it gave out more than came back.",
    "before": "Before the event.",
    "best": "The best round; null before the first.",
    "body": "The row's JSON, as it is hashed.",
    "buy_ins": "What the bank gave out, in chips.",
    "card": "A card, as the session's deck writes it; `plain` where it was no showdown card and not noted.",
    "cards": "Cards, as the session's deck writes them.",
    "carried": "Chips that lay in the pot when the round opened.",
    "changes": "What a correction changed, or a dry run would change.",
    "chip_value": "What a chip is worth in money; null where it was not said.",
    "class": "Of hanafuda: what kind of card of its month it is.",
    "closing": "By how much chips and buy-ins do not match; null where they do.",
    "code": "How the card is written, or what a problem is called: stable, and meant for programs.",
    "column": ("Which column, counted from 1.", {"minimum": 1, "maximum": 4}),
    "columns": "The columns that are meant, by their numbers; or their four cards, null for one that nobody noted.",
    "copies": "How many of this card the deck has.",
    "correction": "What took it back or amended it.",
    "corrections": "Corrections that only make sense together, in the order in which they apply.",
    "count": "How many.",
    "created_at": ("When it was made, in UTC.", MOMENT),
    "currency": ("An ISO 4217 code; null where a chip has no value.", {"examples": ["JPY"]}),
    "dealer": ("Who deals, by the player's id.", PLAYER),
    "deck": "Which deck is played with.",
    "deck_labels": "What the decks are called.",
    "decks": "The decks the game is played with, the usual one first.",
    "default": "What it is if nothing is said.",
    "default_deck": "The deck that is used if none is named.",
    "detail": "What went wrong here, in the reader's language.",
    "draws": "The cards that were drawn, each with who drew it.",
    "ended": "The rounds that ended with these events, each as it went.",
    "entries": "Entries of the ledger.",
    "errors": "Every field that is wrong.",
    "event": "The event itself.",
    "events": "Events, in order.",
    "exact": "Whether there cannot be fewer payments.",
    "expires_at": ("When the link ends by itself, in UTC; null if it does not.", MOMENT),
    "explanation": "How the round ended, sentence by sentence.",
    "fields": "Its fields.",
    "findings": "Every row that is not as it was recorded, and warnings.",
    "forfeits": "Why nobody won: how often, or, of a game, what the reasons are called.",
    "format": ("Which kind of file it is.", {"const": "fuda-ledger"}),
    "from": ("The account that gives.", ACCOUNT),
    "game": ("Which game is played.", {"examples": ["shirinma"]}),
    "games": "Every rule book on the shelf.",
    "guri": "Whether the round was won with guri.",
    "hands": "The hands, as far as their cards are known.",
    "hash": ("The hash over this row and the one before.", HASH),
    "head": ("The hash that the chain ends with.", HASH),
    "help": "What it is about, for the reader of a form.",
    "id": ("How it is called in addresses and in other answers.", {}),
    "karami": "Whether both cards have the same value.",
    "kind": "Of which kind it is.",
    "label": "How it is called for people.",
    "link": "The owner's link; its token is shown this once.",
    "log": "The whole log, as it was recorded.",
    "max": "The most.",
    "min": "The fewest.",
    "missing": "Which of several databases cannot be reached; not there if there is none of them missing.",
    "moved": "The entries that it made.",
    "name": "What it is called.",
    "net": "What the round brought, in chips.",
    "next": "What may be reported now; empty once the round has ended.",
    "next_dealer": ("Who deals the next round.", PLAYER),
    "not_players": "Of whom it cannot be reported now.",
    "note": "Words for the log; no rule reads them.",
    "number": "The round's number in its session: 1, 2, 3 …",
    "odds": "The chances, as the game has them; null where there are none to tell.",
    "of": "What its elements may be.",
    "ok": "Whether the record is as it was recorded.",
    "opening": "The opening of the session.",
    "outcome": "How the round ended; null while it has not.",
    "overrule": "Why the table played it so, although turn order, bid order or sequence say otherwise.",
    "overruled": "Events that the table had recorded although the rules say otherwise.",
    "paid": "What was paid into rounds, in chips, by reason.",
    "part": ("Which of the corrections that were made together: 1, 2, 3 …", {"minimum": 1}),
    "payments": "Who pays how much.",
    "payouts": "Who gets how much, and why.",
    "per_chip": ("What a chip is worth: a decimal number, as text.", {"examples": ["10"]}),
    "phase": ("Where the round stands: a word of the game, or `over`.", WORD),
    "phases": "Where a round can stand.",
    "player": ("A player's id.", PLAYER),
    "players": "The players, in the order of their ids.",
    "pot": "What lies in the pot, in chips.",
    "pots": "What lay in the pot when each round ended, in chips.",
    "reason": ("Why: for entries and payouts one of the words in the game's `reasons`, else somebody's words.", {}),
    "reasons": "Why nobody won; or, of a game, why chips move.",
    "received": "What came out of rounds, in chips, by reason.",
    "recorded_at": ("When it was recorded, in UTC.", MOMENT),
    "recorded_by": ("The id of the link through which it was recorded.", LINK_ID),
    "recorded_by_label": "The label of that link; null where it has none.",
    "required": "Whether it has to be said.",
    "result": "How the round ended.",
    "results": "How rounds ended: how often each, or, of a game, how they are called.",
    "reversed": "The ids of the entries that are reversed.",
    "reverses": "The id of the entry that this one reverses; null for any other.",
    "revoked_at": ("When the link was revoked, in UTC; null while it was not.", MOMENT),
    "role": "What the link lets its bearer do.",
    "round": "The number of the round; null outside of rounds.",
    "rounds": "Rounds: how many there have been, or what became of each.",
    "rounds_ended": "The numbers of the rounds that ended with these events.",
    "row": "The row of the rule book; or, of a finding, the number of the row.",
    "rows": "The rows of the log, in order.",
    "rules": "House rules: the switches of the game, each with its value.",
    "salt": "The salt of the text's digest, in hex; empty once it was forgotten.",
    "seat": "The place in seat order, counted from 1; null for one who has left.",
    "seats": "Everyone who sits at the table, in the new order, counter-clockwise.",
    "sentence": "The same in words.",
    "seq": "The event's number in its session: 1, 2, 3 …",
    "severity": "Whether the record is damaged (`error`) or whole, with something to look at (`warning`).",
    "session": "Where the session stands.",
    "sessions": "How many sessions were counted.",
    "shippin": "Whether the dealer's hand is shippin.",
    "stands_for": "Which mekurifuda card it stands for.",
    "stands_for_if_courts_are_qjk": "Which one it stands for where the western courts are Queen, Jack, King.",
    "status": "How it stands.",
    "steps": "The events of the round, in order.",
    "table": "What lies on the table; or, of a finding, where the row is.",
    "tallies": "What statistics count.",
    "text": "What somebody wrote.",
    "title": "What it is called for people.",
    "to": ("The account that gets.", ACCOUNT),
    "top": "The card that lies on the pile after the turn.",
    "trump": "The suit that is trump; null until it is shown.",
    "type": ("The type of an event, or the address that names a kind of problem.", {}),
    "value": "What the card counts at Shippin.",
    "value_labels": "What its values are called.",
    "verdict": "How the hand did against the dealer's.",
    "version": ("Which version it is.", {"minimum": 1}),
    "via": ("The player through whom everything is paid; null for the fewest payments.", PLAYER),
    "what": "What is not as it should be.",
    "winner": ("Who won.", PLAYER),
    "wins": "Rounds that were won.",
    "won": "What play brought, in chips: payments, purchases, cash-outs and gifts are not in it.",
    "words": "What people wrote, by its place in the body.",
    "worst": "The worst round; null before the first.",
}
"""What members mean, by their names; where a name means two things, both are told."""

OF_RECORDS: Mapping[str, str | tuple[str, Json]] = {
    "Session.id": ("The session's id, as in its address.", SESSION_ID),
    "Session.round": "The open round; null between rounds.",
    "Session.rounds": "How many rounds there have been.",
    "Session.seq": "The number of the last event, which is the ETag as well.",
    "Session.status": "Whether the session is open or closed.",
    "Session.name": "What the session is called; null where it has no name.",
    "Player.id": ("The player's id, which stays for the session.", PLAYER),
    "Player.name": "The player's name.",
    "Link.id": ("The link's id, as in its address.", LINK_ID),
    "Link.label": "What the link is called; null where it has no label.",
    "Link.token": ("The token, only in the answer that makes the link.", TOKEN),
    "Round.status": "`recording` until the round ends, and then its result.",
    "Round.players": "Who sits in the round, in seat order.",
    "Game.players": "How many may play.",
    "Game.rules": "Every switch of the house rules.",
    "Game.events": "Every event that can be reported.",
    "Game.version": "The version of the rule book.",
    "Expected.players": "Of whom it may be reported now.",
    "Expected.type": "Which event may be reported.",
    "Expected.at_most": "The most that it may be now.",
    "Problem.type": ("The kind of problem, as a URI.", {"format": "uri"}),
    "Problem.code": ("What the problem is called: stable, and meant for programs.", WORD),
    "Problem.title": "What kind of problem it is, in the reader's language.",
    "Problem.status": "The HTTP status.",
    "Entry.id": "The entry's number in its session.",
    "Entry.round": "The round it belongs to; null outside of rounds.",
    "Entry.reason": ("Why the chips moved: one of the words in the game's `reasons`.", WORD),
    "Payout.reason": ("Why: one of the words in the game's `reasons`.", WORD),
    "PersonStatistics.players": "Which players of which sessions the person is.",
    "Settlement.payments": "The payments that clear all balances.",
    "Card.code": "How the card is written.",
    "Shape.at_least": "The least of a number, or the fewest of a list.",
    "Verified.events": "How many events were looked at.",
    "Verified.entries": "How many entries were looked at.",
    "SessionStatistics.carried": "What lay in the pot when each round opened, in chips.",
    "SessionStatistics.rounds": "How many rounds are over.",
    "SessionStatistics.players": "What it came to for each player, by id.",
    "PlayerStatistics.rounds": "Rounds that were sat in.",
    "PlayerStatistics.forfeits": "Rounds that nobody won.",
    "Together.players": "What it came to for each player, by name.",
    "RoundVoided.reason": "Why the round does not count.",
    "RoundEntered.payments": "What each put into the pot, in chips.",
    "RoundEntered.payouts": "What each got out of the pot, in chips.",
    "RoundEntered.pot": "What stayed in the pot, in chips.",
    "SessionClosed.pot": "What becomes of a carried pot; not said where there is none.",
    "EventInserted.after": "The number of the event after which it stands; 0 for before the first.",
    "EventInserted.event": "What was forgotten.",
    "EventAmended.event": "What it should have been.",
    "PlayerJoined.player": ("The id of somebody who comes back.", PLAYER),
    "PlayerJoined.name": "The name of somebody new.",
    "PlayerJoined.seat": "The seat, counted from 1; last where it is not said.",
    "RulesChanged.rules": "The switches that change, each with its value.",
    "FiveCards.dealer": "The dealer's card.",
}
"""What is special about the members of some records."""

SETS: Mapping[str, str] = {
    "DeckName": "The decks.",
    "EventStatus": "Whether an event stands, or was corrected.",
    "Language": "The languages of the service.",
    "Result": "How a round can end.",
    "Role": "What a link lets its bearer do: all, record, or read.",
    "RoundStatus": "Where a round stands.",
    "WesternCourts": "Which western cards are 10, 11 and 12, in this order.",
}
"""What the sets of words are about that have a name; any other is about the member that it is called after."""


class Wording:
    """Says what a member means; it knows the labels of the games that stand on the shelf.

    `words` are those that some members have today. A later game brings its own, so they are no closed sets.
    """

    def __init__(self) -> None:
        self.labels: dict[str, Sentence] = dict(session.FIELDS)
        for book in every_book():
            self.labels |= book.fields
        events = {event_type(kind): None for kind in session.EVENTS}
        phases = {"over": None}
        for book in every_book():
            events |= {event_type(kind): None for kind in (*book.between, *book.events)}
            phases |= {snake_case(phase.__name__): None for phase in book.phases}
        types, where = list(events), list(phases)
        self.words = {"event types": types, "phases": where}

    def of_member(self, kind: type, member: Member, schema: Json) -> Json:
        """Describe a member beyond its type: what it means, its form, examples."""
        field, extra, about = member.field, member.field.extra, dict[str, Any]()
        if "help" in extra:
            about["description"] = f"{extra['label']}. {extra['help']} ({extra['row']})"
        elif said := self.said(kind, member.name):
            about |= {"description": said} if isinstance(said, str) else {"description": said[0], **said[1]}
        elif issubclass(kind, Event) and member.name in self.labels:
            about["description"] = f"{self.labels[member.name]}."
        if field.description:
            about["description"] = as_sentence(field.description)
        if field.examples:
            about["examples"] = list(field.examples)
        about |= {keyword: extra[keyword] for keyword in KEYWORDS if keyword in extra}
        if words := self.words.get(extra.get("known", "")):
            about["x-extensible-enum"] = words
        about = {name: value for name, value in about.items() if name not in schema or name == "description"}
        return {"description": f"{in_words(member.name)}.", **about}

    def said(self, kind: type, name: str) -> str | tuple[str, Json] | None:
        """Find what is said of a member: of this record's, of that of a record it is made of, or of all."""
        for base in kind.__mro__:
            if special := OF_RECORDS.get(f"{base.__name__}.{name}"):
                return special
        return MEMBERS.get(name)


def sentence(name: str) -> str:
    """Say what a set of words is about."""
    return SETS.get(name, f"{in_words(snake_case(name))}.")


def as_sentence(text: str) -> str:
    """Write words as a sentence."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def in_words(name: str) -> str:
    """Turn `third_deal` into `Third deal`."""
    return name.replace("_", " ").capitalize()
