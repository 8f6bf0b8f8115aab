"""Labels the user brings: whether they are clusters of these data."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.panel.answer import Judged
from stablek.panel.finding import Finding
from stablek.panel.label_words import labels_sentence
from stablek.panel.words import STABLE, is_shaky
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.results.describe import class_codes
from stablek.results.trust import ClusterTrust, cluster_trust

Labels = NDArray[np.int64]


def judge_labels(
    classes: tuple[str, ...],
    labels: Labels,
    judged: Judged,
    finding: Finding,
    rare: Labels,
) -> dict[str, Any]:
    """Return how the user's classes stand among the clusters of these data.

    A class is a cluster of the answer if the two share three quarters of their items,
    and the cluster comes back in subsamples. "k" is the number of classes, or the
    nearest number tried: at this k, subsamples give the consensus, Jaccard stability
    and separation of each class. They are clustered into compact clusters, so they say
    nothing of groups of any shape. Without evidence of clusters no class is in a
    cluster, and none is called stable. "shared" are clusters that hold several classes,
    and whether these are told apart at k. "small" are classes that are a small group of
    ``rare``, which has the number of the group of every item that is in one.
    """
    names, codes = class_codes(classes)
    answer: dict[str, Any] = {
        "classes": list(names), "count": len(names), "labels": list(classes),
        "finding": finding.kind,
    }  # fmt: skip
    if len(names) > 1:
        answer |= _compared(names, codes, labels, judged, finding)
    if small := small_classes(names, codes, rare):
        answer["small"] = small
    answer["sentence"] = labels_sentence(answer)
    return answer


def _compared(
    names: tuple[str, ...],
    classes: Labels,
    labels: Labels,
    judged: Judged,
    finding: Finding,
) -> dict[str, Any]:
    """Return the classes against the clusters of the answer, and those at k."""
    panel = judged.the_panel
    k, part = finding.k, finding.part
    if not finding.connected:
        k = min(panel.ks, key=lambda tried: abs(tried - len(names)))
        part = panel.at(k)
    inside = classes[judged.items]
    present = np.unique(inside)
    rows = [
        {**known, "class": names[code], "size": int((classes == code).sum())}
        for code, known in zip(
            present, _stability(names, present, inside, judged, finding), strict=True
        )
    ]
    places = best_matches(classes, labels)
    for row, code in zip(rows, present, strict=True):
        cluster, share, overlap = places[code]
        evident = finding.k > 1
        shaky = finding.compact and is_shaky(finding.clusters[cluster - 1])
        row["main_cluster"] = cluster if evident else None
        row["share_in_main_cluster"] = share if evident else None
        row["overlap"] = overlap if evident else None
        row["is_cluster"] = evident and not shaky and overlap >= STABLE
    finer = best_matches(inside, part) if k > finding.k > 1 else ()
    return {
        "clusters": rows,
        "shared": shared_clusters(rows, finer),
        "k": k,
        "rand": adjusted_rand(contingency(classes, labels)),
        "rand_at_classes": adjusted_rand(contingency(inside, part)),
    }


def _stability(
    names: tuple[str, ...],
    present: Labels,
    inside: Labels,
    judged: Judged,
    finding: Finding,
) -> list[dict[str, Any]]:
    """Return what subsamples say of each class that was judged."""
    if finding.connected:
        unknown = dict.fromkeys(ClusterTrust.__dataclass_fields__)
        return [{**unknown, "cluster": c + 1} for c in range(len(present))]
    places = np.searchsorted(present, inside)
    trusts = cluster_trust(places, judged.drawn(len(names)), judged.prepared.judged)
    return [
        {
            **trust.to_dict(),
            "nearest": names[present[(trust.nearest or trust.cluster) - 1]],
            "word": trust.word if finding.compact else None,
        }
        for trust in trusts
    ]


def best_matches(
    classes: NDArray[Any], labels: NDArray[Any]
) -> list[tuple[int, float, float]]:
    """Return for each class its main cluster from 1, its share in it, and the overlap.

    The overlap is the Jaccard coefficient of the class and the cluster.

    Examples
    --------
    >>> best_matches(np.array([0, 0, 1, 1]), np.array([1, 1, 1, 2]))
    [(1, 1.0, 0.6666666666666666), (1, 0.5, 0.25)]
    """
    table = contingency(classes, labels)
    main = table.argmax(axis=1)
    both, size = table.max(axis=1), table.sum(axis=1)
    either = size + table.sum(axis=0)[main] - both
    return list(
        zip(
            (main + 1).tolist(),
            (both / size).tolist(),
            (both / either).tolist(),
            strict=True,
        )
    )


def small_classes(names: Sequence[str], classes: Labels, rare: Labels) -> list[str]:
    """Return the classes that are a small group each: both share 3/4 of their items.

    Examples
    --------
    >>> small_classes(["a", "b"], np.array([0, 0, 0, 1, 1]), np.array([0, 0, 0, 1, 1]))
    ['b']
    """
    if not rare.any():
        return []
    of_group = best_matches(classes, rare)
    first = 1 if (rare == 0).any() else 0  # of the matches, the items in none
    return [
        name
        for name, (group, _, overlap) in zip(names, of_group, strict=True)
        if group > first and overlap >= STABLE
    ]


def shared_clusters(
    rows: Sequence[Mapping[str, Any]], finer: Sequence[tuple[int, float, float]]
) -> list[dict[str, Any]]:
    """Return the clusters that hold most of two or more classes.

    ``finer`` are the best matches of the classes at a larger k: they are told apart
    there if each lies in a cluster of its own.
    """
    held: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        if (row["share_in_main_cluster"] or 0) >= STABLE:
            held.setdefault(row["main_cluster"], []).append(place)
    shared = []
    for cluster, places in sorted(held.items()):
        if len(places) < 2:
            continue
        lies_in = {finer[p][0] for p in places if finer and finer[p][1] >= STABLE}
        shared.append(
            {
                "cluster": cluster,
                "classes": [rows[p]["class"] for p in places],
                "told_apart": len(lies_in) == len(places),
            }
        )
    return shared


def nameless_sentence(answer: Mapping[str, Any]) -> str:
    """Return the sentence with "class 1" and so on in place of the names."""
    number = {name: f"class {i}" for i, name in enumerate(answer["classes"], 1)}
    rows = [
        {**row, "class": number[row["class"]]} for row in answer.get("clusters", ())
    ]
    shared = [
        {**one, "classes": [number[name] for name in one["classes"]]}
        for one in answer.get("shared", ())
    ]
    small = [number[name] for name in answer.get("small", ())]
    return labels_sentence(
        {**answer, "clusters": rows, "shared": shared, "small": small,
         "classes": list(number.values())}
    )  # fmt: skip
