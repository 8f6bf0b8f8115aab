"""The record of a run: a cube of labels.

Steps 1-6 of the paradigm give partitions, ``labels[repeat, k, role, item]``; everything
after step 6 is a pure function of them (and, for the dispersion family, of the data).
So distribution sends labels, a checkpoint keeps labels, and what is put together from
parts of a run, in any order, is the run.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.errors import StablekError
from stablek.kernels.clusters import clusters_in_each

LabelArray = NDArray[np.unsignedinteger[Any]]


def label_type(k_max: int) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds labels 0..k_max-1 and "not drawn".

    Examples
    --------
    >>> label_type(30), label_type(300)
    (dtype('uint8'), dtype('uint16'))
    """
    return np.dtype(np.uint8 if k_max <= 254 else np.uint16)


def not_drawn(dtype: np.dtype[Any]) -> int:
    """Return the value that stands for "this item was not drawn"."""
    return int(np.iinfo(dtype).max)


class PartitionCube:
    """Labels of all items, for every repeat, k and role of a run.

    Parameters
    ----------
    repeats
        How many repeats it has room for.
    ks
        The numbers of clusters, increasing.
    roles
        How many partitions one repeat gives for one k.
    n
        The number of items.
    path
        Where to keep the labels on disk, memory-mapped; in memory if None.

    Attributes
    ----------
    labels
        Shape (repeats, len(ks), roles, n); ``missing`` where an item was not drawn.
    filled
        Shape (repeats, len(ks)): which partitions have been put in.
    original
        Partition of the whole data at each k, shape (len(ks), n), where a statistic
        asked for it.
    """

    def __init__(
        self,
        repeats: int,
        ks: Sequence[int],
        roles: int,
        n: int,
        path: Path | None = None,
    ) -> None:
        self.ks = tuple(ks)
        dtype = label_type(max(self.ks))
        shape = (repeats, len(self.ks), roles, n)
        self.missing = not_drawn(dtype)
        self.labels: LabelArray
        if path is None:
            self.labels = np.full(shape, self.missing, dtype)
        else:
            self.labels = np.lib.format.open_memmap(
                path, mode="w+", dtype=dtype, shape=shape
            )
            reserve(path)
            self.labels[...] = self.missing
        self.filled = np.zeros(shape[:2], dtype=bool)
        self.original: LabelArray | None = None

    @property
    def repeats(self) -> int:
        """The number of repeats it has room for."""
        return int(self.labels.shape[0])

    @property
    def roles(self) -> int:
        """The number of partitions per repeat and k."""
        return int(self.labels.shape[2])

    @property
    def n(self) -> int:
        """The number of items."""
        return int(self.labels.shape[3])

    def put(self, repeat: int, ks: Sequence[int], labels: NDArray[Any]) -> None:
        """Put in the labels of one repeat, shape (len(ks), roles, n)."""
        first = self.ks.index(ks[0])
        last = first + len(ks)
        if self.ks[first:last] != tuple(ks):
            raise StablekError(
                f"the ks {tuple(ks)} are not consecutive among the cube's ks {self.ks}"
            )
        self.labels[repeat, first:last] = labels
        self.filled[repeat, first:last] = True

    def first(self, repeats: int) -> PartitionCube:
        """Return the first repeats as a cube: H = 100 is a prefix of H = 500."""
        return self._view(np.s_[:repeats], self.ks)

    def at(self, ks: Iterable[int]) -> PartitionCube:
        """Return the cube of some ks."""
        ks = tuple(ks)
        first = self.ks.index(ks[0])
        if self.ks[first : first + len(ks)] == ks:  # a view, no copy
            return self._view(np.s_[:, first : first + len(ks)], ks)
        where = [self.ks.index(k) for k in ks]
        return self._view((slice(None), where), ks)

    def of_k(self, k: int, role: int = 0) -> LabelArray:
        """Return the labels of one k and role, shape (filled repeats, n)."""
        column = self.ks.index(k)
        done = self.filled[:, column]
        labels = self.labels[:, column, role]
        return labels if done.all() else labels[done]

    def fewer_clusters(self) -> dict[int, tuple[int, int]]:
        """Return for each k how many partitions have fewer clusters, and of how many.

        An algorithm may leave a cluster empty; a classifier may use fewer classes.
        """
        return self._counted(np.less)

    def more_clusters(self) -> dict[int, tuple[int, int]]:
        """Return for each k how many partitions have more clusters, and of how many.

        A foreign algorithm may heed no k; each of its noise items is a cluster.
        """
        return self._counted(np.greater)

    def _counted(self, unlike: Callable[..., Any]) -> dict[int, tuple[int, int]]:
        counts = clusters_in_each(self.labels, self.missing)
        odd = unlike(counts, np.array(self.ks)[:, None]) & self.filled[:, :, None]
        some, total = odd.sum(axis=(0, 2)), self.filled.sum(axis=0) * self.roles
        return dict(
            zip(self.ks, zip(some.tolist(), total.tolist(), strict=True), strict=True)
        )

    def _view(self, where: Any, ks: tuple[int, ...]) -> PartitionCube:
        cube = PartitionCube.__new__(PartitionCube)
        cube.ks = ks
        cube.labels = self.labels[where]
        cube.filled = self.filled[where]
        cube.missing = self.missing
        cube.original = self.original
        if self.original is not None and ks != self.ks:
            cube.original = self.original[[self.ks.index(k) for k in ks]]
        return cube


def reserve(path: Path) -> None:
    """Make sure that the disk has room for all of a file that has its length already.

    Writing to a memory map on a full disk would kill the process; this raises OSError.
    """
    if hasattr(os, "posix_fallocate"):
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)


@contextmanager
def passing_file() -> Iterator[Path]:
    """Yield a file for a memory map; its room is free again when the map is gone."""
    handle, name = tempfile.mkstemp(prefix="stablek-", suffix=".npy")
    os.close(handle)
    path = Path(name)
    try:
        yield path
    finally:
        try:
            path.unlink(missing_ok=True)  # the map lives on; the name does not
        except PermissionError:  # Windows keeps a mapped file: remove it at the end
            atexit.register(path.unlink, missing_ok=True)
