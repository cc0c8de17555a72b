from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.failover.cluster import Cluster, missing


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One cluster for all drills: each leaves it at rest."""
    pytest.importorskip("psycopg")
    if (why := missing()) is not None:
        pytest.skip(why)
    with Cluster() as running:
        yield running
