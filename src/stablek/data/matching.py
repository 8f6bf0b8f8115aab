"""The columns of one table in the order of another, matched by name."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError, advice

Floats = NDArray[np.float64]


def match_columns(
    values: NDArray[Any], columns: Sequence[str], wanted: Sequence[str], fill: Floats
) -> tuple[Floats, tuple[str, ...]]:
    """Return the columns that are wanted, matched by name, and notes.

    Columns that are lacking take the value in ``fill`` (the mean of the first data), so
    that they tell nothing; if more than half are lacking it is refused. Without names
    the number of columns must be the same.
    """
    given = np.asarray(values, dtype=np.float64)
    if not columns or not wanted:
        if given.shape[1] != len(fill):
            raise InputError(
                f"the new data have {given.shape[1]} columns, the first had "
                f"{len(fill)}, and there are no names to match them by; give the "
                "columns names, or the same columns in the same order"
            )
        return given, ()
    if tuple(columns) == tuple(wanted):
        return given, ()
    refuse_repeated(columns, wanted)
    place = {name: j for j, name in enumerate(columns)}
    lacking = [name for name in wanted if name not in place]
    if 2 * len(lacking) > len(wanted):
        raise InputError(
            f"the new data lack {len(lacking):,} of the {len(wanted):,} columns that "
            f"the clusters were found in ({_some(lacking)}); are these the same kind "
            "of columns, with one item per row"
            f"{advice(' (--transpose if not)', '')}?"
        )
    made = np.tile(np.asarray(fill, dtype=np.float64), (len(given), 1))
    here = [j for j, name in enumerate(wanted) if name in place]
    made[:, here] = given[:, [place[wanted[j]] for j in here]]
    notes = []
    if lacking:
        notes.append(
            f"{len(lacking):,} of {len(wanted):,} columns are missing "
            f"({_some(lacking)}): the mean of the first data is used instead"
        )
    extra = len(set(columns) - set(wanted))
    if extra:
        what = "1 column" if extra == 1 else f"{extra:,} columns"
        notes.append(f"{what} that the first data do not have: left out")
    return made, tuple(notes)


def refuse_repeated(columns: Sequence[str], wanted: Sequence[str]) -> None:
    """Refuse names that stand for several columns: any of them might be meant."""
    for names, where in ((columns, "new"), (wanted, "first")):
        counts = Counter(names)
        repeated = [name for name in wanted if counts[name] > 1]
        if repeated:
            raise InputError(
                f"the {where} data have several columns called {_some(repeated[:1])}; "
                "give every column a different name"
            )


def _some(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names[:3]) + (" ..." * (len(names) > 3))
