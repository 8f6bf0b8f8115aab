"""A note tells those who choose columns that nothing was scaled automatically."""

import json
from dataclasses import replace

import numpy as np
import pytest

from stablek.cli.verdict import left_undone
from stablek.data import Dataset
from stablek.data.adjustment import adjust
from stablek.data.annotations import annotation
from stablek.data.preparation import prepare

RNG = np.random.default_rng(5)
UNLIKE = Dataset(RNG.normal(10, 1, (40, 6)) * [1, 1, 2, 1, 10, 1000])
COUNTS = Dataset(RNG.poisson(RNG.pareto(1.0, (60, 1)) * RNG.pareto(1.0, 200)))
LEFT = "--prepare was given, so the columns were left on their own scales, although "


@pytest.fixture
def wide(tmp_path):
    """Return a file with columns on unlike scales."""
    file = tmp_path / "wide.csv"
    np.savetxt(file, UNLIKE.values, delimiter=",", header="a,b,c,d,e,f", comments="")
    return file


def test_the_note_names_the_step_that_standardises(call, wide):
    quick = ("--repeats", 10, "--null-sets", 4, "-k", "2:3")
    code, _, err = call("verdict", wide, *quick, "--prepare", "most-variable:4")
    assert code == 0
    (line,) = [line for line in err.splitlines() if line.startswith(LEFT)]
    assert "they are on very different scales" in line
    assert line.endswith("; to standardise them, add --prepare standardise-columns")
    step = ("--prepare", "most-variable:4", "--prepare", "standardise-columns")
    code, out, err = call("verdict", wide, *quick, *step, "--json")
    assert code == 0
    assert LEFT not in err
    assert not any(LEFT in note for note in json.loads(out)["notes"])


def test_quiet_leaves_the_note_in_the_answer_only(call, wide):
    words = ("--repeats", 10, "--null-sets", 4, "-k", "2:3", "--json", "--quiet")
    code, out, err = call("verdict", wide, *words, "--prepare", "most-variable:4")
    assert (code, err) == (0, "")
    assert any(note.startswith(LEFT) for note in json.loads(out)["notes"])


def test_counts_without_logarithms_are_noted_too():
    text = left_undone(prepare(COUNTS, ["most-variable:100"]), "euclidean")
    assert text.startswith(f"{LEFT}the values are counts")
    assert text.endswith("; to take logarithms, add --prepare equal-totals "
                         "--prepare log1p")  # fmt: skip


@pytest.mark.parametrize(
    "step", ["standardise-columns", "standardise-rows", "pca:3", "log2", "equal-totals"]
)
def test_who_changes_the_values_is_not_told_how_to(step):
    made = prepare(Dataset(np.abs(UNLIKE.values)), ["most-variable:5", step])
    assert left_undone(made, "euclidean") == ""


def test_like_columns_and_other_metrics_need_no_note():
    alike = prepare(Dataset(RNG.normal(size=(40, 6))), ["most-variable:4"])
    assert left_undone(alike, "euclidean") == ""
    assert left_undone(prepare(UNLIKE, ["most-variable:4"]), "correlation") == ""


def test_a_batch_that_is_removed_leaves_the_scales_as_they_are():
    made = prepare(UNLIKE, ["most-variable:4"])
    batch = annotation("batch", [f"b{i % 2}" for i in range(40)])
    made = adjust(replace(made, annotations=(batch,)), ["batch"])
    assert left_undone(made, "euclidean").startswith(LEFT)
