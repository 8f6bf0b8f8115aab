"""A curve's summary over repeats: the same with and without failed repeats."""

from dataclasses import replace

import numpy as np
import pytest

from stablek.paradigm import synopsis
from stablek.paradigm.contracts import Facts
from stablek.paradigm.statistic.comembership import PairCounts

FACTS = Facts(n=20, m=3, ks=(1, 2, 3), asked=(1, 2, 3), repeats=7)


def scores(missing=()):
    drawn = np.random.default_rng(5).random((7, 3))
    for place in missing:
        drawn[place] = np.nan
    return drawn


@pytest.mark.parametrize(
    "missing",
    [(), [(0, 0), (3, 2)], [(slice(0, 6), 1)], [(0, 0), (0, 1), (4, 2)]],
    ids=["none", "some", "all but one", "in every column"],
)
def test_the_summary_skips_repeats_without_a_score(missing):
    kept = scores(missing)
    columns = synopsis.within(kept, FACTS).columns
    for c in range(3):
        some = [x for x in kept[:, c] if x == x]
        assert columns["wcss"][c] == pytest.approx(sum(some) / len(some), rel=1e-14)
        assert columns["median"][c] == pytest.approx(np.median(some), rel=1e-14)
        assert columns["min"][c] == min(some)
        assert columns["max"][c] == max(some)
        spread = np.std(some, ddof=1) if len(some) > 1 else 0.0
        assert columns["sd"][c] == pytest.approx(spread, rel=1e-13)


def test_a_k_at_which_every_repeat_failed_has_no_value():
    columns = synopsis.agreement_distribution(scores([(slice(None), 1)]), FACTS).columns
    assert np.isnan(columns["mean"][1])
    assert np.isfinite(columns["mean"][[0, 2]]).all()


def test_a_full_column_gets_the_same_bits_beside_a_column_with_gaps():
    full, gaps = scores(), scores([(2, 1)])
    one, other = (
        synopsis.within(full, FACTS).columns,
        synopsis.within(gaps, FACTS).columns,
    )
    for name in one:
        assert one[name][[0, 2]].tolist() == other[name][[0, 2]].tolist()


@pytest.mark.parametrize("size", [1e200, 1e-200, 1.0])
def test_scores_of_any_size_have_a_spread_also_beside_those_of_another(size):
    kept = scores() * [size, -size, 1.0]
    kept[0] = 0.0
    columns = synopsis.within(kept, FACTS).columns
    for c, unit in enumerate((size, -size, 1.0)):
        spread = abs(unit) * np.std(kept[:, c] / unit, ddof=1)
        assert columns["sd"][c] == pytest.approx(spread, rel=1e-13)
        error = columns["wcss_error"][c]
        assert error == pytest.approx(spread / np.sqrt(7), rel=1e-13)


def test_no_score_at_any_k_gives_a_curve_without_values():
    columns = synopsis.agreement_distribution(np.full((2, 3), np.nan), FACTS).columns
    for name in ("mean", "mean_error", "sd", "median", "lower"):
        assert np.isnan(columns[name]).all()
    assert not columns["above"].any()


def test_one_repeat_is_all_of_its_histogram():
    curve = synopsis.agreement_distribution(np.array([[0.95, 0.9, 0.1]]), FACTS)
    columns = curve.columns
    assert (curve.main, curve.error) == ("mean", "mean_error")
    assert columns["above"].tolist() == [1.0, 0.0, 0.0]
    bins = {name: v for name, v in columns.items() if name.startswith("bin_")}
    assert list(bins) == [f"bin_{b:02d}" for b in range(0, 100, 5)]
    assert [list(c).index(1) for c in np.array(list(bins.values())).T] == [19, 18, 2]


def test_wcss_beside_its_logarithm_is_the_mean_over_starts():
    columns = synopsis.log_within(
        np.array([[1.0, 4, 2], [2, 4, 2], [6, 7, 2]]), FACTS
    ).columns
    assert columns["wcss"].tolist() == [3.0, 5.0, 2.0]


def test_a_figure_of_merit_of_nothing_over_nothing_is_not_known():
    facts = Facts(n=3, m=2, ks=(2, 3, 4), asked=(2,), repeats=2)
    columns = synopsis.figure_of_merit(
        np.array([[1.0, 0, 0], [2.0, 0, 5]]), facts
    ).columns
    assert columns["fom"][0] == pytest.approx(3 / np.sqrt(1 / 3))
    assert np.isnan(columns["fom"][1:]).all()
    few = synopsis.figure_of_merit(np.array([[1.0, 0, 0]]), facts).columns
    assert few["aggregate"].tolist() == [1.0, 0.0, 0.0]  # of the columns there are


def test_growth_from_nothing_to_nothing_is_not_known():
    area = np.array([0.0, 0.0, 0.5, 0.75])
    nan = pytest.approx(np.nan, nan_ok=True)
    assert synopsis.delta((1, 2, 3, 4), area).tolist() == [nan, nan, 0.5, nan]
    assert synopsis.delta_shifted((1, 2, 3, 4), area).tolist() == [nan, nan, nan, 0.5]


def pairs_with_shares(*shares):
    """Return counts of pairs that were together in such tenths of the draws, by k."""
    each = [np.array(tenths) for tenths in shares]
    return PairCounts(
        ks=tuple(range(2, 2 + len(each))),
        drawn=[np.full(len(t), 10) for t in each],
        together=each,
        weight=[np.ones(len(t), np.int64) for t in each],
        never=np.zeros(len(each), np.int64),
        shares=np.array([[0.4], [0.6]]).repeat(len(each), axis=1),
        cophenetic=np.full(len(each), np.nan),
        sampled=None,
    )


def test_delta_prime_is_that_of_the_largest_area_so_far():
    found = synopsis.consensus_distribution(
        pairs_with_shares([5], [2], [6], [1]), FACTS
    ).columns
    assert found["area"] == pytest.approx([0.5, 0.8, 0.4, 0.9])
    nan = np.nan
    assert found["delta"] == pytest.approx([0.5, -0.5, 1.25, nan], nan_ok=True)
    assert found["delta_prime"] == pytest.approx([0.5, 0.0, 0.125, nan], nan_ok=True)
    assert found["delta_ccp"] == pytest.approx([0.5, 0.6, -0.5, 1.25])


def test_pairs_together_in_one_or_nine_tenths_of_the_draws_are_clear():
    found = synopsis.consensus_distribution(
        pairs_with_shares([1, 2, 8, 9], [0, 10]), FACTS
    )
    assert found.columns["pac"].tolist() == [0.5, 0.0]
    assert found.columns["area_error"] == pytest.approx([0.1, 0.1])
    assert synopsis.ConsensusColumn("pac").takes == "pairs"


def test_the_error_of_the_area_skips_repeats_that_failed():
    shares = np.array([[0.4, 0.4, 0.5], [np.nan, 0.5, 0.5], [0.6, 0.6, np.nan]])
    kept = replace(pairs_with_shares([5], [2], [6]), shares=shares)
    found = synopsis.consensus_distribution(kept, FACTS).columns["area_error"]
    assert found == pytest.approx([0.1, 0.1 / np.sqrt(3), 0.0])
    everywhere = replace(kept, shares=shares[:, [0, 0, 0]])  # at every k one failed
    found = synopsis.consensus_distribution(everywhere, FACTS).columns["area_error"]
    assert found == pytest.approx([0.1] * 3)
