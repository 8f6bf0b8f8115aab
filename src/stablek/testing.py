"""Contract checks for ingredients of your own: that they fit, and that they repeat.

Each function raises an AssertionError that says what is wrong, and returns nothing::

    from stablek.testing import check_clusterer
    check_clusterer(MyClusterer())
"""

import pickle
from typing import Any

import numpy as np

from stablek.api.choose_k import choose_k
from stablek.data import Dataset
from stablek.data.seeds import Streams, stream
from stablek.paradigm.contracts import Clusterer, NullModel, Perturbation
from stablek.paradigm.measure import Measure


def some_data(n: int = 40, m: int = 4, k: int = 3, seed: int = 0) -> Dataset:
    """Return a small positive data set with k clear groups, for checks."""
    rng = stream(seed, "testing", n, m, k)
    centres = 6.0 * rng.standard_normal((k, m))
    values = centres[np.arange(n) % k] + rng.standard_normal((n, m))
    return Dataset(values - values.min() + 1.0, name="checks")


def check_perturbation(perturbation: Perturbation, data: Dataset | None = None) -> None:
    """Check that a perturbation draws within the data, repeats, and pickles."""
    data = data or some_data()
    before = data.values.copy()
    again = _pickled(perturbation)
    for repeat in range(3):
        first = perturbation.draw(data, stream(0, "check", repeat), repeat)
        second = again.draw(data, stream(0, "check", repeat), repeat)
        rows = first.rows
        assert np.array_equal(rows, second.rows), "the same stream drew other rows"
        assert np.array_equal(first.values(), second.values()), (
            "the same stream drew other values"
        )
        assert len(rows) > 0, "the draw is empty"
        assert rows.min() >= 0, "a row number is negative"
        assert rows.max() < data.n, "a row number is beyond the data"
        assert first.values().shape[0] == len(rows), "values and rows differ in length"
        assert np.isfinite(first.values()).all(), "the draw holds NaN or infinity"
        assert len(np.unique(rows)) >= perturbation.size(data.n), (
            "size(n) promises more distinct items than the draw holds"
        )
    assert np.array_equal(data.values, before), "the data were changed"


def check_null_model(model: NullModel, data: Dataset | None = None) -> None:
    """Check that a null model keeps the shape of the data, repeats, and pickles."""
    data = data or some_data()
    before = data.values.copy()
    first = model.draw(data, stream(0, "check"))
    second = _pickled(model).draw(data, stream(0, "check"))
    other = model.draw(data, stream(1, "check"))
    assert first.values.shape == data.values.shape, "the null set has another shape"
    assert np.array_equal(first.values, second.values), "the same stream drew otherwise"
    assert not np.array_equal(first.values, other.values), "two streams drew the same"
    assert np.isfinite(first.values).all(), "the null set holds NaN or infinity"
    assert np.array_equal(data.values, before), "the data were changed"
    assert model.name, "a null model needs a name: it is part of its streams' key"


def check_clusterer(clusterer: Clusterer, data: Dataset | None = None) -> None:
    """Check labels, shapes, repeatability, independence of the other ks, pickling."""
    data = data or some_data()
    before = data.values.copy()
    clusterer.prepare(data)
    sample, ks = data.whole(), (2, 3, 4)
    labels_found = np.asarray(clusterer.partitions(sample, ks, Streams(0)))
    assert labels_found.shape == (3, data.n), f"labels have shape {labels_found.shape}"
    for labels, k in zip(labels_found, ks, strict=True):
        assert labels.min() >= 0, "a label is negative"
        assert len(np.unique(labels)) <= k, f"more than {k} clusters at k = {k}"
    again = np.asarray(_pickled(clusterer).partitions(sample, ks, Streams(0)))
    assert np.array_equal(labels_found, again), "the same streams gave other labels"
    alone = np.asarray(clusterer.partitions(sample, (3,), Streams(0)))
    assert np.array_equal(labels_found[1], alone[0]), (
        "labels at k depend on the other ks"
    )
    assert np.array_equal(data.values, before), "the data were changed"


def check_measure(measure: Measure, algorithm: Any = None) -> None:
    """Check that a measure runs, repeats on two workers, and pickles."""
    data = some_data(60)
    assert _pickled(measure) == measure, "the measure does not survive pickling"
    ks = range(max(2, measure.smallest_k), 6)
    one = choose_k(data, measure, algorithm, ks, backend="serial")
    two = choose_k(data, measure, algorithm, ks, backend="threads", jobs=2)
    assert one.to_json() == two.to_json(), "two threads gave another result than one"
    assert one.rule, "the decision names no rule"
    assert one.k_star is None or one.k_star in (1, *ks), "k* is outside the range"


def _pickled(thing: Any) -> Any:
    # Made here from the object at hand: nothing from outside is unpickled.
    return pickle.loads(pickle.dumps(thing))  # noqa: S301
