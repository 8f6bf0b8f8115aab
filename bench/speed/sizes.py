"""The three sizes on which speed is measured: stand-ins, or the real files."""

from __future__ import annotations

import numpy as np

from stablek.datasets import load_folder
from stablek.datasets.simulated import pbm_sized

SIZES = ("57x200", "702x72", "2329x139")
REAL = {"57x200": "nci60", "702x72": "yeast"}  # no copy of PBM is public
CLUSTERS = {"57x200": 8, "702x72": 5}


def values_of(size: str, folder: str | None = None) -> np.ndarray:
    """Return the matrix of a size: the real file if a folder has it, else simulated.

    The stand-ins of the two smaller sizes are normal clusters as many as the classes of
    the real file, with centres one standard deviation apart in every column.
    """
    if folder is not None and size in REAL:
        return np.array(load_folder(REAL[size], folder).values)
    if size == "2329x139":
        return np.array(pbm_sized().values)
    n, m = (int(part) for part in size.split("x"))
    k = CLUSTERS[size]
    rng = np.random.default_rng(0)
    return rng.normal(size=(k, m))[np.arange(n) % k] + rng.normal(size=(n, m))
