"""The consensus matrix as a similarity (thesis, section 7.4).

Is one minus the consensus matrix a better distance for hierarchical clustering than the
Euclidean distance? Both are cut at the k that the thesis prints, and compared with gold
labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stablek.api.choose_k import choose_k
from stablek.data import Dataset
from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import linkage
from stablek.paradigm.indices import contingency, index
from stablek_bench.grid import TABLES, Recipe
from stablek_bench.reference import numbers_of_clusters, printed

LINKAGE = {"hier-a": "average", "hier-c": "complete", "hier-s": "single"}
#: The tables of indices, and the one whose ks they were cut at.
CUT_AT = {
    "simmConsensuns500-80": "H500p80",
    "simmConsensuns250-80": "H250p80",
    "siimEuclidean": "H500p80",
    "FC-simGiancarlo": "FC-H250p80",
    "simmConsensuns250-80-Monti": "Consensus-H250p80Monti",
    "FC-simMonti": "FC-Monti",
    "ConsensusEuclideanMonti": "Consensus-H250p80Monti",
    "ConsensussimSimulated": "Consensus-H250p80Sim",
    "FCsimSimulated": "FCSim",
    "simEuclideanSimulated": "Consensus-H250p80Sim",
}


def printed_ks(table: str, row: str, dataset: str) -> tuple[int, ...]:
    """Return the ks that the thesis may have cut at; several where it prints several.

    Examples
    --------
    >>> printed_ks("FC-simMonti", "Hier-A", "Novartis")
    (5, 6)
    """
    return numbers_of_clusters(printed().get((CUT_AT[table], row, dataset)))


def place_of(recipe: Recipe, dataset: str) -> tuple[str, str] | None:
    """Return the table and the row of a cut of a data set; None where it has none."""
    found = (
        (table, row)
        for table in CUT_AT
        if dataset in TABLES[table].columns
        for row, own in TABLES[table].rows.items()
        if own == recipe
    )
    return next(found, None)


def indices_at(
    recipe: Recipe,
    data: Dataset,
    classes: tuple[str, ...],
    ks: tuple[int, ...],
    seed: int,
) -> dict[int, float]:
    """Return the Adjusted Rand index of a hierarchical cut with the classes, by k.

    Of the Euclidean distances, or of a consensus matrix: each k has its own.
    """
    word, adjusted = recipe.algorithm, index("adj")
    result = None
    if recipe.what == "consensus-cut" and ks:
        settings = dict(recipe.settings)
        result = choose_k(data, recipe.measure, word, ks, seed=seed, jobs=1, **settings)
    found = {}
    for k in ks:
        apart = (
            np.array(data.distances("euclidean"))
            if result is None
            else distance_of(result.consensus(k))
        )
        found[k] = float(adjusted(contingency(classes, cut(apart, k, LINKAGE[word]))))
    return found


def distance_of(consensus: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return one minus the consensus matrix; pairs never drawn together are apart.

    Examples
    --------
    >>> import numpy as np
    >>> distance_of(np.array([[1.0, 0.25], [0.25, 1.0]]))
    array([[0.  , 0.75],
           [0.75, 0.  ]])
    """
    apart = 1 - consensus
    apart[np.isnan(apart)] = 1.0
    return apart


def cut(apart: NDArray[np.float64], k: int, method: str) -> NDArray[np.int64]:
    """Return the labels of the cut at k of distances, under a linkage."""
    labels = cut_all(linkage(apart, method), np.array([k]), np.dtype(np.uint16))
    found: NDArray[np.int64] = labels[0].astype(np.int64)
    return found
