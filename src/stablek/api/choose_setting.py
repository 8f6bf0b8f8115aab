"""Choose a setting where k is not what the user turns: ``stablek.choose_setting``.

Leiden has a resolution, DBSCAN a radius, HDBSCAN a smallest cluster: such settings give
partitions, and whatever gives partitions can be asked how well it is reproduced. A
list of settings stands where the ks stand; subsamples, engine, calibration and journal
are those of every other measure.

The rule is not that of k. Delta and its kin rest on what one more cluster adds, and a
step of a resolution adds no known number of them. So agreement decides: every subsample
is clustered at every setting, subsamples are compared in pairs by the adjusted Rand
index, and of the settings that are as well reproduced as the best one, within its
standard error, the last is taken.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset, Sample, as_dataset
from stablek.data.seeds import Streams
from stablek.engine.calibrate import LEVEL, calibrate_outcome, checked_model
from stablek.engine.execution.execute import Execution, execution_from
from stablek.engine.plan import Plan
from stablek.engine.progress import shows_progress
from stablek.engine.run import Journal, Watch
from stablek.engine.together import run
from stablek.errors import InputError, unknown_name
from stablek.paradigm.cluster.adapter import foreign, valid_labels
from stablek.paradigm.contracts import Curve, Facts, NullModel
from stablek.paradigm.measure import Measure
from stablek.paradigm.perturb.resample import Subsample
from stablek.paradigm.significance.settings import LastAsGood
from stablek.paradigm.statistic.reproduction import Reproduced, Reproduction
from stablek.paradigm.stop import FixedRepeats
from stablek.paradigm.synopsis import consensus_distribution, mean_value, takes
from stablek.results.from_outcome import assemble
from stablek.results.setting import Setting

#: cluster(values, setting, rng) returns one label per row; negative labels are noise.
Cluster = Callable[[NDArray[Any], Any, np.random.Generator], Any]

#: The first setting stands at this place: 1 keeps its meaning, "no evidence".
FIRST = 2
#: Labels are kept in one byte each.
MOST_CLUSTERS = 254


@dataclass(frozen=True, eq=False)
class Grid:
    """A clusterer whose "k" is a place in a list of settings."""

    cluster: Cluster
    settings: tuple[Any, ...]
    name: str = "cluster"
    random = True
    native = False

    def prepare(self, data: Dataset) -> None:
        """Do nothing: nothing is known of what a foreign function could share."""

    def partitions(
        self, sample: Sample, ks: Sequence[int], streams: Streams
    ) -> NDArray[Any]:
        """Call the function once per setting, on values or on distances."""
        if sample.source.precomputed:
            values: NDArray[Any] = sample.distances("precomputed")
        else:
            values = sample.values()
        return np.stack([self._labels(values, k, streams) for k in ks])

    def _labels(self, values: NDArray[Any], k: int, streams: Streams) -> NDArray[Any]:
        setting = self.settings[k - FIRST]
        with foreign(f"{self.name} failed at {setting!r}"):
            # A copy for every setting: foreign code may change what it is given.
            returned = self.cluster(np.array(values), setting, streams(k))
        labels = valid_labels(returned, len(values), k, f"{self.name} at {setting!r}")
        if labels.max() >= MOST_CLUSTERS:
            raise InputError(
                f"{self.name} at {setting!r} makes {labels.max() + 1} clusters of "
                f"{len(values)} items; leave out settings with more than "
                f"{MOST_CLUSTERS}"
            )
        return labels


@takes("reproduced")
def reproduction(collected: Reproduced, facts: Facts) -> Curve:
    """Return the mean agreement and its error; median number of clusters; PAC.

    Columns: ``agreement`` (at most 1; 0 expected by chance), ``agreement_error``,
    ``clusters``, and of the pairs of items ``pac``, ``dispersion`` and ``entropy`` as
    for fc. The last three favour many clusters, where most pairs are apart anyway; they
    are there to be seen, not to decide.
    """
    mean = mean_value(collected.agreement, facts).columns
    pairs = consensus_distribution(collected.pairs, facts).columns
    columns = {
        "agreement": mean["mean"],
        "agreement_error": mean["mean_error"],
        "clusters": np.nanmedian(collected.clusters, axis=0),
        **{name: pairs[name] for name in ("pac", "dispersion", "entropy")},
    }
    return Curve(facts.ks, columns, "agreement", "agreement_error")


def over_settings(
    name: str = "fc", *, fraction: float = 0.8, repeats: int = 100
) -> Measure:
    """Return the measure for a grid: "fc" shares subsamples among the settings.

    With "consensus" every setting has its own subsamples.
    """
    if name not in ("fc", "consensus"):
        raise unknown_name("measure over settings", name, ("fc", "consensus"))
    if repeats < 4:
        raise InputError(f"repeats = {repeats}: at least 4 are needed to compare pairs")
    return Measure(
        name=name,
        perturb=(Subsample(fraction),),
        collect=Reproduction(),
        stop=FixedRepeats(repeats),
        synopsis=reproduction,
        significance=LastAsGood(),
        share_samples=name == "fc",
        smallest_k=FIRST,
        better=("agreement", "high"),
    )


@shows_progress
def choose_setting(
    X: Any,
    settings: Iterable[Any],
    cluster: Cluster,
    *,
    measure: str | Measure = "fc",
    repeats: int = 100,
    fraction: float = 0.8,
    seed: int = 0,
    metric: str = "euclidean",
    execution: Execution | None = None,
    jobs: int = 0,
    backend: str = "auto",
    scheduler: str | None = None,
    memory: int | str | None = None,
    timeout: float | None = None,
    calibrate: int = 0,
    null: str | NullModel = "gaussian",
    level: float = LEVEL,
    journal: Journal | None = None,
    watch: Watch | None = None,
    progress: bool = False,
) -> Setting:
    """Return the setting of an algorithm whose clusters are reproduced best.

    Parameters
    ----------
    X
        Items in rows; with ``metric="precomputed"`` a square matrix of distances.
    settings
        What to try, from coarse to fine.
    cluster
        ``cluster(values, setting, rng)`` returns one label per row of ``values`` (a
        subsample, or its distances if they are precomputed). Use ``rng`` for every
        random draw, or ``rng.integers(2**31)`` as a seed, so that equal seeds give
        equal results. Negative labels are noise: each such item is a cluster of its
        own.
    measure
        "fc" (all settings see the same subsamples) or "consensus" (each its own), or a
        :class:`stablek.Measure` made with :func:`over_settings`.
    repeats, fraction
        Number and size of the subsamples.
    seed, metric, journal, watch, progress
        As for :func:`stablek.choose_k`.
    execution, jobs, backend, scheduler, memory, timeout
        How to run: see :class:`stablek.Execution`. Worker processes must be able to
        import ``cluster``; if they cannot, pass ``jobs=1``.
    calibrate, null, level
        As for :func:`stablek.choose_k`; without them agreement alone decides, and data
        without clusters get a setting, too.

    Returns
    -------
    Setting

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([0.0, 1.0, 9.0, 10.0], 10)[:, None] + np.linspace(0, 0.2, 40)[
    ...     :, None
    ... ]
    >>> def gaps(values, width, rng):
    ...     order = np.argsort(values[:, 0])
    ...     wide = np.diff(values[order, 0]) > width
    ...     labels = np.empty(len(values), int)
    ...     labels[order] = np.r_[0, np.cumsum(wide)]
    ...     return labels
    >>> choose_setting(X, [20.0, 3.0, 0.5], gaps, repeats=20).setting
    0.5
    """
    tried = tuple(settings)
    if len(tried) < 2:
        raise InputError(f"{len(tried)} setting(s): give at least two to choose from")
    if len(tried) > MOST_CLUSTERS - FIRST:
        raise InputError(
            f"{len(tried)} settings; at most {MOST_CLUSTERS - FIRST} can be compared"
        )
    if calibrate:
        null = checked_model(null, calibrate, level)
    data = as_dataset(X, metric)
    if isinstance(measure, str):
        measure = over_settings(measure, fraction=fraction, repeats=repeats)
    name = getattr(cluster, "__name__", type(cluster).__name__)
    places = tuple(range(FIRST, FIRST + len(tried)))
    planned = Plan(measure, Grid(cluster, tried, name), data, places, places, int(seed))
    execution = execution_from(
        execution, jobs=jobs, backend=backend, scheduler=scheduler, memory=memory,
        timeout=timeout,
    )  # fmt: skip
    outcome = run(planned, execution, journal, watch)
    if calibrate:
        outcome = calibrate_outcome(
            planned, outcome, calibrate, null, level=level, execution=execution,
            journal=journal, watch=watch,
        )  # fmt: skip
    result = assemble(
        planned, outcome, {"settings": [str(s) for s in tried]}, metric,
        ks_are_clusters=False,
    )  # fmt: skip
    return Setting(
        setting=None if result.k_star in (None, 1) else tried[result.k_star - FIRST],
        settings=tried,
        candidates=tuple(tried[k - FIRST] for k in result.candidates if k >= FIRST),
        result=result,
    )
