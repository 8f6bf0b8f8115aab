"""``stablek validate``: whether the structure comes back in another cohort."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.api.new_data import Model, model_of, new_items
from stablek.data import Dataset, as_dataset
from stablek.data.seeds import Streams
from stablek.engine.execution.execute import single_blas
from stablek.errors import InputError, check_count, unknown_name
from stablek.paradigm.cluster import kmeans_w
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.results.assign import Reference
from stablek.results.validation import (
    ClusterReturn,
    Validation,
    explained_share,
    gaps,
    in_group_proportion,
    p_value,
    replicated,
    word,
)
from stablek.results.verdict import Verdict

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

NULL_SETS = 99
#: At most so many items of the other cohort are used, drawn at random.
LARGEST = 1000
#: Median shift of columns, in standard deviations, from which cohorts are aligned.
SHIFTED = 0.5
#: Median ratio of standard deviations from which they are scaled, too.
SCALED = 1.5
ALIGNMENTS = ("auto", "none", "centre", "scale")


def validate(
    verdict: Verdict | Model | str | Path,
    X: Any,
    *,
    k: int | None = None,
    prepare: bool = True,
    align: str = "auto",
    null_sets: int = NULL_SETS,
    seed: int = 0,
) -> Validation:
    """Return whether the clusters of a verdict come back in another cohort.

    1. Columns are matched by name.
    2. Each item of the other cohort is assigned to a cluster of the first.
    3. For every cluster the in-group proportion is computed. The other cohort is also
       clustered on its own into the same number of clusters, and compared.
    4. The same is done for cohorts without clusters: normal ones with the same spread,
       and the other cohort with every column shuffled. The p-value is the share that do
       as well, for the kind that does better.

    Parameters
    ----------
    verdict
        A verdict, its model, or the folder it was written to.
    X
        The other cohort.
    prepare
        Whether to prepare it as the first was; False if it is already prepared.
    k
        The number of clusters; by default the verdict's answer, or its best guess.
    align
        What to do about another platform: "centre" subtracts the cohort's own column
        means and adds those of the first, "scale" does the same with standard
        deviations, "none" nothing; "auto" decides by how far the columns are shifted.
        Centring is wrong if the cohorts contain the clusters in different proportions.
    null_sets
        The number of cohorts without clusters, for each kind.
    seed
        Determines every random draw.

    References
    ----------
    Kapp, Tibshirani (2007), Biostatistics 8, 9-31. Dudoit, Fridlyand (2002), Genome
    Biology 3, research0036.
    """
    model = _model(verdict)
    if align not in ALIGNMENTS:
        raise unknown_name("alignment", align, ALIGNMENTS)
    check_count("null_sets", null_sets)
    k = model.k if k is None else int(k)
    if k < 2:
        raise InputError(
            "one cluster always comes back: there is nothing to validate; name a k, "
            "e.g. k = 2"
        )
    streams = Streams(int(seed), ("validate",))
    data = as_dataset(new_items(X, model.known, fewest=3))
    values, notes = model.matched(data, prepare=prepare)
    notes = notes if isinstance(X, Dataset) else (*data.notes, *notes)
    values, more = aligned_with(model, values, align)
    rows = np.arange(len(values))
    if len(rows) > LARGEST:
        rows = np.sort(streams("rows").permutation(len(rows))[:LARGEST])
        more = (*more, f"used {LARGEST:,} of {len(values):,} items, drawn at random")
    if len(rows) <= k:
        raise InputError(f"{len(rows)} items are too few to look for {k} clusters")
    reference = model.reference(k)
    with single_blas():
        scores = model.scores_of(values)
        looked_at = np.ascontiguousarray(scores[rows])
        seen = _statistics(looked_at, reference, k, streams)
        nulls = [
            np.array([_statistics(drawn, reference, k, streams) for drawn in cohorts])
            for cohorts in (
                _normal(looked_at, null_sets, streams),
                _shuffled(values[rows], model, null_sets, streams),
            )
        ]
    scores_by_kind = [both_scores(seen, null) for null in nulls]
    p = [max(p_value(one, null[:, j]) for null in nulls) for j, one in enumerate(seen)]
    score = min(one for one, _ in scores_by_kind)
    whole = max(p_value(one, others) for one, others in scores_by_kind)
    more = (*more, *model.doubt(k))
    assignment = reference.assign(scores, data.item_ids(), (*notes, *more))
    sizes = np.bincount(assignment.cluster - 1, minlength=k)
    parts = [slice(2 + i * k, 2 + (i + 1) * k) for i in range(4)]
    igp, jaccard, gap, _ = (seen[part].tolist() for part in parts)
    igp_p, jaccard_p, gap_p, all_p = (p[part] for part in parts)
    returns = tuple(
        ClusterReturn(
            c + 1, int(sizes[c]), igp[c], igp_p[c], jaccard[c], jaccard_p[c], gap[c],
            gap_p[c], all_p[c],
            word(int(sizes[c]), all_p[c], (igp_p[c], jaccard_p[c], gap_p[c])),
        )
        for c in range(k)
    )  # fmt: skip
    return Validation(
        k, float(seen[0]), p[0], float(seen[1]), p[1], score, whole, returns,
        assignment, _clusters(looked_at, int((sizes > 0).sum()), streams) + 1,
        (*notes, *more), {"align": align, "null_sets": null_sets, "seed": int(seed)},
    )  # fmt: skip


def both_scores(seen: Floats, null: Floats) -> tuple[float, Floats]:
    """Return adjusted Rand plus explained share, both in null standard deviations."""
    middle, spread = null[:, :2].mean(axis=0), null[:, :2].std(axis=0)
    spread = np.maximum(spread, 1e-6)
    score = float(((seen[:2] - middle) / spread).sum())
    return score, ((null[:, :2] - middle) / spread).sum(axis=1)


def aligned_with(
    model: Model, values: Floats, align: str
) -> tuple[Floats, tuple[str, ...]]:
    """Return values moved to the level of the first data, and what was done."""
    spread = np.where(model.spreads > 0, model.spreads, 1.0)
    here = values.std(axis=0)
    usable = (model.spreads > 0) & (here > 0)
    if not usable.any():
        return values, ()
    shift = float(np.median(np.abs(values.mean(axis=0) - model.means)[usable]
                            / spread[usable]))  # fmt: skip
    ratio = float(np.median((here / spread)[usable]))
    differ = (
        f"columns lie {shift:.2g} standard deviations apart from those of the first "
        f"cohort and spread {ratio:.2g} times as far (medians)"
    )
    if align == "auto":
        scaled = max(ratio, 1 / ratio) > SCALED
        align = "scale" if scaled else "centre" if shift > SHIFTED else "none"
        if align != "none":
            differ = f"another platform? {differ}"
    if align == "none":
        return values, (differ,)
    centred = values - values.mean(axis=0)
    if align == "scale":
        to_theirs = spread / np.where(here > 0, here, 1.0)
        centred = centred * np.where(usable, to_theirs, 1.0)
    done = "means" if align == "centre" else "means and standard deviations"
    return centred + model.means, (f"{differ}; its {done} were set to theirs",)


def _statistics(
    scores: Floats, reference: Reference, k: int, streams: Streams
) -> Floats:
    """Return adjusted Rand, explained share; per cluster three, and their product."""
    given = reference.assign(scores).cluster - 1
    clusters = _clusters(scores, len(np.unique(given)), streams)
    agree = adjusted_rand(contingency(given, clusters)) if clusters.any() else 0.0
    near, again = in_group_proportion(scores, given, k), replicated(given, clusters, k)
    share = explained_share(scores, given)
    apart = gaps(scores, given, k)
    return np.concatenate([[agree, share], near, again, apart, near * again * apart])


def _clusters(scores: Floats, k: int, streams: Streams) -> Labels:
    """Return the clusters that a cohort has on its own: K-means from Ward's tree."""
    if k < 2:
        return np.zeros(len(scores), dtype=np.int64)
    whole = Dataset(scores).whole()
    return kmeans_w().partitions(whole, [k], streams.under("own"))[0].astype(np.int64)


def _normal(scores: Floats, count: int, streams: Streams) -> Iterator[Floats]:
    """Yield normal cohorts with the mean and the covariance of this one."""
    mean = scores.mean(axis=0)
    _, spread, axes = np.linalg.svd(scores - mean, full_matrices=False)
    root = spread[:, None] * axes / np.sqrt(max(len(scores) - 1, 1))
    for i in range(count):
        noise = streams("normal", i).normal(size=(len(scores), len(root)))
        yield np.ascontiguousarray(mean + noise @ root)


def _shuffled(
    values: Floats, model: Model, count: int, streams: Streams
) -> Iterator[Floats]:
    """Yield the cohort with every column shuffled for itself."""
    for i in range(count):
        rng = streams("shuffled", i)
        yield model.scores_of(rng.permuted(values, axis=0))


def _model(source: Verdict | Model | str | Path) -> Model:
    if isinstance(source, Model):
        return source
    return model_of(source) if isinstance(source, Verdict) else Model.load(source)
