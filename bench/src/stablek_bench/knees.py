"""Which rule reads a knee best: simulated curves whose knee is known, and the choice.

Rules and constants are chosen on the simulations of ``CHOOSING`` alone. What they are
worth is said on ``REPORTING``, seeds that had no part in the choice, and then on the
thesis's tables (what the eye saw on real data), which choose nothing either.
``stablek bench knees`` runs it; :mod:`stablek_bench.knee_page` writes docs/knees.md.
The curves are those of WCSS. FOM's rule is chosen by :mod:`stablek_bench.fom_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.seeds import stream
from stablek.paradigm.contracts import Column
from stablek.paradigm.significance.knee import KNEES, Found, drop_ratio
from stablek_bench.reference import numbers_of_clusters, printed
from stablek_bench.sources import SOURCES, load_source

Rule = Callable[[Column, Column, int], Found]

K_MAX = 30

#: Seeds of the simulations on which rules and constants are chosen.
CHOOSING = range(6)
#: Seeds of the simulations on which the choice is reported.
REPORTING = range(100, 104)

#: Numbers of clusters and of columns of the simulated data.
SHAPES = ((2, 10), (3, 4), (4, 10), (6, 10), (8, 20), (3, 100), (6, 100))

#: Windows and floors of ``drop-ratio`` among which the choice is made.
WINDOWS = (1, 2, 3, 5)
FLOORS = (0.005, 0.01, 0.02, 0.03, 0.05)

#: What rules are chosen on, both weighing alike: curves that follow the theory, and
#: WCSS of simulated data.
KINDS = ("curves", "wcss")

#: The thesis's data sets that are at hand, and its table of WCSS curves.
DATASETS = ("CNS Rat", "Leukemia", "NCI60", "Lymphoma", "Yeast")
TABLE = "WCSSapp"

#: Rows of the thesis's tables, with the algorithm and the refresh step they stand for.
ROWS = {
    **{f"Hier-{x.upper()}": (f"hier-{x}", None) for x in "acs"},
    **{f"K-means-{x.upper()}": (f"kmeans-{x}", None) for x in "racs"},
    **{f"R-R{r}": ("kmeans-r", r) for r in (0, 2, 5)},
}


@dataclass(frozen=True)
class Known:
    """A curve whose knee is known: abscissae, values, number of items, the knee."""

    kind: str
    ks: tuple[int, ...]
    values: Column
    n: int
    knee: int


def simulated_curves(seeds: Iterable[int]) -> Iterator[Known]:
    """Return curves that follow the theory of K-means with a knee put in.

    log W(k) = -(2/d) log k - sum of g_j up to min(k, knee) + noise: items spread evenly
    over d dimensions, plus gains g_j of finding the j-th cluster, largest first. d is
    2, 5 or 20, the gains add up to 1, 2 or 3, the noise is 0.005 or 0.02 per step.
    """
    ks = tuple(range(1, K_MAX + 1))
    x = np.asarray(ks, float)
    for seed in seeds:
        for knee in range(2, 11):
            for d in (2, 5, 20):
                for total in (1.0, 2.0, 3.0):
                    rng = stream(seed, "knee curve", knee, d, int(total))
                    gains = np.sort(rng.dirichlet(np.full(knee - 1, 4.0)))[::-1]
                    fall = np.zeros(K_MAX)
                    fall[1:knee] = total * gains
                    noise = rng.normal(0, rng.choice([0.005, 0.02]), K_MAX)
                    logs = -2 / d * np.log(x) - np.cumsum(fall) + noise
                    yield Known("curves", ks, np.exp(logs), 200, knee)


def simulated_data(
    seeds: Iterable[int], algorithms: Sequence[str] = ("hier-a", "kmeans-r", "kmeans-c")
) -> Iterator[Known]:
    """Return WCSS curves of mixtures with a known number of clusters."""
    from stablek.api.choose_k import choose_k
    from stablek.datasets.mixtures import MIXTURES, mixture

    for seed in seeds:
        for flavour in sorted(MIXTURES):
            for k, m in SHAPES:
                if flavour == "two-level" and (k % 2 or k < 4):
                    continue
                # Every seed sees both overlaps and two sizes, in turn; expression data
                # have few items and many columns.
                turn = seed + k
                n, smallest = ((None, 20), (75 * k, 60))[turn // 2 % 2]
                if m >= 100:
                    n, smallest = 10 * k + 10, 6
                made = mixture(
                    flavour,
                    k,
                    m,
                    seed,
                    bayes_error=(0.01, 0.05)[turn % 2],
                    smallest=smallest,
                    n=n,
                )
                for algorithm in algorithms:
                    ks = range(1, min(K_MAX, len(made.values) - 1) + 1)
                    found = choose_k(made.values, "wcss", algorithm, ks, seed=seed)
                    curve = found.columns["wcss"]
                    yield Known("wcss", found.ks, curve, len(made.values), k)


def read(rule: Rule, ks: Sequence[int], values: Column, n: int) -> int | None:
    """Return the k at which a rule sees the knee."""
    place = rule(np.asarray(ks, float), np.asarray(values, float), n)[1]
    return None if place is None else ks[place]


def scores(curves: Sequence[Known], rules: Mapping[str, Rule]) -> dict[str, Any]:
    """Return, per rule: share exact, share within one, mean distance (at most 10)."""
    table = {}
    for name, rule in rules.items():
        found = [read(rule, c.ks, c.values, c.n) for c in curves]
        off = np.array(
            [
                10 if k is None else min(10, abs(k - c.knee))
                for k, c in zip(found, curves, strict=True)
            ]
        )
        table[name] = summary(off)
    return table


def summary(off: NDArray[Any]) -> tuple[float, float, float]:
    """Return the share exact, the share within one, and the mean distance."""
    return float((off == 0).mean()), float((off <= 1).mean()), float(off.mean())


def overall(curves: Sequence[Known], rules: Mapping[str, Rule]) -> dict[str, float]:
    """Return the share exact of each rule, both kinds weighing alike."""
    parts = [scores([c for c in curves if c.kind == kind], rules) for kind in KINDS]
    return {name: float(np.mean([part[name][0] for part in parts])) for name in rules}


@dataclass(frozen=True)
class Choice:
    """What the choosing simulations chose: constants, and how often rules are exact."""

    window: int
    least: float
    share: Mapping[str, float]

    @property
    def rules(self) -> dict[str, Rule]:
        """All rules, ``drop-ratio`` with its constants."""
        chosen = partial(drop_ratio, window=self.window, least=self.least)
        return {**KNEES, "drop-ratio": chosen}

    @property
    def best(self) -> str:
        """The rule that is exact most often."""
        return max(self.share, key=lambda name: self.share[name])


def choose(curves: Sequence[Known]) -> Choice:
    """Return the constants of ``drop-ratio``, then the rules, exact most often."""
    pairs = [(window, least) for window in WINDOWS for least in FLOORS]
    tried: dict[str, Rule] = {
        str(pair): partial(drop_ratio, window=pair[0], least=pair[1]) for pair in pairs
    }
    exact = overall(curves, tried)
    window, least = max(pairs, key=lambda pair: exact[str(pair)])
    rules = Choice(window, least, {}).rules
    return Choice(window, least, overall(curves, rules))


@dataclass(frozen=True)
class Seen:
    """A curve on real data, what the eye saw there, and the number of classes."""

    curve: Known
    eye: tuple[int, ...]


def real_curves(folder: str) -> Iterator[Seen]:
    """Return curves on the thesis's data for every cell in which the eye saw a k.

    The data are prepared as the tables of the bench have them.
    """
    from stablek.api.choose_k import choose_k

    seen = printed()
    for dataset in DATASETS:
        loaded = load_source(SOURCES[dataset], folder)
        if loaded is None:
            continue
        n = loaded.data.n
        ks = range(2, min(K_MAX, n - 1) + 1)
        for row, (algorithm, refresh) in ROWS.items():
            eye = numbers_of_clusters(seen.get((TABLE, row, dataset)))
            if not eye:
                continue
            name = "wcss" if refresh is None else "wcss-r"
            settings: dict[str, Any] = {} if refresh is None else {"refresh": refresh}
            found = choose_k(loaded.data, name, algorithm, ks, **settings)
            values = found.columns["wcss"]
            yield Seen(Known("wcss", found.ks, values, n, loaded.gold), eye)


def eye_scores(seen: Sequence[Seen], rules: Mapping[str, Rule]) -> dict[str, Any]:
    """Return, per rule: as the eye exactly, within one, and gold number within one."""
    table = {}
    for name, rule in rules.items():
        found = [read(rule, s.curve.ks, s.curve.values, s.curve.n) for s in seen]
        as_eye = [
            10 if k is None else min(abs(k - e) for e in s.eye)
            for k, s in zip(found, seen, strict=True)
        ]
        as_gold = [
            10 if k is None else abs(k - s.curve.knee)
            for k, s in zip(found, seen, strict=True)
        ]
        exact, near, _ = summary(np.asarray(as_eye))
        table[name] = (exact, near, summary(np.asarray(as_gold))[1])
    return table


def eye_near_gold(seen: Sequence[Seen]) -> float:
    """Return how often the eye itself was within one of the gold number."""
    off = [min(abs(e - s.curve.knee) for e in s.eye) for s in seen]
    return summary(np.asarray(off))[1]
