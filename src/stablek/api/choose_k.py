"""One measure, one algorithm, one answer: ``stablek.choose_k``."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stablek.data import Dataset, as_dataset
from stablek.data.canonical import with_columns_in_order
from stablek.data.preparation import without_constant_columns
from stablek.data.seeds import seed_from
from stablek.engine.calibrate import (
    LEVEL,
    calibrate_outcome,
    check_calibrates,
    checked_model,
)
from stablek.engine.execution.cost import check_memory
from stablek.engine.execution.execute import Execution, execution_from
from stablek.engine.plan import Plan, plan
from stablek.engine.progress import shows_progress
from stablek.engine.run import Journal, Watch
from stablek.engine.together import run
from stablek.errors import reraise_signals
from stablek.measures import measure as named_measure
from stablek.measures.presets import preset_algorithm, preset_settings
from stablek.paradigm.cluster import algorithm as named_algorithm
from stablek.paradigm.contracts import (
    Clusterer,
    NullModel,
    SaysIfValuesNeeded,
    by_column,
)
from stablek.paradigm.measure import Measure
from stablek.paradigm.statistic.dispersion import refuse_distances
from stablek.paradigm.stop import Settled
from stablek.results.from_outcome import all_equal, assemble
from stablek.results.result import Result


@shows_progress
@reraise_signals()
def choose_k(
    X: Any,
    measure: str | Measure = "fc",
    algorithm: Any = None,
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
    n_jobs: int | None = None,
    random_state: Any = None,
    journal: Journal | None = None,
    watch: Watch | None = None,
    progress: bool = False,
    preset: str | None = None,
    calibrate: int = 0,
    null: str | NullModel = "gaussian",
    level: float = LEVEL,
    **settings: Any,
) -> Result:
    """Return how many clusters a measure finds in the data.

    Parameters
    ----------
    X
        Items in rows: an array, a DataFrame, or a :class:`stablek.data.Dataset`. With
        ``metric="precomputed"`` a square matrix of distances.
    measure
        A name (``stablek measures`` lists them) or a :class:`stablek.Measure`.
    algorithm
        A name (``stablek algorithms``) or an object with ``fit_predict`` and
        ``n_clusters``. By default "kmeans-w"; "hier-a" if the metric is not
        "euclidean", and with ``preset="thesis"``.
    ks
        The numbers of clusters to try, consecutive, or one number; by default 2 to 30,
        or fewer if there are few items.
    seed
        Determines every random draw. The same seed gives the same bits for any ``jobs``
        and ``backend``.
    metric
        The distance of hierarchical algorithms.
    execution
        How to run, as a :class:`stablek.Execution`; or give its fields one by one:
    jobs, backend, scheduler, memory, timeout
        See :class:`stablek.Execution`.
    n_jobs, random_state
        scikit-learn's words for ``jobs`` and ``seed``.
    journal, watch
        Where to keep finished work, and a function that is called with the progress.
    progress
        Show the progress and the time left: as a bar in a terminal, as a line in a
        notebook, and otherwise as a line on stderr every half minute.
    preset
        "thesis": the settings that the thesis used; settings that you give take
        precedence.
    calibrate, null, level
        Also run the measure on this many null sets of this null model, and answer 1 if
        the data do not stand out; see :mod:`stablek.engine.calibrate`.
    **settings
        Settings of the measure, such as ``repeats`` and ``fraction``.

    Returns
    -------
    Result

    Examples
    --------
    >>> import numpy as np
    >>> import stablek
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 10, axis=0)
    >>> X += np.linspace(0, 1, 60).reshape(30, 2)
    >>> stablek.choose_k(X, "fc", ks=range(2, 7), repeats=50).k_star
    3
    """
    execution = execution_from(
        execution, n_jobs=n_jobs, jobs=jobs, backend=backend, scheduler=scheduler,
        memory=memory, timeout=timeout,
    )  # fmt: skip
    seed = seed_from(seed, random_state)
    # What the calibration needs is checked before the run, not after it.
    model = checked_model(null, calibrate, level) if calibrate else None
    asked = request(
        X, measure, algorithm, ks, seed=seed, metric=metric, preset=preset,
        calibrated=model is not None, **settings,
    )  # fmt: skip
    if model is not None:
        check_calibrates(asked.measure)
    if asked.plan is None:
        return all_equal(asked.data, asked.measure, asked.clusterer, seed)
    planned = asked.plan
    if model is not None:
        check_memory(planned, execution, [(model, calibrate)])
    outcome = run(planned, execution, journal, watch)
    if model is not None:
        outcome = calibrate_outcome(
            planned, outcome, calibrate, model, level=level, execution=execution,
            journal=journal, watch=watch,
        )  # fmt: skip
    return assemble(
        planned, outcome, asked.settings, metric, execution, data=asked.data
    )


@dataclass(frozen=True)
class Request:
    """What to run; there is no plan where all items are equal."""

    data: Dataset
    measure: Measure
    clusterer: Clusterer
    settings: dict[str, Any]
    plan: Plan | None


def request(
    X: Any,
    measure: str | Measure = "fc",
    algorithm: Any = None,
    ks: Iterable[int] | int | None = None,
    *,
    seed: int = 0,
    metric: str = "euclidean",
    preset: str | None = None,
    calibrated: bool = False,
    **settings: Any,
) -> Request:
    """Return the checked plan for the arguments of :func:`choose_k`; run nothing."""
    data = as_dataset(X, metric)
    metric = data.metric_or(metric)
    given = {name: value for name, value in settings.items() if value is not None}
    algorithm = preset_algorithm(preset, algorithm, metric)
    settings = {**preset_settings(preset, measure, algorithm), **given}
    chosen = named_measure(measure, **settings)
    if calibrated and isinstance(chosen.stop, Settled):
        chosen = chosen.with_(stop=chosen.stop.beside_null_sets())
    if isinstance(chosen.collect, SaysIfValuesNeeded) and chosen.collect.needs_values:
        refuse_distances(data)
    clusterer = named_algorithm(algorithm, metric)
    unlike = data.values if data.precomputed else np.ptp(data.values, axis=0)
    if not unlike.any():
        return Request(data, chosen, clusterer, settings, None)
    data = without_constant_columns(data, metric)
    drawn = any(map(by_column, (*chosen.perturb, chosen.split)))
    ordered = with_columns_in_order(data) if drawn and not data.precomputed else data
    planned = plan(ordered, chosen, clusterer, ks, seed)
    return Request(data, chosen, clusterer, settings, planned)
