"""From a table as read to a data set: the steps that all formats share."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from stablek.data import Dataset, Matrix, from_arrays
from stablek.data.checks import mean_of_halves, symmetrize
from stablek.data.preparation import drop_constant_columns
from stablek.errors import InputError
from stablek.io.readers.labels import CLASS_NAMES, with_labels
from stablek.io.readers.missing import code_notes, without_missing, without_unknown_gaps
from stablek.io.readers.names import damage_notes, summary_notes, unique_ids
from stablek.io.readers.orientation import columns_advice, orientation
from stablek.io.readers.source import Source
from stablek.io.readers.table import Options, Table, counted, shown

#: What people call a column of ids; a number there is a name and no measurement.
ITEM_ID = re.compile(
    r"(?i:ids?|.*[ _.-]id|unnamed: 0|samples?|subjects?|patients?|barcodes?"
    r"|row[ _.]?(?:id|names?|numbers?)|index|__index_level_\d+__)|.*[a-z]I[Dd]"
)


def table_to_dataset(table: Table, options: Options, source: Source) -> Dataset:
    """Return the data set: turned, complete, with unique ids and its labels.

    Nothing is transposed without the flag. Columns that never vary are left out with
    a note, but not if they should be kept, not from a matrix of distances, and not if
    no other is left: all rows equal is an answer, not an error.
    """
    table = without_unknown_gaps(table, options)
    if options.missing is None:
        table = without_missing(table, None, source.label)
    if options.transpose:
        table = transposed(table)
    table = without_missing(table, options.missing, source.label)
    table = unique_ids(table, source.label, number=options.number_ids)
    table = with_labels(table, options, source.budget)
    if options.similarity:
        table = distances_from_similarities(table, source.label)
    elif options.precomputed:
        table = evened(table, symmetrize)
    n, m = table.values.shape
    if n < options.fewest:
        raise InputError(
            f"{source.label} has {counted(n, 'row')} of data: at least 3 items are "
            f"needed to look for groups{'' if m < 3 else columns_advice(options)}"
        )
    notes = [*table.notes, *orientation(table, options, source.suffix)]
    notes += damage_notes(table.ids, "id") + damage_notes(table.columns, "column name")
    notes += summary_notes(table.ids)
    notes += label_notes(table, options.known)
    if not options.precomputed:
        notes += code_notes(table)
        notes += distance_notes(table)
        # Turned, the columns are what the rows were called.
        notes += [] if options.transpose or options.known else id_notes(table)
    data = from_arrays(
        table.values,
        ids=table.ids,
        columns=table.columns,
        classes=table.classes,
        name=source.name,
        precomputed=options.precomputed,
        notes=tuple(notes),
        fewest=options.fewest,
    )
    whole = options.precomputed or options.keep_constant
    return data if whole else drop_constant_columns(data)


def transposed(table: Table) -> Table:
    """Return the table with rows and columns exchanged."""
    return replace(
        table,
        values=np.ascontiguousarray(table.values.T),
        ids=table.columns,
        columns=table.ids,
        classes=table.column_classes,
        column_classes=table.classes,
        line=None,
    )


def distance_notes(table: Table) -> list[str]:
    """Return a hint where a table looks like the distances of its items."""
    values = table.values
    if values.shape[0] != values.shape[1] or not np.array_equal(values, values.T):
        return []
    if np.diag(values).any():
        return []
    return [
        "square and symmetric, with zeros on the diagonal: if these are distances, use "
        "--metric precomputed"
    ]


def label_notes(table: Table, known: Sequence[str] = ()) -> list[str]:
    """Return a hint where a column of numbers is named like labels, or labels lack."""
    notes = [
        f"column {shown(name)} is used as data; if it holds labels: --labels {name}"
        for name in table.columns
        if name.lower() in CLASS_NAMES and (not known or name in known)
    ]
    empty = sum(not label for label in table.classes or ())
    if empty:
        notes.append(f"warning: {counted(empty, 'item')} with an empty label")
    return notes


def id_notes(table: Table) -> list[str]:
    """Return a hint where a column of numbers is named like ids.

    Examples
    --------
    >>> import numpy as np
    >>> id_notes(Table(np.ones((3, 2)), columns=("patient_id", "covid")))
    ["column 'patient_id' is used as data; if it holds ids: --id-column patient_id"]
    """
    named = [name for name in table.columns if ITEM_ID.fullmatch(name.strip())]
    how = "--drop" if table.ids else "--id-column"
    notes = [
        f"column {shown(name)} is used as data; if it holds ids: {how} {name}"
        for name in named
    ]
    first = table.columns[0] if table.columns else "1"
    if not table.ids and first not in named and counts_items(table.values[:, 0]):
        notes.append(
            f"warning: column {shown(first)} counts the rows and is used as data; if "
            f"it holds ids: --id-column {first}"
        )
    return notes


def counts_items(values: Matrix) -> bool:
    """Tell whether values are 0, 1, 2 ... or 1, 2, 3 ..., in this order."""
    start = values[0]
    return start in (0, 1) and np.array_equal(values, np.arange(len(values)) + start)


def evened(table: Table, made_even: Callable[[Matrix], Matrix]) -> Table:
    """Return a square matrix without what rounding has left in it, and a note of it."""
    values = table.values
    if values.shape[0] != values.shape[1]:
        return table
    made = made_even(values)
    if np.array_equal(made, values):
        return table
    note = "the matrix was not exactly symmetric, by rounding: it was symmetrised"
    return replace(table, values=made, notes=[*table.notes, note])


def distances_from_similarities(table: Table, label: str) -> Table:
    """Return the distances d = s_max - s of a matrix of similarities.

    The diagonal must hold the largest similarity, the same for every item, as that of
    a correlation matrix does; the distance of an item to itself is then zero.
    """
    table = evened(table, mean_of_halves)
    values = table.values
    if values.shape[0] != values.shape[1]:
        raise InputError(f"{label}: similarities must be square, not {values.shape}")
    top = float(values.max())
    if not np.allclose(np.diag(values), top, rtol=1e-8, atol=0.0):
        row = int(np.argmin(np.diag(values)))
        raise InputError(
            f"{label}: a similarity matrix has its largest value, {top:g}, all along "
            f"the diagonal; at item {row + 1} it is {values[row, row]:g}"
        )
    distances = top - values
    np.fill_diagonal(distances, 0.0)
    note = f"similarities turned into distances: {top:g} - s"
    return replace(table, values=distances, notes=[*table.notes, note])
