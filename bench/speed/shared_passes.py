"""Twelve measures at once, beside the most expensive of them alone.

python bench/speed/shared_passes.py

``compare`` clusters once for all measures that ask for the same clusterings.
"""

from __future__ import annotations

import numpy as np
from timing import seconds_of

import stablek

#: One clustering of all items, or the same subsamples.
MEASURES = (
    "fc", "brunet", "prediction", "wcss", "kl", "g-gap", "silhouette", "separation",
    "valley", "modularity", "bic", "connected",
)  # fmt: skip


def times_of(algorithm: str) -> None:
    """Print the times with one algorithm, and their ratio."""
    rng = np.random.default_rng(0)
    values = np.repeat(rng.normal(0, 3, (5, 50)), 400, axis=0)
    values += rng.normal(size=values.shape)
    ks = range(2, 16)

    def seconds(names: tuple[str, ...]) -> float:
        return seconds_of(lambda: stablek.compare(values, names, [algorithm], ks), 1)

    stablek.compare(values[::20], MEASURES, [algorithm], ks)  # compile
    alone = {name: seconds((name,)) for name in MEASURES}
    every = seconds(MEASURES)
    most = max(alone, key=lambda name: alone[name])
    print(
        f"{algorithm}, 2,000 x 50, k = 2..15: {len(MEASURES)} measures {every:.2f} s, "
        f"one by one {sum(alone.values()):.2f} s; {most} alone {alone[most]:.2f} s"
        f" ({every / alone[most]:.2f} x, goal: at most 1.5 x)"
    )


if __name__ == "__main__":
    for one in ("hier-a", "kmeans-w"):
        times_of(one)
