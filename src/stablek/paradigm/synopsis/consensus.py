"""Curves from counts over pairs: the distribution of the consensus matrix."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.cells import distribution_sums
from stablek.paradigm.contracts import Column, Curve, Facts
from stablek.paradigm.statistic.comembership import PairCounts
from stablek.paradigm.synopsis.scores import takes


@takes("pairs", knee=True)
def consensus_distribution(pairs: PairCounts, facts: Facts) -> Curve:
    r"""Describe the distribution of the M(i, j), for every k.

    With N pairs and F(x) the share of them with M at most x,

    .. math::
        A &= \int_0^1 F(x)\,dx = 1 - \bar M \\
        \mathrm{PAC} &= \frac{1}{N} \#\{0.1 < M < 0.9\} \\
        \mathrm{dispersion} &= \frac{1}{n^2} \sum_{i, j} 4 (M(i, j) - 1/2)^2 \\
        \mathrm{entropy} &= -\frac{1}{N} \sum_{i < j} [M \log M + (1 - M) \log(1 - M)]

    Columns: ``area`` under the CDF of M on [0, 1], which is one minus the mean of M;
    ``delta`` and ``delta_prime`` as the thesis defines them; ``delta_ccp``, the same
    shifted by one as ConsensusClusterPlus prints it; ``pac``, the share of pairs with
    0.1 < M < 0.9 (lower is clearer); ``dispersion`` (Kim, Park 2007; higher is
    clearer); ``cophenetic``, the cophenetic correlation of M (Brunet et al. 2004; NaN
    where it was not computed); ``entropy``; ``area_literal``, the printed sum with
    right end points; ``area_pooled``, from cluster sizes alone; ``never``, pairs never
    drawn together, which are left out. ``area_error`` is the standard error over
    repeats.

    References
    ----------
    Thesis, section 3.3.1. Monti, Tamayo, Mesirov, Golub (2003), Machine Learning 52,
    91-118, Eqs. 5-7. Senbabaoglu, Michailidis, Li (2014), Scientific Reports 4, 6207.
    """
    rows = [
        _distribution(d, t, w, facts.n)
        for d, t, w in zip(pairs.drawn, pairs.together, pairs.weight, strict=True)
    ]
    columns: dict[str, Column] = {
        name: np.array([row[name] for row in rows]) for name in rows[0]
    }
    done = np.isfinite(pairs.shares).sum(axis=0)
    spread = np.where(done > 0, 0.0, np.nan)  # of one repeat; others may have failed
    many = done > 1
    if many.any():
        deviation = np.std if bool((done == len(pairs.shares)).all()) else np.nanstd
        spread[many] = deviation(pairs.shares[:, many], axis=0, ddof=1)
    columns["area_error"] = spread / np.sqrt(done)
    if pairs.sampled is not None:
        # What looking at some pairs instead of all of them adds to the error.
        sd = np.array(
            [
                _spread(*c)
                for c in zip(pairs.drawn, pairs.together, pairs.weight, strict=True)
            ]
        )
        columns["pairs_error"] = sd / np.sqrt(pairs.sampled)
        columns["area_error"] = np.hypot(columns["area_error"], columns["pairs_error"])
    columns["cophenetic"] = pairs.cophenetic
    columns["never"] = pairs.never.astype(np.float64)
    area = columns["area"]
    columns["delta"] = delta(pairs.ks, area)
    columns["delta_prime"] = delta(pairs.ks, np.maximum.accumulate(area))
    columns["delta_ccp"] = delta_shifted(pairs.ks, area)
    return Curve(pairs.ks, columns, "area", "area_error", "knee", pairs.shares)


@dataclass(frozen=True)
class ConsensusColumn:
    """The distribution of the M(i, j), with another column as the one to read.

    ``pac`` and ``entropy`` are better when low, the others when high.
    """

    column: str
    takes = "pairs"

    def __call__(self, pairs: PairCounts, facts: Facts) -> Curve:
        """Return the curve."""
        curve = consensus_distribution(pairs, facts)
        better = "low" if self.column in ("pac", "entropy") else "high"
        return Curve(curve.ks, curve.columns, self.column, None, better)


def delta(ks: tuple[int, ...], area: Column) -> Column:
    r"""Return the relative growth of the area from k to the next k, as in the thesis.

    .. math:: \Delta(2) = A(2), \qquad \Delta(k) = \frac{A(k+1) - A(k)}{A(k)}, \; k > 2

    NaN where A(k+1) is not known, and where A(k) is zero.
    """
    return _growth(ks, area, slice(None, -1))


def delta_shifted(ks: tuple[int, ...], area: Column) -> Column:
    r"""Return ConsensusClusterPlus's Delta: the relative growth of the area up to k.

    .. math:: \Delta(2) = A(2), \qquad \Delta(k) = \frac{A(k) - A(k-1)}{A(k-1)}, \ k > 2
    """
    return _growth(ks, area, slice(1, None))


def _growth(ks: tuple[int, ...], area: Column, where: slice) -> Column:
    change = np.full(len(ks), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        change[where] = (area[1:] - area[:-1]) / area[:-1]
    change[~np.isfinite(change)] = np.nan
    if ks[0] == 2:
        change[0] = area[0]
    return change


def _spread(
    drawn: NDArray[np.int64], together: NDArray[np.int64], weight: NDArray[np.int64]
) -> float:
    """Return the standard deviation of M over the pairs."""
    m, w = together / drawn, weight / weight.sum()
    return float(np.sqrt(max((w * m * m).sum() - (w * m).sum() ** 2, 0.0)))


def _distribution(
    drawn: NDArray[np.int64],
    together: NDArray[np.int64],
    weight: NDArray[np.int64],
    n: int,
) -> dict[str, float]:
    if len(weight) == 0:
        names = ("area", "area_literal", "area_pooled", "pac", "dispersion", "entropy")
        return dict.fromkeys(names, float("nan"))
    mean, literal, between, clear, logs = distribution_sums(together / drawn, weight)
    return {
        # Departs from Monti et al., Eq. 6: the printed sum takes the right end of each
        # step and is 1 for every k when all M are 0 or 1; this is the area itself.
        "area": 1 - mean,
        "area_literal": literal,
        "area_pooled": float(1 - (together * weight).sum() / (drawn * weight).sum()),
        "pac": between,
        # The diagonal counts too, as in Kim and Park (2007), Eq. 5.
        "dispersion": ((n - 1) * clear + 1) / n,
        "entropy": -logs,
    }
