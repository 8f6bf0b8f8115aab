"""The sentences of a verdict: the answer, its reason, and what else must be known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.panel import hint_words, item_words, words
from stablek.panel.answer import Judged
from stablek.panel.borders import CONTINUUM as CLEAR_BORDER
from stablek.panel.finding import (
    FEW_NULL_SETS,
    HINT,
    NARROW_GAPS,
    NOTHING,
    OTHER_GROUPS,
    TOUCHING_GROUPS,
    UNSTEADY_GROUPS,
    Finding,
    by_gaps,
    p_of_finding,
)
from stablek.panel.gate import SUGGESTIVE, sets_needed
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
    between, elsewhere
        How many items lie between clusters, and how many are mostly in another one.
    isolated, aside
        Ids of the items that were set aside, and their places among the distinct rows.
    small
        The sizes of small groups far from the other items.
    warnings
        What else could explain the clusters, in sentences.
    column
        The column that alone makes the clusters.
    classes
        The sentence on the user's classes; "" without them.
    batch
        The annotation that makes it doubtful what the clusters are; "" if none does.
    """

    levels: Sequence[int]
    guess: int | None
    between: int
    elsewhere: int
    isolated: tuple[str, ...]
    aside: NDArray[np.intp]
    small: Sequence[int]
    warnings: Sequence[str]
    column: OneColumn | None
    classes: str
    batch: str


def headline(
    judged: Judged, finding: Finding, subject: Subject, *, level: float, null_sets: int
) -> str:
    """Return the answer, and the caveats without which it must not be read."""
    warnings = [*subject.warnings]
    if subject.column:
        warnings.append(words.column_sentence(subject.column))
    answer = answer_sentence(judged, finding, level, null_sets, subject.small)
    parts = [words.warned(answer, warnings)]
    if doubtful(finding):
        parts.append(words.border_sentence(finding.borders, finding.groups))
    if finding.k == 1 and subject.guess is not None:
        asked = judged.the_panel.one_k
        parts.append(words.guess_sentence(subject.guess, subject.levels, asked=asked))
    return words.sentence_of(*parts)


def details(
    judged: Judged, finding: Finding, subject: Subject, scaling: Scale
) -> tuple[str, ...]:
    """Return what else there is to say, one remark each."""
    panel, prepared, n = judged.the_panel, judged.prepared, judged.data.n
    evident, parts = finding.k > 1, []
    if finding.compact and not panel.one_k:
        parts.append(panel.choice.reason)
    if evident:
        parts.append(words.levels_sentence(finding.k, subject.levels))
    parts.append(
        words.clusters_sentence(finding.clusters, subject.between, subject.elsewhere)
    )
    if finding.compact and not doubtful(finding):
        parts.append(words.border_sentence(finding.borders, finding.groups))
    elif doubtful(finding) and looks_clearer(finding.clusters):
        parts.append(words.TABLE_LOOKS_CLEARER)
    if finding.kind != NOTHING:  # else the answer names them
        parts.append(item_words.rare_sentence(subject.small, n))
    parts += [
        item_words.isolated_sentence(
            subject.isolated, tiny=bool(np.isin(subject.aside, prepared.far).any())
        ),
        item_words.judged_sentence(
            len(prepared.rows),
            len(prepared.scores),
            len(prepared.isolated),
            joined=evident,
        ),
        item_words.copies_sentence(n - len(prepared.scores)),
        words.scale_sentence(scaling.used, scaling.why),
        subject.classes,
    ]
    return tuple(part for part in parts if part)


def doubtful(finding: Finding) -> bool:
    """Tell whether the clusters may be pieces of a continuum."""
    return finding.compact and finding.borders.continuum


def answer_sentence(
    judged: Judged, finding: Finding, level: float, null_sets: int, small: Sequence[int]
) -> str:
    """Return the answer; ``small`` are the sizes of small groups."""
    gate, panel = judged.gate, judged.the_panel
    p = p_of_finding(gate, finding)
    if gate is not None and p is not None:
        if finding.connected:
            return words.connected_sentence(finding.k, p)
        if finding.compact:
            return words.found_sentence(
                finding.k, p, finding.wider, asked=panel.one_k,
                continuum=finding.borders.continuum and not finding.groups,
            )  # fmt: skip
        if finding.kind == OTHER_GROUPS:
            return hint_words.other_groups_sentence(panel.ks[0], finding.groups, p)
        if finding.kind == FEW_NULL_SETS:
            return hint_words.few_sentence(p, null_sets, sets_needed(level))
        if finding.kind == TOUCHING_GROUPS:
            return hint_words.touching_sentence(p)
        if finding.kind == UNSTEADY_GROUPS:
            return hint_words.unsteady_sentence(p)
        if finding.kind == NARROW_GAPS:
            return hint_words.narrow_sentence(p)
        if finding.kind == HINT:
            return hint_words.suggestive_sentence(p, apart=gate.apart)
    # So small a p is no hint only because the groups are not apart.
    near = p is not None and p.value <= SUGGESTIVE + 1e-12
    if finding.kind == NOTHING and small:
        return item_words.beside_one_sentence(small, judged.data.n, p, near=near)
    if finding.kind == NOTHING and gate is not None and gate.tiny:
        return hint_words.tiny_sentence()
    components = judged.prepared.components
    variance = np.sort(judged.prepared.judged.var(axis=0))[::-1]
    long = len(variance) < 2 or variance[0] >= CONTINUUM * variance[1]
    return hint_words.none_sentence(
        p,
        continuum=components != 0 and bool(long) and not small,
        components=components,
        near=near,
        what="distances" if judged.data.precomputed else "columns",
    )


def evidence_of(judged: Judged, finding: Finding, batch: str) -> str:
    """Return what stands behind the strength, with its numbers.

    ``batch`` is the annotation that makes it doubtful what the clusters are.
    """
    gate, panel = judged.gate, judged.the_panel
    if gate is None:
        return "No component stands out from noise."
    p = p_of_finding(gate, finding)
    doubt = words.kinds_sentence(batch) if batch and finding.k > 1 else ""
    if by_gaps(gate, finding):
        gaps = f"Compared with the gaps in data without clusters, {p}."
        return words.sentence_of(doubt, gaps)
    if not finding.compact:
        return f"Compared with data without clusters, {p}."
    if panel.one_k:
        return words.sentence_of(doubt, words.one_k_sentence(finding.k))
    return words.sentence_of(
        doubt,
        record_of(finding.strength).sentence(),
        other_draws_sentence(panel.choice.other_draws),
    )


def looks_clearer(clusters: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the table of clusters shows a border that is no continuum's."""
    valleys = [one["valley"] for one in clusters if one["valley"] is not None]
    return min(valleys, default=1.0) <= CLEAR_BORDER
