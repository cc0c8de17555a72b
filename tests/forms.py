"""The forms that members of one name have in the kinds of a union of answers, for what is on the shelf."""

from __future__ import annotations

from typing import Any

from ledger.answers.events import LoggedEvent
from ledger.answers.rounds import Calculated
from ledger.answers.sessions import Session
from schemas.components import Components
from schemas.unions import PROSE, kinds_of, referred
from tests.scorekeeper import Json

UNIONS = ("StoredEvent", "Outcome", "Table", "HouseRules", "OddsOfTheGame")
SEVERAL_FORMS = {("StoredEvent", "pot")}
"""What has two forms since format 1: chips in a pot (`round_entered`), and what becomes of them (`session_closed`).

No game is on either side, so none comes to it by chance; in a client it is a number or a text.
"""


def members_of_several_forms() -> set[tuple[str, str]]:
    """Find what is one thing in one kind of a union and something else in another: generated clients fail at that."""
    made: dict[str, Json] = {}
    for record in (LoggedEvent, Session, Calculated):
        Components(made).of_record(record)
    found: dict[tuple[str, str], list[Any]] = {}
    for union in UNIONS:
        for _, kind in kinds_of(made[union], made):
            for member, schema in kind["properties"].items():
                forms, form = found.setdefault((union, member), []), form_of(schema, made, texts=union == "Outcome")
                forms += [form] if form not in forms else []
    return {member for member, forms in found.items() if len(forms) > 1}


def form_of(schema: Any, made: dict[str, Json], *, texts: bool) -> Any:
    """Give a schema without what it says to people; a set of words counts as its words, or as a text."""
    if isinstance(schema, list):
        return [form_of(each, made, texts=texts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    words = referred(schema.get("$ref", ""), made)
    if "enum" in words:
        return {"type": "string"} if texts else words["enum"]
    return {name: form_of(value, made, texts=texts) for name, value in schema.items() if name not in PROSE}
