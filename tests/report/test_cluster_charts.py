"""The figures of clusters on the page: strips, marker map, tracking, bars, tree."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

from stablek.data.annotations import annotation
from stablek.report.charts.flow import strip
from stablek.report.charts.marker_map import marker_map, standard_scores
from stablek.report.charts.png import palette_png, two_sided
from stablek.report.charts.strips import Strip, runs, strip_of
from stablek.report.charts.tracking import (
    back_to_front,
    cluster_bars,
    item_bars,
    tracking,
    tracking_order,
)
from stablek.report.charts.tree import layout, tree
from stablek.report.page.look import View, keep_numbers


def test_two_hues_are_blank_in_the_middle_and_opaque_at_the_ends():
    raw = palette_png(
        two_sided(np.array([[-2.0, 0.0, 2.0, np.nan]]), 2.0), two_hues=True
    )
    seen = np.asarray(Image.open(io.BytesIO(raw)).convert("RGBA"))[0]
    assert seen[:, 3].tolist() == [255, 0, 255, 255]
    assert seen[0, 2] > seen[0, 0]  # blue below
    assert seen[2, 0] > seen[2, 2]  # orange above


def test_strips_have_one_path_per_class():
    row = Strip("plate", np.array([0, 0, 1, -1, 0]), levels=("a", "<b>"))
    drawn = runs(row, 0.0, 100.0, 0.0)
    assert len(drawn) == 2
    assert str(drawn[0]).count("M") == 2  # two runs of the first class
    assert "&lt;b&gt;" in str(drawn[1])


def test_numbers_are_shown_by_fifths():
    strip = strip_of(annotation("age", [str(i + 0.5) for i in range(10)] + ["NA"]))
    assert strip.shaded
    assert strip.codes.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, -1]


def test_the_marker_map_is_an_image_with_names():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(12, 3))
    drawn = str(
        marker_map(
            values, ["a", "<b>", "c"], [Strip("cluster", np.arange(12) // 6)], "t"
        )
    )
    assert "&lt;b&gt;" in drawn
    image = re.search(r"base64,([^\"]+)", drawn)[1]
    assert Image.open(io.BytesIO(base64.b64decode(image))).size == (12, 3)
    assert np.abs(standard_scores(values).mean(axis=0)).max() < 0.3


def test_tracking_keeps_clusters_together():
    coarse = np.array([0, 1, 0, 1, 0, 1])
    fine = np.array([0, 2, 1, 2, 0, 2])
    order = tracking_order({2: coarse, 3: fine})
    assert coarse[order].tolist() == [0, 0, 0, 1, 1, 1]
    assert fine[order].tolist() == [0, 0, 1, 2, 2, 2]
    drawn = str(tracking({2: coarse, 3: fine}, 3, [Strip("sex", coarse)]))
    assert "k = 2" in drawn
    assert "sex" in drawn
    assert "label chosen" in drawn


def test_a_cluster_keeps_its_number_over_k():
    coarse = np.array([0, 0, 0, 1, 1, 1])
    fine = np.array([1, 1, 2, 0, 0, 0])
    kept = keep_numbers({2: coarse, 3: fine}, 2)
    assert kept[2].tolist() == coarse.tolist()
    assert kept[3].tolist() == [0, 0, 2, 1, 1, 1]
    assert keep_numbers({2: coarse, 3: fine}, 3)[2].tolist() == [1, 1, 1, 0, 0, 0]


def test_no_bar_of_an_item_is_higher_than_its_consensus():
    """Means over two clusters may be 1 both; stacked they ran over the axis."""
    consensus = np.array([[1.0, 0.9], [0.3, 0.95]])
    drawn = str(item_bars(consensus, np.array([0, 1])))
    tops = [float(y) for y in re.findall(r"V([\d.]+)H", drawn)]
    ground = max(float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)V[\d.]+H", drawn))
    full = ground - min(tops)
    assert sorted((ground - y) / full for y in tops) == pytest.approx(
        [0.3, 0.9, 0.95, 1.0], abs=0.01
    )
    layers = [
        (c, places.tolist(), heights.tolist())
        for c, places, heights in back_to_front(consensus)
    ]
    assert layers == [
        (0, [0], [1.0]), (1, [1], [0.95]), (0, [1], [0.3]), (1, [0], [0.9])
    ]  # fmt: skip


def test_bars_of_items_and_clusters():
    consensus = np.array([[0.9, 0.1], [0.2, 0.8], [np.nan, 1.0]])
    drawn = str(item_bars(consensus, np.array([0, 1, 1])))
    assert "consensus with cluster 2" in drawn
    assert "k = 2, cluster 1: 0.9" in str(cluster_bars({2: [0.9, float("nan")]}, 2))


def test_annotations_stand_under_the_clusters_of_a_heat_map():
    view = View(2, np.array([0, 1, 0, 1]), order=np.array([0, 2, 1, 3]))
    plain = str(strip(view))
    assert 'viewBox="0 0 500 9"' in plain
    more = str(strip(view, [Strip("plate", np.array([0, 1, 0, 1]), levels=("a", "b"))]))
    assert "plate: a" in more
    assert "M0 12H250V23H0z" in more  # in the order of the heat map: one run of two
    assert "height:1.92rem" in more


MOVES = [
    {"k": 1, "source": 1, "next_k": 2, "target": 1, "items": 6, "of_source": 0.6,
     "of_target": 1.0, "source_jaccard": 1.0, "target_jaccard": 0.9},
    {"k": 1, "source": 1, "next_k": 2, "target": 2, "items": 4, "of_source": 0.4,
     "of_target": 1.0, "source_jaccard": 1.0, "target_jaccard": None},
    {"k": 2, "source": 2, "next_k": 3, "target": 1, "items": 4, "of_source": 1.0,
     "of_target": 1.0, "source_jaccard": None, "target_jaccard": 0.7},
    {"k": 2, "source": 1, "next_k": 3, "target": 2, "items": 6, "of_source": 1.0,
     "of_target": 1.0, "source_jaccard": 0.9, "target_jaccard": 0.7},
]  # fmt: skip


def test_a_tree_puts_clusters_under_those_they_come_from():
    at = layout(MOVES)
    assert at[3, 2] < at[3, 1]  # 2 comes from the left, 1 from the right
    drawn = str(tree(MOVES, 3))
    assert "cluster 2 at k = 2: 4 items, mean Jaccard" in drawn
    assert drawn.count("<circle") == 5
