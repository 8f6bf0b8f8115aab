"""A command stopped at any of its writes is finished by giving it again.

Every command dies, or finds the disk full, just before the n-th time it changes its
folder, for every n (here for some; for all with STABLEK_EVERY_WRITE=all). Given again,
it must leave the files of an undisturbed run, byte by byte, and nothing else.
"""

import itertools
import os
import shutil

import pytest
from fault_tools import SHORT, small_demo

FEW = ("-k", "2:3", "--repeats", "4", "-j", "1", "-q")

VERDICT = ("verdict", "x.csv", *FEW, "--repeats", "10", "--null-sets", "4")

#: What is killed, the commands that come before it, and what it writes besides -o.
COMMANDS = {
    "run": ((), ("run", "x.csv", *FEW, "-o", "out")),
    "restart": (
        (("run", "x.csv", *FEW, "--seed", "1", "-o", "out"),),
        ("run", "x.csv", *FEW, "--restart", "-o", "out"),
    ),
    "nmf": (
        (),
        ("run", "x.csv", "-a", "nmf-r", "--nonnegative", "fold", *FEW, "-o", "out"),
    ),
    "compare": (
        (),
        ("compare", "x.csv", "-m", "fc,wcss", "-a", "hier-a", *FEW, "-o", "out"),
    ),
    "assess": (
        (),
        ("assess", "x.csv", "-k", "3", "--repeats", "4", "-j", "1", "-q", "-o", "out"),
    ),
    "shard": ((), ("run", "x.csv", *FEW, "--shard", "1/2", "-o", "out")),
    "merge": (
        tuple(("run", "x.csv", *FEW, "--shard", f"{i}/2", "-o", "out") for i in (1, 2)),
        ("merge", "out", "-q"),
    ),
    "report": (
        (("run", "x.csv", *FEW, "-o", "out"),),
        ("report", "out", "--title", "again", "-q"),
    ),
    "verdict": ((), (*VERDICT, "-o", "out")),
    "annotations": (
        (),
        (
            *VERDICT, "--annotations", "about.csv", "--adjust", "batch",
            "--keep-matrices", "-o", "out",
        ),
    ),
    "resume": (
        (("run", "x.csv", *FEW, "-o", "out"),),
        ("resume", "out", "-q"),
    ),
    "assign": (
        ((*VERDICT, "-o", "old"),),
        ("assign", "old", "x.csv", "-q", "-o", "out"),
    ),
    "validate": (
        ((*VERDICT, "-o", "old"),),
        ("validate", "old", "x.csv", "--null-sets", "19", "-q", "-o", "out"),
    ),
    "factorize": (
        (),
        ("factorize", "x.csv", "-k", "2", "--nonnegative", "fold", "-q", "-o", "out"),
    ),
    "demo": ((), ("demo", "-q", "-o", "out")),
}  # fmt: skip

#: A chunk for every task, and a demo that takes less time.
QUICK = (*SHORT, ("stablek.datasets.simulated", "demo", small_demo))

#: How many points of each command are tried by default; a verdict takes seconds.
SOME = {"annotations": 2, "validate": 2, "demo": 2}

#: What goes wrong, and the codes that a command may then end with.
WAYS = {"die": (137,), "full": (75, 0)}


@pytest.fixture
def about(table):
    """Write a batch for every item of the table."""
    rows = [f"s{i},b{i // 18}" for i in range(36)]
    path = table.with_name("about.csv")
    path.write_text("\n".join(["id,batch", *rows]) + "\n")


