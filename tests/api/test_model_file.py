"""A model file that is damaged, or made by somebody else, is refused."""

import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from blobs import blobs

from stablek.api.model_file import FILE
from stablek.api.new_data import Model
from stablek.errors import InputError
from stablek.results.assign import Projection


def model():
    """Return a small model of three clusters."""
    values, labels = blobs(n=12, m=3), np.arange(12) % 3
    frame = Projection(values.mean(axis=0), np.eye(3)[:, :2])
    return Model(
        3, frame, tuple("abc"), values.mean(axis=0), values.std(axis=0),
        frame.scores(values), {3: labels},
    )  # fmt: skip


def test_a_file_of_an_older_version_has_clusters(tmp_path):
    made = replace(model(), evident=False)
    assert Model.load(made.save(tmp_path / FILE)).answer == 1
    held = dict(np.load(tmp_path / FILE))
    del held["evident"]
    np.savez(tmp_path / "older.npz", **held)
    assert Model.load(tmp_path / "older.npz").answer == 3


def damaged_models():
    """Return how a model is damaged, by what is wrong with it."""
    return {
        "a part is missing": lambda held: held.pop("axes"),
        "a part is of another kind": lambda held: held.update(k=np.array("3")),
        "a part has another shape": lambda held: held.update(means=np.zeros(99)),
        "no number": lambda held: held["scores"].__setitem__((0, 0), np.nan),
        "k without a partition": lambda held: held.update(k=np.array(9)),
        "too few labels": lambda held: held.update(
            partitions=held["partitions"][:, 1:]
        ),
        "labels of no cluster": lambda held: held["partitions"].__iadd__(7),
        "negative labels": lambda held: held["partitions"].__isub__(1),
        "a step without numbers": lambda held: held.update(
            {"steps": np.array(["pca"]), "steps0.columns": np.array(["a"])}
        ),
        "a step without columns": lambda held: held.update(steps=np.array(["log2"])),
        "a length below 0": lambda held: held.update(length=np.array(-1.0)),
        "a form that is no number": lambda held: held.update(schema=np.zeros(3)),
    }


@pytest.mark.parametrize("how", damaged_models())
def test_a_model_whose_parts_do_not_fit_is_refused(tmp_path, how):
    model().save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz") as found:
        held = {name: found[name].copy() for name in found.files}
    damaged_models()[how](held)
    np.savez(tmp_path / "model.npz", **held)
    with pytest.raises(InputError, match="damaged"):
        Model.load(tmp_path)


def test_a_model_cut_anywhere_is_refused(tmp_path):
    path = model().save(tmp_path / "model.npz")
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match="damaged"):
            Model.load(tmp_path)


def test_a_model_that_claims_terabytes_is_refused_and_pickles_are_not_loaded(tmp_path):
    path = tmp_path / "model.npz"
    with zipfile.ZipFile(path, "w") as archive:
        head = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            head, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
        )
        archive.writestr("scores.npy", head.getvalue())
    with pytest.raises(InputError, match="damaged"):
        Model.load(tmp_path)
    np.savez(path, schema=np.array(1), k=np.array([print], dtype=object))
    with pytest.raises(InputError, match="pickled"):
        Model.load(tmp_path)
