"""Results as JSON text and back: NaN as null, a schema number, equal text if equal."""

from __future__ import annotations

import io
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.machine.memory import affordable, shown_size


def plain_column(column: NDArray[np.float64]) -> list[float | None]:
    """Return numbers as JSON knows them: what is not finite becomes None."""
    return [float(v) if np.isfinite(v) else None for v in column]


def column_of(plain: Sequence[float | None]) -> NDArray[np.float64]:
    """Return the column that :func:`plain_column` was made from; None becomes NaN."""
    return np.array([np.nan if v is None else v for v in plain], float)


def plain_record(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a table as JSON knows it: what is not finite becomes None."""
    return {
        name: None if isinstance(v, float) and not np.isfinite(v) else v
        for name, v in row.items()
    }


def json_text(plain: Mapping[str, Any], path: str | Path | None = None) -> str:
    """Return plain numbers and strings as JSON text; write it too, if a path is given.

    No time, date or path is in it: equal results give equal text.
    """
    # Piece by piece: json.dumps would hold a string for each of a million numbers.
    pieces = json.JSONEncoder(indent=1, allow_nan=False).iterencode(plain)
    made = io.StringIO()
    made.writelines(pieces)
    made.write("\n")
    text = made.getvalue()
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def regular_text(path: str | Path) -> str:
    """Return the text of a file, but only of a regular one.

    A pipe in a folder from somebody else would let us wait for ever, a device would
    never end, and a file that is larger than memory is none of ours.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        os.close(handle)
        msg = f"{path} is a folder, a pipe or a device; name a regular file"
        raise InputError(msg)
    with os.fdopen(handle, "rb") as file:
        size = found.st_size
        if not affordable(size):
            msg = f"{path} is {shown_size(size)}, more than memory may hold"
            raise InputError(msg)
        return file.read().decode("utf-8")


def read_json(
    source: str | Path, what: str, schema: int, older: Sequence[int] = ()
) -> dict[str, Any]:
    """Return what JSON text, or the file at a path, holds, if the schema is ours.

    ``what`` is the word for it in messages: "result", "verdict".
    """
    try:
        if isinstance(source, Path) or not source.lstrip().startswith("{"):
            source = regular_text(source)
        plain = json.loads(source)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        msg = f"not a stablek {what}: {error}"
        raise InputError(msg) from None
    if not isinstance(plain, dict) or plain.get("schema") not in (schema, *older):
        got = plain.get("schema") if isinstance(plain, dict) else None
        msg = f"{what} schema {got!r}; this version reads schema {schema}"
        raise InputError(msg)
    return plain


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Refuse JSON that is ours by its schema and lacks or garbles what it should hold.

    To be used where ``read_json`` has given a dictionary, as a decorator too.
    """
    try:
        yield
    except (KeyError, TypeError, AttributeError, OverflowError, IndexError) as error:
        msg = f"not a stablek {what}: {type(error).__name__}: {error}"
        raise InputError(msg) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        msg = f"not a stablek {what}: {error}"
        raise InputError(msg) from None
