"""The two answers of a panel: no clusters, or k of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.panel import words
from stablek.panel.gate import SHALLOWEST
from stablek.panel.levels import levels_of
from stablek.panel.observe import most_clusters
from stablek.panel.panel import Panel
from stablek.panel.picks import VOTES, weighted
from stablek.panel.prepare import Prepared
from stablek.panel.rare import rare_group
from stablek.panel.scaling import Scaling
from stablek.panel.steps import next_steps
from stablek.panel.tables import (
    all_labels,
    as_result,
    columns_of,
    facts_of,
    item_records,
)
from stablek.panel.user_labels import judge_labels
from stablek.results.trust import cluster_trust, moves
from stablek.results.verdict import Verdict

MAJORITY = 3  # votes of five: with fewer the measures disagree

#: A first component this many times as wide (in variance) as the second is called a
#: continuum where there are no clusters.
CONTINUUM = 4.0

#: Where a member that reads stability names this many times the k of the mixtures, and
#: no large majority stands against it, finer splits go on being as good: items along a
#: curve or a sheet, which no flat null set resembles.
WITHOUT_END = 2


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
    apart = lying_apart(made)
    apart_ids = tuple(common["ids"][i] for i in np.flatnonzero(apart[place]))
    continuum = made.components != 0 and bool(long) and not apart.any()
    p = None if panel is None else panel.gate.p
    text = words.none_sentence(p, continuum=continuum, components=made.components)
    aside = words.isolated_sentence(common["isolated"])
    strength = "none: no component stands out" if p is None else (
        f"none: {words.p_text(p)}"
    )  # fmt: skip
    brought = None
    if own is not None:
        brought = judge_labels(own, None, made, panel, place)
    result = None
    if panel is not None:
        result = as_result(data, made, panel, 1, place, common)
    copies = words.copies_sentence(data.n - len(made.scores))
    drawn = judged_sentence(made, joined=False)
    told = (brought or {}).get("sentence", "")
    rare = words.apart_sentence(len(apart_ids), data.n)
    said = " ".join(filter(None, [text, rare, aside, drawn, copies, told]))
    return Verdict(
        k=1,
        sentence=said,
        strength=strength,
        plausible={1: 1.0},
        p=p,
        p_of={} if panel is None else panel.gate.p_of,
        votes={},
        next_steps=next_steps(
            1, agree=0, between=0, isolated=len(made.isolated), n=data.n,
            scaling=Scaling.of(data), apart=len(apart_ids),
        ),
        labels=np.zeros(data.n, dtype=np.int64),
        apart=apart_ids,
        ks=() if panel is None else panel.observed.ks,
        columns={} if panel is None else columns_of(panel),
        brought=brought,
        facts=facts_of(made, panel),
        result=result,
        **common,
    )  # fmt: skip


def lying_apart(made: Prepared) -> NDArray[np.bool_]:
    """Tell of every row whether it is in a small group that lies apart.

    Rows that were not judged go with the nearer part, as they do with clusters.
    """
    group = np.zeros(len(made.rows), dtype=np.int64)
    if made.components != 0:
        group[rare_group(made.judged)] = 1
    if not group.any():
        return np.zeros(len(made.scores), dtype=bool)
    apart: NDArray[np.bool_] = all_labels(made, group) == 1
    apart[made.isolated] = False
    return apart


def without_end(votes: Mapping[str, int]) -> bool:
    """Tell whether splits go on being good far beyond what the mixtures need."""
    finest = max(votes["prediction"], votes["consensus"])
    return finest >= WITHOUT_END * votes["mixture"]


def without_gaps(votes: Mapping[str, int], k: int, valley: float) -> bool:
    """Tell whether items go over from cluster to cluster, and finer splits hold, too.

    A member that reads stability names a larger k, and somewhere two of the k clusters
    have no valley between them, by the gate's measure. Asked only where the measures
    disagree. On design seeds (from 70,000 to 96,000) it was said of 19 of 28 sets along
    curves, rings, spirals and two moons, and of 2 of 149 mixtures of 2 to 8 clusters;
    :func:`without_end`, which knows no gaps, would have said it of 13 and of 8.
    """
    finest = max(votes["prediction"], votes["consensus"])
    return finest > k and valley > SHALLOWEST


def wider_range(k: int, largest: int, n: int) -> int | None:
    """Return the largest k to try next where k is the largest tried; None otherwise.

    Examples
    --------
    >>> wider_range(15, 15, 1000), wider_range(14, 15, 1000), wider_range(9, 9, 20)
    (30, None, None)
    """
    most = most_clusters(n)
    return min(2 * k, most) if k == largest < most else None


def judged_sentence(made: Prepared, *, joined: bool) -> str:
    """Return how many of the distinct rows were judged, where not all were."""
    return words.judged_sentence(
        len(made.rows), len(made.scores), len(made.isolated), joined=joined
    )


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
    endless = agree <= MAJORITY and without_end(panel.votes)
    agreed = agree >= MAJORITY and not endless
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
    wider = wider_range(k, observed.ks[-1], len(part))
    valley = float(observed.columns["val"][at])  # the shallowest between any two
    continuum = not agreed and without_gaps(panel.votes, k, valley)
    sentence = (
        words.found_sentence(k, (agree, len(ballots)), p, levels, wider)
        if agreed
        else words.unclear_sentence(k, plausible, p, endless=continuum, wider=wider)
    )
    brought = None if own is None else judge_labels(own, labels, made, panel, place)
    said = [
        sentence,
        words.clusters_sentence(clusters, between),
        words.isolated_sentence(common["isolated"]),
        judged_sentence(made, joined=True),
        words.copies_sentence(data.n - len(made.scores)),
        (brought or {}).get("sentence", ""),
    ]
    return Verdict(
        k=k,
        agreed=agreed,
        sentence=" ".join(filter(None, said)),
        strength=words.strength(agree, len(ballots), p, agreed=agreed, wider=wider),
        plausible=plausible,
        levels=levels,
        p=p,
        p_of=panel.gate.p_of,
        votes=panel.votes,
        weights={name: VOTES[name] for name in panel.votes},
        dissent=words.dissent(panel.votes, k, VOTES),
        next_steps=next_steps(
            k, agree=agree if agreed else 0, between=between,
            isolated=len(made.isolated), n=data.n, scaling=Scaling.of(data),
            wider=wider,
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
        result=as_result(data, made, panel, k, place, common),
        **common,
    )  # fmt: skip
