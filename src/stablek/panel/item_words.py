"""Sentences on some items: set aside, drawn, repeated, or in small groups."""

from __future__ import annotations

from collections.abc import Sequence

from stablek.panel.hint_words import no_more
from stablek.panel.p_value import PValue
from stablek.panel.words import count, listed


def set_aside(names: Sequence[str]) -> str:
    """Return which items were set aside.

    Examples
    --------
    >>> set_aside(["s7"])
    'One item (s7) was set aside as isolated'
    """
    if len(names) == 1:
        return f"One item ({names[0]}) was set aside as isolated"
    shown = listed(names[:5]) + (" ..." if len(names) > 5 else "")
    return f"{len(names):,} items ({shown}) were set aside as isolated"


def isolated_sentence(names: Sequence[str], *, tiny: bool = False) -> str:
    """Return the sentences on items that were set aside.

    ``tiny``: some of them are in tiny clusters that hid what the others are like.
    """
    if not names:
        return ""
    one = len(names) == 1
    are, their = ("it is", "its") if one else ("they are", "their")
    why = f"{are} farther from {their} neighbours than these are from theirs"
    if tiny:
        alone = "" if one else "alone or in tiny groups, "
        why = f"{alone}{are} far from the other items"
    does = "It does not count as a cluster" if one else "They do not count as clusters"
    return f"{set_aside(names)}: {why}. {does}."


def elsewhere_sentence(names: Sequence[str]) -> str:
    """Return the sentence on items that most subsamples put into another cluster.

    Examples
    --------
    >>> elsewhere_sentence(["s58", "s94"]).partition(" in another")[0]
    '2 items are'
    """
    if not names:
        return ""
    shown = listed(names[:5]) + (" ..." if len(names) > 5 else "")
    return (
        f"{count(len(names), 'item')} {'is' if len(names) == 1 else 'are'} in another "
        f"cluster in most subsamples: {shown}."
    )


def judged_sentence(judged: int, of: int, isolated: int, *, joined: bool) -> str:
    """Return how many items were judged where not all were.

    ``joined``: whether there are clusters that the others joined.
    """
    if judged + isolated >= of:
        return ""
    text = f"The verdict rests on {judged:,} of {of:,} items, drawn at random"
    return f"{text}; the others joined the nearest cluster." if joined else f"{text}."


def copies(number: int) -> str:
    """Return how many rows repeat others.

    Examples
    --------
    >>> copies(1)
    '1 row repeats another'
    """
    return "1 row repeats another" if number == 1 else f"{number:,} rows repeat others"


def copies_sentence(number: int) -> str:
    """Return the sentences on rows that repeat others."""
    if not number:
        return ""
    counts = "counts" if number == 1 else "count"
    return f"{copies(number)} exactly and {counts} once."


def rare_sentence(sizes: Sequence[int], n: int) -> str:
    """Return the sentences on small, well separated groups, if there are any.

    Examples
    --------
    >>> rare_sentence([15], 500)
    '15 items (3.0 %) form a small group that is well separated from all others.'
    >>> rare_sentence([1500, 20], 100_000).partition(": ")[2]
    '1,500 items (1.5 %) and 20 items (0.02 %).'
    """
    texts = [_share(size, n) for size in sizes]
    if len(sizes) > 1:
        few = f"{len(sizes)} small groups are well separated from all others"
        return f"{few}: {listed(texts)}."
    return "".join(
        f"{text} form a small group that is well separated from all others."
        for text in texts
    )


def beside_one_sentence(
    sizes: Sequence[int], n: int, p: PValue | None, *, near: bool = False
) -> str:
    """Return the answer of one large group, and small groups far from it.

    ``near``: see :func:`stablek.panel.hint_words.none_sentence`.

    Examples
    --------
    >>> beside_one_sentence([6], 500, None).partition(". ")[0]
    'One large group without evidence of clusters inside, and a small group of 6 \
items (1.2 %) far from it'
    """
    texts = [_share(size, n) for size in sizes]
    few = f"a small group of {texts[0]} far from it"
    if len(sizes) > 1:
        few = f"{len(sizes)} small groups far from it: {listed(texts)}"
    return (
        f"One large group without evidence of clusters inside, and {few}. Larger "
        f"groups {no_more(p, near=near)}"
    )


def _share(size: int, n: int) -> str:
    """Return how many items a group has, and how large a share this is."""
    share = 100 * size / n
    return f"{size:,} items ({share:.{1 if share >= 0.1 else 2}f} %)"
