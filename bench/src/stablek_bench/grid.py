"""Which row of a thesis table is which measure, and which column which data set.

A :class:`Recipe` is all it takes to compute one cell on a data set. Tables that quote
one another (the summaries, the approximations beside what they approximate, the times)
name the same recipe, so that nothing is computed twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from stablek.errors import unknown_name
from stablek.measures.presets import preset_settings

HIERARCHICAL = ("Hier-A", "Hier-C", "Hier-S")
K_MEANS = ("K-means-R", "K-means-A", "K-means-C", "K-means-S")
NMF = ("NMF-R", "NMF-A", "NMF-C", "NMF-S")
CLASSIC = HIERARCHICAL + K_MEANS

FIRST_FIVE = ("CNS Rat", "Leukemia", "NCI60", "Lymphoma", "Yeast")
FIRST_SIX = (*FIRST_FIVE, "PBM")
#: Most time tables leave out Yeast and PBM.
TIMED = FIRST_FIVE[:4]
MONTI = ("Novartis", "St.Jude", "Normal")
SIMULATED = ("Gaussian3", "Gaussian5", "Simulated6")

#: The recipes that one run of subsamples serves, at several numbers of repeats.
SHARES_CUBE = ("consensus", "fc")


@dataclass(frozen=True)
class Recipe:
    """What one cell needs: what to compute, the measure, the algorithm, the settings.

    ``what`` is "choose" (k*), "external" (partitions of the whole data against the
    classes), "consensus-cut" (the cut of the consensus matrix at the k that the thesis
    prints, against the classes), "euclidean-cut" (the cut of the distance matrix at
    the same k), "composed" or "peer".
    """

    what: str
    measure: str
    algorithm: str
    settings: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> str:
        """The recipe as text: equal recipes have equal keys."""
        parts = [self.what, self.measure, self.algorithm, dict(self.settings)]
        return json.dumps(parts, sort_keys=True)

    @property
    def family(self) -> tuple[Any, ...]:
        """What recipes that are computed in one pass have in common."""
        if self.measure in SHARES_CUBE and self.what == "choose":
            fraction = dict(self.settings)["fraction"]
            return ("cube", self.measure, self.algorithm, fraction)
        if self.measure in ("me", "clest"):
            return ("indices", self.measure, self.algorithm)
        return ("alone", self.key)


@dataclass(frozen=True)
class Table:
    """A table of the thesis: ``kind`` is "k", "time" (milliseconds) or "index"."""

    name: str
    kind: str
    rows: Mapping[str, Recipe]
    columns: tuple[str, ...]


def algorithm_word(printed: str) -> str:
    """Return the word users type for an algorithm of the thesis.

    Factorisation is the thesis's: Brunet's update rule, stopped by his connectivity
    matrix. Negative values are folded: on simulated data that keeps the clusters far
    better than a shift (bench/speed/nmf_remedies.py). The thesis does not say what it
    did.

    Examples
    --------
    >>> algorithm_word("K-means-R"), algorithm_word("NMF-A")
    ('kmeans-r', 'nmf-a+fold+brunet')
    """
    word = printed.lower().replace("k-means", "kmeans")
    return f"{word}+fold+brunet" if word.startswith("nmf") else word


def choose(measure: str, printed: str, **settings: Any) -> Recipe:
    """Return the recipe of k* by a measure and an algorithm of the thesis.

    "R-R5" is the approximation by merging down, with K-means-R refreshed every 5 steps.
    """
    if printed.startswith("R-R"):
        settings["refresh"] = int(printed[3:])
        measure = {"wcss": "wcss-r", "fom": "fom-r"}.get(measure, measure)
        printed = "K-means-R"
    pairs = tuple(sorted(settings.items()))
    return Recipe("choose", measure, algorithm_word(printed), pairs)


def consensus(printed: str, repeats: int | None, percent: int = 80) -> Recipe:
    """Return the recipe of Consensus; ``repeats`` None: stablek's default."""
    return _sampled("consensus", printed, repeats, percent / 100)


def fast(printed: str, repeats: int | None = 250) -> Recipe:
    """Return the recipe of FC; ``repeats`` None: stablek's default."""
    return _sampled("fc", printed, repeats, 0.8)


