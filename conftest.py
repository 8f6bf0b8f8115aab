"""How many workers the tests get: some for a folder, none for single files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

#: More workers than this gain nothing: the slowest tests decide.
MOST = 4


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the workers of ``-n auto``: the cores, unless only files are named."""
    asked = os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS")
    if asked:
        return int(asked)
    if not any(Path(name.split("::")[0]).is_dir() for name in config.args):
        return 0
    affinity = getattr(os, "sched_getaffinity", None)
    return min(MOST, len(affinity(0)) if affinity else os.cpu_count() or 1)
