"""Laws and oracles of hierarchical clustering."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import fastcluster
import numpy as np
import pytest
import scipy.cluster.hierarchy as sch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import pdist, squareform

from stablek.kernels.linkage import METHODS, linkage, linkage_of_rows

exactly = settings(deadline=None, max_examples=150, derandomize=True)


def between(square, a, b, method):
    """Return the distance of two clusters from those of their items, as a fraction.

    For Ward `square` holds squared distances and so does the answer:
    2 |A| |B| / (|A| + |B|) times the squared distance of the means.
    """
    pairs = [square[i][j] for i in a for j in b]
    if method == "complete":
        return max(pairs)
    if method == "single":
        return min(pairs)
    mean = Fraction(sum(pairs), len(pairs))
    if method == "average":
        return mean
    within = sum(
        Fraction(sum(square[i][j] for i in c for j in c), 2 * len(c) ** 2)
        for c in (a, b)
    )
    return Fraction(2 * len(a) * len(b), len(a) + len(b)) * (mean - within)


def by_the_rule(square, method):
    """Merge the closest pair, the lowest pair of lowest items on ties, exactly."""
    clusters = [[i] for i in range(len(square))]
    unions = []
    while len(clusters) > 1:
        height, i, j = min(
            (between(square, clusters[i], clusters[j], method), i, j)
            for i in range(len(clusters))
            for j in range(i + 1, len(clusters))
        )
        clusters[i] = sorted(clusters[i] + clusters.pop(j))
        unions.append((clusters[i], height))
    return unions


def by_the_rule_in_floats(square, method):
    """Do the same with a matrix of floats, for more items than fractions can serve."""
    square = square.copy()
    np.fill_diagonal(square, np.inf)
    items = {i: [i] for i in range(len(square))}
    unions = []
    while len(items) > 1:
        i, j = np.unravel_index(square.argmin(), square.shape)
        height = square[i, j]
        big, small = (i, j) if len(items[i]) >= len(items[j]) else (j, i)
        share = len(items[small]) / (len(items[i]) + len(items[j]))
        with np.errstate(invalid="ignore"):
            row = {
                "average": square[big] + share * (square[small] - square[big]),
                "complete": np.maximum(square[i], square[j]),
                "single": np.minimum(square[i], square[j]),
            }[method]
        row[np.isnan(row)] = np.inf
        square[i] = square[:, i] = row
        square[j] = square[:, j] = square[i, i] = np.inf
        items[i] = sorted(items[i] + items.pop(j))
        unions.append((items[i], height))
    return unions


def members(merges):
    """Return the items of every union, in the order of the merges."""
    n = len(merges) + 1
    items = [[i] for i in range(n)]
    for a, b, _, size in merges:
        assert a < b
        items.append(sorted(items[int(a)] + items[int(b)]))
        assert len(items[-1]) == size
    return items[n:]


def points(n, seed=0, p=5):
    return np.random.default_rng(seed).normal(size=(n, p))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [2, 3, 4, 10, 57, 150, 400])
def test_without_ties_the_tree_is_scipys_and_fastclusters(n, method):
    condensed = pdist(points(n, seed=n))
    ours = linkage(squareform(condensed), method)
    for peer in (sch.linkage, fastcluster.linkage):
        theirs = peer(condensed, method)
        np.testing.assert_array_equal(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]])
        np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=1e-12)
    assert sch.is_valid_linkage(ours)


@pytest.mark.parametrize("method", METHODS)
def test_blobs_chains_and_outliers_agree_with_scipy_as_well(method):
    rng = np.random.default_rng(3)
    blobs = rng.normal(size=(300, 3)) + 30 * rng.integers(0, 5, size=(300, 1))
    chain = np.cumsum(1 + rng.random((300, 1)), axis=0)
    outliers = np.exp(3 * rng.normal(size=(300, 2)))
    for values in (blobs, chain, outliers):
        condensed = pdist(values)
        ours = linkage(squareform(condensed), method)
        theirs = sch.linkage(condensed, method)
        np.testing.assert_array_equal(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]])


@pytest.mark.parametrize("method", ["complete", "single"])
@exactly
@given(data=st.data())
def test_ties_between_arbitrary_distances_go_to_the_lowest_pair(method, data):
    n = data.draw(st.integers(2, 11))
    flat = data.draw(arrays(np.int64, n * (n - 1) // 2, elements=st.integers(0, 6)))
    expected = by_the_rule(squareform(flat).tolist(), method)
    merges = linkage(squareform(flat.astype(float)), method)
    assert members(merges) == [union for union, _ in expected]
    assert merges[:, 2].tolist() == [float(height) for _, height in expected]


@pytest.mark.parametrize("method", ["average", "complete", "single"])
@exactly
@given(
    codes=arrays(
        np.int64, st.tuples(st.integers(2, 12), st.just(4)), elements=st.integers(0, 2)
    )
)
def test_ties_in_a_tree_of_distances_go_to_the_lowest_pair(method, codes):
    """Only means of equal numbers arise here, so ties survive rounding."""
    shared = np.cumprod(codes[:, None] == codes[None], axis=2).sum(axis=2)
    distances = np.array([5.3, 3.1, 1.7, 1.1, 0.0])[shared]
    exact = [[Fraction(d) for d in row] for row in distances.tolist()]
    expected = by_the_rule(exact, method)
    merges = linkage(distances, method)
    assert members(merges) == [union for union, _ in expected]
    assert merges[:, 2].tolist() == [float(height) for _, height in expected]


@pytest.mark.parametrize("method", METHODS)
@exactly
@given(
    values=arrays(
        np.int64, st.tuples(st.integers(2, 9), st.just(2)), elements=st.integers(0, 4)
    )
)
def test_with_ties_every_merge_is_still_one_of_the_closest(method, values):
    squares = ((values[:, None] - values[None]) ** 2).sum(axis=2)
    blocks = np.abs(values[:, None] - values[None]).sum(axis=2)
    exact = (squares if method == "ward" else blocks).tolist()
    merges = linkage(np.sqrt(squares) if method == "ward" else blocks * 1.0, method)
    clusters = {i: [i] for i in range(len(values))}
    for t, (a, b, height, _) in enumerate(merges):
        ids = list(clusters)
        closest = min(
            between(exact, clusters[i], clusters[j], method)
            for i in ids
            for j in ids
            if i < j
        )
        assert (height**2 if method == "ward" else height) == pytest.approx(closest)
        merged = clusters.pop(int(a)) + clusters.pop(int(b))
        clusters[len(values) + t] = merged


@pytest.mark.parametrize("method", ["average", "complete", "single"])
@pytest.mark.parametrize("top", [3, 12, 60, 400, 5000])
def test_many_items_with_ties_follow_the_rule(method, top):
    values = np.random.default_rng(top).integers(0, top, size=(300, 2))
    square = np.abs(values[:, None] - values[None]).sum(axis=2).astype(float)
    expected = by_the_rule_in_floats(square, method)
    merges = linkage(square, method)
    assert members(merges) == [union for union, _ in expected]
    np.testing.assert_allclose(merges[:, 2], [height for _, height in expected])


@pytest.mark.parametrize("method", METHODS)
def test_the_corners_of_a_square_merge_in_the_order_of_their_numbers(method):
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    first_two = members(linkage(squareform(pdist(corners)), method))[:2]
    second = [0, 1, 2] if method == "single" else [2, 3]
    assert first_two == [[0, 1], second]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [2, 3, 5, 200])
def test_equal_rows_merge_one_after_the_other_at_height_zero(method, n):
    merges = linkage(np.zeros((n, n)), method)
    assert (merges[:, 2] == 0.0).all()
    assert members(merges) == [list(range(t + 2)) for t in range(n - 1)]


@pytest.mark.parametrize("method", METHODS)
def test_one_item_has_no_merges(method):
    assert linkage(np.zeros((1, 1)), method).shape == (0, 4)


@pytest.mark.parametrize("method", METHODS)
def test_duplicated_rows_join_their_copies_first(method):
    values = points(150, seed=8)
    merges = linkage(squareform(pdist(np.vstack([values, values]))), method)
    assert (merges[:150, 2] == 0.0).all()
    assert members(merges)[:150] == [[i, i + 150] for i in range(150)]
    assert (np.diff(merges[:, 2]) >= 0).all()


@pytest.mark.parametrize("method", METHODS)
def test_heights_never_fall(method):
    values = np.random.default_rng(5).integers(0, 40, size=(400, 2))
    for noise in (0.0, 1e-15, 1e-9):
        jitter = noise * np.random.default_rng(6).normal(size=values.shape)
        merges = linkage(squareform(pdist(values + jitter)), method)
        assert (np.diff(merges[:, 2]) >= 0).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_permutation_of_the_items_permutes_the_clusters(method):
    square = squareform(pdist(points(200, seed=4)))
    order = np.random.default_rng(7).permutation(200)
    plain = {tuple(union) for union in members(linkage(square.copy(), method))}
    mixed = members(linkage(square[np.ix_(order, order)].copy(), method))
    assert {tuple(sorted(order[union])) for union in mixed} == plain


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("integers", [False, True])
def test_some_rows_of_a_read_only_matrix_cluster_like_their_own_matrix(
    method, integers
):
    values = points(300, seed=9)
    square = squareform(pdist(np.round(values) if integers else values))
    rows = np.random.default_rng(1).permutation(300)[:240]
    expected = linkage(square[np.ix_(rows, rows)].copy(), method)
    square.flags.writeable = False
    before = square.copy()
    np.testing.assert_array_equal(linkage_of_rows(square, rows, method), expected)
    np.testing.assert_array_equal(square, before)


@pytest.mark.parametrize("method", METHODS)
def test_a_row_drawn_twice_is_two_items(method):
    square = squareform(pdist(points(150, seed=10)))
    rows = np.random.default_rng(2).integers(0, 150, size=150)
    expected = linkage(square[np.ix_(rows, rows)].copy(), method)
    np.testing.assert_array_equal(linkage_of_rows(square, rows, method), expected)
    assert (expected[:, 2] == 0.0).sum() == 150 - len(set(rows.tolist()))


@pytest.mark.parametrize("method", METHODS)
def test_a_read_only_matrix_is_copied_and_its_layout_does_not_matter(method):
    square = squareform(pdist(points(60, seed=11)))
    expected = linkage(square.copy(), method)
    square.flags.writeable = False
    rows = np.arange(60)
    for same in (square, np.asfortranarray(square)):
        np.testing.assert_array_equal(linkage(same, method), expected)
        np.testing.assert_array_equal(linkage_of_rows(same, rows, method), expected)


@pytest.mark.parametrize("method", METHODS)
def test_minus_zero_is_zero(method):
    square = np.zeros((4, 4))
    square[1, 2] = square[2, 1] = -0.0
    assert members(linkage(square, method)) == [[0, 1], [0, 1, 2], [0, 1, 2, 3]]


@pytest.mark.parametrize("method", METHODS)
def test_threads_at_once_give_the_bits_of_one(method):
    square = squareform(pdist(points(300, seed=2)))
    draws = [np.random.default_rng(s).permutation(300)[:240] for s in range(12)]
    alone = [linkage_of_rows(square, rows, method) for rows in draws]
    with ThreadPoolExecutor(2) as pool:
        together = list(
            pool.map(lambda rows: linkage_of_rows(square, rows, method), draws)
        )
    for one, two in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, two)


def test_an_unknown_method_is_named_with_those_that_exist():
    with pytest.raises(ValueError, match=r"'median'.*average, complete"):
        linkage(np.zeros((3, 3)), "median")
