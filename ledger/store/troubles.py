"""What may be the matter when a store is asked."""

from __future__ import annotations

from ledger.store.records import Made


class NotThere(Exception):
    """There is nothing at this address, or it is not yours."""


class StoreTrouble(Exception):
    """Something is the matter with the database."""


class StoreBusy(StoreTrouble):
    """The database is busy; the same request may succeed in a moment."""


class NothingKept(StoreBusy):
    """The database was lost before anything was kept, or undid it, and the same may be done once more at once.

    Only who writes is told so, and only of that very writing. Over HTTP it is StoreBusy.
    """


class NoneFree(StoreBusy):
    """All connections that this process may have to the database are in use; the database itself may be well."""


class StoreFull(StoreTrouble):
    """There is no room left to write."""


class StoreIsNewer(StoreTrouble):
    """A newer release has changed this database; it is left as it is."""


class DatabaseUnusable(StoreTrouble):
    """The database cannot be used as it is; whoever runs the service finds why in its log."""


class CannotBeOpened(DatabaseUnusable):
    """The database can never be opened here, however it stands: its driver is missing, or cannot read its address."""


class DatabaseDamaged(StoreTrouble):
    """The database is damaged; whoever runs the service has to check it, or put a backup in its place."""


class DatabaseExchanged(StoreTrouble):
    """The database, or a part of it, was replaced or removed under the service; it answers again after a restart."""


class LinkChanged(Exception):
    """The link that something is written by is not as it was known: revoked, called otherwise, or gone."""


class MadeBefore(Exception):
    """A request with this key has been done before."""

    def __init__(self, made: Made) -> None:
        super().__init__(made)
        self.made = made
