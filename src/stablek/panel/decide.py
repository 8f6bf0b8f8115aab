"""From the evidence to the verdict: its labels, tables and sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.engine.execution.execute import Execution
from stablek.panel import hint_words, item_words, words
from stablek.panel.advice import Seen, batch_step, next_steps
from stablek.panel.answer import Judged, levels_of
from stablek.panel.finding import (
    CONNECTED,
    FEW_NULL_SETS,
    HINT,
    NOTHING,
    OTHER_GROUPS,
    TOUCHING_GROUPS,
    UNSTEADY_GROUPS,
    Finding,
    find,
)
from stablek.panel.gate import Gate, sets_needed
from stablek.panel.one_column import one_column
from stablek.panel.p_value import PValue
from stablek.panel.rare import beside_clusters, rare_groups
from stablek.panel.reasons import other_draws_sentence
from stablek.panel.scale import Scale, left_unlike
from stablek.panel.strength import record_of
from stablek.panel.user_labels import judge_labels
from stablek.paradigm.statistic.item_consensus import is_elsewhere
from stablek.results.describe import explanation
from stablek.results.verdict import Verdict

Labels = NDArray[np.int64]

#: A first component this many times as wide (in variance) as the second is called a
#: continuum where there are no clusters.
CONTINUUM = 4.0


def decide(
    judged: Judged,
    classes: tuple[str, ...] | None,
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
    finding = find(judged, level=level, null_sets=null_sets)
    k, part, p = finding.k, finding.part, p_of_finding(gate, finding)
    labels = judged.of_all(part, connected=finding.connected)
    # Groups of any shape are examined in pieces, which have a centre.
    pieces = panel.at(panel.ks[-1]) if finding.connected else part
    rare = beside_clusters(rare_groups(judged, pieces), labels)
    items = judged.item_columns(part, labels, trust=finding.compact)
    items["isolated"] &= rare == 0
    items["rare"] = rare
    moved = is_elsewhere(items["consensus"], items["runner_up_consensus"])
    between = int((items["between"] & ~moved).sum())
    ids = np.asarray(common["ids"], dtype=object)
    isolated = tuple(ids[np.flatnonzero(items["isolated"])])
    clusters = finding.clusters
    levels = () if finding.connected else levels_of(panel)
    guess = k if k > 1 else panel.choice.k
    user = None
    if classes is not None:
        user = judge_labels(classes, labels, judged, finding, rare)
    partitions = judged.partitions({k: labels} if finding.connected else {})
    explained = None
    if any(one.batch_like for one in judged.data.annotations):
        explained = explanation(
            judged.data, classes, partitions, [guess, *(one.k for one in levels)],
            guess, evident=k > 1, seed=common["seed"],
        )  # fmt: skip
    column = one_column(judged.data, judged.items, part) if k > 1 else None
    rows, small = judged.prepared, np.bincount(rare)[1:].tolist()
    # Nothing but small groups beside a large one: the guess has nothing to add.
    alone = finding.kind == NOTHING and bool(small)
    guessed = alone and guess == len(small) + 1
    guessed &= not beside_clusters(rare, partitions[guess]).any()
    text = words.sentence_of(
        words.warned(
            answer_sentence(judged, finding, level, null_sets, small),
            (
                *(explained.warnings if explained else ()),
                *((words.column_sentence(column),) if column else ()),
            ),
        ),
        words.levels_sentence(k, [one.k for one in levels]) if k > 1 else "",
        words.clusters_sentence(clusters, between),
        words.border_sentence(finding.borders, finding.groups)
        if finding.compact
        else "",
        words.guess_sentence(guess, [one.k for one in levels], asked=panel.one_k)
        if k == 1 and not guessed
        else "",
        "" if alone else item_words.rare_sentence(small, judged.data.n),
        item_words.isolated_sentence(isolated),
        item_words.judged_sentence(
            len(rows.rows), len(rows.scores), len(rows.isolated), joined=k > 1
        ),
        item_words.copies_sentence(judged.data.n - len(rows.scores)),
        words.scale_sentence(scaling.used, scaling.why),
        (user or {}).get("sentence", ""),
    )
    seen = Seen(
        finding.kind,
        finding.strength,
        judged.data.n,
        between=between,
        isolated=len(isolated),
        rare=int((rare > 0).sum()),
        continuum=finding.compact and finding.borders.continuum,
        wider=finding.wider,
        groups=finding.groups,
        levels=len(levels),
        one_k=panel.one_k,
        unlike=k == 1 and left_unlike(judged.data, scaling),
        null_sets=sets_needed(level),
        batch=batch_step(judged.data, explained, scaling) if explained else "",
        column="" if column is None else column.name,
    )
    return Verdict(
        k=k,
        best_guess=guess,
        sentence=text,
        strength=finding.strength,
        evidence=evidence_of(judged, finding),
        levels=levels,
        plausible=panel.choice.weights,
        p=None if p is None else p.value,
        p_of={} if gate is None or by_gaps(gate, finding) else gate.p_of,
        votes=panel.choice.votes,
        dissent=panel.choice.dissent if finding.compact else (),
        next_steps=next_steps(seen),
        labels=labels,
        partitions=partitions,
        ks=panel.ks,
        columns=panel.columns(),
        cluster_records=clusters,
        item_columns=items,
        move_records=judged.move_records(),
        user_labels=user,
        isolated=isolated,
        rare_items=tuple(ids[rare > 0]),
        scale=scaling.used,
        facts=facts_of(judged, finding),
        result=judged.result(k, part + 1, p, execution),
        explained=explained,
        **common,
    )


def answer_sentence(
    judged: Judged, finding: Finding, level: float, null_sets: int, small: Sequence[int]
) -> str:
    """Return the answer with its reason; ``small`` are the sizes of small groups."""
    gate, panel = judged.gate, judged.panel
    assert panel is not None  # only trivial data have none
    p = p_of_finding(gate, finding)
    if gate is not None and p is not None:
        if finding.connected:
            return words.connected_sentence(finding.k, p)
        if finding.compact:
            reason = panel.choice.reason
            return words.found_sentence(finding.k, p, reason, finding.wider)
        if finding.kind == OTHER_GROUPS:
            return hint_words.other_groups_sentence(panel.ks[0], finding.groups, p)
        if finding.kind == FEW_NULL_SETS:
            return hint_words.few_sentence(p, null_sets, sets_needed(level))
        if finding.kind == TOUCHING_GROUPS:
            return hint_words.touching_sentence(p)
        if finding.kind == UNSTEADY_GROUPS:
            return hint_words.unsteady_sentence(p)
        if finding.kind == HINT:
            return hint_words.suggestive_sentence(p, apart=gate.apart)
    if finding.kind == NOTHING and small:
        return item_words.beside_one_sentence(small, judged.data.n, p)
    components = judged.prepared.components
    variance = np.sort(judged.prepared.judged.var(axis=0))[::-1]
    long = len(variance) < 2 or variance[0] >= CONTINUUM * variance[1]
    return hint_words.none_sentence(
        p,
        continuum=components != 0 and bool(long) and not small,
        components=components,
        what="distances" if judged.data.precomputed else "columns",
    )


def p_of_finding(gate: Gate | None, finding: Finding) -> PValue | None:
    """Return the p of what was found: clusters, or gaps between groups."""
    if gate is None:
        return None
    return PValue(gate.p_connected if by_gaps(gate, finding) else gate.p, gate.least)


def by_gaps(gate: Gate, finding: Finding) -> bool:
    """Tell whether a finding rests on gaps between groups, not on compact clusters."""
    if finding.kind == FEW_NULL_SETS:
        return gate.connected and gate.p_connected < gate.p
    return finding.kind in (CONNECTED, OTHER_GROUPS)


def evidence_of(judged: Judged, finding: Finding) -> str:
    """Return what stands behind the strength, with its numbers."""
    gate, panel = judged.gate, judged.panel
    if gate is None:
        return "No component stands out from noise."
    p = p_of_finding(gate, finding)
    if by_gaps(gate, finding):
        return f"Compared with the gaps in data without clusters, {p}."
    if not finding.compact:
        return f"Compared with data without clusters, {p}."
    assert panel is not None
    if panel.one_k:
        return words.one_k_sentence(finding.k)
    return words.sentence_of(
        record_of(finding.strength).sentence(),
        other_draws_sentence(panel.choice.other_draws),
    )


def facts_of(judged: Judged, finding: Finding) -> dict[str, Any]:
    """Return other numbers behind the answer."""
    prepared, gate = judged.prepared, judged.gate
    facts: dict[str, Any] = {
        "coordinates": int(prepared.scores.shape[1]),
        "standing_out": prepared.components,
        "explained": prepared.coordinates.share,
        "judged": len(prepared.rows),
        "shape": "connected" if finding.connected else "compact",
    }
    if gate is not None:
        facts["null_sets"] = gate.sets
        facts["p_compact"] = gate.p
        facts["p_connected"] = gate.p_connected
        facts["gap"] = gate.gap
        facts["valley"] = finding.borders.valley
        assert judged.panel is not None  # only trivial data have none
        facts["comes_back"] = judged.panel.comes_back
        if finding.compact:
            facts["groups_by_gaps"] = finding.groups
            facts["other_draws"] = list(judged.panel.choice.other_draws)
    return facts
