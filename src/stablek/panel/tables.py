"""The tables behind an answer: items, columns, facts, and the panel's own run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.kernels.nearest import assign_nearest
from stablek.panel import words
from stablek.panel.panel import Panel
from stablek.panel.picks import MEMBERS
from stablek.panel.prepare import Prepared
from stablek.paradigm.contracts import Curve
from stablek.paradigm.cube import PartitionCube
from stablek.results.result import Result
from stablek.results.trust import item_trust

Labels = NDArray[np.int64]

#: Of the table of items, in order.
ITEM_COLUMNS = (
    "id", "cluster", "consensus", "runner_up", "runner_up_consensus", "between",
    "isolated",
)  # fmt: skip


def all_labels(made: Prepared, part: NDArray[Any]) -> Labels:
    """Return labels of all distinct rows; those not judged join the nearest mean."""
    if len(made.rows) == len(made.scores):
        return part.astype(np.int64)  # all were judged, in the order of the rows
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
        "length_counts": made.frame is not None and made.frame.length is not None,
    }
    if panel is not None:
        facts["null_sets"] = panel.gate.sets
        facts["score"] = panel.gate.score
        facts["k_at_score"] = panel.gate.k_at
    return facts


def as_result(
    data: Dataset,
    made: Prepared,
    panel: Panel,
    k: int,
    place: NDArray[np.intp],
    common: Mapping[str, Any],
) -> Result:
    """Return the panel's own consensus run as a result, for plots and the report.

    Seed and versions are those of the verdict, in ``common``.
    """
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
        rule=(
            "the panel's vote, after all three nulls were beaten"
            if k > 1
            else "no clusters, unless all three nulls are beaten"
        ),
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
        seed=common["seed"],
        versions=common["versions"],
        notes=data.notes,
        cube=cube,
        data=data,
    )
