"""Shards, in any order and from any folders, give the bits of one process."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from blobs import blobs
from click.testing import CliRunner

from stablek.api.choose_k import request
from stablek.cli import cli
from stablek.engine.plan import sections
from stablek.engine.shard import Shard
from stablek.errors import InputError, TryAgainError


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with data, and the current one."""
    values = blobs(m=3)
    np.savetxt(tmp_path / "x.csv", values, delimiter=",", header="a,b,c", comments="")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stablek(*arguments):
    """Run a command here; return what it prints, or raise what it raises."""
    from stablek.cli import run_folder as keeping

    keeping.sys.argv = ["stablek", *arguments]
    found = CliRunner().invoke(cli, list(arguments), standalone_mode=False)
    if found.exception is not None:
        raise found.exception
    assert not found.return_value
    return found.output


FC = ("run", "x.csv", "-k", "2:5", "--repeats", "30", "-q", "-j", "1")
GAP = ("run", "x.csv", "-k", "1:4", "-m", "gap-pc", "--null-sets", "7", "-q", "-j", "1")
NULLS = (*FC, "--calibrate", "5")
FIXED = ("run", "x.csv", "-m", "levine-domany", "-a", "kmeans-r", "-k", "2:4", "-q",
         "--repeats", "9", "-j", "1")  # fmt: skip


@pytest.mark.parametrize("of", [1, 3, 7])
@pytest.mark.parametrize("given", [FC, GAP, NULLS, FIXED])
def test_merged_shards_are_the_bytes_of_one_process(place, of, given):
    stablek(*given, "-o", "whole")
    order = list(range(1, of + 1))
    random.Random(of).shuffle(order)
    for number in order:
        stablek(*given, "-o", "parts", "--shard", f"{number}/{of}")
        assert not Path("parts/result.json").exists()
    stablek("merge", "parts")
    for name in ("result.json", "curve.tsv", "labels.tsv", "report.html"):
        assert Path("parts", name).read_bytes() == Path("whole", name).read_bytes()


VERDICT = ("verdict", "x.csv", "-k", "2:4", "--repeats", "10", "--null-sets", "12",
           "-q", "-j", "1")  # fmt: skip


@pytest.mark.parametrize("wide", [1.0, 1000.0])
def test_the_merged_shards_of_a_verdict_are_the_bytes_of_one(place, monkeypatch, wide):
    """With a column on another scale a verdict has two halves."""
    values = np.loadtxt("x.csv", delimiter=",", skiprows=1) * [1.0, 1.0, wide]
    np.savetxt("x.csv", values, delimiter=",", header="a,b,c", comments="")
    stablek(*VERDICT, "-o", "whole")
    for number in (2, 3, 1):
        if number == 1:
            with pytest.raises(InputError, match=r"shard 1/3 missing; have 2"):
                stablek("merge", "parts")
        stablek(*VERDICT, "-o", "parts", "--shard", f"{number}/3")
        assert not Path("parts/verdict.json").exists()

    def refuse(*_):
        raise AssertionError("a task was run again")

    monkeypatch.setattr("stablek.engine.execution.execute.carry_out_all", refuse)
    stablek("merge", "parts")
    names = [p.name for p in Path("whole").iterdir() if p.suffix in (".tsv", ".html")]
    assert len(names) > 3
    for name in ("verdict.json", *names):
        assert Path("parts", name).read_bytes() == Path("whole", name).read_bytes()
    keys = {p.name.rsplit("-", 1)[0] for p in Path("parts/chunks").glob("as-given-*")}
    assert bool(keys) == (wide > 1)


def test_nothing_is_run_again_when_shards_are_merged(place, monkeypatch):
    for number in (2, 1):
        stablek(*NULLS, "-o", "parts", "--shard", f"{number}/2")

    def refuse(*_):
        raise AssertionError("a task was run again")

    monkeypatch.setattr("stablek.engine.execution.execute.carry_out_all", refuse)
    stablek("merge", "parts")
    stablek("merge", "parts")  # twice is once
    stablek("report", "parts")


def test_shards_of_several_folders_are_merged_into_a_new_one(place):
    stablek(*FC, "-o", "whole")
    for number in (1, 2, 3):
        stablek(*FC, "-o", f"part{number}", "--shard", f"{number}/3")
    stablek("merge", "part2", "part1", "part3", "-o", "all")
    assert (
        Path("all/result.json").read_bytes() == Path("whole/result.json").read_bytes()
    )
    assert not Path("part2/result.json").exists()
    stablek("resume", "all")


def test_shards_are_merged_and_a_run_is_resumed_without_a_word_besides(place):
    loud = [word for word in FC if word != "-q"]
    for number in (1, 2):
        stablek(*loud, "-o", "parts", "--shard", f"{number}/2")
    assert "items x" in stablek("merge", "parts")
    for command in ("merge", "resume"):
        assert stablek(command, "-q", "parts").startswith("k* = ")


def test_a_shard_of_another_run_is_none_of_this_one(place):
    for seed in ("0", "1"):
        for number in (1, 2):
            given = (*FC, "--seed", seed, "--shard", f"{number}/2")
            stablek(*given, "-o", f"parts{seed}")
    for file in Path("parts1/chunks").glob("shard-2-of-2-*.chunk"):
        Path("parts0/chunks", file.name).write_bytes(file.read_bytes())
    with pytest.raises(InputError, match=r"shard 2/2 not finished \(0 of 15 tasks, "):
        stablek("merge", "parts0")


