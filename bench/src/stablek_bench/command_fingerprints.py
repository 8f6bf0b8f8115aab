"""``stablek bench fingerprints``: which data the thesis clustered."""

from __future__ import annotations

import click


@click.command("fingerprints")
@click.option("--data", metavar="DIR", help="Folder of real data; else STABLEK_DATA.")
@click.option("--dataset", "only", multiple=True, metavar="SET",
              help="Only these data sets, by their names in the thesis.")  # fmt: skip
def fingerprints(*, data: str | None, only: tuple[str, ...]) -> int:
    """Print how many printed similarity values each preparation of a set matches.

    Example: stablek bench fingerprints --data DIR --dataset Leukemia
    """
    from stablek.cli.show import table
    from stablek_bench.fingerprints import report, rows

    click.echo(table(rows(report(data, only))))
    return 0
