"""How long work takes: the fastest of several times."""

from __future__ import annotations

import time


def timed(work, times=1, clock=time.process_time):
    """Return the least seconds of some runs of the work, and what the last one gave."""
    best = float("inf")
    for _ in range(times):
        began = clock()
        found = work()
        best = min(best, clock() - began)
    return best, found


def seconds_of(work, times=3):
    """Return the least seconds of some runs, by the clock on the wall."""
    return timed(work, times, time.perf_counter)[0]
