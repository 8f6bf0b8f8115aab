"""``--preset thesis`` on the command line."""

import json

import numpy as np
from click.testing import CliRunner

from stablek.cli.run import command


def table(tmp_path):
    rng = np.random.default_rng(0)
    X = np.repeat(10 * np.eye(3), 10, axis=0) + rng.normal(size=(30, 3))
    path = tmp_path / "x.csv"
    np.savetxt(path, X, delimiter=",", header="a,b,c", comments="")
    return str(path)


def test_preset_gives_the_thesis_settings_and_a_setting_given_wins(tmp_path):
    made = [table(tmp_path), "-m", "gap-ps", "-k", "1:4", "--json", "-q"]
    found = CliRunner().invoke(command, [*made, "--preset", "thesis"])
    facts = json.loads(found.stdout)["facts"]
    assert (facts["runs"], facts["null_sets"]) == (20, 10)
    found = CliRunner().invoke(
        command, [*made, "--preset", "thesis", "--set", "runs=2"]
    )
    facts = json.loads(found.stdout)["facts"]
    assert (facts["runs"], facts["null_sets"]) == (2, 10)
