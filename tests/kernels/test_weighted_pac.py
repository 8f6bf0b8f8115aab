"""The oracle counts pair by pair, in Python."""

import numpy as np
import pytest

from stablek.kernels.tier import Tier
from stablek.kernels.weighted_pac import TILE, ambiguous_shares


def by_hand(labels, ends, pairs, weights):
    """Return PAC of each weighting, one pair after another."""
    missing = np.iinfo(labels.dtype).max
    sizes = np.diff(ends, prepend=0)
    found = []
    for row in weights:
        times = np.repeat(row, sizes)
        ambiguous = known = 0
        for i, j in pairs:
            both = (labels[:, i] != missing) & (labels[:, j] != missing)
            drawn = times[both].sum()
            together = times[both & (labels[:, i] == labels[:, j])].sum()
            known += drawn > 0
            ambiguous += drawn > 0 and 0.1 < together / drawn < 0.9
        found.append(ambiguous / max(known, 1))
    return np.array(found)


@pytest.mark.parametrize("pays", [True, False])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize(
    ("repeats", "blocks", "k"), [(9, 9, 2), (60, 7, 5), (150, 2, 30)]
)
def test_shares_are_those_counted_by_hand(monkeypatch, pays, dtype, repeats, blocks, k):
    monkeypatch.setattr(Tier, "pays", lambda *_: pays)
    rng = np.random.default_rng(repeats)
    n = 24
    labels = rng.integers(0, k, (repeats, n)).astype(dtype)
    labels[:, 8:16] = labels[:, :8]  # always together
    labels[:, 20:] = np.arange(20, 24) % k  # always, or never
    labels[rng.random(labels.shape) < 0.5] = np.iinfo(dtype).max
    labels[:, 5] = np.iinfo(dtype).max  # never drawn
    ends = np.arange(1, blocks + 1) * repeats // blocks
    pairs = np.stack(np.triu_indices(n, 1), axis=1)
    assert len(pairs) > 2 * TILE
    assert len(pairs) % TILE
    weights = np.rint(rng.standard_gamma(0.3, (12, blocks)) * 20)
    weights[3] = 0
    weights[4, 1:] = 0
    found = ambiguous_shares(labels, ends, pairs, weights)
    np.testing.assert_array_equal(found, by_hand(labels, ends, pairs, weights))
    assert len(set(found.tolist())) > 3
