"""Results that lack something: the report shows what is there, and no more."""

from dataclasses import replace

import numpy as np
import pytest
from report_data import mixture

from stablek.api.choose_k import choose_k
from stablek.errors import StablekError
from stablek.paradigm.contracts import NullCurves
from stablek.report import pictures, plots
from stablek.report.charts import figures
from stablek.report.charts.embed import Embedding, embedding_of
from stablek.report.charts.explorer import SIDES, explorer, explorer_data, heat_maps
from stablek.report.charts.repeats import scores_of, shares_of
from stablek.report.charts.scale import DASH, tick_labels, ticks, whole_ticks
from stablek.report.page import look
from stablek.report.page.budget import PageShare, Part
from stablek.report.page.html import render
from stablek.report.page.listings import cluster_table, item_table
from stablek.report.page.tables import table_of
from stablek.report.page.verdicts import hiding, least_certain
from stablek.results.verdict import Verdict

SHARE = PageShare(10**6, 500, 100)


def part(result, seen):
    ids = tuple(f"item {i}" for i in range(result.n))
    return Part(result, "one", seen, ids, None, SHARE)


def test_ticks_of_nothing_and_of_a_point():
    assert ticks(np.nan, 1.0) == []
    assert ticks(2.0, 2.0) == [2.0]
    assert ticks(2.0, np.inf) == [2.0]
    assert whole_ticks(0, 10**6) == [0, 10**6]


def test_large_and_tiny_ticks_have_exponents():
    assert tick_labels([0.0, 2e6]) == ["0", "2e6"]
    assert tick_labels([0.0, 2e-7])[1] == "2e\u22127"


def test_a_table_is_made_of_records_and_none_without_any():
    plain = table_of("x", "y", [{"a": 1.5, "b": [2, 3], "c": object}, {"b": 4}])
    assert list(plain.columns) == ["a", "b", "c"]
    assert [cell.text for cell in plain.rows[0]][:2] == ["1.500", "2, 3"]
    assert [cell.text for cell in plain.rows[1]] == [DASH, "4", DASH]
    assert table_of("x", "y", []) is None


def test_shares_of_repeats_are_collected_again_from_the_labels():
    result = choose_k(mixture(), "mosram", "hier-a", range(2, 5), repeats=12)
    edges, shares = shares_of(result)
    scores = scores_of(result)
    np.testing.assert_allclose(shares.sum(axis=0), 1)
    for place in range(3):
        want = np.histogram(scores[:, place], edges)[0] / 12
        np.testing.assert_allclose(shares[:, place], want)


def test_shares_of_what_is_no_agreement_are_not_shown(fc, monkeypatch):
    from stablek.report.charts import repeats

    assert scores_of(fc) is None
    monkeypatch.setattr(repeats, "scores_of", lambda _: np.array([[3.0, 4.0]]))
    assert shares_of(fc) is None
    monkeypatch.setattr(repeats, "scores_of", lambda _: np.array([[-0.5, 0.5]]))
    edges, _ = shares_of(fc)
    assert (edges[0], edges[-1]) == (-0.5, 1.0)


def test_without_partitions_there_is_nothing_to_slide_through(fc):
    bare = part(replace(fc, cube=None, data=None), None)
    assert explorer(bare) is None
    assert explorer_data(bare) is None
    view = look.View(3, np.zeros(4, dtype=np.int64))
    assert cluster_table(bare, view) is None
    assert item_table(bare, view) is None


def test_a_look_without_data_or_matrices_has_no_figure(gap):
    seen = look.look_at(gap)
    bare = part(replace(gap, data=None), seen)
    assert explorer(bare) is None
    assert item_table(bare, seen.views[1]) is None


def test_more_clusters_than_letters_are_not_coloured(fc, monkeypatch):
    from stablek.report.charts import explorer as module

    monkeypatch.setattr(module, "LETTERS", "abcd")
    found = explorer_data(part(fc, look.look_at(fc)))
    assert sorted(found["labels"]) == ["2", "3", "4"]


def test_heat_maps_shrink_until_they_fit_and_start_where_there_is_one(fc):
    seen = look.look_at(fc)
    large = heat_maps(seen, 3, 10**7)
    small = heat_maps(seen, 3, 1)
    assert len(large) == len(small) == len(seen.views)
    assert {heat.side for heat in small} == {SIDES[-1]}
    elsewhere = heat_maps(seen, 99, 10**7)
    assert [heat.k for heat in elsewhere] == [view.k for view in seen.views]
    holes = replace(seen, views=(replace(seen.views[0], image=None), *seen.views[1:]))
    assert len(heat_maps(holes, 3, 10**7)) == len(seen.views) - 1


