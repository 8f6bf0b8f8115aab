"""Oracles: scikit-learn's tables, and plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix

from stablek.kernels.contingency import agreement_sums, contingency


def draw(n, k, share=0.7, dtype=np.uint8, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n).astype(dtype)
    labels[rng.random(n) > share] = np.iinfo(dtype).max
    return labels


def sums_by_hand(a, b):
    common = [
        (x, y)
        for x, y in zip(a.tolist(), b.tolist(), strict=True)
        if x not in (-1, np.iinfo(a.dtype).max) and y not in (-1, np.iinfo(b.dtype).max)
    ]

    def squares(things):
        return sum(things.count(t) ** 2 for t in set(things))

    first, second = [x for x, _ in common], [y for _, y in common]
    return [squares(common), squares(first), squares(second), len(common)]


def test_the_table_of_full_labellings_is_that_of_scikit_learn():
    a, b = draw(200, 5, share=2), draw(200, 7, share=2, seed=1)
    np.testing.assert_array_equal(contingency(a, b), contingency_matrix(a, b))


@pytest.mark.parametrize("types", [("u1", "u1"), ("u1", "u2"), ("u2", "u2")])
def test_items_that_one_of_the_two_did_not_draw_are_not_counted(types):
    a, b = (draw(150, 4, dtype=np.dtype(t), seed=s) for s, t in enumerate(types))
    both = (a != np.iinfo(a.dtype).max) & (b != np.iinfo(b.dtype).max)
    expected = contingency_matrix(a[both], b[both])
    np.testing.assert_array_equal(contingency(a, b), expected)


def test_labellings_without_a_common_item_give_zeros():
    nothing = np.full(4, 255, np.uint8)
    assert contingency(nothing, np.zeros(4, np.uint8)).shape == (0, 1)
    sums = agreement_sums(nothing[None], np.zeros((1, 4), np.uint8))
    np.testing.assert_array_equal(sums, [[0, 0, 0, 0]])


@pytest.mark.parametrize("types", [("u1", "u1"), ("u1", "u2"), ("u2", "u2")])
def test_the_four_sums_of_every_row_equal_a_plain_loop(types):
    a, b = (
        np.stack([draw(60, k, dtype=np.dtype(t), seed=k + s) for k in range(1, 25)])
        for s, t in enumerate(types)
    )
    expected = [sums_by_hand(x, y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_array_equal(agreement_sums(a, b), expected)


@settings(deadline=None, max_examples=80)
@given(
    st.lists(
        st.tuples(st.sampled_from([-1, 0, 1, 2, 9]), st.sampled_from([-1, 0, 1, 5])),
        min_size=1,
        max_size=40,
    )
)
def test_the_sums_are_those_of_the_table_and_swap_with_the_labellings(pairs):
    a, b = np.array(pairs).T
    table = contingency(a, b)
    (sums,) = agreement_sums(a[None], b[None])
    assert sums.tolist() == [
        (table**2).sum(),
        (table.sum(axis=1) ** 2).sum(),
        (table.sum(axis=0) ** 2).sum(),
        table.sum(),
    ]
    (swapped,) = agreement_sums(b[None], a[None])
    assert swapped.tolist() == sums[[0, 2, 1, 3]].tolist()
    np.testing.assert_array_equal(contingency(b, a), table.T)


def test_the_pairs_of_scikit_learn_follow_from_the_sums():
    a, b = draw(80, 4, share=2), draw(80, 6, share=2, seed=3)
    cells, first, second, n = agreement_sums(a[None], b[None])[0]
    expected = pair_confusion_matrix(a, b)  # ordered pairs: each is counted twice
    assert expected[1, 1] == cells - n
    assert expected[1, 0] == first - cells
    assert expected[0, 1] == second - cells
    assert expected.sum() == n * (n - 1)


def test_many_clusters_need_no_table_of_their_product():
    n = 60_000
    rows = np.arange(n, dtype=np.uint16)[None]
    np.testing.assert_array_equal(agreement_sums(rows, rows), [[n, n, n, n]])
