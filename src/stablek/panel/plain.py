"""Data that need a sentence and not a panel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.results.verdict import Verdict

FEWEST = 10  # items: below, no null set could be told from the data


def without_panel(
    data: Dataset,
    distinct: int,
    groups: NDArray[np.intp],
    count: NDArray[np.intp],
    common: dict[str, Any],
) -> Verdict | None:
    """Return the answer for data that need a sentence and not a panel."""
    alone = np.zeros(data.n, dtype=np.int64)
    if distinct == 1:
        text = "All items are equal: there is nothing to look for."
        return Verdict(
            k=1, sentence=text, strength="certain: all rows are equal",
            plausible={1: 1.0}, labels=alone, **common,
        )  # fmt: skip
    if data.n < FEWEST:
        text = (
            f"{data.n} items are too few for a verdict: at least {FEWEST} are needed "
            "to tell groups from chance."
        )
        return Verdict(
            k=None, sentence=text, strength="none: too few items", plausible={},
            labels=alone, next_steps=("Collect more items.",), **common,
        )  # fmt: skip
    if distinct < FEWEST:
        order = {g: i for i, g in enumerate(dict.fromkeys(groups.tolist()))}
        labels = np.array([order[g] for g in groups.tolist()], dtype=np.int64)
        repeated = int((count > 1).sum())
        text = (
            f"The {data.n} items take only {distinct} different values, {repeated} of "
            f"them more than once: they are {distinct} groups of identical rows, which "
            "needs no statistics. Are rows duplicated, or columns too coarse?"
        )
        return Verdict(
            k=distinct if repeated == distinct else None, sentence=text,
            strength="none: identical rows, not judged",
            plausible={distinct: 1.0}, labels=labels,
            next_steps=("Find out why rows are identical before clustering them.",),
            **common,
        )  # fmt: skip
    return None
