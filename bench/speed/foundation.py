"""The figures of the foundation: fc against fastcluster, and the start of the program.

    pip install '.[bench]' && python bench/speed/foundation.py

Every line shows both absolute times; machines are noisy, so look at the ratios. Gap is
in internal.py, the first start of all in first_start.py.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import subprocess
import sys
from importlib.metadata import version

import numpy as np
from timing import seconds_of

import stablek
from stablek.datasets.simulated import pbm_sized
from stablek.engine.execution.execute import cores
from stablek.machine.memory import peak_memory


def line(what, ours, theirs=None, peer="", goal=""):
    ratio = (
        "" if theirs is None else f"{peer} {theirs:8.3f} s   ratio {theirs / ours:8.2f}"
    )
    print(f"{what:52s} {ours:8.3f} s   {ratio}   {goal}", flush=True)


def blobs(n, m, k, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, m))[np.arange(n) % k] * 3 + rng.normal(size=(n, m))


def small_fc():
    X = blobs(57, 200, 8)
    stablek.choose_k(X, "fc", "hier-a", range(2, 31), repeats=250)
    seconds = seconds_of(
        lambda: stablek.choose_k(X, "fc", "hier-a", range(2, 31), repeats=250), 7
    )
    line("fc hier-a 57 x 200, H = 250, k = 2..30", seconds, goal="goal: under 0.15 s")


def large_fc():
    import fastcluster
    from scipy.spatial.distance import pdist

    X = np.array(pbm_sized().values)
    rng = np.random.default_rng(0)
    rows = rng.permutation(len(X))[:1863]
    condensed = pdist(X[rows])
    one = seconds_of(lambda: fastcluster.linkage(condensed, "average"), 9)
    stablek.choose_k(X[:200], "fc", "hier-a", range(2, 6), repeats=3)
    ours = seconds_of(
        lambda: stablek.choose_k(X, "fc", "hier-a", range(2, 31), repeats=250), 2
    )
    line(
        "fc hier-a 2329 x 139, H = 250, k = 2..30, all cores",
        ours,
        250 * one,
        "250 x fastcluster",
        "goal: ratio at least 1.0",
    )
    peak = peak_memory() / 2**20
    print(f"{'  peak memory of this process':52s} {peak:8.0f} MB   goal: under 600 MB")


def start_up():
    def run(*arguments):
        return lambda: subprocess.run(
            [sys.executable, "-m", "stablek", *arguments],
            capture_output=True,
            check=True,
        )

    line("stablek --help", seconds_of(run("--help"), 5), goal="goal: under 0.3 s")
    took = seconds_of(
        lambda: subprocess.run([sys.executable, "-c", "import stablek"], check=True), 5
    )
    line("import stablek (interpreter included)", took, goal="goal: under 0.2 s")


def main():
    packages = ("numpy", "scipy", "numba", "joblib", "fastcluster")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"stablek {stablek.__version__}; {versions}; {cores()} cores")
    small_fc()
    large_fc()
    start_up()


if __name__ == "__main__":
    main()
