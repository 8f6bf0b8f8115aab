"""``stablek bench trust``: how often a verdict is right."""

import numpy as np
import pytest
from click.testing import CliRunner

from stablek.cli import cli
from stablek_bench import trust
from stablek_bench.wilson import Share


def test_trust_is_measured_and_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(trust, "SIZES", ((60, 4),))
    out = str(tmp_path / "kept")
    arguments = ["bench", "trust", "--sets", "1", "--part", "null"]
    arguments += ["-j", "1", "-o", out]
    first = CliRunner().invoke(cli, [*arguments, "-q"])
    assert first.exit_code == 0, first.output
    assert "| gaussian | 1 | 0.0 %" in first.stdout
    again = CliRunner().invoke(cli, arguments)
    assert "0 sets in" in again.stderr
    assert again.stdout == first.stdout


def test_wilson_gives_the_interval_of_the_books():
    low, high = Share(0, 72).interval()
    assert low == 0
    assert high == pytest.approx(0.0507, abs=1e-4)
    assert np.isnan(Share(0, 0).value)
