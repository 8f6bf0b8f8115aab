"""``stablek verdict``: several measures, calibrated, and one answer."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import EXECUTION_OPTIONS, execution_of
from stablek.cli.options import (
    INPUT_OPTIONS,
    OUTPUT_OPTIONS,
    SEED_OPTION,
    KRange,
    options,
    read_input,
)
from stablek.cli.report_path import PAGE_OPTIONS

if TYPE_CHECKING:
    from stablek.results.verdict import Verdict


@click.command("verdict")
@click.argument("data")
@click.option(
    "-k",
    "--ks",
    type=KRange(),
    help="Numbers of clusters to try, both ends included; default 2:15. The smaller "
    "ones are tried, too, and may be the answer.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=40,
    show_default=True,
    help="Subsamples.",
)
@click.option(
    "--null-sets",
    type=click.IntRange(min=4),
    default=99,
    show_default=True,
    help="Null sets of each of three kinds; 99 give p = 0.01 at best.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1),
    default=0.02,
    show_default=True,
    help="Believe in structure where p is at most this.",
)
@click.option(
    "--metric",
    default="euclidean",
    show_default=True,
    help="correlation, spearman or cosine; precomputed or similarity if DATA is such a "
    "matrix.",
)
@SEED_OPTION
@options(EXECUTION_OPTIONS, INPUT_OPTIONS, PAGE_OPTIONS, OUTPUT_OPTIONS)
def command(data: str, **given: Any) -> int:
    """Say how many clusters are in DATA, and how far to trust them.

    With --labels or --labels-file your own classes are judged, too. With -o a folder is
    written: verdict.json, clusters.tsv, items.tsv, merges.tsv, table.tsv, report.html;
    what is finished is kept there, and `stablek resume DIR` goes on after a kill.

    Example: stablek verdict expression.tsv -o verdict
    """
    from stablek.api.verdict import verdict
    from stablek.cli.progress import Progress
    from stablek.cli.run_folder import kept_run
    from stablek.cli.show import notes

    out, as_json, as_csv = (given.pop(n) for n in ("out", "as_json", "as_csv"))
    quiet = given.pop("quiet")
    names = ("ks", "repeats", "null_sets", "level", "seed")
    wanted = {name: given.pop(name) for name in names}
    metric = given.pop("metric")
    dataset = read_input(data, given, metric)
    if not quiet:
        notes(dataset.notes)
    ks = wanted["ks"]
    what = {**wanted, "command": "verdict", "ks": ks and [ks[0], ks[-1]]}
    wanted["execution"] = execution_of(given)  # which changes no bit
    wanted["metric"] = "precomputed" if dataset.precomputed else metric
    if metric != "euclidean":
        what["metric"] = metric
    began = time.perf_counter()
    with (
        kept_run(out, dataset, what, restart=given["restart"]) as folder,
        Progress(quiet=quiet) as progress,
    ):
        journal = folder.journal() if folder else None
        found = verdict(dataset, journal=journal, watch=progress, **wanted)
        if folder is not None:
            write(found, folder.path)
            notes(folder.notes)
    seconds = time.perf_counter() - began
    if not quiet:
        notes(found.notes[len(dataset.notes) :])  # those of the reader are told
    if as_json:
        plain = found.to_dict()
        click.echo(json.dumps({**plain, "seconds": round(seconds, 3)}, allow_nan=False))
    elif as_csv:
        click.echo(found.table.to_csv(lineterminator="\n"), nl=False)
    else:
        show(found)
    return 0


def show(found: Verdict) -> None:
    """Print the paragraph, the clusters, who dissents, and what to do next."""
    from stablek.cli.show import plain, table
    from stablek.panel.words import panel_line

    click.echo(plain(found.sentence))
    click.echo(f"Strength: {found.strength}.")
    if found.votes:
        click.echo(f"Panel: {panel_line(found.votes, found.weights)}.")
    if found.clusters:
        rows = [["cluster", "items", "consensus", "jaccard", "nearest", "gap", ""]]
        rows += [
            [
                str(c["cluster"]), str(c["size"]), _short(c["consensus"]),
                _short(c["jaccard"]), str(c["nearest"]), _short(c["gap"]), c["word"],
            ]
            for c in found.clusters
        ]  # fmt: skip
        click.echo("\n" + table(rows))
    for title, lines in (("Dissent", found.dissent), ("Next", found.next_steps)):
        if lines:
            click.echo(f"\n{title}:")
            for line in lines:
                click.echo(plain(f"  {line}"))


def write(found: Verdict, folder: Path) -> None:
    """Write the verdict and its tables into a folder; equal runs give equal bytes."""
    from stablek.cli.report_path import write_page
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import multiqc, tsv, yaml

    write_text(folder / "verdict.json", found.to_json())
    row = {"k": found.k, "measure": "verdict", "strength": found.strength}
    write_text(folder / "stablek_mqc.json", multiqc(found.data_name, row))
    write_text(folder / "versions.yml", yaml(found.versions))
    pairs = [
        [name, str(label + 1)]
        for name, label in zip(found.ids, found.labels.tolist(), strict=True)
    ]
    write_text(folder / "labels.tsv", tsv([["id", "cluster"], *pairs]))
    for name, (names, rows) in tables_of(found).items():
        cells = [["" if r[n] is None else str(r[n]) for n in names] for r in rows]
        write_text(folder / f"{name}.tsv", tsv([names, *cells]))
    write_page([found.result] if found.result else [], folder, found)


def tables_of(
    found: Verdict,
) -> dict[str, tuple[list[str], Sequence[Mapping[str, Any]]]]:
    """Return the columns and rows of every table, those without rows included.

    Without clusters there is nothing to measure of an item or of the one cluster, but
    who reads the folder finds the same files, with the same columns.
    """
    from dataclasses import fields

    from stablek.panel.tables import ITEM_COLUMNS
    from stablek.results.trust import ClusterTrust, Move

    items, clusters = found.items, found.clusters
    labels = found.labels.tolist()
    if not items:
        apart, blank = set(found.isolated), dict.fromkeys(ITEM_COLUMNS)
        items = tuple(
            {**blank, "id": name, "cluster": label + 1, "between": False,
             "isolated": name in apart}
            for name, label in zip(found.ids, labels, strict=True)
        )  # fmt: skip
    of_cluster = [field.name for field in fields(ClusterTrust)]
    if not clusters:
        clusters = tuple(
            {**dict.fromkeys(of_cluster), "cluster": label + 1,
             "size": labels.count(label)}
            for label in sorted(set(labels))
        )  # fmt: skip
    by_k = [
        {"k": k, **{n: float(c[i]) for n, c in found.columns.items()}}
        for i, k in enumerate(found.ks)
    ]
    return {
        "clusters": (of_cluster, clusters),
        "items": (list(ITEM_COLUMNS), items),
        "merges": ([field.name for field in fields(Move)], found.merges),
        "table": (["k", *found.columns], by_k),
    }


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
