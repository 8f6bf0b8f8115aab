"""Results as files: JSON, a table, and labels ready to join."""

from __future__ import annotations

import csv
import html
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stablek.errors import NO_ROOM, InputError
from stablek.io.store.atomic import BESIDE, sweep, write_text
from stablek.io.store.lock import take_hold
from stablek.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from stablek.results.verdict import Verdict

#: Whether cells that a spreadsheet would run are made harmless.
SAFE_TABLES: ContextVar[bool] = ContextVar("safe_tables", default=False)


def formula(cell: str) -> bool:
    """Tell whether a spreadsheet would run a cell as a formula; a number it shows.

    Examples
    --------
    >>> formula("=1+1"), formula("-1.5e3"), formula("-2+3"), formula("a=1")
    (True, False, True, False)
    """
    if not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False


def formula_note(ids: Iterable[str]) -> list[str]:
    """Return a warning where ids look like formulas, and nothing is done about it."""
    count = 0 if SAFE_TABLES.get() else sum(map(formula, ids))
    if not count:
        return []
    return [
        f"{count} ids look like formulas, which a spreadsheet would run when it opens "
        "the tables; --safe-tables puts an apostrophe before each"
    ]


def check_writable(folder: Path) -> Path:
    """Make the folder if need be, and find out before computing whether it takes files.

    A new folder is private to its user (0700): it will hold the items' names.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / f".probe.{os.getpid()}{BESIDE}"
        probe.unlink(missing_ok=True)
        # Never through a link that somebody planted under this name.
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        probe.unlink(missing_ok=True)
    except (FileExistsError, NotADirectoryError):
        what = "it is a file"
        if folder.is_symlink() and not folder.exists():
            what = f"it is a link to {folder.readlink()}, which is not there"
        raise InputError(
            f"cannot write in {folder}: {what}; name a folder with -o"
        ) from None
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        raise InputError(
            f"cannot write in {folder}: {error.strerror}; name another folder with -o"
        ) from None
    return folder


#: Rows of a table that become text at a time: cells take far more room than text.
ROWS = 20_000


def write_verdict(verdict: Verdict, folder: Path) -> None:
    """Write a verdict and its tables; equal runs give equal bytes.

    labels.tsv has the cluster of every item, at the answer and at every other k.
    """
    write_text(folder / "verdict.json", verdict.to_json())
    row = {"k": verdict.k, "measure": "verdict", "strength": verdict.strength}
    write_text(folder / "stablek_mqc.json", multiqc(verdict.data_name, row))
    write_text(folder / "versions.yml", yaml(verdict.versions))
    tables = {
        "labels": labels_table(verdict),
        "clusters": verdict.clusters,
        "items": verdict.items,
        "moves": verdict.moves,
        "table": verdict.table.reset_index(),
    }
    for name, table in tables.items():
        write_text(folder / f"{name}.tsv", frame_text(table))


def labels_table(verdict: Verdict) -> pd.DataFrame:
    """Return the cluster of every item: at the answer, then one column per k.

    Where small groups lie apart, the last column has their numbers.
    """
    import pandas as pd

    columns: dict[str, Any] = {"id": list(verdict.ids), "cluster": verdict.labels}
    columns |= {f"k{k}": verdict.labels_at(k) for k in verdict.partitions}
    if verdict.rare_items:
        columns["rare"] = verdict.item_columns["rare"]
    return pd.DataFrame(columns)


def missing_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders on a path that are not there yet, outermost first."""
    missing: list[Path] = []
    while not folder.exists() and not folder.is_symlink() and folder != folder.parent:
        missing.insert(0, folder)
        folder = folder.parent
    return tuple(missing)


@contextmanager
def output_folder(path: Path) -> Iterator[Path]:
    """Hold a folder while results are made and written.

    A folder that takes no files is found before anything is computed. A command that
    fails leaves no empty folder; what a killed one left unfinished is removed.
    """
    made = missing_folders(path)
    check_writable(path)
    hold = take_hold(path, made=made)
    try:
        sweep(path)
        yield path
    finally:
        hold.release(leave_nothing=True)


