"""What the tests of the commands share."""

import numpy as np
import pytest
from fault_fixtures import cli, forks, keepers, start

__all__ = ["cli", "forks", "keepers", "start"]


@pytest.fixture
def table(tmp_path):
    """Return a file of three groups of ten items each, with their names."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(3, 4))[np.arange(30) % 3] * 8 + rng.normal(size=(30, 4))
    path = tmp_path / "blobs.tsv"
    lines = ["id\ta\tb\tc\td\tgroup"]
    for i, row in enumerate(values):
        lines.append("\t".join([f"s{i}", *map(repr, row.tolist()), f"g{i % 3}"]))
    path.write_text("\n".join(lines) + "\n")
    return path
