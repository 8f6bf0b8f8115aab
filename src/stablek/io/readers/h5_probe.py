"""Find out whether HDF5 can read a file at all, where it can do no harm.

The HDF5 library may loop for ever, or crash, in a damaged file, and no signal reaches
Python meanwhile. A child process reads names and texts first, within a limit of time
that it spends computing.
"""

import os
import signal
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from stablek.errors import InputError
from stablek.io.readers.table import extra

#: Seconds that names and texts may take the processor.
PATIENCE = 3.0

#: Signals that end the child: the time is over, or HDF5 crashed.
ENDS = ("SIGPROF", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGABRT", "SIGILL")

#: Parts of a file that are tried, and texts in all of them.
MOST_PARTS, MOST_TEXTS = 2_000, 1_000_000

#: What the reader asks for by name, though no walk or list may show it.
ASKED_FOR = ("X", "obs", "var", "obsm", "layers")
ATTRIBUTES = ("_index", "encoding-type", "h5sparse_format", "shape", "h5sparse_shape")


def refuse_unreadable(path: Path, label: str) -> None:
    """Refuse a file in which HDF5 loops or crashes; elsewhere it says what is wrong."""
    if not hasattr(os, "fork"):  # Windows
        return
    h5py = extra("h5py", "anndata")
    with warnings.catch_warnings():
        # Other threads do not matter to a child that reads and leaves.
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        _try(h5py, path)
    try:
        status = os.waitpid(child, 0)[1]
    except BaseException:
        os.kill(child, 9)
        os.waitpid(child, 0)
        raise
    if status != 0:
        raise InputError(
            f"{label} is damaged: HDF5 loops or crashes in it. Is it complete?"
        )


def _try(h5py: Any, path: Path) -> None:
    """Read names and texts of a file, then leave; in the child."""
    import resource

    try:
        for number in ENDS:  # whatever the parent does about them
            signal.signal(getattr(signal, number), signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with h5py.File(path, "r") as file:
            _read_texts(h5py, file)
    except BaseException:
        pass  # the parent meets and reports it
    finally:
        os._exit(0)


def _read_texts(h5py: Any, file: Any) -> None:
    """Read the attributes and texts that can be read."""
    parts, texts = [file], 0
    with suppress(Exception):  # a walk that fails half way has found some parts
        file.visititems(
            lambda _, part: parts.append(part) if len(parts) < MOST_PARTS else 1
        )
    for name in ASKED_FOR:
        with suppress(Exception):
            parts.append(file[name])
    for part in parts:
        names = [*ATTRIBUTES]
        with suppress(Exception):
            names += list(part.attrs)
        for name in names:
            with suppress(Exception):
                part.attrs.get(name)
        with suppress(Exception):
            held = isinstance(part, h5py.Dataset) and part.dtype.hasobject
            if held and part.ndim == 1 and not part.is_virtual and texts < MOST_TEXTS:
                texts += len(part[: MOST_TEXTS - texts])
