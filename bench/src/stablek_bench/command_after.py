"""``stablek bench after``: markers, batch warnings, new labels, validation."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click


@click.command("after")
@click.option(
    "--data",
    type=click.Path(file_okay=False, exists=True),
    metavar="DIR",
    help="Folder of real data; without it only simulated sets are used.",
)
@click.option("--sets", type=click.IntRange(min=1), default=20, show_default=True,
              help="Sets of each kind.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(["markers", "genes", "batch", "assign", "validate"]),
    help="Only these parts.",
)
@click.option(
    "--fresh", is_flag=True, help="Use real sets that no method was developed on."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def after(
    *,
    data: str | None,
    sets: int,
    seed: int,
    parts: tuple[str, ...],
    fresh: bool,
    as_json: bool,
) -> int:
    """Check what a verdict says about its clusters, on data whose truth is known.

    Example: stablek bench after --data DIR --part batch
    """
    from stablek_bench.after import run_parts

    folder = None if data is None else Path(data)
    figures = run_parts(
        folder,
        sets,
        parts,
        seed,
        lambda part: click.echo(f"{part} ...", err=True),
        fresh=fresh,
    )
    if as_json:
        click.echo(json.dumps([asdict(one) for one in figures]))
        return 0
    click.echo("| question | measured | found | asked |\n|---|---|---|---|")
    for one in figures:
        cells = (one.question, one.measured, one.found, one.wanted)
        click.echo(f"| {' | '.join(cells)} |")
    return 0
