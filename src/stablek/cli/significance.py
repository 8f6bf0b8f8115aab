"""``stablek significance``: whether a partition is more than chance would give."""

import json
import sys
from contextlib import redirect_stdout
from typing import Any

import click

from stablek.cli.execution import EXECUTION_OPTIONS, execution_of
from stablek.cli.input import INPUT_OPTIONS, read_input
from stablek.cli.options import (
    JSON_OPTION,
    METRIC_OPTION,
    NONNEGATIVE_OPTIONS,
    QUIET_OPTION,
    SEED_OPTION,
    full_algorithm_name,
    options,
)
from stablek.cli.show import notes, plain
from stablek.cli.user_code import load_named
from stablek.errors import InputError


@click.command("significance")
@click.argument("data")
@click.option(
    "-a",
    "--algorithm",
    help="The algorithm that makes the partition and clusters the null sets. Default "
    "kmeans-w; hier-a for other distances and with --preset thesis.",
)
@click.option("-k", "--clusters", type=int, help="Number of clusters.")
@click.option(
    "--statistic",
    help="wcss, calinski-harabasz or silhouette; default wcss, "
    "silhouette for distances.",
)
@click.option(
    "--null",
    "null",
    help="Null model: pc (default), ps, ps-sphere, ps-hull, pr, normal, m3c, graph.",
)
@click.option(
    "--null-sets",
    type=int,
    default=199,
    show_default=True,
    help="How many null sets, or random orders of the labels.",
)
@click.option(
    "--level",
    "--alpha",
    "level",
    type=float,
    default=0.05,
    show_default=True,
    help="Level of the test.",
)
@METRIC_OPTION
@click.option(
    "--preset", type=click.Choice(["thesis"]), help="thesis: p is the plain proportion."
)
@JSON_OPTION
@QUIET_OPTION
@SEED_OPTION
@options(NONNEGATIVE_OPTIONS, EXECUTION_OPTIONS, INPUT_OPTIONS)
def command(data: str, **given: Any) -> int:
    """Test whether a partition of DATA is better than chance would give (MECCA).

    With -k, the partition of an algorithm is tested, and null sets are clustered by the
    same algorithm. With --labels COLUMN and no -k, your labels are compared with the
    same labels in random order. That p holds only if the labels were not made from
    DATA; to test clusters that were, add -k.

    Example: stablek significance expression.tsv -a kmeans-r -k 4 --null pc
    """  # fmt: skip
    from stablek.api.significance import significance
    from stablek.engine.progress import Progress

    k, metric, preset = given["clusters"], given["metric"], given["preset"]
    dataset = read_input(data, given, metric)
    execution = execution_of(given)
    if k is None and dataset.classes is None:
        raise InputError(
            "give -k K to test an algorithm's clusters, or --labels COLUMN"
        )
    if not given["quiet"]:
        notes(dataset.notes)
    algorithm = full_algorithm_name(
        given["algorithm"], given["nonnegative"], metric, preset
    )
    with (
        Progress(quiet=given["quiet"]) as progress,
        redirect_stdout(sys.stderr),  # an algorithm of the user's may print
    ):
        tested = significance(
            dataset,
            k,
            load_named(algorithm),
            labels=dataset.classes if k is None else None,
            **{
                n: given[n] for n in ("statistic", "null", "null_sets", "level", "seed")
            },
            proportion=preset == "thesis",
            metric=dataset.metric_or(metric),
            execution=execution,
            watch=progress,
        )
    if given["as_json"]:
        click.echo(json.dumps(tested.to_dict(), allow_nan=False))
        return 4 if tested.failures else 0
    p, _, what = tested.sentence.partition(": ")
    click.echo(p)
    click.echo(plain(what[0].upper() + what[1:]))
    drawn = tested.null_values
    click.echo(
        f"{tested.statistic} = {tested.value:.6g}; on null sets {drawn.mean():.6g} on "
        f"average, from {drawn.min():.6g} to {drawn.max():.6g} "
        f"({tested.better} is unusual); seed {tested.seed}"
    )
    if not given["quiet"]:
        notes(f"note: {line}" for line in (*tested.notes, *tested.failures[:5]))
    return 4 if tested.failures else 0
