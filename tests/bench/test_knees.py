"""The comparison of knee rules: what it is made of, and that its choice stands."""

import inspect

import numpy as np

from stablek.bench.knees import (
    ROWS,
    cell,
    overall,
    read,
    scores,
    simulated_curves,
    simulated_data,
    thesis_cells,
)
from stablek.measures.fom import fom
from stablek.measures.wcss import wcss
from stablek.significance.knee import KNEES, Knee, drop_ratio


def test_the_default_rule_is_the_one_that_was_chosen_on_simulations():
    assert wcss().significance == Knee("drop-ratio") == Knee()
    assert fom().significance == Knee("hartigan")
    found = inspect.signature(drop_ratio).parameters
    assert (found["window"].default, found["least"].default) == (1, 0.02)


def test_on_curves_with_a_known_knee_the_default_beats_every_published_rule():
    curves = list(simulated_curves(range(20, 22)))
    table = scores(curves, KNEES)
    best = max(table, key=lambda name: table[name][0])
    assert best == "drop-ratio"
    assert table["drop-ratio"][0] > 0.7


def test_curves_have_the_knee_they_promise():
    for curve in simulated_curves([0]):
        drops = -np.diff(np.log(curve.values))
        assert len(curve.ks) == len(curve.values) == 30
        # The gains end at the knee: the mean drop before it exceeds the next one.
        assert drops[: curve.knee - 1].mean() > drops[curve.knee - 1]


def test_simulated_data_give_a_curve_of_either_kind_for_each_algorithm():
    curves = simulated_data([0], ("hier-a",))
    some = [next(curves) for _ in range(4)]
    assert [curve.kind for curve in some] == ["wcss", "fom"] * 2
    assert some[0].ks[0] == 1
    assert some[1].ks[0] == 2
    for rule in KNEES.values():
        assert read(rule, some[0].ks, some[0].values, some[0].n) in {*some[0].ks, None}


def test_kinds_weigh_alike_in_the_choice():
    curves = list(simulated_curves([0]))[:9]
    data = simulated_data([0], ("hier-a",))
    some = [*curves, *(next(data) for _ in range(4))]
    found = overall(some, KNEES, "wcss")
    parts = [
        scores([c for c in some if c.kind == kind], KNEES)["chord"][0]
        for kind in ("curves", "wcss")
    ]
    assert found["chord"] == np.mean(parts)


def test_cells_of_the_thesis_are_read():
    assert cell("3 or 4") == {3, 4}
    assert cell("-") == set()
    assert cell("7") == {7}


def test_tables_are_read_by_row_and_data_set(tmp_path):
    path = tmp_path / "tables.csv"
    path.write_text(
        "table,row,dataset,value\nWCSSapp,R-R0,Leukemia,3 or 4\nFOM,x,y,2\n"
    )
    assert thesis_cells(path, "WCSSapp") == {("R-R0", "Leukemia"): {3, 4}}
    assert ROWS["R-R5"] == ("kmeans-r", 5)
    assert ROWS["K-means-C"] == ("kmeans-c", None)
