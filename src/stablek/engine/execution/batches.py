"""Tasks cut into batches, which are what a worker is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stablek.engine.plan import Task


def batches(tasks: Sequence[Task], size: int) -> Iterator[Sequence[Task]]:
    """Cut the tasks into batches of a size."""
    for first in range(0, len(tasks), size):
        yield tasks[first : first + size]


def tapered(
    tasks: Sequence[Task], size: int, least: int, workers: int
) -> Iterator[Sequence[Task]]:
    """Cut the tasks into batches that shrink in the end: the workers end together.

    No batch is larger than ``size``, and none but the last smaller than ``least``
    (which is at most ``size``).
    """
    first = 0
    while first < len(tasks):
        share = (len(tasks) - first) // (2 * workers)
        last = first + min(size, max(share, least))
        yield tasks[first:last]
        first = last
