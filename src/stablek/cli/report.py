"""``stablek report``: the HTML page of results that are already there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from stablek.result import Result


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
@click.option("-q", "--quiet", is_flag=True, help="No notes; do not print the path.")
def command(
    source: Path, out: Path | None, title: str | None, *, anonymous: bool, quiet: bool
) -> None:
    """Write the report of the results in DIR (or of one result.json).

    The page is one file that opens anywhere, offline. The labels of the repeats are
    taken from the folder and the data from where they were; if either is gone, the page
    holds curves and tables only, and a note says so.

    Example: stablek report results/
    """
    from stablek.cli.show import notes
    from stablek.report import write_report

    results, verdict, said = found_in(source)
    folder = source if source.is_dir() else source.parent
    path = write_report(
        results,
        out or folder / "report.html",
        verdict=verdict,
        title=title,
        anonymous=anonymous,
    )
    if not quiet:
        notes(said)
        click.echo(str(path))


def found_in(source: Path) -> tuple[list[Result], Any, list[str]]:
    """Return the results under a path, a verdict if there is one, and what to note.

    A folder is looked through one level deep, as `stablek compare` fills it.
    """
    from stablek.errors import InputError, StablekError
    from stablek.result import Result

    if source.is_file():
        return [Result.from_json(source)], None, []
    judged = source / "verdict.json"
    if judged.is_file():
        from stablek.judge.result import Verdict

        return [], Verdict.from_json(judged), []
    files = sorted(source.glob("result.json")) or sorted(source.glob("*/result.json"))
    if not files:
        msg = f"no result.json in {source}; make one with: stablek run DATA -o {source}"
        raise InputError(msg)
    if files == [source / "result.json"]:
        try:
            return [run_again(source)], None, []
        except (StablekError, click.ClickException, OSError) as error:
            said = f"curves and tables only: {error}"
            return [Result.from_json(files[0])], None, [said]
    return [Result.from_json(file) for file in files], None, []


def run_again(folder: Path) -> Result:
    """Return the result of a run folder with its labels; nothing is computed twice.

    The command in run.json is given again; all of its tasks are kept in the folder.
    """
    from stablek.cli.composing import as_settings
    from stablek.cli.options import read_input
    from stablek.cli.run import command as run
    from stablek.cli.run import computed
    from stablek.errors import InputError

    kept = folder.resolve() / "run.json"
    try:
        found = json.loads(kept.read_text(encoding="utf-8"))
        arguments, place = list(map(str, found["arguments"])), Path(found["folder"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        msg = f"{folder} holds no run.json that tells how it was made"
        raise InputError(msg) from None
    own = [text for text in arguments if text.partition(":")[0].isidentifier()
           and ":" in text]  # fmt: skip
    if arguments[:1] != ["run"] or "-" in arguments or own:
        # A folder may come from somebody else: it must not choose what is imported.
        msg = "the run read stdin or a module of your own"
        raise InputError(msg)
    context = run.make_context("run", arguments[1:])
    given = {**context.params, "out": str(folder.resolve()), "quiet": True}
    for name in ("as_json", "as_csv", "restart"):
        given.pop(name, None)
    data, metric = given.pop("data"), given.pop("metric")
    with _inside(place):
        as_settings(given)
        dataset = read_input(data, given, metric)
        return computed(dataset, metric=metric, **given)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
