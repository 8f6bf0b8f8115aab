"""Sentences on labels that a user brings.

They take the finding of the verdict as given, and claim neither more nor less.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stablek.panel.finding import (
    COMPACT,
    CONNECTED,
    FEW_NULL_SETS,
    HINT,
    NARROW_GAPS,
    TOUCHING_GROUPS,
    UNSTEADY_GROUPS,
)
from stablek.panel.words import listed, sentence_of

#: Findings that are a hint of clusters, and no more.
HINTS = (HINT, TOUCHING_GROUPS, UNSTEADY_GROUPS, NARROW_GAPS, FEW_NULL_SETS)

#: What a class can be, one and many, by the finding.
KINDS = {
    COMPACT: ("a stable cluster", "stable clusters"),
    CONNECTED: ("such a group", "such groups"),
}

#: How well a partition matches classes from this adjusted Rand index on. 0.9 and 0.65
#: are those of Steinley (2004), Psychological Methods 9, 386-396.
MATCHES = ((0.9, "very well"), (0.65, "fairly well"), (0.25, "only in part"))

#: Clusters that are named because they hold several classes, and classes in each.
MOST_CLUSTERS, MOST_CLASSES = 2, 5


def labels_sentence(answer: Mapping[str, Any]) -> str:
    """Return what is to be said of the classes, see ``judge_labels``."""
    if answer["count"] < 2:
        return "Your labels name a single class. There is nothing to judge."
    kind = answer["finding"]
    small = small_sentence(answer)
    if kind not in KINDS and small:
        return small
    if kind not in KINDS:
        match = match_words("matches", answer["rand_at_classes"])
        doubt = "There is no evidence that these groups are clusters."
        if kind in HINTS:
            doubt = "There is only a hint that these groups are clusters."
        return f"A split into {answer['k']} groups {match}. {doubt}"
    own = [row["class"] for row in answer["clusters"] if row["is_cluster"]]
    whole = "clusters" if kind == COMPACT else "groups"
    return sentence_of(
        counted_sentence(own, answer["count"], *KINDS[kind]),
        f"The {whole} {match_words('match', answer['rand'])}.",
        shared_sentence(answer),
        small,
    )


def small_sentence(answer: Mapping[str, Any]) -> str:
    """Return which classes are small groups, and what is known of the others.

    Where there are clusters, other sentences speak of the others.
    """
    small = answer.get("small", ())
    if not small:
        return ""
    are = "is the small group" if len(small) == 1 else "are the small groups"
    text = f"Of your classes, {listed(small)} {are}"
    others = [name for name in answer["classes"] if name not in small]
    if answer["finding"] in KINDS or not others:
        return f"{text}."
    if len(others) == 1:
        return f"{text}, and {others[0]} is the large one."
    doubt = "only a hint" if answer["finding"] in HINTS else "no evidence"
    return f"{text}. There is {doubt} that your other classes are clusters."


def match_words(verb: str, rand: float) -> str:
    """Return how well a partition matches the classes.

    Examples
    --------
    >>> match_words("matches", 0.8)
    'matches your classes fairly well (adjusted Rand index 0.80)'
    >>> match_words("match", -0.004)
    'match your classes poorly (adjusted Rand index 0.00)'
    """
    how = next((word for least, word in MATCHES if rand >= least), "poorly")
    return f"{verb} your classes {how} ({index_text(rand)})"


def index_text(rand: float) -> str:
    """Return an adjusted Rand index as text; there is no -0.00."""
    return f"adjusted Rand index {round(rand, 2) + 0.0:.2f}"


def counted_sentence(names: Sequence[str], count: int, one: str, many: str) -> str:
    """Return how many of the classes are what ``one`` of them, or ``many``, could be.

    Examples
    --------
    >>> counted_sentence(["a", "b"], 2, "a group", "groups")
    'Both of your classes are groups.'
    >>> counted_sentence(["b"], 3, "a group", "groups")
    '1 of your 3 classes is a group (b).'
    >>> counted_sentence([], 3, "a group", "groups")
    'None of your 3 classes is a group.'
    """
    if len(names) == count:
        whole = "Both" if count == 2 else f"All {count}"
        return f"{whole} of your classes are {many}."
    if not names:
        none = "Neither of your" if count == 2 else f"None of your {count}"
        return f"{none} classes is {one}."
    are = f"is {one}" if len(names) == 1 else f"are {many}"
    return f"{len(names)} of your {count} classes {are} ({listed(names)})."


def shared_sentence(answer: Mapping[str, Any]) -> str:
    """Return which clusters hold several classes, and where these are told apart."""
    shared = answer["shared"]
    what = "cluster" if answer["finding"] == COMPACT else "group"
    if len(shared) > MOST_CLUSTERS:
        return f"{len(shared)} {what}s hold two or more of your classes."
    return sentence_of(*(_held(one, answer, what) for one in shared))


def _held(one: Mapping[str, Any], answer: Mapping[str, Any], what: str) -> str:
    names = list(one["classes"])
    if len(names) > MOST_CLASSES:
        more = len(names) - MOST_CLASSES + 1
        names = [*names[: MOST_CLASSES - 1], f"{more} more"]
    text = f"{what.capitalize()} {one['cluster']} holds {listed(names)} together"
    if not one["told_apart"]:
        return f"{text}."
    index = index_text(answer["rand_at_classes"])
    return f"{text}; at k = {answer['k']} they are told apart ({index})."
