"""``python -m stablek.kernels.rehearsal``: call what a verdict will call, on nothing.

The kernels are compiled by that, and kept where the verdict finds them.
"""

from __future__ import annotations

import numpy as np

from stablek.kernels.cuts import cut_all
from stablek.kernels.linkage import METHODS, in_scipys_form
from stablek.kernels.lloyd import lloyd_sweep
from stablek.kernels.ranks import column_ranks
from stablek.kernels.reachability import merge_gaps, reachability_tree
from stablek.kernels.separations import separations


def rehearse() -> None:
    """Call the kernels of ``stablek.kernels.helper.KERNELS``, in that order."""
    pairs = np.array([[0, 0], [1, 2]])
    merges, _ = in_scipys_form(pairs, np.array([1.0, 2.0]), 2, METHODS["ward"])
    cut_all(merges, [2])
    values = np.arange(12.0).reshape(6, 2) ** 2
    labels = np.array([0, 0, 0, 1, 1, 1])
    lloyd_sweep(values, labels[None], [2])
    separations(values, labels)
    column_ranks(values)


def rehearse_here() -> None:
    """Call what a verdict needs besides, while it waits for the helper."""
    square = np.abs(np.subtract.outer(np.arange(6.0) ** 2, np.arange(6.0) ** 2))
    merge_gaps(*reachability_tree(square, 2), 2, 0.5)


if __name__ == "__main__":
    rehearse()
