"""``stablek doctor``: versions, cores, kernels, memory."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import tempfile
from pathlib import Path

import click

PACKAGES = (
    "numpy", "scipy", "numba", "pandas", "joblib", "matplotlib", "scikit-learn",
    "anndata", "pyarrow", "dask",
)  # fmt: skip


@click.command("doctor")
def command() -> None:
    """Print what stablek finds on this machine, for you or for a bug report.

    Example: stablek doctor
    """
    import stablek
    from stablek.cli.show import table
    from stablek.engine.execution.execute import cores
    from stablek.kernels.helper import are_compiled
    from stablek.machine.memory import free_memory, shown_size

    rows = [("what", "found"), ("stablek", stablek.__version__)]
    rows.append(("python", f"{platform.python_version()} on {platform.platform()}"))
    for package in PACKAGES:
        try:
            rows.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            rows.append((package, "not installed (optional)"))
    rows.append(("cores", str(cores())))
    compiled = "compiled" if are_compiled() else "not compiled yet"
    rows.append(("kernels", compiled))
    rows.append(("free memory", shown_size(min(free_memory()))))
    folder = Path(tempfile.gettempdir())
    rows.append(
        ("temporary files", "writable" if os.access(folder, os.W_OK) else "not")
    )
    click.echo(table(rows))
