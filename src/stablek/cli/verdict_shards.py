"""A verdict in parts, for machines that share a disk and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.run_folder import open_run

if TYPE_CHECKING:
    from stablek.api.verdict_parts import Part
    from stablek.data import Dataset
    from stablek.engine.shard import Section


def parts_asked_for(
    dataset: Dataset, wanted: Mapping[str, Any]
) -> list[tuple[Part, list[Section]]]:
    """Return the plans of a verdict, each with all of its tasks."""
    from stablek.api.verdict_parts import verdict_parts
    from stablek.engine.shard import sections

    names = ("ks", "metric", "scale", "seed", "repeats", "null_sets")
    known = {name: wanted[name] for name in names if name in wanted}
    parts = verdict_parts(dataset, **known)
    return [(part, sections(part.plan, part.nulls)) for part in parts]


def run_part(
    text: str,
    dataset: Dataset,
    what: Mapping[str, Any],
    wanted: Mapping[str, Any],
    *,
    out: str | None,
    quiet: bool,
    restart: bool,
) -> int:
    """Carry out one shard of a verdict and keep it; there is no answer yet."""
    from stablek.cli.show import notes
    from stablek.engine.progress import Progress
    from stablek.engine.run import run_shard
    from stablek.engine.shard import Shard
    from stablek.errors import InputError

    shard = Shard.parse(text)
    if out is None:
        msg = "--shard needs a folder to keep its part in: add -o DIR"
        raise InputError(msg)
    parts = parts_asked_for(dataset, wanted)
    count = 0
    with (
        open_run(out, dataset, what, restart=restart, shard=shard.key) as folder,
        Progress(quiet=quiet) as progress,
    ):
        assert folder is not None  # `out` is given
        for part, _ in parts:
            journal = folder.journal(f"{shard.key}-{part.name}")
            count += run_shard(
                part.plan, shard, journal, wanted["execution"], progress, part.nulls
            )
        notes(folder.notes)
    if not quiet:
        click.echo(f"shard {shard}: {count} tasks kept in {out}", err=True)
        click.echo(f"when all shards are finished: stablek merge {out}", err=True)
    return 0
