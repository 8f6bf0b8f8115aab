"""The command line, as a user types it."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from stablek.api.choose_k import choose_k
from stablek.cli import COMMANDS
from stablek.results.result import Result


def stablek(*arguments, cwd=None, env=None, stdin=None):
    """Run the command in a process of its own; return code, stdout, stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "stablek", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=stdin,
        timeout=240,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_run_prints_k_the_sentence_and_the_curve(table, call):
    code, out, _ = call("run", table, "--labels", "group", "-k", "2:6", "--repeats", 40)
    assert code == 0
    assert out.startswith("k* = 3\n3 clusters by fc with kmeans-w")
    assert "agreement with your labels (adjusted Rand index): 1.000; F 1.000" in out
    assert "*  3" in out


def test_json_is_one_object_on_stdout_and_nothing_else(table, call):
    code, out, _ = call(
        "run", table, "--drop", "group", "-k", "2:5", "--repeats", 20, "--json",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert found["k_star"] == 3
    assert {"rule", "measure", "algorithm", "ks", "seed", "versions", "seconds"} <= set(
        found
    )
    assert len(found["area"]) == len(found["ks"]) == 4


def test_the_results_go_into_a_folder_and_are_the_same_bytes_each_time(
    table, tmp_path, call
):
    for name in ("one", "two"):
        code, _, _ = call(
            "run", table, "--labels", "group", "-k", "2:5", "--repeats", 20, "-o",
            tmp_path / name, "-q",
        )  # fmt: skip
        assert code == 0
    for file in ("result.json", "curve.tsv", "labels.tsv"):
        first = (tmp_path / "one" / file).read_bytes()
        assert first == (tmp_path / "two" / file).read_bytes()
    result = Result.from_json(tmp_path / "one" / "result.json")
    assert result.k_star == 3
    assert result.to_json() == (tmp_path / "one" / "result.json").read_text()
    labels = (tmp_path / "one" / "labels.tsv").read_text().splitlines()
    assert labels[:2] == ["id\tcluster", "s0\t1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "fcc"], "unknown measure 'fcc'; did you mean 'fc'?"),
        (["-a", "heir-a"], "unknown algorithm 'heir-a'; did you mean 'hier-a'?"),
        (["-k", "9:2"], "'9:2' is reversed; write 2:9"),
        (["-k", "2-10"], "'2-10' is not a range; write e.g. 2:10"),
        (["-k", "2:40"], "the largest possible k is 23; use -k 2:23"),
        (["-k", "1:5"], "fc starts at k = 2"),
        (["--fraction", "1.5"], "fraction = 1.5 must lie between 0 and 1"),
        (["--repeats", "0"], "repeats = 0 must be at least 1"),
        (["-m", "wcss", "--fraction", "0.5"], "'wcss' has no setting 'fraction'"),
        (["--metric", "euclid"], "unknown metric 'euclid'; did you mean 'euclidean'?"),
        (["--backend", "treads"], "unknown backend 'treads'"),
        (["--set", "x"], "write --set name=value"),
        (["--set", "seed=3"], "write --seed 3"),
        (["--set", "repeats=0"], "repeats = 0 must be at least 1"),
        (["-m", "nowhere:thing"], "cannot import 'nowhere:thing'"),
    ],
)
def test_a_wrong_option_gets_a_message_and_exit_code_2(table, arguments, message, call):
    code, out, err = call("run", table, "--drop", "group", *arguments)
    assert code == 2
    assert message in err
    assert out == ""
    assert "Traceback" not in err


def test_text_in_a_numeric_column_is_named_with_its_place(table, call):
    code, out, err = call("run", table)
    assert code == 2
    assert "group" in err
    assert "g0" in err
    assert out == ""


def test_a_missing_file_is_exit_code_2(call):
    code, _, err = call("run", "no-such-file.tsv")
    assert code == 2
    assert "no-such-file.tsv" in err


def test_a_mistyped_command_gets_the_nearest_suggested(call):
    code, _, err = call("rnu")
    assert code == 2
    assert "did you mean 'run'?" in err


