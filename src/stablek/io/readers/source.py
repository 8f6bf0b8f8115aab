"""Open what the user named: a file, a pipe or standard input, compressed or not.

The kind of compression and of file is detected from the first bytes, not the name. A
pipe is copied to a temporary file first, because a strict reader may have to look
twice.
"""

import bz2
import difflib
import gzip
import io
import lzma
import os
import re
import stat
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from stablek.datasets import PACKAGED, SIMULATED
from stablek.errors import InputError
from stablek.io.readers.limits import EXPANSION, FLOOR, Counted
from stablek.io.readers.streams import Both, Kept, written_pipe
from stablek.machine.memory import shown_size

COMPRESSIONS = {b"\x1f\x8b": "gz", b"\xfd7zXZ\x00": "xz", b"BZh": "bz2"}
COMPRESSED_SUFFIXES = (".gz", ".xz", ".bz2")

BINARY = {
    b"\x89HDF\r\n\x1a\n": "HDF5",
    b"\x93NUMPY": "NPY",
    b"PAR1": "Parquet",
    b"PK\x03\x04": "ZIP",
    b"PK\x05\x06": "ZIP",
    b"ARROW1": "Arrow/Feather",
    b"\xd0\xcf\x11\xe0": "old Excel (.xls)",
    b"%PDF": "PDF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"\x7fELF": "program",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"RDX": "R data",
    b"SQLite format 3": "SQLite",
    b"\x80\x04\x95": "pickle",
}

SUSPICIOUS = 50
"""How many times its own size the beginning of a compressed table may become."""

SPOOL_IN_MEMORY = 64 * 2**20


@dataclass
class Source:
    """One input, which can be opened as often as needed.

    Messages call it by its ``label``; its ``name`` is that of the file without its
    endings. Not more than ``budget`` bytes may be held. They are at the ``path`` of a
    regular file, or in ``spool``, a copy of a pipe.
    """

    label: str
    name: str
    budget: int
    path: Path | None = None
    spool: IO[bytes] | None = None
    suffix: str = ""
    compression: str = field(init=False, default="")

    def __post_init__(self) -> None:
        try:
            with self.raw() as stream:
                start = stream.read(8)
        except OSError as error:
            raise unreadable(self.label, error) from None
        for magic, name in COMPRESSIONS.items():
            if start.startswith(magic):
                self.compression = name
        self.refuse_bomb()

    def raw(self) -> BinaryIO:
        """Return the bytes as they are stored."""
        if self.path is None:
            assert self.spool is not None
            self.spool.seek(0)
            return cast("BinaryIO", Kept(self.spool))
        try:
            return self.path.open("rb")
        except OSError as error:
            raise unreadable(self.label, error) from None

    def close(self) -> None:
        """Forget the copy of a pipe."""
        if self.spool is not None:
            self.spool.close()

    def size(self) -> int:
        """Return the number of bytes stored."""
        if self.path is not None:
            return self.path.stat().st_size
        assert self.spool is not None
        return self.spool.seek(0, os.SEEK_END)

    def open(self) -> io.BufferedReader:
        """Return the bytes, decompressed, through a counter."""
        raw = self.raw()
        longest = max(self.budget / 4, FLOOR)
        if not self.compression:
            return io.BufferedReader(Counted(raw, self.label, 2**62, longest))
        counted = Counted(self.unpacked(raw), self.label, self.limit(), longest)
        return io.BufferedReader(counted)

    def unpacked(self, raw: BinaryIO) -> Both:
        """Return the bytes of a compressed file, decompressed."""
        opener: Any = {"gz": gzip.open, "xz": lzma.open, "bz2": bz2.open}
        return Both(opener[self.compression](raw), raw)

    def limit(self) -> int:
        """Return how many bytes a compressed file may expand to."""
        return max(min(EXPANSION * self.size(), 4 * self.budget), FLOOR)

    def refuse_bomb(self) -> None:
        """Refuse a compressed file that expands too much, before it is read.

        To decompress is fast, to read a table is not. A file whose beginning expands
        as tables do is not checked further.
        """
        if not self.compression or EXPANSION * self.size() < FLOOR:
            return
        with (
            self.raw() as raw,
            Counted(self.unpacked(raw), self.label, self.limit()) as stream,
        ):
            while stream.read(1 << 20):
                usual = stream.count < SUSPICIOUS * max(raw.tell(), 1)
                if stream.count >= FLOOR and usual:
                    return

    def seekable(self) -> BinaryIO:
        """Return the bytes of a format that is read from several places."""
        if self.compression:
            raise InputError(f"{self.label}: decompress this format first")
        return self.raw()

    def head(self, length: int = 65536) -> bytes:
        """Return the first bytes, decompressed."""
        with self.open() as stream:
            return stream.read(length)

    def binary_kind(self, head: bytes) -> str:
        """Return the name of the binary format that starts like this, or nothing."""
        for magic, name in BINARY.items():
            if head.startswith(magic):
                return name
        return ""


