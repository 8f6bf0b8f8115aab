"""Figures of data and partitions, drawn with matplotlib: see ``plots``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import as_dataset
from stablek.data.seeds import stream
from stablek.errors import InputError, StablekError
from stablek.report.charts.embed import plane
from stablek.report.page.look import leaf_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that the colour-blind can tell apart (Okabe and Ito; Tol).
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255",
    "#999933", "#44337f", "#aa4499", "#7a3b12", "#777777",
)  # fmt: skip
CHOSEN = "#bd4600"
GREY = "#8a8f98"

NO_MATPLOTLIB = "figures need matplotlib: pip install 'stablek[plot]'"


def new_axes(ax: Axes | None) -> Axes:
    """Return the axes given, or new ones; say what to install without matplotlib."""
    if ax is not None:
        return ax
    import sys

    # A notebook, and a script that uses pyplot, show the figures of pyplot only.
    if "ipykernel" not in sys.modules and "matplotlib.pyplot" not in sys.modules:
        return new_figure().subplots()
    try:
        from matplotlib import pyplot
    except ImportError:
        raise StablekError(NO_MATPLOTLIB) from None
    return pyplot.subplots(layout="constrained")[1]


def new_figure(**settings: Any) -> Figure:
    """Return a figure outside pyplot; say what to install without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise StablekError(NO_MATPLOTLIB) from None
    return Figure(layout="constrained", **settings)


def dendrogram(
    X: Any,
    k: int,
    method: str = "average",
    metric: str = "euclidean",
    ax: Axes | None = None,
) -> Axes:
    """Draw the dendrogram of the items, cut into k clusters (thesis, section 1.2.1).

    Branches of a cluster have its colour; the dashed line is the cut.
    """
    from stablek.kernels.cuts import cut_all
    from stablek.kernels.linkage import linkage

    data = as_dataset(X, metric)
    if not 1 <= k <= data.n:
        raise InputError(f"k = {k}: the cut makes 1 to {data.n} clusters")
    ax = new_axes(ax)
    merges = linkage(np.array(data.distances(metric), dtype=np.float64), method)
    n = data.n
    labels = cut_all(merges, [k], np.uint16)[0]
    order = leaf_order(merges, np.arange(n, dtype=np.float64))
    x = np.zeros(2 * n - 1)
    x[order] = np.arange(n)
    y = np.zeros(2 * n - 1)
    cluster = np.concatenate([labels.astype(np.int64), np.full(n - 1, -1)])
    for place, (a, b, height) in enumerate(merges[:, :3]):
        left, right, top = int(a), int(b), n + place
        x[top], y[top] = (x[left] + x[right]) / 2, height
        if place < n - k:
            cluster[top] = cluster[left]
        inside = cluster[top] >= 0
        colour = COLOURS[cluster[top] % len(COLOURS)] if inside else GREY
        ax.plot([x[left], x[left], x[right], x[right]],
                [y[left], height, height, y[right]], color=colour, lw=1)  # fmt: skip
    if 1 < k < n:
        cut = (merges[n - k - 1, 2] + merges[n - k, 2]) / 2
        ax.axhline(cut, color=CHOSEN, ls="--", lw=1.2, label=f"cut into {k}")
        ax.legend(frameon=False, fontsize="small")
    ax.set(xticks=[], xlabel="items", ylabel="height", ylim=(0, None))
    ax.set_xlim(-1, n)
    return ax


