"""Temporary folders that a killed process does not leave for ever."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PREFIX = "stablek-work-"

#: The file that the owner of a folder holds locked, as long as it lives.
LOCK = ".owner"

#: Seconds that a folder may be without a lock: its owner may be about to take it.
PATIENCE = 60


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a folder that is gone afterwards, or when the next one is asked for.

    A process that is killed cannot remove its folder. The next one does: the lock goes
    with its owner, so it tells for certain, across containers, too.
    """
    sweep_folders()
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name:
        folder = Path(name)
        with (folder / LOCK).open("wb") as file:
            take(file)
            yield folder


def sweep_folders() -> None:
    """Remove the temporary folders of processes that are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            if is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except (OSError, AttributeError):  # gone meanwhile; Windows has no owners
            continue


def is_abandoned(folder: Path) -> bool:
    """Tell whether nobody holds a temporary folder."""
    try:
        with (folder / LOCK).open("r+b") as file:
            return take(file)
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime > PATIENCE


def take(file: IO[bytes]) -> bool:
    """Lock a file, and tell whether that was possible; it lasts until it is closed."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
