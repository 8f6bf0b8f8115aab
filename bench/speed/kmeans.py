"""Sweeps of K-means over k = 2..30 against scikit-learn, on one core.

    pip install '.[bench]' && python bench/speed/kmeans.py

Both start from the same rows and iterate until no label changes, so both find the same
partitions; the largest relative difference of the inertia is printed beside the times.
Times are of the processor, the best of a few, so that other work on the machine does
not count.
"""

from __future__ import annotations

import platform
from importlib.metadata import version

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits
from timing import timed

from stablek.kernels.lloyd import lloyd_from_rows

KS = np.arange(2, 31)
SIZES = ((46, 200), (112, 17), (562, 72), (1863, 139))


def blobs(n, m, spread):
    rng = np.random.default_rng([n, m])
    return rng.normal(size=(n, m)) + (
        spread * rng.normal(size=(15, m))[rng.integers(15, size=n)]
    )


def peer(values, starts, algorithm):
    return [
        KMeans(
            len(rows),
            init=values[rows],
            n_init=1,
            tol=0,
            max_iter=100,
            algorithm=algorithm,
        )
        .fit(values)
        .inertia_
        for rows in starts
    ]


def main():
    print(
        f"k = 2..30, one start each, one thread; Python {platform.python_version()}, "
        f"numpy {version('numpy')}, numba {version('numba')}, "
        f"scikit-learn {version('scikit-learn')}"
    )
    for spread, kind in ((1.0, "15 clusters"), (0.0, "no clusters")):
        for n, m in SIZES:
            values = blobs(n, m, spread)
            rng = np.random.default_rng(0)
            starts = [rng.choice(n, k, replace=False) for k in KS]
            rows = np.concatenate(starts)
            lloyd_from_rows(values[:9], [0, 1], [2])
            ours, (_, inertia, iterations) = timed(
                lambda v=values, r=rows: lloyd_from_rows(v, r, KS), 5
            )
            for algorithm in ("lloyd", "elkan"):
                theirs, found = timed(
                    lambda v=values, s=starts, a=algorithm: peer(v, s, a), 3
                )
                apart = np.max(np.abs(inertia / found - 1))
                print(
                    f"{n:5d} x {m:3d}, {kind}, {iterations.sum():4d} iterations: "
                    f"{ours * 1e3:7.1f} ms   sklearn {algorithm} "
                    f"{theirs * 1e3:7.1f} ms   ratio {theirs / ours:6.1f}   "
                    f"inertia apart by {apart:.0e}",
                    flush=True,
                )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
