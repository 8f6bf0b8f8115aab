"""Run tables: what is missing in the store is computed, the rest is taken from it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from stablek.data import from_arrays
from stablek.data.seeds import stream
from stablek.engine.execution.execute import Execution
from stablek.errors import StablekError
from stablek_bench.cost import seconds
from stablek_bench.fingerprints import candidates
from stablek_bench.grid import Recipe, Table
from stablek_bench.journal import Files, Memory, clock
from stablek_bench.passes import compute
from stablek_bench.seeds import SEEDS, seeds_of
from stablek_bench.sources import (
    SOURCES,
    Loaded,
    Source,
    chosen,
    digest_of,
    load_source,
)
from stablek_bench.store import Answer, Store

#: Told of progress: what was computed, and how many passes of how many are done.
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Pass:
    """Recipes that are computed together on one data set, with one seed."""

    dataset: str
    recipes: tuple[Recipe, ...]
    seed: int


@dataclass
class Bench:
    """A data folder, a store and a seed: all that running tables needs.

    ``uses`` names other files for data sets of the thesis; ``only`` and ``algorithms``
    restrict what is computed (empty: everything). In ``partitions``, a folder, those of
    factorisations are kept as they are made.
    """

    store: Store
    folder: str | None = None
    execution: Execution = field(default_factory=Execution)
    uses: Mapping[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    algorithms: tuple[str, ...] = ()
    partitions: str | None = None
    _loaded: dict[str, Loaded | None] = field(default_factory=dict)

    @property
    def sources(self) -> dict[str, Source]:
        """The sources, with those asked for in ``uses``."""
        return chosen(self.uses)

    def load(self, dataset: str) -> Loaded | None:
        """Return a data set, read once; None where it is absent."""
        if dataset not in self._loaded:
            source = self.sources[dataset]
            self._loaded[dataset] = load_source(source, self.folder)
        return self._loaded[dataset]

    def answer(self, recipe: Recipe, dataset: str, ahead: int = 0) -> Answer | None:
        """Return the answer that is kept, or None; ``ahead`` counts seeds."""
        loaded = self.load(dataset)
        if loaded is None:
            return None
        seed = self.store.seed + ahead
        return self.store.get(recipe, dataset, loaded.digest, seed)

    def answers(self, recipe: Recipe, dataset: str) -> list[Answer]:
        """Return the answers that are kept, over all seeds of the cell."""
        found = (self.answer(recipe, dataset, s) for s in seeds_of(recipe, dataset))
        return [one for one in found if one is not None]

    def passes(self, tables: Iterable[Table]) -> list[Pass]:
        """Return what is still to be computed, the cheapest first.

        What counts are the seconds per cell (:mod:`.cost`). A further seed of a cell
        counts as a tenth of a cell. So cheap cells get all their seeds early, and dear
        ones their first seed before any other.
        """
        groups: dict[tuple[Any, ...], dict[Recipe, None]] = {}
        for table in tables:
            for recipe in table.rows.values():
                for dataset in table.columns:
                    for ahead in seeds_of(recipe, dataset):
                        if self._wanted(recipe, dataset, ahead):
                            key = (dataset, recipe.family, ahead)
                            groups.setdefault(key, {})[recipe] = None
        found = [
            Pass(key[0], tuple(recipes), self.store.seed + key[2])
            for key, recipes in groups.items()
        ]
        price = cache(self._price)
        return sorted(found, key=lambda one: price(one.dataset, one.recipes)
                      * (SEEDS if one.seed > self.store.seed else 1))  # fmt: skip

    def _price(self, dataset: str, recipes: tuple[Recipe, ...]) -> float:
        """Return the seconds per cell of a pass."""
        loaded = self.load(dataset)
        assert loaded is not None  # passes() leaves out what is absent
        return seconds(recipes, loaded) / len(recipes)

    def _wanted(self, recipe: Recipe, dataset: str, ahead: int) -> bool:
        word = recipe.algorithm.partition("+")[0]
        if self.only and dataset not in self.only:
            return False
        if self.algorithms and word and word not in self.algorithms:
            return False
        if bearable(recipe, dataset) and self.load(dataset) is not None:
            kept = self.answer(recipe, dataset, ahead)
            return kept is None or kept.failure is not None
        return False

    def run(
        self,
        tables: Iterable[Table],
        minutes: float | None = None,
        tell: Tell | None = None,
    ) -> int:
        """Compute what is missing; return how many passes the budget left undone.

        A pass is begun only while there is time; one that was begun is finished.
        """
        todo = self.passes(tables)
        began = time.monotonic()
        for done, one in enumerate(todo):
            if minutes is not None and time.monotonic() - began > 60 * minutes:
                return len(todo) - done
            if tell:
                tell("passes", done, len(todo))
            self._carry_out(one)
        if tell and todo:
            tell("passes", len(todo), len(todo))
        return 0

    def _carry_out(self, one: Pass) -> None:
        loaded = self.load(one.dataset)
        assert loaded is not None  # passes() leaves out what is absent
        try:
            warm(one.recipes[0])
            journal = self._journal(one, loaded)
            answers = compute(one.recipes, loaded, one.seed, self.execution, journal)
        except StablekError as error:
            jobs = self.execution.workers()
            failed = Answer(None, 0.0, jobs, facts={"failure": str(error)})
            answers = dict.fromkeys(one.recipes, failed)
        self.store.put(one.dataset, loaded.digest, answers, one.seed)

    def _journal(self, one: Pass, loaded: Loaded) -> Memory:
        family = one.recipes[0].family
        if self.partitions is None or not one.recipes[0].algorithm.startswith("nmf"):
            return Memory()
        words = [one.dataset, *map(str, family[1:]), f"seed {one.seed}"]
        run = json.dumps([*words, loaded.digest])
        folder = Path(self.partitions, " ".join(words))
        return Files(folder, run, clock(self.execution))


def bearable(recipe: Recipe, dataset: str) -> bool:
    """Tell whether a cell is run at all.

    Left out: factorisation on the two largest sets, and Brunet's on the sets of Monti
    et al., as in the thesis; on PBM, a simulated stand-in for times, the peers, and
    stability measures that draw for each k anew (the thesis stopped them after a week).
    """
    if recipe.what == "fingerprints":
        return dict(recipe.settings)["preparation"] in candidates(SOURCES[dataset])
    if recipe.algorithm.startswith("nmf"):
        unprinted = ("Novartis", "St.Jude", "Normal")
        brunet = recipe.algorithm.endswith("+brunet")
        return dataset not in ("Yeast", "PBM", *(unprinted if brunet else ()))
    if dataset == "PBM":
        return recipe.measure not in ("consensus", "me", "clest", "gap-pc")
    return True


@cache
def warm(recipe: Recipe) -> None:
    """Run a recipe on a toy once, so that compiling is not counted as running."""
    values = stream(0, "warm").standard_normal((24, 6))
    values[12:] += 4.0
    data = from_arrays(values, classes=("a",) * 12 + ("b",) * 12)
    toy = Loaded(Source("toy", 2, None), data, 2, labels_are_gold=True,
                 digest=digest_of(data), raw=data)  # fmt: skip
    settings = dict(recipe.settings)
    if "repeats" in settings:
        settings["repeats"] = 2
    small = replace(recipe, settings=tuple(sorted(settings.items())))
    # A toy may be too small for a measure: then the first cell compiles.
    with suppress(StablekError):
        compute([small], toy, 0, Execution(1))
