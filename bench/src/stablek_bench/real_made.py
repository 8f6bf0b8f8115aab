"""Sets made from real ones: residuals without any group, and plasmodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import Streams
from stablek.datasets.mixtures import spaced

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

RESIDUAL_ROWS = 300
GAPS = (2.0, 2.5, 3.0)  # between centres, in sums of the two standard deviations


def centred(values: Floats, classes: Labels) -> Floats:
    """Return what is left of every row when the mean of its class is taken away."""
    left = values.copy()
    for c in np.unique(classes):
        left[classes == c] -= left[classes == c].mean(axis=0)
    return left


def residuals(values: Floats, classes: Labels, how: str, streams: Streams) -> Floats:
    """Return residuals of all classes without any group."""
    rng, left = streams("draw"), centred(values, classes)
    if len(left) > RESIDUAL_ROWS:
        left = left[np.sort(rng.permutation(len(left))[:RESIDUAL_ROWS])]
    n = len(left)
    if how == "flip":
        return np.asarray(left * rng.choice([-1.0, 1.0], (n, 1)))
    if how == "mix":
        drawn = (
            left[rng.integers(0, n, n)] * rng.choice([-1.0, 1.0], (n, 1))
            for _ in range(3)
        )
        return np.asarray(sum(drawn) / np.sqrt(3))
    u, s, v = np.linalg.svd(left - left.mean(axis=0), full_matrices=False)
    scores = u * s
    for j in range(scores.shape[1]):
        scores[:, j] = rng.permutation(scores[:, j])
    return np.asarray(scores @ v)


def plasmode(
    values: Floats, classes: Labels, streams: Streams
) -> tuple[Floats, Labels] | None:
    """Return residuals of real classes around centres at a stated distance.

    Large classes give several clusters. The nearest two centres are so far apart that
    their distance is 2, 2.5 or 3 times the sum of the two standard deviations along the
    line between them.
    """
    rng = streams("draw")
    left = centred(values, classes)
    pool = []
    for c in np.unique(classes):
        own = left[classes == c]
        shares = np.array_split(
            rng.permutation(len(own)), max(1, min(len(own) // 25, 4))
        )
        pool += [own[rows] for rows in shares if len(rows) >= 10]
    if len(pool) < 2:
        return None
    k = int(rng.integers(2, min(len(pool), 9) + 1))
    chosen = [pool[i][:200] for i in rng.permutation(len(pool))[:k]]
    chosen = [one - one.mean(axis=0) for one in chosen]
    noise = np.vstack(chosen)
    _, s, v = np.linalg.svd(noise, full_matrices=False)
    q = min(max(k - 1, 2), len(s))
    corners = spaced(np.ones(k), q, rng)
    if rng.random() < 0.5:  # along the widest directions of the noise
        basis = v[:q] * (s[:q, None] / np.sqrt(len(noise)))
    else:
        any_way = rng.standard_normal((q, values.shape[1])) * noise.std(axis=0)
        basis = np.linalg.qr(any_way.T)[0].T[:q]
    centres = corners[:, : len(basis)] @ basis
    closest = np.inf
    for a in range(k):
        for b in range(a):
            line = centres[a] - centres[b]
            apart = float(np.sqrt(line @ line))
            line = line / max(apart, 1e-12)
            wide = (chosen[a] @ line).std() + (chosen[b] @ line).std()
            closest = min(closest, apart / max(float(wide), 1e-12))
    centres *= GAPS[int(rng.integers(len(GAPS)))] / max(closest, 1e-12)
    sizes = [len(one) for one in chosen]
    placed = np.vstack([one + at for one, at in zip(chosen, centres, strict=True)])
    return placed, np.repeat(np.arange(k), sizes)
