"""Which R packages can be measured here, how, and what to say where one cannot."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np


def missing(package: str) -> str | None:
    """Say why an R package is not measured; None where it is installed."""
    if shutil.which("Rscript") is None:
        return f"R is not installed (no Rscript): its package {package} is not measured"
    asked = f'quit(status = !requireNamespace("{package}", quietly = TRUE))'
    done = subprocess.run(["Rscript", "-e", asked], capture_output=True, check=False)
    if done.returncode:
        return f"R has no package {package}: it is not measured"
    return None


def has(package: str) -> bool:
    """Tell whether an R package is installed; print why not."""
    why = missing(package)
    if why:
        print(f"  ({why})", flush=True)
    return why is None


def run_r(script: str, values: np.ndarray) -> list[list[str]]:
    """Run an R script beside x.tsv, a table of the values; return the words it prints.

    Each line is a list of words. The folder is removed with all that R writes into it.
    """
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(Path(folder) / "x.tsv", values)
        done = subprocess.run(
            ["Rscript", "-e", script],
            cwd=folder, check=True, capture_output=True, text=True,
        )  # fmt: skip
    return [line.split() for line in done.stdout.splitlines()]
