"""What can be seen at each k: partitions, consensus, order, trust.

Everything is computed from the result's cube of labels. Above ``MOST`` items a fixed,
evenly spaced choice of those drawn stands for all, so that the work and the page stay
small, and nothing is shown of items that nothing is known of.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.comembership import consensus_matrix
from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import linkage
from stablek.paradigm.statistic.item_consensus import Standing
from stablek.report.charts.png import shrink
from stablek.report.page.nearest_cluster import drawn_items, joined
from stablek.results.result import Result
from stablek.results.tables import subsampled
from stablek.results.trust import item_standing

#: More items than this are represented by an even choice of so many.
MOST = 1000

#: The most rows that the image of a consensus matrix has.
SIDE = 400

#: Points at which the CDF of the consensus values is drawn.
GRID = np.linspace(0.0, 1.0, 101)

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """What is seen at one k, over the items of :attr:`Look.rows`.

    ``labels`` keep the number of a cluster from one k to the next where it persists.
    The rest is known for consensus measures only: ``order`` of the dendrogram, over
    the items ever drawn, the small ``image`` of the consensus matrix in that order, the
    ``cdf`` of its entries on GRID, and the ``standing`` of each item.
    """

    k: int
    labels: Labels
    order: NDArray[np.intp] | None = None
    image: Floats | None = None
    cdf: Floats | None = None
    standing: Standing | None = None


@dataclass(frozen=True)
class Look:
    """The views of a result at every k, over the same items.

    ``drawn`` is how many of all n items the run ever drew, copies of them included.
    """

    rows: NDArray[np.intp]
    n: int
    views: tuple[View, ...]
    drawn: int

    @property
    def sampled(self) -> bool:
        """Whether a choice of the items stands for all."""
        return len(self.rows) < self.n

    def at(self, k: int | None) -> View | None:
        """Return the view at k, if there is one."""
        return next((view for view in self.views if view.k == k), None)


def look_at(result: Result) -> Look | None:
    """Return the views of a result; None if it holds no partitions."""
    rows, drawn = evenly_spaced(result.n, MOST), result.n
    if has_consensus(result):
        items = drawn_items(result)
        drawn = len(items)
        if result.n > MOST:
            rows = items[evenly_spaced(drawn, MOST)]
        views = _consensus_views(result, rows)
    else:
        views = [View(k, labels) for k, labels in _plain_partitions(result, rows)]
    if not views:
        return None
    named = keep_numbers({view.k: view.labels for view in views}, result.k_star)
    renamed = [_renamed(view, named[view.k]) for view in views]
    return Look(rows, result.n, tuple(renamed), drawn)


def is_consensus(result: Result) -> bool:
    """Tell whether the curve describes a consensus matrix."""
    return {"area", "pac"} <= set(result.columns)


def has_consensus(result: Result) -> bool:
    """Tell whether a consensus matrix can be made of the result's labels.

    So it is for consensus measures, and for any run of ten subsamples or more that are
    labelled once each.
    """
    cube = result.cube
    return cube is not None and (is_consensus(result) or subsampled(cube))


def evenly_spaced(n: int, most: int) -> NDArray[np.intp]:
    """Return at most ``most`` of the numbers below n, evenly spaced."""
    if n <= most:
        return np.arange(n, dtype=np.intp)
    return np.linspace(0, n, most, endpoint=False).astype(np.intp)


def _consensus_views(result: Result, rows: NDArray[np.intp]) -> list[View]:
    views: list[View] = []
    assert result.cube is not None  # has_consensus() looked
    rank = np.arange(len(rows), dtype=np.float64)
    # A verdict brings a partition for every k; other runs cut their consensus.
    given = result.facts.get("partitions") == "given"
    for k in result.ks:
        if k not in result.cube.ks or k >= len(rows) or k < 2:
            continue
        drawn = result.cube.of_k(k)
        few = drawn if len(rows) == result.n else drawn[:, rows]
        matrix = consensus_matrix(np.ascontiguousarray(few))
        order, labels = _ordered(matrix, k, rank)
        rank = np.full(len(rows), float(len(rows)))
        rank[order] = np.arange(len(order))
        if given or k == result.k_star:
            labels = result.labels_at(k)[rows].astype(np.int64) - 1
        labels = joined(labels, result, rows)
        place = item_standing(labels, np.ascontiguousarray(few))
        image = shrink(matrix[np.ix_(order, order)], SIDE)
        views.append(View(k, labels, order, image, cdf_of(matrix), place))
    return views


def _ordered(matrix: Floats, k: int, rank: Floats) -> tuple[NDArray[np.intp], Labels]:
    """Return the order of a consensus matrix and its cut into k clusters.

    Items never drawn (set aside before the run) have no place and label -1.
    """
    drawn = np.isfinite(matrix).sum(axis=1) > 1
    items = np.flatnonzero(drawn)
    labels = np.full(len(matrix), -1, dtype=np.int64)
    if len(items) <= k:
        return np.arange(len(matrix), dtype=np.intp), labels
    among = matrix if drawn.all() else matrix[np.ix_(items, items)]
    merges = linkage(1.0 - np.nan_to_num(among), "average")
    labels[items] = cut_all(merges, [k], np.uint16)[0]
    return items[leaf_order(merges, rank[items])], labels


def _plain_partitions(
    result: Result, rows: NDArray[np.intp]
) -> list[tuple[int, Labels]]:
    """Return the partitions of the whole data that the run itself made."""
    by_k: dict[int, Labels] = {}
    cube = result.cube
    if cube is not None:
        for column, k in enumerate(cube.ks):
            if k not in result.ks:
                continue
            if cube.original is not None:
                by_k[k] = cube.original[column][rows].astype(np.int64)
            elif (
                cube.filled[0, column]
                and not (cube.labels[0, column, 0] == cube.missing).any()
            ):
                by_k[k] = cube.labels[0, column, 0][rows].astype(np.int64)
    if result.labels is not None and result.k_star is not None:
        by_k[result.k_star] = result.labels[rows].astype(np.int64) - 1
    return sorted(by_k.items())


def cdf_of(matrix: Floats) -> Floats:
    """Return the share of the pairs with a consensus of at most x, for x on GRID."""
    upper = matrix[np.triu_indices(len(matrix), 1)]
    upper = upper[np.isfinite(upper)]
    steps = len(GRID) - 1
    # The ceiling of M x 100 is the first grid point that is not below M.
    place = np.ceil(np.round(upper * steps, 9)).astype(np.int64)
    counts = np.bincount(place, minlength=len(GRID))
    return np.cumsum(counts) / max(len(upper), 1)


def leaf_order(merges: Floats, rank: Floats) -> NDArray[np.intp]:
    """Return the leaves of a dendrogram from left to right.

    Either branch may stand left; the one whose leaves rank lower on average does, so
    that the picture changes as little as it can from one k to the next.
    """
    n = len(merges) + 1
    size = np.ones(2 * n - 1)
    mean = np.concatenate([rank, np.zeros(n - 1)])
    children = merges[:, :2].astype(np.intp)
    for place, (a, b) in enumerate(children):
        size[n + place] = size[a] + size[b]
        mean[n + place] = (mean[a] * size[a] + mean[b] * size[b]) / size[n + place]
    order = np.empty(n, dtype=np.intp)
    stack, count = [2 * n - 2], 0
    while stack:
        node = stack.pop()
        if node < n:
            order[count] = node
            count += 1
            continue
        a, b = children[node - n]
        left, right = (a, b) if mean[a] <= mean[b] else (b, a)
        stack += [int(right), int(left)]
    return order


def keep_numbers(
    partitions: Mapping[int, NDArray[np.integer[Any]]],
    first: int | None,
    rows: slice | NDArray[np.intp] = slice(None),
) -> dict[int, Labels]:
    """Return partitions in which a cluster keeps its number from one k to the next.

    The numbers at ``first`` stand, or those at the smallest k. Only the given rows are
    kept; all of them count.
    """
    ks = sorted(partitions)
    at = ks.index(first) if first in ks else 0
    kept = {}
    for way in (ks[at:], ks[at::-1]):
        last = np.asarray(partitions[ks[at]], dtype=np.int64)
        kept[ks[at]] = last[rows]
        for k in way[1:]:
            last = follow(last, np.asarray(partitions[k], dtype=np.int64))
            kept[k] = last[rows]
    return kept


def follow(before: Labels, after: Labels) -> Labels:
    """Return ``after`` numbered as ``before`` where they overlap most.

    Pairs of clusters are matched greedily by the number of items they share; clusters
    left over take the lowest free numbers.

    Examples
    --------
    >>> follow(np.array([0, 0, 1, 1]), np.array([2, 2, 0, 1])).tolist()
    [0, 0, 1, 2]
    """
    shared = np.zeros((int(before.max()) + 1, int(after.max()) + 1), dtype=np.int64)
    np.add.at(shared, (before, after), 1)
    names: dict[int, int] = {}
    taken: set[int] = set()
    for flat in np.argsort(-shared, axis=None, kind="stable"):
        old, new = (int(i) for i in np.unravel_index(flat, shared.shape))
        if shared[old, new] and new not in names and old not in taken:
            names[new] = old
            taken.add(old)
    free = (number for number in range(len(taken) + shared.size) if number not in taken)
    for new in np.unique(after).tolist():
        if new not in names:
            names[new] = next(free)
    return np.array([names[int(label)] for label in after], dtype=np.int64)


def _renamed(view: View, labels: Labels) -> View:
    names = dict(zip(view.labels.tolist(), labels.tolist(), strict=True))
    place = view.standing
    if place is not None:
        rival = np.array([names.get(int(r), -1) for r in place.rival], dtype=np.int64)
        place = replace(place, rival=rival)
    return replace(view, labels=labels, standing=place)