def write_result(result: Result, folder: Path) -> None:
    """Write the result, its tables, and what pipelines look for.

    result.json, curve.tsv, labels.tsv; stablek_mqc.json, which MultiQC shows as a
    table; versions.yml; and the algorithm's own tables, if it has any (metagenes.tsv
    and patterns.tsv of nmf-*). Equal runs give equal bytes.
    """
    write_text(folder / "result.json", result.to_json())
    curve = result.table.astype(float).reset_index()
    write_text(folder / "curve.tsv", frame_text(curve, missing="nan"))
    # Without a partition the file has no rows, but it is there: pipelines wait for it.
    ids = result.data.item_ids() if result.data else range(1, result.n + 1)
    numbered = [] if result.labels is None else zip(ids, result.labels, strict=True)
    pairs = [[str(i), str(label)] for i, label in numbered]
    write_text(folder / "labels.tsv", tsv([["id", "cluster"], *pairs]))
    if result.k_star is not None and result.labels is not None:
        write_text(folder / "clusters.tsv", frame_text(result.clusters))
        write_text(folder / "items.tsv", frame_text(result.items))
    for name, factors in result.factors.items():
        write_text(folder / f"{name}.tsv", frame_text(factors.reset_index()))
    texts = {
        "k": result.k_star,
        "measure": result.measure,
        "algorithm": result.algorithm,
        "strength": strength(result),
        "answer": result.sentence,
    }
    write_text(folder / "stablek_mqc.json", multiqc(result.data_name, texts))
    write_text(folder / "versions.yml", yaml(result.versions))


def strength(result: Result) -> str:
    """Return in a few words what speaks for the k of a result."""
    calibration = result.facts.get("calibration")
    if calibration:
        p, drawn = calibration["p_any"], calibration["null_sets"]
        return f"p = {p:.2g} against {drawn} null sets"
    if result.k_star in result.ks:
        value = result.columns[result.main][result.ks.index(int(result.k_star or 0))]
        return f"{result.main} = {value:.3g}, not calibrated"
    return "not calibrated"


def multiqc(name: str, row: Mapping[str, Any]) -> str:
    """Return a row as MultiQC's custom content.

    MultiQC puts such text into its page as it is, so that it is escaped here.
    """
    cells = {
        key: html.escape(value) if isinstance(value, str) else value
        for key, value in row.items()
        if value is not None
    }
    content = {
        "id": "stablek",
        "section_name": "stablek",
        "description": "How many clusters, and what speaks for them.",
        "plot_type": "table",
        "pconfig": {"id": "stablek_table", "title": "stablek: number of clusters"},
        "headers": {"k": {"title": "k", "format": "{:,.0f}"}},
        "data": {html.escape(name): cells},
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def yaml(versions: Mapping[str, str]) -> str:
    """Return versions as the YAML that nf-core collects: one name and text a line."""
    lines = [f"    {name}: {json.dumps(text)}" for name, text in versions.items()]
    return "\n".join(["stablek:", *lines]) + "\n"


def frame_text(table: pd.DataFrame, missing: str = "") -> str:
    """Return a DataFrame as tab-separated text, ``missing`` for what is not known."""
    texts = [tsv([[str(name) for name in table.columns]])]
    for first in range(0, len(table), ROWS):
        part = table.iloc[first : first + ROWS]
        cells = part.astype(object).where(part.notna(), missing).to_numpy().tolist()
        texts.append(tsv([[_cell(value) for value in row] for row in cells]))
    return "".join(texts)


def _cell(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def tsv(rows: list[list[str]]) -> str:
    """Return rows as tab-separated text, quoted where a cell needs it.

    Cells stay as they are, so that ids can be joined; with ``SAFE_TABLES`` those that a
    spreadsheet would run begin with an apostrophe.
    """
    if SAFE_TABLES.get():
        rows = [[f"'{c}" if formula(c) else c for c in row] for row in rows]
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return text.getvalue()
