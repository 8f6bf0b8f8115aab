"""How long a first answer takes where no kernel was compiled, and what each one costs.

    python bench/speed/first_start.py [--rounds 3] [--kernels]

Runs ``stablek demo`` with an empty cache, then again with the cache that this left.
With --kernels it prints the processor time of every kernel that is compiled on the way
(without the helper, so that all are seen).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

#: Compiles in this process alone, and tells what each kernel took without its parts.
EACH = """
import sys, time
from numba.core import event
from stablek.kernels.helper import HELPER
HELPER.asked = True
rows, stack = [], []
class Listener(event.Listener):
    def on_start(self, event):
        stack.append([time.process_time(), 0.0])
    def on_end(self, event):
        began, parts = stack.pop()
        took = time.process_time() - began
        if stack:
            stack[-1][1] += took
        function = event.data["dispatcher"].py_func
        rows.append((took - parts, f"{function.__module__}.{function.__name__}"))
event.register("numba:compile", Listener())
from stablek.cli import guarded
guarded(["demo", "-q", "-o", sys.argv[1]])
rows.sort(reverse=True)
print(f"{sum(took for took, _ in rows):.1f} s of processor time, {len(rows)} functions")
for took, name in rows:
    if took >= 0.1:
        print(f"{took:6.2f} s  {name}")
"""


def seconds_to_answer(cache: str, out: str) -> tuple[float, float]:
    """Return the seconds until the demo prints its answer, and until it ends."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "stablek", "demo", "-q", "-o", out],
        env={**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        answered = time.perf_counter() - began
        process.stdout.read()
    return answered, time.perf_counter() - began


def main() -> None:
    """Measure, and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--kernels", action="store_true")
    given = options.parse_args()
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as d:
            for name in ("first start", "once more"):
                answered, ended = seconds_to_answer(cache, d)
                print(
                    f"{name}: answer after {answered:.1f} s, page after {ended:.1f} s"
                )
    if given.kernels:
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as d:
            subprocess.run(
                [sys.executable, "-c", EACH, d],
                env={**os.environ, "NUMBA_CACHE_DIR": cache},
                check=True,
            )


if __name__ == "__main__":
    main()
