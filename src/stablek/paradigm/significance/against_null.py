"""Rules that compare a curve with the same curve on null data."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from stablek.errors import InputError, unknown_name
from stablek.paradigm.contracts import Column, Curve, Decision, Facts, Nulls

GAP_RULES = ("tibshirani", "firstSEmax", "globalSEmax", "firstmax", "globalmax")


@dataclass(frozen=True)
class Gap:
    """The Gap rule: the first k whose gap is not clearly beaten by the next.

    Gap(k) = mean over null sets of log W_b(k) - log W(k), with s(k) = sd sqrt(1 + 1/B).
    ``tibshirani``: the first k with Gap(k) >= Gap(k+1) - s(k+1). ``firstSEmax``: the
    smallest k within one s of the first local maximum; ``globalSEmax``: of the
    global one; ``firstmax`` and ``globalmax`` without allowance, as in R's clusGap.

    With several Monte Carlo runs each gives an outcome; the most frequent one wins, and
    of equally frequent ones the smallest. Where the answer is 1, the next local maximum
    of the gap is reported, too, as the thesis advises. Where 1 was not asked for,
    but is what most runs would choose, that is said.

    References
    ----------
    Thesis, section 2.2.2. Tibshirani, Walther, Hastie (2001), JRSS B 63, 411-423,
    Eq. 3 and step 3 of section 4. R package cluster, clusGap and maxSE.
    """

    method: str = "tibshirani"

    def __post_init__(self) -> None:
        if self.method not in GAP_RULES:
            raise unknown_name("gap rule", self.method, GAP_RULES)

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision."""
        if nulls is None:
            raise InputError(
                "the Gap rule needs null sets; give a null model and null_sets >= 1"
            )
        logs = nulls.columns[curve.main]
        sets = logs.shape[1]
        # Where no k before the last is good enough the last is taken, so that no rule
        # needs to look beyond the ks asked for.
        keep = sum(k <= facts.asked[-1] for k in curve.ks)
        start = curve.ks.index(facts.asked[0])
        outcomes, from_one = [], []
        for run in logs:
            gap, s = gaps(run, curve.values)
            at = max_place(gap[start:keep], s[start:keep], self.method)
            outcomes.append(curve.ks[start + at])
            from_one.append(curve.ks[max_place(gap[:keep], s[:keep], self.method)])
        counts = Counter(outcomes)
        most = max(counts.values())
        candidates = tuple(sorted(k for k, c in counts.items() if c == most))
        gap, s = gaps(logs.reshape(-1, logs.shape[2]), curve.values)
        k_star = candidates[0]
        gap_facts: dict[str, object] = {
            "outcomes": {str(k): counts[k] for k in sorted(counts)},
            "null_sets": sets,
            "runs": len(outcomes),
        }
        reason = self._reason(curve.ks, gap, s, k_star, counts[k_star], len(outcomes))
        if k_star == 1:
            later = next_local_maximum(curve.ks, gap, after=1, last=facts.asked[-1])
            if later is not None:
                gap_facts["next_local_maximum"] = later
                reason += f"; the next local maximum of the gap is at k = {later}"
        if start and from_one.count(1) > len(from_one) / 2:
            gap_facts["out_of_range"] = 1
            reason += "; if k = 1 were in the range, the answer would be 1"
        columns = {
            "null_log_wcss": logs.reshape(-1, logs.shape[2]).mean(axis=0),
            "gap": gap,
            "gap_error": s,
        }
        return Decision(
            k_star, f"Gap, {self.method}", reason, candidates, columns, gap_facts
        )

    def _reason(
        self, ks: tuple[int, ...], gap: Column, s: Column, k: int, won: int, runs: int
    ) -> str:
        at = ks.index(k)
        text = f"Gap({k}) = {gap[at]:.3f}"
        if at + 1 < len(ks):
            text += f", Gap({ks[at + 1]}) - s = {gap[at + 1] - s[at + 1]:.3f}"
        return text + (f"; {won} of {runs} runs" if runs > 1 else "")


