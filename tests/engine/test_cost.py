"""What a run will need is known before it starts; what does not fit is refused."""

import re

import numpy as np
import pytest
from blobs import blobs

from stablek.api.choose_k import choose_k, request
from stablek.data import Dataset
from stablek.engine.execution.cost import check_memory, cube_bytes, estimate, memory_of
from stablek.engine.execution.execute import Execution
from stablek.errors import InputError, TryAgainError
from stablek.paradigm.cluster import ALGORITHMS
from stablek.paradigm.cube import PartitionCube, passing_file
from stablek.paradigm.perturb.null import null_model


def positive(n=60, m=4):
    """Return groups without negative values, which nmf needs."""
    return np.abs(blobs(n, m) + 40)


def many(n, m=2):
    """Return n items without holding them: the rows are one row, seen n times."""
    data = object.__new__(Dataset)
    values = np.broadcast_to(np.arange(m, dtype=float), (n, m))
    for name, value in {"values": values, "precomputed": False, "notes": (),
                        "_distances": {}, "name": "many"}.items():  # fmt: skip
        object.__setattr__(data, name, value)
    return data


def plan_for(data, algorithm, **settings):
    from stablek.engine.plan import Plan
    from stablek.measures import measure
    from stablek.paradigm.cluster import algorithm as named

    made = measure("fc", **settings)
    ks = tuple(range(2, 12))
    return Plan(made, named(algorithm), data, ks[:-1], ks, 0)


def test_distances_that_do_not_fit_are_refused_and_the_remedy_is_named():
    plan = plan_for(many(100_000), "hier-a")
    with pytest.raises(InputError) as caught:
        check_memory(plan, Execution(memory="8G"))
    text = str(caught.value)
    assert "hier-a on 100,000 items needs 80 GB for their distances" in text
    assert "the budget is 8 GB (set by memory=)" in text
    assert "kmeans-mb" in text


def test_what_is_too_much_for_other_reasons_says_what_takes_the_memory():
    plan = plan_for(many(100_000), "kmeans-mb", repeats=10)
    with pytest.raises(InputError, match=r"needs .* \(data .*workers .*\).*jobs=1"):
        check_memory(plan, Execution(memory="10M"))


def test_large_n_fits_where_nothing_of_its_square_is_made():
    plan = plan_for(many(1_000_000, 20), "kmeans-mb", repeats=25)
    check_memory(plan, Execution(jobs=2, memory="2G"))


def test_a_run_is_refused_before_it_allocates(monkeypatch):
    def refuse(*_):
        raise AssertionError("distances were computed")

    monkeypatch.setattr("stablek.kernels.distances.pairwise", refuse)
    with pytest.raises(InputError, match="budget"):
        choose_k(positive(), "fc", "hier-a", range(2, 5), memory=20_000)


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_every_algorithm_has_an_estimate(name):
    plan = request(positive(), "fc", name, range(2, 5), repeats=10).plan
    needs = memory_of(plan, Execution(jobs=2))
    assert needs["labels"] == cube_bytes(plan)
    assert needs["workers"] > 0


def test_the_labels_of_all_repeats_are_counted_to_the_byte():
    result = choose_k(positive(), "fc", "hier-a", range(2, 5), repeats=10)
    plan = request(positive(), "fc", "hier-a", range(2, 5), repeats=10).plan
    assert cube_bytes(plan) == result.cube.labels.nbytes


@pytest.mark.parametrize(("n", "threads"), [(60, 1), (600, 2)])
def test_few_pairs_of_many_repeats_are_listed(n, threads):
    plan = request(positive(n), "fc", "kmeans-r", range(2, 5), repeats=6000).plan
    needs = memory_of(plan, Execution(jobs=2))
    assert needs["statistic"] == threads * 8 * 8 * n * (n - 1) // 2


def test_the_histograms_of_many_repeats_are_counted():
    plan = request(positive(3200), "fc", "kmeans-r", range(2, 5), repeats=6000).plan
    needs = memory_of(plan, Execution(jobs=2))
    assert needs["statistic"] == 2 * 5 * 8 * 6001**2
    with pytest.raises(InputError, match=r"statistic 2\.88 GB"):
        check_memory(plan, Execution(jobs=2, memory="1G"))
    calibrated = memory_of(plan, Execution(jobs=2), [(null_model("ps"), 9)])
    assert calibrated["null sets"] > 2 * 5 * 8 * 6001**2