def points(total, some):
    """Return how and at which change a command is stopped: at all, or at some.

    Those that are spread over all changes; the ways take turns.
    """
    if os.environ.get("STABLEK_EVERY_WRITE") == "all":
        return [(way, number) for way in WAYS for number in range(1, total + 1)]
    spread = sorted({1 + i * (total - 1) // (some - 1) for i in range(some)})
    return list(zip(itertools.cycle(WAYS), spread, strict=False))


def files_of(folder):
    """Return the files of a folder but chunks and locks, with their bytes.

    How the work is cut into chunks may depend on where it was interrupted.
    """
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        and file.parent.name != "chunks"
        and not file.name.startswith((".lock", ".holder"))
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_stopped_at_any_write_is_finished_by_giving_it_again(
    name, cli, table, about, tmp_path, tally
):
    before, command = COMMANDS[name]
    out, start, counted = (tmp_path / n for n in ("out", "start", "counted"))
    for one in before:
        assert cli(*one, patches=QUICK)[0] == 0
    if out.exists():
        shutil.copytree(out, start)
    code, _, err = cli(*command, patches=QUICK, fail=(0, out, counted))
    assert code == 0, err
    wanted = files_of(out)
    total = int(counted.read_text())
    assert total > 10
    for way, number in points(total, SOME.get(name, 4)):
        shutil.rmtree(out)
        if start.exists():
            shutil.copytree(start, out)
        code, _, err = cli(*command, patches=QUICK, fail=(number, out, counted, way))
        assert code in WAYS[way], (way, number, err)
        code, _, err = cli(*command, patches=QUICK)
        assert code == 0, (way, number, err)
        found = files_of(out)
        assert sorted(found) == sorted(wanted), (way, number)
        assert [n for n in wanted if found[n] != wanted[n]] == [], (way, number)
        assert not list(out.glob("chunks/*.bad-*")), (way, number)
        assert not list(out.rglob(".*.stablek")), (way, number)
        tally("faults survived", 1)


REFUSED = {
    "an option of another command": ("run", "x.csv", "-m", "fc", "--null-sets", "19"),
    "a setting of another measure": (
        "run",
        "x.csv",
        "-m",
        "fc",
        "--set",
        "null_sets=19",
    ),
    "an unknown measure": ("run", "x.csv", "-m", "fcc"),
    "too many clusters": ("run", "x.csv", "-k", "2:99"),
    "a negative seed": ("run", "x.csv", "--seed", "-1"),
    "a number of the wrong kind": ("run", "x.csv", "--fraction", "7"),
    "negative values": ("run", "x.csv", "-a", "nmf-r"),
    "an unknown backend": ("compare", "x.csv", "-m", "fc", "--backend", "nowhere"),
    "an unknown method": ("assess", "x.csv", "-k", "3", "--method", "bag"),
    "clusters of a fixed k": ("assess", "x.csv", "-k", "99"),
    "ks of a verdict": ("verdict", "x.csv", "-k", "2:99"),
    "a metric of a verdict": ("verdict", "x.csv", "--metric", "manhattan"),
    "a shard": ("run", "x.csv", "--shard", "3/2"),
    "a backend": ("run", "x.csv", "--backend", "nowhere"),
    "negative values to factorise": ("factorize", "x.csv", "-k", "2"),
    "clusters of nothing": ("assign", "nowhere", "x.csv"),
    "a cohort for nothing": ("validate", "nowhere", "x.csv"),
    "a negative seed of a demo": ("demo", "--seed", "-1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_command_leaves_nothing_behind(case, cli, table, tmp_path):
    del table
    new, there = tmp_path / "a" / "new", tmp_path / "there"
    there.mkdir()
    for out in (new, there):
        code, _, err = cli(*REFUSED[case], "-q", "-o", out)
        assert code == 2, err
    assert not new.parent.exists()
    assert list(there.iterdir()) == []


@pytest.mark.parametrize("case", ["an unknown measure", "too many clusters"])
def test_a_refused_restart_throws_nothing_away(case, cli, table, tmp_path):
    del table
    run = ("run", "x.csv", *FEW, "-o", "out")
    assert cli(*run)[0] == 0
    before = {f: f.read_bytes() for f in (tmp_path / "out").rglob("*") if f.is_file()}
    assert cli(*REFUSED[case], "--restart", "-q", "-o", "out")[0] == 2
    for file, content in before.items():
        assert file.name == ".holder" or file.read_bytes() == content, file


def test_a_killed_merge_can_be_resumed_merged_again_and_reported(cli, table, tmp_path):
    del table
    out, counted = tmp_path / "out", tmp_path / "counted"
    for i in (1, 2):
        assert cli("run", "x.csv", *FEW, "--shard", f"{i}/2", "-o", "out")[0] == 0
    fail = (25, out, counted)
    assert cli("merge", "out", "-q", patches=SHORT, fail=fail)[0] == 137
    assert cli("resume", "out", "-q")[0] == 0
    first = files_of(out)
    assert cli("merge", "out", "-q")[0] == 0
    assert files_of(out) == first
    assert cli("report", "out", "-q")[0] == 0
