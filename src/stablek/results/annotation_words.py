"""What else explains the clusters, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from stablek.results.annotations import Association

#: From this association on, membership follows a column wholly, not only in part.
FOLLOWS = 0.5
#: By so much another level must explain more than the main one to be spoken of.
NEARLY = 0.05
#: A cluster lies almost within one class if so many of its items have it.
WITHIN = 0.95


def sentences(
    rows: Sequence[Association],
    main: int,
    tables: Mapping[str, Mapping[str, tuple[int, ...]]],
    *,
    shown: Collection[int],
    level: float,
    evident: bool,
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return a sentence for each column that clusters go with, and the batch effects.

    The sentences on batch effects come first. A column is spoken of at the k where it
    explains most, at the main one if that is nearly as good. A batch is spoken of at
    the main level wherever it matters there, since a warning must not seem to spare the
    answer: also if each cluster lies within one batch, which hardly shows in the
    association of many clusters. It is no warning at a k that is not ``shown`` as an
    answer or a level: what nobody takes for clusters need not be doubted. Without
    evidence of clusters (``evident``), the levels are splits into groups. ``level`` is
    that of the tests.
    """

    def weight(one: Association) -> float:
        return one.association + NEARLY * (one.k == main)

    def warns(one: Association) -> bool:
        return one.batch_like and one.k in shown

    chosen = []
    for name in dict.fromkeys(one.annotation for one in rows):
        mine = [one for one in rows if one.annotation == name]
        follows = [one for one in mine if one.follows]
        best = max(follows, key=weight, default=None)
        at_shown = max(filter(warns, follows), key=weight, default=None)
        at = next((one for one in mine if one.k == main), None)
        share = 0.0
        if at is not None and at.batch_like and at.p_corrected <= level:
            share = share_within(tables.get(name, {}))
        if at is not None and at.batch_like and (at.follows or share >= WITHIN):
            chosen.append((at, best or at, share))
        elif at_shown is not None:
            chosen.append((at_shown, best or at_shown, 0.0))
        elif best is not None:
            chosen.append((best, best, 0.0))
    chosen.sort(key=lambda one: (not warns(one[0]), -one[1].association))
    said = {
        at.annotation: _sentence(
            at, best, main, share, warns=warns(at), evident=evident
        )
        for at, best, share in chosen
    }
    return said, tuple(at.annotation for at, _, _ in chosen if warns(at))


def share_within(table: Mapping[str, Sequence[int]]) -> float:
    """Return how far clusters lie within one class each; ``table`` has their counts.

    The share of its commonest class, of the cluster where this is smallest; 0 if one
    class is the commonest everywhere.

    Examples
    --------
    >>> share_within({"a": (20, 20, 0), "b": (0, 0, 19), "c": (0, 0, 1)})
    0.95
    >>> share_within({"a": (20, 20), "b": (1, 0)})
    0.0
    """
    counts = np.array(list(table.values()), dtype=np.float64)
    if counts.size == 0:
        return 0.0
    counts = counts[:, counts.sum(axis=0) > 0]
    if len(set(counts.argmax(axis=0).tolist())) < 2:
        return 0.0
    return float((counts.max(axis=0) / counts.sum(axis=0)).min())


def _sentence(
    one: Association,
    best: Association,
    main: int,
    share: float,
    *,
    warns: bool,
    evident: bool,
) -> str:
    part = "" if one.association >= FOLLOWS else " in part"
    where = "" if one.k == main else f" at k = {one.k}"
    what, whole = "clusters", f"Cluster membership{where}"
    if not evident:
        what, whole = "groups", f"A split into {one.k} groups"
    claim = f"{whole} follows '{one.annotation}'{part}"
    if share >= WITHIN and one.k > one.levels:
        almost = "" if share == 1 else "almost "
        whole = f"Each of the {one.k} clusters"
        if not evident:
            whole = f"In a split into {one.k} groups each"
        claim = f"{whole} lies {almost}within one class of '{one.annotation}'"
    numbers = f"{one.measure} {one.association:.2f}, p = {one.p_corrected:.2g}"
    if best.k != one.k and best.association > one.association + NEARLY:
        numbers += f"; {best.measure} {best.association:.2f} at k = {best.k}"
    doubt = f": these {what} may be a batch effect" if warns else ""
    return f"{claim} ({numbers}){doubt}."
