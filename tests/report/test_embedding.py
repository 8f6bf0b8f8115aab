"""A plane of the user's own in the place of principal components."""

import anndata
import numpy as np
import pandas as pd
import pytest
from report_data import mixture

from stablek.api.choose_k import choose_k
from stablek.cli import guarded
from stablek.errors import InputError
from stablek.report import render
from stablek.report.charts.embed import embedding_of


@pytest.fixture(scope="module")
def result():
    return choose_k(mixture(40), "fc", "hier-a", range(2, 5), repeats=10)


def plane(n, seed=3):
    return np.random.default_rng(seed).normal(size=(n, 2))


def test_the_axes_of_the_page_are_those_of_the_embedding(result):
    frame = pd.DataFrame(
        plane(40), columns=["UMAP1", "UMAP2"], index=[f"item-{i}" for i in range(40)]
    )
    text = render(result, embedding=frame)
    assert "UMAP1" in text
    assert "UMAP2" in text
    assert "PC 1" not in text
    assert "The items in the embedding you gave" in text


def test_ids_decide_where_both_have_them():
    points = plane(5)
    ids = ["a", "b", "c", "d", "e"]
    turned = pd.DataFrame(points[::-1], index=ids[::-1], columns=["u", "v"])
    found = embedding_of(turned, 5, ids)
    np.testing.assert_array_equal(found.points, points)
    assert found.axes == ("u", "v")


def test_without_ids_the_order_decides_and_further_columns_are_left_out():
    points = np.random.default_rng(0).normal(size=(5, 4))
    found = embedding_of(points, 5, ["a", "b", "c", "d", "e"])
    np.testing.assert_array_equal(found.points, points[:, :2])
    np.testing.assert_array_equal(
        embedding_of(pd.DataFrame(points), 5).points, points[:, :2]
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros((4, 2)), "4 rows for 5 items"),
        (np.zeros(5), "two columns"),
        (np.full((5, 2), np.nan), "not finite"),
        (pd.DataFrame(np.zeros((5, 2)), index=list("abcdx")), "1 of 5 items .* 'e'"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(given, words):
    with pytest.raises(InputError, match=words):
        embedding_of(given, 5, list("abcde"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = mixture(40)
    rows = [["id", "x", "y"], *([i, *map(repr, r)] for i, r in
            zip(data.ids, data.values[:, :2].tolist(), strict=True))]  # fmt: skip
    text = "\n".join(",".join(row) for row in rows)
    (tmp_path / "data.csv").write_text(text + "\n")
    shown = [["id", "tSNE-1", "tSNE-2"]]
    shown += [[i, repr(a), repr(b)] for i, (a, b) in
              zip(data.ids[::-1], plane(40).tolist(), strict=True)]  # fmt: skip
    (tmp_path / "tsne.csv").write_text("\n".join(",".join(r) for r in shown) + "\n")
    return tmp_path


QUICK = ["-k", "2:4", "--set", "repeats=8", "--jobs", "1", "--quiet"]


def test_every_command_that_writes_a_page_takes_it(folder, monkeypatch, capsys):
    for command, more in (("run", QUICK), ("compare", [*QUICK, "-m", "fc"])):
        given = [command, "data.csv", "--embedding", "tsne.csv", "-o", command, *more]
        monkeypatch.setattr("sys.argv", ["stablek", *given])
        assert guarded(given) == 0
        text = (folder / command / "report.html").read_text()
        assert "tSNE-1" in text
        assert "PC 1" not in text
    assert guarded(["report", "run", "--title", "again", "--quiet"]) == 0
    assert "tSNE-1" in (folder / "run" / "report.html").read_text()
    assert guarded(["run", "data.csv", "-o", "plain", *QUICK]) == 0
    assert "PC 1" in (folder / "plain" / "report.html").read_text()
    capsys.readouterr()


def test_a_page_can_be_redrawn_in_another_plane(folder, monkeypatch, capsys):
    given = ["run", "data.csv", "-o", "out", *QUICK]
    monkeypatch.setattr("sys.argv", ["stablek", *given])
    assert guarded(given) == 0
    result = (folder / "out" / "result.json").read_bytes()
    assert guarded(["report", "out", "--embedding", "tsne.csv"]) == 0
    assert "tSNE-2" in (folder / "out" / "report.html").read_text()
    assert (folder / "out" / "result.json").read_bytes() == result
    assert "curves and tables only" not in capsys.readouterr().err


def test_a_representation_of_an_h5ad_is_named(folder, capsys):
    data = mixture(40)
    cells = anndata.AnnData(np.asarray(data.values, dtype=float))
    cells.obs_names = list(data.ids)
    cells.obsm["X_umap"] = plane(40)
    cells.write_h5ad(folder / "cells.h5ad")
    given = ["run", "cells.h5ad", "--embedding", "X_umap", "-o", "out", *QUICK]
    assert guarded(given) == 0
    assert "X_umap1" in (folder / "out" / "report.html").read_text()
    assert guarded(["run", "cells.h5ad", "--embedding", "X_umpa", *QUICK]) == 2
    assert "did you mean 'X_umap'" in capsys.readouterr().err


def test_a_name_that_is_nowhere_is_told_apart(folder, capsys):
    assert guarded(["run", "data.csv", "--embedding", "X_umap", *QUICK]) == 2
    assert "only an H5AD holds representations" in capsys.readouterr().err
    assert guarded(["run", "data.csv", "--embedding", "nope.csv", *QUICK]) == 2
    assert "there is no such file" in capsys.readouterr().err
