"""Several measures and algorithms on the same data, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stablek.api.choose_k import choose_k
from stablek.data import as_dataset
from stablek.engine.run import Journal, Watch
from stablek.errors import STOPS, InputError, StablekError, TryAgainError, said
from stablek.measures import measure as named_measure
from stablek.measures import settings_of
from stablek.results.result import Failed, Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Comparison:
    """What each measure said with each algorithm; one that failed keeps its place."""

    parts: tuple[Result | Failed, ...]

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from stablek.results.notebook import card

        failed = (f"{one.measure} failed: {one.message}" for one in self.failures)
        return card([self.sentence, *failed], self.table)

    @property
    def results(self) -> tuple[Result, ...]:
        """Those that finished."""
        return tuple(part for part in self.parts if isinstance(part, Result))

    @property
    def failures(self) -> tuple[Failed, ...]:
        """Those that did not."""
        return tuple(part for part in self.parts if isinstance(part, Failed))

    @property
    def table(self) -> pd.DataFrame:
        """k* by measure (rows) and algorithm (columns); empty where it failed."""
        import pandas as pd

        found = {(r.measure, r.algorithm): r.k_star for r in self.results}
        rows = dict.fromkeys(part.measure for part in self.parts)
        columns = dict.fromkeys(part.algorithm for part in self.parts)
        cells = [[found.get((m, a)) for a in columns] for m in rows]
        index = pd.Index(list(rows), name="measure")
        return pd.DataFrame(cells, index, list(columns), dtype=pd.Int64Dtype())

    def counts(self) -> dict[int, int]:
        """Return how many of the runs gave each k, the most frequent first."""
        found = Counter(r.k_star for r in self.results if r.k_star is not None)
        order = sorted(found, key=lambda k: (-found[k], k))
        return {k: found[k] for k in order}

    @property
    def sentence(self) -> str:
        """What they say together, without weighing them."""
        counts = self.counts()
        if not counts:
            return "No measure gave an answer."
        total = len(self.results)
        said = ", ".join(f"k = {k}: {c} of {total}" for k, c in counts.items())
        return f"{said}. Counting is not weighing: `stablek verdict` calibrates them."


def compare(
    X: Any,
    measures: Sequence[Any] = ("fc", "gap-pc", "wcss"),
    algorithms: Sequence[Any] = ("hier-a", "kmeans-w"),
    ks: Iterable[int] | None = None,
    *,
    seed: int = 0,
    metric: str = "euclidean",
    jobs: int = 0,
    backend: str = "auto",
    scheduler: str | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    journal: Callable[[str], Journal] | None = None,
    watch: Watch | None = None,
    **settings: Any,
) -> Comparison:
    """Run every measure with every algorithm; one that fails does not stop the others.

    Parameters
    ----------
    X, ks, seed, metric, jobs, backend, scheduler, memory, timeout, watch
        As for :func:`stablek.choose_k`; a measure that cannot speak of the smallest ks
        starts at its own.
    measures, algorithms
        Names, or objects of your own, as :func:`stablek.choose_k` takes one of them.
        Of several objects of one name the second is called "KMeans~2", and so on.
    journal
        Makes a journal from a name, one for each pair.
    **settings
        Go to those measures given by name that have them; one that none has is refused.

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
    asked = None if ks is None else tuple(ks)
    given = {name: value for name, value in settings.items() if value is not None}
    _refuse_strangers(measures, given)
    parts: list[Result | Failed] = []
    for wanted, again in _told_apart(measures):
        own = _known(wanted, given) if isinstance(wanted, str) else {}
        smallest = named_measure(wanted, **own).smallest_k
        for algorithm, other in _told_apart(algorithms):
            name, label = f"{_name(wanted)}{again}", f"{_name(algorithm)}{other}"
            try:
                found = choose_k(
                    data,
                    wanted,
                    algorithm,
                    _from(asked, smallest),
                    seed=seed,
                    metric=metric,
                    jobs=jobs,
                    backend=backend,
                    timeout=timeout,
                    scheduler=scheduler,
                    memory=memory,
                    journal=journal(f"{name}-{label}") if journal else None,
                    watch=watch,
                    **own,
                )
            except (TryAgainError, MemoryError, *STOPS):
                raise  # a full disk would fail every other, too
            except StablekError as error:
                parts.append(Failed(name, label, str(error)))
            except BaseException as error:  # a user's ingredient may raise anything
                parts.append(Failed(name, label, said(error)))
            else:
                parts.append(
                    replace(
                        found,
                        measure=f"{found.measure}{again}",
                        algorithm=f"{found.algorithm}{other}",
                    )
                )
    return Comparison(tuple(parts))


def _told_apart(things: Sequence[Any]) -> list[tuple[Any, str]]:
    """Return each with what is put after its name: "~2" for the second of a name."""
    used: Counter[str] = Counter()
    found = []
    for thing in things:
        used[_name(thing)] += 1
        count = used[_name(thing)]
        found.append((thing, f"~{count}" if count > 1 else ""))
    return found


def _from(asked: tuple[int, ...] | None, smallest: int) -> tuple[int, ...] | None:
    """Start at the smallest k of a measure, where a common range starts below it."""
    return asked and tuple(k for k in asked if k >= smallest)


def _known(name: str, given: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key in settings_of(name)}


def _refuse_strangers(measures: Sequence[Any], given: dict[str, Any]) -> None:
    named = [m for m in measures if isinstance(m, str)]
    for name in named:
        named_measure(name)
    known = set().union(*(settings_of(name) for name in named))
    for key in given:
        if key not in known:
            msg = (
                f"none of {', '.join(named)} has a setting '{key}'"
                if named
                else f"the setting {key} goes with a measure given by name; all of "
                "these were given as declarations that hold their own"
            )
            raise InputError(msg)


def _name(thing: Any) -> str:
    return (
        thing
        if isinstance(thing, str)
        else getattr(thing, "name", type(thing).__name__)
    )
