"""Options that say how to run: the fields of :class:`stablek.Execution`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from stablek.engine.execution.execute import Execution

#: More workers than any machine has cores: a slip of the pen.
MOST_JOBS = 4096

MEMORY_OPTION = click.option("--memory", metavar="SIZE", help="Memory budget, e.g. 8G.")

#: Who works; the bench takes these, too.
WORKER_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(0, MOST_JOBS),
        default=0,
        help="Workers; 0: one per core.",
    ),
    click.option(
        "--backend",
        default="auto",
        show_default=True,
        help="auto, serial, threads, processes, dask, or any joblib backend.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="With --backend dask: a cluster you trust, e.g. tcp://HOST:8786; "
        "otherwise one is started here.",
    ),
)

EXECUTION_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    *WORKER_OPTIONS,
    MEMORY_OPTION,
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Time limit for one repeat of your own algorithm. A repeat that takes "
        "longer fails; the others continue.",
    ),
)


def execution_of(given: dict[str, Any]) -> Execution:
    """Return how to run; options such as EXECUTION_OPTIONS are taken out of it."""
    from dataclasses import fields

    from stablek.engine.execution.execute import Execution

    names = [one.name for one in fields(Execution) if one.name in given]
    return Execution(**{name: given.pop(name) for name in names})
