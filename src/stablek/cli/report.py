"""``stablek report``: the HTML page of results that are already there."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.pages import Wanted, wanting, write_page

if TYPE_CHECKING:
    from stablek.result import Result

#: Commands whose folder keeps all their work, so that giving them again costs little.
KEPT = ("run", "compare", "verdict")


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

    The page is one file that opens anywhere, offline. The command that filled DIR is
    given again; its work is kept there, so nothing is computed twice. Where that cannot
    be (the data are gone, or changed), the page holds curves and tables only, a note
    says so, and a report.html that is there already is left alone.

    Example: stablek report results/
    """
    from stablek.cli.show import notes
    from stablek.errors import StablekError

    said: list[str] = []
    target = (out or (source / "report.html")).resolve()
    wanted = Wanted(target, title, anonymous)
    if source.is_dir():
        try:
            give_again(source, wanted)
        except (StablekError, click.ClickException, OSError) as error:
            if out is None and target.exists():
                target = target.with_name("report-tables.html")
            said = [f"curves and tables only: {error}"]
    else:
        target = (out or source.with_name("report.html")).resolve()
        said = ["curves and tables only: one result.json holds no more"]
    if said:
        results, verdict = read_results(source)
        with wanting(replace(wanted, path=target)):
            write_page(results, target.parent, verdict)
    if not quiet:
        notes(said)
        click.echo(str(target))


def read_results(source: Path) -> tuple[list[Result], Any]:
    """Return the results under a path, and a verdict if there is one.

    A folder is looked through one level deep, as `stablek compare` fills it.
    """
    from stablek.errors import InputError
    from stablek.result import Result

    if source.is_file():
        return [Result.from_json(source)], None
    judged = source / "verdict.json"
    if judged.is_file():
        from stablek.judge.result import Verdict

        return [], Verdict.from_json(judged)
    files = sorted(source.glob("result.json")) or sorted(source.glob("*/result.json"))
    if not files:
        msg = f"no result.json in {source}; make one with: stablek run DATA -o {source}"
        raise InputError(msg)
    return [Result.from_json(file) for file in files], None


def give_again(folder: Path, wanted: Wanted) -> None:
    """Give the command of a folder again, and let it write its page as wanted."""
    from stablek.cli import cli
    from stablek.cli.workflow import not_safe_again
    from stablek.errors import InputError

    try:
        found = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        arguments, place = list(map(str, found["arguments"])), Path(found["folder"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        msg = f"{folder} holds no run.json that tells how it was made"
        raise InputError(msg) from None
    if not arguments or arguments[0] not in KEPT:
        msg = f"{folder} was not filled by one of: {', '.join(KEPT)}"
        raise InputError(msg)
    if not_safe_again(arguments):
        msg = "the run read stdin or a module of your own"
        raise InputError(msg)
    arguments = [text for text in arguments if text != "--restart"]
    here = folder.resolve()
    with _inside(place):
        chosen = cli.get_command(click.Context(cli), arguments[0])
        if chosen is None:
            raise InputError(arguments[0])
        given = chosen.make_context(arguments[0], arguments[1:]).params
        if Path(str(given.get("out"))).resolve() != here:
            msg = f"{folder} was moved since it was filled"
            raise InputError(msg)
        with wanting(wanted), redirect_stdout(io.StringIO()):
            cli.main(args=[*arguments, "--quiet"], standalone_mode=False)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
