"""What speaks for the number of clusters chosen, and who favours another."""

from __future__ import annotations

from collections.abc import Mapping

from stablek.panel.members import MEMBERS
from stablek.panel.words import listed


def looks_at(name: str) -> str:
    """Return what a member looks at, in words."""
    return next(member.looks_at for member in MEMBERS if member.name == name)


def supporters(k: int, votes: Mapping[str, int]) -> str:
    """Return which members favour k."""
    return ", ".join(name for name, at in votes.items() if at == k)


def reason_for(k: int, votes: Mapping[str, int], heaviest: int) -> str:
    """Return what speaks for k: who favours it, and that it agrees best with others.

    ``heaviest`` is the k of the largest weight.

    Examples
    --------
    >>> reason_for(3, {"valley": 3, "graph": 4, "silhouette": 2}, 3)
    '1 of 3 members of the panel favours 3; the others favour 2 and 4.'
    >>> reason_for(3, {"valley": 2, "graph": 4}, 2)
    'The members of the panel favour 2 and 4; 3 clusters agree best with all of them.'
    >>> reason_for(5, {}, 5)
    'You asked for 5 clusters; no other number was tried.'
    """
    if not votes:
        return f"You asked for {k} clusters; no other number was tried."
    own = [name for name, at in votes.items() if at == k]
    others = listed(sorted(set(votes.values()) - {k}))
    if len(own) == len(votes):
        return f"All {len(own)} members of the panel favour {k}."
    if not own:
        return (
            f"The members of the panel favour {others}; {k} clusters agree best with "
            "all of them."
        )
    favour = "favours" if len(own) == 1 else "favour"
    rest = "the other favours" if len(votes) - len(own) == 1 else "the others favour"
    why = ""
    if heaviest != k:
        why = (
            f" {heaviest} has more weight, but {k} clusters agree best with all "
            "plausible answers."
        )
    return (
        f"{len(own)} of {len(votes)} members of the panel {favour} {k}; {rest} "
        f"{others}.{why}"
    )


def dissent(k: int, votes: Mapping[str, int]) -> tuple[str, ...]:
    """Return one sentence for each reason to favour another k, with who does so.

    Examples
    --------
    >>> dissent(4, {"graph": 4, "mixture": 6})[0].partition(": ")[2]
    'mixture favours 6 (Gaussian mixtures, by BIC).'
    """
    whom: dict[str, list[str]] = {}
    for name, at in votes.items():
        if at == k:
            continue
        why = "Some clusters could be split further"
        if at < k:
            why = "Coarser groups hold together as well"
        elif name == "mixture":
            why = "Clusters with long tails need several Gaussians each"
        whom.setdefault(why, []).append(f"{name} favours {at} ({looks_at(name)})")
    return tuple(f"{why}: {listed(who)}." for why, who in whom.items())
