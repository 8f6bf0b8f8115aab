"""The sentences of answers without evidence of clusters."""

from __future__ import annotations

from stablek.panel.p_value import PValue

WITHOUT = "data without clusters"


def other_groups_sentence(k: int, groups: int, p: PValue) -> str:
    """Return the answer where there are groups of any shape, but not k of them."""
    return (
        f"No evidence of {k} clusters: the data fall into {groups} groups, separated "
        f"by gaps but not compact ({p})."
    )


def none_sentence(
    p: PValue | None,
    *,
    continuum: bool,
    components: int | None,
    near: bool = False,
    what: str = "columns",
) -> str:
    """Return the answer "no clusters" with its reason; ``what`` was given.

    ``near``: p is that of a hint, and there is none only as the groups are not apart.
    """
    if components == 0:
        noise = "those of" if what == "distances" else "independent"
        return (
            f"No evidence of clusters: the {what} look like {noise} noise, so no "
            "groups can be seen."
        )
    text = f"No evidence of clusters: the groups in these data {no_more(p, near=near)}"
    if continuum:
        text += (
            " The items spread mostly along one direction. If they form a continuum, "
            "any cut through it is a choice, not a finding."
        )
    return text


def no_more(p: PValue | None, *, near: bool) -> str:
    """Return that groups are like those in data without clusters.

    Examples
    --------
    >>> no_more(PValue(0.4), near=False)
    'are no more compact than those in data without clusters (p = 0.4).'
    >>> no_more(PValue(0.06), near=True)
    'are more compact than in most data without clusters (p = 0.06), but no further \
apart.'
    """
    if near:
        return f"are more compact than in most {WITHOUT} ({p}), but no further apart."
    text = f"are no more compact than those in {WITHOUT}"
    return f"{text} ({p})." if p is not None else f"{text}."


def suggestive_sentence(p: PValue, *, apart: bool) -> str:
    """Return the answer between none and clusters.

    ``apart`` says whether the groups are as far apart as in data without clusters.
    """
    text = "A hint of clusters, but no evidence: the groups are more compact than in "
    if apart:
        return f"{text}most data without clusters ({p}), but not in nearly all."
    return f"{text}data without clusters ({p}), but no further apart."


def touching_sentence(p: PValue) -> str:
    """Return the answer where groups stand out but nothing lies between them."""
    return (
        "A hint of clusters, but no evidence: data without clusters rarely look like "
        f"this ({p}), but the groups touch. There are nearly as many items "
        "between them as inside them, so they may be parts of a continuum."
    )


def unsteady_sentence(p: PValue) -> str:
    """Return the answer where groups stand out but do not come back."""
    return (
        "A hint of clusters, but no evidence: data without clusters rarely look like "
        f"this ({p}), but the groups found in one half of the items are not "
        "found again in the other half."
    )


def narrow_sentence(p: PValue) -> str:
    """Return the answer where gaps between groups of any shape are narrow."""
    return (
        f"A hint of groups, but no evidence: {WITHOUT} rarely have such gaps between "
        f"the items ({p}), and the gaps are too narrow to count the groups."
    )


def few_sentence(p: PValue, sets: int, needed: int) -> str:
    """Return the answer where too few null sets were drawn to give evidence."""
    return (
        f"A hint of clusters, but no evidence: no data set without clusters was as "
        f"well separated, but {sets} of each kind are too few ({p}). Use "
        f"{needed} or more."
    )


def few_note(sets: int, needed: int, level: float) -> tuple[str, ...]:
    """Return a note if too few null sets were drawn to reach the level.

    Examples
    --------
    >>> few_note(4, 49, 0.02)
    ('4 null sets can show no p below 0.2; use 49 or more to reach 0.02',)
    >>> few_note(49, 49, 0.02)
    ()
    """
    if sets >= needed:
        return ()
    least = f"{1 / (1 + sets):.2g}"
    return (
        f"{sets} null sets can show no p below {least}; use {needed} or more to reach "
        f"{level:g}",
    )


def tiny_sentence() -> str:
    """Return the answer where a few items hide what the others are like."""
    return (
        "No evidence of clusters: at every number of clusters tried, one of them holds "
        "only a few items that lie far away, so little can be said of the others."
    )
