"""A few far items must not hide what all the others are like."""

import numpy as np
import pytest

import stablek
from stablek.datasets.nulls import null_set
from stablek.panel.gate import gate_ks
from stablek.panel.prepare import ISOLATED_SHARE

FAR = 12


def two_clusters_and_far_items(seed, apart=7.0, tight=8.0):
    """Two clusters of 60 items, and two groups of 6 a long way off."""
    rng = np.random.default_rng(seed)
    centres = np.zeros((4, 6))
    centres[1, 0], centres[2, 1], centres[3, 2] = apart, 60, 120
    truth = np.repeat([0, 1, 2, 3], [60, 60, FAR // 2, FAR // 2])
    spread = np.where(truth < 2, 1.0, tight)[:, None]
    return centres[truth] + spread * rng.normal(size=(len(truth), 6)), truth


@pytest.mark.parametrize("seed", [0, 1])
def test_clusters_beside_a_few_far_items_are_seen(seed):
    values, truth = two_clusters_and_far_items(seed)
    found = stablek.verdict(values, scale="as given", jobs=1)
    assert found.k == 2
    near = truth < 2
    same = (found.labels[near] == found.labels[0]) == (truth[near] == 0)
    assert same.mean() > 0.98
    far = {str(i) for i in np.flatnonzero(~near)}
    assert far <= {*found.isolated, *found.rare_items}


def test_far_items_alone_are_no_evidence():
    values, _ = two_clusters_and_far_items(0, apart=0.0)
    found = stablek.verdict(values, scale="as given", jobs=1)
    assert found.k == 1


def test_without_clusters_beside_far_items_little_is_said_of_the_others():
    tails = null_set("elliptical-t5", 80, 40, seed=60_006).values
    found = stablek.verdict(tails, jobs=1)
    assert (found.k, found.p) == (1, 1.0)
    assert "holds only a few items" in found.sentence
    assert "p = 1" not in found.sentence


def test_a_tight_far_group_is_still_called_a_small_group():
    values, truth = two_clusters_and_far_items(0, tight=0.5)
    values, truth = values[truth < 3], truth[truth < 3]
    found = stablek.verdict(values, scale="as given", jobs=1)
    assert {str(i) for i in np.flatnonzero(truth == 2)} == {*found.rare_items}


def test_no_item_is_set_aside_where_a_range_of_k_needs_them_all():
    values, _ = two_clusters_and_far_items(0)
    most = len(values) // 2 - 3
    found = stablek.verdict(
        values, range(2, most), scale="as given", repeats=10, null_sets=19, jobs=1
    )
    assert len(found.isolated) <= ISOLATED_SHARE * len(values)
    assert found.ks[-1] == most - 1


def test_a_verdict_that_looks_twice_is_resumed_with_the_same_bits(tmp_path):
    from stablek.io.store.folder import RunFolder

    values, _ = two_clusters_and_far_items(0)
    asked = {"scale": "as given", "null_sets": 19, "jobs": 1}
    want = stablek.verdict(values, **asked)
    with RunFolder(tmp_path / "out", {"schema": 1}) as folder:
        first = stablek.verdict(values, journal=folder.journal, **asked)
        again = stablek.verdict(values, journal=folder.journal, **asked)
    assert want.to_json() == first.to_json() == again.to_json()


def test_the_gate_asks_no_more_clusters_than_halves_allow():
    assert gate_ks(8) == [2, 3]
    assert gate_ks(100) == [2, 3, 4, 5, 6]
