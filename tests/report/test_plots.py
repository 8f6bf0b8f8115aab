"""Figures for papers: each returns the Axes it was given, and saves in three forms."""

import io

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from report_data import mixture

import stablek
from stablek.api.choose_k import choose_k
from stablek.data.annotations import as_annotations
from stablek.errors import InputError
from stablek.report import plots
from stablek.report.page.anchors import anchor_chart, anchors_of
from stablek.report.page.budget import page_shares, part
from stablek.report.page.sections import trust_section
from stablek.results.result import Result


@pytest.fixture(scope="module")
def results(fc, gap, me) -> dict[str, Result]:
    data = mixture()
    more = {
        "wcss": choose_k(data, "wcss", "kmeans-r", range(1, 8)),
        "kl": choose_k(data, "kl", "hier-a", range(2, 8)),
        "g-gap": choose_k(data, "g-gap", "hier-a", range(1, 8)),
        "fom": choose_k(data, "fom", "hier-a", range(2, 8)),
        "consensus": choose_k(data, "consensus", "hier-a", range(2, 6), repeats=40),
    }
    rng = np.random.default_rng(3)
    many = np.repeat([0.0, 2.5, 6.0], 3400)[:, None] + rng.normal(size=(10_200, 2))
    more["many"] = choose_k(many, "fc", "kmeans-mb", range(3, 5), repeats=4)
    judged = stablek.verdict(data, range(2, 6), null_sets=19, repeats=10)
    return {"fc": fc, "gap": gap, "me": me, "verdict": judged, **more}


