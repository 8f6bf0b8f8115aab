"""Null models that place items uniformly: in a box, a ball, a hull, a turned box."""

from dataclasses import dataclass

import numpy as np

from stablek.data import Dataset, Matrix
from stablek.paradigm.perturb.null_set import null_like, principal_axes, shared_by_draws
from stablek.paradigm.perturb.regions import enclosing_ball, hull_simplices, null_values


@dataclass(frozen=True)
class PoissonBox:
    """Ps: items placed uniformly in the box that encloses the data.

    Each column is uniform between its minimum and its maximum, independently.

    References
    ----------
    Thesis, section 1.4 (random position hypothesis). Tibshirani, Walther, Hastie
    (2001), JRSS B 63, 411-423, choice (a) of section 3.
    """

    name: str = "ps"
    by_column: bool = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the bounding box."""
        return null_like(data, _in_box(null_values(data, self.name), rng))


@dataclass(frozen=True)
class PoissonSphere:
    """Items placed uniformly in a ball that encloses the data.

    The ball is the smallest one to within a percent or so. In many dimensions nearly
    all its volume is near the surface.

    References
    ----------
    Thesis, section 1.4. Gordon (1999), Classification, section 7.2. Badoiu, Clarkson
    (2003), Smaller core-sets for balls, SODA, 801-802.
    """

    name: str = "ps-sphere"
    by_column = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the ball."""
        values = null_values(data, self.name)
        centre, radius = shared_by_draws(data, "ball", lambda: enclosing_ball(values))
        way = rng.standard_normal(values.shape)
        length = np.sqrt((way * way).sum(axis=1))
        far = radius * rng.random(data.n) ** (1 / data.m)
        return null_like(data, centre + way * (far / length)[:, None])


@dataclass(frozen=True)
class PoissonHull:
    """Items placed uniformly in the convex hull of the data.

    For up to six columns; with more, the hull cannot be computed. ``pc`` also follows
    the shape of the data.

    References
    ----------
    Thesis, section 1.4. Gordon (1999), Classification, section 7.2.
    """

    name: str = "ps-hull"
    by_column = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the convex hull."""
        values = null_values(data, self.name)
        corners, volume = shared_by_draws(data, "hull", lambda: hull_simplices(values))
        chosen = rng.choice(len(corners), size=data.n, p=volume / volume.sum())
        # Normalised exponentials are uniform on a simplex.
        weight = rng.standard_exponential((data.n, data.m + 1))
        weight /= weight.sum(axis=1, keepdims=True)
        return null_like(data, np.einsum("ij,ijk->ik", weight, corners[chosen]))


@dataclass(frozen=True)
class PoissonPrincipal:
    """Pc: items placed uniformly in a box aligned with the principal components.

    The columns are centred, D = U X V^T; DV is replaced by a uniform box as in Ps, and
    rotated back with V^T. Keeps the principal axes and the range along each of them, so
    correlation between columns does not count as structure.

    References
    ----------
    Thesis, section 1.4. Tibshirani, Walther, Hastie (2001), JRSS B 63, 411-423, choice
    (b) of section 3. Sarle (1983), SAS Technical Report A-108.
    """

    name: str = "pc"
    by_column = True

    def draw(self, data: Dataset, rng: np.random.Generator) -> Dataset:
        """Return n items drawn uniformly from the aligned box."""
        axes = principal_axes(data, self.name)
        return null_like(data, axes.mean + _in_box(axes.scores, rng) @ axes.turn)


def _in_box(values: Matrix, rng: np.random.Generator) -> Matrix:
    low, high = values.min(axis=0), values.max(axis=0)
    return low + (high - low) * rng.random(values.shape)
