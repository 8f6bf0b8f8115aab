"""Hot code, compiled by numba; nothing else in stablek is compiled.

Every kernel takes plain arrays, releases the GIL, is cached on disk, is compiled
without fastmath (the same bits everywhere), and has a readable NumPy oracle in
``tests/kernels``. Arguments are marked ``# IN`` and ``# OUT``.
"""
