"""The lock of a folder: one process holds it, and says who it is."""

import contextlib
import os
import re
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stablek.errors import NO_ROOM, InputError, TryAgainError
from stablek.io.store.atomic import write_bytes

#: How a process says that it holds a folder.
HOLDER = re.compile(r"process (\d+) on (\S+) since")


@dataclass
class Hold:
    """A folder that this process holds, until it lets go or ends.

    Parameters
    ----------
    made
        The folders that were made for it, outermost first.
    """

    lock: Any
    files: tuple[Path, ...]
    made: tuple[Path, ...] = ()

    def release(self, *, leave_nothing: bool = False) -> None:
        """Let go; with ``leave_nothing`` also remove what holding it has made."""
        if leave_nothing:
            with contextlib.suppress(OSError):
                for file in self.files:
                    file.unlink(missing_ok=True)
                for folder in reversed(self.made):
                    folder.rmdir()
        self.lock.release()


def take_hold(path: Path, part: str = "", made: tuple[Path, ...] = ()) -> Hold:
    """Return the hold on a folder; if another has it, say who.

    It goes with its process, however that ends.
    """
    import filelock

    holder, file = path / f".holder{part}", lock_file(path, part)
    # A lock that was there stays; who waits for it would otherwise hold another.
    files = tuple(f for f in (holder, file) if not f.exists())
    # flock is released by the kernel when a process dies, however it dies.
    lock = filelock.FileLock(file, timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise TryAgainError(
            f"{path} is in use by {held_by(holder)}; wait, or use another -o"
        ) from None
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        # Network disks without locks.
        raise InputError(
            f"cannot lock {path}: {error.strerror}; use a folder on another disk "
            "with -o"
        ) from None
    since = time.strftime("%H:%M")
    who = f"process {os.getpid()} on {this_machine()} since {since}"
    write_bytes(holder, who.encode())
    return Hold(lock, files, made)


def lock_file(path: Path, part: str = "") -> Path:
    """Return the file by which a folder is locked; refuse one that somebody planted."""
    file = path / f".lock{part}"
    if file.is_symlink():
        raise InputError(f"{file} is a link; remove it, or use another -o")
    return file


def held_by(holder: Path) -> str:
    """Return who holds a folder, by the file that says so.

    One that has taken the lock just now may not have written it yet.
    """
    for _ in range(20):
        try:
            said = holder.read_text(encoding="utf-8") if holder.is_file() else ""
        except (OSError, UnicodeDecodeError):
            said = ""
        if HOLDER.match(said):
            return said
        time.sleep(0.1)
    return "another process"


def this_machine() -> str:
    """Return the name of the machine, by which a folder says who holds it."""
    return socket.gethostname()
