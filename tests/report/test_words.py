"""Citations and explanations cover the registries."""

import html
import json
import re
from pathlib import Path

import pytest
from report_data import mixture

from stablek.cli import guarded
from stablek.cli.explain import explain, parse_docstring
from stablek.cli.words import repeatable
from stablek.errors import InputError
from stablek.measures import MEASURES
from stablek.measures.fixed_k import METHODS
from stablek.measures.references import all_entries, bibtex, entries_for, keys_by_name
from stablek.paradigm.cluster import ALGORITHMS
from stablek.paradigm.indices import INDICES


@pytest.mark.parametrize("name", sorted({*MEASURES, *ALGORITHMS}))
def test_every_measure_and_algorithm_is_explained_from_its_docstring(name):
    found = explain(name)
    assert found["title"]
    assert found["example"].startswith("stablek run DATA")
    assert name in ALGORITHMS or found["cost"]


def test_what_the_thesis_names_can_be_cited_and_has_advice():
    for name in (*MEASURES, *ALGORITHMS, *INDICES, *METHODS):
        assert entries_for([name], strict=True), name


def test_every_entry_is_used_and_every_key_exists():
    used = {key for keys in keys_by_name().values() for key in keys}
    assert used == set(all_entries())
    for key, entry in all_entries().items():
        assert {"author", "title", "year"} <= set(entry.fields), key
        assert f"({entry.fields['year']})" in entry.text()


def test_bibtex_is_balanced_and_each_entry_stands_once():
    text = bibtex(["fc", "consensus", "hier-a"])
    assert text.count("{") == text.count("}")
    keys = re.findall(r"@\w+\{(\w+),", text)
    assert len(keys) == len(set(keys))


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'fc'"):
        bibtex(["fcc"])


def test_a_docstring_is_parsed_into_its_sections():
    doc = "Return X: y.\n\nBody\nof it.\n\nReferences\n----------\nA (2000).\n"
    assert parse_docstring(doc) == (
        "Return X: y.",
        "Body\nof it.",
        {"References": "A (2000)."},
    )


def test_the_command_line_explains_and_cites(capsys):
    assert guarded(["explain", "fc"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("fc (fast consensus): ")
    assert "250 to 4,000 repeats; each clusters one sample that all k share" in shown
    assert guarded(["explain", "fc", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "fc"
    assert guarded(["cite", "fc", "hier-a"]) == 0
    assert "@article{giancarlo2011," in capsys.readouterr().out
    assert guarded(["cite"]) == 0
    assert "utro2011" in capsys.readouterr().out
    assert guarded(["cite", "fcc"]) == 2


def told(folder: Path) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


def test_a_result_alone_gives_curves_and_tables(fc, tmp_path, capsys):
    fc.to_json(tmp_path / "result.json")
    assert guarded(["report", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert shown.out.strip() == str(tmp_path / "report.html")
    assert "curves and tables only" in shown.err
    assert "The numbers, one row per k" in told(tmp_path)
    assert guarded(["report", str(tmp_path / "result.json"), "-q"]) == 0


@pytest.fixture
def filled(tmp_path, monkeypatch) -> Path:
    """Return a folder that a run has filled, with its report."""
    data = mixture()
    rows = ["id,a,b,c"]
    for name, row in zip(data.ids, data.values, strict=True):
        rows.append(",".join([name, *(repr(float(v)) for v in row)]))
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = ["run", "data.csv", "-k", "2:5", "--repeats", "20", "-o", "out", "-q"]
    monkeypatch.setattr("sys.argv", ["stablek", *words])
    assert guarded(words) == 0
    monkeypatch.setattr("sys.argv", ["stablek", "report", "out"])
    return tmp_path / "out"


def test_a_run_writes_its_report_and_it_can_be_drawn_again(filled, capsys):
    first = told(filled)
    assert "Consensus matrix" in first
    (filled / "report.html").unlink()
    capsys.readouterr()
    assert guarded(["report", "out"]) == 0
    assert capsys.readouterr().out.strip() == str(filled / "report.html")
    assert told(filled) == first
    assert guarded(["report", "out", "--anonymous", "-o", "anonymous.html"]) == 0
    page = (filled.parent / "anonymous.html").read_text(encoding="utf-8")
    assert "item-7" not in page
    assert "Consensus matrix" in page
    assert told(filled) == first


def code_of(folder: Path, name: str = "report.html") -> str:
    page = html.unescape((folder / name).read_text(encoding="utf-8"))
    return page.partition("On the command line")[2].partition("In Python")[0]


def test_the_page_of_a_command_tells_that_command(filled, capsys, monkeypatch):
    command = "stablek run data.csv -k 2:5 --repeats 20<"
    assert command in code_of(filled)
    assert guarded(["report", "out", "-o", "again.html"]) == 0
    assert command in code_of(filled.parent, "again.html")
    (filled.parent / "data.csv").unlink()
    assert guarded(["report", "out", "-o", "tables.html"]) == 0
    assert command in code_of(filled.parent, "tables.html")
    (filled / "run.json").write_text('{"arguments": 7}', encoding="utf-8")
    assert guarded(["report", "out", "-o", "lost.html"]) == 0
    assert "stablek run data -m fc" in code_of(filled.parent, "lost.html")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("verdict genes.tsv --transpose -o genes", "verdict genes.tsv --transpose"),
        ("run - -k2:5 -j 2 --out=x --jobs=3 -vq", "run - -k2:5"),
        ("run x -oout --restart --seed -1 --json", "run x --seed -1"),
        ("run /a/x.tsv --labels-file=/a/b.tsv --delimiter=/",
         "run x.tsv --labels-file=b.tsv --delimiter=/"),
        ("compare --backend dask --scheduler tcp://h:1 -- -o", "compare -- -o"),
    ],
)  # fmt: skip
def test_only_what_changes_no_result_is_left_out_of_a_command(given, kept):
    assert repeatable(given.split()) == kept.split()


def test_a_full_report_is_not_replaced_by_a_lesser_one(filled, capsys):
    first = told(filled)
    (filled.parent / "data.csv").unlink()
    assert guarded(["report", "out"]) == 0
    shown = capsys.readouterr()
    assert shown.out.strip() == str(filled / "report-tables.html")
    assert "data.csv" in shown.err
    assert told(filled) == first


def test_a_moved_folder_or_a_module_in_it_runs_nothing(filled, capsys):
    moved = filled.rename(filled.parent / "moved")
    assert guarded(["report", str(moved), "-o", "page.html"]) == 0
    assert "was moved" in capsys.readouterr().err
    words = {
        "arguments": ["run", "os:getcwd", "-o", "moved"],
        "folder": str(filled.parent),
    }
    (moved / "run.json").write_text(json.dumps(words), encoding="utf-8")
    assert guarded(["report", str(moved), "-o", "page.html"]) == 0
    assert "module of your own" in capsys.readouterr().err


def test_a_folder_without_results_is_refused_with_the_remedy(tmp_path, capsys):
    assert guarded(["report", str(tmp_path)]) == 2
    assert "stablek run DATA -o" in capsys.readouterr().err
