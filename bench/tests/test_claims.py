"""The thesis's headline questions: which answers hold, with their figures."""

from __future__ import annotations

from stablek_bench.page_claims import claims
from stablek_bench.summary import Setting, Side
from stablek_bench.tables import Cell


def setting(name: str, measure: str, within: int, seconds: float) -> Setting:
    ours = Side(5, within - 1, within, seconds)
    return Setting(name, measure, "hier-a", ours, Side(5, 5, 5, 9.0), 5, 5)


def cell(row: str, k: int, seconds: float) -> Cell:
    return Cell(row, "Leukemia", "k", "3", k, 3, seconds)


def test_claims_hold_or_not_by_the_cells() -> None:
    found = [
        setting("FC-Hier-A", "fc", 5, 1.0),
        setting("FC-K-means-A", "fc", 4, 1.0),
        setting("KL-Hier-A", "kl", 4, 0.2),
    ]
    cells = {"FC-H250p80": [cell("NMF-A", 5, 30.0), cell("Hier-A", 3, 0.1)]}
    precise, quick, algorithm, nmf = claims(found, cells)
    assert [one.holds for one in (precise, quick, algorithm, nmf)] == [True] * 4
    assert "FC is within one of the gold k in 90 %" in precise.figure
    assert "5 times as long as KL-Hier-A" in quick.figure
    assert nmf.figure.startswith("No. FC with NMF is within one of the gold k in 0 %")
    assert "300 times as long" in nmf.figure

    found[0] = setting("FC-Hier-A", "fc", 3, 4.0)
    cells = {"FC-H250p80": [cell("NMF-A", 3, 30.0), cell("Hier-A", 6, 0.1)]}
    turned = claims(found, cells)
    assert [one.holds for one in turned] == [False] * 4
    assert "kl in 80 %" in turned[0].figure
    assert "K-means-A is exact on 3" in turned[2].figure
    assert turned[3].figure.startswith("It is more precise.")


def test_without_cells_nothing_is_claimed() -> None:
    assert claims([], {}) == []
