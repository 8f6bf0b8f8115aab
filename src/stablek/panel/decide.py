"""From the evidence to the verdict: no clusters, k of them, or groups of any shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.engine.execution.execute import Execution
from stablek.panel import words
from stablek.panel.advice import Seen, next_steps
from stablek.panel.answer import Judged, levels_of
from stablek.panel.borders import APART, TOUCHING, border_of
from stablek.panel.connected import Groups, groups_of
from stablek.panel.gate import CLEAR_GAP, FAR, sets_needed
from stablek.panel.panel import most_clusters
from stablek.panel.rare import beside_clusters, rare_groups
from stablek.panel.scale import Scale
from stablek.panel.user_labels import judge_labels
from stablek.results.verdict import Verdict

Labels = NDArray[np.int64]

#: A first component this many times as wide (in variance) as the second is called a
#: continuum where there are no clusters.
CONTINUUM = 4.0


def decide(
    judged: Judged,
    own: tuple[str, ...] | None,
    scaling: Scale,
    common: dict[str, Any],
    *,
    level: float,
    execution: Execution,
) -> Verdict:
    """Return the verdict on what was seen."""
    gate, panel = judged.gate, judged.panel
    assert panel is not None  # only trivial data have none
    groups = groups_of(judged) if gate is not None and gate.gaps(level) else None
    links = 0.0 if gate is None else border_of(judged)
    evident = gate is not None and gate.open(level)
    touching = evident and links >= TOUCHING and gate is not None and gate.lead < FAR
    evident &= not touching
    needed = sets_needed(level)
    few = common["settings"]["null_sets"] < needed
    if groups is not None and (not evident or groups.replaces(judged)):
        part, k = groups.part, groups.count
        strength = "moderate" if gate is not None and gate.gap >= CLEAR_GAP else "weak"
    elif gate is not None and evident:
        k, strength = panel.choice.k, panel.choice.strength
        strength = gate.at_most(strength, apart=links <= APART)
        part, groups = panel.at(k), None
    else:
        k, groups = 1, None
        part = np.zeros(len(judged.prepared.rows), dtype=np.int64)
        few = few and gate is not None and gate.beaten
        hint = gate is not None and (few or touching or gate.suggestive(level))
        strength = "suggestive" if hint else "none"
    wider = wider_range(k, panel.ks[-1], len(part)) if groups is None else None
    if wider is not None:
        strength = "weak"
    labels = judged.of_all(part, connected=groups is not None)
    # Groups of any shape are examined in pieces, which have a centre.
    rare = rare_groups(judged, part if groups is None else panel.at(panel.ks[-1]))
    rare = beside_clusters(rare, labels)
    ids = np.asarray(common["ids"], dtype=object)
    clusters = judged.cluster_records(part) if k > 1 and groups is None else ()
    items = judged.item_columns(part, labels, trust=groups is None and k > 1)
    items["isolated"] &= rare == 0
    items["rare"] = rare
    between = int(items["between"].sum())
    user = None
    if own is not None:
        user = judge_labels(own, labels, judged, evidence=k > 1)
    isolated = tuple(ids[np.flatnonzero(items["isolated"])])
    evidence = _evidence(judged, strength, groups)
    guess = k if k > 1 else panel.choice.k
    fixed = bool(scaling.steps or scaling.why) or judged.data.precomputed
    levels = levels_of(panel) if k > 1 and groups is None else ()
    text = words.sentence_of(
        words.few_sentence(gate.p, common["settings"]["null_sets"], needed)
        if k == 1 and few and gate is not None
        else words.touching_sentence(gate.p) if k == 1 and touching and gate is not None
        else _answer(judged, k, strength, groups, wider, apart=bool(rare.any())),
        words.levels_sentence(k, [one.k for one in levels]),
        words.clusters_sentence(clusters, between),
        words.border_sentence(apart=links <= APART) if clusters else "",
        words.guess_sentence(guess) if k == 1 else "",
        words.rare_sentence(np.bincount(rare)[1:].tolist(), judged.data.n),
        words.isolated_sentence(isolated),
        words.judged_sentence(
            len(judged.prepared.rows), len(judged.prepared.scores),
            len(judged.prepared.isolated), joined=k > 1,
        ),
        words.copies_sentence(judged.data.n - len(judged.prepared.scores)),
        words.scale_sentence(scaling.used, scaling.why, ""),
        (user or {}).get("sentence", ""),
    )  # fmt: skip
    return Verdict(
        k=k,
        best_guess=guess,
        sentence=text,
        strength=strength,
        evidence=evidence,
        levels=levels,
        plausible=panel.choice.weights,
        p=None if gate is None else gate.p,
        p_of={} if gate is None else gate.p_of,
        votes=panel.choice.votes,
        dissent=panel.choice.dissent if k > 1 and groups is None else (),
        next_steps=next_steps(
            Seen(k, strength, judged.data.n, between, len(isolated),
                 int((rare > 0).sum()), wider, fixed,
                 needed if k == 1 and few else None, k == 1 and touching)
        ),
        labels=labels,
        partitions=_partitions(judged, k, labels, groups),
        ks=panel.ks,
        columns=panel.columns(),
        cluster_records=clusters,
        item_columns=items,
        move_records=judged.move_records(),
        user_labels=user,
        isolated=isolated,
        rare_items=tuple(ids[rare > 0]),
        scale=scaling.used,
        facts=_facts(judged, groups, links),
        result=judged.result(k, labels=part + 1, execution=execution),
        **common,
    )  # fmt: skip


def wider_range(k: int, largest: int, n: int) -> int | None:
    """Return the largest k to try next where k is the largest tried; None otherwise.

    Examples
    --------
    >>> wider_range(15, 15, 1000), wider_range(14, 15, 1000), wider_range(9, 9, 20)
    (30, None, None)
    """
    most = most_clusters(n)
    return min(2 * k, most) if k == largest < most else None


def _answer(
    judged: Judged, k: int, strength: str, groups: Groups | None, wider: int | None, *,
    apart: bool,
) -> str:  # fmt: skip
    gate, panel = judged.gate, judged.panel
    assert panel is not None
    if groups is not None and gate is not None:
        return words.connected_sentence(k, gate.p_connected)
    if k > 1 and gate is not None:
        return words.found_sentence(k, gate.p, panel.choice.reason, wider)
    if strength == "suggestive" and gate is not None:
        return words.suggestive_sentence(gate.p)
    variance = np.sort(judged.prepared.judged.var(axis=0))[::-1]
    long = len(variance) < 2 or variance[0] >= CONTINUUM * variance[1]
    components = judged.prepared.components
    return words.none_sentence(
        None if gate is None else gate.p,
        continuum=components != 0 and bool(long) and not apart,
        components=components,
    )


def _evidence(judged: Judged, strength: str, groups: Groups | None) -> str:
    """Return what stands behind the strength, with its numbers."""
    gate, panel = judged.gate, judged.panel
    if gate is None:
        return "No component stands out from noise."
    if groups is not None:
        return f"The gaps between the groups: {words.p_text(gate.p_connected)}."
    if strength in ("none", "suggestive"):
        return f"Against data without clusters: {words.p_text(gate.p)}."
    assert panel is not None
    record = panel.choice.record(strength)
    return words.evidence_sentence(record.exact, record.within, record.sets)


def _partitions(
    judged: Judged, k: int, labels: Labels, groups: Groups | None
) -> Mapping[int, Labels]:
    """Return the partition at every k; at k itself it is the one of the verdict."""
    return judged.partitions({k: labels} if groups is not None else {})


def _facts(judged: Judged, groups: Groups | None, links: float) -> dict[str, Any]:
    """Return other numbers behind the answer."""
    prepared, gate = judged.prepared, judged.gate
    facts: dict[str, Any] = {
        "coordinates": int(prepared.scores.shape[1]),
        "standing_out": prepared.components,
        "explained": prepared.coordinates.share,
        "judged": len(prepared.rows),
        "shape": "connected" if groups is not None else "compact",
    }
    if gate is not None:
        facts["null_sets"] = gate.sets
        facts["p_connected"] = gate.p_connected
        facts["gap"] = gate.gap
        facts["border_links"] = links
    return facts
