"""A verdict in an AnnData object: trust per cell, tables, markers, figures."""

import anndata
import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import sparse

from stablek.errors import InputError
from stablek.integrations.anndata import pl, tl
from stablek.integrations.anndata.markers import as_scanpy

HOW = {"null_sets": 19, "level": 0.05, "ks": range(2, 6)}


@pytest.fixture(scope="module")
def cells():
    rng = np.random.default_rng(0)
    kind = np.arange(90) % 3
    counts = rng.normal(size=(90, 30))
    for c in range(3):
        counts[kind == c, c * 5 : c * 5 + 5] += 4
    adata = anndata.AnnData(sparse.csr_matrix(counts.astype(np.float32)))
    adata.var_names = [f"gene{j}" for j in range(30)]
    adata.obs_names = [f"cell{i}" for i in range(90)]
    adata.obs["kind"] = [f"k{c}" for c in kind]
    adata.obs["batch"] = [f"b{c}" for c in rng.integers(0, 2, 90)]
    adata.obs["leiden"] = [str(c * 2 + i % 2) for i, c in enumerate(kind)]
    left, spread, _ = np.linalg.svd(counts - counts.mean(0), full_matrices=False)
    adata.obsm["X_pca"] = (left * spread)[:, :6]
    tl.verdict(
        adata, labels="kind", annotations=["batch"], resolution_key="leiden", **HOW
    )
    return adata


def test_trust_per_cell_and_tables(cells):
    assert cells.obs["verdict"].cat.categories.tolist() == ["1", "2", "3"]
    assert cells.obs["verdict_consensus"].min() > 0.5
    assert not cells.obs["verdict_between"].any()
    held = cells.uns["verdict"]
    assert held["k"] == held["best_guess"] == 3
    assert len(held["clusters"]) == 3
    assert set(held["annotations"]["annotation"]) == {"batch", "your labels"}
    assert held["resolution_sentence"].startswith("'leiden' has 6 clusters")
    assert "100% of the cells" in held["resolution_sentence"]


def test_markers_are_genes_in_scanpy_s_form(cells):
    found = cells.uns["verdict_markers"]
    first = {str(found["names"][0][name]) for name in found["names"].dtype.names}
    assert {int(name[4:]) // 5 for name in first} == {0, 1, 2}
    assert found["params"]["groupby"] == "verdict"
    assert np.isnan(found["pvals"]["1"]).all()
    scores = found["scores"]["1"]
    assert (np.diff(scores) <= 0).all()


def test_scanpy_reads_them(cells):
    import scanpy as sc

    frame = sc.get.rank_genes_groups_df(cells, group="1", key="verdict_markers")
    assert frame["names"].iloc[0].startswith("gene")
    axes = sc.pl.rank_genes_groups_dotplot(
        cells, key="verdict_markers", n_genes=2, show=False, dendrogram=False
    )
    assert axes


def test_everything_survives_a_file(cells, tmp_path):
    cells.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert again.uns["verdict"]["sentence"] == cells.uns["verdict"]["sentence"]
    names = again.uns["verdict_markers"]["names"]
    assert str(names["1"][0]) == str(cells.uns["verdict_markers"]["names"]["1"][0])
    assert pl.verdict(again, ax=Figure().subplots()).has_data()


def test_figures_draw_on_the_axes_given(cells):
    for draw in (pl.verdict, pl.trust, pl.consensus):
        ax = Figure().subplots()
        assert draw(cells, ax=ax) is ax
        assert ax.has_data()
    assert pl.curve(cells, key="verdict").get_title().endswith(": k = 3")
    with pytest.raises(InputError, match="representation 'umap'"):
        pl.trust(cells, basis="umap")


def test_figures_say_what_is_lacking():
    empty = anndata.AnnData(np.ones((3, 2), dtype=np.float32))
    with pytest.raises(InputError, match=r"run tl\.verdict"):
        pl.trust(empty)
    with pytest.raises(InputError, match="up to 2,000"):
        pl.consensus(empty)


def test_a_column_that_is_not_there_is_named(cells):
    with pytest.raises(InputError, match="did you mean 'batch'"):
        tl.verdict(cells.copy(), annotations=["bath"], **HOW)


def test_no_markers_make_an_empty_form():
    assert len(as_scanpy((), "verdict")["names"]) == 0
