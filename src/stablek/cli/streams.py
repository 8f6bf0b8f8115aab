"""The three streams of a process, as this one finds them."""

import contextlib
import os
import sys
from typing import Any, TextIO, cast


class SafeStream:
    """A stream for notes and progress, which sink no run where they cannot be written.

    After the first failure (a full disk, a reader that is gone) all goes to the null
    device: what is still in a buffer, too, which would fail again at the end.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write, or give up."""
        try:
            return self.stream.write(text)
        except OSError:
            self._give_up()
            return len(text)

    def flush(self) -> None:
        """Flush, or give up."""
        try:
            self.stream.flush()
        except OSError:
            self._give_up()

    def _give_up(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.stream.fileno())
            os.close(null)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def open_streams() -> None:
    """Put the null device where a stream is closed, as some schedulers leave it.

    Otherwise the next file that is opened gets its number, and worker processes take
    that for their stderr. And let no note fail.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        null = os.open(os.devnull, os.O_RDWR)
        if null != number:
            os.dup2(null, number)
            os.close(null)
        os.set_inheritable(number, True)  # noqa: FBT003
        setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w"))
    sys.stderr = cast("TextIO", SafeStream(sys.stderr))
