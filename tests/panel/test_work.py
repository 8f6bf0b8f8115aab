"""The panel's work is done once: what a journal holds is taken from there."""

import numpy as np
import pytest

import stablek
from stablek.engine.execution import execute
from stablek.io.store.chunks import decode, encode
from stablek.panel import work

FAST = {"ks": range(2, 5), "repeats": 6, "null_sets": 19, "level": 0.05}


class Paper:
    """A journal that keeps the bytes of chunks, as the run folder does."""

    def __init__(self):
        self.chunks = []

    def kept(self, tasks):
        known = {o.task: o for raw in self.chunks for o in decode(raw)}
        return [known[task] for task in tasks if task in known]

    def keep(self, outputs):
        self.chunks.append(encode(outputs))


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(0)
    return 9.0 * np.eye(3)[np.arange(42) % 3] + rng.normal(size=(42, 3))


@pytest.fixture(scope="module")
def whole(values):
    return stablek.verdict(values, **FAST)


def test_a_verdict_from_its_journal_draws_nothing_and_is_the_same(
    values, whole, monkeypatch
):
    journal = Paper()
    first = stablek.verdict(values, journal=journal, **FAST)
    assert first.to_json() == whole.to_json()

    def never(*_, **__):
        raise AssertionError("this was kept")

    for name in ("observe", "observe_null", "best_bic", "draw_null", "draw_skewed"):
        monkeypatch.setattr(work, name, never)
    again = stablek.verdict(values, journal=journal, **FAST)
    assert again.to_json() == whole.to_json()
    np.testing.assert_array_equal(again.result.cube.labels, whole.result.cube.labels)


def test_an_error_in_one_null_set_keeps_the_others(values, whole, monkeypatch):
    monkeypatch.setattr(execute, "BATCH_SECONDS", 1e9)
    real, left = work.observe_null, [7]

    def tires(*given):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(*given)

    journal = Paper()
    with monkeypatch.context() as tired:
        tired.setattr(work, "observe_null", tires)
        with pytest.raises(KeyboardInterrupt):
            stablek.verdict(values, journal=journal, jobs=1, **FAST)
    kept = [output.task for raw in journal.chunks for output in decode(raw)]
    assert len(kept) == 1 + 7
    assert stablek.verdict(values, journal=journal, **FAST).to_json() == (
        whole.to_json()
    )


@pytest.mark.parametrize(("seconds", "chunks"), [(1e9, 6), (0.0, 78)])
def test_finished_work_is_written_after_so_many_seconds_or_at_the_end_of_a_stage(
    values, monkeypatch, seconds, chunks
):
    monkeypatch.setattr(execute, "BATCH_SECONDS", seconds)
    journal = Paper()
    stablek.verdict(values, journal=journal, **FAST)
    outputs = sum(len(decode(raw)) for raw in journal.chunks)
    assert outputs == 1 + 19 + 19 + 19 + 19 + 1
    assert len(journal.chunks) == chunks
