"""Hand arrays to kernels in one form, so that each kernel is compiled once.

numba compiles again for every combination of element type, memory order and
writability. Data sets are frozen, samples of them are not; without this step the same
kernel would be compiled for both.
"""

from typing import Any

import numpy as np
import numpy.typing as npt


def kernel_input(
    array: npt.ArrayLike, dtype: npt.DTypeLike | None = None
) -> npt.NDArray[Any]:
    """Return the array, C-contiguous and read-only, of the given element type.

    Nothing is copied if the array has that type and order already; the caller's array
    keeps its own flags.

    Examples
    --------
    >>> import numpy as np
    >>> kernel_input(np.arange(3)).flags.writeable
    False
    """
    view = np.ascontiguousarray(array, dtype=dtype).view()
    view.flags.writeable = False
    return view


def floating(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return values for a kernel: float32 stays float32, all else becomes float64."""
    array = np.asarray(values)
    return kernel_input(array, np.float32 if array.dtype == np.float32 else np.float64)


def signed_labels(labels: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Return labels as int32, with -1 for "not drawn" (the largest unsigned value).

    One type for uint8, uint16 and any signed labels; of these the negative ones count
    as not drawn and become -1, too.

    Examples
    --------
    >>> import numpy as np
    >>> signed_labels(np.array([0, 254, 255], np.uint8))
    array([  0, 254,  -1], dtype=int32)
    """
    array = np.asarray(labels)
    signed = array.astype(np.int32)
    if array.dtype.kind == "u":
        signed[array == np.iinfo(array.dtype).max] = -1
    return kernel_input(np.maximum(signed, -1))
