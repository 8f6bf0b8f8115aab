"""Leiden's algorithm through scanpy, for :func:`..anndata.choose_resolution`.

Neither scanpy nor igraph (whose licence is the GPL) is a dependency: both are taken
from where the user put them, when they are used.
"""

from __future__ import annotations

import importlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stablek.errors import InputError

if TYPE_CHECKING:
    from anndata import AnnData
    from numpy.typing import NDArray

#: The graph of the last subsample: all resolutions of a repeat see the same one.
_LAST = threading.local()


@dataclass(frozen=True)
class Leiden:
    """Build scanpy's graph of neighbours on a subsample and cluster it.

    Parameters
    ----------
    n_neighbors, metric
        As for ``scanpy.pp.neighbors``.
    n_iterations
        As for ``scanpy.tl.leiden``; -1 repeats until nothing changes.
    """

    n_neighbors: int = 15
    metric: str = "euclidean"
    n_iterations: int = 2

    @property
    def __name__(self) -> str:
        return "leiden"

    def __call__(
        self, values: NDArray[Any], resolution: Any, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return one label per row at a resolution."""
        scanpy = require_scanpy()
        part = self.graph(values)
        seed = int(rng.integers(2**31))
        scanpy.tl.leiden(
            part, resolution=float(resolution), random_state=seed, flavor="igraph",
            directed=False, n_iterations=self.n_iterations,
        )  # fmt: skip
        return np.asarray(part.obs["leiden"].to_numpy(), dtype=np.int64)

    def graph(self, values: NDArray[Any]) -> AnnData:
        """Return an AnnData object that holds the graph of some values.

        It depends on the values alone, so keeping the last one changes no result.
        """
        last = getattr(_LAST, "made", None)
        if last is not None and last[0] is values and last[1] == self:
            return last[2]
        scanpy = require_scanpy()
        part: AnnData = scanpy.AnnData(np.asarray(values))
        scanpy.pp.neighbors(
            part, n_neighbors=min(self.n_neighbors, len(values) - 1), use_rep="X",
            metric=self.metric, random_state=0,
        )  # fmt: skip
        _LAST.made = (values, self, part)
        return part


def require_scanpy() -> Any:
    """Return scanpy, or say how to get it and what it needs for Leiden."""
    try:
        importlib.import_module("igraph")
        return importlib.import_module("scanpy")
    except ImportError as error:
        raise InputError(
            f"Leiden needs scanpy and igraph, and {error.name} is not installed: pip "
            "install scanpy igraph; or pass a function of your own: "
            "cluster(values, resolution, rng)"
        ) from None
