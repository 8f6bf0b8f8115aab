"""``stablek resume``: continue where a run was interrupted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from stablek.cli.options import JSON_OPTION, QUIET_OPTION
from stablek.cli.report_path import LAST, asked_embedding
from stablek.cli.trust import (
    TRUST_FOLDER,
    needs_trust,
    on_the_word_of,
    refuse_elsewhere,
)

#: Commands whose folder keeps all their work, so that giving them again costs little.
KEPT = tuple(LAST)

#: Those that can be resumed; an assessment has no page to be drawn again.
RESUMED = (*KEPT, "assess")

#: What is not done on the word of a folder.
BY_HAND = (
    "this run read stdin, a module of your own or a file that names others, or used a "
    "scheduler; run its command again, or add --trust if you trust the folder"
)


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
    from stablek.errors import InputError

    where = Path(folder)
    arguments, place = kept_command(where, RESUMED, trust=trust)
    if "--shard" in arguments or any(t.startswith("--shard=") for t in arguments):
        msg = (
            f"{folder} holds shards: run the command of an unfinished one again, or "
            f"finish with: stablek merge {folder}"
        )
        raise InputError(msg)
    arguments = [text for text in arguments if text != "--restart"]
    here = where.resolve()
    with working_in(place, where), on_the_word_of(here, trust=trust):
        given = options_of(arguments, where, trust=trust)
        if Path(str(given.get("out"))).resolve() != here:
            msg = f"{folder} was moved since it was filled; run its command again"
            raise InputError(msg)
        aside = ["--quiet"] if quiet else []
        if as_json and not given.get("as_json"):
            aside.append("--json")
            arguments = [text for text in arguments if text != "--csv"]
        return guarded([arguments[0], *aside, *arguments[1:]])


@contextmanager
def working_in(place: str | Path, folder: Path) -> Iterator[None]:
    """Work where the command of a folder was given."""
    from stablek.errors import InputError

    before = Path.cwd()
    try:
        os.chdir(place)
    except (OSError, ValueError):
        msg = (
            f"{folder} was filled by a command run in {place}, which is no "
            "longer a folder; run the command again where its data are"
        )
        raise InputError(msg) from None
    try:
        yield
    finally:
        os.chdir(before)


def options_of(
    arguments: Sequence[str], folder: Path, *, trust: bool = False
) -> dict[str, Any]:
    """Return the options of a kept command; refuse one that reaches out of its folder.

    A folder may come from somebody else.
    """
    from stablek.cli import cli
    from stablek.errors import InputError

    try:
        chosen = cli.get_command(click.Context(cli), arguments[0])
        assert chosen is not None  # kept_command() has seen to it
        with chosen.make_context(arguments[0], list(arguments[1:])) as context:
            given = {**context.params, "embedding": asked_embedding()}
    except click.UsageError as error:
        msg = (
            f"{folder / 'run.json'} is damaged ({error.format_message()}); run the "
            "original command again instead"
        )
        raise InputError(msg) from None
    if needs_trust(given) and not trust:
        raise InputError(BY_HAND)
    return given


def kept_command(
    folder: Path, filled_by: Sequence[str] = KEPT, *, trust: bool = False
) -> tuple[list[str], str]:
    """Return the command that a run folder keeps, and where it was given.

    Unless the user trusts the folder, the command may not read files far from it.
    """
    from stablek.cli.workflow import unsafe_to_repeat
    from stablek.errors import InputError
    from stablek.io.store.manifest import read_manifest
    from stablek.results.json_form import regular_text

    file = folder / "run.json"
    try:
        kept = json.loads(regular_text(file))
        arguments, place = list(map(str, kept["arguments"])), str(kept["folder"])
    except (FileNotFoundError, NotADirectoryError):
        msg = f"{folder} is not the folder of a run; it has no run.json yet"
        raise InputError(msg) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        msg = f"{file} is damaged; run the original command again instead"
        raise InputError(msg) from None
    if "-" in arguments or (unsafe_to_repeat(arguments) and not trust):
        raise InputError(BY_HAND)
    if not arguments or arguments[0] not in filled_by:
        msg = f"{folder} was not filled by one of: {', '.join(filled_by)}"
        raise InputError(msg)
    # Without it nobody could tell whether the command is the one that filled this
    # folder: it might read a file of ours for somebody else.
    read_manifest(folder)
    if not trust:
        refuse_elsewhere(options_of(arguments, folder), place, folder)
    return arguments, place
