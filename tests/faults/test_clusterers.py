"""A clusterer of the user's own may do anything; one failed task sinks no run."""

import json
import signal
import sys
import types
from concurrent.futures import BrokenExecutor

import fault_clusterers as mine
import numpy as np
import pytest
from fault_tools import CLUSTERERS, SHORT, until

from stablek.api.choose_k import choose_k
from stablek.engine.execution import processes
from stablek.errors import InputError, TryAgainError

X = np.arange(36)[:, None] % 3 * 9 + np.random.default_rng(0).normal(size=(36, 2))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Raises", "RuntimeError: my own words"),
        ("Leaves", "SystemExit: 7"),
        ("Hurries", "OwnStop: out of here"),
        ("Mumbles", "Unsayable (its message cannot be shown: RuntimeError)"),
        ("Parts", "the label 0.5, which is not a whole number"),
        ("Short", "returned labels of shape (28,) for 29 items"),
        ("NaN", "returned NaN labels"),
        ("One", "put all 29 items into one cluster"),
    ],
)
def test_a_clusterer_that_misbehaves_fails_alone_and_says_why(
    cli, table, tally, name, told
):
    code, out, err = cli(
        "compare", "x.csv", "-m", "fc", "-a", f"mine:{name},hier-a", "-k", "2:3",
        "--set", "repeats=5", "--backend", "serial", "-o", "out", "--json",
    )  # fmt: skip
    assert code == 4, err
    found = json.loads(out)
    assert [row["k_star"] for row in found["results"]] == [3]
    (failure,) = found["failures"]
    assert failure["algorithm"] == name
    assert told in failure["message"]
    page = (table.parent / "out" / "report.html").read_text(encoding="utf-8")
    assert told.split(":")[-1] in page
    tally("faults survived", 1)


@pytest.mark.parametrize("backend", ["serial", "threads", "processes"])
def test_what_a_clusterer_prints_is_not_taken_for_the_answer(cli, table, backend):
    code, out, err = cli(
        "run", "x.csv", "-a", "mine:Prints", "-k", "2:3", "--repeats", "5",
        "--backend", backend, "--jobs", "2", "--json", patches=SHORT,
    )  # fmt: skip
    assert code == 0, err
    assert json.loads(out)["algorithm"] == "Prints"
    assert "not an answer" in err


@pytest.mark.parametrize("name", ["Noise", "Text", "AllNoise"])
def test_noise_is_a_cluster_of_its_own_and_labels_may_be_text(name):
    result = choose_k(X, "fc", getattr(mine, name)(), range(2, 4), repeats=5, jobs=1)
    assert not result.failures
    if name == "AllNoise":
        assert (np.nan_to_num(result.consensus(2)) == np.eye(36)).all()


