"""The file ``model.npz`` of a verdict's folder: arrays of numbers and names.

It may come from somebody else, so its parts are checked before anything is made of
them.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stablek.data.replay import STEP_NUMBERS, Step
from stablek.errors import InputError
from stablek.results.assign import Projection

if TYPE_CHECKING:
    from stablek.api.new_data import Model

Arrays = Mapping[str, NDArray[Any]]

#: Raised whenever the file changes in a way that old readers cannot follow.
SCHEMA = 1
FILE = "model.npz"

#: How many dimensions every array has, and of what it is made: NumPy's kinds.
PARTS = {
    "k": (0, "iu"),
    "columns": (1, "U"),
    "steps": (1, "U"),
    "inner": (1, "U"),
    "means": (1, "f"),
    "spreads": (1, "f"),
    "scores": (2, "f"),
    "ks": (1, "iu"),
    "partitions": (2, "iu"),
    "mean": (1, "f"),
    "axes": (2, "f"),
    "length": (0, "f"),
    "evident": (0, "iu"),
}

#: What files of older versions do not have.
LATER = {"evident": np.array(1)}

#: How many dimensions the numbers of a step have.
DIMENSIONS = {"mean": 1, "spread": 1, "axes": 2, "total": 0}


def write_model(model: Model, path: Path) -> Path:
    """Write a model; equal models give equal bytes."""
    from stablek.io.store.atomic import write_bytes

    coordinates: Any = model.coordinates
    length = coordinates.length
    ks = sorted(model.partitions)
    arrays = {
        "schema": np.array(SCHEMA),
        "k": np.array(model.k),
        "columns": np.array(model.columns, dtype=np.str_),
        **_plain_steps("steps", model.steps),
        **_plain_steps("inner", model.inner),
        "means": model.means,
        "spreads": model.spreads,
        "scores": model.scores,
        "ks": np.array(ks, dtype=np.int64),
        "partitions": np.array([model.partitions[k] for k in ks], dtype=np.int64),
        "mean": coordinates.mean,
        "axes": coordinates.axes,
        "length": np.array(np.nan if length is None else length),
        "evident": np.array(int(model.evident)),
    }
    text = io.BytesIO()
    np.savez_compressed(text, allow_pickle=False, **arrays)
    write_bytes(path, text.getvalue())
    return path


def read_model(path: Path) -> dict[str, Any]:
    """Return the parts of a model, by the names that ``Model`` has for them."""
    source = path / FILE if path.is_dir() else path
    if not source.is_file():
        raise InputError(
            f"{source} does not exist; name the folder that `stablek verdict DATA "
            "-o FOLDER` wrote"
        )
    if source == path and not zipfile.is_zipfile(path):
        raise InputError(
            f"{path} is neither the folder of a verdict nor a model; name the folder "
            "first, then the data"
        )
    try:
        arrays = {**LATER, **_arrays(source)}
        _check(arrays)
        length = float(arrays["length"])
        return {
            "k": int(arrays["k"]),
            "coordinates": Projection(
                arrays["mean"], arrays["axes"], None if np.isnan(length) else length
            ),
            "columns": tuple(arrays["columns"].tolist()),
            "means": arrays["means"],
            "spreads": arrays["spreads"],
            "scores": arrays["scores"],
            "partitions": dict(
                zip(arrays["ks"].tolist(), arrays["partitions"], strict=True)
            ),
            "steps": _steps(arrays, "steps"),
            "inner": _steps(arrays, "inner"),
            "evident": bool(arrays["evident"]),
        }
    except _Damage as damage:
        raise InputError(
            f"{source} is damaged ({damage}); run the verdict again"
        ) from None


class _Damage(Exception):
    """What is wrong with a file."""


def _arrays(path: Path) -> Arrays:
    """Return the arrays of a file, none larger than memory and none pickled."""
    from stablek.io.readers.archive import opened
    from stablek.io.readers.arrays import read_array
    from stablek.io.readers.source import locate
    from stablek.machine.memory import budget

    source = locate(path, budget())
    arrays: dict[str, NDArray[Any]] = {}
    try:
        with opened(source) as archive:
            for name in archive.namelist():
                with archive.open(name) as stream:
                    part = name.removesuffix(".npy")
                    arrays[part] = read_array(stream, name, source.budget)
    except InputError as error:
        raise _Damage(error) from None
    schema = arrays.get("schema", np.array(0))
    _demand(
        schema.shape == () and schema.dtype.kind in "iu", "its format is not a number"
    )
    if int(schema) != SCHEMA:
        raise InputError(
            f"{path} has form {int(schema)}, this stablek reads form {SCHEMA}; run the "
            "verdict again"
        )
    return arrays


def _demand(holds: bool, otherwise: str) -> None:  # noqa: FBT001
    if not holds:
        raise _Damage(otherwise)


def _check(arrays: Arrays) -> None:
    """Find out whether the arrays fit one another."""
    for name, (dimensions, kinds) in PARTS.items():
        _demand(name in arrays, f"it has no {name}")
        part = arrays[name]
        fits = part.ndim == dimensions and part.dtype.kind in kinds
        _demand(fits, f"its {name} are not what they should be")
        finite = name == "length" or part.dtype.kind != "f" or np.isfinite(part).all()
        _demand(bool(finite), f"its {name} are not all numbers")
    n, r = arrays["scores"].shape
    m = len(arrays["means"])
    more = 0 if np.isnan(arrays["length"]) else 1
    shapes = {
        "columns": (m,) if len(arrays["columns"]) else (0,),
        "spreads": (m,),
        "mean": (m,),
        "axes": (m, r - more),
        "partitions": (len(arrays["ks"]), n),
    }
    for name, shape in shapes.items():
        _demand(arrays[name].shape == shape, f"its {name} do not fit the others")
    _demand(bool(more == 0 or 0 < arrays["length"] < np.inf), "its length is wrong")
    ks = arrays["ks"].tolist()
    _demand(int(arrays["k"]) in ks and len(set(ks)) == len(ks), "its ks are wrong")
    for labels in arrays["partitions"]:
        clusters = np.unique(labels)
        whole = n > 0 and clusters[0] == 0 and clusters[-1] == len(clusters) - 1
        _demand(bool(whole), "its clusters are wrong")


def _plain_steps(what: str, steps: tuple[Step, ...]) -> dict[str, NDArray[Any]]:
    """Return steps as arrays."""
    arrays: dict[str, NDArray[Any]] = {
        what: np.array([step.name for step in steps], dtype=np.str_)
    }
    for place, step in enumerate(steps):
        arrays[f"{what}{place}.columns"] = np.array(step.columns, dtype=np.str_)
        for name, numbers in step.numbers.items():
            arrays[f"{what}{place}:{name}"] = np.asarray(numbers)
    return arrays


def _steps(arrays: Arrays, what: str) -> tuple[Step, ...]:
    """Return the steps that :func:`_plain_steps` wrote."""
    made = []
    for place, name in enumerate(arrays[what].tolist()):
        start = f"{what}{place}:"
        names = arrays.get(f"{what}{place}.columns", np.array(0))
        _demand(names.ndim == 1 and names.dtype.kind == "U", f"its {what} are cut off")
        columns = tuple(names.tolist())
        numbers = {
            key.removeprefix(start): array
            for key, array in arrays.items()
            if key.startswith(start)
        }
        for key, part in numbers.items():
            fits = part.ndim == DIMENSIONS.get(key, -1) and part.dtype.kind == "f"
            fits = fits and (part.ndim == 0 or not columns or len(part) == len(columns))
            _demand(bool(fits and np.isfinite(part).all()), f"its {what} are wrong")
        lacks = set(STEP_NUMBERS.get(name, ())) ^ set(numbers)
        _demand(not lacks, f"the numbers of its {what} are not those they need")
        made.append(Step(name, columns, numbers))
    return tuple(made)
