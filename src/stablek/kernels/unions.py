"""How far the union of two clusters is from the others: one formula per linkage.

References
----------
Lance and Williams (1967), The Computer Journal 9, 373-380,
doi:10.1093/comjnl/9.4.373.
"""

from stablek.kernels.jit import inner

AVERAGE, COMPLETE, SINGLE, WARD = 0, 1, 2, 3


@inner(error_model="numpy")
def join(x, y, method, size, nx, ny, height, width):
    """Turn row `x` (OUT) of nx items into the row of its union with `y` (IN) of ny.

    Ward's distances are squares. No result is below the lesser of the two distances,
    and equal distances stay equal: a mean is written x + w (y - x) with w <= 1/2, and
    Ward's formula as the lesser distance plus two terms that are not negative.
    """
    if method == AVERAGE:
        if ny <= nx:
            w = ny / (nx + ny)
            for c in range(width):
                x[c] = x[c] + w * (y[c] - x[c])
        else:
            w = nx / (nx + ny)
            for c in range(width):
                x[c] = y[c] + w * (x[c] - y[c])
    elif method == COMPLETE:
        for c in range(width):
            x[c] = x[c] if x[c] > y[c] else y[c]
    elif method == SINGLE:
        for c in range(width):
            x[c] = x[c] if x[c] < y[c] else y[c]
    else:
        for c in range(width):
            less = x[c] if x[c] < y[c] else y[c]
            more = y[c] if x[c] < y[c] else x[c]
            n_more = ny if x[c] < y[c] else nx
            rise = n_more * (more - less) + size[c] * (more - height)
            x[c] = less + rise / (nx + ny + size[c])
