"""What a verdict's folder and terminal say of its clusters: markers, annotations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.show import cell, listed, notes, short, table
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.results.verdict import Verdict

#: Columns named for each cluster in the terminal.
NAMED = 5

#: What the terminal shows of the user's classes.
CLASS_HEADS = {
    "class": "class", "size": "items", "main_cluster": "mostly in",
    "share_in_main_cluster": "share", "overlap": "overlap", "nearest": "nearest",
    "jaccard": "jaccard", "word": "",
}  # fmt: skip

#: Tables that not every verdict has, and how they start.
OURS = {
    "class_by_cluster": b"annotation\tclass\tcluster_1\t",
    "classes": b"class\tcluster\tsize\t",
    "class_items": b"id\tclass\tcluster\tconsensus\t",
}


def show_description(verdict: Verdict) -> None:
    """Print what sets clusters apart, what else explains them, and your classes.

    The sentence of the verdict has the warnings on batch effects.
    """
    explained = verdict.annotations
    listed("Annotations", explained.lines[len(explained.batches) :])
    listed("What sets them apart", marker_lines(verdict))
    if rows := class_rows(verdict):
        click.echo("\nYour classes:\n" + table(rows))


def class_rows(verdict: Verdict) -> list[list[str]]:
    """Return the user's classes as a table, with what is known of them."""
    from stablek.results.describe import class_records

    rows = class_records(verdict)
    if not rows:
        return []
    at = (verdict.user_labels or {})["k"]
    heads = {name: head for name, head in CLASS_HEADS.items() if name in rows[0]}
    if "jaccard" in heads and at != verdict.k:
        heads["jaccard"] = f"jaccard at k = {at}"

    def text(name: str, value: Any) -> str:
        if name == "main_cluster":
            return f"cluster {value}"
        return short(value) if isinstance(value, float) else str(value)

    cells = [[text(name, row[name]) for name in heads] for row in rows]
    return [list(heads.values()), *cells]


def plain_description(verdict: Verdict) -> dict[str, Any]:
    """Return the description for programs: annotations, and the first markers."""
    from stablek.results.describe import markers_of

    explained = verdict.annotations
    markers = markers_of(verdict, top=NAMED) if verdict.data is not None else ()
    return {
        "annotations": [one.to_dict() for one in explained.rows],
        "annotation_sentences": [*explained.sentences, *explained.problems],
        "markers": [one.to_dict() for one in markers],
    }


def marker_lines(verdict: Verdict) -> list[str]:
    """Return for every cluster the columns that differ clearly, in a line.

    Groups that are no clusters are left to the folder and the page.
    """
    from stablek.results.describe import markers_of
    from stablek.results.markers import CLEAR

    if verdict.data is None or (verdict.k or 1) < 2:
        return []
    table = markers_of(verdict, top=NAMED)
    signs = {"higher": "+", "lower": "-", "none": " "}
    lines = []
    for cluster in sorted({one.cluster for one in table}):
        mine = [one for one in table if one.cluster == cluster]
        clear = [one for one in mine if abs(one.auc - 0.5) >= CLEAR]
        named = ", ".join(f"{one.column} {signs[one.direction]}" for one in clear)
        lines.append(f"cluster {cluster}: {named or 'no single column'}")
    return lines


def write_description(
    verdict: Verdict, folder: Path, *, keep_matrices: bool = False
) -> None:
    """Write markers, annotations, classes, the model, and matrices if asked for."""
    from stablek.api.model_file import FILE
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import tsv

    tables = description_tables(verdict)
    for name, (columns, rows) in tables.items():
        cells = [[cell(row.get(c)) for c in columns] for row in rows]
        write_text(folder / f"{name}.tsv", tsv([list(columns), *cells]))
    for name in set(OURS) - set(tables):
        remove_stale(folder / f"{name}.tsv", OURS[name])
    if verdict.coordinates is not None and verdict.data is not None:
        verdict.model.save(folder / FILE)
    else:
        remove_stale(folder / FILE, b"PK")
    if keep_matrices:
        write_matrices(verdict, folder)


def remove_stale(file: Path, start: bytes) -> None:
    """Remove a file that an earlier verdict left and this one does not have.

    Only one that starts as ours do: the folder may be a user's own.
    """
    if not file.is_symlink() and file.is_file():
        with file.open("rb") as stream:
            ours = stream.read(len(start)) == start
        if ours:
            file.unlink()


def description_tables(
    verdict: Verdict,
) -> dict[str, tuple[Sequence[str], Iterable[Mapping[str, Any]]]]:
    """Return the columns and rows of every table."""
    from stablek.results.annotations import ANNOTATION_COLUMNS
    from stablek.results.describe import class_items, markers_of, shown_levels
    from stablek.results.markers import MARKER_COLUMNS

    known = verdict.data is not None
    markers = [
        one.to_dict()
        for k in (shown_levels(verdict) if known else ())
        for one in markers_of(verdict, k)
    ]
    explained = verdict.annotations
    tables: dict[str, tuple[Sequence[str], Iterable[Mapping[str, Any]]]] = {
        "markers": (MARKER_COLUMNS, markers),
        "annotations": (ANNOTATION_COLUMNS, [one.to_dict() for one in explained.rows]),
    }
    if explained.tables:
        wide = max(len(c) for t in explained.tables.values() for c in t.values())
        clusters = [f"cluster_{c + 1}" for c in range(wide)]
        rows = [
            {"annotation": name, "class": level,
             **dict(zip(clusters, counts, strict=True))}
            for name, levels in explained.tables.items()
            for level, counts in levels.items()
        ]  # fmt: skip
        tables["class_by_cluster"] = (("annotation", "class", *clusters), rows)
    classes = (verdict.user_labels or {}).get("clusters", ())
    if classes:
        order = ("class", *(name for name in classes[0] if name != "class"))
        tables["classes"] = (order, classes)
    items = class_items(verdict)
    if items:
        tables["class_items"] = (tuple(items[0]), items)
    return tables


def write_matrices(verdict: Verdict, folder: Path) -> None:
    """Write the consensus matrix of every level, within the memory budget."""
    import io

    import numpy as np

    from stablek.io.store.atomic import write_bytes, write_text
    from stablek.results.describe import shown_levels

    result = verdict.result
    if result is None or result.data is None:
        return
    for k in shown_levels(verdict):
        if result.cube is None or k not in result.cube.ks:
            continue
        held = io.BytesIO()
        try:
            matrix = result.consensus(k)
        except InputError as error:  # beyond the memory budget
            notes([f"no matrix at k = {k}: {error}"])
            return
        np.save(held, matrix.astype(np.float32), allow_pickle=False)
        write_bytes(folder / f"consensus-k{k}.npy", held.getvalue())
    write_text(folder / "consensus-ids.txt", "\n".join(result.data.item_ids()) + "\n")
