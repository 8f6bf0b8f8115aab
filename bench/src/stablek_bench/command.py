"""``stablek bench``: the thesis's tables, and the simulations behind the rules."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

from stablek.cli.execution import WORKER_OPTIONS, execution_of
from stablek.cli.options import options
from stablek_bench import command_tables as bench_tables
from stablek_bench.command_after import after
from stablek_bench.command_real import real


@click.group("bench")
def command() -> None:
    """Repeat the thesis's tables and the simulations behind the rules.

    Example: stablek bench table FC-H250p80 --data DIR
    """


for _one in (*bench_tables.COMMANDS, after, real):
    command.add_command(_one)


@command.command("rules")
@click.option("--sets", type=click.IntRange(min=1), default=2, show_default=True,
              help="Seeds: each gives some 70 sets for five algorithms.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="First seed.")
@click.option(
    "--null-sets",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Null sets per curve, for the rules that need them (19 or more).",
)
@click.option("--verdict", "verdicts", is_flag=True, help="Also run the whole verdict.")
@click.option("--algorithm", "-a", multiple=True, help="Only these algorithms.")
@options(WORKER_OPTIONS)
@click.option("--real", metavar="DIR", type=click.Path(exists=True),
              help="Use the fair sets of a real collection instead.")  # fmt: skip
@click.option("--items", type=int, default=600, show_default=True,
              help="Use real sets of at most so many items.")  # fmt: skip
@click.option("--page", metavar="FILE", help="Fill the table of a page, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def rules(
    *,
    real: str | None,
    items: int,
    sets: int,
    seed: int,
    null_sets: int,
    verdicts: bool,
    algorithm: tuple[str, ...],
    page: str | None,
    as_json: bool,
    **workers: Any,
) -> int:
    """Compare rules that read a consensus curve, on simulated truths and nulls.

    With --real, the rules that --set rule= names are compared on labelled real data.

    Example: stablek bench rules --sets 4
    """
    from stablek_bench.real_rules import rules_table
    from stablek_bench.rules import ALGORITHMS, run_rules
    from stablek_bench.rules import table as summary

    chosen = algorithm or ALGORITHMS
    how = execution_of(workers)
    if real:
        rows = rules_table(Path(real), items, how)
        if page:
            fill_page(page, {"rules on real data": rows})
        return print_shares(rows, as_json=as_json)
    found = run_rules(sets, seed, how, null_sets, chosen, verdicts=verdicts)
    rows = summary(found)
    if page:
        fill_page(page, {"rules with null sets" if null_sets else "rules": rows})
    return print_shares(rows, as_json=as_json)


@command.command("eye")
@options(bench_tables.STORE)
@click.option("--store", required=True, metavar="FILE", help="What bench all kept.")
@click.option("--page", metavar="FILE", help="Fill the tables of a page, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def eye(*, store: str, page: str | None, as_json: bool, **rest: Any) -> int:
    """Compare rules with the thesis's reading by eye, and seeds with one another.

    Example: stablek bench eye --data DIR --store bench.sqlite --page docs/rules.md
    """
    from stablek_bench.eye import cells, compare_with_eye, forecast, steadiness

    bench = bench_tables.opened(bench_tables.existing(store), **rest)
    found = {
        "eye": compare_with_eye(list(cells(bench))),
        "steadiness": steadiness(bench),
        "forecast": forecast(bench),
    }
    if page:
        fill_page(page, found)
    if as_json:
        click.echo(json.dumps({name: plain(rows) for name, rows in found.items()}))
        return 0
    for rows in found.values():
        if rows:
            print_shares(rows, as_json=False)
    return 0


def fill_page(page: str, found: dict[str, list[dict[str, Any]]]) -> None:
    """Fill the tables of a page with rows of shares; those without rows stay."""
    from stablek_bench.markdown import fill

    tables = {
        name: [list(rows[0]), *(cells_of(row) for row in rows)]
        for name, rows in found.items()
        if rows
    }
    fill(Path(page), tables)


def print_shares(rows: list[dict[str, Any]], *, as_json: bool) -> int:
    """Print rows of shares: as a table, or hits and totals as JSON."""
    from stablek.cli.show import table

    if as_json:
        click.echo(json.dumps(plain(rows)))
        return 0
    click.echo(table([list(rows[0]), *(cells_of(row) for row in rows)]))
    return 0


def plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows for JSON: a share as its hits and its total."""
    from stablek_bench.wilson import Share

    return [
        {n: [v.hits, v.of] if isinstance(v, Share) else v for n, v in row.items()}
        for row in rows
    ]


def cells_of(row: dict[str, Any]) -> list[str]:
    """Return a row as text; the columns of single algorithms in short."""
    short = ("hier-", "kmeans-", "nmf-")
    return [
        ("" if not value.of else f"{100 * value.value:.0f} %")
        if name.startswith(short)
        else str(value)
        for name, value in row.items()
    ]


@command.command("trust")
@click.option("--sets", type=click.IntRange(min=1), default=20, show_default=True,
              help="Sets per kind of null set and per number of columns.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True,
              help="Other sets, as fresh as the first.")  # fmt: skip
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(["null", "outside", "mixture", "power", "items", "flavour"]),
    help="Only these parts.",
)
@options(WORKER_OPTIONS)
@click.option("-o", "--out", metavar="DIR", help="Keep every outcome in a folder.")
@click.option("--page", metavar="FILE", help="Write the page as Markdown.")
@click.option("--note", "remarks", multiple=True, help="A paragraph for the page.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def trust(
    *,
    sets: int,
    seed: int,
    parts: tuple[str, ...],
    out: str | None,
    page: str | None,
    remarks: tuple[str, ...],
    quiet: bool,
    **workers: Any,
) -> int:
    """Measure how often the verdict and its peers are wrong on fresh simulations.

    Outcomes already in the folder -o are not computed again: after a kill the same
    command continues. The page shows all that the folder holds, so that you can run
    parts one by one.

    Example: stablek bench trust --sets 200 -o trust --page trust.md
    """
    from stablek.cli.show import notes
    from stablek.engine.progress import Progress
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import check_writable
    from stablek_bench.kept import Kept
    from stablek_bench.trust import Outcome, cases, run_case
    from stablek_bench.wrong import page as written

    wanted = list(cases(sets, seed, parts))
    began = time.perf_counter()
    with (
        Kept(check_writable(Path(out)) if out else None, Outcome) as kept,
        Progress(quiet=quiet) as progress,
    ):
        notes(kept.notes)
        asked = kept.add(run_case, wanted, execution_of(workers), progress, "-o")
    command = f"stablek bench trust --sets {sets}"
    command += f" --seed {seed}" if seed else ""
    command += "".join(f" --part {part}" for part in parts)
    command += " -o DIR" if out else ""
    text = written(list(kept.outcomes.values()), command, remarks)
    if page:
        write_text(Path(page), text)
    else:
        click.echo(text, nl=False)
    if not quiet:
        click.echo(f"{asked} sets in {time.perf_counter() - began:.0f} s", err=True)
    return 0
