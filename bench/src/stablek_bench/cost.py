"""What a pass is likely to take, so that a run can begin with the cheap ones.

It is counted and not timed: how often the measure clusters, times what the algorithm
does with so many items and columns. So the order of a run is the same on every machine.
The rates are seconds of one core of 2026; a factor of three does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablek.engine.plan import plan
from stablek.paradigm.cluster import algorithm as named_algorithm
from stablek.paradigm.statistic.comembership import CoMembership
from stablek_bench.fingerprints import SEEDS as PRINTED_SEEDS
from stablek_bench.fingerprints import fingerprints
from stablek_bench.grid import Recipe
from stablek_bench.passes import DELTA_REPEATS, RESTARTS, measure_of, range_of
from stablek_bench.sources import Loaded

#: A pass, one clustering, and one random start, whatever their size.
PASS, CALL, START = 1e-3, 8e-5, 1e-5
#: A dendrogram per pair of items; their distance, per column.
PAIR, DISTANCE = 6e-9, 6e-10
#: A partition per item, column and cluster: by Lloyd, HALS and Brunet's updates.
LLOYD, HALS, BRUNET = 3e-10, 3e-8, 3e-7
#: A pair of items that is compared in one partition.
COMPARED = 3e-11
#: A peer of scikit-learn at all ks: at least, and per value of the data.
PEER, PEER_VALUE = 1.0, 2e-4
#: Repeats of a run that decides itself how many it takes, on average.
USUAL_REPEATS = 1000


def seconds(recipes: Sequence[Recipe], loaded: Loaded) -> float:
    """Return what recipes of one family are likely to take together on a data set."""
    return PASS + max(_one(recipe, loaded) for recipe in recipes)


def _one(recipe: Recipe, loaded: Loaded) -> float:
    data = loaded.data
    if recipe.what == "peer":
        return PEER + PEER_VALUE * data.values.size
    if recipe.what == "fingerprints":
        if not loaded.labels_are_gold:
            return 0.0
        # Each is looked for at about two ks.
        trees = 2 * len(PRINTED_SEEDS) * len(fingerprints(loaded.source.name)) * 500
        return trees * clustering("hier-a", data.n, data.m, (2,))
    if recipe.what == "euclidean-cut":
        return DISTANCE * data.n**2 * data.m
    if recipe.what == "consensus-cut":
        repeats = int(dict(recipe.settings)["repeats"])
        return 2 * repeats * clustering(recipe.algorithm, data.n, data.m, (2,))
    if recipe.what == "external":
        starts = RESTARTS if named_algorithm(recipe.algorithm).random else 1
        return starts * clustering(recipe.algorithm, data.n, data.m, range(2, 31))
    if recipe.what == "delta":
        settings = (("fraction", 0.8), ("repeats", DELTA_REPEATS[-1]))
        both = (Recipe("choose", m, recipe.algorithm, settings)
                for m in ("fc", "consensus"))  # fmt: skip
        return sum(_one(one, loaded) for one in both)
    return _measured(recipe, loaded)


def _measured(recipe: Recipe, loaded: Loaded) -> float:
    """Return the seconds of a measure: its repeats, on the data and on null sets."""
    data, measure = loaded.data, measure_of(recipe)
    clusterer = named_algorithm(recipe.algorithm)
    planned = plan(data, measure, clusterer, range_of(recipe, loaded))
    counts = planned.checkpoints
    repeats = min(counts[-1], max(counts[0], USUAL_REPEATS))
    items = max(measure.split.size(dgp.size(data.n)) for dgp in measure.perturb)
    groups = [planned.ks] if planned.shared else [(k,) for k in planned.ks]
    each = sum(clustering(recipe.algorithm, items, data.m, ks) for ks in groups)
    if "refresh" in dict(recipe.settings):
        each += CALL * len(planned.ks)
    # A classifier is taught on a part, which is clustered as well.
    parts = planned.roles * (1 if measure.train is None else 2)
    one_curve = repeats * parts * each
    if isinstance(measure.collect, CoMembership):
        one_curve += COMPARED * data.n**2 * repeats * len(planned.ks)
    one_curve += DISTANCE * data.n**2 * data.m
    return one_curve * (1 + measure.runs * measure.null_sets)


def clustering(algorithm: str, items: int, columns: int, ks: Sequence[int]) -> float:
    """Return the seconds of an algorithm on so many items, at all of the ks.

    Examples
    --------
    >>> clustering("hier-a", 100, 10, (2, 3)) < clustering("kmeans-a", 100, 10, (2, 3))
    True
    """
    word, _, variant = algorithm.partition("+")
    kind, _, start = word.partition("-")
    taken = CALL if start == "r" else CALL + PAIR * items**2
    if kind == "hier":
        return taken
    rate = LLOYD
    if kind == "nmf":
        rate = BRUNET if "brunet" in variant else HALS
    own_starts = START * len(ks) if start == "r" else 0.0
    return taken + own_starts + rate * items * columns * sum(ks)
