"""Compiled code on disk: numba's cache, with files that are checked when read.

numba takes what it reads for sound: a file that was cut short or overwritten ends the
program, in the middle of a run or by a crash. Here every file begins with a digest of
the rest. One that does not match is removed, and its kernel compiled again.
"""

import contextlib
import hashlib
import logging
import pickle
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from stablek.kernels.helper import HELPER

#: Before the digest; another layout of the files needs another one.
MARK = b"stablek kernel 1\n"

#: Whether it was said that a file was damaged: once is enough.
_said: list[str] = []


class CheckedFile(IndexDataCacheFile):
    """The index and the data of one kernel, each with a digest in front."""

    def _load_index(self) -> dict[Any, str]:
        content = self._sound(self._index_path)
        if content is None:
            return {}
        version, stamp, overloads = _parts(content)
        # Another version of numba pickles its types in another way: not read.
        current = version == self._version.encode() and stamp == self._stamp
        return _unpickled(overloads) if current else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        head = self._version.encode() + b"\n" + self._stamp + b"\n"
        with self._open_for_write(self._index_path) as file:
            file.write(head + self._dump(overloads))

    def _load_data(self, name: str) -> Any:
        content = self._sound(self._data_path(name))
        return None if content is None else _unpickled(content)

    @property
    def _stamp(self) -> bytes:
        return repr(self._source_stamp).encode()

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BytesIO]:
        content = BytesIO()
        yield content
        body = content.getvalue()
        with super()._open_for_write(filepath) as file:
            file.write(MARK + hashlib.sha256(body).digest() + body)

    def _sound(self, path: str) -> bytes | None:
        """Return what a file holds; None if there is none, or it was damaged."""
        try:
            content = Path(path).read_bytes()
        except FileNotFoundError:
            return None
        start = len(MARK) + hashlib.sha256().digest_size
        body = content[start:]
        if content[:start] == MARK + hashlib.sha256(body).digest():
            return body
        remove(path)
        return None


def _unpickled(content: bytes) -> Any:
    # numba's own format: as trusted as the folder, which holds code that is run.
    return pickle.loads(content)  # noqa: S301


def _parts(index: bytes) -> tuple[bytes, bytes, bytes]:
    version, stamp, overloads = index.split(b"\n", 2)
    return version, stamp, overloads


class CheckedCache(FunctionCache):
    """The cache of one kernel. What cannot be read or kept costs time, no more."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        file = self._cache_file
        self._cache_file = CheckedFile(
            self._cache_path, f"checked-{self._impl.filename_base}", file._source_stamp
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel for a signature; None if it must be compiled."""
        load = partial(self._load, sig, target_context)
        return HELPER.wait(self._py_func.__name__, load)

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # sound, and yet of no use here: as good as damaged
            remove(self._cache_file._index_path)
            return None

    def there(self) -> bool:
        """Tell whether compiled code of this kernel is kept, and of this version."""
        try:
            return bool(self._cache_file._load_index())
        except Exception:  # of no use: reported and removed when it is loaded
            return False

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel; a folder that takes nothing more sinks no run."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def remove(path: str) -> None:
    """Remove a damaged file, and say so the first time."""
    with contextlib.suppress(OSError):
        Path(path).unlink()
    if not _said:
        _said.append(path)
        logging.getLogger("stablek").warning(
            "compiled code in %s was damaged: removed, and compiled again",
            Path(path).parent,
        )
