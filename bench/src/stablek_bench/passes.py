"""Compute recipes on a data set, those that can share a pass in one.

H = 100 and H = 250 are prefixes of the run with 500 repeats, and the three external
indices read the same partitions. Seconds are processor time; what is shared counts in
full for each recipe that needs it, as if it had been run alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.api.choose_k import choose_k
from stablek.api.compare import compare
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import Execution, single_blas
from stablek.errors import PartFailedError
from stablek.measures import measure as named_measure
from stablek.measures.compose import compose
from stablek.measures.presets import preset_settings
from stablek.paradigm.cluster import algorithm as named_algorithm
from stablek.paradigm.indices import INDICES, contingency
from stablek.paradigm.measure import Measure
from stablek.results.result import Failed, Result
from stablek_bench import beyond
from stablek_bench.fingerprints import match
from stablek_bench.grid import Recipe, largest_k, smallest_k
from stablek_bench.journal import Memory, clock
from stablek_bench.reference import printed, real
from stablek_bench.similarity import indices_at, place_of, printed_ks
from stablek_bench.sources import Loaded
from stablek_bench.store import Answer

#: The three external indices of the thesis.
THREE = ("adj", "fm", "f")
#: A random algorithm is run so often for an external index (thesis, section 5.2).
RESTARTS = 5
#: The numbers of repeats at which FC is held against Consensus.
DELTA_REPEATS = (20, 50, 100, 150, 200, 250)

#: The columns of a consensus curve that rules read.
READ = ("area", "pac", "entropy", "dispersion", "cophenetic")

Answers = dict[Recipe, Answer]


def compute(
    recipes: Sequence[Recipe],
    loaded: Loaded,
    seed: int,
    how: Execution,
    journal: Memory | None = None,
) -> Answers:
    """Return the answers of recipes of one family on a data set.

    ``journal`` keeps the partitions of Consensus and FC; by default for this call.
    """
    first = recipes[0]
    kind = first.family[0]
    if kind == "cube":
        return _prefixes(recipes, loaded, seed, how, journal or Memory())
    if kind == "indices":
        return _indices(recipes, loaded, seed, how)
    if first.what == "external":
        return {first: external(first, loaded, seed, how)}
    if first.what == "fingerprints":
        return {first: _fingerprints(first, loaded)}
    if first.what in ("consensus-cut", "euclidean-cut"):
        return {first: _similarity(first, loaded, seed)}
    if first.what == "delta":
        return {first: _delta(first, loaded, seed, how)}
    now = clock(how)
    began = now()
    if first.what == "peer":
        said = beyond.ask_peer(first.measure, loaded.data.values, seed)
        return {first: Answer(said, now() - began, 1)}
    result = _choose(first, loaded, seed, how)
    return {first: _answer(result, now() - began, how)}


def _fingerprints(recipe: Recipe, loaded: Loaded) -> Answer:
    """Return how many printed indices a preparation matches; ``facts`` say which."""
    began = time.process_time()
    found = match(loaded, dict(recipe.settings)["preparation"])
    seconds = time.process_time() - began
    if found is None:
        return Answer(None, seconds, 1)
    which = [f"{one.row} {one.value}" for one in found.matched]
    return Answer(len(which), seconds, 1, facts={"which": which, "of": found.of})


def range_of(recipe: Recipe, loaded: Loaded) -> range:
    """Return the thesis's range of ks, cut where the data set is too small for it."""
    part = measure_of(recipe).smallest_part(loaded.data.n)
    last = min(largest_k(recipe, loaded.source.name), part - 1)
    return range(smallest_k(recipe), last + 1)


def measure_of(recipe: Recipe) -> Measure:
    """Return the measure of a recipe with its settings and those of the thesis.

    A setting that is None is the measure's own default.
    """
    settings = dict(recipe.settings)
    if recipe.what == "composed":
        return compose(**settings)
    preset = preset_settings("thesis", recipe.measure)
    given = {**preset, **settings}
    named = {name: value for name, value in given.items() if value is not None}
    return named_measure(recipe.measure, **named)


def _choose(
    recipe: Recipe,
    loaded: Loaded,
    seed: int,
    how: Execution,
    journal: Memory | None = None,
) -> Result:
    return choose_k(
        loaded.data,
        measure_of(recipe),
        loaded.algorithm(recipe.algorithm),
        range_of(recipe, loaded),
        seed=seed,
        execution=how,
        journal=journal,
    )


def _answer(result: Result, seconds: float, how: Execution) -> Answer:
    facts: dict[str, Any] = {
        "candidates": [int(k) for k in result.candidates],
        "ks": list(result.ks),
        "curve": _plain(result.columns[result.main]),
    }
    if "other_seeds" in result.facts:
        facts["other_seeds"] = result.facts["other_seeds"]
        facts["repeats"] = result.facts["repeats"]
        # What the other rules of a consensus curve read.
        facts["columns"] = {name: _plain(result.columns[name]) for name in READ}
    if result.facts.get("runs", 1) > 1:
        # How many of the rule's own runs chose each k.
        facts["outcomes"] = result.facts["outcomes"]
    if "sd" in result.columns:
        # The spread over the starts of a random algorithm, or over repeats.
        facts["sd"] = _plain(result.columns["sd"])
    return Answer(result.k_star, seconds, how.workers(), facts=facts)


