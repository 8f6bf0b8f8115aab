"""``stablek validate``: whether the clusters of a verdict come back in other data."""

from pathlib import Path
from typing import Any

import click

from stablek.cli.assign import NEW_DATA_OPTIONS
from stablek.cli.input import READER_OPTIONS
from stablek.cli.options import SEED_OPTION, options
from stablek.cli.show import notes, plain, table


@click.command("validate")
@click.argument("result")
@click.argument("data")
@click.option(
    "-k",
    "k",
    type=click.IntRange(2),
    help="Number of clusters; default: the verdict's answer, or its best guess.",
)
@click.option(
    "--align",
    type=click.Choice(["auto", "none", "centre", "scale"]),
    default="auto",
    show_default=True,
    help="What to do about columns that are shifted relative to the first data.",
)
@click.option(
    "--null-sets",
    type=click.IntRange(19),
    default=99,
    show_default=True,
    help="Number of cohorts without clusters, for each of two kinds.",
)
@SEED_OPTION
@click.option(
    "-o",
    "--out",
    metavar="DIR",
    help="Folder for validation.json, validation.tsv and assigned.tsv.",
)
@options(NEW_DATA_OPTIONS, READER_OPTIONS)
def command(result: str, data: str, **given: Any) -> int:
    """Check whether the clusters in RESULT, the folder of a verdict, come back in DATA.

    For every cluster: the in-group proportion (Kapp and Tibshirani 2007), and how well
    DATA's own clusters recover it, compared with cohorts without clusters.

    Example: stablek validate verdict other_cohort.tsv
    """
    from stablek.api.new_data import Model
    from stablek.api.validate import validate
    from stablek.cli.assign import read_new, written_to

    with written_to(given["out"]) as folder:
        model = Model.load(result)
        new = read_new(data, given, model.known)
        answer = validate(
            model, new, k=given["k"], prepare=not given["prepared"],
            align=given["align"], null_sets=given["null_sets"], seed=given["seed"],
        )  # fmt: skip
        if not given["quiet"]:
            notes((*new.notes, *answer.notes))
        if folder is not None:
            write(answer, folder)
    if given["as_json"]:
        click.echo(answer.to_json(), nl=False)
    elif given["as_csv"]:
        click.echo(answer.table.to_csv(index=False, lineterminator="\n"), nl=False)
    else:
        click.echo(plain(answer.sentence))
        show(answer)
    return 0


def show(answer: Any) -> None:
    """Print one line per cluster."""
    head = ["cluster", "items", "in-group", "p", "jaccard", "p", "gap", "p", "p of all"]
    rows = [[*head, ""]]
    rows += [
        [
            str(one.cluster), str(one.size), f"{one.igp:.2f}", f"{one.igp_p:.2g}",
            f"{one.jaccard:.2f}", f"{one.jaccard_p:.2g}", f"{one.gap:.2f}",
            f"{one.gap_p:.2g}", f"{one.p:.2g}", one.word,
        ]
        for one in answer.clusters
    ]  # fmt: skip
    click.echo("\n" + table(rows))


def write(answer: Any, folder: Path) -> None:
    """Write the answer and its tables into a folder."""
    from stablek.cli.assign import write as write_items
    from stablek.io.store.atomic import write_text

    write_items(answer.assignment, folder)
    write_text(folder / "validation.json", answer.to_json())
    text = answer.table.to_csv(index=False, sep="\t", lineterminator="\n")
    write_text(folder / "validation.tsv", text)
