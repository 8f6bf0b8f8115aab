"""``stablek factorize``: non-negative factors of DATA, and the partition in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import MEMORY_OPTION
from stablek.cli.input import INPUT_OPTIONS, read_input
from stablek.cli.options import JSON_OPTION, NONNEGATIVE_OPTIONS, SEED_OPTION, options
from stablek.cli.show import notes, number, plain, table
from stablek.errors import InputError

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.factorize import Factorisation


@click.command("factorize")
@click.argument("data")
@click.option("-k", "--rank", type=int, required=True, help="Number of components.")
@click.option(
    "--method",
    default="hals",
    show_default=True,
    help="hals, lee-seung, lin, als (squared error); kl, brunet (divergence).",
)
@click.option(
    "--init",
    default="random",
    show_default=True,
    help="random, nndsvd, hier-a, hier-c, hier-s or hier-w.",
)
@click.option(
    "--starts", type=click.IntRange(1), default=10, show_default=True,
    help="Random starts; the best is kept.",
)  # fmt: skip
@click.option(
    "--stop",
    "stopping",
    type=click.Choice(["objective", "connectivity", "fixed"]),
    default="objective",
    show_default=True,
    help="Stop when the objective settles, when the partition does (Brunet), or "
    "after 200 iterations.",
)
@SEED_OPTION
@MEMORY_OPTION
@click.option("-o", "--out", metavar="DIR", help="Folder to write; default factors-kK.")
@JSON_OPTION
@click.option("-q", "--quiet", is_flag=True, help="No notes.")
@options(NONNEGATIVE_OPTIONS, INPUT_OPTIONS)
def command(data: str, **given: Any) -> None:
    """Factorise DATA into K non-negative metagenes and the items' shares of them.

    Writes metagenes.tsv (W: features by components), patterns.tsv (H, transposed: items
    by components, and each item's cluster), factorisation.json and factors.svg.

    Example: stablek factorize expression.tsv -k 3 --nonnegative fold
    """  # fmt: skip
    from stablek.factorize.nonnegative import made_nonnegative, names_after
    from stablek.io.store.results import output_folder

    with output_folder(Path(given["out"] or f"factors-k{given['rank']}")) as folder:
        dataset = read_input(data, given)
        remedy = given["nonnegative"]
        values = made_nonnegative(dataset.whole().values(), remedy)
        columns = list(names_after(dataset.column_names(), remedy))
        if not given["quiet"]:
            notes(dataset.notes)
        best = _best(values, dataset, given)
        facts = _facts(best, dataset, given)
        _write(best, dataset.item_ids(), columns, facts, folder)
    if given["as_json"]:
        click.echo(json.dumps(facts, allow_nan=False))
        return
    _show(best, facts, folder)


def _best(values: Any, dataset: Dataset, given: dict[str, Any]) -> Factorisation:
    """Return the factorisation asked for, the best of several random starts."""
    from stablek.data.seeds import Streams, stream
    from stablek.factorize import factorisations, factorise
    from stablek.factorize.stop import RULES

    rank, init, seed = given["rank"], given["init"], given["seed"]
    how = {"method": given["method"], "stop": RULES[given["stopping"]]()}
    if init.startswith("hier-"):
        from stablek.paradigm.cluster import algorithm

        if rank > dataset.n:
            raise InputError(
                f"-k {rank}: --init {init} starts from a partition, and {dataset.n} "
                "items cannot form that many clusters; use --init random"
            )
        tree = algorithm(init)
        start = tree.partitions(dataset.whole(), [rank], Streams(seed))[0]
        return factorise(values, rank, init=start, **how)
    starts = given["starts"] if init == "random" else 1
    rngs = [stream(seed, "factorize", i) for i in range(starts)]
    runs = factorisations(values, rank, rngs, init=init, **how)
    return min(runs, key=lambda one: one.objective)


def _facts(
    best: Factorisation, dataset: Dataset, given: dict[str, Any]
) -> dict[str, Any]:
    """Return what is known of the factorisation, for JSON."""
    from stablek import __version__

    return {
        "k": best.rank,
        "clusters": best.clusters,
        "objective": best.objective,
        "iterations": best.iterations,
        "stopped_by": best.stopped_by,
        "method": best.method,
        "init": given["init"],
        "starts": given["starts"] if given["init"] == "random" else 1,
        "nonnegative": given["nonnegative"],
        "seed": given["seed"],
        "n": dataset.n,
        "m": dataset.m,
        "data": dataset.name,
        "notes": list(dataset.notes),
        "stablek": __version__,
    }


def _write(
    best: Factorisation,
    ids: tuple[str, ...],
    columns: list[str],
    facts: dict[str, Any],
    folder: Path,
) -> None:
    """Write the factors, the facts and the picture; equal runs give equal bytes."""
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import tsv
    from stablek.report.charts.factors import picture

    names = [f"component{j + 1}" for j in range(best.rank)]
    rows = [["id", "cluster", *names]]
    for item, cluster, shares in zip(ids, best.labels, best.coefficients, strict=True):
        rows.append([item, str(int(cluster) + 1), *(repr(float(v)) for v in shares)])
    write_text(folder / "patterns.tsv", tsv(rows))
    rows = [["feature", *names]]
    for feature, weights in zip(columns, best.W, strict=True):
        rows.append([feature, *(repr(float(v)) for v in weights)])
    write_text(folder / "metagenes.tsv", tsv(rows))
    text = json.dumps(facts, indent=1, allow_nan=False)
    write_text(folder / "factorisation.json", text + "\n")
    write_text(folder / "factors.svg", picture(best))


def _show(best: Factorisation, facts: dict[str, Any], folder: Path) -> None:
    import numpy as np

    less = best.rank - best.clusters
    empty = f", {less} component(s) without items" if less else ""
    click.echo(f"{best.clusters} clusters from {best.rank} components{empty}")
    click.echo(
        f"{best.method}, start {facts['init']}, objective {number(best.objective)} "
        f"after {best.iterations} iterations; {best.stopped_by}"
    )
    sizes = np.bincount(best.labels, minlength=best.rank)
    share = best.coefficients.sum(axis=0) / best.coefficients.sum()
    rows = [("component", "items", "share of all values")]
    rows += [
        (str(j + 1), str(int(sizes[j])), number(share[j])) for j in range(best.rank)
    ]
    click.echo(table(rows, right=True))
    click.echo(plain(f"metagenes.tsv, patterns.tsv and factors.svg are in {folder}"))
