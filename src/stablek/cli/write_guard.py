"""What a command reads is never what it writes."""

import os
import stat
from pathlib import Path

import click

from stablek.cli.config import CONFIG
from stablek.cli.log import open_log
from stablek.cli.report_path import wanted_page
from stablek.cli.trust import refuse_config
from stablek.cli.workflow import FILES
from stablek.errors import InputError

#: What every folder of a run holds besides its results.
KEPT = ("run.json", "manifest.json")

#: How far to trust clusters and items.
TRUST = ("clusters.tsv", "items.tsv")

#: The files that each command writes into its folder.
WRITTEN = {
    "run": (*FILES, *TRUST, *KEPT),
    "compare": ("comparison.csv", "report.html", *KEPT),
    "verdict": (
        "verdict.json", "labels.tsv", *TRUST, "moves.tsv", "table.tsv", "markers.tsv",
        "annotations.tsv", "class_by_cluster.tsv", "classes.tsv", "class_items.tsv",
        "model.npz", "report.html", "stablek_mqc.json", "versions.yml", *KEPT,
    ),
    "assess": ("assessment.json", "items.tsv", *KEPT),
    "assign": ("assigned.tsv",),
    "validate": ("validation.json", "validation.tsv", "assigned.tsv"),
    "factorize": ("metagenes.tsv", "patterns.tsv", "factorisation.json", "factors.svg"),
}  # fmt: skip


def begin_command(ctx: click.Context) -> None:
    """Refuse to write over what is read, then open the log.

    To be called when all options are parsed and before anything is done.
    """
    from stablek.io.store.atomic import READ

    refuse_config(ctx, ctx.meta.get(CONFIG))
    inputs = inputs_of(ctx)
    refuse_log(ctx.params.get("log"), inputs, ctx)
    for what, name in inputs.items():
        refuse_result(what, name, ctx)
    # The algorithm of a user names tables of its own, which are not known yet.
    token = READ.set(frozenset(p for name in inputs.values() for p in places(name)))
    ctx.call_on_close(lambda: READ.reset(token))
    open_log(ctx.params.get("log"))


def inputs_of(ctx: click.Context) -> dict[str, str]:
    """Return the files that a command reads, by what they are to it."""
    named = {
        "DATA": ctx.params.get("data"),
        "--labels-file": ctx.params.get("labels_file"),
        "--annotations": ctx.params.get("annotations"),
        "--embedding": wanted_page().embedding or ctx.params.get("embedding"),
        "--config": ctx.meta.get(CONFIG),
    }
    inputs = {what: str(name) for what, name in named.items() if name}
    if inputs.get("DATA") == "-":
        inputs["DATA"] = "/dev/stdin"  # it may be a file that the shell has opened
    return inputs


def refuse_log(log: Path | None, inputs: dict[str, str], ctx: click.Context) -> None:
    """Refuse a log that is a file to be read, or one of the results."""
    if log is None:
        return
    for what, name in inputs.items():
        if same_file(str(log), name):
            raise InputError(
                f"--log {log} is {what} itself and would be emptied; name another"
            )
    if is_overwritten(str(log), ctx):
        raise InputError(f"--log {log} has the name of a result in -o; name another")


def refuse_result(what: str, name: str, ctx: click.Context) -> None:
    """Refuse a folder in which a result would take the place of a file to be read."""
    if is_overwritten(name, ctx):
        raise InputError(
            f"{what} {name} would be overwritten: -o {ctx.params['out']} gets a file "
            "of this name; name another folder with -o"
        )


def is_overwritten(name: str, ctx: click.Context) -> bool:
    """Tell whether a file lies where the command of a context will write."""
    out, command = ctx.params.get("out"), ctx.command.name or ""
    if out is None and command == "factorize":
        out = f"factors-k{ctx.params['rank']}"
    if out is None or command not in WRITTEN:
        return False
    folder = Path(out).resolve()
    parts = [folder / part for part in parts_of(ctx)]
    for place in places(name):
        if place.parent == folder and _written(place.name, command):
            return True
        if place.parent in parts and _written(place.name, "run"):
            return True
    return False


def parts_of(ctx: click.Context) -> list[str]:
    """Return the folders that a comparison has for its parts; others have none."""
    if ctx.command.name != "compare":
        return []
    measures, algorithms = (
        [part.strip() for text in ctx.params[name] for part in text.split(",")]
        for name in ("measures", "algorithms")
    )
    return [f"{one}-{other}" for one in measures for other in algorithms]


def _written(name: str, command: str) -> bool:
    # Some disks take "Curve.tsv" for "curve.tsv".
    return name.lower() in WRITTEN[command]


def places(name: str) -> set[Path]:
    """Return where a file lies: under the name that was given, and behind its links."""
    try:
        path = Path(name)
        return {path.parent.resolve() / path.name, path.resolve()}
    except (OSError, ValueError, RuntimeError):  # no such name, links in a ring
        return set()


def same_file(one: str, other: str) -> bool:
    """Tell whether two names stand for one regular file."""
    try:
        stats = Path(one).stat(), Path(other).stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(stats[0].st_mode) and os.path.samestat(*stats)
