"""A bench that is killed loses what was in flight, and nothing else."""

import json
import re
import signal
import sqlite3
from contextlib import closing

import pytest
from fault_tools import until

#: Six null sets of one small size.
SMALL = (("stablek_bench.trust", "SIZES", ((40, 3),)),)
TRUST = ("bench", "trust", "--sets", "1", "--part", "null", "-j", "1", "-q", "-o")


def lines(place):
    file = place / "outcomes.jsonl"
    return file.read_text().splitlines() if file.exists() else []


def told(place):
    """Return what was said about every set: all but the time it took, and its sum."""
    found = {}
    for line in lines(place):
        one = json.loads(line)
        del one["seconds"], one["check"]
        found[json.dumps(one["case"])] = one
    return found


@pytest.fixture
def whole(cli, tmp_path):
    code, _, err = cli(*TRUST, "whole", patches=SMALL)
    assert code == 0, err
    return tmp_path / "whole"


def test_trust_goes_on_after_a_kill_and_a_torn_line(cli, start, whole):
    place = whole.parent / "killed"
    run = start(*TRUST, "killed", patches=SMALL, hold=3)
    until(lambda: len(lines(place)) >= 2, run)
    run.kill()
    file = place / "outcomes.jsonl"
    kept = file.read_bytes()
    whole_lines = kept.count(b"\n")
    assert whole_lines >= 2
    file.write_bytes(kept + b'{"case": {"part": "nu')
    code, _, err = cli(*TRUST, "killed", patches=SMALL)
    assert code == 0, err
    assert "1 damaged line(s)" in err
    after = file.read_bytes()
    assert after.startswith(kept)
    assert after.count(b"\n") == 6 + 1  # every set once, and the torn line
    good = [line for line in lines(place) if not line.endswith("nu")]
    file.write_text("\n".join(good) + "\n")
    assert told(place) == told(whole)


def test_a_damaged_line_in_the_middle_is_run_again(cli, whole):
    before = told(whole)
    file = whole / "outcomes.jsonl"
    rows = file.read_text().splitlines()
    rows[2] = rows[2].replace('"case"', '"cose"')
    digit = re.search(r'"seconds": \d*\.\d', rows[3])
    at = digit.end() - 1
    rows[3] = rows[3][:at] + str((int(rows[3][at]) + 1) % 10) + rows[3][at + 1 :]
    rows[4] = rows[4].replace('"stablek": "', '"stablek": "0.')
    file.write_text("\n".join(rows) + "\n")
    code, _, err = cli(*TRUST, "whole", patches=SMALL)
    assert code == 0, err
    assert "2 damaged line(s)" in err
    assert "1 line(s) of another version" in err
    kept = [line for line in lines(whole) if line not in rows[2:5]]
    file.write_text("\n".join(kept) + "\n")
    assert told(whole) == before


def test_trust_that_is_interrupted_says_what_is_kept(start, tmp_path):
    run = start(*TRUST, "out", patches=SMALL, hold=3)
    until(lambda: lines(tmp_path / "out"), run)
    run.send(signal.SIGTERM)
    assert run.wait() == 143
    kept = len(lines(tmp_path / "out"))
    assert f"{kept} sets are kept; resume with: the same command" in run.err
    assert "Traceback" not in run.err


def test_a_second_trust_in_the_folder_tries_again_later(cli, start, tmp_path):
    run = start(*TRUST, "out", patches=SMALL, hold=3)
    until(lambda: lines(tmp_path / "out"), run)
    run.send(signal.SIGSTOP)
    code, out, err = cli(*TRUST, "out", patches=SMALL)
    run.send(signal.SIGCONT)
    assert (code, out) == (75, "")
    assert f"in use by process {run.pid} on " in err
    run.kill()


TABLE = (
    "bench", "table", "FCSim", "--dataset", "Gaussian3", "--dataset", "Simulated6",
    "-a", "hier-a", "-a", "hier-s", "-j", "1", "-q", "-o",
)  # fmt: skip


def cells(file):
    """Return the cells that are kept: recipe, data set, answer."""
    if not file.exists():
        return []
    base = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        asked = "SELECT recipe, dataset, digest, answer FROM cells"
        return sorted(base.execute(asked).fetchall())
    except sqlite3.OperationalError:  # not made yet
        return []
    finally:
        base.close()


def test_tables_keep_every_cell_that_was_finished(cli, start, tmp_path):
    killed, whole = tmp_path / "killed.sqlite", tmp_path / "whole.sqlite"
    run = start(*TABLE, killed, hold=2)
    until(lambda: cells(killed), run)
    run.kill()
    left = cells(killed)
    assert len(left) < 4
    assert cli(*TABLE, killed)[0] == 0
    code, out, _ = cli(*TABLE, whole)
    assert code == 0
    assert out.startswith(" ")
    assert cells(killed) == cells(whole)
    assert set(left) <= set(cells(whole))


def test_a_damaged_cell_is_computed_again_and_a_damaged_file_is_told(cli, tmp_path):
    file = tmp_path / "b.sqlite"
    assert cli(*TABLE, file)[0] == 0
    before = cells(file)
    with closing(sqlite3.connect(file)) as base, base:
        changed = "UPDATE cells SET answer = replace(answer, ?, ?)"
        assert base.execute(changed, ('"k": ', '"k": 1')).rowcount == len(before)
    assert cells(file) != before
    assert cli(*TABLE, file)[0] == 0
    assert cells(file) == before
    raw = bytearray(file.read_bytes())
    raw[4096:] = bytes(len(raw) - 4096)
    file.write_bytes(raw)
    code, out, err = cli(*TABLE, file)
    assert (code, out) == (2, "")
    assert "is damaged" in err


def test_tables_that_are_interrupted_say_what_is_kept(start, tmp_path):
    file = tmp_path / "b.sqlite"
    run = start(*TABLE, file, hold=2)
    until(lambda: cells(file), run)
    run.send(signal.SIGINT)
    assert run.wait() == 130
    kept = len(cells(file))
    assert f"{kept} cells are kept in {file}; resume with: the same command" in run.err
