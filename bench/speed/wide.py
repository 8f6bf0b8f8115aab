"""Memory of a verdict on a wide table beside its input: by tracemalloc, and in all.

python bench/speed/wide.py [--n 200] [--m 50000]

The first figure is what Python and NumPy hold at most beside the input, while the
verdict is found and while its folder is written. The second is the peak of a process
that runs `stablek verdict FILE -o DIR` (VmHWM), less that of one on 500 columns: what
the table adds to libraries and compiled code, itself included.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path

import numpy as np

import stablek
from stablek.cli.verdict import write

ALONE = """
import sys
from stablek.cli import main
from stablek.machine.memory import peak_memory
try:
    main()
except SystemExit as end:
    if end.code:
        raise
print(peak_memory(), file=sys.stderr)
"""


def table(n: int, m: int) -> np.ndarray:
    """Return two clusters, and two rows far from both."""
    values = np.random.default_rng(0).normal(size=(n, m))
    values[: n // 2, : m // 20] += 6
    values[3] *= 2
    values[9] *= 1.5
    return values


def traced(values: np.ndarray, folder: Path) -> tuple[int, int]:
    """Return the most bytes held beside the input: by the verdict, and by writing."""
    write(stablek.verdict(table(100, 300)), folder)  # imports, and compiles
    tracemalloc.start()
    found = stablek.verdict(values)
    judging = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    write(found, folder)
    writing = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return judging, writing


def alone(values: np.ndarray, folder: Path) -> int:
    """Return the most bytes that a process of its own holds for such a table."""
    file = folder / "table.npy"
    np.save(file, values)
    command = ["verdict", str(file), "-o", str(folder / "out"), "--restart", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", ALONE, *command],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return int(done.stderr.split()[-1])


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--m", type=int, default=50_000)
    given = parser.parse_args()
    values = table(given.n, given.m)
    size = values.nbytes
    print(f"{given.n} x {given.m:,}: the input takes {size / 1e6:.0f} MB", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, peak in zip(
            ("verdict", "writing"), traced(values, folder), strict=True
        ):
            print(f"{what}: {peak / size:.2f} x beside it (tracemalloc)", flush=True)
        small, wide = (alone(one, folder) for one in (table(given.n, 500), values))
    more = (wide - small) / size
    print(
        f"process: {wide / 1e6:.0f} MB (VmHWM), {small / 1e6:.0f} MB with 500 columns: "
        f"{more:.2f} x more, the input included"
    )


if __name__ == "__main__":
    main()
