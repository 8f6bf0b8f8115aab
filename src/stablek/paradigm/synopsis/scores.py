"""Curves from scores: one number per repeat and k."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from stablek.paradigm.contracts import Column, Curve, Facts
from stablek.paradigm.statistic.agreement import Scores
from stablek.paradigm.statistic.misclassification import CHANCE_ERROR

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
    r"""Return the mean over repeats, with its standard error and spread.

    .. math:: R(k) = \frac{1}{H} \sum_h S_h(k), \qquad se = s / \sqrt{H}

    with s the standard deviation over the H repeats that did not fail.
    """
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
    """Return the median over repeats, with the mean and the spread."""
    return _summary(scores, facts, "median")


@takes("scores")
def mean_loss(scores: Scores, facts: Facts) -> Curve:
    """Return the mean over repeats of a cost: small is good."""
    curve = _summary(scores, facts, "mean")
    return Curve(curve.ks, curve.columns, curve.main, curve.error, "low")


@takes("scores")
def loss_by_chance(scores: Scores, facts: Facts) -> Curve:
    """Return the mean of costs divided by chance, with chance's own error in theirs."""
    curve = mean_loss(scores, facts)
    name = str(curve.error)
    both = np.hypot(curve.columns[name], CHANCE_ERROR * curve.values)
    return curve.adding(**{name: both})


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
    r"""Return WCSS(k): the mean over starts, and their spread.

    .. math:: R(k) = \frac{1}{S} \sum_s W_s(k)
    """
    columns = _over_starts(scores, facts, "wcss")
    return Curve(facts.ks, columns, "wcss", "wcss_error", "knee")


@takes("scores", knee=True)
def log_within(scores: Scores, facts: Facts) -> Curve:
    r"""Return log WCSS(k), averaged over starts.

    .. math:: R(k) = \frac{1}{S} \sum_s \log W_s(k)

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
    r"""Return the adjusted aggregate FOM(k): summed over columns, mean over starts.

    .. math:: R(k) = \frac{\sum_e \mathrm{FOM}(e, k)}{\sqrt{(n - k) / n}}

    The root corrects for its fall with k on data without structure. ``aggregate`` is
    the sum before adjustment; the spread is over the starts of a random algorithm.

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


def _lower_tenth(scores: Scores) -> Column:
    lower = np.full(scores.shape[1], np.nan)
    some = np.isfinite(scores).any(axis=0)
    lower[some] = np.nanquantile(scores[:, some], 0.1, axis=0)
    return lower


def _summary(scores: Scores, facts: Facts, main: str, name: str | None = None) -> Curve:
    done = np.isfinite(scores).sum(axis=0)
    some = done > 0
    values = np.full((5, scores.shape[1]), np.nan)
    if len(scores) == 1:  # as a null set has: all of these are the one score
        values[:4] = np.where(some, scores, np.nan)
        values[4, some] = 0.0
    elif some.any():
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
