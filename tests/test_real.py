"""What the foundation promised on real data, at the thesis's setting."""

import json

import pytest

from stablek.api.choose_k import choose_k
from stablek.cli import guarded
from stablek.io import read

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    ("name", "answers"), [("gaussian3", {3}), ("leukemia", {3}), ("cns_rat", {6, 7})]
)
def test_fc_with_average_linkage_finds_what_the_thesis_found(real_data, name, answers):
    data = read(real_data / f"{name}.tsv.gz")
    result = choose_k(data, "fc", "hier-a", range(2, 31), repeats=250, fraction=0.8)
    assert result.k_star in answers


def test_the_command_of_the_foundation_reports_three_clusters(real_data, capsys):
    code = guarded(
        [
            "run",
            str(real_data / "gaussian3.tsv.gz"),
            "-m",
            "fc",
            "-a",
            "hier-a",
            "--json",
        ]
    )
    assert code == 0
    assert json.loads(capsys.readouterr().out)["k_star"] == 3
