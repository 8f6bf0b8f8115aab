"""Many cases, each on its own: here, in threads or processes, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar

from stablek.engine.execution.execute import Execution
from stablek.errors import TryAgainError

C = TypeVar("C")
R = TypeVar("R")


def spread(
    ask: Callable[[C], R],
    cases: Sequence[C],
    execution: Execution,
    more: Callable[[], bool] = lambda: True,
) -> Iterator[R]:
    """Yield what ``ask`` returns for each case, in the order in which they finish.

    ``ask`` must be picklable. With the backend "auto" it runs in processes. Cases are
    handed out while ``more`` says so; a Dask cluster gets all of them at once.
    """
    workers = min(execution.workers(), max(len(cases), 1))
    if execution.backend == "dask":
        yield from _on_dask(ask, cases, execution)
    elif execution.backend == "serial" or workers == 1:
        yield from map(ask, takewhile(lambda _: more(), cases))
    else:
        import joblib

        names = {"auto": "loky", "processes": "loky", "threads": "threading"}
        parallel = joblib.Parallel(
            n_jobs=workers,
            backend=names.get(execution.backend, execution.backend),
            return_as="generator_unordered",
        )
        asked = takewhile(lambda _: more(), cases)
        yield from parallel(joblib.delayed(ask)(case) for case in asked)


def spread_in_order(
    ask: Callable[[C], R], cases: Sequence[C], execution: Execution
) -> list[R]:
    """Return what ``ask`` returns for each case, in the order of the cases."""
    numbered = list(enumerate(cases))
    done = dict(spread(partial(_numbered, ask), numbered, execution))
    return [done[i] for i in range(len(numbered))]


def _numbered(ask: Callable[[C], R], case: tuple[int, C]) -> tuple[int, R]:
    return case[0], ask(case[1])


def _on_dask(
    ask: Callable[[C], R], cases: Sequence[C], execution: Execution
) -> Iterator[R]:
    """Send all cases to every worker once, and then their numbers."""
    from stablek.engine.execution.dask_cluster import spread_out

    lost: list[Any] = []
    batches: list[Any] = [[i] for i in range(len(cases))]
    shared = (ask, list(cases))
    done: Any = spread_out(shared, batches, _asked, execution, lost)
    for answers in done:
        yield from answers
    if lost:
        which = ", ".join(str(cases[i]) for i in lost)
        msg = f"workers kept dying under {which}; use --backend processes for these"
        raise TryAgainError(msg)


def _asked(shared: Any, numbers: Sequence[Any]) -> list[Any]:
    """Ask about some cases on a worker, with one BLAS thread."""
    from stablek.engine.execution.execute import single_blas

    ask, cases = shared
    with single_blas():
        return [ask(cases[i]) for i in numbers]
