"""The choice among the numbers of clusters: a short sum, the answer, its levels.

score(k) = sum of coefficient x term. A member that votes names one k, k_m, and its term
is exp(-|ln(k / k_m)| / WIDTH): 1 at the k it names, less at its neighbours. Prediction
strength counts squared, so that clusters that nearly always come back count most. The
last term is ln(k x share of the smallest cluster), 0 for clusters of one size. The
weights of the ks are the softmax of the score.

A k is plausible if it has a fifth of the largest weight. The answer is the plausible k
whose clusters agree best with those at all ks: the mean adjusted Rand index, over the
weights. If 2, 3 and 4 are all plausible, 3 is the safest answer.

The coefficients come from ``stablek bench real --data DIR``: labelled real data,
plasmodes and simulated mixtures, in ten folds by group; docs/wrong.md has the outer
folds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from stablek.panel.members import MEMBERS, Member
from stablek.panel.reasons import dissent, reason_for, supporters
from stablek.panel.strength import strength_of
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.results.trust import nested

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

#: What each term counts in the score.
COEFFICIENTS = {
    member.name: member.coefficient for member in MEMBERS if member.read != "trust"
}

#: How far a vote reaches, in ln k: a vote for 4 gives 48 % of it to 5.
WIDTH = 0.3

#: A k with this share of the largest weight is plausible. At most two ks besides the
#: answer are named as levels: those of the largest weight, with this share of the
#: answer's, and nested with it in this share of the items.
NEAR = 0.2
NESTED = 0.9
OTHER_LEVELS = 2


@dataclass(frozen=True, eq=False)
class Choice:
    """The k chosen, and what speaks for it.

    Parameters
    ----------
    k
        The number of clusters that is the answer.
    weights
        The weight of every k; they sum to 1.
    levels
        The ks worth a look, the answer among them.
    strength
        "strong", "moderate" or "weak".
    votes
        The k that each member favours alone.
    columns
        What the members read, one column each.
    reason
        What speaks for k, in a sentence.
    dissent
        Who favours another k, one sentence for each reason.
    reasons
        What speaks for each level.
    other_draws
        The ks that halves of the draws choose, where they choose another: with other
        draws, one of these may be the answer.
    """

    k: int
    weights: dict[int, float]
    levels: tuple[int, ...]
    strength: str
    votes: dict[str, int]
    columns: dict[str, Floats]
    reason: str = ""
    dissent: tuple[str, ...] = ()
    reasons: dict[int, str] = field(default_factory=dict)
    other_draws: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Evidence:
    """The curves that the choice reads, and how many items they rest on."""

    ks: tuple[int, ...]
    curves: Mapping[str, Curve]
    n: int

    def votes(self) -> dict[str, int]:
        """Return the k that each voting member names by the rule of its measure."""
        votes: dict[str, int] = {}
        if len(self.ks) == 1:  # there is nothing to choose
            return votes
        for member in MEMBERS:
            if member.read != "vote":
                continue
            curve = self.curves[member.name]
            facts = Facts(self.n, 0, curve.ks, curve.ks)
            k = member.make(1).significance(curve, None, facts).k_star
            if k is not None and (k > 1 or not member.abstains):
                votes[member.name] = max(k, self.ks[0])
        return votes

    def column(self, member: Member) -> Floats:
        """Return what is read of a member, over the ks."""
        curve = self.curves[member.name].at(self.ks)
        return curve.columns[member.column or curve.main]

    def terms(self) -> dict[str, Floats]:
        """Return the terms of the score, one value per k each."""
        ks, votes = np.asarray(self.ks, dtype=np.float64), self.votes()
        terms = {}
        for member in MEMBERS:
            if member.read == "curve":
                terms[member.name] = member.term(self.column(member), ks, self.n)
            elif member.name in votes:
                away = np.abs(np.log(ks / votes[member.name]))
                terms[member.name] = np.exp(-away / WIDTH)
            elif member.read == "vote":
                terms[member.name] = np.zeros(len(ks))
        return terms

    def score(self) -> Floats:
        """Return the score of every k."""
        total = np.zeros(len(self.ks))
        for name, term in self.terms().items():
            total += COEFFICIENTS[name] * term
        return total

    def favourites(self) -> dict[str, int]:
        """Return the k that each member favours alone, one that votes or not."""
        tops = {
            member.name: self.ks[int(self.column(member).argmax())]
            for member in MEMBERS
            if member.read == "curve" and member.column is None and len(self.ks) > 1
        }
        return {**self.votes(), **tops}


def evidence_of(
    ks: tuple[int, ...], curves: Mapping[str, Curve], n: int, half: str = ""
) -> Evidence:
    """Return what the choice reads; ``half`` "a" or "b" takes every other draw.

    A curve may bring its halves: as columns of its own with "_a" and "_b" after the
    name of the main one, or as curves of its name with the letter after it.
    """
    read = dict(curves)
    for name, curve in curves.items():
        if half and f"{name}{half}" in curves:
            read[name] = curves[f"{name}{half}"]
        elif half and f"{curve.main}_{half}" in curve.columns:
            read[name] = replace(curve, main=f"{curve.main}_{half}")
    return Evidence(ks, read, n)


def choose(
    ks: tuple[int, ...], curves: Mapping[str, Curve], partitions: Labels
) -> Choice:
    """Return the choice among ks.

    ``curves`` are those of the members, by name, and ``predictiona`` and
    ``predictionb``, prediction strength of every other split; ``partitions`` has one
    row per k.
    """
    n = partitions.shape[1]
    seen = evidence_of(ks, curves, n)
    score, alike = seen.score(), agreements(partitions)
    weight = weights_of(score)
    best = answer_of(weight, alike)
    halves = (evidence_of(ks, curves, n, half).score() for half in "ab")
    other = {answer_of(weights_of(half), alike) for half in halves} - {best}
    levels = levels_of(
        ks, weight, best, lambda i, j: nested(partitions[i], partitions[j])
    )
    votes = seen.favourites()
    k, heaviest = ks[best], ks[int(weight.argmax())]
    return Choice(
        k=k,
        weights=dict(zip(ks, weight.tolist(), strict=True)),
        levels=levels,
        strength=strength_of(float(weight[best]), steady=not other),
        votes=votes,
        columns={
            **{
                member.column or member.name: seen.column(member)
                for member in MEMBERS
                if member.read != "trust"
            },
            "score": score,
            "agreement": alike @ weight,
        },
        reason=reason_for(k, votes, heaviest),
        dissent=dissent(k, votes),
        reasons={level: supporters(level, votes) for level in levels},
        other_draws=tuple(ks[place] for place in sorted(other)),
    )


def weights_of(score: Floats) -> Floats:
    """Return the softmax of the score: weights that sum to 1."""
    weight = np.exp(score - score.max())
    return np.asarray(weight / weight.sum())


def agreements(partitions: Labels) -> Floats:
    """Return the adjusted Rand index of every two partitions; shape (ks, ks).

    Examples
    --------
    >>> two, four = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 3, 3]
    >>> agreements(np.array([two, four])).round(2).tolist()
    [[1.0, 0.36], [0.36, 1.0]]
    """
    alike = np.eye(len(partitions))
    for i, first in enumerate(partitions):
        for j, second in enumerate(partitions[:i]):
            alike[i, j] = alike[j, i] = adjusted_rand(contingency(first, second))
    return alike


def answer_of(weight: Floats, alike: Floats) -> int:
    """Return the place of the answer: the plausible k that agrees best with all ks.

    Examples
    --------
    >>> alike = np.array([[1, 0.6, 0.3], [0.6, 1, 0.6], [0.3, 0.6, 1]])
    >>> answer_of(np.array([0.4, 0.3, 0.3]), alike)
    1
    >>> answer_of(np.array([0.9, 0.05, 0.05]), alike)
    0
    """
    plausible = weight >= NEAR * weight.max()
    return int(np.where(plausible, alike @ weight, -np.inf).argmax())


def levels_of(
    ks: tuple[int, ...], weight: Floats, best: int, nests: Callable[[int, int], float]
) -> tuple[int, ...]:
    """Return the answer and the other ks worth a look, nested with it, in order.

    ``nests(i, j)`` is the share of the items of partition i, the coarser one, that
    partition j keeps together with their cluster.
    """
    levels = [best]
    for place in np.argsort(-weight, kind="stable").tolist():
        if len(levels) > OTHER_LEVELS or weight[place] < NEAR * weight[best]:
            break
        if place != best and nests(min(best, place), max(best, place)) >= NESTED:
            levels.append(place)
    return tuple(sorted(ks[place] for place in levels))
