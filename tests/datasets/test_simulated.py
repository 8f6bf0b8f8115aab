"""The simulated sets of the thesis: shapes, truth, seeds, and Gaussian3's real file."""

import pickle

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_rand_score

from stablek.datasets import (
    SIMULATED,
    demo,
    gaussian3,
    gaussian5,
    load_folder,
    pbm_sized,
    simulated6,
)
from stablek.errors import InputError

SHAPES = {
    "gaussian3": (60, 600, [20, 20, 20]),
    "gaussian3-200": (60, 600, [20, 20, 20]),
    "gaussian5-2": (250, 2, [50] * 5),
    "gaussian5-3": (250, 2, [50] * 5),
    "simulated6": (60, 600, [8, 12, 10, 15, 5, 10]),
    "pbm-sized": (2329, 139, None),
    "demo": (150, 40, [60, 45, 30, 15]),
}


def test_every_simulated_set_has_its_shape_written_down():
    assert set(SIMULATED) == set(SHAPES)


@pytest.mark.parametrize("name", SIMULATED)
def test_a_set_has_the_shape_and_class_sizes_of_its_description(name):
    made = SIMULATED[name](3)
    n, m, sizes = SHAPES[name]
    assert made.values.shape == (n, m)
    assert made.labels.shape == (n,)
    counts = np.bincount(made.labels)
    assert len(counts) == made.k
    assert counts.min() >= 1
    if sizes is not None:
        assert counts.tolist() == sizes
    assert made.name == name
    assert np.isfinite(made.values).all()


@pytest.mark.parametrize("name", SIMULATED)
def test_a_seed_gives_the_same_bits_and_another_seed_others(name):
    one, again, other = SIMULATED[name](1), SIMULATED[name](1), SIMULATED[name](2)
    assert one.values.tobytes() == again.values.tobytes()
    assert one.labels.tobytes() == again.labels.tobytes()
    assert one.values.tobytes() != other.values.tobytes()


@pytest.mark.parametrize("name", SIMULATED)
def test_a_set_is_locked_and_survives_pickling(name):
    made = SIMULATED[name](0)
    with pytest.raises(ValueError, match="read-only"):
        made.values[0, 0] = 1.0
    back = pickle.loads(pickle.dumps(made))
    assert back.values.tobytes() == made.values.tobytes()
    assert back.facts == made.facts