def _sampled(
    measure: str, printed: str, repeats: int | None, fraction: float
) -> Recipe:
    """Return the recipe of Consensus or FC.

    The default is the library's own, with the rule that it has for the algorithm. That
    rule is part of the recipe: cells of another default are not taken for it.
    """
    own = {}
    if repeats is None:
        own = preset_settings(None, measure, algorithm_word(printed))
    return choose(measure, printed, repeats=repeats, fraction=fraction, **own)


def _rows(measure: str, names: Iterable[str], prefix: str = "") -> dict[str, Recipe]:
    return {prefix + name: choose(measure, name) for name in names}


def _cuts(measure: str, repeats: int) -> dict[str, Recipe]:
    """Return the recipes of cuts: of consensus matrices, or of distances."""
    settings = (("fraction", 0.8), ("repeats", repeats)) if measure else ()
    what = "consensus-cut" if measure else "euclidean-cut"
    return {
        name: Recipe(what, measure, algorithm_word(name), settings)
        for name in HIERARCHICAL
    }


def _indices(measure: str, title: str) -> dict[str, Recipe]:
    return {
        f"{title}-{printed}-{name}": choose(measure, name, index=index)
        for printed, index in (("FM", "fm"), ("Adj", "adj"), ("F", "f"))
        for name in CLASSIC
    }


_REFRESHED = ("R-R0", "R-R2", "R-R5")
_APPROXIMATED = (*HIERARCHICAL, *_REFRESHED, *K_MEANS)
_GAP = {
    f"Gap-{null}-{name}": choose(f"gap-{null.lower()}", name)
    for null in ("Ps", "Pc", "Pr")
    for name in CLASSIC
}
_CONSENSUS_BEST = ("Hier-A", "Hier-C", *K_MEANS)
_SUMMARY_CLEST = {
    "Clest-F-K-means-R": choose("clest", "K-means-R", index="f"),
    "Clest-FM-K-means-R": choose("clest", "K-means-R", index="fm"),
}
_SUMMARY_CONSENSUS = {f"Consensus-{a}": consensus(a, 500) for a in _CONSENSUS_BEST}
_FAST = {
    "WCSS-K-means-C": choose("wcss", "K-means-C"),
    "WCSS-R-R0": choose("wcss", "R-R0"),
    "G-Gap-K-means-R": choose("g-gap", "K-means-R"),
    "G-Gap-R-R5": choose("g-gap", "R-R5"),
    "FOM-K-means-C": choose("fom", "K-means-C"),
    "FOM-K-means-S": choose("fom", "K-means-S"),
    "FOM-R-R5": choose("fom", "R-R5"),
    "FOM-Hier-A": choose("fom", "Hier-A"),
    "DIFF-FOM-K-means-C": choose("diff-fom", "K-means-C"),
}


def _precision() -> Iterable[tuple[str, dict[str, Recipe], tuple[str, ...]]]:
    """Yield the precision tables: name, rows, columns."""
    yield "WCSS", _rows("wcss", CLASSIC), FIRST_SIX
    yield "KL-Index", _rows("kl", CLASSIC), FIRST_SIX
    yield "Gap", _GAP, FIRST_SIX
    yield "Clest-summary", _indices("clest", "Clest"), FIRST_FIVE
    yield "ME", _indices("me", "ME"), FIRST_SIX
    yield "consensus", {a: consensus(a, 500) for a in CLASSIC}, FIRST_FIVE
    yield "FOM-Index", _rows("fom", CLASSIC), FIRST_SIX
    summary = {
        "WCSS-K-means-C": choose("wcss", "K-means-C"),
        **{f"FOM-{a}": choose("fom", a) for a in ("Hier-A", "K-means-C", "K-means-S")},
        **_SUMMARY_CLEST,
        **_SUMMARY_CONSENSUS,
    }
    yield "summary-table", summary, FIRST_FIVE
    yield "WCSSapp", _rows("wcss", _APPROXIMATED), FIRST_SIX
    yield "Gapapp", {**_rows("g-gap", _APPROXIMATED, "G-Gap-"), **_GAP}, FIRST_SIX
    yield "FOMapp", _rows("fom", _APPROXIMATED), FIRST_SIX
    yield "Gfom", _rows("g-fom", _APPROXIMATED), FIRST_SIX
    # The order of the rows is the source's.
    order = (*K_MEANS, "R-R0", "R-R5", "R-R2", *HIERARCHICAL)
    yield "DiffFom", _rows("diff-fom", order), FIRST_SIX
    for percent in (80, 66):
        for repeats in (500, 250, 100):
            factorised = NMF if (repeats, percent) == (250, 80) else ()
            names = (*CLASSIC, *factorised)
            rows = {a: consensus(a, repeats, percent) for a in names}
            yield f"H{repeats}p{percent}", rows, FIRST_SIX
    yield "FC-H250p80", {a: fast(a) for a in CLASSIC + NMF}, FIRST_SIX
    everything = {a: consensus(a, 250) for a in CLASSIC + NMF}
    yield "Consensus-H250p80Monti", everything, MONTI
    yield "Consensus-H250p80Sim", {a: consensus(a, 250) for a in CLASSIC}, SIMULATED
    yield "FC-Monti", {a: fast(a) for a in CLASSIC + NMF}, MONTI
    yield "FCSim", {a: fast(a) for a in CLASSIC}, SIMULATED
    in_full = {
        **_FAST,
        # Run with 500 resamplings, as the table's differences from FC-H250p80 show.
        **{f"FC-{a}": fast(a, 500) for a in _CONSENSUS_BEST},
        **_SUMMARY_CLEST,
        **_SUMMARY_CONSENSUS,
    }
    yield "fsummary-table", in_full, FIRST_FIVE
    quick = {**_FAST, **{f"FC-{a}": fast(a) for a in ("Hier-A", "Hier-C")}}
    yield "fastsummary-table", quick, FIRST_FIVE


