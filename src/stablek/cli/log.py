"""``--log``: what goes to stderr goes to a file as well."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click

from stablek.errors import InputError


class Tee:
    """Text that goes to a stream and, plain, to a file as well.

    A file that cannot be written (a full disk) is reported once, and stops no run.
    """

    def __init__(self, stream: TextIO, file: TextIO) -> None:
        self.stream = stream
        self.file = file
        self.failed = False

    def write(self, text: str) -> int:
        """Write to both; colour and cursor movements stay on the terminal."""
        self._try(lambda: self.file.write(click.unstyle(text).replace("\r", "")))
        return self.stream.write(text)

    def flush(self) -> None:
        """Flush both."""
        self._try(self.file.flush)
        self.stream.flush()

    def end(self) -> TextIO:
        """Close the file and return the stream."""
        self._try(self.file.close)
        return self.stream

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError as error:
            if not self.failed:
                self.failed = True
                name = getattr(self.file, "name", "the log")
                self.stream.write(f"the log {name} is incomplete: {error.strerror}\n")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def open_log(path: Path | None) -> None:
    """Let stderr go to a file as well; an open log stays as it is."""
    if path is None or isinstance(sys.stderr, Tee):
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"cannot write the log {path}: {error.strerror}; name another file"
        ) from None
    sys.stderr = Tee(sys.stderr, file)


def close_log() -> None:
    """End the log, if there is one; the last error message is in it by now."""
    if isinstance(sys.stderr, Tee):
        sys.stderr = sys.stderr.end()
