"""The API: one blueprint a noun, each view a few lines: arguments, one call, one record.

`blueprint` is what all of them share: it authenticates, validates, writes the record and registers what is described.
Beside it stands one concern a file: `auth` who may come, `parsing` how a request is read, `languages` in which words it
is answered, `errors` the one table from what can go wrong to what a client is told, `openapi` the description of the
whole, which `documents` serves, `here` what this application has.
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.api.blueprint import ApiBlueprint
from ledger.api.calculate import calculate
from ledger.api.events import events
from ledger.api.exports import exports
from ledger.api.games import games
from ledger.api.health import health
from ledger.api.imports import imports
from ledger.api.limits import limits
from ledger.api.links import links
from ledger.api.reckonings import reckonings
from ledger.api.rounds import rounds
from ledger.api.sessions import sessions
from ledger.api.streams import streams

BLUEPRINTS: Sequence[ApiBlueprint] = (
    games,
    sessions,
    events,
    streams,
    rounds,
    reckonings,
    exports,
    imports,
    links,
    calculate,
    limits,
    health,
)
