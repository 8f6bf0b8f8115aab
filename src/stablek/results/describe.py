"""A verdict described: its markers, its annotations, and the classes a user gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.annotations import annotation
from stablek.data.seeds import Streams
from stablek.errors import InputError
from stablek.kernels.comembership import item_consensus
from stablek.paradigm.cube import not_drawn
from stablek.paradigm.statistic.item_consensus import standing
from stablek.results.annotations import CLASSES, Explained, explain
from stablek.results.markers import MARKER_COLUMNS, TOP, Marker, markers

if TYPE_CHECKING:
    import pandas as pd

    from stablek.data import Dataset
    from stablek.results.verdict import Verdict

Labels = NDArray[np.int64]

#: Of more items than this, markers are read from those that were judged.
MOST_ITEMS = 5000
#: A class with so large an overlap with a cluster is that cluster, if it is stable.
OVERLAP = 0.75
#: What is said of a stable class that is in several clusters, or shares one.
SPLIT = "not one cluster"
#: Annotations are held against partitions into up to so many clusters.
MOST_KS = 15


def shown_levels(verdict: Verdict) -> tuple[int, ...]:
    """Return the ks that a verdict shows: its levels, or its best guess."""
    ks = {level.k for level in verdict.levels} | {verdict.best_guess or 1}
    return tuple(sorted(k for k in ks if k > 1))


def main_level(verdict: Verdict) -> int | None:
    """Return the k that is described first: the answer, or the best guess."""
    return verdict.best_guess if (verdict.best_guess or 1) > 1 else None


def markers_of(
    verdict: Verdict,
    k: int | None = None,
    *,
    labels: Labels | None = None,
    top: int | None = TOP,
) -> tuple[Marker, ...]:
    """Return what sets the clusters at k apart, or classes with ``labels`` from 0.

    Stability is read from the subsamples that were drawn at k, or at the nearest k.
    """
    data = verdict.data
    k = main_level(verdict) if k is None else k
    if data is None:
        raise InputError(
            "a verdict read from JSON holds no values; run it again, or read "
            "markers.tsv in its folder"
        )
    if data.precomputed or (k is None and labels is None):
        return ()
    believed = labels is None and verdict.k is not None and verdict.k > 1
    part = verdict.labels_at(int(k or 1)) - 1 if labels is None else labels
    drawn, seen = drawn_at(verdict, int(part.max()) + 1)
    values = data.values
    if data.n > MOST_ITEMS and drawn is not None:
        values, part, drawn = values[seen], part[seen], drawn[:, seen]
    return markers(
        values, part, data.columns, drawn=drawn, top=top,
        believed=believed or labels is not None,
    )  # fmt: skip


def markers_table(
    verdict: Verdict,
    k: int | None = None,
    *,
    top: int | None = TOP,
    p_values: bool = False,
) -> pd.DataFrame:
    """Return the markers of a verdict as a table; see :meth:`Verdict.markers`."""
    import pandas as pd

    listed = markers_of(verdict, k, top=top)
    table = pd.DataFrame([asdict(one) for one in listed], columns=list(MARKER_COLUMNS))
    if p_values and listed:
        from stablek.results.split_test import split_p_values

        data, at = verdict.data, int(listed[0].k)
        assert data is not None  # markers_of looked
        streams = Streams(verdict.seed, ("verdict", "split", at))
        p = split_p_values(data.values, verdict.labels_at(at) - 1, streams)
        names = data.column_names()
        place = {name: j for j, name in enumerate(names)}
        table["p_split"] = [p[one.cluster - 1, place[one.column]] for one in listed]
    return table


def drawn_at(verdict: Verdict, k: int) -> tuple[NDArray[Any] | None, NDArray[np.intp]]:
    """Return the partitions of subsamples at k over all items, and which were judged.

    The k is the nearest that was tried. Items that were not judged, and copies of one
    that was, count as not drawn.
    """
    result = verdict.result
    every = np.arange(verdict.n)
    if result is None or result.cube is None or result.data is None:
        return None, every
    near = min(result.cube.ks, key=lambda tried: abs(tried - k))
    labels = result.cube.of_k(near)
    rows = rows_of(verdict.ids, result.data.item_ids())
    drawn = np.full((len(labels), verdict.n), not_drawn(labels.dtype), labels.dtype)
    drawn[:, rows] = labels
    return drawn, np.sort(rows)


def rows_of(ids: Sequence[str], some: Sequence[str]) -> NDArray[np.intp]:
    """Return where some of the ids stand; only these are put into a dictionary.

    Examples
    --------
    >>> rows_of(["a", "b", "c"], ["c", "a"])
    array([2, 0])
    """
    wanted = set(some)
    place = {name: i for i, name in enumerate(ids) if name in wanted}
    return np.array([place[name] for name in some], dtype=np.intp)


def explained_of(verdict: Verdict) -> Explained:
    """Return what else explains the clusters of a verdict."""
    if verdict.explained is not None or verdict.data is None:
        return verdict.explained or Explained()
    return explanation(
        verdict.data, classes_of(verdict), verdict.partitions, shown_levels(verdict),
        main_level(verdict), evident=(verdict.k or 1) > 1, seed=verdict.seed,
    )  # fmt: skip


def explanation(
    data: Dataset,
    classes: Sequence[str] | None,
    partitions: Mapping[int, Labels],
    shown: Sequence[int],
    main: int | None,
    *,
    evident: bool,
    seed: int,
) -> Explained:
    """Return what else explains clusters: annotations of the data, and own labels.

    ``partitions`` have labels from 1 at every k that was tried. Every k counts, and not
    only those ``shown``: a batch may be a split of the clusters of the answer. But it
    casts doubt only on what is shown.
    """
    columns = list(data.annotations)
    if classes is not None:
        columns.append(annotation(CLASSES, classes))
    if not columns:
        return Explained()
    ks = sorted({*shown, *(k for k in partitions if 1 < k <= MOST_KS)})
    streams = Streams(seed, ("verdict", "annotations"))
    return explain(
        columns, {k: partitions[k] - 1 for k in ks}, streams, main=main,
        shown=shown, evident=evident,
    )  # fmt: skip


def classes_of(verdict: Verdict) -> tuple[str, ...] | None:
    """Return the classes that the user gave, one per item."""
    if verdict.user_labels is None or verdict.data is None:
        return None
    held = verdict.user_labels.get("labels") or verdict.data.classes
    return None if held is None else tuple(str(name) for name in held)


def class_codes(classes: tuple[str, ...]) -> tuple[tuple[str, ...], Labels]:
    """Return the names of classes in the order they come, and each item's place."""
    names = tuple(dict.fromkeys(classes))
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[name] for name in classes], dtype=np.int64)


