"""Passes that are carried out at the same time."""

from __future__ import annotations

from dataclasses import replace

from stablek.engine.execution.execute import Execution
from stablek_bench.grid import TABLES
from stablek_bench.run import Bench
from stablek_bench.store import Answer, Place, Store

ROWS = ("Hier-A", "Hier-S", "K-means-A", "K-means-R")
SHORT = [
    replace(
        TABLES[name],
        rows={row: TABLES[name].rows[row] for row in ROWS},
        columns=("Gaussian5",),
    )
    for name in ("WCSS", "FC-H250p80")
]


def answers(jobs: int) -> dict[Place, Answer]:
    bench = Bench(Store(), execution=Execution(jobs))
    told: list[int] = []
    assert bench.run(SHORT, tell=lambda _, done, of: told.append(of - done)) == 0
    assert (told[-1], told == sorted(told, reverse=True)) == (0, True)
    found = bench.store.everything()
    return {place: replace(one, seconds=0.0, jobs=1) for place, one in found.items()}


def test_passes_at_the_same_time_give_the_same_answers() -> None:
    assert answers(2) == answers(1)


def test_nothing_is_begun_when_the_time_is_over() -> None:
    bench = Bench(Store(), execution=Execution(2))
    assert bench.run(SHORT, minutes=-1) == len(bench.passes(SHORT)) > 0
