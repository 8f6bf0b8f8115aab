"""Fixtures that several folders of tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of real data, or skip; under CI its absence is a failure."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("STABLEK_DATA") or beside)
    if (folder / "gold.tsv").is_file():
        return folder
    reason = f"no real data in {folder}: set STABLEK_DATA to a folder with gold.tsv"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
