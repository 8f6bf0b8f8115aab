"""What else explains the clusters: annotations against partitions.

The p-values are valid although the clusters were found in the same data: annotations
were not used for clustering. All columns and levels are tested with the same random
orders of the items, and a p-value counts how often the largest of all statistics (in
standard deviations of its own shuffles) is as large: the correction of Westfall and
Young for many columns.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.annotations import Annotation
from stablek.data.seeds import Streams
from stablek.errors import unknown_name
from stablek.kernels.clusters import compact
from stablek.paradigm.indices import contingency
from stablek.results.annotation_words import sentences
from stablek.results.association import (
    adjusted_information,
    against_shuffles,
    eta_squared,
)
from stablek.results.notebook import Shown

if TYPE_CHECKING:
    import pandas as pd

Labels = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

#: What the classes are called that a user brought. They are among the rows and tables,
#: but not among the sentences: those on the user's labels say more.
CLASSES = "your labels"

SHUFFLES = 999
#: Items that are shuffled at most.
MOST = 2500
#: From this association on, membership follows a column at least in part.
IN_PART = 0.15
LEVEL = 0.05
#: Labels that are shuffled at once.
AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Association:
    """How strongly one annotation is associated with the clusters at one level.

    The fields are the columns of annotations.tsv;
    :data:`stablek.results.glossary.COLUMNS` says what each means. ``measure`` is "AMI"
    (adjusted mutual information) or "eta squared" (of ranks): 1 for a column that is
    the partition, about 0 for one that has nothing to do with it. ``p_corrected``
    compares with the largest of all columns and levels.
    """

    annotation: str
    kind: str
    k: int
    items: int
    levels: int
    measure: str
    association: float
    p: float
    p_corrected: float
    batch_like: bool

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings."""
        return asdict(self)

    @property
    def follows(self) -> bool:
        """Whether the clusters go with the column, at least in part."""
        return self.association >= IN_PART and self.p_corrected <= LEVEL


#: Of the table of annotations, in order.
ANNOTATION_COLUMNS = tuple(field.name for field in fields(Association))


@dataclass(frozen=True, repr=False)
class Explained(Shown):
    """All associations, the sentences on them, and the tables behind them.

    Parameters
    ----------
    rows
        One per column and level.
    sentences
        Batch effects first, then what else the clusters go with; none on the classes
        that a user brought.
    problems
        Columns that nothing can be said of, and why.
    tables
        Classes by clusters at the main level: for every categorical column its levels,
        and for each the number of items in every cluster.
    batches
        The columns that may be a batch effect; the first sentences are on these.
    """

    rows: tuple[Association, ...] = ()
    sentences: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    tables: Mapping[str, Mapping[str, tuple[int, ...]]] | None = None
    batches: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All sentences as one paragraph."""
        return " ".join(self.lines) or "There are no annotations."

    @property
    def lines(self) -> tuple[str, ...]:
        """All sentences and problems, or that nothing is associated."""
        none: tuple[str, ...] = ()
        if not self.sentences and any(one.annotation != CLASSES for one in self.rows):
            none = ("No annotation is associated with the clusters.",)
        return (*none, *self.sentences, *self.problems)

    @property
    def table(self) -> pd.DataFrame:
        """One row per column and level."""
        import pandas as pd

        return pd.DataFrame([asdict(one) for one in self.rows])

    def counts(self, name: str) -> pd.DataFrame:
        """Return how many items of each class are in each cluster."""
        import pandas as pd

        known = self.tables or {}
        if name not in known:
            raise unknown_name("annotation with classes", name, known)
        counts = pd.DataFrame(known[name]).T
        counts.columns = pd.RangeIndex(1, counts.shape[1] + 1, name="cluster")
        return counts.rename_axis(name)

    @property
    def batch(self) -> Association | None:
        """The batch-like column that explains the clusters best, if one does."""
        candidates = [one for one in self.rows if one.annotation in self.batches]
        return max(candidates, key=lambda one: one.association, default=None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The sentences on batch effects."""
        return self.sentences[: len(self.batches)]


