"""Time of a verdict, beside what others take on the same data, for k = 2..15.

    python bench/speed/verdict.py [--million]

The others are scikit-learn's silhouette, and two R packages where they are installed:
ConsensusClusterPlus (its resampling only, without heat maps; one core) and M3C (method
1 with its defaults, on all cores). R_LIBS can name the folder of the packages. M3C
takes minutes at 200 x 50, so it is left out beyond.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator

import numpy as np
from consensus_peer import peer
from r_packages import has, run_r
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

import stablek
from stablek.machine.memory import peak_memory

CONSENSUS = {200: [10, 1000], 2000: [10]}
"""Resamplings for each number of items: the default, and what the vignette advises."""
M3C = """
suppressPackageStartupMessages(library(M3C))
d <- t(as.matrix(read.table("x.tsv")))
colnames(d) <- paste0("item", seq_len(ncol(d)))
t <- system.time(found <- M3C(
  d, cores = {cores}, maxK = {top}, removeplots = TRUE, silent = TRUE))
cat("\\n", t[["elapsed"]], which.max(found$scores$RCSI) + 1,
    as.character(packageVersion("M3C")), "\\n")
"""


def blobs(n: int, m: int, k: int = 5) -> np.ndarray:
    """Return k clusters of one size."""
    rng = np.random.default_rng(n + m)
    centres = rng.normal(0, 3, (k, m))
    return np.repeat(centres, n // k, axis=0) + rng.normal(size=(n // k * k, m))


def timed(values: np.ndarray) -> tuple[float, stablek.Verdict]:
    """Return the seconds of a verdict, and the verdict."""
    began = time.perf_counter()
    found = stablek.verdict(values)
    return time.perf_counter() - began, found


def others(values: np.ndarray, top: int) -> Iterator[tuple[str, float]]:
    """Yield what others do with the values for k = 2..top, and their seconds."""
    began = time.perf_counter()
    for k in range(2, top + 1):
        labels = KMeans(k, n_init=10, random_state=0).fit_predict(values)
        silhouette_score(values, labels)
    yield "scikit-learn's K-means and silhouette", time.perf_counter() - began
    if has("ConsensusClusterPlus"):
        taken, version = peer(values, CONSENSUS[len(values)], top)
        for count, (seconds, _) in taken.items():
            settings = f"hc, average linkage, pItem = 0.8, reps = {count}"
            yield f"ConsensusClusterPlus {version} ({settings})", seconds
    if len(values) <= 200 and has("M3C"):
        cores = os.cpu_count()
        seconds, k, version = run_r(M3C.format(cores=cores, top=top), values)[-1]
        settings = "method 1, pam, entropy, 25 null sets, 100 resamplings of each"
        yield f"M3C {version} ({settings}, {cores} cores; k = {k})", float(seconds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", action="store_true")
    given = parser.parse_args()
    timed(blobs(300, 5))  # compile
    timed(blobs(2000, 50))
    for n, m in ((200, 50), (2000, 50), (100_000, 50)):
        values = blobs(n, m)
        seconds, found = timed(values)
        print(f"verdict {n} x {m}: {seconds:.2f} s, k = {found.k} of 5", flush=True)
        if n > 2000:
            continue
        for name, other in others(values, max(found.ks)):
            times = f"{other / seconds:.2f} times the verdict"
            print(f"  {name}: {other:.2f} s, {times}", flush=True)
    if given.million:
        values = blobs(1_000_000, 20).astype(np.float32)
        before = peak_memory()
        seconds, found = timed(values)
        more = (peak_memory() - before) / 2**20
        print(
            f"verdict 1000000 x 20: {seconds:.1f} s, k = {found.k}, {more:.0f} MB more"
        )


if __name__ == "__main__":
    main()
