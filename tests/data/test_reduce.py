"""Reduction of columns: what PCA and NMF keep."""

import numpy as np
import pytest

from stablek.cli import guarded
from stablek.data import Dataset
from stablek.data.preparation import prepare
from stablek.data.reduction import nmf, pca
from stablek.errors import InputError


def make(n=30, m=8, seed=0):
    rng = np.random.default_rng(seed)
    return Dataset(rng.random((n, 3)) @ rng.random((3, m)) + 0.01 * rng.random((n, m)))


def distances(values):
    return np.sqrt(((values[:, None] - values[None]) ** 2).sum(axis=2))


@pytest.mark.parametrize(("n", "m"), [(30, 8), (6, 20)])
def test_all_components_keep_all_distances(n, m):
    data = make(n, m)
    reduced = pca(data, min(n - 1, m))
    assert np.allclose(distances(reduced.values), distances(data.values), atol=1e-9)


def test_components_are_scikit_learns_up_to_sign():
    from sklearn.decomposition import PCA

    data = make()
    theirs = PCA(3).fit(data.values)
    ours = pca(data, 3)
    assert np.allclose(
        np.abs(ours.values), np.abs(theirs.transform(data.values)), atol=1e-9
    )
    share = theirs.explained_variance_ratio_.sum()
    assert f"{share:.1%} of the variance" in ours.notes[-1]
    assert ours.columns == ("PC1", "PC2", "PC3")


def test_sign_of_an_axis_does_not_depend_on_the_order_of_the_items():
    data = make()
    turned = Dataset(data.values[::-1])
    assert np.allclose(pca(data, 2).values, pca(turned, 2).values[::-1], atol=1e-9)


def test_nmf_coefficients_rebuild_the_data_and_follow_from_the_seed():
    data = make()
    reduced = nmf(data, 3)
    assert reduced.values.shape == (30, 3)
    assert (reduced.values >= 0).all()
    assert np.array_equal(reduced.values, nmf(data, 3).values)
    fit = np.linalg.lstsq(reduced.values, data.values, rcond=None)[0]
    error = np.linalg.norm(data.values - reduced.values @ fit)
    assert error < 0.05 * np.linalg.norm(data.values)


def test_steps_are_named_on_the_command_line():
    data = prepare(make(), ["pca:2"])
    assert data.m == 2
    assert prepare(make(), ["nmf:2"]).columns == ("metagene1", "metagene2")


@pytest.mark.parametrize("step", ["pca:0", "pca:9", "nmf:9"])
def test_too_many_components_are_refused(step):
    with pytest.raises(InputError, match="components"):
        prepare(make(), [step])


def test_a_distance_matrix_is_refused():
    with pytest.raises(InputError, match="distance matrix"):
        pca(Dataset(1.0 - np.eye(5), precomputed=True), 2)


def test_negative_values_are_refused_with_a_step_that_takes_them():
    data = make()
    data = data.with_values(data.values - 1)
    with pytest.raises(InputError, match=r"nmf:2 needs values .* use pca:2"):
        prepare(data, ["nmf:2"])
    assert prepare(data, ["pca:2"]).m == 2


def test_no_command_advises_an_option_that_it_lacks(tmp_path, capsys):
    table = tmp_path / "x.csv"
    rows = ["abcdefgh", *(make().values - 1).astype(str)]
    table.write_text("".join(",".join(row) + "\n" for row in rows))
    assert guarded(["verdict", str(table), "--prepare", "nmf:2", "-q"]) == 2
    told = capsys.readouterr().err
    assert "pca:2" in told
    assert "--nonnegative" not in told
