"""Rules that take the k where a curve is largest, smallest, or about to fall."""

from dataclasses import dataclass

import numpy as np

from stablek.errors import check_share
from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls


def _asked(curve: Curve, facts: Facts) -> tuple[tuple[int, ...], Column]:
    inside = curve.within(facts.asked)
    return inside.ks, inside.values


def _largest(
    curve: Curve, facts: Facts, rule: str, threshold: float, *, below: bool
) -> Decision:
    """Return the largest k on the right side of a threshold; 1 if none is."""
    ks, values = _asked(curve, facts)
    if not np.isfinite(values).any():
        return Decision(None, rule, f"{curve.main} is not defined at any k")
    right = values <= threshold if below else values >= threshold
    good = tuple(k for k, is_right in zip(ks, right, strict=True) if is_right)
    if not good:
        best = int(np.nanargmin(values) if below else np.nanargmax(values))
        word = "smallest" if below else "largest"
        reason = f"the {word} is {values[best]:.3f}, at k = {ks[best]}"
        return Decision(1, rule, reason, (1,))
    reason = f"{curve.main}({good[-1]}) = {values[ks.index(good[-1])]:.3f}"
    return Decision(good[-1], rule, reason, good)


@dataclass(frozen=True)
class Extreme:
    """Take the k where the curve is best: smallest or largest, as the curve says.

    Of equally good ks the largest is taken, because the coarser partitions of stable
    clusters are stable too; all of them are reported.

    References
    ----------
    Thesis, section 3.3.4 (Roth et al.: the minimum of the expected instability).
    """

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        ks, values = _asked(curve, facts)
        low = curve.better == "low"
        word = "smallest" if low else "largest"
        rule = f"the k with the {word} {curve.main}"
        if not np.isfinite(values).any():
            return Decision(None, rule, f"{curve.main} is not defined at any k")
        best = float(np.nanmin(values) if low else np.nanmax(values))
        tied = tuple(k for k, v in zip(ks, values, strict=True) if v == best)
        k = tied[-1]
        return Decision(k, rule, f"{curve.main}({k}) = {best:.3f}", tied)


@dataclass(frozen=True)
class LargestAbove:
    """Take the largest k whose value reaches a threshold; 1 if none does.

    References
    ----------
    Tibshirani, Walther (2005), J. Computational and Graphical Statistics 14, 511-528,
    section 2 (prediction strength: 0.8 to 0.9).
    """

    threshold: float = 0.8

    def __post_init__(self) -> None:
        check_share("threshold", self.threshold, "0.8")

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the largest k with {curve.main} of at least {self.threshold:g}"
        return _largest(curve, facts, rule, self.threshold, below=False)


@dataclass(frozen=True)
class LargestBelow:
    """Take the largest k whose value is at most a threshold; 1 if none is."""

    threshold: float = 0.6

    def __post_init__(self) -> None:
        check_share("threshold", self.threshold, "0.6")

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the largest k with {curve.main} of at most {self.threshold:g}"
        return _largest(curve, facts, rule, self.threshold, below=True)


@dataclass(frozen=True)
class LargestNearTop:
    """Take the largest k whose value is at least a share of the largest value.

    The largest, not the best: where groups of clusters lie far apart, a few coarse
    groups are reproduced as well as the clusters inside them.
    """

    share: float = 0.95

    def __post_init__(self) -> None:
        check_share("share", self.share, "0.95")

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the largest k with {self.share:g} of the largest {curve.main}"
        ks, values = _asked(curve, facts)
        if not np.isfinite(values).any():
            return Decision(None, rule, f"{curve.main} is not defined at any k")
        top = float(np.nanmax(values))
        if top <= 0:
            return Decision(None, rule, f"{curve.main} is not above 0 at any k")
        good = tuple(
            k for k, v in zip(ks, values, strict=True) if v >= self.share * top
        )
        reason = (
            f"{curve.main}({good[-1]}) = {values[ks.index(good[-1])]:.3f}, the largest "
            f"is {top:.3f}"
        )
        return Decision(good[-1], rule, reason, good)


