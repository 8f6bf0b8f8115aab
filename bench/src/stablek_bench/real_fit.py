"""The coefficients of the choice among ks: a softmax over k, fitted in folds by group.

The protocol (docs/protocol.md). The score is linear in the terms of
:class:`stablek.panel.choice.Evidence`. What is fitted is the chance that a k is the
right one: half of the target is the labelled number of classes, half the ks whose
partition matches the classes best; of plasmodes and mixtures all is the true k. Kinds
weigh equally, and so do groups within a kind; the shares of fair and half sets,
plasmodes and mixtures are stated below. Groups are dealt to ten folds, nine fit and the
tenth is reported; this is done for several deals. The threshold of the gate is chosen
on the same nine folds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stablek.panel.choice import COEFFICIENTS, answer_of, levels_of, weights_of
from stablek.panel.finding import settled, wider_range
from stablek.panel.strength import strength_of
from stablek_bench.real_gate import (
    IN_SOURCE,
    WEIGHED,
    Thresholds,
    claims_of,
    gate_text,
    opens,
)
from stablek_bench.real_look import RealOutcome

Floats = NDArray[np.float64]

STRENGTHS = ("strong", "moderate", "weak")

FOLDS = 10
DEALS = 10
RIDGE = 2.0

#: Parts whose sets are made from nothing real.
SIMULATED = ("mixture", "unequal", "null")

#: Total weight of each part in the fit.
SHARES = {"fair": 50.0, "half": 35.0, "mixture": 25.0, "plasmode": 15.0}

#: Of the target of a real set: what is left to the ks of the best partitions, and how
#: fast it falls with the adjusted Rand index.
BY_PARTITION, FALL = 0.5, 0.03


@dataclass(frozen=True)
class Pick:
    """What a score with the coefficients of other folds says of one set."""

    outcome: RealOutcome
    k: int
    levels: tuple[int, ...]
    strength: str
    weight: float
    by: Thresholds = IN_SOURCE

    def gated(self) -> Pick:
        """Return what is said with the gate asked: 1 where it is shut.

        Where the verdict answers by connected groups, they are the answer.
        """
        own = self.outcome
        if not opens(own, self.by):
            strength = own.strength if own.k == 1 else "suggestive"
            return replace(self, k=1, strength=strength)
        if own.shape == "connected":
            return Pick(own, own.k, (own.k,), own.strength, self.weight)
        strength = max(self.strength, own.most, key=STRENGTHS.index)
        wider = wider_range(self.k, own.ks[-1], own.n)
        strength = settled(strength, self.k, k_as_given=own.k_as_given, wider=wider)
        return replace(self, strength=strength)

    @property
    def ari(self) -> float:
        """The adjusted Rand index of the answer with the true labels."""
        own = self.outcome
        if self.k == 1:
            return 0.0
        if own.shape == "connected" and self.k == own.k:
            return own.ari_verdict
        return own.ari[own.ks.index(self.k)]


def ari_at_truth(outcome: RealOutcome) -> float:
    """Return the index of the partition at the true k, or at the largest tried."""
    k = min(outcome.k_true, outcome.ks[-1])
    return outcome.ari[outcome.ks.index(k)]


def target_of(outcome: RealOutcome) -> Floats:
    """Return how right every k is; they sum to 1."""
    right = np.zeros(len(outcome.ks))
    right[outcome.ks.index(min(outcome.k_true, outcome.ks[-1]))] = 1.0
    if outcome.case.part not in ("fair", "half"):
        return right
    ari = np.asarray(outcome.ari)
    close = np.exp((ari - ari.max()) / FALL)
    return np.asarray((1 - BY_PARTITION) * right + BY_PARTITION * close / close.sum())


def set_weights(outcomes: Sequence[RealOutcome]) -> Floats:
    """Return the weight of every set: kinds equal, groups of a kind equal."""
    where: dict[str, dict[str, dict[str, list[int]]]] = {}
    for i, one in enumerate(outcomes):
        own = where.setdefault(one.case.part, {}).setdefault(one.case.kind, {})
        own.setdefault(one.case.group, []).append(i)
    weights = np.zeros(len(outcomes))
    for part, kinds in where.items():
        for groups in kinds.values():
            for rows in groups.values():
                weights[rows] = SHARES[part] / len(kinds) / len(groups) / len(rows)
    return weights


def folds_of(outcomes: Sequence[RealOutcome], deal: int) -> dict[str, int]:
    """Return the fold of every group; real and simulated ones are dealt apart."""
    rng = np.random.default_rng(deal)
    fold: dict[str, int] = {}
    own = [one for one in outcomes if one.case.part in {*SHARES, *WEIGHED}]
    for simulated in (False, True):
        some = (one for one in own if (one.case.part in SIMULATED) == simulated)
        groups = sorted({one.case.group for one in some})
        fold |= {g: i % FOLDS for i, g in enumerate(rng.permutation(groups).tolist())}
    return fold


@dataclass(frozen=True, eq=False)
class Design:
    """The terms of many sets, padded to the same number of ks."""

    outcomes: list[RealOutcome]
    terms: dict[str, Floats]  # all, a, b: sets x ks x coefficients
    known: NDArray[np.bool_]
    target: Floats
    weight: Floats
    spread: Floats  # of each term within sets; the ridge is the same for all


def design(outcomes: Sequence[RealOutcome]) -> Design:
    """Return the sets that have terms as one design."""
    own = [one for one in outcomes if one.case.part in SHARES and one.terms]
    most = max(len(one.ks) for one in own)
    known = np.array([[i < len(one.ks) for i in range(most)] for one in own])
    terms = {
        w: np.zeros((len(own), most, len(COEFFICIENTS))) for w in ("all", "a", "b")
    }
    target = np.zeros((len(own), most))
    for i, one in enumerate(own):
        for which, table in terms.items():
            table[i, : len(one.ks)] = one.terms[which]
        target[i, : len(one.ks)] = target_of(one)
    every = terms["all"]
    means = every.sum(axis=1, keepdims=True) / known.sum(axis=1)[:, None, None]
    off = (every - means) * known[:, :, None]
    spread = np.sqrt((off**2).sum(axis=(0, 1)) / known.sum()) + 1e-9
    return Design(own, terms, known, target, set_weights(own), spread)


def fit(made: Design, rows: NDArray[np.bool_]) -> Floats:
    """Return the coefficients that fit some of the sets best, with a ridge."""
    from scipy.optimize import minimize

    x = made.terms["all"][rows] / made.spread
    known, target = made.known[rows], made.target[rows]
    weight = made.weight[rows]

    def loss(w: Floats) -> tuple[float, Floats]:
        s = np.where(known, x @ w, -np.inf)
        s = s - s.max(axis=1, keepdims=True)
        total = np.exp(s).sum(axis=1, keepdims=True)
        share = np.exp(s) / total
        logs = np.where(known, s, 0.0) - np.log(total)
        value = -(weight[:, None] * target * logs).sum() + RIDGE * w @ w
        off = weight[:, None] * (target - share)
        slope = -np.einsum("sk,skf->f", off, x) + 2 * RIDGE * w
        return float(value), slope

    start = np.zeros(x.shape[2])
    found = minimize(loss, start, jac=True, method="L-BFGS-B")
    return np.asarray(found.x / made.spread)


def pick(
    outcome: RealOutcome, coefficients: Floats, by: Thresholds = IN_SOURCE
) -> Pick:
    """Return what the score with these coefficients, and this gate, say of one set."""
    alike = np.asarray(outcome.alike)
    weights = {
        which: weights_of(np.asarray(terms) @ coefficients)
        for which, terms in outcome.terms.items()
    }
    weight = weights["all"]
    best = answer_of(weight, alike)
    steady = all(answer_of(weights[half], alike) == best for half in ("a", "b"))
    return Pick(
        outcome,
        outcome.ks[best],
        levels_of(outcome.ks, weight, best, lambda i, j: outcome.nested[i][j]),
        strength_of(float(weight[best]), steady=steady),
        float(weight[best]),
        by,
    )


@dataclass(frozen=True, eq=False)
class Fitted:
    """Outer folds of all deals, and the coefficients fitted on all sets."""

    picks: list[list[Pick]]  # one list per deal
    coefficients: dict[str, float]
    spread: dict[str, float]  # standard deviation over the folds of all deals
    gate_text: str
    elsewhere: list[Pick]  # of each kind, with coefficients of the other kinds

    def of(self, part: str, *, gate: bool) -> list[list[Pick]]:
        """Return the picks of a part, with the gate asked or not."""
        return [
            [(p.gated() if gate else p) for p in deal if p.outcome.case.part == part]
            for deal in self.picks
        ]


def fit_in_folds(outcomes: Sequence[RealOutcome]) -> Fitted:
    """Fit in ten folds by group, for every deal, and on all sets."""
    made, claims = design(outcomes), claims_of(outcomes)
    deals, found = [], []
    chosen: list[tuple[Thresholds, list[RealOutcome]]] = []
    for deal in range(DEALS):
        fold_of = folds_of(outcomes, deal)
        fold, asked = (
            np.array([fold_of[one.case.group] for one in some])
            for some in (made.outcomes, claims.outcomes)
        )
        picks: list[Pick] = []
        for one in range(FOLDS):
            w, by = fit(made, fold != one), claims.best(asked != one)
            found.append(w)
            picks += [
                pick(made.outcomes[i], w, by) for i in np.flatnonzero(fold == one)
            ]
            outer = np.flatnonzero(asked == one)
            chosen.append((by, [claims.outcomes[i] for i in outer]))
        deals.append(picks)
    whole = fit(made, np.ones(len(made.outcomes), dtype=bool))
    return Fitted(
        deals,
        dict(zip(COEFFICIENTS, whole.tolist(), strict=True)),
        dict(zip(COEFFICIENTS, np.std(found, axis=0).tolist(), strict=True)),
        gate_text(claims, chosen),
        fit_without_kinds(made),
    )


def fit_without_kinds(made: Design) -> list[Pick]:
    """Leave out each kind of real data in turn, and pick by a fit on the others.

    A plasmode is left out with the group that it was made from.
    """
    picks: list[Pick] = []
    for kind in sorted({one.case.kind for one in _real(made.outcomes)}):
        own = {one.case.group for one in _real(made.outcomes) if one.case.kind == kind}
        out = np.array([one.case.group in own for one in made.outcomes])
        if out.all():
            continue  # nothing is left to fit on
        w = fit(made, ~out)
        picks += [pick(one, w) for one in _real(made.outcomes) if one.case.kind == kind]
    return picks


def _real(outcomes: Sequence[RealOutcome]) -> list[RealOutcome]:
    return [one for one in outcomes if one.case.part in ("fair", "half")]


def mean_of(deals: list[list[Pick]], value: Callable[[Pick], float]) -> float:
    """Return the mean over sets and deals of something about a pick."""
    own = [value(one) for deal in deals for one in deal]
    return float(np.mean(own)) if own else float("nan")