def class_records(verdict: Verdict) -> list[dict[str, Any]]:
    """Return what is known of the user's classes, one record each, the name first.

    Columns that are unknown in every record are left out, and so is the number of the
    class, which could be taken for that of a cluster.
    """
    user = verdict.user_labels or {}
    rows = [
        {**row, "word": class_word(row, None if user["k"] == verdict.k else user["k"])}
        for row in user.get("clusters", ())
    ]
    known = {"class": None}
    for row in rows:
        known |= {n: None for n, v in row.items() if v is not None and n != "cluster"}
    return [{name: row[name] for name in known} for row in rows]


def class_word(row: Mapping[str, Any], at: int | None) -> str | None:
    """Return how stable a class is; a stable one may yet be no stable cluster.

    ``at`` is the k at which it was asked, where this is not that of the answer.

    Examples
    --------
    >>> row = {"word": "stable", "is_cluster": False, "overlap": 0.5}
    >>> class_word(row, 3)
    'would be stable at k = 3'
    >>> class_word({**row, "overlap": 0.9}, None)
    'stable, but its cluster is not'
    """
    word: str | None = row["word"]
    if word is None or not word.endswith("stable") or row["is_cluster"]:
        return word
    if at is not None:
        return f"would be {word} at k = {at}"
    return f"{word}, but {'its cluster is not' if row['overlap'] >= OVERLAP else SPLIT}"


def class_items(verdict: Verdict) -> list[dict[str, Any]]:
    """Return where every item stands between its own class and the others.

    From the subsamples clustered into as many clusters as there are classes: the mean
    consensus with the own class, and with the class it is most often with otherwise.
    An item ``sits_elsewhere`` if it is more often with another class than with its own.
    The subsamples' clusters are compact: there is nothing to say where the answer is
    groups of another shape.
    """
    classes = classes_of(verdict)
    if classes is None or verdict.facts.get("shape") == "connected":
        return []
    names, codes = class_codes(classes)
    drawn, seen = drawn_at(verdict, len(names))
    if drawn is None or len(names) < 2:
        return []
    present, compact = np.unique(codes[seen], return_inverse=True)
    mean = item_consensus(np.ascontiguousarray(drawn[:, seen]), compact)
    standings = standing(mean, compact)
    clusters = verdict.labels_at(main_level(verdict) or 1)
    rows = []
    for place, item in enumerate(seen):
        rival = int(standings.rival[place])
        first, second = float(standings.own[place]), float(standings.second[place])
        rows.append(
            {
                "id": verdict.ids[item],
                "class": classes[item],
                "cluster": int(clusters[item]),
                "consensus": first,
                "runner_up": names[present[rival]] if rival >= 0 else "",
                "runner_up_consensus": second,
                "sits_elsewhere": bool(second > first),
            }
        )
    return sorted(rows, key=lambda row: np.nan_to_num(row["consensus"]))
