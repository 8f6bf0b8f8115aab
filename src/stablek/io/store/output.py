"""The folder of a command that keeps no run: its results, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stablek.io.store.atomic import sweep
from stablek.io.store.lock import take_hold
from stablek.io.store.results import check_writable, missing_folders


@contextmanager
def output_folder(path: Path) -> Iterator[Path]:
    """Hold a folder while results are made and written.

    A folder that takes no files is found before anything is computed. A command that
    fails leaves no empty folder; what a killed one left unfinished is removed.
    """
    made = missing_folders(path)
    check_writable(path)
    hold = take_hold(path, made=made)
    try:
        sweep(path)
        yield path
    finally:
        hold.release(leave_nothing=True)
