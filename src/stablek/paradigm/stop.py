"""The test H on the adequacy of the statistic: how many repeats are enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.data.seeds import stream
from stablek.errors import check_count
from stablek.paradigm.contracts import (
    ChoosesFromAreas,
    ChoosesFromPac,
    ChoosesFromRuns,
    Clusterer,
    Curve,
    Facts,
    ReadsColumns,
    Rule,
    Synopsis,
    is_slow,
)
from stablek.paradigm.cube import PartitionCube
from stablek.paradigm.statistic.comembership import ALL_PAIRS_ITEMS, shares_together
from stablek.paradigm.statistic.continuation import (
    block_sizes,
    continued_pairs,
    weighted_areas,
    weighted_pacs,
)

Scores = NDArray[np.float64]

#: Runs that are simulated to tell whether another seed would choose another k.
OTHERS = 40

#: With fewer repeats nothing is said about those to come.
LEAST = 8


@dataclass(frozen=True)
class FixedRepeats:
    """Stop after a given number of repeats: the test written H_c in the thesis.

    With the ``rule`` that reads the curve, a run can tell what other seeds would say.
    """

    repeats: int
    rule: Rule | None = None

    def __post_init__(self) -> None:
        check_count("repeats", self.repeats)

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the one count."""
        return (self.repeats,)

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason: the number that was asked for."""
        return f"{cube.repeats} repeats, as requested"

    def other_runs(self, cube: PartitionCube, facts: Facts) -> dict[int, int]:
        """Return the ks that other seeds would choose; see :func:`other_runs`."""
        return other_runs(self.rule, cube, facts)


@dataclass(frozen=True)
class Settled:
    """Stop when more repeats would change neither the curve nor the decision.

    Checked after fixed numbers of repeats. Enough means that the standard error of
    the area under the consensus CDF is at most ``tolerance`` at every k, and that the
    rule chooses the same k after each of ``continuations`` simulated continuations of
    the run up to its limit. A continuation draws its repeats from those seen, with
    weights that are themselves uncertain (the Bayesian bootstrap): forty that agree
    say, at the 95 % level, that the whole run would choose otherwise in less than one
    case of thirteen.

    The areas come from the cluster sizes, without any pair; the curve that is made of
    the pairs in the end must choose the same k, or the run continues. A rule that says
    ``reads = ("area",)`` is given just these (those of all continuations at once, if it
    has a method ``choices``), and a rule that chooses from PAC the PAC of some pairs;
    for any other the whole curve of every continuation is made, of at most 2,000 pairs,
    by ``synopsis``. ``whole`` is the rule of the finished
    run, where that is another. Where ``work`` is given, repeats times items are no more
    than that after the first count, and a slow algorithm has no other.

    References
    ----------
    Thesis, section 3.2: H is "a test on the adequacy of a statistic". Lan, Simon,
    Halperin (1982), Sequential Analysis 1, 207-219 (stochastic curtailment). Rubin
    (1981), Annals of Statistics 9, 130-134 (the Bayesian bootstrap).
    """

    rule: Rule
    counts: tuple[int, ...] = (24, 36, 48, 72, 100, 148, 200, 250)
    continuations: int = 40
    tolerance: float = 0.02
    synopsis: Synopsis | None = None
    whole: Rule | None = None
    work: int | None = None

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the counts at which to look."""
        if self.work is not None and is_slow(clusterer):
            return self.counts[:1]
        return self._bearable(data.n)

    def beside_null_sets(self) -> FixedRepeats | Settled:
        """Return the rule of a run with null sets, each of which would go on, too."""
        if self.work is None:
            return self
        return FixedRepeats(self.counts[0], self.whole or self.rule)

    def _bearable(self, n: int) -> tuple[int, ...]:
        """Return the counts that so many items allow."""
        if self.work is None:
            return self.counts
        later = (count for count in self.counts[1:] if count * n <= self.work)
        return (self.counts[0], *later)

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return what agrees, if it does."""
        limit = self._bearable(cube.n)[-1]
        more = limit - cube.repeats
        shares = shares_together(cube)
        known = np.isfinite(shares)
        done = known.sum(axis=0)
        if more <= 0 or done.min() < LEAST:
            return None
        # The function that skips NaN takes a tenth of a millisecond whatever the size.
        spread = (np.std if known.all() else np.nanstd)(shares, axis=0, ddof=1)
        error = float((spread / np.sqrt(done)).max())
        if error > self.tolerance:
            return None
        facts = Facts(n=cube.n, m=0, ks=cube.ks, asked=tuple(asked), repeats=limit)
        chosen = None
        for k in self._choices(cube, shares, more, facts):
            if chosen is not None and k != chosen:
                return None
            chosen = k
        return (
            f"after {cube.repeats} repeats each of {self.continuations} simulated "
            f"continuations up to {limit} chooses k = {chosen}, and the area "
            f"is known to {error:.4f}"
        )

    def confirms(self, curve: Curve, facts: Facts) -> bool:
        """Tell whether the curve itself chooses what the areas from sizes choose.

        After few repeats the area under the CDF of M and that from cluster sizes, which
        :meth:`enough` reads, may still differ by what the decision hangs on.
        """
        pooled = curve.columns.get("area_pooled")
        if pooled is None or not _reads_areas(self.rule):
            return True
        sizes = replace(curve, columns={**curve.columns, "area": pooled})
        own, other = (self.rule(one, None, facts).k_star for one in (curve, sizes))
        return own == other

    def other_runs(self, cube: PartitionCube, facts: Facts) -> dict[int, int]:
        """Return the ks that other seeds would choose; see :func:`other_runs`."""
        return other_runs(self.whole or self.rule, cube, facts)

    def _choices(
        self, cube: PartitionCube, shares: Scores, more: int, facts: Facts
    ) -> Iterable[int | None]:
        """Return the k of the curve seen, then that of each continuation."""
        rng = stream(0, "continuations", cube.repeats)
        sizes = _blocks(self.rule, cube.repeats)
        likely = rng.standard_exponential((self.continuations, len(sizes)))
        likely /= likely.sum(axis=1, keepdims=True)
        if self.synopsis is None or _reads_areas(self.rule):
            drawn = np.vstack([np.ones(len(sizes)), 1 + more * likely / sizes])
            areas = weighted_areas(shares, np.repeat(drawn, sizes, axis=1))
            if isinstance(self.rule, ChoosesFromAreas):
                chosen = self.rule.choices(areas, cube.ks, facts)
                return list(map(int, _pac_first(self.rule, cube, drawn, chosen, facts)))
            curves = (Curve(cube.ks, {"area": area}, "area") for area in areas)
        else:
            times = 1 + rng.multinomial(more, likely)
            seen = np.ones((1, cube.repeats), dtype=np.int64)
            pairs = continued_pairs(cube, shares, np.vstack([seen, times]))
            curves = (self.synopsis(some, facts) for some in pairs)
        return (self.rule(curve, None, facts).k_star for curve in curves)


def other_runs(rule: Rule | None, cube: PartitionCube, facts: Facts) -> dict[int, int]:
    """Return the ks that runs with other seeds would choose, each with its count.

    ``OTHERS`` runs of as many repeats are simulated from the repeats seen. What
    another run says differs from what is true as much as this one does, so that the
    two differ by twice the variance: the weights of the Bayesian bootstrap are drawn
    with it. Areas come from the cluster sizes, PAC from some pairs. `stablek bench eye`
    holds the shares against true runs with other seeds. Empty where the rule reads
    other columns, or where too little was seen.

    References
    ----------
    Rubin (1981), Annals of Statistics 9, 130-134 (the Bayesian bootstrap).
    """
    few = cube.n > ALL_PAIRS_ITEMS or cube.repeats < LEAST
    if few or not isinstance(rule, ChoosesFromAreas):
        return {}
    rng = stream(0, "other runs", cube.repeats)
    sizes = _blocks(rule, cube.repeats)
    drawn = rng.standard_gamma(0.5, (OTHERS, len(sizes)))
    shares = shares_together(cube)
    areas = weighted_areas(shares, np.repeat(drawn, sizes, axis=1))
    if isinstance(rule, ChoosesFromRuns):
        chosen = rule.chosen_by(areas, shares, cube.ks, facts)
    else:
        chosen = rule.choices(areas, cube.ks, facts)
    chosen = _pac_first(rule, cube, drawn, chosen, facts)
    return dict(sorted(Counter(chosen.tolist()).items()))


def _blocks(rule: Rule, repeats: int) -> NDArray[np.int64]:
    """Return how many repeats get one weight: pairs are counted in blocks of them."""
    if isinstance(rule, ChoosesFromPac):
        return block_sizes(repeats)
    return np.ones(repeats, dtype=np.int64)


def _pac_first(
    rule: object,
    cube: PartitionCube,
    drawn: Scores,
    by_area: NDArray[np.int64],
    facts: Facts,
) -> NDArray[np.int64]:
    """Return the k of each weighting of blocks: by PAC, if the rule has one by it."""
    if not isinstance(rule, ChoosesFromPac):
        return by_area
    clear = rule.clear_choices(weighted_pacs(cube, drawn), cube.ks, facts)
    return np.where(clear > 0, clear, by_area)


def _reads_areas(rule: Rule) -> bool:
    """Tell whether areas from cluster sizes, and PAC of some pairs, are enough."""
    by_area = isinstance(rule, ReadsColumns) and rule.reads == ("area",)
    return by_area or isinstance(rule, ChoosesFromPac)


@dataclass(frozen=True)
class Starts:
    """Repeat only what is random: one run, or several random starts (thesis: five)."""

    starts: int = 5

    def __post_init__(self) -> None:
        check_count("starts", self.starts)

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return 1 for an algorithm without randomness."""
        return (self.starts if clusterer.random else 1,)

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason."""
        return f"{cube.repeats} start(s)"


@dataclass(frozen=True)
class EveryColumn:
    """Leave out every column once, for every start: FOM's jackknife.

    An algorithm with a random start is started ``starts`` times (thesis: five); repeat
    r leaves out column r mod m.
    """

    starts: int = 5

    def __post_init__(self) -> None:
        check_count("starts", self.starts)

    def checkpoints(self, data: Dataset, clusterer: Clusterer) -> tuple[int, ...]:
        """Return the number of columns times the number of starts."""
        return (data.m * (self.starts if clusterer.random else 1),)

    def enough(self, cube: PartitionCube, asked: Sequence[int]) -> str | None:
        """Return the reason."""
        return f"{cube.repeats} column(s) left out"
