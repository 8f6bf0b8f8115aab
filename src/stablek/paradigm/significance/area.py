"""Rules that read the area under the distribution of consensus values.

Their constants are chosen on simulated curves and data only; `stablek bench rules`
repeats the choice.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls


@dataclass(frozen=True)
class AreaSettles:
    """Take the last k at which the consensus area still grew markedly.

    g(k) = (A(k) - A(k-1)) / A(k-1) is the relative growth of the area into k, with the
    running maximum of A for A (the Delta' of Monti et al.; the same as A where A never
    falls). k* is the largest k with g(k) >= ``least`` and g(k) >= ``drop`` times the
    mean of the ``window`` growths that follow: there the Delta curve falls, and from
    there on it is level. Where no k qualifies the area never settles visibly, and the
    smallest k is returned. An area below ``floor`` counts as ``floor``: single items
    that split off double a tiny area at every step, and each seed doubles it elsewhere.

    A fixed threshold on g, the common reading of a Delta plot, cannot serve alone: k
    equal clusters that are perfectly stable give A(k) = 1 - 1/k and g(k) = 1 / (k (k -
    2)), 33 % at 3 and 2 % at 8. So a smaller step counts, too, where the area is
    within 3 % of that of k equal clusters, the step within 10 %, and ``drop`` times the
    mean of the ``longer`` growths that follow; not at the end of the range, nor with
    fewer than ``crowd`` items per cluster. The constants were chosen on simulated
    mixtures and real sets (docs/rules.md).

    Above ``many`` items, where trees are too large and K-means is what runs, ambiguous
    pairs (:func:`clear_k`) come first: K-means cuts large clusters in halves, the
    area keeps growing, and on simulated mixtures of 12,000 items with clusters of
    several sizes and shapes (`bench/speed/clear_k.py`) the area alone was right
    less than half as often.

    References
    ----------
    Thesis, section 3.3.1, rules (i) and (ii). Monti, Tamayo, Mesirov, Golub (2003),
    Machine Learning 52, 91-118, section 3.3.1.
    """

    drop: float = 3.0
    least: float = 0.1
    floor: float = 0.3
    window: int = 3
    equal_area: float = 0.97
    equal_step: float = 0.9
    longer: int = 5
    crowd: int = 5
    many: int = 10_000
    reads = ("area",)

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        growth, _, marked = self._marked(curve.columns["area"], curve.ks, facts)
        columns = {"growth": growth}
        clear = self.by_pac(curve, facts)
        if clear is not None:
            return replace(clear, columns=columns)
        if not marked.any():
            reason = "the area does not clearly settle; the smallest k is returned"
            return Decision(facts.asked[0], self.rule, reason, columns=columns)
        k_star = curve.ks[int(np.flatnonzero(marked)[-1])]
        reason = self.reason(curve, k_star, facts)
        return Decision(k_star, self.rule, reason, columns=columns)

    @property
    def rule(self) -> str:
        """The rule in words."""
        return (
            f"the last k where the area grows by at least {self.least:.0%}, or as k "
            f"equal clusters allow, and {self.drop:g} times as much as over the next "
            f"{self.window} (or {self.longer})"
        )

    def by_pac(self, curve: Curve, facts: Facts) -> Decision | None:
        """Return the decision by ambiguous pairs, for very many items and a clear k."""
        if facts.n <= self.many or (clear := clear_decision(curve, facts)) is None:
            return None
        return replace(clear, rule=f"{clear.rule} (above {self.many:,} items)")

    def reason(self, curve: Curve, k: int, facts: Facts) -> str:
        """Return what the area does at a k: how it grows into it, and after it."""
        growth, after, marked = self._marked(curve.columns["area"], curve.ks, facts)
        at = curve.ks.index(k)
        if not np.isfinite(growth[at]):
            return f"after k = {k} no step of the consensus area stands out"
        later = max(float(after[at]), 0.0)
        if not np.isfinite(later):
            return (
                f"the consensus area grows by {growth[at]:.1%} into k = {k}, the last"
            )
        into = f"the consensus area grows by {growth[at]:.1%} into k = {k}"
        if marked[at] and growth[at] < self.least:
            later = max(float(following_mean(growth, self.longer)[at]), 0.0)
            into += f", as {k} equal and stable clusters allow (1 / (k (k - 2)) = "
            into += f"{1 / (k * (k - 2)):.1%})"
        slower = f", {growth[at] / later:.1f} times less" if later > 0 else ""
        return f"{into}, and by {later:.1%} per step after it{slower}"

    def choices(
        self, areas: Column, ks: tuple[int, ...], facts: Facts
    ) -> NDArray[np.int64]:
        """Return the k chosen for each of many curves, areas of shape (curves, ks)."""
        marked = self._marked(areas, ks, facts)[2]
        last = len(ks) - 1 - marked[:, ::-1].argmax(axis=1)
        return np.where(marked.any(axis=1), np.array(ks)[last], facts.asked[0])

    def _marked(
        self, area: Column, ks: tuple[int, ...], facts: Facts
    ) -> tuple[Column, Column, NDArray[np.bool_]]:
        """Return the growth, the mean of those that follow, and where it is marked."""
        growth = area_growth(area, self.floor)
        after = following_mean(growth, self.window)
        k = np.asarray(ks, dtype=np.float64)
        with np.errstate(invalid="ignore"):
            large = growth >= self.least
            equal = area >= self.equal_area * (1 - 1 / k)
            equal &= growth * np.maximum(k * (k - 2), 1.0) >= self.equal_step
            equal &= growth >= self.drop * following_mean(growth, self.longer)
            equal &= self.crowd * k <= facts.n
            equal[..., -self.window :] = False
            marked = np.where(large, growth >= self.drop * after, equal)
        asked = frozenset(facts.asked)
        return growth, after, marked & [k in asked for k in ks]


def clear_k(curve: Curve, facts: Facts) -> int | None:
    """Return the k after which ambiguous pairs multiply most, if hardly any is before.

    At k* PAC(k) <= 0.05 and r(k) = (0.002 + the least PAC at any larger k) / (0.002 +
    PAC(k)) is largest, and at least 2. None where PAC is not known, never that low, or
    never rises for good.

    References
    ----------
    Senbabaoglu, Michailidis, Li (2014), Scientific Reports 4, 6207 (PAC).
    """
    if "pac" not in curve.columns:
        return None
    return int(clear_ks(curve.columns["pac"][None], curve.ks, facts)[0]) or None


def clear_ks(pacs: Column, ks: tuple[int, ...], facts: Facts) -> NDArray[np.int64]:
    """Return :func:`clear_k` of each of many curves, shape (curves, ks); 0 for none."""
    if len(ks) < 2:
        return np.zeros(len(pacs), dtype=np.int64)
    least = np.minimum.accumulate(pacs[:, ::-1], axis=1)[:, ::-1][:, 1:]
    rise = (0.002 + least) / (0.002 + pacs[:, :-1])
    fits = (pacs[:, :-1] <= 0.05) & (rise >= 2.0) & np.isin(ks[:-1], facts.asked)
    # Of equal rises the one at the largest k.
    last = np.where(fits, rise, 0.0)[:, ::-1].argmax(axis=1)
    return np.where(fits.any(axis=1), np.array(ks[:-1])[::-1][last], 0)


def clear_decision(curve: Curve, facts: Facts) -> Decision | None:
    """Return the decision for :func:`clear_k` in words; None where there is none."""
    if (clear := clear_k(curve, facts)) is None:
        return None
    at = curve.ks.index(clear)
    pac = curve.columns["pac"]
    reason = (
        f"at k = {clear} a share of {pac[at]:.3f} of the pairs is ambiguous "
        f"(PAC), at every larger k at least {pac[at + 1 :].min():.3f}"
    )
    rule = "the k before pairs turn ambiguous"
    return Decision(clear, rule, reason, decided_by="pac")


def area_growth(area: Column, floor: float = 0.0) -> Column:
    """Return the relative growth of the running maximum of the area into each k.

    Of one curve, or of each of many, shape (curves, ks). Areas below ``floor`` count as
    ``floor`` where they are divided by.
    """
    top = np.maximum.accumulate(area, axis=-1)
    growth = np.full(area.shape, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        growth[..., 1:] = np.diff(top) / np.maximum(top[..., :-1], floor)
    growth[~np.isfinite(growth)] = np.nan
    return growth


def following_mean(values: Column, window: int) -> Column:
    """Return the mean of up to ``window`` values that follow; infinite at the end."""
    count = values.shape[-1]
    sums, counts = np.zeros(values.shape), np.zeros(count)
    for step in range(1, min(window, count - 1) + 1):
        sums[..., : count - step] += values[..., step:]
        counts[: count - step] += 1
    after = np.full(values.shape, np.inf)
    np.divide(sums, counts, out=after, where=counts > 0)
    return after
