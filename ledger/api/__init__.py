"""The API: one blueprint a noun, each view a few lines: arguments, one call at the desk, one answer.

`door` is what all of them share: who comes in, how a body is read, how an answer is written. `errors` is the one table
from what can go wrong to what a client is told. `openapi` describes the whole of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask_smorest import Blueprint

from ledger.api.calculate import calculate
from ledger.api.events import events
from ledger.api.exports import exports
from ledger.api.games import games
from ledger.api.health import health
from ledger.api.imports import imports
from ledger.api.links import links
from ledger.api.reckonings import reckonings
from ledger.api.rounds import rounds
from ledger.api.sessions import sessions

BLUEPRINTS: Sequence[Blueprint] = (
    games,
    sessions,
    events,
    rounds,
    reckonings,
    exports,
    imports,
    links,
    calculate,
    health,
)
