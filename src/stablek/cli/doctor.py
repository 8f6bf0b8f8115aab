"""``stablek doctor``: versions, cores, kernels, memory."""

import importlib.metadata
import os
import platform
import tempfile
from pathlib import Path

import click

from stablek.cli.show import table

#: The packages that matter in a bug report; for optional ones, how to install them.
PACKAGES = {
    **dict.fromkeys(("numpy", "scipy", "numba", "pandas", "joblib"), "stablek"),
    "matplotlib": "'stablek[plot]'",
    "scikit-learn": "'stablek[sklearn]'",
    **dict.fromkeys(("anndata", "h5py"), "'stablek[anndata]'"),
    **dict.fromkeys(("pyarrow", "openpyxl"), "'stablek[tables]'"),
    "dask": "'stablek[dask]'",
}


@click.command("doctor")
def command() -> None:
    """Print what stablek finds on this machine, for you or for a bug report.

    Example: stablek doctor
    """
    import stablek
    from stablek.engine.execution.execute import cores
    from stablek.kernels.helper import are_compiled
    from stablek.machine.memory import free_memory, shown_size

    rows = [("what", "found"), ("stablek", stablek.__version__)]
    rows.append(("python", f"{platform.python_version()} on {platform.platform()}"))
    for package, source in PACKAGES.items():
        try:
            rows.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            rows.append((package, f"not installed: pip install {source}"))
    rows.append(("cores", str(cores())))
    slow = "not compiled yet: the first run takes a few seconds longer"
    rows.append(("kernels", "compiled" if are_compiled() else slow))
    rows.append(("free memory", shown_size(min(free_memory()))))
    folder = Path(tempfile.gettempdir())
    writable = "writable" if os.access(folder, os.W_OK) else "not writable"
    rows.append(("temporary files", f"{folder}, {writable}"))
    click.echo(table(rows))
