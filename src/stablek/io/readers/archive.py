"""Open ZIP archives (NPZ, XLSX) and report damage as refused input."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from stablek.errors import InputError
from stablek.io.readers.source import Source


@contextmanager
def opened(source: Source) -> Iterator[zipfile.ZipFile]:
    """Open an archive; whatever a damaged one leads to is an input error."""
    try:
        with source.seekable() as stream, zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
            if len(set(names)) < len(names):
                raise zipfile.BadZipFile("it holds two files with the same name")
            yield archive
    except InputError:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        KeyError,
        NotImplementedError,
        OSError,
        OverflowError,
        RuntimeError,
        ValueError,
    ) as error:
        raise InputError(
            f"{source.label} is a damaged archive ({error}): is it complete?"
        ) from None
