"""Hot code, compiled by numba; nothing else in stablek is compiled.

Every kernel takes plain arrays, releases the GIL, is cached on disk, is compiled
without fastmath (the same bits everywhere), and has a readable NumPy oracle in
``tests/kernels``. Arguments are marked ``# IN`` and ``# OUT``.
"""

import atexit
import os
import shutil
import tempfile

import numba


def find_cache() -> None:
    """Give the compiled code a place where numba finds none it may write to.

    That is so in a container without a home, run by a user who does not own the
    package. The folder is private and goes when the process does.
    """
    try:
        numba.njit(cache=True)(find_cache)
    except RuntimeError:
        folder = tempfile.mkdtemp(prefix="stablek-kernels-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        # For the workers, and for this process, where numba has read it already.
        os.environ["NUMBA_CACHE_DIR"] = folder
        vars(numba.config)["CACHE_DIR"] = folder


find_cache()
