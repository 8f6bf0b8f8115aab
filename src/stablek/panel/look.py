"""The gate, and a second look where a few far items hide what the others are like."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import Execution
from stablek.engine.run import Journal, Watch
from stablek.panel.against_nulls import is_tiny
from stablek.panel.gate import LEVEL, Gate, gate, gate_ks
from stablek.panel.members import PARTITIONS
from stablek.panel.panel import most_clusters
from stablek.panel.prepare import Prepared, without_far
from stablek.paradigm.cluster import algorithm


def look(
    prepared: Prepared,
    values: NDArray[np.floating[Any]],
    streams: Streams,
    *,
    sets: int,
    seed: int,
    execution: Execution,
    level: float = LEVEL,
    largest_k: int = 2,
    journals: Callable[[str], Journal] | None = None,
    watch: Watch | None = None,
) -> tuple[Prepared, Gate | None]:
    """Return what is judged, and the gate; none where no component stands out.

    A few far items may form a tiny cluster at every k. Then nothing is known of the
    others: the items of tiny clusters are set aside, and the gate looks again. Its
    answer counts if it finds clusters, and enough items are left for ``largest_k``.
    """

    def seen(prepared: Prepared, name: str) -> Gate:
        return gate(
            prepared, streams, sets=sets, seed=seed, execution=execution,
            journal=journals(name) if journals else None, watch=watch,
        )  # fmt: skip

    if prepared.components == 0:
        return prepared, None
    first = seen(prepared, "gate")
    if not first.tiny:
        return prepared, first
    far = in_tiny_clusters(prepared)
    rest = without_far(prepared, values, far, streams.under("without far"))
    if (
        rest is None
        or rest.components == 0
        or most_clusters(len(rest.rows)) < largest_k
    ):
        return prepared, first
    second = seen(rest, "gate-without-far")
    return (rest, second) if second.open(level) else (prepared, first)


def in_tiny_clusters(prepared: Prepared) -> NDArray[np.bool_]:
    """Tell which items are in clusters too small to count, at the gate's largest k."""
    data = Dataset(prepared.judged)
    k = max(gate_ks(data.n))
    clusterer = algorithm(PARTITIONS)
    clusterer.prepare(data)
    part = clusterer.partitions(data.whole(), [k], Streams(0))[0]
    return is_tiny(np.bincount(part), data.n)[part]
