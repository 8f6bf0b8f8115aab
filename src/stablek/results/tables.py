"""The tables of an answer: clusters, items and moves as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.item_consensus import Standing
from stablek.results.trust import (
    ClusterTrust,
    Move,
    cluster_trust,
    item_standing,
    moves,
)

if TYPE_CHECKING:
    import pandas as pd

    from stablek.results.result import Result

#: The fewest subsamples from which the trust in a cluster is read.
FEWEST = 10

#: More items than this have no trust of their own; anchors stand for them.
MOST_ITEMS = 10_000


def subsampled(cube: PartitionCube | None) -> bool:
    """Tell whether a cube holds subsamples that are labelled once each."""
    if cube is None or cube.roles != 1 or cube.repeats < FEWEST:
        return False
    return bool((cube.labels[0, 0, 0] == cube.missing).any())


def drawn_at(result: Result, k: int) -> NDArray[Any] | None:
    """Return the subsamples at k; None if there are none to read trust from."""
    cube = result.cube
    if cube is None or k not in cube.ks or result.n > MOST_ITEMS:
        return None
    return np.ascontiguousarray(cube.of_k(k)) if subsampled(cube) else None


def clusters_table(result: Result, k: int) -> pd.DataFrame:
    """Return one row per cluster at k: size, and how far to trust it."""
    labels = result.labels_at(k) - 1
    drawn = drawn_at(result, k)
    if drawn is None:
        return sizes_frame(labels)
    values = None
    if result.data is not None and not result.data.precomputed:
        values = np.asarray(result.data.values, dtype=np.float64)
    trusts = cluster_trust(labels, drawn, values)
    return records_frame(ClusterTrust, map(asdict, trusts))


def items_table(result: Result, k: int) -> pd.DataFrame:
    """Return one row per item at k: its cluster, and how far to trust its place."""
    labels, drawn = result.labels_at(k), drawn_at(result, k)
    ids = result.data.item_ids() if result.data is not None else range(1, result.n + 1)
    place = None if drawn is None else item_standing(labels - 1, drawn)
    return items_frame([str(name) for name in ids], labels, place)


def moves_table(result: Result) -> pd.DataFrame:
    """Return which clusters split and merge from each k to the next."""
    drawn = {k: drawn_at(result, k) for k in result.ks if k > 1}
    known = {k: labels for k, labels in drawn.items() if labels is not None}
    if not known:
        return records_frame(Move, ())
    partitions = np.array([result.labels_at(k) - 1 for k in known])
    steps = moves([*known], partitions, [*known.values()])
    return records_frame(Move, map(asdict, steps))


def records_frame(kind: Any, records: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return records as a table with the columns of a dataclass, even if empty."""
    import pandas as pd

    names = [field.name for field in fields(kind)]
    return pd.DataFrame([dict(record) for record in records], columns=names)


def sizes_frame(labels: NDArray[np.integer[Any]]) -> pd.DataFrame:
    """Return clusters of which only the size is known; labels count from 0."""
    import pandas as pd

    names, sizes = np.unique(labels, return_counts=True)
    columns = [field.name for field in fields(ClusterTrust)]
    table = pd.DataFrame(index=range(len(names)), columns=columns, dtype=float)
    table["cluster"], table["size"] = names + 1, sizes
    table["nearest"], table["word"] = 0, "not known"
    return table


def items_frame(
    ids: Sequence[str], labels: NDArray[np.integer[Any]], place: Standing | None = None
) -> pd.DataFrame:
    """Return items as a table; ``labels`` count from 1."""
    import pandas as pd

    n = len(labels)
    unknown = np.full(n, np.nan)
    return pd.DataFrame(
        {
            "id": list(ids),
            "cluster": np.asarray(labels, dtype=np.int64),
            "consensus": unknown if place is None else place.own,
            "runner_up": np.zeros(n, np.int64) if place is None else place.rival + 1,
            "runner_up_consensus": unknown if place is None else place.second,
            "between": np.zeros(n, bool) if place is None else place.between,
            "isolated": np.zeros(n, bool),
        }
    )
