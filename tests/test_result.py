"""What a result shows of itself, and gives at any k."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from stablek.choose import choose_k
from stablek.errors import InputError
from stablek.indices import INDICES, contingency
from stablek.judge.run import verdict
from stablek.testing import some_data

DATA = some_data(60, 6, 3)


def test_the_partition_at_any_k_is_cut_from_the_consensus_matrix():
    """Oracle: SciPy on the same matrix."""
    result = choose_k(DATA, "fc", "hier-a", range(2, 7), repeats=40)
    for k in range(2, 7):
        apart = squareform(1 - result.consensus(k), checks=False)
        oracle = fcluster(linkage(apart, "average"), k, "maxclust")
        found = result.labels_at(k)
        assert len(set(found.tolist())) == k
        if len(set(oracle.tolist())) == k:  # no ties at the cut
            assert INDICES["adj"](contingency(oracle, found)) == 1
    np.testing.assert_array_equal(result.labels_at(result.k_star), result.labels)


def test_a_partition_that_was_not_kept_is_refused_with_the_remedy():
    fc = choose_k(DATA, "fc", "hier-a", range(2, 5), repeats=20)
    with pytest.raises(InputError, match="k = 9 was not run; the ks are 2 to 4"):
        fc.labels_at(9)
    wcss = choose_k(DATA, "wcss", "hier-a", range(1, 6))
    other = next(k for k in range(2, 6) if k != wcss.k_star)
    with pytest.raises(InputError, match="wcss keeps the partition at k_star only"):
        wcss.labels_at(other)
    with pytest.raises(InputError, match="read from JSON"):
        type(fc).from_json(fc.to_json()).labels_at(4 if fc.k_star != 4 else 3)


def test_what_is_shown_of_an_answer_is_a_sentence():
    result = choose_k(DATA, "fc", "hier-a", range(2, 5), repeats=20)
    assert repr(result) == f"<Result: {result.sentence}>"
    found = verdict(DATA, range(2, 5), null_sets=19, repeats=10, jobs=1)
    assert repr(found).startswith(f"<Verdict: {found.sentence}")
    assert found.strength in repr(found)
    assert len(repr(found)) < 1000


def test_items_of_an_array_are_numbered_as_its_rows():
    X = np.vstack([np.array(DATA.values), np.full((1, 6), 900.0)])
    found = verdict(X, range(2, 5), null_sets=19, repeats=10, jobs=1)
    assert found.items[60]["id"] == "60"
    assert "60" in found.sentence + " ".join(found.notes)
