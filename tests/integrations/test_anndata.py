"""AnnData in the manner of scanpy, through a file and back."""

import json

import anndata
import numpy as np
import pytest
from scipy import sparse

import stablek
from stablek import Verdict
from stablek.errors import InputError
from stablek.integrations.anndata import categories, pl, result_of, tl

QUICK = {"ks": range(2, 6), "repeats": 20, "jobs": 1}


@pytest.fixture
def cells():
    rng = np.random.default_rng(2)
    centres = np.array([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0]])
    scores = centres[np.arange(60) % 3] + rng.normal(size=(60, 3))
    made = anndata.AnnData(sparse.csr_matrix(rng.poisson(1.0, (60, 8)).astype(float)))
    made.obs_names = [f"cell{i}" for i in range(60)]
    made.obsm["X_pca"] = scores
    made.layers["counts"] = made.X.copy()
    return made


def halves(values, width, rng):
    """Label by position along the first axis, in steps of a width."""
    del rng
    return np.floor((values[:, 0] + 4.5) / width).astype(int)


def test_labels_curves_and_parameters_are_where_scanpy_users_look(cells):
    assert tl.choose_k(cells, **QUICK) is None
    assert cells.obs["stablek"].cat.categories.tolist() == ["1", "2", "3"]
    kept = cells.uns["stablek"]
    assert kept["k_star"] == 3
    assert kept["params"]["use_rep"] == "X_pca"
    assert kept["params"]["measure"] == "fc"
    assert kept["curve"]["k"].tolist() == [2, 3, 4, 5]
    assert "3 clusters by fc" in kept["sentence"]


def test_everything_survives_a_file(cells, tmp_path):
    tl.choose_k(cells, **QUICK)
    tl.choose_resolution(cells, [9.0, 4.0], halves, repeats=8, jobs=1)
    path = tmp_path / "cells.h5ad"
    cells.write_h5ad(path)
    back = anndata.read_h5ad(path)
    assert back.obs["stablek"].equals(cells.obs["stablek"])
    assert back.uns["stablek"]["curve"].equals(cells.uns["stablek"]["curve"])
    assert result_of(back).to_json() == result_of(cells).to_json()
    assert back.uns["stablek"]["params"] == cells.uns["stablek"]["params"]
    assert back.uns["stablek_resolution"]["resolution"] == "4.0"
    back.write_h5ad(tmp_path / "again.h5ad")


def test_a_copy_leaves_the_original_alone(cells):
    made = tl.choose_k(cells, copy=True, key_added="mine", **QUICK)
    assert "mine" in made.obs
    assert "mine" in made.uns
    assert "mine" not in cells.obs
    assert "mine" not in cells.uns


def test_layers_and_x_are_taken_only_when_named(cells):
    tl.choose_k(cells, layer="counts", **QUICK)
    assert cells.uns["stablek"]["params"]["use_rep"] == "layers['counts']"
    tl.choose_k(cells, use_rep="X", **QUICK)
    assert cells.uns["stablek"]["params"]["use_rep"] == "X"
    with pytest.raises(InputError, match="choose one"):
        tl.choose_k(cells, layer="counts", use_rep="X", **QUICK)
    with pytest.raises(InputError, match="did you mean 'X_pca'"):
        tl.choose_k(cells, use_rep="X_pcs", **QUICK)
    del cells.obsm["X_pca"]
    with pytest.raises(InputError, match=r"obsm is empty; make X_pca with sc\.pp\.pca"):
        tl.choose_k(cells, use_rep="X_pca", **QUICK)
    with pytest.raises(InputError, match="unknown layer"):
        tl.choose_k(cells, layer="raw", **QUICK)


def test_many_variables_without_a_representation_are_worth_a_warning():
    rng = np.random.default_rng(0)
    wide = anndata.AnnData(rng.normal(size=(20, 2001)))
    with pytest.warns(UserWarning, match="2001 variables") as told:
        tl.choose_k(wide, ks=range(2, 4), repeats=4, jobs=1)
    assert told[0].filename == __file__  # it points at the line that called


