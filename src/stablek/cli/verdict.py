"""``stablek verdict``: several measures, calibrated, and one answer."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.execution import EXECUTION_OPTIONS, execution_of
from stablek.cli.input import INPUT_OPTIONS, read_input
from stablek.cli.options import (
    DRY_RUN_OPTION,
    OUTPUT_OPTIONS,
    SEED_OPTION,
    SHARD_OPTION,
    KRange,
    options,
)
from stablek.cli.report_path import PAGE_OPTIONS, report_line, write_page
from stablek.cli.run_folder import at_work
from stablek.cli.shard import run_part, show_cost
from stablek.cli.show import bold, listed, notes, paragraph, short, table
from stablek.cli.verdict_description import (
    plain_description,
    show_description,
    write_description,
)

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.results.verdict import Verdict


@click.command("verdict")
@click.argument("data")
@click.option(
    "-k",
    "--ks",
    type=KRange(),
    help="Numbers of clusters to try, both ends included; default 2:15. Smaller "
    "numbers are tried as well, and may be the answer. Or one number: -k 5 judges 5 "
    "clusters and no other number.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=10),
    default=40,
    show_default=True,
    help="Number of subsamples.",
)
@click.option(
    "--null-sets",
    type=click.IntRange(min=4),
    default=49,
    show_default=True,
    help="Null sets for each null model; 49 can show no p below 0.02.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="Report clusters only if p is at most this.",
)
@click.option(
    "--metric",
    default="euclidean",
    show_default=True,
    help="euclidean, correlation, spearman or cosine; precomputed or similarity if "
    "DATA is a matrix of distances or similarities.",
)
@click.option(
    "--keep-matrices",
    is_flag=True,
    help="Write the consensus matrix of every level shown, as NPY.",
)
@SHARD_OPTION
@DRY_RUN_OPTION
@SEED_OPTION
@options(EXECUTION_OPTIONS, INPUT_OPTIONS, PAGE_OPTIONS, OUTPUT_OPTIONS)
def command(data: str, **given: Any) -> int:
    """Say how many clusters are in DATA, and how far to trust them.

    Without --prepare, columns on different scales are standardised, and counts become
    logarithms. --labels or --labels-file also judges your own classes, and
    --annotations checks what else explains the clusters. -o writes a folder with
    report.html, verdict.json, tables (labels, clusters, items, moves, markers,
    annotations) as TSV, and model.npz for new data. If the run is interrupted,
    `stablek resume DIR` continues it.

    Example: stablek verdict expression.tsv -o verdict
    """
    return carry_out(data, given)


def carry_out(data: str, given: dict[str, Any], shards: Any = None) -> int:
    """Do what the options of the command ask for; ``shards`` are there already."""
    from stablek.api.verdict import verdict
    from stablek.api.verdict_plan import verdict_cost, verdict_parts
    from stablek.engine.plan import sections

    quiet, as_json = given["quiet"], given["as_json"]
    if given["keep_matrices"] and given["out"] is None:
        raise click.UsageError(
            "--keep-matrices needs a folder to write them to: name it with -o"
        )
    dataset, wanted, what = read_options(data, given)
    if given["dry_run"]:
        asked = {name: value for name, value in wanted.items() if name != "level"}
        return show_cost(verdict_cost(dataset, **asked), as_json=as_json)
    named = ("ks", "metric", "scale", "seed", "repeats", "null_sets")
    chosen = {name: wanted[name] for name in named if name in wanted}
    plans = partial(verdict_parts, dataset, **chosen)
    if given["shard"] is not None:
        return run_part(dataset, what, plans, {**given, **wanted})
    if shards is not None:
        for name, plan, nulls in plans():
            shards.check_complete(sections(plan, nulls), name)
    began = time.perf_counter()
    with at_work(given, dataset, what) as (folder, progress):
        if shards is not None and folder is not None:
            shards.hand_over(folder)
        journal = folder.journal if folder else None
        answer = verdict(dataset, journal=journal, watch=progress, **wanted)
        if folder is not None:
            write(answer, folder.path, keep_matrices=given["keep_matrices"])
    seconds = time.perf_counter() - began
    if not quiet:
        notes(answer.notes[len(dataset.notes) :])  # the reader's were printed
    if as_json:
        plain = {**answer.to_dict(), **plain_description(answer)}
        click.echo(json.dumps({**plain, "seconds": round(seconds, 3)}, allow_nan=False))
    elif given["as_csv"]:
        click.echo(answer.table.to_csv(lineterminator="\n"), nl=False)
    else:
        show(answer)
        if folder is not None and not quiet:
            report_line(folder.path)
    return 0


def read_options(
    data: str, given: dict[str, Any]
) -> tuple[Dataset, dict[str, Any], dict[str, Any]]:
    """Read the data; return them, what the verdict is asked, and what a folder keeps.

    ``given`` is left with what has nothing to do with the answer.
    """
    names = ("ks", "repeats", "null_sets", "level", "seed")
    wanted = {name: given.pop(name) for name in names}
    metric = given.pop("metric")
    prepared = bool(given.get("prepare"))
    dataset = read_input(data, given, metric)
    if prepared and (left := left_undone(dataset, dataset.metric_or(metric))):
        dataset = replace(dataset, notes=(*dataset.notes, left))
    if not given["quiet"]:
        notes(dataset.notes)
    ks = wanted["ks"]
    what = {**wanted, "command": "verdict", "ks": ks and [ks[0], ks[-1]]}
    wanted["execution"] = execution_of(given)  # which changes no bit
    wanted["metric"] = dataset.metric_or(metric)
    if prepared:
        wanted["scale"] = what["scale"] = "as given"
    if metric != "euclidean":
        what["metric"] = metric
    return dataset, wanted, what


def left_undone(data: Dataset, metric: str) -> str:
    """Return a note if the columns were left on unlike scales because of --prepare.

    Whoever asks for a step gets that step and no other. The note is for those whose
    steps have nothing to do with scales, and who may think that these are made alike.
    """
    from stablek.data.preparation import SCALES_KEPT
    from stablek.panel.scale import wanted_scale

    if any(step.name not in SCALES_KEPT for step in data.steps):
        return ""
    usual = wanted_scale(data, metric, "auto")
    if not usual.steps:
        return ""
    aim = "take logarithms" if "log1p" in usual.steps else "standardise them"
    steps = " ".join(f"--prepare {step}" for step in usual.steps)
    return (
        "--prepare was given, so the columns were left on their own scales, although "
        f"{usual.why}; to {aim}, add {steps}"
    )


def show(answer: Verdict) -> None:
    """Print the paragraph, the clusters, who disagrees, and what to do next."""
    click.echo(emphasised(paragraph(answer.headline or answer.sentence)))
    click.echo(emphasised(paragraph(f"Strength: {answer.strength}. {answer.evidence}")))
    if answer.cluster_records:
        rows = [["cluster", "items", "consensus", "jaccard", "nearest", "gap", ""]]
        rows += [
            [
                str(c["cluster"]), str(c["size"]), short(c["consensus"]),
                short(c["jaccard"]), str(c["nearest"]), short(c["gap"]), c["word"],
            ]
            for c in answer.cluster_records
        ]  # fmt: skip
        click.echo("\n" + table(rows))
    listed("More about this answer", answer.details)
    show_description(answer)
    listed("Disagreement", answer.dissent)
    listed("Next", answer.next_steps)


def emphasised(text: str) -> str:
    """Return text with its answer in bold: what comes before the first full stop."""
    answer, stop, rest = text.partition("." if ". " in text else ":")
    return bold(answer + stop) + rest


def write(answer: Verdict, folder: Path, *, keep_matrices: bool = False) -> None:
    """Write the verdict, its tables and its page into a folder."""
    from stablek.io.store.results import write_verdict

    write_verdict(answer, folder)
    write_description(answer, folder, keep_matrices=keep_matrices)
    write_page([answer.result] if answer.result else [], folder, answer)
