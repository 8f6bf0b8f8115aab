"""``stablek run``: one measure, one algorithm."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli import per_condition
from stablek.cli.execution import EXECUTION_OPTIONS, execution_of
from stablek.cli.ingredients import COMPOSE_OPTIONS, as_settings
from stablek.cli.input import INPUT_OPTIONS, read_input
from stablek.cli.options import (
    ALGORITHM_OPTION,
    DRY_RUN_OPTION,
    KS_OPTION,
    METRIC_OPTION,
    NONNEGATIVE_OPTIONS,
    OUTPUT_OPTIONS,
    SEED_OPTION,
    SHARD_OPTION,
    full_algorithm_name,
    options,
    setting,
)
from stablek.cli.report_path import PAGE_OPTIONS, report_line, write_page
from stablek.cli.run_folder import at_work
from stablek.cli.shard import (
    arguments_of,
    build_request,
    run_part,
    settings_to_keep,
    show_cost,
)
from stablek.cli.show import notes, show_result
from stablek.cli.workflow import complete, write_stub

if TYPE_CHECKING:
    from stablek.cli.shard import Nulls
    from stablek.data import Dataset
    from stablek.engine.plan import Plan
    from stablek.results.result import Result


@click.command("run")
@click.argument("data")
@click.option(
    "-m",
    "--measure",
    default="fc",
    show_default=True,
    shell_complete=complete("measure"),
    help="Measure (see `stablek measures`), or module:name.",
)
@ALGORITHM_OPTION
@KS_OPTION
@click.option(
    "--repeats", type=int, help="Number of repeats, for measures that resample."
)
@click.option("--fraction", type=float, help="Share of the items in a subsample.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any other setting of the measure.",
)
@click.option("--preset", help="thesis: use the thesis's settings as defaults.")
@click.option(
    "--calibrate",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Compare with N null sets; k = 1 if the data do not stand out.",
)
@click.option(
    "--null",
    default="gaussian",
    show_default=True,
    help="Null model of --calibrate: gaussian, box, pr, ps ...",
)
@METRIC_OPTION
@per_condition.OPTION
@SEED_OPTION
@click.option(
    "--stub", is_flag=True, help="Check data and options, write empty files, and stop."
)
@DRY_RUN_OPTION
@SHARD_OPTION
@options(
    NONNEGATIVE_OPTIONS,
    COMPOSE_OPTIONS,
    EXECUTION_OPTIONS,
    INPUT_OPTIONS,
    PAGE_OPTIONS,
    OUTPUT_OPTIONS,
)
def command(data: str, **given: Any) -> int:
    """Choose the number of clusters in DATA with one measure and one algorithm.

    This is one measure's opinion; `stablek verdict` is the recommended answer.
    DATA is a table with one item per row (CSV, TSV, gz ...; - reads stdin).

    Example: stablek run expression.tsv -m fc -k 2:15 --seed 7
    """  # fmt: skip
    return carry_out(data, given)


def carry_out(data: str, given: dict[str, Any], shards: Any = None) -> int:
    """Do what the options of the command ask for; ``shards`` are there already."""
    from stablek.engine.execution.cost import estimate
    from stablek.engine.plan import sections

    if given["per_condition"]:
        per_condition.check(given)
    dataset = read_options(data, given)
    if not given["quiet"]:
        notes(dataset.notes)
    if given["stub"]:
        build_request(dataset, given)
        write_stub(given["out"])
        return 0
    if given["dry_run"]:
        asked, nulls = build_request(dataset, given)
        if asked.plan is None:
            click.echo("all rows are identical: nothing to run")
            return 0
        cost = estimate(asked.plan, given["execution"], nulls)
        return show_cost(cost, asked.plan.ks, as_json=given["as_json"])

    def parts() -> list[tuple[str, Plan, Nulls]]:
        asked, nulls = build_request(dataset, given)
        return [("", asked.plan, nulls)] if asked.plan is not None else []

    if given["shard"] is not None:
        return run_part(dataset, settings_to_keep(given), parts, given)
    if shards is not None:
        for _, plan, nulls in parts():
            shards.check_complete(sections(plan, nulls))
    return choose(dataset, given, shards)


def read_options(data: str, given: dict[str, Any]) -> Dataset:
    """Read the data, and bring the options into the form that a request takes."""
    given["algorithm"] = full_algorithm_name(
        given["algorithm"], given.pop("nonnegative"), given["metric"], given["preset"]
    )
    as_settings(given)
    plain_settings(given)
    dataset = read_input(data, given, given["metric"])
    given["execution"] = execution_of(given)
    return dataset


def plain_settings(given: dict[str, Any]) -> None:
    """Take --set repeats=N and --set fraction=F for the options of these names."""
    rest = []
    for text in given["settings"]:
        name, value = setting(text)
        if name in ("repeats", "fraction"):
            given[name] = value
        else:
            rest.append(text)
    given["settings"] = tuple(rest)


def choose(dataset: Dataset, given: dict[str, Any], shards: Any) -> int:
    """Run, show and keep; return the exit code."""
    began = time.perf_counter()
    result = run_and_keep(dataset, given, shards)
    seconds = time.perf_counter() - began
    how = {name: given[name] for name in ("as_json", "as_csv", "quiet")}
    show_result(result, seconds, **how)
    if given["per_condition"]:
        per_condition.show(result, given)
    if given["out"] and not (given["quiet"] or given["as_json"] or given["as_csv"]):
        report_line(Path(given["out"]))
    return 4 if result.failures else 0


def run_and_keep(dataset: Dataset, given: dict[str, Any], shards: Any) -> Result:
    """Run what the options ask for, and write it into the folder of -o."""
    from stablek.api.choose_k import choose_k
    from stablek.io.store.results import write_result

    what = settings_to_keep(given)
    with at_work(given, dataset, what) as (folder, progress):
        if shards is not None and folder is not None:
            shards.hand_over(folder)
        result = choose_k(
            dataset,
            **arguments_of(dataset, given),
            execution=given["execution"],
            calibrate=given["calibrate"],
            null=given["null"],
            watch=progress,
            journal=folder.journal() if folder else None,
        )
        if folder is not None:
            write_result(result, folder.path)
            write_page([result], folder.path)
    return result