def test_large_labels_go_to_disk_and_change_nothing():
    X = positive(400)
    settings = {"repeats": 60, "backend": "serial"}
    here = choose_k(X, "fc", "kmeans-r", range(2, 8), **settings)
    there = choose_k(X, "fc", "kmeans-r", range(2, 8), **settings, memory=500_000)
    assert isinstance(there.cube.labels, np.memmap)
    assert not isinstance(here.cube.labels, np.memmap)
    assert here.to_json() == there.to_json()


def test_the_file_of_a_cube_on_disk_has_no_name_any_more():
    with passing_file() as path:
        cube = PartitionCube(3, (2, 3), 1, 5, path)
        assert path.exists()
    assert not path.exists()
    cube.put(0, (2,), np.ones((1, 1, 5), np.uint8))
    assert cube.labels[0, 0, 0].tolist() == [1] * 5


def test_a_disk_without_room_for_the_labels_is_told(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(TryAgainError, match=r"no room \(No space left.*TMPDIR"):
        choose_k(
            positive(2000), "fc", "kmeans-r", range(2, 6), memory=500_000, jobs=1,
            repeats=20,
        )  # fmt: skip


@pytest.mark.parametrize("name", ["fc", "consensus", "gap-ps", "fom", "clest", "wcss"])
def test_an_estimate_counts_the_tasks_and_takes_the_time_of_a_few(name):
    plan = request(positive(), name, "kmeans-r", range(2, 5)).plan
    cost = estimate(plan, Execution(jobs=2), enough=0.2)
    groups = 1 if plan.shared else len(plan.ks)
    repeats = plan.checkpoints[-1]
    assert cost.tasks["repeats"] == groups * repeats
    assert cost.seconds > 0
    assert cost.timed >= 1
    assert cost.total <= cost.budget


def test_the_expected_time_is_of_the_order_of_the_true_one():
    """A loose bound: the machine may be busy; a factor of ten would be a mistake."""
    import time

    X = positive(300)
    settings = {"repeats": 200}
    plan = request(X, "fc", "kmeans-r", range(2, 12), **settings).plan
    said = estimate(plan, Execution(jobs=1)).seconds
    choose_k(X, "fc", "kmeans-r", range(2, 12), jobs=1, repeats=2)  # compiles
    began = time.perf_counter()
    choose_k(X, "fc", "kmeans-r", range(2, 12), jobs=1, **settings)
    taken = time.perf_counter() - began
    assert taken / 10 < said < taken * 10 + 1


def test_a_hundred_thousand_items_fit_a_small_address_space():
    """Three gigabytes would not hold a twentieth of their distances."""
    import subprocess
    import sys
    import textwrap

    code = textwrap.dedent(
        """
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9, 3 * 10**9))
        import numpy as np
        from stablek.api.choose_k import choose_k
        from stablek.machine.memory import peak_memory
        rng = np.random.default_rng(0)
        X = rng.normal(size=(3, 20))[rng.integers(3, size=100_000)] * 4
        X += rng.normal(size=X.shape)
        found = choose_k(X, "fc", "kmeans-mb", range(2, 6), repeats=4, jobs=2)
        error = found.table["pairs_error"].max()
        print(found.k_star, peak_memory() // 2**20, error > 0)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    k, peak, error = done.stdout.split()
    assert k == "3"
    assert int(peak) < 1000
    assert error == "True"


def test_dry_run_prints_tasks_time_and_memory(tmp_path):
    from click.testing import CliRunner

    from stablek.cli import cli

    file = tmp_path / "x.csv"
    np.savetxt(file, positive(), delimiter=",", header="a,b,c,d", comments="")
    out = tmp_path / "out"
    asked = ["run", str(file), "-k", "2:5", "--repeats", "30", "-q", "--dry-run"]
    found = CliRunner().invoke(cli, [*asked, "-o", str(out)], standalone_mode=False)
    assert found.exception is None
    assert re.search(r"^tasks +repeats: 30 \(k = 2 to 6\)$", found.stdout, re.M)
    assert re.search(r"^time +about .* worker", found.stdout, re.M)
    assert re.search(r"^memory +about .* labels 9 kB.* budget", found.stdout, re.M)
    assert not out.exists()
