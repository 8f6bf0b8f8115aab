"""The sentences of a verdict: the answer, its reason, and what else must be known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stablek.panel import hint_words, item_words, words
from stablek.panel.answer import Judged
from stablek.panel.borders import CONTINUUM as CLEAR_BORDER
from stablek.panel.finding import (
    FEW_NULL_SETS,
    HINT,
    NOTHING,
    OTHER_GROUPS,
    TOUCHING_GROUPS,
    UNSTEADY_GROUPS,
    Finding,
    by_gaps,
    p_of_finding,
)
from stablek.panel.gate import sets_needed
from stablek.panel.one_column import OneColumn
from stablek.panel.reasons import other_draws_sentence
from stablek.panel.scale import Scale
from stablek.panel.strength import record_of

#: A first component this many times as wide (in variance) as the second is called a
#: continuum where there are no clusters.
CONTINUUM = 4.0


@dataclass(frozen=True, eq=False)
class Subject:
    """What the sentences of a verdict speak of, beside the finding.

    Parameters
    ----------
    levels
        The numbers of clusters named, the answer among them.
    guess
        The number of clusters to guess where there is no evidence; None if small groups
        beside a large one already say it.
    between
        How many items lie between clusters.
    isolated
        Ids of the items that lie far from all others.
    small
        The sizes of small groups far from the other items.
    warnings
        What else could explain the clusters, in sentences.
    column
        The column that alone makes the clusters.
    classes
        The sentence on the user's classes; "" without them.
    """

    levels: Sequence[int]
    guess: int | None
    between: int
    isolated: tuple[str, ...]
    small: Sequence[int]
    warnings: Sequence[str]
    column: OneColumn | None
    classes: str


def verdict_sentence(
    judged: Judged,
    finding: Finding,
    subject: Subject,
    scaling: Scale,
    *,
    level: float,
    null_sets: int,
) -> str:
    """Return all sentences of a verdict, the answer first."""
    panel, prepared, n = judged.the_panel, judged.prepared, judged.data.n
    evident, column, small = finding.k > 1, subject.column, subject.small
    warnings = [*subject.warnings]
    if column:
        warnings.append(words.column_sentence(column))
    parts = [
        words.warned(
            answer_sentence(judged, finding, level, null_sets, small), warnings
        )
    ]
    if evident:
        parts.append(words.levels_sentence(finding.k, subject.levels))
    parts.append(words.clusters_sentence(finding.clusters, subject.between))
    if finding.compact:
        clearer = looks_clearer(finding.clusters)
        parts.append(
            words.border_sentence(finding.borders, finding.groups, clearer=clearer)
        )
    if not evident and subject.guess is not None:
        parts.append(
            words.guess_sentence(subject.guess, subject.levels, asked=panel.one_k)
        )
    if finding.kind != NOTHING:  # else the answer names them
        parts.append(item_words.rare_sentence(small, n))
    return words.sentence_of(
        *parts,
        item_words.isolated_sentence(subject.isolated),
        item_words.judged_sentence(
            len(prepared.rows),
            len(prepared.scores),
            len(prepared.isolated),
            joined=evident,
        ),
        item_words.copies_sentence(n - len(prepared.scores)),
        words.scale_sentence(scaling.used, scaling.why),
        subject.classes,
    )


def answer_sentence(
    judged: Judged, finding: Finding, level: float, null_sets: int, small: Sequence[int]
) -> str:
    """Return the answer with its reason; ``small`` are the sizes of small groups."""
    gate, panel = judged.gate, judged.the_panel
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


def evidence_of(judged: Judged, finding: Finding) -> str:
    """Return what stands behind the strength, with its numbers."""
    gate, panel = judged.gate, judged.the_panel
    if gate is None:
        return "No component stands out from noise."
    p = p_of_finding(gate, finding)
    if by_gaps(gate, finding):
        return f"Compared with the gaps in data without clusters, {p}."
    if not finding.compact:
        return f"Compared with data without clusters, {p}."
    if panel.one_k:
        return words.one_k_sentence(finding.k)
    return words.sentence_of(
        record_of(finding.strength).sentence(),
        other_draws_sentence(panel.choice.other_draws),
    )


def looks_clearer(clusters: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the table of clusters shows a border that is no continuum's."""
    valleys = [one["valley"] for one in clusters if one["valley"] is not None]
    return min(valleys, default=1.0) <= CLEAR_BORDER
