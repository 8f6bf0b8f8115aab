"""Missing and infinite values: refused, unless the user names what to do."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.io.readers.layout import field_named
from stablek.io.readers.table import POLICIES, Options, Table, counted, listed, shown


def without_missing(table: Table, policy: str | None, label: str) -> Table:
    """Return the table without missing values, according to the policy.

    Missing are NaN and infinities, the overflow of "1e400" included. ``drop-rows`` and
    ``drop-columns`` leave out what has any; ``mean`` puts the mean of the column's
    other values, ``row-mean`` the mean of the row's, as the thesis does for Yeast
    (section 4.2).
    """
    bad: NDArray[np.bool_] = ~np.isfinite(table.values)
    if not bad.any():
        return table
    if policy is None:
        raise refusal(table, bad, label)
    notes = [*table.notes]
    missing = f"{counted(int(bad.sum()), 'missing value')}: "
    if policy == "drop-rows":
        keep = np.asarray(~bad.any(axis=1))
        gone = [table.row_name(int(i)) for i in np.flatnonzero(~keep)]
        notes.append(f"{missing}{dropped(gone, 'row')}")
        return replace(kept_rows(table, keep), notes=notes)
    if policy == "drop-columns":
        keep = np.asarray(~bad.any(axis=0))
        gone = [table.column_name(int(j)) for j in np.flatnonzero(~keep)]
        if not keep.any():
            raise InputError(
                f"{label}: every column has a missing value, so drop-columns leaves "
                "nothing; use --missing drop-rows, mean or row-mean"
            )
        notes.append(f"{missing}{dropped(gone, 'column')}")
        return replace(kept_columns(table, keep), notes=notes)
    values = filled(table, bad, axis=1 if policy == "row-mean" else 0, label=label)
    which = "row" if policy == "row-mean" else "column"
    notes.append(f"{missing}set to the mean of their {which}")
    return replace(table, values=values, notes=notes)


def without_unknown_gaps(table: Table, options: Options) -> Table:
    """Return the table without columns that lack values and that nobody needs.

    That is, if the known columns are given, and no policy for missing values.
    """
    turned = options.transpose
    names = table.ids if turned else table.columns
    if not options.known or options.missing is not None or not names:
        return table
    gaps = (~np.isfinite(table.values)).any(axis=1 if turned else 0)
    unknown = np.array([name not in options.known for name in names])
    keep = ~(gaps & unknown)
    if keep.all():
        return table
    left = [name for name, here in zip(names, keep, strict=True) if not here]
    made = kept_rows(table, keep) if turned else kept_columns(table, keep)
    return replace(made, notes=[*table.notes, left_out_note(left, "missing values")])


def left_out_note(names: list[str], what: str) -> str:
    """Return the note on columns that the clusters were not made from.

    Examples
    --------
    >>> left_out_note(["species"], "text")
    "left out: column 'species' (text), which the clusters were not made from"
    """
    columns = f"column{'s' * (len(names) > 1)} {listed(names)}"
    return f"left out: {columns} ({what}), which the clusters were not made from"


def dropped(names: list[str], noun: str) -> str:
    """Return how many rows or columns were dropped, and the first of them."""
    first = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return f"{counted(len(names), noun)} dropped ({first})"


def filled(
    table: Table, bad: NDArray[np.bool_], *, axis: int, label: str
) -> NDArray[np.float64]:
    """Return the values with the missing ones set to a mean along the axis."""
    empty = np.flatnonzero(bad.all(axis=axis))
    if empty.size:
        first = int(empty[0])
        name = table.row_name(first) if axis == 1 else table.column_name(first)
        other = "drop-rows" if axis == 1 else "drop-columns"
        raise InputError(
            f"{label}: {name} has no value at all, so it has no mean; drop it, or use "
            f"--missing {other}"
        )
    values = np.where(bad, 0.0, table.values)
    means = values.sum(axis=axis) / (~bad).sum(axis=axis)
    rows, columns = np.nonzero(bad)
    values[rows, columns] = means[rows if axis == 1 else columns]
    return values


def refusal(table: Table, bad: NDArray[np.bool_], label: str) -> InputError:
    """Return the error that counts the missing values and names the first."""
    infinite = int(np.isinf(table.values).sum())
    absent = int(bad.sum()) - infinite
    parts = [counted(absent, "missing value")] if absent else []
    if infinite:
        parts.append(f"{infinite:,} infinite")
    rows = int(bad.any(axis=1).sum())
    row, column = (int(i) for i in np.argwhere(bad)[0])
    all_gone = np.flatnonzero(bad.all(axis=0))
    hint = ""
    if all_gone.size and all_gone.size < bad.shape[1]:
        names = [
            table.columns[int(j)] if table.columns else str(j + 1) for j in all_gone
        ]
        hint = f" ({listed(names)} without any value: --drop)"
    return InputError(
        f"{label}: {' and '.join(parts)} in {rows:,} of "
        f"{counted(table.values.shape[0], 'row')}; first: {table.row_name(row)}, "
        f"{table.column_name(column)}{hint}. Use --missing {' / '.join(POLICIES)}"
    )


def kept_rows(table: Table, keep: NDArray[np.bool_]) -> Table:
    """Return the table with some rows only."""
    places = np.flatnonzero(keep)
    line = table.line
    return replace(
        table,
        values=table.values[keep],
        ids=chosen(table.ids, keep) or (),
        classes=chosen(table.classes, keep),
        line=None if line is None else lambda row: line(int(places[row])),
    )


def kept_columns(table: Table, keep: NDArray[np.bool_]) -> Table:
    """Return the table with some columns only."""
    return replace(
        table,
        values=table.values[:, keep],
        columns=chosen(table.columns, keep) or (),
        column_classes=chosen(table.column_classes, keep),
    )


def chosen(
    names: tuple[str, ...] | None, keep: NDArray[np.bool_]
) -> tuple[str, ...] | None:
    """Return the names where ``keep`` is true."""
    if not names:
        return names
    return tuple(n for n, k in zip(names, keep.tolist(), strict=True) if k)


def without_columns(table: Table, drop: tuple[str, ...], label: str) -> Table:
    """Return the table without the columns of these names."""
    if not drop:
        return table
    for name in drop:
        if name not in table.columns:
            raise InputError(f"{label} has no column {shown(name)} to drop")
    return kept_columns(table, np.array([c not in drop for c in table.columns]))


def numeric_labels(table: Table, options: Options, label: str) -> Table:
    """Return the table with a column of numbers taken out as labels.

    For formats that hold numbers only: the column is named, or numbered from 1.
    """
    asked = options.labels
    if asked is None or options.labels_file is not None:
        return table
    if options.transpose:
        raise InputError(f"{label}: with --transpose give the labels by --labels-file")
    place = field_named(
        asked, table.columns, table.values.shape[1], "label column", label
    )
    keep = np.arange(table.values.shape[1]) != place
    classes = tuple(
        str(int(value)) if value.is_integer() else repr(value)
        for value in table.values[:, place].tolist()
    )
    return replace(kept_columns(table, keep), classes=classes)


#: Numbers that stand for a missing value in many tables.
CODES = (-9.0, -99.0, -999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0)


def code_notes(table: Table) -> list[str]:
    """Return a doubt where a number may be a code for a missing value.

    It is the only negative number of its column, or ten times as large as all others.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[1.0, -5], [-999, 2], [3, -9]])
    >>> code_notes(Table(values, columns=("a", "b")))
    ["warning: -999 (1 cell of column 'a') is the only negative number there: if it \
means missing, leave such cells empty"]
    """
    values = table.values
    lowest, highest = values.min(axis=0), values.max(axis=0)
    notes = []
    for code in CODES:
        cells, columns = 0, []
        for j in np.flatnonzero((lowest if code < 0 else highest) == code):
            others = values[values[:, j] != code, j]
            far = others >= 0 if code < 0 else np.abs(others) <= code / 10
            if len(others) and far.all():
                cells += len(values) - len(others)
                columns.append(table.columns[j] if table.columns else str(j + 1))
        if columns:
            of = "column" if len(columns) == 1 else "columns"
            why = "the only negative number" if code < 0 else "far above all others"
            notes.append(
                f"warning: {code:g} ({counted(cells, 'cell')} of {of} "
                f"{listed(columns)}) is {why} there: if it means missing, leave such "
                "cells empty"
            )
    return notes
