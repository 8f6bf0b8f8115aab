"""A heat map of the columns that set clusters apart, items in the order of clusters."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.report.charts.png import data_uri, palette_png, two_sided
from stablek.report.charts.strips import Strip, strips
from stablek.report.page.markup import Element, drawing_of, text_at, text_of

Floats = NDArray[np.float64]

#: Columns and items that are drawn at most.
MOST_COLUMNS, MOST_ITEMS = 60, 400
#: Standard deviations from the mean at which the shades end.
SHADES_TO = 2.5
ROW = 13.0


def standard_scores(values: NDArray[Any]) -> Floats:
    """Return columns in standard deviations from their means, as the map shows them."""
    wide = np.asarray(values, dtype=np.float64)
    spread = np.nanstd(wide, axis=0)
    centred = wide - np.nanmean(wide, axis=0)
    scaled: Floats = centred / np.where(spread > 0, spread, 1.0)
    return np.clip(scaled, -SHADES_TO, SHADES_TO)


def marker_map(
    values: NDArray[Any], names: Sequence[str], rows: Sequence[Strip], title: str
) -> Element:
    """Draw columns (downwards) of items (to the right), with strips above.

    ``values`` have shape (items, columns), ``rows`` are the strips in the same order of
    items, the clusters first; ``title`` says what is shown to those who cannot see it.
    """
    left, width = 150.0, 560.0
    drawn, top = strips(rows, left, width, 4.0)
    tall = ROW * len(names)
    image = palette_png(two_sided(standard_scores(values).T, SHADES_TO), two_hues=True)
    height = top + tall + 6
    svg = drawing_of(left + width + 4, height, "broad map", title).extend(drawn)
    svg.add(
        Element(
            "image", href=data_uri(image), x=left, y=top, width=width, height=tall,
            preserveAspectRatio="none", style="image-rendering:pixelated",
        )
    )  # fmt: skip
    for place, name in enumerate(names):
        y = top + ROW * (place + 0.5) + 4
        svg.add(text_at(text_of(name, 22), left - 6, y, "end"))
    return svg
