"""``stablek resume``: go on where a run was interrupted."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click


@click.command("resume")
@click.argument("folder")
def command(folder: str) -> int:
    """Go on with the run in FOLDER; the result is that of an undisturbed run.

    Example: stablek resume results/
    """
    from stablek.cli import guarded

    arguments, place = kept_command(Path(folder))
    if "--shard" in arguments or any(t.startswith("--shard=") for t in arguments):
        from stablek.errors import InputError

        msg = (
            f"{folder} holds shards: give the command of an unfinished one again, or "
            f"finish with: stablek merge {folder}"
        )
        raise InputError(msg)
    arguments = [text for text in arguments if text != "--restart"]
    here, before = Path(folder).resolve(), Path.cwd()
    os.chdir(place)
    try:
        if Path(out_of(arguments)).resolve() != here:
            from stablek.errors import InputError

            msg = f"{folder} was moved since it was filled; give its command again"
            raise InputError(msg)
        return guarded(arguments)
    finally:
        os.chdir(before)


def out_of(arguments: list[str]) -> str:
    """Return the folder that a kept command writes into."""
    from stablek.cli import cli

    chosen = cli.get_command(click.Context(cli), arguments[0])
    given = chosen.make_context(arguments[0], arguments[1:]).params if chosen else {}
    return str(given.get("out"))


def kept_command(folder: Path) -> tuple[list[str], str]:
    """Return the command that a run folder keeps, and where it was given."""
    from stablek.cli.workflow import not_safe_again
    from stablek.errors import InputError

    file = folder / "run.json"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        arguments, place = list(map(str, found["arguments"])), str(found["folder"])
    except FileNotFoundError:
        msg = f"{folder} holds no run: there is no run.json in it"
        raise InputError(msg) from None
    except (ValueError, KeyError, TypeError):
        msg = f"{file} is damaged; give the original command again instead"
        raise InputError(msg) from None
    if not_safe_again(arguments) or arguments[:1] == ["resume"]:
        msg = "this run read stdin or a module of your own; give its command again"
        raise InputError(msg)
    return arguments, place
