"""The API: one blueprint a resource; a view is its arguments, one call and one record.

`http` is what all of them share: `blueprint` calls a view, `auth` authenticates, `parsing` reads a request, `problems`
has the one table from exceptions to problems, `openapi` describes the whole, which `documents` serves.
"""

from __future__ import annotations

from ledger.api.calculate import calculate
from ledger.api.events import events
from ledger.api.exports import exports
from ledger.api.games import games
from ledger.api.health import health
from ledger.api.imports import imports
from ledger.api.limits import limits
from ledger.api.links import links
from ledger.api.reports import reports
from ledger.api.rounds import rounds
from ledger.api.sessions import sessions
from ledger.api.streams import streams

BLUEPRINTS = (games, sessions, events, streams, rounds, reports, exports, imports, links, calculate, limits, health)
