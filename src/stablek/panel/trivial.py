"""Data that need a sentence and not a panel."""

from typing import Any

import numpy as np

from stablek.data import Dataset
from stablek.data.canonical import Canonical
from stablek.results.verdict import Verdict

FEWEST = 10  # items: below, no null set could differ from the data


def is_trivial(data: Dataset, order: Canonical) -> bool:
    """Tell whether :func:`trivial_verdict` has an answer."""
    return min(data.n, len(order.rows)) < FEWEST


def trivial_verdict(
    data: Dataset, order: Canonical, common: dict[str, Any]
) -> Verdict | None:
    """Return the answer for data that need a sentence and not a panel."""
    whole = np.ones(data.n, dtype=np.int64)
    distinct = len(order.rows)
    if distinct == 1:
        return Verdict(
            k=1, best_guess=1, strength="certain", evidence="All rows are equal.",
            sentence="All items are equal, so there is nothing to cluster.",
            labels=whole, **common,
        )  # fmt: skip
    if data.n < FEWEST:
        text = (
            f"{data.n} items are too few for a verdict. At least {FEWEST} are needed "
            "to distinguish groups from chance."
        )
        return Verdict(
            k=None, strength="not judged", evidence="Too few items.", sentence=text,
            labels=whole, next_steps=("Collect more items.",), **common,
        )  # fmt: skip
    if distinct < FEWEST:
        first = {g: i for i, g in enumerate(dict.fromkeys(order.place.tolist()), 1)}
        labels = np.array([first[g] for g in order.place.tolist()], dtype=np.int64)
        repeated = int((order.copies > 1).sum())
        text = (
            f"The {data.n} items take only {distinct} different values, {repeated} of "
            f"them more than once. They are {distinct} groups of identical rows, so "
            "no statistics are needed. Are rows duplicated, or are columns too coarse?"
        )
        return Verdict(
            k=distinct if repeated == distinct else None, best_guess=distinct,
            strength="not judged", evidence="Rows are identical.", sentence=text,
            labels=labels,
            next_steps=("Find out why rows are identical before you cluster them.",),
            **common,
        )  # fmt: skip
    return None
