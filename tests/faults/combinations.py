"""Every measure with every algorithm, or a pairwise cover of that."""

import os

import numpy as np

from stablek.measures import MEASURES, settings_of
from stablek.paradigm.cluster import ALGORITHMS

FULL = os.environ.get("STABLEK_TEST_FULL") == "1"
SMALL = {"repeats": 4, "null_sets": 2, "runs": 2}


def small(name):
    """Return settings that make a measure cheap."""
    return {key: value for key, value in SMALL.items() if key in settings_of(name)}


def fitted(measure, algorithm):
    """Return the algorithm's name, with a remedy where draws have negative values."""
    turned = measure in ("gap-pc", "mosram")  # by axes of variance, by projections
    return f"{algorithm}+shift" if turned and algorithm[:4] == "nmf-" else algorithm


def pairs(shift=0):
    """Return (measure, algorithm) pairs: all in full, else each measure once.

    The algorithm moves on with the measure and with ``shift``, so that as many shifts
    as there are algorithms meet every pair.
    """
    names, known = sorted(MEASURES), sorted(ALGORITHMS)
    if FULL:
        found = [(m, a) for m in names for a in known]
    else:
        found = [(m, known[(i + shift) % len(known)]) for i, m in enumerate(names)]
    return [(m, fitted(m, a)) for m, a in found]


def groups(n=12, m=4):
    """Return three clear groups of positive values."""
    rng = np.random.default_rng(0)
    centres = 9 * rng.normal(size=(3, m))
    return np.abs(centres[np.arange(n) % 3] + rng.normal(size=(n, m)) + 40)