def test_the_seed_has_two_names_and_is_kept(cells):
    tl.choose_k(cells, rng=7, **QUICK)
    tl.choose_k(cells, random_state=7, key_added="old", **QUICK)
    assert cells.uns["stablek"]["json"] == cells.uns["old"]["json"]
    assert cells.uns["old"]["params"]["random_state"] == 7
    tl.choose_k(cells, rng=np.random.default_rng(1), key_added="drawn", **QUICK)
    assert json.loads(cells.uns["drawn"]["json"])["seed"] != 0
    with pytest.raises(InputError, match="two names"):
        tl.choose_k(cells, rng=1, random_state=1, **QUICK)


def test_the_resolution_is_chosen_without_any_graph(cells):
    cells.obs["stablek_resolution"] = "older"
    tl.choose_resolution(cells, [99.0, 9.0], halves, repeats=8, jobs=1)
    kept = cells.uns["stablek_resolution"]
    assert kept["resolution"] == "9.0"
    assert kept["curve"]["setting"].tolist() == ["99.0", "9.0"]
    assert len(cells.obs["stablek_resolution"].cat.categories) == 2
    tl.choose_resolution(cells, [99.0, 98.0], halves, repeats=8, jobs=1)
    assert cells.uns["stablek_resolution"]["resolution"] == "none"
    assert "stablek_resolution" not in cells.obs


def test_a_verdict_is_written_beside_the_labels_it_judges(cells, tmp_path):
    cells.obs["kind"] = [f"t{i % 3}" for i in range(60)]
    fast = {"ks": range(2, 6), "repeats": 10, "null_sets": 19, "level": 0.05}
    assert tl.verdict(cells, labels="kind", **fast) is None
    cells.write_h5ad(tmp_path / "x.h5ad")
    back = anndata.read_h5ad(tmp_path / "x.h5ad")
    kept = back.uns["verdict"]
    assert kept["k"] == 3
    assert "All 3 of your classes are stable clusters." in kept["sentence"]
    found = Verdict.from_json(kept["json"])
    assert found.ids[:2] == ("cell0", "cell1")
    assert back.obs["verdict"].tolist() == [str(v) for v in found.labels]
    with pytest.raises(InputError, match="did you mean 'kind'"):
        tl.verdict(cells, labels="kin", **fast)


def test_an_anndata_object_in_place_of_a_table_is_told_what_to_do(cells):
    with pytest.raises(InputError, match="obsm"):
        stablek.verdict(cells)


def test_plots_return_axes(cells):
    tl.choose_k(cells, **QUICK)
    tl.choose_resolution(cells, [99.0, 9.0], halves, repeats=8, jobs=1)
    assert pl.curve(cells).get_xlabel()
    drawn = pl.curve(cells, key="stablek_resolution")
    assert [t.get_text() for t in drawn.get_xticklabels()] == ["99.0", "9.0"]
    chosen = str(cells.uns["stablek_resolution"]["resolution"])
    clusters = cells.obs["stablek_resolution"].nunique()
    answer = f"resolution {chosen}: {clusters} clusters"
    assert drawn.get_title() == answer
    assert answer in [t.get_text() for t in drawn.get_legend().get_texts()]
    assert len(pl.sizes(cells).patches) == 3
    with pytest.raises(InputError, match="unknown column of obs"):
        pl.sizes(cells, key="leiden")
    with pytest.raises(InputError, match=r"run tl\.choose_k"):
        pl.curve(cells, key="leiden")


def test_categories_are_in_natural_order():
    made = categories(np.arange(1, 12))
    assert made.categories.tolist()[8:] == ["9", "10", "11"]


def test_a_resolution_takes_few_subsamples_and_shows_the_progress(cells, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "stablek.engine.progress.Lines.show",
        lambda self, what, done, total, more: seen.append((done, total)),
    )
    called = []

    def counted(values, width, rng):
        called.append(width)
        return halves(values, width, rng)

    tl.choose_resolution(cells, [9.0, 4.0], counted, jobs=1)
    # Every subsample, and all cells once.
    assert called.count(9.0) in (tl.REPEATS, tl.REPEATS + 1)
    assert tl.REPEATS == 50
    assert (tl.REPEATS, tl.REPEATS) in seen
    seen.clear()
    tl.choose_resolution(cells, [9.0, 4.0], halves, repeats=8, progress=False, jobs=1)
    assert not seen
