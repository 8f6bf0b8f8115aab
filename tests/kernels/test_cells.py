import math
from itertools import pairwise

import numpy as np
import pytest

from stablek.kernels.cells import distribution_sums


def by_hand(m, weight):
    """The five sums, from the definitions, over the distinct values."""
    total = sum(weight)
    values = sorted(set(m))
    literal = math.fsum(
        (b - a) * math.fsum(w for x, w in zip(m, weight, strict=True) if x <= b) / total
        for a, b in pairwise(values)
    )
    inner = [(x, w) for x, w in zip(m, weight, strict=True) if 0 < x < 1]
    return (
        math.fsum(x * w for x, w in zip(m, weight, strict=True)) / total,
        literal,
        sum(w for x, w in inner if 0.1 < x < 0.9) / total,
        math.fsum(4 * w * (x - 0.5) ** 2 for x, w in zip(m, weight, strict=True))
        / total,
        math.fsum(w * (x * math.log(x) + (1 - x) * math.log(1 - x)) for x, w in inner)
        / total,
    )


@pytest.mark.parametrize("cells", [1, 2, 7, 8, 9, 130, 700])
def test_the_sums_are_those_of_their_definitions(cells):
    rng = np.random.default_rng(cells)
    drawn = rng.integers(1, 12, cells)
    m = rng.integers(0, 13, cells).clip(0, drawn) / drawn  # many values occur twice
    weight = rng.integers(1, 50, cells)
    found = distribution_sums(m, weight)
    assert found == pytest.approx(by_hand(m.tolist(), weight.tolist()), rel=1e-12)


def test_values_at_the_borders_of_pac_are_outside_it():
    m = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    assert distribution_sums(m, np.full(5, 3))[2] == 0.2
