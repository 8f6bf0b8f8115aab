"""What the tests of the commands share."""

import pytest
from blobs import blobs
from fault_fixtures import cli, forks, keepers, start

from stablek.cli import guarded

__all__ = ["cli", "forks", "keepers", "start"]


@pytest.fixture
def call(capsys):
    """Run a command in this process; return its exit code, stdout and stderr."""

    def finished(*words):
        code = guarded([str(word) for word in words])
        return code, *capsys.readouterr()

    return finished


@pytest.fixture
def table(tmp_path):
    """Return a file of three groups of ten items each, with their names."""
    path = tmp_path / "blobs.tsv"
    lines = ["id\ta\tb\tc\td\tgroup"]
    for i, row in enumerate(blobs(30)):
        lines.append("\t".join([f"s{i}", *map(repr, row.tolist()), f"g{i % 3}"]))
    path.write_text("\n".join(lines) + "\n")
    return path
