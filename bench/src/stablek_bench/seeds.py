"""How many seeds a cell is computed with."""

from __future__ import annotations

from stablek_bench.grid import Recipe

#: Measures that draw, whatever the algorithm.
DRAWS = ("consensus", "fc", "me", "clest", "gap-ps", "gap-pc", "gap-pr")
#: Randomised cells are computed with so many seeds: the mode counts, its share is told.
SEEDS = 10


def is_random(recipe: Recipe) -> bool:
    """Tell whether another seed may give another k.

    Examples
    --------
    >>> from stablek_bench.grid import choose
    >>> is_random(choose("wcss", "Hier-A")), is_random(choose("wcss", "K-means-R"))
    (False, True)
    """
    if recipe.what in ("fingerprints", "external", "delta"):
        return False
    if recipe.what in ("peer", "composed") or recipe.measure in DRAWS:
        return True
    return recipe.algorithm.partition("+")[0] in ("kmeans-r", "nmf-r")


def seeds_of(recipe: Recipe, dataset: str) -> range:
    """Return the seeds of a cell, counted from the store's own.

    One for what draws nothing, for PBM, which gives times only, for factorisation and
    for what goes beyond the thesis.
    """
    slow = recipe.algorithm.startswith("nmf") or dataset == "PBM"
    more = is_random(recipe) and recipe.what not in ("peer", "composed")
    return range(SEEDS if more and not slow else 1)
