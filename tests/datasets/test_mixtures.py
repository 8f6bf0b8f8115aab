"""Mixtures: sizes, truth, and a Bayes error checked on the items by other means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from stablek.datasets import MIXTURES, mixture
from stablek.errors import InputError

MANY = 40_000


def ks_for(flavour):
    return (4, 6) if flavour == "two-level" else (2, 5)


@pytest.mark.parametrize("flavour", MIXTURES)
@pytest.mark.parametrize("m", [2, 10, 100])
def test_a_mixture_has_the_clusters_and_the_bayes_error_asked_for(flavour, m):
    for k in ks_for(flavour):
        made = mixture(flavour, k, m, seed=3, bayes_error=0.05)
        assert made.k == k
        assert made.values.shape == (made.labels.size, m)
        assert np.isfinite(made.values).all()
        counts = np.bincount(made.labels, minlength=k)
        assert counts.tolist() == made.facts["sizes"]
        assert counts.min() >= 20
        assert made.facts["bayes_error"] == pytest.approx(0.05, abs=0.001)
        assert 0.0 < made.facts["bayes_error_se"] < 0.003


@pytest.mark.parametrize("flavour", MIXTURES)
def test_a_seed_gives_the_same_bits_and_another_seed_others(flavour):
    one, again = (mixture(flavour, 4, 10, 1, bayes_error=0.01) for _ in range(2))
    other = mixture(flavour, 4, 10, 2, bayes_error=0.01)
    assert one.values.tobytes() == again.values.tobytes()
    assert one.labels.tobytes() == again.labels.tobytes()
    assert one.values.tobytes() != other.values.tobytes()


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(sorted(set(MIXTURES) - {"two-level"})),
    st.integers(2, 10),
    st.sampled_from([1, 2, 3, 10, 30]),
    st.floats(0.005, 0.09),
    st.integers(0, 10**6),
)
def test_any_mixture_can_be_made(flavour, k, m, target, seed):
    made = mixture(flavour, k, m, seed, bayes_error=target)
    assert made.facts["bayes_error"] == pytest.approx(target, rel=0.05)
    assert set(made.labels) == set(range(k))


@pytest.mark.parametrize("flavour", MIXTURES)
@pytest.mark.parametrize("separation", [0.0, 4.0, 7.0])
def test_a_separation_is_the_distance_of_the_closest_two_centres(flavour, separation):
    made = mixture(flavour, 6, 8, 5, separation=separation)
    centres, spreads = made.facts["centres"], np.array(made.facts["spreads"])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    apart = apart / (0.5 * (spreads[:, None] + spreads[None]))
    closest = apart[np.triu_indices(6, 1)].min()
    assert closest == pytest.approx(separation, abs=1e-9)


def test_the_same_seed_at_another_overlap_is_the_same_set_pulled_apart():
    near = mixture("equal", 3, 10, 8, bayes_error=0.10)
    far = mixture("equal", 3, 10, 8, bayes_error=0.01)
    np.testing.assert_array_equal(near.labels, far.labels)
    np.testing.assert_allclose(
        near.values - near.facts["centres"][near.labels],
        far.values - far.facts["centres"][far.labels],
        atol=1e-9,
    )
    assert near.facts["separation"] < far.facts["separation"]


def errors_of_the_true_rule(made, log_density):
    """Share of items that the rule of the true densities puts elsewhere."""
    weights = np.array(made.facts["sizes"]) / made.labels.size
    score = np.stack([log_density(c) for c in range(made.k)], axis=1) + np.log(weights)
    return np.mean(score.argmax(axis=1) != made.labels)


def margin(share):
    """Five standard errors of a share of MANY items, and of the stated one."""
    return 5.0 * np.sqrt(share * (1.0 - share) * 2.0 / 10_000)


def round_gaussians(made):
    def log_density(c):
        centre, spread = made.facts["centres"][c], made.facts["spreads"][c]
        square = ((made.values - centre) ** 2).sum(axis=1)
        return -0.5 * square / spread**2 - made.values.shape[1] * np.log(spread)

    return log_density


@pytest.mark.parametrize("target", [0.01, 0.05, 0.10])
@pytest.mark.parametrize(
    ("flavour", "k", "m"),
    [
        ("equal", 2, 2),
        ("equal", 10, 2),
        ("equal", 5, 10),
        ("equal", 4, 100),
        ("sizes", 5, 10),
        ("spreads", 3, 2),
        ("unequal", 4, 2),
        ("noise", 4, 30),
        ("two-level", 6, 10),
    ],
)
def test_round_gaussian_items_are_mistaken_as_often_as_stated(flavour, k, m, target):
    made = mixture(flavour, k, m, 11, bayes_error=target, n=MANY)
    assert errors_of_the_true_rule(made, round_gaussians(made)) == pytest.approx(
        target, abs=margin(target)
    )


@pytest.mark.parametrize("k", [2, 6])
@pytest.mark.parametrize("m", [10, 100])
def test_with_unequal_spreads_in_many_columns_the_error_stated_is_a_bound(k, m):
    made = mixture("unequal", k, m, 11, bayes_error=0.05, n=10_000)
    assert errors_of_the_true_rule(made, round_gaussians(made)) <= 0.05


@pytest.mark.parametrize("target", [0.01, 0.10])
def test_stretched_items_are_mistaken_as_often_as_stated(target):
    made = mixture("anisotropic", 4, 2, 5, bayes_error=target, n=MANY)
    rule = QuadraticDiscriminantAnalysis().fit(made.values, made.labels)
    wrong = np.mean(rule.predict(made.values) != made.labels)
    assert wrong == pytest.approx(target, abs=margin(target))


def test_stretched_clusters_have_axes_of_four_to_one_and_the_variance_promised():
    made = mixture("anisotropic", 3, 2, 5, separation=5.0, n=MANY)
    for c in range(3):
        axes = np.sqrt(np.linalg.eigvalsh(np.cov(made.values[made.labels == c].T)))
        assert axes[1] / axes[0] == pytest.approx(4.0, rel=0.05)
        assert (axes**2).mean() == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize("target", [0.01, 0.10])
@pytest.mark.parametrize(("k", "m"), [(3, 2), (4, 20)])
def test_t5_items_are_mistaken_as_often_as_stated(k, m, target):
    made = mixture("t5", k, m, 6, bayes_error=target, n=MANY)

    def log_density(c):
        law = stats.multivariate_t(made.facts["centres"][c], 0.6 * np.eye(m), df=5)
        return law.logpdf(made.values)

    assert errors_of_the_true_rule(made, log_density) == pytest.approx(
        target, abs=margin(target)
    )


@pytest.mark.parametrize(("k", "m"), [(3, 2), (4, 20)])
def test_uniform_items_fill_balls_that_overlap_as_much_as_stated(k, m):
    target = 0.05
    made = mixture("uniform", k, m, 6, bayes_error=target, n=MANY)
    centres = made.facts["centres"]
    square = ((made.values[:, None] - centres[None]) ** 2).sum(axis=2) / (m + 2.0)
    assert square[np.arange(MANY), made.labels].max() <= 1.0 + 1e-9
    # In j balls at once, the best rule is right once in j times.
    wrong = 1.0 - 1.0 / (square <= 1.0 + 1e-9).sum(axis=1)
    assert wrong.mean() == pytest.approx(target, abs=margin(target))
    own = square[np.arange(MANY), made.labels] ** (m / 2.0)
    assert stats.kstest(own, "uniform").pvalue > 1e-4


def test_skewed_items_are_mistaken_as_often_as_stated():
    target = 0.05
    made = mixture("skewed", 3, 2, 6, bayes_error=target, n=MANY)
    half = MANY // 2
    rule = KNeighborsClassifier(75).fit(made.values[:half], made.labels[:half])
    wrong = np.mean(rule.predict(made.values[half:]) != made.labels[half:])
    # Neighbours know the densities only nearly, so they may be a little worse.
    assert target - margin(target) < wrong < target + margin(target) + 0.01


def test_skewed_clusters_are_skewed_with_mean_at_the_centre_and_variance_one():
    made = mixture("skewed", 3, 2, 6, separation=6.0, n=MANY)
    for c in range(3):
        own = made.values[made.labels == c] - made.facts["centres"][c]
        np.testing.assert_allclose(own.mean(axis=0), 0.0, atol=0.05)
        np.testing.assert_allclose(np.cov(own.T), np.eye(2), atol=0.12)
        turns = np.linspace(0.0, np.pi, 60)
        along = own @ np.array([np.cos(turns), np.sin(turns)])
        assert np.abs(stats.skew(along)).max() > 1.4


@pytest.mark.parametrize("m", [8, 60])
@pytest.mark.parametrize("flavour", MIXTURES)
def test_every_cluster_has_the_centre_and_the_spread_of_its_facts(flavour, m):
    made = mixture(flavour, 4, m, 2, separation=5.0, n=20_000)
    for c in range(4):
        own = made.values[made.labels == c]
        centre, spread = made.facts["centres"][c], made.facts["spreads"][c]
        np.testing.assert_allclose(own.mean(axis=0), centre, atol=0.15)
        assert own.var(axis=0).mean() == pytest.approx(spread**2, rel=0.06)


def test_noise_columns_have_the_same_distribution_in_every_cluster():
    made = mixture("noise", 4, 148, 2, separation=7.0)
    assert not made.facts["centres"][:, 8:].any()
    assert np.abs(made.facts["centres"][:, :8]).max(axis=0).min() > 0.0


def test_two_level_sets_are_pairs_far_from_other_pairs():
    made = mixture("two-level", 6, 10, 2, separation=5.0)
    group = np.array(made.facts["group"])
    assert group.tolist() == [0, 0, 1, 1, 2, 2]
    centres = made.facts["centres"]
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    same = group[:, None] == group[None]
    np.testing.assert_allclose(apart[same & ~np.eye(6, dtype=bool)], 5.0)
    assert apart[~same].min() >= 15.0


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 10), st.integers(1, 30), st.integers(0, 500), st.booleans())
def test_sizes_add_up_and_respect_the_least(k, smallest, more, unequal):
    n = k * smallest + more
    flavour = "sizes" if unequal else "equal"
    made = mixture(flavour, k, 2, separation=5.0, n=n, smallest=smallest)
    assert made.labels.size == n
    assert min(made.facts["sizes"]) >= smallest
    if not unequal:
        assert max(made.facts["sizes"]) - min(made.facts["sizes"]) <= 1


@pytest.mark.parametrize(("n", "least", "most"), [(None, 20, 80), (2248, 200, 800)])
def test_unequal_sizes_run_from_one_to_four_by_default(n, least, most):
    made = mixture("unequal", 5, 2, separation=5.0, n=n)
    assert min(made.facts["sizes"]) == pytest.approx(least, abs=5)
    assert max(made.facts["sizes"]) == pytest.approx(most, abs=5)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"flavour": "equl"}, "did you mean 'equal'"),
        ({"k": 1}, "k >= 2"),
        ({"m": 0}, "m >= 1"),
        ({"flavour": "two-level", "k": 5}, "pairs"),
        ({"separation": None}, "but not both"),
        ({"bayes_error": 0.1}, "but not both"),
        ({"separation": -1.0}, "at least 0"),
        ({"separation": float("nan")}, "at least 0"),
        ({"separation": None, "bayes_error": 0.9}, "between 0 and"),
        ({"separation": None, "bayes_error": 0.0}, "between 0 and"),
        ({"n": 30}, "n >= 60"),
    ],
)
def test_what_cannot_be_made_is_refused_with_a_remedy(change, says):
    asked = {"flavour": "equal", "k": 3, "m": 2, "separation": 5.0} | change
    with pytest.raises(InputError, match=says):
        mixture(**asked)
