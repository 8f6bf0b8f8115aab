"""``python -m stablek.kernels.rehearsal``: call what a verdict will call, on nothing.

The kernels are compiled by that, and kept where the verdict finds them.
"""

from __future__ import annotations

import numpy as np

from stablek.kernels.lloyd import lloyd_sweep
from stablek.kernels.ranks import column_ranks
from stablek.kernels.separations import separations


def rehearse() -> None:
    """Call the kernels of ``stablek.kernels.helper.KERNELS``, in that order."""
    values = np.arange(12.0).reshape(6, 2) ** 2
    labels = np.array([0, 0, 0, 1, 1, 1])
    lloyd_sweep(values, labels[None], [2])
    separations(values, labels)
    column_ranks(values)


if __name__ == "__main__":
    rehearse()
