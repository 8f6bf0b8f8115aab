"""``stablek demo``: the main job on a bundled data set."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("demo")
@click.option(
    "-o",
    "--out",
    default="stablek-demo",
    show_default=True,
    metavar="DIR",
    help="Folder for the data, the results and the report.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no notes.")
def command(*, out: str, seed: int, quiet: bool) -> int:
    """Run the main job on simulated expression data and leave a result to look at.

    Example: stablek demo
    """
    from stablek.cli.run import choose
    from stablek.data import Dataset
    from stablek.datasets.simulated import demo
    from stablek.io.atomic import write_text
    from stablek.io.results import check_writable, tsv

    folder = check_writable(Path(out))
    made = demo(seed)
    ids, columns = made.facts["ids"], made.facts["columns"]
    rows = [["id", *columns]]
    for name, row in zip(ids, made.values, strict=True):
        rows.append([name, *(repr(float(value)) for value in row)])
    write_text(folder / "data.tsv", tsv(rows))
    if not quiet:
        click.echo(
            f"{made.values.shape[0]} simulated samples x {made.values.shape[1]} genes "
            f"in {made.k} groups; the same on your own file: stablek run "
            f"{folder / 'data.tsv'}",
            err=True,
        )
    data = Dataset(made.values, ids=tuple(ids), columns=tuple(columns), name="demo")
    return choose(
        data,
        measure="fc",
        algorithm="hier-a",
        ks=range(2, 11),
        repeats=None,
        fraction=None,
        settings=(),
        metric="euclidean",
        seed=seed,
        jobs=0,
        backend="auto",
        out=out,
        as_json=False,
        as_csv=False,
        quiet=quiet,
    )
