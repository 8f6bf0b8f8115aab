"""Tasks go to workers in batches that shrink towards the end."""

import pytest

from stablek.engine.execution.worker import batches, tapered


@pytest.mark.parametrize(
    "cut", [lambda t: batches(t, 7), lambda t: tapered(t, 7, 2, 3)]
)
@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 100])
def test_every_task_is_in_one_batch_in_order(cut, count):
    tasks = list(range(count))
    assert [task for batch in cut(tasks) for task in batch] == tasks


def test_batches_shrink_from_the_size_to_the_least():
    sizes = [len(batch) for batch in tapered(range(200), 12, 3, 2)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 12
    assert 1 <= sizes[-1] <= sizes[-2] == 3
    assert sum(sizes[-4:]) <= 12  # what one worker may still do when the others end
