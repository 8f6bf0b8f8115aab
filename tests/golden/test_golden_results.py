"""Golden results: what `stablek run --json` prints for every measure, kept.

A change must be named under "Changed numbers" in CHANGELOG.md; then
``STABLEK_WRITE_GOLDEN=1 pytest tests/golden/test_golden_results.py`` writes the file
anew. Numbers agree to 1e-9, relative, on every platform; k and candidates exactly.
"""

import json
import os
from pathlib import Path

import pytest

from stablek.cli import guarded
from stablek.datasets.simulated import demo
from stablek.measures import MEASURES, settings_of
from stablek.results.result import Result

HERE = Path(__file__).parent
KEPT = HERE / "results.json"
SMALL = {"repeats": 20, "null_sets": 5}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    made = demo(0)
    path = tmp_path_factory.mktemp("golden") / "demo.csv"
    rows = [["id", *made.facts["columns"][:12]]]
    for name, row in zip(made.facts["ids"][:60], made.values, strict=False):
        rows.append([name, *map(repr, row[:12].tolist())])
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    return path


def printed(table, measure, capsys):
    known = settings_of(measure)
    sets = [f"{n}={v}" for n, v in SMALL.items() if n in known]
    more = [text for one in sets for text in ("--set", one)]
    algorithm = "nmf-r" if measure == "brunet" else "kmeans-a"
    arguments = ["-m", measure, "-a", algorithm, "-k", "2:5", "--json", "-q"]
    code = guarded(["run", str(table), *arguments, *more])
    out, err = capsys.readouterr()
    assert code == 0, err
    found = json.loads(out)
    assert found["rule"]
    names = ("k_star", "candidates", "algorithm", "ks", "main")
    return {name: found[name] for name in names} | {"curve": found[found["main"]]}


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_the_numbers_are_those_that_were_kept(table, measure, capsys):
    found = printed(table, measure, capsys)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    if os.environ.get("STABLEK_WRITE_GOLDEN") == "1":
        kept[measure] = found
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    expected = dict(kept[measure])
    found = dict(found)
    curve, before = found.pop("curve"), expected.pop("curve")
    assert found == expected
    missing = [value is None for value in before]
    assert [value is None for value in curve] == missing
    numbers = [v for v in curve if v is not None]
    assert numbers == pytest.approx([v for v in before if v is not None], rel=1e-9)


def test_the_golden_results_are_those_of_the_registry():
    assert sorted(json.loads(KEPT.read_text())) == sorted(MEASURES)


@pytest.mark.parametrize("file", sorted(HERE.glob("result-schema-*.json")))
def test_a_result_of_every_schema_still_opens(file):
    result = Result.from_json(file)
    assert result.k_star == 3
    assert result.sentence
    assert len(result.table) == len(result.ks)
    again, before = json.loads(result.to_json()), json.loads(file.read_text())
    if before["schema"] == 1:  # clusters were numbered from 0
        before["labels"] = [label + 1 for label in before["labels"]]
        before["schema"] = again["schema"]
    assert again == before
