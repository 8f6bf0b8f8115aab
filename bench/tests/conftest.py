"""Fixtures of the bench: commands to start and to kill."""

import pytest
from fault_fixtures import cli, forks, start

__all__ = ["cli", "forks", "start"]


@pytest.fixture
def keepers():
    """Name what keeps finished work: outcomes of a bench, cells of a table."""
    return (
        ("stablek_bench.kept", "Kept", "keep"),
        ("stablek_bench.store", "Store", "put"),
    )
