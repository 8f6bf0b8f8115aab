"""``stablek report``: the HTML page of results that are already there."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import MEMORY_OPTION
from stablek.cli.kept import LAST, kept_command, kept_words
from stablek.cli.report_path import PageOptions, page_options, write_page
from stablek.cli.show import notes
from stablek.cli.trust import TRUST_FOLDER
from stablek.cli.words import without
from stablek.errors import InputError, StablekError, TryAgainError

if TYPE_CHECKING:
    from stablek.results.result import Result


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
@click.option(
    "--anonymous", is_flag=True, help="Show numbers instead of ids and names."
)
@click.option(
    "--embedding",
    metavar="FILE|NAME",
    help="Draw the items in your own embedding: umap.csv, or X_umap of an H5AD.",
)
@click.option(
    "--watch",
    "watching",
    is_flag=True,
    help="While a run is filling DIR, redraw the page from what is finished.",
)
@click.option(
    "--every",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time between redraws with --watch.",
)
@MEMORY_OPTION
@TRUST_FOLDER
@click.option("-q", "--quiet", is_flag=True, help="No notes; do not print the path.")
def command(
    source: Path,
    out: Path | None,
    title: str | None,
    embedding: str | None,
    every: float,
    memory: str | None,
    *,
    anonymous: bool,
    watching: bool,
    trust: bool,
    quiet: bool,
) -> None:
    """Write the report of the results in DIR (or of one result.json).

    The page is one file that opens anywhere, offline. The command that filled DIR is
    run again; its work is kept there, so nothing is computed twice. If that is not
    possible (the data are gone, or changed), the page has curves and tables only, a
    note says so, and an existing report.html is not replaced.

    Use --watch while a long `stablek run ... -o DIR` is running: the page shows the
    result of the repeats finished so far, browsers reload it by themselves, and at the
    end it shows the final result.

    --memory replaces the budget of the command that filled DIR.

    Example: stablek report results/
    """
    without_map: list[str] = []
    if out is not None:
        refuse_other_file(out)
    target = (out or (source / "report.html")).resolve()
    if embedding and Path(embedding).is_file():
        embedding = str(Path(embedding).resolve())
    wanted = PageOptions(target, title, anonymous, embedding)
    if watching:
        from stablek.cli.watch import watch

        if not watch(source, wanted, every, quiet=quiet):
            raise TryAgainError(
                f"the run in {source} stopped; resume with: stablek resume {source}"
            )
    if source.is_dir():
        refuse_unfinished(source)
        try:
            give_again(source, wanted, memory=memory, trust=trust)
        except (StablekError, click.ClickException, OSError) as error:
            refuse_without_map(wanted, error)
            if out is None and target.exists():
                target = target.with_name("report-tables.html")
            without_map = [f"curves and tables only: {error}"]
    else:
        alone = "a single result.json holds no more"
        refuse_without_map(wanted, alone)
        target = (out or source.with_name("report.html")).resolve()
        without_map = [f"curves and tables only: {alone}"]
    if without_map:
        write_tables(source, replace(wanted, path=target))
    if not quiet:
        notes(without_map)
        click.echo(str(target))


def refuse_unfinished(folder: Path) -> None:
    """Refuse the page of a run that is not done: to finish it may take hours."""
    words = kept_words(folder)
    if words and not (folder / LAST[words[0]]).exists():
        shards = any(word.startswith("--shard") for word in words)
        how = "merge" if shards else "resume"
        raise TryAgainError(
            f"the run in {folder} is not finished; finish it with stablek {how} "
            f"{folder}, or watch it with --watch"
        )


def refuse_other_file(target: Path) -> None:
    """Refuse to overwrite a file that is not a report, such as the user's data."""
    if not target.is_file() or not target.stat().st_size:
        return
    with target.open("rb") as file:
        start = file.read(200).lstrip()
    if not start.lower().startswith((b"<!doctype html", b"<html")):
        raise InputError(
            f"-o {target} exists and is not an HTML page; name another file"
        )


def refuse_without_map(wanted: PageOptions, why: object) -> None:
    """Refuse a page without the plane that was asked for; nothing is written."""
    if not wanted.embedding:
        return
    if isinstance(why, TryAgainError):
        raise why
    words = why.format_message() if isinstance(why, click.ClickException) else str(why)
    asked = f"--embedding {wanted.embedding}: "
    raise InputError(
        f"{asked}{words.removeprefix(asked)}; without it, the page has curves and "
        "tables only"
    )


def write_tables(source: Path, wanted: PageOptions) -> None:
    """Write the page of what the results under a path tell: no maps, no matrices."""
    results, verdict = read_results(source)
    filled = source if source.is_dir() else source.parent
    try:
        with page_options(wanted):
            write_page(results, filled, verdict)
    except InputError:
        raise
    # Somebody may have edited them: what is read well may still make no sense.
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
        said = f"{type(e).__name__}: {e}"
        raise InputError(
            f"{source} is damaged, or was edited ({said}); run it again"
        ) from e


def read_results(source: Path) -> tuple[list[Result], Any]:
    """Return the results under a path, and a verdict if there is one.

    A folder is looked through one level deep, as `stablek compare` fills it.
    """
    from stablek.results.result import Result

    def whole(kind: Any, file: Path) -> Any:
        try:
            return kind.from_json(file)
        except InputError as error:
            raise InputError(
                f"{file} is damaged, or was edited: {error}; run it again"
            ) from None

    if source.is_file():
        return [whole(Result, source)], None
    judged = source / "verdict.json"
    if judged.is_file():
        from stablek.results.verdict import Verdict

        return [], whole(Verdict, judged)
    files = sorted(source.glob("result.json")) or sorted(source.glob("*/result.json"))
    if not files:
        raise InputError(
            f"no result.json in {source}; make one with: stablek run DATA -o {source}"
        )
    return [whole(Result, file) for file in files], None


def give_again(
    folder: Path, wanted: PageOptions, *, memory: str | None, trust: bool
) -> None:
    """Give the command of a folder again, and let it write its page as wanted."""
    from stablek.cli import cli

    kept = kept_command(folder, trust=trust)
    name, *words = without(kept.words, (), ("--restart",))
    if memory is not None:
        words = ["--memory", memory, *without(words, ("--memory",))]
    with kept.given_again(), page_options(wanted), redirect_stdout(io.StringIO()):
        cli.main(args=[name, "--quiet", *words], standalone_mode=False)
