"""Keep a run in a folder, and say how to go on when it is interrupted."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.kept import keep_command
from stablek.cli.report_path import wanted_page
from stablek.cli.show import notes
from stablek.cli.signals import resumable
from stablek.cli.trust import needs_trust, unsafe_to_repeat
from stablek.errors import NO_ROOM, TryAgainError

if TYPE_CHECKING:
    from stablek.data import Dataset
    from stablek.engine.progress import Progress
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
    from stablek.cli import with_command
    from stablek.io.store.folder import RunFolder
    from stablek.io.store.manifest import manifest_of
    from stablek.io.store.results import formula_note

    # A merge stands for the run whose shards it joins: a merge that was killed can be
    # given again, and the run be resumed.
    asked = list(wanted_page().command) or with_command(sys.argv[1:])
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
                folder.at_begin = lambda: keep_command(folder.path, asked)
                left = folder.left()
                if left and not (context and context.params.get("quiet")):
                    note = f"resuming: {left} chunks of finished work are kept"
                    click.echo(note, err=True)
                notes(formula_note(data.ids))
                yield folder
                notes(folder.notes)
        except TryAgainError as error:
            raise TryAgainError(f"{error}; {kept()}") from error
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            file = Path(str(error.filename)).name if error.filename else "results"
            raise TryAgainError(
                f"no space left on {folder.path} while writing {file}; free some; "
                f"{kept()}"
            ) from None


@contextmanager
def at_work(
    given: Mapping[str, Any],
    data: Dataset,
    what: Mapping[str, Any],
    shard: str | None = None,
) -> Iterator[tuple[RunFolder | None, Progress]]:
    """Hold the folder of -o, and show the progress; what foreign code prints is a note.

    ``given`` are the options of the command, ``what`` those that determine its result.
    """
    from stablek.engine.progress import Progress

    with (
        open_run(
            given["out"], data, what, restart=given["restart"], shard=shard
        ) as folder,
        Progress(quiet=given["quiet"]) as progress,
        redirect_stdout(sys.stderr),
    ):
        yield folder, progress
