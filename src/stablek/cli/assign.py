"""``stablek assign``: the clusters of a verdict, given to new items."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import MEMORY_OPTION
from stablek.cli.input import READER_OPTIONS, reader_options
from stablek.cli.options import CSV_OPTION, JSON_OPTION, options
from stablek.cli.show import cell, notes, plain, table

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.results.assign import Assignment

#: New items that the terminal shows.
MOST_ITEMS = 20

#: Options of the commands that read new data.
NEW_DATA_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--prepared",
        is_flag=True,
        help="DATA is already prepared; by default it is prepared as the first data "
        "were.",
    ),
    JSON_OPTION,
    CSV_OPTION,
    click.option("-q", "--quiet", is_flag=True, help="No notes."),
    MEMORY_OPTION,
)


@click.command("assign")
@click.argument("result")
@click.argument("data")
@click.option(
    "-k",
    "k",
    type=click.IntRange(1),
    help="Number of clusters; default: the verdict's answer, which is one cluster "
    "without evidence of more.",
)
@click.option("-o", "--out", metavar="DIR", help="Write assigned.tsv there.")
@options(NEW_DATA_OPTIONS, READER_OPTIONS)
def command(result: str, data: str, **given: Any) -> int:
    """Assign the items of DATA to the clusters in RESULT, the folder of a verdict.

    Columns are matched by name, and values are prepared as the first data were. Every
    item gets its nearest cluster, the distance to it, a value for how doubtful this is,
    and a mark if it fits no cluster.

    Example: stablek assign verdict new.tsv -o assigned
    """
    from stablek.api.new_data import Model

    with written_to(given["out"]) as folder:
        model = Model.load(result)
        new = read_new(data, given, model.known)
        answer = model.assign(new, given["k"], prepare=not given["prepared"])
        if not given["quiet"]:
            notes((*new.notes, *answer.notes))
        if folder is not None:
            write(answer, folder)
    if given["as_json"]:
        from stablek.results.json_form import plain_form

        rows = plain_form(answer.table.to_dict("records"))
        plain_items = {
            "sentence": answer.sentence,
            "items": rows,
            "notes": answer.notes,
        }
        click.echo(json.dumps(plain_items, allow_nan=False))
    elif given["as_csv"]:
        click.echo(answer.table.to_csv(index=False, lineterminator="\n"), nl=False)
    else:
        click.echo(plain(answer.sentence))
        show(answer)
    return 0


def read_new(source: str, given: dict[str, Any], known: Collection[str]) -> Dataset:
    """Read new data; no column is left out because it is constant here.

    Columns of text are left out if the verdict did not know them.
    """
    from stablek.io import read

    wanted = reader_options(given, "euclidean")
    wanted |= {"keep_constant": True, "fewest": 1, "known": sorted(known)}
    return read(source, **wanted)


def written_to(out: str | None) -> AbstractContextManager[Path | None]:
    """Lock the output folder, if one was named."""
    from stablek.io.store.results import output_folder

    return output_folder(Path(out)) if out else nullcontext()


def write(answer: Assignment, folder: Path) -> None:
    """Write the table of new items into a folder."""
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import tsv
    from stablek.results.assign import ASSIGNMENT_COLUMNS

    values = [getattr(answer, name).tolist() for name in ASSIGNMENT_COLUMNS[1:]]
    rows = [
        [cell(value) for value in row] for row in zip(answer.ids, *values, strict=True)
    ]
    write_text(folder / "assigned.tsv", tsv([list(ASSIGNMENT_COLUMNS), *rows]))


def show(answer: Assignment) -> None:
    """Print the first new items."""
    head = ["id", "cluster", "distance", "runner-up", "doubt", ""]
    rows = [head]
    for i in range(min(MOST_ITEMS, len(answer.ids))):
        strange = "unlike any cluster" if answer.like_none[i] else ""
        torn = "between two" if answer.between[i] and not strange else ""
        rows.append(
            [
                plain(answer.ids[i]), str(answer.cluster[i]),
                f"{answer.distance[i]:.3g}", str(answer.runner_up[i] or "-"),
                f"{answer.doubt[i]:.2f}", strange or torn,
            ]
        )  # fmt: skip
    click.echo("\n" + table(rows))
    if len(answer.ids) > MOST_ITEMS:
        more = len(answer.ids) - MOST_ITEMS
        click.echo(f"... and {more:,} more: use -o DIR or --csv")
