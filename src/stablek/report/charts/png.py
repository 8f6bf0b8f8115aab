"""Heat maps as tiny palette images, written with the standard library alone.

Sixteen colours in four bits: fifteen shades from nothing to full, which are one hue of
growing opacity, so that the page behind shows through in light, dark and print; and one
colour for "not known".
"""

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

#: One hue for known values, and the colour of values that are not known.
HUE = (24, 100, 171)
UNKNOWN = (201, 137, 28)
SHADES = 15
#: The other hue, of values above the middle, where there is one.
ABOVE = (200, 74, 0)


def shades(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Return values of [0, 1] as indices 0..14 of the palette, NaN as 15."""
    known = np.clip(np.nan_to_num(values), 0.0, 1.0)
    index: NDArray[np.uint8] = np.rint(known * (SHADES - 1)).astype(np.uint8)
    index[~np.isfinite(values)] = SHADES
    return index


def two_sided(values: NDArray[np.floating], most: float) -> NDArray[np.uint8]:
    """Return values of [-most, most] as indices 0..14 of the palette, NaN as 15."""
    return shades((np.asarray(values, dtype=np.float64) / most + 1) / 2)


def palette_png(index: NDArray[np.uint8], *, two_hues: bool = False) -> bytes:
    """Return an image of palette indices, shape (height, width), as PNG bytes.

    With ``two_hues`` the middle index is blank, and either side has a hue of its own.
    """
    height, width = index.shape
    padded = np.zeros((height, width + width % 2), np.uint8)
    padded[:, :width] = index
    packed = (padded[:, 0::2] << 4) | padded[:, 1::2]
    # Rows of a consensus matrix resemble the one above: filter "up" shrinks them.
    lifted = packed.copy()
    lifted[1:] = packed[1:] - packed[:-1]
    body = zlib.compress(np.insert(lifted, 0, 2, axis=1).tobytes(), 6)
    colours, opacity = _palette(two_hues=two_hues)
    header = struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"PLTE", colours)
        + _chunk(b"tRNS", opacity)
        + _chunk(b"IDAT", body)
        + _chunk(b"IEND", b"")
    )


def _palette(*, two_hues: bool) -> tuple[bytes, bytes]:
    """Return the sixteen colours and how opaque each is."""
    if not two_hues:
        steps = [i / (SHADES - 1) for i in range(SHADES)]
        hues = [HUE] * SHADES
    else:
        half = SHADES // 2
        steps = [abs(i - half) / half for i in range(SHADES)]
        hues = [HUE if i < half else ABOVE for i in range(SHADES)]
    colours = b"".join(bytes(hue) for hue in hues) + bytes(UNKNOWN)
    return colours, bytes(round(255 * step) for step in steps) + b"\xff"


def shrink(matrix: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Return a square matrix averaged over blocks to at most ``side`` rows.

    Entries that are not known are left out of the averages; a block of nothing else
    is not known.
    """
    n = len(matrix)
    if n <= side:
        return matrix
    starts = np.linspace(0, n, side, endpoint=False).astype(np.intp)
    known = np.isfinite(matrix)
    if known.all():
        sizes = np.diff(starts, append=n)
        return _sums(matrix, starts) / np.outer(sizes, sizes)
    total = _sums(np.where(known, matrix, 0.0), starts)
    count = _sums(known.astype(np.float64), starts)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def data_uri(png: bytes) -> str:
    """Return an image as text for the page."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _sums(matrix: NDArray[np.float64], starts: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the sums over blocks; not by BLAS, whose threads would only compete."""
    by_row = np.add.reduceat(matrix, starts, axis=0)
    return np.add.reduceat(by_row, starts, axis=1)


def _chunk(kind: bytes, body: bytes) -> bytes:
    sum_ = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", sum_)
