"""The columns of a DataFrame, of pandas or another library: numbers, or refused."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError

#: Names of types (in lower case) that are no numbers, though codes or days may be.
NO_NUMBERS = ("categor", "enum", "date", "time", "duration", "period", "interval")


def is_frame(values: Any) -> bool:
    """Tell whether something is a table with names of columns."""
    return hasattr(values, "to_numpy") and hasattr(values, "columns")


def refuse_text(frame: Any) -> None:
    """Refuse columns of text, categories or dates: their codes are no measurements.

    Numbers that are kept as objects are accepted.
    """
    bad = text_columns(frame)
    if not bad:
        return
    shown = ", ".join(f"{name!r} ({kind})" for name, kind in bad[:5])
    more = f" and {len(bad) - 5} more" if len(bad) > 5 else ""
    names = [name for name, _ in bad[:5]]
    listed = f"{names!r}"[:-1] + (", ...]" if more else "]")
    what = "a column that is" if len(bad) == 1 else f"{len(bad)} columns that are"
    raise InputError(
        f"X has {what} not numeric: {shown}{more}. Leave out what is no measurement, "
        f"with X.drop(columns={listed}); `stablek.verdict` takes classes as labels= "
        "and other facts as annotations="
    )


def without_unknown_text(
    frame: Any, known: Collection[str]
) -> tuple[Any, tuple[str, ...]]:
    """Return new items without the columns of text that are not known, and a note.

    Where nothing is known, the table stays as it is.
    """
    text = [name for name, _ in text_columns(frame) if str(name) not in known]
    if not known or not text:
        return frame, ()
    kept = [name not in text for name in frame.columns]
    if hasattr(frame, "loc"):
        made = frame.loc[:, kept]
    else:
        made = frame[[n for n, k in zip(frame.columns, kept, strict=True) if k]]
    shown = ", ".join(map(repr, text[:3])) + (" ..." if len(text) > 3 else "")
    columns = f"column{'s' * (len(text) > 1)} {shown}"
    note = f"left out: {columns} (text), which the clusters were not made from"
    return made, (note,)


def text_columns(frame: Any) -> list[tuple[Any, str]]:
    """Return the columns that are not numbers, each with its type or an example.

    Examples
    --------
    >>> import pandas as pd
    >>> text_columns(pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": [True, False]}))
    [('b', "'x' in row 0")]
    """
    found = []
    for place, (name, kind) in enumerate(column_types(frame)):
        low = kind.lower()
        if any(word in low for word in NO_NUMBERS):
            found.append((name, kind.partition("(")[0]))
        elif low.startswith(("object", "str", "utf8")):
            column = frame.iloc[:, place] if hasattr(frame, "iloc") else frame[name]
            if example := first_text(column):
                found.append((name, example))
    return found


def column_types(frame: Any) -> list[tuple[Any, str]]:
    """Return the names of the columns with their types, as far as the table tells."""
    types = getattr(frame, "dtypes", None)
    if types is None or len(types) != len(frame.columns):
        return []
    # Iterating a Series of pandas gives its values, as a list of polars does.
    return [(n, str(kind)) for n, kind in zip(frame.columns, types, strict=True)]


def first_text(column: Any) -> str:
    """Return the first value that is no number, and its row; nothing if all are."""
    values, names = column.to_numpy(), getattr(column, "index", None)
    try:
        values.astype(np.float64)
    except (TypeError, ValueError):
        pass  # then the first one is looked for
    else:
        return ""
    for row, value in enumerate(values):
        # NaN stays what it is, and is refused with its place; so are pd.NA and None.
        if value is None or str(value) == "<NA>":
            continue
        try:
            float(value)
        except (TypeError, ValueError):
            place = row if names is None else names[row]
            return f"{value!r} in row {place}"
    return ""


def numbers(frame: Any) -> NDArray[Any]:
    """Return the values of a table without text; what is not there becomes NaN."""
    array: NDArray[Any] = np.asarray(frame.to_numpy())
    if array.dtype != object:
        return array
    gone = np.array([[v is None or str(v) == "<NA>" for v in row] for row in array])
    if gone.any():
        array = np.where(gone.reshape(array.shape), np.nan, array)
    return array


def truth_note(frame: Any) -> tuple[str, ...]:
    """Return a note on columns of truth values, which are taken as 1 and 0.

    Examples
    --------
    >>> import pandas as pd
    >>> truth_note(pd.DataFrame({"a": [1, 2], "sick": [True, False]}))
    ("column 'sick' holds True and False: taken as 1 and 0",)
    """
    names = [n for n, kind in column_types(frame) if kind.lower().startswith("bool")]
    if not names:
        return ()
    shown = ", ".join(map(repr, names[:3])) + (" ..." if len(names) > 3 else "")
    one = len(names) == 1
    what = f"column {shown} holds" if one else f"{len(names)} columns ({shown}) hold"
    return (f"{what} True and False: taken as 1 and 0",)
