"""Many at once and many in a row: each behaves as if it were alone."""

import gc
import os
import time

import psutil
from combinations import groups
from fault_tools import until

from stablek.api.choose_k import choose_k

TWENTY = 20
COMMAND = ("run", "x.csv", "-k", "2:4", "--repeats", "12", "-q", "-j", "1")


def test_two_hundred_runs_in_a_row_leave_memory_threads_and_files_where_they_were(
    monkeypatch, tally
):
    monkeypatch.setattr("stablek.engine.execution.execute.WORTHWHILE", 0.0)
    runs = int(os.environ.get("STABLEK_LOAD_RUNS", "200"))
    X, process = groups(60, 4), psutil.Process()
    backends = [*["serial", "threads"] * 10, "processes"]

    def one(number):
        backend = backends[number % len(backends)]
        choose_k(
            X, "fc", "kmeans-r", range(2, 6), repeats=30, jobs=2, seed=number,
            backend=backend,
        )  # fmt: skip

    def use():
        gc.collect()
        children = len(process.children(recursive=True))
        return process.num_threads(), process.num_fds(), children

    for number in range(len(backends)):
        one(number)
    before, memory = use(), process.memory_info().rss
    for number in range(runs):
        one(number)
    end = time.monotonic() + 60
    while use() > before and time.monotonic() < end:
        time.sleep(0.1)  # threads of a pool that is closing
    now = use()
    assert all(a <= b for a, b in zip(now, before, strict=True)), (now, before)
    assert process.memory_info().rss - memory < 20 * 2**20
    tally("runs in a row", runs)


def test_twenty_commands_at_once_each_in_its_own_folder(start, table, tally):
    runs = [start(*COMMAND, "-o", f"out{i}") for i in range(TWENTY)]
    assert [run.wait() for run in runs] == [0] * TWENTY, [run.err for run in runs]
    place = table.parent
    found = {(place / f"out{i}" / "result.json").read_bytes() for i in range(TWENTY)}
    assert len(found) == 1
    tally("bits compared", 8 * TWENTY * len(found.pop()))


def test_of_twenty_commands_in_one_folder_one_goes_on_and_the_others_say_who(
    start, table, tally
):
    """The one that has the folder waits for a file, so that the others come late."""
    command = (*COMMAND, "-a", "mine:Waits", "-o")
    runs = [start(*command, "shared") for _ in range(TWENTY)]
    until(lambda: sum(run.alive() for run in runs) <= 1)
    (winner,) = [run for run in runs if run.alive()]
    others = [run for run in runs if run is not winner]
    assert {run.wait() for run in others} == {75}
    for run in others:
        assert f"shared is in use by process {winner.pid} on " in run.err
        assert run.out == ""
    (table.parent / "go").touch()
    assert winner.wait() == 0, winner.err
    alone = start(*command, "alone")
    assert alone.wait() == 0, alone.err
    one, two = (
        (table.parent / folder / "result.json").read_bytes()
        for folder in ("shared", "alone")
    )
    assert one == two
    tally("faults survived", len(others))
    tally("bits compared", 8 * len(one))
