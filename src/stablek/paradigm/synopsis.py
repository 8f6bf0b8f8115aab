"""Synopsis: from a statistic to a curve over k.

A synopsis is a top-level function ``(collected, facts) -> Curve`` marked with what it
takes ("scores" or "pairs"), so that a mismatch is found before anything runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from stablek.kernels.cells import distribution_sums
from stablek.paradigm.contracts import Column, Curve, Facts
from stablek.paradigm.statistic.agreement import Scores
from stablek.paradigm.statistic.comembership import PairCounts

F = TypeVar("F", bound=Callable[..., Curve])


def takes(kind: str, *, knee: bool = False) -> Callable[[F], F]:
    """Mark what statistic a synopsis reads; ``knee``: no end of its curve is better."""

    def mark(function: F) -> F:
        function.takes = kind  # type: ignore[attr-defined]
        function.knee = knee  # type: ignore[attr-defined]
        return function

    return mark


@takes("scores")
def mean_value(scores: Scores, facts: Facts) -> Curve:
    """Return the mean over repeats, with its standard error and spread."""
    return _summary(scores, facts, "mean")


@dataclass(frozen=True)
class NamedColumns:
    """Columns that a statistic named itself, one of them the curve."""

    main: str
    better: str = "high"
    takes = "columns"

    def __call__(self, columns: dict[str, Column], facts: Facts) -> Curve:
        """Return the columns as a curve."""
        return Curve(facts.ks, dict(columns), self.main, None, self.better)


@takes("scores")
def median_value(scores: Scores, facts: Facts) -> Curve:
    """Return the median over repeats, with the mean and spread beside it."""
    return _summary(scores, facts, "median")


@takes("scores")
def mean_loss(scores: Scores, facts: Facts) -> Curve:
    """Return the mean over repeats of a cost: small is good."""
    curve = _summary(scores, facts, "mean")
    return Curve(curve.ks, curve.columns, curve.main, curve.error, "low")


@takes("scores")
def agreement_distribution(scores: Scores, facts: Facts) -> Curve:
    """Return the distribution of agreements over repeats, for every k.

    Columns: ``mean``, ``median``, ``sd``, ``min``, ``max``; ``lower``, the value that
    nine tenths of the repeats reach; ``above``, the share of repeats above 0.9; and a
    histogram: ``bin_00`` ... ``bin_95`` are the shares of repeats in the twentieths of
    [0, 1], the last with its right end, the first with all that is negative.

    References
    ----------
    Thesis, section 3.2.2. Ben-Hur, Elisseeff, Guyon (2002), Pacific Symposium on
    Biocomputing 7, 6-17, Fig. 3.
    """
    curve = _summary(scores, facts, "mean")
    known = np.isfinite(scores)
    done = np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, scores, -np.inf)
    columns = dict(curve.columns)
    columns["lower"] = _lower_tenth(scores)
    columns["above"] = (filled > 0.9).sum(axis=0) / done
    place = np.floor(np.clip(np.where(known, scores, 0.0), 0, 1) * 20 + 1e-9)
    place = np.where(known, np.minimum(place, 19), -1)
    for b in range(20):
        columns[f"bin_{5 * b:02d}"] = (place == b).sum(axis=0) / done
    return Curve(curve.ks, columns, "mean", curve.error)


@takes("scores", knee=True)
def within(scores: Scores, facts: Facts) -> Curve:
    """Return WCSS(k): the mean over starts, and their spread."""
    columns = _over_starts(scores, facts, "wcss")
    return Curve(facts.ks, columns, "wcss", "wcss_error", "knee")


@takes("scores", knee=True)
def log_within(scores: Scores, facts: Facts) -> Curve:
    """Return log WCSS(k), averaged over starts.

    A WCSS of zero (as many clusters as distinct items) has no logarithm; it is put at
    1e-12 of the largest, far below any other.
    """
    floor = 1e-12 * float(np.nanmax(scores)) or 1.0
    logs = np.log(np.maximum(scores, floor))
    columns = _over_starts(logs, facts, "log_wcss")
    columns["wcss"] = np.nanmean(scores, axis=0)
    return Curve(facts.ks, columns, "log_wcss", "log_wcss_error", "knee")


@takes("columns", knee=True)
def figure_of_merit(scores: Scores, facts: Facts) -> Curve:
    """Return the adjusted aggregate FOM(k): summed over columns, mean over starts.

    FOM(k) = sum over e of FOM(e, k); adjusted, it is divided by sqrt((n - k) / n),
    which corrects for its fall with k on data without structure. ``aggregate`` is the
    sum before adjustment; the spread is over the starts of a random algorithm.

    References
    ----------
    Thesis, section 2.2.3. Yeung, Haynor, Ruzzo (2001), Bioinformatics 17, 309-318,
    section 2.3.
    """
    starts = max(1, len(scores) // facts.m)
    parts = scores[: starts * facts.m].reshape(starts, -1, scores.shape[1])
    sums = parts.sum(axis=1)
    left = np.maximum(facts.n - np.asarray(facts.ks, float), 0) / facts.n
    with np.errstate(divide="ignore", invalid="ignore"):
        adjusted = sums / np.sqrt(left)  # not finite at k = n, and left out below
    columns = _over_starts(adjusted, facts, "fom")
    columns["aggregate"] = sums.mean(axis=0)
    return Curve(facts.ks, columns, "fom", "fom_error", "knee")


def _over_starts(scores: Scores, facts: Facts, name: str) -> dict[str, Column]:
    """Return the mean over starts and its error; their spread if there are several."""
    columns = dict(_summary(scores, facts, "mean", name=name).columns)
    if len(scores) == 1:
        return {key: columns[key] for key in (name, f"{name}_error")}
    return columns


@takes("pairs", knee=True)
def consensus_distribution(pairs: PairCounts, facts: Facts) -> Curve:
    """Describe the distribution of the M(i, j), for every k.

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
    return Curve(pairs.ks, columns, "area", "area_error", "knee")


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
    """Return Delta(2) = A(2), Delta(k) = (A(k+1) - A(k)) / A(k) for k > 2.

    NaN where A(k+1) is not known, and where A(k) is zero.
    """
    change = np.full(len(ks), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        change[:-1] = (area[1:] - area[:-1]) / area[:-1]
    change[~np.isfinite(change)] = np.nan
    if ks[0] == 2:
        change[0] = area[0]
    return change


def delta_shifted(ks: tuple[int, ...], area: Column) -> Column:
    """Return ConsensusClusterPlus's Delta: the relative growth of the area up to k."""
    change = np.full(len(ks), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        change[1:] = (area[1:] - area[:-1]) / area[:-1]
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


def _lower_tenth(scores: Scores) -> Column:
    lower = np.full(scores.shape[1], np.nan)
    some = np.isfinite(scores).any(axis=0)
    lower[some] = np.nanquantile(scores[:, some], 0.1, axis=0)
    return lower


def _summary(scores: Scores, facts: Facts, main: str, name: str | None = None) -> Curve:
    done = np.isfinite(scores).sum(axis=0)
    some = done > 0
    values = np.full((5, scores.shape[1]), np.nan)
    if some.any():
        kept = scores[:, some]
        # The functions that skip NaN take a millisecond whatever the size: too long
        # for one curve. Where nothing is to be skipped, both give the same bits.
        full = bool((done == len(scores)).all())
        mean, median, std = (
            (np.mean, np.median, np.std)
            if full
            else (np.nanmean, np.nanmedian, np.nanstd)
        )
        values[0, some] = mean(kept, axis=0)
        values[1, some] = median(kept, axis=0)
        values[2, some] = np.fmin.reduce(kept, axis=0)
        values[3, some] = np.fmax.reduce(kept, axis=0)
        many = done > 1
        if many.any():
            # In units of a power of two, which loses no digit: squares must not
            # leave float64 where the scores themselves are sums of squares.
            _, power = np.frexp(np.abs(values[2:4, many]).max(axis=0))
            unit = np.ldexp(scores[:, many], -power)
            values[4, many] = np.ldexp(std(unit, axis=0, ddof=1), power)
        values[4, done == 1] = 0.0
    columns = dict(zip(("mean", "median", "min", "max", "sd"), values, strict=True))
    name = name or main
    chosen = columns.pop(main)
    error = columns["sd"] / np.sqrt(done)
    return Curve(
        facts.ks,
        {name: chosen, f"{name}_error": error, **columns},
        name,
        f"{name}_error",
    )
