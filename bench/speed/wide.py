"""Memory of a verdict on a wide table beside its input: by tracemalloc, and in all.

python bench/speed/wide.py [--n 200] [--m 50000] [--kind values|counts|rows]

The first figure is what Python and NumPy hold at most beside the input, while the
verdict is found and while its folder is written. The second is the peak of a process
that runs `stablek verdict FILE -o DIR` (VmHWM), less that of one on 500 columns: what
the table adds to libraries and compiled code, itself included. Counts become logarithms
of equal totals; "rows" are scaled to one length.
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


def table(n: int, m: int, kind: str) -> np.ndarray:
    """Return two clusters; among values also two rows far from both."""
    rng = np.random.default_rng(0)
    if kind == "counts":
        rate = np.tile(rng.lognormal(2, 1.2, m), (n, 1))
        rate[: n // 2, : m // 20] *= 4
        return rng.poisson(rate * rng.lognormal(0, 0.5, (n, 1))).astype(np.float64)
    values = rng.normal(size=(n, m))
    values[: n // 2, : m // 20] += 6
    if kind == "rows":
        return values / np.linalg.norm(values, axis=1, keepdims=True)
    values[3] *= 2
    values[9] *= 1.5
    return values


def traced(values: np.ndarray, folder: Path, kind: str) -> tuple[int, int]:
    """Return the most bytes held beside the input: by the verdict, and by writing."""
    write(stablek.verdict(table(100, 300, kind)), folder)  # imports, and compiles
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
    parser.add_argument(
        "--kind", default="values", choices=["values", "counts", "rows"]
    )
    given = parser.parse_args()
    n, m, kind = given.n, given.m, given.kind
    values = table(n, m, kind)
    size = values.nbytes
    print(f"{n} x {m:,} {kind}: the input takes {size / 1e6:.0f} MB", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, peak in zip(
            ("verdict", "writing"), traced(values, folder, kind), strict=True
        ):
            print(f"{what}: {peak / size:.2f} x beside it (tracemalloc)", flush=True)
        small, wide = (alone(one, folder) for one in (table(n, 500, kind), values))
    more = (wide - small) / size
    print(
        f"process: {wide / 1e6:.0f} MB (VmHWM), {small / 1e6:.0f} MB with 500 columns: "
        f"{more:.2f} x more, the input included"
    )


if __name__ == "__main__":
    main()
