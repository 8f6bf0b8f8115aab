"""Whether there is a valley between clusters, on items that were not used to look."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import stream
from stablek.kernels.separations import valley_between
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.dispersion import refuse_distances

Floats = NDArray[np.float64]
Columns = dict[str, Floats]


@dataclass(frozen=True)
class HeldOutValley:
    r"""The density between neighbouring clusters, on held-out items, at every k.

    Half of the items of two clusters give the axis that tells the two apart (Fisher's
    discriminant); the other half are placed on it, and then the halves change roles. A
    split through a cloud has a gap on the items that made it and none on the others.
    With f the density of the held-out items along that axis, the valley is

    .. math::
        V = \min_t \frac{f(t)}{\min(\max_{s \le t} f(s),\ \max_{s \ge t} f(s))}

    the lowest density over the lower of the peaks beside it: 0 where nothing lies
    between, 1 where there is no valley. Every cluster is compared with its ``nearest``
    neighbours; ``valley`` is the mean over ``folds`` random halves, of the worst pair.
    ``valley_a`` and ``valley_b`` are the same of every other fold. Which halves are
    drawn depends on the sizes alone, not on a seed.

    References
    ----------
    Fisher (1936), Annals of Eugenics 7, 179-188. Hennig (2010), Advances in Data
    Analysis and Classification 4, 3-34 (clusters and the gaps between them).
    """

    folds: int = 6
    nearest: int = 3
    gives = "columns"
    roles = 1
    original = False
    needs_values = True

    def collect(self, cube: PartitionCube, data: Dataset) -> Columns:
        """Return the columns ``valley``, ``valley_a`` and ``valley_b``."""
        refuse_distances(data)
        values = np.asarray(data.values, dtype=np.float64)
        columns = {
            name: np.full(len(cube.ks), np.nan)
            for name in ("valley", "valley_a", "valley_b")
        }
        for place, k in enumerate(cube.ks):
            worst = np.array(
                [self._worst(values, labels) for labels in cube.of_k(k)]
            ).mean(axis=0)
            for name, value in zip(columns, worst, strict=True):
                columns[name][place] = value
        return columns

    def _worst(self, values: Floats, labels: NDArray[Any]) -> tuple[float, ...]:
        groups = [values[labels == c] for c in np.unique(labels)]
        depths = np.array(
            [
                [
                    held_out_valley(
                        groups[a], groups[b], stream(0, "valley", len(groups), a, b, h)
                    )
                    for h in range(self.folds)
                ]
                for a, b in neighbours(groups, self.nearest)
            ]
        )
        if not len(depths):
            return 1.0, 1.0, 1.0
        halves = (depths, depths[:, ::2], depths[:, 1::2])
        return tuple(float(some.mean(axis=1).max()) for some in halves)


def neighbours(groups: list[Floats], nearest: int) -> Iterator[tuple[int, int]]:
    """Return the pairs of clusters of which one is among the nearest of the other."""
    centres = np.array([group.mean(axis=0) for group in groups])
    away = ((centres[:, None] - centres[None]) ** 2).sum(axis=2)
    np.fill_diagonal(away, np.inf)
    close = np.argsort(away, axis=1, kind="stable")[:, : min(nearest, len(groups) - 1)]
    pairs = {
        (min(c, o), max(c, o)) for c, row in enumerate(close.tolist()) for o in row
    }
    return iter(sorted(pairs))


def held_out_valley(first: Floats, second: Floats, rng: np.random.Generator) -> float:
    """Return how deep the valley between two clusters is, on held-out items."""
    order = rng.permutation(len(first)), rng.permutation(len(second))
    if min(len(first), len(second)) < 2:
        return 1.0
    halves = [(first[order[0][h::2]], second[order[1][h::2]]) for h in (0, 1)]
    places: tuple[list[Floats], list[Floats]] = ([], [])
    for (a, b), rest in (halves, halves[::-1]):
        mean = _mean(a), _mean(b)
        centred = np.concatenate([a - mean[0], b - mean[1]])
        pooled = centred.T @ centred / len(centred)
        way, middle = mean[1] - mean[0], (mean[0] + mean[1]) / 2
        # Clusters of equal items have no spread: the way between them is the axis.
        ridge = max(2 * pooled.trace() / len(centred), 1e-12 * float(way @ way))
        pooled.flat[:: len(pooled) + 1] += max(ridge, 1e-290)
        axis = np.linalg.solve(pooled, way)
        length = max(float(way @ axis), 1e-290)
        for side in (0, 1):
            places[side].append((rest[side] - middle) @ axis / length)
    return valley_on_axis(np.concatenate(places[0]), np.concatenate(places[1]))


def valley_on_axis(a: Floats, b: Floats) -> float:
    """Return the valley between two sets of places; 1 where they do not differ."""
    mean = _mean(a), _mean(b)
    if min(len(a), len(b)) < 3 or mean[1] <= mean[0]:
        return 1.0
    squares = ((a - mean[0]) ** 2).sum() + ((b - mean[1]) ** 2).sum()
    spread = float(np.sqrt(squares / max(len(a) + len(b) - 2, 1)))
    both = np.concatenate([a, b])
    return valley_between(both, float(mean[0]), float(mean[1]), spread)


def _mean(values: Floats) -> Any:
    """Return the mean over items; a tenth of a verdict went into ``ndarray.mean``."""
    return np.add.reduce(values, axis=0) / len(values)
