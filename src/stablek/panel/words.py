"""The verdict in words: one paragraph, and the reasons for dissent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: What a member of the panel looks at, for its sentence of dissent.
MEMBER_READS = {
    "prediction": "how well one half of the items predicts the clusters of the other",
    "consensus": "how often items fall together again in subsamples",
    "gap": "compactness against a cloud without clusters (Gap)",
    "mixture": "Gaussian mixtures with BIC",
}

#: Votes for the k chosen, of five, and the word for it.
STRENGTH = {5: "strong", 4: "strong", 3: "moderate"}


def strength(
    votes: int, of: int, p: float, *, agreed: bool, wider: int | None = None
) -> str:
    """Return the strength in words with the numbers behind it.

    ``wider``: the largest k to try next, where the answer is the largest k tried. All
    votes for it are no more than votes for "at least so many".
    """
    word = STRENGTH[votes] if agreed else "weak, the measures disagree"
    if agreed and wider is not None:
        word = "weak, the largest k tried"
    return f"{word}: {votes} of {of} votes, {p_text(p)}"


def p_text(p: float) -> str:
    """Return p as text."""
    return f"p = {p:.2g}"


def listed(values: Sequence[Any]) -> str:
    """Return values as "a, b and c".

    Examples
    --------
    >>> listed([2, 3, 5])
    '2, 3 and 5'
    """
    texts = [str(v) for v in values]
    if len(texts) < 2:
        return "".join(texts)
    return ", ".join(texts[:-1]) + " and " + texts[-1]


def panel_line(votes: Mapping[str, int], weights: Mapping[str, int]) -> str:
    """Return who names which k, and who has more than one vote.

    Examples
    --------
    >>> panel_line({"gap": 3, "mixture": 4}, {"gap": 1, "mixture": 2})
    'gap 3, mixture (2 votes) 4'
    """
    return ", ".join(
        f"{member(name, weights.get(name, 1))} {k}" for name, k in votes.items()
    )


def member(name: str, votes: int) -> str:
    """Return the name of a member, with its votes where it has several."""
    return name if votes == 1 else f"{name} ({votes} votes)"


def dissent(
    votes: Mapping[str, int], k: int, weights: Mapping[str, int]
) -> tuple[str, ...]:
    """Return one sentence for each member that names another k."""
    lines = []
    for name, named in votes.items():
        if named == k:
            continue
        why = (
            "it sees coarser groups that hold together as well"
            if named < k
            else "it would split clusters that the others leave whole"
        )
        if name == "mixture" and named > k:
            why = "skewed or long-tailed clusters need several Gaussians each"
        reads = MEMBER_READS[name]
        if weights[name] > 1:
            reads += f"; {weights[name]} votes"
        lines.append(f"'{name}' ({reads}) says {named}: {why}.")
    return tuple(lines)


def clusters_sentence(clusters: Sequence[Mapping[str, Any]], between: int) -> str:
    """Return what is to be said about the clusters and the items between them."""
    shaky = [c for c in clusters if c["jaccard"] is not None and c["jaccard"] < 0.75]
    single = [c for c in clusters if c["size"] <= 2]
    parts = []
    if shaky:
        named = listed([c["cluster"] for c in shaky])
        many = len(shaky) > 1
        parts.append(
            f"cluster{'s' if many else ''} {named} {'are' if many else 'is'} not found "
            "again reliably in subsamples"
        )
    elif len(clusters) > 1:
        parts.append("every cluster is found again in subsamples")
    for c in single:
        count = "a single item" if c["size"] == 1 else f"only {c['size']} items"
        parts.append(f"cluster {c['cluster']} has {count}")
    if between:
        items = "item sits" if between == 1 else "items sit"
        parts.append(f"{between} {items} between clusters")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def stable_classes(brought: Mapping[str, Any]) -> list[str]:
    """Return the classes that are stable clusters; the sentence names just these."""
    rows = brought.get("clusters", ())
    return [row["class"] for row in rows if (row["jaccard"] or 0) >= 0.75]


def isolated_sentence(names: Sequence[str]) -> str:
    """Return what is to be said about items far from all others."""
    if not names:
        return ""
    if len(names) == 1:
        return (
            f"One item ({names[0]}) lies far from all others; it was set aside for the "
            "judgement and is no cluster of its own."
        )
    shown = listed(names[:5]) + (" ..." if len(names) > 5 else "")
    return f"{len(names)} isolated items ({shown}) were set aside for the judgement."


def judged_sentence(judged: int, of: int, isolated: int, *, joined: bool) -> str:
    """Return how many items were judged where not all were, and where the others are.

    ``joined``: whether there are clusters to join.
    """
    drawn = judged + isolated < of
    text = f"Judged on {judged:,} of {of:,} items drawn at random" if drawn else ""
    if joined and drawn:
        text += "; the others joined the nearest cluster"
    elif joined and isolated > 1:
        text = "They then joined the nearest cluster"
    return f"{text}." if text else ""


def copies(count: int) -> str:
    """Return how many rows repeat others.

    Examples
    --------
    >>> copies(1)
    '1 row repeats another'
    """
    return "1 row repeats another" if count == 1 else f"{count:,} rows repeat others"


def copies_sentence(count: int) -> str:
    """Return what is to be said about rows that repeat others."""
    if not count:
        return ""
    return (
        f"{copies(count)} exactly; each distinct row was judged once, as copies fall "
        "together whatever the clusters are."
    )


def apart_sentence(count: int, n: int) -> str:
    """Return what is to be said of a group too small to be judged, if there is one.

    Examples
    --------
    >>> apart_sentence(15, 500)
    '15 items (3.0 %) lie apart from all others: too few to be judged as a cluster.'
    """
    if not count:
        return ""
    return (
        f"{count} items ({100 * count / n:.1f} %) lie apart from all others: too few "
        "to be judged as a cluster."
    )


def none_sentence(p: float | None, *, continuum: bool, components: int | None) -> str:
    """Return the answer "no clusters" with its reason."""
    if components == 0:
        return (
            "No evidence of clusters: no direction in the data varies more than "
            "unstructured noise does, so there is nothing that could separate groups."
        )
    text = (
        "No evidence of clusters: splitting these data gives groups that are no better "
        "separated than those of data without clusters"
    )
    text += f" ({p_text(p)})." if p is not None else "."
    if continuum:
        text += (
            " The items spread along one direction without a gap: a continuum, in "
            "which any cut is a choice and not a finding."
        )
    return text


def found_sentence(
    k: int,
    votes: tuple[int, int],
    p: float,
    levels: Sequence[int],
    wider: int | None = None,
) -> str:
    """Return the answer "k clusters" with its reason; ``wider`` as in strength."""
    these = "these data"
    if wider is None:
        text = f"{k} clusters: "
    else:
        text = f"{k} clusters or more: {_largest(k, wider)}. "
        these = "These data"
    text += (
        f"{these} are better separated than data without clusters "
        f"({p_text(p)}), and {votes[0]} of the panel's {votes[1]} votes are for {k}."
    )
    coarse = [level for level in levels if level < k]
    fine = [level for level in levels if level > k]
    if coarse:
        text += f" They form {listed(coarse)} larger groups at a coarser level."
    if fine:
        text += f" A finer level of {listed(fine)} clusters is also visible."
    return text


def _largest(k: int, wider: int) -> str:
    return f"{k} is the largest number tried; try -k 2:{wider}"


def unclear_sentence(
    k: int,
    plausible: Mapping[int, float],
    p: float,
    *,
    endless: bool,
    wider: int | None = None,
) -> str:
    """Return the answer "structure, but the panel disagrees".

    ``endless``: finer splits go on being as good, and no gap is between the clusters;
    ``wider`` as in strength.
    """
    ks = listed(sorted(plausible))
    text = (
        f"There is structure ({p_text(p)}), but the measures disagree on the number of "
        f"clusters: {ks} are named. {k} is the best guess, and no more than that."
    )
    if wider is not None:
        text += f" There may be more: {_largest(k, wider)}."
    if endless:
        text += (
            " Finer splits hold as well as coarse ones: that is how items along a "
            "curve or a sheet without gaps behave, a continuum."
        )
    return text
