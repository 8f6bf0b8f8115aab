"""What the page shows of a verdict: its least certain items, and names hidden."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from stablek.panel.item_words import elsewhere_sentence, set_aside
from stablek.panel.user_labels import nameless_sentence
from stablek.results.verdict import Verdict

#: Rows of the table of items at most; all of them are in items.tsv.
MOST_ITEMS = 2000


def hiding(verdict: Verdict, ids: tuple[str, ...]) -> Verdict:
    """Return the verdict with numbers in place of ids and of the user's classes.

    What holds names is exchanged as it was written, since a number may be an
    id or a class ("3 clusters", item 3); other ids are looked for anywhere.
    """
    numbers = {name: str(i + 1) for i, name in enumerate(ids)}
    exchanged = _listed(verdict, numbers)

    def hidden(text: str) -> str:
        for old, new in exchanged:
            text = text.replace(old, new)
        for name in sorted(numbers, key=len, reverse=True):
            if name in text and not name.isdecimal() and name.strip():
                bare = rf"(?<!\w){re.escape(name)}(?!\w)"
                text = re.sub(bare, f"item {numbers[name]}", text)
        return text

    return replace(
        verdict,
        isolated=(),
        user_labels=None,
        headline=hidden(verdict.headline),
        details=tuple(hidden(line) for line in verdict.details),
        sentence=hidden(verdict.sentence),
        dissent=tuple(hidden(line) for line in verdict.dissent),
        next_steps=tuple(hidden(line) for line in verdict.next_steps),
        ids=tuple(numbers.get(name, name) for name in verdict.ids),
    )


def _listed(verdict: Verdict, numbers: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the sentences that hold names, and what to write for each."""
    exchanged = []
    if verdict.isolated:
        items = [f"item {numbers.get(name, '?')}" for name in verdict.isolated]
        exchanged.append((set_aside(verdict.isolated), set_aside(items)))
    if moved := verdict.elsewhere():
        items = [f"item {numbers.get(name, '?')}" for name in moved]
        exchanged.append((elsewhere_sentence(moved), elsewhere_sentence(items)))
    if verdict.user_labels is not None:
        sentence = verdict.user_labels["sentence"]
        exchanged.append((sentence, nameless_sentence(verdict.user_labels)))
    return exchanged


def least_certain(verdict: Verdict) -> list[dict[str, Any]]:
    """Return records of the items whose place is least certain; none without clusters.

    Items that were not judged have no consensus; they stand last.
    """
    if not verdict.cluster_records:
        return []
    columns = verdict.item_columns
    own = np.asarray(columns["consensus"], dtype=np.float64)
    second = np.asarray(columns["runner_up_consensus"], dtype=np.float64)
    margin = np.where(np.isnan(own), np.inf, np.nan_to_num(own) - np.nan_to_num(second))
    order = np.argsort(margin, kind="stable")[:MOST_ITEMS]
    return [
        {"id": verdict.ids[i],
         **{name: column[i].item() for name, column in columns.items()}}
        for i in order
    ]  # fmt: skip
