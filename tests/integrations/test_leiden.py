"""Leiden through scanpy, on the cells that scanpy brings along."""

import importlib
import sys

import numpy as np
import pytest
from blobs import blobs

from stablek.errors import InputError
from stablek.integrations import leiden
from stablek.integrations.anndata import tl
from stablek.integrations.leiden import Leiden

#: scanpy and what it imports warn of their own future; that is not ours to fail on.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def scanpy():
    import scanpy

    return scanpy


@pytest.fixture
def groups():
    return blobs(90, 5, seed=4, away=20.0)


def test_well_separated_groups_are_found_at_a_low_resolution(scanpy, groups):
    labels = Leiden()(groups, 0.1, np.random.default_rng(0))
    assert len(set(labels.tolist())) == 3
    for group in range(3):
        assert len(set(labels[group::3].tolist())) == 1


def test_the_graph_is_built_once_for_all_resolutions_of_a_subsample(
    scanpy, groups, monkeypatch
):
    built = []
    real = scanpy.pp.neighbors

    def counted(*given, **named):
        built.append(1)
        return real(*given, **named)

    monkeypatch.setattr(scanpy.pp, "neighbors", counted)
    made = Leiden(n_neighbors=9)
    one = [made(groups, r, np.random.default_rng(0)) for r in (0.1, 1.0, 0.1)]
    assert len(built) == 1
    assert np.array_equal(one[0], one[2])
    fresh = made(groups.copy(), 1.0, np.random.default_rng(0))
    assert len(built) == 2
    assert np.array_equal(fresh, one[1])


def test_leiden_is_the_default_and_two_threads_give_the_same(scanpy, groups):
    adata = scanpy.AnnData(groups)
    other = adata.copy()
    how = {"use_rep": "X", "repeats": 6}
    tl.choose_resolution(adata, [0.05, 0.1, 3.0], **how)
    tl.choose_resolution(
        other, [0.05, 0.1, 3.0], jobs=2, backend="threads", **how
    )  # fmt: skip
    kept = adata.uns["stablek_resolution"]
    assert kept["resolution"] == "0.1"
    assert kept["params"]["algorithm"] == "leiden"
    assert kept["json"] == other.uns["stablek_resolution"]["json"]
    assert adata.obs["stablek_resolution"].cat.categories.tolist() == ["1", "2", "3"]


@pytest.mark.parametrize("gone", ["scanpy", "igraph"])
def test_without_scanpy_the_message_says_what_to_install(gone, monkeypatch):
    real = importlib.import_module

    def absent(name, *more):
        if name == gone:
            raise ModuleNotFoundError(name=name)
        return sys.modules["json"] if name == "igraph" else real(name, *more)

    monkeypatch.setattr(leiden.importlib, "import_module", absent)
    with pytest.raises(InputError, match=f"{gone} is not installed: pip install"):
        leiden.require_scanpy()
