"""Cases are spread over any backend, with the same answers."""

from functools import partial

import numpy as np
import pytest

import stablek
from stablek.engine.execution.execute import Execution
from stablek.errors import TryAgainError
from stablek_bench import spread as module
from stablek_bench.spread import spread, spread_in_order

BACKENDS = ["serial", "threads", "processes", "dask"]


def two_groups(seed):
    values = np.random.default_rng(seed).normal(size=(30, 2))
    values[:15] += 8
    return values


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_gives_the_same_answers(backend):
    if backend == "dask":
        pytest.importorskip("distributed")
    ask = partial(
        stablek.choose_k, measure="fc", algorithm="kmeans-w", ks=range(2, 4),
        repeats=10, jobs=1,
    )  # fmt: skip
    cases = [two_groups(seed) for seed in (3, 1, 2)]
    wanted = [ask(case).to_json() for case in cases]
    how = Execution(2, backend)
    assert [one.to_json() for one in spread_in_order(ask, cases, how)] == wanted
    assert {one.to_json() for one in spread(ask, cases, how)} == set(wanted)


def test_no_cases_are_no_work():
    assert list(spread(str, [], Execution(2))) == []


def test_a_case_under_which_workers_die_is_named(monkeypatch):
    def died(shared, batches, carry_out, execution, lost):
        lost.append(batches[1][0])
        yield carry_out(shared, batches[0])

    monkeypatch.setattr("stablek.engine.execution.dask_cluster.spread_out", died)
    assert module._asked((str, [7, 8]), [1]) == ["8"]
    with pytest.raises(TryAgainError, match="dying under case two; use --backend"):
        list(spread(str, ["case one", "case two"], Execution(2, "dask")))
