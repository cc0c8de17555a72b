"""Which sessions are to be counted together, and who in them is one person."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, post_load

from ledger.sentences import MAX_FAULTS, say
from ledger.statistics import Seat
from schemas.base import TEXT, Listed, MessageField, Nested, Strict, Value, wrong
from schemas.sessions import NAME

MAX_SESSIONS = 50
MAX_PEOPLE = 1000
MAX_SEATS = 100
"""How many players one person may be: two in each session."""


class JoinedPlayerSchema(Strict):
    """A player of a session."""

    session = Value(TEXT, required=True, description="The session's id.")
    player = Value(TEXT, required=True, description="The player's id in that session.", examples=["p1"])

    @post_load
    def make(self, data: dict[str, Any], **_kwargs: Any) -> Seat:
        """Make the record."""
        return Seat(**data)


class People(MessageField):
    """Players of the sessions who are one person, by the person's name."""

    needed = say("an object of at most {most} members is needed", most=MAX_PEOPLE)

    def __init__(self, **kwargs: Any) -> None:
        self.person, self.seats = Value(NAME), Listed(Nested(JoinedPlayerSchema), 1, MAX_SEATS)
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, dict) or len(value) > MAX_PEOPLE:
            raise wrong(self.needed)
        people, errors = dict[str, Any](), dict[str, Any]()
        for name, seats in value.items():
            try:
                self.person.deserialize(name)
                people[name] = self.seats.deserialize(seats)
            except ValidationError as error:
                errors[name] = error.messages
                if len(errors) == MAX_FAULTS:
                    break
        if errors:
            raise ValidationError(errors)
        return people


class SeveralSchema(Strict):
    """The sessions that are to be counted together, and who in them is one person."""

    tokens = Listed(Value(TEXT), 1, MAX_SESSIONS, required=True, description="A token of each session.")
    people = People(
        load_default=dict,
        description="Which players of which sessions are one person, by the person's name. No other is joined.",
        examples=[{"Aki": [{"session": "3f6c9a52d81b7e04", "player": "p1"}]}],
    )