def known_of(n):
    """Return a plate and an age of every item, and of some not."""
    ages = [None if i % 7 == 0 else 30.5 + i for i in range(n)]
    return as_annotations({"plate": ["a", "b", "c"] * (n // 3), "age": ages}, n)


CALLS = {
    "anchors": lambda r, ax: plots.anchors(r["many"], ax=ax),
    "curve": lambda r, ax: plots.curve(r["fc"], ax=ax),
    "curve with null": lambda r, ax: plots.curve(r["gap"], ax=ax),
    "plausible": lambda r, ax: plots.plausible(r["verdict"], ax=ax),
    "wcss": lambda r, ax: plots.wcss(r["wcss"], ax=ax),
    "diff": lambda r, ax: plots.diff(r["kl"], ax=ax),
    "kl": lambda r, ax: plots.kl(r["kl"], ax=ax),
    "gap": lambda r, ax: plots.gap(r["gap"], ax=ax),
    "g_gap": lambda r, ax: plots.g_gap(r["g-gap"], ax=ax),
    "fom": lambda r, ax: plots.fom(r["fom"], ax=ax),
    "histogram": lambda r, ax: plots.histogram(r["me"], 3, ax=ax),
    "cdf": lambda r, ax: plots.cdf(r["fc"], ax=ax),
    "delta": lambda r, ax: plots.delta(r["fc"], ax=ax),
    "delta over H": lambda r, ax: plots.delta_over_repeats(r["fc"], (10, 30), ax=ax),
    "delta over H, consensus": lambda r, ax: plots.delta_over_repeats(
        r["consensus"], (10, 40), ax=ax
    ),
    "heatmap": lambda r, ax: plots.heatmap(r["fc"], ax=ax),
    "heatmap with annotations": lambda r, ax: plots.heatmap(
        r["fc"], annotations=known_of(r["fc"].n), ax=ax
    ),
    "markers": lambda r, ax: plots.markers(r["fc"].data, r["fc"].labels, ax=ax),
    "markers with annotations": lambda r, ax: plots.markers(
        r["fc"].data, r["fc"].labels, annotations=known_of(r["fc"].n), ax=ax
    ),
    "tracking": lambda r, ax: plots.tracking(r["fc"], ax=ax),
    "item_consensus": lambda r, ax: plots.item_consensus(r["fc"], 3, ax=ax),
    "cluster_consensus": lambda r, ax: plots.cluster_consensus(r["fc"], ax=ax),
    "tree": lambda r, ax: plots.tree(r["fc"], ax=ax),
    "external_index": lambda _, ax: plots.external_index(
        {"hier-a": [0.1, 0.9], "kmeans-r": [0.2, 0.8]}, [2, 3], gold=3, ax=ax
    ),
    "dendrogram": lambda r, ax: plots.dendrogram(r["fc"].data, 3, ax=ax),
    "items": lambda r, ax: plots.items(r["fc"].data, r["fc"].labels, ax=ax),
    "kmeans_step": lambda r, ax: plots.kmeans_step(r["fc"].data, 3, 2, ax=ax),
    "null_model": lambda r, ax: plots.null_model(r["fc"].data, "pc", ax=ax),
    "levels": lambda r, ax: plots.levels(
        r["fc"].data, r["fc"].labels > 0, r["fc"].labels, ax=ax
    ),
    "profiles": lambda r, ax: plots.profiles(r["fc"].data, r["fc"].labels, 1, ax=ax),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_figure_draws_on_the_axes_it_is_given_and_saves(results, name):
    ax = Figure().subplots()
    assert CALLS[name](results, ax) is ax
    assert ax.has_data()
    for form in ("png", "svg", "pdf"):
        ax.figure.savefig(io.BytesIO(), format=form)


def test_the_calls_cover_every_public_figure():
    called = {name.split(",")[0].split(" with ")[0] for name in CALLS}
    called = {"delta_over_repeats" if " over " in name else name for name in called}
    assert called == set(plots.__all__)


def test_a_tracking_plot_has_a_row_for_every_k(fc):
    ax = plots.tracking(fc, ax=Figure().subplots())
    shape = ax.images[0].get_array().shape
    assert shape[:2] == (len([k for k in fc.ks if k > 1]), fc.n)
    rows = ax.images[0].get_array()
    assert len(np.unique(rows[0].reshape(-1, shape[2]), axis=0)) == 2  # k = 2


def test_bars_of_clusters_are_the_consensus_within(fc):
    ax = plots.cluster_consensus(fc, [3], ax=Figure().subplots())
    matrix, labels = fc.consensus(3), np.asarray(fc.labels_at(3))
    off = ~np.eye(fc.n, dtype=bool)
    for bar, c in zip(ax.patches, np.unique(labels), strict=True):
        pairs = matrix[np.outer(labels == c, labels == c) & off]
        assert bar.get_height() == pytest.approx(np.nanmean(pairs), abs=0.01)


def test_figures_of_clusters_say_what_they_lack(fc):
    with pytest.raises(InputError, match="name the clusters"):
        plots.markers(fc.data)
    with pytest.raises(InputError, match="no subsamples"):
        plots.tree(Result.from_json(fc.to_json()))


def test_without_axes_a_figure_makes_its_own(fc):
    assert isinstance(plots.delta(fc), Axes)
    assert isinstance(fc.plot(), Axes)


def test_the_chosen_k_is_marked_and_axes_are_named(fc):
    ax = plots.curve(fc, ax=Figure().subplots())
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert f"k* = {fc.k_star}" in labels
    assert ax.get_xlabel() == "number of clusters k"


def test_a_dendrogram_has_a_colour_for_every_cluster(fc):
    ax = plots.dendrogram(fc.data, 3, ax=Figure().subplots())
    colours = {line.get_color() for line in ax.lines}
    assert set(plots.COLOURS[:3]) <= colours
    assert len(ax.lines) == fc.n - 1 + 1


def test_the_lifted_chord_of_g_gap_joins_the_lifted_ends(results):
    result = results["g-gap"]
    ax = plots.g_gap(result, lift=0.5, ax=Figure().subplots())
    line = next(one for one in ax.lines if "null" in str(one.get_label()))
    ends = np.asarray(line.get_ydata())[[0, -1]]
    values = result.columns["log_wcss"][[0, -1]]
    np.testing.assert_allclose(ends, values + 0.5)


def test_a_column_that_is_not_there_is_refused_with_those_that_are(fc):
    with pytest.raises(InputError, match="no column 'kl'; it has area"):
        plots.kl(fc)
    with pytest.raises(InputError, match="no value per repeat"):
        plots.histogram(fc, 3)
    with pytest.raises(InputError, match="read from JSON"):
        plots.delta_over_repeats(Result.from_json(fc.to_json()))
    with pytest.raises(InputError, match="1 to 60 clusters"):
        plots.dendrogram(fc.data, 61)


def test_anchors_stand_cluster_by_cluster_the_surest_first(results):
    found, clusters = anchors_of(results["many"])
    assert [cluster for cluster, _ in clusters] == sorted(set(found.cluster.tolist()))
    for cluster, order in clusters:
        assert (found.cluster[order] == cluster).all()
        assert (np.diff(found.consensus[order]) <= 0).all()
    assert sum(len(order) for _, order in clusters) == len(found.items)


def test_the_report_draws_the_anchors_with_their_error_for_many_items(results):
    made = part(results["many"], 0, page_shares([results["many"]])[0], anonymous=False)
    section = trust_section(made, alone=True)
    drawing = section.blocks[0].drawing
    assert section.blocks[0].title == "500 items drawn at random"
    shown = str(drawing)
    found, clusters = anchors_of(results["many"])
    cluster, order = clusters[-1]
    last = order[-1]
    assert f"item {found.items[last] + 1}, cluster {cluster + 1}" in shown
    assert f"own: {found.consensus[last]:.3f} ± {found.error[last]:.3f}" in shown
    assert "Monte Carlo error" in shown


def test_one_anchor_of_a_cluster_is_drawn_too(results):
    found, clusters = anchors_of(results["many"])
    cluster, order = clusters[0]
    assert 'class="band f0"' in str(anchor_chart(found, [(cluster, order[:1])]))


def test_a_result_without_anchors_says_where_to_look_instead(results):
    assert anchors_of(results["fc"]) is None
    with pytest.raises(InputError, match="heatmap"):
        plots.anchors(results["fc"])


def test_a_dendrogram_of_distances_is_that_of_the_values():
    values = np.random.default_rng(0).normal(size=(9, 2))
    apart = np.sqrt(((values[:, None] - values) ** 2).sum(axis=2))
    drawn = plots.dendrogram((apart + apart.T) / 2, 3, metric="precomputed")
    same = plots.dendrogram(values, 3)
    for one, other in zip(drawn.lines, same.lines, strict=True):
        np.testing.assert_allclose(one.get_ydata(), other.get_ydata(), atol=1e-12)
