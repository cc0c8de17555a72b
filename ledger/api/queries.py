"""How queries are read: a parameter is one that the call knows, and is given once.

What is wrong with any of them is said by its name, and of all of them at once.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import Any

from flask import request
from marshmallow import Schema

from ledger.sentences import Malformed, WrongParameter, say
from schemas.base import loaded

NO_PARAMETERS = Schema.from_dict({})()
"""What a call takes that knows no parameters."""


def read_query(schema: Schema) -> Any:
    """Read the query by the schema of its parameters. Raises Malformed."""
    known = tuple(schema.fields)
    given = request.args.to_dict(flat=False) if request.query_string else {}
    unknown = say("there is no such parameter here; there are: {known:names}", known=known)
    faults = [WrongParameter(name, unknown) for name in given if name not in known]
    faults += [WrongParameter(name, say("this parameter is given once")) for name in given if len(given[name]) > 1]
    try:
        sent = {name: values[0] for name, values in given.items() if name in known}
        read = loaded(schema, sent) if given else _of_nothing(schema)
    except Malformed as error:
        faults += [WrongParameter(fault.pointer.removeprefix("/"), fault.sentence) for fault in error.faults]
    if faults:
        raise Malformed(*faults)
    return read


@cache
def _of_nothing(schema: Schema) -> Any:
    """Give what a query comes to that says nothing."""
    return MappingProxyType(dict(loaded(schema, {})))
