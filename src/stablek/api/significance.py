"""MECCA: whether a partition into k clusters is more than chance would give.

Two questions that must not be mixed up. A partition that an algorithm made of these
data is compared with what the same algorithm makes of null sets: it looks for compact
clusters and finds some in any data. Labels that came from elsewhere are compared with
the same labels in random order: nobody looked for them in these data.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, as_dataset
from stablek.data.seeds import stream
from stablek.engine.execution.execute import Execution, execution_from
from stablek.engine.plan import plan
from stablek.engine.progress import shows_progress
from stablek.engine.run import Watch
from stablek.engine.together import run
from stablek.errors import InputError, renamed, unknown_name, whole_ks
from stablek.measures.presets import preset_algorithm
from stablek.paradigm.cluster import algorithm as named_algorithm
from stablek.paradigm.contracts import NullModel
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.null import null_of_data
from stablek.paradigm.significance.against_null import MonteCarlo, monte_carlo_p
from stablek.paradigm.statistic.quality import QUALITIES, Quality
from stablek.paradigm.stop import Starts
from stablek.paradigm.synopsis import mean_value
from stablek.results.significance import Significance


@shows_progress
def significance(
    X: Any,
    k: int | None = None,
    algorithm: Any = None,
    *,
    labels: Any = None,
    statistic: str | Callable[[Dataset, NDArray[Any]], float] | None = None,
    better: str | None = None,
    null: str | NullModel | None = None,
    null_sets: int = 199,
    level: float = 0.05,
    proportion: bool = False,
    seed: int = 0,
    metric: str = "euclidean",
    execution: Execution | None = None,
    jobs: int = 0,
    backend: str = "auto",
    scheduler: str | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    watch: Watch | None = None,
    progress: bool = False,
) -> Significance:
    """Return the Monte Carlo significance of a partition.

    Parameters
    ----------
    X
        Items in rows, or a :class:`stablek.data.Dataset`.
    k, algorithm
        Test the partition of the data that this algorithm makes with k clusters; every
        null set is clustered by it, too.
    labels
        Or test labels from another source: they are compared with random orders of the
        same labels. The p holds only if they were not made from X.
    statistic
        "wcss" (default), "calinski-harabasz", "silhouette" (default for distances), or
        a function (data, labels) -> number.
    better
        "high" or "low": which values are unusual. Needed only for your own function.
    null
        The null model; "pc" by default, "graph" for distances. Not with ``labels``.
    null_sets
        The number of null sets, or of permutations of the labels.
    level
        "No structure" is rejected if p is below it.
    proportion
        Whether p is the thesis's plain proportion instead of (1 + #) / (1 + B).
    seed, metric, watch, progress
        As for :func:`stablek.choose_k`.
    execution, jobs, backend, scheduler, memory, timeout
        How to run: see :class:`stablek.Execution`.

    Examples
    --------
    >>> import stablek
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 10, axis=0)
    >>> X += np.linspace(0, 1, 60).reshape(30, 2)
    >>> stablek.significance(X, 3, null_sets=99).p
    0.01

    References
    ----------
    Thesis, section 1.4, procedure MECCA. Gordon (1999), Classification, section 7.2.
    """
    data = as_dataset(X, metric)
    metric = data.metric_or(metric)
    if (k is None) == (labels is None):
        raise InputError(
            "give either k, to test an algorithm's clusters, or labels, to test those"
        )
    if not 0 < level < 1 or null_sets < 1:
        raise InputError(
            f"level = {level:g} must lie in (0, 1), null_sets = {null_sets} be >= 1"
        )
    if labels is not None and null not in (None, "labels"):
        raise InputError(
            "labels are compared with random orders of the same labels; leave out null"
        )
    chosen = statistic or ("silhouette" if data.precomputed else "wcss")
    quality = Quality(chosen, metric)
    better = _better_end(chosen, better)
    known: dict[str, Any] = {
        "statistic": chosen if isinstance(chosen, str) else _name(chosen),
        "better": better,
        "level": level,
        "seed": seed,
    }
    few = () if proportion else _few_note(null_sets, level)
    if labels is not None:
        classes, value, drawn = _labels(data, labels, quality, null_sets, seed)
        p = monte_carlo_p(value, drawn, better, proportion=proportion)
        return Significance(
            tested="labels", null="labels", k=classes, value=value, null_values=drawn,
            p=p, notes=few, **known,
        )  # fmt: skip
    assert k is not None  # one of the two was given
    (k,) = whole_ks((k,))
    if k < 2:
        raise InputError(
            f"k = {k}: with one cluster there is nothing to test; use k = 2 or more"
        )
    model = null_of_data(null or ("graph" if data.precomputed else "pc"))
    measure = Measure(
        name="mecca",
        collect=quality,
        stop=Starts(1),
        synopsis=mean_value,
        significance=MonteCarlo(better, level, proportion),
        null=model,
        null_sets=null_sets,
        share_samples=True,
    )
    clusterer = named_algorithm(preset_algorithm(None, algorithm, metric), metric)
    planned = plan(data, measure, clusterer, (k,), seed)
    execution = execution_from(
        execution, jobs=jobs, backend=backend, scheduler=scheduler, memory=memory,
        timeout=timeout,
    )  # fmt: skip
    outcome = run(planned, execution, watch=watch)
    return Significance(
        tested="algorithm", null=model.name, k=k, algorithm=planned.clusterer.name,
        value=float(outcome.curve.values[0]), p=outcome.decision.facts["p"],
        null_values=np.array(outcome.decision.facts["null_values"]),
        notes=(*planned.notes, *few), failures=outcome.failures, **known,
    )  # fmt: skip


def mecca(
    X: Any,
    algorithm: Any = None,
    k: int | None = None,
    *,
    alpha: float = 0.05,
    **given: Any,
) -> Significance:
    """Call :func:`significance` by its old name, with the old order of arguments."""
    renamed("mecca(X, algorithm, k)", "significance(X, k, algorithm)")
    return significance(X, k, algorithm, level=alpha, **given)


def _better_end(statistic: str | Callable[..., float], asked: str | None) -> str:
    """Return which values of a statistic are unusual: "high" or "low"."""
    if asked is None and isinstance(statistic, str):
        return QUALITIES[statistic][1]
    if asked is None:
        raise InputError(
            'say whether a "high" or a "low" value of your statistic is unusual'
        )
    if asked not in ("high", "low"):
        raise unknown_name("better", str(asked), ("high", "low"))
    return asked


def _few_note(null_sets: int, level: float) -> tuple[str, ...]:
    """Return a note if so few null sets can reject nothing."""
    smallest = 1 / (1 + null_sets)
    if smallest < level:
        return ()
    return (
        f"with {null_sets} null sets p is at least {smallest:.2g}: nothing is rejected "
        f"at level {level:g}; use {math.floor(1 / level)} or more",
    )


def _name(statistic: Callable[..., float]) -> str:
    """Return what to call a function, or an object that is called like one."""
    inner = getattr(statistic, "func", statistic)  # functools.partial has no name
    return str(getattr(inner, "__name__", type(inner).__name__))


def _labels(
    data: Dataset, labels: Any, quality: Quality, null_sets: int, seed: int
) -> tuple[int, float, NDArray[np.float64]]:
    """Return the number of classes, T of the labels, and T of random orders of them."""
    names, codes = np.unique(np.asarray(labels), return_inverse=True)
    if codes.shape != (data.n,):
        raise InputError(f"{codes.size} labels for {data.n} items; give one per item")
    if not 2 <= len(names) < data.n:
        raise InputError(
            f"{len(names)} classes among {data.n} items: there is nothing to test"
        )
    given_codes = codes.astype(np.uint16)
    orders = np.stack(
        [
            given_codes[stream(seed, "null set", "labels", 0, b).permutation(data.n)]
            for b in range(null_sets)
        ]
    )
    values = quality.of(data, np.concatenate([given_codes[None], orders]))
    return len(names), float(values[0]), values[1:]
