"""Make the gallery of figures: ``python docs/make_gallery.py``.

Every figure of the thesis, drawn by one call each; the calls are in gallery.md above
their pictures, taken from this file. Everything is seeded and small: it takes seconds.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import stablek
from stablek.datasets.simulated import gaussian5, simulated6
from stablek.report import plots

HERE = Path(__file__).parent
PICTURES = HERE / "gallery"


def two_groups() -> np.ndarray:
    """Return two groups in the plane, as in the thesis's running example."""
    rng = np.random.default_rng(7)
    return np.r_[rng.normal((0, 0), 1.0, (60, 2)), rng.normal((6, 3), 1.2, (60, 2))]


def two_levels() -> tuple[np.ndarray, list[str], list[str]]:
    """Return two groups that are made of five, with the labels of both levels."""
    rng = np.random.default_rng(3)
    centres = [(0, 0), (3, 0), (1.5, 2.6), (12, 1), (14.5, 3.5)]
    values = np.concatenate([rng.normal(c, 0.55, (30, 2)) for c in centres])
    coarse = ["left"] * 90 + ["right"] * 60
    return values, coarse, [str(i + 1) for i in range(5) for _ in range(30)]


def four_groups() -> np.ndarray:
    """Return four groups that touch, in eight columns."""
    rng = np.random.default_rng(11)
    centres = rng.normal(0, 2.0, (4, 8))
    return np.concatenate([rng.normal(c, 1.3, (25, 8)) for c in centres])


def verdict(ax: Any) -> None:
    """Draw how plausible every number of clusters is."""
    v = stablek.verdict(four_groups(), range(2, 9))
    plots.plausible(v, ax=ax)


def marker_map(ax: Any) -> None:
    """Draw the columns that set the clusters apart, as a heatmap."""
    v = stablek.verdict(four_groups(), range(2, 9))
    plots.markers(v, ax=ax)


def dendrogram(ax: Any) -> None:
    """Draw a dendrogram and its cut into four clusters."""
    plots.dendrogram(two_groups()[::4], k=4, ax=ax)


def kmeans_start(ax: Any) -> None:
    """Draw K-means: the start."""
    plots.kmeans_step(two_levels()[0], k=5, step=0, seed=45, ax=ax)


def kmeans_first(ax: Any) -> None:
    """Draw K-means: after the first step."""
    plots.kmeans_step(two_levels()[0], k=5, step=1, seed=45, ax=ax)


def kmeans_last(ax: Any) -> None:
    """Draw K-means: after the last step."""
    plots.kmeans_step(two_levels()[0], k=5, step=12, seed=45, ax=ax)


def null_normal(ax: Any) -> None:
    """Draw a null model: one normal cluster."""
    plots.null_model(two_groups(), "normal", ax=ax)


def null_poisson(ax: Any) -> None:
    """Draw a null model: a uniform box."""
    plots.null_model(two_groups(), "ps", ax=ax)


def null_principal(ax: Any) -> None:
    """Draw a null model: a box along the principal components."""
    plots.null_model(two_groups(), "pc", ax=ax)


def wcss(ax: Any) -> None:
    """Draw an elbow: WCSS with its knee; K-means-R, five starts."""
    result = stablek.choose_k(two_groups(), "wcss", "kmeans-r", range(1, 16))
    plots.wcss(result, ax=ax)


def diff(ax: Any) -> None:
    """Draw DIFF, the differences that KL compares."""
    result = stablek.choose_k(two_groups(), "kl", "kmeans-r", range(2, 16))
    plots.diff(result, ax=ax)


def kl(ax: Any) -> None:
    """Draw the index of Krzanowski and Lai."""
    result = stablek.choose_k(two_groups(), "kl", "kmeans-r", range(2, 16))
    plots.kl(result, ax=ax)


def gap(ax: Any) -> None:
    """Draw Gap: two curves and the distance between them."""
    result = stablek.choose_k(two_groups(), "gap-pc", "kmeans-r", range(1, 11))
    plots.gap(result, ax=ax)


def g_gap(ax: Any) -> None:
    """Draw G-Gap: a lifted chord instead of the null curve."""
    result = stablek.choose_k(two_groups(), "g-gap", "kmeans-r", range(1, 16))
    plots.g_gap(result, ax=ax)


def fom(ax: Any) -> None:
    """Draw FOM: the error of predicting a column left out."""
    result = stablek.choose_k(four_groups(), "fom", "kmeans-a", range(2, 13))
    plots.fom(result, ax=ax)


