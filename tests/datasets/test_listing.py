"""Which data sets there are, and where."""

import numpy as np
import pytest

from stablek.datasets import packaged
from stablek.datasets.folder import Labelled
from stablek.datasets.listing import catalogue
from stablek.errors import InputError

X = np.random.default_rng(0).normal(size=(20, 3))


def test_parts_of_a_set_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="toy: 20 x 3 values, 19 ids"):
        Labelled(X, ("a",) * 19, ("x",) * 3, ("u",) * 20, 1, "toy")


def test_sets_in_the_folder_are_not_told_to_be_elsewhere(tmp_path):
    import gzip

    every = {entry.name for entry in catalogue(None) if not entry.present}
    known = {e.name for e in catalogue(str(tmp_path)) if e.kind == "folder"}
    name = sorted(known & every)[0]
    with gzip.open(tmp_path / f"{name}.tsv.gz", "wt") as file:
        file.write("id\ta\nx\t1\n")
    (tmp_path / f"{name}.labels.tsv").write_text("id\tclass\nx\tu\n")
    here = [entry for entry in catalogue(str(tmp_path)) if entry.name == name]
    assert [entry.present for entry in here] == [True]


def test_sets_of_a_package_are_read_from_its_files(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir()
    np.save(folder / "NCI60data.npy", np.arange(8.0).reshape(4, 2))
    (folder / "NCI60labs.csv").write_text("x\nCNS\nUNKNOWN\nRENAL\nCNS\n")
    for part, rows in (("train", "1,2\n3,4\n"), ("test", "5,6\n")):
        (folder / f"Khan_x{part}.csv").write_text("a,b\n" + rows)
        (folder / f"Khan_y{part}.csv").write_text("x\n" + "2\n" * rows.count("\n"))
    monkeypatch.setattr(
        packaged, "_file", lambda package, *parts: tmp_path.joinpath(*parts)
    )
    lines = packaged._nci60("nci60-6830")
    np.testing.assert_array_equal(lines.values, [[0, 1], [4, 5], [6, 7]])
    assert lines.classes == ("CNS", "RENAL", "CNS")
    tumours = packaged._khan("khan")
    np.testing.assert_array_equal(tumours.values, [[1, 2], [3, 4], [5, 6]])
    assert tumours.ids[-1] == "tumour03"
