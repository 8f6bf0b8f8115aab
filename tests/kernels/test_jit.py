"""How kernels are compiled."""

import gc

import numba
import pytest

from stablek.kernels.jit import kernel


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_collected_again_once_a_kernel_is_compiled(monkeypatch, collects):
    seen = []
    compile_it = numba.core.compiler.compile_extra

    def watched(*args, **options):
        seen.append(gc.isenabled())
        return compile_it(*args, **options)

    monkeypatch.setattr("numba.core.compiler.compile_extra", watched)

    @kernel
    def fresh(x):
        return x + 1

    made = fresh
    made._cache = numba.core.caching.NullCache()
    (gc.enable if collects else gc.disable)()
    try:
        assert made(1) == 2
        with pytest.raises(numba.errors.TypingError):
            made("no number")
        assert gc.isenabled() == collects
    finally:
        gc.enable()
    assert seen == [False, False]
