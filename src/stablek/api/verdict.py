"""``stablek.verdict``: from a table to an answer with its reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from stablek.data import as_dataset
from stablek.data.seeds import Streams, seed_from
from stablek.engine.execution.execute import Execution, execution_from, single_blas
from stablek.engine.run import Journal, Watch
from stablek.errors import InputError, reraise_signals, unknown_name, whole_ks
from stablek.panel.answers import clusters_found, no_clusters
from stablek.panel.metric import euclidean_terms
from stablek.panel.observe import most_clusters
from stablek.panel.panel import sit
from stablek.panel.plain import without_panel
from stablek.panel.prepare import Prepared, prepare
from stablek.panel.words import copies
from stablek.results.verdict import Verdict
from stablek.version import versions

LARGEST_K = 15
REPEATS = 40
NULL_SETS = 99
LEVEL = 0.02
BACKENDS = ("auto", "serial", "threads", "dask")  # all is compiled: no processes


@reraise_signals()
def verdict(
    X: Any,
    ks: Iterable[int] | None = None,
    *,
    labels: Sequence[Any] | None = None,
    metric: str = "euclidean",
    seed: int = 0,
    repeats: int = REPEATS,
    null_sets: int = NULL_SETS,
    level: float = LEVEL,
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
) -> Verdict:
    """Return how many clusters are in the data, and how far to trust them.

    1. Isolated rows are set aside, and components that do not stand out of noise are
    dropped. 2. The items are clustered by K-means from their Ward tree at every k, and
    so are subsamples of them. 3. The same is done with null sets: normal ones, boxes,
    and skewed ones. 4. The *gate*: the data must be better separated than the null
    sets of all three kinds; otherwise the answer is 1. 5. The members of a *panel*
    name a k; the answer is the k with most of their five votes, and the number of
    votes its strength. With fewer than three the measures disagree, and k is a best
    guess; so it is with three where a member that reads stability names twice the k of
    the mixtures.

    Parameters
    ----------
    X
        Items in rows: an array, a DataFrame, or a :class:`stablek.data.Dataset`.
    ks
        The numbers of clusters to try; by default 2 to 15, fewer below 90 items. Those
        below the smallest are tried as well, and may be the answer.
    labels
        Labels of your own to be judged; by default the classes of the data set.
    metric
        "correlation", "spearman" and "cosine" look at the shape of a row, not at its
        level; with "precomputed" X holds distances, of whatever kind, and a verdict is
        given on coordinates that have these distances.
    seed
        Every random draw follows from it; ``jobs`` and ``backend`` change no bit.
    repeats
        Subsamples per data set.
    null_sets, level
        Null sets of each kind, and the p-value at which structure is believed.
    execution, jobs, backend, scheduler, memory, timeout
        How to run: see :class:`stablek.Execution`. All is compiled: "auto" means
        threads, there are no processes, and nothing waits for a timeout.
    n_jobs, random_state
        scikit-learn's words for ``jobs`` and ``seed``.
    journal
        Keeps what is finished, so that a verdict that was stopped can go on.
    watch
        Is told of progress: ``watch(what, done, total)``.

    Examples
    --------
    >>> import numpy as np
    >>> import stablek
    >>> rng = np.random.default_rng(0)
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 20, axis=0)
    >>> X += rng.normal(size=X.shape)
    >>> stablek.verdict(X, range(2, 7), null_sets=19, level=0.05).k
    3
    """
    execution = execution_from(
        execution, n_jobs=n_jobs, jobs=jobs, backend=backend, scheduler=scheduler,
        memory=memory, timeout=timeout,
    )  # fmt: skip
    seed = seed_from(seed, random_state)
    streams = Streams(seed, ("verdict",))
    given = as_dataset(X, metric)
    metric = "precomputed" if given.precomputed else metric
    with single_blas():
        data = euclidean_terms(given, metric, streams)
    own = data.classes if labels is None else tuple(str(v) for v in labels)
    if own is not None and len(own) != data.n:
        msg = f"{len(own)} labels for {data.n} items; give one label per item"
        raise InputError(msg)
    if execution.backend not in BACKENDS:
        raise unknown_name("backend of a verdict", execution.backend, BACKENDS)
    if repeats < 1 or null_sets < 1 or not 0 < level <= 1:
        msg = (
            f"repeats = {repeats} and null_sets = {null_sets} must be at least 1, "
            f"level = {level:g} in (0, 1]"
        )
        raise InputError(msg)
    settings: dict[str, Any] = {
        "repeats": repeats, "null_sets": null_sets, "level": level,
    }  # fmt: skip
    if metric != "euclidean":
        settings["metric"] = metric
    common: dict[str, Any] = {
        "ids": data.item_ids(), "n": data.n, "m": data.m, "data_name": data.name,
        "seed": seed, "versions": versions(), "settings": settings,
    }  # fmt: skip
    values, first, back, count = np.unique(
        data.values, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    trivial = without_panel(data, len(values), back.ravel(), count, common)
    if trivial is not None:
        return trivial
    notes = data.notes
    rows = np.sort(first)
    twins = data.n - len(rows)
    if twins:
        # An item and its copies fall together whatever the clusters are: judged is
        # every distinct row once.
        notes = (*notes, f"{copies(twins)}; each distinct row counts once")
    distinct = data if not twins else data.with_values(data.values[rows])
    place = np.searchsorted(rows, first)[back.ravel()]
    with single_blas():
        made = prepare(distinct, streams.under("prepare"))
    if distinct.n > len(made.rows) + len(made.isolated):
        notes = (
            *notes,
            f"judged on {len(made.rows):,} of {distinct.n:,} items drawn at random",
        )
    notes = (*notes, *told_of_lengths(made), *told_of_level(level, null_sets))
    common["notes"] = notes
    common["isolated"] = tuple(common["ids"][rows[i]] for i in made.isolated)
    asked = wanted_ks(ks, len(made.rows))
    if made.components == 0:
        return no_clusters(data, made, None, common, own, place)
    panel = sit(
        made,
        asked,
        streams,
        repeats=repeats,
        null_sets=null_sets,
        level=max(level, 1 / (1 + null_sets)),
        execution=execution,
        journal=journal,
        watch=watch,
    )
    if panel.k == 1:
        return no_clusters(data, made, panel, common, own, place)
    return clusters_found(data, made, panel, common, own, place)


def told_of_level(level: float, null_sets: int) -> tuple[str, ...]:
    """Return what is to be said where so few null sets cannot show the level.

    Examples
    --------
    >>> told_of_level(0.02, 19)
    ('19 null sets show no p below 0.05: that is the level, not 0.02 (49 would do)',)
    >>> told_of_level(0.02, 49)
    ()
    """
    least = 1 / (1 + null_sets)
    if level >= least - 1e-12:
        return ()
    enough = math.ceil(1 / level - 1e-9) - 1
    return (
        f"{null_sets} null sets show no p below {least:.2g}: that is the level, not "
        f"{level:g} ({enough} would do)",
    )


def told_of_lengths(made: Prepared) -> tuple[str, ...]:
    """Return what is to be said of how much items vary beside the components."""
    if made.frame is None or (made.frame.length is None and not made.frame.uneven):
        return ()
    vary = "items differ in how much they vary apart from the main components"
    if made.frame.uneven:
        return (f"{vary}, but not by cluster (is it the quality of measurement?)",)
    return (f"{vary}, by where they lie: that counts as one more coordinate",)


def wanted_ks(ks: Iterable[int] | None, n: int) -> tuple[int, ...]:
    """Return the ks to try, or say what is wrong with those asked for."""
    if ks is None:
        return tuple(range(2, min(LARGEST_K, max(6, n // 6), most_clusters(n)) + 1))
    asked = whole_ks(ks)
    if not asked or asked[0] < 1 or list(asked) != list(range(asked[0], asked[-1] + 1)):
        msg = f"the ks must follow one another, as in 2:10; got {list(asked)}"
        raise InputError(msg)
    most = most_clusters(n)
    if asked[-1] > most or asked[-1] < 2:
        msg = f"k = {asked[-1]} asked; {n} items allow 2 to {most} (use -k 2:{most})"
        raise InputError(msg)
    return tuple(range(2, asked[-1] + 1))
