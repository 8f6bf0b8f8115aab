"""From the evidence to the verdict: its labels, tables and sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.engine.execution.execute import Execution
from stablek.panel import item_words, words
from stablek.panel.advice import Seen, next_steps
from stablek.panel.answer import Judged, levels_of
from stablek.panel.finding import (
    CONNECTED,
    FEW_NULL_SETS,
    HINT,
    OTHER_GROUPS,
    TOUCHING_GROUPS,
    UNSTEADY_GROUPS,
    Finding,
    find,
)
from stablek.panel.gate import Gate, sets_needed
from stablek.panel.rare import beside_clusters, rare_groups
from stablek.panel.reasons import other_draws_sentence
from stablek.panel.scale import Scale
from stablek.panel.strength import record_of
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
    null_sets = common["settings"]["null_sets"]
    found = find(judged, level=level, null_sets=null_sets)
    k, part, p = found.k, found.part, p_of_finding(gate, found)
    labels = judged.of_all(part, connected=found.connected)
    # Groups of any shape are examined in pieces, which have a centre.
    pieces = panel.at(panel.ks[-1]) if found.connected else part
    rare = beside_clusters(rare_groups(judged, pieces), labels)
    items = judged.item_columns(part, labels, trust=found.compact)
    items["isolated"] &= rare == 0
    items["rare"] = rare
    between = int(items["between"].sum())
    ids = np.asarray(common["ids"], dtype=object)
    isolated = tuple(ids[np.flatnonzero(items["isolated"])])
    clusters = found.clusters
    levels = () if found.connected else levels_of(panel)
    guess = k if k > 1 else panel.choice.k
    user = None
    if own is not None:
        user = judge_labels(own, labels, judged, found)
    rows = judged.prepared
    text = words.sentence_of(
        answer_sentence(judged, found, level, null_sets, rare=bool(rare.any())),
        words.levels_sentence(k, [one.k for one in levels]) if k > 1 else "",
        words.clusters_sentence(clusters, between),
        words.border_sentence(found.borders) if found.compact else "",
        words.guess_sentence(guess, [one.k for one in levels], asked=panel.one_k)
        if k == 1
        else "",
        item_words.rare_sentence(np.bincount(rare)[1:].tolist(), judged.data.n),
        item_words.isolated_sentence(isolated),
        item_words.judged_sentence(
            len(rows.rows), len(rows.scores), len(rows.isolated), joined=k > 1
        ),
        item_words.copies_sentence(judged.data.n - len(rows.scores)),
        words.scale_sentence(scaling.used, scaling.why),
        (user or {}).get("sentence", ""),
    )
    seen = Seen(
        found.kind,
        found.strength,
        judged.data.n,
        between=between,
        isolated=len(isolated),
        rare=int((rare > 0).sum()),
        continuum=found.compact and found.borders.continuum,
        wider=found.wider,
        groups=found.groups,
        levels=len(levels),
        one_k=panel.one_k,
        prepared=bool(scaling.steps or scaling.why) or judged.data.precomputed,
        null_sets=sets_needed(level),
    )
    return Verdict(
        k=k,
        best_guess=guess,
        sentence=text,
        strength=found.strength,
        evidence=evidence_of(judged, found),
        levels=levels,
        plausible=panel.choice.weights,
        p=p,
        p_of={} if gate is None or by_gaps(gate, found) else gate.p_of,
        votes=panel.choice.votes,
        dissent=panel.choice.dissent if found.compact else (),
        next_steps=next_steps(seen),
        labels=labels,
        partitions=judged.partitions({k: labels} if found.connected else {}),
        ks=panel.ks,
        columns=panel.columns(),
        cluster_records=clusters,
        item_columns=items,
        move_records=judged.move_records(),
        user_labels=user,
        isolated=isolated,
        rare_items=tuple(ids[rare > 0]),
        scale=scaling.used,
        facts=facts_of(judged, found),
        result=judged.result(k, part + 1, p, execution),
        **common,
    )


def answer_sentence(
    judged: Judged, found: Finding, level: float, null_sets: int, *, rare: bool
) -> str:
    """Return the answer with its reason."""
    gate, panel = judged.gate, judged.panel
    assert panel is not None  # only trivial data have none
    p = p_of_finding(gate, found)
    if gate is not None and p is not None:
        if found.connected:
            return words.connected_sentence(found.k, p)
        if found.compact:
            reason = panel.choice.reason
            return words.found_sentence(found.k, p, reason, found.wider)
        if found.kind == OTHER_GROUPS:
            return words.other_groups_sentence(panel.ks[0], found.groups, p)
        if found.kind == FEW_NULL_SETS:
            return words.few_sentence(p, null_sets, sets_needed(level))
        if found.kind == TOUCHING_GROUPS:
            return words.touching_sentence(p)
        if found.kind == UNSTEADY_GROUPS:
            return words.unsteady_sentence(p)
        if found.kind == HINT:
            return words.suggestive_sentence(p, apart=gate.apart)
    components = judged.prepared.components
    variance = np.sort(judged.prepared.judged.var(axis=0))[::-1]
    long = len(variance) < 2 or variance[0] >= CONTINUUM * variance[1]
    return words.none_sentence(
        p,
        continuum=components != 0 and bool(long) and not rare,
        components=components,
    )


def p_of_finding(gate: Gate | None, found: Finding) -> float | None:
    """Return the p of what was found: clusters, or gaps between groups."""
    if gate is None:
        return None
    return gate.p_connected if by_gaps(gate, found) else gate.p


def by_gaps(gate: Gate, found: Finding) -> bool:
    """Tell whether a finding rests on gaps between groups, not on compact clusters."""
    if found.kind == FEW_NULL_SETS:
        return gate.connected and gate.p_connected < gate.p
    return found.kind in (CONNECTED, OTHER_GROUPS)


def evidence_of(judged: Judged, found: Finding) -> str:
    """Return what stands behind the strength, with its numbers."""
    gate, panel = judged.gate, judged.panel
    if gate is None:
        return "No component stands out from noise."
    p = words.p_text(p_of_finding(gate, found))
    if by_gaps(gate, found):
        return f"Compared with the gaps in data without clusters, {p}."
    if not found.compact:
        return f"Compared with data without clusters, {p}."
    assert panel is not None
    if panel.one_k:
        return words.one_k_sentence(found.k)
    return words.sentence_of(
        record_of(found.strength).sentence(),
        other_draws_sentence(panel.choice.other_draws),
    )


def facts_of(judged: Judged, found: Finding) -> dict[str, Any]:
    """Return other numbers behind the answer."""
    prepared, gate = judged.prepared, judged.gate
    facts: dict[str, Any] = {
        "coordinates": int(prepared.scores.shape[1]),
        "standing_out": prepared.components,
        "explained": prepared.coordinates.share,
        "judged": len(prepared.rows),
        "shape": "connected" if found.connected else "compact",
    }
    if gate is not None:
        facts["null_sets"] = gate.sets
        facts["p_compact"] = gate.p
        facts["p_connected"] = gate.p_connected
        facts["gap"] = gate.gap
        facts["valley"] = found.borders.valley
        assert judged.panel is not None  # only trivial data have none
        facts["comes_back"] = judged.panel.comes_back
        if found.compact:
            facts["other_draws"] = list(judged.panel.choice.other_draws)
    return facts
