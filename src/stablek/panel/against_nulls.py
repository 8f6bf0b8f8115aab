"""How often data without clusters look as structured as the data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from stablek.engine.together import parts_of
from stablek.paradigm.contracts import Curve, NullCurves
from stablek.paradigm.joint import nulls_of

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]

#: In the silhouette the data must stand out from the null sets. In the separation of
#: the closest two clusters, and in the modularity, they may not look worse than the
#: typical null set: p up to TYPICAL. A wide cluster beside a tight one has a poor
#: modularity, as its items have their neighbours in the tight one. So modularity does
#: not count where the silhouette is far above all null sets, and the separation of the
#: data is rare among them: p up to RARE.
STATISTICS = ("silhouette", "separation", "modularity")
TYPICAL = 0.5
RARE = 0.02

#: A cluster below this share of the items, or this many, opens no gate.
SMALLEST_SHARE = 0.07
SMALLEST = 3


def columns_of(curve: Curve) -> dict[str, Floats]:
    """Return the statistics of the data, one column each."""
    widths, parted, graph, joined = parts_of(curve)
    return {
        "silhouette": widths.values,
        "separation": parted.values,
        "modularity": graph.values,
        "smallest": parted.columns["smallest"],
        "gap": joined.values,
    }


def null_columns(
    done: list[NullCurves], ks: tuple[int, ...], curves: tuple[Curve, ...]
) -> dict[str, Floats]:
    """Return the statistics of all null sets drawn so far, one row each."""
    widths, parted, graph, joined = (
        [nulls_of(one, ks, place, curve) for one in done]
        for place, curve in enumerate(curves)
    )

    def rows(some: list[NullCurves], name: str) -> Floats:
        return np.concatenate([one.columns[name][0] for one in some])

    return {
        "silhouette": rows(widths, curves[0].main),
        "separation": rows(parted, "separation"),
        "modularity": rows(graph, curves[2].main),
        "smallest": rows(parted, "smallest"),
        "gap": rows(joined, "gap"),
    }


def largest(data: Columns, nulls: Columns, name: str, n: int) -> Floats:
    """Return the largest score over ks, of the data and then of each null set.

    A statistic is standardised at each k by mean and standard deviation of the null
    sets. A k with a tiny cluster does not count, in data and null sets alike.
    """
    null = nulls[name]
    pooled = np.vstack([data[name], null])
    z = (pooled - null.mean(axis=0)) / np.maximum(null.std(axis=0), 1e-12)
    sizes = np.vstack([data["smallest"], nulls["smallest"]])
    return np.asarray(np.where(is_tiny(sizes, n), -np.inf, z).max(axis=1))


def is_tiny(sizes: NDArray[Any], n: int) -> NDArray[np.bool_]:
    """Tell which clusters of these sizes are too small to open the gate."""
    tiny: NDArray[np.bool_] = sizes < max(SMALLEST, SMALLEST_SHARE * n)
    return tiny


def tail(top: Floats) -> float:
    """Return how often a null set scores as high as the data, ``top[0]``.

    The tail of Student's t for a new value among the null sets, times the share of null
    sets that have a score at all. Counting the null sets above the data would jump with
    every single one of them, and another seed would give another answer. It is never
    below 1 / (null sets + 1), the least that counting could give.

    Examples
    --------
    >>> round(tail(np.array([0.0, -1.0, 1.0, -2.0, 2.0])), 3)
    0.5
    >>> tail(np.array([99.0, -1.0, 1.0, -2.0, 2.0]))
    0.2
    """
    known = top[1:][np.isfinite(top[1:])]
    if top[0] == -np.inf:
        return 1.0
    least = 1.0 / len(top)
    if len(known) < 2:
        return max(least, float(1 + (top[1:] >= top[0]).sum()) / len(top))
    spread = max(float(known.std(ddof=1)), 1e-12) * math.sqrt(1 + 1 / len(known))
    above = float(stdtr(len(known) - 1, (known.mean() - top[0]) / spread))
    return max(least, above * len(known) / (len(top) - 1))


def p_values(data: Columns, nulls: Columns, n: int) -> dict[str, float]:
    """Return how often null sets look as structured, by each statistic alone."""
    return {name: tail(largest(data, nulls, name, n)) for name in STATISTICS}


def apart(p_by: Mapping[str, float], *, clear: bool = False) -> bool:
    """Tell whether clusters are as far apart as in the typical null set, or farther.

    ``clear`` says that their silhouette is far above that of all null sets.

    Examples
    --------
    >>> apart({"silhouette": 0.9, "separation": 0.4, "modularity": 0.12})
    True
    >>> rare = {"silhouette": 0.02, "separation": 0.02, "modularity": 0.6}
    >>> apart(rare), apart(rare, clear=True)
    (False, True)
    """
    away = p_by["separation"]
    if clear and away <= RARE + 1e-12:
        return True
    return away <= TYPICAL and p_by["modularity"] <= TYPICAL
