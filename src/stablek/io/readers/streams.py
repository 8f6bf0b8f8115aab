"""Streams around the one that is read: pipes, and what decompresses."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from stablek.errors import InputError

PATIENCE = 5.0
"""Seconds that a named pipe may be without a writer."""


class Kept:
    """A stream whose closing leaves the copy of a pipe open for the next look."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: the source closes the copy when it is forgotten."""


class Both:
    """A decompressing stream that closes the file beneath it too."""

    def __init__(self, stream: Any, beneath: BinaryIO) -> None:
        self._stream = stream
        self._beneath = beneath

    def read(self, size: int) -> bytes:
        """Return at most ``size`` bytes."""
        return cast("bytes", self._stream.read(size))

    def close(self) -> None:
        """Close both streams."""
        self._stream.close()
        self._beneath.close()


def written_pipe(path: Path) -> BinaryIO:
    """Return a named pipe, open, once somebody has opened it for writing."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    end = time.monotonic() + PATIENCE
    start = b""
    while not start:
        try:
            start = os.read(handle, 1)
        except BlockingIOError:  # somebody is there, and has not written yet
            break
        if not start and time.monotonic() > end:
            os.close(handle)
            raise InputError(
                f"{path} is a pipe to which nobody writes; start its writer first"
            )
        if not start:
            time.sleep(0.02)
    os.set_blocking(handle, True)
    return cast("BinaryIO", Begun(start, os.fdopen(handle, "rb")))


class Begun:
    """A stream of which the first bytes were read already."""

    def __init__(self, start: bytes, stream: BinaryIO) -> None:
        self._start = start
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return at most ``size`` bytes, the first ones first."""
        start, self._start = self._start, b""
        return start or self._stream.read(size)

    def __enter__(self) -> Begun:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
