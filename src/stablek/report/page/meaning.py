"""What the clusters are: sections on markers, annotations and all ks together."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stablek.data import Dataset
from stablek.report.charts.marker_map import MOST_COLUMNS, MOST_ITEMS, marker_map
from stablek.report.charts.strips import Strip, strips_of
from stablek.report.charts.tracking import cluster_bars, item_bars, tracking
from stablek.report.charts.tree import tree
from stablek.report.page.blocks import Block, Figure, Notice, Section
from stablek.report.page.explain import EXPLANATIONS
from stablek.report.page.markup import text_of
from stablek.report.page.tables import Table, table
from stablek.results.annotations import ANNOTATION_COLUMNS, CLASSES, Explained
from stablek.results.markers import MARKER_COLUMNS, Marker

Labels = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

#: Columns per cluster in the table, and classes of a table of classes by clusters.
ROWS_PER_CLUSTER, MOST_CLASSES = 10, 40
#: Strips above a figure.
MOST_STRIPS = 6

DOUBLE_DIPPING = (
    "These columns describe the clusters; they do not prove them. The clusters were "
    "found in the same values, so no p-value is given."
)


def marker_section(
    data: Dataset,
    labels: Labels,
    markers: Sequence[Marker],
    *,
    believed: bool = True,
    what: str = "clusters",
    name: str = "markers",
    main: bool = True,
) -> Section | None:
    """Return the section on what sets clusters apart: a heat map and a table.

    ``labels`` count from 0, and below 0 for items that are not shown. The heading of
    a section that is not the ``main`` one says how many clusters there are, and stands
    below that of the main one.
    """
    if not markers or data.precomputed:
        return None
    k = markers[0].k
    counted = f"{k} {what}"
    named = what if main else counted
    drawn = marker_figure(data, labels, markers, named)
    rows = [
        tuple(one.to_dict()[column] for column in MARKER_COLUMNS[1:])
        for one in markers
        if one.place <= ROWS_PER_CLUSTER
    ]
    listed = table(
        name, f"Columns that set the {counted} apart", MARKER_COLUMNS[1:], rows,
        help="auc: how often a value inside is larger than one outside. difference: "
        "robust standardised mean difference. stability: the share of the subsamples "
        "in which the column is again among the first. All of them: markers.tsv.",
    )  # fmt: skip
    blocks: list[Block] = []
    if not believed:
        text = (
            f"There is no evidence of clusters. This describes a split into {k} parts "
            "of one cloud, so no column is called stable."
        )
        blocks.append(Notice("warning", text))
    blocks += [drawn, listed]
    lead = DOUBLE_DIPPING if believed else ""
    title = f"What sets the {named} apart"
    return Section(name, title, tuple(blocks), lead, 2 if main else 3)


def marker_figure(
    data: Dataset, labels: Labels, markers: Sequence[Marker], what: str
) -> Figure:
    """Return the heat map of the first columns of every cluster."""
    clusters = sorted({one.cluster for one in markers})
    per = max(1, min(ROWS_PER_CLUSTER, MOST_COLUMNS // len(clusters)))
    chosen = list(dict.fromkeys(one.column for one in markers if one.place <= per))[
        :MOST_COLUMNS
    ]
    place = {column: j for j, column in enumerate(data.column_names())}
    order = np.argsort(labels, kind="stable")
    order = order[np.asarray(labels)[order] >= 0]
    note = ""
    if len(order) > MOST_ITEMS:
        note = f"{MOST_ITEMS} of {len(order):,} items, evenly spaced"
        order = order[np.linspace(0, len(order) - 1, MOST_ITEMS).astype(np.intp)]
    columns = np.array([place[column] for column in chosen])
    values = data.values.T[np.ix_(columns, order)].T
    above = [Strip("cluster", np.asarray(labels))]
    above += strips_of(data.annotations, MOST_STRIPS)
    rows = [row.at(order) for row in above]
    title = f"The columns that set the {what} apart, items in the order of {what}"
    drawing = marker_map(values, chosen, rows, title)
    every = len(chosen) == data.m
    shown = f"{'All' if every else 'The'} {len(chosen)} columns"
    if not every:
        shown += f" that differ most, of {data.m:,}"
    return Figure(shown, drawing, EXPLANATIONS["markers"], wide=True, note=note)


def annotation_section(explained: Explained, k: int) -> Section | None:
    """Return the section on what else explains the clusters."""
    if not explained.rows and not explained.problems:
        return None
    others = [one for one in explained.rows if one.annotation != CLASSES]
    blocks: list[Block] = []
    for sentence in explained.sentences:
        warns = sentence in explained.warnings
        blocks.append(Notice("warning" if warns else "note", text_of(sentence, 2000)))
    if others and not explained.sentences:
        text = "No annotation is associated with the clusters more than by chance."
        blocks.append(Notice("note", text))
    if explained.problems:
        lines = tuple(text_of(line, 400) for line in explained.problems)
        blocks.append(Notice("note", "Annotations that were left out:", lines))
    if explained.rows:
        rows = [tuple(one.to_dict()[c] for c in ANNOTATION_COLUMNS)
                for one in explained.rows]  # fmt: skip
        blocks.append(
            table(
                "annotations", "Annotations against clusters, at every level",
                ANNOTATION_COLUMNS, rows,
                help="association: adjusted mutual information (categories) or eta "
                "squared of ranks (numbers); 1 is the same division, about 0 none. "
                "p_corrected: how often the best of all columns and levels does "
                "as well when the items are shuffled.",
            )
        )  # fmt: skip
    for name, classes in (explained.tables or {}).items():
        blocks.append(class_listing(name, classes, k))
    title = "What else explains them"
    if not others and not explained.problems:
        title = "Your labels by cluster"
    return Section("annotations", title, tuple(blocks))


def class_listing(name: str, classes: Mapping[str, Sequence[int]], k: int) -> Table:
    """Return a table of classes by clusters."""
    width = max((len(row) for row in classes.values()), default=0)
    rows = [(level, *counts, sum(counts)) for level, counts in classes.items()]
    columns = ("class", *(f"cluster {c + 1}" for c in range(width)), "items")
    shown = text_of(name, 60)
    slug = "".join(c if c.isalnum() else "-" for c in shown.lower()) or "classes"
    return table(
        f"by-{slug}", f"'{shown}' by cluster at k = {k}", columns, rows,
        most=MOST_CLASSES,
    )  # fmt: skip


def over_k_figures(
    partitions: Mapping[int, Labels],
    chosen: int | None,
    *,
    above: Sequence[Strip] = (),
    consensus: Mapping[int, Sequence[float]] | None = None,
    items: tuple[Floats, Labels] | None = None,
    moves: Sequence[Mapping[str, Any]] = (),
) -> list[Block]:
    """Return the figures that show all ks: tracking, consensus bars, tree."""
    blocks: list[Block] = []
    if len(partitions) > 1:
        drawing = tracking(partitions, chosen, above)
        about = EXPLANATIONS["tracking"]
        blocks.append(Figure("Items over k", drawing, about, wide=True))
    if moves:
        about = EXPLANATIONS["tree"]
        blocks.append(Figure("Tree of clusters", tree(moves, chosen), about, wide=True))
    if items is not None:
        drawing = item_bars(*items)
        about = EXPLANATIONS["item-bars"]
        blocks.append(Figure("Item consensus", drawing, about, wide=True))
    if consensus:
        drawing = cluster_bars(consensus, chosen)
        about = EXPLANATIONS["cluster-bars"]
        blocks.append(Figure("Cluster consensus", drawing, about, wide=True))
    return blocks
