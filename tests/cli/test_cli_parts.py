"""Parts of the command line by themselves: signals, folders, ranges, progress."""

import errno
import signal
import sys
import threading

import click
import numpy as np
import pytest

from stablek.cli.kept import kept_command
from stablek.cli.options import KRange
from stablek.cli.run_folder import open_run
from stablek.cli.shard import shown_time
from stablek.cli.show import number
from stablek.cli.signals import stoppable
from stablek.cli.words import without
from stablek.data import from_arrays
from stablek.engine.progress import Progress
from stablek.errors import InputError, TryAgainError


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("run x --shard=1/2 --restart", "run x"),
        ("run x --shard 1/2 --seed 1 -oout", "run x --seed 1"),
        ("run -o out - -k 2:5", "run - -k 2:5"),
        ("run --restarted -- -o --restart", "run --restarted -- -o --restart"),
        ("run x --shard", "run x"),
    ],
)
def test_options_are_left_out_with_their_values(given, left):
    taken = without(given.split(), ("--shard", "--out", "-o"), ("--restart",))
    assert taken == left.split()


def test_times_are_said_in_fitting_units():
    assert [shown_time(s) for s in (0.42, 95, 7300, 200_000)] == [
        "0.42 s", "1.6 min", "2.0 h", "2.3 days",
    ]  # fmt: skip


def test_signals_are_left_alone_outside_the_main_thread():
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def work():
        with stoppable():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def fails(folder, error):
    """Begin a run, and let it fail."""
    folder.begin()
    raise error


def test_what_may_be_tried_again_names_the_command_that_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["stablek", "run", "x.csv"])
    data = from_arrays(np.eye(4))
    out = str(tmp_path / "out")
    with (
        pytest.raises(TryAgainError, match="full; nothing is kept yet; run the same"),
        open_run(out, data, {}, restart=False),
    ):
        raise TryAgainError("the disk is full")
    with (
        pytest.raises(TryAgainError, match="full; 0 tasks are kept; resume with: "),
        open_run(out, data, {}, restart=False) as folder,
    ):
        fails(folder, TryAgainError("the disk is full"))
    with (
        pytest.raises(TryAgainError, match=r"writing x\.tsv; free some; 0 tasks"),
        open_run(out, data, {}, restart=False) as folder,
    ):
        fails(folder, OSError(errno.ENOSPC, "No space left on device", "out/x.tsv"))
    with pytest.raises(OSError, match="broken"), open_run(out, data, {}, restart=False):
        raise OSError(errno.EIO, "broken", "out/x.tsv")


def test_a_folder_without_a_command_or_with_a_damaged_one_is_told(tmp_path):
    with pytest.raises(InputError, match="is not the folder of a run"):
        kept_command(tmp_path)
    (tmp_path / ".lock").touch()  # killed before it had written anything
    with pytest.raises(InputError, match=r"nothing was kept in it yet .* same command"):
        kept_command(tmp_path)
    for text in ("{", "[]", '{"arguments": 3}'):
        (tmp_path / "run.json").write_text(text)
        with pytest.raises(InputError, match="is damaged; run the original command"):
            kept_command(tmp_path)


def test_a_range_of_ks_is_both_ends_and_at_least_one():
    kind = KRange()
    assert kind.convert(range(2, 5), None, None) == range(2, 5)
    assert list(kind.convert("2:4", None, None)) == [2, 3, 4]
    for text, told in (("0:3", "the smallest"), ("4:2", "write 2:4"), ("3-5", "e.g.")):
        with pytest.raises(click.BadParameter, match=told):
            kind.convert(text, None, None)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(np.nan, "-"), (0.0, "0"), (123456.0, "1.23e+05"), (1e-4, "1.00e-04")],
)
def test_a_number_takes_few_characters(value, shown):
    assert number(value) == shown


def test_on_a_terminal_progress_is_a_bar_per_stage(monkeypatch, capsys):
    monkeypatch.setattr("stablek.kernels.helper.are_compiled", lambda: False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with Progress() as progress:
        progress("repeats", 1, 4)
        progress.best(lambda: 3)
        progress("repeats", 2, 4)
        progress("null sets", 0, 5)
        shown = {
            task.description: task.completed for task in progress._display._bars.tasks
        }
    assert shown == {"repeats": 2, "null sets": 0}
    assert "compiling kernels for this machine" in capsys.readouterr().err
