"""What the report takes from a verdict; every part may be missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from stablek.data import Dataset
from stablek.panel.user_labels import stable_classes
from stablek.panel.words import isolated_sentence, listed
from stablek.results.verdict import Level, Verdict

#: Rows of the table of items at most; all of them are in items.tsv.
MOST_ITEMS = 2000


@dataclass(frozen=True)
class Parts:
    """The parts of a verdict that the page shows.

    Tables are sequences of records; see :class:`stablek.Verdict` for the rest.
    """

    sentence: str = ""
    k: int | None = None
    best_guess: int | None = None
    strength: str = ""
    evidence: str = ""
    levels: tuple[Level, ...] = ()
    dissent: tuple[str, ...] = ()
    plausible: dict[int, float] = field(default_factory=dict)
    votes: dict[str, int] = field(default_factory=dict)
    clusters: tuple[Mapping[str, Any], ...] = ()
    items: tuple[Mapping[str, Any], ...] = ()
    moves: tuple[Mapping[str, Any], ...] = ()
    next_steps: tuple[str, ...] = ()
    isolated: tuple[str, ...] = ()
    user_labels: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    n: int = 0
    m: int = 0
    data: Dataset | None = None

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

        items = tuple(
            {key: numbers.get(str(v), v) if key == "id" else v
             for key, v in dict(item).items()}
            for item in self.items
        )  # fmt: skip
        return replace(
            self,
            isolated=(),
            user_labels={},
            sentence=hidden(self.sentence),
            dissent=tuple(hidden(line) for line in self.dissent),
            next_steps=tuple(hidden(line) for line in self.next_steps),
            items=items,
        )

    def _listed(self, numbers: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return the lists of names in the sentence, and what to write for each."""
        found = []
        if self.isolated:
            items = [f"item {numbers.get(name, '?')}" for name in self.isolated]
            found.append((isolated_sentence(self.isolated), isolated_sentence(items)))
        stable = stable_classes(self.user_labels)
        if stable:
            places = [self.user_labels["classes"].index(name) + 1 for name in stable]
            classes = [f"class {place}" for place in places]
            found.append((f"({listed(stable)})", f"({listed(classes)})"))
        return found


def parts_of(verdict: Verdict | None, most: int = MOST_ITEMS) -> Parts | None:
    """Return what the page shows of a verdict; None if there is none.

    The table of items holds the ``most`` that are least certain.
    """
    if verdict is None:
        return None
    return Parts(
        sentence=verdict.sentence,
        k=verdict.k,
        best_guess=verdict.best_guess,
        strength=verdict.strength,
        evidence=verdict.evidence,
        levels=verdict.levels,
        dissent=verdict.dissent,
        plausible=dict(verdict.plausible),
        votes=dict(verdict.votes),
        clusters=verdict.cluster_records,
        items=least_certain(verdict, most) if verdict.cluster_records else (),
        moves=verdict.move_records if verdict.cluster_records else (),
        next_steps=verdict.next_steps,
        isolated=verdict.isolated,
        user_labels=dict(verdict.user_labels or {}),
        settings=dict(verdict.settings),
        versions=dict(verdict.versions),
        seed=verdict.seed,
        n=verdict.n,
        m=verdict.m,
        data=verdict.data,
    )


def least_certain(verdict: Verdict, most: int) -> tuple[dict[str, Any], ...]:
    """Return records of the items whose place is least certain.

    Items that were not judged have no consensus; they stand last.
    """
    columns = verdict.item_columns
    own = np.asarray(columns["consensus"], dtype=np.float64)
    second = np.asarray(columns["runner_up_consensus"], dtype=np.float64)
    margin = np.where(np.isnan(own), np.inf, np.nan_to_num(own) - np.nan_to_num(second))
    order = np.argsort(margin, kind="stable")[:most]
    return tuple(
        {"id": verdict.ids[i],
         **{name: column[i].item() for name, column in columns.items()}}
        for i in order
    )  # fmt: skip
