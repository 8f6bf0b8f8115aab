"""The verdict in words: short sentences, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stablek.panel.borders import Borders
    from stablek.panel.one_column import OneColumn
    from stablek.panel.p_value import PValue

#: Up to this p, data without clusters rarely look like the data.
RARELY = 0.05

#: From this Jaccard coefficient on, a cluster comes back in subsamples.
STABLE = 0.75


#: A level is a neighbour of the answer if the two differ by less than this factor.
NEIGHBOUR = 1.5

#: Said where the table of clusters shows a clear border and held-out items do not.
TABLE_LOOKS_CLEARER = (
    "The gap and valley in the table look clearer than the borders are, because they "
    "use the items that made the clusters."
)

#: What was done about the scale of the columns, as a sentence begins.
DONE = {
    "columns standardised": "The columns were standardised",
    "log counts": "Logarithms of the counts were used",
    "log counts of equal totals": "Counts were scaled to equal totals, and their "
    "logarithms used",
}


def listed(values: Sequence[Any], joint: str = "and") -> str:
    """Return values as "a, b and c".

    Examples
    --------
    >>> listed([2, 3, 5])
    '2, 3 and 5'
    """
    texts = [str(v) for v in values]
    if len(texts) < 2:
        return "".join(texts)
    return ", ".join(texts[:-1]) + f" {joint} " + texts[-1]


def sentence_of(*parts: str) -> str:
    """Return the parts that are there as one paragraph."""
    return " ".join(part for part in parts if part)


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count(1, "item"), count(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def warned(answer: str, warnings: Sequence[str]) -> str:
    """Return an answer with warnings right after it, before its reason.

    Examples
    --------
    >>> warned("2 clusters. All measures favour 2.", ["Beware."])
    '2 clusters. Beware. All measures favour 2.'
    """
    head, stop, rest = answer.partition(". ")
    return sentence_of(head + stop.strip(), *warnings, rest)


def found_sentence(
    k: int,
    p: PValue,
    wider: int | None = None,
    *,
    asked: bool = False,
    continuum: bool = False,
) -> str:
    """Return the answer "k clusters".

    ``wider``: the largest k to try next, where k is the largest k tried. ``asked``: the
    user chose k, so it is no finding. ``continuum``: they may be pieces of one.
    """
    text = f"{k} clusters"
    if asked:
        text = f"You asked for {k} clusters; no other number was tried"
    if wider is not None:
        text += " or more"
    if continuum:
        text += ", perhaps pieces of a continuum"
    often = "rarely" if p.value <= RARELY else "sometimes"
    text += f". Data without clusters {often} look like this ({p})."
    if wider is not None:
        text += f" {k} is the largest number tried; try up to {wider}."
    return text


def column_sentence(column: OneColumn) -> str:
    """Return that one column makes the clusters."""
    text = f"Column '{column.name}' alone makes these clusters: "
    if column.is_values:
        return f"{text}they are its values."
    return f"{text}the other columns hardly differ between them."


def levels_sentence(k: int, levels: Sequence[int]) -> str:
    """Return the sentences on coarser and finer levels, and on neighbours of k.

    Examples
    --------
    >>> levels_sentence(4, [2, 4, 9])
    'The clusters form 2 larger groups. Inside the clusters, 9 smaller groups fit \
almost as well.'
    >>> levels_sentence(13, [12, 13, 14])
    '12 or 14 clusters fit almost as well.'
    """
    near = [one for one in levels if one != k and k / NEIGHBOUR < one < k * NEIGHBOUR]
    coarse = [one for one in levels if one < k and one not in near]
    fine = [one for one in levels if one > k and one not in near]
    parts = []
    if coarse:
        parts.append(f"The clusters form {listed(coarse, 'or')} larger groups.")
    if fine:
        inside = f"Inside the clusters, {listed(fine, 'or')} smaller groups"
        parts.append(f"{inside} fit almost as well.")
    if near:
        parts.append(f"{listed(near, 'or')} clusters fit almost as well.")
    return " ".join(parts)


def connected_sentence(groups: int, p: PValue) -> str:
    """Return the answer "groups of any shape, with gaps between them"."""
    return (
        f"{groups} groups, separated by gaps but not compact. Neighbours form chains, "
        "rings or bent shapes, and no data set without clusters had gaps as "
        f"wide ({p})."
    )


def border_sentence(borders: Borders, groups: int) -> str:
    """Return a note on clusters that are not clearly apart, or far apart in groups.

    Wide gaps part them into so many ``groups``.
    """
    gaps = f"Wide gaps part the clusters into {groups} groups." if groups else ""
    if not borders.continuum:
        return gaps
    where = "no border between two clusters"
    if groups:
        where = "no border inside a group"
    return sentence_of(
        gaps,
        f"On held-out items, {where} is much emptier than the clusters themselves: "
        "they may be pieces of a continuum, such as a trajectory.",
    )


def guess_sentence(k: int, levels: Sequence[int], *, asked: bool = False) -> str:
    """Return what to do if the data must be split; ``asked``: the user chose k.

    Examples
    --------
    >>> guess_sentence(2, [2, 3])
    'If you must split them, the best guess is 2 groups (or 3).'
    """
    if asked:
        return f"If you must split them into {k}, call the parts groups, not clusters."
    others = [level for level in levels if level != k]
    more = f" (or {listed(others, 'or')})" if others else ""
    return f"If you must split them, the best guess is {k} groups{more}."


def kinds_sentence(batch: str) -> str:
    """Return what the strength does not say where the clusters follow a batch."""
    return (
        "This rates how sure the groups are. Whether they are kinds of items is "
        f"doubtful because of '{batch}'."
    )


def one_k_sentence(k: int) -> str:
    """Return what the strength says where the user chose k."""
    return (
        "This rates the clusters by their p-value, borders and subsamples. Whether "
        f"{k} is the right number was not tested, so it is moderate at most."
    )


def is_shaky(cluster: Mapping[str, Any]) -> bool:
    """Tell whether a cluster does not come back in subsamples."""
    return cluster["jaccard"] is not None and cluster["jaccard"] < STABLE


def clusters_sentence(
    clusters: Sequence[Mapping[str, Any]], between: int, elsewhere: int = 0
) -> str:
    """Return the sentences on the clusters and the items between them.

    ``elsewhere`` are items that most subsamples put into another cluster; they are
    named where the measures disagree, and counted here only so that the sum is right.
    """
    shaky = [c for c in clusters if is_shaky(c)]
    parts = []
    if shaky:
        change = "changes" if len(shaky) == 1 else "change"
        parts.append(f"{_named(shaky)} {change} from subsample to subsample.")
    elif len(clusters) > 1:
        parts.append("Every cluster comes back in subsamples.")
    for size, few in ((1, "a single item"), (2, "only 2 items")):
        tiny = [c for c in clusters if c["size"] == size]
        if tiny:
            has = f"has {few}" if len(tiny) == 1 else f"have {few} each"
            parts.append(f"{_named(tiny)} {has}.")
    if between and elsewhere:
        parts.append(
            f"{between + elsewhere:,} items do not clearly belong to their cluster: "
            f"{between:,} {'lies' if between == 1 else 'lie'} between clusters, "
            f"{elsewhere:,} {'is' if elsewhere == 1 else 'are'} mostly in another."
        )
    elif between:
        parts.append(
            f"{count(between, 'item')} {'lies' if between == 1 else 'lie'} between "
            "clusters."
        )
    return " ".join(parts)


def _named(clusters: Sequence[Mapping[str, Any]], most: int = 10) -> str:
    """Return the numbers of some clusters, as a sentence begins."""
    names: list[Any] = [c["cluster"] for c in clusters]
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    return f"Cluster{'s' if len(names) > 1 else ''} {listed(names)}"


def scale_sentence(used: str, why: str) -> str:
    """Return how the columns were scaled, and why."""
    if not used or used == "as given":
        return ""
    return f"{DONE.get(used, used)}, because {why}."


def answer_text(k: int | None) -> str:
    """Return an answer in a few words.

    Examples
    --------
    >>> answer_text(1), answer_text(3)
    ('no evidence of clusters', '3 clusters')
    """
    if k is None:
        return "not judged"
    return "no evidence of clusters" if k == 1 else f"{k} clusters"
