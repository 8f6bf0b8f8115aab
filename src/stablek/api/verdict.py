"""``stablek.verdict``: from a table to an answer with its reasons."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stablek.api.verdict_settings import (
    check_settings,
    unknown_metric,
    with_turning_advice,
)
from stablek.data import Dataset, Rows, as_dataset
from stablek.data.annotations import as_annotations, without_clustered
from stablek.data.canonical import Canonical, canonical, canonical_distances
from stablek.data.seeds import Streams, seed_from
from stablek.engine.execution.execute import Execution, execution_from, single_blas
from stablek.engine.progress import shows_progress
from stablek.engine.run import Journal, Watch
from stablek.errors import (
    InputError,
    advice,
    ks_advice,
    reraise_signals,
    whole_ks,
)
from stablek.kernels.helper import HELPER
from stablek.panel.answer import Judged
from stablek.panel.decide import decide
from stablek.panel.gate import LEVEL, sets_needed
from stablek.panel.hint_words import few_note
from stablek.panel.item_words import elsewhere_sentence
from stablek.panel.look import look
from stablek.panel.metric import METRICS, from_distances, to_euclidean
from stablek.panel.needs import check_needs, needs_of
from stablek.panel.panel import most_clusters, run_panel
from stablek.panel.prepare import prepare
from stablek.panel.scale import Scale, better_scale, scale_in_place, wanted_scale
from stablek.panel.trivial import trivial_verdict
from stablek.results.verdict import Verdict
from stablek.version import versions

LARGEST_K = 15
REPEATS = 40
NULL_SETS = 49


@shows_progress
@reraise_signals()
def verdict(
    X: Any,
    ks: Iterable[int] | int | None = None,
    *,
    labels: Sequence[Any] | None = None,
    annotations: Any = None,
    metric: str = "euclidean",
    scale: str = "auto",
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
    journal: Callable[[str], Journal] | None = None,
    watch: Watch | None = None,
    progress: bool = False,
) -> Verdict:
    """Return how many clusters are in the data, and how far to trust them.

    1. Prepare: columns on different scales are standardised, and logarithms of counts
       are taken (``scale``). Isolated rows are set aside. The principal components that
       stand out from noise become the coordinates.
    2. Gate: the items are clustered by K-means, started from their Ward tree. Null sets
       without clusters are treated in the same way. Unless the data are better
       separated than these, the answer is 1.
    3. Choice: a panel of measures examines every k, and a score combines them into a
       weight. The answer is the plausible k whose clusters agree best with those at
       all other k.
    4. Levels and strength: other k that fit as well are named, and the strength says
       how often such answers were right.

    Parameters
    ----------
    X
        Items in rows: an array, a DataFrame, or a :class:`stablek.data.Dataset`.
    ks
        The numbers of clusters to try; by default 2 to 15, fewer below 90 items. With a
        range, smaller numbers are tried as well, and may be the answer. With one
        number, such as 5, only this one is: the verdict says whether there is evidence
        of clusters, and how far to trust these 5.
    labels
        Your own labels, to be judged; by default the classes of the data set.
    annotations
        What else you know about the items (batch, sex, dose ...): a DataFrame, or a
        dictionary with one list per column. Annotations are not used for clustering;
        ``Verdict.annotations`` says which of them the clusters follow.
    metric
        "correlation", "spearman" and "cosine" compare the shape of rows, not their
        level. With "precomputed", X holds distances of any kind, and the verdict uses
        coordinates that reproduce these distances.
    scale
        "auto" prepares counts, and columns on different scales; "as given" does not.
    seed, random_state
        Determines every random draw. The result depends neither on the number of
        workers nor on the order of the rows.
    repeats
        The number of subsamples.
    null_sets, level
        Null sets for each null model, and the largest p at which clusters are reported.
        They show no p below 1 / (1 + null_sets): with too few, there is a hint but
        no evidence.
    execution, jobs, backend, scheduler, memory, timeout, n_jobs
        How to run, see :class:`stablek.engine.execution.execute.Execution`.
    journal
        Makes a journal from a name. It keeps finished work, so that a verdict that was
        stopped can be resumed.
    watch
        Called with the progress: ``watch(what, done, total)``.
    progress
        Show the progress and the time left: as a bar in a terminal, as a line in a
        notebook, and otherwise as a line on stderr every half minute.

    Notes
    -----
    ``stablek explain verdict`` prints every stage with its constants.

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
    seed = seed_from(seed, random_state)
    how = execution_from(
        execution, jobs=jobs, backend=backend, scheduler=scheduler, memory=memory,
        timeout=timeout, n_jobs=n_jobs,
    )  # fmt: skip
    if how.backend != "serial" and how.workers() > 1:
        HELPER.start()
    given = as_dataset(X, metric)
    if annotations is not None:
        known = as_annotations(annotations, given.n)
        if not given.precomputed:
            known = without_clustered(known, given.column_names(), given.values)
        given = replace(given, annotations=known, _distances={})
    metric = given.metric_or(metric)
    classes = given.classes if labels is None else tuple(str(v) for v in labels)
    check_settings(given, classes, repeats, null_sets, level, scale)
    asked = None if ks is None else whole_ks(ks)
    scaling = wanted_scale(given, metric, scale)
    changed = bool(scaling.steps) or metric != "euclidean"
    tried = asked or range(2, LARGEST_K + 1)
    needs = needs_of(given, tried, how, repeats=repeats, changed=changed)
    check_needs(needs, how, given.n)
    settings: dict[str, Any] = {
        "repeats": repeats, "null_sets": null_sets, "level": level,
    }  # fmt: skip
    if metric != "euclidean":
        settings["metric"] = metric
    if scale != "auto":
        settings["scale"] = scale
    common: dict[str, Any] = {
        "ids": given.item_ids(), "n": given.n, "m": given.m, "data_name": given.name,
        "seed": seed, "versions": versions(), "settings": settings, "data": given,
        "notes": given.notes,
    }  # fmt: skip

    def judged(
        scaling: Scale, name: str, given_columns: Verdict | None = None
    ) -> Verdict:
        named = (lambda key: journal(f"{name}-{key}")) if journal else None
        return _judged(
            given, classes, asked, metric, scaling, common, seed=seed, repeats=repeats,
            null_sets=null_sets, level=level, execution=how, journals=named,
            watch=watch, k_as_given=given_columns.k if given_columns else None,
        )  # fmt: skip

    if not scaling.steps:
        return judged(scaling, "verdict")
    other = judged(Scale(), "as-given")
    answer = judged(scaling, "verdict", other)
    return better_scale(scaling, answer, other) if answer.result else answer


