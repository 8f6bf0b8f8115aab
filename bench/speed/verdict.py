"""Time of a verdict, beside scikit-learn's silhouette over the same ks.

python bench/speed/verdict.py [--million]

ConsensusClusterPlus (R) is the peer of fc, a single measure: see consensus_peer.py.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

import stablek
from stablek.machine.memory import peak_memory


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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", action="store_true")
    given = parser.parse_args()
    timed(blobs(300, 5))  # compile
    timed(blobs(2000, 50))
    for n, m in ((200, 50), (2000, 50), (100_000, 50)):
        seconds, found = timed(blobs(n, m))
        print(f"verdict {n} x {m}: {seconds:.2f} s, k = {found.k} of 5")
        if n == 2000:
            values, began = blobs(n, m), time.perf_counter()
            for k in found.ks:
                labels = KMeans(k, n_init=10, random_state=0).fit_predict(values)
                silhouette_score(values, labels)
            other = time.perf_counter() - began
            print(
                f"  silhouette over the same ks: {other:.2f} s, {seconds / other:.1f} x"
            )
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
