"""What report reads: embeddings, and verdicts in their folder."""

import numpy as np
import pytest

import stablek
from stablek.cli.report import read_results
from stablek.cli.report_path import read_embedding
from stablek.data import from_arrays
from stablek.errors import InputError

X = np.random.default_rng(0).normal(size=(20, 3))


def test_an_embedding_of_another_length_is_refused_with_its_name(tmp_path):
    file = tmp_path / "plane.csv"
    file.write_text("a,b\n1,2\n3,4\n5,6\n")
    with pytest.raises(InputError, match=r"--embedding .*plane.csv: "):
        read_embedding(str(file), "x.csv", from_arrays(X), {})


def test_a_verdict_is_read_from_its_folder(tmp_path):
    rng = np.random.default_rng(0)
    values = 9.0 * np.eye(3)[np.arange(42) % 3] + rng.normal(size=(42, 3))
    found = stablek.verdict(
        values, range(2, 5), repeats=10, null_sets=19, level=0.06, jobs=1
    )
    (tmp_path / "verdict.json").write_text(found.to_json())
    results, judged = read_results(tmp_path)
    assert results == []
    assert judged.to_json() == found.to_json()
