"""How the columns are scaled: what a verdict does about it, and what it advises."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Matrix
from stablek.data.preparation import WRITERS, column_spreads
from stablek.panel.metric import COORDINATES
from stablek.panel.words import answer_text, scale_sentence, sentence_of
from stablek.results.verdict import Verdict

#: Columns are on unlike scales where the logarithms of their standard deviations vary
#: by more than this (a factor of 2.1 either way), and few of them hold the variance:
#: fewer than so many, counted by (sum v)^2 / sum v^2. Expression has columns of unlike
#: spread, too, but hundreds of them share the variance, and there it is information.
UNLIKE = 0.75
FEW = 8.0

#: From so many columns on, spreads that fall from column to column are those of
#: components, which must not be made alike.
ORDERED_FROM = 5
FALLING = -0.95

#: Whole numbers from 0 up are taken for counts from so many columns, and from such a
#: largest one, if few are near the largest: pixels are no counts.
COUNTED_COLUMNS = 20
LARGEST_COUNT = 20
RARE_LARGE = 0.01
#: Totals of rows that differ so many times, lowest to highest tenth, are made equal.
FOLD = 1.5

#: The step for columns on unlike scales.
STANDARDISED = ("standardise-columns",)

#: Columns are on like scales if the widest is at most so many times the narrowest.
LIKE = 2.0

#: Rows that are read together.
ROWS = 1000


@dataclass(frozen=True)
class Scale:
    """What is known of the scale of the columns, and what was done about it.

    Parameters
    ----------
    steps
        The preparation steps that were applied, by the names users type.
    used
        In words: "as given", "columns standardised" or "log counts".
    why
        The reason, in words.
    """

    steps: tuple[str, ...] = ()
    used: str = "as given"
    why: str = ""


def scale_of(data: Dataset) -> Scale:
    """Return how the columns should be scaled before a verdict.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> table = rng.normal(size=(50, 4)) * [1, 1, 10, 1000]
    >>> scale_of(Dataset(table)).steps
    ('standardise-columns',)
    """
    done = ("columns standardised", COORDINATES, "log")
    if any(note.startswith(done) for note in data.notes):
        return Scale(why="the columns were already prepared")
    fold = total_fold(data.values)
    if fold is not None:
        text = "the values are counts"
        if fold < FOLD:
            return Scale(("log1p",), "log counts", text)
        text += f" and the totals of the rows differ by a factor of {fold:.1f}"
        return Scale(("equal-totals", "log1p"), "log counts of equal totals", text)
    sd = column_spreads(data.values)
    there = sd[sd > 0]
    if len(there) < 2:
        return Scale()
    unlike, variance = float(np.log(there).std()), there**2
    effective = float(variance.sum() ** 2 / (variance**2).sum())
    if unlike <= UNLIKE or effective >= FEW or components_in_order(there):
        return Scale()
    wide = "one column holds"
    if effective >= 1.5:
        wide = f"{effective:.0f} of {len(there)} columns hold"
    text = f"they are on very different scales: {wide} most of the variance"
    return Scale(STANDARDISED, "columns standardised", text)


def wanted_scale(data: Dataset, metric: str, scale: str) -> Scale:
    """Return the scale that is asked for; other metrics are taken as given."""
    plain = metric != "euclidean" or scale == "as given"
    return Scale() if plain else scale_of(data)


def better_scale(scaling: Scale, scaled: Verdict, given: Verdict) -> Verdict:
    """Return the verdict on scaled columns, or that on the columns as given.

    Standardising can hide clusters: a column that tells them apart is wide because of
    them. If only the columns as given show clusters, that is the answer. Counts are
    compared by their logarithms in any case.
    """
    if scaling.steps == STANDARDISED and scaled.k == 1 and given.k != 1:
        text = (
            "The columns are used as given. If they are standardised, the answer is: "
            f"{answer_text(scaled.k)}."
        )
        facts = {**given.facts, "k_scaled": scaled.k, "p_scaled": scaled.p}
        return replace(remarked(given, text), facts=facts)
    other = "the answer is the same"
    if given.k != scaled.k:
        other = f"the answer would be: {answer_text(given.k)}"
    facts = {**scaled.facts, "k_as_given": given.k, "p_as_given": given.p}
    done = scale_sentence(scaling.used, scaling.why)
    return replace(remarked(scaled, f"As given, {other}.", done), facts=facts)


def remarked(verdict: Verdict, text: str, after: str = "") -> Verdict:
    """Return the verdict with one more remark, in one with that it comes ``after``."""
    details = tuple(
        f"{one} {text}" if after and one == after else one for one in verdict.details
    )
    if details == verdict.details:
        details = (*details, text)
    headline = verdict.headline or verdict.sentence
    whole = sentence_of(headline, *details)
    return replace(verdict, headline=headline, details=details, sentence=whole)


def left_unlike(data: Dataset, scaling: Scale) -> bool:
    """Tell whether columns were left on unlike scales, by nobody's choice.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> table = rng.normal(size=(50, 3))
    >>> left_unlike(Dataset(table), Scale())
    False
    >>> left_unlike(Dataset(table * [1, 1, 3]), Scale())
    True
    """
    if scaling.steps or scaling.why or data.precomputed:
        return False
    sd = column_spreads(data.values)
    there = sd[sd > 0]
    return len(there) > 1 and bool(there.max() > LIKE * there.min())


def scale_in_place(values: NDArray[Any], how: Scale) -> tuple[str, ...]:
    """Apply the steps of a scale to a table, and return what was done."""
    return tuple(WRITERS[step](values, values) for step in how.steps)


def components_in_order(sd: NDArray[np.float64]) -> bool:
    """Tell whether spreads fall from column to column, as those of components do."""
    if len(sd) < ORDERED_FROM or sd[0] <= 2 * sd[-1]:
        return False
    rises = np.diff(sd) > 0.15 * sd[:-1]
    rank = np.argsort(np.argsort(sd))
    order = np.corrcoef(rank, np.arange(len(sd)))[0, 1]
    return bool(not rises.any() and order < FALLING)


def total_fold(values: Matrix) -> float | None:
    """Return how many times the totals of counts differ; None where these are none.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> counts = rng.poisson(rng.pareto(1.0, 400), (40, 400))
    >>> total_fold(counts) < 2, total_fold(counts + 0.5) is None
    (True, True)
    """
    if values.shape[1] < COUNTED_COLUMNS or not LARGEST_COUNT <= values.max() < 2**53:
        return None
    large, half = 0, values.max() / 2
    for first in range(0, len(values), ROWS):  # most that are none end with the first
        some = values[first : first + ROWS]
        if (some < 0).any() or (some != np.rint(some)).any():
            return None
        large += int((some > half).sum())
    if large / values.size > RARE_LARGE:
        return None
    low, high = np.quantile(values.sum(axis=1, dtype=np.float64), [0.1, 0.9])
    return float(high / max(low, 1.0))
