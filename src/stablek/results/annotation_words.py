"""Sentences on annotations that the clusters follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stablek.errors import advice

if TYPE_CHECKING:
    from stablek.results.annotations import Association

#: From this association on, membership "follows" a column; below it does so in part.
FOLLOWS = 0.5
#: By so much another level must explain more than the main one to be spoken of.
NEARLY = 0.05


def sentences(
    rows: Sequence[Association], main: int, *, evident: bool
) -> tuple[str, ...]:
    """Return the sentences: batch effects first, each column once.

    A column is spoken of at the level where it explains most, at the main one if that
    is nearly as good. Without evidence of clusters (``evident``), the levels are splits
    into groups.
    """

    def weight(one: Association) -> float:
        return one.association + NEARLY * (one.k == main)

    best: dict[str, Association] = {}
    for one in rows:
        if one.follows and (
            one.annotation not in best or weight(one) > weight(best[one.annotation])
        ):
            best[one.annotation] = one
    order = sorted(best.values(), key=lambda it: (not it.batch_like, -it.association))
    return tuple(_sentence(one, main, evident=evident) for one in order)


def _sentence(one: Association, main: int, *, evident: bool) -> str:
    part = "" if one.association >= FOLLOWS else " in part"
    where = "" if one.k == main else f" at k = {one.k}"
    what, whole = "clusters", f"Cluster membership{where}"
    if not evident:
        what, whole = "groups", f"A split into {one.k} groups"
    text = (
        f"{whole} follows '{one.annotation}'{part} ({one.measure} "
        f"{one.association:.2f}, p = {one.p_corrected:.2g})"
    )
    if one.batch_like:
        return (
            f"{text}: these {what} may be a batch effect. Run it again with "
            f"{advice(f'--adjust {one.annotation}', 'stablek.data.adjustment.adjust')} "
            f"and see which {what} remain. If each batch contains a different kind of "
            "item, no calculation can separate the two."
        )
    return f"{text}."
