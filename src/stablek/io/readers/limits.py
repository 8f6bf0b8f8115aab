"""Counters that keep a read to its budget.

A file of a few kilobytes may declare, or expand to, many gigabytes. Declared sizes
are therefore compared with a budget before anything is allocated, and compressed
text is read through a counter.
"""

import io
import math
import zlib
from typing import Any, BinaryIO

from stablek.errors import InputError
from stablek.machine.memory import shown_size

EXPANSION = 100
"""How many times its own size a compressed file may become."""

FLOOR = 16 * 2**20
"""Below this many bytes the expansion is not checked: small files are harmless."""


class Counted(io.RawIOBase):
    """A stream that counts what it hands out and stops at a limit.

    Damage (a cut-off archive, a wrong checksum, a disk error) is reported as refused
    input. A line longer than ``longest`` bytes is refused too, since a text
    reader would have to hold it.
    """

    def __init__(
        self, stream: BinaryIO | Any, name: str, limit: float, longest: float = math.inf
    ) -> None:
        self.stream = stream
        self.name = name
        self.limit = limit
        self.longest = longest
        self.count = 0
        self.since_line_end = 0

    def readable(self) -> bool:
        """Tell that the stream can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer, count, and stop at the limit."""
        import lzma

        try:
            chunk = self.stream.read(len(buffer))
        except EOFError:
            raise InputError(
                f"{self.name} is cut off: is the download complete?"
            ) from None
        except (zlib.error, lzma.LZMAError, OSError) as error:
            raise InputError(
                f"{self.name} cannot be read ({error}): is the file damaged?"
            ) from None
        self.count += len(chunk)
        if self.count > self.limit:
            raise InputError(
                f"{self.name} expands to more than {shown_size(self.limit)}; if you "
                "trust it, decompress it first, or raise --memory"
            )
        self._watch_line_length(chunk)
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def _watch_line_length(self, chunk: bytes) -> None:
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        if end < 0:
            self.since_line_end += len(chunk)
        else:
            self.since_line_end = len(chunk) - end
        if self.since_line_end > self.longest:
            raise InputError(
                f"{self.name} has a line longer than {shown_size(self.longest)}: "
                "is it a table? If so, raise --memory"
            )

    def close(self) -> None:
        """Close the stream beneath as well."""
        if not self.closed:
            self.stream.close()
        super().close()