def _judged(
    given: Dataset, classes: tuple[str, ...] | None, asked: tuple[int, ...] | None,
    metric: str, scaling: Scale, common: dict[str, Any], *, seed: int, repeats: int,
    null_sets: int, level: float, execution: Execution,
    journals: Callable[[str], Journal] | None, watch: Watch | None,
    k_as_given: int | None,
) -> Verdict:  # fmt: skip
    streams = Streams(seed, ("verdict",))
    with single_blas():
        order, columns, data = in_coordinates(given, metric, scaling, streams)
        trivial = trivial_verdict(given, order, common)
        if trivial is not None:
            return with_turning_advice(trivial)
        prepared = prepare(data.values, streams.under("prepare"))
        ks = wanted_ks(asked, len(prepared.rows))
        prepared, seen = look(
            prepared, data.values, streams, sets=null_sets, seed=seed, level=level,
            largest_k=asked[-1] if asked else ks[0], execution=execution,
            journals=journals, watch=watch,
        )  # fmt: skip
        ks = wanted_ks(asked, len(prepared.rows))
        judged = Judged(
            given, order.place, data.values, prepared, streams, k_as_given=k_as_given
        )
        panel = run_panel(
            prepared, ks, repeats=repeats, seed=seed, execution=execution,
            journals=journals, watch=watch,
        )  # fmt: skip
        judged = replace(judged, gate=seen, panel=panel)
        few = few_note(null_sets, sets_needed(level), level)
        common = {**common, "notes": (*data.notes, *few)}
        # New items come with columns in the order of the table.
        if not given.precomputed:
            common["coordinates"] = prepared.coordinates.for_columns(
                columns, given.values[0]
            )
        answer = decide(
            judged, classes, scaling, common, level=level, execution=execution
        )
        # There the partition and the subsamples disagree.
        if moved := elsewhere_sentence(answer.elsewhere()):
            answer = replace(answer, dissent=(*answer.dissent, moved))
        return answer


def in_coordinates(
    given: Dataset, metric: str, scaling: Scale, streams: Streams
) -> tuple[Canonical, Rows, Dataset]:
    """Return the order of rows and columns, and the data in it as they are judged."""
    if metric not in METRICS:
        raise unknown_metric(metric)
    changed = bool(scaling.steps) or metric != "euclidean"
    if given.precomputed:
        first = canonical_distances(given.values)
        ordered = replace(given, values=first.values(given.values), _distances={})
        turned = from_distances(ordered, streams)
        values, notes = np.array(turned.values), turned.notes
    else:
        first = canonical(given.values)
        if not changed:
            first = first.without_constant_columns(given.values)
        # One copy, which is scaled and ordered in place.
        values = first.values(given.values, np.float64 if changed else None)
        notes = (*given.notes, *to_euclidean(values, metric))
        notes += scale_in_place(values, scaling)
    if not changed and len(first.rows) == given.n:
        return first, first.columns, Dataset(values, name=given.name, notes=notes)
    # Rows may have become equal on the way: what is judged is every row once.
    second = canonical(values)
    data = Dataset(second.reorder(values), name=given.name, notes=notes)
    # Distances have become coordinates, which no table has.
    columns = second.columns if given.precomputed else first.columns[second.columns]
    return first.then(second), columns, data


def wanted_ks(asked: tuple[int, ...] | None, n: int) -> tuple[int, ...]:
    """Return the ks to try, or say what is wrong with those asked for."""
    most = most_clusters(n)
    if asked is None:
        return tuple(range(2, min(LARGEST_K, max(6, n // 6), most) + 1))
    if len(asked) == 1 and asked[0] < 2:
        raise InputError(
            f"k = {asked[0]} is not a split; ask for 2 to {most}, or leave out "
            f"{advice('-k', 'ks')} to see whether there are clusters at all"
        )
    if not asked:
        raise InputError(
            f"the range of ks is empty; the smaller comes first: {ks_advice(2, 10)}"
        )
    if min(asked) < 1:
        use = ks_advice(2, min(max(*asked, 2), most))
        raise InputError(
            f"k = {min(asked)} is not a number of clusters: ks begin at 2; use {use}"
        )
    if list(asked) != list(range(asked[0], asked[-1] + 1)):
        raise InputError(
            f"the ks must be consecutive, as in {ks_advice(2, 10)}; got {list(asked)}"
        )
    if asked[-1] > most:
        use = ks_advice(2, most)
        if len(asked) == 1:
            use = f"{advice(f'-k {most}', f'ks={most}')} or less"
        raise InputError(f"k = {asked[-1]}: {n} items allow 2 to {most}; use {use}")
    return asked if len(asked) == 1 else tuple(range(2, asked[-1] + 1))
