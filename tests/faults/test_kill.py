"""A run that is killed, signalled or starved loses nothing that was finished."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from fault_tools import SHORT, chunks, lost_items, same_files, until

COMMAND = ("run", "x.csv", "-m", "fc", "-k", "2:5", "--repeats", "40", "--jobs", "2")


SEEDS = range(10) if os.environ.get("STABLEK_TEST_SEEDS") == "all" else range(1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_killed_at_random_moments_ends_with_the_same_bytes(
    cli, start, table, tally, seed
):
    place = table.parent
    rng = np.random.default_rng(seed)
    kills = 0
    while kills < 5:
        before = chunks(place / "killed")
        if before > 30:
            break
        run = start(*COMMAND, "-o", "killed", patches=SHORT, hold=8)
        wanted = before + int(rng.integers(0, 4))
        until(lambda w=wanted: chunks(place / "killed") >= w, run)
        run.kill()
        kills += 1
    assert kills
    for out in ("killed", "whole"):
        code, _, err = cli(*COMMAND, "-o", out, patches=SHORT)
        assert code == 0, err
    tally("faults survived", kills)
    tally("items lost", lost_items(place / "whole", place / "killed"))
    tally("bits compared", same_files(place / "whole", place / "killed"))


def test_resume_says_how_much_is_kept_and_repeats_only_what_was_in_flight(
    cli, start, table
):
    place = table.parent
    run = start(*COMMAND, "-o", "out", patches=SHORT, hold=8)
    until(lambda: chunks(place / "out") >= 3, run)
    run.kill()
    kept = (place / "out" / "chunks").glob("*.chunk")
    left = {f.name: f.read_bytes() for f in kept}
    code, _, err = cli("resume", "out", patches=SHORT)
    assert code == 0, err
    for name, content in left.items():
        assert (place / "out" / "chunks" / name).read_bytes() == content
    assert f"resuming: {len(left)} chunks of finished work are kept" in err


def test_compare_is_resumed_too(cli, start, table, tally):
    place = table.parent
    arguments = (
        "compare", "x.csv", "-m", "fc,consensus", "-a", "hier-a,kmeans-r", "-k", "2:4",
        "--set", "repeats=15", "-o",
    )  # fmt: skip
    run = start(*arguments, "killed", patches=SHORT, hold=4)
    until(lambda: chunks(place / "killed") >= 2, run)
    run.kill()
    code, _, err = cli("resume", "killed", patches=SHORT)
    assert code == 0, err
    assert "resuming: " in err
    code, _, err = cli(*arguments, "whole", patches=SHORT)
    assert code == 0, err
    tally("faults survived", 1)
    tally("bits compared", same_files(place / "whole", place / "killed"))


def test_a_killed_verdict_is_given_again_by_resume(cli, start, table, tally):
    place = table.parent
    arguments = ("verdict", "x.csv", "-k", "2:4", "--null-sets", "19", "-o")
    run = start(*arguments, "killed", hold=0)
    until((place / "killed" / "run.json").exists, run)
    run.kill()
    assert not (place / "killed" / "verdict.json").exists()
    for command in (("resume", "killed"), (*arguments, "whole")):
        code, _, err = cli(*command)
        assert code == 0, err
    tally("faults survived", 1)
    tally("items lost", lost_items(place / "whole", place / "killed"))
    tally("bits compared", same_files(place / "whole", place / "killed"))


def test_a_second_ctrl_c_ends_at_once_what_does_not_hear_the_first(start, table):
    place = table.parent
    run = start(
        "run", "x.csv", "-a", "mine:Deaf", "-k", "2:3", "--backend", "serial", "-o", "o"
    )
    until((place / "busy").exists, run)
    run.send(signal.SIGINT)
    until((place / "heard").exists, run)
    assert run.alive()
    run.send(signal.SIGINT)
    assert run.wait() == 130
    assert "Traceback" not in run.err


def test_an_interrupted_run_prints_the_command_that_goes_on(start, cli, table):
    """It is resume, unless that would import a module a folder names."""
    run = start(*COMMAND, "-o", "out", patches=SHORT, hold=8)
    until(lambda: chunks(table.parent / "out") >= 1, run)
    run.send(signal.SIGINT)
    assert run.wait() == 130
    assert run.out == ""
    assert "tasks are kept; resume with: stablek resume out" in run.err
    code, out, err = cli("resume", "out")
    assert code == 0, err
    assert out.startswith("k* = 3")


#: What the workers do while their parent ends, and how they are started.
BUSY = {
    "python": ("-a", "mine:Slow", "--backend", "processes"),
    "compiled": ("-a", "mine:Holding", "--backend", "processes"),
    "dask": ("-a", "mine:Slow", "--backend", "dask"),
}


def alive(process):
    """Tell whether a process runs; one that has ended may wait for its new parent."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("what", BUSY)
def test_no_worker_is_left_three_seconds_after_the_end_of_its_parent(
    table, tally, what, number
):
    import stablek

    source = str(Path(stablek.__file__).parents[1])
    command = [
        sys.executable, "-m", "stablek", "run", "x.csv", "-k", "2:3", "--repeats",
        "3000", "--jobs", "2", "-o", "out", *BUSY[what],
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=table.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "PYTHONPATH": f"{source}:{table.parent}"},
    ) as run:  # fmt: skip
        begun = (table.parent / "busy").exists if what == "compiled" else None
        ready = begun or (lambda: chunks(table.parent / "out") >= 1)
        until(lambda: ready() or run.poll() is not None)
        children = psutil.Process(run.pid).children(recursive=True)
        assert children, run.communicate()[1]
        run.send_signal(number)
        assert run.wait(100) == (143 if number == signal.SIGTERM else -9)
        _, left_over = psutil.wait_procs(children, timeout=3)
        assert not [one for one in left_over if alive(one)]
        left = chunks(table.parent / "out")
        out, err = run.communicate(timeout=100)
    assert chunks(table.parent / "out") == left
    assert out == ""
    assert "Traceback" not in err
    if number == signal.SIGTERM:
        assert "resume with: the same command" in err
    tally("faults survived", 1)
