"""Figures of clusters, drawn with matplotlib: markers, tracking, consensus, tree.

What ConsensusClusterPlus (``calcICL``, tracking plot), clustree and scanpy draw; named
in :mod:`stablek.report.plots`, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import as_dataset
from stablek.errors import InputError
from stablek.kernels.clusters import compact
from stablek.kernels.comembership import item_consensus as consensus_of_items
from stablek.report.charts.marker_map import MOST_COLUMNS, SHADES_TO, standard_scores
from stablek.report.charts.strips import Strip, strip_of
from stablek.report.charts.tracking import back_to_front, tracking_order
from stablek.report.charts.tree import layout
from stablek.report.page.look import keep_numbers, leaf_order
from stablek.report.pictures import CHOSEN, COLOURS, GREY, new_axes
from stablek.results.markers import markers as find_markers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def markers(
    X: Any,
    labels: Sequence[Any] | None = None,
    *,
    per: int = 8,
    annotations: Sequence[Any] = (),
    ax: Axes | None = None,
) -> Axes:
    """Draw the columns that set clusters apart: columns by items, cluster by cluster.

    ``X`` is a verdict, or data with ``labels``; ``per`` columns are shown per cluster.
    Values are in standard deviations from the mean of their column. Above stand the
    clusters, and the annotations of the data or those given.
    """
    data, clusters = _data_and_labels(X, labels)
    table = find_markers(data.values, clusters, data.columns, top=per)
    names = list(dict.fromkeys(one.column for one in table))[:MOST_COLUMNS]
    place = {name: j for j, name in enumerate(data.column_names())}
    order = np.argsort(clusters, kind="stable")
    columns = np.array([place[name] for name in names])
    wide = data.values.T[np.ix_(columns, order)].T
    ax = new_axes(ax)
    image = ax.imshow(
        standard_scores(wide).T, cmap="RdBu_r", aspect="auto", vmin=-SHADES_TO,
        vmax=SHADES_TO, interpolation="nearest",
    )  # fmt: skip
    rows = [Strip("cluster", clusters), *map(strip_of, annotations or data.annotations)]
    strips_above(ax, [row.at(order) for row in rows])
    ax.set(xticks=[], xlabel="items, cluster by cluster")
    ax.set_yticks(range(len(names)), names, fontsize="x-small")
    for edge in np.flatnonzero(np.diff(clusters[order])):
        ax.axvline(edge + 0.5, color="white", lw=1)
    ax.figure.colorbar(image, ax=ax, shrink=0.6, label="standard deviations from mean")
    return ax


def heatmap(
    result: Any,
    k: int | None = None,
    *,
    annotations: Sequence[Any] = (),
    ax: Axes | None = None,
) -> Axes:
    """Draw the consensus matrix at k in the order of its dendrogram.

    By default at k*, or at the first k where there is none. ``annotations`` are drawn
    as strips above it.
    """
    from stablek.kernels.linkage import linkage

    k = _shown_k(result, k)
    ax = new_axes(ax)
    matrix = result.consensus(k)
    merges = linkage(1 - np.nan_to_num(matrix), "average")
    order = leaf_order(merges, np.arange(len(matrix), dtype=np.float64))
    image = ax.imshow(matrix[np.ix_(order, order)], cmap="Blues", vmin=0, vmax=1,
                      interpolation="nearest")  # fmt: skip
    ax.set(xticks=[], yticks=[])
    if annotations:
        rows = [strip_of(one).at(order) for one in annotations]
        strips_above(ax, rows, tall=len(matrix) / 25)
    ax.set_title(f"consensus matrix at k = {k}", fontsize="medium")
    ax.figure.colorbar(image, ax=ax, shrink=0.8, label="share of repeats together")
    return ax


def tracking(source: Any, ax: Axes | None = None) -> Axes:
    """Draw the cluster of every item at every k: one row per k, one column per item.

    ``source`` is a verdict, a result, or a mapping from k to labels.
    """
    partitions = _partitions(source)
    order = tracking_order(partitions)
    partitions = keep_numbers(partitions, getattr(source, "k", None))
    ks = sorted(partitions)
    ax = new_axes(ax)
    image = np.array([[_colour(c) for c in partitions[k][order]] for k in ks])
    ax.imshow(image, aspect="auto", interpolation="nearest")
    ax.set_yticks(range(len(ks)), [str(k) for k in ks])
    ax.set(xticks=[], xlabel="items", ylabel="number of clusters k")
    return ax


def item_consensus(result: Any, k: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the consensus of every item with every cluster, from 0 each (calcICL)."""
    from matplotlib.patches import Patch

    k, labels, drawn = _subsamples(result, k)
    mean = np.nan_to_num(consensus_of_items(drawn, labels))
    order = np.lexsort((-mean[np.arange(len(labels)), labels], labels))
    ax = new_axes(ax)
    for c, places, heights in back_to_front(mean[order]):
        ax.bar(places, heights, 1.0, color=COLOURS[c % len(COLOURS)])
    ax.set(xticks=[], xlabel="items, cluster by cluster", ylabel="item consensus",
           ylim=(0, 1.02))  # fmt: skip
    ax.set_title(f"k = {k}", fontsize="medium")
    shown = [Patch(color=COLOURS[c % len(COLOURS)], label=f"cluster {c + 1}")
             for c in range(mean.shape[1])]  # fmt: skip
    ax.legend(handles=shown, frameon=False, fontsize="small")
    return ax


