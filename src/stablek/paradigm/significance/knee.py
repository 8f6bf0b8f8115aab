"""The knee of a falling curve, by several published rules.

The thesis reads the knees of WCSS and FOM by eye. Here a rule reads them; docs/knees.md
compares the rules on curves with a known knee, and `stablek_bench.knees` repeats the
comparison. A rule is a function of (ks, curve, n) that returns a score per k (for the
table) and the place of the knee, or None where the curve has none.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stablek.errors import unknown_name
from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls

Found = tuple[Column, int | None]


def chord(x: Column, y: Column, n: int) -> Found:
    """Find the point farthest below the chord, both axes scaled to [0, 1].

    References
    ----------
    Satopaa, Albrecht, Irwin, Raghavan (2011), Finding a "kneedle" in a haystack, ICDCS
    Workshops, 166-171, section III.
    """
    depth = below_chord(x, y)
    return depth, _largest(depth, above=0.0)


def log_chord(x: Column, y: Column, n: int) -> Found:
    """Find the point of the log curve farthest below its chord."""
    return chord(x, _logs(y), n)


def l_method(x: Column, y: Column, n: int) -> Found:
    """Fit two lines; the knee is the last point of the left one.

    The sum of the two root mean squared errors, weighted by the points of each line, is
    smallest there. Each line has at least two points.

    References
    ----------
    Salvador, Chan (2004), Determining the number of clusters/segments in hierarchical
    clustering/segmentation algorithms, ICTAI, 576-584, section 3.3.
    """
    count = len(x)
    score = np.full(count, np.nan)
    for last in range(1, count - 2):
        left, right = slice(0, last + 1), slice(last + 1, count)
        error = (last + 1) * _line_error(x[left], y[left])
        error += (count - last - 1) * _line_error(x[right], y[right])
        score[last] = -error / count
    return score, _largest(score)


def menger(x: Column, y: Column, n: int) -> Found:
    """Find the largest Menger curvature: of the circle through a point and neighbours.

    Both axes are scaled to [0, 1]; only points that bend upwards count.

    References
    ----------
    Tolsa (2000), Proc. AMS 128, 2111-2119. Used for knees by Satopaa et al. (2011) as
    the reference method.
    """
    score = np.full(len(x), np.nan)
    width, height = x[-1] - x[0], y.max() - y.min()
    if len(x) < 3 or height <= 0:
        return score, None
    u, v = (x - x[0]) / width, (y - y.min()) / height
    du, dv = np.diff(u), np.diff(v)
    area = du[:-1] * (v[2:] - v[:-2]) - (u[2:] - u[:-2]) * dv[:-1]
    sides = np.hypot(du[:-1], dv[:-1]) * np.hypot(du[1:], dv[1:])
    sides *= np.hypot(u[2:] - u[:-2], v[2:] - v[:-2])
    score[1:-1] = 2 * area / sides
    return score, _largest(score, above=0.0)


def bend(x: Column, y: Column, n: int) -> Found:
    """Find the largest second difference y(k-1) - 2 y(k) + y(k+1).

    References
    ----------
    Evanno, Regnaut, Goudet (2005), Molecular Ecology 14, 2611-2620, there divided by
    the spread over runs (Delta K).
    """
    score = np.full(len(y), np.nan)
    score[1:-1] = y[:-2] - 2 * y[1:-1] + y[2:]
    return score, _largest(score, above=0.0)


def log_bend(x: Column, y: Column, n: int) -> Found:
    """Find the largest second difference of the log curve: the sharpest slow-down."""
    return bend(x, _logs(y), n)


def derivative(x: Column, y: Column, n: int) -> Found:
    """Split the slopes into steep and flat by a threshold; find where they part.

    The threshold is ISODATA's: the mean of the means of the two groups it makes.

    References
    ----------
    Antunes, Ribeiro, Gomes, Aguiar (2018), Knee/elbow point estimation through
    thresholding, IEEE Globecom Workshops, section III (DFDT).
    """
    slope = np.full(len(y), np.nan)
    if len(y) < 3:
        return slope, None
    slope[1:] = -np.diff(y) / np.diff(x)
    steps = slope[1:]
    cut = float(steps.mean())
    for _ in range(100):
        steep, flat = steps[steps > cut], steps[steps <= cut]
        if not len(steep) or not len(flat):
            return slope, None
        moved = float(steep.mean() + flat.mean()) / 2
        if moved == cut:
            break
        cut = moved
    return slope, int(np.flatnonzero(slope > cut)[-1])


def hartigan(x: Column, y: Column, n: int) -> Found:
    """Find the first k with (y(k) / y(k+1) - 1) (n - k - 1) <= 10.

    Made for sums of squares. It looks at no k beyond the answer.

    References
    ----------
    Hartigan (1975), Clustering Algorithms, Wiley, 90-91.
    """
    gain = np.full(len(y), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain[:-1] = (y[:-1] / y[1:] - 1) * (n - x[:-1] - 1)
    enough = np.flatnonzero(gain <= 10)
    return gain, int(enough[0]) if len(enough) else None


def hartigan_squares(x: Column, y: Column, n: int) -> Found:
    """Find the first k by Hartigan's rule on the square of the curve.

    For FOM, a sum of roots of mean squares: its square is of the kind that the rule was
    made for.
    """
    return hartigan(x, np.square(y), n)


def drop_ratio(
    x: Column, y: Column, n: int, *, window: int = 1, least: float = 0.02
) -> Found:
    """Find the k whose log drop is largest relative to the drops that follow it.

    The drop is log y(k-1) - log y(k). It is divided by the mean of the next ``window``
    drops, or by ``least`` of the whole fall if that is more, so that the noise of a
    flat tail counts for nothing. In spirit the ratio of Krzanowski and Lai, on the log
    curve and with a floor. Constants from simulated curves (docs/knees.md).
    """
    logs = _logs(y)
    score = np.full(len(y), np.nan)
    drops = -np.diff(logs)
    floor = max(least * float(np.ptp(logs)), 1e-300)
    sums = np.cumsum(drops)
    here = np.arange(len(drops) - 1)
    last = np.minimum(here + window, len(drops) - 1)
    after = (sums[last] - sums[here]) / (last - here)
    score[1:-1] = drops[:-1] / np.maximum(after, floor)
    return score, _largest(score, above=1.0)


#: The word a user types (``--set rule=...``), and the rule.
KNEES: dict[str, Callable[[Column, Column, int], Found]] = {
    "chord": chord,
    "log-chord": log_chord,
    "l-method": l_method,
    "menger": menger,
    "bend": bend,
    "log-bend": log_bend,
    "derivative": derivative,
    "hartigan": hartigan,
    "hartigan-squares": hartigan_squares,
    "drop-ratio": drop_ratio,
}


@dataclass(frozen=True)
class Knee:
    """Take the knee of a falling curve, among the ks asked for.

    ``method`` is a word of ``KNEES``; the default won for WCSS on simulations.
    """

    method: str = "drop-ratio"

    def __post_init__(self) -> None:
        if self.method not in KNEES:
            raise unknown_name("knee rule", self.method, KNEES)

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the knee of the curve, {self.method}"
        inside = curve.at(facts.asked)
        whole = np.full(len(curve.ks), np.nan)
        if len(inside.ks) < 3:
            reason = "a knee needs at least 3 ks; ask for a longer range"
            return Decision(None, rule, reason)
        x = np.asarray(inside.ks, dtype=np.float64)
        score, place = KNEES[self.method](x, inside.values, facts.n)
        whole[[curve.ks.index(k) for k in inside.ks]] = score
        name = "below_chord" if self.method.endswith("chord") else "knee"
        columns = {name: whole}
        if place is None:
            reason = f"the curve has no knee by the rule {self.method}"
            return Decision(None, rule, reason, columns=columns)
        k_star = inside.ks[place]
        reason = f"the knee of {curve.main} is at k = {k_star}"
        if np.isfinite(score[place]):
            reason += f" ({self.method} {score[place]:.3g})"
        if place == 0:
            reason += (
                f"; {k_star} is the smallest k tried: the curve shows no clear knee"
            )
        return Decision(k_star, rule, reason, columns=columns)


def below_chord(x: Column, y: Column) -> Column:
    """Return how far a curve lies below the chord of its ends, both axes in [0, 1]."""
    width, height = x[-1] - x[0], y[0] - y[-1]
    if not np.isfinite(height) or height <= 0:  # one k has no height either
        return np.full(len(x), np.nan)
    return 1 - (x - x[0]) / width - (y - y[-1]) / height


def _largest(score: Column, above: float = -np.inf) -> int | None:
    if not np.isfinite(score).any() or not np.nanmax(score) > above:
        return None
    return int(np.nanargmax(score))


def _line_error(x: Column, y: Column) -> float:
    """Return the root mean squared error of the least-squares line."""
    u, v = x - x.mean(), y - y.mean()
    rest = v - u * ((u * v).sum() / (u * u).sum())
    return float(np.sqrt((rest * rest).mean()))


def _logs(y: Column) -> Column:
    return np.log(np.maximum(y, 1e-12 * float(np.max(y)) or 1.0))
