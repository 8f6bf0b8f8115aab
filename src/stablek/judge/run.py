"""``stablek.verdict``: from a table to an answer with its reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.choose import versions
from stablek.contracts import Curve
from stablek.cube import PartitionCube
from stablek.data import Dataset, from_arrays
from stablek.engine.execute import Execution, single_blas
from stablek.errors import InputError
from stablek.judge import words
from stablek.judge.brought import judge_labels
from stablek.judge.levels import levels_of
from stablek.judge.panel import Panel, Watch, sit
from stablek.judge.picks import MEMBERS, weighted
from stablek.judge.prepare import Prepared, prepare
from stablek.judge.result import Verdict
from stablek.kernels.nearest import assign_nearest
from stablek.result import Result
from stablek.seeds import Streams
from stablek.trust import cluster_trust, item_trust, moves

Labels = NDArray[np.int64]

FEWEST = 10  # items: below, no null set could be told from the data
LARGEST_K = 15
REPEATS = 40
NULL_SETS = 99
LEVEL = 0.02
MAJORITY = 3  # votes of five: with fewer the measures disagree

#: A first component this many times as wide (in variance) as the second is called a
#: continuum where there are no clusters.
CONTINUUM = 4.0


def verdict(
    X: Any,
    ks: Iterable[int] | None = None,
    *,
    labels: Sequence[Any] | None = None,
    seed: int = 0,
    repeats: int = REPEATS,
    null_sets: int = NULL_SETS,
    level: float = LEVEL,
    jobs: int = 0,
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
    guess.

    Parameters
    ----------
    X
        Items in rows: an array, a DataFrame, or a :class:`stablek.data.Dataset`.
    ks
        The numbers of clusters to try; by default 2 to 15, fewer below 90 items.
    labels
        Labels of your own to be judged; by default the classes of the data set.
    seed
        Every random draw follows from it; ``jobs`` changes no bit.
    repeats
        Subsamples per data set.
    null_sets, level
        Null sets of each kind, and the p-value at which structure is believed.
    jobs
        Threads; 0 means one per core.
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
    data = X if isinstance(X, Dataset) else from_arrays(X)
    if data.precomputed:
        msg = (
            "a verdict needs the items' values, but the input is a distance matrix; "
            "use `stablek run -m fc --metric precomputed`"
        )
        raise InputError(msg)
    own = data.classes if labels is None else tuple(str(v) for v in labels)
    if own is not None and len(own) != data.n:
        msg = f"{len(own)} labels for {data.n} items; give one label per item"
        raise InputError(msg)
    settings = {"repeats": repeats, "null_sets": null_sets, "level": level}
    common: dict[str, Any] = {
        "ids": data.item_ids(), "n": data.n, "m": data.m, "data_name": data.name,
        "seed": int(seed), "versions": versions(), "settings": settings,
    }  # fmt: skip
    values, first, back, count = np.unique(
        data.values, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    trivial = without_panel(data, len(values), back.ravel(), count, common)
    if trivial is not None:
        return trivial
    notes = data.notes
    streams = Streams(int(seed), ("verdict",))
    rows = np.sort(first)
    twins = data.n - len(rows)
    if twins:
        # An item and its copies fall together whatever the clusters are: judged is
        # every distinct row once.
        notes = (*notes, f"{twins} rows repeat others; each distinct row counts once")
    distinct = data if not twins else data.with_values(data.values[rows])
    place = np.searchsorted(rows, first)[back.ravel()]
    with single_blas():
        made = prepare(distinct, streams.under("prepare"))
    if distinct.n > len(made.rows) + len(made.isolated):
        notes = (
            *notes,
            f"judged on {len(made.rows)} of {distinct.n} items drawn at random; the "
            "others joined the nearest cluster",
        )
    if made.length is not None:
        notes = (
            *notes,
            "items differ in how much they vary apart from the main components; that "
            "counts as one more coordinate (could it be the quality of measurement?)",
        )
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
        execution=Execution(jobs),
        watch=watch,
    )
    if panel.k == 1:
        return no_clusters(data, made, panel, common, own, place)
    return clusters_found(data, made, panel, common, own, place)


def wanted_ks(ks: Iterable[int] | None, n: int) -> tuple[int, ...]:
    """Return the ks to try, or say what is wrong with those asked for."""
    if ks is None:
        return tuple(range(2, min(LARGEST_K, max(6, n // 6), n // 2 - 1) + 1))
    asked = tuple(int(k) for k in ks)
    if not asked or asked[0] < 1 or list(asked) != list(range(asked[0], asked[-1] + 1)):
        msg = f"the ks must follow one another, as in 2:10; got {list(asked)}"
        raise InputError(msg)
    most = n // 2 - 1  # halves are clustered for prediction strength
    if asked[-1] > most or asked[-1] < 2:
        msg = f"k = {asked[-1]} asked; {n} items allow 2 to {most} (use -k 2:{most})"
        raise InputError(msg)
    return tuple(range(2, asked[-1] + 1))


def without_panel(
    data: Dataset,
    distinct: int,
    groups: NDArray[np.intp],
    count: NDArray[np.intp],
    common: dict[str, Any],
) -> Verdict | None:
    """Return the answer for data that need a sentence and not a panel."""
    alone = np.zeros(data.n, dtype=np.int64)
    if distinct == 1:
        text = "All items are equal: there is nothing to look for."
        return Verdict(
            k=1, sentence=text, strength="certain: all rows are equal",
            plausible={1: 1.0}, labels=alone, **common,
        )  # fmt: skip
    if data.n < FEWEST:
        text = (
            f"{data.n} items are too few for a verdict: at least {FEWEST} are needed "
            "to tell groups from chance."
        )
        return Verdict(
            k=None, sentence=text, strength="none: too few items", plausible={},
            labels=alone, next_steps=("Collect more items.",), **common,
        )  # fmt: skip
    if distinct < FEWEST:
        order = {g: i for i, g in enumerate(dict.fromkeys(groups.tolist()))}
        labels = np.array([order[g] for g in groups.tolist()], dtype=np.int64)
        repeated = int((count > 1).sum())
        text = (
            f"The {data.n} items take only {distinct} different values, {repeated} of "
            f"them more than once: they are {distinct} groups of identical rows, which "
            "needs no statistics. Are rows duplicated, or columns too coarse?"
        )
        return Verdict(
            k=distinct if repeated == distinct else None, sentence=text,
            strength="none: identical rows, not judged",
            plausible={distinct: 1.0}, labels=labels,
            next_steps=("Find out why rows are identical before clustering them.",),
            **common,
        )  # fmt: skip
    return None


def no_clusters(
    data: Dataset,
    made: Prepared,
    panel: Panel | None,
    common: dict[str, Any],
    own: tuple[str, ...] | None,
    place: NDArray[np.intp],
) -> Verdict:
    """Return the answer "no evidence of clusters"."""
    variance = np.sort(made.judged.var(axis=0))[::-1]
    long = len(variance) < 2 or variance[0] >= CONTINUUM * variance[1]
    continuum = made.components != 0 and bool(long)
    p = None if panel is None else panel.gate.p
    text = words.none_sentence(p, continuum=continuum, components=made.components)
    aside = words.isolated_sentence(common["isolated"])
    strength = "none: no component stands out" if p is None else (
        f"none: {words.p_text(p)}"
    )  # fmt: skip
    brought = None
    if own is not None:
        brought = judge_labels(own, None, made, panel, place)
    copies = words.copies_sentence(data.n - len(made.scores))
    told = (brought or {}).get("sentence", "")
    said = " ".join(filter(None, [text, aside, copies, told]))
    return Verdict(
        k=1,
        sentence=said,
        strength=strength,
        plausible={1: 1.0},
        p=p,
        p_of={} if panel is None else panel.gate.p_of,
        votes={},
        next_steps=words.next_steps(
            1, agree=0, between=0, isolated=len(made.isolated), n=data.n, top=1,
            largest=2,
        ),
        labels=np.zeros(data.n, dtype=np.int64),
        ks=() if panel is None else panel.observed.ks,
        columns={} if panel is None else columns_of(panel),
        brought=brought,
        facts=facts_of(made, panel),
        result=None if panel is None else as_result(data, made, panel, 1, place),
        **common,
    )  # fmt: skip


def clusters_found(
    data: Dataset,
    made: Prepared,
    panel: Panel,
    common: dict[str, Any],
    own: tuple[str, ...] | None,
    place: NDArray[np.intp],
) -> Verdict:
    """Return the answer "k clusters", or that the panel disagrees."""
    k, observed = panel.k, panel.observed
    assert observed.labels is not None  # the data's own are kept
    at = observed.ks.index(k)
    ballots = weighted(panel.votes)
    agree = ballots.count(k)
    agreed = agree >= MAJORITY
    part = observed.partitions[at].astype(np.int64)
    labels = all_labels(made, part)[place]
    trusts = cluster_trust(part, observed.labels[at], made.judged)
    sizes = np.bincount(labels, minlength=k)
    clusters = tuple(
        {**t.to_dict(), "size": int(s)} for t, s in zip(trusts, sizes, strict=True)
    )
    items = item_records(common["ids"], labels, made, part, observed.labels[at], place)
    between = sum(item["between"] for item in items)
    levels = levels_of(panel)
    plausible = {n: c / len(ballots) for n, c in sorted(Counter(ballots).items())}
    p = panel.gate.p
    sentence = (
        words.found_sentence(k, (agree, len(ballots)), p, levels)
        if agreed
        else words.unclear_sentence(k, plausible, p)
    )
    brought = None if own is None else judge_labels(own, labels, made, panel, place)
    said = [
        sentence,
        words.clusters_sentence(clusters, between),
        words.isolated_sentence(common["isolated"]),
        words.copies_sentence(data.n - len(made.scores)),
        (brought or {}).get("sentence", ""),
    ]
    return Verdict(
        k=k,
        agreed=agreed,
        sentence=" ".join(filter(None, said)),
        strength=words.strength(agree, len(ballots), p),
        plausible=plausible,
        levels=levels,
        p=p,
        p_of=panel.gate.p_of,
        votes=panel.votes,
        dissent=words.dissent(panel.votes, k),
        next_steps=words.next_steps(
            k, agree=agree, between=between,
            isolated=len(made.isolated), n=data.n, top=k, largest=observed.ks[-1],
        ),
        labels=labels,
        ks=observed.ks,
        columns=columns_of(panel),
        clusters=clusters,
        items=items,
        merges=tuple(
            asdict(m) for m in moves(observed.ks, observed.partitions, observed.labels)
        ),
        brought=brought,
        facts=facts_of(made, panel),
        result=as_result(data, made, panel, k, place),
        **common,
    )  # fmt: skip


def all_labels(made: Prepared, part: NDArray[Any]) -> Labels:
    """Return labels of all distinct rows; those not judged join the nearest mean."""
    k = int(part.max()) + 1
    judged = made.judged
    centres = np.array([judged[part == c].mean(axis=0) for c in range(k)])
    labels = assign_nearest(made.scores, centres).astype(np.int64)
    labels[made.rows] = part
    return labels


def item_records(
    ids: Sequence[str],
    labels: Labels,
    made: Prepared,
    part: NDArray[Any],
    drawn: NDArray[Any],
    place: NDArray[np.intp],
) -> tuple[dict[str, Any], ...]:
    """Return the table of items: their cluster, its consensus, and the runner-up."""
    trusts = dict(zip(made.rows.tolist(), item_trust(part, drawn), strict=True))
    apart = set(made.isolated.tolist())
    records = []
    for i, (name, label) in enumerate(zip(ids, labels.tolist(), strict=True)):
        own = trusts.get(int(place[i]))
        records.append(
            {
                "id": name,
                "cluster": int(label) + 1,
                "consensus": None if own is None else own.consensus,
                "runner_up": None if own is None else own.runner_up,
                "runner_up_consensus": None if own is None else own.runner_up_consensus,
                "between": False if own is None else own.between,
                "isolated": int(place[i]) in apart,
            }
        )
    return tuple(records)


def columns_of(panel: Panel) -> dict[str, NDArray[np.float64]]:
    """Return the panel's table: statistics, scores at the gate, members' curves."""
    columns = dict(panel.observed.columns)
    for kind, scores in panel.gate.scores.items():
        columns[f"score_{kind}"] = scores
    columns["admissible"] = panel.gate.admissible.astype(float)
    for member in MEMBERS if panel.votes else ():
        columns[f"member_{member.name}"] = member.curve(
            panel.observed.columns, panel.nulls
        )
    if panel.votes:
        columns["bic"] = panel.bic[1:]
    return columns


def facts_of(made: Prepared, panel: Panel | None) -> dict[str, Any]:
    """Return other numbers behind the answer."""
    facts: dict[str, Any] = {
        "components": made.scores.shape[1],
        "standing_out": made.components,
        "explained": made.explained,
        "judged": len(made.rows),
        "length_counts": made.length is not None,
    }
    if panel is not None:
        facts["null_sets"] = panel.gate.sets
        facts["score"] = panel.gate.score
        facts["k_at_score"] = panel.gate.k_at
    return facts


def as_result(
    data: Dataset, made: Prepared, panel: Panel, k: int, place: NDArray[np.intp]
) -> Result:
    """Return the panel's own consensus run as a result, for plots and the report."""
    observed = panel.observed
    assert observed.labels is not None  # the data's own are kept
    cube = PartitionCube(observed.labels.shape[1], observed.ks, 1, data.n)
    column = np.full(len(made.scores), -1)
    column[made.rows] = np.arange(len(made.rows))
    seen = column[place]
    drawn = np.full((*observed.labels.shape[:2], data.n), cube.missing, np.int64)
    inside = observed.labels[:, :, seen[seen >= 0]].astype(np.int64)
    drawn[:, :, seen >= 0] = np.where(inside == 65535, cube.missing, inside)
    cube.labels[:, :, 0] = drawn.transpose(1, 0, 2).astype(cube.labels.dtype)
    cube.filled[:] = True
    curve = Curve(observed.ks, columns_of(panel), "ent")
    labels = np.zeros(data.n, dtype=np.int64)
    if k > 1:
        labels = all_labels(made, observed.partitions[observed.ks.index(k)])[place]
    return Result(
        k_star=k,
        rule="the panel's vote, after both nulls were beaten",
        reason=words.p_text(panel.gate.p),
        candidates=(k,),
        measure="fc",
        algorithm="kmeans-w",
        ks=curve.ks,
        columns=curve.columns,
        main=curve.main,
        error=None,
        n=data.n,
        m=data.m,
        data_name=data.name,
        labels=labels,
        facts=facts_of(made, panel),
        seed=0,
        notes=data.notes,
        cube=cube,
        data=data,
    )
