"""Results as JSON text and back: NaN as null, a schema number, equal text if equal."""

import io
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import InputError
from stablek.machine.memory import affordable, shown_size


def plain_column(column: NDArray[np.float64]) -> list[float | None]:
    """Return numbers as JSON knows them: what is not finite becomes None."""
    return [float(v) if np.isfinite(v) else None for v in column]


def plain_form(value: Any) -> Any:
    """Return a value as JSON knows it, with all that is inside; NaN becomes None.

    Examples
    --------
    >>> plain_form({2: (1.5, float("nan")), "labels": np.array([1, 2])})
    {'2': [1.5, None], 'labels': [1, 2]}
    """
    if isinstance(value, np.ndarray):
        return plain_column(value) if value.dtype.kind == "f" else value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(name): plain_form(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        # Of a million ids, look only at the first.
        names = bool(value) and isinstance(value[0], str)
        return list(value) if names else [plain_form(one) for one in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def column_of(plain: Sequence[float | None]) -> NDArray[np.float64]:
    """Return the column that :func:`plain_column` was made from; None becomes NaN."""
    return np.array([np.nan if v is None else v for v in plain], float)


def array_of(column: list[Any]) -> NDArray[Any]:
    """Return a column of items; None stands for what is not known."""
    if any(value is None or isinstance(value, float) for value in column):
        return column_of(column)
    return np.asarray(column)


def parts_of(plain: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the named parts of a plain form, and those that every result has.

    Lists become tuples again; labels and columns, arrays.
    """
    data, labels = plain["data"], plain["labels"]
    return {
        **{
            name: tuple(plain[name]) if isinstance(plain[name], list) else plain[name]
            for name in names
        },
        "columns": {name: column_of(one) for name, one in plain["columns"].items()},
        "labels": None if labels is None else np.asarray(labels, dtype=np.int64),
        "data_name": data["name"],
        "n": data["n"],
        "m": data["m"],
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
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise InputError(f"{path} is a folder, a pipe or a device; name a regular file")
    with os.fdopen(handle, "rb") as file:
        size = status.st_size
        if not affordable(size):
            raise InputError(f"{path} is {shown_size(size)}, more than memory may hold")
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
        raise InputError(f"not a stablek {what}: {error}") from None
    if not isinstance(plain, dict) or plain.get("schema") not in (schema, *older):
        got = plain.get("schema") if isinstance(plain, dict) else None
        raise InputError(f"{what} schema {got!r}; this version reads schema {schema}")
    return plain


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Refuse JSON that is ours by its schema and lacks or garbles what it should hold.

    To be used where ``read_json`` has given a dictionary, as a decorator too.
    """
    try:
        yield
    except (KeyError, TypeError, AttributeError, OverflowError, IndexError) as error:
        raise InputError(
            f"not a stablek {what}: {type(error).__name__}: {error}"
        ) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"not a stablek {what}: {error}") from None
