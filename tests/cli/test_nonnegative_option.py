"""--nonnegative: negative data are refused, or changed in the way that was named."""

import json

import numpy as np
import pytest

from stablek.cli import guarded
from stablek.cli.options import full_algorithm_name


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(24, 5)) + np.repeat(np.eye(3), 8, axis=0) @ (
        6 * rng.normal(size=(3, 5))
    )
    path = tmp_path / "x.csv"
    np.savetxt(path, x, delimiter=",")
    return str(path)


def test_the_remedy_becomes_part_of_the_name_of_an_nmf_algorithm_only():
    assert full_algorithm_name("nmf-a", "fold") == "nmf-a+fold"
    assert full_algorithm_name("nmf-a", None) == "nmf-a"
    assert full_algorithm_name("hier-a", "fold") == "hier-a"


def test_without_a_name_the_default_follows_distances_and_preset():
    assert full_algorithm_name(None, None) == "kmeans-w"
    assert full_algorithm_name(None, "fold", "correlation") == "hier-a"
    assert full_algorithm_name(None, None, preset="thesis") == "hier-a"


def test_negative_data_are_an_error_that_names_both_remedies(table, capsys):
    code = guarded(["run", table, "--no-header", "-a", "nmf-a", "-k", "2:4", "-q"])
    assert code == 2
    error = capsys.readouterr().err
    assert "--nonnegative shift" in error
    assert "--nonnegative fold" in error


@pytest.mark.parametrize("remedy", ["shift", "fold"])
def test_with_a_remedy_it_runs_and_the_result_says_so(table, capsys, remedy):
    words = f"--no-header -a nmf-a --nonnegative {remedy} -k 2:4 --repeats 10 --json -q"
    code = guarded(["run", table, *words.split()])
    assert code == 0
    assert json.loads(capsys.readouterr().out)["algorithm"] == f"nmf-a+{remedy}"
