"""Which rule reads a consensus curve best: the choice, to be repeated by anyone.

Simulated mixtures and null sets, five algorithms, FC at k = 2..15; every rule answers
from the same curves. ``stablek bench rules`` runs it; the default rule of `consensus`
and `fc` (:class:`stablek.paradigm.significance.area.AreaSettles`) won among the rules
that need no null sets. The real files have no part in the choice;
:mod:`stablek_bench.eye` reports what each rule says of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.datasets.mixtures import MIXTURES, mixture
from stablek.datasets.nulls import NULLS, null_set
from stablek.datasets.simulated import Simulated
from stablek.engine.execution.execute import Execution
from stablek.paradigm.contracts import Curve, Facts
from stablek.paradigm.significance.area import AreaSettles, area_growth
from stablek.paradigm.significance.calibrate import compare
from stablek.paradigm.significance.votes import WORDS, consensus_rule
from stablek.paradigm.statistic.comembership import shares_together
from stablek.results.result import Result
from stablek_bench.spread import spread_in_order
from stablek_bench.wilson import Share

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]
Ks = tuple[int, ...]

ALGORITHMS = ("hier-a", "hier-c", "hier-w", "kmeans-r", "kmeans-w")
KS = tuple(range(2, 16))
REPEATS = 50
CHOOSING_SEED = 0
#: Stands in the column of algorithms where the whole panel answered.
VERDICT = "verdict"


@dataclass(frozen=True)
class Known:
    """Curves of one set by one algorithm, and the truth."""

    kind: str
    k: int
    algorithm: str
    ks: Ks
    columns: Columns
    nulls: Columns | None


def area_settles(ks: Ks, columns: Columns, drop: float, least: float) -> int:
    """Return the k of AreaSettles with these constants, and items enough for any k."""
    rule = AreaSettles(drop=drop, least=least)
    facts = Facts(rule.crowd * ks[-1], 0, ks, ks)
    return int(rule(Curve(ks, columns, "area"), None, facts).k_star or ks[0])


def by_word(ks: Ks, columns: Columns, word: str) -> int:
    """Return the k of a rule that users name; the first k where it has no answer.

    ``columns["shares"]`` are those of the repeats, shape (repeats, ks), if they are
    known: the default lets them vote. There are items enough for any k.
    """
    own = {name: column for name, column in columns.items() if name != "shares"}
    curve = Curve(ks, own, "area", shares=columns.get("shares"))
    facts = Facts(AreaSettles.crowd * ks[-1], 0, ks, ks)
    return int(consensus_rule(word)(curve, None, facts).k_star or ks[0])


def last_growth(ks: Ks, columns: Columns, least: float) -> int:
    """Return the last k into which the area grows by this share (a fixed Delta)."""
    grown = np.flatnonzero(np.nan_to_num(area_growth(columns["area"])) >= least)
    return ks[int(grown[-1])] if grown.size else ks[0]


def most_certain(ks: Ks, columns: Columns) -> int:
    """Return the k at which :func:`certainty` is largest."""
    return ks[int(np.nanargmax(certainty(columns)))]


def certainty(columns: Columns) -> Floats:
    """Return one minus entropy over that of a pair drawn at random."""
    p = np.clip(1 - columns["area"], 1e-12, 1 - 1e-12)
    whole = -(p * np.log(p) + (1 - p) * np.log(1 - p))
    return np.asarray(1 - columns["entropy"] / whole)


#: What a measure does unless another rule is named.
DEFAULT = "settles"
#: Rules that read one curve: first those of ``--set rule=``, by the word that is typed.
RULES: dict[str, Callable[[Ks, Columns], int]] = {
    **{word: partial(by_word, word=word) for word in (*WORDS, "delta-below:0.02")},
    **{
        f"area settles {drop:g} x, {least:.0%}": partial(
            area_settles, drop=drop, least=least
        )
        for drop in (2.0, 3.0, 4.0)
        for least in (0.02, 0.05, 0.1)
    },
    **{
        f"Delta >= {least:.0%}": partial(last_growth, least=least)
        for least in (0.02, 0.05, 0.1, 0.15)
    },
    "largest certainty": most_certain,
}


def rcsi(ks: Ks, columns: Columns, nulls: Columns) -> int:
    """Return M3C's answer: the largest log ratio of null to real PAC, 1 if p > 0.05.

    References
    ----------
    John et al. (2020), M3C, Scientific Reports 10, 1816, Methods (RCSI).
    """
    low = 1e-3
    ratio = np.log(nulls["pac"].mean(axis=0) + low) - np.log(columns["pac"] + low)
    p = compare(columns["pac"], nulls["pac"], "low").p
    best = int(np.argmax(ratio))
    return ks[best] if p[best] <= 0.05 + 1e-12 else 1


def gated(ks: Ks, columns: Columns, nulls: Columns, name: str) -> int:
    """Return a rule's answer where p over all k is at most 0.05, else 1."""
    p = compare(columns["pac"], nulls["pac"], "low").p_any
    return RULES[name](ks, columns) if p <= 0.05 + 1e-12 else 1


