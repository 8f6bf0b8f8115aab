"""How many seeds a cell is computed with."""

from __future__ import annotations

from stablek_bench.cost import seconds
from stablek_bench.grid import Recipe
from stablek_bench.sources import Loaded

#: Measures that draw, whatever the algorithm.
GAP = ("gap-ps", "gap-pc", "gap-pr")
DRAWS = ("consensus", "fc", "me", "clest", *GAP)
#: Randomised cells are computed with so many seeds: the mode counts, its share is told.
SEEDS = 10
#: A cell of which one seed is likely to take more seconds than this gets fewer seeds.
DEAR, FEW = 3.0, 3


def is_random(recipe: Recipe) -> bool:
    """Tell whether another seed may give another k.

    Examples
    --------
    >>> from stablek_bench.grid import choose
    >>> is_random(choose("wcss", "Hier-A")), is_random(choose("wcss", "K-means-R"))
    (False, True)
    """
    if recipe.what in ("fingerprints", "external", "delta", "euclidean-cut"):
        return False
    if recipe.what in ("peer", "composed") or recipe.measure in DRAWS:
        return True
    return recipe.algorithm.partition("+")[0] in ("kmeans-r", "nmf-r")


def seeds_of(recipe: Recipe, loaded: Loaded) -> range:
    """Return the seeds of a cell, counted from the store's own.

    One for what draws nothing, for PBM, which gives times only, for factorisation, for
    what goes beyond the thesis, and for Gap, whose own Monte Carlo runs stand for
    seeds. Of the others, the dear ones get three seeds instead of ten; but not FC, nor
    Consensus with as many repeats as it takes, which show whether seeds agree. What a
    seed takes is counted, not timed (:mod:`.cost`): the same on every machine.
    """
    slow = recipe.algorithm.startswith("nmf") or loaded.source.name == "PBM"
    once = slow or recipe.what in ("peer", "composed") or recipe.measure in GAP
    if once or not is_random(recipe):
        return range(1)
    shows = recipe.measure == "fc" or dict(recipe.settings).get("repeats", 0) is None
    return range(FEW if seconds([recipe], loaded) > DEAR and not shows else SEEDS)
