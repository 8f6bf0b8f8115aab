"""What else is known of the items: batch, plate, sex, stage, dose ...

Annotations never influence a run, unless one is removed from the values
(:mod:`stablek.data.adjustment`). A column is numeric or categorical; items may lack it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError, advice, unknown_name

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: What stands for "not known" in a table.
MISSING = ("", "na", "n/a", "nan", "none", "null", "?", "-", "unknown", "missing")
#: Whole numbers of at most so many different values are taken as names.
FEW = 10

#: Names of columns that describe how an item was measured, not what it is.
BATCH = re.compile(
    r"(?:^|[^a-z])(?:batch|plate|chip|array|run|lane|slide|flow ?cell|date|site"
    r"|cent(?:er|re)|lab|laboratory|operator|technician|platform|library|lib|kit"
    r"|machine|scanner|instrument|cohort|study|dataset|protocol|reagent|lot|pool"
    r"|sequencer|rin|sequencing depth|library size|total counts|n counts|umis?|n umi"
    r"|n genes|n features|pct mt|pct counts mt|percent mt|scan|hyb|extraction"
    r"|processing|wave|rack|channel)(?:$|[^a-z])"
)
#: Words that make a "site" a place in the body.
BODY = re.compile(r"tumou?r|primary|disease|metasta|biopsy|anatom|tissue|birth|death")


@dataclass(frozen=True, eq=False)
class Annotation:
    """One column of annotations, with a place for every item.

    Parameters
    ----------
    name
        Of the column.
    numeric
        Whether it holds numbers that mean an amount.
    values
        Shape (n,), for a numeric column: NaN where an item lacks it.
    codes, levels
        For a categorical column: places in ``levels``, -1 where an item lacks it.
    """

    name: str
    numeric: bool
    values: Floats
    codes: Codes
    levels: tuple[str, ...] = ()

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which items have it."""
        return np.isfinite(self.values) if self.numeric else self.codes >= 0

    @property
    def batch_like(self) -> bool:
        """Whether the name is one that people give to how an item was measured."""
        return is_batch_name(self.name)

    def of(self, rows: NDArray[np.intp]) -> Annotation:
        """Return the column for some of the items."""
        return replace(self, values=self.values[rows], codes=self.codes[rows])

    def problem(self) -> str:
        """Return why nothing can be said of the column; "" if something can."""
        count = int(self.known.sum())
        if count < 3:
            return f"'{self.name}' is known for {count} items only: it was left out"
        distinct = self.distinct
        if distinct == 1:
            return f"'{self.name}' is the same for all items, so it was left out"
        if self.numeric:
            whole = self.values[self.known]
            if distinct == count and _counts_up(whole):
                return f"'{self.name}' numbers the items (an id?): it was left out"
            return ""
        if distinct == count:
            return (
                f"'{self.name}' is different for every item (an id?): it was left out"
            )
        if distinct > count / 2:
            return (
                f"'{self.name}' has {distinct:,} levels for {count:,} items: too many "
                "to explain anything, so it was left out"
            )
        return ""

    @property
    def distinct(self) -> int:
        """How many different entries there are."""
        return len(np.unique((self.values if self.numeric else self.codes)[self.known]))


