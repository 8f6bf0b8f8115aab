"""Which data did the thesis cluster? Its similarity tables tell, to six digits.

A printed Adjusted Rand index belongs to one partition. If ours, of the same file
prepared in some way, at the k the thesis printed, has the same six digits, the values
are the thesis's values; if another preparation matches nothing, they are not. So each
distinct printed index of a data set and an algorithm is a fingerprint, and a
preparation is judged by how many of them it matches. An index that is printed for the
Euclidean distances must be that of our Euclidean cut. The consensus matrix is random;
theirs is one draw, and a fingerprint is matched if one of a few seeds of ours gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from stablek.data import Dataset
from stablek_bench.grid import HIERARCHICAL, TABLES, Recipe
from stablek_bench.preparations import OF_ALL_GENES, PREPARATIONS, named
from stablek_bench.reference import printed, real
from stablek_bench.similarity import CUT_AT, indices_at, printed_ks
from stablek_bench.sources import Loaded, Source

#: Seeds whose consensus matrices are cut.
SEEDS = range(5)
#: A printed index is matched if ours differs by no more, or by less than one unit of
#: its last digit (the thesis cuts digits off as often as it rounds).
CLOSE = 1e-6


@dataclass(frozen=True)
class Fingerprint:
    """A printed index: by what algorithm, in which tables, cut at which ks."""

    dataset: str
    row: str
    value: str
    tables: tuple[str, ...]

    @property
    def tolerance(self) -> float:
        """How far ours may be from it."""
        digits, _, power = self.value.partition("e")
        unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
        return max(CLOSE, 1.001 * unit)

    @property
    def deciding(self) -> tuple[str, ...]:
        """The tables that count: those of Euclidean cuts, which draw nothing, if any.

        A consensus matrix of another preparation may give the same index by chance.
        """
        rows = {table: TABLES[table].rows[self.row] for table in self.tables}
        exact = tuple(t for t, row in rows.items() if row.what == "euclidean-cut")
        return exact or self.tables


@dataclass(frozen=True)
class Match:
    """Which fingerprints a preparation matches, and of how many."""

    matched: tuple[Fingerprint, ...]
    of: int


def fingerprints(dataset: str) -> list[Fingerprint]:
    """Return the distinct printed indices of a data set, per algorithm.

    Examples
    --------
    >>> [(one.row, one.value) for one in fingerprints("Novartis")][:2]
    [('Hier-A', '0.641611'), ('Hier-A', '0.544647')]
    """
    found: dict[tuple[str, str], list[str]] = {}
    for table in CUT_AT:
        for row in HIERARCHICAL:
            value = printed().get((table, row, dataset))
            if value is not None:
                found.setdefault((row, value), []).append(table)
    places = sorted(found, key=lambda key: HIERARCHICAL.index(key[0]))
    return [
        Fingerprint(dataset, *place, tables=tuple(found[place])) for place in places
    ]


def candidates(source: Source) -> tuple[str, ...]:
    """Return the preparations of a source that are tried, its own among them."""
    if source.file is None:
        return ()
    return tuple(OF_ALL_GENES if source.preparation in OF_ALL_GENES else PREPARATIONS)


def match(loaded: Loaded, preparation: str) -> Match | None:
    """Return which fingerprints a preparation matches; None without gold classes."""
    source = loaded.source
    if source.file is None or not loaded.labels_are_gold:
        return None
    wanted = fingerprints(source.name)
    data = named(preparation)(loaded.raw)
    hit: tuple[Fingerprint, ...] = ()
    # Of values that are logs already, log10 leaves nothing: all items are equal.
    if not (data.values == data.values[:1]).all():
        indices = _Indices(data, loaded.classes)
        hit = tuple(one for one in wanted if indices.give(one))
    return Match(hit, len(wanted))


class _Indices:
    """The indices of one data set's cuts, each computed once."""

    def __init__(self, data: Dataset, classes: tuple[str, ...]) -> None:
        self.at = cache(partial(_at, data, classes))

    def give(self, one: Fingerprint) -> bool:
        """Tell whether a cut at a printed k has the printed index."""
        wanted = real(one.value)
        return wanted is not None and any(
            abs(value - wanted) <= one.tolerance
            for table in one.deciding
            for value in self._values(table, one.row, one.dataset)
        )

    def _values(self, table: str, row: str, dataset: str) -> Iterator[float]:
        recipe = TABLES[table].rows[row]
        ks = printed_ks(table, row, dataset)
        for seed in SEEDS if recipe.what == "consensus-cut" else SEEDS[:1]:
            yield from self.at(recipe, ks, seed).values()


def _at(
    data: Dataset,
    classes: tuple[str, ...],
    recipe: Recipe,
    ks: tuple[int, ...],
    seed: int,
) -> dict[int, float]:
    return indices_at(recipe, data, classes, ks, seed)
