"""``stablek bench knees``, ``fom`` and ``ends``: how single measures read curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from stablek.cli.execution import WORKER_OPTIONS, execution_of
from stablek.cli.options import options


@click.command("knees")
@click.option(
    "--data",
    type=click.Path(file_okay=False, exists=True),
    metavar="DIR",
    help="Folder of the thesis's data: report on its tables, too.",
)
@click.option("-o", "--out", metavar="FILE", help="Write there; otherwise print.")
@click.option(
    "--seeds", type=click.IntRange(min=1), help="Only the first seeds, as a trial."
)
def knees(*, data: str | None, out: str | None, seeds: int | None) -> int:
    """Choose among rules that read a knee, and report them on fresh simulations.

    Example: stablek bench knees --data DIR -o docs/knees.md
    """
    from stablek.io.store.atomic import write_text
    from stablek_bench.knee_page import page
    from stablek_bench.knees import CHOOSING, REPORTING

    text = page(data, CHOOSING[:seeds], REPORTING[:seeds])
    if out:
        write_text(Path(out), text)
    else:
        click.echo(text, nl=False)
    return 0


@click.command("fom")
@click.option("--data", required=True, metavar="DIR", type=click.Path(exists=True),
              help="A collection: gold.tsv, stats.tsv, and its sets.")  # fmt: skip
@click.option("--seeds", type=click.IntRange(min=1), default=2, show_default=True,
              help="Seeds of the simulated sets.")  # fmt: skip
@click.option("--page", metavar="FILE", help="Write the page as Markdown, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def fom(*, data: str, seeds: int, page: str | None, as_json: bool) -> int:
    """Choose FOM's rule on simulations and real sets, in folds by group.

    Example: stablek bench fom --data real
    """
    from stablek.io.store.atomic import write_text
    from stablek_bench import fom_rules
    from stablek_bench.command import print_shares
    from stablek_bench.fom_rules import real_curves, simulated_curves, table

    known = [*real_curves(Path(data)), *simulated_curves(range(seeds))]
    if page:
        write_text(Path(page), fom_rules.page(known))
    return print_shares(table(known), as_json=as_json)


@click.command("ends")
@click.option("--data", required=True, metavar="DIR", type=click.Path(exists=True),
              help="A real collection, with stats.tsv.")  # fmt: skip
@click.option("--sets", type=click.IntRange(min=1), default=20, show_default=True,
              help="How many of its smallest sets to use.")  # fmt: skip
@options(WORKER_OPTIONS)
@click.option("--page", metavar="FILE", help="Fill the table of a page, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def ends(
    *, data: str, sets: int, page: str | None, as_json: bool, **workers: Any
) -> int:
    """Count how often each measure answers an end of its range, on real sets.

    Example: stablek bench ends --data real --page docs/which-measure.md
    """
    from stablek_bench.command import fill_page, print_shares
    from stablek_bench.real_rules import ends_table

    rows = ends_table(Path(data), sets, execution_of(workers))
    if page:
        fill_page(page, {"ends": rows})
    return print_shares(rows, as_json=as_json)
