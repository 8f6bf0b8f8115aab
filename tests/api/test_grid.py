"""A list of settings in the place of the ks."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from stablek import choose_setting as across_workers
from stablek.api.choose_setting import over_settings
from stablek.errors import InputError, PartFailedError
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.reproduction import (
    agreement_two_by_two,
    numbers_of_clusters,
)

#: Functions of a test cannot be imported by another process.
choose_setting = partial(across_workers, jobs=1)


def triangle(n=90, spread=0.6, seed=0):
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    return centres[np.arange(n) % 3] + rng.normal(0, spread, (n, 2))


def within(values, radius, rng):
    """Label connected components of the graph that joins items closer than radius."""
    del rng
    apart = np.linalg.norm(values[:, None] - values[None], axis=2)
    labels = np.arange(len(values))
    while True:
        lowest = np.where(apart <= radius, labels[None], len(values)).min(axis=1)
        if np.array_equal(lowest, labels):
            return labels
        labels = lowest


def draws(values, setting, rng):
    """Label at random, in so many clusters."""
    return rng.integers(setting, size=len(values))


def test_the_radius_that_separates_the_blobs_is_found():
    found = choose_setting(triangle(), [50.0, 11.0, 4.0, 0.3], within, repeats=20)
    assert found.setting == 4.0
    assert len(set(found.labels)) == 3
    assert list(found.table.index) == [50.0, 11.0, 4.0, 0.3]
    assert found.table.loc[4.0, "clusters"] == 3
    # One cluster is reproduced perfectly, and tells nothing.
    assert found.table.loc[50.0, "agreement"] == 0
    assert found.sentence.startswith("within at 4.0: agreement 1.000")


def test_of_equally_good_settings_the_last_is_taken_and_all_are_told():
    found = choose_setting(triangle(), [5.0, 4.0, 3.5], within, repeats=10)
    assert found.setting == 3.5
    assert found.candidates == (5.0, 4.0, 3.5)


def test_labels_at_random_are_not_reproduced():
    found = choose_setting(triangle(), [2, 3, 4], draws, repeats=40)
    assert np.abs(found.table["agreement"]).max() < 0.1


def test_no_setting_is_an_answer():
    found = choose_setting(triangle(), [99.0, 88.0], within, repeats=8)
    assert found.setting is None
    assert found.labels is None
    assert found.candidates == ()
    assert "no setting gives clusters" in found.sentence


def test_calibration_finds_that_random_labels_do_not_stand_out():
    found = choose_setting(
        triangle(45), [2, 3], draws, repeats=8, calibrate=9, level=0.1
    )
    told = found.result.facts["calibration"]
    assert told["null_sets"] == 9
    assert (found.setting is None) == (told["p_any"] > 0.1)


def test_the_outcome_does_not_depend_on_workers():
    one = choose_setting(triangle(), [2, 3], draws, repeats=10, seed=3)
    two = choose_setting(
        triangle(), [2, 3], draws, repeats=10, seed=3, jobs=2, backend="threads"
    )
    assert one.result.to_json() == two.result.to_json()


def test_settings_may_be_anything_with_a_name():
    pairs = [{"radius": 11.0}, {"radius": 4.0}]
    found = choose_setting(
        triangle(), pairs, lambda v, s, rng: within(v, s["radius"], rng), repeats=8
    )
    assert found.setting == {"radius": 4.0}
    assert "{'radius': 4.0}" in found.sentence


def test_distances_are_handed_over_where_they_are_precomputed():
    X = triangle(60)
    apart = np.linalg.norm(X[:, None] - X[None], axis=2)
    seen = []

    def two_sides(distances, setting, rng):
        seen.append(distances.shape)
        return (distances[0] > setting).astype(int)

    choose_setting(apart, [6.0, 5.0], two_sides, metric="precomputed", repeats=4)
    assert (48, 48) in seen


def test_a_function_that_fails_is_named_with_its_setting():
    def broken(values, setting, rng):
        raise RuntimeError("boom")

    with pytest.raises(PartFailedError, match=r"broken failed at 1\.5: .*boom"):
        choose_setting(triangle(), [1.5, 2.5], broken, repeats=4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"settings": [1.0]}, "at least two"),
        ({"settings": range(300)}, "at most 252"),
        ({"repeats": 2}, "at least 4"),
        ({"measure": "gap-pc"}, "unknown measure over settings"),
    ],
)
def test_what_cannot_be_compared_is_refused(change, message):
    given = {"settings": [1.0, 2.0], "cluster": within, **change}
    with pytest.raises(InputError, match=message):
        choose_setting(triangle(), **given)


def test_more_clusters_than_a_byte_can_hold_are_refused():
    X = np.random.default_rng(0).normal(size=(400, 2))
    with pytest.raises(InputError, match="makes 320 clusters"):
        choose_setting(X, [1, 2], lambda v, s, rng: np.arange(len(v)), repeats=4)


def test_agreement_is_scikit_learns_on_the_items_both_repeats_hold():
    rng = np.random.default_rng(4)
    cube = PartitionCube(4, (2, 3), 1, 30)
    for repeat in range(4):
        labels = rng.integers(3, size=(2, 1, 30)).astype(np.uint8)
        labels[:, :, rng.permutation(30)[:6]] = cube.missing
        cube.put(repeat, (2, 3), labels)
    scores = agreement_two_by_two(cube)
    assert scores.shape == (2, 2)
    for pair in range(2):
        for place in range(2):
            a, b = cube.labels[2 * pair : 2 * pair + 2, place, 0]
            both = (a != cube.missing) & (b != cube.missing)
            want = adjusted_rand_score(a[both], b[both])
            assert scores[pair, place] == pytest.approx(want)
    assert numbers_of_clusters(cube).tolist() == [[3.0, 3.0]] * 4


def test_only_fc_shares_subsamples_among_settings():
    assert over_settings("fc").share_samples is True
    assert over_settings("consensus").share_samples is False
