"""Rules that compare with null sets."""

import numpy as np
import pytest

from stablek.errors import InputError
from stablek.paradigm.contracts import Curve, Facts, NullCurves
from stablek.paradigm.significance.against_null import (
    Gap,
    MonteCarlo,
    next_local_maximum,
)

FACTS = Facts(n=20, m=3, ks=(1, 2, 3), asked=(1, 2, 3), repeats=1)


def test_rules_on_null_sets_need_them():
    curve = Curve((1, 2, 3), {"x": np.zeros(3)}, "x")
    for rule in (Gap(), MonteCarlo()):
        with pytest.raises(InputError, match="null sets; give"):
            rule(curve, None, FACTS)


def test_a_gap_that_never_rises_again_has_no_later_maximum():
    curve = Curve((1, 2, 3), {"x": np.array([0.0, 0.0, 0.0])}, "x")
    falling = NullCurves("m", {"x": np.array([[[3.0, 2.0, 1.0], [3.1, 2.1, 1.1]]])})
    found = Gap()(curve, falling, FACTS)
    assert found.k_star == 1
    assert "next_local_maximum" not in found.facts
    assert next_local_maximum((1, 2, 3), np.array([3.0, 2.0, 1.0]), 1, 3) is None
    rising = NullCurves("m", {"x": np.array([[[1.0, 2.0, 9.0], [1.1, 2.1, 9.1]]])})
    last = Gap()(curve, rising, FACTS)
    assert last.k_star == 3
    assert "Gap(4)" not in last.reason