@dataclass(frozen=True)
class LocalMaxima:
    """Take the highest local maximum of the curve; report all of them.

    A local maximum is higher than its neighbours among the ks asked for; the first k
    counts when it is higher than the second, the last never does (the curve may go on
    rising). Where the curve is not defined there is no neighbour. Neighbours of one
    height are one maximum, which stands at their largest k: the coarser partitions of
    stable clusters are stable too. Levine and Domany read every local maximum as a
    level of structure: they are all in ``local_maxima``.

    References
    ----------
    Thesis, section 3.3.2. Levine, Domany (2001), Neural Computation 13, 2573-2593.
    """

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = f"the highest local maximum of {curve.main}"
        ks, values = _asked(curve, facts)
        known = np.isfinite(values)
        if not known.any():
            reason = f"{curve.main} is not defined at any k"
            return Decision(None, rule, reason, facts={"local_maxima": []})
        ks = tuple(k for k, v in zip(ks, known, strict=True) if v)
        values = values[known]
        maxima = local_maxima(values)
        if not maxima:
            reason = f"{curve.main} has no local maximum: it rises up to k = {ks[-1]}"
            return Decision(None, rule, reason, facts={"local_maxima": []})
        first, last = max(maxima, key=lambda place: (values[place[1]], place[1]))
        levels = [ks[b] for _, b in maxima]
        reason = f"{curve.main}({ks[last]}) = {values[last]:.3f}"
        if len(levels) > 1:
            reason += f"; local maxima at k = {', '.join(map(str, levels))}"
        return Decision(
            ks[last],
            rule,
            reason,
            tuple(ks[first : last + 1]),
            facts={"local_maxima": levels},
        )


def local_maxima(values: Column) -> list[tuple[int, int]]:
    """Return the first and last place of every local maximum.

    Examples
    --------
    >>> import numpy as np
    >>> local_maxima(np.array([0.9, 0.8, 0.95, 0.95, 0.7, 0.8]))
    [(0, 0), (2, 3)]
    >>> local_maxima(np.ones(3))
    [(0, 2)]
    """
    places = []
    place, count = 0, len(values)
    while place < count:
        last = place
        while last + 1 < count and values[last + 1] == values[place]:
            last += 1
        rises = place == 0 or values[place - 1] < values[place]
        falls = last + 1 < count and values[last + 1] < values[place]
        whole = place == 0 and last == count - 1  # flat from end to end
        if rises and (falls or whole):
            places.append((place, last))
        place = last + 1
    return places


@dataclass(frozen=True)
class StartsToFall:
    """Take the k at which the cophenetic correlation starts to fall.

    k* is the smallest k such that the correlation falls by more than ``fall`` from k to
    k + 1 (or in total over the ks up to the next rise). Where it never falls the
    measure gives no indication. The constant was chosen on simulated mixtures, by
    bench/speed/cophenetic_fall.py.

    References
    ----------
    Thesis, section 3.3.1. Brunet, Tamayo, Golub, Mesirov (2004), PNAS 101, 4164-4169.
    """

    column: str = "cophenetic"
    fall: float = 0.002

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        rule = (
            f"the k where the {self.column} correlation starts to fall "
            f"(by more than {self.fall:g})"
        )
        values = curve.columns[self.column]
        places = [i for i, k in enumerate(curve.ks) if k in facts.asked]
        for i in places:
            if i + 1 >= len(values) or not values[i + 1] < values[i]:
                continue
            end = i + 1
            while end + 1 < len(values) and values[end + 1] <= values[end]:
                end += 1
            if values[i] - values[end] > self.fall:
                k = curve.ks[i]
                reason = (
                    f"{self.column}({k}) = {values[i]:.3f}, then it falls to "
                    f"{values[end]:.3f} at k = {curve.ks[end]}"
                )
                return Decision(k, rule, reason)
        reason = f"the {self.column} correlation never falls"
        if (values[places] == 1.0).all():
            reason = (
                f"the {self.column} correlation is 1 at every k: all repeats gave the "
                "same partition; with restarts use an algorithm that starts at random "
                "(nmf-r, kmeans-r)"
            )
        return Decision(None, rule, reason)
