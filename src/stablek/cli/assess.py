"""``stablek assess``: a partition at a fixed k, and how sure each item is."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from stablek.cli.execution import EXECUTION_OPTIONS, execution_of
from stablek.cli.input import INPUT_OPTIONS, read_input
from stablek.cli.options import (
    ALGORITHM_OPTION,
    METRIC_OPTION,
    NONNEGATIVE_OPTIONS,
    OUTPUT_OPTIONS,
    SEED_OPTION,
    full_algorithm_name,
    options,
    setting,
)


@click.command("assess")
@click.argument("data")
@click.option("-k", "--clusters", type=int, required=True, help="Number of clusters.")
@click.option(
    "--method",
    default="bagclust1",
    show_default=True,
    help="bagclust1, bagclust2 or replicating.",
)
@ALGORITHM_OPTION
@click.option("--repeats", type=int, help="Bootstraps, or splits.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any other setting of the method.",
)
@METRIC_OPTION
@SEED_OPTION
@options(NONNEGATIVE_OPTIONS, EXECUTION_OPTIONS, INPUT_OPTIONS, OUTPUT_OPTIONS)
def command(
    data: str,
    *,
    clusters: int,
    method: str,
    algorithm: str | None,
    repeats: int | None,
    settings: tuple[str, ...],
    metric: str,
    nonnegative: str | None,
    seed: int,
    out: str | None,
    restart: bool,
    as_json: bool,
    as_csv: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Cluster DATA into K clusters and say how certain the cluster of each item is.

    bagclust1: bootstrap partitions vote. bagclust2: bootstrap partitions make a
    dissimilarity, which is clustered. replicating: clusters of one half, predicted on
    the other.

    Example: stablek assess expression.tsv -k 3 --method bagclust1
    """
    from stablek.api.assess import assess
    from stablek.cli.run_folder import open_run
    from stablek.cli.show import notes
    from stablek.cli.user_code import load_named
    from stablek.engine.progress import Progress

    dataset = read_input(data, given, metric)
    execution = execution_of(given)
    if not quiet:
        notes(dataset.notes)
    algorithm = full_algorithm_name(algorithm, nonnegative, metric)
    more = dict(setting(text) for text in settings)
    repeats = more.pop("repeats", repeats)
    for name in {"X", "k", "method"} & more.keys():
        msg = f"{name} is not a setting of a method; see stablek assess --help"
        raise click.UsageError(msg)
    what = {
        "command": "assess", "clusters": clusters, "method": method,
        "algorithm": algorithm, "repeats": repeats, "metric": metric, "seed": seed,
        "more": more,
    }  # fmt: skip
    with (
        open_run(out, dataset, what, restart=restart) as folder,
        Progress(quiet=quiet) as progress,
        redirect_stdout(sys.stderr),  # an algorithm of the user's may print
    ):
        assessment = assess(
            dataset,
            clusters,
            method,
            load_named(algorithm),
            seed=seed,
            metric=dataset.metric_or(metric),
            execution=execution,
            journal=folder.journal() if folder else None,
            watch=progress,
            repeats=repeats,
            **more,
        )
        if folder is not None:
            write(assessment, folder.path)
            notes(folder.notes)
    if as_json:
        click.echo(json.dumps(assessment.to_dict(), allow_nan=False))
    elif as_csv:
        click.echo(assessment.table.to_csv(), nl=False)
    else:
        show(assessment)
    return 4 if assessment.failures else 0


def show(assessment: Any, most: int = 10) -> None:
    """Print the sentence, the clusters, and the items that are least sure."""
    import numpy as np

    from stablek.cli.show import number, plain, table

    click.echo(plain(assessment.sentence))
    click.echo("")
    rows = [("cluster", "items", "confidence", "margin")]
    for cluster in range(1, max(assessment.k, int(assessment.labels.max())) + 1):
        inside = assessment.labels == cluster
        sure, lead = assessment.confidence[inside], assessment.margin[inside]
        rows.append(
            (
                str(cluster),
                str(int(inside.sum())),
                number(_mean(sure)),
                number(_mean(lead)),
            )
        )
    click.echo(table(rows, right=True))
    order = np.argsort(np.nan_to_num(assessment.confidence, nan=2.0), kind="stable")
    unsure = [i for i in order[:most] if assessment.confidence[i] < 1]
    if unsure:
        click.echo("")
        rows = [("least sure", "cluster", "confidence", "margin")]
        rows += [
            (
                plain(assessment.ids[i]),
                str(int(assessment.labels[i])),
                number(assessment.confidence[i]),
                number(assessment.margin[i]),
            )
            for i in unsure
        ]
        click.echo(table(rows))


def write(assessment: Any, folder: Path) -> None:
    """Write assessment.json and items.tsv; equal runs give equal bytes."""
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import frame_text

    write_text(folder / "assessment.json", assessment.to_json())
    items = frame_text(assessment.table.reset_index(), missing="nan")
    write_text(folder / "items.tsv", items)


def _mean(values: Any) -> float:
    import numpy as np

    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")
