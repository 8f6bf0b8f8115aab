"""Labels the user brings: whether they are clusters of these data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.panel.answer import Judged
from stablek.panel.words import listed
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.results.describe import class_codes
from stablek.results.trust import cluster_trust

#: Mean Jaccard from which a class counts as a stable cluster (fpc::clusterboot).
STABLE = 0.75


def judge_labels(
    own: tuple[str, ...], labels: NDArray[np.int64], judged: Judged, *, evidence: bool
) -> dict[str, Any]:
    """Return how the user's classes stand among the clusters of these data.

    For each class: consensus, Jaccard stability and separation, as for our own
    clusters, from the subsamples clustered into as many clusters as there are classes
    (or the nearest number tried), and the cluster that holds most of it; and the
    adjusted Rand index with our partition. ``evidence`` says whether there is evidence
    of clusters at all, so that this answer and the verdict agree.
    """
    names, classes = class_codes(own)
    answer: dict[str, Any] = {
        "classes": list(names), "count": len(names), "labels": list(own),
    }  # fmt: skip
    if len(names) < 2:
        answer["sentence"] = (
            "Your labels name a single class. There is nothing to judge."
        )
        return answer
    if judged.panel is None:
        answer["sentence"] = (
            f"Your {len(names)} classes are not visible as clusters in these data."
        )
        return answer
    inside = classes[judged.items]
    present, compact = np.unique(inside, return_inverse=True)
    drawn = judged.drawn(len(names))
    trusts = cluster_trust(compact, drawn, judged.prepared.judged)
    table = contingency(classes, labels)
    rows = []
    for code, trust in zip(present, trusts, strict=True):
        near = present[trust.nearest - 1] if trust.nearest else code
        mine = labels[classes == code]
        cluster, most = np.unique(mine, return_counts=True)
        rows.append(
            {
                **trust.to_dict(),
                "class": names[code],
                "size": int(mine.size),
                "nearest": names[near],
                "main_cluster": int(cluster[most.argmax()]),
                "share_in_main_cluster": float(most.max() / mine.size),
            }
        )
    answer["clusters"] = rows
    answer["k"] = min(judged.panel.ks, key=lambda k: abs(k - len(names)))
    answer["rand"] = adjusted_rand(table)
    at = judged.panel.at(answer["k"])
    answer["rand_at_classes"] = adjusted_rand(contingency(inside, at))
    answer["sentence"] = _sentence(answer, evidence=evidence)
    return answer


def stable_classes(answer: Mapping[str, Any]) -> list[str]:
    """Return the classes that are stable clusters; the sentence names just these."""
    rows = answer.get("clusters", ())
    return [row["class"] for row in rows if (row["jaccard"] or 0) >= STABLE]


def _sentence(answer: Mapping[str, Any], *, evidence: bool) -> str:
    good = stable_classes(answer)
    many = {0: "none is a stable cluster", 1: "1 is a stable cluster"}.get(
        len(good), f"{len(good)} are stable clusters"
    )
    names = f" ({listed(good)})" if good else ""
    if evidence:
        return (
            f"Of your {answer['count']} classes, {many}{names}. Their agreement with "
            f"the clusters is {answer['rand']:.2f} (adjusted Rand index; 1 is perfect)."
        )
    return (
        f"Split into {answer['k']} groups, the data agree with your classes to "
        f"{answer['rand_at_classes']:.2f} (adjusted Rand index; 1 is perfect), but "
        "such groups are no better separated than in data without clusters."
    )