def _plain(column: NDArray[np.float64]) -> list[float | None]:
    return [float(f"{v:.6g}") if np.isfinite(v) else None for v in column]


def _prefixes(
    recipes: Sequence[Recipe],
    loaded: Loaded,
    seed: int,
    how: Execution,
    journal: Memory,
) -> Answers:
    """Answer Consensus or FC at growing numbers of repeats, each adding to the last."""
    found: Answers = {}
    now, seconds = clock(how), journal.seconds
    counts = {dict(recipe.settings)["repeats"] for recipe in recipes}
    # Those that the measure itself counts come last: they may go on.
    for repeats in sorted(counts, key=lambda count: (count is None, count)):
        same = [r for r in recipes if dict(r.settings)["repeats"] == repeats]
        began = now()
        result = _choose(same[0], loaded, seed, how, journal)
        seconds += now() - began
        for recipe in same:
            found[recipe] = _answer(result, seconds, how)
    return found


def _delta(recipe: Recipe, loaded: Loaded, seed: int, how: Execution) -> Answer:
    """Return how far the Delta curves of FC and Consensus lie apart, at several H.

    ``value`` is the largest difference over k at the largest H; ``facts`` hold it for
    each H.
    """
    now = clock(how)
    began = now()
    journals = {"fc": Memory(), "consensus": Memory()}
    apart: dict[str, float] = {}
    for repeats in DELTA_REPEATS:
        settings = (("fraction", 0.8), ("repeats", repeats))
        curves = []
        for name, journal in journals.items():
            one = Recipe("choose", name, recipe.algorithm, settings)
            result = _choose(one, loaded, seed, how, journal)
            curves.append(result.columns[result.main])
        apart[str(repeats)] = float(np.nanmax(np.abs(curves[0] - curves[1])))
    seconds = now() - began
    return Answer(None, seconds, how.workers(), apart[str(repeats)], {"apart": apart})


def _similarity(recipe: Recipe, loaded: Loaded, seed: int) -> Answer:
    """Return the Adjusted Rand index of a cut with the classes, at the printed k.

    Where the thesis prints several ks, the one whose index is nearest to its own;
    ``facts`` hold all of them.
    """
    began = time.process_time()
    dataset = loaded.source.name
    place = place_of(recipe, dataset)
    ks = printed_ks(*place, dataset) if place else ()
    if place is None or not ks or not loaded.labels_are_gold:
        return Answer(None, time.process_time() - began, 1)
    at = indices_at(recipe, loaded.data, loaded.classes, ks, seed)
    theirs = real(printed().get((*place, dataset))) or 0.0
    k = min(ks, key=lambda one: abs(at[one] - theirs))
    facts = {"at": {str(one): round(value, 6) for one, value in at.items()}}
    return Answer(k, time.process_time() - began, 1, at[k], facts)


def _indices(
    recipes: Sequence[Recipe], loaded: Loaded, seed: int, how: Execution
) -> Answers:
    """Answer ME or Clest for several external indices from one set of partitions."""
    first, now = recipes[0], clock(how)
    began = now()
    found = compare(
        loaded.data,
        [measure_of(recipe) for recipe in recipes],
        [loaded.algorithm(first.algorithm)],
        range_of(first, loaded),
        seed=seed,
        execution=how,
    )
    seconds = now() - began
    answers = {}
    for recipe, part in zip(recipes, found.parts, strict=True):
        if isinstance(part, Failed):
            raise PartFailedError(part.message)
        answers[recipe] = _answer(part, seconds, how)
    return answers


def external(recipe: Recipe, loaded: Loaded, seed: int, how: Execution) -> Answer:
    """Return the three indices of the algorithm's own partitions, for k = 2..30.

    ``value`` is the Adjusted Rand index at the gold k; ``facts`` hold the curves, their
    spread over the restarts of a random algorithm, and seconds are those of one start.
    """
    del how
    clusterer = named_algorithm(loaded.algorithm(recipe.algorithm))
    data = replace(loaded.data, _distances={})
    ks = tuple(range(2, min(30, data.n - 1) + 1))
    starts = RESTARTS if clusterer.random else 1
    scores = np.full((starts, len(THREE), len(ks)), np.nan)
    seconds = []
    with single_blas():
        for start in range(starts):
            began = time.process_time()
            clusterer.prepare(data)
            streams = Streams(seed, ("external", start))
            parts = clusterer.partitions(data.whole(), ks, streams)
            seconds.append(time.process_time() - began)
            if not loaded.labels_are_gold:
                continue
            for place, labels in enumerate(parts):
                table = contingency(loaded.classes, labels)
                for row, name in enumerate(THREE):
                    scores[start, row, place] = INDICES[name](table)
    facts: dict[str, Any] = {"ks": list(ks)}
    value = None
    if loaded.labels_are_gold:
        means, spread = scores.mean(axis=0), scores.std(axis=0)
        for row, name in enumerate(THREE):
            facts[name] = [round(float(v), 6) for v in means[row]]
            facts[f"{name}_sd"] = [round(float(v), 6) for v in spread[row]]
        if loaded.gold in ks:
            value = float(means[0, ks.index(loaded.gold)])
    return Answer(None, float(np.median(seconds)), 1, value, facts)
