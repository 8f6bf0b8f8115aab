"""Read Parquet, column by column; Feather and Arrow streams are not read."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError, TextColumnError
from stablek.io.readers.arrays import long_integers
from stablek.io.readers.cells import text_remedy
from stablek.io.readers.id_column import ID_NAME, SURE_NAME, numbers_are_ids
from stablek.io.readers.layout import field_named
from stablek.io.readers.source import Source
from stablek.io.readers.table import Options, Table, extra, listed, shown
from stablek.machine.memory import afford

#: What pandas calls an index without a name.
INDEX_NAME = re.compile(r"__index_level_\d+__")


@dataclass(frozen=True)
class Roles:
    """Which column is what: ids, labels, the numbers; and what is left out unasked."""

    ids: int | None
    labels: int | None
    kept: tuple[int, ...]
    left_out: tuple[str, ...] = ()


def read_parquet(source: Source, options: Options) -> Table:
    """Return the table in a Parquet file.

    The items are named by the index that pandas stored, or else by the first column
    if it is text or named so.
    """
    pq = extra("pyarrow.parquet", "tables")
    with refusing_damage(source.label), source.seekable() as stream:
        file = pq.ParquetFile(stream)
        schema = file.schema_arrow
        rows = int(file.metadata.num_rows)
        afford(source.label, (rows, max(1, len(schema))), source.budget)
        size = sum(
            file.metadata.row_group(i).total_byte_size
            for i in range(file.metadata.num_row_groups)
        )
        afford(f"{source.label}, decompressed,", (size,), 4 * source.budget, 1)
        roles = roles_of(file, options, source.label)
        return assembled(file, schema, roles, rows, source)


@contextmanager
def refusing_damage(label: str) -> Iterator[None]:
    """Refuse a damaged file, whatever pyarrow makes of it."""
    pa = extra("pyarrow", "tables")
    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError) as error:
        reason = str(error).partition("\n")[0][:120]
        raise InputError(
            f"{label} is not a valid Parquet file ({reason}): is it complete?"
        ) from None


def roles_of(file: Any, options: Options, label: str) -> Roles:
    """Return which columns hold ids, labels and numbers; refuse stray text."""
    schema = file.schema_arrow
    names = tuple(schema.names)
    ids = id_column(file, options, label)
    labels = None
    if options.labels and not options.labels_file and not options.transpose:
        labels = field_named(options.labels, names, len(names), "label column", label)
    elif options.labels and not options.labels_file:
        raise InputError(f"{label}: with --transpose give the labels by --labels-file")
    # An index says which item a row is: no feature, whatever else names the items.
    index = stored_index(schema)
    out = {ids, labels, *index}
    for name in options.drop:
        out.add(field_named(name, names, len(names), "column to drop", label))
    kept = tuple(j for j in range(len(names)) if j not in out)
    text = [j for j in kept if not is_numeric(schema.field(j).type)]
    if text:
        j, columns = text[0], [names[j] for j in text]
        raise TextColumnError(
            f"{label}: column {shown(names[j])} is not numeric but "
            f"{schema.field(j).type}. {text_remedy(columns)}",
            tuple(columns),
        )
    if not kept:
        raise InputError(f"{label} has no numeric column")
    left = tuple(names[j] for j in index if j not in (ids, labels))
    return Roles(ids, labels, kept, left)


def id_column(file: Any, options: Options, label: str) -> int | None:
    """Return the column that names the items."""
    schema = file.schema_arrow
    names = tuple(schema.names)
    asked = options.id_column
    if asked is False or asked == "none" or not names:
        return None
    if asked is not None and asked is not True:
        return field_named(str(asked), names, len(names), "id column", label)
    index = stored_index(schema)
    if len(index) == 1:
        return index[0]
    first = names[0]
    if first in options.drop or first == options.labels or 0 in index:
        return None
    if is_text(schema.field(0).type) or SURE_NAME.fullmatch(first):
        return 0
    if not ID_NAME.fullmatch(first):
        return None
    known = [text for text in as_texts(column(file, 0, schema)) if text]
    return 0 if numbers_are_ids(first, known, label) else None


def stored_index(schema: Any) -> tuple[int, ...]:
    """Return the columns that pandas stored as the index of a frame.

    Its own names for them say so, too, where other libraries left out what pandas said.
    """
    names = tuple(schema.names)
    stored = (schema.metadata or {}).get(b"pandas")
    try:
        index = list(json.loads(stored).get("index_columns", ())) if stored else []
    except (ValueError, AttributeError, TypeError, RecursionError):
        index = []
    index = index or [name for name in names if INDEX_NAME.fullmatch(name)]
    return tuple(names.index(n) for n in index if isinstance(n, str) and n in names)


def is_numeric(kind: Any) -> bool:
    """Tell whether a column's type is a real number (or nothing but missing)."""
    types = extra("pyarrow.types", "tables")
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
        or types.is_null(kind)
    )


def is_text(kind: Any) -> bool:
    """Tell whether a column's type is text, plain or as categories, or its bytes."""
    types = extra("pyarrow.types", "tables")
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
    )


def assembled(file: Any, schema: Any, roles: Roles, rows: int, source: Source) -> Table:
    """Return the table, its columns read one after the other."""
    values = np.empty((rows, len(roles.kept)), dtype=np.float64)
    for place, j in enumerate(roles.kept):
        values[:, place] = as_numbers(column(file, j, schema))
    notes = ["Parquet", *long_integers(values)]
    if roles.left_out:
        notes.append(f"pandas' index left out: {listed(roles.left_out)}")
    table = Table(
        values, columns=tuple(schema.names[j] for j in roles.kept), notes=notes
    )
    if roles.ids is not None:
        table.ids = tuple(as_texts(column(file, roles.ids, schema)))
        notes[0] += f", ids in column {shown(schema.names[roles.ids])}"
    if roles.labels is not None:
        table.classes = tuple(as_texts(column(file, roles.labels, schema)))
    return table


def column(file: Any, place: int, schema: Any) -> Any:
    """Return one column; two of the same name are refused."""
    name = schema.names[place]
    if schema.names.count(name) > 1:
        raise InputError(
            f"there is more than one column named {shown(name)}; rename them"
        )
    return file.read(columns=[name], use_threads=False).column(0)


def as_numbers(values: Any) -> NDArray[np.float64]:
    """Return a column as float64, with NaN for what is missing."""
    pa = extra("pyarrow", "tables")
    # Not the safe cast: it refuses integers beyond 2^53, which are noted instead.
    cast = values.cast(pa.float64(), safe=False)
    return np.asarray(cast.to_numpy(zero_copy_only=False), dtype=np.float64)


def as_texts(values: Any) -> list[str]:
    """Return a column as text, empty where it is missing."""
    return [as_text(item) for item in values.to_pylist()]


def as_text(item: object) -> str:
    r"""Return one value as text; bytes are UTF-8, and what is not is shown as it is.

    Examples
    --------
    >>> as_text(b"s0"), as_text(None), as_text(b"\xff")
    ('s0', '', '\\xff')
    """
    if isinstance(item, bytes):
        return item.decode("utf-8", "backslashreplace")
    return "" if item is None else str(item)
