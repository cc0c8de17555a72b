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
from schemas.fields import UNDESCRIBED

NO_PARAMETERS = Schema.from_dict({})()
"""What a call takes that knows no parameters."""


def read_query(schema: Schema) -> Any:
    """Read the query by the schema of its parameters. Raises Malformed."""
    return _read(schema) if request.query_string else _of_nothing(schema)


def _read(schema: Schema) -> Any:
    """Read what a query says. Raises Malformed."""
    known = tuple(schema.fields)
    given = request.args.to_dict(flat=False)
    described = tuple(name for name, field in schema.fields.items() if field.metadata != UNDESCRIBED)
    unknown = say("there is no such parameter here; there are: {known:names}", known=described)
    faults = [WrongParameter(name, unknown) for name in given if name not in known]
    faults += [WrongParameter(name, say("this parameter is given once")) for name in given if len(given[name]) > 1]
    try:
        read = loaded(schema, {name: values[0] for name, values in given.items() if name in known})
    except Malformed as error:
        faults += of_parameters(error)
    if faults:
        raise Malformed(*faults)
    return read


@cache
def _of_nothing(schema: Schema) -> Any:
    """Give what a query comes to that says nothing. Raises Malformed, where it has to say something."""
    try:
        return MappingProxyType(dict(loaded(schema, {})))
    except Malformed as error:
        raise Malformed(*of_parameters(error)) from None


def of_parameters(error: Malformed) -> list[WrongParameter]:
    """Say what is wrong with parameters by their names."""
    return [WrongParameter(fault.pointer.removeprefix("/"), fault.sentence) for fault in error.faults]