def means_by_class_and_block(values, labels, width):
    blocks = values.reshape(60, 600 // width, width).mean(axis=2)
    return np.array([blocks[labels == c].mean(axis=0) for c in range(3)])


def test_gaussian3_raises_one_block_of_columns_per_class_by_one():
    made = gaussian3(5)
    want = np.zeros((3, 6))
    want[[0, 1, 2], [0, 1, 2]] = 1.0
    got = means_by_class_and_block(made.values, made.labels, 100)
    np.testing.assert_allclose(got, want, atol=5 / np.sqrt(2000))


def test_gaussian3_of_the_text_has_no_column_without_a_class():
    made = gaussian3(5, markers=200)
    got = means_by_class_and_block(made.values, made.labels, 200)
    np.testing.assert_allclose(got, np.eye(3), atol=5 / np.sqrt(4000))


@pytest.mark.parametrize(("markers", "index"), [(100, 0.33), (200, 1.0)])
def test_single_link_fails_on_gaussian3_but_not_as_the_text_describes_it(
    markers, index
):
    # The thesis reports that Hier-S fails on Gaussian3, so it used the file.
    runs = []
    for seed in range(40):
        made = gaussian3(seed, markers=markers)
        found = AgglomerativeClustering(3, linkage="single").fit_predict(made.values)
        runs.append(adjusted_rand_score(made.labels, found))
    assert np.mean(runs) == pytest.approx(index, abs=0.15)


@pytest.mark.real
def test_gaussian3_is_a_twin_of_the_file_of_monti_et_al(real_data):
    real = load_folder("gaussian3", real_data)
    twin = gaussian3(0)
    assert real.values.shape == twin.values.shape
    assert real.k == twin.k
    np.testing.assert_array_equal(real.labels, twin.labels)
    for made in (real.values, twin.values):
        got = means_by_class_and_block(made, twin.labels, 100)
        want = np.eye(3, 6)
        np.testing.assert_allclose(got, want, atol=5 / np.sqrt(2000))
        within = made.copy()
        for c in range(3):
            within[twin.labels == c] -= within[twin.labels == c].mean(axis=0)
        spread = np.sqrt((within**2).sum() / (57 * 600))
        assert spread == pytest.approx(1.0, abs=0.02)
        correlation = np.corrcoef(within.T)[np.triu_indices(600, 1)]
        assert correlation.var() == pytest.approx(1 / 57, rel=0.05)
        # Kurtosis of a Gaussian, not of a uniform (-1.2) or an exponential (6).
        assert abs((within**4).mean() / (within**2).mean() ** 2 - 3.0) < 0.15


def test_gaussian5_stands_on_the_corners_and_the_middle_of_the_square():
    made = gaussian5(0, side=2.0, each=5000)
    middle = [made.values[made.labels == c].mean(axis=0) for c in range(5)]
    want = [[0, 0], [2, 0], [0, 2], [2, 2], [1, 1]]
    np.testing.assert_allclose(middle, want, atol=0.04)
    spread = [made.values[made.labels == c].std(axis=0) for c in range(5)]
    np.testing.assert_allclose(spread, 0.5, atol=0.03)


def test_gaussian5_overlaps_as_much_as_its_description_says():
    def index(side):
        runs = []
        for seed in range(8):
            made = gaussian5(seed, side=side)
            found = KMeans(5, n_init=5, random_state=0).fit_predict(made.values)
            runs.append(adjusted_rand_score(made.labels, found))
        return np.mean(runs)

    assert index(3.0) == pytest.approx(0.93, abs=0.03)
    assert index(2.0) == pytest.approx(0.69, abs=0.06)


def test_simulated6_is_sharpest_in_its_first_class_and_has_300_noise_columns():
    sets = [simulated6(seed) for seed in range(20)]
    labels = sets[0].labels
    values = np.stack([made.values for made in sets])
    raised, spread = [], []
    for c in range(6):
        own = values[:, :, 50 * c : 50 * (c + 1)]
        raised.append(own[:, labels == c].mean() - own[:, labels != c].mean())
        spread.append(own[:, labels != c].std())
    np.testing.assert_allclose(raised, np.linspace(2.0, 0.8, 6), atol=0.06)
    np.testing.assert_allclose(spread, np.linspace(0.5, 1.0, 6), atol=0.02)
    noise = values[:, :, 300:]
    by_class = [noise[:, labels == c].mean() for c in range(6)]
    np.testing.assert_allclose(by_class, 0.0, atol=0.05)


def test_the_stand_in_for_pbm_fits_nmf_and_has_its_eighteen_classes():
    made = pbm_sized(0)
    assert made.values.min() >= 0.0
    assert made.k == 18
    assert np.bincount(made.labels).min() >= 20


def test_the_demo_has_names_to_print_and_clusters_that_can_be_found():
    made = demo()
    assert len(set(made.facts["ids"])) == 150
    assert len(set(made.facts["columns"])) == 40
    assert len(made.facts["classes"]) == 4
    found = KMeans(4, n_init=5, random_state=0).fit_predict(made.values)
    assert 0.9 < adjusted_rand_score(made.labels, found) < 1.0


@pytest.mark.parametrize(
    "make",
    [
        lambda: gaussian3(markers=201),
        lambda: gaussian3(markers=0),
        lambda: gaussian5(side=0.0),
        lambda: gaussian5(spread=-1.0),
    ],
)
def test_an_impossible_set_is_refused_with_the_value_in_the_message(make):
    with pytest.raises(InputError, match="="):
        make()
