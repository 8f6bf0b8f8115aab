"""Finished cells as text: what is written is read again, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from stablek.errors import InputError
from stablek.version import __version__
from stablek_bench.cells import read_cells, write_cells
from stablek_bench.command import command
from stablek_bench.grid import Recipe, choose, fast
from stablek_bench.store import Answer, Store

GAP, FC = choose("gap-ps", "Hier-A"), fast("Hier-A", None)


@pytest.fixture
def store() -> Store:
    store = Store()
    facts = {"ks": [1, 2, 3], "curve": [0.1, 0.2, 0.3], "outcomes": {"2": 13, "3": 7}}
    store.put("Leukemia", "abc", {GAP: Answer(2, 1.23456, 2, facts=facts)})
    for seed in range(2):
        facts = {"ks": [2, 3], "repeats": 500, "columns": {"pac": [0.1, 0.2]}}
        answer = Answer(3, 0.5 + seed, 1, 0.25, facts)
        store.put("Leukemia", "abc", {FC: answer}, seed)
    return store


def test_cells_come_back_without_their_curves(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "cells.jsonl"
    assert write_cells(store, file) == 2
    other = Store()
    assert read_cells(file, other) == []
    facts = {"ks": [1, 2, 3], "outcomes": {"2": 13, "3": 7}}
    assert other.get(GAP, "Leukemia", "abc") == Answer(2, 1.23, 2, facts=facts)
    facts = {"ks": [2, 3], "repeats": 500}
    assert other.get(FC, "Leukemia", "abc", 1) == Answer(3, 1.5, 1, 0.25, facts)
    assert other.get(FC, "Leukemia", "another digest", 1) is None
    again = tmp_path / "again.jsonl"
    write_cells(other, again)
    assert again.read_bytes() == file.read_bytes()


def test_cells_that_no_table_has_any_more_are_not_written(tmp_path: Path) -> None:
    store, file = Store(), tmp_path / "cells.jsonl"
    store.put(
        "Leukemia", "abc", {Recipe("similarity", "fc", "hier-a"): Answer(3, 1, 1)}
    )
    assert write_cells(store, file) == 0


def test_what_a_store_has_stays(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "cells.jsonl"
    write_cells(store, file)
    read_cells(file, store)
    found = store.get(GAP, "Leukemia", "abc")
    assert found is not None
    assert "curve" in (found.facts or {})


def test_other_versions_and_damaged_lines_are_not_read(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "cells.jsonl"
    write_cells(store, file)
    first, second = file.read_text().splitlines()
    assert json.loads(first)["stablek"] == __version__
    older = first.replace(f'"stablek":"{__version__}"', '"stablek":"0.0.1"')
    file.write_text(f"{older}\n{second[:40]}\n{second.replace('Leuk', 'leuk')}\n")
    other = Store()
    notes = read_cells(file, other)
    assert [note[:2] for note in notes] == ["2 ", "1 "]
    assert other.everything() == {}


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl"):
        read_cells(tmp_path / "none.jsonl", Store())


def test_the_page_is_written_from_cells(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "cells.jsonl"
    write_cells(store, file)
    asked = ["page", "--data", str(tmp_path)]
    shown = CliRunner().invoke(command, [*asked, "--cells", str(file)])
    assert shown.exit_code == 0, shown.output
    assert "What was run" in shown.stdout
    assert CliRunner().invoke(command, asked).exit_code == 2


def test_the_cells_kept_with_the_code_are_whole() -> None:
    file = Path(__file__).parents[1] / "cells" / "thesis.jsonl"
    notes = read_cells(file, Store())
    assert not [note for note in notes if "damaged" in note]
