"""Which data the thesis clustered: printed indices as fingerprints."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.data import from_arrays
from stablek_bench import fingerprints, similarity
from stablek_bench.command import command
from stablek_bench.fingerprints import Fingerprint, match
from stablek_bench.preparations import OF_ALL_GENES, PREPARATIONS, golub, named
from stablek_bench.sources import SOURCES, load_source

NOVARTIS = replace(SOURCES["Novartis"], preparation="as stored")
CLASSES = np.repeat(["a", "b", "c"], 10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a toy Novartis: classes that show once every item is standardised."""
    rng = np.random.default_rng(1)
    shape = np.repeat(np.eye(3, 12) + np.eye(3, 12, 3), 10, axis=0)
    values = shape + rng.normal(scale=0.15, size=(30, 12))
    values = 10 * values * rng.uniform(1, 40, size=(30, 1))
    with gzip.open(tmp_path / "novartis.tsv.gz", "wt") as file:
        file.write("\t".join(["id", *(f"g{j}" for j in range(12))]) + "\n")
        for i, row in enumerate(values):
            file.write("\t".join([f"s{i}", *(f"{v:.6f}" for v in row)]) + "\n")
    lines = [f"s{i}\t{c}" for i, c in enumerate(CLASSES)]
    (tmp_path / "novartis.labels.tsv").write_text("\n".join(["id\tclass", *lines, ""]))
    return tmp_path


@pytest.fixture
def thesis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print a thesis that found the classes by average link at k = 3."""
    cells = {
        ("Consensus-H250p80Monti", "Hier-A", "Novartis"): "3 - 4",
        ("ConsensusEuclideanMonti", "Hier-A", "Novartis"): "0.999999",
        ("simmConsensuns250-80-Monti", "Hier-A", "Novartis"): "1.000000",
    }
    for module in (fingerprints, similarity):
        monkeypatch.setattr(module, "printed", lambda: cells)


@pytest.mark.usefixtures("thesis")
def test_the_preparation_that_the_thesis_used_matches_and_another_does_not(
    folder: Path,
) -> None:
    loaded = load_source(NOVARTIS, str(folder))
    assert loaded is not None
    found, other = (match(loaded, p) for p in ("items standardised", "as stored"))
    assert found is not None
    assert other is not None
    assert [(f.value, f.tables) for f in found.matched] == [
        ("1.000000", ("simmConsensuns250-80-Monti",)),
        ("0.999999", ("ConsensusEuclideanMonti",)),
    ]
    assert (len(other.matched), other.of) == (0, 2)


@pytest.mark.usefixtures("thesis")
def test_the_table_has_a_row_for_every_preparation(folder: Path) -> None:
    # One worker: processes of their own would not know the thesis that is printed here.
    asked = ["table", "fingerprints", "--data", str(folder), "-qj1", "--dataset"]
    done = CliRunner().invoke(command, [*asked, "Novartis"])
    assert done.exit_code == 0, done.output
    (line,) = [one for one in done.output.splitlines() if one.startswith("items stand")]
    assert line.split()[2:] == ["-", "-", "-", "-", "-", "2", "-", "-"]
    done = CliRunner().invoke(command, [*asked, "Novartes"])
    assert "did you mean 'Novartis'" in str(done.exception)


@pytest.mark.usefixtures("thesis")
def test_sets_without_gold_classes_have_no_fingerprints(folder: Path) -> None:
    loaded = load_source(NOVARTIS, str(folder))
    assert loaded is not None
    assert match(replace(loaded, labels_are_gold=False), "as stored") is None


@pytest.mark.parametrize(
    ("value", "apart"),
    [("0.641611", 1.001e-6), ("0.16992", 1.001e-5), ("-7.88788e-4", 1e-6)],
)
def test_a_match_is_one_unit_of_the_last_digit_but_no_less_than_1e_6(
    value: str, apart: float
) -> None:
    one = Fingerprint("St.Jude", "Hier-A", value, ())
    assert one.tolerance == pytest.approx(apart, rel=1e-9)


def test_the_printed_tables_hold_thirteen_for_novartis_and_st_jude() -> None:
    counts = {name: len(fingerprints.fingerprints(name)) for name in SOURCES}
    assert counts["Novartis"] + counts["St.Jude"] == 13
    assert counts["Leukemia"] == 5
    assert counts["PBM"] == 3
    assert {source.preparation for source in SOURCES.values()} <= {
        *PREPARATIONS,
        *OF_ALL_GENES,
    }


def test_golub_keeps_genes_that_vary_and_of_these_the_most_variable() -> None:
    rng = np.random.default_rng(2)
    steady = rng.uniform(1000, 2000, size=(12, 3))  # less than fivefold
    small = np.tile([[50.0], [590.0]], (6, 2))  # 100 to 590: a range below 500
    wide = 10 ** rng.uniform(1.5, 4.5, size=(12, 120))
    data = from_arrays(np.hstack([steady, small, wide]))
    kept = golub(data)
    logs = np.log10(np.clip(wide, 100, 16_000))
    best = np.sort(np.argsort(-logs.var(axis=0), kind="stable")[:100])
    np.testing.assert_allclose(kept.values, logs[:, best], rtol=1e-12)


def test_items_by_median_and_by_length() -> None:
    data = from_arrays([[1.0, 2.0, 4.0], [3.0, 3.0, 9.0], [0.0, 0.0, 0.0]])
    middle = named("items by their median")(data).values
    np.testing.assert_allclose(middle, [[-1, 0, 2], [0, 0, 6], [0, 0, 0]])
    length = np.linalg.norm(named("items of length one")(data).values, axis=1)
    np.testing.assert_allclose(length, [1, 1, 0])


def test_another_file_is_taken_as_it_is_stored(folder: Path) -> None:
    from stablek_bench.sources import chosen

    other = chosen({"Leukemia": "novartis"})["Leukemia"]
    loaded = load_source(other, str(folder))
    assert loaded is not None
    assert loaded.data.m == 12
