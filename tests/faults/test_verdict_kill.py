"""A verdict that is killed, signalled or damaged goes on to the same bytes."""

import re
import signal
from collections import Counter

import numpy as np
import pytest
from fault_tools import SHORT, chunks, lost_items, same_files, until

from stablek.io.store.chunks import decode

#: Null sets of every model, the data, and what the panel reads.
COMMAND = (
    "verdict", "x.csv", "-k", "2:4", "--null-sets", "19", "--level", "0.05",
    "--repeats", "10", "--jobs", "2",
)  # fmt: skip


@pytest.fixture
def begun(start, table):
    """Return a function that starts the verdict and waits for so many chunks."""

    def begin(wanted=3, out="out"):
        run = start(*COMMAND, "-o", out, patches=SHORT, hold=14)
        until(lambda: chunks(table.parent / out) >= wanted, run)
        return run

    return begin


@pytest.fixture
def whole(cli, table):
    """Return the folder of a verdict that nothing disturbed."""
    code, _, err = cli(*COMMAND, "-o", "whole", patches=SHORT)
    assert code == 0, err
    return table.parent / "whole"


def tasks_in(folder):
    found = Counter()
    for file in (folder / "chunks").glob("*.chunk"):
        plan = file.name.rsplit("-", 1)[0]
        found.update((plan, output.task) for output in decode(file.read_bytes()))
    return found


def test_a_verdict_killed_again_and_again_ends_with_the_same_bytes(
    cli, begun, whole, tally
):
    killed = whole.parent / "killed"
    rng = np.random.default_rng(0)
    kills = 0
    while kills < 4:
        before = chunks(killed)
        begun(before + 1 + int(rng.integers(0, 12)), "killed").kill()
        kills += 1
    code, out, err = cli("resume", "killed", patches=SHORT)
    assert code == 0, err
    assert out.startswith("3 clusters")
    assert "resuming: " in err
    tally("faults survived", kills)
    tally("items lost", lost_items(whole, killed))
    tally("bits compared", same_files(whole, killed))


def test_a_verdict_on_dask_that_is_killed_goes_on_to_the_same_bytes(
    cli, start, whole, tally
):
    place = whole.parent / "killed"
    run = start(*COMMAND, "--backend", "dask", "-o", "killed", patches=SHORT, hold=9)
    until(lambda: chunks(place) >= 4, run)
    run.kill()
    assert not (place / "verdict.json").exists()
    # Finished without a cluster: where the work is done changes no byte.
    code, _, err = cli(*COMMAND, "-o", "killed", patches=SHORT)
    assert code == 0, err
    assert "resuming: " in err
    tally("faults survived", 1)
    tally("items lost", lost_items(whole, place))
    tally("bits compared", same_files(whole, place))


def test_resume_repeats_nothing_that_was_kept(cli, begun, table):
    place = table.parent / "out"
    begun(5).kill()
    left = {f.name: f.read_bytes() for f in (place / "chunks").glob("*.chunk")}
    code, _, err = cli("resume", "out", patches=SHORT)
    assert code == 0, err
    assert f"resuming: {len(left)} chunks of finished work are kept" in err
    for name, content in left.items():
        assert (place / "chunks" / name).read_bytes() == content
    found = tasks_in(place)
    assert set(found.values()) == {1}
    code, _, err = cli(*COMMAND, "-o", "other", patches=SHORT)
    assert code == 0, err
    assert tasks_in(table.parent / "other") == found
    models = Counter(task.model for _, task in found if task.model)
    assert models == dict.fromkeys(
        ("box", "skewed columns", "skewed", "elliptical"), 19
    )


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_verdict_that_is_interrupted_says_how_to_go_on(
    cli, begun, whole, number, code
):
    run = begun()
    run.send(getattr(signal, number))
    assert run.wait() == code
    assert run.out == ""
    assert "tasks are kept; resume with: stablek resume out" in run.err
    assert "Traceback" not in run.err
    found, out, err = cli("resume", "out", patches=SHORT)
    assert found == 0, err
    assert out.startswith("3 clusters")
    same_files(whole, whole.parent / "out")


def test_a_torn_chunk_is_set_aside_and_its_null_sets_are_drawn_again(cli, whole, tally):
    before = tasks_in(whole)
    (whole.parent / "copy").mkdir()
    for file in whole.glob("*.*"):
        (whole.parent / "copy" / file.name).write_bytes(file.read_bytes())
    names = sorted(f.name for f in (whole / "chunks").glob("*.chunk"))
    torn, cut = (whole / "chunks" / name for name in (names[4], names[-1]))
    raw = bytearray(torn.read_bytes())
    raw[len(raw) // 2] ^= 1
    torn.write_bytes(bytes(raw))
    cut.write_bytes(cut.read_bytes()[:-7])
    code, _, err = cli("resume", "whole", patches=SHORT)
    assert code == 0, err
    told = re.findall(r"(\d) damaged chunk\(s\) were set aside; their tasks are", err)
    assert sum(map(int, told)) == 2
    assert tasks_in(whole) == before
    tally("faults survived", 2)
    tally("bits compared", same_files(whole.parent / "copy", whole))


def test_another_input_or_another_setting_is_refused_with_the_difference(
    cli, begun, table
):
    begun().kill()
    code, _, err = cli(*COMMAND, "--seed", "5", "-o", "out")
    assert code == 2
    assert "seed 0 -> 5" in err
    code, _, err = cli(*COMMAND, "--level", "0.1", "-o", "out")
    assert code == 2
    assert "level 0.05 -> 0.1" in err
    table.write_text(table.read_text().replace("s0,", "s0,1", 1))
    code, _, err = cli("resume", "out")
    assert code == 2
    assert "the input changed" in err


def test_a_second_process_on_the_folder_tries_again_later(cli, begun, table):
    run = begun()
    run.send(signal.SIGSTOP)
    code, out, err = cli(*COMMAND, "-o", "out")
    run.send(signal.SIGCONT)
    (table.parent / "go").touch()
    assert code == 75
    assert out == ""
    assert f"in use by process {run.pid}" in err
    assert run.wait() == 0


def test_a_full_disk_stops_a_verdict_that_can_go_on(cli, whole):
    code, out, err = cli(
        *COMMAND, "-o", "out", patches=SHORT, limits={"RLIMIT_FSIZE": 1000}
    )
    assert (code, out) == (75, "")
    assert "stablek resume out" in err
    code, _, err = cli("resume", "out", patches=SHORT)
    assert code == 0, err
    same_files(whole, whole.parent / "out")


def test_a_verdict_that_set_items_aside_finds_its_chunks_whole(cli, table, tally):
    """Isolated items and copies are not judged: its labels are of fewer items."""
    lines = table.read_text().splitlines()
    far = ",".join(["far", *["900"] * (lines[0].count(","))])
    copy = f"copy,{lines[-1].split(',', 1)[1]}"
    table.write_text("\n".join([*lines, copy, far, ""]))
    code, first, err = cli(*COMMAND, "-o", "whole", patches=SHORT)
    assert code == 0, err
    assert "far" in first
    code, again, err = cli(*COMMAND, "-o", "whole", patches=SHORT)
    assert code == 0, err
    assert again == first
    assert "damaged" not in err
    assert not list((table.parent / "whole" / "chunks").glob("*.bad*"))
    tally("items lost", 0)
