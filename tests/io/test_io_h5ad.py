"""AnnData files: matrices, names, labels; and nothing from outside the file."""

import os
import shutil
import warnings
from pathlib import Path

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from stablek.errors import InputError
from stablek.io import read
from stablek.io.readers import h5_probe

X = np.random.default_rng(2).normal(size=(6, 4))
IDS = tuple(f"s{i}" for i in range(6))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a file that anndata wrote."""
    path = tmp_path_factory.mktemp("h5ad") / "x.h5ad"
    obs = pd.DataFrame(
        {"kind": pd.Categorical(["u", "u", "v", "v", "w", None]), "batch": range(6)},
        index=list(IDS),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = anndata.AnnData(X.copy(), obs=obs, var=pd.DataFrame(index=list("abcd")))
        data.layers["row"] = sparse.csr_matrix(X)
        data.layers["col"] = sparse.csc_matrix(np.where(X > 0, X, 0))
        data.obsm["X_pca"] = X[:, :2]
        data.var["family"] = ["p", "q", "p", "q"]
        data.write_h5ad(path)
    return path


@pytest.fixture
def copy(written, tmp_path):
    """Return a copy that a test may change."""
    path = tmp_path / "copy.h5ad"
    shutil.copy(written, path)
    return path


def test_x_is_read_with_its_names(written):
    data = read(written)
    assert np.array_equal(data.values, X)
    assert (data.ids, data.columns) == (IDS, ("a", "b", "c", "d"))
    assert any("representations offered: 'X_pca'" in note for note in data.notes)


def test_layers_and_representations_are_read(written):
    assert np.array_equal(read(written, layer="row").values, X)
    assert np.array_equal(read(written, layer="col").values, np.where(X > 0, X, 0))
    data = read(written, use_rep="X_pca")
    assert np.array_equal(data.values, X[:, :2])
    assert data.columns == ("X_pca1", "X_pca2")


def test_labels_are_a_column_of_obs_or_of_var(written):
    assert read(written, labels="kind").classes == ("u", "u", "v", "v", "w", "")
    assert read(written, labels="batch").classes == tuple("012345")
    turned = read(written, labels="family", transpose=True)
    assert turned.classes == ("p", "q", "p", "q")
    assert turned.ids == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"layer": "raw"}, "unknown layer 'raw'"),
        ({"use_rep": "pca"}, "did you mean 'X_pca'"),
        ({"labels": "kinds"}, "did you mean 'kind'"),
        ({"layer": "row", "use_rep": "X_pca"}, "choose one"),
        ({"drop": ("z",)}, "has no column 'z' to drop"),
    ],
)
def test_names_that_are_not_there_are_refused(written, options, told):
    with pytest.raises(InputError) as error:
        read(written, **options)
    assert told in str(error.value)


def test_external_storage_is_refused(copy, tmp_path):
    (tmp_path / "secret").write_bytes(X.tobytes())
    with h5py.File(copy, "a") as file:
        del file["X"]
        where = [(str(tmp_path / "secret"), 0, X.nbytes)]
        file.create_dataset("X", shape=X.shape, dtype="f8", external=where)
    with pytest.raises(InputError, match=r"X is stored outside the file \(.*secret'\)"):
        read(copy)
    assert np.array_equal(read(copy, allow_external=True).values, X)


def test_external_links_are_refused_anywhere(copy, written):
    with h5py.File(copy, "a") as file:
        file["uns/deep/link"] = h5py.ExternalLink(str(written), "/X")
    with pytest.raises(InputError, match="uns/deep/link is stored outside the file"):
        read(copy)
    assert np.array_equal(read(copy, allow_external=True).values, X)


def test_virtual_data_sets_are_refused(copy, written):
    with h5py.File(copy, "a") as file:
        del file["X"]
        layout = h5py.VirtualLayout(shape=X.shape, dtype="f8")
        layout[:] = h5py.VirtualSource(str(written), "X", shape=X.shape)
        file.create_virtual_dataset("X", layout)
    with pytest.raises(InputError, match="X is stored outside the file"):
        read(copy)


def test_loops_in_the_file_end(copy):
    with h5py.File(copy, "a") as file:
        file["uns/loop"] = file["uns"]
        file["uns/soft"] = h5py.SoftLink("/nowhere")
    assert read(copy).n == 6


def test_a_small_file_that_declares_gigabytes_is_refused(tmp_path):
    path = tmp_path / "bomb.h5ad"
    with h5py.File(path, "w") as file:
        file.create_dataset(
            "X",
            shape=(10**5, 10**5),
            dtype="f8",
            chunks=(1000, 1000),
            compression="gzip",
        )
    assert path.stat().st_size < 5000
    with pytest.raises(InputError, match="needs 80 GB"):
        read(path, memory="8G")


def test_a_sparse_matrix_that_lies_is_refused(copy):
    with h5py.File(copy, "a") as file:
        group = file["layers/row"]
        del group["indices"]
        group["indices"] = np.full(24, 99, dtype=np.int32)
    with pytest.raises(InputError, match="not a valid H5AD file"):
        read(copy, layer="row")
    with h5py.File(copy, "a") as file:
        file["layers/row"].attrs["shape"] = [10**6, 10**6]
    with pytest.raises(InputError, match="needs 8 TB"):
        read(copy, layer="row")


def test_what_is_no_matrix_is_refused(copy):
    with h5py.File(copy, "a") as file:
        del file["X"]
        file["X"] = np.array([b"a", b"b"])
    with pytest.raises(InputError, match="is not a matrix of numbers"):
        read(copy)
    with h5py.File(copy, "a") as file:
        del file["X"]
        file.create_group("X").attrs["encoding-type"] = "dataframe"
    with pytest.raises(InputError, match="is stored as 'dataframe'"):
        read(copy)
    with h5py.File(copy, "a") as file:
        del file["X"]
    with pytest.raises(InputError, match="has no X"):
        read(copy)


def test_names_that_do_not_fit_are_refused(copy):
    with h5py.File(copy, "a") as file:
        file["obs"].attrs["_index"] = "batch"
        del file["obs/batch"]
        file["obs/batch"] = np.arange(7)
    with pytest.raises(InputError, match="obs has 7 names for 6"):
        read(copy)


def test_codes_without_a_category_are_refused(copy):
    with h5py.File(copy, "a") as file:
        file["obs/kind/codes"][0] = 77
    with pytest.raises(InputError, match="codes without a category"):
        read(copy, labels="kind")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_cut_off_file_is_refused(copy, share):
    content = copy.read_bytes()
    copy.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError, match="not a valid H5AD file"):
        read(copy)


@pytest.mark.parametrize("where", ["", "-in-an-attribute"])
def test_a_file_in_which_hdf5_loops_is_refused(tmp_path, monkeypatch, where):
    """Found by fuzzing; without a limit it takes for ever, and hears no signal."""
    monkeypatch.setattr("stablek.io.readers.h5_probe.PATIENCE", 0.2)
    path = tmp_path / "x.h5ad"
    seed = Path(__file__).parent / "seeds" / f"h5ad-hdf5-loops{where}"
    path.write_bytes(seed.read_bytes()[2:])
    with pytest.raises(InputError, match="HDF5 loops or crashes in it"):
        read(path)


def test_a_crash_that_somebody_handles_is_a_crash(written, monkeypatch):
    """A handler of signals, such as that of a fuzzer, may end the child with a code."""
    read(written)
    monkeypatch.setattr(h5_probe, "_read_texts", lambda *_: os._exit(77))
    with pytest.raises(InputError, match="HDF5 loops or crashes in it"):
        read(written)
