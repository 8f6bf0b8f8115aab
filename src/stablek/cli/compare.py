"""``stablek compare``: several measures and algorithms side by side."""

import json
from collections.abc import Sequence
from typing import Any

import click

from stablek.cli.execution import EXECUTION_OPTIONS, execution_of
from stablek.cli.input import INPUT_OPTIONS, read_input
from stablek.cli.options import (
    KS_OPTION,
    METRIC_OPTION,
    NONNEGATIVE_OPTIONS,
    OUTPUT_OPTIONS,
    SEED_OPTION,
    full_algorithm_name,
    options,
    setting,
)
from stablek.cli.report_path import PAGE_OPTIONS, write_page
from stablek.cli.run_folder import at_work
from stablek.cli.show import notes, plain, table
from stablek.cli.user_code import load_named
from stablek.errors import InputError


@click.command("compare")
@click.argument("data")
@click.option(
    "-m",
    "--measures",
    multiple=True,
    default=["fc,gap-pc,wcss"],
    show_default=True,
    help="Measures, separated by commas, or all.",
)
@click.option(
    "-a",
    "--algorithms",
    multiple=True,
    default=["hier-a,kmeans-w"],
    show_default=True,
    help="Algorithms, separated by commas, or all.",
)
@KS_OPTION
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    help="Number of repeats, for measures that resample.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting, for the measures that have it.",
)
@METRIC_OPTION
@SEED_OPTION
@options(
    NONNEGATIVE_OPTIONS, EXECUTION_OPTIONS, INPUT_OPTIONS, PAGE_OPTIONS, OUTPUT_OPTIONS
)
def command(data: str, **given: Any) -> int:
    """Run several measures with several algorithms on DATA.

    If one of them fails, the table says why, the others are kept, and the exit
    code is 4.

    Example: stablek compare expression.tsv -m fc,gap-pc,clest -a hier-a,kmeans-r
    """  # fmt: skip
    from stablek.api.compare import compare
    from stablek.measures import MEASURES
    from stablek.paradigm.cluster import ALGORITHMS

    metric = given.pop("metric")
    dataset = read_input(data, given, metric)
    execution = execution_of(given)
    if not given["quiet"]:
        notes(dataset.notes)
    measures = _listed(given["measures"], MEASURES)
    algorithms = [
        full_algorithm_name(name, given["nonnegative"], metric)
        for name in _listed(given["algorithms"], ALGORITHMS)
    ]
    more = dict(setting(text) for text in given["settings"])
    if given["repeats"] is not None:
        more["repeats"] = given["repeats"]
    ks = given["ks"]
    what = {
        "measures": measures, "algorithms": algorithms, "ks": ks and [ks[0], ks[-1]],
        "more": more, "metric": metric, "seed": given["seed"],
    }  # fmt: skip
    with at_work(given, dataset, what) as (folder, progress):
        comparison = compare(
            dataset,
            [load_named(name) for name in measures],
            [load_named(name) for name in algorithms],
            ks,
            seed=given["seed"],
            metric=dataset.metric_or(metric),
            execution=execution,
            journal=folder.journal if folder else None,
            watch=progress,
            **more,
        )
        if folder is not None:
            _write(comparison, folder.path)
    _show(comparison, as_json=given["as_json"], as_csv=given["as_csv"])
    return (
        4 if comparison.failures or any(r.failures for r in comparison.results) else 0
    )


def _listed(texts: Sequence[str], registry: dict[str, Any]) -> list[str]:
    """Return all names in the order given, each once; an option may be given again."""
    names: dict[str, None] = {}
    for text in texts:
        given = [name.strip() for name in text.split(",") if name.strip()]
        if not given:
            known = ", ".join(sorted(registry)[:2])
            raise click.UsageError(f"'{text}' contains no name; write e.g. {known}")
        for name in given:
            names |= dict.fromkeys(sorted(registry) if name == "all" else [name])
    return list(names)


def _write(comparison: Any, folder: Any) -> None:
    from stablek.io.store.atomic import write_text
    from stablek.io.store.results import write_result

    for result in comparison.results:
        place = folder / f"{result.measure}-{result.algorithm}"
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise InputError(
                f"{place} is a link or a file; remove it, or use another -o"
            )
        place.mkdir(mode=0o700, exist_ok=True)
        write_result(result, place)
    write_text(folder / "comparison.csv", comparison.table.to_csv())
    write_page(comparison.parts, folder)


def _show(comparison: Any, *, as_json: bool, as_csv: bool) -> None:
    if as_json:
        rows = [
            {"measure": r.measure, "algorithm": r.algorithm, "k_star": r.k_star,
             "candidates": list(r.candidates), "rule": r.rule, "reason": r.reason}
            for r in comparison.results
        ]  # fmt: skip
        failures = [vars(part) for part in comparison.failures]
        click.echo(json.dumps({"results": rows, "failures": failures}))
        return
    if as_csv:
        click.echo(comparison.table.to_csv(), nl=False)
        return
    frame = comparison.table
    lines: list[tuple[str, ...]] = [("measure", *frame.columns)]
    for name, row in zip(frame.index, frame.astype(object).to_numpy(), strict=True):
        lines.append((name, *(str(k) if isinstance(k, int) else "-" for k in row)))
    click.echo(table(lines))
    click.echo("")
    click.echo(comparison.sentence)
    for one in comparison.results:
        for line in one.failures[:5]:
            warning = f"{one.measure} with {one.algorithm}: {line}"
            click.echo(plain(warning), err=True)
    for part in comparison.failures:
        warning = f"{part.measure} with {part.algorithm} failed: {part.message}"
        click.echo(plain(warning), err=True)
