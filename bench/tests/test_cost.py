"""The order of a run: the cheapest cells first, the same order everywhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stablek.data import from_arrays
from stablek.engine.execution.execute import Execution
from stablek_bench.beyond import BEYOND
from stablek_bench.carry import Pass
from stablek_bench.cost import seconds
from stablek_bench.grid import TABLES, choose, consensus, fast
from stablek_bench.run import Bench
from stablek_bench.seeds import SEEDS
from stablek_bench.sources import SOURCES, Loaded, load_source
from stablek_bench.store import Store


def simulated(name: str) -> Loaded:
    loaded = load_source(SOURCES[name])
    assert loaded is not None
    return loaded


def order_of(*names: str) -> list[Pass]:
    """Return what would be run of some simulated sets, in order."""
    bench = Bench(Store(), execution=Execution(1), only=names)
    return bench.passes([*TABLES.values(), *BEYOND.values()])


def test_a_measure_that_clusters_more_costs_more() -> None:
    small, large = simulated("Gaussian3"), simulated("PBM")
    rising = [
        [choose("wcss", "Hier-A")],
        [fast("Hier-A")],
        [consensus("Hier-A", 250)],
        [consensus("Hier-A", 500)],
        [consensus("K-means-A", 500)],
        [consensus("NMF-A", 500)],
    ]
    costs = [seconds(recipes, small) for recipes in rising]
    assert costs == sorted(costs)
    assert len(set(costs)) == len(costs)
    for recipes in rising:
        assert seconds(recipes, large) > seconds(recipes, small)
    gap = seconds([choose("gap-ps", "Hier-A")], small)
    assert gap > 20 * seconds([choose("wcss", "Hier-A")], small)


def test_recipes_of_one_pass_cost_what_the_dearest_does() -> None:
    loaded = simulated("Gaussian3")
    both = [consensus("Hier-A", 100), consensus("Hier-A", 500)]
    assert seconds(both, loaded) == seconds(both[1:], loaded)


def test_a_run_begins_with_the_cheapest_cells() -> None:
    order = order_of("Gaussian3", "PBM")
    bench = Bench(Store())

    def price(one: Pass) -> float:
        loaded = bench.load(one.dataset)
        assert loaded is not None
        cells = len(one.recipes) if one.seed == 0 else len(one.recipes) / SEEDS
        return seconds(one.recipes, loaded) / cells

    prices = [price(one) for one in order]
    assert prices == sorted(prices)
    assert order == order_of("Gaussian3", "PBM")
    for place, one in enumerate(order):
        if one.seed:  # the first seed of a cell comes before its others
            first = next(
                p for p in order
                if (p.dataset, p.seed) == (one.dataset, 0)
                and set(one.recipes) <= set(p.recipes)
            )  # fmt: skip
            assert order.index(first) < place


def test_cheap_seeds_come_before_dear_cells() -> None:
    order = order_of("Gaussian3")
    tenth = [one for one in order if one.seed == 9 and fast("Hier-A") in one.recipes]
    dear = [one for one in order if consensus("K-means-R", 250) in one.recipes]
    assert order.index(tenth[0]) < order.index(dear[0])


def test_only_negative_values_are_folded() -> None:
    loaded = simulated("Gaussian3")
    word = "nmf-a+fold+brunet"
    assert (loaded.data.values < 0).any()
    assert loaded.algorithm(word) == word
    lifted = from_arrays(np.abs(loaded.data.values))
    assert replace(loaded, data=lifted).algorithm(word) == "nmf-a+brunet"
