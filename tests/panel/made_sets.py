"""Small data sets for the tests of the verdict."""

import numpy as np
from blobs import blobs

#: Few null sets, at a level that they can show.
QUICK = {"ks": range(2, 7), "null_sets": 19, "level": 0.05, "repeats": 10, "jobs": 1}


def grouped(groups=4, size=25, columns=3, apart=8.0, seed=0):
    """Return blobs, group after group, and the group of every item."""
    values = blobs(groups * size, columns, groups, seed, apart)
    truth = np.arange(groups * size) % groups
    order = np.argsort(truth, kind="stable")
    return values[order], truth[order]


def noise(kind, n=100, seed=0):
    rng = np.random.default_rng(seed)
    if kind == "normal":
        return rng.normal(size=(n, 4))
    if kind == "uniform":
        return rng.random((n, 2))
    if kind == "skewed":
        return rng.lognormal(0, 0.7, size=(n, 3))
    if kind == "heavy tails":
        return rng.standard_t(3, size=(n, 3))
    if kind == "long":
        return rng.normal(size=(n, 3)) * [9, 1, 1]
    if kind == "sphere":
        rows = rng.normal(size=(n, 6))
        rows -= rows.mean(axis=1, keepdims=True)
        return rows / rows.std(axis=1, keepdims=True)
    raise KeyError(kind)


def rings(n=240, noise=0.06, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    truth = np.repeat([0, 1], n // 2)
    radius = np.array([1.0, 3.0])[truth]
    points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    return points + rng.normal(0, noise, (n, 2)), truth


def moons(n=240, noise=0.05, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    truth = np.repeat([0, 1], n // 2)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
    points = np.where(truth[:, None] == 0, upper, lower)
    return points + rng.normal(0, noise, (n, 2)), truth