#: Precision tables without times, and time tables with other columns than TIMED.
_UNTIMED = ("Consensus-H250p80Sim", "FCSim")
_ALL_TIMED = (
    *("H500p80", "H250p80", "H100p80", "H500p66", "H250p66", "H100p66"),
    "FC-H250p80",
)
_TIME_COLUMNS = {
    "Clest-summary": FIRST_FIVE[:1],
    **dict.fromkeys(_ALL_TIMED, FIRST_SIX),
}


def _tables() -> dict[str, Table]:
    found: dict[str, Table] = {}
    for name, rows, columns in _precision():
        found[name] = Table(name, "k", rows, columns)
        if name not in _UNTIMED:
            timed = _TIME_COLUMNS.get(name, MONTI if columns == MONTI else TIMED)
            found[f"{name}-time"] = Table(f"{name}-time", "time", rows, timed)
    for name, measure, repeats, columns in (
        ("simmConsensuns500-80", "consensus", 500, FIRST_FIVE),
        ("simmConsensuns250-80", "consensus", 250, FIRST_FIVE),
        ("siimEuclidean", "", 0, FIRST_FIVE),
        ("simmConsensuns250-80-Monti", "consensus", 250, MONTI),
        ("FC-simGiancarlo", "fc", 250, FIRST_SIX),
        ("FC-simMonti", "fc", 250, MONTI),
        ("ConsensusEuclideanMonti", "", 0, MONTI),
        ("ConsensussimSimulated", "consensus", 250, SIMULATED),
        ("FCsimSimulated", "fc", 250, SIMULATED),
        ("simEuclideanSimulated", "", 0, SIMULATED),
    ):
        found[name] = Table(name, "index", _cuts(measure, repeats), columns)
    clustered = {
        name: Recipe("external", "", algorithm_word(name)) for name in CLASSIC + NMF
    }
    found["time"] = Table("time", "time", clustered, FIRST_SIX)
    return found


#: The 61 tables, precision and time first, then similarity, then chapter 5's times.
TABLES: dict[str, Table] = _tables()


def table_named(name: str) -> Table:
    """Return a table by its name, of the thesis or one of the new comparisons."""
    from stablek_bench.beyond import BEYOND

    known = {**TABLES, **BEYOND}
    if name not in known:
        raise unknown_name("table", name, known)
    return known[name]


def largest_k(recipe: Recipe, dataset: str) -> int:
    """Return the end of the thesis's range of ks for a recipe on a data set."""
    if recipe.measure == "clest":
        return {"Leukemia": 10, "NCI60": 15, "Lymphoma": 15}.get(dataset, 30)
    if dict(recipe.settings).get("fraction") == 0.66 and dataset == "Leukemia":
        return 25
    return 30


def smallest_k(recipe: Recipe) -> int:
    """Return the start of the range: 1 for Gap and G-Gap, 2 for all others."""
    return 1 if recipe.measure in ("gap-ps", "gap-pc", "gap-pr", "g-gap") else 2
