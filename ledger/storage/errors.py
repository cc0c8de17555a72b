"""Errors of the store. Each engine translates its driver's errors into these, in one place."""

from __future__ import annotations


class NotFound(Exception):
    """There is nothing at this address, or it is not yours."""


class AlreadyProcessed(Exception):
    """A request with this Idempotency-Key was processed before."""


class StoreError(Exception):
    """Something is the matter with the database."""


class StoreBusy(StoreError):
    """The database is busy; the same request may succeed in a moment."""


class StoreFull(StoreError):
    """There is no room left to write."""


class StoreUnavailable(StoreError):
    """The database cannot be used as it is; whoever runs the service finds why in its log."""


class StoreDamaged(StoreError):
    """The database is damaged; whoever runs the service has to check it, or put a backup in its place."""
