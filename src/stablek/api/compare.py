"""Several measures and algorithms on the same data, side by side."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from stablek.api.choose_k import Request, request
from stablek.data import as_dataset
from stablek.data.preparation import without_constant_columns
from stablek.engine.execution.execute import Execution, execution_from
from stablek.engine.progress import shows_progress
from stablek.engine.run import Journal, Watch
from stablek.engine.together import Pass, passes, run_pass
from stablek.errors import (
    STOPS,
    InputError,
    StablekError,
    TryAgainError,
    describe_error,
    whole_ks,
)
from stablek.measures import measure as named_measure
from stablek.measures import settings_of
from stablek.results.comparison import Comparison
from stablek.results.from_outcome import all_equal, assemble
from stablek.results.result import Failed, Result

#: What ends a comparison: a full disk, for one, would fail every other pair, too.
ENDING = (TryAgainError, MemoryError, *STOPS)


@shows_progress
def compare(
    X: Any,
    measures: Sequence[Any] = ("fc", "gap-pc", "wcss"),
    algorithms: Sequence[Any] = ("hier-a", "kmeans-w"),
    ks: Iterable[int] | int | None = None,
    *,
    seed: int = 0,
    metric: str = "euclidean",
    execution: Execution | None = None,
    jobs: int = 0,
    backend: str = "auto",
    scheduler: str | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    journal: Callable[[str], Journal] | None = None,
    watch: Watch | None = None,
    progress: bool = False,
    **settings: Any,
) -> Comparison:
    """Run every measure with every algorithm; one that fails does not stop the others.

    Measures with the same perturbation share their clusterings.

    Parameters
    ----------
    X, ks, seed, metric, watch, progress
        As for :func:`stablek.choose_k`; a measure that is not defined at the smallest k
        starts at its own smallest.
    execution, jobs, backend, scheduler, memory, timeout
        How to run: see :class:`stablek.Execution`.
    measures, algorithms
        Names, or objects of your own, as for :func:`stablek.choose_k`. If several
        objects have the same name, the second is called "KMeans~2", and so on.
    journal
        Makes a journal from a name, one for each pass over the data.
    **settings
        Passed to the measures that have them; a setting that no measure has is refused.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import numpy as np
    >>> import stablek
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 10, axis=0)
    >>> X += np.linspace(0, 1, 60).reshape(30, 2)
    >>> found = stablek.compare(X, ["fc", "wcss"], ["hier-a"], range(2, 7), repeats=50)
    >>> found.counts()
    {3: 2}
    """
    data = as_dataset(X, metric)
    # Once for all of them, so that they share their distances.
    data = without_constant_columns(data, data.metric_or(metric))
    asked = None if ks is None else whole_ks(ks)
    given = {name: value for name, value in settings.items() if value is not None}
    _refuse_strangers(measures, given)
    execution = execution_from(
        execution, jobs=jobs, backend=backend, scheduler=scheduler, memory=memory,
        timeout=timeout,
    )  # fmt: skip
    pairs = [
        _Pair(f"{_name(wanted)}{again}", f"{_name(algorithm)}{other}",
              wanted, algorithm, again, other)
        for wanted, again in _numbered(measures)
        for algorithm, other in _numbered(algorithms)
    ]  # fmt: skip
    parts: dict[int, Result | Failed] = {}
    requests: dict[int, Request] = {}
    for place, pair in enumerate(pairs):
        own = _known(pair.wanted, given) if isinstance(pair.wanted, str) else {}
        with _failing(pair, place, parts):
            smallest = named_measure(pair.wanted, **own).smallest_k
            requests[place] = request(
                data, pair.wanted, pair.clusterer, _from(asked, smallest),
                seed=seed, metric=metric, **own,
            )  # fmt: skip
    planned = {p: r.plan for p, r in requests.items() if r.plan is not None}
    for place in requests.keys() - planned.keys():
        equal = requests[place]
        parts[place] = all_equal(equal.data, equal.measure, equal.clusterer, seed)
    order = list(planned)
    todo = [
        replace(one, places=tuple(order[place] for place in one.places))
        for one in passes(list(planned.values()))
    ]
    while todo:
        one = todo.pop(0)
        keep = journal(_journal_name(pairs, one)) if journal else None
        with _failing(pairs[one.places[0]], one.places[0], parts):
            try:
                outcomes = run_pass(one, execution, keep, watch)
            except ENDING:
                raise
            except BaseException:
                if len(one.places) == 1:
                    raise
                # Together they failed: each says for itself why.
                each = zip(one.places, one.plans, strict=True)
                todo[:0] = [Pass((place,), (own_plan,)) for place, own_plan in each]
                continue
            for place, own_plan, outcome in zip(
                one.places, one.plans, outcomes, strict=True
            ):
                with _failing(pairs[place], place, parts):
                    parts[place] = assemble(
                        own_plan, outcome, requests[place].settings, metric, execution,
                        data=requests[place].data,
                    )  # fmt: skip
    return Comparison(
        tuple(_named(parts[place], pair) for place, pair in enumerate(pairs))
    )


@dataclass(frozen=True)
class _Pair:
    """A measure and an algorithm, and how both are called."""

    name: str
    label: str
    wanted: Any
    clusterer: Any
    again: str
    other: str


@contextmanager
def _failing(
    pair: _Pair, place: int, parts: dict[int, Result | Failed]
) -> Iterator[None]:
    """Let a pair that fails keep its place with the reason; the others go on."""
    try:
        yield
    except ENDING:
        raise
    except BaseException as error:  # a user's ingredient may raise anything
        own = isinstance(error, StablekError)
        reason = str(error) if own else describe_error(error)
        parts[place] = Failed(pair.name, pair.label, reason)


def _named(part: Result | Failed, pair: _Pair) -> Result | Failed:
    if isinstance(part, Failed):
        return part
    return replace(
        part,
        measure=f"{part.measure}{pair.again}",
        algorithm=f"{part.algorithm}{pair.other}",
    )


def _journal_name(pairs: Sequence[_Pair], one: Pass) -> str:
    """Return the name of a pass's journal: its first pair, and how many go with it."""
    first, more = pairs[one.places[0]], len(one.places) - 1
    return f"{first.name}{f'+{more}' if more else ''}-{first.label}"


def _numbered(things: Sequence[Any]) -> list[tuple[Any, str]]:
    """Return each with what is put after its name: "~2" for the second of a name."""
    used: Counter[str] = Counter()
    marked = []
    for thing in things:
        used[_name(thing)] += 1
        count = used[_name(thing)]
        marked.append((thing, f"~{count}" if count > 1 else ""))
    return marked


def _from(asked: tuple[int, ...] | None, smallest: int) -> tuple[int, ...] | None:
    """Start at the smallest k of a measure, where a common range starts below it."""
    return asked and tuple(k for k in asked if k >= smallest)


def _known(name: str, given: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key in settings_of(name)}


def _refuse_strangers(measures: Sequence[Any], given: dict[str, Any]) -> None:
    named = [m for m in measures if isinstance(m, str)]
    for name in named:
        named_measure(name)
    settings = set().union(*(settings_of(name) for name in named))
    for key in given:
        if key not in settings:
            raise InputError(
                f"none of {', '.join(named)} has a setting '{key}'"
                if named
                else f"the setting {key} applies to measures given by name; all "
                "of these were given as objects with their own settings"
            )


def _name(thing: Any) -> str:
    return (
        thing
        if isinstance(thing, str)
        else getattr(thing, "name", type(thing).__name__)
    )
