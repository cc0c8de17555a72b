"""What the service counts (`ledger.meters`), as Prometheus reads it.

`/metrics` sums up what all processes have counted, whichever of them is asked. It needs no token, as everyone expects,
and says nothing of any one session: labels are games, kinds of events, routes and codes, which are all ours. Whoever
does not want to show even that closes it in the proxy.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import accumulate

from flask import Response
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from ledger import __version__
from ledger.api.here import desk
from ledger.meters import METERS, Counted, Counter, Histogram, Meter, counted, counting
from ledger.storage.errors import StoreError
from ledger.storage.store import Store

PREFIX = "fuda_ledger_"

OF_THE_DATABASE: Mapping[str, str] = {
    "database_bytes": "How large the database is.",
    "database_free_bytes": "How much room is left on its disk.",
}
"""What is told of the database, as it is when it is asked."""


def metrics_answer() -> Response:
    """Write all that is counted, as every release of Prometheus reads it."""
    registry = CollectorRegistry()
    registry.register(_Everything(desk().store))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class _Everything(Collector):
    """All that there is to tell, as it is when it is asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def describe(self) -> Iterator[Metric]:
        """Say nothing in advance."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Tell which release this is, what was counted, and what each process takes."""
        release = {"version": __version__, "python": platform.python_version()}
        yield InfoMetricFamily(f"{PREFIX}build", "Which release runs, and on which Python.", release)
        sums = counted()
        for name, meter in METERS.items():
            yield family(meter, sums[name])
        yield from of_the_database(self._store)
        yield from processes()


def of_the_database(store: Store) -> Iterator[Metric]:
    """Give what is known of the database; that it cannot be read keeps nobody from knowing the rest."""
    found: tuple[int | None, int | None] = None, None
    with suppress(StoreError):
        found = store.engine.sizes()
    for (name, about), number in zip(OF_THE_DATABASE.items(), found, strict=True):
        if number is not None:
            yield GaugeMetricFamily(PREFIX + name, about, number)


def family(meter: Meter, sums: list[Counted]) -> Metric:
    name, about = f"{PREFIX}{meter.name}", meter.about
    if isinstance(meter, Histogram):
        told = HistogramMetricFamily(name, about, labels=meter.labels)
        bounds = [*map(str, meter.bounds), "+Inf"]
        for labels, (*counts, total) in sums:
            told.add_metric(labels, list(zip(bounds, accumulate(counts), strict=True)), total)
        return told
    kind = CounterMetricFamily if isinstance(meter, Counter) else GaugeMetricFamily
    simple = kind(name, about, labels=meter.labels)
    for labels, (number,) in sums:
        simple.add_metric(labels, number)
    return simple


def processes() -> Iterator[Metric]:
    """Give what the library tells of a process (memory, files, time), for each that counts, by its place."""
    found: dict[str, Metric] = {}
    for place, pid in counting().items():
        for metric in ProcessCollector(pid=partial(str, pid), registry=None).collect():
            told = found.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
            told.samples += [Sample(one.name, {"worker": str(place)}, one.value) for one in metric.samples]
    yield from found.values()