def is_batch_name(name: str) -> bool:
    """Tell whether a name is one that people give to how an item was measured.

    Examples
    --------
    >>> is_batch_name("Plate_ID"), is_batch_name("processingDate"), is_batch_name("sex")
    (True, True, False)
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = re.sub(r"[\W_\d]+", " ", spaced).lower().strip()
    return BATCH.search(words) is not None and BODY.search(words) is None


def annotation(name: str, entries: Sequence[Any]) -> Annotation:
    """Return a column of annotations from the cells of a table.

    Numbers are an amount unless they are few different whole ones (codes such as plate
    1, 2, 3), are names according to the name of the column, or are mixed with text.
    ``None``, NaN, "" and "NA" mean that an item lacks it.

    Examples
    --------
    >>> annotation("age", ["51.5", "60", "NA", "47"]).numeric
    True
    >>> annotation("plate", ["1", "2", "1", "2"]).levels
    ('1', '2')
    """
    texts = ["" if entry is None else str(entry).strip() for entry in entries]
    texts = ["" if text.lower() in MISSING else text for text in texts]
    numbers = _numbers(texts)
    none = np.full(len(texts), -1, dtype=np.int64)
    if numbers is not None and not _are_codes(name, numbers):
        return Annotation(name, numeric=True, values=numbers, codes=none)
    levels = sorted({text for text in texts if text}, key=_natural)
    place = {level: i for i, level in enumerate(levels)}
    codes = np.array([place.get(text, -1) for text in texts], dtype=np.int64)
    blank = np.full(len(texts), np.nan)
    return Annotation(
        name, numeric=False, values=blank, codes=codes, levels=tuple(levels)
    )


def as_annotations(source: Any, n: int) -> tuple[Annotation, ...]:
    """Return columns of annotations from a DataFrame or a mapping, one row per item."""
    if source is None:
        return ()
    if isinstance(source, (tuple, list)) and all(
        isinstance(one, Annotation) for one in source
    ):
        made = tuple(source)
    elif hasattr(source, "columns") or isinstance(source, Mapping):
        made = tuple(
            annotation(str(name), list(source[name]))
            for name in (source.columns if hasattr(source, "columns") else source)
        )
    else:
        raise InputError(
            f"annotations are a {type(source).__name__}; pass a DataFrame or a mapping "
            "from names to columns, with one entry per item"
        )
    for one in made:
        if len(one.codes) != n:
            raise InputError(
                f"annotation '{one.name}' has {len(one.codes)} entries for {n} items; "
                "give one per item"
            )
    return made


def without_clustered(
    columns: Sequence[Annotation],
    names: Sequence[str],
    values: NDArray[np.floating[Any]],
) -> tuple[Annotation, ...]:
    """Return annotations without those that were clustered, which explain nothing.

    These have the name and the values of a column of the table, whose columns have
    these ``names``.

    Examples
    --------
    >>> both = as_annotations({"x": [1.5, 2.5, 3.5], "age": [8.5, 9.5, 7.5]}, 3)
    >>> table = np.array([[1.5, 0.0], [2.5, 0.0], [3.5, 0.0]])
    >>> [one.name for one in without_clustered(both, ["x", "age"], table)]
    ['age']
    """
    place = {name: j for j, name in enumerate(names)}
    return tuple(
        one
        for one in columns
        if one.name not in place or not _equal(one, values[:, place[one.name]])
    )


def _equal(one: Annotation, column: NDArray[np.floating[Any]]) -> bool:
    """Tell whether an annotation has the values of a column, where it is known."""
    known = one.known
    theirs = one.values if one.numeric else _numbers(one.levels)
    if theirs is None or not known.any():
        return False
    mine = theirs[known] if one.numeric else theirs[one.codes[known]]
    return bool(np.allclose(mine, column[known], rtol=1e-6, atol=0.0))


def named(columns: Sequence[Annotation], name: str) -> Annotation:
    """Return the column of this name, or say which there are."""
    for one in columns:
        if one.name == name:
            return one
    if not columns:
        give = advice("--annotations FILE", "annotations={...}")
        raise InputError(f"there are no annotations, so no column '{name}': use {give}")
    raise unknown_name("annotation", name, [one.name for one in columns])


def _numbers(texts: Sequence[str]) -> Floats | None:
    """Return the numbers of a column; None if an entry is none."""
    numbers = np.full(len(texts), np.nan)
    for place, text in enumerate(texts):
        if not text:
            continue
        try:
            numbers[place] = float(text)
        except ValueError:
            return None
        if not math.isfinite(numbers[place]):
            return None
    return numbers if np.isfinite(numbers).any() else None


def _are_codes(name: str, numbers: Floats) -> bool:
    """Tell whether numbers stand for names: few whole ones, or those of a plate."""
    known = numbers[np.isfinite(numbers)]
    distinct = len(np.unique(known))
    if not (known == np.round(known)).all() or distinct == len(known):
        return False
    return distinct <= FEW or (is_batch_name(name) and distinct <= len(known) / 3)


def _counts_up(values: Floats) -> bool:
    """Tell whether numbers are consecutive whole ones, in any order."""
    whole = bool((values == np.round(values)).all())
    return whole and float(values.max() - values.min()) == len(values) - 1


def _natural(text: str) -> tuple[Any, ...]:
    """Return a key that sorts "2" before "10"."""
    parts = re.split(r"(\d+)", text)
    return tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in parts if p)
