"""The verdict: frozen, with its reasons, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.paradigm.statistic.item_consensus import is_elsewhere
from stablek.results.json_form import array_of, parts_of, read_json, refusing
from stablek.results.notebook import card, no_partition
from stablek.results.written import Curves

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from stablek.api.new_data import Model
    from stablek.data import Dataset
    from stablek.results.annotations import Explained
    from stablek.results.assign import Assignment
    from stablek.results.result import Result

Records = tuple[Mapping[str, Any], ...]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Level:
    """A number of clusters that is worth a look.

    ``weight`` says how plausible it is among all k tried (the weights sum to 1),
    ``main`` whether it is the answer or the best guess, ``reason`` what speaks for it.
    """

    k: int
    weight: float
    main: bool
    reason: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict(Curves):
    """How many clusters, how sure this is, what disagrees, and what to do next.

    Attributes
    ----------
    k, best_guess
        The number of clusters: 1 means "no evidence of clusters", None that the data
        cannot be judged. And the number to use if the data must be split, which is
        ``k`` if there is evidence of clusters.
    headline, details, sentence
        The answer and what matters most; more about it; and both as one paragraph.
    next_steps
        What to do now, one sentence each.
    strength, evidence
        One word: "strong", "moderate", "weak", "suggestive" or "none"; and what that
        word is based on, with its numbers.
    levels, plausible
        The numbers of clusters that are worth a look, from coarse to fine; the answer
        is the main one. If ``k`` is 1, the numbers to try if the data must be split.
        And the weight of every k that was tried.
    p, p_of
        How often data without clusters look as clustered: the largest value over all
        null models, and the value for each. None if it was not computed. For groups of
        any shape: how often such data have gaps as wide; ``p_of`` is then empty.
    votes, dissent
        Which k each member of the panel would choose. Which members disagree, one
        sentence for each reason; and which items most subsamples put into another
        cluster.
    labels, partitions
        The cluster of every item at ``k``, numbered from 1; and at every k tried.
    ks, columns
        The panel's table: one entry per k.
    cluster_records, item_columns, move_records
        What :attr:`clusters`, :attr:`items` and :attr:`moves` show as tables.
    user_labels
        How your own labels compare with the clusters: "sentence" says it in words,
        "clusters" has one record per class. None without labels.
    isolated, rare_items
        Ids of the items set aside as isolated, and of those in small groups (below 5 %)
        that are well separated; the column "rare" of :attr:`items` says in which.
    scale
        How the columns were scaled ("as given", "standardised", ...), and why.
    ids, n, m, data_name
        The names of the items, the size of the data, and their name.
    settings, seed, versions, facts, notes
        What is needed to repeat the verdict, other findings by name, and what was done.
    result
        The panel's run of subsamples as a :class:`stablek.Result` on the coordinates of
        the items judged. None without a run, and for a verdict read from JSON.
    data, coordinates
        The data as they were given; and what turns values into the coordinates in
        which items are judged.
    explained
        What :attr:`annotations` shows, if it is known.
    """

    SCHEMA = 2
    KEYS = (
        "k", "best_guess", "headline", "details", "sentence", "strength", "evidence",
        "levels", "plausible", "p", "p_of", "votes", "dissent", "next_steps", "labels",
        "ks", "columns", "clusters", "items", "moves", "user_labels", "isolated",
        "rare_items", "scale", "ids", "data", "facts", "settings", "seed", "versions",
        "notes",
    )  # fmt: skip
    BEHIND: ClassVar[Mapping[str, str]] = {
        **Curves.BEHIND, "clusters": "cluster_records", "items": "item_columns",
        "moves": "move_records",
    }  # fmt: skip

    k: int | None
    sentence: str
    strength: str
    labels: Labels
    best_guess: int | None = None
    headline: str = ""
    details: tuple[str, ...] = ()
    evidence: str = ""
    levels: tuple[Level, ...] = ()
    plausible: Mapping[int, float] = field(default_factory=dict)
    p: float | None = None
    p_of: Mapping[str, float] = field(default_factory=dict)
    votes: Mapping[str, int] = field(default_factory=dict)
    dissent: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    partitions: Mapping[int, Labels] = field(default_factory=dict, repr=False)
    ks: tuple[int, ...] = ()
    columns: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    cluster_records: Records = ()
    item_columns: Mapping[str, NDArray[Any]] = field(default_factory=dict, repr=False)
    move_records: Records = ()
    user_labels: Mapping[str, Any] | None = None
    isolated: tuple[str, ...] = ()
    rare_items: tuple[str, ...] = ()
    scale: str = ""
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
    coordinates: Any = field(default=None, repr=False)
    data: Dataset | None = field(default=None, repr=False)
    explained: Explained | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<Verdict: {self.sentence} Strength: {self.strength}.>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        strength = f"Strength: {self.strength}. {self.evidence}"
        shown = self.clusters if self.cluster_records else self.table
        more = (*self.details, *self.dissent, *self.next_steps)
        return card([self.headline or self.sentence, strength], shown, more)

    def labels_at(self, k: int) -> Labels:
        """Return the cluster of every item at any k that was tried, numbered from 1."""
        if k == self.k:
            return self.labels
        if k == 1:
            return np.ones(self.n, dtype=np.int64)
        if k not in self.partitions:
            held = self.k if self.result is None else None
            raise InputError(no_partition(k, self.ks, held))
        return self.partitions[k]

    @cached_property
    def clusters(self) -> pd.DataFrame:
        """One row per cluster: size, and how far to trust it."""
        from stablek.results.tables import records_frame, sizes_frame
        from stablek.results.trust import ClusterTrust

        if not self.cluster_records:
            return sizes_frame(self.labels - 1)
        return records_frame(ClusterTrust, self.cluster_records)

    @cached_property
    def items(self) -> pd.DataFrame:
        """One row per item: its cluster, and how far to trust its place."""
        import pandas as pd

        if not self.item_columns:
            from stablek.results.tables import items_frame

            return items_frame(self.ids, self.labels)
        return pd.DataFrame({"id": list(self.ids), **self.item_columns})

    @cached_property
    def moves(self) -> pd.DataFrame:
        """Which clusters split and merge from each k to the next, and how stably."""
        from stablek.results.tables import records_frame
        from stablek.results.trust import Move

        return records_frame(Move, self.move_records)

    def clusters_at(self, k: int) -> pd.DataFrame:
        """Return the table of clusters at any k that was tried."""
        from stablek.results.tables import clusters_table

        if k == self.k or self.result is None:
            self.labels_at(k)
            return self.clusters
        return clusters_table(self.result, k)

    def between(self) -> tuple[str, ...]:
        """Return the ids of the items that lie between clusters."""
        flags = self.item_columns.get("between", np.zeros(len(self.ids), bool))
        return tuple(np.asarray(self.ids, dtype=object)[np.asarray(flags, bool)])

    def elsewhere(self) -> tuple[str, ...]:
        """Return the ids of items that most subsamples put into another cluster."""
        names = ("consensus", "runner_up_consensus")
        unknown = np.full(len(self.ids), np.nan)
        held = (self.item_columns.get(name, unknown) for name in names)
        own, other = (np.asarray(column, dtype=np.float64) for column in held)
        return tuple(np.asarray(self.ids, dtype=object)[is_elsewhere(own, other)])

    def markers(
        self, k: int | None = None, *, top: int | None = 50, p_values: bool = False
    ) -> pd.DataFrame:
        """Return the columns that set every cluster apart, the clearest first.

        At the answer's k, or its best guess, unless another is named; ``top`` columns
        per cluster, all with None. There is no p-value, since clusters were found in
        the same values; ``p_values`` adds one from a split by items and columns.
        """
        from stablek.results.describe import markers_table

        return markers_table(self, k, top=top, p_values=p_values)

    @cached_property
    def annotations(self) -> Explained:
        """What else explains the clusters: annotations of the data, and your labels."""
        from stablek.results.describe import explained_of

        return explained_of(self)

    @cached_property
    def class_items(self) -> pd.DataFrame:
        """Where every item stands between your classes; the least certain first."""
        import pandas as pd

        from stablek.results.describe import class_items

        return pd.DataFrame(class_items(self))

    @cached_property
    def model(self) -> Model:
        """What the verdict learnt, to be applied to new data."""
        from stablek.api.new_data import model_of

        return model_of(self)

    def predict(
        self, X: Any, k: int | None = None, *, prepare: bool = True
    ) -> Assignment:
        """Return the nearest cluster of new items, with distance and doubt.

        Columns are matched by name, and values are prepared as the first were, unless
        ``prepare`` is False. Without evidence all get cluster 1, unless k is given.
        """
        return self.model.assign(X, k, prepare=prepare)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how plausible every k is; return the Axes."""
        from stablek.report.plots import plausible

        return plausible(self, ax=ax)

    def shown_by(self) -> tuple[list[Result], Verdict]:
        """Return what the page is made of."""
        return [self.result] if self.result else [], self

    @classmethod
    @refusing("verdict")
    def from_json(cls, source: str | Path) -> Verdict:
        """Return the verdict that :meth:`to_json` wrote, from a path or from text."""
        plain = read_json(source, "verdict", cls.SCHEMA)
        parts = parts_of(plain, plain.keys() - {"schema", *cls.BEHIND})
        parts |= {
            "levels": tuple(Level(**level) for level in plain["levels"]),
            "plausible": {int(k): weight for k, weight in plain["plausible"].items()},
            "cluster_records": tuple(plain["clusters"]),
            "item_columns": {n: array_of(c) for n, c in plain["items"].items()},
            "move_records": tuple(plain["moves"]),
        }
        return cls(**parts)
