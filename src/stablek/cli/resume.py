"""``stablek resume``: continue where a run was interrupted."""

from pathlib import Path

import click

from stablek.cli.kept import LAST, kept_command
from stablek.cli.options import JSON_OPTION, QUIET_OPTION
from stablek.cli.trust import TRUST_FOLDER
from stablek.cli.words import without
from stablek.errors import InputError


@click.command("resume")
@click.argument("folder", metavar="DIR")
@TRUST_FOLDER
@QUIET_OPTION
@JSON_OPTION
def command(folder: str, *, trust: bool, quiet: bool, as_json: bool) -> int:
    """Resume the run in DIR. The result is the same as without the interruption.

    Example: stablek resume results/
    """
    from stablek.cli import guarded

    # An assessment can be resumed, too; it has no page to be drawn again.
    kept = kept_command(Path(folder), (*LAST, "assess"), trust=trust)
    if kept.options.get("shard"):
        raise InputError(
            f"{folder} holds shards: run the command of an unfinished one again, or "
            f"finish with: stablek merge {folder}"
        )
    aside, flags = ["--quiet"] if quiet else [], ["--restart"]
    if as_json and not kept.options.get("as_json"):
        aside.append("--json")
        flags.append("--csv")
    name, *words = without(kept.words, (), flags)
    with kept.given_again():
        return guarded([name, *aside, *words])
