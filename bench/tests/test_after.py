"""The figures on what a verdict says of its clusters."""

import numpy as np

from stablek.data.seeds import stream
from stablek.results.markers import markers
from stablek_bench.after import hits, run_parts, shifted_set
from stablek_bench.after_sets import halves


def test_the_columns_shifted_are_found_in_a_simulated_set():
    data, owner = shifted_set(stream(0, "test"))
    labels = np.array([int(name) for name in data.classes])
    found = markers(data.values, labels, data.columns, top=20)
    assert hits(found, owner) >= 0.9 * len(found)


def test_halves_share_no_item_and_keep_the_classes():
    data, _ = shifted_set(stream(1, "test"))
    a, b = halves(data, stream(2, "test"))
    assert a.n + b.n == data.n
    assert len(np.unique(np.concatenate([a.values, b.values]), axis=0)) == data.n
    assert len(a.classes) == a.n


def test_without_data_the_simulated_part_is_answered():
    begun = []
    figures = run_parts(None, 1, ("markers", "batch"), 0, begun.append, fresh=False)
    assert begun == ["markers", "batch"]
    assert [one.question for one in figures] == ["markers", "markers"]