def test_ks_that_are_not_in_the_cube_are_not_looked_at(fc):
    more = replace(fc, ks=(*fc.ks, 90))
    seen = look._consensus_views(more, np.arange(fc.n))
    assert [view.k for view in seen] == list(fc.ks)


def test_items_of_which_too_few_were_drawn_together_stay_in_order():
    matrix = np.full((4, 4), np.nan)
    np.fill_diagonal(matrix, 1.0)
    order, labels = look._ordered(matrix, 2, np.arange(4.0))
    np.testing.assert_array_equal(order, np.arange(4))
    assert (labels == -1).all()


def test_a_null_band_needs_values_at_every_k():
    column = np.ones((1, 4, 3))
    assert figures.null_band(NullCurves("m", {"a": column}), "a", 3) is not None
    assert figures.null_band(NullCurves("m", {"a": column}), "a", 5) is None
    column[0, 0, 0] = np.nan
    assert figures.null_band(NullCurves("m", {"a": column}), "a", 3) is None


def test_the_second_delta_is_drawn_where_it_differs(fc):
    drawn = str(figures.delta(fc))
    apart = dict(fc.columns)
    apart["delta_prime"] = np.asarray(apart["delta"]) + 0.2
    both = str(figures.delta(replace(fc, columns=apart)))
    assert "dashed" not in drawn
    assert "dashed" in both


def test_no_cdf_and_a_k_that_is_not_there_have_no_entry_in_the_legend(fc):
    seen = look.look_at(fc)
    assert "the selected k" in str(figures.cdfs(seen, 3))
    assert "the selected k" not in str(figures.cdfs(seen, 99))
    none = replace(seen, views=tuple(replace(v, cdf=None) for v in seen.views))
    assert "k = 2" not in str(figures.cdfs(none, 3))


def test_a_page_says_how_many_parts_of_a_run_failed(fc):
    assert "1 part of this run failed" in render([replace(fc, failures=("no luck",))])
    page = render([replace(fc, failures=("no luck", "nor here"))])
    assert "2 parts of this run failed and were left out" in page
    assert "nor here" in page


SPOKEN = Verdict(
    k=3, sentence="Three clusters.", strength="weak", labels=np.ones(3, dtype=int)
)


def test_a_verdict_may_be_a_sentence_and_nothing_else():
    hidden = hiding(SPOKEN, ("a",))
    assert hidden.sentence == "Three clusters."
    assert least_certain(hidden) == []


def test_an_embedding_may_be_given_as_one():
    points = np.arange(6.0).reshape(3, 2)
    made = embedding_of(Embedding(points, ("u", "v")), 3)
    np.testing.assert_array_equal(made.points, points)
    assert tuple(made.axes) == ("u", "v")


def test_figures_of_extreme_cuts_empty_classes_and_no_gold():
    data = mixture(12)
    whole = pictures.dendrogram(data, 1)
    assert whole.get_legend() is None
    none = pictures.profiles(data, ["a"] * 12, "b")
    assert none.get_title() == "b: 0 items"
    assert len(none.lines) == 0
    lonely = np.zeros((4, 2))
    lonely[0] = 50
    step = pictures.kmeans_step(lonely, 3, 2)
    assert step.get_title() == "after step 2"
    bare = plots.external_index({"x": [0.1, 0.2]}, (2, 3))
    assert len(bare.lines) == 1


def test_without_matplotlib_the_message_names_what_to_install(monkeypatch):
    import sys

    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(StablekError, match=r"pip install 'stablek\[plot\]'"):
        pictures.new_axes(None)


def test_in_a_notebook_a_figure_is_one_that_it_shows(monkeypatch):
    import sys

    import matplotlib as mpl
    from matplotlib import pyplot

    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot")
    ax = pictures.new_axes(None)
    assert ax.figure in [pyplot.figure(number) for number in pyplot.get_fignums()]
    pyplot.close(ax.figure)
    monkeypatch.delattr(mpl, "pyplot")
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(StablekError, match=r"pip install 'stablek\[plot\]'"):
        pictures.new_axes(None)


def test_the_bar_of_the_answer_stands_out_even_if_another_has_more_weight():
    drawn = str(figures.weights({2: 0.5, 3: 0.3, 4: 0.2}, 3))
    _, _, rest = drawn.partition("chosen")
    assert rest.index("k = 3: 30%") < rest.index("k = 4: 20%")
    assert "k = 2: 50%" not in rest
