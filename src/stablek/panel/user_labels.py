"""Labels the user brings: whether they are clusters of these data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.panel.panel import Panel
from stablek.panel.prepare import Prepared
from stablek.panel.words import listed, stable_classes
from stablek.paradigm.indices import adjusted_rand, contingency
from stablek.results.trust import cluster_trust


def judge_labels(
    own: tuple[str, ...],
    labels: NDArray[np.int64] | None,
    made: Prepared,
    panel: Panel | None,
    place: NDArray[np.intp],
) -> dict[str, Any]:
    """Return how the user's classes stand among the clusters of these data.

    For each class: consensus, Jaccard stability and separation, as for our own
    clusters, from the subsamples clustered into as many clusters as there are classes
    (or the nearest number tried); and the adjusted Rand index with our partition at
    the verdict's k and at the number of classes.
    """
    names = tuple(dict.fromkeys(own))
    index = {name: i for i, name in enumerate(names)}
    classes = np.array([index[name] for name in own])
    found: dict[str, Any] = {"classes": list(names), "count": len(names)}
    if len(names) < 2:
        found["sentence"] = "Your labels name a single class: nothing to judge."
        return found
    if panel is None:
        found["sentence"] = (
            f"Your {len(names)} classes are not visible as clusters in these data."
        )
        return found
    observed = panel.observed
    assert observed.labels is not None  # the data's own are kept
    near = min(observed.ks, key=lambda k: abs(k - len(names)))
    at = observed.ks.index(near)
    first = np.zeros(len(made.scores), dtype=np.intp)
    first[place[::-1]] = np.arange(len(place))[::-1]  # an item of each distinct row
    judged = classes[first[made.rows]]
    present, compact = np.unique(judged, return_inverse=True)
    trusts = cluster_trust(compact, observed.labels[at], made.judged)
    rows = []
    for code, trust in zip(present, trusts, strict=True):
        near_code = present[trust.nearest - 1] if trust.nearest else code
        rows.append(
            {
                **trust.to_dict(),
                "class": names[code],
                "size": int((classes == code).sum()),
                "nearest": names[near_code],
            }
        )
    found["clusters"] = rows
    same = observed.partitions[at]
    found["k"] = near
    found["rand_at_classes"] = adjusted_rand(contingency(judged, same))
    if labels is not None:
        found["rand"] = adjusted_rand(contingency(classes, labels))
    found["sentence"] = _sentence(found, clusters=labels is not None)
    return found


def _sentence(found: Mapping[str, Any], *, clusters: bool) -> str:
    """Return what is to be said; without clusters of ours, of the split compared."""
    good = stable_classes(found)
    many = {0: "none is a stable cluster", 1: "1 is a stable cluster"}.get(
        len(good), f"{len(good)} are stable clusters"
    )
    names = f" ({listed(good)})" if good else ""
    start = f"Of your {found['count']} classes, {many}"
    if clusters:
        return (
            f"{start} of these data{names}; agreement with our partition is "
            f"{found['rand']:.2f} (adjusted Rand index)."
        )
    return (
        f"{start} where these data are split into {found['k']} all the same{names}; "
        f"agreement with that split is {found['rand_at_classes']:.2f} (adjusted Rand "
        "index). But the data themselves give no evidence of any clusters."
    )
