"""Partitions of factorisations that are kept: a kill loses seconds, not hours."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from stablek.data import from_arrays
from stablek.engine import steps
from stablek.engine.execution.execute import Execution
from stablek_bench.carry import Pass
from stablek_bench.grid import Recipe
from stablek_bench.journal import Files, clock
from stablek_bench.run import Bench
from stablek_bench.sources import Loaded, Source, digest_of
from stablek_bench.store import Store

SETTINGS = (("fraction", 0.8), ("repeats", 12))
RECIPE = Recipe("choose", "fc", "nmf-r+fold", SETTINGS)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(24, 4)) + np.repeat(np.eye(3, 4) * 9, 8, axis=0)
    data = from_arrays(values, classes=tuple("aaaaaaaabbbbbbbbcccccccc"))
    toy = Loaded(Source("toy", 3, None), data, 3, labels_are_gold=True,
                 digest=digest_of(data), raw=data)  # fmt: skip
    return Bench(Store(), execution=Execution(1), partitions=str(tmp_path / "kept"),
                 _loaded={"toy": toy})  # fmt: skip


def test_what_was_kept_is_not_clustered_again(bench, monkeypatch) -> None:
    one = Pass("toy", (RECIPE,), 0)
    bench._keep(one, bench._carry_out(one))
    first = bench.answer(RECIPE, "toy")
    files = list(Path(bench.partitions).rglob("*.chunk"))
    assert files
    torn = files[0].read_bytes()[:-1]
    files[0].write_bytes(torn)
    clustered = []
    real = steps.one_repeat

    def counted(plan, streams, repeat, ks):
        clustered.append(repeat)
        return real(plan, streams, repeat, ks)

    monkeypatch.setattr(steps, "one_repeat", counted)
    bench._keep(one, bench._carry_out(one))
    again = bench.answer(RECIPE, "toy")
    assert 0 < len(clustered) < 12  # those of the torn file
    assert again.facts == first.facts
    clustered.clear()
    bench._keep(one, bench._carry_out(one))
    assert clustered == []
    assert bench.answer(RECIPE, "toy").seconds > 0  # what the earlier runs took


def test_partitions_of_other_data_are_passed_over(bench, tmp_path) -> None:
    bench._carry_out(Pass("toy", (RECIPE,), 0))
    folder = next((tmp_path / "kept").iterdir())
    assert Files(folder, "of another digest").outputs == {}


def test_those_of_fast_algorithms_are_not_kept(bench) -> None:
    bench._carry_out(Pass("toy", (Recipe("choose", "fc", "hier-a", SETTINGS),), 0))
    assert not Path(bench.partitions).exists()


def test_other_work_on_the_machine_does_not_count() -> None:
    now = clock(Execution(1))
    began = now()
    time.sleep(0.2)
    assert now() - began < 0.1
    # Of other processes only the wall clock knows.
    assert clock(Execution(2, backend="processes")) is time.perf_counter
