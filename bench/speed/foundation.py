"""The figures of the foundation: fc and gap against their peers, in one run.

    pip install '.[bench]' && python bench/speed/foundation.py

R's clusGap is measured where Rscript and the package cluster are present. Every line
shows both absolute times; machines are noisy, so look at the ratios.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
from r_packages import has, run_r
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


def gap():
    X = blobs(698, 72, 5)
    stablek.choose_k(X[:100], "gap-ps", "hier-a", range(1, 5), null_sets=2)
    ours = seconds_of(lambda: stablek.choose_k(X, "gap-ps", "hier-a", range(1, 31)), 3)
    theirs = clusgap(X)
    goal = "goal: ratio at least 200"
    line("gap-ps hier-a 698 x 72, k = 1..30, B = 10", ours, theirs, "clusGap", goal)


def clusgap(X):
    if not has("cluster"):
        return None
    script = """
    library(cluster)
    x <- as.matrix(read.table("x.tsv"))
    f <- function(x, k) list(cluster = cutree(hclust(dist(x), "average"), k))
    set.seed(1)
    t <- system.time(g <- clusGap(x, f, K.max = 30, B = 10, d.power = 2,
                                  spaceH0 = "original", verbose = FALSE))
    cat(t[["elapsed"]], as.character(packageVersion("cluster")))
    """
    seconds, package = run_r(script, X)[-1]
    print(f"  (R package cluster {package})")
    return float(seconds)


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
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "x.csv"
        np.savetxt(
            table, blobs(100, 5, 3), delimiter=",", header="a,b,c,d,e", comments=""
        )
        first_time(
            "first-ever stablek run, kernels compiled", folder, "run", str(table),
            goal="goal: under 20 s",
        )  # fmt: skip
        first_time(
            "first-ever stablek demo (a verdict and its page)", folder, "demo", "-o",
            f"{folder}/demo",
        )  # fmt: skip


def first_time(what, folder, *arguments, goal=""):
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "stablek", *arguments, "-q"],
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
            capture_output=True,
            check=True,
        )
        line(what, time.perf_counter() - began, goal=goal)


def main():
    packages = ("numpy", "scipy", "numba", "joblib", "fastcluster")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"stablek {stablek.__version__}; {versions}; {cores()} cores")
    small_fc()
    large_fc()
    gap()
    start_up()


if __name__ == "__main__":
    main()
