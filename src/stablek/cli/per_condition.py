"""``stablek run -m fom --per-condition``: the figure of merit of every column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.show import table

if TYPE_CHECKING:
    from stablek.results.result import Result

#: The file, next to the results of a run.
FILE = "per_condition.csv"

OPTION = click.option(
    "--per-condition",
    is_flag=True,
    help="Also print FOM for every column, and write it to DIR as per_condition.csv.",
)


def check(given: dict[str, Any]) -> None:
    """Refuse the option where no column is left out, or where it has no place."""
    if given["measure"] not in ("fom", "fom-r"):
        raise click.UsageError(
            f"--per-condition works with fom and fom-r, not {given['measure']}"
        )
    if given["as_json"] and not given["out"]:
        raise click.UsageError(
            "--per-condition with --json needs -o DIR, where the table is kept"
        )


def rows_of(result: Result) -> list[list[str]]:
    """Return FOM(e, k) of every column e, the mean over starts, as rows of text."""
    from stablek.paradigm.statistic.dispersion import per_condition

    data, cube = result.data, result.cube
    assert data is not None  # a fresh result holds both
    assert cube is not None
    means = per_condition(cube, data).mean(axis=0)
    names = data.column_names()
    places = [cube.ks.index(k) for k in result.ks]
    rows = [["column", *(f"k={k}" for k in result.ks)]]
    for name, values in zip(names, means, strict=True):
        rows.append([name, *(f"{values[place]:.6g}" for place in places)])
    return rows


def show(result: Result, given: dict[str, Any]) -> None:
    """Print the table, unless JSON was asked for, and keep it in the folder of -o."""
    import csv
    import io

    from stablek.io.store.atomic import write_text

    rows = rows_of(result)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    if given["out"]:
        write_text(Path(given["out"]) / FILE, text.getvalue())
    if given["as_csv"]:
        click.echo("\n" + text.getvalue(), nl=False)
    elif not given["as_json"]:
        click.echo("\n" + table(rows))