#: Rules that need null sets (M3C's Gaussian).
WITH_NULLS: dict[str, Callable[[Ks, Columns, Columns], int]] = {
    "RCSI (M3C)": rcsi,
    **{
        f"{name}, calibrated": partial(gated, name=name)
        for name in ("area settles 3 x, 10%", "pac")
    },
}


def sets(seeds: range) -> Iterator[tuple[str, Simulated]]:
    """Yield mixtures of every flavour and null sets of every kind."""
    for seed in seeds:
        for flavour in MIXTURES:
            for k in (2, 3, 4, 5, 6, 8):
                if flavour == "two-level" and (k < 4 or k % 2):
                    continue
                m = (2, 10, 60)[(seed + k) % 3]
                error = (0.01, 0.03)[seed % 2]
                yield "mixture", mixture(flavour, k, m, seed, bayes_error=error)
        for place, kind in enumerate(NULLS):
            n, m = ((80, 60), (120, 15), (150, 4))[(seed + place) % 3]
            yield "null", null_set(kind, n, m, seed)


def curves(kind: str, made: Simulated, algorithm: str, null_sets: int) -> Known:
    """Return the curves of FC on one set, and on its null sets."""
    from stablek.api.choose_k import choose_k
    from stablek.data import Dataset
    from stablek.engine.plan import plan
    from stablek.engine.run import Worker, null_curves
    from stablek.measures import measure
    from stablek.paradigm.cluster import algorithm as named
    from stablek.paradigm.perturb.null import null_model

    data = Dataset(made.values)
    found = choose_k(data, "fc", algorithm, KS, repeats=REPEATS, jobs=1)
    nulls = None
    if null_sets:
        planned = plan(data, measure("fc", repeats=REPEATS), named(algorithm), KS, 0)
        worker = Worker(planned, Execution(1))
        drawn = null_curves(worker, null_model("m3c"), null_sets, REPEATS)
        inside = slice(0, len(KS))
        nulls = {name: c[0][:, inside] for name, c in drawn.columns.items()}
    return Known(kind, made.k, algorithm, KS, with_shares(found), nulls)


def with_shares(found: Result) -> Columns:
    """Return the columns of a result, with the shares of its repeats at its ks."""
    cube = found.cube
    assert cube is not None  # a fresh result holds it
    places = [cube.ks.index(k) for k in found.ks]
    return {**found.columns, "shares": shares_together(cube)[:, places]}


def answers(known: Known) -> dict[str, int]:
    """Return every rule's answer."""
    said = {name: rule(known.ks, known.columns) for name, rule in RULES.items()}
    if known.nulls is not None:
        for name, with_nulls in WITH_NULLS.items():
            said[name] = with_nulls(known.ks, known.columns, known.nulls)
    return said


def whole_verdict(kind: str, made: Simulated) -> tuple[Known, dict[str, int]]:
    """Return the verdict's answer; where its panel disagrees, its best guess."""
    from stablek.api.verdict import verdict

    found = verdict(made.values, jobs=1)
    return Known(kind, made.k, VERDICT, (), {}, None), {VERDICT: found.k or 1}


def run_rules(
    count: int,
    seed: int = CHOOSING_SEED,
    execution: Execution | None = None,
    null_sets: int = 0,
    algorithms: tuple[str, ...] = ALGORITHMS,
    *,
    verdicts: bool = False,
) -> list[tuple[Known, dict[str, int]]]:
    """Return all curves with the rules' answers, for so many seeds."""
    how = execution or Execution()
    made = list(sets(range(seed, seed + count)))
    cases = [
        (kind, one, algorithm, null_sets)
        for kind, one in made
        for algorithm in algorithms
    ]
    known = spread_in_order(_curves, cases, how)
    found = [(one, answers(one)) for one in known]
    if verdicts:
        found += spread_in_order(_whole_verdict, made, how)
    return found


def _curves(case: tuple[str, Any, str, int]) -> Known:
    return curves(*case)


def _whole_verdict(case: tuple[str, Any]) -> tuple[Known, dict[str, int]]:
    return whole_verdict(*case)


def table(found: list[tuple[Known, dict[str, int]]]) -> list[dict[str, Any]]:
    """Return one row per rule: exact and within one on mixtures, claims on null sets.

    Ordered by exact answers.
    """
    rows = []
    every = dict.fromkeys(one.algorithm for one, _ in found if one.algorithm != VERDICT)
    for name in dict.fromkeys(name for _, said in found for name in said):
        asked = [(one, said[name]) for one, said in found if name in said]
        mixed = [(one, k) for one, k in asked if one.k > 1]
        nulls = [k for one, k in asked if one.k == 1]
        by_algorithm = {
            a: Share(
                sum(k == one.k for one, k in mixed if one.algorithm == a),
                sum(one.algorithm == a for one, _ in mixed),
            )
            for a in every
        }
        rows.append(
            {
                "rule": name,
                "exact": Share(sum(k == one.k for one, k in mixed), len(mixed)),
                "within one": Share(
                    sum(abs(k - one.k) <= 1 for one, k in mixed), len(mixed)
                ),
                "claims on null sets": Share(sum(k > 1 for k in nulls), len(nulls)),
                **by_algorithm,
            }
        )
    return sorted(rows, key=lambda row: -row["exact"].value)
