"""Keep a run in a folder, and say how to go on when it is interrupted."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.signals import resumable
from stablek.errors import NO_ROOM, TryAgainError

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.io.store.folder import RunFolder


@contextmanager
def open_run(
    out: str | None,
    data: Dataset,
    what: Mapping[str, Any],
    *,
    restart: bool = False,
    shard: str | None = None,
) -> Iterator[RunFolder | None]:
    """Hold the run folder while a run lasts; without ``out`` nothing is kept.

    Ctrl-C, SIGTERM and what may be tried again leave a folder that can be resumed, and
    say by which command.
    """
    if out is None:
        yield None
        return
    asked = asked_command()
    from stablek.cli.show import notes
    from stablek.cli.trust import needs_trust
    from stablek.cli.workflow import unsafe_to_repeat
    from stablek.io.store.folder import RunFolder
    from stablek.io.store.manifest import manifest_of
    from stablek.io.store.results import formula_note

    with RunFolder(Path(out), manifest_of(data, what), restart, shard) as folder:
        context = click.get_current_context(silent=True)
        # What resume would refuse is not advised.
        by_hand = (
            shard is not None
            or unsafe_to_repeat(sys.argv[1:])
            or needs_trust(context.params if context else {})
        )
        go_on = "the same command" if by_hand else f"stablek resume {folder.path}"

        def kept() -> str:
            if not folder.begun:
                return "nothing is kept yet; run the same command again"
            return f"{folder.kept} tasks are kept; resume with: {go_on}"

        try:
            with resumable(kept):
                folder.at_begin = lambda: remember(folder.path, asked)
                left = folder.left()
                if left and not (context and context.params.get("quiet")):
                    told_of = f"resuming: {left} chunks of finished work are kept"
                    click.echo(told_of, err=True)
                notes(formula_note(data.ids))
                yield folder
        except TryAgainError as error:
            msg = f"{error}; {kept()}"
            raise TryAgainError(msg) from error
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            file = Path(str(error.filename)).name if error.filename else "results"
            msg = (
                f"no space left on {folder.path} while writing {file}; free some; "
                f"{kept()}"
            )
            raise TryAgainError(msg) from None


def asked_command() -> list[str]:
    """Return the command to be kept: that of the user, or the one it stands for.

    A merge stands for the run that its shards are parts of: so a merge that was killed
    can be given again, and the run be resumed.
    """
    from stablek.cli import with_command
    from stablek.cli.report_path import page_command

    return list(page_command()) or with_command(sys.argv[1:])


def remember(folder: Path, arguments: list[str]) -> None:
    """Write the command into run.json: the one file that may hold paths."""
    from stablek.cli.workflow import command_to_keep
    from stablek.io.store.atomic import write_bytes

    if arguments[:1] in (["resume"], ["report"]):
        return
    kept = {"arguments": command_to_keep(arguments), "folder": str(Path.cwd())}
    write_bytes(folder / "run.json", (json.dumps(kept, indent=1) + "\n").encode())
