"""Outputs of tasks as files: checksummed, written atomically, without pickle.

A chunk is ``STABLEK2``, the length of a JSON header, the header (of which run, which
tasks, which arrays), the arrays' bytes, and the SHA-256 of all that. A chunk that was
cut short or changed does not match its checksum; it is set aside and its tasks are run
again. So is one that came here from another run.
"""

import hashlib
import json
import math
import operator
import struct
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.engine.plan import Output, Task
from stablek.machine.memory import affordable

MAGIC = b"STABLEK2"
DIGEST = 32


class TornChunkError(Exception):
    """A chunk does not match its checksum, or is no chunk."""


class ForeignChunkError(TornChunkError):
    """A chunk is whole, but of another run."""


class HugeChunkError(TornChunkError):
    """A file is larger than any chunk that this machine could have made."""


def chunk_bytes(file: Path) -> bytes:
    """Return the bytes of a chunk; refuse what is no regular file, or huge.

    A sparse file of many gigabytes takes no room on a disk, but all of the memory.
    """
    if file.is_symlink() or not file.is_file():
        raise TornChunkError
    if not affordable(file.stat().st_size):
        raise HugeChunkError
    return file.read_bytes()


def encode(outputs: Sequence[Output], run: str = "") -> bytes:
    """Return outputs as the bytes of a chunk; ``run`` tells of which run they are."""
    entries: list[dict[str, Any]] = []
    payload: list[bytes] = []
    size = 0

    def place(array: NDArray[Any]) -> dict[str, Any]:
        nonlocal size
        raw = np.ascontiguousarray(array).tobytes()
        where = {"dtype": array.dtype.str, "shape": array.shape, "at": size}
        payload.append(raw)
        size += len(raw)
        return where

    for output in outputs:
        entry: dict[str, Any] = {"task": asdict(output.task), "failure": output.failure}
        if output.labels is not None:
            entry["labels"] = place(output.labels)
        if output.columns is not None:
            entry["columns"] = {name: place(c) for name, c in output.columns.items()}
        entries.append(entry)
    header = json.dumps({"run": run, "outputs": entries}).encode()
    body = MAGIC + struct.pack("<Q", len(header)) + header + b"".join(payload)
    return body + hashlib.sha256(body).digest()


def decode(raw: bytes, n: int | None = None, run: str | None = None) -> list[Output]:
    """Return the outputs in a chunk; raise if a single bit of it is wrong.

    So does a chunk that is whole, but of labels that are not those of ``n`` items, or
    not of this ``run``.
    """
    body, digest = raw[:-DIGEST], raw[-DIGEST:]
    if not body.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
        raise TornChunkError
    first = len(MAGIC) + 8
    if len(body) < first:
        raise TornChunkError
    try:
        of, outputs = _outputs(body, first)
        if run is not None and of != run:
            raise ForeignChunkError
        if not all(_fits(output, n) for output in outputs):
            raise TornChunkError
        return outputs
    except (MemoryError, ForeignChunkError):
        raise
    except Exception as error:  # a right checksum, and a stranger's idea of a chunk
        raise TornChunkError from error


def _outputs(body: bytes, first: int) -> tuple[str, list[Output]]:
    (length,) = struct.unpack("<Q", body[len(MAGIC) : first])
    header = json.loads(body[first : first + length])
    payload = memoryview(body)[first + length :]

    def array(where: dict[str, Any]) -> NDArray[Any]:
        dtype = np.dtype(where["dtype"])
        count = math.prod(map(operator.index, where["shape"]))
        flat = np.frombuffer(payload, dtype, count, where["at"])
        return flat.reshape(where["shape"])

    outputs = []
    for entry in header["outputs"]:
        task = Task(**{**entry["task"], "ks": tuple(entry["task"]["ks"])})
        hash(task)  # or it could not be looked up
        labels = array(entry["labels"]) if "labels" in entry else None
        columns = None
        if "columns" in entry:
            columns = {name: array(where) for name, where in entry["columns"].items()}
        outputs.append(Output(task, labels, columns, entry["failure"]))
    return str(header["run"]), outputs


def _fits(output: Output, n: int | None) -> bool:
    """Tell whether labels are whole numbers, for each k of the task and each item."""
    labels = output.labels
    if labels is None:
        return True
    return (
        labels.dtype.kind in "ui"
        and labels.ndim > 1
        and len(labels) == len(output.task.ks)
        and (n is None or labels.shape[-1] == n)
    )
