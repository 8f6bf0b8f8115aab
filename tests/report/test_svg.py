"""Drawings as text: escaped, well formed, with a tip on every mark."""

import itertools
import xml.etree.ElementTree as ET

import numpy as np

from stablek.report.charts.svg import Chart
from stablek.report.page.markup import Element, text_of


def parsed(drawing: Element) -> ET.Element:
    return ET.fromstring(str(drawing))


def chart(**more) -> Chart:
    return Chart("a figure", (0.0, 4.0), (0.0, 1.0), **more)


def test_text_and_attributes_are_escaped():
    hostile = '"><script>alert(1)</script>&'
    shape = Element("g", Element("title", hostile), aria_label=hostile)
    assert "<script" not in str(shape)
    root = ET.fromstring(str(shape))
    assert root.get("aria-label") == hostile
    assert root[0].text == hostile


def test_lone_surrogates_and_nul_are_replaced_and_long_text_is_cut():
    assert text_of("a\ud800b\0") == "a?b\ufffd"
    assert len(text_of("x" * 10_000)) == 200


def test_a_line_breaks_where_a_value_is_missing():
    made = chart()
    made.line([0, 1, 2, 3], [0.1, np.nan, 0.3, 0.4], "s0")
    path = parsed(made.render()).find(".//*[@class='line s0']")
    assert path.get("d").count("M") == 2


def test_a_band_of_one_point_is_not_drawn():
    made = chart()
    made.band([1], [0.1], [0.2], "f0")
    assert "band" not in str(made.render())


def test_steps_hold_their_value_until_the_next():
    made = chart(width=104.0, left=0.0)
    made.sx = lambda x: x
    made.sy = lambda y: y
    made.steps([0.0, 1.0, 2.0], [1.0, 5.0, 6.0], "s0", tip="curve")
    path = parsed(made.render()).find(".//*[@class='line s0']")
    assert path.get("d") == "M0 1H1V5H2V6"
    assert path[0].text == "curve"


def test_bars_dots_and_strips_carry_their_tips():
    made = chart()
    made.bars([(0, 1), (1, 2)], [0.5, 0.7], "f0", ["one", "two"])
    made.dots([1.0], [0.5], "f1", ["three"])
    made.strips([1.0, 2.0, 3.0], ["a", "b", "c"])
    titles = [node.text for node in parsed(made.render()).iter("title")]
    assert titles == ["one", "two", "three", "a", "b", "c"]


def test_strips_cover_the_plot_without_overlap():
    made = chart(width=466.0)
    made.strips([1.0, 2.0, 3.0], ["a", "b", "c"])
    strips = [
        (float(r.get("x")), float(r.get("width")))
        for r in parsed(made.render()).iter("rect")
    ]
    for (x, wide), (after, _) in itertools.pairwise(strips):
        assert abs(x + wide - after) < 0.2


def test_a_long_legend_wraps_into_rows_above_the_plot():
    made = chart()
    for place in range(12):
        made.legend(f"a rather long entry {place}", "s0")
    view = parsed(made.render()).get("viewBox").split()
    assert float(view[1]) < -30


def test_a_drawing_says_what_it_shows_to_those_who_cannot_see_it():
    root = parsed(chart(x_label="k", y_label="area").render())
    assert root.get("role") == "img"
    assert root.get("aria-label") == "a figure"
    texts = [node.text for node in root.iter("text")]
    assert "k" in texts
    assert "area" in texts
