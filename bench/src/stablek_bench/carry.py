"""Carry out one pass: here, or in a process of its own."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from stablek.data import from_arrays
from stablek.data.seeds import stream
from stablek.engine.execution.execute import Execution
from stablek.errors import StablekError
from stablek_bench.grid import Recipe
from stablek_bench.journal import Memory
from stablek_bench.passes import Answers, compute
from stablek_bench.sources import Loaded, Source, chosen, digest_of, load_source
from stablek_bench.store import Answer


@dataclass(frozen=True)
class Pass:
    """Recipes that are computed together on one data set, with one seed."""

    dataset: str
    recipes: tuple[Recipe, ...]
    seed: int


@dataclass(frozen=True)
class Apart:
    """Carries out passes in a process of its own: it reads the data, and has one core.

    ``uses`` names other files for data sets of the thesis. The answers are those that
    all workers together would give.
    """

    folder: str | None
    uses: tuple[tuple[str, str], ...]

    def __call__(self, one: Pass) -> tuple[Pass, Answers]:
        """Return the pass and its answers."""
        loaded = _load(self, one.dataset)
        return one, answers_of(one, loaded, Execution(1), Memory())


@cache
def _load(where: Apart, dataset: str) -> Loaded:
    loaded = load_source(chosen(dict(where.uses))[dataset], where.folder)
    assert loaded is not None  # passes() leaves out what is absent
    return loaded


def answers_of(one: Pass, loaded: Loaded, how: Execution, journal: Memory) -> Answers:
    """Return the answers of a pass; where it fails, they say why."""
    try:
        warm(one.recipes[0])
        return compute(one.recipes, loaded, one.seed, how, journal)
    except StablekError as error:
        failed = Answer(None, 0.0, how.workers(), facts={"failure": str(error)})
        return dict.fromkeys(one.recipes, failed)


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
