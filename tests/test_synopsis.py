"""A curve's summary over repeats: the same with and without failed repeats."""

import numpy as np
import pytest

from stablek.contracts import Facts
from stablek.synopsis import agreement_distribution, within

FACTS = Facts(n=20, m=3, ks=(1, 2, 3), asked=(1, 2, 3), repeats=7, sample_size=20)


def scores(missing=()):
    drawn = np.random.default_rng(5).random((7, 3))
    for place in missing:
        drawn[place] = np.nan
    return drawn


@pytest.mark.parametrize("missing", [(), [(0, 0), (3, 2)], [(slice(0, 6), 1)]])
def test_the_summary_skips_repeats_without_a_score(missing):
    kept = scores(missing)
    columns = within(kept, FACTS).columns
    for c in range(3):
        some = [x for x in kept[:, c] if x == x]
        assert columns["wcss"][c] == pytest.approx(sum(some) / len(some), rel=1e-14)
        assert columns["median"][c] == pytest.approx(np.median(some), rel=1e-14)
        assert columns["min"][c] == min(some)
        assert columns["max"][c] == max(some)
        spread = np.std(some, ddof=1) if len(some) > 1 else 0.0
        assert columns["sd"][c] == pytest.approx(spread, rel=1e-13)


def test_a_k_at_which_every_repeat_failed_has_no_value():
    columns = agreement_distribution(scores([(slice(None), 1)]), FACTS).columns
    assert np.isnan(columns["mean"][1])
    assert np.isfinite(columns["mean"][[0, 2]]).all()


def test_a_full_column_gets_the_same_bits_beside_a_column_with_gaps():
    full, gaps = scores(), scores([(2, 1)])
    one, other = within(full, FACTS).columns, within(gaps, FACTS).columns
    for name in one:
        assert one[name][[0, 2]].tolist() == other[name][[0, 2]].tolist()
