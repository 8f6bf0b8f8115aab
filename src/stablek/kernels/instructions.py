"""Instructions of the machine that Python has no word for.

Where kernels are interpreted (``NUMBA_DISABLE_JIT``), plain arithmetic takes their
place: it is slow, and gives the same numbers.
"""

from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic


def _ones(typing_context: Any, word: Any) -> Any:
    """Count the ones of a word."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), codegen


def _fused(typing_context: Any, a: Any, b: Any, c: Any) -> Any:
    """Compute a * b + c with one rounding."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return a(a, a, a), codegen


def _plain_ones(word: Any) -> Any:
    return type(word)(int(word).bit_count())


def _plain_fused(a: Any, b: Any, c: Any) -> Any:
    wide = np.longdouble
    return type(c)(wide(a) * wide(b) + wide(c))


#: Whether NUMBA_DISABLE_JIT is set.
INTERPRETED = bool(vars(numba.config)["DISABLE_JIT"])

popcount: Any = _plain_ones if INTERPRETED else intrinsic(_ones)
fma: Any = _plain_fused if INTERPRETED else intrinsic(_fused)
