"""``stablek report``: the HTML page of results that are already there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command("report")
@click.argument("source", metavar="DIR", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file to write; report.html in DIR if not given.",
)
@click.option("--title", help="Title of the page.")
@click.option("--anonymous", is_flag=True, help="Numbers in place of ids and names.")
@click.option("-q", "--quiet", is_flag=True, help="Do not print the path.")
def command(
    source: Path, out: Path | None, title: str | None, *, anonymous: bool, quiet: bool
) -> None:
    """Write the report of the results in DIR (or of one result.json).

    The page is one file that opens anywhere, offline. Labels of the repeats are used
    where the run folder holds them; a result.json alone gives curves and tables.

    Example: stablek report out/ && xdg-open out/report.html
    """  # fmt: skip
    from stablek.report import write_report

    results = found_results(source)
    folder = source if source.is_dir() else source.parent
    path = write_report(
        results, out or folder / "report.html", title=title, anonymous=anonymous
    )
    if not quiet:
        click.echo(str(path))


def found_results(source: Path) -> list[Any]:
    """Return the results under a path, in the order of their names.

    A folder of results is looked through one level deep, as `stablek compare` fills it.
    """
    from stablek.errors import InputError
    from stablek.result import Result

    if source.is_file():
        return [Result.from_json(source)]
    files = sorted(source.glob("result.json")) or sorted(source.glob("*/result.json"))
    files = files or sorted(source.glob("*.result.json"))
    if not files:
        msg = f"no result.json in {source}; make one with: stablek run DATA -o {source}"
        raise InputError(msg)
    return [opened(file) for file in files]


def opened(file: Path) -> Any:
    """Return a result with the labels of its repeats, where its folder holds them."""
    from stablek.result import Result

    return Result.from_json(file)
