"""The simulated sets of the thesis, a stand-in for PBM, and the set of the demo.

Section "Simulated Data" of chapter 5 fixes shapes, class sizes and which columns mark
which class; it is silent on spreads and on how sharp "sharp" is. What was chosen
instead is stated in each function, and Gaussian3 is checked against the file that
Monti et al. used. All of them are pure functions of a seed.

References
----------
Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52, 91-118, section 4.1,
doi:10.1023/A:1023949509487.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import stream
from stablek.errors import InputError

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """A simulated set with its truth: items are rows, arrays are read-only.

    Parameters
    ----------
    values : array of shape (n, m)
        The matrix.
    labels : array of shape (n,)
        The true class of every item, 0 to ``k - 1``.
    k : int
        The true number of clusters; 1 for a null set.
    name : str
        What it is called in tables.
    facts : dict
        What was chosen to make it: numbers, strings, and for some sets ``ids`` and
        ``columns``.
    """

    values: Floats
    labels: Labels
    k: int
    name: str
    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Lock the arrays: a data set that can be changed is not a reference."""
        self.values.setflags(write=False)
        self.labels.setflags(write=False)


def _blocks(sizes: list[int]) -> Labels:
    """Return the labels of consecutive classes of these sizes."""
    return np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)


def gaussian3(seed: int = 0, *, markers: int = 100) -> Simulated:
    """Return Gaussian3: 60 x 600, three classes of 20, each marked by its own columns.

    Entry = 1 + z in the ``markers`` columns of the item's own class and z elsewhere,
    with z ~ N(0, 1); class c owns the c-th block of ``markers`` columns, and what is
    left of the 600 is noise.

    The thesis says 200 markers per class, and nothing of size or spread. The file of
    Monti et al. (``gaussian3`` in the data folder) has 100 per class and 300 columns of
    noise, means 1 and 0, spread 1; so have we. The thesis's finding that single link
    fails here fits 100 (mean adjusted Rand index 0.33 at k = 3) and not 200 (1.00).
    ``markers=200`` gives the set of the text.

    Examples
    --------
    >>> gaussian3(0).values.shape
    (60, 600)
    """
    if not 1 <= markers <= 200:
        raise InputError(
            f"markers = {markers}: three classes share 600 columns; give 1 to 200"
        )
    labels = _blocks([20, 20, 20])
    values = stream(seed, "gaussian3").standard_normal((60, 600))
    for c in range(3):
        values[labels == c, markers * c : markers * (c + 1)] += 1.0
    # Departs from the thesis: its text gives 200 markers, the file it used has 100.
    name = "gaussian3" if markers == 100 else f"gaussian3-{markers}"
    facts = {"markers": markers, "up": 1.0, "spread": 1.0, "noise": 600 - 3 * markers}
    return Simulated(values, labels, 3, name, facts)


def gaussian5(
    seed: int = 0, *, side: float = 3.0, spread: float = 0.5, each: int = 50
) -> Simulated:
    """Return Gaussian5: five round clouds in the plane, four corners and the middle.

    ``side`` is the thesis's lambda (2 or 3): the clouds are centred at the corners of
    the square of that side and at its middle, so neighbours are side/sqrt(2) apart.

    The thesis calls the matrix 500 x 2 but says "a total of 250 samples, 50 per class"
    (so do Monti et al.): 250 it is. No spread is given. With 1 the clouds melt into one
    (K-means at k = 5 reaches an adjusted Rand index of 0.2 at lambda = 2); 0.5 gives
    0.93 at lambda = 3 and 0.69 at lambda = 2, average link 0.91 at lambda = 3, where
    the thesis reports 0.86.
    """
    if not (side > 0 and spread > 0 and each >= 1):
        raise InputError(
            f"side = {side}, spread = {spread}, each = {each}: all must be positive"
        )
    corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5)]
    centres = side * np.array(corners)
    labels = _blocks([each] * 5)
    noise = stream(seed, "gaussian5").standard_normal((5 * each, 2))
    facts = {"side": side, "spread": spread, "each": each}
    return Simulated(
        centres[labels] + spread * noise, labels, 5, f"gaussian5-{side:g}", facts
    )


def simulated6(seed: int = 0) -> Simulated:
    """Return Simulated6: 60 x 600, six classes of unequal size and unequal sharpness.

    Classes of 8, 12, 10, 15, 5 and 10 items; class c has 50 columns of its own, raised
    by up_c for its items; 300 more columns are noise. "The genes marking the first
    class are the sharpest - with highest differential expression and lowest variation -
    followed by" the second, and so on. Chosen: up_c falls evenly from 2.0 to 0.8, the
    spread of those columns (in all items) rises evenly from 0.5 to 1.0, and the noise
    columns are N(0, 1). The last class is then less marked than one of Gaussian3, the
    first hardly to be missed: average link at k = 6 reaches an adjusted Rand index of
    0.94, single link 0.45.
    """
    sizes = [8, 12, 10, 15, 5, 10]
    up = np.linspace(2.0, 0.8, 6)
    spread = np.linspace(0.5, 1.0, 6)
    labels = _blocks(sizes)
    values = stream(seed, "simulated6").standard_normal((60, 600))
    for c in range(6):
        own = slice(50 * c, 50 * (c + 1))
        values[:, own] *= spread[c]
        values[labels == c, own] += up[c]
    facts = {"sizes": sizes, "up": up.tolist(), "spread": spread.tolist()}
    return Simulated(values, labels, 6, "simulated6", facts)