def gaps(null_logs: Column, logs: Column) -> tuple[Column, Column]:
    """Return Gap(k) and s(k) from (null sets, ks) logs; sd as clusGap takes it."""
    sets = null_logs.shape[0]
    gap = null_logs.mean(axis=0) - logs
    sd = null_logs.std(axis=0, ddof=1) if sets > 1 else np.zeros(len(logs))
    return gap, np.sqrt(1 + 1 / sets) * sd


def max_place(gap: Column, s: Column, method: str) -> int:
    """Return the place of the k chosen, by one of R's maxSE methods.

    Where no k qualifies for Tibshirani's rule, the last one is taken, as in maxSE.
    """
    count = len(gap)
    if method == "tibshirani":
        good = np.flatnonzero(gap[:-1] >= gap[1:] - s[1:])
        return int(good[0]) if len(good) else count - 1
    if method in ("globalmax", "globalSEmax"):
        best = int(np.argmax(gap))
    else:
        falls = np.flatnonzero(np.diff(gap) <= 0)
        best = int(falls[0]) if len(falls) else count - 1
    if method in ("globalmax", "firstmax"):
        return best
    within = np.flatnonzero(gap[: best + 1] >= gap[best] - s[best])
    return int(within[0]) if len(within) else best


def next_local_maximum(
    ks: tuple[int, ...], gap: Column, after: int, last: int
) -> int | None:
    """Return the first local maximum of the gap beyond ``after``, if there is one."""
    for i in range(1, len(ks) - 1):
        if after < ks[i] <= last and gap[i - 1] < gap[i] >= gap[i + 1]:
            return ks[i]
    return None


@dataclass(frozen=True)
class MonteCarlo:
    """MECCA's rule: reject where the statistic is unusual among its null values.

    p is (1 + #) / (1 + B), # being the null values at least as extreme as the observed
    one on the side ``better`` ("high" or "low"). ``proportion`` takes the thesis's
    # / B with strictly more extreme values instead, which can be 0. The null hypothesis
    of no structure is rejected where p < ``level``; then k is returned, else 1.

    References
    ----------
    Thesis, section 1.4, procedure MECCA, steps 4-6. Davison, Hinkley (1997), Bootstrap
    Methods and their Application, Eq. 4.11.
    """

    better: str = "low"
    level: float = 0.05
    proportion: bool = False

    def __call__(self, curve: Curve, nulls: Nulls, facts: Facts) -> Decision:
        """Return the decision for the one k of the curve."""
        if nulls is None:
            raise InputError("MECCA needs null sets; give it a null model")
        k = facts.asked[0]
        at = curve.ks.index(k)
        drawn = nulls.columns[curve.main][:, :, at].ravel()
        observed = float(curve.values[at])
        p = monte_carlo_p(observed, drawn, self.better, proportion=self.proportion)
        if self.proportion:  # a missing set is as extreme as the data, not more so
            p += nulls.missing / len(drawn)
        rejected = p < self.level
        reason = f"T = {observed:.4g}, p = {p:.3g} against {len(drawn)} null sets"
        test = {"p": p, "null_values": [float(value) for value in drawn]}
        rule = f"MECCA at level {self.level:g}"
        return Decision(k if rejected else 1, rule, reason, facts=test)


def monte_carlo_p(
    observed: float, drawn: Column, better: str, *, proportion: bool = False
) -> float:
    """Return the share of null values as extreme as the observed one.

    A value that is not a number counts against structure: of a null set as extreme, of
    the data as no more extreme than any.

    Examples
    --------
    >>> import numpy as np
    >>> monte_carlo_p(1.0, np.array([1.0, 2.0, 3.0]), "low")
    0.5
    >>> monte_carlo_p(1.0, np.array([1.0, 2.0, 3.0]), "low", proportion=True)
    0.0
    """
    sign = -1.0 if better == "low" else 1.0
    if proportion:
        return float((~(sign * drawn <= sign * observed)).mean())
    return float(1 + (~(sign * drawn < sign * observed)).sum()) / (1 + len(drawn))