def test_more_noise_than_labels_is_told_and_never_wrapped_around():
    many = np.random.default_rng(1).normal(size=(400, 2))
    with pytest.raises(Exception, match=r"320 clusters and noise items.*255 are kept"):
        choose_k(many, "fc", mine.AllNoise(), range(2, 4), repeats=2, jobs=1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_clusterer_that_never_ends_fails_its_task_after_the_timeout(
    cli, table, tally, jobs
):
    code, out, err = cli(
        "run", "x.csv", "-a", "mine:Endless", "-k", "2:3", "--repeats", "6", "--jobs",
        jobs, "--timeout", "0.3", "--json",
    )  # fmt: skip
    assert code == 4, err
    found = json.loads(out)
    assert 0 < len(found["failures"]) < 6
    assert "took longer than 0.3 s (the limit" in found["failures"][0]
    tally("faults survived", len(found["failures"]))


@pytest.mark.parametrize(("name", "jobs"), [("Holding", 1), ("Spinning", 2)])
def test_compiled_code_that_never_ends_fails_its_task_and_no_other(
    cli, table, tally, name, jobs
):
    """No alarm is heard there: the worker is ended, and its task named as failed."""
    command = (
        "run", "x.csv", "-a", f"mine:{name}", "-k", "2:3", "--repeats", "6", "--json",
    )  # fmt: skip
    code, out, err = cli(*command, "--jobs", jobs, "--timeout", "0.5")
    assert code == 4, err
    found = json.loads(out)
    assert 0 < len(found["failures"]) < 6
    assert set(found["failures"]) == {
        "took longer than 0.5 s (the limit that timeout sets) and was stopped"
    }
    assert found["k_star"] is not None
    tally("faults survived", len(found["failures"]))


def test_a_partition_of_all_items_that_never_ends_is_named_as_missing(
    cli, table, tally
):
    code, out, err = cli(
        "run", "x.csv", "-m", "me", "-a", "mine:StuckOnAll", "-k", "2:3", "--repeats",
        "4", "--timeout", "1.5", "-o", "out", "--json",
    )  # fmt: skip
    assert code == 4, err
    found = json.loads((table.parent / "out" / "result.json").read_text())
    assert found["k_star"] == json.loads(out)["k_star"]
    assert found["labels"] is None
    (failure,) = found["failures"]
    assert "of all items" in failure
    assert "took longer than 1.5 s" in failure
    tally("faults survived", 1)


def test_what_failed_is_tried_again_by_the_same_command(cli, table):
    source = table.parent / "mine.py"
    broken = CLUSTERERS.replace(
        "self.random_state % 3 == 0", "not Path('mended').exists()"
    )
    source.write_text(broken)
    command = (
        "run", "x.csv", "-a", "mine:Endless", "-k", "2:3", "--repeats", "2", "--jobs",
        "1", "--timeout", "1", "-o", "out",
    )  # fmt: skip
    code, _, err = cli(*command)
    assert code == 4, err
    (table.parent / "mended").touch()
    code, _, err = cli(*command)
    assert code == 0, err


@pytest.mark.parametrize(
    "how", [{"timeout": 0.0}, {"timeout": 1, "backend": "threads"}]
)
def test_a_timeout_that_could_not_be_kept_is_refused(how):
    with pytest.raises(InputError, match="timeout"):
        choose_k(X, "fc", mine.Halves(), range(2, 4), repeats=2, **how)


def test_a_worker_that_dies_once_changes_nothing_but_a_note(tmp_path, caplog, tally):
    made = mine.DiesOnce(flag=str(tmp_path / "died"))
    found = choose_k(X, "fc", made, range(2, 4), repeats=8, jobs=2, backend="processes")
    assert (tmp_path / "died").exists()
    again = choose_k(X, "fc", made, range(2, 4), repeats=8, backend="serial")
    assert found.to_json() == again.to_json()
    assert "a worker process died" in caplog.text
    tally("faults survived", 1)


@pytest.mark.parametrize(
    ("deadly", "kept"), [({5}, 8), ({0, 5}, 7), ({0, 1, 2, 3, 4}, 0)]
)
def test_a_task_that_kills_every_worker_is_named_and_the_rest_is_kept(
    monkeypatch, tmp_path, deadly, kept
):
    """All others are done first, unless many tasks die: then something else is wrong.

    The pool is played by a function: real deaths are in the test above.
    """

    def pool(backend, workers):
        def carry_out(delayed):
            for function, arguments, _ in delayed:
                if any(task.repeat in deadly for task in arguments[1]):
                    raise BrokenExecutor
                yield function(*arguments)

        return carry_out

    from stablek.io.store.folder import RunFolder

    monkeypatch.setattr(processes, "_parallel", pool)
    with (
        RunFolder(tmp_path / "out", {"schema": 1}) as folder,
        pytest.raises(
            TryAgainError, match=rf"repeat {min(deadly)}, k = 2 killed its process"
        ),
    ):
        choose_k(
            X, "fc", mine.Halves(), range(2, 4), repeats=9, jobs=2,
            backend="processes", journal=folder.journal(),
        )  # fmt: skip
    assert folder.kept == kept


def test_a_signal_within_a_foreign_clusterer_leaves_a_folder(start, table):
    run = start(
        "run", "x.csv", "-a", "mine:Slow", "-k", "2:3", "--repeats", "5000", "--jobs",
        "1", "-o", "out",
    )  # fmt: skip
    until(lambda: list((table.parent / "out").glob("chunks/*.chunk")), run)
    run.send(signal.SIGINT)
    assert run.wait() == 130
    assert "tasks are kept; resume with: the same command" in run.err


def test_a_clusterer_that_workers_cannot_import_is_not_said_to_kill_them(monkeypatch):
    nowhere = types.ModuleType("nowhere_to_be_found")
    nowhere.Here = type("Here", (mine.One,), {"__module__": nowhere.__name__})
    monkeypatch.setitem(sys.modules, nowhere.__name__, nowhere)
    how = {"repeats": 8, "jobs": 2, "backend": "processes"}
    with pytest.raises(InputError, match="cannot be loaded in a worker process"):
        choose_k(X, "fc", nowhere.Here(), range(2, 4), **how)
