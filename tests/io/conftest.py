"""Fixtures of the readers' tests."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fault_fixtures import cli, forks, keepers, start

__all__ = ["cli", "forks", "keepers", "start"]


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes text or bytes to a new file."""

    def write(content: str | bytes, name: str = "data.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
