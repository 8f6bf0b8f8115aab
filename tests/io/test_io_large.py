"""Large input: single precision stays, and sparse matrices are read in blocks."""

import numpy as np
import pytest
from blobs import blobs

from stablek.api.choose_k import choose_k
from stablek.errors import InputError
from stablek.io import read


def values(n=40, m=6):
    rng = np.random.default_rng(0)
    found = rng.normal(size=(n, m)) * (rng.random((n, m)) < 0.3)
    found[3] = 0  # an empty row
    found[:, 2] = 0  # and an empty column
    found[0] = 1
    return found


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_numpy_file_keeps_its_precision(tmp_path, dtype):
    X = values().astype(dtype)
    X[:, 2] = np.arange(len(X))
    np.save(tmp_path / "x.npy", X)
    np.savez(tmp_path / "x.npz", X=X)
    for name in ("x.npy", "x.npz"):
        found = read(tmp_path / name)
        assert found.values.dtype == dtype
        assert np.array_equal(found.values, X)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", ["dense", "csr", "csc"])
@pytest.mark.parametrize("block", [1, 7, 10**6])
def test_an_h5ad_file_keeps_its_precision_and_is_read_in_blocks(
    tmp_path, monkeypatch, dtype, form, block
):
    import anndata
    from scipy import sparse

    X = values().astype(dtype)
    X[:, 2] = np.arange(len(X))
    make = {"dense": np.asarray, "csr": sparse.csr_matrix, "csc": sparse.csc_matrix}
    anndata.AnnData(make[form](X)).write_h5ad(tmp_path / "x.h5ad")
    monkeypatch.setattr("stablek.io.readers.anndata.BLOCK", block)
    found = read(tmp_path / "x.h5ad")
    assert found.values.dtype == dtype
    assert np.array_equal(found.values, X)


@pytest.mark.parametrize("part", ["indptr", "indices", "data"])
def test_a_sparse_matrix_whose_parts_do_not_fit_is_refused(tmp_path, part):
    import anndata
    import h5py
    from scipy import sparse

    path = tmp_path / "x.h5ad"
    anndata.AnnData(sparse.csr_matrix(values())).write_h5ad(path)
    with h5py.File(path, "r+") as file:
        kept = file["X"][part][()]
        del file["X"][part]
        file["X"][part] = kept[:-1]
    with pytest.raises(InputError):
        read(path)


@pytest.mark.parametrize("algorithm", ["hier-a", "kmeans-r", "kmeans-mb"])
def test_single_precision_finds_what_double_precision_finds(algorithm):
    X = blobs(120).astype(np.float32)
    one, two = (
        choose_k(Y, "fc", algorithm, range(2, 6), repeats=20)
        for Y in (X, X.astype(float))
    )
    assert one.data.values.dtype == np.float32
    assert one.k_star == two.k_star
    assert np.array_equal(one.labels, two.labels)