def test_all_rows_equal_is_an_answer_and_exit_code_0(tmp_path, call):
    path = tmp_path / "same.csv"
    path.write_text("id,a,b\n" + "".join(f"r{i},1,2\n" for i in range(12)))
    code, out, _ = call("run", path)
    assert code == 0
    assert "k* = 1" in out
    assert "identical" in out


@pytest.mark.parametrize("name", [n for n in COMMANDS if n != "bench"])
def test_every_command_has_help_with_an_example(name, call):
    code, out, _ = call(name, "--help")
    assert code == 0
    assert f"stablek {name}" in out.split("Options:")[0]


def test_the_version_is_one_word_and_a_number():
    import stablek as package

    code, out, _ = stablek("--version")
    assert (code, out) == (0, f"stablek {package.__version__}\n")


def test_the_table_can_come_from_stdin(table):
    code, out, _ = stablek(
        "run", "-", "--labels", "group", "-k", "2:5", "--repeats", "10",
        stdin=table.read_text(),
    )  # fmt: skip
    assert code == 0
    assert out.startswith("k* = 3")


def test_a_closed_pipe_is_no_error(table):
    command = (
        f"{sys.executable} -m stablek run {table} --labels group -k 2:5 --repeats 10"
        " | head -c 1; exit ${PIPESTATUS[0]}"
    )
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr.count("Traceback") == 0


def test_the_demo_leaves_a_result_a_person_can_read(tmp_path, call):
    code, out, err = call("demo", "-o", tmp_path / "demo")
    assert code == 0
    assert "\n\nNow with your own table: stablek FILE -o results\n" in err
    assert "\ufffd" not in err
    assert out.startswith("4 clusters")
    for file in ("data.tsv", "verdict.json", "labels.tsv", "table.tsv", "report.html"):
        assert (tmp_path / "demo" / file).stat().st_size > 0


def test_an_output_that_is_a_file_is_found_before_anything_is_computed(
    table, tmp_path, call
):
    file = tmp_path / "file"
    file.write_text("x")
    code, _, err = call("run", table, "--drop", "group", "-o", file)
    assert code == 2
    assert "is a file" in err


def test_a_constant_column_is_a_part_of_a_correlation(tmp_path, call):
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.normal(size=(24, 3)), np.full(24, 40.0)])
    rows = [",".join(["id", "a", "b", "c", "same"])]
    rows += [",".join([f"s{i}", *map(repr, r.tolist())]) for i, r in enumerate(values)]
    (tmp_path / "x.csv").write_text("\n".join(rows) + "\n")
    words = ("run", tmp_path / "x.csv", "-k", "2:4", "--repeats", "10", "--json")
    code, out, err = call(*words, "--metric", "correlation")
    assert code == 0, err
    alone = choose_k(values, ks=range(2, 5), repeats=10, metric="correlation")
    assert json.loads(out)["area"] == alone.to_dict()["columns"]["area"]
    assert "constant column" not in err
    assert "1 constant column dropped" in call(*words)[2]


def test_a_curve_that_cannot_say_none_says_what_can(table, call):
    how = ("run", table, "--labels", "group", "-k", "2:4", "--repeats", 20)
    _, _, err = call(*how)
    assert "(fc), which cannot answer 'no clusters'; --calibrate 99 can" in err
    assert "`stablek verdict` weighs several" in err
    _, _, err = call(*how, "--calibrate", 4)
    assert "cannot answer" not in err


def test_a_comparison_takes_the_number_of_repeats(table, tmp_path, call):
    code, _, _ = call(
        "compare", table, "--labels", "group", "-m", "fc,wcss", "-a", "hier-a", "-k",
        "2:4", "--repeats", 20, "-o", tmp_path / "out",
    )  # fmt: skip
    assert code == 0
    found = {
        name: Result.from_json(tmp_path / "out" / f"{name}-hier-a" / "result.json")
        for name in ("fc", "wcss")
    }
    assert found["fc"].facts["repeats"] == 20
    assert found["wcss"].facts["repeats"] == 1
