"""What speaks for the number of clusters chosen, and who favours another."""

from collections.abc import Mapping, Sequence

from stablek.panel.members import MEMBERS
from stablek.panel.words import listed

#: Why mixtures alone may want more clusters.
TAILS = "There may be clusters with long tails, which need several Gaussians each"

#: The members who favour another k, if all of them favour the same one.
REST = {1: "the other favours", 2: "the other two favour"}


def looks_at(name: str) -> str:
    """Return what a member looks at, in words."""
    return next(member.looks_at for member in MEMBERS if member.name == name)


def supporters(k: int, votes: Mapping[str, int]) -> str:
    """Return which members favour k."""
    return ", ".join(name for name, at in votes.items() if at == k)


def reason_for(k: int, votes: Mapping[str, int], heaviest: int) -> str:
    """Return what speaks for k: who favours it, and that it agrees best with others.

    ``heaviest`` is the k of the largest weight. Where most members favour another k, k
    is no average of theirs: it is the plausible k whose clusters agree best with those
    at all ks, averaged by weight (:func:`stablek.panel.choice.answer_of`).

    Examples
    --------
    >>> reason_for(3, {"valley": 3, "graph": 2, "mixture": 3, "silhouette": 3}, 3)
    '3 of 4 measures favour 3; the other favours 2.'
    >>> reason_for(3, {"valley": 3, "graph": 4, "fc": 2}, 3)
    'Alone, the measures favour 2, 3 and 4; together they favour 3.'
    >>> reason_for(3, {"valley": 3, "graph": 4, "fc": 2}, 4).partition("; ")[2]
    'together they favour 4, but the clusters at 3 agree best with those at the other \
numbers.'
    >>> reason_for(5, {}, 5)
    'You asked for 5 clusters; no other number was tried.'
    """
    if not votes:
        return f"You asked for {k} clusters; no other number was tried."
    agree = sum(at == k for at in votes.values())
    named = sorted(set(votes.values()))
    if named == [k]:
        return f"All {agree} measures favour {k}."
    if 2 * agree <= len(votes):
        best = f"the clusters at {k} agree best with those at the other numbers."
        if len(named) == 1:
            return f"The measures favour {named[0]}, but {best}"
        text = f"Alone, the measures favour {listed(named)}; together they favour"
        return f"{text} {heaviest}{'.' if heaviest == k else f', but {best}'}"
    others = [at for at in named if at != k]
    rest = REST[len(votes) - agree] if len(others) == 1 else "the others favour"
    why = ""
    if heaviest != k:
        why = (
            f" {heaviest} has more weight, but {k} clusters agree best with all "
            "plausible answers."
        )
    return f"{agree} of {len(votes)} measures favour {k}; {rest} {listed(others)}.{why}"


def other_draws_sentence(ks: Sequence[int]) -> str:
    """Return that the answer depends on what was drawn, and which ks it may be.

    Examples
    --------
    >>> other_draws_sentence([2, 4])
    'With other random draws the answer may be 2 or 4.'
    """
    if not ks:
        return ""
    return f"With other random draws the answer may be {listed(ks, 'or')}."


def dissent(k: int, votes: Mapping[str, int]) -> tuple[str, ...]:
    """Return one sentence for each reason to favour another k, with who does so.

    Mixtures alone may want more clusters because tails are long. If others want more,
    too, this is no longer the likely reason.

    Examples
    --------
    >>> dissent(4, {"graph": 4, "mixture": 6})[0].partition(": ")[2]
    'mixture favours 6 (Gaussian mixtures, by BIC).'
    """
    whom: dict[str, list[str]] = {}
    finer = [name for name, at in votes.items() if at > k]
    for name, at in votes.items():
        if at == k:
            continue
        why = "Some clusters could be split further"
        if at < k:
            why = "Coarser groups hold together as well"
        elif finer == ["mixture"]:
            why = TAILS
        whom.setdefault(why, []).append(f"{name} favours {at} ({looks_at(name)})")
    return tuple(f"{why}: {listed(who)}." for why, who in whom.items())