def explain(
    columns: Sequence[Annotation],
    partitions: Mapping[int, Labels],
    streams: Streams,
    *,
    main: int | None = None,
    shown: Collection[int] | None = None,
    shuffles: int = SHUFFLES,
    evident: bool = True,
) -> Explained:
    """Return how far annotations go with the clusters at every level.

    ``partitions`` hold the clusters 0 .. k - 1 of all items, by k; k = 1 is left out.
    The tables are made for the ``main`` level, the smallest if not given. Only at a k
    that is ``shown`` (all, if not given) can a batch effect be warned of. Without
    evidence of clusters (``evident``), the sentences speak of groups. p is at least 1 /
    (1 + shuffles).

    References
    ----------
    Vinh, Epps, Bailey (2010), J. Machine Learning Research 11, 2837-2854. Kruskal,
    Wallis (1952), JASA 47, 583-621. Westfall, Young (1993), Resampling-Based Multiple
    Testing, section 2.
    """
    levels = {k: compact(labels) for k, labels in partitions.items() if k > 1}
    problems = tuple(text for one in columns if (text := one.problem()))
    usable = [one for one in columns if not one.problem()]
    if not levels or not usable:
        return Explained(problems=problems)
    pairs = [(one, k) for one in usable for k in levels]
    observed, drawn = _shuffled(pairs, levels, streams, shuffles)
    middle, spread = drawn.mean(axis=1), drawn.std(axis=1)
    spread = np.where(spread > 1e-12, spread, np.inf)
    z = (observed - middle) / spread
    largest = ((drawn - middle[:, None]) / spread[:, None]).max(axis=0)
    slack = 1e-9
    rows = tuple(
        Association(
            one.name,
            "numeric" if one.numeric else "categorical",
            k,
            int(one.known.sum()),
            one.distinct,
            "eta squared" if one.numeric else "AMI",
            _association(one, levels[k]),
            float((1 + (drawn[i] >= observed[i] - slack).sum()) / (1 + shuffles)),
            float((1 + (largest >= z[i] - slack).sum()) / (1 + shuffles)),
            one.batch_like,
        )
        for i, (one, k) in enumerate(pairs)
    )
    at = main if main in levels else min(levels)
    tables = {
        one.name: class_table(one, levels[at]) for one in usable if not one.numeric
    }
    by_name, batches = sentences(
        [one for one in rows if one.annotation != CLASSES], at, tables,
        shown=levels if shown is None else shown, level=LEVEL, evident=evident,
    )  # fmt: skip
    return Explained(rows, tuple(by_name.values()), problems, tables, batches)


def class_table(one: Annotation, labels: Labels) -> dict[str, tuple[int, ...]]:
    """Return for every level of a column how many items each cluster has of it."""
    known = one.known
    counts = np.zeros((len(one.levels), int(labels.max()) + 1), dtype=np.int64)
    np.add.at(counts, (one.codes[known], labels[known]), 1)
    return {
        level: tuple(row.tolist())
        for level, row in zip(one.levels, counts, strict=True)
    }


def _association(one: Annotation, labels: Labels) -> float:
    known = one.known
    if one.numeric:
        return eta_squared(one.values[known], labels[known])
    return adjusted_information(contingency(one.codes[known], labels[known]))


def _shuffled(
    pairs: Sequence[tuple[Annotation, int]],
    levels: Mapping[int, Labels],
    streams: Streams,
    shuffles: int,
) -> tuple[Floats, Floats]:
    """Return the statistics of all columns and levels, and those of shuffled items.

    Of more than MOST items evenly spaced ones are shuffled.
    """
    every = len(next(iter(levels.values())))
    rows = np.linspace(0, every, min(every, MOST), endpoint=False).astype(np.intp)
    n = len(rows)
    rng = streams("annotations")
    statistics = [
        against_shuffles(
            None if one.numeric else one.codes[rows],
            one.values[rows] if one.numeric else None,
            levels[k][rows],
        )
        for one, k in pairs
    ]
    itself = np.arange(n)[None]
    observed = np.array([float(of(itself)[0]) for of in statistics])
    drawn = np.empty((len(pairs), shuffles))
    cells = max(len(one.levels) * k for one, k in pairs)
    step = max(1, AT_ONCE // max(n, cells))
    for start in range(0, shuffles, step):
        stop = min(start + step, shuffles)
        orders = rng.permuted(np.tile(np.arange(n), (stop - start, 1)), axis=1)
        for i, of in enumerate(statistics):
            drawn[i, start:stop] = of(orders)
    return observed, drawn
