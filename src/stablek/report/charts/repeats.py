"""How a statistic is distributed over repeats."""

import numpy as np
from numpy.typing import NDArray

from stablek.report.charts.scale import extent
from stablek.results.result import Result

Floats = NDArray[np.float64]

#: Columns of a histogram that a synopsis made itself: shares of repeats in twentieths.
BINS = tuple(f"bin_{5 * place:02d}" for place in range(20))


def shares_of(result: Result) -> tuple[Floats, Floats] | None:
    """Return edges of bins, and the share of repeats in each bin and k.

    From the histogram columns of the curve where it has them, else from the statistic
    of each repeat. None where neither is known.
    """
    if set(BINS) <= set(result.columns):
        shares = np.array([result.columns[name] for name in BINS])
        return np.linspace(0, 1, 21), np.nan_to_num(shares)
    scores = scores_of(result)
    if scores is None:
        return None
    low, high = extent(scores.ravel(), pad=0.0)
    if low < -1 or high > 1:
        # Not an agreement of partitions: its values at different ks do not compare.
        return None
    low, high = (0.0, 1.0) if low >= 0 else (low, 1.0)
    edges = np.linspace(low, high, 21)
    counts = [
        np.histogram(column[np.isfinite(column)], edges)[0] for column in scores.T
    ]
    repeats = np.maximum(np.isfinite(scores).sum(axis=0), 1)
    return edges, np.array(counts, dtype=np.float64).T / repeats


def scores_of(result: Result) -> Floats | None:
    """Return the statistic of each repeat and k, collected again from the labels.

    None for statistics on pairs, for fewer than ten repeats, and for measures that
    are not in the registry.
    """
    from stablek.measures import MEASURES, measure, settings_of

    name = result.measure.partition("~")[0]  # the second of a name is "me~2"
    if name not in MEASURES or result.cube is None or result.data is None:
        return None
    if result.cube.repeats < 10 or not set(result.ks) <= set(result.cube.ks):
        return None
    names = settings_of(name)
    given = {key: value for key, value in result.settings.items() if key in names}
    recipe = measure(name, **given)
    if recipe.collect.gives != "scores":
        return None
    scores = recipe.collect.collect(result.cube.at(result.ks), result.data)
    return np.asarray(scores, dtype=np.float64)
