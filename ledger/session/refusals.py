"""What the session itself refuses."""

from __future__ import annotations

from ledger.rulebook.refusal import Refused


class SessionIsClosed(Refused):
    """This session is closed: reopen it, mend what was wrong, and close it again; one request can do all three.

    `steps` are the types of events that do that in one request.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(steps=tuple(dict.fromkeys(("session_reopened", kind, "session_closed"))))


class SessionIsOpen(Refused):
    """This session is open already."""


class SessionIsFull(Refused):
    """This session has {at_most} events, as many as one may have; the next evening can continue it."""


class RoundIsFull(Refused):
    """Round {round} has {at_most} events, as many as one may have: take back some that were too many, or void it."""


class TooManyPeople(Refused):
    """In this session {at_most} people have sat down, as many as may ever; one who comes back is not counted again."""


class TooManyLinks(Refused):
    """{at_most} links to this session are alive, as many as may be; make one dead that nobody needs."""


class LinksAreUsedUp(Refused):
    """{at_most} links to this session have been made, as many as may ever be; those that are alive stay so."""


class RoundIsOpen(Refused):
    """Round {round} is still open, and this is for between rounds: play it to its end, or void it."""


class NoRoundOpen(Refused):
    """No round is open; open one first."""


class RoundIsOver(Refused):
    """Round {round} is over ({why:sentence}); open the next one first."""


class NotThisGame(Refused):
    """{type:event} belongs to another game; at {game:sentence} there is no such thing to report."""


class TooFewPlayers(Refused, overrulable=True):
    """{game:sentence} needs at least {at_least} players, and this table has {count}: somebody has to join first."""


class TooManyPlayers(Refused):
    """{game:sentence} takes at most {at_most} players; with this there would be {count}."""


class NotAtTheTable(Refused):
    """{player:player} does not sit at this table. Those who do: {players:players}."""


class TotalsDoNotMatch(Refused):
    """{put_in:chips} went into the pot, carried ones too; {taken_out:chips} came out or stayed: {difference} off."""


class AlreadyAtTheTable(Refused):
    """{player:player} sits at this table already."""


class IdIsTaken(Refused):
    """Whoever joined there was {id}, and that is somebody else by now: report anew that they join."""


class NeverAtTheTable(Refused):
    """{player:player} has no account in this session. Those who have: {players:players}."""


class NoSuchSeat(Refused):
    """A new player may sit at seat 1 to {at_most}."""


class SeatsDoNotMatch(Refused):
    """Everyone who sits at this table gets a seat, and nobody else: {what:sentence}."""


class DrawNotFinished(Refused):
    """The draw for seats is not finished: {players:players} draw again first."""


class SameAccount(Refused):
    """Whoever gives the chips cannot be the one who gets them: name two."""


class BalancesDoNotSum(Refused):
    """What some bring along the others owe: together it comes to 0, but these balances come to {total}."""


class RoundsWerePlayed(Refused):
    """A pot is brought along before the first round, and here there have been {rounds}."""


class PotIsWaiting(Refused):
    """The pot still holds {pot:chips}: choose whether it is split among everyone, given back, or put into the bank."""


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
    """Event {seq} had a person forgotten, and that is for good; the player can be given a name again."""


class NothingToTakeBack(Refused):
    """There is nothing left to take back."""


class PotIsPlayedFor(Refused, overrulable=True):
    """What lies in the pot is played for: if the table gives chips of it away all the same, say why."""


class PotHoldsLess(Refused):
    """The pot holds {pot:chips}, and {amount:chips} cannot be given of that."""


class PotTooLarge(Refused):
    """There would be {amount:chips} in the pot, and no more than {at_most:chips} can be recorded."""