def locate(where: str | os.PathLike[str], budget: int) -> Source:
    """Return the source for a path, or for standard input where it is "-"."""
    text = os.fspath(where)
    if text == "-":
        return piped(sys.stdin.buffer, "standard input", "stdin", budget)
    path = Path(text)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        refuse_dangling(path)
        raise missing_file(path) from None
    except (OSError, ValueError) as error:
        raise unreadable(text, error) from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{text} is a folder; name a file in it")
    if stat.S_ISFIFO(mode):
        with written_pipe(path) as stream:
            return piped(stream, text, "pipe", budget)
    if stat.S_ISCHR(mode) and path == Path("/dev/stdin"):
        with path.open("rb") as stream:
            return piped(stream, text, "pipe", budget)
    if not stat.S_ISREG(mode):
        raise InputError(
            f"{text} is a device, not a file; name a file, or - for standard input"
        )
    if path.resolve().parts[:2] in (("/", "proc"), ("/", "sys")):
        raise InputError(
            f"{text} belongs to the system and is not a data file; name a file"
        )
    name, suffix = short_name(path.name)
    return Source(text, name, budget, path=path, suffix=suffix)


def short_name(file_name: str) -> tuple[str, str]:
    """Return the name without endings, and the ending that tells the format.

    Examples
    --------
    >>> short_name("leukemia.tsv.gz")
    ('leukemia', '.tsv')
    """
    inner = Path(file_name)
    if inner.suffix.lower() in COMPRESSED_SUFFIXES:
        inner = inner.with_suffix("")
    suffix = inner.suffix.lower()
    name = inner.name[: -len(suffix)] if suffix else inner.name
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", "", name) or "data", suffix


def piped(stream: BinaryIO, label: str, name: str, budget: int) -> Source:
    """Return a source that holds a copy of a pipe, within a limit."""
    spool = tempfile.SpooledTemporaryFile(max_size=SPOOL_IN_MEMORY)  # noqa: SIM115
    limit, count = 4 * budget, 0
    while chunk := stream.read(1 << 20):
        count += len(chunk)
        if count > limit:
            spool.close()
            raise InputError(
                f"{label} gives more than {shown_size(limit)}; save it to a file, or "
                "raise --memory"
            )
        spool.write(chunk)
    return Source(label, name, budget, spool=spool)


def refuse_dangling(path: Path) -> None:
    """Call a link that leads nowhere by its name."""
    if path.is_symlink():
        raise InputError(
            f"{path} is a link to {path.readlink()}, which does not exist; fix the link"
        )


def missing_file(path: Path) -> InputError:
    """Return the error for a file that is not there, with the nearest name."""
    try:
        names = [p.name for p in path.parent.iterdir()]
    except OSError:
        return InputError(f"{path}: no such file, and no folder {path.parent}")
    near = difflib.get_close_matches(path.name, names, n=1)
    hint = f"; did you mean {path.parent / near[0]}?" if near else "; check the name"
    if path.name in (*PACKAGED, *SIMULATED):
        hint = f"; to get the data set of that name: stablek datasets {path.name}"
    return InputError(f"{path}: no such file{hint}")


def unreadable(label: str, error: Exception) -> InputError:
    """Return the error for a file that cannot be opened."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return InputError(
        f"{label} cannot be read: {reason}; check the name and its permissions"
    )
