"""Heat maps: what Pillow reads is what was written."""

import io

import numpy as np
import pytest
from PIL import Image

from stablek.report.charts.png import (
    HUE,
    UNKNOWN,
    data_uri,
    palette_png,
    shades,
    shrink,
)


@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (5, 7), (16, 16)])
def test_an_image_reads_back_index_by_index(shape):
    rng = np.random.default_rng(0)
    index = rng.integers(0, 16, shape).astype(np.uint8)
    image = Image.open(io.BytesIO(palette_png(index)))
    image.load()
    assert np.array_equal(np.asarray(image), index)


def test_opacity_grows_with_the_value_and_the_unknown_has_its_own_colour():
    values = np.array([[0.0, 0.5, 1.0, np.nan]])
    image = Image.open(io.BytesIO(palette_png(shades(values)))).convert("RGBA")
    pixels = [image.getpixel((i, 0)) for i in range(4)]
    assert [p[3] for p in pixels] == [0, 128, 255, 255]
    assert pixels[2][:3] == HUE
    assert pixels[3][:3] == UNKNOWN


def test_shrinking_averages_blocks_and_leaves_out_what_is_not_known():
    matrix = np.arange(16.0).reshape(4, 4)
    matrix[0, 0] = np.nan
    small = shrink(matrix, 2)
    assert small[0, 0] == pytest.approx(np.mean([1.0, 4.0, 5.0]))
    assert small[1, 1] == np.mean([10.0, 11.0, 14.0, 15.0])
    assert shrink(matrix, 9) is matrix
    assert np.isnan(shrink(np.full((4, 4), np.nan), 2)).all()


def test_an_image_stands_in_the_page_as_text():
    assert data_uri(b"\x89PNG").startswith("data:image/png;base64,")
