import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from stablek.errors import InputError
from stablek.paradigm.indices import (
    INDICES,
    OF_SUMS,
    contingency,
    f_index,
    index,
    pair_sums,
)

#: The 5 x 5 table of the thesis (section 2.1.1), 29 items.
THESIS = np.array(
    [
        [1, 4, 2, 1, 2],
        [0, 1, 1, 0, 1],
        [1, 2, 0, 2, 0],
        [2, 1, 0, 1, 2],
        [1, 0, 1, 0, 3],
    ]
)

PARTITIONS = st.integers(2, 25).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
    )
)

# The lists of laws must together cover the registry.
SYMMETRIC = {"adj", "fm", "rand"}
NOT_SYMMETRIC = {"f"}
WITHIN_0_AND_1 = {"f", "fm", "rand"}
CAN_BE_NEGATIVE = {"adj"}


def test_the_laws_cover_every_index():
    assert set(INDICES) == SYMMETRIC | NOT_SYMMETRIC
    assert set(INDICES) == WITHIN_0_AND_1 | CAN_BE_NEGATIVE


@pytest.mark.parametrize(
    ("name", "value"),
    # The thesis prints -0.014 for the adjusted Rand index; it is -0.015.
    [("rand", 0.677), ("adj", -0.015), ("fm", 0.186), ("f", 0.414)],
)
def test_the_table_of_the_thesis_gives_its_numbers(name, value):
    assert round(INDICES[name](THESIS), 3) == value


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("items", [1, 0])
def test_without_any_pair_two_partitions_are_equal(name, items):
    assert INDICES[name](np.ones((items, items), dtype=np.int64)) == 1


def test_where_one_partition_joins_no_pair_fowlkes_and_mallows_give_nothing():
    assert INDICES["fm"](contingency([0, 0], [0, 1])) == 0
    assert INDICES["fm"](contingency([0, 1], [0, 0])) == 0
    assert INDICES["fm"](contingency([0, 1], [1, 0])) == 1


@pytest.mark.parametrize("name", ["adj", "fm", "rand"])
def test_partitions_that_differ_on_the_only_pair_agree_on_nothing(name):
    assert INDICES[name](contingency([0, 0], [0, 1])) == 0
    assert INDICES[name](contingency([0, 1], [0, 0])) == 0


@given(PARTITIONS)
def test_pair_indices_agree_with_scikit_learn(labels):
    first, second = labels
    table = contingency(first, second)
    assert INDICES["rand"](table) == pytest.approx(metrics.rand_score(first, second))
    assert INDICES["adj"](table) == pytest.approx(
        metrics.adjusted_rand_score(first, second)
    )
    _, u, v, _ = pair_sums(table)
    if u and v:
        assert INDICES["fm"](table) == pytest.approx(
            metrics.fowlkes_mallows_score(first, second)
        )


@given(PARTITIONS)
def test_the_f_index_is_the_weighted_best_match_of_every_class(labels):
    first, second = (np.array(part) for part in labels)
    total = 0.0
    for one in set(first.tolist()):
        here = first == one
        best = 0.0
        for two in set(second.tolist()):
            there = second == two
            common = float((here & there).sum())
            best = max(best, 2 * common / float(here.sum() + there.sum()))
        total += here.mean() * best
    assert f_index(contingency(first, second)) == pytest.approx(total)


@pytest.mark.parametrize("name", sorted(INDICES))
@given(labels=PARTITIONS)
def test_an_index_keeps_its_bounds_and_is_one_for_equal_partitions(name, labels):
    first, second = labels
    value = INDICES[name](contingency(first, second))
    assert value <= 1 + 1e-12
    if name in WITHIN_0_AND_1:
        assert value >= 0
    assert INDICES[name](contingency(first, first)) == pytest.approx(1)


@pytest.mark.parametrize("name", sorted(SYMMETRIC))
@given(labels=PARTITIONS)
def test_a_symmetric_index_does_not_care_which_comes_first(name, labels):
    first, second = labels
    there = INDICES[name](contingency(first, second))
    assert there == pytest.approx(INDICES[name](contingency(second, first)))


@pytest.mark.parametrize("name", sorted(INDICES))
@given(labels=PARTITIONS)
def test_an_index_does_not_care_what_labels_are_called(name, labels):
    first, second = labels
    renamed = [f"c{(9 - x) * 7 % 10}" for x in second]
    value = INDICES[name](contingency(first, second))
    assert INDICES[name](contingency(first, renamed)) == pytest.approx(value)


def test_the_weight_b_favours_recall():
    table = contingency([0, 0, 0, 1], [0, 0, 1, 1])
    assert f_index(table, b=1e6) != f_index(table, b=1e-6)
    recall_of_best = (3 / 4) * (2 / 3) + (1 / 4) * 1.0
    assert f_index(table, b=1e6) == pytest.approx(recall_of_best)


@pytest.mark.parametrize("name", sorted(OF_SUMS))
def test_indices_of_many_pairs_at_once_equal_those_of_one(name):
    rng = np.random.default_rng(0)
    tables = [contingency(*rng.integers(0, 3, (2, 12))) for _ in range(20)]
    sums = np.array([pair_sums(t) for t in tables]).T
    together = OF_SUMS[name](*sums)
    assert together.tolist() == pytest.approx([INDICES[name](t) for t in tables])


def test_a_mistyped_index_gets_the_nearest_suggested():
    with pytest.raises(InputError, match="did you mean 'adj'"):
        index("adjd")
