"""``python -m stablek.kernels.rehearsal``: call what a verdict will call, on nothing.

The kernels are compiled by that, and kept where the verdict finds them.
"""

import numpy as np

from stablek.kernels import tier
from stablek.kernels.common_shape import refine_sweep
from stablek.kernels.cuts import cut_all
from stablek.kernels.distances import pairwise
from stablek.kernels.few import FEW
from stablek.kernels.linkage import linkage
from stablek.kernels.lloyd import lloyd_sweep
from stablek.kernels.ranks import column_ranks
from stablek.kernels.reachability import merge_gaps, reachability_tree
from stablek.kernels.separations import separations

VALUES = np.arange(2.0 * FEW + 2).reshape(-1, 2) ** 2


def rehearse() -> None:
    """Call the kernels of ``stablek.kernels.helper.KERNELS``, in that order."""
    labels = np.arange(len(VALUES)) % 2
    lloyd_sweep(VALUES, labels[None], [2])
    refine_sweep(VALUES, labels[None], [2], 1.0, rounds=1, max_iter=1)


def rehearse_here() -> None:
    """Call what a verdict needs besides, while it waits for the helper."""
    separations(VALUES, np.arange(len(VALUES)) % 2)
    merge_gaps(*reachability_tree(pairwise(VALUES, "euclidean")), 10, 0.5)


def rehearse_rest() -> None:
    """Call the kernels that a small verdict can do without, for the next one."""
    tier.ENOUGH = -1  # here all of them pay
    square = pairwise(VALUES, "euclidean")
    reachability_tree(square)
    cut_all(linkage(square, "ward"), [2])
    column_ranks(VALUES)


if __name__ == "__main__":
    rehearse()
    rehearse_rest()