def items(
    X: Any, labels: Sequence[Any] | None = None, title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw the items in the plane of their principal components, by label.

    Data with two columns are drawn as they are.
    """
    data = as_dataset(X)
    ax = new_axes(ax)
    if data.m == 2 and not data.precomputed:
        points = np.asarray(data.values, dtype=np.float64)
        names = data.columns or ("", "")
    else:
        points, names = plane(data, np.arange(data.n))
    _points(ax, points, labels)
    ax.set(xlabel=names[0], ylabel=names[1])
    ax.set_title(title, fontsize="medium")
    return ax


def kmeans_step(
    X: Any, k: int, step: int, seed: int = 0, ax: Axes | None = None
) -> Axes:
    """Draw K-means after some steps from k random items (thesis, section 1.2.2).

    Step 0 shows the items and the centres they start from; crosses are the centres.
    """
    data = as_dataset(X)
    ax = new_axes(ax)
    values = np.asarray(data.values, dtype=np.float64)
    centres = values[stream(seed, "figure").choice(data.n, k, replace=False)]
    labels = None
    for _ in range(step):
        gaps = ((values[:, None, :] - centres[None]) ** 2).sum(axis=-1)
        labels = gaps.argmin(axis=1)
        for c in range(k):
            if (labels == c).any():
                centres[c] = values[labels == c].mean(axis=0)
    _points(ax, values[:, :2], labels)
    ax.scatter(centres[:, 0], centres[:, 1], marker="X", s=80, c="black",
               edgecolors="white", linewidths=1)  # fmt: skip
    ax.set_title("start" if step == 0 else f"after step {step}", fontsize="medium")
    return ax


def null_model(X: Any, model: str, seed: int = 0, ax: Axes | None = None) -> Axes:
    """Draw one data set of a null model next to its data (thesis, section 1.3).

    The data are grey; ``model`` is a name such as normal, ps, pc or pr.
    """
    from stablek.paradigm.perturb.null import null_model as named

    data = as_dataset(X)
    ax = new_axes(ax)
    drawn = named(model).draw(data, stream(seed, "figure"))
    basis = np.asarray(data.values, dtype=np.float64)
    points = np.asarray(drawn.values, dtype=np.float64)
    ax.scatter(basis[:, 0], basis[:, 1], s=8, c=GREY, alpha=0.5, label="data")
    ax.scatter(points[:, 0], points[:, 1], s=10, c=COLOURS[0], label=f"null {model}")
    # Above the points, which may lie anywhere.
    ax.legend(frameon=False, fontsize="small", ncols=2, loc="lower left",
              bbox_to_anchor=(0, 1), borderaxespad=0.2)  # fmt: skip
    return ax


def levels(
    X: Any, coarse: Sequence[Any], fine: Sequence[Any], ax: Axes | None = None
) -> Axes:
    """Draw structure on two levels: colours are coarse groups, numbers fine ones.

    The multi-level example of the thesis (section 3.2.2).
    """
    data = as_dataset(X)
    ax = new_axes(ax)
    points, _ = plane(data, np.arange(data.n))
    if data.m == 2:
        points = np.asarray(data.values, dtype=np.float64)
    _points(ax, points, coarse)
    names = np.asarray([str(label) for label in fine])
    for name in dict.fromkeys(names.tolist()):
        x, y = points[names == name].mean(axis=0)
        around = {"boxstyle": "circle", "fc": "white", "ec": "none", "alpha": 0.8}
        ax.text(x, y, name, ha="center", va="center", weight="bold", bbox=around)
    return ax


def profiles(X: Any, labels: Sequence[Any], which: Any, ax: Axes | None = None) -> Axes:
    """Draw the items of one class as profiles over the columns, with their mean."""
    data = as_dataset(X)
    ax = new_axes(ax)
    mine = np.asarray([str(label) == str(which) for label in labels])
    values = np.asarray(data.values, dtype=np.float64)[mine]
    ax.plot(values.T, color=COLOURS[0], lw=0.5, alpha=0.4)
    if len(values):
        ax.plot(values.mean(axis=0), color=CHOSEN, lw=2)
    ax.set(xlabel="column", ylabel="value")
    ax.set_title(f"{which}: {len(values)} items", fontsize="medium")
    return ax


def _points(
    ax: Axes, points: NDArray[np.float64], labels: Sequence[Any] | NDArray[Any] | None
) -> None:
    size = 14 if len(points) <= 500 else 6
    if labels is None:
        ax.scatter(points[:, 0], points[:, 1], s=size, c=GREY)
        return
    texts = np.asarray([str(label) for label in labels])
    names = list(dict.fromkeys(texts.tolist()))
    for place, name in enumerate(sorted(names, key=lambda n: (len(n), n))):
        mine = points[texts == name]
        ax.scatter(mine[:, 0], mine[:, 1], s=size, label=name,
                   c=COLOURS[place % len(COLOURS)])  # fmt: skip
