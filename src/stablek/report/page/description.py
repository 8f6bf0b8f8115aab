"""A verdict on the page: what its clusters are, all ks together, the user's classes."""

from dataclasses import replace
from typing import Any

import numpy as np

from stablek.data import Dataset
from stablek.data.annotations import Annotation
from stablek.report.charts.embed import plane
from stablek.report.charts.scatter import annotated_map
from stablek.report.charts.strips import strip_of, strips_of
from stablek.report.page.blocks import Block, Figure, Section
from stablek.report.page.explain import EXPLANATIONS
from stablek.report.page.look import evenly_spaced
from stablek.report.page.markup import text_of
from stablek.report.page.meaning import (
    MOST_STRIPS,
    annotation_section,
    marker_section,
    over_k_figures,
)
from stablek.report.page.tables import table_of
from stablek.results.annotations import Explained
from stablek.results.describe import (
    class_codes,
    class_items,
    class_records,
    classes_of,
    main_level,
    markers_of,
    rows_of,
    shown_levels,
)

#: Partitions over k are drawn up to this many clusters.
MOST_CLUSTERS = 15
#: Maps of annotations, and items in each.
MOST_MAPS, MOST_POINTS = 2, 400


def description_sections(verdict: Any, *, anonymous: bool = False) -> list[Section]:
    """Return the sections on what the clusters of a verdict are.

    Anonymous pages show no names of levels and classes.
    """
    k = getattr(verdict, "best_guess", None)
    data = getattr(verdict, "data", None)
    if data is None or not k or k < 2:
        return []
    if anonymous:
        data = replace(
            data, annotations=tuple(_nameless(one) for one in data.annotations),
            _distances={},
        )  # fmt: skip
    sections: list[Section | None] = []
    for level in sorted(
        shown_levels(verdict), key=lambda at: at != main_level(verdict)
    ):
        main = level == main_level(verdict)
        kind = "clusters" if (verdict.k or 1) > 1 else "parts"
        sections.append(
            marker_section(
                data, verdict.labels_at(level) - 1, markers_of(verdict, level, top=10),
                believed=(verdict.k or 1) > 1,
                name="markers" if main else f"markers-{level}",
                what=kind, main=main,
            )
        )  # fmt: skip
    explained = verdict.annotations
    if anonymous:
        explained = _anonymous(explained)
    section = annotation_section(explained, int(k))
    if section is not None:
        maps = annotation_maps(verdict, data, explained)
        section = replace(section, blocks=(*section.blocks, *maps))
    sections.append(section)
    if not anonymous:
        sections.append(class_section(verdict, data))
    sections.append(over_k_section(verdict, data))
    return [section for section in sections if section is not None]


def annotation_maps(verdict: Any, data: Dataset, explained: Explained) -> list[Block]:
    """Return the items in a plane, coloured by the annotations that explain most."""
    best = {one.annotation: one.association for one in explained.rows if one.follows}
    usable = [one for one in data.annotations if not one.problem()]
    usable.sort(key=lambda one: (-best.get(one.name, 0.0), not one.batch_like))
    result = verdict.result
    if result is None or result.data is None:
        return []
    rows = evenly_spaced(result.n, MOST_POINTS)
    points, axes = plane(result.data, rows)
    items = rows_of(verdict.ids, result.data.item_ids())[rows]
    blocks: list[Block] = []
    for one in usable[:MOST_MAPS]:
        drawing = annotated_map(points, axes, strip_of(one).at(items))
        title = f"Items by '{text_of(one.name, 40)}'"
        blocks.append(Figure(title, drawing, EXPLANATIONS["annotated-map"]))
    return blocks


def class_section(verdict: Any, data: Dataset) -> Section | None:
    """Return the section on the classes that the user gave."""
    classes = classes_of(verdict)
    records = class_records(verdict)
    if classes is None or not records:
        return None
    user = verdict.user_labels
    listed = table_of(
        "classes", "Your classes as clusters", records,
        "main_cluster: the cluster that holds most of the class. overlap: the items "
        "that both have, as a share of those that either has. jaccard: how well the "
        f"class comes back as a cluster of a subsample, at k = {user['k']}.",
    )  # fmt: skip
    items = table_of(
        "class-items", "Items that are mostly with another class",
        [row for row in class_items(verdict) if row["sits_elsewhere"]],
        "consensus: how often an item falls with the others of its class. runner_up: "
        "the class it is more often with. All items: class_items.tsv.",
    )  # fmt: skip
    _, codes = class_codes(classes)
    marked = marker_section(
        data, codes, markers_of(verdict, labels=codes, top=10), what="classes",
        name="class-markers",
    )  # fmt: skip
    blocks: list[Block] = [t for t in (listed, items) if t is not None]
    blocks += list(marked.blocks) if marked is not None else []
    return Section("your-classes", "Your classes", tuple(blocks), user["sentence"])


def over_k_section(verdict: Any, data: Dataset) -> Section | None:
    """Return the figures over all ks."""
    ks = [k for k in verdict.partitions if 1 < k <= MOST_CLUSTERS]
    # In bytes: a million items have many of them.
    partitions = {k: (verdict.labels_at(k) - 1).astype(np.uint8) for k in ks}
    above = strips_of(data.annotations, MOST_STRIPS)
    consensus, items = {}, None
    result = verdict.result
    if result is not None and result.cube is not None:
        from stablek.kernels.comembership import item_consensus

        for k in (k for k in ks if k in result.cube.ks):
            labels = np.asarray(result.labels_at(k)) - 1
            mean = item_consensus(np.ascontiguousarray(result.cube.of_k(k)), labels)
            own = np.nan_to_num(mean[np.arange(len(labels)), labels])
            size = np.maximum(np.bincount(labels, minlength=k), 1)
            consensus[k] = (np.bincount(labels, own, minlength=k) / size).tolist()
            if k == verdict.best_guess:
                items = (mean, labels)
    blocks = over_k_figures(
        partitions, verdict.best_guess, above=above, consensus=consensus, items=items,
        moves=verdict.move_records,
    )  # fmt: skip
    title = "All k side by side" if len(ks) > 1 else "Consensus of items and clusters"
    return Section("over-k", title, tuple(blocks)) if blocks else None


def _nameless(one: Annotation) -> Annotation:
    return replace(one, levels=tuple(f"level {i + 1}" for i in range(len(one.levels))))


def _anonymous(explained: Explained) -> Explained:
    tables = {
        name: {f"level {i + 1}": row for i, row in enumerate(rows.values())}
        for name, rows in (explained.tables or {}).items()
    }
    return replace(explained, tables=tables)
