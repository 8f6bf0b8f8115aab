"""Files that are there whole or not at all."""

import errno
import os
import re
from contextvars import ContextVar
from pathlib import Path

from stablek.errors import InputError

#: How network disks say that a folder cannot be flushed; the file itself was.
NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)

#: How the names end of files that are being written, after the number of the process.
BESIDE = ".stablek"
UNFINISHED = re.compile(r"\..+\.(?P<process>\d+)\.stablek")

#: The files that a command reads: nothing is written over them.
READ: ContextVar[frozenset[Path]] = ContextVar("read", default=frozenset())


def write_bytes(path: Path, raw: bytes) -> None:
    """Write under another name, flush to disk, rename, flush the folder.

    The file may be read by those who may read its folder, if the user's umask
    allows: in a private folder it is private, too, wherever it is copied to. An error
    names the file itself, and not the temporary one.
    """
    if path.parent.resolve() / path.name in READ.get():
        raise InputError(f"{path} is an input, and is not overwritten; use another -o")
    try:
        _write(path, raw)
    except OSError as error:
        error.filename = str(path)
        raise


def _write(path: Path, raw: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}{BESIDE}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    beside.unlink(missing_ok=True)
    handle = os.open(beside, flags, rights_in(path.parent))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in NOT_FOR_FOLDERS:
            raise
    finally:
        os.close(folder)


def rights_in(folder: Path) -> int:
    """Return the rights of a new file, before the umask: those of its folder."""
    open_to = folder.stat().st_mode
    group = 0o060 if open_to & 0o040 else 0
    others = 0o006 if open_to & 0o004 else 0
    return 0o600 | group | others


def write_text(path: Path, text: str) -> None:
    """Write text, whole or not at all."""
    write_bytes(path, text.encode())


def sweep(folder: Path, start: str = "", *, leave: str | None = None) -> None:
    """Remove what processes that are gone left unfinished in a folder.

    Call it only with the lock of the folder; a report may be written at the same time.
    ``start`` is how the names of the files begin; those that begin with ``leave`` stay,
    which another machine may be writing.
    """
    for file in folder.glob(f".{start}*{BESIDE}"):
        match = UNFINISHED.fullmatch(file.name)
        if match is None or file.is_dir() or alive(int(match["process"])):
            continue
        if leave is None or not file.name.startswith(f".{leave}"):
            file.unlink(missing_ok=True)


def alive(process: int) -> bool:
    """Tell whether a process of this machine is alive."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
