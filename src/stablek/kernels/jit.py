"""How kernels are compiled: one decorator for all of them.

Without the wrapper for C, which nothing calls; and for a kernel that only other
kernels call, without the one for Python. Together that is a fifth of the time it takes
to compile them. Collecting garbage meanwhile would be another tenth.
"""

import gc
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import event

from stablek.kernels.cache import CheckedCache


class Uncollected(event.Listener):
    """Let Python collect no garbage while numba compiles, which makes little of it."""

    def __init__(self) -> None:
        self.collected: list[bool] = []  # before each compilation under way

    def on_start(self, event: Any) -> None:
        """Stop collecting; numba compiles in one thread at a time."""
        self.collected.append(gc.isenabled())
        gc.disable()

    def on_end(self, event: Any) -> None:
        """Collect as before."""
        if self.collected.pop():
            gc.enable()


event.register("numba:compile", Uncollected())


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function when it is first called; keep the code on disk.

    ``options`` are those of ``numba.njit``.
    """
    if function is None:
        return lambda given: kernel(given, **options)
    njit: Any = numba.njit  # which has more options than it declares
    made = njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if made is function:  # NUMBA_DISABLE_JIT is set; compiled code does not warn either
        return np.errstate(all="ignore")(function)
    made._cache = CheckedCache(function)
    return made


def is_compiled(made: Any) -> bool:
    """Tell whether a kernel was compiled before, by this process or another one."""
    if not hasattr(made, "overloads"):  # interpreted
        return False
    return bool(made.overloads) or bool(made._cache.there())


def inner(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function that only kernels call. Python must not: it would crash."""
    return kernel(function, no_cpython_wrapper=True, **options)
