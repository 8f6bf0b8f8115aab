"""--preset thesis sets the variant of NMF, too."""

from __future__ import annotations

import numpy as np
import pytest

import stablek
from stablek.measures.presets import preset_algorithm

X = np.abs(np.vstack([np.random.default_rng(1).normal(c, 0.3, (8, 4)) for c in (1, 5)]))


@pytest.mark.parametrize(
    ("given", "run"),
    [("nmf-a", "nmf-a+brunet"), ("nmf-a+hals", "nmf-a+hals"), ("hier-a", "hier-a")],
)
def test_nmf_is_brunets_under_the_preset(given: str, run: str) -> None:
    ks = range(2, 4)
    found = stablek.choose_k(X, "fc", given, ks, preset="thesis", repeats=4)
    assert found.algorithm == run
    assert stablek.choose_k(X, "fc", given, ks, repeats=4).algorithm == given


def test_algorithms_of_ones_own_stay() -> None:
    one = object()
    assert preset_algorithm("thesis", one) is one
    assert preset_algorithm("thesis", "nmf-i") == "nmf-i"
