"""The sections on what clusters are: markers, annotations, all ks."""

import re
from pathlib import Path

import numpy as np
from report_data import HOSTILE

from stablek.data import from_arrays
from stablek.data.annotations import as_annotations
from stablek.data.seeds import Streams
from stablek.report import page
from stablek.report.page.meaning import (
    annotation_section,
    marker_section,
    over_k_figures,
)
from stablek.results.annotations import explain
from stablek.results.markers import markers


def sample(n=60, m=15, columns=None):
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 3
    values = rng.normal(size=(n, m))
    for c in range(3):
        values[labels == c, c * 3 : c * 3 + 3] += 4
    known = as_annotations(
        {"plate": [HOSTILE[c] for c in labels], "age": (50.5 + labels).tolist(),
         "id": [f"x{i}" for i in range(n)]},
        n,
    )  # fmt: skip
    names = columns or tuple(f"g{j}" for j in range(m))
    return from_arrays(values, columns=names, annotations=known), labels


def text(section):
    parts = [section.title, section.lead]
    for block in section.blocks:
        if block.kind == "table":
            parts += [cell.text for row in block.rows for cell in row]
        elif block.kind == "figure":
            parts.append(str(block.drawing))
        else:
            parts += [block.text, *getattr(block, "lines", ())]
    return "\n".join(parts)


def test_markers_are_drawn_and_listed():
    data, labels = sample()
    section = marker_section(data, labels, markers(data.values, labels, data.columns))
    assert [block.kind for block in section.blocks] == ["figure", "table"]
    assert "no p-value" in section.lead
    table = section.blocks[1]
    assert len(table.rows) == 30
    assert table.rows[0][2].text in {"g0", "g1", "g2"}
    drawn = str(section.blocks[0].drawing)
    assert "g0" in drawn
    assert "plate" in drawn
    assert HOSTILE[0] not in drawn


def test_names_that_try_to_be_markup_stay_text():
    data, labels = sample(columns=HOSTILE[:15])
    section = marker_section(data, labels, markers(data.values, labels, data.columns))
    assert "<script>" not in str(section.blocks[0].drawing)


def test_the_heading_of_another_level_names_its_number_once():
    data, labels = sample()
    found = markers(data.values, labels, data.columns)
    section = marker_section(data, labels, found, main=False)
    assert section.title == "What sets the 3 clusters apart"
    assert section.blocks[1].caption == "Columns that set the 3 clusters apart"
    assert section.level == 3  # below the main one, and not in the menu
    assert marker_section(data, labels, found).title == "What sets the clusters apart"


def test_the_map_of_markers_says_how_many_columns_there_are():
    data, labels = sample(m=9)
    section = marker_section(data, labels, markers(data.values, labels, data.columns))
    assert section.blocks[0].title == "All 9 columns"
    wide, labels = sample(m=200)
    section = marker_section(wide, labels, markers(wide.values, labels, wide.columns))
    drawn = len(set(re.findall(r">(g\d+)<", str(section.blocks[0].drawing))))
    assert section.blocks[0].title == f"The {drawn} columns that differ most, of 200"


def test_without_evidence_the_section_says_so():
    data, labels = sample()
    found = markers(data.values, labels, data.columns, believed=False)
    section = marker_section(data, labels, found, believed=False)
    assert "no evidence of clusters" in section.blocks[0].text


def test_many_items_are_thinned_out():
    data, labels = sample(n=1200)
    section = marker_section(data, labels, markers(data.values, labels, data.columns))
    assert section.blocks[0].note == "400 of 1,200 items, evenly spaced"
    assert len(str(section.blocks[0].drawing)) < 60_000


def test_annotations_are_told_and_listed():
    data, labels = sample()
    seen = explain(data.annotations, {3: labels}, Streams(0), shuffles=99)
    section = annotation_section(seen, 3)
    kinds = [block.kind for block in section.blocks]
    assert kinds == ["notice", "notice", "notice", "table", "table"]
    assert section.blocks[0].level == "warning"
    assert "may be a batch effect" in section.blocks[0].text
    assert "different for every item" in section.blocks[2].lines[0]
    assert section.blocks[4].columns[:2] == ("class", "cluster 1")


def test_agreement_with_an_annotation_is_no_warning():
    """Only a batch effect warns; a style of its own tells the two apart."""
    _, labels = sample()
    known = as_annotations({"tissue": [f"t{c}" for c in labels]}, len(labels))
    section = annotation_section(explain(known, {3: labels}, Streams(0)), 3)
    assert "follow" in section.blocks[0].text
    assert section.blocks[0].level == "note"
    style = (Path(page.__file__).parent / "templates" / "style.css").read_text()
    assert "--warn" in rule(style, ".notice.warning")
    assert "--warn" not in rule(style, ".notice")


def rule(style, selector):
    return re.search(rf"(?m)^{re.escape(selector)}{{(.*?)}}", style)[1]


def test_nothing_known_is_no_section():
    assert annotation_section(explain((), {2: np.arange(9) % 2}, Streams(0)), 2) is None


def test_all_ks_together():
    _, labels = sample()
    parts = {2: (labels > 0).astype(int), 3: labels}
    consensus = np.eye(3)[labels]
    blocks = over_k_figures(
        parts, 3, consensus={2: [0.9, 0.8], 3: [1.0, 1.0, 0.7]},
        items=(consensus, labels),
    )  # fmt: skip
    assert [b.title for b in blocks] == [
        "Items over k", "Item consensus", "Cluster consensus",
    ]  # fmt: skip
    assert sum(len(str(b.drawing)) for b in blocks) < 60_000
