"""Numbers at the edge: every degenerate case has an answer, and no warning escapes."""

import re

import numpy as np
import pytest
from combinations import fitted, groups, pairs, small

from stablek.api.choose_k import choose_k
from stablek.errors import InputError
from stablek.measures import MEASURES
from stablek.paradigm.cluster import ALGORITHMS
from stablek.paradigm.indices import adjusted_rand, contingency

BASE = groups()
EDGES = {
    "three items": BASE[:3],
    "four items": BASE[:4],
    "five items": BASE[:5],
    "one column": BASE[:, :1],
    "two columns": BASE[:, :2],
    "heavy ties": np.round(BASE / 10) * 10,
    "zeros and ones": np.random.default_rng(1).integers(0, 2, (12, 3)).astype(float),
    "every row twice": np.repeat(BASE[:6], 2, axis=0),
    "every column twice": np.repeat(BASE, 2, axis=1),
    "two distinct rows": np.repeat([[0.0, 1.0], [1.0, 0.0]], 6, axis=0),
    "one row apart": np.vstack([np.ones((11, 2)), [[5.0, 5.0]]]),
    "a constant column": np.hstack([BASE, np.ones((12, 1))]),
    "a column of zeros": np.hstack([BASE, np.zeros((12, 1))]),
    "a dominating column": np.hstack([BASE, BASE[:, :1] * 1e9]),
    "far from zero": BASE + 1e8,
    "a column of 1e-320": np.hstack([BASE, BASE[:, :1] * 1e-320]),
    "a column of 1e-300": np.hstack([BASE, BASE[:, :1] * 1e-300]),
    "1e-130": BASE * (1.1e-130 / np.ptp(BASE, axis=0).max()),
    "1e148": BASE * (1e148 / BASE.max()),
    "float32": BASE.astype(np.float32),
}

#: Refusals that are answers: too little data for what was asked.
ANSWERS = "too few|at least 2 columns|does not reduce"


@pytest.mark.parametrize("edge", EDGES)
def test_every_degenerate_case_has_an_answer(edge, tally):
    """Twenty edges, each with its own shift: every pair of the three meets."""
    for measure, algorithm in pairs(list(EDGES).index(edge)):
        try:
            found = choose_k(
                EDGES[edge], measure, algorithm, backend="serial", **small(measure)
            )
        except InputError as error:
            if not re.search(ANSWERS, str(error)):
                raise
            continue
        assert found.k_star is None or 1 <= found.k_star < len(BASE)
        for name, column in found.columns.items():
            assert not np.isinf(column).any(), (measure, algorithm, name)
        found.to_json()
        tally("inputs fuzzed", 1)


def test_the_edges_meet_every_measure_with_every_algorithm():
    met = {pair for shift in range(len(EDGES)) for pair in pairs(shift)}
    wanted = {(m, fitted(m, a)) for m in MEASURES for a in ALGORITHMS}
    assert wanted - met == set()


@pytest.mark.parametrize("algorithm", ["hier-a", "kmeans-r", "nmf-r"])
def test_a_hundred_thousand_columns_are_few_enough(algorithm):
    wide = groups(9, 100_000)
    found = choose_k(wide, "fc", algorithm, range(2, 5), repeats=3, backend="serial")
    assert found.k_star in (2, 3, 4)


@pytest.mark.parametrize("value", [2e150, 1e300, 1.7e308])
def test_values_whose_squares_overflow_are_refused(value):
    with pytest.raises(InputError, match="overflow squared distances"):
        choose_k(BASE * (value / BASE.max()), "fc", "hier-a")


@pytest.mark.parametrize("value", [9e-131, 1e-160, 1e-300, 1e-320])
def test_values_whose_squares_vanish_are_refused(value):
    """Taken as they are, three clear groups would be none."""
    with pytest.raises(InputError, match="vanish in squared distances; multiply"):
        choose_k(BASE * (value / BASE.max()), "fc", "hier-a")
    beside = np.hstack([np.ones((len(BASE), 1)), BASE * (value / BASE.max())])
    with pytest.raises(InputError, match="vanish in squared distances; multiply"):
        choose_k(beside, "fc", "hier-a")  # a column that is one for all hides nothing
    assert choose_k(BASE * 0, "fc", "hier-a").k_star == 1


#: Their own constants (stopping, smoothing) are not free of scale.
NOT_FREE_OF_SCALE = ("nmf-",)


@pytest.mark.parametrize(("shift", "power"), [(0, 10), (5, -434), (11, 490)])
def test_a_scale_that_is_a_power_of_two_changes_no_choice(shift, power):
    """No digit is lost; distances and sums of squares just grow, or shrink."""
    X = groups(30, 3)
    for measure, algorithm in pairs(shift):
        if algorithm.startswith(NOT_FREE_OF_SCALE):
            continue
        one, two = (
            choose_k(
                values, measure, algorithm, range(2, 6), backend="serial",
                **small(measure),
            )
            for values in (X, X * 2.0**power)
        )  # fmt: skip
        assert one.k_star == two.k_star, (measure, algorithm)
        assert np.array_equal(one.labels, two.labels), (measure, algorithm)


@pytest.mark.parametrize("shift", [0, 5, 11])
def test_a_translation_keeps_clear_groups(shift):
    X = groups(30, 3)
    for measure, algorithm in pairs(shift):
        if algorithm.startswith("nmf-"):  # ratios of values, not differences
            continue
        one, two = (
            choose_k(
                values, measure, algorithm, range(3, 4), backend="serial",
                **small(measure),
            )
            for values in (X, X + 1000.0)
        )  # fmt: skip
        if one.labels is None or two.labels is None:
            continue
        assert one.k_star == two.k_star, (measure, algorithm)
        table = contingency(one.labels, two.labels)
        assert adjusted_rand(table) == pytest.approx(1), (measure, algorithm)


def test_the_order_of_columns_changes_sums_in_the_last_digits_only():
    X = groups(30, 6)
    order = [3, 0, 5, 1, 4, 2]
    for measure, column in (("wcss", "wcss"), ("fc", "area"), ("fom", "fom")):
        one, two = (
            choose_k(v, measure, "hier-a", range(2, 6), **small(measure))
            for v in (X, X[:, order])
        )
        assert one.columns[column] == pytest.approx(two.columns[column], rel=1e-12)
        assert one.k_star == two.k_star
