"""What the report takes from a verdict; every part may be missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from stablek.panel.steps import hide_column
from stablek.panel.words import isolated_sentence, listed, stable_classes


class VerdictLike(Protocol):
    """What a verdict may offer to the report.

    The report asks for each of these by name and goes on without those that are not
    there or None. Tables are DataFrames, mappings of columns, or sequences of records.

    Attributes
    ----------
    sentence
        The answer, in a sentence or a paragraph.
    k
        The number of clusters; 1 for "no evidence"; None for "the measures disagree".
    strength
        The strength in words with the number behind it ("strong: 5 of 5 agree").
    dissent
        Who disagrees and why, one sentence each.
    plausible
        The plausible ks with their weights.
    votes, weights
        Which k each member of the panel names, and how many votes each has.
    clusters, items, merges
        Trust per cluster and per item; which clusters merge and split.
    next_steps
        What to do now, one sentence each.
    isolated, brought
        Items set aside, and the user's classes: what the sentence may name.
    settings, seed, versions
        What it takes to repeat it.
    """

    sentence: str
    k: int | None
    strength: str
    dissent: Sequence[str]
    plausible: Mapping[int, float]
    votes: Mapping[str, int]
    weights: Mapping[str, int]
    clusters: Any
    items: Any
    merges: Any
    next_steps: Sequence[str]
    isolated: Sequence[str]
    brought: Mapping[str, Any] | None
    settings: Mapping[str, Any]
    seed: int
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Parts:
    """The parts of a verdict that are there."""

    sentence: str = ""
    k: int | None = None
    strength: str = ""
    dissent: tuple[str, ...] = ()
    plausible: dict[int, float] = field(default_factory=dict)
    votes: dict[str, int] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)
    clusters: Any = None
    items: Any = None
    merges: Any = None
    next_steps: tuple[str, ...] = ()
    isolated: tuple[str, ...] = ()
    brought: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    seed: int = 0

    def hiding(self, ids: tuple[str, ...]) -> Parts:
        """Return the parts with numbers in the place of ids and of the user's classes.

        What a sentence lists is exchanged as it was written, since a number may be an
        id or a class ("3 clusters", item 3); other ids are looked for anywhere.
        """
        numbers = {name: str(i + 1) for i, name in enumerate(ids)}
        exchanged = self._listed(numbers)

        def hidden(text: str) -> str:
            for old, new in exchanged:
                text = text.replace(old, new)
            for name in sorted(numbers, key=len, reverse=True):
                if name in text and not name.isdecimal() and name.strip():
                    bare = rf"(?<!\w){re.escape(name)}(?!\w)"
                    text = re.sub(bare, f"item {numbers[name]}", text)
            return text

        items = None
        if isinstance(self.items, Sequence):
            items = [
                {key: numbers.get(str(v), v) if key == "id" else v
                 for key, v in dict(item).items()}
                for item in self.items
            ]  # fmt: skip
        return replace(
            self,
            isolated=(),
            brought={},
            sentence=hidden(self.sentence),
            dissent=tuple(hidden(line) for line in self.dissent),
            next_steps=tuple(hide_column(hidden(line)) for line in self.next_steps),
            items=items,
        )

    def _listed(self, numbers: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return the lists of names in the sentence, and what to write for each."""
        found = []
        if self.isolated:
            items = [f"item {numbers.get(name, '?')}" for name in self.isolated]
            found.append((isolated_sentence(self.isolated), isolated_sentence(items)))
        stable = stable_classes(self.brought)
        if stable:
            places = [self.brought["classes"].index(name) + 1 for name in stable]
            classes = [f"class {place}" for place in places]
            found.append((f"({listed(stable)})", f"({listed(classes)})"))
        return found


def parts_of(verdict: object | None) -> Parts | None:
    """Return what a verdict offers; None if there is no verdict."""
    if verdict is None:
        return None
    plausible = getattr(verdict, "plausible", None) or {}
    votes = getattr(verdict, "votes", None) or {}
    weights = getattr(verdict, "weights", None) or {}
    return Parts(
        sentence=str(getattr(verdict, "sentence", "") or ""),
        k=getattr(verdict, "k", None),
        strength=str(getattr(verdict, "strength", "") or ""),
        dissent=_lines(getattr(verdict, "dissent", ())),
        plausible={int(k): float(weight) for k, weight in dict(plausible).items()},
        votes={str(who): int(k) for who, k in dict(votes).items() if k is not None},
        weights={str(who): int(count) for who, count in dict(weights).items()},
        clusters=_filled(getattr(verdict, "clusters", None)),
        items=_filled(getattr(verdict, "items", None)),
        merges=_filled(getattr(verdict, "merges", None)),
        next_steps=_lines(getattr(verdict, "next_steps", ())),
        isolated=_lines(getattr(verdict, "isolated", ())),
        brought=dict(getattr(verdict, "brought", None) or {}),
        settings=dict(getattr(verdict, "settings", None) or {}),
        versions=dict(getattr(verdict, "versions", None) or {}),
        seed=int(getattr(verdict, "seed", 0) or 0),
    )


def _filled(table: Any) -> Any:
    """Return a table, or None for one without rows."""
    return table if table is not None and len(table) else None


def _lines(value: Any) -> tuple[str, ...]:
    if not value:
        return ()
    return (value,) if isinstance(value, str) else tuple(str(line) for line in value)