def me_good(ax: Any) -> None:
    """Draw Model Explorer at a good k: partitions agree."""
    result = stablek.choose_k(two_groups(), "me", "kmeans-r", range(2, 6), repeats=100)
    plots.histogram(result, 2, ax=ax)


def me_bad(ax: Any) -> None:
    """Draw Model Explorer at a poor k: they do not."""
    result = stablek.choose_k(two_groups(), "me", "kmeans-r", range(2, 6), repeats=100)
    plots.histogram(result, 4, ax=ax)


def levels(ax: Any) -> None:
    """Draw two groups that are really five."""
    values, coarse, fine = two_levels()
    plots.levels(values, coarse, fine, ax=ax)


def cdf(ax: Any) -> None:
    """Draw Consensus: the CDF of the consensus values."""
    values, _, _ = two_levels()
    plots.cdf(stablek.choose_k(values, "fc", ks=range(2, 11), repeats=100), ax=ax)


def delta(ax: Any) -> None:
    """Draw Consensus: the Delta curve."""
    values, _, _ = two_levels()
    plots.delta(stablek.choose_k(values, "fc", ks=range(2, 11), repeats=100), ax=ax)


def heatmap(ax: Any) -> None:
    """Draw a heatmap of the consensus matrix."""
    values, _, _ = two_levels()
    plots.heatmap(stablek.choose_k(values, "fc", ks=range(2, 11), repeats=100), ax=ax)


def delta_consensus(ax: Any) -> None:
    """Draw Consensus: Delta after H repeats."""
    result = stablek.choose_k(
        four_groups(), "consensus", "kmeans-r", range(2, 11), repeats=250
    )
    plots.delta_over_repeats(result, ax=ax)


def delta_fc(ax: Any) -> None:
    """Draw FC: Delta after H repeats."""
    result = stablek.choose_k(
        four_groups(), "fc", "kmeans-r", range(2, 11), repeats=250
    )
    plots.delta_over_repeats(result, ax=ax)


def external_index(ax: Any) -> None:
    """Draw an external index over k, by algorithm."""
    from stablek.data import from_arrays
    from stablek.data.seeds import Streams
    from stablek.paradigm.cluster import algorithm
    from stablek.paradigm.indices import adjusted_rand, contingency

    made = gaussian5(seed=1)
    data, ks = from_arrays(made.values), range(2, 11)
    curves = {}
    for name in ("hier-a", "hier-c", "hier-s", "kmeans-r"):
        found = algorithm(name).partitions(data.whole(), ks, Streams(0, "figure"))
        curves[name] = [adjusted_rand(contingency(made.labels, one)) for one in found]
    plots.external_index(curves, ks, gold=5, ax=ax)


def items(ax: Any) -> None:
    """Draw Gaussian5, a simulated data set."""
    made = gaussian5(seed=1)
    plots.items(made.values, made.labels, ax=ax)


def profiles(ax: Any) -> None:
    """Draw profiles of one class of Simulated6."""
    made = simulated6(seed=1)
    plots.profiles(made.values, made.labels, which=made.labels[0], ax=ax)


FIGURES: tuple[Callable[[Any], None], ...] = (
    verdict, heatmap, marker_map, wcss, dendrogram, cdf, delta, gap, items, levels,
    profiles, kmeans_start, kmeans_first, kmeans_last, null_normal, null_poisson,
    null_principal, diff, kl, g_gap, fom, me_good, me_bad, delta_consensus, delta_fc,
    external_index,
)  # fmt: skip


def main() -> None:
    """Draw every figure and write the page around them."""
    PICTURES.mkdir(exist_ok=True)
    mpl.rcParams["svg.hashsalt"] = "stablek"
    page = [
        "# Gallery", "",
        "What people need most comes first, then the other figures of the thesis. Each "
        "is one call. Every function takes `ax=` and "
        "returns it; save with `ax.figure.savefig(\"figure.pdf\")` (PNG, SVG, PDF). "
        "Made by `python docs/make_gallery.py`; the data are in that file.", "",
    ]  # fmt: skip
    for draw in FIGURES:
        figure = Figure(figsize=(4.6, 3.2), layout="constrained")
        draw(figure.subplots())
        path = PICTURES / f"{draw.__name__}.png"
        figure.savefig(path, dpi=120, metadata={"Software": None})
        source = inspect.getsource(draw).split('."""\n', 1)[1]
        title = (draw.__doc__ or "").removeprefix("Draw ").rstrip(".")
        title = title[:1].upper() + title[1:]
        page += [f"## {title}", "", "```python", inspect.cleandoc(source), "```", "",
                 f"![{title}](gallery/{path.name})", ""]  # fmt: skip
        print(path.name, file=sys.stderr)
    (HERE / "gallery.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
