"""``stablek report --watch``: a page that is redrawn during a run."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stablek.cli.kept import FILE, LAST, kept_command
from stablek.cli.report_path import PageOptions, page_options, write_page
from stablek.cli.shard import build_request
from stablek.cli.show import notes

if TYPE_CHECKING:
    from stablek.api.choose_k import Request
    from stablek.io.store.snapshot import RunSnapshot
    from stablek.results.result import Result

#: Seconds after which a browser loads the page of a run again.
RELOAD = 10
#: Seconds that a run which has its result may take to end.
PATIENCE = 10.0
RUNNING = (
    "Still running: {}. This page shows what is finished so far, and may change. It "
    f"reloads every {RELOAD} s."
)
STOPPED = "The run stopped early: {}. This page shows what was finished."


def watch(folder: Path, wanted: PageOptions, every: float, *, quiet: bool) -> bool:
    """Redraw the page of a run until it is done, or its process is gone.

    Returns whether it is done.
    """
    from stablek.io.store.snapshot import at_work

    if is_finished(folder):
        return True
    growing, asked, metric = plan_in(folder, wanted)

    def draw(banner: str, reload: int) -> None:
        if growing is None or asked is None:
            return
        result = interim_result(growing, asked, metric)
        if result is None or is_finished(folder):
            return
        with page_options(wanted):
            write_page(
                [result], folder, banner=banner.format(growing.words()), reload=reload
            )
        if not quiet:
            k = "?" if result.k_star is None else result.k_star
            click.echo(f"{growing.words()}; so far k = {k}", err=True)

    if not quiet:
        notes([f"watching {folder}; Ctrl-C ends the watch, not the run"])
    if growing is None and not quiet:
        notes(["the page is drawn at the end: only `stablek run` can be watched"])
    while at_work(folder) and not is_finished(folder):
        if growing is not None and growing.read():
            draw(RUNNING, RELOAD)
        pause(folder, every)
    if is_finished(folder):
        until = time.monotonic() + PATIENCE
        while at_work(folder) and time.monotonic() < until:
            time.sleep(0.1)  # it still writes, or holds its lock
        return True
    if growing is not None:
        growing.read()
    draw(STOPPED, 0)
    return False


def pause(folder: Path, every: float) -> None:
    """Wait, but not longer than the run takes."""
    from stablek.io.store.snapshot import at_work

    until = time.monotonic() + every
    while time.monotonic() < until and at_work(folder) and not is_finished(folder):
        time.sleep(min(0.5, every))


def is_finished(folder: Path) -> bool:
    """Tell whether the results in a folder are those of its last command."""
    began = folder / FILE
    since = began.stat().st_mtime_ns if began.exists() else 0
    files = [folder / name for name in LAST.values()]
    return any(file.exists() and file.stat().st_mtime_ns >= since for file in files)


def plan_in(
    folder: Path, wanted: PageOptions
) -> tuple[RunSnapshot | None, Request | None, str]:
    """Return the plan of ``stablek run`` in a folder, with the work that is there."""
    from stablek.cli.run import read_options
    from stablek.io.store.snapshot import RunSnapshot

    kept = kept_command(folder)
    where, given = folder.resolve(), kept.options
    with kept.given_again(), page_options(wanted):
        if kept.words[0] != "run":
            return None, None, ""
        dataset = read_options(given.pop("data"), given)
    asked = build_request(dataset, given)[0]
    if asked.plan is None:
        return None, None, ""
    return RunSnapshot(where, asked.plan), asked, given["metric"]


def interim_result(growing: RunSnapshot, asked: Request, metric: str) -> Result | None:
    """Return the result that the work so far would give; None if it is too little."""
    from stablek.engine.run import Outcome
    from stablek.paradigm.contracts import Decision
    from stablek.results.from_outcome import assemble

    snapshot = growing.so_far()
    if snapshot is None or asked.plan is None:
        return None
    none_yet = Decision(
        None, "not applied yet", "the null sets are not finished yet", ()
    )
    outcome = Outcome(
        snapshot.curve,
        snapshot.decision or none_yet,
        snapshot.cube,
        snapshot.cube.repeats,
        f"still running: {growing.words()}",
        snapshot.nulls,
    )
    settings: dict[str, Any] = asked.settings
    return assemble(asked.plan, outcome, settings, metric, data=asked.data)