def test_a_missing_shard_is_named(place):
    for number in (1, 3, 4):
        stablek(*FC, "-o", "parts", "--shard", f"{number}/4")
    with pytest.raises(InputError, match=r"^shard 2/4 missing; have 3"):
        stablek("merge", "parts")


def test_a_damaged_shard_is_named(place):
    for number in (1, 2):
        stablek(*FC, "-o", "parts", "--shard", f"{number}/2")
    file = max(Path("parts/chunks").glob("shard-2-of-2-*.chunk"))
    raw = bytearray(file.read_bytes())
    raw[len(raw) // 2] ^= 1
    file.write_bytes(raw)
    said = r"shard 2/2 not finished \(\d+ of 15 tasks, 1 damaged file\(s\)\); have 1"
    with pytest.raises(InputError, match=said):
        stablek("merge", "parts")
    stablek(*FC, "-o", "parts", "--shard", "2/2")
    stablek("merge", "parts")


def test_a_shard_of_another_seed_or_input_is_refused(place):
    stablek(*FC, "-o", "one", "--shard", "1/2")
    stablek(*FC, "--seed", "5", "-o", "two", "--shard", "2/2")
    with pytest.raises(
        InputError, match=r"shard 2 in .*two was made from .*seed 0 -> 5"
    ):
        stablek("merge", "one", "two")
    text = Path("x.csv").read_text()
    Path("x.csv").write_text(text + "1,2,3\n")
    stablek(*FC, "-o", "three", "--shard", "2/2")
    with pytest.raises(InputError, match=r"shard 2 in .*the input changed \(sha256"):
        stablek("merge", "one", "three")
    with pytest.raises(InputError, match="holds another run"):
        stablek(*FC, "-o", "one", "--shard", "2/2")


def test_data_that_changed_before_the_merge_are_refused(place):
    stablek(*FC, "-o", "one", "--shard", "1/1")
    text = Path("x.csv").read_text()
    Path("x.csv").write_text(text + "1,2,3\n")
    with pytest.raises(InputError, match="the input changed"):
        stablek("merge", "one")
    with pytest.raises(InputError, match="the input changed"):
        stablek("merge", "one", "-o", "new")


def test_one_shard_is_held_by_one_process_and_others_go_beside_it(place):
    import filelock

    Path("parts").mkdir()
    with filelock.FileLock("parts/.lock-shard-1-of-2"):
        stablek(*FC, "-o", "parts", "--shard", "2/2")
        with pytest.raises(TryAgainError, match="in use"):
            stablek(*FC, "-o", "parts", "--shard", "1/2")


def test_restarting_a_shard_leaves_the_others_alone(place):
    for number in (1, 2):
        stablek(*FC, "-o", "parts", "--shard", f"{number}/2")
    others = sorted(Path("parts/chunks").glob("shard-2-*"))
    stablek(*FC, "-o", "parts", "--shard", "1/2", "--restart")
    assert sorted(Path("parts/chunks").glob("shard-2-*")) == others
    stablek("merge", "parts")


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "a/b", "1/0", "-1/3", "1/3/5"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(InputError, match=r"write e\.g\. 3/16"):
        Shard.parse(text)


def test_a_shard_needs_a_folder(place):
    with pytest.raises(InputError, match="add -o DIR"):
        stablek(*FC, "--shard", "1/2")


def test_a_folder_without_shards_is_told(place):
    with pytest.raises(InputError, match="is not the folder of a run"):
        stablek("merge", "nowhere")
    stablek(*FC, "-o", "whole")
    with pytest.raises(InputError, match="no shard in"):
        stablek("merge", "whole")


def test_resume_of_a_shard_says_what_to_do(place):
    stablek(*FC, "-o", "parts", "--shard", "1/2")
    with pytest.raises(InputError, match="stablek merge parts"):
        stablek("resume", "parts")


def test_adaptive_repeats_with_null_sets_cannot_be_cut(place):
    with pytest.raises(InputError, match="adaptive"):
        stablek(*NULLS, "--set", "adaptive=true", "-o", "p", "--shard", "1/2")


@pytest.mark.parametrize("of", [1, 2, 5, 16, 100])
def test_every_task_is_in_one_shard(of):
    values = np.random.default_rng(0).normal(size=(30, 2))
    plan = request(values, "gap-pc", "kmeans-r", range(1, 4), null_sets=7).plan
    todo = sections(plan)
    wanted = sorted(task for _, tasks, _ in todo for task in tasks)
    parts = [Shard(i, of).part(todo) for i in range(1, of + 1)]
    got = sorted(task for part in parts for _, tasks, _ in part for task in tasks)
    assert got == wanted
    sizes = [sum(len(tasks) for _, tasks, _ in part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_the_command_of_the_whole_run_is_kept(place):
    stablek(*FC, "-o", "parts", "--shard", "1/1")
    stablek("merge", "parts")
    kept = json.loads(Path("parts/run.json").read_text())
    assert "--shard" not in kept["arguments"]
