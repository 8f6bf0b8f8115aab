"""On a first start a second process compiles some of the kernels."""

import os
import subprocess
import sys

import numba
import pytest

from stablek.kernels import helper
from stablek.kernels.helper import Helper

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="nothing is compiled: NUMBA_DISABLE_JIT is set"
)

FIRST_START = """
import numpy as np
from stablek.kernels.helper import HELPER
from stablek.kernels.lloyd import _sweep, lloyd_sweep
HELPER.start()
print(HELPER.process is not None)
labels = lloyd_sweep(np.arange(8.0)[:, None], np.arange(8)[None] // 4, [2])[0]
print(labels.tolist(), dict(_sweep.stats.cache_misses), len(_sweep.stats.cache_hits))
"""


def test_a_kernel_of_the_helper_is_waited_for_and_read(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FIRST_START],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    started, answer = done.stdout.splitlines()
    assert started == "True"
    assert answer == "[[0, 0, 0, 0, 1, 1, 1, 1]] {} 1"


SIGNATURES = """
import stablek
from stablek.datasets.simulated import demo
from stablek.kernels import chains, common_shape, cuts, distances, linkage, lloyd
from stablek.kernels import neighbours, ranks, reachability, rehearsal, separations
rehearsal.rehearse()
rehearsal.rehearse_here()
rehearsal.rehearse_rest()
stablek.verdict(demo().values, null_sets=1, repeats=10)
kernels = (
    lloyd._sweep, common_shape._refine, separations._separations, separations._valley,
    chains._agglomerate, distances._sum_pairs, distances._finish, neighbours._nearest,
    reachability._spanning, reachability._gaps, linkage.in_scipys_form, cuts.cut_down,
    ranks._ranks,
)
print([len(one.signatures) for one in kernels])
"""


def test_what_is_rehearsed_is_what_a_verdict_calls():
    command = [sys.executable, "-c", SIGNATURES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([1] * 13)


@pytest.fixture
def first_start(monkeypatch):
    monkeypatch.setattr(helper, "are_compiled", lambda: False)


def test_a_helper_that_dies_is_not_waited_for(first_start, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    one = Helper()
    one.start()
    asked = []
    assert one.wait("_sweep", lambda: asked.append(1)) is None
    assert asked
    one.end()


def test_a_helper_that_cannot_start_is_done_without(first_start, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    one = Helper()
    one.start()
    assert one.process is None
    assert one.wait("_sweep", lambda: None) is None


def test_there_is_no_helper_where_the_kernels_are_there(monkeypatch):
    monkeypatch.setattr(helper, "are_compiled", lambda: True)
    one = Helper()
    one.start()
    assert one.process is None
