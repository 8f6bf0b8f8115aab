"""From the evidence to the verdict: its labels, tables and sentences."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.engine.execution.execute import Execution
from stablek.panel.advice import Seen, batch_step, next_steps
from stablek.panel.answer import Judged, levels_of
from stablek.panel.far_items import few_far
from stablek.panel.finding import NOTHING, Finding, by_gaps, find, p_of_finding
from stablek.panel.gate import sets_needed
from stablek.panel.one_column import one_column
from stablek.panel.rare import beside_clusters, rare_groups
from stablek.panel.scale import Scale, left_unlike
from stablek.panel.sentence import Subject, details, doubtful, evidence_of, headline
from stablek.panel.user_labels import judge_labels
from stablek.panel.words import sentence_of
from stablek.paradigm.statistic.item_consensus import is_elsewhere
from stablek.results.describe import explanation
from stablek.results.verdict import Verdict

Labels = NDArray[np.int64]


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
    gate, panel = judged.gate, judged.the_panel
    null_sets = common["settings"]["null_sets"]
    finding = find(judged, level=level, null_sets=null_sets)
    k, part, p = finding.k, finding.part, p_of_finding(gate, finding)
    labels = judged.of_all(part, connected=finding.connected)
    items = item_columns(judged, finding, labels)
    rare = items["rare"]
    ids = np.asarray(common["ids"], dtype=object)
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
    moved = is_elsewhere(items["consensus"], items["runner_up_consensus"])
    subject = Subject(
        levels=[one.k for one in levels],
        guess=None if says_it(finding, rare, guess, partitions) else guess,
        between=int((items["between"] & ~moved).sum()),
        elsewhere=int(moved.sum()),
        isolated=tuple(ids[np.flatnonzero(items["isolated"])]),
        aside=np.unique(judged.place[items["isolated"]]),
        small=np.bincount(rare)[1:].tolist(),
        warnings=explained.warnings if explained else (),
        column=one_column(judged.data, judged.items, part) if k > 1 else None,
        classes=(user or {}).get("sentence", ""),
        batch=explained.batches[0] if explained and explained.batches else "",
    )
    top = headline(judged, finding, subject, level=level, null_sets=null_sets)
    below = details(judged, finding, subject, scaling)
    batch = batch_step(judged.data, explained, scaling) if explained else ""
    return Verdict(
        k=k,
        best_guess=guess,
        headline=top,
        details=below,
        sentence=sentence_of(top, *below),
        strength=finding.strength,
        evidence=evidence_of(judged, finding, subject.batch),
        levels=levels,
        plausible=panel.choice.weights,
        p=None if p is None else p.value,
        p_of={} if gate is None or by_gaps(gate, finding) else gate.p_of,
        votes=panel.choice.votes,
        dissent=panel.choice.dissent if finding.compact else (),
        next_steps=next_steps(
            seen_of(judged, finding, subject, scaling, level=level, batch=batch)
        ),
        labels=labels,
        partitions=partitions,
        ks=panel.ks,
        columns=panel.columns(),
        cluster_records=finding.clusters,
        item_columns=items,
        move_records=judged.move_records(),
        user_labels=user,
        isolated=subject.isolated,
        rare_items=tuple(ids[rare > 0]),
        scale=scaling.used,
        facts=facts_of(judged, finding),
        result=judged.result(k, part + 1, p, execution),
        explained=explained,
        **common,
    )


def item_columns(
    judged: Judged, finding: Finding, labels: Labels
) -> dict[str, NDArray[Any]]:
    """Return what is known of each item; "rare" is its small group from 1, or 0."""
    panel = judged.the_panel
    # Groups of any shape are examined in pieces, which have a centre.
    pieces = panel.at(panel.ks[-1]) if finding.connected else finding.part
    rare = beside_clusters(rare_groups(judged, pieces), labels)
    items = judged.item_columns(finding.part, labels, trust=finding.compact)
    items["isolated"] &= rare == 0
    items["rare"] = rare
    return items


def says_it(
    finding: Finding, rare: Labels, guess: int, partitions: Mapping[int, Labels]
) -> bool:
    """Tell whether the clusters guessed are a large one and the small groups named."""
    small = int(rare.max())
    if finding.kind != NOTHING or not small or guess != small + 1:
        return False
    return not beside_clusters(rare, partitions[guess]).any()


def seen_of(
    judged: Judged, finding: Finding, subject: Subject, scaling: Scale, *,
    level: float, batch: str,
) -> Seen:  # fmt: skip
    """Return what the advice depends on."""
    panel = judged.the_panel
    return Seen(
        finding.kind,
        finding.strength,
        judged.data.n,
        between=subject.between,
        far=few_far(judged.prepared, subject.aside),
        drawn=judged.prepared.drawn,
        rare=sum(subject.small),
        continuum=doubtful(finding),
        wider=finding.wider,
        groups=finding.groups,
        levels=len(subject.levels),
        one_k=panel.one_k,
        unlike=finding.k == 1 and left_unlike(judged.data, scaling),
        null_sets=sets_needed(level),
        batch=batch,
        column="" if subject.column is None else subject.column.name,
    )


def facts_of(judged: Judged, finding: Finding) -> dict[str, Any]:
    """Return other numbers behind the answer."""
    prepared, gate, panel = judged.prepared, judged.gate, judged.the_panel
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
        facts["comes_back"] = panel.comes_back
        if finding.compact:
            facts["groups_by_gaps"] = finding.groups
            facts["other_draws"] = list(panel.choice.other_draws)
    return facts
