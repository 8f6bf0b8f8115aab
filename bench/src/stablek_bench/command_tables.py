"""``stablek bench table|all|summary|page``: the thesis's tables, run again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import WORKER_OPTIONS, execution_of
from stablek.cli.options import options
from stablek_bench.command_curves import ends, fom, knees

if TYPE_CHECKING:
    from stablek_bench.run import Bench

STORE: tuple[Callable[[Any], Any], ...] = (
    click.option("--data", metavar="DIR",
                 help="Folder of real data; default STABLEK_DATA, or simulated sets."),
    click.option("--seed", type=int, default=0, show_default=True, help="Random seed."),
    click.option("--use", "uses", multiple=True, metavar="SET=FILE",
                 help="Another file for a data set, e.g. 'CNS Rat=cns_rat'."),
)  # fmt: skip

RUN: tuple[Callable[[Any], Any], ...] = (
    click.option("--dataset", "only", multiple=True, metavar="SET",
                 help="Only these data sets, by their names in the thesis."),
    click.option("-a", "--algorithm", "algorithms", multiple=True,
                 help="Only these algorithms, e.g. hier-a."),
    *WORKER_OPTIONS,
    click.option("--partitions", metavar="DIR",
                 help="Keep partitions of factorisations, so a kill loses seconds."),
    click.option("-q", "--quiet", is_flag=True, help="No progress."),
)  # fmt: skip


def opened(
    store: str | None,
    data: str | None,
    seed: int,
    uses: tuple[str, ...],
    **rest: Any,
) -> Bench:
    """Return the bench the options describe."""
    from stablek.errors import unknown_name
    from stablek_bench.run import Bench
    from stablek_bench.sources import SOURCES
    from stablek_bench.store import Store

    for name in rest.get("only", ()):
        if name not in SOURCES:
            raise unknown_name("data set of the thesis", name, SOURCES)
    files = {}
    for text in uses:
        name, equals, file = text.partition("=")
        if not equals:
            msg = f"--use '{text}': write --use 'CNS Rat=cns_rat'"
            raise click.UsageError(msg)
        files[name.strip()] = file.strip()
    how = execution_of(rest)
    return Bench(Store(store or ":memory:", seed), data, how, uses=files, **rest)


@contextmanager
def interruptible(bench: Bench, out: str | None) -> Iterator[None]:
    """Say what is kept, and how to go on, where a signal stops a bench."""
    from stablek.cli.signals import resumable

    def kept() -> str:
        if not out:
            return "nothing is kept without -o"
        count = bench.store.count()
        return f"{count} cells are kept in {out}; resume with: the same command"

    with resumable(kept):
        yield


@click.command("table")
@click.argument("name")
@options(STORE, RUN)
@click.option("-o", "--out", metavar="FILE", help="Keep finished cells in a file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def table(
    *, name: str, out: str | None, as_json: bool, quiet: bool, **rest: Any
) -> int:
    """Run one table of the thesis and print it, ours and (theirs).

    * marks the gold k, ~ one off. The 61 names are those of the thesis's labels
    (WCSS, Gap, FC-H250p80, FC-H250p80-time, siimEuclidean ...); delta, external,
    fingerprints, composed and peers are further comparisons.

    Example: stablek bench table FC-H250p80 --data DIR --dataset Leukemia
    """
    from stablek.cli.show import table as aligned
    from stablek.engine.progress import Progress
    from stablek_bench.grid import table_named
    from stablek_bench.tables import cells_of, layout, score, sentence

    wanted = table_named(name)
    bench = opened(out, **rest)
    with interruptible(bench, out), Progress(quiet=quiet) as progress:
        bench.run([wanted], tell=progress)
    cells = cells_of(wanted, bench)
    if as_json:
        found = {"table": name, "cells": [cell.to_dict() for cell in cells]}
        click.echo(json.dumps(found, allow_nan=False))
        return 0
    click.echo(aligned(layout(wanted, cells)))
    if wanted.kind == "k":
        click.echo("\n" + sentence(score(cells)))
    failed = sorted({c.state for c in cells if " " in c.state and c.ours is None})
    if not quiet:
        for state in failed:
            click.echo(f"note: {state}", err=True)
    return 0


@click.command("all")
@options(STORE, RUN)
@click.option(
    "--budget",
    type=float,
    metavar="MINUTES",
    help="Start no new cell after so many minutes.",
)
@click.option("-o", "--out", required=True, metavar="FILE",
              help="Keep finished cells; the same command resumes.")  # fmt: skip
@click.option(
    "--cells",
    metavar="FILE",
    help="Cells as text: read first if it is there, written at the end.",
)
@click.option("--page", metavar="FILE", help="Write the page as Markdown, too.")
def everything(
    *,
    out: str,
    budget: float | None,
    cells: str | None,
    page: str | None,
    quiet: bool,
    **rest: Any,
) -> int:
    """Run all tables, the cheap cells first, as far as the budget goes.

    Example: stablek bench all --budget 60 --data DIR -o bench.sqlite --page page.md
    """
    from stablek.engine.progress import Progress
    from stablek_bench.beyond import BEYOND
    from stablek_bench.cells import write_cells
    from stablek_bench.grid import TABLES
    from stablek_bench.page import write

    bench = opened(out, **rest)
    if cells and Path(cells).exists():
        fill(bench, cells)
    with interruptible(bench, out), Progress(quiet=quiet) as progress:
        tables = [*TABLES.values(), *BEYOND.values()]
        left = bench.run(tables, budget, progress)
    if cells:
        write_cells(bench.store, Path(cells))
    if page:
        write(bench, Path(page))
    state = f"{left} passes left; the same command resumes" if left else "complete"
    click.echo(f"{bench.store.count()} cells in {out}: {state}")
    return 0


@click.command("summary")
@options(STORE)
@click.option("--store", required=True, metavar="FILE", help="What bench all kept.")
@click.option("--most", type=int, default=30, show_default=True, help="Settings shown.")
@click.option("-o", "--out", metavar="FILE", help="Draw the picture: .svg or .png.")
def summary(*, store: str, most: int, out: str | None, **rest: Any) -> int:
    """Rank measures by precision and time, ours next to those of the thesis.

    Example: stablek bench summary --store bench.sqlite --data DIR -o summary.svg
    """
    from stablek.cli.show import table as aligned
    from stablek_bench.summary import picture, rows, settings

    found = settings(opened(existing(store), **rest))
    click.echo(aligned(rows(found, most)))
    if out:
        picture(found, Path(out))
    return 0


@click.command("page")
@options(STORE)
@click.option("--store", metavar="FILE", help="What bench all kept.")
@click.option("--cells", metavar="FILE", help="What bench all wrote as text.")
@click.option("-o", "--out", metavar="FILE", help="Write there; otherwise print.")
@click.option("--figures", metavar="DIR", help="Draw the figures into a folder, too.")
@click.option("--note", default="", help="A sentence for the page: which machine ...")
def page(
    *,
    store: str | None,
    cells: str | None,
    out: str | None,
    figures: str | None,
    note: str,
    **rest: Any,
) -> int:
    """Write the page "Reproduction" from the cells that are there.

    Example: stablek bench page --store bench.sqlite --data DIR -o reproduction.md
    """
    from stablek_bench.page import draw, text, write

    if not (store or cells):
        msg = "name the cells: --store FILE, or --cells FILE"
        raise click.UsageError(msg)
    bench = opened(existing(store) if store else None, **rest)
    if cells:
        fill(bench, cells)
    if figures:
        draw(bench, Path(figures))
    if out:
        write(bench, Path(out), note)
    else:
        click.echo(text(bench, note), nl=False)
    return 0


def fill(bench: Bench, cells: str) -> None:
    """Add cells that were written as text, and say which of them could not be used."""
    from stablek_bench.cells import read_cells

    for note in read_cells(Path(cells), bench.store):
        click.echo(f"note: {note}", err=True)


def existing(store: str) -> str:
    """Return the store, if it is there."""
    if not Path(store).is_file():
        msg = f"'{store}' is not there; `stablek bench all -o {store}` makes it"
        raise click.UsageError(msg)
    return store


COMMANDS = (table, everything, summary, page, knees, fom, ends)
