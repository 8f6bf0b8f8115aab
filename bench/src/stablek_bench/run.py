"""Run tables: what is missing in the store is computed, the rest is taken from it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from stablek.engine.execution.execute import Execution
from stablek_bench.carry import Apart, Pass, answers_of
from stablek_bench.cost import seconds
from stablek_bench.fingerprints import candidates
from stablek_bench.grid import Recipe, Table
from stablek_bench.journal import Files, Memory, clock
from stablek_bench.passes import Answers
from stablek_bench.seeds import SEEDS, seeds_of
from stablek_bench.sources import (
    SOURCES,
    Loaded,
    Source,
    chosen,
    load_source,
)
from stablek_bench.spread import spread
from stablek_bench.store import Answer, Store

#: Told of progress: what was computed, and how many passes of how many are done.
Tell = Callable[[str, int, int], None]


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
    _seeds: dict[tuple[Recipe, str], range] = field(default_factory=dict)

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
        found = (self.answer(recipe, dataset, s) for s in self.seeds(recipe, dataset))
        return [one for one in found if one is not None]

    def seeds(self, recipe: Recipe, dataset: str) -> range:
        """Return the seeds of a cell, counted from the store's; none without data."""
        cell = (recipe, dataset)
        if cell not in self._seeds:
            loaded = self.load(dataset)
            self._seeds[cell] = seeds_of(recipe, loaded) if loaded else range(0)
        return self._seeds[cell]

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
                    for ahead in self.seeds(recipe, dataset):
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
        return seconds(recipes, self._present(dataset)) / len(recipes)

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
        Factorisations come last, one after another, each with all workers. The other
        passes are small: each has one core, and several are carried out at a time.
        """
        todo = self.passes(tables)
        began = time.monotonic()
        done = 0

        def in_time() -> bool:
            return minutes is None or time.monotonic() - began <= 60 * minutes

        if tell and todo:
            tell("passes", 0, len(todo))
        for one, answers in self._carried_out(todo, in_time):
            self._keep(one, answers)
            done += 1
            if tell:
                tell("passes", done, len(todo))
        return len(todo) - done

    def _carried_out(
        self, todo: list[Pass], in_time: Callable[[], bool]
    ) -> Iterator[tuple[Pass, Answers]]:
        """Yield the passes with their answers, in the order in which they end."""
        how, apart = self.execution, []
        if how.backend in ("auto", "processes") and how.workers() > 1:
            apart = [p for p in todo if not p.recipes[0].algorithm.startswith("nmf")]
        if len(apart) <= how.workers():  # done before the processes would have begun
            apart = []
        ask = Apart(self.folder, tuple(self.uses.items()))
        yield from spread(ask, apart, how, in_time)
        small = set(apart)
        for one in todo:
            if one in small:
                continue
            if not in_time():
                return
            yield one, self._carry_out(one)

    def _carry_out(self, one: Pass) -> Answers:
        loaded = self._present(one.dataset)
        return answers_of(one, loaded, self.execution, self._journal(one, loaded))

    def _keep(self, one: Pass, answers: Answers) -> None:
        digest = self._present(one.dataset).digest
        self.store.put(one.dataset, digest, answers, one.seed)

    def _present(self, dataset: str) -> Loaded:
        loaded = self.load(dataset)
        assert loaded is not None  # passes() leaves out what is absent
        return loaded

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
    stability measures that draw for each k anew (the thesis stopped them after a week);
    also cuts, as its classes are not PBM's.
    """
    if recipe.what == "fingerprints":
        return dict(recipe.settings)["preparation"] in candidates(SOURCES[dataset])
    if recipe.algorithm.startswith("nmf"):
        unprinted = ("Novartis", "St.Jude", "Normal")
        brunet = recipe.algorithm.endswith("+brunet")
        return dataset not in ("Yeast", "PBM", *(unprinted if brunet else ()))
    if dataset == "PBM":
        if recipe.what == "consensus-cut":
            return False
        return recipe.measure not in ("consensus", "me", "clest", "gap-pc")
    return True
