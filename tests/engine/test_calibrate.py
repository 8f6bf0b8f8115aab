"""Null calibration of any measure."""

from dataclasses import replace

import numpy as np
import pytest

import stablek
from stablek.api.choose_k import request
from stablek.datasets.mixtures import mixture
from stablek.datasets.nulls import null_set
from stablek.engine.calibrate import check_calibrates, compared_column
from stablek.engine.steps import curve_of, one_repeat, original
from stablek.errors import InputError
from stablek.measures import MEASURES
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.significance.calibrate import compare, spread
from stablek.paradigm.stop import FixedRepeats
from stablek.report.page.repeat import command_of, python_of


def test_p_is_one_over_the_sets_plus_one_where_no_null_set_is_as_good():
    nulls = np.random.default_rng(0).normal(size=(19, 4))
    found = compare(np.array([0.0, 9.0, 0.0, 0.0]), nulls, "high")
    assert found.p[1] == 1 / 20
    assert found.p_any == 1 / 20
    assert found.score[1] > 5


def test_smaller_is_more_clustered_where_the_measure_says_so():
    nulls = np.random.default_rng(0).normal(size=(19, 3))
    low = compare(np.array([0.0, -9.0, 0.0]), nulls, "low")
    high = compare(np.array([0.0, 9.0, 0.0]), -nulls, "high")
    assert low.p_any == high.p_any == 1 / 20
    np.testing.assert_allclose(low.excess, high.excess)


def test_the_test_over_all_ks_keeps_its_level():
    rng = np.random.default_rng(7)
    small = 0
    for _ in range(400):
        curves = rng.normal(size=(20, 6)).cumsum(axis=1) * np.arange(1, 7)
        small += compare(curves[0], curves[1:], "high").p_any <= 0.05
    assert small <= 400 * 0.05 + 3 * np.sqrt(400 * 0.05 * 0.95)


def test_a_k_at_which_all_null_sets_agree_does_not_decide_alone():
    nulls = np.random.default_rng(0).normal(size=(19, 3))
    nulls[:, 1] = 0.0
    assert spread(nulls)[1] == pytest.approx(0.5 * np.median(nulls.std(0, ddof=1)))


def test_noise_is_one_cluster_once_calibrated_and_two_workers_change_nothing():
    noise = null_set("gaussian", 60, 8, 1).values
    settings = {"repeats": 20, "calibrate": 9, "level": 0.1}
    one = stablek.choose_k(noise, "fc", "hier-w", range(2, 6), jobs=1, **settings)
    two = stablek.choose_k(noise, "fc", "hier-w", range(2, 6), jobs=2, **settings)
    assert one.k_star == 1
    assert one.to_json() == two.to_json()
    assert one.facts["calibration"]["k_without_calibration"] > 1
    assert "No evidence of clusters" in one.sentence


def test_clusters_stay_clusters_once_calibrated():
    made = mixture("equal", 3, 6, 2, bayes_error=0.001)
    found = stablek.choose_k(
        made.values, "fc", "hier-w", range(2, 7), repeats=20, calibrate=9, level=0.1
    )
    assert found.k_star == 3
    assert found.facts["calibration"]["p_any"] == pytest.approx(0.1)
    assert {"excess", "score", "p"} <= set(found.columns)


def test_a_measure_without_a_column_to_compare_is_refused_by_name():
    with pytest.raises(InputError, match="kl"):
        stablek.choose_k(np.eye(12), "kl", "hier-a", range(2, 5), calibrate=2)


def test_a_k_without_a_value_has_no_p_value_instead_of_the_smallest():
    nulls = np.random.default_rng(0).normal(size=(19, 3))
    nulls[4, 2] = np.nan
    found = compare(np.array([np.nan, 9.0, 9.0]), nulls, "high")
    np.testing.assert_array_equal(found.p, [np.nan, 0.05, np.nan])
    assert found.p_any == 0.05


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"calibrate": -1}, "at least 1 null set"),
        ({"calibrate": 3, "level": 5}, "level = 5 must lie in"),
        ({"calibrate": 3, "null": "gausian"}, "unknown null model 'gausian'"),
        ({"calibrate": 3, "null": "labels"}, "random labels test your own labels"),
    ],
)
def test_what_cannot_be_calibrated_is_refused_before_the_run(wrong, told, monkeypatch):
    monkeypatch.setattr("stablek.api.choose_k.run", None)
    with pytest.raises(InputError, match=told):
        stablek.choose_k(np.eye(12), "fc", "hier-a", range(2, 5), **wrong)


def test_the_call_in_a_report_repeats_a_calibrated_run():
    X = 9.0 * np.eye(3)[np.arange(30) % 3] + np.random.default_rng(0).normal(
        size=(30, 3)
    )
    found = stablek.choose_k(X, "fc", ks=range(2, 5), repeats=4, calibrate=4)
    again = eval(python_of(found), {"stablek": stablek, "X": X})  # noqa: S307
    assert again.to_json() == found.to_json()
    assert command_of(found).endswith("--calibrate 4 --null m3c")


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_a_measure_that_cannot_be_calibrated_is_refused_before_it_runs(name):
    values = np.random.default_rng(0).normal(size=(16, 3))
    ran = []

    def watch(what, done, total):
        ran.append(what)

    planned = request(values, name, ks=range(2, 4)).plan
    few = planned.measure.with_(stop=FixedRepeats(4), null_sets=0, null=None)
    planned = replace(planned, measure=few)
    try:
        compared_column(planned, _data_curve(planned))
    except InputError:
        with pytest.raises(InputError, match="has no column by which to compare"):
            stablek.choose_k(
                values, name, ks=range(2, 4), calibrate=4, watch=watch, jobs=1
            )
        assert not ran
    else:
        check_calibrates(few)


def _data_curve(planned):
    """Return the curve of a plan, without its rule, which may need null sets."""
    cube = PartitionCube(4, planned.ks, planned.roles, planned.data.n)
    if planned.measure.collect.original:
        cube.original = original(planned, planned.streams, planned.ks)
    for task in planned.repeat_tasks(0, 4):
        labels = one_repeat(planned, planned.streams, task.repeat, task.ks)
        cube.put(task.repeat, task.ks, labels)
    return curve_of(planned, cube)
