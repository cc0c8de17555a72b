"""What the session itself refuses."""

from __future__ import annotations

from ledger.play import (
    Refused,
)


class SessionIsClosed(Refused):
    """This session is closed; reopen it first."""


class SessionIsOpen(Refused):
    """This session is open already."""


class RoundIsOpen(Refused):
    """Round {round} is still open; this is for between rounds."""


class NoRoundOpen(Refused):
    """No round is open; open one first."""


class NotThisGame(Refused):
    """{type:event} belongs to another game; at {game:sentence} there is no such thing to report."""


class TooFewPlayers(Refused):
    """{game:sentence} needs at least {at_least} players; {count} sit here."""


class TooManyPlayers(Refused):
    """{game:sentence} takes at most {at_most} players; with this there would be {count}."""


class NotAtTheTable(Refused):
    """Nobody called {player} sits at this table; those who do: {players:players}."""


class TotalsDoNotMatch(Refused):
    """{put_in:chips} went into the pot, carried ones too; {taken_out:chips} came out or stayed: {difference} off."""


class AlreadyAtTheTable(Refused):
    """{player:player} sits at this table already."""


class IdIsTaken(Refused):
    """Whoever joined there was {id}, and by now somebody else is."""


class NeverAtTheTable(Refused):
    """No player of this session is called {player}; they are {players:players}."""


class NoSuchSeat(Refused):
    """A new player may sit at seat 1 to {at_most}."""


class SeatsDoNotMatch(Refused):
    """Everyone who sits at this table gets a seat, and nobody else: {what:sentence}."""


class DrawNotFinished(Refused):
    """The draw for seats is not finished: {players:players} draw again first."""


class SameAccount(Refused):
    """Chips move from one account to another one."""


class BalancesDoNotSum(Refused):
    """Balances that are brought along come to nothing together; these come to {total}."""


class PotIsWaiting(Refused):
    """The pot still holds {pot:chips}: choose whether it is split among everyone, given back, or put into the bank."""


class PotIsEmpty(Refused):
    """The pot is empty: close the session without choosing what becomes of it."""


class NoSuchEvent(Refused):
    """There is no event {seq} in this session; the last is {last}."""


class NoSuchPart(Refused):
    """Event {seq} has inserted no event as its part {inserted_part}."""


class CorrectedTwice(Refused):
    """Event {seq} is corrected twice here; corrections that are made together are about an event once."""


class AlreadyTakenBack(Refused):
    """Event {seq} has been taken back already."""


class IsACorrection(Refused):
    """Event {seq} is a correction itself: take it back, or correct the event that it is about."""


class NotAnEventOfTheTable(Refused):
    """What is put in another event's place is something seen at the table; {type:event} is not."""


class ErasedForGood(Refused):
    """Event {seq} made a person forgotten, and that cannot be undone; the player can be given a name again."""


class NothingToTakeBack(Refused):
    """Nothing stands that could be taken back."""


class PotTooLarge(Refused):
    """There would be {amount} chips in the pot; at most {at_most} can be recorded."""
