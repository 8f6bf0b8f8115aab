"""Rules for a consensus curve that users may choose among, by name.

The default lets the repeats vote: the rule reads curves made of repeats drawn from
those seen, and the k that most of them choose is the answer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import stream
from stablek.errors import InputError, unknown_name
from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls, Rule
from stablek.paradigm.significance.area import (
    AreaSettles,
    area_growth,
    clear_decision,
    clear_ks,
)
from stablek.paradigm.significance.extremes import Extreme
from stablek.paradigm.statistic.continuation import weighted_areas

#: With fewer repeats there is nothing to draw from.
LEAST = 8


@dataclass(frozen=True)
class Votes:
    """Take the k that most curves choose whose repeats are drawn from those seen.

    The areas of ``draws`` such curves (the Bayesian bootstrap) are read by ``reading``;
    of equally many votes those for its own k count most, else those for the smallest
    k. How many votes each k has is reported.

    A vote tells how near a decision is to another. It is hardly steadier than one
    reading: where two ks are nearly tied, 250 repeats cannot tell them apart, however
    they are read, and thousands are needed (docs/rules.md has the figures).

    References
    ----------
    Breiman (1996), Machine Learning 24, 123-140 (bagging). Rubin (1981), Annals of
    Statistics 9, 130-134 (the Bayesian bootstrap).
    """

    reading: AreaSettles = field(default_factory=AreaSettles)
    draws: int = 200
    reads = ("area",)

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        own = self.reading(curve, nulls, facts)
        shares = curve.shares
        few = shares is None or len(shares) < LEAST
        if shares is None or few or self.reading.by_pac(curve, facts) is not None:
            return own
        area = curve.columns["area"]
        chosen = self.reading.choices(
            area + self._departures(shares, self.draws), curve.ks, facts
        )
        votes = Counter(int(k) for k in chosen)
        k = most(votes, own.k_star)
        if k == own.k_star:
            reason = own.reason
        else:
            reason = self.reading.reason(curve, k, facts)
            reason += f"; the curve itself says {own.k_star}"
        if votes[k] < self.draws:
            reason += f" (k = {k} in {votes[k]} of {self.draws} draws of the repeats)"
        named = {str(k): count for k, count in votes.most_common()}
        rule = f"{own.rule}; by a vote of draws of the repeats"
        return replace(own, k_star=k, rule=rule, reason=reason, facts={"votes": named})

    def choices(
        self, areas: Column, ks: tuple[int, ...], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k that the reading chooses for each of many curves."""
        return self.reading.choices(areas, ks, facts)

    def chosen_by(
        self, areas: Column, shares: Column, ks: Sequence[int], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k that the vote of each of some runs would choose."""
        inner = self._departures(shares, self.draws // 8)
        every = (areas[:, None] + inner).reshape(-1, areas.shape[1])
        votes = self.reading.choices(every, tuple(ks), facts).reshape(len(areas), -1)
        own = self.reading.choices(areas, tuple(ks), facts)
        chosen = [most(Counter(v.tolist()), k) for v, k in zip(votes, own, strict=True)]
        return np.array(chosen, dtype=np.int64)

    @staticmethod
    def _departures(shares: Column, draws: int) -> Column:
        """Return how far the areas of draws of the repeats are from that of all."""
        rng = stream(0, "votes", len(shares))
        weights = rng.standard_exponential((draws, len(shares)))
        whole = weighted_areas(shares, np.ones((1, len(shares))))
        return weighted_areas(shares, weights) - whole


@dataclass(frozen=True)
class ClearFirst:
    """Take the k before pairs turn ambiguous; without such a k, the area decides.

    For K-means. It cuts large clusters in halves, each time stably enough for the area
    to grow on, so the area alone finds four clusters where there are two. Trees split
    off single items instead, and PAC stays low: for them the area is better.
    """

    otherwise: Votes = field(default_factory=Votes)
    reads = ("area", "pac")

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        settled = self.otherwise(curve, nulls, facts)
        clear = clear_decision(curve, facts)
        return settled if clear is None else replace(clear, columns=settled.columns)

    def choices(
        self, areas: Column, ks: tuple[int, ...], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k that the areas of each of many curves choose."""
        return self.otherwise.choices(areas, ks, facts)

    def chosen_by(
        self, areas: Column, shares: Column, ks: Sequence[int], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k that the areas of each of some runs would choose."""
        return self.otherwise.chosen_by(areas, shares, ks, facts)

    def clear_choices(
        self, pacs: Column, ks: tuple[int, ...], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k that PAC chooses for each of many curves; 0 for none."""
        return clear_ks(pacs, ks, facts)


def most(votes: Counter[int], own: int | None) -> int:
    """Return the k with most votes; of several ``own``, else the smallest.

    Examples
    --------
    >>> most(Counter([3, 3, 5, 5, 7]), 5), most(Counter([3, 3, 5, 5, 7]), 7)
    (5, 3)
    """
    top = max(votes.values())
    tied = [k for k, count in votes.items() if count == top]
    return own if own in tied else min(tied)


@dataclass(frozen=True)
class DeltaBelow:
    """Take the k before the area first grows by less than a share.

    The common reading of a Delta plot with a fixed threshold. Perfect clusters of equal
    size let the area grow by 1 / (k (k - 2)) into k: 33 % at 3, 6.7 % at 5 and 2.1 % at
    8, so that 0.1 stops at 4 at the latest.

    References
    ----------
    Thesis, section 3.3.1, rules (i) and (ii).
    """

    least: float = 0.1
    reads = ("area",)

    def __post_init__(self) -> None:
        if not 0 < self.least < 1:
            raise InputError(
                f"delta-below:{self.least:g}: the share must lie between 0 and 1"
            )

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the k before the area first grows by less than {self.least:.3g}"
        area = curve.columns["area"]
        growth = area_growth(area)
        k = int(self.choices(area[None], curve.ks, facts)[0])
        at = curve.ks.index(k)
        columns = {"growth": growth}
        if at + 1 < len(growth) and growth[at + 1] < self.least:
            reason = (
                f"the area grows by {growth[at + 1]:.1%} into k = {k + 1}, the first "
                f"step below {self.least:.3g}"
            )
        else:
            reason = f"the area grows by at least {self.least:.1%} up to k = {k}"
        return Decision(k, rule, reason, columns=columns)

    def choices(
        self, areas: Column, ks: tuple[int, ...], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k chosen for each of many curves, areas of shape (curves, ks)."""
        with np.errstate(invalid="ignore"):
            small = ~(area_growth(areas)[:, 1:] >= self.least)
        small &= np.isin(ks[:-1], facts.asked)
        first = np.array(ks)[small.argmax(axis=1)]
        return np.where(small.any(axis=1), first, facts.asked[-1])


@dataclass(frozen=True)
class BestColumn:
    """Take the k at which a column of the consensus distribution is best."""

    column: str

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        better = "low" if self.column in ("pac", "entropy") else "high"
        read = replace(curve, main=self.column, better=better)
        decision = Extreme()(read, nulls, facts)
        if decision.k_star is None:
            return decision
        word = "smallest" if better == "low" else "largest"
        first, last = facts.asked[0], facts.asked[-1]
        reason = f"{decision.reason}, the {word} of k = {first} to {last}"
        return replace(decision, reason=reason)


#: Columns by whose best value a k may be chosen.
COLUMNS = ("pac", "dispersion", "cophenetic", "entropy")
#: What a user may type.
WORDS = ("settles", "clear", "delta-below:0.1", "delta-below:0.05", *COLUMNS)


def consensus_rule(word: str) -> Rule:
    """Return the rule of a word, e.g. ``settles`` or ``delta-below:0.1``.

    Examples
    --------
    >>> consensus_rule("delta-below:0.05")
    DeltaBelow(least=0.05)
    >>> consensus_rule("pack")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    stablek.errors.InputError: unknown consensus rule 'pack'; did you mean 'pac'? ...
    """
    name, _, number = word.partition(":")
    if word == "settles":
        return Votes()
    if word == "clear":
        return ClearFirst()
    if name in COLUMNS and not number:
        return BestColumn(name)
    if name == "delta-below":
        try:
            return DeltaBelow(float(number or 0.1))
        except ValueError:
            raise InputError(
                f"delta-below:{number}: write a share, e.g. delta-below:0.1"
            ) from None
    raise unknown_name("consensus rule", word, WORDS)
