"""A factorisation as a picture: patterns above, metagenes below, as one SVG file."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stablek.factorize.factorisation import Factorisation
from stablek.report.charts.png import data_uri, palette_png, shades
from stablek.report.page.markup import Element

Matrix = NDArray[np.float64]

WIDTH, LEFT, ROW, HEAD = 760, 90, 22, 34
#: At most so many columns of pixels; beyond them neighbours are averaged.
PIXELS = 1400


def picture(factors: Factorisation) -> str:
    """Return the SVG: each component a row, as in the thesis's figure of W and H.

    Items are in the order of their clusters and, within one, of their share of it;
    features likewise, by the component they weigh most in. The coefficients of an item
    are divided by their sum; so are the weights of a feature, after each metagene is
    divided by its largest weight. A full colour means "all of it".
    """
    items = _shares(factors.coefficients)
    largest = factors.metagenes.max(axis=1, keepdims=True)
    features = _shares((factors.metagenes / np.where(largest > 0, largest, 1.0)).T)
    sizes = np.bincount(factors.labels, minlength=factors.rank)
    tall = factors.rank * ROW
    drawing = Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {2 * (HEAD + tall) + HEAD}",
        font_family="sans-serif",
        font_size=13,
    )
    drawing.add(Element("rect", width=WIDTH, height="100%", fill="white"))
    names = [f"{j + 1} ({size})" for j, size in enumerate(sizes)]
    title = f"patterns (H): {len(items)} items by component, cluster sizes at the left"
    _heat(drawing, items, 0, title, names)
    title = f"metagenes (W): {len(features)} features by component"
    names = [str(j + 1) for j in range(factors.rank)]
    _heat(drawing, features, HEAD + tall + HEAD // 2, title, names)
    return drawing.__html__() + "\n"


def _shares(matrix: Matrix) -> Matrix:
    """Return rows divided by their sums and put in order; zeros stay zeros."""
    total = matrix.sum(axis=1, keepdims=True)
    shares: Matrix = matrix / np.where(total > 0, total, 1.0)
    first = shares.argmax(axis=1)
    return shares[np.lexsort((-shares.max(axis=1), first))]


def _heat(
    drawing: Element, shares: Matrix, top: float, title: str, names: Sequence[str]
) -> None:
    """Draw one map: a row per component, a column per item or feature."""
    cells = len(shares)
    if cells > PIXELS:
        starts = np.linspace(0, cells, PIXELS, endpoint=False).astype(np.intp)
        counts = np.diff(starts, append=cells)[:, None]
        shares = np.add.reduceat(shares, starts, axis=0) / counts
    drawing.add(Element("text", title, x=LEFT, y=top + HEAD - 12))
    drawing.add(
        Element(
            "image",
            href=data_uri(palette_png(shades(shares.T))),
            x=LEFT,
            y=top + HEAD,
            width=WIDTH - LEFT - 10,
            height=ROW * len(names),
            preserveAspectRatio="none",
            style="image-rendering: pixelated",
        )
    )
    for place, name in enumerate(names):
        y = top + HEAD + place * ROW + 15
        drawing.add(Element("text", name, x=LEFT - 8, y=y, text_anchor="end"))
