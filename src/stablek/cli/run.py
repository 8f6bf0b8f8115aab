"""``stablek run``: one measure, one algorithm."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.composing import COMPOSE_OPTIONS, as_settings
from stablek.cli.options import (
    INPUT_OPTIONS,
    NONNEGATIVE_OPTIONS,
    OUTPUT_OPTIONS,
    RUN_OPTIONS,
    KRange,
    options,
    read_input,
    remedied,
    setting,
)
from stablek.cli.workflow import complete, write_stub

if TYPE_CHECKING:
    from stablek.result import Result


@click.command("run")
@click.argument("data")
@click.option(
    "-m",
    "--measure",
    default="fc",
    show_default=True,
    shell_complete=complete("measure"),
    help="Measure; `stablek measures` lists them. Or module:name.",
)
@click.option(
    "-a",
    "--algorithm",
    default="hier-a",
    show_default=True,
    shell_complete=complete("algorithm"),
    help="Clustering algorithm; `stablek algorithms`. Or module:name.",
)
@click.option(
    "-k",
    "--ks",
    type=KRange(),
    help="Numbers of clusters to try, both ends included; default 2:30.",
)
@click.option("--repeats", type=int, help="Repeats (H), for measures that resample.")
@click.option("--fraction", type=float, help="Share of the items in a subsample.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any other setting of the measure.",
)
@click.option("--preset", help="thesis: the settings of the thesis, where not given.")
@click.option(
    "--calibrate",
    type=int,
    default=0,
    metavar="N",
    help="Compare with N null sets; k = 1 where the data do not stand out.",
)
@click.option(
    "--null",
    default="gaussian",
    show_default=True,
    help="Null model of --calibrate: gaussian, box, pr, ps ...",
)
@click.option(
    "--metric",
    default="euclidean",
    show_default=True,
    help="Distance of hierarchical algorithms; precomputed or similarity "
    "if DATA is such a matrix.",
)
@click.option(
    "--stub", is_flag=True, help="Check data and options, write empty files, stop."
)
@options(
    NONNEGATIVE_OPTIONS, COMPOSE_OPTIONS, RUN_OPTIONS, INPUT_OPTIONS, OUTPUT_OPTIONS
)
def command(data: str, **given: Any) -> int:
    """Choose the number of clusters in DATA with one measure and one algorithm.

    DATA is a table with one item per row (CSV, TSV, gz ...; - reads stdin).

    Example: stablek run expression.tsv -m fc -a hier-a -k 2:15 --seed 7
    """  # fmt: skip
    from stablek.cli.show import notes

    metric = given.pop("metric")
    given["algorithm"] = remedied(given["algorithm"], given.pop("nonnegative"))
    stub = given.pop("stub")
    as_settings(given)
    dataset = read_input(data, given, metric)
    if not given["quiet"]:
        notes(dataset.notes)
    if stub:
        check(dataset, metric, given)
        write_stub(given["out"])
        return 0
    return choose(dataset, metric=metric, **given)


def check(dataset: Any, metric: str, given: dict[str, Any]) -> None:
    """Refuse what a run would refuse, and compute nothing."""
    from stablek.cli.named import named
    from stablek.cluster import algorithm
    from stablek.engine.plan import plan
    from stablek.measures import measure
    from stablek.presets import preset_settings

    names = {"repeats": given["repeats"], "fraction": given["fraction"]}
    more = {**names, **dict(setting(text) for text in given["settings"])}
    wanted = {name: value for name, value in more.items() if value is not None}
    chosen = named(given["measure"])
    settings = {**preset_settings(given["preset"], chosen), **wanted}
    metric = "precomputed" if dataset.precomputed else metric
    clusterer = algorithm(named(given["algorithm"]), metric)
    plan(dataset, measure(chosen, **settings), clusterer, given["ks"], given["seed"])


def choose(
    dataset: Any, *, as_json: bool, as_csv: bool, quiet: bool, **given: Any
) -> int:
    """Run, show and keep; return the exit code."""
    from stablek.cli.show import show_result

    began = time.perf_counter()
    result = computed(dataset, quiet=quiet, **given)
    seconds = time.perf_counter() - began
    show_result(result, seconds, as_json=as_json, as_csv=as_csv, quiet=quiet)
    return 4 if result.failures else 0


def computed(
    dataset: Any,
    *,
    measure: Any,
    algorithm: Any,
    ks: range | None,
    repeats: int | None,
    fraction: float | None,
    settings: tuple[str, ...],
    preset: str | None = None,
    metric: str,
    seed: int,
    jobs: int,
    backend: str,
    out: str | None,
    quiet: bool,
    restart: bool = False,
    calibrate: int = 0,
    null: str = "gaussian",
) -> Result:
    """Run and keep; return the result."""
    from stablek.choose import choose_k
    from stablek.cli.keeping import kept_run
    from stablek.cli.named import named
    from stablek.cli.pages import write_page
    from stablek.cli.progress import Progress
    from stablek.cli.show import notes
    from stablek.io.results import write_result

    more = dict(setting(text) for text in settings)
    what = {
        "measure": measure, "algorithm": algorithm, "ks": ks and [ks[0], ks[-1]],
        "repeats": repeats, "fraction": fraction, "more": more, "preset": preset,
        "metric": metric, "seed": seed, "calibrate": calibrate, "null": null,
    }  # fmt: skip
    with (
        kept_run(out, dataset, what, restart=restart) as folder,
        Progress(quiet=quiet) as progress,
    ):
        result = choose_k(
            dataset,
            named(measure),
            named(algorithm),
            ks,
            seed=seed,
            metric="precomputed" if dataset.precomputed else metric,
            jobs=jobs,
            backend=backend,
            watch=progress,
            journal=folder.journal() if folder else None,
            calibrate=calibrate,
            null=null,
            preset=preset,
            repeats=repeats,
            fraction=fraction,
            **more,
        )
        if folder is not None:
            write_result(result, folder.path)
            write_page([result], folder.path)
            notes(folder.notes)
    return result
