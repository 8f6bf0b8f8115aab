"""``stablek bench real``: the verdict on real data, and what its constants rest on."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

import click

from stablek.cli.execution import WORKER_OPTIONS, execution_of
from stablek.cli.options import options

PARTS = (
    "fair", "half", "plasmode", "mixture", "unequal", "null", "residual", "class",
    "continuum", "order", "seed", "no", "fresh",
)  # fmt: skip


@click.command("real")
@click.option("--data", required=True, metavar="DIR",
              type=click.Path(file_okay=False, exists=True),
              help="Folder of the real collection, with stats.tsv.")  # fmt: skip
@click.option("--store", metavar="DIR", help="Keep every outcome in a folder.")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS),
              help="Only these parts.")  # fmt: skip
@options(WORKER_OPTIONS)
@click.option("--page", metavar="FILE", help="Write the page, and its picture.")
@click.option("--simulated", metavar="DIR", type=click.Path(exists=True),
              help="Add the simulations kept by stablek bench trust -o.")  # fmt: skip
@click.option("--tables-only", is_flag=True, help="Run nothing; show what is kept.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def real(
    *,
    data: str,
    store: str | None,
    parts: tuple[str, ...],
    page: str | None,
    simulated: str | None,
    tables_only: bool,
    quiet: bool,
    **workers: Any,
) -> int:
    """Measure the verdict and its peers on real data, and fit its coefficients again.

    Every set is judged once and kept; after a kill the same command resumes. The
    coefficients of the choice among ks are then fitted in ten folds by group, and
    tables of the outer folds are printed, next to those in the source.

    Example: stablek bench real --data DIR --store real --page docs/wrong.md
    """
    from stablek.cli.show import notes
    from stablek.engine.progress import Progress
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import check_writable
    from stablek_bench.kept import Kept
    from stablek_bench.real_look import RealOutcome, run_case
    from stablek_bench.real_page import drawing
    from stablek_bench.real_page import page as written
    from stablek_bench.real_sets import cases

    folder = Path(data)
    began = time.perf_counter()
    with (
        Kept(check_writable(Path(store)) if store else None, RealOutcome) as kept,
        Progress(quiet=quiet) as progress,
    ):
        notes(kept.notes)
        if tables_only and not kept.outcomes:
            msg = "nothing of this version is kept in --store; leave out --tables-only"
            raise click.UsageError(msg)
        wanted = [] if tables_only else list(cases(folder, parts))
        judge = partial(run_case, folder.resolve())
        asked = kept.add(judge, wanted, execution_of(workers), progress, "--store")
    found = sorted(kept.outcomes.values(), key=lambda o: PARTS.index(o.case.part))
    command = "stablek bench real --data DIR"
    command += "".join(f" --part {part}" for part in parts)
    command += " --store DIR" if store else ""
    command += " --simulated DIR" if simulated else ""
    more = _simulations(Path(simulated)) if simulated else ""
    if page:
        target = Path(page)
        image = target.with_suffix(".svg")
        write_text(image, drawing(found))
        write_text(target, written(found, command, more, image.name))
    else:
        click.echo(written(found, command, more), nl=False)
    if not quiet:
        click.echo(f"{asked} sets in {time.perf_counter() - began:.0f} s", err=True)
    return 0


def _simulations(folder: Path) -> str:
    """Return what ``stablek bench trust`` kept, as sections below the real data."""
    from stablek_bench.kept import Kept
    from stablek_bench.trust import Outcome
    from stablek_bench.wrong import page

    with Kept(folder, Outcome) as kept:
        text = page(list(kept.outcomes.values()), "stablek bench trust -o DIR")
    lines = (f"#{line}" if line.startswith("#") else line for line in text.splitlines())
    return "\n".join(lines)
