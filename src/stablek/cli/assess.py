"""``stablek assess``: a partition at a fixed k, and how sure each item is."""

import json
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
from stablek.cli.run_folder import at_work
from stablek.cli.show import agreement_line, notes, number, plain, table
from stablek.cli.user_code import load_named

#: Items that the terminal shows, the least sure first.
MOST_ITEMS = 10


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
@click.option("--repeats", type=int, help="Number of bootstraps or splits.")
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
def command(data: str, **given: Any) -> int:
    """Cluster DATA into K clusters and say how certain the cluster of each item is.

    bagclust1: bootstrap partitions vote. bagclust2: bootstrap partitions make a
    dissimilarity, which is clustered. replicating: clusters of one half, predicted on
    the other.

    Example: stablek assess expression.tsv -k 3 --method bagclust1
    """
    from stablek.api.assess import assess

    k, metric = given["clusters"], given["metric"]
    dataset = read_input(data, given, metric)
    execution = execution_of(given)
    if not given["quiet"]:
        notes(dataset.notes)
    algorithm = full_algorithm_name(given["algorithm"], given["nonnegative"], metric)
    more = dict(setting(text) for text in given["settings"])
    more = {"repeats": given["repeats"], **more}
    for name in {"X", "k", "method"} & more.keys():
        raise click.UsageError(
            f"{name} is not a setting of a method; see stablek assess --help"
        )
    names = ("clusters", "method", "metric", "seed")
    what = {
        "command": "assess", "algorithm": algorithm, "repeats": more.pop("repeats"),
        **{name: given[name] for name in names}, "more": more,
    }  # fmt: skip
    with at_work(given, dataset, what) as (folder, progress):
        assessment = assess(
            dataset,
            k,
            given["method"],
            load_named(algorithm),
            seed=given["seed"],
            metric=dataset.metric_or(metric),
            execution=execution,
            journal=folder.journal() if folder else None,
            watch=progress,
            repeats=what["repeats"],
            **more,
        )
        if folder is not None:
            write(assessment, folder.path)
    if given["as_json"]:
        click.echo(json.dumps(assessment.to_dict(), allow_nan=False))
    elif given["as_csv"]:
        click.echo(assessment.table.to_csv(), nl=False)
    else:
        show(assessment, dataset.classes)
    return 4 if assessment.failures else 0


def show(assessment: Any, classes: tuple[str, ...] | None = None) -> None:
    """Print the sentence, the clusters, and the items that are least sure.

    With ``classes`` of the user's, also how far the clusters agree with them.
    """
    import numpy as np

    from stablek.results.from_outcome import agreement

    click.echo(plain(assessment.sentence))
    if classes is not None:
        click.echo(agreement_line(agreement(classes, assessment.labels)))
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
    unsure = [i for i in order[:MOST_ITEMS] if assessment.confidence[i] < 1]
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
