"""The commands that tell: measures, algorithms, explain, cite, datasets, doctor."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

from stablek import __version__
from stablek.cli import guarded
from stablek.cli.datasets import rows_of
from stablek.cli.explain import heading, parse_docstring
from stablek.datasets import Labelled, load
from stablek.io import read
from stablek.measures import MEASURES, settings_of
from stablek.measures.fixed_k import METHODS
from stablek.paradigm.cluster import ALGORITHMS
from stablek.paradigm.perturb.null import NULL_MODELS
from stablek.results.glossary import known_words


@pytest.fixture
def told(capsys):
    def run(*arguments, code=0):
        assert guarded(list(arguments)) == code
        out, err = capsys.readouterr()
        return err if code else out

    return run


def test_every_measure_is_listed_with_its_settings(told):
    found = json.loads(told("measures", "--json"))
    assert set(found) == set(MEASURES)
    for name, facts in found.items():
        assert facts["what"]
        assert not facts["what"].startswith("Return")
        assert set(facts["settings"]) == set(settings_of(name))
    lines = told("measures").splitlines()
    assert lines[0].split()[0] == "measure"
    assert any(line.startswith("fc ") and "=0.8, repeats, " in line for line in lines)


def test_every_algorithm_is_listed(told):
    found = json.loads(told("algorithms", "--json"))
    assert set(found) == set(ALGORITHMS)
    assert all(found.values())
    assert all(name in told("algorithms") for name in ALGORITHMS)


@pytest.mark.parametrize("name", [*MEASURES, *ALGORITHMS, *METHODS])
def test_everything_with_a_name_is_explained_and_says_when_to_use_it(told, name):
    text, found = told("explain", name), json.loads(told("explain", name, "--json"))
    assert text.startswith(heading(found))
    assert found["when to use"]
    assert found["when to use"] in text
    assert found["example"].split()[-1] == name
    assert ("steps" in found) == (name in MEASURES)
    if name in MEASURES:
        assert "cluster" in found["cost"]
        assert list(found["settings"]) == list(settings_of(name))


@pytest.mark.parametrize(
    "name", [*MEASURES, *ALGORITHMS, *METHODS, *NULL_MODELS, *known_words(), "strong"]
)
def test_an_explanation_does_not_stutter(told, name):
    first = told("explain", name).splitlines()[0]
    assert first.startswith((f"{name}: ", f"{name} ("))
    before, _, after = first.partition(": ")
    opening = after.lower().removeprefix("the ").replace(" ", "-")
    assert not opening.startswith((f"{name.lower()}:", f"{name.lower()}-is"))
    assert before.count("(") <= 1
    assert len(after) > 10


def test_a_word_with_several_meanings_has_them_all(told):
    out = told("explain", "graph").splitlines()
    assert out[0].startswith("graph (member of the panel of a verdict): How often")
    assert any(line.startswith("null model: ") for line in out)
    assert any(line.startswith("column of table.tsv: ") for line in out)
    assert "null model)" in told("explain", "ps")


def test_the_cost_of_a_measure_counts_its_null_sets(told):
    assert "null sets" in json.loads(told("explain", "gap-pc", "--json"))["cost"]
    assert "null sets" not in json.loads(told("explain", "fc", "--json"))["cost"]
    assert "starts" in json.loads(told("explain", "wcss", "--json"))["cost"]
    assert "2 samples" in json.loads(told("explain", "me", "--json"))["cost"]


def test_a_docstring_is_cut_at_its_headings():
    doc = "Do it.\n\nMore\nof it.\n\nNotes\n-----\nOne.\n\nReferences\n----------\nTwo."
    assert parse_docstring(doc) == (
        "Do it.", "More\nof it.", {"Notes": "One.", "References": "Two."}
    )  # fmt: skip
    assert parse_docstring("Do it.") == ("Do it.", "", {})


@pytest.mark.parametrize("command", ["explain", "cite"])
def test_a_mistyped_name_gets_the_nearest(told, command):
    assert "did you mean 'consensus'?" in told(command, "consensu", code=2)


def test_citations_are_bibtex_or_lines(told):
    both = told("cite", "fc", "hier-a")
    assert both.count("@") >= 2
    assert told("cite", "fc") in both or told("cite", "fc").split("\n")[0] in both
    assert "utro2011" in told("cite")
    assert "@" not in told("cite", "fc", "--text")


def test_data_sets_say_whether_they_are_here(told, tmp_path):
    found = json.loads(told("datasets", "--json", "--data", str(tmp_path)))
    assert {entry["present"] for entry in found} == {True, False}
    text = told("datasets", "--data", str(tmp_path))
    assert all(entry["name"] in text for entry in found)


@pytest.mark.parametrize(
    ("name", "n", "k"), [("iris", 150, 3), ("gaussian5-2", 250, 5)]
)
def test_a_data_set_is_written_as_a_table_that_is_read(
    told, tmp_path, monkeypatch, name, n, k
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STABLEK_DATA", raising=False)
    assert f"stablek verdict {name}.tsv --labels class" in told("datasets", name)
    made, known = read(f"{name}.tsv", labels="class"), load(name)
    assert made.n == n
    assert len(set(made.classes)) == k
    np.testing.assert_array_equal(made.values, known.values)
    assert "already exists; name another" in told("datasets", name, code=2)
    assert "stablek datasets iris" in told("verdict", "iris", code=2)
    told("datasets", name, "-o", "other.tsv", "--seed", "1")
    same = Path("other.tsv").read_bytes() == Path(f"{name}.tsv").read_bytes()
    assert same == (name == "iris")  # no draw made the flowers


def test_a_missing_value_is_an_empty_cell():
    made = Labelled(np.array([[1.5, np.nan]]), ("a",), ("x", "y"), ("c",), 1, "one")
    assert rows_of(made) == [["id", "class", "x", "y"], ["a", "c", "1.5", ""]]


def test_settings_are_listed_as_they_are_typed(told):
    (line,) = (one for one in told("measures").splitlines() if one.startswith("clest "))
    assert "training=0.667" in line
    assert line.endswith("fast=false")
    assert "None" not in told("measures")
    lines = [line.split() for line in told("explain", "fc").splitlines()]
    assert ["rule", "settles"] in lines
    assert ["repeats", "-"] in lines


def test_inspect_runs_no_algorithm(told):
    assert "algorithm" not in told("inspect", "--help")


def test_the_doctor_tells_versions_and_what_is_not_installed(told, monkeypatch):
    packages = {"numpy": "stablek", "no-such-package": "'stablek[x]'"}
    monkeypatch.setattr("stablek.cli.doctor.PACKAGES", packages)
    lines = {line.split()[0]: line for line in told("doctor").splitlines() if line}
    assert __version__ in lines["stablek"]
    wanted = "not installed: pip install 'stablek[x]'"
    assert lines["no-such-package"].endswith(wanted)
    assert lines["temporary"].endswith(f"{tempfile.gettempdir()}, writable")
    assert int(lines["cores"].split()[-1]) >= 1


def test_the_doctor_says_what_is_not_as_it_should_be(told, monkeypatch):
    monkeypatch.setattr("stablek.kernels.helper.are_compiled", lambda: False)
    monkeypatch.setattr("stablek.cli.doctor.os.access", lambda *_: False)
    lines = told("doctor").splitlines()
    assert lines[-1].endswith("not writable")
    assert any("not compiled yet: the first run takes" in line for line in lines)


def test_the_doctor_looks_for_every_package_that_a_format_needs(told):
    found = {line.split()[0] for line in told("doctor").splitlines()}
    assert {"openpyxl", "h5py", "pyarrow", "anndata"} <= found


GROUPS = "id,a,b,kind\n" + "".join(
    f"s{i},{i % 3 * 9 + i / 50},{i % 3 * 5 + i * i % 7 / 9},{'xyz'[i % 3]}\n"
    for i in range(24)
)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(GROUPS)
    return "x.csv"


def test_a_partition_is_held_against_chance(told, table):
    some = ("--null-sets", "19", "-q", "-j", "1")
    found = json.loads(
        told("significance", table, "--drop", "kind", "-k", "3", "--json", *some)
    )
    assert found["p"] == pytest.approx(0.05)
    mine = told("significance", table, "--labels", "kind", *some)
    assert mine.startswith("p = 0.05\n")
    assert "on null sets" in mine
    err = told("significance", table, "--drop", "kind", *some, code=2)
    assert "give -k K" in err


def test_a_composed_measure_takes_its_steps_from_options(told, table):
    more = ("-k", "2:4", "--repeats", "8", "--json", "-q", "-j", "1", "--drop", "kind")
    found = json.loads(
        told("run", table, "--perturb", "bootstrap", "--synopsis", "pac", *more)
    )
    assert found["k_star"] == 3
    err = told("run", table, "-m", "fc", "--perturb", "bootstrap", *more, code=2)
    assert "-m fc is a whole measure, --perturb a step" in err


def test_the_words_of_a_verdict_are_explained(told):
    from stablek.panel import choice, gate, strength
    from stablek.panel.members import MEMBERS
    from stablek.panel.null_sets import MODELS

    out = told("explain", "verdict")
    assert out.startswith("verdict: ")
    found = json.loads(told("explain", "verdict", "--json"))
    assert list(found["panel"]) == [member.name for member in MEMBERS]
    for member in MEMBERS:
        assert member.looks_at in found["panel"][member.name]
        assert f"  {member.name:<13} {found['panel'][member.name]}" in out
    for model in MODELS:
        assert model.name in found["gate"]["null models"]
    assert f"p <= {gate.LEVEL:g}" in out
    for term, weight in choice.COEFFICIENTS.items():
        assert f"  {term:<13} {weight:g}\n" in out
    for word, record in strength.RECORDS.items():
        assert f"of {record.sets} labelled" in found["strengths"][word]
    for stage in ("preparation", "levels"):
        assert f"\n{stage}:\n" in out


def test_a_stage_of_a_verdict_is_explained_with_its_lines(told):
    whole = json.loads(told("explain", "verdict", "--json"))
    kinds = {"strength": "strengths", "level": "levels", "gate": "gate"}
    for word, stage in kinds.items():
        found = json.loads(told("explain", word, "--json"))
        assert found[stage] == whole[stage]
        assert found["title"]
    assert "a weight of at least 0.7" in told("explain", "strength")


def test_what_a_verdict_says_of_itself_follows_its_constants(monkeypatch):
    from stablek.panel import choice, description, gate, strength

    monkeypatch.setattr(gate, "LEVEL", 0.007)
    monkeypatch.setitem(choice.COEFFICIENTS, "graph", 9.25)
    monkeypatch.setattr(strength, "STRONG", 0.77)
    made = description.stages()
    assert made["gate"]["evidence"].startswith("p <= 0.007,")
    assert made["coefficients"]["graph"] == "9.25"
    assert "0.77" in made["strengths"]["strong"]


def test_without_its_distribution_bench_says_in_one_line_how_to_get_it(
    told, monkeypatch
):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    for arguments in (["bench"], ["bench", "trust", "--sets", "1"]):
        (line,) = told(*arguments, code=2).splitlines()
        assert "pip install ./bench" in line