# Sizes fall by a sixth from class to class and add up to the 2329 items of PBM.
_PBM_SIZES = [
    *(402, 335, 279, 233, 194, 162, 135, 112, 94),
    *(78, 65, 54, 45, 38, 32, 26, 23, 22),
]


def pbm_sized(seed: int = 0) -> Simulated:
    """Return a set of PBM's size and kind: 2329 x 139, 18 classes, non-negative.

    PBM itself (fingerprints of 2329 cDNAs from 18 genes with 139 oligos) cannot be had.
    This stand-in gives every class a fingerprint in which each of the 139 oligos binds
    with probability 0.3, and every item its reading max(0, bind + 0.4 z), z ~ N(0, 1).
    Class sizes fall by a sixth from 402 to 22. It is for timing: its classes are
    easier to find than those of the real set.
    """
    rng = stream(seed, "pbm-sized")
    binds = (rng.random((18, 139)) < 0.3).astype(np.float64)
    labels = _blocks(_PBM_SIZES)
    values = binds[labels] + 0.4 * rng.standard_normal((labels.size, 139))
    facts = {"sizes": list(_PBM_SIZES), "binds": 0.3, "spread": 0.4}
    return Simulated(np.maximum(values, 0.0), labels, 18, "pbm-sized", facts)


_DEMO_CLASSES = ("T cell", "B cell", "monocyte", "NK cell")
_DEMO_SIZES = [60, 45, 30, 15]
# The first six columns of each row mark one class; T and NK cells share the last row.
_DEMO_GENES = (
    *("CD3D", "CD3E", "IL7R", "LCK", "TRAC", "CCR7"),
    *("MS4A1", "CD79A", "CD79B", "CD19", "BANK1", "CD74"),
    *("LYZ", "CD14", "S100A8", "S100A9", "FCN1", "CST3"),
    *("GNLY", "KLRD1", "KLRF1", "NCAM1", "PRF1", "FGFBP2"),
    *("NKG7", "GZMA", "GZMB", "CCL5"),
    *("ACTB", "GAPDH", "B2M", "RPLP0", "MALAT1", "EEF1A1"),
    *("PPIA", "TMSB4X", "UBC", "HPRT1", "TBP", "PGK1"),
)


def demo(seed: int = 0) -> Simulated:
    """Return the bundled set of ``stablek demo``: 150 samples x 40 genes, four kinds.

    Sixty T cells, 45 B cells, 30 monocytes and 15 NK cells in mixed order, each kind
    marked by six genes (raised by about 1.7 over a spread of 1); T and NK cells share
    four more, so the smallest kind lies beside the largest. Twelve genes say nothing.
    Values are simulated and only shaped like log expression; gene names are there to
    make the plots readable. ``facts`` holds ``ids``, ``columns`` and ``classes``.
    """
    rng = stream(seed, "demo")
    labels = rng.permutation(_blocks(_DEMO_SIZES))
    level = rng.uniform(4.0, 8.0, 40)
    raised = rng.uniform(1.3, 2.1, 40)
    values = level + rng.standard_normal((150, 40))
    for c in range(4):
        own = slice(6 * c, 6 * (c + 1))
        values[np.ix_(labels == c, np.arange(40)[own])] += raised[own]
    values[np.ix_(labels == 3, np.arange(24, 28))] += raised[24:28]
    values[np.ix_(labels == 0, np.arange(24, 28))] += 0.5 * raised[24:28]
    facts = {
        "ids": [f"S{i + 1:03d}" for i in range(150)],
        "columns": list(_DEMO_GENES),
        "classes": list(_DEMO_CLASSES),
        "sizes": list(_DEMO_SIZES),
    }
    return Simulated(np.round(values, 3), labels, 4, "demo", facts)


#: Every simulated set by the name a user types; each entry takes a seed.
SIMULATED: dict[str, Callable[[int], Simulated]] = {
    "gaussian3": gaussian3,
    "gaussian3-200": partial(gaussian3, markers=200),
    "gaussian5-2": partial(gaussian5, side=2.0),
    "gaussian5-3": partial(gaussian5, side=3.0),
    "simulated6": simulated6,
    "pbm-sized": pbm_sized,
    "demo": demo,
}
