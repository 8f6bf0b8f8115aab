"""A page stays small however large the data are."""

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.data import Dataset
from stablek.paradigm.cube import PartitionCube
from stablek.report import render
from stablek.results.result import Result


def test_the_matrix_is_not_in_the_page(fc):
    page = render(fc)
    for value in fc.data.values[:5].ravel():
        assert repr(float(value))[:8] not in page


def test_the_page_stays_small_at_500_items():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(500, 5))
    values[:250] += 3
    result = choose_k(values, "fc", "hier-a", range(2, 31), repeats=20)
    assert len(render(result).encode()) < 500_000


def test_twenty_results_stay_below_a_page_and_a_half_of_megabytes(fc, gap):
    page = render([fc, gap] * 10)
    assert len(page.encode()) < 1_500_000


def test_a_hundred_thousand_items_stay_below_a_megabyte_and_a_half():
    rng = np.random.default_rng(0)
    n, ks, repeats = 100_000, range(2, 51), 4
    truth = rng.integers(0, 12, n)
    cube = PartitionCube(repeats, ks, 1, n)
    for repeat in range(repeats):
        drawn = rng.random(n) < 0.8
        labels = [np.where(drawn, truth % k, cube.missing)[None] for k in ks]
        cube.put(repeat, ks, np.array(labels, dtype=cube.labels.dtype))
    names = ("area", "area_error", "pac", "delta")
    data = Dataset(
        rng.normal(size=(n, 10)) + truth[:, None],
        ids=tuple(f"cell-{i:06d}-TTGACCTTAGACCATG" for i in range(n)),
    )
    result = Result(
        k_star=12, rule="by hand", reason="by hand", measure="fc", algorithm="hier-a",
        ks=tuple(ks), columns={name: np.linspace(0.1, 0.9, len(ks)) for name in names},
        main="area", error="area_error", n=n, m=10, seed=0, labels=truth, cube=cube,
        data=data,
    )  # fmt: skip
    page = render(result)
    assert len(page.encode()) < 1_500_000
    ever = int((cube.labels[:, 0, 0] != cube.missing).any(axis=0).sum())
    assert f"1,000 of the {ever:,} items drawn, evenly spaced, represent all" in page
    assert "The first 500 of" in page