def cluster_consensus(
    result: Any, ks: Sequence[int] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the mean consensus within every cluster at every k (calcICL)."""
    result = _result(result)
    ax = new_axes(ax)
    tried = [k for k in (ks or result.ks) if k > 1 and k in result.cube.ks]
    for k in tried:
        within = consensus_within(result, k)
        wide = 0.8 / len(within)
        at = k - 0.4 + wide * (np.arange(len(within)) + 0.5)
        colours = [COLOURS[c % len(COLOURS)] for c in range(len(within))]
        ax.bar(at, np.nan_to_num(within), 0.9 * wide, color=colours)
    ax.set_xticks(tried)
    ax.set(xlabel="number of clusters k", ylabel="cluster consensus", ylim=(0, 1.02))
    return ax


def tree(source: Any, ax: Axes | None = None) -> Axes:
    """Draw the tree of clusters over k: shade by stability, edges by share of items.

    ``source`` is a verdict or a result.
    """
    from stablek.report.charts.tree import MOST_STEPS

    records = moves_of(source)
    steps = sorted({int(m["next_k"]) for m in records})[:MOST_STEPS]
    records = [m for m in records if int(m["next_k"]) in steps]
    at = layout(records)
    ax = new_axes(ax)
    nodes: dict[tuple[int, int], tuple[float, float]] = {}
    for m in records:
        a = (int(m["k"]), int(m["source"]))
        b = (int(m["next_k"]), int(m["target"]))
        ax.plot([at[a], at[b]], [-a[0], -b[0]], color=GREY, zorder=1,
                lw=0.5 + 5 * float(m["of_target"]), alpha=0.6)  # fmt: skip
        size = float(m["items"])
        nodes[b] = (nodes.get(b, (0.0, 0.0))[0] + size, float(m["target_jaccard"] or 0))
        nodes.setdefault(
            a,
            (size / max(float(m["of_source"]), 1e-9), float(m["source_jaccard"] or 0)),
        )
    most = max((size for size, _ in nodes.values()), default=1.0)
    shown = ax.scatter(
        [at[node] for node in nodes], [-node[0] for node in nodes],
        s=[40 + 400 * size / most for size, _ in nodes.values()],
        c=[jaccard for _, jaccard in nodes.values()], cmap="Blues", vmin=0, vmax=1,
        edgecolors="black", linewidths=0.6, zorder=2,
    )  # fmt: skip
    for k, cluster in nodes:
        ax.text(at[k, cluster], -k, str(cluster), ha="center", va="center",
                fontsize="x-small", color=CHOSEN, zorder=3)  # fmt: skip
    ks = sorted({k for k, _ in nodes})
    ax.set_yticks([-k for k in ks], [str(k) for k in ks])
    ax.set(xticks=[], ylabel="number of clusters k")
    ax.figure.colorbar(shown, ax=ax, shrink=0.6, label="stability (mean Jaccard)")
    return ax


def consensus_within(result: Any, k: int) -> Floats:
    """Return the mean consensus of the pairs of every cluster at k."""
    _, labels, drawn = _subsamples(result, k)
    mean = consensus_of_items(drawn, labels)
    own = mean[np.arange(len(labels)), labels]
    known = np.isfinite(own)
    count = np.bincount(labels[known], minlength=mean.shape[1])
    total = np.bincount(labels[known], weights=own[known], minlength=mean.shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        within: Floats = total / count
    return within


def moves_of(source: Any) -> list[Mapping[str, Any]]:
    """Return which clusters split and merge over k, as records."""
    records = getattr(source, "move_records", None)
    if not records:
        from dataclasses import asdict

        from stablek.results.trust import moves

        result = _result(source)
        ks = [k for k in result.cube.ks if k > 1 and k in result.ks]
        parts = [_subsamples(result, k) for k in ks]
        made = moves(ks, np.array([p[1] for p in parts]), [p[2] for p in parts])
        records = [asdict(one) for one in made]
    return [dict(m) for m in records]


def _data_and_labels(X: Any, labels: Sequence[Any] | None) -> tuple[Any, Labels]:
    if labels is None:
        if not hasattr(X, "labels") or getattr(X, "data", None) is None:
            raise InputError(
                "name the clusters: markers(X, labels), or pass a verdict of this run"
            )
        k = getattr(X, "best_guess", None) or getattr(X, "k", None)
        clusters = X.labels_at(k) if k and hasattr(X, "labels_at") else X.labels
        return X.data, compact(clusters)
    return as_dataset(X), compact(labels)


def _partitions(source: Any) -> dict[int, Labels]:
    if not isinstance(source, Mapping):
        partitions = getattr(source, "partitions", None)
        if not partitions:
            result = _result(source)
            partitions = {
                k: result.labels_at(k)
                for k in result.cube.ks
                if k in result.ks and k > 1
            }
        source = partitions
    return {int(k): compact(labels) for k, labels in source.items()}


def _result(source: Any) -> Any:
    """Return the result that holds subsamples: of a verdict, or itself."""
    result = getattr(source, "result", None) or source
    if getattr(result, "cube", None) is None:
        raise InputError(
            "there are no subsamples to draw: run it again, or open its run folder"
        )
    return result


def _subsamples(source: Any, k: int | None) -> tuple[int, Labels, NDArray[Any]]:
    """Return k, the partition there from 0, and the partitions of subsamples."""
    result = _result(source)
    k = _shown_k(result, k)
    return k, compact(result.labels_at(k)), np.ascontiguousarray(result.cube.of_k(k))


def _shown_k(result: Any, k: int | None) -> int:
    """Return the k asked for; k* without one, or the first where that is no more."""
    if k is None:
        k = result.k_star if (result.k_star or 0) > 1 else result.ks[0]
    return int(k)


def strips_above(ax: Axes, rows: Sequence[Strip], tall: float = 1.0) -> None:
    """Draw strips above a heat map, each as tall as so many of its rows."""
    low, top = ax.get_ylim()
    for row in rows:
        image = np.array([[_colour(c, shaded=row.shaded) for c in row.codes]])
        ax.imshow(image, aspect="auto", interpolation="nearest",
                  extent=(-0.5, len(row.codes) - 0.5, top, top - tall))  # fmt: skip
        ax.text(-1, top - tall / 2, row.name, ha="right", va="center",
                fontsize="x-small")  # fmt: skip
        top -= 1.2 * tall
    ax.set_ylim(low, top)


def _colour(code: int, *, shaded: bool = False) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    if code < 0:
        return (1.0, 1.0, 1.0)
    if shaded:
        level = 0.9 - 0.18 * min(int(code), 4)
        return (level, level, level)
    return tuple(to_rgb(COLOURS[int(code) % len(COLOURS)]))
