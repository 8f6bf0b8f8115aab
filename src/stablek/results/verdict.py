"""The verdict: frozen, with its reasons, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.results.json_form import (
    column_of,
    json_text,
    plain_column,
    plain_record,
    read_json,
    refusing,
)

if TYPE_CHECKING:
    import pandas as pd

    from stablek.results.result import Result

#: Raised whenever the JSON form changes in a way that old readers cannot follow.
SCHEMA = 1

Records = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """How many clusters, how sure, who disagrees, and what to do next.

    Attributes
    ----------
    k
        The number of clusters; 1 means "no evidence of clusters"; None that the data
        cannot be judged.
    agreed
        Whether a majority of the panel's votes is for k; otherwise k is a best guess.
    sentence
        The whole answer as a paragraph.
    strength
        A word and the number behind it, such as "strong: 5 of 5 votes, p = 0.01".
    plausible
        The ks that members of the panel name, with their share of the votes.
    levels
        The ks at which the data fall into stable groups, coarse to fine, where there is
        more than one level.
    p
        How often data without clusters look as structured; None where not computed.
    votes, weights
        Which k each member of the panel names, and how many votes each member has: the
        mixtures have two, so that four members have five votes.
    dissent
        Who disagrees and why, one sentence each.
    next_steps
        What to do now, one sentence each.
    labels
        The partition of all items at k.
    ks, columns
        The panel's tables: one entry per k.
    clusters, items, merges
        Trust per cluster and per item; which clusters split and merge.
    brought
        What is to be said about labels the user brought; None without them.
    isolated
        Ids of the items set aside as isolated.
    apart
        Ids of a group of less than 5 % of the items that lies apart from all others,
        where there is no evidence of clusters beside it.
    p_of
        The p-value against each kind of null set; ``p`` is the largest of them.
    ids, n, m, data_name
        The names of the items, the size of the data, and their name.
    settings, seed, versions
        What it takes to repeat it.
    facts, notes
        Other findings by name, and what was done on the way.
    result
        The panel's own run as a :class:`stablek.Result`; None where there was none,
        and for a verdict read from JSON.
    """

    k: int | None
    sentence: str
    strength: str
    plausible: Mapping[int, float]
    agreed: bool = True
    levels: tuple[int, ...] = ()
    p: float | None = None
    p_of: Mapping[str, float] = field(default_factory=dict)
    votes: Mapping[str, int] = field(default_factory=dict)
    weights: Mapping[str, int] = field(default_factory=dict)
    dissent: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    labels: NDArray[np.int64]
    ks: tuple[int, ...] = ()
    columns: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    clusters: Records = ()
    items: Records = ()
    merges: Records = ()
    brought: Mapping[str, Any] | None = None
    isolated: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    n: int = 0
    m: int = 0
    data_name: str = "data"
    facts: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    result: Result | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        """Return the answer; what is behind it are attributes."""
        return f"<Verdict: {self.sentence} Strength: {self.strength}.>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from stablek.results.notebook import card

        lines = [self.sentence, f"Strength: {self.strength}.", *self.dissent]
        return card([*lines, *self.next_steps], self.table)

    @property
    def table(self) -> pd.DataFrame:
        """The panel's numbers as a DataFrame, one row per k."""
        import pandas as pd

        return pd.DataFrame(dict(self.columns), index=pd.Index(self.ks, name="k"))

    def between(self) -> tuple[str, ...]:
        """Return the ids of the items that sit between clusters."""
        return tuple(str(item["id"]) for item in self.items if item["between"])

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        anonymous: bool = False,
        embedding: Any = None,
    ) -> Path:
        """Write the verdict as one self-contained HTML page; return its path.

        ``anonymous``: numbers in the place of ids, classes and names. ``embedding``:
        two columns to draw the items in, such as a UMAP.
        """
        from stablek.report.page.html import write_report

        found = [self.result] if self.result else []
        return write_report(
            found, path, verdict=self, title=title, anonymous=anonymous,
            embedding=embedding,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain numbers, strings, lists and dictionaries.

        NaN becomes None. No time, date or path is in it: equal runs give equal text.
        """
        return {
            "schema": SCHEMA,
            "k": self.k,
            "agreed": self.agreed,
            "sentence": self.sentence,
            "strength": self.strength,
            "plausible": {str(k): weight for k, weight in self.plausible.items()},
            "levels": list(self.levels),
            "p": self.p,
            "p_of": dict(self.p_of),
            "votes": dict(self.votes),
            "weights": dict(self.weights),
            "dissent": list(self.dissent),
            "next_steps": list(self.next_steps),
            "labels": self.labels.tolist(),
            "ks": list(self.ks),
            "columns": {name: plain_column(c) for name, c in self.columns.items()},
            "clusters": [plain_record(row) for row in self.clusters],
            "items": [plain_record(row) for row in self.items],
            "merges": [plain_record(row) for row in self.merges],
            "brought": self.brought,
            "isolated": list(self.isolated),
            "apart": list(self.apart),
            "ids": list(self.ids),
            "data": {"name": self.data_name, "n": self.n, "m": self.m},
            "facts": dict(self.facts),
            "settings": dict(self.settings),
            "seed": self.seed,
            "versions": dict(self.versions),
            "notes": list(self.notes),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the verdict as JSON text; write it too, if a path is given."""
        return json_text(self.to_dict(), path)

    @classmethod
    @refusing("verdict")
    def from_json(cls, source: str | Path) -> Verdict:
        """Return the verdict that :meth:`to_json` wrote, from a path or from text."""
        found = read_json(source, "verdict", SCHEMA)
        data = found["data"]
        rest: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in found.items()
            if name not in ("schema", "data", "labels", "columns", "plausible")
        }
        columns = {name: column_of(column) for name, column in found["columns"].items()}
        return cls(
            **rest,
            labels=np.asarray(found["labels"], dtype=np.int64),
            columns=columns,
            plausible={int(k): weight for k, weight in found["plausible"].items()},
            data_name=data["name"],
            n=data["n"],
            m=data["m"],
        )
