"""Co-membership of all pairs against NumPy, on one core, at the size of PBM.

    pip install . && python bench/speed/comembership.py

For each pair of 2329 items: in how many of 250 repeats both were drawn, and in how many
both got one label. The peers do it for one k, as products of indicator matrices and by
comparing bytes; the last line is the whole sweep k = 2..30. Times are seconds of the
processor, the best of a few, so that other work on the machine does not count; every
ratio is of two such times from one run.
"""

from __future__ import annotations

import platform
from importlib.metadata import version

import numpy as np
from threadpoolctl import threadpool_limits
from timing import timed

from stablek.kernels.comembership import consensus_matrix
from stablek.kernels.histogram import cells_of, pair_histogram

ITEMS, REPEATS, SHARE = 2329, 250, 0.8


def draw(k, seed=0):
    """True clusters with a fifth of the labels drawn anew, and a fifth not drawn."""
    rng = np.random.default_rng([seed, k])
    labels = np.tile(rng.integers(0, k, ITEMS), (REPEATS, 1))
    noisy = rng.random(labels.shape) < 0.2
    labels[noisy] = rng.integers(0, k, noisy.sum())
    labels[rng.random(labels.shape) > SHARE] = 255
    return labels.astype(np.uint8)


def by_product(labels, k):
    """Together and drawn as matrix products of indicators, in float32."""
    n = labels.shape[1]
    together = np.zeros((n, n), np.float32)
    for start in range(0, REPEATS, 25):
        part = labels[start : start + 25]
        hot = (part[:, None, :] == np.arange(k)[None, :, None]).reshape(-1, n)
        hot = hot.astype(np.float32)
        together += hot.T @ hot
    there = (labels != 255).astype(np.float32)
    return together, there.T @ there


def by_bytes(labels):
    """Together and drawn by comparing one item's labels with all others'."""
    n = labels.shape[1]
    together, drawn = np.empty((n, n), np.int16), np.empty((n, n), np.int16)
    there = labels != 255
    for i in range(n):
        both = there & there[:, i : i + 1]
        drawn[i] = both.sum(axis=0)
        together[i] = (both & (labels == labels[:, i : i + 1])).sum(axis=0)
    return together, drawn


def line(what, ours, theirs, peer):
    print(
        f"{what:34s} {ours:7.3f} s   {peer:28s} {theirs:7.3f} s   "
        f"ratio {theirs / ours:6.1f}",
        flush=True,
    )


def main():
    print(
        f"{ITEMS} items, {REPEATS} repeats, one thread; Python "
        f"{platform.python_version()}, numpy {version('numpy')}, "
        f"numba {version('numba')}"
    )
    k = 15
    labels = draw(k)
    pair_histogram(labels[:, :50])
    consensus_matrix(labels[:, :50])
    histogram, counts = timed(lambda: pair_histogram(labels), 5)
    matrix, _ = timed(lambda: consensus_matrix(labels), 5)
    product, (together, drawn) = timed(lambda: by_product(labels, k), 3)
    compared, (together_too, drawn_too) = timed(lambda: by_bytes(labels), 1)
    upper = np.triu_indices(ITEMS, 1)
    for t, d in ((together, drawn), (together_too, drawn_too)):
        expected = np.zeros_like(counts)
        np.add.at(expected, (d[upper].astype(int), t[upper].astype(int)), 1)
        if (expected != counts).any():
            msg = "the peers count otherwise; the times say nothing"
            raise SystemExit(msg)
    line("histogram of M, k = 15", histogram, product, "matrix products (float32)")
    line("histogram of M, k = 15", histogram, compared, "comparing bytes in NumPy")
    line("consensus matrix, k = 15", matrix, product, "matrix products (float32)")
    sweep = [draw(k) for k in range(2, 31)]
    seconds, cells = timed(lambda: [cells_of(pair_histogram(one)) for one in sweep], 3)
    size = sum(one.nbytes for one in cells) / 1e6
    print(
        f"histograms for k = 2..30 {seconds:17.3f} s   goal: under 0.6 s; "
        f"{size:.1f} MB kept"
    )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
