"""The frame in which distances are screened: around zero, single precision, aligned."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from stablek.kernels.jit import inner

LINE = 64  # bytes of a cache line
LANES = LINE // 4  # single precision numbers in it


def aligned(rows: int, width: int) -> npt.NDArray[np.float32]:
    """Return zeros of shape (rows, >= width) whose rows start at cache lines."""
    width = -(-width // LANES) * LANES
    room = np.zeros(rows * width + LANES, np.float32)
    skip = (-room.ctypes.data % LINE) // room.itemsize
    return room[skip : skip + rows * width].reshape(rows, width)


def frame(
    values: npt.NDArray[np.floating[Any]],
) -> tuple[npt.NDArray[np.float64], float]:
    """Return the mean of each column, and a scale that makes magnitudes 1 at most.

    Single precision is kept for what tells the items apart: no common offset is left,
    and no square overflows. The scale is a power of two.
    """
    shift = values.mean(axis=0, dtype=np.float64)
    reach = float(
        np.maximum(values.max(axis=0) - shift, shift - values.min(axis=0)).max()
    )
    if reach == 0:  # all items are equal
        return shift, 1.0
    power = float(np.ceil(np.log2(reach)))
    # np.clip would take as long as all the rest for a small table.
    return shift, 2.0 ** -min(max(power, -1000.0), 1000.0)


@inner
def in_frame(
    point,  # IN (m,), double precision
    shift,  # IN (m,)
    scale,
    single,  # OUT (>= m,), single precision
):
    """Write a centre in the frame of the items."""
    for q in range(point.size):
        single[q] = (point[q] - shift[q]) * scale


@inner
def items_in_frame(
    values,  # IN (n, m)
    shift,  # IN (m,), the mean of each column
    columns,  # OUT (>= m, >= n), single precision; the rest stays as it is
    norm,  # OUT (>= n,), squared norms of the items in the frame
):
    """Write all items in their frame, transposed; return its scale.

    The scale is that of :func:`frame`. A cache line of items at a time: first row by
    row, then column by column, so that the processor works on whole vectors.
    """
    n, m = values.shape
    farthest = np.zeros(m, np.float64)
    for i in range(n):
        item = values[i]
        for q in range(m):
            away = abs(item[q] - shift[q])
            farthest[q] = away if away > farthest[q] else farthest[q]
    reach = farthest.max()
    scale = 1.0
    if reach > 0:
        power = 1000.0 if reach == np.inf else math.ceil(math.log2(reach))
        scale = 2.0 ** -min(max(power, -1000.0), 1000.0)
    for i in range(norm.size):
        norm[i] = 0
    some = np.zeros((LANES, m), np.float32)
    for left in range(0, n, LANES):
        count = min(LANES, n - left)
        for p in range(count):
            item = values[left + p]
            single = some[p]
            for q in range(m):
                single[q] = (item[q] - shift[q]) * scale
        total = norm[left : left + count]
        for q in range(m):
            column = columns[q, left : left + count]
            for p in range(count):
                column[p] = some[p, q]
                total[p] += column[p] * column[p]
    return scale
