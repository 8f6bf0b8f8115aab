"""Which R packages can be measured here, and what to say where one cannot."""

from __future__ import annotations

import shutil
import subprocess


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
